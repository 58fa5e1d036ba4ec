"""Entities: the layers of identity and of discourse deixis, by the six metrics."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from anascore.layers.breakdown import break_down
from anascore.layers.counts import MISSING, LayerCounts, count_matched
from anascore.matching import match_mentions
from anascore.metrics import METRICS, needed
from anascore.metrics.compare import compare
from anascore.metrics.earlier import count_proposals
from anascore.metrics.earlier_links import success
from anascore.metrics.mentions import decomposable, overlap_ratio
from anascore.metrics.overlap import Comparison, tables_of
from anascore.model.document import Document
from anascore.model.ratio import Components, shared_score
from anascore.prepare.anaphor_classes import EntityLayer, class_members
from anascore.prepare.breakdown import classes_of
from anascore.prepare.normalise import normalise
from anascore.prepare.side import Side, dependencies_for
from anascore.settings import Settings

WITHOUT_HEAD = "mentions of several words without a head, which match only the same without one"
WITHOUT_MINIMUM_SPAN = "mentions of several words without a minimum span, which match only exactly"
UNKNOWN_CLASS = (
    "mentions of which nothing tells whether they are in the class of anaphors, taken as not"
)


def identity_of(document: Document, key: Document, settings: Settings) -> Side:
    """Take the entities of a document."""
    return _side(EntityLayer(document, document.entities), EntityLayer(key, key.entities), settings)


def deixis_of(document: Document, key: Document, settings: Settings) -> Side:
    """Take the entities of discourse deixis."""
    side = _side(EntityLayer(document, document.deixis), EntityLayer(key, key.deixis), settings)
    candidates = {
        shared_score.anaphor.place: [mention.place for mention in shared_score.ranked]
        for shared_score in document.candidates
    }
    return replace(side, candidates=candidates)


def _side(own: EntityLayer, key: EntityLayer, settings: Settings) -> Side:
    """Bring entities into the form in which they are compared, with all that goes with them."""
    side = normalise(own.entities, settings)
    anaphors, unknown = class_members(side, own, key, settings)
    notes = {**own.document.notes, **side.notes, UNKNOWN_CLASS: unknown}
    if settings.match == "head":
        notes[WITHOUT_HEAD] = sum(m.size > 1 and m.head is None for m in side.mentions)
    if settings.match == "partial" and own.document is key.document:
        notes[WITHOUT_MINIMUM_SPAN] = sum(
            m.size > 1 and m.required_part is None for m in side.mentions
        )
    return replace(
        side,
        dependencies=dependencies_for(own.document, settings),
        anaphors=anaphors,
        classes=classes_of(side, own, key, settings),
        notes=notes,
    )


def compare_identity(key: Document, response: Document | None, settings: Settings) -> Comparison:
    """Compare the entities of a document; one that is missing has none."""
    if response is None:
        other = Side(documents=0, notes=MISSING)
    else:
        other = identity_of(response, key, settings)
    return compare_sides(identity_of(key, key, settings), other, settings)


def compare_sides(key: Side, response: Side, settings: Settings) -> Comparison:
    """Match the mentions of two sides, and count what their entities share."""
    matched = match_mentions(key, response, settings)
    tables = tables_of(key, response, matched, settings.lea_importance)
    return Comparison(key, response, matched, tables)


def count_entities(
    key: Side, response: Side, reported: Collection[str], settings: Settings
) -> LayerCounts:
    """Match the mentions of a document, and compare its entities by each of the metrics."""
    comparison = compare_sides(key, response, settings)
    matched, tables = comparison.matched, comparison.tables
    compared = {name: compare(METRICS[name], tables, settings) for name in needed(reported)}
    sizes = len(key.mentions), len(response.mentions)
    beside: dict[str, Components] = {"mentions": shared_score(len(matched), *sizes)}
    if "mor" in reported:
        beside["mor"] = overlap_ratio(key.mentions, response.mentions)
    if "anaphors" in reported:
        beside["anaphors"] = decomposable(key, response, matched)
    beside |= success(key, response, reported)
    proposed = count_proposals(comparison, reported)
    scores = {name: rows.scores for name, rows in compared.items()}
    scores |= {**beside, **proposed.scores}
    return LayerCounts(
        key=key.sizes,
        response=response.sizes,
        matching=count_matched(key, response, matched, sizes),
        scores=scores,
        split_only={
            **{name: rows.split_only for name, rows in compared.items()},
            **proposed.split_only,
        },
        by_relation={
            relation: {name: rows.by_relation[relation] for name, rows in compared.items()}
            for relation in tables.relations
        },
        breakdown=break_down(comparison, scores, settings),
    )
