"""Which format a file is in, as far as its content tells."""

from __future__ import annotations

import re
from itertools import islice

from anascore.formats.reading import conll2012, conllu
from anascore.formats.source import Source

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
_LAST_COLUMN = re.compile(r"[-_*]|(?:\|?(?:\([^()|\s]+\)?|[^()|\s]+\)))+")
_LLM = re.compile(rb"\|(?:\[[^\[\]|,\s]+\]?|[^\[\]|,\s]+\])(?=[,\s]|\Z)")

LOOKED_AT = 1000
"""How many lines of columns are looked at in a file without such comments."""


def recognise(source: Source) -> str | None:
    """Return the name of the format, or None if the content fits none."""
    if _JSON.match(source.content):
        found = (name for name, keys in _JSON_KEYS.items() if keys.search(source.content))
        return next(found, None)
    for name, (pattern, word) in _COMMENTS.items():
        if next(source.comments(pattern, word), None):
            return name
    return _by_columns(source)


def _by_columns(source: Source) -> str | None:
    """Look at the columns of the first lines."""
    separator = conllu.separator_of(source.content)
    tokens = filter(conllu.is_token, source.lines)
    rows = [conllu.split_columns(line.rstrip(), separator) for line in islice(tokens, LOOKED_AT)]
    width = max((len(row) for row in rows), default=0)
    if rows and all(_ID.fullmatch(row[0]) for row in rows):
        if width > len(conllu.COLUMNS) or re.search(rb"\(EntityID=", source.content, re.IGNORECASE):
            return "ua"
        if width == len(conllu.COLUMNS):
            return "corefud"
    if separator == " " and _LLM.search(source.content):
        return "llm-text"
    if width > 1 and all(len(row) > 1 and _LAST_COLUMN.fullmatch(row[-1]) for row in rows):
        return "conll2012"
    return None
