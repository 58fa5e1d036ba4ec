"""What the entities of a response stand for."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property

from anascore.error_analysis.draft import Draft
from anascore.side import Side


@dataclass(frozen=True)
class Judged:
    """A key and a draft of the response, and which entities of both stand for each other."""

    key: Side
    draft: Draft

    @cached_property
    def parts(self) -> dict[int, Counter[int]]:
        """For each entity of the response how many mentions it has of which key entities."""
        entity_of, meant = self.key.entity_of, self.draft.meant
        return {
            e: Counter(entity_of[meant[number]] for number in numbers if number in meant)
            for e, numbers in self.draft.entities.items()
        }

    @cached_property
    def main(self) -> dict[int, int]:
        """The key entity that an entity has most mentions of, if it has of any."""
        return {
            e: min(parts, key=lambda k: (-parts[k], k)) for e, parts in self.parts.items() if parts
        }

    @cached_property
    def homes(self) -> dict[int, list[int]]:
        """The response entities that have mentions of a key entity, those with most first."""
        homes: dict[int, list[int]] = {}
        for e in self.draft.in_order(self.draft.entities):
            for k in self.parts[e]:
                homes.setdefault(k, []).append(e)
        return {k: sorted(found, key=lambda e: -self.parts[e][k]) for k, found in homes.items()}

    def home(self, k: int) -> int | None:
        """Return the response entity that has most mentions of a key entity."""
        found = self.homes.get(k)
        return found[0] if found else None

    def part(self, e: int, k: int) -> list[int]:
        """Return the mentions of a response entity that belong to a key entity."""
        return self._mentions_of_parts[e].get(k, [])

    @cached_property
    def _mentions_of_parts(self) -> dict[int, dict[int, list[int]]]:
        entity_of, meant = self.key.entity_of, self.draft.meant
        found: dict[int, dict[int, list[int]]] = {}
        for e, numbers in self.draft.entities.items():
            parts = found.setdefault(e, {})
            for n in numbers:
                if n in meant:
                    parts.setdefault(entity_of[meant[n]], []).append(n)
        return found

    @cached_property
    def mentions_of_key(self) -> list[list[int]]:
        """The positions of the mentions of all key entities."""
        found: list[list[int]] = [[] for _ in self.key.entities]
        for position, entity in enumerate(self.key.entity_of):
            found[entity].append(position)
        return found
