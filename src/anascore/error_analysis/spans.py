"""Which mentions without a counterpart were meant to be which: wrong spans."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from anascore.matching.pairs import Matched
from anascore.mention import Mention, Unit, lies_in, shared_size
from anascore.side import Side


def wrong_spans(key: Side, response: Side, matched: Matched) -> Matched:
    """Pair mentions that have no counterpart, one to one, those that share most words first.

    Two mentions are the same one with another span if they have the same head; where a head is not
    known, if one lies within the other.
    """
    ours, theirs = ({pair[side] for pair in matched} for side in (0, 1))
    at: dict[Unit, list[int]] = defaultdict(list)
    for r, mention in enumerate(response.mentions):
        if r not in theirs:
            for unit in _units(mention):
                at[unit].append(r)
    candidates = []
    for k, mention in enumerate(key.mentions):
        if k not in ours:
            near = {r for unit in _units(mention) for r in at.get(unit, ())}
            for r in near:
                other = response.mentions[r]
                if _same_with_another_span(mention, other):
                    size = shared_size(mention, other)
                    sizes = mention.size + other.size
                    candidates.append((-size, sizes, mention.order, other.order, k, r))
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for *_, k, r in sorted(candidates):
        if k not in pairs and r not in taken:
            pairs[k] = r
            taken.add(r)
    return list(pairs.items())


def _same_with_another_span(k: Mention, r: Mention) -> bool:
    if k.place == r.place:
        return True
    if k.head is not None and r.head is not None:
        return k.head == r.head
    return lies_in(k, r) or lies_in(r, k)


def _units(mention: Mention) -> Iterator[Unit]:
    yield from mention.zeros
    for start, end in mention.words:
        yield from ((word + 1, 0) for word in range(start, end))
