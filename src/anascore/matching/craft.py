"""The matching of the CRAFT 2019 shared task, which is greedy."""

from __future__ import annotations

from bisect import bisect_left
from itertools import accumulate

from anascore.matching.pairs import Matched, Mentions
from anascore.mention import Mention


def match_craft(key: Mentions, response: Mentions) -> Matched:
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


def _by_words(mentions: Mentions) -> list[int]:
    """Sort mentions that are not zeros by their words, and by their zeros if these are the same."""
    orders = {
        position: (Mention(mention.words).order, mention.order)
        for position, mention in mentions.items()
        if not mention.is_zero
    }
    return sorted(orders, key=orders.__getitem__)
