"""The tie rule over very many cells, in arrays. Slow to import.

`ties` has the rule. Components of a few cells are solved there. Larger ones are solved here, as
matrices of integers that floating-point numbers hold exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from anascore.assignment import DENSE, SMALL, Cell, large, ties
from anascore.assignment.large import Indices

Floats: TypeAlias = NDArray[np.float64]
Flags: TypeAlias = NDArray[np.bool_]

LISTED = 5_000
"""Maximum number of cells of a component that is solved as a table."""

FILLED = 0.1
"""Share of the cells of a matrix that must be filled if the matrix is large."""

EXACT = 2**52
"""Integers below are exact in floating-point numbers, and so is the sum of two."""


class ManyCells(NamedTuple):
    """Cells of a table, as arrays."""

    i: Indices
    j: Indices
    kind: Indices
    """Number of the weight of each cell."""

    values: Sequence[Fraction]
    """Weights, all above 0."""

    def at(self, positions: Indices) -> ManyCells:
        """Return some of the cells."""
        i, j, kind = (side[positions] for side in self[:3])
        return ManyCells(i, j, kind, self.values)


def candidates(i: Indices, j: Indices, weights: Floats) -> Indices:
    """Return the positions of all cells that can be in a best assignment, and some others.

    Weights are approximate.
    """
    positions: list[Indices] = [np.arange(0)]
    for part in _components(i, j):
        if len(part) ** 3 <= SMALL:
            # There are no more rows or columns than cells.
            positions.append(part)
            continue
        (rows, own), (columns, other) = _numbered(i[part]), _numbered(j[part])
        shorter, longer = sorted((len(rows), len(columns)))
        if shorter * shorter * longer <= SMALL:
            positions.append(part)
        elif _fits_matrix(len(part), shorter * longer):
            matrix = np.zeros((len(rows), len(columns)))
            matrix[own, other] = weights[part]
            is_tight = np.zeros(matrix.shape, dtype=bool)
            is_tight[large.candidates_in_matrix(matrix)] = True
            positions.append(part[is_tight[own, other]])
        else:
            cells = zip(i[part].tolist(), j[part].tolist(), strict=True)
            table = dict(zip(cells, weights[part].tolist(), strict=True))
            kept = {*large.candidate_cells(table, large.solve_sparse(table))}
            positions.append(part[[cell in kept for cell in table]])
    return np.concatenate(positions)


def first_best_cells(
    table: ManyCells,
    then: Mapping[Cell, int] = MappingProxyType({}),
    *,
    columns_choose: bool = False,
) -> list[Cell]:
    """Return the first assignment with the largest sum of weights, as `first_best_assignment`."""
    more = _more(table, then)
    if columns_choose:
        table = table._replace(i=table.j, j=table.i)
    chosen: list[Cell] = []
    for part in _components(table.i, table.j):
        whole = len(part) == len(table.i)
        cells = _first_of_component(
            *((table, more) if whole else (table.at(part), more[part])),
        )
        chosen += ((b, a) for a, b in cells) if columns_choose else cells
    return chosen


def _more(table: ManyCells, then: Mapping[Cell, int]) -> NDArray[np.int64]:
    """Return the second weight of each cell."""
    more = np.zeros(len(table.i), dtype=np.int64)
    if len(more) and then:
        width = int(table.j.max()) + 1
        numbers = table.i.astype(np.int64) * width + table.j
        order = np.argsort(numbers, kind="stable")
        seconds = [(i * width + j, n) for (i, j), n in then.items() if j < width]
        other, weights = np.array(seconds, dtype=np.int64).reshape(-1, 2).T
        at = np.minimum(np.searchsorted(numbers, other, sorter=order), len(order) - 1)
        same = numbers[order[at]] == other
        more[order[at[same]]] = weights[same]
    return more


def _components(i: Indices, j: Indices) -> Iterator[Indices]:
    """Yield the positions of the cells of each connected component."""
    if not len(i):
        return
    (rows, i), (columns, j) = _numbered(i), _numbered(j)
    if np.bincount(i).max() == len(columns):
        # One row has cells in all columns, so everything is connected.
        yield np.arange(len(i))
        return
    size = len(rows) + len(columns)
    # SciPy connects nodes with indices of 32 bits, and older versions do not convert others.
    nodes = i, (len(rows) + j).astype(np.int32)
    graph = coo_array((np.ones(len(i), dtype=np.int8), nodes), (size, size))
    label = connected_components(graph, directed=False)[1][i]
    order = np.argsort(label, kind="stable")
    yield from np.split(order, np.flatnonzero(np.diff(label[order])) + 1)


WIDE = 10
"""Ratio of numbers to their largest one from which on they are sorted to number them."""


def _numbered(numbers: Indices) -> tuple[Indices, Indices]:
    """Return the distinct numbers in order, and the position of each number among them."""
    if numbers.max() > WIDE * len(numbers):
        # One of many components: their time must not grow with the numbers of all of them.
        distinct, positions = np.unique(numbers, return_inverse=True)
        return distinct, positions.astype(np.int32)
    is_there = np.bincount(numbers) > 0
    return np.flatnonzero(is_there), (np.cumsum(is_there, dtype=np.int32) - 1)[numbers]


def _fits_matrix(cells: int, size: int) -> bool:
    return size <= max(DENSE, cells / FILLED)


def _first_of_large_component(table: ManyCells, more: NDArray[np.int64]) -> list[Cell] | None:
    """Return the first best assignment of one component by a matrix; None if that cannot be."""
    (rows, i), (columns, j) = _numbered(table.i), _numbered(table.j)
    if not _fits_matrix(len(table.i), len(rows) * len(columns)):
        return None
    weights = _integers(table, more)
    if weights is None:
        return None
    matrix = np.zeros((len(rows), len(columns)))
    matrix[i, j] = weights
    best = _first_in_matrix(matrix)
    if best is None:
        return None
    i, j = best
    return [*zip(rows[i].tolist(), columns[j].tolist(), strict=True)]


def _first_of_component(table: ManyCells, more: NDArray[np.int64]) -> list[Cell]:
    """Return the first best assignment of one component."""
    cells = zip(table.i.tolist(), table.j.tolist(), strict=True)
    if len(table.i) == 1:
        return [*cells]
    if len(table.i) > LISTED:
        best = _first_of_large_component(table, more)
        if best is not None:
            return best
    values = (table.values[kind] for kind in table.kind.tolist())
    listed = dict(zip(cells, values, strict=True))
    return ties.first_best_assignment(listed, dict(zip(listed, more.tolist(), strict=True)))


def _integers(table: ManyCells, more: NDArray[np.int64]) -> Floats | None:
    """Combine both weights of each cell into one integer; None if they are too large."""
    kinds = np.flatnonzero(np.bincount(table.kind)).tolist()
    scale = lcm(*(table.values[kind].denominator for kind in kinds))
    above = 1 + int(more.sum())
    integers = [int(table.values[kind] * scale) * above for kind in kinds]
    if max(integers) + above > EXACT:
        return None
    by_kind = np.zeros(len(table.values))
    by_kind[kinds] = integers
    weights: Floats = by_kind[table.kind] + more
    return weights


def _first_in_matrix(weights: Floats) -> tuple[Indices, Indices] | None:
    """Return the first best assignment of a matrix of integers; None if it cannot be proved."""
    i, j = large.solve_matrix(weights)
    row_duals, column_duals = large.least_duals(weights, i, j, precision=0)
    is_unmatched = np.ones(len(column_duals), dtype=bool)
    is_unmatched[j] = False
    if (
        column_duals[is_unmatched].any()
        or row_duals.min() < 0
        or (weights - column_duals > row_duals[:, np.newaxis]).any()
    ):
        return None
    is_tight = np.zeros(weights.shape, dtype=bool)
    is_tight[large.tight_cells(weights, row_duals, column_duals, precision=0)] = True
    graph = _TightMatrix(is_tight, row_duals == 0, column_duals == 0, i, j)
    return graph.first()


class _TightMatrix:
    """The bipartite graph of tight cells, with a best assignment that is changed row by row.

    Rows pass columns on: a row that gives its column to another must get one from a third. What is
    left over is held by one more node, the pool. It gives columns that are unmatched, and it takes
    columns that may be unmatched. Rows that may be unmatched can take nothing from it instead.
    """

    def __init__(
        self, is_tight: Flags, free_rows: Flags, free_columns: Flags, i: Indices, j: Indices
    ) -> None:
        """Store the graph, and an assignment of rows i to columns j."""
        self._tight, self._transposed = is_tight, np.ascontiguousarray(is_tight.T)
        self._free_rows, self._free_columns = free_rows, free_columns
        height, width = is_tight.shape
        self._pool = height
        self._column = np.full(height + 1, -1)
        self._column[i] = j
        self._holder = np.full(width, self._pool)
        self._holder[j] = i

    def first(self) -> tuple[Indices, Indices]:
        """Give each row, in order, the first column that it can have; return the assignment."""
        for row in range(self._pool):
            current = int(self._column[row])
            earlier = self._tight[row] if current < 0 else self._tight[row, :current]
            columns = np.flatnonzero(earlier)
            columns = columns[self._holder[columns] > row]
            if len(columns):
                self._give_first(row, columns)
        rows = np.flatnonzero(self._column[:-1] >= 0)
        return rows, self._column[rows]

    def _give_first(self, row: int, columns: Indices) -> None:
        """Give a row the first of some columns that can be passed on to it, if there is one."""
        levels = [np.array([row])]
        reached = np.zeros(self._pool + 1, dtype=bool)
        reached[: row + 1] = True
        holders = self._holder[columns]
        while len(levels[-1]) and not reached[holders[0]]:
            levels.append(self._givers(levels[-1], reached))
            reached[levels[-1]] = True
        possible = columns[reached[holders]]
        if len(possible):
            self._pass_on(row, int(possible[0]), levels)

    def _givers(self, nodes: Indices, reached: Flags) -> Indices:
        """Return the nodes, not reached yet, that can take the column of one of these nodes."""
        columns = self._column[nodes]
        is_matched = columns >= 0
        takers = np.zeros(self._pool + 1, dtype=bool)
        takers[:-1] = self._transposed[columns[is_matched]].any(axis=0)
        is_pool = nodes == self._pool
        unmatched_row = ~is_matched & ~is_pool
        takers[-1] = unmatched_row.any() or self._free_columns[columns[is_matched]].any()
        if is_pool.any():
            in_pool = np.flatnonzero(self._holder == self._pool)
            takers[:-1] |= self._free_rows | self._transposed[in_pool].any(axis=0)
        return np.flatnonzero(takers & ~reached)

    def _pass_on(self, row: int, column: int, levels: list[Indices]) -> None:
        """Give a row a column, whose holder takes another one, and so on, until it is the row's."""
        node = int(self._holder[column])
        level = next(n for n, nodes in enumerate(levels) if node in nodes)
        changes = {row: column}
        while level:
            level -= 1
            source, changes[node] = self._source(node, levels[level])
            node = source
        for taker, taken in changes.items():
            released = self._column[taker]
            if released >= 0 and self._holder[released] == taker:
                self._holder[released] = self._pool
            if taker != self._pool:
                self._column[taker] = taken
                if taken >= 0:
                    self._holder[taken] = taker

    def _source(self, taker: int, nodes: Indices) -> tuple[int, int]:
        """Return a node whose column the taker can have, and that column; -1 is none."""
        columns = self._column[nodes]
        if taker == self._pool:
            possible = (columns < 0) | self._free_columns[columns]
        else:
            possible = (columns >= 0) & self._tight[taker, columns]
        if possible.any():
            first = int(possible.argmax())
            return int(nodes[first]), int(columns[first])
        in_pool = np.flatnonzero(self._tight[taker] & (self._holder == self._pool))
        return self._pool, int(in_pool[0]) if len(in_pool) else -1
