"""Mentions of key and response to pairs: which mention of the response is which of the key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from anascore.mention import Mention

Matched: TypeAlias = list[tuple[int, int]]
"""Pairs of positions among the mentions of the key and of the response, each in one pair only."""


def match_exact(key: Sequence[Mention], response: Sequence[Mention]) -> Matched:
    """Pair the mentions that cover the same words and zeros."""
    found = {mention.place: position for position, mention in enumerate(response)}
    places = (mention.place for mention in key)
    return [(position, found[place]) for position, place in enumerate(places) if place in found]
