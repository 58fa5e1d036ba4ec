"""Operations on documents: mapping mentions, resolving elements, finding anchors."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from graphlib import TopologicalSorter
from typing import TypeAlias

from anascore.model.document import Bridge, Candidates, Document, Entity, NonReferring
from anascore.model.mention import Mention

Change: TypeAlias = Callable[[Mention], Mention | None]
"""Gives what a mention becomes, or None where it has to go."""


def map_mentions(document: Document, change: Change) -> Document:
    """Change the mentions of all layers; what is left without a mention goes too."""
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
    entities: Sequence[Entity[Mention]], change: Change
) -> tuple[tuple[Entity[Mention], ...], dict[int, int]]:
    """Change the mentions of entities; tell the new positions of those that are left."""
    changed = []
    for entity in entities:
        mentions = [change(mention) for mention in entity.mentions]
        attributes = zip(mentions, entity.attributes, strict=False)
        kept = tuple(mention for mention in mentions if mention)
        changed.append((kept, tuple(given for mention, given in attributes if mention)))
    left = (old for old, (mentions, _) in enumerate(changed) if mentions)
    positions = {old: new for new, old in enumerate(left)}
    return tuple(
        Entity(
            changed[old][0],
            tuple(positions[e] for e in entities[old].elements if e in positions),
            entities[old].name,
            changed[old][1],
            entities[old].relation,
            antecedents=tuple(filter(None, map(change, entities[old].antecedents))),
        )
        for old in positions
    ), positions


def _map_candidates(candidates: Iterable[Candidates], change: Change) -> Iterator[Candidates]:
    for found in candidates:
        anaphor = change(found.anaphor)
        if anaphor:
            changed = (change(mention) for mention in found.ranked)
            yield Candidates(anaphor, tuple(mention for mention in changed if mention))


def _map_bridges(
    bridges: Iterable[Bridge], change: Change, positions: dict[int, int]
) -> Iterator[Bridge]:
    for bridge in bridges:
        anaphor, anchor = change(bridge.anaphor), change(bridge.anchor)
        if anaphor and anchor:
            entity = None if bridge.entity is None else positions.get(bridge.entity)
            yield Bridge(anaphor, anchor, entity, bridge.relation)


def find_cycles(elements: Sequence[Collection[int]]) -> Iterator[list[int]]:
    """Give lists of entities each of which is an element of the next, and the last of the first.

    elements[i] are the elements of entity i. If in each list the last entity were no element of
    the first, there would be no cycle.
    """
    waiting, on_the_way, done = range(3)
    state = [waiting] * len(elements)
    for start in range(len(elements)):
        if state[start] is not waiting or not elements[start]:
            continue
        state[start] = on_the_way
        way, rest = [start], [iter(elements[start])]
        while way:
            element = next(rest[-1], None)
            if element is None:
                state[way.pop()] = done
                rest.pop()
            elif state[element] is waiting:
                state[element] = on_the_way
                way.append(element)
                rest.append(iter(elements[element]))
            elif state[element] is on_the_way:
                yield way[: way.index(element) - len(way) - 1 : -1]


def atomic_elements(elements: Sequence[Collection[int]]) -> list[frozenset[int]]:
    """Replace every element that has elements itself by those, down to the atomic entities.

    There must be no cycle.
    """
    atomic = [frozenset[int]()] * len(elements)
    links = {entity: found for entity, found in enumerate(elements) if found}
    for entity in TopologicalSorter(links).static_order():
        parts = (atomic[element] or {element} for element in elements[entity])
        atomic[entity] = frozenset().union(*parts)
    return atomic


class Anchors:
    """Finds the mentions of entities that are anchors of bridging."""

    def __init__(self, entities: Sequence[Entity[Mention]]) -> None:
        """Take the entities of a document."""
        self._entities = entities
        self._in_order: dict[int, list[Mention]] = {}

    def before(self, anaphor: Mention, entity: int) -> Mention:
        """Return an entity's last mention before the anaphor, or its first if there is none."""
        if entity not in self._in_order:
            mentions = sorted(self._entities[entity].mentions, key=lambda m: m.full_order)
            self._in_order[entity] = mentions
        mentions = self._in_order[entity]
        before = bisect_left(mentions, anaphor.order, key=lambda mention: mention.order)
        return mentions[max(0, before - 1)]
