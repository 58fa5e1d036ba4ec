"""Exact counts and what becomes of them: a part of a whole, recall with precision, means.

All numbers are integers or fractions, so that no score depends on the order in which things were
added up. They become floating-point numbers when they are reported, and not before.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Generic, NamedTuple, TypeAlias, TypeVar

Number: TypeAlias = int | Fraction


def total(parts: Iterable[tuple[Number, int]]) -> Fraction:
    """Add up numerator / denominator over all parts.

    >>> total([(1, 2), (Fraction(1, 3), 2)])
    Fraction(2, 3)
    """
    # Adding integers that have a denominator in common is far faster than adding fractions.
    numerators: defaultdict[int, int] = defaultdict(int)
    for numerator, denominator in parts:
        numerators[numerator.denominator * denominator] += numerator.numerator
    common = lcm(*numerators)
    return Fraction(sum(n * (common // d) for d, n in numerators.items()), common)


def add(numbers: Iterable[Number]) -> Fraction:
    """Add up numbers, most of which are integers."""
    return total((number, 1) for number in numbers)


@dataclass(frozen=True, slots=True)
class Ratio:
    """A part of a whole; both add up over documents before they are divided."""

    part: Number
    whole: Number

    def __add__(self, other: Ratio) -> Ratio:
        return Ratio(self.part + other.part, self.whole + other.whole)

    @property
    def value(self) -> Fraction | None:
        """Part over whole, or None, undefined, where the whole is nothing."""
        return Fraction(self.part) / self.whole if self.whole else None


V = TypeVar("V")


class Values(NamedTuple, Generic[V]):
    """Recall, precision and F1, divided; None is undefined."""

    recall: V
    precision: V
    f1: V


@dataclass(frozen=True, slots=True)
class Score:
    """How much of the key is found, and how much of the response is right."""

    recall: Ratio
    precision: Ratio

    def __add__(self, other: Score) -> Score:
        return Score(self.recall + other.recall, self.precision + other.precision)

    def divided(self) -> Values[Fraction | None]:
        """Divide; F1 is the harmonic mean, undefined if both values are, and 0 if one is."""
        recall, precision = self.recall.value, self.precision.value
        if recall is None and precision is None:
            return Values(None, None, None)
        if not recall or not precision:
            return Values(recall, precision, Fraction(0))
        return Values(recall, precision, 2 * recall * precision / (recall + precision))


NONE = Ratio(0, 0)
"""What there is to find where there is nothing."""


def mean(values: Iterable[Fraction | None]) -> Fraction | None:
    """Return the mean of the values that are defined, or None if none is."""
    defined = [value for value in values if value is not None]
    return Fraction(sum(defined), len(defined)) if defined else None


def averaged(halves: Iterable[Score]) -> Values[Fraction | None]:
    """Divide what a metric counted: its only score, or two halves, whose means are taken.

    A half that has nothing to count on either side is left out of the means. In a half that has
    something on one side only, the other side's undefined value counts as 0 in the mean, as in the
    published scorers.
    """
    divided = [half.divided() for half in halves]
    scored = [values for values in divided if values.f1 is not None]
    return Values(
        _mean_unless_undefined([values.recall for values in scored]),
        _mean_unless_undefined([values.precision for values in scored]),
        mean(values.f1 for values in scored),
    )


def _mean_unless_undefined(values: list[Fraction | None]) -> Fraction | None:
    defined = any(value is not None for value in values)
    return mean(value or Fraction(0) for value in values) if defined else None
