"""Shares: the part of a metric's count that each entity adds, for explanations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from anascore.metrics.ceaf import Similarity, aligned
from anascore.metrics.overlap import Count, Overlap
from anascore.model.ratio import Number, Ratio


class EntityShare(NamedTuple):
    """The part of a count that an own entity adds."""

    partners: list[int]
    """Positions of the other entities that it overlaps."""

    ratio: Ratio | None
    """The part; None if the metric does not count single entities."""


ShareRule: TypeAlias = Callable[[Count, Overlap], list[EntityShare]]
"""Divides a count among the own entities, in their order."""


def each_alone(count: Count, o: Overlap) -> list[EntityShare]:
    """Count each own entity by itself, for metrics that are sums over own entities."""
    # Most entities have the same size and overlap as others, which need not be counted again.
    counted: dict[tuple[object, ...], Ratio] = {}
    shares = []
    for i, cells in enumerate(_cells_of_own(o)):
        shape = o.own[i], o.importance[i], *((o.other[j], n, credit) for j, n, credit in cells)
        if shape not in counted:
            counted[shape] = count(_alone(o, i, cells))
        shares.append(EntityShare([j for j, _, _ in cells], counted[shape]))
    return shares


def each_with_partner(
    similarity: Callable[[Overlap], Similarity], whole_of: Callable[[int], int]
) -> ShareRule:
    """Return the rule for metrics that align entities: an entity adds its φ with its partner.

    `whole_of` maps the size of an entity to what it adds to the denominator.
    """

    def share(_: Count, o: Overlap) -> list[EntityShare]:
        partners = {i: (j, phi) for (i, j), phi in aligned(similarity(o)).items()}
        shares = []
        for i, size in enumerate(o.own):
            whole = whole_of(size)
            if i in partners:
                j, (numerator, denominator) = partners[i]
                shares.append(EntityShare([j], Ratio(Fraction(numerator, denominator), whole)))
            else:
                shares.append(EntityShare([], Ratio(0, whole)))
        return shares

    return share


def of_no_entity(_: Count, o: Overlap) -> list[EntityShare]:
    """Return partners without shares, for counts of links between entities."""
    return [EntityShare([j for j, _, _ in cells], None) for cells in _cells_of_own(o)]


def _cells_of_own(o: Overlap) -> list[list[tuple[int, int, Number]]]:
    """Return the cells of each own entity: other entity, mentions shared, credit."""
    cells: list[list[tuple[int, int, Number]]] = [[] for _ in o.own]
    for i, j, n, credit in o.cells():
        cells[i].append((j, n, credit))
    return cells


def _alone(o: Overlap, i: int, cells: Sequence[tuple[int, int, Number]]) -> Overlap:
    """Return the overlap of one own entity, with these cells."""
    return Overlap(
        [o.own[i]],
        [o.importance[i]],
        o.other,
        {(0, j): n for j, n, _ in cells if n},
        {(0, j): credit for j, _, credit in cells if credit},
    )
