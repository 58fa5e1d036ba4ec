"""Which mention a bridging anaphor is related to where only an entity is named."""

from __future__ import annotations

from anascore.mention import Mention
from anascore.model import Entity


def anchor_before(anaphor: Mention, entity: Entity[Mention]) -> Mention:
    """Return the entity's last mention before the anaphor, or its first if there is none."""
    mentions = sorted(entity.mentions, key=lambda mention: mention.full_order)
    before = [mention for mention in mentions if mention.order < anaphor.order]
    return before[-1] if before else mentions[0]
