"""Plain lists of entities to Corpora, for people who have no files."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from numbers import Real
from typing import Any, TypeAlias, get_args

from anascore.errors import EntityError
from anascore.mention import Mention
from anascore.model import Corpus, Document, Entity, Relation

Clusters: TypeAlias = Iterable[Any]
"""Of each entity its mentions, or an Entity; type checkers see no common type in such a list."""


def corpora_from_clusters(key: Clusters, response: Clusters) -> tuple[Corpus, Corpus]:
    """Make two corpora of one document, in which every mention is a word of its own."""
    sides = [_entities(key), _entities(response)]
    found = {mention for side in sides for entity in side for mention in entity.mentions}
    words = sorted(found, key=_order)
    mentions = {word: Mention(((i, i + 1),)) for i, word in enumerate(words)}
    documents = [
        Document(
            "clusters",
            [str(word) for word in words],
            [
                Entity(
                    [mentions[m] for m in e.mentions],
                    e.elements,
                    e.name,
                    relation=e.relation,
                    antecedents=[mentions[m] for m in e.antecedents],
                )
                for e in side
            ],
        )
        for side in sides
    ]
    of_key, of_response = (Corpus({d.name: d}, "clusters") for d in documents)
    return of_key, of_response


def _entities(clusters: Clusters) -> list[Entity[Hashable]]:
    """Check what was given, and name each entity by its position."""
    entities = []
    for position, given in enumerate(_listed(clusters, "entities", "a list of lists of mentions")):
        name = f"entity {position}"
        mentions, elements = (
            (given.mentions, given.elements) if isinstance(given, Entity) else (given, ())
        )
        listed = _listed(mentions, name, "a list of mentions")
        for mention in listed:
            _check_hashable(mention, name)
        elements = _listed(elements, f"elements of {name}", "a list of positions")
        relation = relation_of(given, name)
        antecedents = given.antecedents if isinstance(given, Entity) else ()
        antecedents = _listed(antecedents, f"antecedents of {name}", "a list of mentions")
        entities.append(
            Entity(listed, elements, str(position), relation=relation, antecedents=antecedents)
        )
    check_antecedents(entities)
    return entities


def check_antecedents(entities: Sequence[Entity[Any]]) -> None:
    """Check that the antecedents of entities are mentions of their elements."""
    for position, entity in enumerate(entities):
        elements = [entities[e] for e in entity.elements if e in range(len(entities))]
        for antecedent in entity.antecedents:
            if not any(antecedent in element.mentions for element in elements):
                what = f"its antecedent {antecedent!r} is no mention of an element"
                message = f"entity {position}: {what}"
                raise EntityError(message)


def relation_of(given: Any, name: str) -> Relation:
    """Return how an entity is made of its elements, if it says so."""
    relation: Relation = given.relation if isinstance(given, Entity) else "set"
    if relation not in get_args(Relation):
        message = (
            f"{name}: its relation is {relation!r}; it can be {' or '.join(get_args(Relation))}"
        )
        raise EntityError(message)
    return relation


def _listed(given: Any, what: str, expected: str) -> tuple[Any, ...]:
    """Take anything that can be gone through, but no string, whose letters are hardly meant."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        message = f"{what}: {given!r} is not {expected}"
        raise EntityError(message)
    return tuple(given)


def _check_hashable(mention: Any, entity: str) -> None:
    try:
        hash(mention)
    except TypeError:
        message = (
            f"{entity}: the mention {mention!r} cannot be hashed; use a tuple instead of a list"
        )
        raise EntityError(message) from None


def _order(mention: Hashable) -> tuple[Any, ...]:
    """Sort mentions by what they are, whatever the order of sets and the seed of hashes.

    The order is taken for that of the document, and matters only where accommodated sets tie. It
    goes by value for numbers and strings, part by part for tuples, by their parts for frozensets,
    and for anything else by its repr, which had better be the same in every run.
    """
    if isinstance(mention, Real):
        return "", mention
    kind = type(mention).__name__
    if isinstance(mention, str):
        return kind, mention
    if isinstance(mention, tuple):
        return kind, tuple(_order(part) for part in mention)
    if isinstance(mention, frozenset):
        return kind, tuple(sorted(_order(part) for part in mention))
    return kind, repr(mention)
