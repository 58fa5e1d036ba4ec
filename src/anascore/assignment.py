"""The one-to-one assignment with the largest sum of weights, over a sparse table.

A table maps cells (row, column) to positive weights; a cell that is not in it weighs nothing. Most
of a table is settled by looking at neighbours (`take_dominant`), and what is left falls apart into
independent parts (`components`), which are solved one by one: here, or by SciPy if they are large.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import TypeAlias, TypeVar

Cell: TypeAlias = tuple[int, int]
"""A row and a column; in the tables of a document, an own entity and one of the other side."""

W = TypeVar("W", int, float)

SMALL = 200_000
"""Up to this many steps (rows² · columns) a part is solved here: SciPy takes longer to load."""

DENSE = 4_000_000
"""Up to this many cells (rows · columns) a part is written out as a matrix."""


def best_assignment(weights: Mapping[Cell, W], *, exact: bool = False) -> list[Cell]:
    """Return the cells of an assignment with the largest sum of weights.

    With exact, weights are added and compared as they are, never in floating-point numbers.
    """
    chosen, rest = take_dominant(weights)
    for part in components(rest):
        table = {cell: weights[cell] for cell in part}
        few, many = extent(part)
        small = few * few * many <= SMALL
        chosen += solve(table) if exact or small else _solve_large(table)
    return chosen


def first_of_the_best(
    weights: Mapping[Cell, Fraction],
    then: Mapping[Cell, int] = MappingProxyType({}),
    *,
    columns_choose: bool = False,
) -> list[Cell]:
    """Return the cells of that best assignment which comes first.

    Of the best ones it has the largest sum of what `then` says. If there are several of them, the
    rows (or the columns), in their order, choose the earliest partner that leaves the assignment
    one of the best; having none is the last choice.
    """
    chosen: list[Cell] = []
    for group in components(weights):
        if len(group) == 1:
            chosen += group
            continue
        for part in components(possible({cell: float(weights[cell]) for cell in group})):
            rule = _as_one_number({cell: weights[cell] for cell in part}, then)
            choosing = _transposed(rule) if columns_choose else rule
            best = best_assignment(_with_order(choosing), exact=True)
            chosen += ((j, i) for i, j in best) if columns_choose else best
    return chosen


def _transposed(weights: Mapping[Cell, W]) -> dict[Cell, W]:
    return {(j, i): weight for (i, j), weight in weights.items()}


def _as_one_number(weights: Mapping[Cell, Fraction], then: Mapping[Cell, int]) -> dict[Cell, int]:
    """Scale weights up so far that no sum of what comes then makes up for them."""
    scale = lcm(*(weight.denominator for weight in weights.values()))
    above = 1 + sum(then.get(cell, 0) for cell in weights)
    return {cell: int(w * scale) * above + then.get(cell, 0) for cell, w in weights.items()}


def _with_order(weights: Mapping[Cell, int]) -> dict[Cell, int]:
    """Scale weights up so far that no order of rows and columns makes up for them, and add order.

    Order is a number with a digit for each row, the higher the earlier its column is; the first
    row has the most significant digit.
    """
    rows, columns = (sorted({cell[side] for cell in weights}) for side in (0, 1))
    base = len(columns) + 1
    digit = {column: base - rank for rank, column in enumerate(columns, 1)}
    place = {row: base**rank for rank, row in enumerate(reversed(rows))}
    above = base ** len(rows)
    return {(i, j): weight * above + digit[j] * place[i] for (i, j), weight in weights.items()}


def possible(weights: Mapping[Cell, float]) -> list[Cell]:
    """Return all cells that can be in a best assignment, and maybe some that cannot.

    A small table is returned as it is.
    """
    few, many = extent(weights)
    if few * few * many <= SMALL:
        return list(weights)
    from anascore import assignment_scipy  # noqa: PLC0415  slow to load, seldom needed

    return assignment_scipy.possible(weights, _solve_large(weights))


def _solve_large(weights: Mapping[Cell, float]) -> list[Cell]:
    """Let SciPy solve a part, in floating-point numbers."""
    from anascore import assignment_scipy as large  # noqa: PLC0415  slow to load

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
    """Solve by shortest augmenting paths (Kuhn-Munkres), with additions and comparisons only."""
    rows, columns = (sorted({cell[side] for cell in weights}) for side in (0, 1))
    if len(rows) > len(columns):
        return [(i, j) for j, i in solve(_transposed(weights))]
    costs = [[-weights.get((i, j), 0) for j in columns] for i in rows]
    row_prices: list[W] = [0] * len(rows)
    column_prices: list[W] = [0] * len(columns)
    row_of: dict[int, int] = {}
    for start in range(len(rows)):
        # Find the cheapest way from a new row to a free column, over columns that change hands.
        distances: dict[int, W] = {}
        before: dict[int, int] = {}
        ahead = list(range(len(columns)))
        passed: list[int] = []
        row = start
        so_far: W = 0
        while True:
            for j in ahead:
                distance = so_far + costs[row][j] - row_prices[row] - column_prices[j]
                if j not in distances or distance < distances[j]:
                    distances[j] = distance
                    before[j] = passed[-1] if passed else -1
            end = min(ahead, key=distances.__getitem__)
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
    found = ((rows[i], columns[j]) for j, i in row_of.items())
    return [cell for cell in found if cell in weights]
