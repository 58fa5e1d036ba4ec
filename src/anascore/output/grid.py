"""Tables of values, which every output renders: text, Markdown, LaTeX, HTML, notebooks.

A `Cell` stores a value and its kind. Renderers decide how it looks, and never compute.
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
"""What a value is. Scores and their differences are fractions of 1, and intervals consist of
these; a coefficient is alpha or kappa. Other kinds are counts, changes and means or shares of
counts, p-values, exact numbers, and text."""

Ends: TypeAlias = tuple[float | None, float | None]
"""Lower and upper end of an interval; None if they are undefined."""

Value: TypeAlias = float | Fraction | Ends | str | None

DECIMALS = 2
"""Decimals of scores and differences, unless the user chooses another number."""

MIN_NAME_WIDTH = 12
"""Columns that a name above a number column can always use."""


class Cell(NamedTuple):
    """A value, what it is, and how it compares with others."""

    value: Value
    """The value; None if it is undefined."""

    kind: Kind = "text"
    best: bool = False
    """True for the best value among systems."""

    p: float | None = None
    """Corrected p-value of this difference, or of this score's difference from the first system."""

    interval: Ends | None = None
    """Ends of the value's 95% confidence interval."""

    @property
    def is_significant(self) -> bool:
        """True if the difference is significant."""
        return self.p is not None and self.p < SIGNIFICANT

    @property
    def is_nothing(self) -> bool:
        """True if a column that contains only such values could be dropped."""
        return self.value is None or self.value == 0

    def text(self, decimals: int = DECIMALS) -> str:
        """Print the value according to its kind."""
        return _FORMATS[self.kind](self.value, decimals) if self.value is not None else "-"

    @property
    def interval_cell(self) -> Cell:
        """The confidence interval as a separate cell."""
        kind: Kind = "coefficient interval" if self.kind == "coefficient" else "interval"
        return Cell(None if self.interval is None or None in self.interval else self.interval, kind)


def percent(value: float | None, decimals: int = DECIMALS) -> str:
    """Print a score in per cent, or a dash if it is undefined."""
    return "-" if value is None else f"{100 * value:.{decimals}f}"


def p_value(value: float | None) -> str:
    """Print a p-value; one that would round to 0 becomes `<0.001`."""
    if value is None:
        return "-"
    return f"{value:.3f}" if value >= 0.0005 else "<0.001"


MAX_DIGITS = 640
"""Maximum number of digits in a numerator or denominator; Python always prints this many."""

_ROUNDED = 10**MAX_DIGITS


def fraction(number: int | Fraction) -> str:
    """Print an exact number; one with very many digits is rounded and marked with ≈."""
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
    """Name of a system or an annotator, as a column heading or a row label.

    Text cuts out the middle of a long name; pages mark the name, and hide its column or row.
    """

    __slots__ = ()


class Column(NamedTuple):
    """A column of cells."""

    key: str
    """Name of the column in CSV and data frames, the same in every output."""

    label: str | None = None
    """Text above the column (default: the key)."""

    min_width: int = 0
    """Minimum width in text, including the spaces before the number."""

    starred: bool = False
    """True if text, too, marks significant cells with a star."""

    is_text: bool = False
    """True for a text column, which HTML aligns to the left."""

    @property
    def is_system(self) -> bool:
        """True if the column belongs to a system or an annotator."""
        return isinstance(self.key, SystemName)

    @property
    def heading(self) -> str:
        """Text above the column."""
        return self.key if self.label is None else self.label

    @property
    def width(self) -> int:
        """Width in text, with at least one space between two labels or two names."""
        return max(self.min_width, display_width(self.heading) + (2 if self.is_system else 1))


class Head(NamedTuple):
    """Columns that stay together when a wide table is split, under an optional label."""

    columns: Sequence[Column]
    label: str = ""

    @property
    def width(self) -> int:
        """Width in text."""
        return sum(column.width for column in self.columns)

    @property
    def min_width(self) -> int:
        """Width in text if names are cut."""
        short = MIN_NAME_WIDTH + 2
        return sum(min(c.width, short) if c.is_system else c.width for c in self.columns)

    def escaped(self) -> Self:
        """Escape control characters in all labels."""
        columns = [c._replace(label=escape_control_characters(c.heading)) for c in self.columns]
        return self._replace(columns=columns, label=escape_control_characters(self.label))


INTERVAL_WIDTH = 14
"""Width of a confidence interval, including the spaces before it."""


def interval_column(key: str, label: str = "95% interval") -> Column:
    """Make a column for confidence intervals."""
    return Column(key, label, INTERVAL_WIDTH)


class Grid(NamedTuple):
    """A table: named rows of cells under heads. Without heads, it consists of a title and notes."""

    id: str = ""
    """Name by which `--tables` selects the table; empty for notes, which are always shown."""

    title: str = ""
    heads: Sequence[Head] = ()
    rows: Sequence[tuple[str, Sequence[Cell]]] = ()
    corner: str = ""
    """Label of the column that contains the row names."""

    notes: Sequence[str] = ()
    """Lines below the table."""

    full_width: bool = False
    """True if text aligns the numbers with the right end of an 80-column line."""

    requested: bool = False
    """True if the user asked for this table with an option."""

    caption: str = ""
    """Title for outputs in which every table needs one (default: the title)."""

    @property
    def columns(self) -> list[Column]:
        """Columns of all heads."""
        return [column for head in self.heads for column in head.columns]

    @property
    def names(self) -> list[str]:
        """Column names for CSV and data frames."""
        return [self.corner, *(column.key for column in self.columns)]

    @property
    def values(self) -> Iterator[list[Value]]:
        """The values of each row."""
        return ([name, *(cell.value for cell in cells)] for name, cells in self.rows)

    def escaped(self) -> Self:
        """Escape control characters in everything that can come from files.

        Escape before laying out, because column widths depend on the final text.
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
        """Move confidence intervals into columns of their own, each after its value."""
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
        """Swap rows and columns; the new grid has no column groups."""
        cells = zip(*(cells for _, cells in self.rows), strict=True)
        return self._replace(
            corner=corner,
            heads=[Head([Column(name)]) for name, _ in self.rows],
            rows=[(c.heading, list(row)) for c, row in zip(self.columns, cells, strict=True)],
        )

    def split(self, limit: int, size: Callable[[Head], int]) -> Iterator[Self]:
        """Yield grids of consecutive heads whose total size stays within the limit."""
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
    """Make a grid for CSV: one value or text per cell, and columns without labels."""
    corner, *others = names
    cells = [(str(first), [Cell(value) for value in values]) for first, *values in rows]
    return Grid("rows", heads=[Head([Column(name) for name in others])], rows=cells, corner=corner)


def number_of_columns(head: Head) -> int:
    """Count the columns under a head."""
    return len(head.columns)


def warning_grid(warnings: Iterable[str]) -> Iterator[Grid]:
    """Put warnings, if there are any, below the tables."""
    if lines := [f"warning: {warning}" for warning in warnings]:
        yield Grid(notes=lines)


ALL = "all"
"""Name that stands for all tables."""


def choose_tables(grids: Iterable[Grid], names: Collection[str]) -> Iterator[Grid]:
    """Select tables by their ids, and keep lines without a table.

    Raises:
        SettingsError: No table has one of these ids.
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
    """Select the first table, those that the user asked for, and lines without a table."""
    is_first = True
    for grid in grids:
        if not grid.id or is_first or grid.requested:
            yield grid
        is_first = is_first and not grid.id
