"""Head matching: mentions with the same head."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction

from anascore.matching.pairs import Matched, Mentions, best_pairs
from anascore.mention import Unit, shared_size


def match_heads(key: Mentions, response: Mentions) -> Matched:
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
