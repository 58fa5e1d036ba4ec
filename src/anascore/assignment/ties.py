"""The tie rule: which of several best assignments is taken.

Accommodated sets are aligned for the largest sum of F1; of several such alignments, the one whose
aligned entities share the most mentions; of several of those, the first in document order. That
means: of the two sides take the one whose entities come first (at the first difference); its sets,
in their order, choose the earliest partner that leaves the alignment one of the best. Having no
partner is the last choice.
"""

from __future__ import annotations

from collections import ChainMap, defaultdict, deque
from collections.abc import Mapping, MutableMapping
from fractions import Fraction
from math import lcm
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from anascore.assignment import Cell, candidate_cells, components, solve_with_duals


def align(
    f1: Mapping[Cell, Fraction], shared: Mapping[Cell, int], *, response_first: bool
) -> list[Cell]:
    """Align accommodated sets, given the F1 of pairs and the mentions that their entities share."""
    pairs = {cell: value for cell, value in f1.items() if value}
    return first_best_assignment(pairs, then=shared, columns_choose=response_first)


def first_best_assignment(
    weights: Mapping[Cell, Fraction],
    then: Mapping[Cell, int] = MappingProxyType({}),
    *,
    columns_choose: bool = False,
) -> list[Cell]:
    """Return the first of the assignments with the largest sum of weights.

    Of these only those count that have the largest sum of what `then` says. With columns_choose,
    rows and columns change roles. All numbers are added and compared exactly.
    """
    chosen: list[Cell] = []
    for group in components(weights):
        if len(group) == 1:
            chosen += group
            continue
        for part in components(candidate_cells({cell: float(weights[cell]) for cell in group})):
            table = _as_one_number({cell: weights[cell] for cell in part}, then)
            if columns_choose:
                chosen += ((i, j) for j, i in _first({(j, i): w for (i, j), w in table.items()}))
            else:
                chosen += _first(table)
    return chosen


def _as_one_number(weights: Mapping[Cell, Fraction], then: Mapping[Cell, int]) -> dict[Cell, int]:
    """Scale weights up so far that no sum of what comes then makes up for them."""
    scale = lcm(*(weight.denominator for weight in weights.values()))
    above = 1 + sum(then.get(cell, 0) for cell in weights)
    return {cell: int(w * scale) * above + then.get(cell, 0) for cell, w in weights.items()}


def _first(weights: Mapping[Cell, int]) -> list[Cell]:
    """Return the cells of the first best assignment.

    It starts with any best assignment and changes it row by row. All best ones are made of cells
    that weigh as much as their prices, and leave nothing without a partner that costs something.
    """
    best = solve_with_duals(weights)
    exact = sorted((i, j) for (i, j), w in weights.items() if w == best.rows[i] + best.columns[j])
    if len(exact) == len(best.cells):
        return best.cells
    # Rows are called by their numbers, 0 and up, columns by ~number, -1 and down.
    neighbours: dict[int, list[int]] = defaultdict(list)
    for i, j in exact:
        neighbours[i].append(~j)
        neighbours[~j].append(i)
    partner: dict[int, int | None] = dict.fromkeys(neighbours)
    for i, j in best.cells:
        partner[i], partner[~j] = ~j, i
    bound = {i for i, price in best.rows.items() if price}
    bound |= {~j for j, price in best.columns.items() if price}
    graph = _Graph(neighbours, bound, set())
    for row in sorted(best.rows):
        for column in neighbours[row]:
            changes = graph.changes_for(row, column, partner)
            if changes is not None:
                partner.update(changes)
                graph.settled.update((row, column))
                break
    return [(i, ~j) for i, j in partner.items() if i >= 0 and j is not None]


Partners: TypeAlias = MutableMapping[int, int | None]


class _Graph(NamedTuple):
    """The pairs that best assignments are made of."""

    neighbours: Mapping[int, list[int]]
    bound: set[int]
    """What must have a partner."""

    settled: set[int]
    """What has chosen or was chosen."""

    def changes_for(self, row: int, column: int, partner: Partners) -> Partners | None:
        """Say what else changes if a row gets a column, or None if that cannot be."""
        if column in self.settled:
            return None
        changed: Partners = {}
        trial = ChainMap(changed, partner)
        left = partner[row], partner[column]
        if left == (column, row):
            return changed
        for node in left:
            if node is not None:
                trial[node] = None
        trial[row], trial[column] = column, row
        fixed = self.settled | {row, column}
        for node in reversed(left):
            if node in self.bound and trial[node] is None and not self._find(node, trial, fixed):
                return None
        return changed

    def _find(self, start: int, partner: Partners, fixed: set[int]) -> bool:
        """Find a partner for a node: a free one, or one whose own partner can do without or change.

        The search goes in widening circles over nodes that would lose their partners.
        """
        waiting = deque([start])
        reached: dict[int, int] = {}
        while waiting:
            node = waiting.popleft()
            for neighbour in self.neighbours[node]:
                if neighbour in reached or neighbour in fixed:
                    continue
                reached[neighbour] = node
                other = partner[neighbour]
                if other is None or other not in self.bound:
                    self._flip_path(neighbour, reached, partner)
                    return True
                waiting.append(other)
        return False

    def _flip_path(self, last: int, reached: Mapping[int, int], partner: Partners) -> None:
        """Give everyone on the way to a node the neighbour by which the way went on."""
        loser = partner[last]
        if loser is not None:
            partner[loser] = None
        neighbour: int | None = last
        while neighbour is not None:
            node = reached[neighbour]
            before = partner[node]
            partner[node], partner[neighbour] = neighbour, node
            neighbour = before
