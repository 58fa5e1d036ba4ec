"""Lines and columns of CoNLL-U and similar formats."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from anascore.errors import Problems
from anascore.formats.building import ReadingNotes, default_names
from anascore.formats.files import TOKEN, Source, matching_lines
from anascore.formats.near_names import CollectNames, NameKind
from anascore.formats.scanner import Layout as ScannedLayout
from anascore.formats.scanner import Rows, Scanned, read_sentences
from anascore.model.mention import Position, Zero, next_zero

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
NO_VALUE = "_"
COREFERENCE = re.compile(r"(?:Entity|SplitAnte|Split|Bridge|coref_chains)=")
"""MISC attributes that annotate coreference."""

_ANNOTATION = (b"Entity=", b"Split", b"Bridge=", b"coref_chains=")
"""Every coreference attribute contains one of these texts."""

_GRAMMAR = frozenset({"ID", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS"})
"""Columns that cannot contain coreference, not even by accident."""

LOST_COLUMNS = "lines that end before a column of coreference, read as empty there"
GAPS = "gaps in the IDs of words; lines may be missing"
MISPLACED_ZEROS = (
    "zeros whose ID does not continue that of the word before, read at their place in the file"
)


class Section(NamedTuple):
    """The lines of one document."""

    name: str
    first: int
    """First line number, from 1."""

    content: bytes
    line: int
    """Line number of the document's name, or of its first line if it has none."""


class Layout(NamedTuple):
    """Column names and separator."""

    columns: tuple[str, ...]
    separator: str
    marks: tuple[str, str, str]
    """Every annotation, in MISC or misplaced, contains one of these strings."""

    coreference: tuple[int, ...]
    """Positions of the columns that annotate coreference, in order."""

    misplaced: re.Pattern[str]
    """Annotation in other columns."""

    @property
    def empty_end(self) -> str:
        """What a row without annotation ends in; empty unless only MISC can be annotated."""
        own = [position for position in self.coreference if self.columns[position] != "MISC"]
        return "\t_" * (len(self.columns) - min(own)) if own else ""


@dataclass(slots=True)
class Tokens:
    """Words and zeros of one document, collected while reading."""

    words: list[str] = field(default_factory=list)
    zeros: list[Zero] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("I"))
    sentences: list[int] = field(default_factory=list)


RowCallback: TypeAlias = Callable[[list[str], int, Position, Position], None]
"""Called for each row that may be annotated, with the cells that annotate coreference, the line
number, and the positions before and after the row."""


def separator_of(source: Source) -> str:
    """Return the column separator: a tab, or a space if the file has no tabs."""
    return "\t" if TABBED.search(source.beginning) else " "


TABBED = re.compile(rb"^[^#\n][^\t\n]*\t|^\t", re.MULTILINE)


def split_columns(line: str, separator: str) -> list[str]:
    """Split a line at tabs, or at runs of spaces; other white space is part of a word."""
    columns = line.split(separator)
    return columns if separator == "\t" else [column for column in columns if column]


def is_token(line: str) -> bool:
    """Tell a row of columns from a comment or an empty line."""
    return bool(line) and line[0] != "#" and not line.isspace()


_NEWDOC = re.compile(rb"#[^\S\n]*newdoc\b(?:[^\S\n]+id[^\S\n]*=(.*))?")


def sections_of(source: Source) -> Iterator[Section]:
    """Split a file into documents; words before the first `# newdoc` form a document, too."""
    content = source.content
    names, positions = _newdocs(content)
    starts = _first_comments(content, positions)
    if TOKEN.search(content, 0, starts[0] if starts else len(content)):
        names, positions, starts = ["", *names], [0, *positions], [0, *starts]
    elif starts:
        starts[0] = 0
    defaults = default_names(source)
    pieces = zip(names, starts, positions, source.split_at(starts), strict=True)
    for name, start, position, (first, lines) in pieces:
        line = first + content.count(b"\n", start, position)
        yield Section(name or next(defaults), first, lines, line)


def _newdocs(content: bytes) -> tuple[list[str], list[int]]:
    """Find the `# newdoc` lines; unnamed documents get an empty name."""
    newdocs = list(matching_lines(content, _NEWDOC, b"newdoc"))
    names = [(newdoc[1] or b"").decode().strip() for newdoc in newdocs]
    return names, [newdoc.start() for newdoc in newdocs]


def document_starts(content: bytes, is_first: bool) -> Iterator[tuple[int, str]]:  # noqa: FBT001  see DocumentStarts
    """Yield the position and name of each document that starts in these lines."""
    names, positions = _newdocs(content)
    starts = _first_comments(content, positions)
    if is_first and TOKEN.search(content, 0, starts[0] if starts else len(content)):
        yield 0, ""
    yield from zip(starts, names, strict=True)


def _first_comments(content: bytes, positions: Sequence[int]) -> list[int]:
    """Return where the comment block above each line starts; positions must ascend."""
    starts: list[int] = []
    # A search that reaches the line before ends where the search for that one ended.
    reached = -1
    for position in positions:
        start = position
        while start > 0:
            before = content.rfind(b"\n", 0, start - 1) + 1
            if content[before : before + 1] != b"#":
                break
            start = before
            if start == reached:
                start = starts[-1]
                break
        reached = position
        starts.append(start)
    return starts


_COMMENT = re.compile(rb"^#[^\S\n]*([^=\n]*)", re.MULTILINE)


def comments(*known: str) -> NameKind:
    """Describe a format's comments, to find misspelt ones."""

    def names_in(source: Source, thorough: bool) -> Iterator[str]:  # noqa: FBT001  see NameKind
        if thorough or not all(source.has(name.encode()) for name in known):
            for name in set(_COMMENT.findall(source.content)):
                yield " ".join(name.decode().split())

    place = r"^#[^\S\n]*{}(?=[^\S\n]*(?:=|$))"
    return NameKind(label="comment", known=frozenset(known), place=place, collect=names_in)


def attributes_in_misc(
    *known: str, collect: CollectNames, others: Collection[str] = ()
) -> NameKind:
    """Describe a format's MISC attributes, each with its equals sign, to find misspelt ones."""
    return NameKind(
        label="attribute in MISC",
        known=frozenset(known),
        others=frozenset(others),
        place=r"(?:(?<=[\t|])|(?<=[^|] )){}(?:(?<=\W)|(?![\w=]))",
        collect=collect,
    )


_ATTRIBUTE = re.compile(r"(?:^|\|)(\w+[^\w|]?)")


def attribute_names(lines: Iterable[bytes], separator: str) -> Iterator[str]:
    """Yield attribute names from the last column, each with the character that follows it."""
    sign = separator.encode()
    for cell in {line.rpartition(sign)[2] for line in lines if line[:1] != b"#"}:
        yield from _ATTRIBUTE.findall(cell.decode())


MAX_IDS = 4096
"""Maximum number of IDs whose successor is cached."""


class _NextIds(dict[str, str]):
    """Cache of the ID that follows each word ID, as text; a lookup is faster than adding 1."""

    def __missing__(self, word_id: str) -> str:
        next_id = str(int(word_id) + 1)
        if len(self) < MAX_IDS:
            self[word_id] = next_id
        return next_id


_NEXT_ID = _NextIds()


def read_tokens(section: Section, tokens: Tokens, on_row: RowCallback, checker: RowChecker) -> None:
    """Read a document's words and zeros; call `on_row` for every row that may be annotated."""
    reader = _TokenReader(tokens, on_row, checker)
    read_sentences(reader, section.content, section.first, _scanned_layout(checker.layout))


@lru_cache(maxsize=16)
def _scanned_layout(layout: Layout) -> ScannedLayout | None:
    """Translate a layout for the scanner; None if the scanner cannot read it."""
    first, size = layout.coreference[0], len(layout.coreference)
    is_standard = (
        layout.separator == "\t"
        and layout.columns[:2] == ("ID", "FORM")
        and layout.coreference == (*range(first, first + size),)
    )
    if not is_standard:
        return None
    marks = tuple(mark.encode() for mark in dict.fromkeys(layout.marks))
    misc = layout.columns.index("MISC") if "MISC" in layout.columns else -1
    tabs = len(layout.columns) - 1
    annotation = (*marks, *_ANNOTATION)
    return ScannedLayout(tabs, marks, annotation, first=first, cells=size, misc=misc)


class _TokenReader:
    def __init__(self, tokens: Tokens, on_row: RowCallback, checker: RowChecker) -> None:
        layout = checker.layout
        self._tokens = tokens
        self._on_row = on_row
        self._checker = checker
        self._coreference = layout.coreference
        self.output = Rows(tokens.words, {}, tokens.lines, tokens.sentences)
        self._id_at, self._form_at = layout.columns.index("ID"), layout.columns.index("FORM")
        self._is_standard = _scanned_layout(layout) is not None
        self._starts_sentence = True
        self._expected = "1"

    @property
    def next_id(self) -> int:
        """ID that the next word should have."""
        return int(self._checker.continued_id)

    def take(self, scanned: Scanned) -> None:
        zeros, on_row = len(self._tokens.zeros), self._on_row
        for number, word, *cells in scanned.rows:
            on_row(cells, number, (word, zeros), (word + 1, zeros))
        if scanned.first_id:
            self._expected = self._checker.skip_sentences(scanned.first_id, scanned.next_id)

    def read_rows(self, rows: bytes, first: int) -> None:
        self._read_rows(rows, first)
        if not self._starts_sentence:
            self._starts_sentence = True
            self._expected = self._checker.end_sentence(self._expected)

    def _read_rows(self, rows: bytes, first: int) -> None:
        tokens, checker, coreference = self._tokens, self._checker, self._coreference
        words, zeros, lines = tokens.words, tokens.zeros, tokens.lines
        id_at, form_at, interned = self._id_at, self._form_at, self.output.interned
        is_standard, next_ids = self._is_standard, _NEXT_ID
        layout = checker.layout
        tabs, missing = len(layout.columns) - 1, [NO_VALUE] * len(layout.columns)
        # Rare marks are not sought in each line if there are none of them.
        mark, second, third = (m if m.encode() in rows else None for m in layout.marks)
        empty_end = layout.empty_end
        expected, starts_sentence = self._expected, self._starts_sentence
        for number, line in enumerate(rows.decode().split("\n"), first):
            # Most rows are words without annotation: only their first columns are split off.
            is_marked = (
                (mark and mark in line) or (second and second in line) or (third and third in line)
            )
            may_be_annotated = is_marked or not line.endswith(empty_end)
            columns = line.split("\t") if may_be_annotated else line.split("\t", 2)
            if is_standard and columns[0] == expected and line.count("\t") == tabs:
                form = columns[1]
                is_word = True
                if is_marked:
                    checker.check_other_columns(columns, number)
            elif is_token(line):
                columns = checker.split_row(line, number)
                form, may_be_annotated = columns[form_at], True
                is_word = columns[id_at].isdecimal()
                expected = checker.check_id(columns[id_at], expected, starts_sentence, number)
            else:
                if not starts_sentence and line[:1] != "#":
                    starts_sentence = True
                    expected = checker.end_sentence(expected)
                continue
            if is_word:
                if starts_sentence:
                    tokens.sentences.append(len(words))
                    starts_sentence = False
                expected = next_ids[expected]
                words.append(interned.setdefault(form, form))
                lines.append(number)
            elif _ZERO_ID.fullmatch(columns[id_at]):
                checker.check_zero_id(columns[id_at], expected, starts_sentence, number)
                zeros.append(next_zero(len(words), zeros))
            else:
                checker.check_multiword_token(columns, number)
                continue
            if may_be_annotated:
                columns += missing
                after = len(words), len(zeros)
                before = (after[0] - 1, after[1]) if is_word else (after[0], after[1] - 1)
                self._on_row([columns[at] for at in coreference], number, before, after)
        self._expected, self._starts_sentence = expected, starts_sentence


_ZERO_ID = re.compile(r"[0-9]+\.[0-9]+")
_MULTIWORD_ID = re.compile(r"[0-9]+-[0-9]+")
LARGEST_ID = 10**9


class RowChecker:
    """Checks column counts, word IDs and the lines of multiword tokens."""

    def __init__(self, layout: Layout, problems: Problems, notes: ReadingNotes) -> None:
        """Start before a file's first row."""
        self.layout = layout
        others = {*range(len(layout.columns))}.difference(layout.coreference)
        self._others = itemgetter(*sorted(others))
        self._other_names = self._others(layout.columns)
        self._problems = problems
        self._notes = notes
        self._restarts = True
        self.continued_id = "1"
        """ID of the next word if IDs continue across sentences."""

        self._latest_zero = "", 0

    def end_sentence(self, next_id: str) -> str:
        """Return the next word's likely ID: 1, or `next_id` if IDs continue across sentences."""
        self.continued_id = next_id
        return "1" if self._restarts else next_id

    def skip_sentences(self, first_id: int, next_id: int) -> str:
        """Return the next word's likely ID after sentences that need no checks.

        `first_id` is the ID that starts the last of these sentences.
        """
        self._restarts = first_id == 1
        return self.end_sentence(str(next_id))

    def split_row(self, line: str, number: int) -> list[str]:
        """Split a row into columns, and fill in absent ones; report a wrong number of columns.

        Trailing columns may be absent if the file has no tabs.
        """
        names = self.layout.columns
        columns = split_columns(line, self.layout.separator)
        width = len(columns)
        if width > len(names) or (width < len(names) and self.layout.separator == "\t"):
            named = f"{width} column{'s' * (width != 1)}"
            expected = f"{len(names)} are expected, from {names[0]} to {names[-1]}"
            self._problems.error(number, f"this line has {named}; {expected}")
            return columns + [NO_VALUE] * len(names)
        if any(position >= width for position in self.layout.coreference):
            self._notes.add(LOST_COLUMNS, number)
        columns += [NO_VALUE] * len(names)
        self.check_other_columns(columns, number)
        return columns

    def check_id(self, word_id: str, next_id: str, starts_sentence: bool, line: int) -> str:  # noqa: FBT001  a state of the caller
        """Report a repeated ID, and count gaps; accept IDs that are not numbers."""
        if not word_id.isdecimal():
            return next_id
        if not word_id.isascii():
            self._problems.error(line, f"the ID {word_id!r} must be written in the digits 0 to 9")
        number = int(word_id) if len(word_id) < len(str(LARGEST_ID)) else LARGEST_ID
        if starts_sentence:
            self._restarts = number == 1
            if number not in {1, int(self.continued_id)}:
                self._notes.warn(GAPS, line)
        elif number < (expected := int(next_id)):
            message = f"ID {word_id} after {expected - 1}: IDs must rise within a sentence"
            self._problems.error(line, f"{message}; an empty line ends a sentence")
        elif number > expected:
            self._notes.warn(GAPS, line)
        return str(number)

    def check_zero_id(self, zero_id: str, next_id: str, starts_sentence: bool, line: int) -> None:  # noqa: FBT001  a state of the caller
        """Report a repeated line; count a zero whose place disagrees with its ID."""
        if self._latest_zero == (zero_id, line - 1):
            message = f"ID {zero_id} is that of the line before; each zero needs its own"
            self._problems.error(line, message)
        self._latest_zero = zero_id, line
        word_id = zero_id.partition(".")[0].lstrip("0") or "0"
        following = _NEXT_ID[word_id] if len(word_id) < len(str(LARGEST_ID)) else ""
        if following not in ({"1", self.continued_id} if starts_sentence else {next_id}):
            self._notes.add(MISPLACED_ZEROS, line)

    def check_multiword_token(self, columns: Sequence[str], line: int) -> None:
        """Report coreference on a multiword token, and an ID that is no kind of token."""
        names = self.layout.columns
        word_id = columns[names.index("ID")]
        if not _MULTIWORD_ID.fullmatch(word_id):
            message = f"{word_id!r} is not an ID like 8 (a word), 8.1 (a zero) or 8-9"
            self._problems.error(line, f"{message} (multiword token)")
            return
        for position in self.layout.coreference:
            cell, name = columns[position].strip(), names[position]
            if name == "MISC":
                is_annotated = any(map(COREFERENCE.match, cell.split("|")))
            else:
                is_annotated = cell not in {"", NO_VALUE}
            if is_annotated:
                message = f"multiword token {word_id} has annotation in {name}"
                self._problems.error(line, f"{message}; it belongs on the lines of its words")

    def check_other_columns(self, columns: Sequence[str], line: int) -> None:
        """Report coreference in columns where it is not read."""
        others = self._others(columns)
        # Few rows have any, and the patterns take long.
        text = "\t".join(others)
        if any(map(text.__contains__, self.layout.marks)):
            for name, cell in zip(self._other_names, others, strict=True):
                if misplaced := self.layout.misplaced.search(cell):
                    self._report_misplaced(misplaced[0], name, line)

    def _report_misplaced(self, text: str, name: str, line: int) -> None:
        if name in _GRAMMAR:
            columns = [self.layout.columns[at] for at in self.layout.coreference]
            is_anchor = "anchor=" in text.casefold()
            suited = [column for column in columns if (column == "BRIDGING") == is_anchor]
            right = " or ".join(suited or columns)
            message = f"{text!r} is in column {name}, where coreference is not read"
            self._problems.error(line, f"{message}; it belongs in {right}")
        else:
            # Words can be anything, and unknown columns can be those of other tools.
            self._notes.add(f"lines with coreference in column {name}, not read", line)
