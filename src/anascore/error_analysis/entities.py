"""Errors about mentions and entities, after Kummerfeld and Klein (2013), each corrected alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from anascore.error_analysis.aligned import Sets
from anascore.error_analysis.bench import Bench
from anascore.error_analysis.draft import Draft
from anascore.error_analysis.judged import Judged
from anascore.error_analysis.mistake import Found, Mistake


def wrong_span(j: Judged) -> Found:
    """Find mentions that stand for one of the key and have other words; give them its words."""
    draft = j.draft
    entity_of = {n: e for e, numbers in draft.entities.items() for n in numbers}
    wrong = {n: k for n, k in draft.meant.items() if n not in draft.counterpart}
    mistakes = [
        Mistake(j.key.entity_of[k], entity_of[n], (j.key.mentions[k],), (draft.mentions[n],))
        for n, k in wrong.items()
    ]
    mentions = {**draft.mentions, **{n: j.key.mentions[k] for n, k in wrong.items()}}
    counterpart = {**draft.counterpart, **wrong}
    return Found(mistakes, replace(draft, mentions=mentions, counterpart=counterpart))


def extra_mention(j: Judged) -> Found:
    """Find mentions that stand for none of the key, among others that do; take them out."""
    draft = j.draft
    extra = {
        e: [n for n in numbers if n not in draft.meant]
        for e, numbers in draft.entities.items()
        if e in j.main
    }
    mistakes = [
        Mistake(j.main[e], e, response=(draft.mentions[n],))
        for e, numbers in extra.items()
        for n in numbers
    ]
    left = {e: [n for n in draft.entities[e] if n in draft.meant] for e in extra if extra[e]}
    return Found(mistakes, draft.with_entities(left))


def extra_entity(j: Judged) -> Found:
    """Find entities none of whose mentions stands for one of the key; take them out."""
    draft = j.draft
    extra = [e for e in draft.in_order(draft.entities) if e not in j.main]
    mistakes = [
        Mistake(None, e, response=tuple(draft.mentions[n] for n in draft.entities[e]))
        for e in extra
    ]
    return Found(mistakes, draft.with_entities(dict.fromkeys(extra, ())))


def missing_mention(j: Judged) -> Found:
    """Find mentions of the key that nothing stands for, of entities that are there; add them."""
    there = set(j.draft.meant.values())
    bench = Bench(j)
    mistakes = []
    for k, members in enumerate(j.mentions_of_key):
        home = j.home(k)
        missing = [m for m in members if m not in there]
        if home is not None and missing:
            mistakes += [Mistake(k, home, (j.key.mentions[m],)) for m in missing]
            bench.extend(home, missing)
    return Found(mistakes, bench.draft())


def missing_entity(j: Judged) -> Found:
    """Find entities of the key that no mention stands for; add them, without their sets."""
    missing = [k for k in range(len(j.key.entities)) if j.home(k) is None]
    bench = Bench(j)
    for k in missing:
        bench.introduced(k)
    mistakes = [Mistake(k, None, tuple(j.key.entities[k].mentions)) for k in missing]
    return Found(mistakes, bench.draft())


def conflated_entity(j: Sets) -> Found:
    """Find entities with mentions of several key entities; split off all but the main part.

    An element that is split stays in a set with the parts that belong there, or with its main part.
    The set of an entity that is split stays where the key has one, if anywhere.
    """
    draft, mistakes = j.draft, []
    split: dict[tuple[int, int], int] = {}
    entities: dict[int, list[int]] = {}
    owner = j.same_anaphor
    for e in draft.in_order(e for e, parts in j.parts.items() if len(parts) > 1):
        stays = owner[e] if e in owner else j.main[e]
        others = sorted(j.parts[e].keys() - {stays})
        parts = {k: j.part(e, k) for k in others}
        kept = draft.mentions[j.part(e, stays)[0]]
        for k, part in parts.items():
            words = tuple(draft.mentions[n] for n in part)
            mistakes.append(Mistake(k, e, response=words, beside=("response", kept)))
            split[e, k] = draft.new_entity + len(split)
            entities[split[e, k]] = part
        gone = {n for part in parts.values() for n in part}
        entities[e] = [n for n in draft.entities[e] if n not in gone]
    changed = draft.with_entities(entities)
    return Found(mistakes, changed.with_sets(dict(_divided_elements(j, split))))


def _divided_elements(
    sets: Sets, split: dict[tuple[int, int], int]
) -> Iterator[tuple[int, list[int]]]:
    """Give the sets whose elements were split, with the parts that belong there."""
    parted = {e for e, _ in split}
    for e, elements in sets.draft.elements.items():
        if parted & {*elements}:
            owner = sets.same_anaphor.get(e)
            wanted = () if owner is None else sets.key.entities[owner].elements
            changed = []
            for x in elements:
                belong = sets.stands_for(x, wanted) if sets.parts[x] else []
                changed += [split.get((x, k), x) for k in belong] or [x]
            yield e, changed


def divided_entity(j: Judged) -> Found:
    """Find key entities whose mentions are in several entities; bring them into the first of them.

    What is empty then disappears. It leaves its place in sets, and its own set, to the entity that
    took its mentions.
    """
    draft, mistakes = j.draft, []
    entities = {e: list(found) for e, found in draft.entities.items()}
    for k in sorted(j.homes):
        home, *others = j.homes[k]
        for e in others:
            part = j.part(e, k)
            words = tuple(draft.mentions[n] for n in part)
            first = draft.mentions[j.part(home, k)[0]]
            mistakes.append(Mistake(k, e, response=words, beside=("response", first)))
            moved = {*part}
            entities[e] = [n for n in entities[e] if n not in moved]
            entities[home] += part
            if not entities[e]:
                draft = _replaced(draft, e, home)
    return Found(mistakes, draft.with_entities(entities))


def _replaced(draft: Draft, e: int, by: int) -> Draft:
    """Put an entity into the place of another one that disappears, in sets and with its own set."""
    elements = {
        s: [by if x == e else x for x in found]
        for s, found in draft.elements.items()
        if e in found and s != by
    }
    own = [x for x in draft.elements.get(e, ()) if x != by]
    if own and by not in draft.elements:
        elements[by] = own
        draft = replace(draft, relations={**draft.relations, by: draft.relations[e]})
    return draft.with_sets(elements)
