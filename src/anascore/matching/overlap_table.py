"""Words that many mentions share with many others, computed block by block. Slow to import."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np

from anascore.assignment.implicit import Block, Floats, Indices
from anascore.model.mention import Mention

CELLS = 1_000_000
"""Maximum number of pairs of parts in a block."""


class Parts(NamedTuple):
    """Mentions as intervals of numbers: their spans, and each zero as one number above all words.

    Mentions are in document order.
    """

    starts: Indices
    ends: Indices
    offsets: Indices
    """Position of the first part of each mention, and the number of parts."""

    lowest: Indices
    """Start of the first part of each mention."""

    highest: Indices
    """End of the last part of each mention."""

    @classmethod
    def of(cls, mentions: Sequence[Mention], zeros: dict[tuple[int, int], int]) -> Parts:
        """Return the parts of mentions; zeros have numbers."""
        in_order = sorted(mentions, key=lambda mention: mention.order)
        parts = [[*m.words, *((zeros[z], zeros[z] + 1) for z in m.zeros)] for m in in_order]
        flat = np.array([part for own in parts for part in own], dtype=np.intp)
        offsets = np.array([0, *accumulate(map(len, parts))], dtype=np.intp)
        return cls.from_arrays(flat[:, 0], flat[:, 1], offsets)

    @classmethod
    def from_arrays(cls, starts: Indices, ends: Indices, offsets: Indices) -> Parts:
        """Add the extent of each mention."""
        return cls(starts, ends, offsets, starts[offsets[:-1]], ends[offsets[1:] - 1])

    def part(self, chosen: Indices) -> Parts:
        """Return the parts of some mentions."""
        sizes = np.diff(self.offsets)[chosen]
        offsets = np.concatenate([[0], np.cumsum(sizes)])
        shifts = np.repeat(self.offsets[:-1][chosen] - offsets[:-1], sizes)
        indices = np.arange(offsets[-1]) + shifts
        return Parts.from_arrays(self.starts[indices], self.ends[indices], offsets)


class OverlapTable(NamedTuple):
    """The table of words and zeros that key mentions share with response mentions."""

    key: Parts
    response: Parts

    @classmethod
    def of(cls, key: Sequence[Mention], response: Sequence[Mention]) -> OverlapTable:
        """Return the table of mentions; rows and columns are in document order."""
        after = 1 + max(end for m in (*key, *response) for _, end in (*m.words, (0, 0)))
        zeros = sorted({zero for m in (*key, *response) for zero in m.zeros})
        # Consecutive zeros are not joined, so that each is a part of its own.
        numbers = {zero: after + number for number, zero in enumerate(zeros)}
        return cls(Parts.of(key, numbers), Parts.of(response, numbers))

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of key mentions and of response mentions."""
        return len(self.key.lowest), len(self.response.lowest)

    def part(self, rows: Indices, columns: Indices) -> OverlapTable:
        """Return the table of some mentions."""
        return OverlapTable(self.key.part(rows), self.response.part(columns))

    def blocks(self) -> Iterator[Block]:
        """Yield the pairs of some key mentions with all response mentions in their extent."""
        height, _ = self.shape
        start = 0
        while start < height:
            stop = self._stop(start)
            rows = np.arange(start, stop)
            own = self.key.part(rows)
            low, high = own.lowest.min(), own.highest.max()
            columns = np.flatnonzero((self.response.lowest < high) & (self.response.highest > low))
            if len(columns):
                yield Block(rows, columns, _shared(own, self.response.part(columns)))
            start = stop

    def _stop(self, start: int) -> int:
        """Return the end of the block that starts at a row."""
        parts = self.key.offsets[start] + max(1, CELLS // len(self.response.starts))
        return max(start + 1, int(np.searchsorted(self.key.offsets, parts, side="right")) - 1)


def _shared(own: Parts, other: Parts) -> Floats:
    """Return the number of words and zeros that each mention shares with each other one."""
    ends = np.minimum(own.ends[:, np.newaxis], other.ends)
    shared = np.maximum(ends - np.maximum(own.starts[:, np.newaxis], other.starts), 0)
    if len(own.starts) > len(own.lowest):
        shared = np.add.reduceat(shared, own.offsets[:-1], axis=0)
    if len(other.starts) > len(other.lowest):
        shared = np.add.reduceat(shared, other.offsets[:-1], axis=1)
    as_floats: Floats = shared.astype(np.float64)
    return as_floats
