"""Scores of mentions: mention overlap ratio, and the anaphor-decomposable score."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from itertools import chain
from operator import itemgetter

from anascore.assignment import Cell, best_assignment
from anascore.matching.methods import Matched
from anascore.model.mention import Mention, Place, place_of, shared_size
from anascore.model.ratio import Components, Ratio, RatioPair, shared_score
from anascore.prepare.side import Side


def overlap_ratio(key: Iterable[Mention], response: Iterable[Mention]) -> Components:
    """MOR (CRAC 2022): the words shared by mentions, paired so that they share the most words."""
    return overlap_ratio_of_places({*map(place_of, key)}, {*map(place_of, response)})


def overlap_ratio_of_places(key: AbstractSet[Place], response: AbstractSet[Place]) -> Components:
    """MOR of mentions at these places.

    Identical mentions can be paired first: if A is on both sides but paired with B and C instead,
    |A ∩ B| + |A ∩ C| ≤ |A| + |B ∩ C|, so pairing A with A and B with C shares at least as much.
    """
    key_only, response_only = key - response, response - key
    identical = _total_size(key & response)
    in_key, in_response = (identical + _total_size(rest) for rest in (key_only, response_only))
    others = most_shared(
        [Mention(*place) for place in key_only], [Mention(*place) for place in response_only]
    )
    return shared_score(identical + others, in_key, in_response)


def _total_size(places: Iterable[Place]) -> int:
    """Return the number of words and zeros of mentions, those in several mentions repeated."""
    words = sum([end - start for spans, _ in places for start, end in spans])
    return words + sum([len(zeros) for _, zeros in places if zeros])


LISTED = 50_000
"""Number of pairs of mentions up to which all that overlap are listed."""


def most_shared(key: Sequence[Mention], response: Sequence[Mention]) -> int:
    """Return the largest number of words and zeros that mentions share if paired one to one."""
    if not (key and response):
        return 0
    if _number_of_pairs(key, response) <= LISTED:
        return _most_shared_in_passage(key, response)
    return sum(_most_shared_in_passage(*passage) for passage in _passages(key, response))


def _most_shared_in_passage(key: Sequence[Mention], response: Sequence[Mention]) -> int:
    if _number_of_pairs(key, response) <= LISTED:
        overlapping = overlaps(dict(enumerate(key)), dict(enumerate(response)))
        return sum(overlapping[cell] for cell in best_assignment(overlapping))
    from anascore.assignment.implicit import largest_sum  # noqa: PLC0415  slow to load
    from anascore.matching.overlap_table import OverlapTable  # noqa: PLC0415

    return largest_sum(OverlapTable.of(key, response))


def _number_of_pairs(key: Sequence[Mention], response: Sequence[Mention]) -> int:
    """Count the pairs in which no mention ends before the other begins."""
    pairs = len(key) * len(response)
    if pairs > LISTED:
        for own, other in (key, response), (response, key):
            ends = sorted(mention.order[1] for mention in own)
            pairs -= sum(bisect_left(ends, mention.order[0]) for mention in other)
    return pairs


def _passages(
    key: Sequence[Mention], response: Sequence[Mention]
) -> Iterator[tuple[list[Mention], list[Mention]]]:
    """Split the mentions where the text has a place that no mention extends over."""
    sides = chain(((m.order[:2], 0, m) for m in key), ((m.order[:2], 1, m) for m in response))
    passage: tuple[list[Mention], list[Mention]] = [], []
    furthest = (-1, 0)
    for (first, last), side, mention in sorted(sides, key=itemgetter(0)):
        if first > furthest:
            yield passage
            passage = [], []
        passage[side].append(mention)
        furthest = max(furthest, last)
    yield passage


def overlaps(key: dict[int, Mention], response: dict[int, Mention]) -> dict[Cell, int]:
    """Count the words and zeros that mentions share, for all pairs that overlap.

    Of two overlapping mentions, one begins inside the other or both begin together.
    """
    pairs = _beginning_inside(key, response, or_together=True)
    others = ((k, r) for r, k in _beginning_inside(response, key, or_together=False))
    shared = ((pair, shared_size(key[pair[0]], response[pair[1]])) for pair in chain(pairs, others))
    return {pair: number for pair, number in shared if number}


def _beginning_inside(
    outer: dict[int, Mention], inner: dict[int, Mention], *, or_together: bool
) -> Iterator[Cell]:
    """Yield the pairs (outer, inner) in which the inner mention begins inside the outer one."""
    by_start = sorted((mention.order[0], position) for position, mention in inner.items())
    starts = [start for start, _ in by_start]
    for position, mention in outer.items():
        first, last, *_ = mention.order
        low = bisect_left(starts, first) if or_together else bisect_right(starts, first)
        for index in range(low, bisect_right(starts, last)):
            yield position, by_start[index][1]


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
    """Return later mentions; one in several entities counts in one of them only."""
    return side.later_mentions.intersection(side.distinct)


def resolved(key: Side, response: Side, matched: Matched) -> list[tuple[int, bool]]:
    """Return the key anaphors whose counterparts are anaphors, and True if resolved correctly."""
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
