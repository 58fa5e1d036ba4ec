"""Shares: what each entity adds to a metric's count, for explanations."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeAlias

from anascore.metrics.ceaf import Similarity, aligned
from anascore.metrics.overlap import Count, Overlap
from anascore.model.ratio import Number, Ratio

Shape: TypeAlias = tuple[Any, ...]
"""An own entity's size and importance; then, for each of its cells, the other entity's size, the
mentions shared, and the credit."""

MAX_SHAPES = 10_000
"""Maximum number of cached counts of single entities."""

Partners: TypeAlias = tuple[int, ...]
"""Positions of other entities, in order."""


@dataclass(frozen=True)
class OwnEntities:
    """Own entities of an overlap, which any number of metrics can count one by one."""

    overlap: Overlap
    chosen: Sequence[int] | None = None
    """Positions of the entities to count; None for all."""

    @property
    def numbers(self) -> Sequence[int]:
        """Positions of the entities to count."""
        return range(len(self.overlap.own)) if self.chosen is None else self.chosen

    @cached_property
    def cells(self) -> list[list[tuple[int, int, Number]]]:
        """The cells of each entity: other entity, mentions shared, credit."""
        cells: dict[int, list[tuple[int, int, Number]]] = {i: [] for i in self.numbers}
        for (i, j), n, credit in self.overlap.cells():
            if i in cells:
                cells[i].append((j, n, credit))
        return [*cells.values()]

    @cached_property
    def partners(self) -> list[Partners]:
        """The other entities that overlap each entity."""
        return [tuple(sorted([j for j, _, _ in cells])) for cells in self.cells]

    @cached_property
    def shapes(self) -> tuple[list[int], list[Shape]]:
        """The number of each entity's shape, and the shapes.

        Most entities share their shape with others, which need not be counted again.
        """
        o = self.overlap
        numbers: dict[Shape, int] = {}
        of_entities = []
        for i, cells in zip(self.numbers, self.cells, strict=True):
            others = [(o.other[j], n, credit) for j, n, credit in cells]
            shape = o.own[i], o.importance[i], *others
            of_entities.append(numbers.setdefault(shape, len(numbers)))
        return of_entities, [*numbers]


class EntityShares(NamedTuple):
    """What own entities add to a count, in their order."""

    partners: Sequence[Partners]
    """The other entities that each entity overlaps, or is aligned with."""

    ratios: Sequence[Ratio | None]
    """What each entity adds; None if the metric does not count single entities."""


ShareRule: TypeAlias = Callable[[Count, OwnEntities], EntityShares]
"""Divides a count among the own entities."""


def each_alone(count: Count, entities: OwnEntities) -> EntityShares:
    """Count each own entity separately, for metrics that are sums over own entities."""
    of_entities, shapes = entities.shapes
    ratios = [_count_shape(count, shape) for shape in shapes]
    return EntityShares(entities.partners, [ratios[number] for number in of_entities])


@lru_cache(maxsize=MAX_SHAPES)
def _count_shape(count: Count, shape: Shape) -> Ratio:
    """Count one own entity; the cache serves all entities of the same shape."""
    size, importance, *cells = shape
    return count(
        Overlap(
            [size],
            [importance],
            [other for other, _, _ in cells],
            {(0, j): n for j, (_, n, _) in enumerate(cells) if n},
            {(0, j): credit for j, (_, _, credit) in enumerate(cells) if credit},
        )
    )


def each_with_partner(
    similarity: Callable[[Overlap], Similarity], whole_of: Callable[[int], int]
) -> ShareRule:
    """Make the rule for metrics that align entities: an entity adds its φ with its partner.

    `whole_of` maps an entity's size to what it adds to the denominator.
    """

    def share(_: Count, entities: OwnEntities) -> EntityShares:
        o = entities.overlap
        partners = {i: (j, phi) for (i, j), phi in aligned(similarity(o)).items()}
        # Most entities have the same φ and the same size as others.
        ratios: dict[tuple[tuple[Number, int] | None, int], Ratio] = {}
        shares = []
        for i in entities.numbers:
            size = o.own[i]
            j, phi = partners.get(i, (None, None))
            if (phi, size) not in ratios:
                ratios[phi, size] = Ratio(Fraction(*phi) if phi else 0, whole_of(size))
            shares.append(((() if j is None else (j,)), ratios[phi, size]))
        return EntityShares([own for own, _ in shares], [ratio for _, ratio in shares])

    return share


def of_no_entity(_: Count, entities: OwnEntities) -> EntityShares:
    """Return partners without shares, for counts of links between entities."""
    return EntityShares(entities.partners, [None] * len(entities.partners))
