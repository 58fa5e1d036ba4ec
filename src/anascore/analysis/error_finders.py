"""Finding the errors of each type in a response."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Literal, NamedTuple, TypeAlias

from anascore.analysis.error_alignment import CorrectedResponse, EntityAlignment, SetAlignment
from anascore.analysis.error_correction import Correction
from anascore.model.mention import Mention

SideName: TypeAlias = Literal["key", "response"]
ErrorPlace: TypeAlias = tuple[SideName, Mention]


class Finding(NamedTuple):
    """One error: the mentions of key and response, and context that helps to understand it."""

    key_entity: int | None
    response_entity: int | None
    key: tuple[Mention, ...] = ()
    response: tuple[Mention, ...] = ()
    beside: ErrorPlace | None = None
    """Mention of another entity that is involved: the rest of a divided or conflated entity."""

    anaphor: ErrorPlace | None = None
    """Anaphor of the wrong set."""

    @property
    def at(self) -> ErrorPlace:
        """Place of the error: a set's anaphor, else the first mention of response or key."""
        if self.anaphor:
            return self.anaphor
        return ("response", self.response[0]) if self.response else ("key", self.key[0])


class Findings(NamedTuple):
    """All errors of one type, and the response without them."""

    mistakes: list[Finding]
    corrected: CorrectedResponse


def wrong_span(j: EntityAlignment) -> Findings:
    """Find mentions with a wrong span; correct the span."""
    draft = j.draft
    entity_of = {n: e for e, numbers in draft.entities.items() for n in numbers}
    wrong = {n: k for n, k in draft.meant.items() if n not in draft.counterpart}
    mistakes = [
        Finding(j.key.entity_of[k], entity_of[n], (j.key.mentions[k],), (draft.mentions[n],))
        for n, k in wrong.items()
    ]
    return Findings(mistakes, draft.with_mentions(wrong, j.key))


def extra_mention(j: EntityAlignment) -> Findings:
    """Find spurious mentions of entities that also contain right ones; remove them."""
    draft = j.draft
    extra = {
        e: [n for n in numbers if n not in draft.meant]
        for e, numbers in draft.entities.items()
        if e in j.main
    }
    mistakes = [
        Finding(j.main[e], e, response=(draft.mentions[n],))
        for e, numbers in extra.items()
        for n in numbers
    ]
    left = {e: [n for n in draft.entities[e] if n in draft.meant] for e in extra if extra[e]}
    return Findings(mistakes, draft.with_entities(left))


def extra_entity(j: EntityAlignment) -> Findings:
    """Find entities that consist of spurious mentions; remove them."""
    draft = j.draft
    extra = [e for e in draft.in_order(draft.entities) if e not in j.main]
    mistakes = [
        Finding(None, e, response=tuple(draft.mentions[n] for n in draft.entities[e]))
        for e in extra
    ]
    return Findings(mistakes, draft.with_entities(dict.fromkeys(extra, ())))


def missing_mention(j: EntityAlignment) -> Findings:
    """Find missing mentions of entities that the response contains; add them."""
    there = set(j.draft.meant.values())
    bench = Correction(j)
    mistakes = []
    for k, members in enumerate(j.mentions_of_key):
        home = j.home(k)
        missing = [m for m in members if m not in there]
        if home is not None and missing:
            mistakes += [Finding(k, home, (j.key.mentions[m],)) for m in missing]
            bench.extend(home, missing)
    return Findings(mistakes, bench.draft())


def missing_entity(j: EntityAlignment) -> Findings:
    """Find missing entities; add them without their sets."""
    missing = [k for k in range(len(j.key.entities)) if j.home(k) is None]
    bench = Correction(j)
    for k in missing:
        bench.introduced(k)
    mistakes = [Finding(k, None, tuple(j.key.entities[k].mentions)) for k in missing]
    return Findings(mistakes, bench.draft())


def conflated_entity(j: SetAlignment) -> Findings:
    """Find entities with mentions of several key entities; split off all but the main part.

    If an element is split, the parts that belong in a set remain in it, or else its main part. If
    the owner of a set is split, the set remains where the key has one, if anywhere; two parts get
    it if the response conflates two sets of the key.
    """
    draft, mistakes = j.draft, []
    split: dict[tuple[int, int], int] = {}
    entities: dict[int, list[int]] = {}
    owner = j.same_anaphor
    first_new = draft.new_entity
    for e in draft.in_order(e for e, parts in j.parts.items() if len(parts) > 1):
        stays = owner[e] if e in owner else j.main[e]
        others = sorted(j.parts[e].keys() - {stays})
        parts = {k: j.part(e, k) for k in others}
        kept = draft.mentions[j.part(e, stays)[0]]
        for k, part in parts.items():
            words = tuple(draft.mentions[n] for n in part)
            mistakes.append(Finding(k, e, response=words, beside=("response", kept)))
            split[e, k] = first_new + len(split)
            entities[split[e, k]] = part
        gone = {n for part in parts.values() for n in part}
        entities[e] = [n for n in draft.entities[e] if n not in gone]
    changed = draft.with_entities(entities)
    return Findings(mistakes, changed.with_sets(dict(_divided_elements(j, split))))


def _divided_elements(
    sets: SetAlignment, split: dict[tuple[int, int], int]
) -> Iterator[tuple[int, list[int]]]:
    """Yield the sets whose elements were split, with the parts that belong there."""
    parted = {e for e, _ in split}
    owners = {e: (e, sets.same_anaphor.get(e)) for e in sets.draft.elements}
    missed = {k for k, _ in sets.missed()}
    owners |= {
        part: (e, k) for (e, k), part in split.items() if k in missed and sets.has_same_set(e, k)
    }
    for part, (e, owner) in owners.items():
        elements = sets.draft.elements[e]
        if parted & {*elements}:
            wanted = set() if owner is None else {*sets.key.entities[owner].elements}
            changed = []
            for x in elements:
                belong = sets.stands_for(x, wanted) if sets.parts[x] else []
                changed += [split.get((x, k), x) for k in belong] or [x]
            yield part, changed


def divided_entity(j: EntityAlignment) -> Findings:
    """Find key entities that are divided among several entities; merge them into the first.

    An entity that becomes empty disappears. The entity that took its mentions takes its place in
    sets, and its own set.
    """
    draft, mistakes = j.draft, []
    divided = {e for homes in j.homes.values() if len(homes) > 1 for e in homes}
    entities = {e: dict.fromkeys(draft.entities[e]) for e in divided}
    sets = _Replacement(draft)
    for k in sorted(j.homes):
        home, *others = j.homes[k]
        for e in others:
            part = j.part(e, k)
            words = tuple(draft.mentions[n] for n in part)
            first = draft.mentions[j.part(home, k)[0]]
            mistakes.append(Finding(k, e, response=words, beside=("response", first)))
            for n in part:
                del entities[e][n]
            entities[home] |= dict.fromkeys(part)
            if not entities[e]:
                sets.replace(e, home)
    return Findings(mistakes, sets.draft().with_entities(entities))


class _Replacement:
    """Replaces entities that disappear in the sets of a draft."""

    def __init__(self, draft: CorrectedResponse) -> None:
        self._draft = draft
        self._elements = dict(draft.elements)
        self._relations = dict(draft.relations)
        self._owners: dict[int, set[int]] = {}
        for owner, elements in draft.elements.items():
            self._add(owner, elements)

    def _add(self, owner: int, elements: Iterable[int]) -> None:
        for x in elements:
            self._owners.setdefault(x, set()).add(owner)

    def replace(self, e: int, by: int) -> None:
        """Replace an entity by another, as an element and as the owner of its set."""
        for owner in self._owners.pop(e, set()) - {by}:
            changed = (by if x == e else x for x in self._elements[owner])
            self._elements[owner] = tuple(dict.fromkeys(changed))
            self._add(owner, (by,))
        own = tuple(x for x in self._elements.get(e, ()) if x != by)
        if own and by not in self._elements:
            self._elements[by] = own
            self._add(by, own)
            self._relations[by] = self._relations[e]

    def draft(self) -> CorrectedResponse:
        return replace(self._draft, elements=self._elements, relations=self._relations)


def missed_set(sets: SetAlignment) -> Findings:
    """Find missed sets; add them to the entity that contains the anaphor."""
    missed = [k for k, home in sets.missed() if home is None or sets.main[home] == k]
    bench = Correction(sets)
    for k in missed:
        _give_set(bench, sets, _anaphor(bench, sets, k), k)
    mistakes = [
        Finding(k, sets.home(k), sets.elements_of_key(k), anaphor=("key", sets.first_of(k)))
        for k in missed
    ]
    return Findings(mistakes, bench.draft())


def set_as_entity(sets: SetAlignment) -> Findings:
    """Find sets whose anaphor is in another entity; split it off, with its set."""
    bench = Correction(sets)
    mistakes = []
    for k, home in sets.missed():
        if home is None or sets.main[home] == k or sets.has_same_set(home, k):
            continue
        _give_set(bench, sets, bench.split_off(home, k), k)
        other = sets.draft.mentions[sets.part(home, sets.main[home])[0]]
        elements, anaphor = sets.elements_of_key(k), sets.first_of(k)
        mistakes.append(Finding(k, home, elements, (other,), anaphor=("key", anaphor)))
    return Findings(mistakes, bench.draft())


def spurious_set(sets: SetAlignment) -> Findings:
    """Find spurious sets; remove them, but keep the entities."""
    aligned = sets.same_anaphor.keys() | sets.other_anaphor.keys()
    spurious = sets.draft.in_order(sets.draft.elements.keys() - aligned)
    mistakes = [
        Finding(
            sets.main.get(e),
            e,
            response=tuple(sets.draft.first(x) for x in sets.draft.elements[e]),
            anaphor=("response", sets.draft.first(e)),
        )
        for e in spurious
    ]
    return Findings(mistakes, sets.draft.with_sets(dict.fromkeys(spurious, ())))


def set_on_wrong_anaphor(sets: SetAlignment) -> Findings:
    """Find sets on the wrong anaphor; move them to the right one."""
    bench = Correction(sets)
    for e, k in sets.other_anaphor.items():
        elements = sets.draft.elements[e]
        to = _anaphor(bench, sets, k)
        if to in elements:
            to = bench.split_off(to, k)
        bench.give(e, ())
        bench.give(to, elements)
        bench.relate(to, k)
    mistakes = [
        Finding(k, e, (sets.first_of(k),), (sets.draft.first(e),))
        for e, k in sets.other_anaphor.items()
    ]
    return Findings(mistakes, bench.draft())


def wrong_element(sets: SetAlignment) -> Findings:
    """Find sets with a wrong element; replace it."""
    return _elements(sets, lambda missing, extra: list(zip(missing, extra, strict=False)))


def missing_element(sets: SetAlignment) -> Findings:
    """Find sets that lack an element; add it."""
    return _elements(sets, lambda missing, extra: [(k, None) for k in missing[len(extra) :]])


def extra_element(sets: SetAlignment) -> Findings:
    """Find sets with an extra element; remove it."""
    return _elements(sets, lambda missing, extra: [(None, x) for x in extra[len(missing) :]])


def _elements(
    sets: SetAlignment,
    choose: Callable[[list[int], list[int]], list[tuple[int | None, int | None]]],
) -> Findings:
    """Find and correct wrong elements; `choose` pairs missing with extra ones."""
    bench = Correction(sets)
    mistakes = []
    for e, k in sets.same_anaphor.items():
        for missing, extra in choose(*sets.wrong_elements(e, k)):
            kept = [x for x in bench.elements(e) if x != extra]
            bench.give(e, kept if missing is None else [*kept, bench.element_for(missing, e)])
            mistakes.append(
                Finding(
                    k,
                    e,
                    () if missing is None else (sets.first_of(missing),),
                    () if extra is None else (sets.draft.first(extra),),
                    anaphor=("response", sets.draft.first(e)),
                )
            )
    return Findings(mistakes, bench.draft())


def _give_set(bench: Correction, sets: SetAlignment, e: int, k: int) -> None:
    bench.relate(e, k)
    bench.give(e, ())
    bench.give(e, [bench.element_for(x, e) for x in sets.key.entities[k].elements])


def _anaphor(bench: Correction, sets: SetAlignment, k: int) -> int:
    """Find the entity that contains a key set's anaphor, and no other set of the key."""
    home = bench.home(k)
    if home is None:
        return bench.introduced(k)
    return bench.split_off(home, k) if home in sets.same_anaphor else home
