"""Scores of mentions, whatever they refer to."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain

from anascore.assignment import Cell, best_assignment
from anascore.layers.counted import found
from anascore.mention import Mention, place_of, shared_size
from anascore.ratio import Rows


def overlap_ratio(key: Sequence[Mention], response: Sequence[Mention]) -> Rows:
    """MOR (CRAC 2022): the words that mentions share, paired so that these are most.

    Identical mentions can be paired first. For if A stands on both sides and is paired with B and
    C instead, |A ∩ B| + |A ∩ C| ≤ |A| + |B ∩ C|: pairing A with A and B with C shares as much.
    """
    position = {place: r for r, place in enumerate(map(place_of, response))}
    partners = enumerate(map(position.get, map(place_of, key)))
    identical = {k: r for k, r in partners if r is not None}
    taken = set(identical.values())
    overlapping = overlaps(
        {k: mention for k, mention in enumerate(key) if k not in identical},
        {r: mention for r, mention in enumerate(response) if r not in taken},
    )
    shared = sum(key[k].size for k in identical)
    shared += sum(overlapping[cell] for cell in best_assignment(overlapping))
    return found(shared, sum(m.size for m in key), sum(m.size for m in response))


def overlaps(key: dict[int, Mention], response: dict[int, Mention]) -> dict[Cell, int]:
    """Count the words and zeros in common, for each pair that has any.

    Of two mentions that overlap, one begins inside of the other, or with it.
    """
    pairs = _beginning_inside(key, response, with_it=True)
    others = ((k, r) for r, k in _beginning_inside(response, key, with_it=False))
    shared = ((pair, shared_size(key[pair[0]], response[pair[1]])) for pair in chain(pairs, others))
    return {pair: number for pair, number in shared if number}


def _beginning_inside(
    around: dict[int, Mention], inside: dict[int, Mention], *, with_it: bool
) -> Iterator[Cell]:
    """Give the pairs in which the second begins inside of the first, or also at its beginning."""
    ordered = sorted((mention.order[0], position) for position, mention in inside.items())
    firsts = [first for first, _ in ordered]
    for position, mention in around.items():
        first, last, *_ = mention.order
        low = bisect_left(firsts, first) if with_it else bisect_right(firsts, first)
        for at in range(low, bisect_right(firsts, last)):
            yield position, ordered[at][1]
