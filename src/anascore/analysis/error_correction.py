"""Correction of a response, one change at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from anascore.analysis.error_alignment import CorrectedResponse, EntityAlignment
from anascore.model.document import RELATIONS


class Correction:
    """A draft that is changed in place, unlike everything else in this folder.

    Each change costs as much as the entities that it is about, however long the document is.
    """

    def __init__(self, judged: EntityAlignment) -> None:
        """Start with an unchanged draft."""
        draft = judged.draft
        self._judged = judged
        self._entities = {e: dict.fromkeys(numbers) for e, numbers in draft.entities.items()}
        self._elements = {e: list(found) for e, found in draft.elements.items()}
        self._relations = dict(draft.relations)
        self._home = {k: homes[0] for k, homes in judged.homes.items()}
        self._parts = {e: set(parts) for e, parts in judged.parts.items()}
        self._new: dict[int, int] = {}
        """Numbers of mentions added from the key, with their positions there."""

        self._first_new = max(draft.mentions, default=-1) + 1
        self._next_entity = draft.new_entity

    def draft(self) -> CorrectedResponse:
        """Return the corrected draft."""
        judged = self._judged
        draft = judged.draft
        added = {number: judged.key.mentions[k] for number, k in self._new.items()}
        changed = replace(
            draft,
            mentions={**draft.mentions, **added},
            counterpart={**draft.counterpart, **self._new},
            meant={**draft.meant, **self._new},
            relations=self._relations,
        )
        left = {e: found for e, found in self._elements.items() if self._entities[e]}
        return changed.with_entities(self._entities).with_sets(left)

    def has_set(self, e: int) -> bool:
        """Return True if an entity has elements."""
        return bool(self._elements.get(e))

    def elements(self, e: int) -> list[int]:
        """Return the elements of an entity."""
        return self._elements.get(e, [])

    def give(self, e: int, elements: Iterable[int]) -> None:
        """Replace the elements of an entity, and break cycles through it."""
        self._elements[e] = list(dict.fromkeys(elements))
        seen: set[int] = set()
        below = list(self._elements[e])
        while below:
            x = below.pop()
            if x in seen:
                continue
            seen.add(x)
            if e in self.elements(x):
                self._elements[x].remove(e)
            below += self.elements(x)

    def relate(self, e: int, k: int) -> None:
        """Copy the relation of a key entity."""
        self._relations[e] = self._judged.key.entities[k].relation

    def home(self, k: int) -> int | None:
        """Return the entity that has most mentions of a key entity."""
        return self._home.get(k)

    def extend(self, e: int, members: Sequence[int]) -> None:
        """Add mentions of the key to an entity, by their positions in the key."""
        self._entities[e] |= dict.fromkeys(self._numbered(members))

    def introduced(self, k: int) -> int:
        """Add an entity with the mentions of a key entity."""
        return self._added(k, self._numbered(self._judged.mentions_of_key[k]))

    def _numbered(self, members: Sequence[int]) -> range:
        """Return new numbers for mentions of the key."""
        start = self._first_new + len(self._new)
        numbers = range(start, start + len(members))
        self._new.update(zip(numbers, members, strict=True))
        return numbers

    def split_off(self, e: int, k: int) -> int:
        """Split off the mentions of a key entity as a new entity."""
        part = self._judged.part(e, k)
        for n in part:
            self._entities[e].pop(n, None)
        self._parts[e].discard(k)
        number = self._added(k, part)
        if not self._entities[e]:
            # The last mentions of an entity take its place in the sets that it is an element of.
            for owner, elements in self._elements.items():
                if e in elements and owner != number:
                    elements[:] = dict.fromkeys(number if x == e else x for x in elements)
        return number

    def _added(self, k: int, mentions: Iterable[int]) -> int:
        number = self._next_entity
        self._next_entity += 1
        self._entities[number] = dict.fromkeys(mentions)
        self._relations[number] = "set"
        self._parts[number] = {k}
        self._home[k] = number
        return number

    def element_for(self, k: int, avoid: int) -> int:
        """Return a response entity that can serve as an element in place of a key entity.

        It is the one that has most of its mentions, if that can be one; else these mentions become
        an entity of their own, and if there are none they come from the key.
        """
        home = self.home(k)
        if home is None:
            return self.introduced(k)
        is_set = self.has_set(home) and RELATIONS[self._relations[home]].flattens
        if home != avoid and not is_set:
            return home
        if home != avoid and len(self._parts[home]) == 1:
            self.give(home, ())
            return home
        return self.split_off(home, k)
