"""Lines and columns of CoNLL-U and similar formats."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import repeat
from typing import NamedTuple, TypeAlias

from anascore.errors import Problems
from anascore.formats import scanner
from anascore.formats.build import ReadingNotes, default_names
from anascore.formats.cutting import TOKEN, Cutting, DocumentStart, FileBlock
from anascore.formats.near_names import CollectNames, NameKind
from anascore.formats.scanner import ScannedRow, scan_conllu
from anascore.formats.source import Source, matching_lines
from anascore.model.document import Document, Table
from anascore.model.mention import Position, Unit, Zero, next_zero, unit_of

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
NO_VALUE = "_"
COREFERENCE = re.compile(r"(?:Entity|SplitAnte|Split|Bridge|coref_chains)=")
"""Attributes in MISC that annotate coreference."""

_ANNOTATION = (b"Entity=", b"Split", b"Bridge=", b"coref_chains=")
"""Texts one of which each of these attributes has."""

LOST_COLUMNS = "lines that end before a column of coreference, read as empty there"
GAPS = "gaps in the IDs of words; lines may be missing"
MISPLACED_ZEROS = (
    "zeros whose ID does not continue that of the word before, read at their place in the file"
)


class Section(NamedTuple):
    """Lines of one document."""

    name: str
    first: int
    """Number of the first line, from 1."""

    content: bytes
    line: int
    """Number of the line that names the document, or of its first line."""


class Layout(NamedTuple):
    """Names of the columns, and their separator."""

    columns: tuple[str, ...]
    separator: str
    marks: tuple[str, str, str]
    """Strings one of which is in every line whose annotation has to be read."""

    coreference: tuple[int, ...]
    """Positions of the columns that annotate coreference, in order."""


@dataclass(slots=True)
class Tokens:
    """Words and zeros of one document, filled while reading."""

    words: list[str] = field(default_factory=list)
    zeros: list[Zero] = field(default_factory=list)
    lines: array[int] = field(default_factory=lambda: array("I"))
    sentences: list[int] = field(default_factory=list)


RowCallback: TypeAlias = Callable[[list[str], int, Position, Position], None]
"""Callback for a row that may be annotated: the cells of the columns that annotate coreference, the
line, and the positions around it."""


RowsCallback: TypeAlias = Callable[[list[ScannedRow], int], None]
"""Callback for rows that the scanner has read, with the number of zeros before them."""


def separator_of(source: Source) -> str:
    """Return the separator of columns: a tab, or a blank in a file without tabs."""
    return "\t" if TABBED.search(source.digest) or TABBED.search(source.content) else " "


TABBED = re.compile(rb"^[^#\n][^\t\n]*\t|^\t", re.MULTILINE)


def split_columns(line: str, separator: str) -> list[str]:
    """Split a line at tabs, or at runs of blanks; other white space belongs to words."""
    columns = line.split(separator)
    return columns if separator == "\t" else [column for column in columns if column]


def is_token(line: str) -> bool:
    """Return True for a row of columns, False for a comment or an empty line."""
    return bool(line) and line[0] != "#" and not line.isspace()


_NEWDOC = re.compile(rb"#[^\S\n]*newdoc\b(?:[^\S\n]+id[^\S\n]*=(.*))?")


def sections_of(source: Source) -> Iterator[Section]:
    """Yield the documents of a file; words before the first `# newdoc` are a document, too."""
    content = source.content
    names, positions = _newdocs(content)
    starts = _first_comments(content, positions)
    if TOKEN.search(content, 0, starts[0] if starts else len(content)):
        names, positions, starts = ["", *names], [0, *positions], [0, *starts]
    elif starts:
        starts[0] = 0
    defaults = default_names(source)
    line, counted = source.first_line, 0
    pieces = zip(names, positions, source.split_at(starts), strict=True)
    for name, position, (first, lines) in pieces:
        line += content.count(b"\n", counted, position)
        counted = position
        yield Section(name or next(defaults), first, lines, line)


def _newdocs(content: bytes) -> tuple[list[str], list[int]]:
    """Return the names and the positions of the lines `# newdoc`; unnamed ones are empty."""
    newdocs = list(matching_lines(content, _NEWDOC, b"newdoc"))
    names = [(newdoc[1] or b"").decode().strip() for newdoc in newdocs]
    return names, [newdoc.start() for newdoc in newdocs]


def cutting_at_newdoc(
    *known: bytes,
    declaration: tuple[re.Pattern[bytes], bytes] | None = None,
    is_usual: Callable[[bytes], bool] = lambda _: True,
) -> Cutting:
    """Return how a format is cut at `# newdoc`; its reader seeks known names in the whole file."""
    return Cutting(
        starts=_document_starts,
        first_document=TOKEN,
        witnesses=(b"newdoc", b"newdoc id", *known),
        tabbed=TABBED,
        declaration=declaration,
        is_usual=is_usual,
    )


def _document_starts(block: FileBlock) -> Iterator[DocumentStart]:
    names, positions = _newdocs(block.content)
    for name, start in zip(names, _first_comments(block.content, positions), strict=True):
        yield DocumentStart(start, name)


def _first_comments(content: bytes, positions: Sequence[int]) -> list[int]:
    """Return the start of the block of comments above each line; positions of lines ascend."""
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
    """Return the kind of names that are the comments of a format."""

    def names_in(source: Source, thorough: bool) -> Iterator[str]:  # noqa: FBT001  see NameKind
        if thorough or not all(source.has(name.encode()) for name in known):
            for name in set(_COMMENT.findall(source.content)):
                yield " ".join(name.decode().split())

    place = r"^#[^\S\n]*{}(?=[^\S\n]*(?:=|$))"
    return NameKind(label="comment", known=frozenset(known), place=place, collect=names_in)


def attributes_in_misc(
    *known: str, collect: CollectNames, others: Collection[str] = ()
) -> NameKind:
    """Return the kind of names that are attributes in MISC, each with its sign =."""
    return NameKind(
        label="attribute in MISC",
        known=frozenset(known),
        others=frozenset(others),
        place=r"(?:(?<=[\t|])|(?<=[^|] )){}(?:(?<=\W)|(?![\w=]))",
        collect=collect,
    )


_ATTRIBUTE = re.compile(r"(?:^|\|)(\w+[^\w|]?)")


def attribute_names(lines: Iterable[bytes], separator: str) -> Iterator[str]:
    """Yield the names of the attributes in the last column, each with the character after it."""
    sign = separator.encode()
    for cell in {line.rpartition(sign)[2] for line in lines if line[:1] != b"#"}:
        yield from _ATTRIBUTE.findall(cell.decode())


MAX_IDS = 4096
"""Maximum number of IDs whose successors are kept."""


class _NextIds(dict[str, str]):
    """The ID after each ID of a word, as text. Looking one up is faster than adding 1."""

    def __missing__(self, word_id: str) -> str:
        next_id = str(int(word_id) + 1)
        if len(self) < MAX_IDS:
            self[word_id] = next_id
        return next_id


_NEXT_ID = _NextIds()


def read_tokens(
    section: Section,
    tokens: Tokens,
    on_row: RowCallback,
    checker: RowChecker,
    on_rows: RowsCallback | None = None,
) -> None:
    """Read the words and zeros of a document; call `on_row` for rows that may be annotated.

    For rows that the scanner has read, `on_rows` is called instead, if there is one.
    """
    reader = _TokenReader(tokens, on_row, checker, on_rows)
    content, position, line = section.content, 0, section.first
    while position < len(content):
        position, line = reader.scan(content, position, line)
        if position < len(content):
            position, line = reader.read_sentence(content, position, line)


@lru_cache(maxsize=16)
def _scanned_layout(layout: Layout) -> tuple[object, ...]:
    """Return a layout in the form that the scanner takes."""
    marks = tuple(mark.encode() for mark in dict.fromkeys(layout.marks))
    misc = layout.columns.index("MISC") if "MISC" in layout.columns else -1
    return len(layout.columns) - 1, marks, (*marks, *_ANNOTATION), layout.coreference, misc


class _TokenReader:
    """Reader of the rows of a document, from top to bottom."""

    def __init__(
        self,
        tokens: Tokens,
        on_row: RowCallback,
        checker: RowChecker,
        on_rows: RowsCallback | None,
    ) -> None:
        """Start before the first row."""
        layout = checker.layout
        self._on_rows = on_rows
        self._tokens = tokens
        self._on_row = on_row
        self._checker = checker
        self._coreference = layout.coreference
        self._interned: dict[str, str] = {}
        self._id_at, self._form_at = layout.columns.index("ID"), layout.columns.index("FORM")
        self._is_standard = layout.separator == "\t" and (self._id_at, self._form_at) == (0, 1)
        self._starts_sentence = True
        self._expected = "1"

    def scan(self, content: bytes, position: int, line: int) -> tuple[int, int]:
        """Read sentences without zeros and errors; return where the first other one starts."""
        if scan_conllu is None or not self._is_standard:
            return position, line
        tokens, checker = self._tokens, self._checker
        layout, zeros = _scanned_layout(checker.layout), len(tokens.zeros)
        while True:
            lines, rows = bytearray(), list[ScannedRow]()
            output = tokens.words, self._interned, lines, tokens.sentences, rows
            position, line, next_id, first_id = scan_conllu(
                content, position, line, checker.continued_id, layout, output, scanner.MAX_ROWS
            )
            tokens.lines.frombytes(lines)
            if self._on_rows:
                self._on_rows(rows, zeros)
            else:
                for number, word, *cells in rows:
                    self._on_row(cells, number, (word, zeros), (word + 1, zeros))
            if first_id:
                self._expected = checker.skip_sentences(first_id, next_id)
            if len(rows) < scanner.MAX_ROWS:
                return position, line

    def read_sentence(self, content: bytes, position: int, line: int) -> tuple[int, int]:
        """Read the rows up to the next empty line, with all checks; return where the next start.

        All rows are read if there is no scanner.
        """
        end = content.find(b"\n\n", position) if scan_conllu else -1
        rows = content[position : end % (len(content) + 1)]
        self._read_rows(rows, line)
        self._end_sentence()
        # An empty line follows.
        return (len(content) if end < 0 else end + 2), line + rows.count(b"\n") + 2

    def _end_sentence(self) -> None:
        """End the current sentence, if it has a word."""
        if not self._starts_sentence:
            self._starts_sentence = True
            self._expected = self._checker.end_sentence(self._expected)

    def _read_rows(self, rows: bytes, first: int) -> None:
        tokens, checker, coreference = self._tokens, self._checker, self._coreference
        words, zeros, lines = tokens.words, tokens.zeros, tokens.lines
        id_at, form_at, interned = self._id_at, self._form_at, self._interned
        is_standard, next_ids = self._is_standard, _NEXT_ID
        columns_of_layout, _, marks, _ = checker.layout
        tabs, missing = len(columns_of_layout) - 1, [NO_VALUE] * len(columns_of_layout)
        # Rare marks are not sought in each line if there are none of them.
        mark, second, third = (m if m.encode() in rows else None for m in marks)
        expected, starts_sentence = self._expected, self._starts_sentence
        for number, line in enumerate(rows.decode().split("\n"), first):
            # Most rows are words without annotation: only their first columns are split off.
            may_be_annotated = (
                (mark and mark in line) or (second and second in line) or (third and third in line)
            )
            columns = line.split("\t") if may_be_annotated else line.split("\t", 2)
            if is_standard and columns[0] == expected and line.count("\t") == tabs:
                form = columns[1]
                is_word = True
            elif is_token(line):
                columns = checker.split_row(line, number)
                form, may_be_annotated = columns[form_at], True
                is_word = columns[id_at].isdecimal()
                if is_word:
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
    """Checks of the number of columns, the IDs of words, and the lines of multiword tokens."""

    def __init__(self, layout: Layout, problems: Problems, notes: ReadingNotes) -> None:
        """Check the rows of a file."""
        self.layout = layout
        self._problems = problems
        self._notes = notes
        self._restarts = True
        self._continued_id = "1"

    def end_sentence(self, next_id: str) -> str:
        """Return the likely ID of the next word: 1, or `next_id` if IDs run on."""
        self._continued_id = next_id
        return "1" if self._restarts else next_id

    @property
    def continued_id(self) -> int:
        """ID of the next word if IDs run on."""
        return int(self._continued_id)

    def skip_sentences(self, first_id: int, next_id: int) -> str:
        """Return the likely ID of the next word after sentences that need no checks.

        `first_id` is the ID of the first word of the last of them.
        """
        self._restarts = first_id == 1
        return self.end_sentence(str(next_id))

    def split_row(self, line: str, number: int) -> list[str]:
        """Return the columns, and placeholders for absent ones; report a wrong number of columns.

        Without tabs, columns at the end may be absent.
        """
        names = self.layout.columns
        columns = split_columns(line, self.layout.separator)
        width = len(columns)
        if width > len(names) or (width < len(names) and self.layout.separator == "\t"):
            named = f"{width} column{'s' * (width != 1)}"
            expected = f"{len(names)} are expected, from {names[0]} to {names[-1]}"
            self._problems.error(number, f"this line has {named}; {expected}")
        elif any(position >= width for position in self.layout.coreference):
            self._notes.add(LOST_COLUMNS, number)
        return columns + [NO_VALUE] * len(names)

    def check_id(self, word_id: str, next_id: str, starts_sentence: bool, line: int) -> str:  # noqa: FBT001  a state of the caller
        """Return the ID of a word; report a repeated one, and count gaps."""
        if not word_id.isascii():
            self._problems.error(line, f"the ID {word_id!r} must be written in the digits 0 to 9")
        number = int(word_id) if len(word_id) < len(str(LARGEST_ID)) else LARGEST_ID
        if starts_sentence:
            self._restarts = number == 1
            if number not in {1, int(self._continued_id)}:
                self._notes.warn(GAPS, line)
        elif number < (expected := int(next_id)):
            message = f"ID {word_id} after {expected - 1}: IDs must rise within a sentence"
            self._problems.error(line, f"{message}; an empty line ends a sentence")
        elif number > expected:
            self._notes.warn(GAPS, line)
        return str(number)

    def check_zero_id(self, zero_id: str, next_id: str, starts_sentence: bool, line: int) -> None:  # noqa: FBT001  a state of the caller
        """Count a zero that stands elsewhere than its ID says."""
        word_id = zero_id.partition(".")[0].lstrip("0") or "0"
        following = _NEXT_ID[word_id] if len(word_id) < len(str(LARGEST_ID)) else ""
        if following not in ({"1", self._continued_id} if starts_sentence else {next_id}):
            self._notes.add(MISPLACED_ZEROS, line)

    def check_multiword_token(self, columns: Sequence[str], line: int) -> None:
        """Report coreference on the line of a multiword token, and the ID of no token at all."""
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


READ_BY_SETTINGS = ("ID", "UPOS", "XPOS", "FEATS", "DEPS", "PARSE")
"""Columns that settings read. They are kept whenever the lines of a table are split."""


class Cells:
    """The cells of a table, by columns. A row is a word or a zero.

    Lines are split when the first column is read, and again only for a column that was not kept.
    Equal values share one string.
    """

    def __init__(self, table: Table) -> None:
        """Take a table without splitting its lines."""
        # A copy, since the table caches its cells: a reference back to it would be a cycle.
        self._table = replace(table)
        self._columns: dict[str, list[str]] = {}
        self._values: dict[str, dict[Unit, str]] = {}
        self._rows = 0
        self.zeros: dict[int, Zero] = {}
        """Zeros by their rows; all other rows are words."""

        self.sentences: list[int] = []
        """Row of the first word or zero of each sentence."""

    def column(self, name: str) -> list[str]:
        """Return the values of a column, one for each row."""
        self.load([name])
        return self._columns[name]

    def load(self, names: Sequence[str]) -> None:
        """Split the lines unless all of these columns are kept already."""
        if not {*names} <= {*self._columns}:
            self._split({*names, *READ_BY_SETTINGS} - {*self._columns})

    def values(self, name: str) -> Mapping[Unit, str]:
        """Return the values of a column by word and zero, without empty ones."""
        if name not in self._values:
            empty = {NO_VALUE} if "ID" in self._table.columns else {NO_VALUE, "-"}
            rows = zip(self.column(name), self.units(), strict=True)
            self._values[name] = {unit: value for value, unit in rows if value not in empty}
        return self._values[name]

    def units(self) -> Iterator[Unit]:
        """Yield the word or zero of each row."""
        if not self.zeros:
            yield from zip(range(1, self._rows + 1), repeat(0), strict=False)
            return
        words = 0
        for row in range(self._rows):
            if row in self.zeros:
                yield self.zeros[row]
            else:
                yield unit_of(words)
                words += 1

    def _split(self, names: Collection[str]) -> None:
        """Split the lines and keep the columns of these names."""
        table = self._table
        kept: dict[str, list[str]] = {name: [] for name in table.columns if name in names}
        places = [(table.columns.index(name), values) for name, values in kept.items()]
        id_at = table.columns.index("ID") if "ID" in table.columns else None
        missing = [NO_VALUE] * len(table.columns)
        shared: dict[str, str] = {}
        zeros: dict[int, Zero] = {}
        sentences: list[int] = []
        row = words = 0
        zero: Zero = (-1, 0)
        starts_sentence = True
        separator, width = table.separator, len(table.columns)
        for line in table.lines:
            if not is_token(line):
                starts_sentence = starts_sentence or not line.startswith("#")
                continue
            cells = split_columns(line.rstrip() if id_at is None else line, separator)
            if len(cells) < width:
                cells += missing
            if id_at is None or cells[id_at].isdecimal():
                words += 1
            elif "." in cells[id_at]:
                zeros[row] = zero = next_zero(words, [zero])
            else:
                continue
            if starts_sentence:
                sentences.append(row)
                starts_sentence = False
            for place, values in places:
                value = cells[place] or NO_VALUE
                values.append(shared.setdefault(value, value))
            row += 1
        self._rows, self.zeros, self.sentences = row, zeros, sentences
        self._columns |= kept


def columns(document: Document, names: Sequence[str]) -> dict[str, Mapping[Unit, str]]:
    """Return the values of columns by word and zero, without empty ones."""
    values: dict[str, Mapping[Unit, str]] = {name: {} for name in names}
    if "FORM" in names:
        values["FORM"] = {unit_of(word): form for word, form in enumerate(document.words)}
    table = document.table
    if table is None:
        return values
    wanted = [name for name in names if name in table.columns and name != "FORM"]
    cells = table.cached(Cells)
    cells.load(wanted)
    return values | {name: cells.values(name) for name in wanted}


def column_of(document: Document, name: str) -> Sequence[str]:
    """Return the values of a column by word; placeholders if the file has no such column."""
    table = document.table
    if table is None or name not in table.columns:
        return [NO_VALUE] * len(document.words)
    cells = table.cached(Cells)
    values = cells.column(name)
    return [value for row, value in enumerate(values) if row not in cells.zeros]
