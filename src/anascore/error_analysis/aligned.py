"""Which accommodated sets of a response are which of the key, whatever metric is computed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from anascore.error_analysis.judged import Judged
from anascore.mention import Mention
from anascore.model import Relation


class Sets(Judged):
    """Which accommodated sets of the response are which of the key."""

    @cached_property
    def in_key(self) -> list[int]:
        """The key entities that have a set."""
        return [k for k, entity in enumerate(self.key.entities) if entity.elements]

    @cached_property
    def same_anaphor(self) -> dict[int, int]:
        """The response's sets that have an anaphor of a key set, the most similar ones first."""
        draft = self.draft
        pairs = sorted(
            (sum(map(len, self.wrong_elements(e, k))), -n, draft.first(e).order, e, k)
            for e in draft.elements
            for k, n in self.parts[e].items()
            if self._alike(e, k)
        )
        found: dict[int, int] = {}
        taken: set[int] = set()
        for *_, e, k in pairs:
            if e not in found and k not in taken:
                found[e] = k
                taken.add(k)
        return found

    @cached_property
    def other_anaphor(self) -> dict[int, int]:
        """The response's sets that have the elements of a key set, and none of its anaphors."""
        left: dict[tuple[Relation, frozenset[int | None]], list[int]] = {}
        aligned = {*self.same_anaphor.values()}
        for k in reversed(self.in_key):
            entity = self.key.entities[k]
            if k not in aligned:
                left.setdefault((entity.relation, frozenset(entity.elements)), []).append(k)
        found: dict[int, int] = {}
        for e in self.draft.in_order(self.draft.elements.keys() - self.same_anaphor.keys()):
            elements = [self.main.get(x) for x in self.draft.elements[e]]
            same = left.get((self.draft.relations[e], frozenset(elements)))
            if same and len({*elements}) == len(elements):
                found[e] = same.pop()
        return found

    def _alike(self, e: int, k: int) -> bool:
        entity = self.key.entities[k]
        return bool(entity.elements) and entity.relation == self.draft.relations[e]

    def wrong_elements(self, e: int, k: int) -> tuple[list[int], list[int]]:
        """Return the elements of a key set that are missing, and those of the response too many.

        An element stands for the key entity that it has most mentions of, and for those that have
        most of their mentions in it.
        """
        wanted = {*self.key.entities[k].elements}
        meant = {x: self.stands_for(x, wanted) for x in self.draft.elements[e]}
        there = {found for of_element in meant.values() for found in of_element}
        extra = [x for x, of_element in meant.items() if not of_element]
        return sorted(wanted - there), self.draft.in_order(extra)

    def stands_for(self, x: int, wanted: Collection[int]) -> list[int]:
        """Return the entities among some of the key that an entity of the response stands for."""
        parts = (k for k in self.parts[x] if self.main[x] == k or self.home(k) == x)
        return sorted(k for k in parts if k in wanted)

    def missed(self) -> Iterator[tuple[int, int | None]]:
        """Give the key sets that the response lacks, each with the entity that has the anaphor."""
        aligned = {*self.same_anaphor.values(), *self.other_anaphor.values()}
        for k in self.in_key:
            if k not in aligned:
                yield k, self.home(k)

    def first_of(self, k: int) -> Mention:
        """Return the first mention of a key entity."""
        return next(iter(self.key.entities[k].mentions))

    def elements_of_key(self, k: int) -> tuple[Mention, ...]:
        """Return the first mentions of the elements of a key set."""
        return tuple(self.first_of(x) for x in self.key.entities[k].elements)
