"""Matching mentions: which mention of the response is which of the key.

Takes the mentions of two sides; gives pairs of positions, each mention in one pair at most.
Entities play no part in it, and neither does the order in which mentions are given.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from anascore.matching.methods import (
    Matched,
    MentionsByPosition,
    match_craft,
    match_heads,
    match_partly,
    match_zeros,
)
from anascore.model.mention import Mention, place_of
from anascore.prepare.side import ZeroDependencies
from anascore.settings import Settings


class MentionSource(Protocol):
    """Anything that has mentions to match: a side, or all mentions of a document."""

    @property
    def mentions(self) -> Sequence[Mention]:
        """The mentions, each place once."""

    @property
    def dependencies(self) -> ZeroDependencies:
        """The dependencies of zeros, if zeros are matched by them."""


OTHERS = {"partial": match_partly, "head": match_heads, "craft": match_craft}
"""How mentions are matched that are not identical; exact matching ends there."""


def match_mentions(key: MentionSource, response: MentionSource, settings: Settings) -> Matched:
    """Pair mentions in three steps: zeros by their dependencies, identical ones, then others."""
    matched: Matched = []
    if settings.zero_match == "dependent":
        left = _left(key, response, matched)
        matched += match_zeros(*left, key.dependencies, response.dependencies)
    matched += match_identical(key, response, matched, with_head=settings.match == "head")
    if settings.match in OTHERS:
        matched += OTHERS[settings.match](*_left(key, response, matched))
    return matched


def match_identical(
    key: MentionSource, response: MentionSource, matched: Matched, *, with_head: bool
) -> Matched:
    """Pair the mentions that cover the same words and zeros, and have the same head if asked."""
    taken, given = ({pair[side] for pair in matched} for side in (0, 1))
    places = enumerate(map(place_of, response.mentions))
    found = {place: r for r, place in places if r not in given}
    partners = enumerate(map(found.get, map(place_of, key.mentions)))
    pairs = ((k, r) for k, r in partners if r is not None and k not in taken)
    if not with_head:
        return list(pairs)
    return [(k, r) for k, r in pairs if key.mentions[k].head == response.mentions[r].head]


def _left(
    key: MentionSource, response: MentionSource, matched: Matched
) -> tuple[MentionsByPosition, MentionsByPosition]:
    """Return the mentions that have no partner yet, in document order."""
    return (
        _without(key.mentions, {k for k, _ in matched}),
        _without(response.mentions, {r for _, r in matched}),
    )


def _without(mentions: Sequence[Mention], taken: set[int]) -> MentionsByPosition:
    left = (position for position in range(len(mentions)) if position not in taken)
    return {
        position: mentions[position] for position in sorted(left, key=lambda p: mentions[p].order)
    }
