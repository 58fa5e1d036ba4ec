"""Scores of mentions: mention overlap ratio, and the anaphor-decomposable score."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import TypeVar

from anascore.assignment import Cell, best_assignment
from anascore.entities.side import Side
from anascore.matching import Matched
from anascore.model.mention import Mention, Place, Unit, are_plain, place_of, shared_size, words_of
from anascore.model.ratio import Components, Ratio, RatioPair, shared_score


def overlap_ratio(key: Iterable[Mention], response: Iterable[Mention]) -> Components:
    """MOR (CRAC 2022): the words shared by mentions, paired so that they share the most words."""
    return overlap_ratio_of_places({*map(place_of, key)}, {*map(place_of, response)})


def overlap_ratio_of_places(key: AbstractSet[Place], response: AbstractSet[Place]) -> Components:
    """MOR of mentions at these places."""
    return overlap_ratio_of_others(
        _total_size([Mention(*place) for place in key & response]),
        [Mention(*place) for place in key - response],
        [Mention(*place) for place in response - key],
    )


def overlap_ratio_of_others(
    identical: int, key: Sequence[Mention], response: Sequence[Mention]
) -> Components:
    """MOR of mentions that differ, and of identical ones with `identical` words and zeros.

    Identical mentions can be paired first: if A is on both sides but paired with B and C instead,
    |A ∩ B| + |A ∩ C| ≤ |A| + |B ∩ C|, so pairing A with A and B with C shares at least as much.
    """
    in_key, in_response = (identical + _total_size(side) for side in (key, response))
    return shared_score(identical + most_shared(key, response), in_key, in_response)


def _total_size(mentions: Collection[Mention]) -> int:
    """Count the words and zeros of mentions, repeating those in several mentions."""
    words = sum([end - start for mention in mentions for start, end in mention[0]])
    return words + sum([len(mention[1]) for mention in mentions if mention[1]])


T = TypeVar("T", int, Unit)


def most_shared(key: Sequence[Mention], response: Sequence[Mention]) -> int:
    """Return the largest number of words and zeros that mentions share if paired one to one."""
    overlapping = overlaps(key, response)
    return sum(overlapping[cell] for cell in best_assignment(overlapping))


def overlaps(key: Sequence[Mention], response: Sequence[Mention]) -> dict[Cell, int]:
    """Count the words and zeros that mentions share, for all pairs that overlap.

    Of two overlapping mentions, one begins inside the other or both begin together.
    """
    if are_plain(key) and are_plain(response):
        # Fast path: nearly all mentions are one span without zeros.
        own, other = ([spans[0] for spans in map(words_of, side)] for side in (key, response))
        return {
            (k, r): min(own[k][1], other[r][1]) - max(own[k][0], other[r][0])
            for k, r in _overlapping(own, other)
        }
    pairs = _overlapping(*([*map(_extent, side)] for side in (key, response)))
    shared = (((k, r), shared_size(key[k], response[r])) for k, r in pairs)
    return {pair: number for pair, number in shared if number}


def _extent(mention: Mention) -> tuple[Unit, Unit]:
    """Return a mention's first word or zero, and a unit right after its last."""
    first, (before, rank), *_ = mention.order
    return first, (before, rank + 1)


def _overlapping(own: Sequence[tuple[T, T]], other: Sequence[tuple[T, T]]) -> Iterator[Cell]:
    """Yield the pairs of extents that overlap."""
    yield from _beginning_inside(own, other, bisect_left)
    for r, k in _beginning_inside(other, own, bisect_right):
        yield k, r


def _beginning_inside(
    outer: Sequence[tuple[T, T]],
    inner: Sequence[tuple[T, T]],
    lowest: Callable[[list[T], T], int],
) -> Iterator[Cell]:
    """Yield the pairs (outer, inner) whose inner extent begins inside the outer one.

    `lowest` finds the first of the sorted beginnings that counts.
    """
    positions = sorted(range(len(inner)), key=inner.__getitem__)
    starts = [inner[position][0] for position in positions]
    for number, (first, end) in enumerate(outer):
        for index in range(lowest(starts, first), bisect_left(starts, end)):
            yield number, positions[index]


def decomposable(key: Side, response: Side, matched: Matched) -> Components:
    """Score the anaphors of a class: its mentions that are not the first of their entity.

    A key anaphor is missed if it has no counterpart, or if the counterpart is the first mention of
    its entity. Otherwise it is right if the counterpart's entity contains the counterpart of an
    earlier mention of the key entity, and wrong if not. All other response anaphors are spurious.
    """
    counterpart = dict(matched)
    key_anaphors, response_anaphors = (
        {number for number in anaphors(side) if side.mentions[number].place in side.anaphors}
        for side in (key, response)
    )
    outcomes = {k: right for k, right in resolved(key, response, matched) if k in key_anaphors}
    right = sum(outcomes.values())
    spurious = response_anaphors - {counterpart[k] for k in outcomes}
    return (
        RatioPair(Ratio(right, len(key_anaphors)), Ratio(right, len(outcomes) + len(spurious))),
    )


def anaphors(side: Side) -> AbstractSet[int]:
    """Return later mentions; one that belongs to several entities counts in only one of them."""
    return side.later_mentions.intersection(side.unique_positions)


def resolved(key: Side, response: Side, matched: Matched) -> list[tuple[int, bool]]:
    """Return the key anaphors whose counterparts are anaphors, with True if resolved correctly."""
    counterpart = key.counterparts(matched)
    in_key, in_response = key.later_mentions, response.later_mentions
    outcomes = []
    entities: set[int] = set()
    for k in range(len(key.mentions)):
        if k not in in_key:
            entities = set()
        r = counterpart.get(k)
        if r is None:
            continue
        entity = response.entity_of[r]
        if k in in_key and r in in_response:
            outcomes.append((k, entity in entities))
        entities.add(entity)
    return outcomes
