"""Assignment over a sparse table by shortest augmenting paths along its cells."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from heapq import heappop, heappush
from typing import Generic

from anascore.assignment import Cell, Solution, W


def solve_by_paths(weights: Mapping[Cell, W]) -> Solution[W]:
    """Return a best assignment with dual variables, found with additions and comparisons only."""
    search: _Search[W] = _Search(weights)
    for row in search.cells:
        search.add_row(row)
    return Solution([*search.partner.items()], search.row_duals, search.column_duals)


class _Search(Generic[W]):
    """A best assignment of the rows that have been added, with dual variables."""

    def __init__(self, weights: Mapping[Cell, W]) -> None:
        """Start without rows."""
        self.cells: dict[int, list[tuple[int, W]]] = defaultdict(list)
        for (row, column), weight in weights.items():
            self.cells[row].append((column, weight))
        self.partner: dict[int, int] = {}
        """Column of each matched row."""

        self.row_duals: dict[int, W] = {}
        self.column_duals: dict[int, W] = {column: 0 for _, column in weights}
        self._row_of: dict[int, int] = {}

    def add_row(self, start: int) -> None:
        """Add a row, and flip the shortest augmenting path from it (Dijkstra).

        The length of a cell is the amount by which its duals exceed its weight. A path ends at an
        unmatched column, or at a row that becomes unmatched, which adds the dual of that row.
        """
        cells, row_duals, column_duals = self.cells, self.row_duals, self.column_duals
        row_duals[start] = max(
            0, *(weight - column_duals[column] for column, weight in cells[start])
        )
        rows: dict[int, W] = {start: 0}
        columns: dict[int, W] = {}
        reached_from: dict[int, int] = {}
        queue: list[tuple[W, int, int]] = []
        row, unmatched, shortest = start, start, row_duals[start]
        end: int | None = None
        while True:
            for column, weight in cells[row]:
                length = rows[row] + row_duals[row] + column_duals[column] - weight
                if length < shortest and column not in columns:
                    heappush(queue, (length, column, row))
            while queue and queue[0][1] in columns:
                heappop(queue)
            if not queue or queue[0][0] >= shortest:
                break
            length, column, row = heappop(queue)
            reached_from[column] = row
            if column not in self._row_of:
                shortest, end = length, column
                break
            row = self._row_of[column]
            columns[column] = rows[row] = length
            if length + row_duals[row] < shortest:
                unmatched, shortest = row, length + row_duals[row]
        for row, length in rows.items():
            row_duals[row] -= shortest - length
        for column, length in columns.items():
            column_duals[column] += shortest - length
        self._flip(self.partner.pop(unmatched, None) if end is None else end, reached_from)

    def _flip(self, end: int | None, reached_from: Mapping[int, int]) -> None:
        """Match the columns of a path with the rows that they were reached from."""
        while end is not None:
            row = reached_from[end]
            self._row_of[end] = row
            # The column that the row had is the one before it on the path.
            before = self.partner.get(row)
            self.partner[row] = end
            end = before
