"""Exact counts: ratios, pairs of recall and precision, means.

All numbers are integers or fractions, so scores do not depend on the order of summation. Only
reports turn them into floating-point numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import Generic, NamedTuple, TypeAlias, TypeVar


def shared_score(right: int, in_key: int, in_response: int) -> Components:
    """Count correct items over all items in the key (recall) and in the response (precision)."""
    return (RatioPair(Ratio(right, in_key), Ratio(right, in_response)),)


Number: TypeAlias = int | Fraction


def total(parts: Iterable[tuple[Number, int]]) -> Number:
    """Sum numerator / denominator over all parts.

    >>> total([(1, 2), (Fraction(1, 3), 2)])
    Fraction(2, 3)
    """
    # Summing integers over a common denominator is far faster than adding fractions.
    numerators: dict[int, int] = {}
    for numerator, denominator in parts:
        if type(numerator) is int:
            numerators[denominator] = numerators.get(denominator, 0) + numerator
        else:
            whole = numerator.denominator * denominator
            numerators[whole] = numerators.get(whole, 0) + numerator.numerator
    common = lcm(*numerators)
    if common == 1:
        return sum(numerators.values())
    return Fraction(sum([n * (common // d) for d, n in numerators.items()]), common)


def add(numbers: Iterable[Number]) -> Number:
    """Sum numbers, most of which are integers."""
    listed = list(numbers)
    if {*map(type, listed)} <= {int}:
        return sum(listed)
    return total((number, 1) for number in listed)


class Ratio(NamedTuple):
    """A part of a whole; both are summed over documents before division."""

    part: Number
    whole: Number

    def __add__(self, other: Ratio) -> Ratio:  # type: ignore[override]  # no concatenation
        return Ratio(self.part + other.part, self.whole + other.whole)

    @property
    def value(self) -> Fraction | None:
        """Part over whole; None (undefined) if the whole is 0."""
        return Fraction(self.part, self.whole) if self.whole else None


V = TypeVar("V")


class Score(NamedTuple, Generic[V]):
    """Recall, precision and F1; None is undefined."""

    recall: V
    precision: V
    f1: V


class RatioPair(NamedTuple):
    """Recall and precision: which share of the key was found, and of the response is right."""

    recall: Ratio
    precision: Ratio

    def __add__(self, other: RatioPair) -> RatioPair:  # type: ignore[override]  # no concatenation
        return RatioPair(self.recall + other.recall, self.precision + other.precision)

    @property
    def f1(self) -> Fraction | None:
        """The harmonic mean 2RP / (R + P); undefined if both are, 0 if only one is."""
        if not self.recall.whole and not self.precision.whole:
            return None
        if not self.recall.part or not self.precision.part:
            return Fraction(0)
        # With R = a/b and P = c/d in integers, one division is enough.
        (a, b), (c, d) = (
            (part.numerator * whole.denominator, part.denominator * whole.numerator)
            for part, whole in self
        )
        return Fraction(2 * a * c, a * d + c * b)

    def divided(self) -> Score[Fraction | None]:
        """Divide exactly."""
        return Score(self.recall.value, self.precision.value, self.f1)

    def rounded(self) -> Score[float | None]:
        """Divide into correctly rounded floats, faster than through fractions."""
        (a, b), (c, d) = self
        if type(b) is not int or type(d) is not int:
            return Score(*map(as_float, self.divided()))
        # The division of integers is rounded only once.
        recall = a.numerator / (a.denominator * b) if b else None
        precision = c.numerator / (c.denominator * d) if d else None
        if not (recall and precision):
            return Score(recall, precision, None if recall is precision is None else 0.0)
        parts = a.numerator * c.denominator * d + c.numerator * a.denominator * b
        return Score(recall, precision, 2 * a.numerator * c.numerator / parts)


def as_float(value: Fraction | None) -> float | None:
    """Convert a fraction to a float; None stays None."""
    return None if value is None else float(value)


def add_pairs(pairs: Sequence[RatioPair]) -> RatioPair:
    """Sum counts, far faster than adding one by one."""
    return RatioPair(
        Ratio(add([p.recall.part for p in pairs]), add([p.recall.whole for p in pairs])),
        Ratio(add([p.precision.part for p in pairs]), add([p.precision.whole for p in pairs])),
    )


Components: TypeAlias = tuple[RatioPair, ...]
"""Counts of a metric: one pair, or two whose scores are averaged after division."""

EMPTY_RATIO = Ratio(0, 0)
"""Nothing out of nothing."""


def mean(values: Iterable[Fraction | None]) -> Fraction | None:
    """Average the defined values; None if there are none."""
    defined = [value for value in values if value is not None]
    if len(defined) == 1:
        return defined[0]
    return Fraction(total((value, len(defined)) for value in defined)) if defined else None


def averaged(components: Iterable[RatioPair]) -> Score[Fraction | None]:
    """Compute a metric's scores: those of its only component, or the means over two.

    A component that is empty on both sides is left out of the means. If it is empty on one side
    only, the undefined value of that side counts as 0, as in the published scorers.
    """
    divided = [component.divided() for component in components]
    scored = [values for values in divided if values.f1 is not None]
    return Score(
        _mean_unless_undefined([values.recall for values in scored]),
        _mean_unless_undefined([values.precision for values in scored]),
        mean(values.f1 for values in scored),
    )


def _mean_unless_undefined(values: list[Fraction | None]) -> Fraction | None:
    """Average values, counting undefined ones as 0; None if all are undefined."""
    defined = any(value is not None for value in values)
    return mean(value or Fraction(0) for value in values) if defined else None
