"""Tables of values, which every output renders: text, Markdown, LaTeX, HTML, notebooks.

A `Cell` is a value with its kind. Renderers decide how it looks, and never compute.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from fractions import Fraction
from typing import Literal, NamedTuple, Self, TypeAlias

from anascore.errors import SettingsError, did_you_mean
from anascore.results.result import SIGNIFICANT
from anascore.terminal import display_width, escape_control_characters

Kind: TypeAlias = Literal[
    "score",
    "difference",
    "interval",
    "coefficient",
    "coefficient interval",
    "count",
    "change",
    "mean",
    "share",
    "p",
    "fraction",
    "text",
]
"""What a value is: a score or a difference of scores as fractions of 1, an interval of scores,
alpha or kappa, an interval of these, a count, a change of a count, a mean or a share of counts, a
p-value, an exact number, or text."""

Ends: TypeAlias = tuple[float | None, float | None]
"""Lower and upper end of an interval; None if they are undefined."""

Value: TypeAlias = float | Fraction | Ends | str | None

DECIMALS = 2
"""Decimals of scores and differences, unless the reader chooses another number."""

MIN_NAME_WIDTH = 12
"""Columns that a name above a column of numbers can always have."""


class Cell(NamedTuple):
    """A value, what it is, and how it compares with others."""

    value: Value
    """The value; None if it is undefined."""

    kind: Kind = "text"
    best: bool = False
    """True for the best value among systems."""

    p: float | None = None
    """Corrected p-value of the difference that the value is, or that it has to the first system."""

    interval: Ends | None = None
    """Ends of its 95% confidence interval, if there is one."""

    @property
    def is_significant(self) -> bool:
        """True if the difference is significant."""
        return self.p is not None and self.p < SIGNIFICANT

    @property
    def is_nothing(self) -> bool:
        """True if a column of such values says nothing."""
        return self.value is None or self.value == 0

    def text(self, decimals: int = DECIMALS) -> str:
        """Return the value as text."""
        return _FORMATS[self.kind](self.value, decimals) if self.value is not None else "-"

    @property
    def interval_cell(self) -> Cell:
        """The confidence interval as a cell of its own."""
        kind: Kind = "coefficient interval" if self.kind == "coefficient" else "interval"
        return Cell(None if self.interval is None or None in self.interval else self.interval, kind)


def percent(value: float | None, decimals: int = DECIMALS) -> str:
    """Format a score in per cent; a dash if it is undefined."""
    return "-" if value is None else f"{100 * value:.{decimals}f}"


def p_value(value: float | None) -> str:
    """Format a p-value; values that would round to 0 become `<0.001`."""
    if value is None:
        return "-"
    return f"{value:.3f}" if value >= 0.0005 else "<0.001"


MAX_DIGITS = 640
"""Maximum number of digits of a fraction above or below the line. Python prints so many always."""

_ROUNDED = 10**MAX_DIGITS


def fraction(number: int | Fraction) -> str:
    """Return an exact number as text; a number of very many digits is rounded and marked by ≈."""
    if max(abs(number.numerator), number.denominator) < _ROUNDED:
        return str(number)
    return f"≈{float(number):.12g}"


_FORMATS: dict[Kind, Callable[..., str]] = {
    "score": lambda value, decimals: percent(float(value), decimals),
    "difference": lambda value, decimals: f"{100 * value:+.{decimals}f}",
    "interval": lambda ends, decimals: "-".join(percent(end, decimals) for end in ends),
    "coefficient": lambda value, _: f"{float(value):.3f}",
    "coefficient interval": lambda ends, _: f"{ends[0]:.3f} to {ends[1]:.3f}",
    "count": lambda value, _: str(value),
    "change": lambda value, _: f"{value:+d}",
    "mean": lambda value, decimals: f"{value:.{decimals}f}",
    "share": lambda value, decimals: f"{percent(value, decimals)}%",
    "p": lambda value, _: p_value(value),
    "fraction": lambda value, _: fraction(value),
    "text": lambda value, _: value,
}


class SystemName(str):
    """Name of a system or an annotator, above a column or before a row.

    Text cuts out the middle of a long one; pages mark it, and hide what stands below or after it.
    """

    __slots__ = ()


class Column(NamedTuple):
    """A column of cells."""

    key: str
    """Name of the column for programs, the same in every output."""

    label: str | None = None
    """Text above the column (default: the key)."""

    min_width: int = 0
    """Minimum width in text, including the blanks before the number."""

    starred: bool = False
    """True if text, too, has a star after significant cells."""

    is_text: bool = False
    """True for a column of text, which HTML aligns to the left."""

    @property
    def is_system(self) -> bool:
        """True for the column of a system or an annotator."""
        return isinstance(self.key, SystemName)

    @property
    def heading(self) -> str:
        """Text above the column."""
        return self.key if self.label is None else self.label

    @property
    def width(self) -> int:
        """Width in text: at least one blank separates the labels of two columns, or two names."""
        return max(self.min_width, display_width(self.heading) + (2 if self.is_system else 1))


class Head(NamedTuple):
    """Columns that stay together when a wide table is split, with an optional label above them."""

    columns: Sequence[Column]
    label: str = ""

    @property
    def width(self) -> int:
        """Width in text."""
        return sum(column.width for column in self.columns)

    @property
    def min_width(self) -> int:
        """Width in text with short names."""
        short = MIN_NAME_WIDTH + 2
        return sum(min(c.width, short) if c.is_system else c.width for c in self.columns)

    def escaped(self) -> Self:
        """Return the head with control characters escaped in all labels."""
        columns = [c._replace(label=escape_control_characters(c.heading)) for c in self.columns]
        return self._replace(columns=columns, label=escape_control_characters(self.label))


INTERVAL_WIDTH = 14
"""Width of a confidence interval, including the blanks before it."""


def interval_column(key: str, label: str = "95% interval") -> Column:
    """Return a column of confidence intervals."""
    return Column(key, label, INTERVAL_WIDTH)


class Grid(NamedTuple):
    """A table: named rows of cells under heads. Without heads it has only a title and notes."""

    id: str = ""
    """Name by which `--tables` chooses the table; empty for notes, which are always shown."""

    title: str = ""
    heads: Sequence[Head] = ()
    rows: Sequence[tuple[str, Sequence[Cell]]] = ()
    corner: str = ""
    """Label of the column of names."""

    notes: Sequence[str] = ()
    """Lines below the table."""

    full_width: bool = False
    """True if numbers stand at the right end of a line of 80 columns in text."""

    requested: bool = False
    """True if the reader asked for this table by an option."""

    caption: str = ""
    """Title where every table needs one (default: the title)."""

    @property
    def columns(self) -> list[Column]:
        """Columns of all heads."""
        return [column for head in self.heads for column in head.columns]

    @property
    def names(self) -> list[str]:
        """Names of all columns for programs."""
        return [self.corner, *(column.key for column in self.columns)]

    @property
    def values(self) -> Iterator[list[Value]]:
        """The values of each row."""
        return ([name, *(cell.value for cell in cells)] for name, cells in self.rows)

    def escaped(self) -> Self:
        """Return the grid with control characters escaped in all that can come from files.

        Layout needs the final texts, since the widths of columns depend on them.
        """
        return self._replace(
            title=escape_control_characters(self.title),
            heads=[head.escaped() for head in self.heads],
            rows=[
                (
                    escape_control_characters(name),
                    [
                        cell._replace(value=escape_control_characters(cell.value))
                        if isinstance(cell.value, str)
                        else cell
                        for cell in cells
                    ],
                )
                for name, cells in self.rows
            ],
            corner=escape_control_characters(self.corner),
            notes=[escape_control_characters(note) for note in self.notes],
        )

    def with_interval_columns(self) -> Self:
        """Return the grid with each confidence interval in a column behind its value."""
        with_intervals = {
            position
            for _, cells in self.rows
            for position, cell in enumerate(cells)
            if cell.interval is not None
        }
        if not with_intervals:
            return self
        heads, position = [], 0
        for head in self.heads:
            columns: list[Column] = []
            for column in head.columns:
                columns.append(column)
                if position in with_intervals:
                    columns.append(interval_column(f"{column.key}.interval"))
                position += 1
            heads.append(head._replace(columns=columns))
        rows = [
            (
                name,
                [
                    part
                    for position, cell in enumerate(cells)
                    for part in (cell, cell.interval_cell)[: 1 + (position in with_intervals)]
                ],
            )
            for name, cells in self.rows
        ]
        return self._replace(heads=heads, rows=rows)

    def transposed(self, corner: str) -> Self:
        """Return the grid with rows as columns; it has no groups of columns."""
        cells = zip(*(cells for _, cells in self.rows), strict=True)
        return self._replace(
            corner=corner,
            heads=[Head([Column(name)]) for name, _ in self.rows],
            rows=[(c.heading, list(row)) for c, row in zip(self.columns, cells, strict=True)],
        )

    def split(self, limit: int, size: Callable[[Head], int]) -> Iterator[Self]:
        """Yield grids of consecutive heads whose sizes add up to no more than the limit."""
        groups: list[list[Head]] = [[]]
        for head in self.heads:
            if groups[-1] and sum(map(size, groups[-1])) + size(head) > limit:
                groups.append([])
            groups[-1].append(head)
        start = 0
        for heads in groups:
            end = start + sum(len(head.columns) for head in heads)
            rows = [(name, cells[start:end]) for name, cells in self.rows]
            yield self._replace(heads=heads, rows=rows)
            start = end


def long_grid(names: Sequence[str], rows: Iterable[Sequence[Value]]) -> Grid:
    """Return a grid for programs: a value or text per cell, and all columns under their names."""
    corner, *others = names
    cells = [(str(first), [Cell(value) for value in values]) for first, *values in rows]
    return Grid("rows", heads=[Head([Column(name) for name in others])], rows=cells, corner=corner)


def number_of_columns(head: Head) -> int:
    """Return the number of columns below a head."""
    return len(head.columns)


def warning_grid(warnings: Iterable[str]) -> Iterator[Grid]:
    """Yield warnings as lines below the tables, if there are any."""
    if lines := [f"warning: {warning}" for warning in warnings]:
        yield Grid(notes=lines)


ALL = "all"
"""Name that stands for all tables."""


def choose_tables(grids: Iterable[Grid], names: Collection[str]) -> Iterator[Grid]:
    """Yield the tables with these ids, and lines without a table.

    Raises:
        SettingsError: There is no table of one of these names.
    """
    listed = list(grids)
    known = list(dict.fromkeys([*(grid.id for grid in listed if grid.id), ALL]))
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            message = (
                f"--tables {name} (in Python tables): this output has no such table{hint}; choose "
                f"from {', '.join(known)}"
            )
            raise SettingsError(message)
    return (grid for grid in listed if ALL in names or not grid.id or grid.id in names)


def main_tables(grids: Iterable[Grid]) -> Iterator[Grid]:
    """Yield the first table, those that the reader asked for, and lines without a table."""
    is_first = True
    for grid in grids:
        if not grid.id or is_first or grid.requested:
            yield grid
        is_first = is_first and not grid.id
