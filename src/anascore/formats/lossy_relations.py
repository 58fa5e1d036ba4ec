"""Fitting sets, types and bridging links to what a format can store."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from anascore.formats.format import Capacity
from anascore.model.document import Bridge, Document, Entity, NonReferring, marked_mentions
from anascore.model.mention import Mention
from anascore.model.transform import Anchors, atomic_elements


def fit_sets(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Remove accommodated sets, or replace an element that is a set by its own elements."""
    if not capacity.results:
        document = _without_results(document, lost)
    if capacity.sets != "no":
        document = _fit_antecedents(document, capacity, lost)
    document = _fit_nonreferring_elements(document, capacity, lost)
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
        replace(entity, elements=tuple(sorted(kept)))
        for entity, kept in zip(document.entities, elements, strict=True)
    )
    return replace(document, entities=entities)


def _fit_antecedents(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Remove antecedent marks; a mark on the first mention alone is not a loss."""
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


def _fit_nonreferring_elements(
    document: Document, capacity: Capacity, lost: Counter[str]
) -> Document:
    """Remove elements that are not entities, or only those that another element represents."""
    if not any(entity.nonreferring for entity in document.entities):
        return document

    def fitted(entity: Entity[Mention]) -> Entity[Mention]:
        can_hold = capacity.nonreferring == "named"
        kept = [element for element in entity.nonreferring if can_hold and element.mentions]
        lost["non-referring elements of accommodated sets"] += len(entity.nonreferring) - len(kept)
        return replace(entity, nonreferring=tuple(kept))

    return replace(document, entities=tuple(map(fitted, document.entities)))


def _without_results(document: Document, lost: Counter[str]) -> Document:
    """Remove the elements of accommodated objects that are not sets."""
    results = [bool(e.elements) and not e.is_set for e in document.entities]
    lost["accommodated objects that are results, and not sets"] += sum(results)
    entities = tuple(
        replace(entity, elements=()) if is_result else entity
        for entity, is_result in zip(document.entities, results, strict=True)
    )
    return replace(document, entities=entities) if any(results) else document


def fit_nonreferring(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Remove non-referring mentions, or forbidden characters in their types."""
    nonreferring = document.nonreferring
    if capacity.nonreferring == "no":
        lost["non-referring mentions"] += len(nonreferring)
        return replace(document, nonreferring=())
    new = {kind: capacity.forbidden_in_labels.sub("_", kind) for _, kind in nonreferring}
    lost["characters in types of non-referring mentions, replaced by _"] += sum(
        new[kind] != kind for _, kind in nonreferring
    )
    return _with_types(document, new)


def number_types(documents: Iterable[Document], lost: Counter[str]) -> Iterator[Document]:
    """Replace named non-referring types by numbers, consistently across documents."""
    documents = list(documents)
    types = Counter(kind for document in documents for _, kind in document.nonreferring)
    new = {kind: kind for kind in types if _NUMBER.fullmatch(kind)}
    named = sorted(types.keys() - new.keys())
    unused = (str(number) for number in count(1) if str(number) not in types)
    new.update(zip(named, unused, strict=False))
    if named:
        numbering = ", ".join(f"{new[kind]} for {kind or 'no type'}" for kind in named)
        loss = f"names of types of non-referring mentions, numbered instead ({numbering})"
        lost[loss] += sum(types[kind] for kind in named)
    return (_with_types(document, new) for document in documents)


_NUMBER = re.compile(r"[1-9][0-9]{0,8}")


def _with_types(document: Document, new: Mapping[str, str]) -> Document:
    changed = (NonReferring(mention, new[kind]) for mention, kind in document.nonreferring)
    return replace(document, nonreferring=tuple(changed))


def fit_bridges(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Remove bridging, or fit its links and relations."""
    if capacity.bridging == "no":
        lost["bridging links"] += len(document.bridges)
        return replace(document, bridges=())
    bridges = []
    for bridge in _nameable_bridges(document, capacity, lost):
        relation = capacity.forbidden_in_labels.sub("_", bridge.relation)
        lost["characters in relations, replaced by _"] += relation != bridge.relation
        bridges.append(bridge._replace(relation=relation))
    return replace(document, bridges=tuple(bridges))


def _nameable_bridges(
    document: Document, capacity: Capacity, lost: Counter[str]
) -> Iterator[Bridge]:
    """Keep the links whose anaphor and anchor the format can name."""
    owners, anchors = _owners(document), Anchors(document.entities)
    to_entities = capacity.bridging == "entities"
    anaphors = entities_by_opening(document) if to_entities else owners
    for bridge in document.bridges:
        entity = bridge.entity
        if (
            bridge.anaphor not in anaphors
            or entity not in owners.get(bridge.anchor, ())
            or (to_entities and entity is None)
        ):
            lost["bridging links whose anaphor or anchor cannot be named"] += 1
            continue
        if to_entities and entity is not None:
            anchor = anchors.before(bridge.anaphor, entity)
            if anchor != bridge.anchor:
                lost["anchors of bridging links, whose entities are kept"] += 1
            bridge = bridge._replace(anchor=anchor)  # noqa: PLW2901  the same link
        yield bridge


def _owners(document: Document) -> dict[Mention, set[int | None]]:
    """Map each mention to its entities; None stands for a non-referring mention."""
    owners: dict[Mention, set[int | None]] = {}
    for position, entity in enumerate(document.entities):
        for mention in entity.mentions:
            owners.setdefault(mention, set()).add(position)
    for mention, _ in document.nonreferring:
        owners.setdefault(mention, set()).add(None)
    return owners


def entities_by_opening(document: Document) -> dict[Mention, int]:
    """Map each mention that is identified by its entity and first word to that entity.

    Of an entity's mentions that start at the same word, only the shortest is identified.
    """
    entities: dict[Mention, int] = {}
    for position, entity in enumerate(document.entities):
        shortest: dict[object, Mention] = {}
        for mention in sorted(entity.mentions, key=lambda m: m.full_order):
            shortest.setdefault(mention.order[0], mention)
        for mention in shortest.values():
            entities.setdefault(mention, position)
    return entities
