"""The figures behind what the page says, and the checks of its statements."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import NamedTuple, TypeAlias

from tools.experiments.tables import CONLL, OTHERS, PROPOSALS, SETS, Column, Rows

Runs: TypeAlias = Sequence[Rows]
"""The results on one corpus, seed by seed."""

Check: TypeAlias = Callable[[Rows], bool]
"""A statement about the results of one seed."""

RECENT = ("Recent 2", "Recent 3", "Recent 4", "Recent 5")
WITH_SETS = (*RECENT, "Random")
BASELINES = (*WITH_SETS, "Single Ant")


class Range(NamedTuple):
    """The smallest and the largest value over all seeds."""

    low: float
    high: float

    def text(self, digits: int = 1) -> str:
        """Write the range in per cent, or one number if the ends look the same."""
        low, high = (f"{100 * value:.{digits}f}" for value in self)
        return low if low == high else f"{low} to {high}"


def range_of(values: Iterable[float]) -> Range:
    """Return the smallest and the largest of some values."""
    listed = list(values)
    return Range(min(listed), max(listed))


class Findings(NamedTuple):
    """The figures of one corpus and one seed."""

    spread_all: float
    """Between the best and the worst CoNLL score of the baselines, over all entities."""

    spread_sets: float
    """The same over the accommodated sets, of baselines that have some."""

    best_baseline: float
    partly: float
    oracle: float
    """CoNLL scores over accommodated sets."""

    spread_lea: float
    spread_heavy: float
    """Between the best and the worst LEA of all systems, with β = 1 and β = 10."""

    gain: float
    """What the best baseline with sets gains over single antecedents, in CoNLL over all."""

    complete: float
    """The share of anaphors that the partly right response resolves completely."""

    spread_b3: float
    """Between the best and the worst B³ of the four Recent baselines."""


def findings(rows: Rows) -> Findings:
    """Compute the figures of one corpus and one seed."""
    conll, sets = _column(CONLL, "CoNLL"), _column(SETS, "CoNLL")
    lea, heavy = _column(OTHERS, "LEA β=1 F1"), _column(OTHERS, "LEA β=10 F1")
    return Findings(
        spread_all=_spread(rows, conll, BASELINES),
        spread_sets=_spread(rows, sets, WITH_SETS),
        best_baseline=max(_value(rows, sets, name) for name in WITH_SETS),
        partly=_value(rows, sets, "Partly right"),
        oracle=_value(rows, sets, "Oracle"),
        spread_lea=_spread(rows, lea, tuple(rows)),
        spread_heavy=_spread(rows, heavy, tuple(rows)),
        gain=max(_value(rows, conll, name) for name in WITH_SETS)
        - _value(rows, conll, "Single Ant"),
        complete=rows["Partly right"].usual["links-complete"].recall or 0,
        spread_b3=_spread(rows, _column(CONLL, "B³ F1"), RECENT),
    )


def figure(runs: Runs, read: Callable[[Findings], float]) -> Range:
    """Return the range of a figure over all seeds."""
    return range_of(read(findings(rows)) for rows in runs)


def score_range(runs: Runs, columns: Sequence[Column], label: str, name: str) -> Range:
    """Return the range of a system's score over all seeds."""
    column = _column(columns, label)
    return range_of(_value(rows, column, name) for rows in runs)


def corpora_where(results: Mapping[str, Runs], check: Check) -> list[str]:
    """Return the corpora on which a statement holds in all seeds."""
    return [name for name, runs in results.items() if all(map(check, runs))]


def _column(columns: Sequence[Column], label: str) -> Column:
    return next(column for column in columns if column[0] == label)


def _value(rows: Rows, column: Column, name: str) -> float:
    return column[1](rows[name]) or 0


def _spread(rows: Rows, column: Column, names: Sequence[str]) -> float:
    low, high = range_of(_value(rows, column, name) for name in names)
    return high - low


def baselines_hardly_differ(rows: Rows) -> bool:
    """Check that baselines are less than one point apart over all entities."""
    return findings(rows).spread_all < 0.01


def few_are_complete(rows: Rows) -> bool:
    """Check that the partly right response resolves less than 30% of the anaphors completely."""
    return findings(rows).complete < 0.3


def sets_spread_more(rows: Rows) -> bool:
    """Check that baselines differ more over the sets than over all entities."""
    found = findings(rows)
    return found.spread_sets > found.spread_all


def sets_are_in_order(rows: Rows) -> bool:
    """Check that the oracle is above the partly right response, and this above the baselines."""
    found = findings(rows)
    return found.oracle > found.partly > found.best_baseline


def importance_spreads(rows: Rows) -> bool:
    """Check that systems differ more by LEA with β = 10 than with β = 1."""
    found = findings(rows)
    return found.spread_heavy > found.spread_lea


def nothing_gained(rows: Rows) -> bool:
    """Check that all baselines with sets have a lower CoNLL score than single antecedents."""
    return findings(rows).gain < 0


def precision_for_recall(rows: Rows) -> bool:
    """Check that no baseline with sets loses recall by MUC and B³, and that all lose precision."""
    return all(
        _value(rows, _column(CONLL, f"{metric} R"), name)
        >= _value(rows, _column(CONLL, f"{metric} R"), "Single Ant")
        and _value(rows, _column(CONLL, f"{metric} P"), name)
        < _value(rows, _column(CONLL, f"{metric} P"), "Single Ant")
        for metric in ("MUC", "B³")
        for name in WITH_SETS
    )


def long_sets_cost(rows: Rows) -> bool:
    """Check that Zhou and Choi's B³ falls from Recent 2 to Recent 5, step by step."""
    column = _column(PROPOSALS, "Z&C B³")
    values = [_value(rows, column, name) for name in RECENT]
    return all(earlier > later for earlier, later in pairwise(values))


def single_is(place: Callable[[Iterable[float]], float], label: str) -> Check:
    """Make the check that single antecedents have the lowest or highest score of the baselines."""
    column = _column(PROPOSALS, label)

    def check(rows: Rows) -> bool:
        single = _value(rows, column, "Single Ant")
        others = [_value(rows, column, name) for name in WITH_SETS]
        return place([single, *others]) == single and single not in others

    return check


def random_has_more_over_sets(rows: Rows) -> bool:
    """Check that Random has a higher CoNLL score over sets than by links."""
    links, sets = _column(PROPOSALS, "links"), _column(SETS, "CoNLL")
    return _value(rows, sets, "Random") > _value(rows, links, "Random")


F1 = [
    *(column for column in (*CONLL, *OTHERS) if column[0].endswith(("F1", "CoNLL"))),
    *SETS,
]
"""All columns of F1 of the generalised metrics."""


def oracle_is_best(column: Column) -> Check:
    """Make the check that no system is above the oracle in a column."""
    return lambda rows: max(_value(rows, column, n) for n in rows) <= _value(rows, column, "Oracle")


COMPARED = {
    "links": ("links", "CoNLL over sets", _column(SETS, "CoNLL")),
    "Z&C B³": ("Z&C B³", "B³", _column(CONLL, "B³ F1")),
    "Z&C CEAF-E": ("Z&C CEAF-E", "CEAF-E", _column(CONLL, "CEAF-E F1")),
    "Z&C BLANC": ("Z&C BLANC", "BLANC", _column(OTHERS, "BLANC F1")),
    "LEA 2021": ("LEA 2021", "LEA", _column(OTHERS, "LEA β=1 F1")),
    "LEA 2021 (sets)": ("LEA 2021 (sets)", "LEA over sets", _column(SETS, "LEA")),
    "LEA RuCoCo": ("LEA RuCoCo", "LEA", _column(OTHERS, "LEA β=1 F1")),
}
"""The proposals, and which generalised metric each is held against."""


def opposite_order(rows: Rows, proposal: str) -> int:
    """Count the pairs of systems that a proposal and the generalised metric order differently."""
    label, _, generalised = COMPARED[proposal]
    proposed = _column(PROPOSALS, label)
    return sum(
        (_value(rows, proposed, a) - _value(rows, proposed, b))
        * (_value(rows, generalised, a) - _value(rows, generalised, b))
        < 0
        for a, b in combinations(rows, 2)
    )
