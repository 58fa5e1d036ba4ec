"""A Corpus to CoNLL-2012."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from anascore.formats.columns import column_of
from anascore.formats.places import runs_of
from anascore.formats.reading.conll2012 import COLUMNS, form_at, name_of
from anascore.formats.reading.conllu import is_token, split_columns
from anascore.formats.writing.bracketing import brackets_at
from anascore.formats.writing.naming import legal_names
from anascore.mention import Unit
from anascore.model import Corpus, Document

_ILLEGAL = re.compile(r"[\s\0|()]|^[-_*]$")
_PART = re.compile(r"(.*); part (\d+)", re.DOTALL)
NOTHING = "-"


def write_conll2012(corpus: Corpus) -> str:
    """Write all documents."""
    lines: list[str] = []
    for document in corpus.documents.values():
        part = _PART.fullmatch(document.name)
        name, number = (part[1], part[2]) if part else (document.name, "000")
        if name_of(name, number) != document.name:
            # The name only looks as if it had a part.
            name, number = document.name, "000"
        lines.append(f"#begin document ({name}); part {number}")
        lines += _lines(document, name, number)
        lines.append("#end document")
    return "\n".join(lines) + "\n"


def _lines(document: Document, name: str, part: str) -> Iterator[str]:
    """Write the words of a document, with an empty line behind each sentence."""
    entities = dict(_cells(document))
    rows = _rows(document, name, part)
    starts = set(document.sentences)
    for position, row in enumerate(rows):
        if position in starts and position:
            yield ""
        yield "\t".join([*row, entities.get((position + 1, 0), NOTHING)])
    yield ""


def _rows(document: Document, name: str, part: str) -> Iterator[Sequence[str]]:
    """Give the columns of each word but the last: those of the file, or new ones."""
    table = document.table
    if table is not None and table.columns[-1:] == COLUMNS[-1:]:
        lines = (line for line in table.lines if is_token(line))
        for line, word in zip(lines, document.words, strict=True):
            columns = split_columns(line.rstrip(), table.separator)
            if len(columns) > 1:
                columns[form_at(len(columns))] = word
            yield columns[:-1]
        return
    tags = column_of(document, "XPOS")
    number = 0
    starts = set(document.sentences)
    for position, word in enumerate(document.words):
        number = 0 if position in starts else number
        tag = NOTHING if tags[position] == "_" else tags[position]
        document_id = re.sub(r"\s|^#", "_", name)
        yield (document_id, str(int(part)), str(number), word, tag, "*", *"----", "*")
        number += 1


def _cells(document: Document) -> Iterator[tuple[Unit, str]]:
    """Open and close the mentions of a document."""
    names = legal_names([entity.name for entity in document.entities], _ILLEGAL)
    parts = [
        (run, name)
        for name, entity in zip(names, document.entities, strict=True)
        for mention in entity.mentions
        for run in runs_of(mention, ())
    ]
    for unit, (closing, opening, whole) in brackets_at(parts):
        items = [f"{name})" for name in closing]
        items += [f"({name}" for name in opening] + [f"({name})" for name in whole]
        yield unit, "|".join(items)
