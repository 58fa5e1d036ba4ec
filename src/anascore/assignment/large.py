"""Large assignment problems, in floating-point numbers. SciPy loads slowly: import when needed."""

from __future__ import annotations

from collections.abc import Collection, Mapping

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment
from scipy.sparse import coo_array
from scipy.sparse.csgraph import min_weight_full_bipartite_matching

from anascore.assignment import Cell

SETTLED = 1e-13
"""Prices that rise by no more than this, in relation to the heaviest cell, are taken as settled."""

LIGHTER = 1e-9
"""A cell that falls short of its prices by more than this does so by more than rounding errors."""


class SparseMatrix:
    """A sparse table with its rows and columns numbered from 0."""

    def __init__(self, weights: Mapping[Cell, float]) -> None:
        """Give rows and columns numbers, in their order."""
        self.cells = list(weights)
        rows, columns = (np.array(side) for side in zip(*self.cells, strict=True))
        self.rows, self.i = np.unique(rows, return_inverse=True)
        self.columns, self.j = np.unique(columns, return_inverse=True)
        self.weights = np.array([float(weight) for weight in weights.values()])

    def matrix(self, height: int, width: int) -> NDArray[np.float64]:
        """Write the table out, with zeros where it has nothing."""
        matrix = np.zeros((height, width))
        matrix[self.i, self.j] = self.weights
        return matrix

    def chosen(self, i: NDArray[np.intp], j: NDArray[np.intp]) -> list[Cell]:
        """Return the cells of an assignment that are in the table."""
        pairs = set(zip(i.tolist(), j.tolist(), strict=True))
        numbers = zip(self.i.tolist(), self.j.tolist(), strict=True)
        return [cell for cell, pair in zip(self.cells, numbers, strict=True) if pair in pairs]


def solve_dense(weights: Mapping[Cell, float]) -> list[Cell]:
    """Solve by the whole matrix."""
    table = SparseMatrix(weights)
    matrix = table.matrix(len(table.rows), len(table.columns))
    return table.chosen(*linear_sum_assignment(matrix, maximize=True))


def solve_sparse(weights: Mapping[Cell, float]) -> list[Cell]:
    """Solve without writing the matrix out."""
    table = SparseMatrix(weights)
    height, width = len(table.rows), len(table.columns)
    # Every row has a column of its own besides, which stands for having no partner. Costs stay
    # above 0, since a cost of 0 is taken for a cell that is not there.
    spare = np.arange(height)
    highest = table.weights.max() + 1
    costs = np.concatenate([highest - table.weights, np.full(height, highest)])
    cells = np.concatenate([table.i, spare]), np.concatenate([table.j, width + spare])
    matrix = coo_array((costs, cells), shape=(height, width + height)).tocsr()
    return table.chosen(*min_weight_full_bipartite_matching(matrix))


def candidate_cells(weights: Mapping[Cell, float], best: Collection[Cell]) -> list[Cell]:
    """Drop the cells that no best assignment contains, given one of the best.

    A best assignment goes with prices for rows and columns such that no cell weighs more than its
    two prices together, and the cells of a best assignment weigh just as much; who has no partner
    costs nothing.
    """
    table = SparseMatrix(weights)
    width = len(table.columns)
    chosen = set(best)
    is_best = np.array([cell in chosen for cell in table.cells])
    # A row without a partner stands with one more column, which is free.
    partner = np.full(len(table.rows), width)
    partner[table.i[is_best]] = table.j[is_best]
    paid = np.zeros(len(table.rows))
    paid[table.i[is_best]] = table.weights[is_best]
    # A column costs at least what a row would gain by changing to it, on top of its own column.
    gains = table.weights - paid[table.i]
    heaviest = table.weights.max()
    prices = np.zeros(width + 1)
    # Without rounding, prices settle within that many rounds.
    for _ in range(width + 1):  # pragma: no branch
        raised = prices.copy()
        np.maximum.at(raised, table.j, prices[partner[table.i]] + gains)
        settled = (raised - prices).max() <= SETTLED * heaviest
        prices = raised
        if settled:
            break
    row_prices = paid - prices[partner]
    lighter = row_prices[table.i] + prices[table.j] - table.weights
    keep = lighter <= LIGHTER * heaviest
    return [cell for cell, kept in zip(table.cells, keep.tolist(), strict=True) if kept]
