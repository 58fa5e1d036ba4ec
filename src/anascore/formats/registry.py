"""Registry of the formats, and auto-detection of the format of a file."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice
from typing import Any

from anascore.formats import conllu
from anascore.formats.booknlp import BOOKNLP
from anascore.formats.brat import BRAT
from anascore.formats.conll2012 import CONLL_2012, FORM, are_brackets
from anascore.formats.coref_hoi import COREF_HOI
from anascore.formats.corefud import COREFUD
from anascore.formats.cutting import FileBlock
from anascore.formats.fastcoref import FASTCOREF
from anascore.formats.format import Format
from anascore.formats.friends import FRIENDS
from anascore.formats.jsonl import JSON_LINES
from anascore.formats.litbank import LITBANK
from anascore.formats.llm import LLM_JSON, MAVERICK
from anascore.formats.llm_text import LLM_TEXT, find_notation
from anascore.formats.preco import PRECO
from anascore.formats.rucoco import RUCOCO
from anascore.formats.source import File, Source, files_at, matching_lines
from anascore.formats.stanza import STANZA
from anascore.formats.ua import CONLL_UA
from anascore.formats.ucdcr import UCDCR
from anascore.formats.wl_coref import WL_COREF

FORMATS: dict[str, Format] = {
    "ua": CONLL_UA,
    "corefud": COREFUD,
    "conll2012": CONLL_2012,
    "jsonl": JSON_LINES,
    "friends": FRIENDS,
    "rucoco": RUCOCO,
    "llm-text": LLM_TEXT,
    "llm-json": LLM_JSON,
    "coref-hoi": COREF_HOI,
    "wl-coref": WL_COREF,
    "preco": PRECO,
    "fastcoref": FASTCOREF,
    "maverick": MAVERICK,
    "ucdcr": UCDCR,
    "stanza": STANZA,
    "booknlp": BOOKNLP,
    "brat": BRAT,
    "litbank": LITBANK,
}
"""Formats by the names that `--format` takes."""

WRITABLE = {name: target for name, target in FORMATS.items() if target.write}
"""Formats that can also be written, by the names that `--to` takes."""

COMPANIONS = {target.companions for target in FORMATS.values() if target.companions}
"""Files that belong together, for all formats that have several for a document."""


def list_formats() -> dict[str, dict[str, Any]]:
    """Return the formats of files, with the annotation that each can hold.

    Returns:
        For each format by its name: its label, whether it can be written, the endings of file names
        that choose it, the unit of its positions (words or characters), and for each kind of
        annotation if it can hold it: True or False, or a word that says what of it.

    Example:
        >>> list_formats()["corefud"]["sets"], list_formats()["conll2012"]["zeros"]
        ('nested', False)
    """
    return {
        name: {
            "label": listed.label,
            "write": listed.write is not None,
            "endings": listed.endings,
            "unit": "characters" if listed.holds.characters else "words",
            **{kind: _held(getattr(listed.holds, kind)) for kind in ANNOTATION},
        }
        for name, listed in FORMATS.items()
    }


ANNOTATION = (
    *("sets", "results", "antecedents", "zeros", "gaps", "crossing", "nonreferring", "bridging"),
    *("deixis", "candidates", "minimum", "attributes", "sentences", "names"),
)
"""Kinds of annotation, fields of `Capacity`, that are listed."""


def _held(value: Any) -> Any:
    """Return the capacity for one kind of annotation as a plain value."""
    if isinstance(value, frozenset):
        return ", ".join(sorted(value)) or False
    return False if value == "no" else value


def corpus_files(path: str) -> list[File]:
    """Return a file, or the files of a folder that are no companions of others in it."""
    return files_at(path, COMPANIONS)


_JSON_START = re.compile(rb'\s*(?:\{\s*["}]|\[\s*[{\]])')
_JSON_FORMATS = (
    "coref-hoi",
    "wl-coref",
    "preco",
    "fastcoref",
    "maverick",
    "ucdcr",
    "llm-json",
    "friends",
    "jsonl",
    "rucoco",
)
"""JSON formats, in the order of detection: the key of one may also occur in those before it."""

_COLUMN_FORMATS = ("stanza", "booknlp", "litbank", "conll2012", "ua", "corefud")
"""Column formats, in the order of detection, for the same reason."""

_ID = re.compile(r"\d+(?:[.-]\d+)?")
_ENTITY_ID = re.compile(rb"\(EntityID=", re.IGNORECASE)
_TEXT_BOUND = re.compile(rb"^T[^\s]*\t\S+ \d+ \d+[;\t]", re.MULTILINE)
"""Annotation of a span in brat."""

FIRST_BYTES = 10_000
"""Number of bytes that are searched for comments first."""

MAX_ROWS = 1000
"""Maximum number of rows that are examined in a file without such comments."""


def detect_format(source: Source) -> str | None:
    """Return the name of the format that the content fits, or None."""
    if not source.content or source.content.isspace():
        # Files of other formats are not opened if they are empty.
        return "brat"
    if _JSON_START.match(source.content):
        for name in _JSON_FORMATS:
            key = FORMATS[name].json_key
            if key and key.search(source.content):
                return name
    for part in (source.content[:FIRST_BYTES], source.content):
        for name in _COLUMN_FORMATS:
            comment = FORMATS[name].comment
            if comment and next(matching_lines(part, *comment), None):
                return name
    if _TEXT_BOUND.search(source.content[:FIRST_BYTES]):
        return "brat"
    return _detect_by_columns(source)


def detect_in_blocks(blocks: Iterator[FileBlock]) -> str | None:
    """Return the name of the format that a file fits, if its beginning or its JSON keys tell."""
    first = next(blocks, None)
    if first is None:
        return None
    if _JSON_START.match(first.content):
        ranks = {name: rank for rank, name in enumerate(_JSON_FORMATS)}
        lowest = len(ranks)
        for block in chain([first], blocks):
            for name in _JSON_FORMATS[:lowest]:
                key = FORMATS[name].json_key
                if key and key.search(block.content):
                    lowest = ranks[name]
                    break
        if lowest < len(ranks):
            return _JSON_FORMATS[lowest]
    for name in _COLUMN_FORMATS:
        comment = FORMATS[name].comment
        if comment and next(matching_lines(first.content[:FIRST_BYTES], *comment), None):
            return name
    return None


def _detect_by_columns(source: Source) -> str | None:
    """Detect a format by the columns of the first rows."""
    separator = conllu.separator_of(source)
    tokens = filter(conllu.is_token, source.lines)
    rows = [conllu.split_columns(line.rstrip(), separator) for line in islice(tokens, MAX_ROWS)]
    if _ENTITY_ID.search(source.content):
        return "ua"
    if separator == " " and find_notation(source.content):
        return "llm-text"
    if not rows:
        return None
    last = [row[-1] for row in rows]
    in_brackets = are_brackets(last)
    if in_brackets and any(")" in cell for cell in last):
        return "conll2012"
    width = max(map(len, rows))
    if width >= len(conllu.COLUMNS) and all(_ID.fullmatch(row[0]) for row in rows):
        return "corefud" if width == len(conllu.COLUMNS) else "ua"
    has_columns = separator == "\t" or width > FORM + 1
    return "conll2012" if in_brackets and width > 1 and has_columns else None
