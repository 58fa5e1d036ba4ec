"""The formats by name, and how the format of a file is recognised."""

from __future__ import annotations

import re
from itertools import islice

from anascore.formats import conllu
from anascore.formats.conll2012 import CONLL_2012, FORM
from anascore.formats.corefud import COREFUD
from anascore.formats.format import Format
from anascore.formats.friends import FRIENDS
from anascore.formats.jsonl import JSON_LINES
from anascore.formats.llm import LLM_JSON, LLM_TEXT
from anascore.formats.rucoco import RUCOCO
from anascore.formats.source import Source, lines_with
from anascore.formats.ua import CONLL_UA

FORMATS: dict[str, Format] = {
    "ua": CONLL_UA,
    "corefud": COREFUD,
    "conll2012": CONLL_2012,
    "jsonl": JSON_LINES,
    "friends": FRIENDS,
    "rucoco": RUCOCO,
    "llm-text": LLM_TEXT,
    "llm-json": LLM_JSON,
}
"""The formats by the names that `--format` takes."""

_JSON = re.compile(rb'\s*(?:\{\s*["}]|\[\s*[{\]])')
_BY_KEY = ("llm-json", "friends", "jsonl", "rucoco")
"""Formats in JSON: the key of a format may also occur in the formats before it."""

_BY_COMMENT = ("conll2012", "ua", "corefud")
"""Formats in columns: the comment of a format may also occur in the formats before it."""

_ID = re.compile(r"\d+(?:[.-]\d+)?")
_ENTITY_ID = re.compile(rb"\(EntityID=", re.IGNORECASE)
_LAST_COLUMN = re.compile(r"[-_*]|(?:\|?(?:\([^()|\s]+\)?|[^()|\s]+\)))+")
_LLM = re.compile(rb"\|(?:\[[^\[\]|,\s]+\]?|[^\[\]|,\s]+\])(?=[,\s]|\Z)")

BEGINNING = 10_000
"""How many bytes are looked at first."""

LOOKED_AT = 1000
"""How many lines of columns are looked at in a file without such comments."""


def recognise(source: Source) -> str | None:
    """Return the name of the format, or None if the content fits none."""
    if _JSON.match(source.content):
        for name in _BY_KEY:
            key = FORMATS[name].json_key
            if key and key.search(source.content):
                return name
    for part in (source.content[:BEGINNING], source.content):
        for name in _BY_COMMENT:
            comment = FORMATS[name].comment
            if comment and next(lines_with(part, *comment), None):
                return name
    return _by_columns(source)


def _by_columns(source: Source) -> str | None:
    """Look at the columns of the first lines."""
    separator = conllu.separator_of(source.content)
    tokens = filter(conllu.is_token, source.lines)
    rows = [conllu.split_columns(line.rstrip(), separator) for line in islice(tokens, LOOKED_AT)]
    if _ENTITY_ID.search(source.content):
        return "ua"
    if separator == " " and _LLM.search(source.content):
        return "llm-text"
    if not rows:
        return None
    last = [row[-1] for row in rows]
    in_brackets = all(map(_LAST_COLUMN.fullmatch, last))
    if in_brackets and any(")" in cell for cell in last):
        return "conll2012"
    width = max(map(len, rows))
    if width >= len(conllu.COLUMNS) and all(_ID.fullmatch(row[0]) for row in rows):
        return "corefud" if width == len(conllu.COLUMNS) else "ua"
    sure = separator == "\t" or width > FORM + 1
    return "conll2012" if in_brackets and width > 1 and sure else None
