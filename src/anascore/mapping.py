"""A document with other mentions in the place of its own, or without some of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TypeAlias

from anascore.mention import Mention
from anascore.model import Bridge, Candidates, Document, Entity, NonReferring

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
            tuple(filter(None, map(change, entities[old].antecedents))),
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
