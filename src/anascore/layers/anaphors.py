"""The anaphor-decomposable score (CRAC 2022 after Tuggener 2014), for any class of anaphors."""

from __future__ import annotations

from collections.abc import Iterator

from anascore.matching.pairs import Matched
from anascore.ratio import Ratio, Rows, Score
from anascore.side import Side


def decomposable(key: Side, response: Side, matched: Matched) -> Rows:
    """Score the anaphors of a class: mentions of it that are not the first of their entity.

    A key anaphor is missed if it has no counterpart, or one that is the first of its entity. It is
    right if its counterpart's entity has a counterpart of an earlier mention of the key's entity,
    and wrong if not. Response anaphors that were not met in this way are spurious.
    """
    counterpart = dict(matched)
    response_anaphors = {r for r, is_first, of_class in _positions(response) if of_class}
    firsts = {r for r, is_first, _ in _positions(response) if is_first}
    right = wrong = missed = 0
    entities: set[int] = set()
    for k, is_first, of_class in _positions(key):
        if is_first:
            entities = set()
        r = counterpart.get(k)
        if of_class:
            if r is None or r in firsts:
                missed += 1
            else:
                response_anaphors.discard(r)
                right += response.entity_of[r] in entities
                wrong += response.entity_of[r] not in entities
        if r is not None:
            entities.add(response.entity_of[r])
    found, spurious = right + wrong, len(response_anaphors)
    return (Score(Ratio(right, found + missed), Ratio(right, found + spurious)),)


def _positions(side: Side) -> Iterator[tuple[int, bool, bool]]:
    """Give for each mention its position, whether it is the first, and whether it is an anaphor."""
    position = 0
    for entity in side.entities:
        for number, mention in enumerate(entity.mentions):
            yield position, number == 0, number > 0 and mention.place in side.anaphors
            position += 1
