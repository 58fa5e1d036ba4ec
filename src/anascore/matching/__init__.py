"""Matching of mentions: pairs of a key mention and a response mention.

Takes the mentions of two sides; returns pairs of positions, each mention in one pair at most.
Neither entities nor the order of mentions affect the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Protocol

from anascore.formats.columns import ZeroDependencies
from anascore.matching.methods import (
    Matched,
    MentionsByPosition,
    match_craft,
    match_heads,
    match_partly,
    match_zeros,
)
from anascore.model.mention import Mention, place_of
from anascore.settings import Settings


class MentionSource(Protocol):
    """A source of mentions to match: a side, or all mentions of a document."""

    @property
    def mentions(self) -> Sequence[Mention]:
        """The mentions, each place once."""

    @property
    def dependencies(self) -> ZeroDependencies:
        """The dependencies of zeros, if zeros are matched by them."""


MATCH_METHODS = {"partial": match_partly, "head": match_heads, "craft": match_craft}
"""Methods for mentions that are not identical; exact matching has none."""


def match_mentions(key: MentionSource, response: MentionSource, settings: Settings) -> Matched:
    """Match mentions in three steps: zeros by dependencies, identical mentions, then others."""
    matched: Matched = []
    if settings.zero_match == "dependent":
        unmatched = _unmatched(key, response, matched)
        matched += match_zeros(*unmatched, key.dependencies, response.dependencies)
    matched += match_identical(key, response, matched, with_head=settings.match == "head")
    if settings.match in MATCH_METHODS:
        matched += MATCH_METHODS[settings.match](*_unmatched(key, response, matched))
    return matched


def only_identical_match(settings: Settings) -> bool:
    """Return True if mentions match only if they cover the same words and zeros."""
    return settings.match not in MATCH_METHODS and settings.zero_match != "dependent"


def match_identical(
    key: MentionSource, response: MentionSource, matched: Matched, *, with_head: bool
) -> Matched:
    """Match mentions that cover the same words and zeros; with_head, also by the same head."""
    matched_key, matched_response = ({pair[side] for pair in matched} for side in (0, 1))
    position = dict(zip(map(place_of, response.mentions), count(), strict=False))
    partners = enumerate(map(position.get, map(place_of, key.mentions)))
    pairs = [(k, r) for k, r in partners if r is not None]
    if matched:
        pairs = [(k, r) for k, r in pairs if not (k in matched_key or r in matched_response)]
    if not with_head:
        return pairs
    return [(k, r) for k, r in pairs if key.mentions[k].head == response.mentions[r].head]


def _unmatched(
    key: MentionSource, response: MentionSource, matched: Matched
) -> tuple[MentionsByPosition, MentionsByPosition]:
    """Return the unmatched mentions of both sides, in document order."""
    return (
        _without(key.mentions, {k for k, _ in matched}),
        _without(response.mentions, {r for _, r in matched}),
    )


def _without(mentions: Sequence[Mention], matched: set[int]) -> MentionsByPosition:
    unmatched = (position for position in range(len(mentions)) if position not in matched)
    in_order = sorted(unmatched, key=lambda position: mentions[position].order)
    return {position: mentions[position] for position in in_order}
