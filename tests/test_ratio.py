"""Exact counts."""

from fractions import Fraction

from anascore.model.ratio import NOTHING, Ratio, Score, Values, add, averaged, mean, total

ZERO, THIRD, HALF, ONE = Fraction(0), Fraction(1, 3), Fraction(1, 2), Fraction(1)


def test_total_is_exact() -> None:
    assert Fraction(1) == total([(1, 10)] * 10)
    assert Fraction(2, 3) == total([(1, 2), (THIRD, 2)])
    assert Fraction(0) == total([])


def test_add_is_exact() -> None:
    assert Fraction(11, 6) == add([1, HALF, THIRD])


def test_ratio_of_nothing_is_undefined() -> None:
    assert NOTHING.value is None
    assert Ratio(0, 3).value == 0


def test_ratios_add_up_before_they_are_divided() -> None:
    assert Fraction(2, 5) == (Ratio(1, 2) + Ratio(1, 3)).value


def test_f1() -> None:
    assert Fraction(2, 3) == Score(Ratio(1, 2), Ratio(1, 1)).divided().f1
    assert Score(NOTHING, NOTHING).divided().f1 is None
    assert Score(NOTHING, Ratio(1, 1)).divided().f1 == 0
    assert Score(Ratio(0, 1), Ratio(0, 1)).divided().f1 == 0


def test_mean_leaves_out_what_is_undefined() -> None:
    assert Fraction(5, 12) == mean([HALF, None, THIRD])
    assert mean([None]) is None


def test_average_of_halves() -> None:
    good, nothing = Score(Ratio(1, 2), Ratio(1, 1)), Score(NOTHING, NOTHING)
    one_sided = Score(NOTHING, Ratio(0, 3))

    assert averaged([good, nothing]) == Values(HALF, ONE, Fraction(2, 3))
    assert averaged([good, one_sided]) == Values(Fraction(1, 4), HALF, THIRD)
    assert averaged([one_sided, one_sided]) == Values(None, ZERO, ZERO)
    assert averaged([nothing, nothing]) == Values(None, None, None)
