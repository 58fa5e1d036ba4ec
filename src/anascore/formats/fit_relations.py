"""Fitting sets, types and bridging links to what a format can hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from anascore.formats.format import Capacity
from anascore.model.document import Bridge, Document, NonReferring, marked_mentions
from anascore.model.mention import Mention
from anascore.model.transform import Anchors, atomic_elements


def fit_sets(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out accommodated sets, or replace sets that are elements by their own elements."""
    if not capacity.results:
        document = _without_results(document, lost)
    if capacity.sets != "no":
        document = _fit_antecedents(document, capacity, lost)
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


def _fit_antecedents(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out marked antecedents; nothing is lost where just the first mention is marked."""
    entities = list(document.entities)
    for position, entity in enumerate(entities):
        if not entity.antecedents or entity.relation in capacity.antecedents:
            continue
        for element, marked in marked_mentions(entity, entities).items():
            first = min(entities[element].mentions, key=lambda m: m.full_order)
            lost["marked antecedents that are not just the first mention of an element"] += len(
                marked
            ) * (marked != [first])
        entities[position] = replace(entity, antecedents=())
    return replace(document, entities=tuple(entities))


def _without_results(document: Document, lost: Counter[str]) -> Document:
    """Take out accommodated objects that are not sets."""
    results = [bool(e.elements) and not e.is_set for e in document.entities]
    lost["accommodated objects that are results, and not sets"] += sum(results)
    entities = tuple(
        replace(entity, elements=()) if is_result else entity
        for entity, is_result in zip(document.entities, results, strict=True)
    )
    return replace(document, entities=entities) if any(results) else document


def fit_nonreferring(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out non-referring mentions, or what their types cannot have."""
    found = document.nonreferring
    if capacity.nonreferring == "no":
        lost["non-referring mentions"] += len(found)
        return replace(document, nonreferring=())
    new = {one.type: capacity.forbidden_in_labels.sub("_", one.type) for one in found}
    lost["characters in types of non-referring mentions, replaced by _"] += sum(
        new[one.type] != one.type for one in found
    )
    return _with_types(document, new)


def number_types(documents: Iterable[Document], lost: Counter[str]) -> Iterator[Document]:
    """Give the types of non-referring mentions numbers, the same in all documents."""
    documents = list(documents)
    types = Counter(one.type for document in documents for one in document.nonreferring)
    new = {kind: kind for kind in types if _NUMBER.fullmatch(kind)}
    named = sorted(types.keys() - new.keys())
    unused = (str(number) for number in count(1) if str(number) not in types)
    new.update(zip(named, unused, strict=False))
    if named:
        told = ", ".join(f"{new[kind]} for {kind or 'no type'}" for kind in named)
        what = f"names of types of non-referring mentions, numbered instead ({told})"
        lost[what] += sum(types[kind] for kind in named)
    return (_with_types(document, new) for document in documents)


_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


def _with_types(document: Document, new: Mapping[str, str]) -> Document:
    changed = (NonReferring(one.mention, new[one.type]) for one in document.nonreferring)
    return replace(document, nonreferring=tuple(changed))


def fit_bridges(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out bridging, or the mentions that are anchors, or what a relation cannot have."""
    if capacity.bridging == "no":
        lost["bridging links"] += len(document.bridges)
        return replace(document, bridges=())
    bridges = []
    for bridge in _known_bridges(document, capacity, lost):
        relation = capacity.forbidden_in_labels.sub("_", bridge.relation)
        lost["characters in relations, replaced by _"] += relation != bridge.relation
        bridges.append(bridge._replace(relation=relation))
    return replace(document, bridges=tuple(bridges))


def _known_bridges(document: Document, capacity: Capacity, lost: Counter[str]) -> Iterator[Bridge]:
    """Keep the links whose anaphor and anchor can be named."""
    places, anchors = _places(document), Anchors(document.entities)
    to_entities = capacity.bridging == "entities"
    anaphors = anaphors_by_opening(document) if to_entities else places
    for bridge in document.bridges:
        entity = bridge.entity
        if (
            bridge.anaphor not in anaphors
            or entity not in places.get(bridge.anchor, ())
            or (to_entities and entity is None)
        ):
            lost["bridging links from or to mentions that cannot be named"] += 1
            continue
        if to_entities and entity is not None:
            anchor = anchors.before(bridge.anaphor, entity)
            if anchor != bridge.anchor:
                lost["mentions that bridging leads to, whose entities are kept"] += 1
            bridge = bridge._replace(anchor=anchor)  # noqa: PLW2901  the same link
        yield bridge


def _places(document: Document) -> dict[Mention, set[int | None]]:
    """Tell for each mention the entities that have it; None stands for a non-referring one."""
    places: dict[Mention, set[int | None]] = {}
    for position, entity in enumerate(document.entities):
        for mention in entity.mentions:
            places.setdefault(mention, set()).add(position)
    for found in document.nonreferring:
        places.setdefault(found.mention, set()).add(None)
    return places


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
