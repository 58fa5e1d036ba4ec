"""success@n for discourse deixis (Kolhatkar et al. 2013)."""

from __future__ import annotations

from collections.abc import Iterable

from anascore.mention import Place
from anascore.metrics import SUCCESS
from anascore.ratio import Ratio, Rows, Score
from anascore.side import Side


def success(key: Side, response: Side, reported: Iterable[str]) -> dict[str, Rows]:
    """Count the anaphors one of whose antecedents is among the first n that the response ranks.

    Recall is out of the anaphors of the key, precision out of those that the response ranks for.
    """
    names = SUCCESS.keys() & {*reported}
    antecedents = antecedents_of(key) if names else {}
    found: dict[str, Rows] = {}
    for name in names:
        n = int(name.removeprefix("success@"))
        right = sum(
            not places.isdisjoint(response.candidates.get(anaphor, ())[:n])
            for anaphor, places in antecedents.items()
        )
        sizes = len(antecedents), len(response.candidates)
        found[name] = (Score(*(Ratio(right, size) for size in sizes)),)
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
