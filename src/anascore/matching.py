"""Matching of mentions: pairs of a key mention and a response mention.

Takes two sides' mentions and returns pairs of positions; each mention is in one pair at most.
Neither entities nor the order of mentions affect the result.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import accumulate, count
from typing import Any, Protocol, TypeAlias

from anascore.assignment import Cell, first_best_assignment
from anascore.formats.columns import Dependencies, ZeroDependencies
from anascore.model.mention import Mention, Unit, is_within, place_of, shared_size
from anascore.model.ratio import Ratio, RatioPair
from anascore.settings import Settings

Matched: TypeAlias = list[Cell]
"""Pairs of positions of key and response mentions, each position in one pair at most."""

MentionsByPosition: TypeAlias = dict[int, Mention]
"""Unmatched mentions by position, in document order."""


def best_pairs(
    key: MentionsByPosition, response: MentionsByPosition, scores: Mapping[Cell, Fraction]
) -> Matched:
    """Choose the pairs with the largest sum of scores; ties go to earlier mentions."""
    keys, responses = list(key), list(response)
    row = {position: rank for rank, position in enumerate(keys)}
    column = {position: rank for rank, position in enumerate(responses)}
    chosen = first_best_assignment({(row[k], column[r]): score for (k, r), score in scores.items()})
    return [(keys[i], responses[j]) for i, j in chosen]


def match_partly(key: MentionsByPosition, response: MentionsByPosition) -> Matched:
    """Match k and r if min(k) ⊆ r ⊆ k, scored by |k ∩ r| / |k|."""
    return best_pairs(key, response, _partial_scores(key, response))


def _partial_scores(key: MentionsByPosition, response: MentionsByPosition) -> dict[Cell, Fraction]:
    """Score every pair that can match.

    Such an r begins between the beginnings of k and min(k), and ends between their ends. Of these
    two ranges of mentions, only the smaller one is searched.
    """
    ends = {r: mention.order[:2] for r, mention in response.items()}
    by_first = sorted((first, r) for r, (first, _) in ends.items())
    by_last = sorted((last, r) for r, (_, last) in ends.items())
    scores = {}
    for k, whole in key.items():
        minimum = whole.required_part
        if minimum is None:
            continue
        (first, last, *_), (minimum_first, minimum_last, *_) = whole.order, minimum.order
        beginning = _between(by_first, first, minimum_first)
        ending = _between(by_last, minimum_last, last)
        units, indices = min((by_first, beginning), (by_last, ending), key=lambda c: len(c[1]))
        for index in indices:
            r = units[index][1]
            if is_within(response[r], whole) and is_within(minimum, response[r]):
                scores[k, r] = Fraction(response[r].size, whole.size)
    return scores


def _between(units: list[tuple[Unit, int]], low: Unit, high: Unit) -> range:
    """Find the mentions whose unit lies from low to high."""
    above_any = float("inf")
    return range(bisect_left(units, (low, -1)), bisect_right(units, (high, above_any)))


def match_heads(key: MentionsByPosition, response: MentionsByPosition) -> Matched:
    """Match k and r if their heads are the same word or zero, scored by |k ∩ r| / |k|."""
    responses = _by_head(response)
    scores = {
        (k, r): Fraction(size, mention.size)
        for head, own in _by_head(key).items()
        for k, mention in own.items()
        for r, partner in responses.get(head, {}).items()
        if (size := shared_size(mention, partner))
    }
    return best_pairs(key, response, scores)


def _by_head(mentions: MentionsByPosition) -> dict[Unit, MentionsByPosition]:
    """Group mentions by their heads, leaving out those without."""
    with_head: dict[Unit, MentionsByPosition] = defaultdict(dict)
    for position, mention in mentions.items():
        if mention.head is not None:
            with_head[mention.head][position] = mention
    return with_head


def match_craft(key: MentionsByPosition, response: MentionsByPosition) -> Matched:
    """Match each r, in document order, with the first k whose first span contains a span of r.

    If that k is already matched, r stays unmatched. Zeros match nothing.
    """
    candidates, others = (_by_words(mentions) for mentions in (key, response))
    first_spans = [key[k].words[0] for k in candidates]
    # Spans are sorted by start. So the first span that ends at `end` or later is the first index
    # where the running maximum of ends reaches `end`. If that span starts too late to contain the
    # span of r, all later ones do.
    furthest = list(accumulate((end for _, end in first_spans), max))
    taken: set[int] = set()
    matched = []
    for r in others:
        containing = []
        for start, end in response[r].words:
            index = bisect_left(furthest, end)
            if index < len(candidates) and first_spans[index][0] <= start:
                containing.append(index)
        if containing and min(containing) not in taken:
            taken.add(min(containing))
            matched.append((candidates[min(containing)], r))
    return matched


def _by_words(mentions: MentionsByPosition) -> list[int]:
    """Sort mentions other than zeros by words, then by zeros."""
    orders = {
        position: (Mention(mention.words).order, mention.order)
        for position, mention in mentions.items()
        if not mention.is_zero
    }
    return sorted(orders, key=orders.__getitem__)


WITH_RELATION = 10
"""Weight of a parent with its relation, compared with a parent alone."""


def match_zeros(
    key: MentionsByPosition,
    response: MentionsByPosition,
    key_dependencies: ZeroDependencies,
    response_dependencies: ZeroDependencies,
) -> Matched:
    """Match zeros of the same sentence, scored by 10 · F1 of (parent, relation) + F1 of parents."""
    in_sentence: dict[int, list[tuple[int, Dependencies]]] = defaultdict(list)
    for r, dependencies in _zeros(response, response_dependencies):
        in_sentence[dependencies.sentence].append((r, dependencies))
    scores = {
        (k, r): WITH_RELATION * _f1(own.links, other.links) + _f1(own.parents, other.parents)
        for k, own in _zeros(key, key_dependencies)
        for r, other in in_sentence.get(own.sentence, ())
    }
    return best_pairs(key, response, {pair: score for pair, score in scores.items() if score})


def _zeros(
    mentions: MentionsByPosition, dependencies: ZeroDependencies
) -> list[tuple[int, Dependencies]]:
    """Find the mentions that are zeros, with the dependencies of their heads."""
    zeros = ((position, m.head or m.zeros[0]) for position, m in mentions.items() if m.is_zero)
    return [(position, dependencies[z]) for position, z in zeros if z in dependencies]


def _f1(key: frozenset[Any], response: frozenset[Any]) -> Fraction:
    common = len(key & response)
    return RatioPair(Ratio(common, len(key)), Ratio(common, len(response))).f1 or Fraction(0)


class MentionSource(Protocol):
    """A source of mentions to match: a side, or all mentions of a document."""

    @property
    def mentions(self) -> Sequence[Mention]:
        """The mentions, each place once."""

    @property
    def dependencies(self) -> ZeroDependencies:
        """The dependencies of zeros, if zeros are matched by dependencies."""


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
    """Test whether mentions match only if they cover the same words and zeros."""
    return settings.match not in MATCH_METHODS and settings.zero_match != "dependent"


def match_identical(
    key: MentionSource, response: MentionSource, matched: Matched, *, with_head: bool
) -> Matched:
    """Match mentions that cover the same words and zeros; with_head, require the same head, too."""
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
    """Collect both sides' unmatched mentions, in document order."""
    return (
        _without(key.mentions, {k for k, _ in matched}),
        _without(response.mentions, {r for _, r in matched}),
    )


def _without(mentions: Sequence[Mention], matched: set[int]) -> MentionsByPosition:
    unmatched = (position for position in range(len(mentions)) if position not in matched)
    in_order = sorted(unmatched, key=lambda position: mentions[position].order)
    return {position: mentions[position] for position in in_order}
