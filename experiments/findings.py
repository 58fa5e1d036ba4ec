"""The figures behind what the page says."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from experiments.tables import CONLL, OTHERS, PROPOSALS, SETS, Column, Rows

WITH_SETS = ("Recent 2", "Recent 3", "Recent 4", "Recent 5", "Random")
BASELINES = (*WITH_SETS, "Single Ant")


class Findings(NamedTuple):
    """What the tables of one corpus show."""

    spread_all: float
    """Between the best and the worst CoNLL score of the baselines, over all entities."""

    spread_sets: float
    """The same over the accommodated sets, of baselines that have some."""

    best_baseline: float
    partly: float
    oracle: float
    """CoNLL scores over accommodated sets."""

    columns: int
    above_oracle: tuple[str, ...]
    """The columns of F1 in which something is better than the oracle."""

    spread_lea: float
    spread_heavy: float
    """Between the best and the worst LEA of all systems, with β = 1 and β = 10."""

    gain: float
    """What the best baseline with sets gains over single antecedents, in CoNLL over all."""

    complete: float
    """The share of anaphors that the partly right response resolves completely."""


def findings(rows: Rows) -> Findings:
    """Look at the tables of one corpus."""
    f1 = [column for column in (*CONLL, *OTHERS) if column[0].endswith(("F1", "CoNLL"))]
    conll, sets = _column(CONLL, "CoNLL"), _column(SETS, "CoNLL")
    lea, heavy = _column(OTHERS, "LEA β=1 F1"), _column(OTHERS, "LEA β=10 F1")
    columns = [*f1, *SETS]
    return Findings(
        _spread(rows, conll, BASELINES),
        _spread(rows, sets, WITH_SETS),
        max(_value(rows, sets, name) for name in WITH_SETS),
        _value(rows, sets, "Partly right"),
        _value(rows, sets, "Oracle"),
        len(columns),
        tuple(
            column[0]
            for column in columns
            if max(_value(rows, column, name) for name in rows) > _value(rows, column, "Oracle")
        ),
        _spread(rows, lea, tuple(rows)),
        _spread(rows, heavy, tuple(rows)),
        max(_value(rows, conll, name) for name in WITH_SETS) - _value(rows, conll, "Single Ant"),
        rows["Partly right"].usual["links-complete"].recall or 0,
    )


def _column(columns: Sequence[Column], label: str) -> Column:
    return next(column for column in columns if column[0] == label)


def _value(rows: Rows, column: Column, name: str) -> float:
    return column[1](rows[name]) or 0


def _spread(rows: Rows, column: Column, names: Sequence[str]) -> float:
    values = [_value(rows, column, name) for name in names]
    return max(values) - min(values)


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


def ordered_otherwise(rows: Rows, proposal: str) -> int:
    """Count the pairs of systems that a proposal puts into the opposite order."""
    label, _, generalised = COMPARED[proposal]
    proposed = _column(PROPOSALS, label)
    return sum(
        (_value(rows, proposed, a) - _value(rows, proposed, b))
        * (_value(rows, generalised, a) - _value(rows, generalised, b))
        < 0
        for a, b in combinations(rows, 2)
    )


def percent(rows: Rows, columns: Sequence[Column], label: str, name: str) -> str:
    """Return a score of a system as the tables show it."""
    return f"{100 * _value(rows, _column(columns, label), name):.1f}"
