"""Counts of a document with errors corrected."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from operator import neg
from typing import NamedTuple, TypeAlias

from anascore.analysis.error_alignment import CorrectedResponse, as_side, equals_key
from anascore.assignment import Cell, components
from anascore.layers.counts import CountsByScore
from anascore.metrics import METRICS
from anascore.metrics.compare import compare_rows, count_both_ways
from anascore.metrics.overlap import Overlap, SidePair, Tables, plain_tables, tables_of
from anascore.model.ratio import Components, Number, Ratio, RatioPair, add
from anascore.settings import Settings


@dataclass(frozen=True)
class CorrectionCounter:
    """Counts metrics of a document with errors corrected."""

    sides: SidePair
    """The sides before any correction."""

    draft: CorrectedResponse
    """The response before any correction."""

    metrics: tuple[str, ...]
    settings: Settings
    counts: CountsByScore | None = None
    """Counts of the response as it is, if they are known."""

    @cached_property
    def as_it_is(self) -> CountsByScore:
        """The counts of the response as it is."""
        return self._count_tables(self.sides.tables) if self.counts is None else self.counts

    @cached_property
    def perfect(self) -> CountsByScore:
        """The counts of a response that is the same as the key."""
        own = self.sides.tables.from_key
        wholes = {name: [row.whole(own) for row in METRICS[name].rows] for name in self.metrics}
        return {
            name: tuple(RatioPair(Ratio(n, n), Ratio(n, n)) for n in numbers)
            for name, numbers in wholes.items()
        }

    def count_corrected(self, draft: CorrectedResponse) -> CountsByScore:
        """Count the metrics of a draft."""
        key, settings = self.sides.key, self.settings
        if not self.metrics:
            return {}
        if equals_key(key, draft):
            return self.perfect
        if not (draft.elements or self.draft.elements):
            return self._count_changes(draft)
        response, matched = as_side(draft, settings)
        return self._count_tables(tables_of(key, response, matched, settings.lea_importance))

    def _count_tables(self, tables: Tables) -> CountsByScore:
        return {
            name: tuple([row.score for row in compare_rows(METRICS[name], tables, self.settings)])
            for name in self.metrics
        }

    @cached_property
    def _overlap(self) -> PlainOverlap:
        return PlainOverlap(self.sides, self.draft, self.settings)

    @cached_property
    def _numerators(self) -> dict[int, Sequence[Number]]:
        """Numerators of the parts of the overlap that have been counted, by number."""
        return {}

    def _count_changes(self, draft: CorrectedResponse) -> CountsByScore:
        """Count a draft without sets: the parts of the overlap that change, unless most do."""
        overlap, known = self._overlap, self._numerators
        lost, shared = overlap.change(draft)
        if overlap.are_most(lost):
            return self._count_tables(overlap.tables(draft, shared))
        gained = list(overlap.parts_of(draft, shared))
        for number in lost:
            if number not in known:
                known[number] = count_part(self.metrics, overlap.part(number).shape)
        links = overlap.links_between(lost, gained)
        changes = zip(
            *(count_part(self.metrics, part.shape) for part in gained),
            *(map(neg, known[number]) for number in lost),
            strict=True,
        )
        response = overlap.sizes_of(draft)
        counts: dict[str, Components] = {}
        for name in self.metrics:
            pairs = []
            for row, now in zip(METRICS[name].rows, self.as_it_is[name], strict=True):
                across = links if row.across else 0
                recall, precision = next(changes, ()), next(changes, ())
                pairs.append(
                    RatioPair(
                        Ratio(add([now.recall.part, across, *recall]), now.recall.whole),
                        Ratio(add([now.precision.part, across, *precision]), row.whole(response)),
                    )
                )
            counts[name] = tuple(pairs)
        return counts


PartShape: TypeAlias = tuple[
    tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[tuple[Cell, int], ...]
]
"""Sizes and importance of key entities, sizes of response entities, and the numbers of mentions
that they share, by response and key entity."""

MAX_SHAPES = 10_000
"""Maximum number of shapes whose numerators are kept."""

MAX_CELLS = 20
"""Maximum number of pairs of entities in such a shape."""


def count_part(metrics: tuple[str, ...], shape: PartShape) -> Sequence[Number]:
    """Return the numerators of recall and precision, by the components of all metrics.

    Most parts are small and have the same shape as others, which need not be counted again.
    """
    count = _count_once if len(shape[-1]) <= MAX_CELLS else _count_shape
    return count(metrics, shape)


def _count_shape(metrics: tuple[str, ...], shape: PartShape) -> Sequence[Number]:
    own, importance, other, shared = shape
    tables = plain_tables(Overlap(own, importance, (), {}), other, dict(shared))
    pairs = [count_both_ways(row, tables, {}, {}) for name in metrics for row in METRICS[name].rows]
    return [ratio.part for pair in pairs for ratio in (pair.recall, pair.precision)]


_count_once = lru_cache(maxsize=MAX_SHAPES)(_count_shape)


SharedByKeyEntity: TypeAlias = Mapping[int, int]
"""Numbers of mentions that a response entity shares with key entities."""


class OverlapPart(NamedTuple):
    """Entities of key and response that share mentions with each other, and with no others."""

    shared: int
    """Number of mentions in both key and response."""

    shape: PartShape


class PlainOverlap:
    """Overlap of a key with a response without accommodated sets, in connected parts."""

    def __init__(self, sides: SidePair, draft: CorrectedResponse, settings: Settings) -> None:
        """Divide the overlap with a response before any correction into its parts."""
        self._key, self._entity_of = sides.tables.from_key, sides.key.entity_of
        self._draft = draft
        self._least = 1 if settings.singletons else 2
        self._shared = {e: self._shared_by(draft, e) for e in draft.entities}
        self._cells = list(components(_cells(self._shared)))
        numbered = list(enumerate(self._cells))
        self._part_of_response = {e: number for number, cells in numbered for e, _ in cells}
        self._part_of_key = {k: number for number, cells in numbered for _, k in cells}
        self._parts: dict[int, OverlapPart] = {}
        """Parts that have been made, by number."""

        self._size = sum([sum(shared.values()) for shared in self._shared.values()])

    def change(self, draft: CorrectedResponse) -> tuple[list[int], dict[int, SharedByKeyEntity]]:
        """Return the numbers of the parts that a draft has lost, and the entities in their place.

        These are response entities, each with the mentions that it shares with the key.
        """
        before, after = self._draft.entities, draft.entities
        changed = {e for e, numbers in after.items() if before.get(e) is not numbers}
        if draft.counterpart is not self._draft.counterpart:
            known = self._draft.counterpart
            moved = {n for n, k in draft.counterpart.items() if known.get(n) != k}
            changed |= {e for e, numbers in after.items() if not moved.isdisjoint(numbers)}
        shared = {e: self._shared_by(draft, e) for e in changed}
        changed |= before.keys() - after.keys()
        lost = {self._part_of_response[e] for e in changed if e in self._part_of_response}
        for own in shared.values():
            lost |= {self._part_of_key[k] for k in own if k in self._part_of_key}
        for number in lost:
            cells = self._cells[number]
            shared |= {e: self._shared[e] for e, _ in cells if e not in changed}
        return [*lost], shared

    def are_most(self, numbers: Sequence[int]) -> bool:
        """Return True if parts with these numbers have most pairs of entities of the overlap."""
        return 2 * sum(len(self._cells[number]) for number in numbers) > sum(map(len, self._cells))

    def tables(self, draft: CorrectedResponse, changed: Mapping[int, SharedByKeyEntity]) -> Tables:
        """Return the tables of a draft, given what is in the place of lost parts."""
        entities = [e for e, numbers in draft.entities.items() if len(numbers) >= self._least]
        shared = {
            (position, k): n
            for position, e in enumerate(entities)
            for k, n in (changed[e] if e in changed else self._shared[e]).items()
        }
        return plain_tables(self._key, [len(draft.entities[e]) for e in entities], shared)

    def parts_of(
        self, draft: CorrectedResponse, shared: Mapping[int, SharedByKeyEntity]
    ) -> Iterator[OverlapPart]:
        """Yield the parts that entities of a draft make, given the mentions that they share."""
        return (self._part(draft, shared, cells) for cells in components(_cells(shared)))

    def links_between(self, lost: Sequence[int], gained: Sequence[OverlapPart]) -> int:
        """Return the number of links between parts that a change of parts adds."""
        before = [self.part(number).shared for number in lost]
        after = [part.shared for part in gained]
        others = self._size - sum(before)
        return _links_among([*after, others]) - _links_among([*before, others])

    def sizes_of(self, draft: CorrectedResponse) -> Overlap:
        """Return the sizes of all entities of a draft, without the mentions that they share."""
        sizes = [size for size in map(len, draft.entities.values()) if size >= self._least]
        return Overlap(sizes, [1] * len(sizes), (), {})

    def _shared_by(self, draft: CorrectedResponse, e: int) -> SharedByKeyEntity:
        """Count the mentions that an entity shares with the key; none if it does not count."""
        numbers, counterpart, entity_of = draft.entities[e], draft.counterpart, self._entity_of
        shared: dict[int, int] = {}
        if len(numbers) >= self._least:
            for n in numbers:
                if n in counterpart:
                    k = entity_of[counterpart[n]]
                    shared[k] = shared.get(k, 0) + 1
        return shared

    def part(self, number: int) -> OverlapPart:
        """Return a part of the overlap before any correction."""
        if number not in self._parts:
            self._parts[number] = self._part(self._draft, self._shared, self._cells[number])
        return self._parts[number]

    def _part(
        self,
        draft: CorrectedResponse,
        shared: Mapping[int, SharedByKeyEntity],
        cells: Sequence[Cell],
    ) -> OverlapPart:
        """Return the part that has these cells, given the mentions that entities share."""
        responses, keys = (sorted({*entities}) for entities in zip(*cells, strict=True))
        position = {k: number for number, k in enumerate(keys)}
        numbers = [
            ((number, position[k]), n)
            for number, e in enumerate(responses)
            for k, n in shared[e].items()
        ]
        own, importance, entities = self._key.own, self._key.importance, draft.entities
        return OverlapPart(
            sum([n for _, n in numbers]),
            (
                tuple([own[k] for k in keys]),
                tuple([importance[k] for k in keys]),
                tuple([len(entities[e]) for e in responses]),
                tuple(numbers),
            ),
        )


def _cells(shared: Mapping[int, SharedByKeyEntity]) -> list[Cell]:
    """Return the cells of response and key entities that share mentions."""
    return [(e, k) for e, own in shared.items() for k in own]


def _links_among(sizes: Sequence[int]) -> int:
    """Return the number of pairs of mentions in different parts of these sizes."""
    return (sum(sizes) ** 2 - sum([size * size for size in sizes])) // 2
