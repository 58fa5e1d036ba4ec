"""Scores of mentions, whatever they refer to."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate

from anascore.assignment import Cell, best_assignment
from anascore.layers.counted import found
from anascore.mention import Mention, shared_size
from anascore.ratio import Rows


def overlap_ratio(key: Sequence[Mention], response: Sequence[Mention]) -> Rows:
    """MOR (CRAC 2022): the words that mentions share, paired so that these are most.

    Identical mentions can be paired first. For if A stands on both sides and is paired with B and
    C instead, |A ∩ B| + |A ∩ C| ≤ |A| + |B ∩ C|: pairing A with A and B with C shares as much.
    """
    place = {mention.place: r for r, mention in enumerate(response)}
    identical = {k: place[m.place] for k, m in enumerate(key) if m.place in place}
    taken = set(identical.values())
    overlapping = overlaps(
        {k: mention for k, mention in enumerate(key) if k not in identical},
        {r: mention for r, mention in enumerate(response) if r not in taken},
    )
    shared = sum(key[k].size for k in identical)
    shared += sum(overlapping[cell] for cell in best_assignment(overlapping))
    return found(shared, sum(m.size for m in key), sum(m.size for m in response))


def overlaps(key: dict[int, Mention], response: dict[int, Mention]) -> dict[Cell, int]:
    """Count the words and zeros in common, for each pair that has any."""
    ordered = sorted(response.items(), key=lambda item: item[1].order)
    firsts = [mention.order[0] for _, mention in ordered]
    furthest = list(accumulate((mention.order[1] for _, mention in ordered), max))
    shared = {}
    for k, mention in key.items():
        first, last, *_ = mention.order
        # Those that begin behind it share nothing, and neither do those before whom all have ended.
        for at in range(bisect_right(firsts, last) - 1, -1, -1):
            if furthest[at] < first:
                break
            r, other = ordered[at]
            if number := shared_size(mention, other):
                shared[k, r] = number
    return shared
