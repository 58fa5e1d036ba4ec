"""Lines and columns of CoNLL-U and formats like it."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from anascore.errors import Problems
from anascore.formats.build import default_names
from anascore.formats.source import Source
from anascore.model.document import Document, Table
from anascore.model.mention import Position, Unit, Zero, next_zero

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
NO_VALUE = "_"
COREFERENCE = re.compile(r"(?:Entity|SplitAnte|Split|Bridge)=")
"""The attributes in MISC that are about coreference."""


class Section(NamedTuple):
    """The lines of one document."""

    name: str
    first: int
    """The number of its first line, from 1."""

    content: bytes
    line: int
    """The number of the line that names it, or of its first line."""

    @property
    def lines(self) -> list[str]:
        """The lines of the document."""
        return self.content.decode().split("\n")


class Layout(NamedTuple):
    """What the columns are and what stands between them."""

    columns: tuple[str, ...]
    separator: str
    marks: tuple[str, str, str]
    """One of these is in every line that says something of interest besides ID and FORM."""


@dataclass(slots=True)
class Tokens:
    """The words and zeros of one document, as far as they have been read."""

    words: list[str] = field(default_factory=list)
    zeros: list[Zero] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("I"))
    sentences: list[int] = field(default_factory=list)


Annotate: TypeAlias = Callable[[list[str], int, Position, Position], None]
"""Takes the columns of a word or zero, its line, and what there is before and after it."""


def separator_of(content: bytes) -> str:
    """Tell whether tabs separate columns, or blanks: test files have no tabs."""
    return "\t" if _TABBED.search(content) else " "


_TABBED = re.compile(rb"^[^#\n][^\t\n]*\t|^\t", re.MULTILINE)


def split_columns(line: str, separator: str) -> list[str]:
    """Split a line at each tab, or at each run of blanks; other white space is part of a word."""
    columns = line.split(separator)
    return columns if separator == "\t" else [column for column in columns if column]


def is_token(line: str) -> bool:
    """Tell a line of columns from a comment and from an empty line."""
    return bool(line) and line[0] != "#" and not line.isspace()


_NEWDOC = re.compile(rb"#[^\S\n]*newdoc\b(?:[^\S\n]+id[^\S\n]*=(.*))?")
TOKEN = re.compile(rb"^(?!#)[^\S\n]*\S", re.MULTILINE)
"""The beginning of a line of columns."""


def sections_of(source: Source) -> Iterator[Section]:
    """Split a file where a document begins; what stands before is one too if it has words."""
    content = source.content
    newdocs = list(source.comments(_NEWDOC, b"newdoc"))
    given = [(newdoc[1] or b"").decode().strip() for newdoc in newdocs]
    named = [newdoc.start() for newdoc in newdocs]
    starts = [_first_comment(content, place) for place in named]
    if TOKEN.search(content, 0, starts[0] if starts else len(content)):
        given, named, starts = ["", *given], [0, *named], [0, *starts]
    elif starts:
        starts[0] = 0
    names = default_names(source)
    pieces = zip(given, named, starts, source.cut(starts), strict=True)
    for name, place, start, (first, lines) in pieces:
        line = first + content.count(b"\n", start, place)
        yield Section(name or next(names), first, lines, line)


def _first_comment(content: bytes, place: int) -> int:
    """Find where the comments begin that end with the line at a place."""
    while place > 0:
        before = content.rfind(b"\n", 0, place - 1) + 1
        if content[before : before + 1] != b"#":
            break
        place = before
    return place


def read_tokens(
    section: Section, layout: Layout, tokens: Tokens, annotate: Annotate, problems: Problems
) -> None:
    """Add the words and zeros of a document, and hand on the lines that say more of them."""
    words, zeros, lines = tokens.words, tokens.zeros, tokens.lines
    kept: dict[str, str] = {}
    first, second, third = layout.marks
    id_at, form_at = layout.columns.index("ID"), layout.columns.index("FORM")
    separator, missing = layout.separator, [NO_VALUE] * len(layout.columns)
    usual = separator == "\t" and (id_at, form_at) == (0, 1)
    starts_sentence = True
    for number, line in enumerate(section.lines, section.first):
        # Most lines are words of which nothing is said: only their first columns are looked at.
        says_more = first in line or second in line or third in line
        columns = line.split("\t") if says_more else line.split("\t", 2)
        if usual and columns[0].isdecimal() and len(columns) > 2:
            form = columns[1]
            is_word = True
        elif is_token(line):
            columns = split_columns(line, separator) + missing
            form, says_more = columns[form_at], True
            is_word = columns[id_at].isdecimal()
        else:
            starts_sentence = starts_sentence or line[:1] != "#"
            continue
        if is_word:
            if starts_sentence:
                tokens.sentences.append(len(words))
                starts_sentence = False
            words.append(kept.setdefault(form, form))
            lines.append(number)
        elif _is_zero(columns[id_at], number, problems):
            zeros.append(next_zero(len(words), zeros))
        else:
            continue
        if says_more:
            columns += missing
            after = len(words), len(zeros)
            before = (after[0] - 1, after[1]) if is_word else (after[0], after[1] - 1)
            annotate(columns, number, before, after)


_ZERO_ID = re.compile(r"\d+\.\d+")
_MULTIWORD_ID = re.compile(r"\d+-\d+")


def _is_zero(word_id: str, line: int, problems: Problems) -> bool:
    """Tell a zero from a multiword token, and refuse anything else."""
    if _ZERO_ID.fullmatch(word_id):
        return True
    if not _MULTIWORD_ID.fullmatch(word_id):
        what = f"{word_id!r} is not an ID like 8 (a word), 8.1 (a zero) or 8-9 (multiword token)"
        problems.error(line, what)
    return False


def columns(document: Document, names: Sequence[str]) -> dict[str, dict[Unit, str]]:
    """Return what columns say of each word and zero, where they say something."""
    said: dict[str, dict[Unit, str]] = {name: {} for name in names}
    if "FORM" in names:
        said["FORM"] = {(number, 0): word for number, word in enumerate(document.words, 1)}
    table = document.table
    wanted = [name for name in names if table and name in table.columns and name != "FORM"]
    if table is None or not wanted:
        return said
    if "ID" not in table.columns:
        for name in wanted:
            words = enumerate(column_of(document, name), 1)
            said[name] = {(number, 0): v for number, v in words if v not in {NO_VALUE, "-"}}
        return said
    for sentence in sentences_of(table, wanted):
        for unit, (_, *values) in sentence.items():
            for name, value in zip(wanted, values, strict=True):
                if value != NO_VALUE:
                    said[name][unit] = value
    return said


def column(document: Document, name: str) -> dict[Unit, str]:
    """Return what one column says."""
    return columns(document, [name])[name]


def sentences_of(table: Table, names: Sequence[str]) -> Iterator[dict[Unit, list[str]]]:
    """Give the ID and some columns of each word and zero, sentence by sentence."""
    places = [table.columns.index(name) for name in ("ID", *names)]
    missing = [NO_VALUE] * len(table.columns)
    sentence: dict[Unit, list[str]] = {}
    words = 0
    zero: Zero = (-1, 0)
    for line in table.lines:
        if not is_token(line):
            if sentence and not line.startswith("#"):
                yield sentence
                sentence = {}
            continue
        cells = split_columns(line, table.separator) + missing
        row = [cells[place] or NO_VALUE for place in places]
        if row[0].isdecimal():
            words += 1
            sentence[words, 0] = row
        elif "." in row[0]:
            zero = next_zero(words, [zero])
            sentence[zero] = row
    yield sentence


def column_of(document: Document, name: str) -> Sequence[str]:
    """Return a column of the file by the words, if it has one of that name."""
    table = document.table
    if table is None or name not in table.columns:
        return [NO_VALUE] * len(document.words)
    at = table.columns.index(name)
    lines = filter(is_token, table.lines)
    rows = (split_columns(line.rstrip(), table.separator) for line in lines)
    if "ID" in table.columns:
        word_id = table.columns.index("ID")
        rows = (row for row in rows if row[word_id].isdecimal())
    return [row[at] if len(row) > at else NO_VALUE for row in rows]
