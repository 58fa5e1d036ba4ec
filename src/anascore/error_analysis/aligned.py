"""Which accommodated sets of a response are which of the key, whatever metric is computed."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from functools import cached_property

from anascore.error_analysis.judged import Judged
from anascore.mention import Mention


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
        for *_, e, k in pairs:
            if e not in found and k not in found.values():
                found[e] = k
        return found

    @cached_property
    def other_anaphor(self) -> dict[int, int]:
        """The response's sets that have the elements of a key set, and none of its anaphors."""
        found: dict[int, int] = {}
        left = [k for k in self.in_key if k not in self.same_anaphor.values()]
        for e in self.draft.in_order(self.draft.elements.keys() - self.same_anaphor.keys()):
            elements = [self.main.get(x) for x in self.draft.elements[e]]
            for k in left:
                wanted = self.key.entities[k].elements
                if self._alike(e, k) and k not in found.values() and _equal(elements, wanted):
                    found[e] = k
                    break
        return found

    def _alike(self, e: int, k: int) -> bool:
        entity = self.key.entities[k]
        return bool(entity.elements) and entity.relation == self.draft.relations[e]

    def wrong_elements(self, e: int, k: int) -> tuple[list[int], list[int]]:
        """Return the elements of a key set that are missing, and those of the response too many."""
        wanted = {*self.key.entities[k].elements}
        extra = [x for x in self.draft.elements[e] if not wanted & self.parts[x].keys()]
        there = {found for x in self.draft.elements[e] for found in self.parts[x]}
        return sorted(wanted - there), self.draft.in_order(extra)

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


def _equal(elements: list[int | None], wanted: Collection[int]) -> bool:
    return len({*elements}) == len(elements) and {*elements} == {*wanted}
