"""CoNLL-UA, the "exploded" format of Universal Anaphora: columns that hold one layer each.

A line is a word (ID 8), a zero (ID 8.1) or a multiword token (ID 8-9, which carries nothing).
Columns are found by name in `# global.columns`, or stand in the order of COLUMNS.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

from anascore.errors import ReadError
from anascore.formats.ua_brackets import Brackets
from anascore.model import Corpus, Document, Zero

COLUMNS = (
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    *("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM"),
)
IDENTITY = COLUMNS.index("IDENTITY")
UNNAMED = "unnamed"
"""The name of a document that the file does not name; the second is called unnamed-2."""


class _Layout(NamedTuple):
    """Where the columns are that we read, and what stands between them."""

    id: int
    form: int
    identity: int
    width: int
    """How many columns hold all of these."""

    separator: str


class _Section(NamedTuple):
    """The lines of one document: positions in the list of lines, from first to before end."""

    name: str
    first: int
    end: int


def read_ua(path: str, lines: list[str]) -> Corpus:
    """Read the documents of a CoNLL-UA file and the entities of their IDENTITY column."""
    layout = _layout(path, lines)
    documents: dict[str, Document] = {}
    starts: dict[str, int] = {}
    for section in _sections(lines):
        if section.name in starts:
            what = f"document id {section.name!r} again; line {starts[section.name] + 1} has it too"
            raise ReadError(path, section.first + 1, what)
        starts[section.name] = section.first
        documents[section.name] = _read_document(path, lines, section, layout)
    if not any(document.words for document in documents.values()):
        raise ReadError(
            path, None, "there are no words in this file; CoNLL-UA has one on each line"
        )
    return Corpus(documents, "ua", path)


_GLOBAL_COLUMNS = re.compile(r"#\s*global\.columns\s*=(.*)")


def _layout(path: str, lines: list[str]) -> _Layout:
    """Find the columns by their declared names, or else in their usual order."""
    tokens = [line for line in lines if _is_token(line)]
    # Where tabs separate columns, a column can hold blanks; test files have blanks only.
    separator = "\t" if any("\t" in line for line in tokens) else " "
    declared = _declared_columns(path, lines)
    if declared is None and not any(len(_columns(line, separator)) > IDENTITY for line in tokens):
        what = f"it has no global.columns, and no line has {IDENTITY + 1} columns or more"
        raise ReadError(path, None, f"this is not CoNLL-UA: {what}")
    columns = declared or list(COLUMNS)
    found = columns.index("ID"), columns.index("FORM"), columns.index("IDENTITY")
    return _Layout(*found, width=max(found) + 1, separator=separator)


def _declared_columns(path: str, lines: list[str]) -> list[str] | None:
    """Return the names of the columns, if the file has them."""
    for number, line in enumerate(lines, 1):
        if line.startswith("#") and (declared := _GLOBAL_COLUMNS.match(line)):
            columns = declared[1].split()
            for name in ("ID", "FORM", "IDENTITY"):
                if name not in columns:
                    what = f"global.columns has no column {name}, which CoNLL-UA needs"
                    raise ReadError(path, number, what)
            return columns
    return None


_NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id\s*=(.*))?")


def _sections(lines: list[str]) -> list[_Section]:
    """Split the file where a document begins; what stands before is one too if it has words."""
    starts = [
        (position, (newdoc[1] or "").strip())
        for position, line in enumerate(lines)
        if line.startswith("#") and (newdoc := _NEWDOC.match(line))
    ]
    if any(map(_is_token, lines[: starts[0][0]] if starts else lines)):
        starts.insert(0, (0, ""))
    sections: list[_Section] = []
    unnamed = 0
    for (first, given), (end, _) in pairwise([*starts, (len(lines), "")]):
        unnamed += not given
        name = given or (UNNAMED if unnamed == 1 else f"{UNNAMED}-{unnamed}")
        sections.append(_Section(name, first, end))
    return sections


def _columns(line: str, separator: str) -> list[str]:
    """Split a line at each tab, or at each run of blanks; other white space is part of a word."""
    columns = line.split(separator)
    return columns if separator == "\t" else [column for column in columns if column]


def _is_token(line: str) -> bool:
    """Tell a line of columns from a comment and from an empty line."""
    return bool(line) and line[0] != "#" and not line.isspace()


_ZERO_ID = re.compile(r"\d+\.\d+")
_MULTIWORD_ID = re.compile(r"\d+-\d+")


def _read_document(path: str, lines: list[str], section: _Section, layout: _Layout) -> Document:
    """Read the words and the identity layer of one document."""
    words: list[str] = []
    word_lines: list[int] = []
    zeros: list[Zero] = []
    identity = Brackets(path, section.name)
    for number, line in enumerate(lines[section.first : section.end], section.first + 1):
        if not _is_token(line):
            continue
        columns = _columns(line, layout.separator)
        columns += ["_"] * (layout.width - len(columns))
        word_id = columns[layout.id]
        before = len(words), len(zeros)
        if word_id.isdecimal():
            words.append(columns[layout.form])
            word_lines.append(number)
        elif _ZERO_ID.fullmatch(word_id):
            rank = zeros[-1][1] + 1 if zeros and zeros[-1][0] == len(words) else 1
            zeros.append((len(words), rank))
        elif _MULTIWORD_ID.fullmatch(word_id):
            continue
        else:
            what = (
                f"{word_id!r} is not an ID like 8 (a word), 8.1 (a zero) or 8-9 (multiword token)"
            )
            raise ReadError(path, number, what)
        cell = columns[layout.identity].strip()
        if cell not in {"", "_"}:
            identity.read(cell, number, before, (len(words), len(zeros)))
    entities, nonreferring = identity.finish(zeros)
    return Document(section.name, tuple(words), entities, nonreferring, path, tuple(word_lines))
