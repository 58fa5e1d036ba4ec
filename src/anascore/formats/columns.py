"""Columns of CoNLL-like files other than coreference: the one place that parses them.

Most settings need no such column, so lines are split only when a column is requested.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise, repeat
from typing import NamedTuple, TypeAlias

from anascore.formats.conllu import NO_VALUE, is_token, split_columns
from anascore.model.document import Document, Table, TablePart
from anascore.model.mention import Unit, Zero, next_zero, unit_of

READ_BY_SETTINGS = ("ID", "UPOS", "XPOS", "FEATS", "DEPS", "PARSE")
"""Columns that settings read; they are kept whenever a table's lines are split."""


def rows_in(table: Table) -> Iterator[tuple[int, list[str]]]:
    """Yield the cells of each row, including multiword tokens, with its position in the text."""
    for position, line in enumerate(table.lines):
        if is_token(line):
            yield position, split_columns(line, table.separator)


class Columns:
    """A table's columns; each row is a word or a zero.

    Lines are split when the first column is requested, and again only for a column that was not
    kept. Equal values share one string.
    """

    def __init__(self, table: Table) -> None:
        """Store the table without splitting its lines."""
        # A copy, since the table caches its columns: a reference back to it would be a cycle.
        self._table = replace(table)
        self._columns: dict[str, list[str]] = {}
        self._values: dict[str, dict[Unit, str]] = {}
        self._rows = 0
        self.zeros: dict[int, Zero] = {}
        """Zeros by row; all other rows are words."""

        self.sentences: list[int] = []
        """First row of each sentence."""

    def column(self, name: str) -> list[str]:
        """Return a column's values, one per row."""
        self.load([name])
        return self._columns[name]

    def load(self, names: Sequence[str]) -> None:
        """Split the lines, unless all of these columns have been kept."""
        wanted = {*names, *READ_BY_SETTINGS} - {*self._columns}
        if {*names} <= {*self._columns}:
            return
        if self._table.parts:
            self._join([name for name in self._table.columns if name in wanted])
        else:
            self._split(wanted)

    def values(self, name: str) -> Mapping[Unit, str]:
        """Return a column's non-empty values by word and zero."""
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

    def _join(self, names: Sequence[str]) -> None:
        """Concatenate the columns of joined documents, with an empty row between two documents."""
        kept: dict[str, list[str]] = {name: [] for name in names}
        zeros: dict[int, Zero] = {}
        sentences: list[int] = []
        row = words = 0
        for number, part in enumerate(self._table.parts):
            if number:
                for values in kept.values():
                    values.append(NO_VALUE)
                sentences.append(row)
                row, words = row + 1, words + 1
            own = _rows_of(part, names)
            for values, of_part in zip(kept.values(), own.columns, strict=True):
                values.extend(of_part)
            zeros |= {row + at: (words + zero[0], zero[1]) for at, zero in own.zeros.items()}
            sentences += (row + at for at in own.sentences)
            row, words = row + own.rows, words + own.rows - len(own.zeros)
        self._rows, self.zeros, self.sentences = row, zeros, sentences
        self._columns |= kept


class _PartRows(NamedTuple):
    """Rows of one document among several joined ones."""

    columns: list[list[str]]
    rows: int
    zeros: Mapping[int, Zero]
    sentences: Sequence[int]


def _rows_of(part: TablePart, names: Sequence[str]) -> _PartRows:
    """Return columns of a joined document; all cells are empty if it has no table."""
    table = part.table
    if table is None:
        units = sorted([*((word + 1, 0) for word in range(part.words)), *part.zeros])
        zeros = {row: unit for row, unit in enumerate(units) if unit[1]}
        rows = len(units)
        return _PartRows([[NO_VALUE] * rows for _ in names], rows, zeros, [0] if units else [])
    own = table.cached(Columns)
    own.load([name for name in names if name in table.columns])
    rows = len(list(own.units()))
    values = [own.column(name) if name in table.columns else [NO_VALUE] * rows for name in names]
    return _PartRows(values, rows, own.zeros, own.sentences)


def columns(document: Document, names: Sequence[str]) -> dict[str, Mapping[Unit, str]]:
    """Return the non-empty values of several columns by word and zero."""
    values: dict[str, Mapping[Unit, str]] = {name: {} for name in names}
    if "FORM" in names:
        values["FORM"] = {unit_of(word): form for word, form in enumerate(document.words)}
    table = document.table
    if table is None:
        return values
    wanted = [name for name in names if name in table.columns and name != "FORM"]
    loaded = table.cached(Columns)
    loaded.load(wanted)
    return values | {name: loaded.values(name) for name in wanted}


def column_of(document: Document, name: str) -> Sequence[str]:
    """Return a column's values by word, or placeholders if the file lacks the column."""
    table = document.table
    if table is None or name not in table.columns:
        return [NO_VALUE] * len(document.words)
    loaded = table.cached(Columns)
    values = loaded.column(name)
    return [value for row, value in enumerate(values) if row not in loaded.zeros]


def feature(features: str, name: str) -> str:
    """Look up a feature in a FEATS cell; return an empty string if it is missing."""
    pairs = (one.partition("=") for one in features.split("|"))
    return next((value for key, _, value in pairs if key.lower() == name.lower()), "")


class Dependencies(NamedTuple):
    """A zero's enhanced dependencies."""

    sentence: int
    """Number of words before the zero's sentence."""

    links: frozenset[tuple[Unit | None, str]]
    """Parents and relations; the root is None."""

    @property
    def parents(self) -> frozenset[Unit | None]:
        """Parents regardless of the relation."""
        return frozenset(parent for parent, _ in self.links)


ZeroDependencies: TypeAlias = Mapping[Zero, Dependencies]


def zero_dependencies(document: Document) -> dict[Zero, Dependencies]:
    """Return the dependencies of a document's zeros, from the DEPS column."""
    table = document.table
    if not document.zeros or table is None:
        return {}
    return table.cached(_dependencies_in)


def _dependencies_in(table: Table) -> dict[Zero, Dependencies]:
    if not {"ID", "DEPS"} <= {*table.columns}:
        return {}
    own = table.cached(Columns)
    ids, links_of_row = own.column("ID"), own.column("DEPS")
    units = list(own.units())
    dependencies: dict[Zero, Dependencies] = {}
    zeros_before = 0
    for start, end in pairwise([*own.sentences, len(units)]):
        rows = range(start, end)
        zeros = [row for row in rows if row in own.zeros]
        if zeros:
            unit_by_id: dict[str, Unit | None] = {ids[row]: units[row] for row in rows}
            unit_by_id["0"] = None
            for row in zeros:
                if links := frozenset(_links(links_of_row[row], unit_by_id)):
                    dependencies[units[row]] = Dependencies(start - zeros_before, links)
        zeros_before += len(zeros)
    return dependencies


def _links(
    dependencies: str, units: Mapping[str, Unit | None]
) -> Iterator[tuple[Unit | None, str]]:
    """Parse a DEPS cell; skip parents that do not exist."""
    if dependencies != NO_VALUE:
        for link in dependencies.split("|"):
            parent, _, relation = link.partition(":")
            if parent in units:
                yield units[parent], relation


class Parents(NamedTuple):
    """Parents of a document's words and zeros."""

    basic: Mapping[Unit, Unit | None]
    """Parent of each word and zero. Roots map to None, and so do all zeros."""

    enhanced: Mapping[Unit, Sequence[Unit | None]]
    """Parents from DEPS, where the root is None; without DEPS, the basic parent alone."""


def parents_in(table: Table) -> Parents | None:
    """Read a table's dependencies; None if its HEAD column is missing or empty."""
    if not {"ID", "HEAD"} <= {*table.columns}:
        return None
    own = table.cached(Columns)
    own.load(["ID", "HEAD"])
    ids, heads = own.column("ID"), own.column("HEAD")
    if all(head == NO_VALUE for row, head in enumerate(heads) if row not in own.zeros):
        return None
    links = own.column("DEPS") if "DEPS" in table.columns else [NO_VALUE] * len(ids)
    units = list(own.units())
    basic: dict[Unit, Unit | None] = {}
    enhanced: dict[Unit, Sequence[Unit | None]] = {}
    for start, end in pairwise([*own.sentences, len(units)]):
        by_id: dict[str, Unit | None] = {ids[row]: units[row] for row in range(start, end)}
        by_id["0"] = None
        for row in range(start, end):
            unit = units[row]
            basic[unit] = None if row in own.zeros else by_id.get(heads[row])
            if links[row] != NO_VALUE:
                enhanced[unit] = [parent for parent, _ in _links(links[row], by_id)]
            else:
                enhanced[unit] = [] if row in own.zeros else [basic[unit]]
    return Parents(basic, enhanced)


class Constituents(NamedTuple):
    """A document's constituents, from CoNLL-2012 parses."""

    depths: list[int]
    """Number of constituents that contain each word."""

    starting: Mapping[int, list[tuple[int, str]]]
    """Ends and labels of the constituents that start at each word, longest first."""


_BRACKET = re.compile(r"\(([^\s()*]*)|(\*)|\)")


def constituents_in(table: Table) -> Constituents | None:
    """Read a table's parse column; None if it is missing or empty."""
    if "PARSE" not in table.columns:
        return None
    own = table.cached(Columns)
    column = own.column("PARSE")
    if not any("(" in brackets for brackets in column):
        return None
    depths: list[int] = []
    starting: dict[int, list[tuple[int, str]]] = defaultdict(list)
    opened: list[tuple[int, str]] = []
    sentences = set(own.sentences)
    word = -1
    for row, brackets in enumerate(column):
        if row in sentences:
            opened = []
        if row in own.zeros:
            continue
        word += 1
        for bracket in _BRACKET.finditer(brackets):
            if bracket[0][0] == "(":
                opened.append((word, bracket[1].partition("-")[0]))
            elif bracket[0] == "*":
                depths.append(len(opened))
            elif opened:
                start, label = opened.pop()
                starting[start].insert(0, (word + 1, label))
        depths += [len(opened)] * (word + 1 - len(depths))
    return Constituents(depths, starting)


def joined_table(parts: Sequence[TablePart]) -> Table | None:
    """Concatenate the tables of joined documents; None if none of them has columns."""
    tables = [part.table for part in parts if part.table]
    if not tables or len(parts) == 1:
        return tables[0] if tables else None
    names = dict.fromkeys(chain.from_iterable(table.columns for table in tables))
    return Table(tuple(names), tables[0].separator, b"", tuple(parts))
