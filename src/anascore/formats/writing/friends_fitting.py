"""What of a document the Friends format can hold, in which only labels tell entities and sets."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import replace

from anascore.formats.reading.friends import GENERIC
from anascore.formats.writing.naming import legal_names
from anascore.mapping import map_mentions
from anascore.mention import Mention
from anascore.model import Document

_ILLEGAL = re.compile("|".join(sorted(GENERIC)))


def fit_friends(document: Document, lost: Counter[str]) -> Document:
    """Take out mentions longer than a sentence; make one entity of those with equal sets."""
    starts = document.sentences

    def change(mention: Mention) -> Mention | None:
        start, end = mention.words[0]
        if bisect_right(starts, start) == bisect_right(starts, end - 1):
            return mention
        lost["mentions that go beyond a sentence"] += 1
        return None

    return _named(_merged(map_mentions(document, change), lost))


def _merged(document: Document, lost: Counter[str]) -> Document:
    """Make one entity of those that have the same accommodated set."""
    first: dict[frozenset[int], int] = {}
    kept: dict[int, list[Mention]] = {}
    for position, entity in enumerate(document.entities):
        elements = frozenset(entity.elements)
        owner = first.setdefault(elements, position) if elements else position
        kept.setdefault(owner, []).extend(entity.mentions)
    lost["entities with an accommodated set that another one has, too"] += len(
        document.entities
    ) - len(kept)
    positions = {old: new for new, old in enumerate(kept)}
    entities = tuple(
        replace(
            document.entities[old],
            mentions=tuple(mentions),
            elements=tuple(positions[e] for e in document.entities[old].elements),
            attributes=(),
        )
        for old, mentions in kept.items()
    )
    return replace(document, entities=entities)


def _named(document: Document) -> Document:
    """Give each entity a label of its own; a generic one only if it is no element."""
    elements = {element for entity in document.entities for element in entity.elements}
    generic: dict[str, int] = {}
    for position, entity in enumerate(document.entities):
        if entity.name in GENERIC and position not in elements and not entity.elements:
            generic.setdefault(entity.name, position)
    kept = set(generic.values())
    others = [e.name for position, e in enumerate(document.entities) if position not in kept]
    labels = iter(legal_names(others, _ILLEGAL, "Character "))
    entities = (
        entity if position in kept else replace(entity, name=next(labels))
        for position, entity in enumerate(document.entities)
    )
    return replace(document, entities=tuple(entities))
