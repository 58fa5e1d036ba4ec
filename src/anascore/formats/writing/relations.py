"""Sets, types and bridging in the form in which a format can hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from anascore.elements import atomic_elements
from anascore.formats.reading.bridging import anchor_before
from anascore.formats.writing.capacity import Capacity
from anascore.mention import Mention
from anascore.model import Bridge, Document, NonReferring


def fit_sets(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out accommodated sets, or replace sets that are elements by their own elements."""
    sets = sum(bool(entity.elements) for entity in document.entities)
    if not sets or capacity.sets == "nested":
        return document
    if capacity.sets == "no":
        lost["accommodated sets"] += sets
        elements: Sequence[frozenset[int]] = [frozenset()] * len(document.entities)
    else:
        elements = atomic_elements([entity.elements for entity in document.entities])
        lost["accommodated sets of sets, whose atomic elements are kept"] += sum(
            set(entity.elements) != atoms
            for entity, atoms in zip(document.entities, elements, strict=True)
        )
    entities = tuple(
        replace(entity, elements=tuple(sorted(found)))
        for entity, found in zip(document.entities, elements, strict=True)
    )
    return replace(document, entities=entities)


def fit_nonreferring(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out non-referring mentions, or give their types numbers."""
    found = document.nonreferring
    if capacity.nonreferring == "no":
        lost["non-referring mentions"] += len(found)
        return replace(document, nonreferring=())
    if capacity.nonreferring == "named":
        return document
    named = sorted({one.type for one in found if not one.type.isdecimal()})
    lost["names of types of non-referring mentions, numbered instead"] += sum(
        one.type in named for one in found
    )
    numbers = {name: str(number) for number, name in enumerate(named, 1)}
    numbered = (NonReferring(one.mention, numbers.get(one.type, one.type)) for one in found)
    return replace(document, nonreferring=tuple(numbered))


def fit_bridges(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out bridging, or the mentions that are anchors."""
    if capacity.bridging == "no":
        lost["bridging links"] += len(document.bridges)
        return replace(document, bridges=())
    if capacity.bridging == "mentions":
        return document
    bridges = tuple(_bridges_to_entities(document, lost))
    return replace(document, bridges=bridges)


def _bridges_to_entities(document: Document, lost: Counter[str]) -> Iterator[Bridge]:
    """Keep the links whose anaphor and anchor are mentions of entities."""
    named = anaphors_by_opening(document)
    for bridge in document.bridges:
        if bridge.entity is None or bridge.anaphor not in named:
            lost["bridging links from or to mentions that are in no entity"] += 1
            continue
        anchor = anchor_before(bridge.anaphor, document.entities[bridge.entity])
        if anchor != bridge.anchor:
            lost["mentions that bridging anaphors are related to, whose entities are kept"] += 1
        yield bridge._replace(anchor=anchor)


def anaphors_by_opening(document: Document) -> dict[Mention, int]:
    """Tell for each mention that an entity and the first word are enough to find its entity."""
    found: dict[Mention, int] = {}
    for position, entity in enumerate(document.entities):
        shortest: dict[object, Mention] = {}
        for one in sorted(entity.mentions, key=lambda m: m.full_order):
            shortest.setdefault(one.order[0], one)
        for one in shortest.values():
            found.setdefault(one, position)
    return found
