"""The tie rule: a choice among several best assignments.

Accommodated sets are aligned so that the sum of F1 is largest. Ties go to the alignment whose
aligned entities share the most mentions, then to the first alignment in document order: the side
whose entities come first, at the first difference, chooses. Its sets, in their order, take the
earliest partner that leaves the alignment one of the best. Having no partner comes last.
"""

from __future__ import annotations

from collections import ChainMap, defaultdict, deque
from collections.abc import Mapping, MutableMapping
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from anascore.assignment import Cell, candidate_cells, components, solve_exactly, transposed


def align(
    f1: Mapping[Cell, Fraction], shared: Mapping[Cell, int], *, response_first: bool
) -> list[Cell]:
    """Align accommodated sets by the F1 of pairs, then by the mentions that entities share."""
    pairs = {cell: value for cell, value in f1.items() if value}
    return first_best_assignment(pairs, then=shared, columns_choose=response_first)


def first_best_assignment(
    weights: Mapping[Cell, Fraction],
    then: Mapping[Cell, int] = MappingProxyType({}),
    *,
    columns_choose: bool = False,
) -> list[Cell]:
    """Return the first assignment with the largest sum of weights.

    Ties are broken by the sum of `then`, next by order: the first row chooses first. With
    columns_choose, columns choose instead of rows. All arithmetic is exact.
    """
    chosen: list[Cell] = []
    for component in components(weights):
        if len(component) == 1:
            chosen += component
            continue
        for cells in components(
            candidate_cells({cell: float(weights[cell]) for cell in component})
        ):
            table = _as_one_number({cell: weights[cell] for cell in cells}, then)
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
    """Return the cells of the first best assignment.

    Start with any best assignment and change it row by row. By complementary slackness (see
    `Solution`), the best assignments are those that consist of tight cells and match all rows and
    columns whose dual variable is above 0.
    """
    best = solve_exactly(weights)
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
"""Partner of each node in an assignment; None if it is unmatched."""


class _TightGraph(NamedTuple):
    """The bipartite graph of tight cells."""

    neighbours: Mapping[int, list[int]]
    required: set[int]
    """Nodes that every best assignment matches: those with a dual variable above 0."""

    fixed: set[int]
    """Nodes whose partner is final."""

    def changes_for(self, row: int, column: int, partner: Partners) -> Partners | None:
        """Return the changes of partners that match a row with a column; None if impossible."""
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
