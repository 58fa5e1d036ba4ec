"""What files of columns say that is lost in another format."""

from __future__ import annotations

import re
from collections import Counter

from anascore.formats.reading.conllu import COREFERENCE, is_token, split_columns
from anascore.formats.writing.capacity import Capacity
from anascore.model import Document


def count_columns(document: Document, capacity: Capacity, lost: Counter[str]) -> None:
    """Count what else a file of columns says that is lost."""
    table = document.table
    if table is None:
        return
    for line in table.lines:
        if not is_token(line):
            if line[:1] == "#" and not capacity.comments and not _STRUCTURE.match(line):
                lost["comments"] += 1
            continue
        columns = split_columns(line, table.separator)
        if "ID" in table.columns and "-" in columns[table.columns.index("ID")]:
            lost["multiword tokens"] += not capacity.comments
            continue
        for name, value in zip(table.columns, columns, strict=False):
            if name in ANNOTATED or name in capacity.columns or value in _EMPTY:
                continue
            if name != "MISC" or not all(map(COREFERENCE.match, value.split("|"))):
                lost[COLUMN + name] += 1


COLUMN = "values in column "
"""How the name of what is lost of a column begins."""

_STRUCTURE = re.compile(r"#\s*(?:newdoc\b|global\.|begin document|end document)")
_EMPTY = {"_", "-", "*", ""}
ANNOTATED = {
    *("ID", "FORM", "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS"),
    *("DOCUMENT", "PART", "NUMBER", "COREFERENCE"),
}
"""Columns that documents have fields for, or that only number and name."""
