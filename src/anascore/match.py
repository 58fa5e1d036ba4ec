"""Two Sides to pairs of mentions: which mention of the response is which of the key."""

from __future__ import annotations

from typing import TypeAlias

from anascore.model import Mention
from anascore.normalise import Side

Matched: TypeAlias = list[tuple[Mention, Mention]]
"""Pairs of a key mention and a response mention; no mention is in two pairs."""


def match_exact(key: Side, response: Side) -> Matched:
    """Pair the mentions that cover the same words and zeros."""
    theirs = {mention.place: mention for entity in response.entities for mention in entity.mentions}
    return [
        (mention, theirs[mention.place])
        for entity in key.entities
        for mention in entity.mentions
        if mention.place in theirs
    ]
