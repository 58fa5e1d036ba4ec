"""CoNLL-UA, the "exploded" format of Universal Anaphora: columns that hold one layer each.

A line is a word (ID 8), a zero (ID 8.1) or a multiword token (ID 8-9, which carries nothing).
Columns are found by name in `# global.columns`, or stand in the order of COLUMNS.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from anascore.errors import ReadError
from anascore.formats.ua_brackets import Brackets
from anascore.model import Corpus, Document

COLUMNS = (
    *("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC"),
    *("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM"),
)
UNNAMED = "unnamed"
"""The name of a document that the file does not name."""


class _Layout(NamedTuple):
    """Where the columns are that we read, and what stands between them."""

    id: int
    form: int
    identity: int
    separator: str | None


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
        raise ReadError(path, None, "there is no word in this file; CoNLL-UA has one on each line")
    return Corpus(documents, "ua", path)


_GLOBAL_COLUMNS = re.compile(r"#\s*global\.columns\s*=(.*)")


def _layout(path: str, lines: list[str]) -> _Layout:
    """Find the columns by their declared names, or else in their usual order."""
    tokens = [line for line in lines if line and line[0] != "#"]
    # Where tabs separate columns, a column can hold blanks; test files have blanks only.
    separator = "\t" if any("\t" in line for line in tokens) else None
    for number, line in enumerate(lines, 1):
        if declared := _GLOBAL_COLUMNS.match(line):
            columns = declared[1].split()
            for name in ("ID", "FORM", "IDENTITY"):
                if name not in columns:
                    what = f"global.columns has no column {name}, which CoNLL-UA needs"
                    raise ReadError(path, number, what)
            return _Layout(
                columns.index("ID"), columns.index("FORM"), columns.index("IDENTITY"), separator
            )
    identity = COLUMNS.index("IDENTITY")
    if not any(len(line.split(separator)) > identity for line in tokens):
        what = f"it has no global.columns, and no line has {identity + 1} columns or more"
        raise ReadError(path, None, f"this is not CoNLL-UA: {what}")
    return _Layout(COLUMNS.index("ID"), COLUMNS.index("FORM"), identity, separator)


_NEWDOC = re.compile(r"#\s*newdoc\b(?:\s+id\s*=(.*))?")


def _sections(lines: list[str]) -> list[_Section]:
    """Split the file where a document begins; what stands before is one too if it has words."""
    starts = [
        (position, (newdoc[1] or "").strip() or UNNAMED)
        for position, line in enumerate(lines)
        if line.startswith("#") and (newdoc := _NEWDOC.match(line))
    ]
    preface = lines[: starts[0][0]] if starts else lines
    if any(line and line[0] != "#" for line in preface):
        starts.insert(0, (0, UNNAMED))
    ends = [position for position, _ in starts[1:]] + [len(lines)]
    return [_Section(name, first, end) for (first, name), end in zip(starts, ends, strict=True)]


_ZERO_ID = re.compile(r"\d+\.\d+")
_MULTIWORD_ID = re.compile(r"\d+-\d+")


def _read_document(path: str, lines: list[str], section: _Section, layout: _Layout) -> Document:
    """Read the words and the identity layer of one document."""
    words: list[str] = []
    word_lines: list[int] = []
    identity = Brackets(path, section.name)
    for number in range(section.first, section.end):
        line = lines[number]
        if not line or line[0] == "#" or line.isspace():
            continue
        columns = line.split(layout.separator)
        word_id = columns[layout.id]
        if word_id.isdecimal():
            words.append(columns[layout.form] if layout.form < len(columns) else "_")
            word_lines.append(number + 1)
            identity.add_word()
        elif _ZERO_ID.fullmatch(word_id):
            identity.add_zero()
        elif _MULTIWORD_ID.fullmatch(word_id):
            continue
        else:
            what = f"{word_id!r} is no ID; a line starts with one like 8, 8.1 (zero) or 8-9"
            raise ReadError(path, number + 1, what)
        if layout.identity < len(columns):
            cell = columns[layout.identity].strip()
            if cell not in {"", "_"}:
                identity.read(cell, number + 1)
    entities, nonreferring = identity.finish()
    return Document(section.name, tuple(words), entities, nonreferring, path, tuple(word_lines))
