"""Large sparse assignments, by cost scaling in arrays. Slow to import.

Weights are integers, first a few bits of each, then more. In each scale, unmatched rows find the
shortest alternating paths to places where a path may end, all at once, and as many of the paths as
have no end in common are flipped. Dual variables prove that the result is a best assignment
(see `anascore.assignment.Solution`); those of one scale are close to those of the next, so that
paths are short.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Integers: TypeAlias = NDArray[np.int64]
Numbers: TypeAlias = NDArray[np.integer[Any]]
"""Numbers of rows, of columns or of cells. Most of them have 32 bits, to save memory and time."""

SCALES = (5, 10, 15, 58)
"""Bits of the heaviest weight in each scale. Sums of three weights must fit into 64 bits."""

STEPS = 256
"""Number of steps in which distances grow, where a row is seldom reached twice."""

ROUNDS = 1_000
"""Number of rounds that the search in a small table may take."""

UNMATCHED = -1
"""In place of the partner of an unmatched row or column."""


class TooManyRounds(Exception):  # noqa: N818  it says what has happened
    """A search took more rounds than it may."""


@dataclass(slots=True)
class Budget:
    """Number of rounds that are left."""

    rounds: int

    def spend(self) -> None:
        """Take one round; raise TooManyRounds if there is none."""
        self.rounds -= 1
        if self.rounds < 0:
            raise TooManyRounds


@dataclass(frozen=True, slots=True)
class CellIndex:
    """The cells of a table, sorted by row and then by column."""

    rows: Numbers
    columns: Numbers
    starts: Numbers
    """The first cell of each row."""

    order: Numbers
    """The cells sorted by column and then by row."""

    column_starts: Numbers
    """The first cell of each column in that order."""

    column_sizes: Numbers

    @classmethod
    def of(cls, rows: Numbers, columns: Numbers, shape: tuple[int, int]) -> CellIndex:
        """Index cells that are sorted. Every row and every column has one."""
        order = np.lexsort((rows, columns)).astype(np.int32)
        sizes = np.bincount(columns, minlength=shape[1])
        starts = np.searchsorted(rows, np.arange(shape[0]))
        return cls(rows, columns, starts, order, np.cumsum(sizes) - sizes, sizes)

    def of_columns(self, columns: Numbers) -> tuple[Numbers, Numbers]:
        """Return the cells of some columns, and the number of cells of each."""
        sizes = self.column_sizes[columns]
        offsets = np.repeat(self.column_starts[columns] - np.cumsum(sizes) + sizes, sizes)
        return self.order[offsets + np.arange(len(offsets))], sizes


@dataclass(slots=True)
class Vertices:
    """Dual variables and partners of the rows, or of the columns."""

    duals: Integers
    partners: Numbers


def solve_by_scaling(
    rows: Numbers, columns: Numbers, weights: NDArray[np.float64], shape: tuple[int, int]
) -> NDArray[np.bool_] | None:
    """Return True for the cells of a best assignment; None if it would take long.

    Every row and every column has a cell, and all weights are above 0.
    """
    if shape[0] > shape[1]:
        # Fewer rows stay unmatched in the end, whose paths are the longest.
        return solve_by_scaling(columns, rows, weights, shape[::-1])
    order = np.lexsort((columns, rows))
    rows, columns = rows[order].astype(np.int32), columns[order].astype(np.int32)
    by_row = CellIndex.of(rows, columns, shape)
    by_column = CellIndex.of(by_row.columns[by_row.order], by_row.rows[by_row.order], shape[::-1])
    # A power of two keeps integers and their ties as they are.
    exponent = int(np.frexp(weights.max())[1])
    own, other = (
        Vertices(np.zeros(size, dtype=np.int64), np.full(size, UNMATCHED, dtype=np.int32))
        for size in shape
    )
    budget = Budget(ROUNDS + sum(shape))
    before = 0
    for bits in SCALES:
        scaled = np.rint(np.ldexp(weights[order], bits - exponent)).astype(np.int64)
        other.duals <<= bits - before
        before = bits
        there = ScaledTable(by_row, scaled, own, other)
        back = ScaledTable(by_column, scaled[by_row.order], other, own)
        there.tighten()
        back.tighten()
        there.separate_slack()
        try:
            there.match_rows(budget)
            back.match_rows(budget)
        except TooManyRounds:
            return None
    chosen = np.zeros(len(rows), dtype=bool)
    chosen[order] = own.partners[by_row.rows] == by_row.columns
    return chosen


@dataclass(frozen=True, slots=True)
class ScaledTable:
    """A table with the rows on one side, or with the sides swapped, during a scale."""

    cells: CellIndex
    weights: Integers
    own: Vertices
    """The rows."""

    other: Vertices
    """The columns."""

    def tighten(self) -> None:
        """Give rows the least dual variables that the columns allow."""
        gains = self.weights - self.other.duals[self.cells.columns]
        self.own.duals = np.maximum(np.maximum.reduceat(gains, self.cells.starts), 0)

    def slack(self) -> Integers:
        """Return what the duals of row and column of each cell exceed its weight by."""
        duals = self.own.duals[self.cells.rows] + self.other.duals[self.cells.columns]
        return duals - self.weights

    def separate_slack(self) -> None:
        """Separate rows from their partners where the cell is not tight."""
        rows, columns = self.cells.rows, self.cells.columns
        is_slack = (self.own.partners[rows] == columns) & (self.slack() > 0)
        self.own.partners[rows[is_slack]] = UNMATCHED
        self.other.partners[columns[is_slack]] = UNMATCHED

    def match_rows(self, budget: Budget) -> None:
        """Match rows until the dual variables of all unmatched ones are 0.

        Matched columns stay matched. A path ends at an unmatched column, or at a row that is as
        well off without a partner. The distance of each row to the nearest end is taken off its
        dual variable and added to that of its partner, so that no cell outweighs its two duals.
        """
        own, other = self.own, self.other
        while True:
            free = np.flatnonzero((own.partners == UNMATCHED) & (own.duals > 0))
            if not len(free):
                return
            distances, steps = self._shortest_paths(free, budget)
            own.duals -= distances
            matched = np.flatnonzero(other.partners != UNMATCHED)
            other.duals[matched] += distances[other.partners[matched]]
            _, first = np.unique(self._ends(free, steps), return_index=True)
            self._flip(free[first], steps)

    def _shortest_paths(self, free: Numbers, budget: Budget) -> tuple[Integers, Numbers]:
        """Return the distances of rows to the nearest ends, and the first cells of their paths.

        No distance is above the largest of an unmatched row; beyond that they are not needed.
        Nearer rows are looked at first (delta-stepping). UNMATCHED stands for a path that ends
        where it begins.
        """
        partners = self.own.partners
        slack = self.slack()
        distances = self.own.duals.copy()
        steps = np.full(len(distances), UNMATCHED, dtype=np.int32)
        ends = np.flatnonzero(self.other.partners[self.cells.columns] == UNMATCHED)
        self._shorten(ends, slack[ends], distances, steps)
        waiting = np.ones(len(distances), dtype=bool)
        step = int(distances[free].max()) // STEPS
        while True:
            furthest = distances[free].max()
            near = np.flatnonzero(waiting & (distances < furthest))
            if not len(near):
                return np.minimum(distances, furthest), steps
            budget.spend()
            near = near[distances[near] <= distances[near].min() + step]
            waiting[near] = False
            near = near[partners[near] != UNMATCHED]
            into, sizes = self.cells.of_columns(partners[near])
            lengths = slack[into] + np.repeat(distances[near], sizes)
            waiting[self._shorten(into, lengths, distances, steps)] = True

    def _shorten(
        self, into: Numbers, lengths: Integers, distances: Integers, steps: Numbers
    ) -> Numbers:
        """Shorten the paths that are shorter by some cells; return the rows where they begin."""
        is_shorter = lengths < distances[self.cells.rows[into]]
        into, lengths = into[is_shorter], lengths[is_shorter]
        rows = self.cells.rows[into]
        np.minimum.at(distances, rows, lengths)
        is_shortest = lengths == distances[rows]
        steps[rows[is_shortest]] = into[is_shortest]
        return rows

    def _ends(self, free: Numbers, steps: Numbers) -> Numbers:
        """Return the ends of the paths from some rows: columns, or ~row for a row."""
        columns = self.cells.columns
        ends = np.empty_like(free)
        rows = free.copy()
        going = np.arange(len(free))
        while len(going):
            cell = steps[rows[going]]
            is_row = cell == UNMATCHED
            ends[going[is_row]] = ~rows[going[is_row]]
            going, cell = going[~is_row], cell[~is_row]
            partners = self.other.partners[columns[cell]]
            is_column = partners == UNMATCHED
            ends[going[is_column]] = columns[cell[is_column]]
            going = going[~is_column]
            rows[going] = partners[~is_column]
        return ends

    def _flip(self, rows: Numbers, steps: Numbers) -> None:
        """Flip the paths from some rows, which have no end in common."""
        own, other = self.own.partners, self.other.partners
        while len(rows):
            cell = steps[rows]
            own[rows[cell == UNMATCHED]] = UNMATCHED
            rows, cell = rows[cell != UNMATCHED], cell[cell != UNMATCHED]
            columns = self.cells.columns[cell]
            pushed = other[columns]
            own[rows] = columns
            other[columns] = rows
            rows = pushed[pushed != UNMATCHED]
