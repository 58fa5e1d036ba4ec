"""LEA for split antecedents by Yu et al. (2021)."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from anascore.assignment import Cell
from anascore.choice import first_of_the_best
from anascore.comparison import Comparison
from anascore.metrics import METRICS
from anascore.ratio import Ratio, Rows, Score
from anascore.scoring import count_both_ways
from anascore.side import Side


def lea_2021(c: Comparison) -> tuple[Rows, Rows]:
    """Count LEA, and the elements of accommodated sets alone.

    Entities without a set are aligned first, by CEAF-E. A set is then aligned with the one that
    has the most elements in common, whether or not another is aligned with it, too.
    """
    common = elements_in_common(c)
    shared = c.tables.from_key.shared
    from_key = _largest(common, shared)
    from_response = _largest(_swapped(common), _swapped(shared))
    recall, precision = (
        {cell: Fraction(number, len(side.entities[cell[0]].elements)) for cell, number in found}
        for side, found in ((c.key, from_key.items()), (c.response, from_response.items()))
    )
    score = count_both_ways(METRICS["lea"].rows[0], c.tables, recall, precision)
    return (score,), (Score(_counted(c.key, from_key), _counted(c.response, from_response)),)


def elements_in_common(c: Comparison) -> dict[Cell, int]:
    """Count for each pair of sets the elements that are aligned with each other."""
    shared = c.tables.from_key.shared
    entities = c.key.entities, c.response.entities
    similarity = {
        (i, j): Fraction(2 * n, len(entities[0][i].mentions) + len(entities[1][j].mentions))
        for (i, j), n in shared.items()
        if not entities[0][i].is_set and not entities[1][j].is_set
    }
    aligned = dict(first_of_the_best(similarity))
    holding: dict[int, list[int]] = {}
    for j, entity in enumerate(c.response.entities):
        for element in entity.elements:
            holding.setdefault(element, []).append(j)
    common: dict[Cell, int] = {}
    for i, entity in enumerate(c.key.entities):
        for element in entity.elements:
            for j in holding.get(aligned.get(element, -1), ()):
                if entities[1][j].relation == entity.relation:
                    common[i, j] = common.get((i, j), 0) + 1
    return common


def _largest(common: Mapping[Cell, int], shared: Mapping[Cell, int]) -> dict[Cell, int]:
    """Choose for each own set the other one with the most in common.

    Of several it is the one whose entity shares more mentions, then the earlier.
    """
    best: dict[int, Cell] = {}
    for cell in sorted(common):
        other = best.get(cell[0])
        rank = common[cell], shared.get(cell, 0)
        if other is None or rank > (common[other], shared.get(other, 0)):
            best[cell[0]] = cell
    return {cell: common[cell] for cell in best.values()}


def _counted(side: Side, common: Mapping[Cell, int]) -> Ratio:
    """Count the elements in common out of all elements of a side."""
    return Ratio(sum(common.values()), sum(len(entity.elements) for entity in side.entities))


def _swapped(cells: Mapping[Cell, int]) -> dict[Cell, int]:
    return {(j, i): number for (i, j), number in cells.items()}
