"""The anaphor-decomposable score (CRAC 2022 after Tuggener 2014), for any class of anaphors."""

from __future__ import annotations

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
    key_anaphors, response_anaphors = (
        {number for number in later(side) if side.mentions[number].place in side.anaphors}
        for side in (key, response)
    )
    met = {k: is_right for k, is_right in resolved(key, response, matched) if k in key_anaphors}
    right = sum(met.values())
    spurious = response_anaphors - {counterpart[k] for k in met}
    return (Score(Ratio(right, len(key_anaphors)), Ratio(right, len(met) + len(spurious))),)


def later(side: Side) -> set[int]:
    """Return the positions of mentions that are not the first of their entity."""
    entity_of = side.entity_of
    return {k for k in range(1, len(entity_of)) if entity_of[k] == entity_of[k - 1]}


def resolved(key: Side, response: Side, matched: Matched) -> list[tuple[int, bool]]:
    """Say of key anaphors whose counterparts are anaphors whether they are resolved rightly."""
    counterpart = dict(matched)
    in_key, in_response = later(key), later(response)
    found = []
    entities: set[int] = set()
    for k in range(len(key.mentions)):
        if k not in in_key:
            entities = set()
        r = counterpart.get(k)
        if r is None:
            continue
        entity = response.entity_of[r]
        if k in in_key and r in in_response:
            found.append((k, entity in entities))
        entities.add(entity)
    return found
