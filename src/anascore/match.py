"""Two Sides to pairs of mentions: which mention of the response is which of the key."""

from __future__ import annotations

from typing import TypeAlias

from anascore.side import Side

Matched: TypeAlias = list[tuple[int, int]]
"""Pairs of positions in the key's and in the response's mentions; no position is in two pairs."""


def match_exact(key: Side, response: Side) -> Matched:
    """Pair the mentions that cover the same words and zeros."""
    theirs = {mention.place: position for position, mention in enumerate(response.mentions)}
    places = (mention.place for mention in key.mentions)
    return [(position, theirs[place]) for position, place in enumerate(places) if place in theirs]
