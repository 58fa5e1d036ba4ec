"""Which mention a bridging anaphor is related to where only an entity is named."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

from anascore.mention import Mention
from anascore.model import Entity


class Anchors:
    """Finds the mentions of entities that are anchors of bridging."""

    def __init__(self, entities: Sequence[Entity[Mention]]) -> None:
        """Take the entities of a document."""
        self._entities = entities
        self._in_order: dict[int, list[Mention]] = {}

    def before(self, anaphor: Mention, entity: int) -> Mention:
        """Return an entity's last mention before the anaphor, or its first if there is none."""
        if entity not in self._in_order:
            mentions = sorted(self._entities[entity].mentions, key=lambda m: m.full_order)
            self._in_order[entity] = mentions
        mentions = self._in_order[entity]
        before = bisect_left(mentions, anaphor.order, key=lambda mention: mention.order)
        return mentions[max(0, before - 1)]
