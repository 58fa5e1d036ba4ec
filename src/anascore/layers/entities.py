"""Entities: the layers of identity and of discourse deixis."""

from __future__ import annotations

from collections.abc import Collection

from anascore.layers.class_scores import break_down
from anascore.layers.counts import LayerCounts, add_up, count_matched, count_shifted, few_match
from anascore.layers.document import DocumentComparison
from anascore.layers.windows import CutDocument
from anascore.matching import only_identical_match
from anascore.metrics.overlap import ComparedSides
from anascore.metrics.scores import count_scores
from anascore.model.mention import place_of
from anascore.settings import Settings


def count_identity(pair: DocumentComparison, reported: Collection[str]) -> LayerCounts:
    """Count the requested scores of the identity layer in one document."""
    if pair.settings.window:
        return count_windows(pair.cut_identity, reported, pair.settings)
    return count_entities(pair.identity, reported, pair.settings)


def count_deixis(pair: DocumentComparison, reported: Collection[str]) -> LayerCounts:
    """Count the requested scores of the discourse-deixis layer in one document."""
    if pair.settings.window:
        return count_windows(pair.cut_deixis, reported, pair.settings)
    return count_entities(pair.discourse_deixis, reported, pair.settings)


def count_windows(cut: CutDocument, reported: Collection[str], settings: Settings) -> LayerCounts:
    """Add up the counts of a document's windows."""
    return add_up(count_entities(window.sides, reported, settings) for window in cut.windows)


def count_entities(
    sides: ComparedSides, reported: Collection[str], settings: Settings
) -> LayerCounts:
    """Count the scores to report, and mention detection in any case."""
    counts = count_scores(sides, {*reported, "mentions"}, settings)
    scores = {name: count.scores for name, count in counts.items()}
    key, response = sides.key, sides.response
    places, other_places = ([*map(place_of, side.unique_mentions)] for side in (key, response))
    matching = count_matched(
        key,
        response,
        sides.matched,
        (len(places), len(other_places)),
        identical=only_identical_match(settings),
    )
    few = few_match(matching["exactly"] + matching["as_zeros"], len(places), len(other_places))
    return LayerCounts(
        key=key.sizes,
        response=response.sizes,
        matching=matching,
        scores=scores,
        split_only={
            name: count.split_only for name, count in counts.items() if count.split_only is not None
        },
        by_relation={
            relation: {
                name: count.by_relation[relation]
                for name, count in counts.items()
                if relation in count.by_relation
            }
            for relation in sides.overlaps.relations
        },
        breakdown=break_down(sides, scores, settings) if settings.by else {},
        shifted=count_shifted(places, other_places) if few else {},
    )
