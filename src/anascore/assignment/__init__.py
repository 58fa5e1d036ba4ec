"""The one-to-one assignment with the largest sum of weights, over a sparse table.

Takes a table that maps cells (row, column) to positive weights; returns the cells of an assignment.
Absent cells have weight 0. Dominant cells are chosen first (`take_dominant`). The rest falls apart
into independent components, which are solved one by one: by SciPy if they are large.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Generic, NamedTuple, TypeAlias, TypeVar

Cell: TypeAlias = tuple[int, int]
"""A row and a column; in the tables of a document, an own entity and one of the other side."""

W = TypeVar("W", int, float)
V = TypeVar("V")

SMALL = 200_000
"""Maximum steps (rows² · columns) of a component solved as a dense matrix of Python numbers."""

SPARSE = 250_000
"""Maximum steps (rows · cells) of a larger component solved along its cells: SciPy takes longer to
load."""

TIGHT = 1e-9
"""Slack of a cell, relative to the heaviest cell, up to which it counts as tight."""

DENSE = 4_000_000
"""Maximum cells (rows · columns) of a component solved as a dense matrix."""


MANY = 50_000
"""Number of undecided cells from which on all of them are decided in arrays."""

VERY_MANY = 200_000
"""Number of cells from which on arrays are worth it even if one pass decides nearly all of them."""


def transposed(table: Mapping[Cell, V]) -> dict[Cell, V]:
    """Swap the rows and columns of a table."""
    return {(j, i): value for (i, j), value in table.items()}


def best_assignment(weights: Mapping[Cell, W]) -> list[Cell]:
    """Return the cells of an assignment with the largest sum of weights."""
    chosen, rest = take_dominant(weights)
    if len(rest) >= MANY:
        from anascore.assignment import large  # noqa: PLC0415  slow to load

        solved = large.solve_many({cell: weights[cell] for cell in rest})
        if solved is not None:
            return chosen + solved
    for component in components(rest):
        table = {cell: weights[cell] for cell in component}
        if is_small(table):
            chosen += solve(table)
        elif is_sparse(table):
            chosen += _solve_sparse(table).cells
        else:
            chosen += _solve_large(table)
    return chosen


def is_small(cells: Collection[Cell]) -> bool:
    """Return True if a component can be solved as a dense matrix of Python numbers."""
    shorter, longer = extent(cells)
    return shorter * shorter * longer <= SMALL


def is_sparse(cells: Collection[Cell]) -> bool:
    """Return True if a component can be solved along its cells."""
    shorter, _ = extent(cells)
    return shorter * len(cells) <= SPARSE


def _solve_sparse(weights: Mapping[Cell, W]) -> Solution[W]:
    """Solve a component along its cells."""
    from anascore.assignment.paths import solve_by_paths  # noqa: PLC0415  seldom needed

    return solve_by_paths(weights)


def candidate_cells(weights: Mapping[Cell, float]) -> list[Cell]:
    """Return all cells that can be in a best assignment, possibly with some that cannot.

    All cells of a small table are returned.
    """
    if is_small(weights):
        return list(weights)
    if is_sparse(weights):
        _, rows, columns = _solve_sparse(weights)
        slack = TIGHT * max(weights.values())
        return [
            cell for cell, w in weights.items() if rows[cell[0]] + columns[cell[1]] <= w + slack
        ]
    from anascore.assignment import large  # noqa: PLC0415  slow to load, seldom needed

    return large.candidate_cells(weights, _solve_large(weights))


def _solve_large(weights: Mapping[Cell, float]) -> list[Cell]:
    """Solve a component with SciPy, in floating-point numbers."""
    from anascore.assignment import large  # noqa: PLC0415  slow to load

    shorter, longer = extent(weights)
    return large.solve_dense(weights) if shorter * longer <= DENSE else large.solve_sparse(weights)


def extent(cells: Iterable[Cell]) -> list[int]:
    """Return the numbers of rows and columns, the smaller one first."""
    return sorted(len(set(numbers)) for numbers in zip(*cells, strict=True))


def take_dominant(weights: Mapping[Cell, W]) -> tuple[list[Cell], list[Cell]]:
    """Return the dominant cells, and the cells that remain undecided.

    A cell is dominant if it weighs at least as much as the heaviest rival in its row and the
    heaviest rival in its column together. An assignment without it has at most these two in its
    place, so choosing it loses nothing. Its row and column are then removed, which can make other
    cells dominant.
    """
    chosen: list[Cell] = []
    undecided = weights
    while undecided:
        before = len(undecided)
        if before < VERY_MANY:
            dominant, undecided = _dominant_at_once(undecided)
            chosen += dominant
        # One pass decides nearly all cells of most tables. Others may need one pass per cell.
        if 2 * len(undecided) > before:
            if len(undecided) >= MANY:
                from anascore.assignment import large  # noqa: PLC0415  slow to load

                more, rest, is_final = large.take_dominant(undecided)
                if is_final:
                    return chosen + more, rest
                chosen += more
                undecided = {cell: weights[cell] for cell in rest}
            more, rest = _dominant_in_turn(undecided)
            return chosen + more, rest
    return chosen, []


def _dominant_at_once(weights: Mapping[Cell, W]) -> tuple[list[Cell], dict[Cell, W]]:
    """Return the cells that are dominant now, and the cells outside their rows and columns."""
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


def _dominant_in_turn(weights: Mapping[Cell, W]) -> tuple[list[Cell], list[Cell]]:
    """Return the same as `take_dominant`, in nearly linear time for every table."""
    chosen: list[Cell] = []
    # Nodes of the bipartite graph: row i is i (0 and up), column j is ~j (-1 and down).
    edges: dict[int, list[tuple[W, int]]] = defaultdict(list)
    for (row, column), weight in weights.items():
        edges[row].append((weight, ~column))
        edges[~column].append((weight, row))
    for incident in edges.values():
        incident.sort()
    removed: set[int] = set()

    def heaviest(node: int, excluding: int | None = None) -> tuple[W, int]:
        """Return the heaviest remaining edge of a node, except the one to `excluding`."""
        incident = edges[node]
        _drop(removed, incident)
        # A call of itself would be a reference cycle, which keeps all edges in memory.
        top = incident.pop() if incident and incident[-1][1] == excluding else None
        if top:
            _drop(removed, incident)
        result = incident[-1] if incident else (0, node)
        if top:
            incident.append(top)
        return result

    queue = list(edges)
    while queue:
        node = queue.pop()
        weight, partner = heaviest(node)
        if node in removed or not weight:
            continue
        if weight >= heaviest(node, excluding=partner)[0] + heaviest(partner, excluding=node)[0]:
            chosen.append((node, ~partner) if node >= 0 else (partner, ~node))
            removed |= {node, partner}
            neighbours = edges[node] + edges[partner]
            queue += (neighbour for _, neighbour in neighbours if neighbour not in removed)
    rest = (cell for cell in weights if cell[0] not in removed)
    return chosen, [cell for cell in rest if ~cell[1] not in removed]


def _drop(removed: Collection[int], incident: list[tuple[W, int]]) -> None:
    """Drop edges to removed nodes from the end of a list."""
    while incident and incident[-1][1] in removed:
        incident.pop()


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


def solve(weights: Mapping[Cell, W]) -> list[Cell]:
    """Return a best assignment, found with additions and comparisons only."""
    return solve_with_duals(weights).cells


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


def solve_exactly(weights: Mapping[Cell, int]) -> Solution[int]:
    """Return a best assignment with dual variables, for integers of any size.

    A large table is solved by SciPy first, in floating-point numbers, and dual variables prove that
    the assignment is a best one. If rounding made it miss the best by a little, it is solved here.
    """
    if not is_small(weights):
        if is_sparse(weights):
            return _solve_sparse(weights)
        heaviest = max(weights.values())
        best = _solve_large({cell: weight / heaviest for cell, weight in weights.items()})
        solution = prove_best(weights, best)
        if solution:
            return solution
    return solve_with_duals(weights)


def prove_best(weights: Mapping[Cell, int], assignment: Collection[Cell]) -> Solution[int] | None:
    """Return an assignment with dual variables if it is a best one, else None.

    The dual of a column is at least what any row would gain by changing to it (Bellman-Ford).
    """
    cells: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for (i, j), weight in weights.items():
        cells[i].append((j, weight))
    partner, row_of = dict(assignment), {j: i for i, j in assignment}
    best_weight = {i: weights[i, j] for i, j in assignment}
    column_duals = {j: 0 for _, j in weights}
    queue = deque(cells)
    waiting = set(queue)
    changes: Counter[int] = Counter()
    while queue:
        row = queue.popleft()
        waiting.discard(row)
        gain = column_duals[partner[row]] - best_weight[row] if row in partner else 0
        for j, weight in cells[row]:
            if weight + gain <= column_duals[j]:
                continue
            column_duals[j] = weight + gain
            changes[j] += 1
            other = row_of.get(j)
            # An unmatched column, a row that would do better without a partner, or a cycle of
            # changes that never ends improves the assignment.
            if other is None or column_duals[j] > best_weight[other] or changes[j] > len(cells):
                return None
            if other not in waiting:
                waiting.add(other)
                queue.append(other)
    row_duals = {i: best_weight[i] - column_duals[partner[i]] if i in partner else 0 for i in cells}
    return Solution([*assignment], row_duals, column_duals)


def solve_with_duals(weights: Mapping[Cell, W]) -> Solution[W]:
    """Solve by shortest augmenting paths (Kuhn-Munkres), with dual variables."""
    rows, columns = (sorted({cell[side] for cell in weights}) for side in (0, 1))
    if len(rows) > len(columns):
        swapped = solve_with_duals(transposed(weights))
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
