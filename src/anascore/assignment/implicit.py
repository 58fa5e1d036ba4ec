"""The largest sum of an assignment over a table that is too large to be stored.

The table is computed block by block. The assignment is solved over a few of its cells, and its dual
variables are compared with all others: cells that weigh more than the duals of their row and column
together are added, until there are none. Which cells to start with is found on a sample of the
rows and columns, in the same way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from anascore.assignment import large

Indices = NDArray[np.intp]
Floats = NDArray[np.float64]


class Block(NamedTuple):
    """Cells of some rows, with all columns that weigh anything there."""

    rows: Indices
    columns: Indices
    weights: Floats


class ImplicitTable(Protocol):
    """A table with integer weights whose blocks are computed when they are asked for.

    Rows and columns that are near to each other should have similar weights.
    """

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of rows and columns."""

    def blocks(self) -> Iterator[Block]:
        """Yield blocks that have all cells above 0."""

    def part(self, rows: Indices, columns: Indices) -> ImplicitTable:
        """Return the table of some rows and columns, in order."""


class Cells(NamedTuple):
    """Cells of a table: rows, columns, weights."""

    i: Indices
    j: Indices
    weights: Floats


NO_CELLS = Cells(np.arange(0), np.arange(0), np.zeros(0))


class Solved(NamedTuple):
    """The largest sum, and dual variables that prove it."""

    total: int
    rows: Floats
    columns: Floats


STORED = 40_000
"""Maximum size of a table whose cells are all stored."""

STEP = 4
"""One in so many rows and columns is in the sample."""

TIED, HEAVY = 6, 4
"""Cells of each row to start with: of those with the least slack, any, and the heaviest."""


def largest_sum(table: ImplicitTable) -> int:
    """Return the largest sum of weights of an assignment."""
    return _solve(table).total


def _solve(table: ImplicitTable) -> Solved:
    height, width = table.shape
    if height * width <= STORED:
        return _solve_cells(_joined([_cells(b, b.weights > 0) for b in table.blocks()]), table)
    rows, columns = _extended(table)
    stored = _joined([*_first_cells(table, rows, columns)])
    while True:
        solved = _solve_cells(stored, table)
        violated = _joined([*_violated(table, solved)])
        if not len(violated.i):
            return solved
        stored = _joined([stored, violated])


def _joined(parts: list[Cells]) -> Cells:
    """Return the cells of all parts, each once."""
    parts = [NO_CELLS, *parts]
    i = np.concatenate([part.i for part in parts])
    j = np.concatenate([part.j for part in parts])
    weights = np.concatenate([part.weights for part in parts])
    once = np.unique(i * (j.max(initial=0) + 1) + j, return_index=True)[1]
    return Cells(i[once], j[once], weights[once])


def _cells(block: Block, chosen: NDArray[np.bool_]) -> Cells:
    """Return the cells of a block that are chosen and weigh anything."""
    i, j = np.nonzero(chosen & (block.weights > 0))
    return Cells(block.rows[i], block.columns[j], block.weights[i, j])


def _extended(table: ImplicitTable) -> tuple[Floats, Floats]:
    """Solve a sample of a table; return duals for all rows and columns."""
    height, width = table.shape
    all_rows, all_columns = np.arange(height), np.arange(width)
    columns = all_columns[STEP // 2 :: STEP] if width >= STEP * STEP else all_columns
    sample = _solve(
        table.part(all_rows[STEP // 2 :: STEP] if height >= STEP * STEP else all_rows, columns)
    )
    row_duals, column_duals = np.zeros(height), np.zeros(width)
    for block in table.part(all_rows, columns).blocks():
        gains = block.weights - sample.columns[block.columns]
        row_duals[block.rows] = gains.max(axis=1, initial=0)
    for block in table.blocks():
        gains = block.weights - row_duals[block.rows, np.newaxis]
        raised = gains.max(axis=0, initial=0)
        column_duals[block.columns] = np.maximum(column_duals[block.columns], raised)
    return row_duals, column_duals


def _slack(block: Block, rows: Floats, columns: Floats) -> Floats:
    slack: Floats = rows[block.rows, np.newaxis] + columns[block.columns] - block.weights
    return slack


def _first_cells(table: ImplicitTable, rows: Floats, columns: Floats) -> Iterator[Cells]:
    """Yield some cells with little slack, for each row and each column.

    Where mentions are nested or cross in a regular way, most cells have no slack at all. A random
    choice of them has a good assignment.
    """
    rng = np.random.default_rng(0)
    for block in table.blocks():
        slack = _slack(block, rows, columns)
        slack[block.weights <= 0] = np.inf
        chosen = np.zeros(slack.shape, dtype=bool)
        # Duals are multiples of 1/2: the numbers that are added decide between equal slacks only.
        by_chance = slack + rng.random(slack.shape) / 4
        by_weight = slack - block.weights / (4 * block.weights.max(initial=1))
        for order, number in (by_chance, TIED), (by_weight, HEAVY):
            last = min(number, slack.shape[1] - 1)
            best = np.argpartition(order, last, axis=1)[:, :number]
            np.put_along_axis(chosen, best, values=True, axis=1)
        np.put_along_axis(chosen, by_chance.argmin(axis=0)[np.newaxis], values=True, axis=0)
        yield _cells(block, chosen)


def _violated(table: ImplicitTable, solved: Solved) -> Iterator[Cells]:
    """Yield the cells of each block that most exceed the duals: one in each row and column."""
    for block in table.blocks():
        slack = _slack(block, solved.rows, solved.columns)
        chosen = np.zeros(slack.shape, dtype=bool)
        np.put_along_axis(chosen, slack.argmin(axis=1)[:, np.newaxis], values=True, axis=1)
        np.put_along_axis(chosen, slack.argmin(axis=0)[np.newaxis], values=True, axis=0)
        yield _cells(block, chosen & (slack < 0))


def _solve_cells(cells: Cells, table: ImplicitTable) -> Solved:
    """Solve the assignment over some cells; all numbers are exact."""
    height, width = table.shape
    chosen = large.solve_arrays(cells.i, cells.j, cells.weights, (height, width))
    total = int(cells.weights[chosen].sum())
    # Both extremes of the possible duals are found; those in the middle leave the fewest cells
    # violated.
    rows, columns = _least_duals(cells, chosen, height, width)
    swapped = Cells(cells.j, cells.i, cells.weights)
    other_columns, other_rows = _least_duals(swapped, chosen, width, height)
    return Solved(total, (rows + other_rows) / 2, (columns + other_columns) / 2)


def _least_duals(
    cells: Cells, chosen: NDArray[np.bool_], height: int, width: int
) -> tuple[Floats, Floats]:
    """Return the duals of rows and columns of which those of the columns are as low as possible.

    They are found by Bellman-Ford: the dual of a column is at least what any row would gain by
    changing to it.
    """
    # The partner of an unmatched row is an extra column, whose dual is 0.
    partner = np.full(height, width)
    partner[cells.i[chosen]] = cells.j[chosen]
    best = np.zeros(height)
    best[cells.i[chosen]] = cells.weights[chosen]
    duals = np.zeros(width + 1)
    if len(cells.i):
        by_column = np.argsort(cells.j, kind="stable")
        i, j = cells.i[by_column], cells.j[by_column]
        starts = np.flatnonzero(np.diff(j, prepend=-1))
        partners, gains = partner[i], cells.weights[by_column] - best[i]
        while True:
            raised = np.maximum.reduceat(duals[partners] + gains, starts)
            if (raised <= duals[j[starts]]).all():
                break
            duals[j[starts]] = np.maximum(duals[j[starts]], raised)
    return best - duals[partner], duals[:-1]
