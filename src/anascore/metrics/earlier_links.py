"""Earlier proposals: links of split-antecedent anaphors, and success@n."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from anascore.assignment.ties import first_best_assignment
from anascore.metrics.overlap import Comparison
from anascore.model.document import Entity
from anascore.model.mention import Mention, Place
from anascore.model.ratio import Components, Ratio, RatioPair
from anascore.prepare.side import Side


def links(c: Comparison) -> dict[str, Components]:
    """Count links from the first mention of each entity with a set to the elements.

    The response's links are those of the entity that has this mention. Elements are right that
    are matched one to one by the mentions they share. An anaphor is resolved completely if all its
    links are right and there are no others.
    """
    counterpart = dict(c.matched)
    right = of_key = of_response = complete = anaphors = resolved = 0
    position = 0
    for entity in c.key.entities:
        if entity.elements:
            elements = _response_elements(entity, counterpart.get(position), c)
            found = _elements_in_common(entity.elements, elements, c)
            right += found
            of_key += len(entity.elements)
            of_response += len(elements)
            anaphors += 1
            resolved += bool(elements)
            complete += found == len(entity.elements) == len(elements)
        position += len(entity.mentions)
    return {
        "links": (RatioPair(Ratio(right, of_key), Ratio(right, of_response)),),
        "links-complete": (RatioPair(Ratio(complete, anaphors), Ratio(complete, resolved)),),
    }


def _response_elements(
    entity: Entity[Mention], anaphor: int | None, c: Comparison
) -> Collection[int]:
    """Return what the response resolves an anaphor to: objects of the same relation only."""
    if anaphor is None:
        return ()
    other = c.response.entities[c.response.entity_of[anaphor]]
    return other.elements if other.relation == entity.relation else ()


def _elements_in_common(key: Collection[int], response: Collection[int], c: Comparison) -> int:
    """Match elements by the number of mentions that they share; of equal matches the largest."""
    shared = c.tables.from_key.shared
    weights = {(a, b): Fraction(shared[a, b]) for a in key for b in response if (a, b) in shared}
    return len(first_best_assignment(weights, then=dict.fromkeys(weights, 1)))


RANKS = range(1, 11)
"""The values of n in success@n."""


def success(c: Comparison) -> dict[str, Components]:
    """Count the anaphors one of whose antecedents is among the first n that the response ranks.

    Recall is out of the anaphors of the key, precision out of those that the response ranks for.
    """
    antecedents, candidates = antecedents_of(c.key), c.response.candidates
    found: dict[str, Components] = {}
    for n in RANKS:
        right = sum(
            not places.isdisjoint(candidates.get(anaphor, ())[:n])
            for anaphor, places in antecedents.items()
        )
        sizes = len(antecedents), len(candidates)
        found[f"success@{n}"] = (RatioPair(*(Ratio(right, size) for size in sizes)),)
    return found


def antecedents_of(side: Side) -> dict[Place, set[Place]]:
    """Return the antecedents of each anaphor: the first mention of its entity, or of the elements.

    In an entity with a set all mentions are anaphors, in others all but the first.
    """
    found: dict[Place, set[Place]] = {}
    for entity in side.entities:
        first, *others = (mention.place for mention in entity.mentions)
        elements = (side.entities[element] for element in entity.elements)
        antecedents = {next(iter(element.mentions)).place for element in elements} or {first}
        found.update((place, antecedents) for place in others)
        if entity.elements:
            found[first] = antecedents
    return found
