"""Wrong spans among very many mentions that overlap. Slow to import."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from anascore.assignment.large import Indices
from anascore.matching.methods import Matched
from anascore.matching.overlap_table import OverlapTable
from anascore.model.mention import Mention, Place, Unit

CHUNK = 100_000
"""Number of pairs that are looked at together."""


def pair_many_spans(key: Mapping[int, Mention], response: Mapping[int, Mention]) -> Matched:
    """Pair mentions one to one, those that share most words first, as `wrong_spans` does."""
    parts = [(np.arange(0),) * 3, *_candidates(key, response)]
    k, r, shared = (np.concatenate(side).astype(np.int32) for side in zip(*parts, strict=True))
    key_rank, response_rank = _ranks(key), _ranks(response)
    size, other_size = _sizes(key), _sizes(response)
    order = np.lexsort((r, k, response_rank[r], key_rank[k], size[k] + other_size[r], -shared))
    is_free, is_other_free = np.ones(len(size), dtype=bool), np.ones(len(other_size), dtype=bool)
    pairs: Matched = []
    for start in range(0, len(order), CHUNK):
        chunk = order[start : start + CHUNK]
        chunk = chunk[is_free[k[chunk]] & is_other_free[r[chunk]]]
        for own, other in zip(k[chunk].tolist(), r[chunk].tolist(), strict=True):
            if is_free[own] and is_other_free[other]:
                is_free[own] = is_other_free[other] = False
                pairs.append((own, other))
    return pairs


def _sizes(mentions: Mapping[int, Mention]) -> Indices:
    sizes = np.zeros(max(mentions) + 1, dtype=np.int32)
    sizes[[*mentions]] = [mention.size for mention in mentions.values()]
    return sizes


def _ranks(mentions: Mapping[int, Mention]) -> Indices:
    """Return the ranks of mentions in document order; those of the same words are equal."""
    orders = {number: mention.order for number, mention in mentions.items()}
    rank = {order: number for number, order in enumerate(sorted({*orders.values()}))}
    ranks = np.zeros(max(mentions) + 1, dtype=np.int32)
    ranks[[*mentions]] = [rank[order] for order in orders.values()]
    return ranks


def _candidates(
    key: Mapping[int, Mention], response: Mapping[int, Mention]
) -> Iterator[tuple[Indices, Indices, Indices]]:
    """Yield the pairs of the same mention with another span, and what they share.

    Some pairs are yielded twice.
    """
    places: dict[Place, list[int]] = defaultdict(list)
    for r, mention in response.items():
        places[mention.place].append(r)
    same = [(k, r, m.size) for k, m in key.items() for r in places.get(m.place, ())]
    own, other, shared = np.array(same, dtype=np.int32).reshape(-1, 3).T
    yield own, other, shared
    by_head, other_by_head = _by_head(key), _by_head(response)
    for head, mentions in by_head.items():
        if head is not None and head in other_by_head:
            yield from _overlapping(key, response, mentions, other_by_head[head], is_nested=False)
    without, other_without = by_head.get(None, []), other_by_head.get(None, [])
    with_head = [k for k, mention in key.items() if mention.head is not None]
    yield from _overlapping(key, response, without, [*response], is_nested=True)
    yield from _overlapping(key, response, with_head, other_without, is_nested=True)


def _by_head(mentions: Mapping[int, Mention]) -> dict[Unit | None, list[int]]:
    by_head: dict[Unit | None, list[int]] = defaultdict(list)
    for number, mention in mentions.items():
        by_head[mention.head].append(number)
    return by_head


def _overlapping(
    key: Mapping[int, Mention],
    response: Mapping[int, Mention],
    own: Sequence[int],
    other: Sequence[int],
    *,
    is_nested: bool,
) -> Iterator[tuple[Indices, Indices, Indices]]:
    """Yield the pairs of some mentions that share words, or of which one lies within the other."""
    if not own or not other:
        return
    # The table has its rows and columns in document order.
    own = sorted(own, key=lambda k: key[k].order)
    other = sorted(other, key=lambda r: response[r].order)
    table = OverlapTable.of([key[k] for k in own], [response[r] for r in other])
    sizes = np.array([key[k].size for k in own])
    other_sizes = np.array([response[r].size for r in other])
    for block in table.blocks():
        is_pair = block.weights > 0
        if is_nested:
            is_within = block.weights == sizes[block.rows, np.newaxis]
            is_pair &= is_within | (block.weights == other_sizes[block.columns])
        i, j = np.nonzero(is_pair)
        shared = block.weights[i, j].astype(np.int32)
        yield np.array(own)[block.rows[i]], np.array(other)[block.columns[j]], shared
