"""Operations on documents: mapping mentions, flattening sets, finding bridging anchors."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from graphlib import TopologicalSorter
from typing import NamedTuple, TypeAlias

from anascore.model.document import Bridge, Candidates, Document, Entity, NonReferring
from anascore.model.mention import Mention

MentionChange: TypeAlias = Callable[[Mention], Mention | None]
"""Returns the new mention, or None to remove it."""


def map_mentions(document: Document, change: MentionChange) -> Document:
    """Change the mentions of all layers; remove entities and links that lose all mentions."""
    changed = ((change(mention), kind) for mention, kind in document.nonreferring)
    nonreferring = tuple(NonReferring(mention, kind) for mention, kind in changed if mention)
    entities, positions = _map_entities(document.entities, change)
    return replace(
        document,
        entities=entities,
        deixis=_map_entities(document.deixis, change)[0],
        nonreferring=nonreferring,
        bridges=tuple(_map_bridges(document.bridges, change, positions)),
        candidates=tuple(_map_candidates(document.candidates, change)),
    )


def _map_entities(
    entities: Sequence[Entity[Mention]], change: MentionChange
) -> tuple[tuple[Entity[Mention], ...], dict[int, int]]:
    """Return the changed entities, and their new positions by the old ones."""
    changed = []
    for entity in entities:
        mentions = [change(mention) for mention in entity.mentions]
        attributes = zip(mentions, entity.attributes, strict=False)
        kept = tuple(mention for mention in mentions if mention)
        changed.append((kept, tuple(own for mention, own in attributes if mention)))
    remaining = (old for old, (mentions, _) in enumerate(changed) if mentions)
    positions = {old: new for new, old in enumerate(remaining)}
    return tuple(
        Entity(
            changed[old][0],
            tuple(positions[e] for e in entities[old].elements if e in positions),
            entities[old].name,
            changed[old][1],
            entities[old].relation,
            antecedents=tuple(filter(None, map(change, entities[old].antecedents))),
            nonreferring=map_nonreferring(entities[old], change, positions),
        )
        for old in positions
    ), positions


def map_nonreferring(
    entity: Entity[Mention], change: MentionChange, positions: Mapping[int, int]
) -> tuple[Entity[Mention], ...]:
    """Change a set's non-referring elements; drop those that lose everything."""
    mapped = (
        Entity(
            tuple(filter(None, map(change, element.mentions))),
            tuple(positions[old] for old in element.elements if old in positions),
            element.name,
        )
        for element in entity.nonreferring
    )
    return tuple(element for element in mapped if element.mentions or element.elements)


def _map_candidates(
    candidates: Iterable[Candidates], change: MentionChange
) -> Iterator[Candidates]:
    for old_anaphor, ranked in candidates:
        anaphor = change(old_anaphor)
        if anaphor:
            changed = (change(mention) for mention in ranked)
            yield Candidates(anaphor, tuple(mention for mention in changed if mention))


def _map_bridges(
    bridges: Iterable[Bridge], change: MentionChange, positions: dict[int, int]
) -> Iterator[Bridge]:
    for bridge in bridges:
        anaphor, anchor = change(bridge.anaphor), change(bridge.anchor)
        if anaphor and anchor:
            entity = None if bridge.entity is None else positions.get(bridge.entity)
            yield Bridge(anaphor, anchor, entity, bridge.relation)


class Cycle(NamedTuple):
    """A cycle: each entity is an element of the next one, and the last one of the first."""

    entities: list[int]
    """The first entities, up to a maximum."""

    last: int
    length: int

    @property
    def first(self) -> int:
        """The entity whose element is the last one."""
        return self.entities[0]


def find_cycles(elements: Sequence[Collection[int]], at_most: int | None = None) -> Iterator[Cycle]:
    """Find cycles; each lists at most `at_most` of its entities.

    elements[i] are the elements of entity i. Removing the link from the last entity to the first,
    in each cycle, breaks all cycles.
    """
    # Depth-first search: a link to an entity on the current path closes a cycle.
    unvisited, done = -1, -2
    position = [unvisited] * len(elements)
    for start in range(len(elements)):
        if position[start] != unvisited or not elements[start]:
            continue
        position[start] = 0
        path, remaining = [start], [iter(elements[start])]
        while path:
            element = next(remaining[-1], None)
            if element is None:
                position[path.pop()] = done
                remaining.pop()
            elif position[element] == unvisited:
                position[element] = len(path)
                path.append(element)
                remaining.append(iter(elements[element]))
            elif position[element] != done:
                length = len(path) - position[element]
                shown = length if at_most is None else min(length, at_most)
                yield Cycle(path[: -shown - 1 : -1], element, length)


def atomic_elements(elements: Sequence[Collection[int]]) -> list[frozenset[int]]:
    """Replace elements that are sets by their own elements, down to atomic entities.

    The elements must not form a cycle.
    """
    atomic = [frozenset[int]()] * len(elements)
    links = {entity: own for entity, own in enumerate(elements) if own}
    for entity in TopologicalSorter(links).static_order():
        parts = (atomic[element] or {element} for element in elements[entity])
        atomic[entity] = frozenset().union(*parts)
    return atomic


class Anchors:
    """Finds the mention that serves as a bridging anchor when only its entity is known."""

    def __init__(self, entities: Sequence[Entity[Mention]]) -> None:
        """Store a document's entities."""
        self._entities = entities
        self._sorted: dict[int, list[Mention]] = {}

    def before(self, anaphor: Mention, entity: int) -> Mention:
        """Return an entity's last mention before the anaphor, or its first if there is none."""
        if entity not in self._sorted:
            mentions = sorted(self._entities[entity].mentions, key=lambda m: m.full_order)
            self._sorted[entity] = mentions
        mentions = self._sorted[entity]
        before = bisect_left(mentions, anaphor.order, key=lambda mention: mention.order)
        return mentions[max(0, before - 1)]
