"""Large assignment problems, solved by SciPy in floating-point numbers. Slow to import."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from anascore.assignment import TIGHT, Cell
from anascore.assignment.scaling import solve_by_scaling

Matrix: TypeAlias = NDArray[np.float64]
Indices: TypeAlias = NDArray[np.integer[Any]]

CONVERGED = 1e-13
"""Largest change of a dual variable, relative to the heaviest cell, that counts as convergence."""

CHUNK = 500_000
"""Maximum number of cells of a matrix that are computed at once."""


class SparseMatrix:
    """A sparse table whose rows and columns are numbered from 0."""

    def __init__(self, weights: Mapping[Cell, float]) -> None:
        """Assign numbers to rows and columns, in order."""
        self.cells = list(weights)
        rows, columns = np.array(self.cells).T
        self.rows, self.i = np.unique(rows, return_inverse=True)
        self.columns, self.j = np.unique(columns, return_inverse=True)
        self.weights = np.array([*weights.values()], dtype=float)

    def matrix(self, height: int, width: int) -> NDArray[np.float64]:
        """Return the table as a dense matrix, with zeros for absent cells."""
        matrix = np.zeros((height, width))
        matrix[self.i, self.j] = self.weights
        return matrix

    def where(self, is_chosen: NDArray[np.bool_]) -> list[Cell]:
        """Return the cells for which an array is True."""
        return [self.cells[number] for number in np.flatnonzero(is_chosen).tolist()]

    def chosen(self, i: Indices, j: Indices) -> list[Cell]:
        """Return the cells of the table that an assignment contains."""
        pairs = set(zip(i.tolist(), j.tolist(), strict=True))
        numbers = zip(self.i.tolist(), self.j.tolist(), strict=True)
        return [cell for cell, pair in zip(self.cells, numbers, strict=True) if pair in pairs]


PASSES = 20
"""Maximum number of times that dominant cells are looked for in arrays."""


def take_dominant(weights: Mapping[Cell, float]) -> tuple[list[Cell], list[Cell], bool]:
    """Return dominant cells, the cells that remain, and True if none of these is dominant."""
    table = SparseMatrix(weights)
    left = np.arange(len(table.cells))
    chosen: list[Cell] = []
    is_final = False
    for _ in range(PASSES):
        i, j, heights = table.i[left], table.j[left], table.weights[left]
        best, second = _two_heaviest(i, heights, len(table.rows))
        other_best, other_second = _two_heaviest(j, heights, len(table.columns))
        is_dominant = (heights == best[i]) & (heights == other_best[j])
        is_dominant &= heights >= second[i] + other_second[j]
        row_is_free = np.ones(len(table.rows), dtype=bool)
        column_is_free = np.ones(len(table.columns), dtype=bool)
        # Of equal cells in one row or column, the first is chosen.
        for cell in left[is_dominant].tolist():
            row, column = table.i[cell], table.j[cell]
            if row_is_free[row] and column_is_free[column]:
                row_is_free[row] = column_is_free[column] = False
                chosen.append(table.cells[cell])
        is_final = not is_dominant.any()
        left = left[row_is_free[i] & column_is_free[j]]
        if is_final:
            break
    remaining = np.zeros(len(table.cells), dtype=bool)
    remaining[left] = True
    return chosen, table.where(remaining), is_final


def _two_heaviest(groups: Indices, weights: Matrix, number: int) -> tuple[Matrix, Matrix]:
    """Return the heaviest and the second heaviest weight of each group; 0 for absent ones."""
    order = np.lexsort((-weights, groups))
    groups, weights = groups[order], weights[order]
    is_first = np.diff(groups, prepend=-1) > 0
    is_second = np.append(False, is_first[:-1]) & ~is_first
    heaviest, second = np.zeros(number), np.zeros(number)
    heaviest[groups[is_first]] = weights[is_first]
    second[groups[is_second]] = weights[is_second]
    return heaviest, second


def solve_dense(weights: Mapping[Cell, float]) -> list[Cell]:
    """Solve with a dense matrix."""
    table = SparseMatrix(weights)
    matrix = table.matrix(len(table.rows), len(table.columns))
    return table.chosen(*linear_sum_assignment(matrix, maximize=True))


def solve_sparse(weights: Mapping[Cell, float]) -> list[Cell]:
    """Solve with a sparse matrix."""
    table = SparseMatrix(weights)
    shape = len(table.rows), len(table.columns)
    return table.where(solve_arrays(table.i, table.j, table.weights, shape))


def solve_many(weights: Mapping[Cell, float]) -> list[Cell] | None:
    """Solve a table of very many cells by scaling; None if that would take long.

    SciPy looks at all columns for each row, which takes quadratic time.
    """
    table = SparseMatrix(weights)
    shape = len(table.rows), len(table.columns)
    is_chosen = solve_by_scaling(table.i, table.j, table.weights, shape)
    return None if is_chosen is None else table.where(is_chosen)


def solve_arrays(
    i: Indices, j: Indices, weights: NDArray[np.float64], shape: Cell
) -> NDArray[np.bool_]:
    """Return True for the cells of a best assignment, given as rows, columns and weights."""
    height, width = shape
    # Each row gets an extra column of its own, which means unmatched. Costs are above 0, since
    # SciPy takes a cost of 0 for an absent cell.
    spare = np.arange(height)
    highest = weights.max(initial=0) + 1
    costs = np.concatenate([highest - weights, np.full(height, highest)])
    cells = np.concatenate([[i, j], [spare, width + spare]], axis=1)
    # SciPy matches with indices of 32 bits, and older versions do not convert others.
    indices = tuple(cells.astype(np.int32))
    matrix = coo_array((costs, indices), shape=(height, width + height)).tocsr()
    rows, columns = min_weight_full_bipartite_matching(matrix)
    partner = np.full(height, -1)
    partner[rows] = columns
    chosen: NDArray[np.bool_] = partner[i] == j
    return chosen


def solve_matrix(weights: Matrix) -> tuple[Indices, Indices]:
    """Return the rows and columns of a best assignment of a dense matrix."""
    # SciPy adds row by row. For nested mentions in their order, each row would change all before.
    order = np.random.default_rng(0).permutation(len(weights))
    costs = -weights[order]
    # What is the same for all cells of a row decides nothing where each row is matched. Without it
    # more cells are tied from the start, which saves most of the time where very many are tied.
    height, width = costs.shape
    if height <= width:
        costs -= costs.min(axis=1, keepdims=True)
    if width <= height:
        costs -= costs.min(axis=0)
    i, j = linear_sum_assignment(costs)
    i = order[i]
    is_cell = weights[i, j] > 0
    return i[is_cell], j[is_cell]


def candidates_in_matrix(weights: Matrix) -> tuple[Indices, Indices]:
    """Return the rows and columns of the tight cells of a dense matrix, in order.

    Weights of 0 are absent cells.
    """
    i, j = solve_matrix(weights)
    heaviest = weights.max()
    duals = least_duals(weights, i, j, precision=CONVERGED * heaviest)
    return tight_cells(weights, *duals, precision=TIGHT * heaviest)


def least_duals(weights: Matrix, i: Indices, j: Indices, precision: float) -> tuple[Matrix, Matrix]:
    """Return the dual variables of rows and columns, given a best assignment of rows i.

    They are found as in `candidate_cells`, but row by row, forwards and backwards in turns: where
    neighbouring rows are similar, a few rounds are enough. If the assignment is not a best one, the
    duals prove nothing.
    """
    height, width = weights.shape
    # An unmatched row has an extra column, and an unmatched column an extra row.
    partner, row_of = np.full(height, width), np.full(width, height)
    partner[i], row_of[j] = j, i
    best_weight = np.zeros(height)
    best_weight[i] = weights[i, j]
    duals = np.zeros(width + 1)
    column_duals = duals[:-1]
    waiting = np.ones(height + 1, dtype=bool)
    rows = range(height)
    for _ in range(width + 1):
        for row in rows:
            if not waiting[row]:
                continue
            waiting[row] = False
            raised = weights[row] + (duals[partner[row]] - best_weight[row])
            higher = np.flatnonzero(raised > column_duals + precision)
            if len(higher):
                column_duals[higher] = raised[higher]
                waiting[row_of[higher]] = True
        if not waiting[:-1].any():
            break
        rows = rows[::-1]
    return best_weight - duals[partner], column_duals


def tight_cells(
    weights: Matrix, row_duals: Matrix, column_duals: Matrix, precision: float
) -> tuple[Indices, Indices]:
    """Return the rows and columns of the tight cells of a dense matrix, in order."""
    height, width = weights.shape
    step = max(1, CHUNK // width)
    tight = []
    for start in range(0, height, step):
        part = weights[start : start + step]
        slack = row_duals[start : start + step, None] + column_duals - part
        i, j = np.nonzero((slack <= precision) & (part > 0))
        # There can be as many as there are cells: half the memory is worth a conversion.
        tight.append(((i + start).astype(np.int32), j.astype(np.int32)))
    i, j = (np.concatenate(side) for side in zip(*tight, strict=True))
    return i, j


def candidate_cells(weights: Mapping[Cell, float], best: Collection[Cell]) -> list[Cell]:
    """Return the tight cells, given a best assignment.

    By complementary slackness (see `Solution`), no best assignment contains any other cell. The
    dual variables are found by Bellman-Ford: the dual of a column is at least what any row would
    gain by changing to it.
    """
    table = SparseMatrix(weights)
    width = len(table.columns)
    chosen = set(best)
    is_best = np.array([cell in chosen for cell in table.cells])
    # The partner of an unmatched row is an extra column, whose dual is 0.
    partner = np.full(len(table.rows), width)
    partner[table.i[is_best]] = table.j[is_best]
    best_weight = np.zeros(len(table.rows))
    best_weight[table.i[is_best]] = table.weights[is_best]
    gains = table.weights - best_weight[table.i]
    heaviest = table.weights.max()
    column_duals = np.zeros(width + 1)
    # Without rounding, the duals converge within this many rounds.
    for _ in range(width + 1):  # pragma: no branch
        raised = column_duals.copy()
        np.maximum.at(raised, table.j, column_duals[partner[table.i]] + gains)
        converged = (raised - column_duals).max() <= CONVERGED * heaviest
        column_duals = raised
        if converged:
            break
    row_duals = best_weight - column_duals[partner]
    slack = row_duals[table.i] + column_duals[table.j] - table.weights
    is_tight = slack <= TIGHT * heaviest
    return [cell for cell, tight in zip(table.cells, is_tight.tolist(), strict=True) if tight]
