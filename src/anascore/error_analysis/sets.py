"""Errors about accommodated sets, each corrected alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import NamedTuple, TypeAlias

from anascore.error_analysis.aligned import Sets
from anascore.error_analysis.draft import Draft
from anascore.error_analysis.judged import Judged
from anascore.error_analysis.mistake import Found, Mistake

Correct: TypeAlias = Callable[[Judged], Draft]
Anaphor: TypeAlias = Callable[[Judged], tuple[int, Draft]]
"""Returns the entity that is to have a set, and a draft in which it can have it."""


class Change(NamedTuple):
    """One error about a set, and how it is corrected in any draft that still has it."""

    mistake: Mistake
    correct: Correct


def missed_set(j: Judged) -> Found:
    """Find key sets that the response lacks; give them to the entity that has the anaphor."""
    sets = Sets(j.key, j.draft)
    return _corrected(
        sets,
        [
            Change(_missed(sets, k, home), with_set(k, _anaphor(sets, k)))
            for k, home in sets.missed()
            if home is None or sets.main[home] == k
        ],
    )


def set_as_entity(j: Judged) -> Found:
    """Find key sets whose anaphor is in an entity of something else; take it out, with its set."""
    sets = Sets(j.key, j.draft)
    return _corrected(
        sets,
        [
            Change(_missed(sets, k, home), with_set(k, partial(split_off, e=home, k=k)))
            for k, home in sets.missed()
            if home is not None and sets.main[home] != k
        ],
    )


def _missed(sets: Sets, k: int, home: int | None) -> Mistake:
    """Name the elements that a set should have; and the entity that it was taken for."""
    other = () if home is None or sets.main[home] == k else (sets.draft.first(home),)
    return Mistake(k, home, sets.elements_of_key(k), other, anaphor=("key", sets.first_of(k)))


def spurious_set(j: Judged) -> Found:
    """Find sets that are none of the key; an entity is left that has none."""
    sets = Sets(j.key, j.draft)
    aligned = sets.same_anaphor.keys() | sets.other_anaphor.keys()
    spurious = j.draft.in_order(j.draft.elements.keys() - aligned)
    mistakes = [
        Mistake(
            sets.main.get(e),
            e,
            response=tuple(j.draft.first(x) for x in j.draft.elements[e]),
            anaphor=("response", j.draft.first(e)),
        )
        for e in spurious
    ]
    return Found(mistakes, j.draft.with_sets(dict.fromkeys(spurious, ())))


def set_on_wrong_anaphor(j: Judged) -> Found:
    """Find sets that are right but for their anaphor; give them to the right one."""
    sets = Sets(j.key, j.draft)
    return _corrected(
        sets,
        [
            Change(
                Mistake(k, e, (sets.first_of(k),), (j.draft.first(e),)),
                _moved(e, k, _anaphor(sets, k)),
            )
            for e, k in sets.other_anaphor.items()
        ],
    )


def wrong_element(j: Judged) -> Found:
    """Find sets with one entity in the place of another; put the right one there."""
    return _elements(j, lambda missing, extra: list(zip(missing, extra, strict=False)))


def missing_element(j: Judged) -> Found:
    """Find sets that lack an element; add it."""
    return _elements(j, lambda missing, extra: [(k, None) for k in missing[len(extra) :]])


def extra_element(j: Judged) -> Found:
    """Find sets with an element too many; take it out."""
    return _elements(j, lambda missing, extra: [(None, x) for x in extra[len(missing) :]])


def _elements(
    j: Judged, choose: Callable[[list[int], list[int]], list[tuple[int | None, int | None]]]
) -> Found:
    """Find and correct wrong elements, chosen from those that are missing and those too many."""
    sets = Sets(j.key, j.draft)
    return _corrected(
        sets,
        [
            Change(
                Mistake(
                    k,
                    e,
                    () if missing is None else (sets.first_of(missing),),
                    () if extra is None else (j.draft.first(extra),),
                    anaphor=("response", j.draft.first(e)),
                ),
                with_element(e, missing, extra),
            )
            for e, k in sets.same_anaphor.items()
            for missing, extra in choose(*sets.wrong_elements(e, k))
        ],
    )


def _corrected(sets: Sets, changes: list[Change]) -> Found:
    """Correct all errors of one type, one after the other."""
    draft = sets.draft
    for change in changes:
        draft = change.correct(Judged(sets.key, draft))
    return Found([change.mistake for change in changes], draft)


def with_element(e: int, k: int | None, instead_of: int | None = None) -> Correct:
    """Make the correction that adds an element to a set, takes one out, or both."""

    def correct(j: Judged) -> Draft:
        number, draft = (None, j.draft) if k is None else with_entity_for(j, k, e)
        kept = [x for x in draft.elements.get(e, ()) if x != instead_of]
        return draft.with_sets({e: kept if number is None else (*kept, number)})

    return correct


def with_set(k: int, anaphor: Anaphor) -> Correct:
    """Make the correction that gives a set of the key to an entity of the response."""

    def correct(j: Judged) -> Draft:
        e, draft = anaphor(j)
        entity = j.key.entities[k]
        draft = replace(draft, relations={**draft.relations, e: entity.relation})
        draft = draft.with_sets({e: ()})
        for element in entity.elements:
            draft = with_element(e, element)(Judged(j.key, draft))
        return draft

    return correct


def _moved(e: int, k: int, anaphor: Anaphor) -> Correct:
    """Make the correction that takes the set of one entity and gives it to another."""

    def correct(j: Judged) -> Draft:
        elements = j.draft.elements[e]
        to, draft = anaphor(j)
        if to in elements:
            to, draft = split_off(j, to, k)
        draft = replace(draft, relations={**draft.relations, to: draft.relations[e]})
        return draft.with_sets({e: (), to: elements})

    return correct


def _anaphor(sets: Sets, k: int) -> Anaphor:
    """Find the entity that has the anaphor of a key set, and no other set of the key."""

    def found(j: Judged) -> tuple[int, Draft]:
        home = j.home(k)
        if home is None:
            return j.draft.with_entity(j.mentions_of_key[k], j.key)
        return split_off(j, home, k) if home in sets.same_anaphor else (home, j.draft)

    return found


def with_entity_for(j: Judged, k: int, avoid: int | None) -> tuple[int, Draft]:
    """Return an entity of the response that can be an element, for one of the key.

    It is the one that has most of its mentions, if that can be one; else these mentions become an
    entity of their own, and if there are none they come from the key.
    """
    draft, home = j.draft, j.home(k)
    if home is None:
        return draft.with_entity(j.mentions_of_key[k], j.key)
    if home != avoid and not draft.is_set(home):
        return home, draft
    if home != avoid and len(j.parts[home]) == 1:
        return home, draft.with_sets({home: ()})
    return split_off(j, home, k)


def split_off(j: Judged, e: int, k: int) -> tuple[int, Draft]:
    """Make the mentions of a key entity an entity of their own."""
    part = j.part(e, k)
    number = j.draft.new_entity
    rest = [n for n in j.draft.entities[e] if n not in part]
    return number, j.draft.with_entities({e: rest, number: part})
