"""CoNLL-2012: any number of columns, of which the last one annotates entities.

`(3` opens a mention of entity 3, `3)` closes the latest open mention of 3, `(3)` is a mention of
one word; `|` separates several brackets. A bare `3` inside an open mention of 3 adds nothing.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from io import BytesIO
from itertools import islice, pairwise

from anascore.errors import Problems
from anascore.formats.building import (
    ReadingNotes,
    brackets_by_unit,
    build_corpus,
    default_names,
    unique_ids,
    unmatched_bracket,
)
from anascore.formats.columns import column_of
from anascore.formats.conllu import (
    Section,
    is_token,
    separator_of,
    split_columns,
)
from anascore.formats.files import TOKEN, Source, matching_lines
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.scanner import Layout, Rows, Scanned, read_sentences
from anascore.model.document import Corpus, Document, Entity, Table
from anascore.model.mention import Mention, Unit, runs_of

COLUMNS = (
    *(
        "DOCUMENT",
        "PART",
        "NUMBER",
        "FORM",
        "XPOS",
        "PARSE",
        "PREDICATE",
        "FRAMESET",
        "SENSE",
        "SPEAKER",
    ),
    *("NER", "COREFERENCE"),
)
"""Columns of the shared task; predicate arguments precede the last one."""

ARGUMENTS = "ARGUMENTS"
UNKNOWN_COLUMN = "UNKNOWN"
NUMBER, FORM = COLUMNS.index("NUMBER"), COLUMNS.index("FORM")
EMPTY_CELLS = {"-", "_", "*", ""}
BARE_IDS = "bare ids inside mentions, which add no information, left out"


def read_conll2012(source: Source, problems: Problems, options: ReadOptions) -> Corpus:
    """Read the documents of a CoNLL-2012 file."""
    content, head = map(without_blanks_at_bars, (source.content, source.head))
    source = replace(source, content=content, head=head)
    separator = separator_of(source)
    position = None if options.word_column is None else options.word_column - 1
    notes: dict[str, int] = {}
    if position is None and (position := find_word_column(source, separator)) is not None:
        origin = f"taken from column {position + 1}"
        notes[f"documents whose words are {origin}"] = 1
        problems.warning(None, f"the words are {origin}; --word-column chooses another")
    sections, reading_notes = list(_sections(source, problems)), ReadingNotes()
    documents = (
        _read_document(section, separator, position, reading_notes, problems)
        for section in sections
    )
    noted = (replace(document, notes={**notes, **document.notes}) for document in documents)
    corpus = build_corpus("conll2012", source, noted, problems)
    reading_notes.report(problems)
    if bare := sum(document.notes.get(BARE_IDS, 0) for document in corpus.documents.values()):
        problems.warning(None, f"{BARE_IDS}: {bare}")
    return corpus


_REVERSED_CELL = rb"[^\s|()]*+[()][^\s|]*+"
_REVERSED_BRACKETS = re.compile(
    rb"[ \t]*%b(?: *\| *%b)+(?=[ \t])" % (_REVERSED_CELL, _REVERSED_CELL)
)
_LINE_WITH_BLANK_AT_BAR = re.compile(rb"^.*(?: \||\| ).*$", re.MULTILINE)


def without_blanks_at_bars(content: bytes) -> bytes:
    """Remove spaces around `|` in the last column, which MEANTIME and NewsWCL50 contain."""

    def join(line: re.Match[bytes]) -> bytes:
        # From its end, a line has one place where the last column can be.
        backwards = line[0][::-1]
        cell = _REVERSED_BRACKETS.match(backwards)
        if cell is None:
            return line[0]
        return (cell[0].replace(b" ", b"") + backwards[cell.end() :])[::-1]

    if b" |" not in content and b"| " not in content:
        return content
    return _LINE_WITH_BLANK_AT_BAR.sub(join, content)


def _odd_empty_cells(section: Section, separator: str) -> Iterator[tuple[str, int]]:
    """Yield kind and line of suspicious empty cells, in documents that mix * and -.

    Because * also fills other columns, a row that lost its last column ends in *.
    """
    lines: dict[str, list[int]] = {cell: [] for cell in EMPTY_CELLS}
    for number, line in enumerate(section.content.decode().split("\n"), section.first):
        if is_token(line) and (cell := split_columns(line.rstrip(), separator)[-1]) in lines:
            lines[cell].append(number)
    usual, *others = sorted(lines, key=lambda cell: (-len(lines[cell]), cell))
    for cell in others:
        if lines[cell] and "*" in {cell, usual}:
            kind = f"lines with {cell} in the last column, where most others have {usual}"
            yield from ((kind, number) for number in lines[cell])


CLUSTERS = re.compile(r"(?:(?:\([0-9]++\)?|[0-9]++\))\|?)++")
"""Valid cell of the last column."""


def misplaced_brackets(name: str) -> str:
    """Word the error for brackets in another column."""
    return f"brackets like those of the last column in column {name}, not read"


def _brackets_elsewhere(
    section: Section, separator: str, names: Sequence[str]
) -> Iterator[tuple[str, int]]:
    """Yield kind and line of brackets outside the word and entity columns."""
    others = {at for at, name in enumerate(names[:-1]) if name != COLUMNS[FORM]}
    for number, line in enumerate(section.content.decode().split("\n"), section.first):
        if is_token(line):
            for at, cell in enumerate(split_columns(line.rstrip(), separator)):
                if at in others and CLUSTERS.fullmatch(cell):
                    yield misplaced_brackets(names[at]), number


MARK = re.compile(
    rb"#[^\S\n]*(?:(?P<begin>begin)|end)[^\S\n]+document\b[^\S\n]*"
    rb"(?:\((?P<id>.*)\)|(?P<bare>[^;\n]*));?[^\S\n]*(?:part[^\S\n]+(?P<part>\S+))?"
)


def _sections(source: Source, problems: Problems) -> Iterator[Section]:
    """Split a file into documents; a file without `#begin document` is one document."""
    marks = list(matching_lines(source.content, MARK, b"document"))
    names = default_names(source)
    if not marks:
        yield Section(next(names), 1, source.content, 1)
        return
    pieces = source.split_at([0, *(mark.start() for mark in marks)])
    _check_outside(*pieces[0], problems)
    for mark, (first, content) in zip(marks, pieces[1:], strict=True):
        if mark["begin"] is None:
            _check_outside(first, content, problems)
        else:
            document, part = _named_in(mark)
            yield Section(name_of(document or next(names), part), first, content, first)


def _named_in(mark: re.Match[bytes]) -> tuple[str, str]:
    """Read a document's id and part; an unnamed document has an empty id."""
    return (mark["id"] or mark["bare"] or b"").decode().strip(), (mark["part"] or b"0").decode()


def _document_starts(content: bytes, _: bool) -> Iterator[tuple[int, str]]:  # noqa: FBT001  see DocumentStarts
    for mark in matching_lines(content, MARK, b"document"):
        if mark["begin"] is not None:
            document, part = _named_in(mark)
            yield mark.start(), document and name_of(document, part)


def name_of(document: str, part: str) -> str:
    """Name a document by its id, followed by its part unless that is the first."""
    number = part.lstrip("0")
    return f"{document}; part {number:0>3}" if number else document


def _check_outside(first: int, content: bytes, problems: Problems) -> None:
    if word := TOKEN.search(content):
        line = first + content.count(b"\n", 0, word.start())
        message = "this word is in no document; '#begin document (id); part 000' is missing above"
        problems.error(line, message)


def _read_document(
    section: Section,
    separator: str,
    position: int | None,
    notes: ReadingNotes,
    problems: Problems,
) -> Document:
    """Read a document whose words are in the column at `position`, or else in the usual column."""
    reader = _Reader(separator, position, problems)
    reader.read(section)
    mentions = reader.mentions
    names = column_names(reader.width, None if reader.is_usual else position)
    for kind, line in _odd_empty_cells(section, separator) if reader.has_star else ():
        notes.add(kind, line)
    entities = mentions.finish()
    for kind, line in _brackets_elsewhere(section, separator, names) if not entities else ():
        notes.add(kind, line)
    bare = {BARE_IDS: mentions.bare_ids} if mentions.bare_ids else {}
    return Document(
        section.name,
        tuple(reader.words),
        entities,
        path=problems.path,
        line=section.line,
        lines=reader.lines,
        sentences=tuple(reader.sentences),
        # A table would take the word # for a comment.
        table=None if reader.has_hash_word else Table(names, separator, section.content),
        global_ids=True,
        notes={**bare, **notes.end_document()},
    )


class _Reader:
    def __init__(self, separator: str, position: int | None, problems: Problems) -> None:
        """`position` is the word column, or None for the usual one."""
        self._separator = separator
        self._position = position
        self._problems = problems
        self._has_narrow_row = False
        self.words: list[str] = []
        self.lines = array("I")
        self.sentences: list[int] = []
        self.output = Rows(self.words, {}, self.lines, self.sentences)
        self.mentions = _ColumnReader(problems)
        self.has_hash_word = False
        self.has_star = False
        """True once a row has * in the last column."""

        self.is_usual = True

        self.width = 0
        """Number of columns in the last sentence."""

    def read(self, section: Section) -> None:
        is_usual = self._separator == "\t" and self._position is None
        read_sentences(self, section.content, section.first, Layout() if is_usual else None)

    @property
    def next_id(self) -> int:
        return 1

    def take(self, scanned: Scanned) -> None:
        read = self.mentions.read
        for line, word, *cells in scanned.rows:
            read(cells[0], line, word)
        self.width = scanned.width or self.width

    def read_rows(self, rows: bytes, first: int) -> None:
        """Read the rows of a sentence one by one, with all checks."""
        words, interned, lines, _ = self.output
        separator, position, mentions = self._separator, self._position, self.mentions
        starts_sentence = True
        width, form_position = self.width, 0
        for number, line in enumerate(rows.decode().split("\n"), first):
            if not line or line[0] == "#" or line.isspace():
                if not _is_hash(line, separator):
                    starts_sentence = starts_sentence or line[:1] != "#"
                    continue
                self.has_hash_word = True
            columns = split_columns(line.rstrip(), separator)
            if starts_sentence:
                self.sentences.append(len(words))
                starts_sentence = False
                width = len(columns)
                form_position = form_at(width) if position is None else position
                if form_position > width - 2 and position is not None:
                    form_position = form_at(width)
                    if not self._has_narrow_row:
                        self._problems.error(number, _missing_column(position, width))
                    self._has_narrow_row = True
                self.is_usual = self.is_usual and form_position == form_at(width)
            elif len(columns) != width:
                numbers = f"the number of columns is {len(columns)}"
                numbers += f", but the sentence started with {width}"
                self._problems.error(number, f"{numbers}; only sentences may differ")
                columns = _fit_row(columns, width)
            form = columns[form_position] if width > 1 else "_"
            self.has_star = self.has_star or columns[-1] == "*"
            if columns[-1] not in EMPTY_CELLS:
                mentions.read(columns[-1], number, len(words))
            words.append(interned.setdefault(form, form))
            lines.append(number)
        self.width = width


def _missing_column(position: int, width: int) -> str:
    """Word the error for a row that is too narrow for the word column."""
    if width == 1:
        return "this line has only one column, that of the entities; there is no column of words"
    message = f"the word should be in column {position + 1}, but this line has {width} columns"
    return f"{message}, the last for the entities; --word-column must be at most {width - 1} here"


def _fit_row(columns: list[str], width: int) -> list[str]:
    """Cut or fill a row to a given width; the last column stays last."""
    return [*[*columns[:-1], *"_" * width][: width - 1], columns[-1]]


def _is_hash(line: str, separator: str) -> bool:
    """Recognise the word # in a two-column file, where it is not a comment."""
    columns = split_columns(line.rstrip(), separator)
    return len(columns) == 2 and columns[0] == "#" and columns[1][-1:] in {"-", "_", "*", ")"}


def form_at(width: int) -> int:
    """Return the usual word column: the fourth, or the last but one if there are only a few."""
    return FORM if width > FORM + 1 else width - 2


def column_names(width: int, position: int | None = None) -> tuple[str, ...]:
    """Name the columns; in unusual layouts only words and entities are known."""
    if position is not None:
        names = [f"COLUMN_{number}" for number in range(1, width)]
        names[position : position + 1] = ["FORM"]
        return (*names, COLUMNS[-1])
    if width >= len(COLUMNS):
        return (*COLUMNS[:-1], *[ARGUMENTS] * (width - len(COLUMNS)), COLUMNS[-1])
    if width > FORM + 1:
        return (*COLUMNS[: FORM + 1], *[UNKNOWN_COLUMN] * (width - FORM - 2), COLUMNS[-1])
    return (UNKNOWN_COLUMN, UNKNOWN_COLUMN, "FORM", COLUMNS[-1])[-width:] if width else ()


FIRST_ROWS = 10
"""Number of rows that are examined first to find the word column."""

MAX_ROWS = 1000
"""Maximum number of rows that are examined to find the word column."""


def find_word_column(source: Source, separator: str) -> int | None:
    """Find the word column of a file with an unusual layout; None if the layout is usual."""
    lines = (line.decode() for line in BytesIO(source.beginning))
    cells = (split_columns(line.rstrip(), separator)[:-1] for line in filter(is_token, lines))
    rows = list(islice(cells, FIRST_ROWS))
    position = _choose_column(list(zip(*rows, strict=False)))
    if position is None:
        rows += islice(cells, MAX_ROWS - FIRST_ROWS)
        columns = list(zip(*rows, strict=False))
        position = _choose_column(columns)
        if position is None:
            words = filter(lambda at: _look_like_words(columns[at]), range(len(columns)))
            position = max(words, key=lambda at: len({*columns[at]}), default=None)
    width = min(map(len, rows), default=0) + 1
    return None if position == form_at(width) else position


def _choose_column(columns: Sequence[Sequence[str]]) -> int | None:
    """Choose the word column among all columns but the last; None if it is unclear.

    A file with all columns of the shared task has the usual layout. In other files, words are in
    the column after the word numbers, or in the usual column. Numbers further to the right are
    considered only if the usual column does not look like words.
    """
    usual = form_at(len(columns) + 1)
    if len(columns) >= len(COLUMNS) - 1 and all(map(str.isdecimal, columns[NUMBER])):
        return usual
    words = [at for at, cells in enumerate(columns) if _look_like_words(cells)]
    numbered = [at for at in words if at > 0 and _count_up(columns[at - 1])]
    if numbered and numbered[0] <= usual:
        return numbered[0]
    return usual if usual in words else next(iter(numbered), None)


_LETTER = re.compile(r"[^\W\d_]")
_TRUTH_VALUES = {"true", "false"}


def _look_like_words(cells: Sequence[str]) -> bool:
    """Accept cells that vary and are not all numbers, placeholders or truth values."""
    values = {*cells}
    return len(values) > 1 and any(
        _LETTER.search(value) and value.lower() not in _TRUTH_VALUES for value in values
    )


_DIGITS = "0123456789"
_MAX_DIGITS = 9


def _count_up(cells: Sequence[str]) -> bool:
    """Test whether at least half of the cells are followed by the next number.

    Text can precede the number, as in d7.s1.3 and d7.s1.4.
    """
    steps = 0
    for cell, following in pairwise(cells):
        text = cell.rstrip(_DIGITS)
        digits = cell[len(text) :][-_MAX_DIGITS:]
        steps += bool(digits) and following == f"{cell[: -len(digits)]}{int(digits) + 1}"
    return steps > 0 and 2 * steps >= len(cells) - 1


# An opening bracket, maybe closed at once; a closing bracket; a bare id; or an error. | may be
# missing.
_BRACKET = re.compile(r"\(([^()|]+)(\)?)|([^()|]+)\)|([^()|]+|[^|]+)")


def are_brackets(cells: Iterable[str]) -> bool:
    """Test whether every cell is empty, a bracket, or an id opened before."""
    ids: set[str] = set()
    for cell in cells:
        if cell in EMPTY_CELLS:
            continue
        brackets = _BRACKET.findall(cell)
        ids.update(opened for opened, *_ in brackets)
        if not brackets or any(other and other not in ids for *_, other in brackets):
            return False
        if any(character.isspace() for character in cell):
            return False
    return True


class _ColumnReader:
    """Reader of a document's last column, from top to bottom."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._open: dict[str, list[tuple[int, int]]] = {}
        self._mentions: dict[str, list[Mention]] = {}
        self.bare_ids = 0
        """Number of ids without brackets inside a mention."""

    def read(self, cell: str, line: int, word: int) -> None:
        for opened, whole, closed, other in _BRACKET.findall(cell):
            if closed:
                starts = self._open.get(closed)
                if starts is None:
                    self._problems.error(
                        line, unmatched_bracket(f"{closed})", reversed(self._open))
                    )
                    continue
                self._mentions[closed].append(Mention(((starts.pop()[0], word + 1),)))
                if not starts:
                    del self._open[closed]
            elif other in self._open:
                self.bare_ids += 1
            elif other:
                message = f"{other!r} in the last column is not one of '(3', '3)', '(3)' and '-'"
                hint = "" if "(" in other or ")" in other else "; no open mention has this id"
                if hint and not self._mentions and not other.isdecimal():
                    hint = "; is the coreference column missing?"
                self._problems.error(line, message + hint)
            else:
                mentions = self._mentions.setdefault(opened, [])
                if whole:
                    mentions.append(Mention(((word, word + 1),)))
                else:
                    self._open.setdefault(opened, []).append((word, line))

    def finish(self) -> tuple[Entity[Mention], ...]:
        """Return the entities in file order; report mentions that are still open."""
        for entity, opened in self._open.items():
            for _, line in opened:
                message = f"a mention of {entity} is opened here and never closed"
                self._problems.error(line, f"{message}; '{entity})' is missing")
        return tuple(
            Entity(tuple(mentions), (), name)
            for name, mentions in self._mentions.items()
            if mentions
        )


_FORBIDDEN_IN_IDS = re.compile(r"[^0-9]")
_PART = re.compile(r"(.*); part (\d+)", re.DOTALL)
EMPTY = "-"


def write_conll2012(corpus: Corpus) -> str:
    """Write all documents as text."""
    lines: list[str] = []
    ids = _numeric_ids(corpus)
    for document in corpus.documents.values():
        part = _PART.fullmatch(document.name)
        name, number = (part[1], part[2]) if part else (document.name, "000")
        if name_of(name, number) != document.name:
            # The name only looks as if it had a part.
            name, number = document.name, "000"
        lines.append(f"#begin document ({name}); part {number}")
        lines += _lines(document, name, number, ids)
        lines.append("#end document")
    return "\n".join(lines) + "\n"


def _numeric_ids(corpus: Corpus) -> dict[str, str]:
    """Keep the entity ids if all are numbers; otherwise number the entities.

    Other scorers read only numbers. An id that several documents share remains shared.
    """
    names = dict.fromkeys(
        entity.name for document in corpus.documents.values() for entity in document.entities
    )
    if any(_FORBIDDEN_IN_IDS.search(name) for name in names):
        return {name: name and str(number) for number, name in enumerate(names, 1)}
    return {name: name for name in names}


def _lines(document: Document, name: str, part: str, ids: Mapping[str, str]) -> Iterator[str]:
    entities = dict(_cells(document, ids))
    rows = _rows(document, name, part)
    starts = set(document.sentences)
    for position, row in enumerate(rows):
        if position in starts and position:
            yield ""
        yield "\t".join([*row, entities.get((position + 1, 0), EMPTY)])
    yield ""


def _rows(document: Document, name: str, part: str) -> Iterator[Sequence[str]]:
    """Yield all columns but the last for each word: those of the file, or new ones."""
    table = document.table
    if table is not None and table.columns == column_names(len(table.columns)):
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
        tag = EMPTY if tags[position] == "_" else tags[position]
        document_id = re.sub(r"\s|^#", "_", name)
        yield (document_id, str(int(part)), str(number), word, tag, "*", *"----", "*")
        number += 1


def _cells(document: Document, ids: Mapping[str, str]) -> Iterator[tuple[Unit, str]]:
    names = unique_ids([ids[entity.name] for entity in document.entities], _FORBIDDEN_IN_IDS)
    parts = [
        (run, name)
        for name, entity in zip(names, document.entities, strict=True)
        for mention in entity.mentions
        for run in runs_of(mention, ())
    ]
    for unit, (closing, opening, whole) in brackets_by_unit(parts):
        brackets = [f"{name})" for name in closing]
        brackets += [f"({name}" for name in opening] + [f"({name})" for name in whole]
        yield unit, "|".join(brackets)


CONLL_2012 = Format(
    label="CoNLL-2012",
    read=read_conll2012,
    write=write_conll2012,
    endings=(".conll", "_conll"),
    holds=Capacity(columns=frozenset({*COLUMNS, ARGUMENTS, UNKNOWN_COLUMN})),
    options=frozenset({"word_column"}),
    comment=MARK,
    starts=_document_starts,
)
