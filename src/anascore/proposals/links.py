"""Links of split-antecedent anaphors (Vala et al. 2016; Yu et al. 2020), on the key's anaphors."""

from __future__ import annotations

from collections.abc import Collection
from fractions import Fraction

from anascore.choice import first_of_the_best
from anascore.comparison import Comparison
from anascore.mention import Mention
from anascore.model import Entity
from anascore.ratio import Ratio, Rows, Score


def links(c: Comparison) -> dict[str, Rows]:
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
        "links": (Score(Ratio(right, of_key), Ratio(right, of_response)),),
        "links-complete": (Score(Ratio(complete, anaphors), Ratio(complete, resolved)),),
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
    return len(first_of_the_best(weights, then=dict.fromkeys(weights, 1)))
