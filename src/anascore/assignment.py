"""One-to-one assignment with the largest sum of weights, and the choice among several of them.

Tables map cells (row, column) to positive weights; absent cells have weight 0. CEAF and MOR need
only the sum: `best_assignment`. Accommodated sets and mentions need a choice that does not depend
on the order of files, without rounding: `first_best_assignment`.
"""

from __future__ import annotations

from collections import ChainMap, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, MutableMapping
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeAlias, TypeVar

Cell: TypeAlias = tuple[int, int]
"""A row and a column; in a document's tables, an own entity and one of the other side."""

W = TypeVar("W", int, float)
V = TypeVar("V")

SMALL = 200_000
"""Maximum steps (rows² · columns) of a component that is solved without SciPy."""

DENSE = 4_000_000
"""Maximum cells (rows · columns) of a component that SciPy solves as a dense matrix."""


def transposed(table: Mapping[Cell, V]) -> dict[Cell, V]:
    """Swap the rows and columns of a table."""
    return {(j, i): value for (i, j), value in table.items()}


def best_assignment(weights: Mapping[Cell, W]) -> list[Cell]:
    """Choose cells, at most one per row and column, with the largest sum of weights."""
    chosen, undecided = take_dominant(weights)
    for component in components(undecided):
        table = {cell: weights[cell] for cell in component}
        shorter, longer = sorted(len({cell[side] for cell in component}) for side in (0, 1))
        is_small = shorter * shorter * longer <= SMALL
        chosen += solve(table).cells if is_small else _solve_with_scipy(table)
    return chosen


def _solve_with_scipy(weights: Mapping[Cell, float]) -> list[Cell]:
    """Solve a large component in floating-point numbers."""
    import numpy as np  # noqa: PLC0415  slow to load, seldom needed
    from scipy.optimize import linear_sum_assignment  # noqa: PLC0415  the same
    from scipy.sparse import csr_array  # noqa: PLC0415  the same
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching  # noqa: PLC0415  the same

    rows, columns = (list(dict.fromkeys(cell[side] for cell in weights)) for side in (0, 1))
    row, column = ({name: number for number, name in enumerate(names)} for names in (rows, columns))
    values = np.array([*weights.values()], dtype=float)
    i, j = np.array([(row[a], column[b]) for a, b in weights], dtype=np.int32).T
    height, width = len(rows), len(columns)
    if height * width <= DENSE:
        matrix = csr_array((values, (i, j)), (height, width)).toarray()
        chosen = linear_sum_assignment(matrix, maximize=True)
    else:
        # Every row can stay unmatched in an extra column. SciPy reads a cost of 0 as no cell.
        spare = np.arange(height, dtype=np.int32)
        highest = values.max() + 1
        costs = np.append(highest - values, np.full(height, highest))
        cells = np.append(i, spare), np.append(j, spare + np.int32(width))
        chosen = min_weight_full_bipartite_matching(
            csr_array((costs, cells), (height, width + height))
        )
    pairs = zip(*(side.tolist() for side in chosen), strict=True)
    found = ((rows[a], columns[b]) for a, b in pairs if b < width)
    return [cell for cell in found if cell in weights]


def take_dominant(weights: Mapping[Cell, W]) -> tuple[list[Cell], Mapping[Cell, W]]:
    """Choose dominant cells; return them, and the cells that remain undecided.

    A cell is dominant if it weighs at least as much as the heaviest rival in its row and the
    heaviest rival in its column together. An assignment without it has at most these two in its
    place, so choosing it loses nothing. Its row and column are then removed, which can make other
    cells dominant. This goes on as long as it decides most of the cells.
    """
    chosen: list[Cell] = []
    undecided = weights
    before = 0
    while undecided and (not before or 2 * len(undecided) <= before):
        before = len(undecided)
        dominant, undecided = _dominant_at_once(undecided)
        chosen += dominant
    return chosen, undecided


def _dominant_at_once(weights: Mapping[Cell, W]) -> tuple[list[Cell], dict[Cell, W]]:
    """Choose the cells that are dominant now; return them, and the cells elsewhere."""
    best_in_row: dict[int, W] = {}
    second_in_row: dict[int, W] = {}
    best_in_column: dict[int, W] = {}
    second_in_column: dict[int, W] = {}
    for (row, column), weight in weights.items():
        best = best_in_row.get(row, 0)
        if weight > best:
            best_in_row[row], second_in_row[row] = weight, best
        elif weight > second_in_row[row]:
            second_in_row[row] = weight
        best = best_in_column.get(column, 0)
        if weight > best:
            best_in_column[column], second_in_column[column] = weight, best
        elif weight > second_in_column[column]:
            second_in_column[column] = weight
    chosen: list[Cell] = []
    rows: set[int] = set()
    columns: set[int] = set()
    for cell, weight in weights.items():
        row, column = cell
        if (
            weight == best_in_row[row] == best_in_column[column]
            and weight >= second_in_row[row] + second_in_column[column]
            # Of equal cells in one row or column, the first is chosen.
            and row not in rows
            and column not in columns
        ):
            chosen.append(cell)
            rows.add(row)
            columns.add(column)
    rest = {
        cell: weight
        for cell, weight in weights.items()
        if cell[0] not in rows and cell[1] not in columns
    }
    return chosen, rest


def components(cells: Iterable[Cell]) -> Iterator[list[Cell]]:
    """Yield the connected components: groups of cells with no row or column in common."""
    rows: dict[int, list[Cell]] = defaultdict(list)
    columns: dict[int, list[Cell]] = defaultdict(list)
    for cell in cells:
        rows[cell[0]].append(cell)
        columns[cell[1]].append(cell)
    for first in [*rows]:
        if first not in rows:
            continue
        component: list[Cell] = []
        stack = [first]
        while stack:
            row_cells = rows.pop(stack.pop(), [])
            component += row_cells
            for _, column in row_cells:
                stack += (row for row, _ in columns.pop(column, ()))
        yield component


class Solution(NamedTuple, Generic[W]):
    """A best assignment, with dual variables that prove that it is one.

    Dual variables are at least 0, and no cell weighs more than the duals of its row and its column
    together. A cell is tight if it weighs exactly as much. Complementary slackness holds: all cells
    of the assignment are tight, and unmatched rows and columns have dual 0. So every best
    assignment consists of tight cells, and matches all rows and columns whose dual is above 0.
    """

    cells: list[Cell]
    rows: dict[int, W]
    """Dual variables of rows."""

    columns: dict[int, W]
    """Dual variables of columns."""


def solve(weights: Mapping[Cell, W]) -> Solution[W]:
    """Solve by shortest augmenting paths (Kuhn-Munkres), with dual variables."""
    rows, columns = (sorted({cell[side] for cell in weights}) for side in (0, 1))
    if len(rows) > len(columns):
        swapped = solve(transposed(weights))
        return Solution([(i, j) for j, i in swapped.cells], swapped.columns, swapped.rows)
    # Costs are at most 0, and the column that is matched last keeps the dual 0. So no dual that is
    # returned is below 0.
    costs = [[-weights.get((i, j), 0) for j in columns] for i in rows]
    row_duals: list[W] = [0] * len(rows)
    column_duals: list[W] = [0] * len(columns)
    row_of: dict[int, int] = {}
    for start in range(len(rows)):
        # Find the shortest augmenting path from a new row to an unmatched column (Dijkstra).
        distances: dict[int, W] = {}
        predecessor: dict[int, int] = {}
        unvisited = list(range(len(columns)))
        visited: list[int] = []
        row = start
        length: W = 0
        while True:
            for j in unvisited:
                distance = length + costs[row][j] - row_duals[row] - column_duals[j]
                if j not in distances or distance < distances[j]:
                    distances[j] = distance
                    predecessor[j] = visited[-1] if visited else -1
            end = min(unvisited, key=lambda j: (distances[j], j in row_of))
            length = distances[end]
            if end not in row_of:
                break
            unvisited.remove(end)
            visited.append(end)
            row = row_of[end]
        row_duals[start] += length
        for j in visited:
            column_duals[j] -= length - distances[j]
            row_duals[row_of[j]] += length - distances[j]
        while predecessor[end] >= 0:
            row_of[end] = row_of[predecessor[end]]
            end = predecessor[end]
        row_of[end] = start
    matched = ((rows[i], columns[j]) for j, i in row_of.items())
    return Solution(
        [cell for cell in matched if cell in weights],
        {row: -dual for row, dual in zip(rows, row_duals, strict=True)},
        {column: -dual for column, dual in zip(columns, column_duals, strict=True)},
    )


def align(
    f1: Mapping[Cell, Fraction], shared: Mapping[Cell, int], *, response_first: bool
) -> list[Cell]:
    """Align accommodated sets by the F1 of pairs, then by the mentions that entities share.

    The side whose entities come first in the document, at the first difference, chooses.
    """
    pairs = {cell: value for cell, value in f1.items() if value}
    return first_best_assignment(pairs, then=shared, columns_choose=response_first)


def first_best_assignment(
    weights: Mapping[Cell, Fraction],
    then: Mapping[Cell, int] = MappingProxyType({}),
    *,
    columns_choose: bool = False,
) -> list[Cell]:
    """Return the first assignment with the largest sum of weights.

    Ties go to the largest sum of `then`, then to order: the first row takes the earliest column
    that keeps the assignment optimal, then the second row, and so on. Having no column comes last.
    With columns_choose, columns choose instead of rows. All arithmetic is exact.
    """
    chosen: list[Cell] = []
    for component in components(weights):
        if len(component) == 1:
            chosen += component
            continue
        table = _as_one_number({cell: weights[cell] for cell in component}, then)
        if columns_choose:
            chosen += ((i, j) for j, i in _first(transposed(table)))
        else:
            chosen += _first(table)
    return chosen


def _as_one_number(weights: Mapping[Cell, Fraction], then: Mapping[Cell, int]) -> dict[Cell, int]:
    """Combine both weights into one integer, so that `then` decides only between equal weights."""
    scale = lcm(*(weight.denominator for weight in weights.values()))
    above = 1 + sum(then.get(cell, 0) for cell in weights)
    return {
        cell: w.numerator * (scale // w.denominator) * above + then.get(cell, 0)
        for cell, w in weights.items()
    }


def _first(weights: Mapping[Cell, int]) -> list[Cell]:
    """Choose the first among the best assignments.

    Start with any best assignment and change it row by row. By complementary slackness (see
    `Solution`), the best assignments are those that consist of tight cells and match all rows and
    columns whose dual variable is above 0.
    """
    best = solve(weights)
    tight = sorted((i, j) for (i, j), w in weights.items() if w == best.rows[i] + best.columns[j])
    if len(tight) == len(best.cells):
        return best.cells
    # Nodes of the bipartite graph: row i is i (0 and up), column j is ~j (-1 and down).
    neighbours: dict[int, list[int]] = defaultdict(list)
    for i, j in tight:
        neighbours[i].append(~j)
        neighbours[~j].append(i)
    partner: dict[int, int | None] = dict.fromkeys(neighbours)
    for i, j in best.cells:
        partner[i], partner[~j] = ~j, i
    required = {i for i, dual in best.rows.items() if dual}
    required |= {~j for j, dual in best.columns.items() if dual}
    graph = _TightGraph(neighbours, required, set())
    for row in sorted(best.rows):
        for column in neighbours[row]:
            changes = graph.changes_for(row, column, partner)
            if changes is not None:
                partner.update(changes)
                graph.fixed.update((row, column))
                break
    return [(i, ~j) for i, j in partner.items() if i >= 0 and j is not None]


Partners: TypeAlias = MutableMapping[int, int | None]
"""Each node's partner in an assignment; None if it is unmatched."""


class _TightGraph(NamedTuple):
    """The bipartite graph of tight cells."""

    neighbours: Mapping[int, list[int]]
    required: set[int]
    """Nodes that every best assignment matches: those with a dual variable above 0."""

    fixed: set[int]
    """Nodes whose partner is final."""

    def changes_for(self, row: int, column: int, partner: Partners) -> Partners | None:
        """Find the changes that give a row a column as its partner; None if impossible."""
        if column in self.fixed:
            return None
        changed: Partners = {}
        trial = ChainMap(changed, partner)
        released = partner[row], partner[column]
        if released == (column, row):
            return changed
        for node in released:
            if node is not None:
                trial[node] = None
        trial[row], trial[column] = column, row
        fixed = self.fixed | {row, column}
        for node in reversed(released):
            if (
                node in self.required
                and trial[node] is None
                and not self._augment(node, trial, fixed)
            ):
                return None
        return changed

    def _augment(self, start: int, partner: Partners, fixed: set[int]) -> bool:
        """Match a node along an alternating path; return False if there is none.

        The path ends at an unmatched node, or at one whose partner may become unmatched. It is
        found breadth-first.
        """
        queue = deque([start])
        reached_from: dict[int, int] = {}
        while queue:
            node = queue.popleft()
            for neighbour in self.neighbours[node]:
                if neighbour in reached_from or neighbour in fixed:
                    continue
                reached_from[neighbour] = node
                other = partner[neighbour]
                if other is None or other not in self.required:
                    self._flip_path(neighbour, reached_from, partner)
                    return True
                queue.append(other)
        return False

    def _flip_path(self, last: int, reached_from: Mapping[int, int], partner: Partners) -> None:
        """Flip the alternating path that ends at a node."""
        unmatched = partner[last]
        if unmatched is not None:
            partner[unmatched] = None
        neighbour: int | None = last
        while neighbour is not None:
            node = reached_from[neighbour]
            previous = partner[node]
            partner[node], partner[neighbour] = neighbour, node
            neighbour = previous
