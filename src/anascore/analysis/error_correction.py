"""Correction of a response, one change at a time."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from anascore.analysis.error_alignment import CorrectedResponse, EntityAlignment
from anascore.model.document import RELATIONS, RelationName


class Correction:
    """Mutable builder of a corrected response.

    A change takes time in proportion to the entities concerned, however long the document is.
    """

    def __init__(self, alignment: EntityAlignment) -> None:
        """Start with an unchanged draft."""
        draft = alignment.draft
        self._judged = alignment
        self._entities: dict[int, dict[int, None]] = {}
        """Mentions of entities that are new or may have changed."""

        self._elements = {e: list(found) for e, found in draft.elements.items()}
        self._relations: dict[int, RelationName] = {}
        self._home: dict[int, int] = {}
        """Entities to which key entities moved."""

        self._parts: dict[int, set[int]] = {}
        """Key entities whose mentions are in entities that may have changed."""

        self._new: dict[int, int] = {}
        """Numbers of mentions added from the key, with their positions there."""

        self._first_new = max(draft.mentions, default=-1) + 1
        self._next_entity = draft.new_entity

    def draft(self) -> CorrectedResponse:
        """Freeze the corrected draft."""
        alignment = self._judged
        draft = alignment.draft
        changed = draft.with_mentions(self._new, alignment.key) if self._new else draft
        relations = {**draft.relations, **self._relations}
        left = {e: found for e, found in self._elements.items() if self._mentions(e)}
        return replace(changed, relations=relations).with_entities(self._entities).with_sets(left)

    def _mentions(self, e: int) -> dict[int, None]:
        """Copy an entity's mentions before they are changed."""
        mentions = self._entities.get(e)
        if mentions is None:
            mentions = self._entities[e] = dict.fromkeys(self._judged.draft.entities[e])
        return mentions

    def _parts_of(self, e: int) -> set[int]:
        """Copy the key entities that share mentions with an entity, before they are changed."""
        parts = self._parts.get(e)
        if parts is None:
            parts = self._parts[e] = set(self._judged.parts[e])
        return parts

    def has_set(self, e: int) -> bool:
        """Test whether an entity has elements."""
        return bool(self._elements.get(e))

    def elements(self, e: int) -> list[int]:
        """Return an entity's current elements."""
        return self._elements.get(e, [])

    def give(self, e: int, elements: Iterable[int]) -> None:
        """Replace an entity's elements, and break cycles through it."""
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

    def _relation(self, e: int) -> RelationName:
        return self._relations.get(e) or self._judged.draft.relations[e]

    def home(self, k: int) -> int | None:
        """Return the entity that contains most mentions of a key entity."""
        return self._home.get(k, self._judged.home(k))

    def extend(self, e: int, members: Sequence[int]) -> None:
        """Add key mentions to an entity, by their positions in the key."""
        self._mentions(e).update(dict.fromkeys(self._numbered(members)))

    def introduced(self, k: int) -> int:
        """Add an entity with a key entity's mentions."""
        return self._added(k, self._numbered(self._judged.mentions_of_key[k]))

    def _numbered(self, members: Sequence[int]) -> range:
        """Assign new numbers to key mentions."""
        start = self._first_new + len(self._new)
        numbers = range(start, start + len(members))
        self._new.update(zip(numbers, members, strict=True))
        return numbers

    def split_off(self, e: int, k: int) -> int:
        """Move the mentions of a key entity from an entity to a new one."""
        part = self._judged.part(e, k)
        mentions = self._mentions(e)
        for n in part:
            mentions.pop(n, None)
        self._parts_of(e).discard(k)
        number = self._added(k, part)
        if not mentions:
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
        """Choose a response entity that can be an element in place of a key entity.

        Prefer the entity with most of its mentions, if it can be an element. Otherwise these
        mentions become a new entity; if there are none, they are copied from the key.
        """
        home = self.home(k)
        if home is None:
            return self.introduced(k)
        is_set = self.has_set(home) and RELATIONS[self._relation(home)].flattens
        if home != avoid and not is_set:
            return home
        if home != avoid and len(self._parts_of(home)) == 1:
            self.give(home, ())
            return home
        return self.split_off(home, k)
