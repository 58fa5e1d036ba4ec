"""Ranges of numbers that are counted together, like entities of 3 to 5 mentions."""

from __future__ import annotations

from typing import NamedTuple


class Range(NamedTuple):
    """Whole numbers from the least to the most, or without an end."""

    least: int
    most: int | None

    def __contains__(self, number: object) -> bool:
        return (
            isinstance(number, int)
            and self.least <= number
            and (self.most is None or number <= self.most)
        )

    def __str__(self) -> str:
        if self.most is None:
            return f"{self.least} or more"
        return str(self.least) if self.least == self.most else f"{self.least} to {self.most}"


def ranges(*starts: int) -> tuple[Range, ...]:
    """Make ranges that begin with these numbers, each ending before the next.

    >>> [str(found) for found in ranges(1, 2, 3, 6)]
    ['1', '2', '3 to 5', '6 or more']
    """
    ends = [start - 1 for start in starts[1:]]
    return tuple(Range(*found) for found in zip(starts, [*ends, None], strict=True))


def range_of(number: int, among: tuple[Range, ...]) -> str:
    """Name the range that a number is in."""
    return next(str(found) for found in among if number in found)


ENTITY_SIZES = ranges(1, 2, 3, 6, 11)
"""The numbers of mentions of entities that are counted together."""
