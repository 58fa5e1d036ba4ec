"""Exact counts."""

from fractions import Fraction
from math import ceil

from hypothesis import given
from hypothesis import strategies as st

from anascore.model.ratio import EMPTY_RATIO, Ratio, RatioPair, Score, add, averaged, mean, total

ZERO, THIRD, HALF, ONE = Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)


def test_total_is_exact() -> None:
    assert Fraction(1) == total([(1, 10)] * 10)
    assert Fraction(2, 3) == total([(1, 2), (THIRD, 2)])
    assert Fraction(0) == total([])


def test_add_is_exact() -> None:
    assert Fraction(11, 6) == add([1, HALF, THIRD])


def test_ratio_of_nothing_is_undefined() -> None:
    assert EMPTY_RATIO.value is None
    assert Ratio(0, 3).value == 0


def test_ratios_add_up_before_they_are_divided() -> None:
    assert Fraction(2, 5) == (Ratio(1, 2) + Ratio(1, 3)).value


def test_f1() -> None:
    assert Fraction(2, 3) == RatioPair(Ratio(1, 2), Ratio(1, 1)).divided().f1
    assert RatioPair(EMPTY_RATIO, EMPTY_RATIO).divided().f1 is None
    assert RatioPair(EMPTY_RATIO, Ratio(1, 1)).divided().f1 == 0
    assert RatioPair(Ratio(0, 1), Ratio(0, 1)).divided().f1 == 0


def test_mean_leaves_out_what_is_undefined() -> None:
    assert Fraction(5, 12) == mean([HALF, None, THIRD])
    assert mean([None]) is None


def test_average_of_halves() -> None:
    good, nothing = RatioPair(Ratio(1, 2), Ratio(1, 1)), RatioPair(EMPTY_RATIO, EMPTY_RATIO)
    one_sided = RatioPair(EMPTY_RATIO, Ratio(0, 3))

    assert averaged([good, nothing]) == Score(HALF, ONE, Fraction(2, 3))
    assert averaged([good, one_sided]) == Score(Fraction(1, 4), HALF, THIRD)
    assert averaged([one_sided, one_sided]) == Score(None, ZERO, ZERO)
    assert averaged([nothing, nothing]) == Score(None, None, None)


@given(
    *(st.integers(0, 10**20) | st.fractions(0, 10**6, max_denominator=10**9) for _ in range(2)),
    *(st.integers(0, 10**25) for _ in range(2)),
)
def test_rounded_scores_are_the_floats_of_exact_ones(
    found: int | Fraction, right: int | Fraction, key: int, response: int
) -> None:
    wholes = key + ceil(found) if key else 0, response + ceil(right) if response else 0
    parts = found if wholes[0] else 0, right if wholes[1] else 0
    pair = RatioPair(*map(Ratio, parts, wholes))

    exact = [None if value is None else float(value) for value in pair.divided()]

    assert [*pair.rounded()] == exact
    halves = RatioPair(*(Ratio(ratio.part, Fraction(ratio.whole, 2)) for ratio in pair))
    assert [*halves.rounded()] == [v if v is None else float(v) for v in halves.divided()]
