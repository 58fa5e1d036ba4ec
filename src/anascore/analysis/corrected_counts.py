"""Counts of a document with errors corrected."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

from anascore.analysis.error_alignment import CorrectedResponse, as_side, equals_key
from anascore.assignment import components
from anascore.layers.counts import CountsByScore
from anascore.metrics import MEANS, METRICS, count_scores
from anascore.metrics.compare import compare_rows
from anascore.metrics.overlap import Overlap, SidePair, Tables, plain_tables, tables_of
from anascore.model.ratio import Components, Ratio, RatioPair, add
from anascore.settings import Settings


@dataclass(frozen=True)
class CorrectionCounter:
    """Counts the scores of a document with errors corrected."""

    sides: SidePair
    """The sides before any correction."""

    draft: CorrectedResponse
    """The response before any correction."""

    reported: Collection[str]
    settings: Settings
    counts: CountsByScore | None = None
    """Counts of the response as it is, if they are known."""

    @cached_property
    def metrics(self) -> list[str]:
        """The metrics to count, if nothing else is reported: these need no side, only tables."""
        parts = {part for name in self.reported for part in MEANS.get(name, (name,))}
        return [name for name in METRICS if name in parts] if parts <= METRICS.keys() else []

    @cached_property
    def as_it_is(self) -> CountsByScore:
        """The counts of the response as it is."""
        return self._count(self.sides) if self.counts is None else self.counts

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
        """Count the scores of a draft."""
        key, settings = self.sides.key, self.settings
        if self.metrics and equals_key(key, draft):
            return self.perfect
        if self.metrics and not (draft.elements or self.draft.elements):
            return self._count_changes(draft)
        response, matched = as_side(draft, settings)
        tables = tables_of(key, response, matched, settings.lea_importance)
        if self.metrics:
            return self._count_tables(tables)
        return self._count(SidePair(key, response, matched, tables))

    def _count(self, sides: SidePair) -> CountsByScore:
        counts = count_scores(sides, self.reported, self.settings)
        return {name: count.scores for name, count in counts.items()}

    def _count_tables(self, tables: Tables) -> CountsByScore:
        return {
            name: tuple([row.score for row in compare_rows(METRICS[name], tables, self.settings)])
            for name in self.metrics
        }

    @cached_property
    def _overlap(self) -> PlainOverlap:
        return PlainOverlap(self.sides, self.draft, self.settings)

    @cached_property
    def _counts_of_parts(self) -> dict[int, CountsByScore]:
        """Counts of parts of the overlap, by number; a part is counted when it is needed."""
        return {}

    def _count_changes(self, draft: CorrectedResponse) -> CountsByScore:
        """Count a draft without sets. Only the parts of the overlap that change are counted."""
        overlap, known = self._overlap, self._counts_of_parts
        replaced, part = overlap.change(draft)
        for number in replaced:
            if number not in known:
                tables = overlap.tables(self.draft, overlap.parts[number])
                known[number] = self._count_tables(tables)
        new, lost = self._count_tables(overlap.tables(draft, part)), [known[n] for n in replaced]
        links, response = overlap.links_across(replaced, part), overlap.response(draft)
        counts: dict[str, Components] = {}
        for name in self.metrics:
            changes = zip(
                METRICS[name].rows,
                self.as_it_is[name],
                new[name],
                *(one[name] for one in lost),
                strict=True,
            )
            counts[name] = tuple(
                _replace(pair, gained, before, links if row.across else 0, row.whole(response))
                for row, pair, gained, *before in changes
            )
        return counts


def _replace(
    pair: RatioPair, gained: RatioPair, lost: Sequence[RatioPair], links: int, whole: int
) -> RatioPair:
    """Replace counts of parts by others; add links, and put in the new size of the response."""
    recall = add([pair.recall.part, gained.recall.part, links])
    precision = add([pair.precision.part, gained.precision.part, links])
    return RatioPair(
        Ratio(recall - add([one.recall.part for one in lost]), pair.recall.whole),
        Ratio(precision - add([one.precision.part for one in lost]), whole),
    )


SharedByEntity: TypeAlias = Mapping[int, int]
"""Numbers of mentions that a response entity shares with key entities."""


class OverlapPart(NamedTuple):
    """Entities of key and response that share mentions with each other, and with no others."""

    keys: AbstractSet[int]
    responses: Mapping[int, SharedByEntity]

    @property
    def shared(self) -> int:
        """Number of mentions that key and response share."""
        return sum(sum(shared.values()) for shared in self.responses.values())


class PlainOverlap:
    """Overlap of a key with a response without accommodated sets, in connected parts."""

    def __init__(self, sides: SidePair, draft: CorrectedResponse, settings: Settings) -> None:
        """Find the parts of the overlap with a response before any correction."""
        self._own, self._entity_of = sides.tables.from_key, sides.key.entity_of
        self._draft = draft
        self._least = 1 if settings.singletons else 2
        self.parts: list[OverlapPart] = []
        """The parts of the overlap."""

        self._part_of_key: dict[int, int] = {}
        self._part_of_response: dict[int, int] = {}
        responses = {e: self._shared(draft, e) for e in draft.entities}
        cells = ((k, e) for e, shared in responses.items() for k in shared)
        for number, part in enumerate(components(cells)):
            keys, own = {k for k, _ in part}, {e for _, e in part}
            self._part_of_key |= dict.fromkeys(keys, number)
            self._part_of_response |= dict.fromkeys(own, number)
            self.parts.append(OverlapPart(keys, {e: responses[e] for e in own}))

    def _shared(self, draft: CorrectedResponse, e: int) -> SharedByEntity:
        """Count the mentions that an entity of a draft shares; none if it is left out."""
        numbers, counterpart, entity_of = draft.entities[e], draft.counterpart, self._entity_of
        shared: dict[int, int] = {}
        if len(numbers) >= self._least:
            for n in numbers:
                if n in counterpart:
                    k = entity_of[counterpart[n]]
                    shared[k] = shared.get(k, 0) + 1
        return shared

    def change(self, draft: CorrectedResponse) -> tuple[list[int], OverlapPart]:
        """Return the numbers of the parts that a correction changes, and what replaces them."""
        before, after = self._draft.entities, draft.entities
        changed = {e for e, numbers in after.items() if before.get(e) is not numbers}
        if draft.counterpart is not self._draft.counterpart:
            known = self._draft.counterpart
            moved = {n for n, k in draft.counterpart.items() if known.get(n) != k}
            changed |= {e for e, numbers in after.items() if not moved.isdisjoint(numbers)}
        responses = {e: self._shared(draft, e) for e in changed}
        keys = {k for shared in responses.values() for k in shared}
        changed |= before.keys() - after.keys()
        replaced = {self._part_of_response[e] for e in changed & self._part_of_response.keys()}
        replaced |= {self._part_of_key[k] for k in keys & self._part_of_key.keys()}
        for number in replaced:
            part = self.parts[number]
            keys |= part.keys
            responses |= {e: own for e, own in part.responses.items() if e not in changed}
        return sorted(replaced), OverlapPart(keys, {e: s for e, s in responses.items() if s})

    def tables(self, draft: CorrectedResponse, part: OverlapPart) -> Tables:
        """Return the tables of a part of the overlap with a draft."""
        own, importance = self._own.own, self._own.importance
        position = {k: i for i, k in enumerate(part.keys)}
        shared = {
            (j, position[k]): n
            for j, of_entity in enumerate(part.responses.values())
            for k, n in of_entity.items()
        }
        keys = Overlap([own[k] for k in part.keys], [importance[k] for k in part.keys], (), {})
        return plain_tables(keys, [len(draft.entities[e]) for e in part.responses], shared)

    def response(self, draft: CorrectedResponse) -> Overlap:
        """Return the sizes of all entities of a draft, without the mentions that they share."""
        sizes = [size for size in map(len, draft.entities.values()) if size >= self._least]
        return Overlap(sizes, [1] * len(sizes), (), {})

    def links_across(self, replaced: Sequence[int], part: OverlapPart) -> int:
        """Return the number of links between parts that are gained if one replaces others."""
        lost = [self.parts[number].shared for number in replaced]
        others = sum(one.shared for one in self.parts) - sum(lost)
        between = (sum(lost) ** 2 - sum(n * n for n in lost)) // 2
        return (part.shared - sum(lost)) * others - between
