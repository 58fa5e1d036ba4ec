"""Entities: the layers of identity and of discourse deixis, by the six metrics."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

from anascore.annotation import dependencies_for
from anascore.classes import places_of_class
from anascore.layers.anaphors import decomposable
from anascore.layers.counted import Counted, count_matched, found
from anascore.layers.mentions import overlap_ratio
from anascore.matching import match_mentions
from anascore.mention import Mention
from anascore.metrics import METRICS, needed
from anascore.model import Document, Entity
from anascore.normalise import normalise
from anascore.ratio import Rows
from anascore.scoring import compare
from anascore.settings import Settings
from anascore.side import Side
from anascore.tables import tables_of

HEADLESS = "mentions of several words without a head, which match only the same without one"


def identity_of(document: Document, key: Document, settings: Settings) -> Side:
    """Take the entities of a document."""
    return _side(document, document.entities, key, settings)


def deixis_of(document: Document, key: Document, settings: Settings) -> Side:
    """Take the entities of discourse deixis."""
    return _side(document, document.deixis, key, settings)


def _side(
    document: Document, entities: Sequence[Entity[Mention]], key: Document, settings: Settings
) -> Side:
    """Bring entities into the form in which they are compared, with all that goes with them."""
    side = normalise(entities, settings)
    by_head = settings.match == "head"
    headless = sum(m.size > 1 and m.head is None for m in side.mentions) if by_head else 0
    return replace(
        side,
        dependencies=dependencies_for(document, settings),
        anaphors=places_of_class(document, entities, key, settings),
        notes={**document.notes, **side.notes, HEADLESS: headless},
    )


def count_entities(
    key: Side, response: Side, reported: Collection[str], settings: Settings
) -> Counted:
    """Match the mentions of a document, and compare its entities by each of the metrics."""
    matched = match_mentions(key.mentioned, response.mentioned, settings)
    tables = tables_of(key, response, matched, settings.lea_importance)
    compared = {name: compare(METRICS[name], tables, settings) for name in needed(reported)}
    beside: dict[str, Rows] = {
        "mentions": found(len(matched), len(key.mentions), len(response.mentions))
    }
    if "mor" in reported:
        beside["mor"] = overlap_ratio(key.mentions, response.mentions)
    if "anaphors" in reported:
        beside["anaphors"] = decomposable(key, response, matched)
    return Counted(
        key.sizes,
        response.sizes,
        count_matched(key.mentions, response.mentions, matched),
        {**{name: rows.scores for name, rows in compared.items()}, **beside},
        {name: rows.split_only for name, rows in compared.items()},
    )
