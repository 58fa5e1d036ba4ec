"""Errors about accommodated sets, each corrected alone."""

from __future__ import annotations

from collections.abc import Callable

from anascore.error_analysis.aligned import Sets
from anascore.error_analysis.bench import Bench
from anascore.error_analysis.mistake import Found, Mistake


def missed_set(sets: Sets) -> Found:
    """Find key sets that the response lacks; give them to the entity that has the anaphor."""
    missed = [k for k, home in sets.missed() if home is None or sets.main[home] == k]
    bench = Bench(sets)
    for k in missed:
        _give_set(bench, sets, _anaphor(bench, sets, k), k)
    mistakes = [
        Mistake(k, sets.home(k), sets.elements_of_key(k), anaphor=("key", sets.first_of(k)))
        for k in missed
    ]
    return Found(mistakes, bench.draft())


def set_as_entity(sets: Sets) -> Found:
    """Find key sets whose anaphor is in an entity of something else; take it out, with its set."""
    bench = Bench(sets)
    mistakes = []
    for k, home in sets.missed():
        if home is None or sets.main[home] == k:
            continue
        _give_set(bench, sets, bench.split_off(home, k), k)
        other = sets.draft.mentions[sets.part(home, sets.main[home])[0]]
        elements, anaphor = sets.elements_of_key(k), sets.first_of(k)
        mistakes.append(Mistake(k, home, elements, (other,), anaphor=("key", anaphor)))
    return Found(mistakes, bench.draft())


def spurious_set(sets: Sets) -> Found:
    """Find sets that are none of the key; an entity is left that has none."""
    aligned = sets.same_anaphor.keys() | sets.other_anaphor.keys()
    spurious = sets.draft.in_order(sets.draft.elements.keys() - aligned)
    mistakes = [
        Mistake(
            sets.main.get(e),
            e,
            response=tuple(sets.draft.first(x) for x in sets.draft.elements[e]),
            anaphor=("response", sets.draft.first(e)),
        )
        for e in spurious
    ]
    return Found(mistakes, sets.draft.with_sets(dict.fromkeys(spurious, ())))


def set_on_wrong_anaphor(sets: Sets) -> Found:
    """Find sets that are right but for their anaphor; give them to the right one."""
    bench = Bench(sets)
    for e, k in sets.other_anaphor.items():
        elements = sets.draft.elements[e]
        to = _anaphor(bench, sets, k)
        if to in elements:
            to = bench.split_off(to, k)
        bench.give(e, ())
        bench.give(to, elements)
        bench.relate(to, k)
    mistakes = [
        Mistake(k, e, (sets.first_of(k),), (sets.draft.first(e),))
        for e, k in sets.other_anaphor.items()
    ]
    return Found(mistakes, bench.draft())


def wrong_element(sets: Sets) -> Found:
    """Find sets with one entity in the place of another; put the right one there."""
    return _elements(sets, lambda missing, extra: list(zip(missing, extra, strict=False)))


def missing_element(sets: Sets) -> Found:
    """Find sets that lack an element; add it."""
    return _elements(sets, lambda missing, extra: [(k, None) for k in missing[len(extra) :]])


def extra_element(sets: Sets) -> Found:
    """Find sets with an element too many; take it out."""
    return _elements(sets, lambda missing, extra: [(None, x) for x in extra[len(missing) :]])


def _elements(
    sets: Sets, choose: Callable[[list[int], list[int]], list[tuple[int | None, int | None]]]
) -> Found:
    """Find and correct wrong elements, chosen from those that are missing and those too many."""
    bench = Bench(sets)
    mistakes = []
    for e, k in sets.same_anaphor.items():
        for missing, extra in choose(*sets.wrong_elements(e, k)):
            kept = [x for x in bench.elements(e) if x != extra]
            bench.give(e, kept if missing is None else [*kept, bench.element_for(missing, e)])
            mistakes.append(
                Mistake(
                    k,
                    e,
                    () if missing is None else (sets.first_of(missing),),
                    () if extra is None else (sets.draft.first(extra),),
                    anaphor=("response", sets.draft.first(e)),
                )
            )
    return Found(mistakes, bench.draft())


def _give_set(bench: Bench, sets: Sets, e: int, k: int) -> None:
    """Give a set of the key to an entity of the response."""
    bench.relate(e, k)
    bench.give(e, ())
    bench.give(e, [bench.element_for(x, e) for x in sets.key.entities[k].elements])


def _anaphor(bench: Bench, sets: Sets, k: int) -> int:
    """Return the entity that has the anaphor of a key set, and no other set of the key."""
    home = bench.home(k)
    if home is None:
        return bench.introduced(k)
    return bench.split_off(home, k) if home in sets.same_anaphor else home
