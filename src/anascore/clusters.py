"""Plain lists of entities to Corpora, for people who have no files."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from typing import TypeAlias

from anascore.errors import EntityError
from anascore.model import Corpus, Document, Entity, Mention

Clusters: TypeAlias = Sequence[Entity[Hashable] | Iterable[Hashable]]
"""Entities, or just the mentions of each."""


def corpora_from_clusters(key: Clusters, response: Clusters) -> tuple[Corpus, Corpus]:
    """Make two corpora of one document, in which every mention is a word of its own."""
    sides = [_entities(key), _entities(response)]
    found = {mention for side in sides for entity in side for mention in entity.mentions}
    words = _in_order(found)
    mentions = {word: Mention(((i, i + 1),)) for i, word in enumerate(words)}
    ours, theirs = (
        Document(
            "clusters",
            [str(word) for word in words],
            [Entity([mentions[m] for m in e.mentions], e.elements, e.name) for e in side],
        )
        for side in sides
    )
    return Corpus({ours.name: ours}, "clusters"), Corpus({theirs.name: theirs}, "clusters")


def _entities(clusters: Clusters) -> list[Entity[Hashable]]:
    """Check what was given, and name each entity by its position."""
    entities = []
    for position, given in enumerate(clusters):
        if isinstance(given, str):
            message = (
                f"entity {position} is the string {given!r}; an entity is a list of mentions, "
                f"like [{given!r}]"
            )
            raise EntityError(message)
        mentions, elements = (
            (given.mentions, given.elements) if isinstance(given, Entity) else (given, ())
        )
        checked = tuple(_hashable(mention, position) for mention in mentions)
        entities.append(Entity(checked, tuple(elements), str(position)))
    return entities


def _hashable(mention: Hashable, entity: int) -> Hashable:
    try:
        hash(mention)
    except TypeError:
        message = (
            f"entity {entity} has the mention {mention!r}, which cannot be hashed; "
            f"use a tuple instead of a list"
        )
        raise EntityError(message) from None
    return mention


def _in_order(mentions: Iterable[Hashable]) -> list[Hashable]:
    """Put mentions in an order that depends on nothing but the mentions.

    It is taken for the order of the document, and matters only where accommodated sets tie.
    """
    found = list(mentions)
    for kind in (int, str, tuple):
        if all(isinstance(mention, kind) for mention in found):
            try:
                return sorted(found)  # type: ignore[type-var]  # what cannot be sorted raises
            except TypeError:
                break
    return sorted(found, key=lambda mention: (type(mention).__name__, repr(mention)))
