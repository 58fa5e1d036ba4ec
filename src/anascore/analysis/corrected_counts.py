"""Counts of a document after correcting errors."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from anascore.analysis.error_alignment import CorrectedResponse, as_side, equals_key
from anascore.layers.counts import CountsByScore
from anascore.metrics.metric import score_components
from anascore.metrics.overlap import ComparedSides, Overlaps, overlaps_of, plain_overlaps
from anascore.metrics.scores import METRICS
from anascore.model.ratio import Ratio, RatioPair
from anascore.settings import Settings


@dataclass(frozen=True)
class CorrectionCounter:
    """Counts the metrics of a document after correcting errors."""

    sides: ComparedSides
    """The sides before any correction."""

    metrics: tuple[str, ...]
    settings: Settings
    counts: CountsByScore | None = None
    """Counts of the uncorrected response, if they are known."""

    @cached_property
    def as_it_is(self) -> CountsByScore:
        """The counts of the uncorrected response."""
        return self._count_tables(self.sides.overlaps) if self.counts is None else self.counts

    @cached_property
    def perfect(self) -> CountsByScore:
        """The counts of a response that equals the key."""
        own = self.sides.overlaps.from_key
        wholes = {name: [row.whole(own) for row in METRICS[name].rows] for name in self.metrics}
        return {
            name: tuple(RatioPair(Ratio(n, n), Ratio(n, n)) for n in numbers)
            for name, numbers in wholes.items()
        }

    def count_corrected(self, draft: CorrectedResponse) -> CountsByScore:
        """Count the metrics of a draft."""
        key = self.sides.key
        if not self.metrics:
            return {}
        if equals_key(key, draft):
            return self.perfect
        if not draft.elements:
            return self._count_tables(self._tables_without_sets(draft))
        response, matched = as_side(draft, self.settings)
        return self._count_tables(overlaps_of(key, response, matched, self.settings.lea_importance))

    def _tables_without_sets(self, draft: CorrectedResponse) -> Overlaps:
        least = 1 if self.settings.singletons else 2
        entities = [numbers for numbers in draft.entities.values() if len(numbers) >= least]
        entity_of, counterpart = self.sides.key.entity_of, draft.counterpart
        shared = {
            (position, k): n
            for position, numbers in enumerate(entities)
            for k, n in Counter(
                entity_of[counterpart[number]] for number in numbers if number in counterpart
            ).items()
        }
        overlaps = self.sides.overlaps
        return plain_overlaps(
            overlaps.from_key,
            [len(numbers) for numbers in entities],
            shared,
            overlaps.key_sets,
            overlaps.key_relations,
        )

    def _count_tables(self, overlaps: Overlaps) -> CountsByScore:
        return {
            name: tuple(
                [row.score for row in score_components(METRICS[name], overlaps, self.settings)]
            )
            for name in self.metrics
        }
