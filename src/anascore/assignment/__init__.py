"""The one-to-one assignment with the largest sum of weights, over a sparse table.

Takes a table that maps cells (row, column) to positive weights; gives the cells of an assignment.
A cell that is absent weighs nothing. Most of a table is settled by looking at neighbours
(`take_dominant`), and what is left falls apart into independent components, which are solved one by
one: here, or by SciPy if they are large.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeAlias, TypeVar

Cell: TypeAlias = tuple[int, int]
"""A row and a column; in the tables of a document, an own entity and one of the other side."""

W = TypeVar("W", int, float)

SMALL = 200_000
"""Up to this many steps (rows² · columns) a part is solved here: SciPy takes longer to load."""

DENSE = 4_000_000
"""Up to this many cells (rows · columns) a part is written out as a matrix."""


def best_assignment(weights: Mapping[Cell, W]) -> list[Cell]:
    """Return the cells of an assignment with the largest sum of weights."""
    chosen, rest = take_dominant(weights)
    for part in components(rest):
        table = {cell: weights[cell] for cell in part}
        few, many = extent(part)
        small = few * few * many <= SMALL
        chosen += solve(table) if small else _solve_large(table)
    return chosen


def candidate_cells(weights: Mapping[Cell, float]) -> list[Cell]:
    """Return all cells that can be in a best assignment, and maybe some that cannot.

    A small table is returned as it is.
    """
    few, many = extent(weights)
    if few * few * many <= SMALL:
        return list(weights)
    from anascore.assignment import large as assignment_scipy  # noqa: PLC0415  slow to load, seldom needed

    return assignment_scipy.candidate_cells(weights, _solve_large(weights))


def _solve_large(weights: Mapping[Cell, float]) -> list[Cell]:
    """Let SciPy solve a part, in floating-point numbers."""
    from anascore.assignment import large  # noqa: PLC0415  slow to load

    few, many = extent(weights)
    return large.solve_dense(weights) if few * many <= DENSE else large.solve_sparse(weights)


def extent(cells: Iterable[Cell]) -> list[int]:
    """Count rows and columns, and return the smaller number first."""
    return sorted(len(set(numbers)) for numbers in zip(*cells, strict=True))


def take_dominant(weights: Mapping[Cell, W]) -> tuple[list[Cell], list[Cell]]:
    """Return cells that can be chosen at once, and the cells that are still open then.

    A cell is chosen when it weighs at least as much as the heaviest rival in its row and the
    heaviest in its column together: an assignment without it has at most these two in its place,
    so that changing to it loses nothing. Row and column are gone then, which can decide others.
    """
    in_row, in_column = (Counter(cell[side] for cell in weights) for side in (0, 1))
    chosen = [(i, j) for i, j in weights if in_row[i] == 1 == in_column[j]]
    # Rows are called by their numbers, 0 and up, columns by ~number, -1 and down.
    edges: dict[int, list[tuple[W, int]]] = defaultdict(list)
    for (row, column), weight in weights.items():
        if in_row[row] > 1 or in_column[column] > 1:
            edges[row].append((weight, ~column))
            edges[~column].append((weight, row))
    for found in edges.values():
        found.sort()
    gone: set[int] = set()

    def heaviest(node: int, besides: int | None = None) -> tuple[W, int]:
        """Return the heaviest edge that a node still has, leaving out the one to `besides`."""
        found = edges[node]
        while found and found[-1][1] in gone:
            found.pop()
        if found and found[-1][1] == besides:
            top = found.pop()
            second = heaviest(node)
            found.append(top)
            return second
        return found[-1] if found else (0, node)

    waiting = list(edges)
    while waiting:
        node = waiting.pop()
        weight, partner = heaviest(node)
        if node in gone or not weight:
            continue
        if weight >= heaviest(node, besides=partner)[0] + heaviest(partner, besides=node)[0]:
            chosen.append((node, ~partner) if node >= 0 else (partner, ~node))
            gone |= {node, partner}
            neighbours = edges[node] + edges[partner]
            waiting += (neighbour for _, neighbour in neighbours if neighbour not in gone)
    rest = (cell for cell in weights if cell[0] in edges and cell[0] not in gone)
    return chosen, [cell for cell in rest if ~cell[1] not in gone]


def components(cells: Iterable[Cell]) -> Iterator[list[Cell]]:
    """Split cells into groups that have no row and no column in common."""
    rows: dict[int, list[Cell]] = defaultdict(list)
    columns: dict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        rows[cell[0]].append(cell)
        columns[cell[1]].append(cell)
    while rows:
        group: list[Cell] = []
        waiting = [next(iter(rows))]
        while waiting:
            found = rows.pop(waiting.pop(), [])
            group += found
            for _, column in found:
                waiting += (row for row, _ in columns.pop(column, ()))
        yield group


def solve(weights: Mapping[Cell, W]) -> list[Cell]:
    """Solve with additions and comparisons only."""
    return solve_with_duals(weights).cells


class Solution(NamedTuple, Generic[W]):
    """A best assignment with the prices of rows and columns that show that it is one.

    No price is below 0, and no cell weighs more than the prices of its row and its column together.
    The cells of the assignment weigh just as much, and what has no partner costs nothing. So the
    cells of any best assignment weigh just as much, and all that costs something has a partner.
    """

    cells: list[Cell]
    rows: dict[int, W]
    columns: dict[int, W]


def solve_with_duals(weights: Mapping[Cell, W]) -> Solution[W]:
    """Solve by shortest augmenting paths (Kuhn-Munkres)."""
    rows, columns = (sorted({cell[side] for cell in weights}) for side in (0, 1))
    if len(rows) > len(columns):
        swapped = solve_with_duals({(j, i): weight for (i, j), weight in weights.items()})
        return Solution([(i, j) for j, i in swapped.cells], swapped.columns, swapped.rows)
    # One more column, which weighs nothing, leaves a column free, so that no price is below 0.
    costs = [[-weights.get((i, j), 0) for j in columns] for i in rows]
    for costs_of_row in costs:
        costs_of_row.append(0)
    row_prices: list[W] = [0] * len(rows)
    column_prices: list[W] = [0] * (len(columns) + 1)
    row_of: dict[int, int] = {}
    for start in range(len(rows)):
        # Find the cheapest way from a new row to a free column, over columns that change hands.
        distances: dict[int, W] = {}
        before: dict[int, int] = {}
        ahead = list(range(len(columns) + 1))
        passed: list[int] = []
        row = start
        so_far: W = 0
        while True:
            for j in ahead:
                distance = so_far + costs[row][j] - row_prices[row] - column_prices[j]
                if j not in distances or distance < distances[j]:
                    distances[j] = distance
                    before[j] = passed[-1] if passed else -1
            end = min(ahead, key=lambda j: (distances[j], j in row_of))
            so_far = distances[end]
            if end not in row_of:
                break
            ahead.remove(end)
            passed.append(end)
            row = row_of[end]
        row_prices[start] += so_far
        for j in passed:
            column_prices[j] -= so_far - distances[j]
            row_prices[row_of[j]] += so_far - distances[j]
        while before[end] >= 0:
            row_of[end] = row_of[before[end]]
            end = before[end]
        row_of[end] = start
    found = ((rows[i], columns[j]) for j, i in row_of.items() if j < len(columns))
    return Solution(
        [cell for cell in found if cell in weights],
        {row: -price for row, price in zip(rows, row_prices, strict=True)},
        {column: -price for column, price in zip(columns, column_prices, strict=False)},
    )
