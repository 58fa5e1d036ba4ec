"""Two Sides to the scores of one document: the only caller of a metric."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain
from typing import NamedTuple, TypeAlias

from anascore.align import align
from anascore.assignment import Cell
from anascore.match import match_exact
from anascore.metrics import METRICS, Half, Metric
from anascore.overlap import Overlap, Overlaps, overlaps
from anascore.ratio import NONE, Ratio, Score, Values
from anascore.settings import Settings
from anascore.side import Side, Size

Halves: TypeAlias = tuple[Score, ...]
"""What a metric counts: one score, or two whose means are taken when they have been divided."""


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted in one document, or in several, by the names of the metrics."""

    key: Size
    response: Size
    everything: dict[str, Halves]
    """Over all entities; and mention detection, under the name of mentions."""

    sets: dict[str, Halves]
    """Over the accommodated sets alone."""


def count_document(
    key: Side, response: Side, metrics: Iterable[str], settings: Settings
) -> Counted:
    """Match the mentions of a document, and compare its entities by each of the metrics."""
    matched = match_exact(key, response)
    tables = overlaps(key, response, matched, settings.lea_importance)
    sizes = key.size, response.size
    mentions = Score(*(Ratio(len(matched), size.mentions) for size in sizes))
    compared = {name: compare(METRICS[name], tables, settings) for name in metrics}
    return Counted(
        *sizes,
        {"mentions": (mentions,), **{name: counts for name, (counts, _) in compared.items()}},
        {name: sets for name, (_, sets) in compared.items()},
    )


def compare(metric: Metric, tables: Overlaps, settings: Settings) -> tuple[Halves, Halves]:
    """Count by one metric: all entities, and the accommodated sets alone."""
    symmetric = settings.convention == "ua" and metric.symmetric_in_ua
    together = [(half,) for half in metric.halves] if symmetric else [metric.halves]
    compared = [
        pair for halves in together for pair in compare_halves(halves, tables, symmetric=symmetric)
    ]
    return tuple(everything for everything, _ in compared), tuple(sets for _, sets in compared)


def compare_halves(
    halves: Sequence[Half], tables: Overlaps, *, symmetric: bool
) -> Iterator[tuple[Score, Score]]:
    """Align accommodated sets by halves of a metric; count all entities, and sets, by each half."""
    aligned = align_sets(halves, tables)
    for number, half in enumerate(halves):
        worth = {cell: pair.worth[number] for cell, pair in aligned.items()}
        recall = {(i, j): w.f1 if symmetric else w.recall for (i, j), w in worth.items()}
        precision = {(j, i): w.f1 if symmetric else w.precision for (i, j), w in worth.items()}
        everything = Score(
            half.count(replace(tables.from_key, credits=recall)),
            half.count(replace(tables.from_response, credits=precision)),
        )
        counted = {cell: pair.counted[number] for cell, pair in aligned.items()}
        yield everything, score_sets(half, tables, counted)


class PairOfSets(NamedTuple):
    """An accommodated set of the key and one of the response, half by half of a metric."""

    counted: list[Score]
    """The scores of their elements."""

    worth: list[Values[Fraction]]
    """What the pair earns if it is aligned."""


def align_sets(halves: Sequence[Half], tables: Overlaps) -> dict[Cell, PairOfSets]:
    """Align accommodated sets one to one by the mean F1 of halves of a metric."""
    pairs = {}
    for cell, (from_key, from_response) in tables.pairs_of_sets.items():
        counted = [
            Score(half.count_elements(from_key), half.count_elements(from_response))
            for half in halves
        ]
        pairs[cell] = PairOfSets(counted, judge(counted, from_key))
    f1 = {
        cell: Fraction(sum(worth.f1 for worth in pair.worth), len(halves))
        for cell, pair in pairs.items()
    }
    aligned = align(f1, tables.from_key.shared, response_first=tables.response_first)
    return {cell: pairs[cell] for cell in aligned}


def judge(counted: Sequence[Score], o: Overlap) -> list[Values[Fraction]]:
    """Say what a pair of accommodated sets earns in each half of a metric, if it is aligned.

    Undefined counts as 0. A half that neither set has anything of takes the other half's values;
    if there is no other, as with two sets of one mention each, equal sets earn 1.
    """
    zero = Fraction(0)
    divided = [score.divided() for score in counted]
    worth = [
        None if f1 is None else Values(recall or zero, precision or zero, f1)
        for recall, precision, f1 in divided
    ]
    instead = next(filter(None, worth), None)
    if instead is None:
        same = Fraction(is_equal(o))
        instead = Values(same, same, same)
    return [values or instead for values in worth]


def is_equal(o: Overlap) -> bool:
    """Tell whether two accommodated sets have the same elements, with the same mentions each."""
    same = sum(1 for (i, j), n in o.shared.items() if n == o.own[i] == o.other[j])
    return same == len(o.own) == len(o.other)


def score_sets(half: Half, tables: Overlaps, aligned: Mapping[Cell, Score]) -> Score:
    """Add up the scores of aligned pairs; sets without a partner are paired with the empty set."""
    key_aligned, response_aligned = {i for i, _ in aligned}, {j for _, j in aligned}
    missing = (half.count_elements(o) for i, o in tables.key_sets.items() if i not in key_aligned)
    spurious = (
        half.count_elements(o) for j, o in tables.response_sets.items() if j not in response_aligned
    )
    return sum(
        chain(
            aligned.values(),
            (Score(alone, NONE) for alone in missing),
            (Score(NONE, alone) for alone in spurious),
        ),
        start=Score(NONE, NONE),
    )
