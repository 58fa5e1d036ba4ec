"""Earlier proposals: links of split-antecedent anaphors, and success@n."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from anascore.assignment import first_best_assignment
from anascore.entities.side import Side
from anascore.metrics.overlap import ComparedSides
from anascore.model.document import Entity
from anascore.model.mention import Mention, Place
from anascore.model.ratio import Components, Ratio, RatioPair


def links(c: ComparedSides) -> dict[str, Components]:
    """Count the links from the first mention of each entity with a set to its elements.

    The response's links are those of the entity that contains this mention. Elements are matched
    one to one by the mentions they share; matched elements are right. An anaphor is resolved
    completely if all its links are right and there are no others.
    """
    counterpart = dict(c.matched)
    right = key_links = response_links = complete = anaphors = resolved = 0
    position = 0
    for entity in c.key.entities:
        if entity.elements:
            elements = _response_elements(entity, counterpart.get(position), c)
            common = _elements_in_common(entity.elements, elements, c)
            right += common
            key_links += len(entity.elements)
            response_links += len(elements)
            anaphors += 1
            resolved += bool(elements)
            complete += common == len(entity.elements) == len(elements)
        position += len(entity.mentions)
    return {
        "links": (RatioPair(Ratio(right, key_links), Ratio(right, response_links)),),
        "links-complete": (RatioPair(Ratio(complete, anaphors), Ratio(complete, resolved)),),
    }


def _response_elements(
    entity: Entity[Mention], anaphor: int | None, c: ComparedSides
) -> Collection[int]:
    """Return the elements to which the response resolves an anaphor, by the same relation."""
    if anaphor is None:
        return ()
    other = c.response.entities[c.response.entity_of[anaphor]]
    return other.elements if other.relation == entity.relation else ()


def _elements_in_common(key: Collection[int], response: Collection[int], c: ComparedSides) -> int:
    """Match elements by the mentions they share; ties go to the most matches."""
    shared = c.overlaps.from_key.shared
    weights = {(a, b): Fraction(shared[a, b]) for a in key for b in response if (a, b) in shared}
    return len(first_best_assignment(weights, then=dict.fromkeys(weights, 1)))


RANKS = range(1, 11)
"""Values of n in success@n."""


def success(c: ComparedSides) -> dict[str, Components]:
    """Count the anaphors with an antecedent among the response's first n candidates.

    The denominator of recall is the key's anaphors, that of precision the anaphors with candidates.
    """
    antecedents, candidates = antecedents_of(c.key), c.candidates
    counts: dict[str, Components] = {}
    for n in RANKS:
        right = sum(
            not places.isdisjoint(candidates.get(anaphor, ())[:n])
            for anaphor, places in antecedents.items()
        )
        sizes = len(antecedents), len(candidates)
        counts[f"success@{n}"] = (RatioPair(*(Ratio(right, size) for size in sizes)),)
    return counts


def antecedents_of(side: Side) -> dict[Place, set[Place]]:
    """Collect each anaphor's antecedents: the first mention of its entity, or of its elements.

    All mentions of an entity with a set are anaphors; in other entities, all but the first.
    """
    antecedents: dict[Place, set[Place]] = {}
    for entity in side.entities:
        first, *others = (mention.place for mention in entity.mentions)
        elements = (side.possible_elements[element] for element in entity.elements)
        places = {next(iter(element.mentions)).place for element in elements} or {first}
        antecedents.update((place, places) for place in others)
        if entity.elements:
            antecedents[first] = places
    return antecedents
