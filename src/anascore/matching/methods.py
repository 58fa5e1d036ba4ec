"""Methods of matching: by minimum span, by head, CRAFT's greedy rule, zeros by dependencies."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Mapping
from fractions import Fraction
from itertools import accumulate
from typing import Any, TypeAlias

from anascore.assignment import Cell
from anascore.assignment.ties import first_best_assignment
from anascore.model.mention import Mention, Unit, is_within, shared_size
from anascore.model.ratio import Ratio, RatioPair
from anascore.prepare.side import Dependencies, ZeroDependencies

Matched: TypeAlias = list[Cell]
"""Pairs of positions among the mentions of the key and of the response, each in one pair only."""

MentionsByPosition: TypeAlias = dict[int, Mention]
"""Mentions that have no partner yet, in document order, by their positions."""


def best_pairs(
    key: MentionsByPosition, response: MentionsByPosition, scores: Mapping[Cell, Fraction]
) -> Matched:
    """Choose the pairs with the largest sum of scores, earlier mentions before later ones."""
    keys, responses = list(key), list(response)
    row = {position: rank for rank, position in enumerate(keys)}
    column = {position: rank for rank, position in enumerate(responses)}
    chosen = first_best_assignment({(row[k], column[r]): score for (k, r), score in scores.items()})
    return [(keys[i], responses[j]) for i, j in chosen]


def match_partly(key: MentionsByPosition, response: MentionsByPosition) -> Matched:
    """Pair k and r where min(k) ⊆ r ⊆ k, by |k ∩ r| / |k|."""
    return best_pairs(key, response, partial_scores(key, response))


def partial_scores(key: MentionsByPosition, response: MentionsByPosition) -> dict[Cell, Fraction]:
    """Return the score of every pair that can match.

    Such an r begins within k and not behind min(k), and ends within k and not before min(k): of the
    mentions in these two ranges, the fewer are looked at.
    """
    ends = {r: mention.order[:2] for r, mention in response.items()}
    by_first = sorted((first, r) for r, (first, _) in ends.items())
    by_last = sorted((last, r) for r, (_, last) in ends.items())
    scores = {}
    for k, whole in key.items():
        least = whole.required_part
        if least is None:
            continue
        (first, last, *_), (least_first, least_last, *_) = whole.order, least.order
        beginning = _between(by_first, first, least_first)
        ending = _between(by_last, least_last, last)
        from_list, found = min((by_first, beginning), (by_last, ending), key=lambda f: len(f[1]))
        for at in found:
            r = from_list[at][1]
            if is_within(response[r], whole) and is_within(least, response[r]):
                scores[k, r] = Fraction(response[r].size, whole.size)
    return scores


def _between(
    places: list[tuple[tuple[int, int], int]], low: tuple[int, int], high: tuple[int, int]
) -> range:
    """Find the mentions whose place is from low to high."""
    above_any = float("inf")
    return range(bisect_left(places, (low, -1)), bisect_right(places, (high, above_any)))


def match_heads(key: MentionsByPosition, response: MentionsByPosition) -> Matched:
    """Pair k and r whose heads are the same word or zero, by |k ∩ r| / |k|."""
    with_head: dict[Unit, list[int]] = defaultdict(list)
    for r, mention in response.items():
        if mention.head is not None:
            with_head[mention.head].append(r)
    scores = {
        (k, r): Fraction(shared_size(mention, response[r]), mention.size)
        for k, mention in key.items()
        if mention.head is not None
        for r in with_head.get(mention.head, ())
        if shared_size(mention, response[r])
    }
    return best_pairs(key, response, scores)


def match_craft(key: MentionsByPosition, response: MentionsByPosition) -> Matched:
    """Give each r, in document order, the first k whose first span contains a span of r.

    If that one is taken already, r stays alone. Zeros match nothing.
    """
    candidates, others = (_by_words(mentions) for mentions in (key, response))
    first_spans = [key[k].words[0] for k in candidates]
    # The first span that ends at e or later is the first at which the furthest end so far does. If
    # it begins too late to contain a span, all spans do that end late enough.
    furthest = list(accumulate((end for _, end in first_spans), max))
    taken: set[int] = set()
    matched = []
    for r in others:
        containing = []
        for start, end in response[r].words:
            at = bisect_left(furthest, end)
            if at < len(candidates) and first_spans[at][0] <= start:
                containing.append(at)
        if containing and min(containing) not in taken:
            taken.add(min(containing))
            matched.append((candidates[min(containing)], r))
    return matched


def _by_words(mentions: MentionsByPosition) -> list[int]:
    """Sort mentions that are not zeros by their words, and by their zeros if these are the same."""
    orders = {
        position: (Mention(mention.words).order, mention.order)
        for position, mention in mentions.items()
        if not mention.is_zero
    }
    return sorted(orders, key=orders.__getitem__)


WITH_RELATION = 10
"""How much more a parent with its relation counts than a parent alone."""


def match_zeros(
    key: MentionsByPosition,
    response: MentionsByPosition,
    of_key: ZeroDependencies,
    of_response: ZeroDependencies,
) -> Matched:
    """Pair zeros of the same sentence by 10 · F1 of (parent, relation) + F1 of the parents."""
    in_sentence: dict[int, list[tuple[int, Dependencies]]] = defaultdict(list)
    for r, found in _zeros(response, of_response):
        in_sentence[found.sentence].append((r, found))
    scores = {
        (k, r): WITH_RELATION * _f1(mine.links, theirs.links) + _f1(mine.parents, theirs.parents)
        for k, mine in _zeros(key, of_key)
        for r, theirs in in_sentence.get(mine.sentence, ())
    }
    return best_pairs(key, response, {pair: score for pair, score in scores.items() if score})


def _zeros(
    mentions: MentionsByPosition, dependencies: ZeroDependencies
) -> list[tuple[int, Dependencies]]:
    """Return the mentions that are zeros, with the dependencies of their heads."""
    zeros = ((position, m.head or m.zeros[0]) for position, m in mentions.items() if m.is_zero)
    return [(position, dependencies[z]) for position, z in zeros if z in dependencies]


def _f1(key: frozenset[Any], response: frozenset[Any]) -> Fraction:
    common = len(key & response)
    return RatioPair(Ratio(common, len(key)), Ratio(common, len(response))).f1 or Fraction(0)
