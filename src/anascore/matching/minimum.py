"""Partial matching: a response mention within a key mention that has at least its minimum span."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from fractions import Fraction

from anascore.assignment import Cell
from anascore.matching.pairs import Matched, Mentions, best_pairs
from anascore.mention import lies_in


def match_partly(key: Mentions, response: Mentions) -> Matched:
    """Pair k and r where min(k) ⊆ r ⊆ k, by |k ∩ r| / |k|."""
    return best_pairs(key, response, partial_scores(key, response))


def partial_scores(key: Mentions, response: Mentions) -> dict[Cell, Fraction]:
    """Return the score of every pair that can match.

    Such an r begins within k and not behind min(k), and ends within k and not before min(k): of the
    mentions in these two ranges, the fewer are looked at.
    """
    ends = {r: mention.order[:2] for r, mention in response.items()}
    by_first = sorted((first, r) for r, (first, _) in ends.items())
    by_last = sorted((last, r) for r, (_, last) in ends.items())
    scores = {}
    for k, whole in key.items():
        least = whole.least
        if least is None:
            continue
        (first, last, *_), (least_first, least_last, *_) = whole.order, least.order
        beginning = _between(by_first, first, least_first)
        ending = _between(by_last, least_last, last)
        from_list, found = min((by_first, beginning), (by_last, ending), key=lambda f: len(f[1]))
        for at in found:
            r = from_list[at][1]
            if lies_in(response[r], whole) and lies_in(least, response[r]):
                scores[k, r] = Fraction(response[r].size, whole.size)
    return scores


def _between(
    places: list[tuple[tuple[int, int], int]], low: tuple[int, int], high: tuple[int, int]
) -> range:
    """Find the mentions whose place is from low to high."""
    above_any = float("inf")
    return range(bisect_left(places, (low, -1)), bisect_right(places, (high, above_any)))
