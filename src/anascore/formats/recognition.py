"""Which format a file is in, as far as its content tells."""

from __future__ import annotations

import re
from itertools import islice

from anascore.formats.reading import conll2012, conllu
from anascore.formats.source import Source, lines_with

_JSON = re.compile(rb'\s*(?:\{\s*["}]|\[\s*[{\]])')
_JSON_KEYS = {
    "llm-json": re.compile(rb'"clusters_token_offsets"\s*:'),
    "friends": re.compile(rb'"(?:episodes|scenes|utterances)"\s*:'),
    "jsonl": re.compile(rb'"(?:doc_key|sentences|tokens|\w*clusters)"\s*:'),
    "rucoco": re.compile(rb'"(?:entities|includes|text)"\s*:'),
}
"""The formats in JSON, each with the keys that only this and later ones have."""

_COMMENTS = {
    "conll2012": (conll2012.MARK, b"document"),
    "ua": (re.compile(rb"#[^\S\n]*global\.columns\b"), b"global.columns"),
    "corefud": (re.compile(rb"#[^\S\n]*global\.Entity\b"), b"global.Entity"),
}
"""The formats in columns, each with a comment that only this and later ones have, and its word."""

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
        for name, keys in _JSON_KEYS.items():
            if keys.search(source.content):
                return name
    for part in (source.content[:BEGINNING], source.content):
        for name, (pattern, word) in _COMMENTS.items():
            if next(lines_with(part, pattern, word), None):
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
    sure = separator == "\t" or width > conll2012.FORM + 1
    return "conll2012" if in_brackets and width > 1 and sure else None
