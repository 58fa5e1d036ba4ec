"""Matching of very many mentions that overlap. Slow to import.

Pairs are arrays. Their scores are approximate at first; only the pairs that can be in a best
assignment are scored exactly.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from anascore.assignment import Cell
from anascore.assignment.large import Indices, candidates_in_matrix
from anascore.assignment.many_ties import ManyCells, candidates, first_best_cells
from anascore.matching.overlap_table import OverlapTable
from anascore.model.mention import Mention, Unit, is_within

CHUNK = 1_000_000
"""Maximum number of pairs that are tested at once."""


def match_one_head(key: Sequence[Mention], response: Sequence[Mention]) -> list[Cell]:
    """Match mentions of one head, in document order, scored by |k ∩ r| / |k|."""
    table = OverlapTable.of(key, response)
    shared = np.zeros(table.shape)
    for block in table.blocks():
        shared[block.rows[:, np.newaxis], block.columns] = block.weights
    sizes = _sizes(key)
    i, j = candidates_in_matrix(shared / sizes[:, np.newaxis])
    kind, values = _kinds(shared[i, j].astype(np.int32), sizes[i])
    del shared
    return first_best_cells(ManyCells(i, j, kind, values))


def match_crowd_partly(key: Sequence[Mention], response: Sequence[Mention]) -> list[Cell]:
    """Match k and r, in document order, if min(k) ⊆ r ⊆ k, scored by |k ∩ r| / |k|."""
    i, j = (np.concatenate([*side]) for side in zip(*_pairs_within(key, response), strict=True))
    sizes, shared = _sizes(key), _sizes(response)[j]
    kept = candidates(i, j, shared / sizes[i])
    i, j = i[kept], j[kept]
    return first_best_cells(ManyCells(i, j, *_kinds(shared[kept], sizes[i])))


def _sizes(mentions: Sequence[Mention]) -> Indices:
    return np.array([mention.size for mention in mentions], dtype=np.int32)


def _kinds(above: Indices, below: Indices) -> tuple[Indices, list[Fraction]]:
    """Return the distinct fractions, and the number of the fraction of each pair."""
    common = np.gcd(above, below)
    step = int(below.max(initial=0)) + 1
    codes = (above // common).astype(np.int64)
    codes *= step
    codes += below // common
    numbers, kind = np.unique(codes, return_inverse=True)
    values = [Fraction(*divmod(number, step)) for number in numbers.tolist()]
    return kind.astype(np.int32), values


class _Ends(NamedTuple):
    """First and last units of mentions, as numbers in document order."""

    first: Indices
    last: Indices

    @classmethod
    def of(cls, mentions: Sequence[Mention], ranks: int) -> _Ends:
        """Return the ends of mentions; ranks is more than the rank of any zero."""

        def numbers(units: Iterator[Unit]) -> Indices:
            return np.array([place * ranks + rank for place, rank in units], dtype=np.intp)

        orders = [mention.order for mention in mentions]
        return cls(numbers(order[0] for order in orders), numbers(order[1] for order in orders))


def _pairs_within(
    key: Sequence[Mention], response: Sequence[Mention]
) -> Iterator[tuple[Indices, Indices]]:
    """Yield the positions of all k and r with min(k) ⊆ r ⊆ k, some at a time.

    As in `partial_scores`, the smaller range of mentions is searched.
    """
    required = {i: part for i, mention in enumerate(key) if (part := mention.required_part)}
    own = np.array([*required], dtype=np.intp)
    ranks = 1 + max((zero[1] for m in (*key, *response) for zero in m.zeros), default=0)
    whole = _Ends.of([key[i] for i in required], ranks)
    minimum = _Ends.of([*required.values()], ranks)
    other = _Ends.of(response, ranks)
    by_first, by_last = (np.argsort(side, kind="stable") for side in other)
    begins = _between(other.first[by_first], whole.first, minimum.first)
    ends = _between(other.last[by_last], minimum.last, whole.last)
    by_beginning = begins[1] <= ends[1]
    starts, counts = (np.where(by_beginning, a, b) for a, b in zip(begins, ends, strict=True))
    own_plain = np.array([_is_plain(key[i], part) for i, part in required.items()])
    other_plain = np.array([_is_plain(mention) for mention in response])
    for rows in _chunks(counts):
        n = np.repeat(rows, counts[rows])
        before = np.cumsum(counts[rows]) - counts[rows]
        index = np.arange(len(n)) + np.repeat(starts[rows] - before, counts[rows])
        r = np.where(by_beginning[n], by_first[index], by_last[index])
        fits = (whole.first[n] <= other.first[r]) & (other.first[r] <= minimum.first[n])
        fits &= (minimum.last[n] <= other.last[r]) & (other.last[r] <= whole.last[n])
        for at in np.flatnonzero(fits & ~(own_plain[n] & other_plain[r])).tolist():
            k, mention = int(own[n[at]]), response[int(r[at])]
            fits[at] = is_within(mention, key[k]) and is_within(required[k], mention)
        yield own[n[fits]], r[fits]


def _between(sorted_units: Indices, low: Indices, high: Indices) -> tuple[Indices, Indices]:
    """Return where the units from low to high start, and how many there are."""
    starts = np.searchsorted(sorted_units, low)
    return starts, np.maximum(np.searchsorted(sorted_units, high, side="right") - starts, 0)


def _is_plain(*mentions: Mention) -> bool:
    return all(len(mention.words) == 1 and not mention.zeros for mention in mentions)


def _chunks(counts: Indices) -> Iterator[Indices]:
    """Divide rows into runs that have not many pairs together."""
    chunk = np.cumsum(counts) // CHUNK
    yield from np.split(np.arange(len(counts)), np.flatnonzero(np.diff(chunk)) + 1)
