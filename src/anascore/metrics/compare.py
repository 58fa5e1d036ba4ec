"""Comparing a document by one metric: align accommodated sets, count both ways."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from anascore.assignment import Cell
from anascore.assignment.ties import align
from anascore.metrics.overlap import Count, Overlap, Tables
from anascore.metrics.shares import ShareRule
from anascore.model.document import RelationName
from anascore.model.ratio import EMPTY_RATIO, Components, Number, Ratio, RatioPair, Score, mean
from anascore.settings import Settings


@dataclass(frozen=True, slots=True)
class Component:
    """What a metric counts, in one direction."""

    count: Count
    shares: ShareRule
    """The rule by which the count is divided among entities, when it is explained."""

    count_elements: Count | None = None
    """How it counts the elements of an accommodated set, if not in the same way."""

    links: str = ""
    """What is counted, where a metric has two rows."""

    mutual: bool = False
    """Whether as much is found in one direction as in the other, if the credits are the same."""

    def within_set(self, o: Overlap) -> Ratio:
        """Count the elements of an accommodated set."""
        return (self.count_elements or self.count)(o)


@dataclass(frozen=True, slots=True)
class Metric:
    """What a metric is called, what it counts, and how it credits accommodated sets."""

    label: str
    rows: tuple[Component, ...]
    """One, or two that are averaged when they have been divided."""

    symmetric_in_ua: bool = False
    """Whether the `ua` convention aligns sets row by row and credits F1 in both directions."""

    penalty: bool = False
    """Whether δ of the paper is a penalty, 1 - credit, which is taken off; else it is the credit.

    A penalty is 1 where nothing is credited: without an aligned set, or without shared mentions.
    """

    def delta(self, credit: Fraction, n: int) -> Fraction:
        """Return δ of an entity whose set earns a credit and that shares n mentions."""
        if not self.penalty:
            return credit
        return 1 - credit if n else Fraction(1)


class MetricCounts(NamedTuple):
    """What one metric counts in a document."""

    scores: Components
    split_only: Components | None = None
    """Over the accommodated sets alone; None if the score has no such value."""

    by_relation: Mapping[RelationName, Components] = MappingProxyType({})
    """Over the accommodated objects of each relation alone."""


def compare(metric: Metric, tables: Tables, settings: Settings) -> MetricCounts:
    """Count by one metric: all entities, and the accommodated sets alone."""
    scores, sets = [], []
    for compared in compare_rows(metric, tables, settings):
        counted = {cell: pair.counted[compared.number] for cell, pair in compared.aligned.items()}
        scores.append(compared.score)
        sets.append(score_sets(compared.row, tables, counted))
    return MetricCounts(
        tuple(scores),
        tuple(sum(of_row.values(), RatioPair(EMPTY_RATIO, EMPTY_RATIO)) for of_row in sets),
        {name: tuple(of_row[name] for of_row in sets) for name in tables.relations},
    )


class ComponentCounts(NamedTuple):
    """What one row of a metric counts, and from what."""

    row: Component
    rows: tuple[Component, ...]
    """The rows by which accommodated sets were aligned, of which it is one."""

    number: int
    """Which of them."""

    aligned: dict[Cell, PairOfSets]
    recall: dict[Cell, Fraction]
    """What aligned sets are credited with for recall, by own and other entity."""

    precision: dict[Cell, Fraction]
    score: RatioPair


def compare_rows(metric: Metric, tables: Tables, settings: Settings) -> Iterator[ComponentCounts]:
    """Align accommodated sets by the rows of a metric, and count all entities by each row."""
    symmetric = settings.convention == "ua" and metric.symmetric_in_ua
    for rows in [(row,) for row in metric.rows] if symmetric else [metric.rows]:
        aligned = align_sets(rows, tables)
        for number, row in enumerate(rows):
            worth = {cell: pair.credits[number] for cell, pair in aligned.items()}
            recall = {(i, j): w.f1 if symmetric else w.recall for (i, j), w in worth.items()}
            back = {(j, i): w.f1 if symmetric else w.precision for (i, j), w in worth.items()}
            score = count_both_ways(row, tables, recall, back)
            yield ComponentCounts(
                row=row,
                rows=rows,
                number=number,
                aligned=aligned,
                recall=recall,
                precision=back,
                score=score,
            )


def count_both_ways(
    row: Component, tables: Tables, recall: Mapping[Cell, Number], precision: Mapping[Cell, Number]
) -> RatioPair:
    """Count all entities, given the credits for recall and for precision."""
    from_key = replace(tables.from_key, credits=recall)
    from_response = replace(tables.from_response, credits=precision)
    if not row.mutual or precision != {(j, i): credit for (i, j), credit in recall.items()}:
        return RatioPair(row.count(from_key), row.count(from_response))
    # Solving one assignment is enough, on the same side whichever of them is called the key.
    first, second = (
        (from_response, from_key) if tables.response_first else (from_key, from_response)
    )
    found = row.count(first)
    same = Ratio(found.part, row.count(replace(second, shared={}, credits={})).whole)
    return RatioPair(same, found) if tables.response_first else RatioPair(found, same)


class PairOfSets(NamedTuple):
    """An accommodated set of the key and one of the response, row by row of a metric."""

    counted: list[RatioPair]
    """The scores of their elements."""

    credits: list[Score[Fraction]]
    """What the pair earns if it is aligned."""


def align_sets(rows: Sequence[Component], tables: Tables) -> dict[Cell, PairOfSets]:
    """Align accommodated sets one to one by the mean F1 of rows of a metric."""
    pairs = tables.pairs_of_sets
    counted = {cell: count_elements(rows, pair) for cell, pair in pairs.items()}
    f1 = {cell: similarity(scores, pairs[cell][0]) for cell, scores in counted.items()}
    aligned = align(f1, tables.from_key.shared, response_first=tables.response_first)
    return {
        cell: PairOfSets(counted[cell], credits_of_pair(counted[cell], pairs[cell][0]))
        for cell in aligned
    }


def count_elements(rows: Sequence[Component], pair: tuple[Overlap, Overlap]) -> list[RatioPair]:
    """Count the elements of two accommodated sets, from the key's and from the response's side."""
    return [RatioPair(*(row.within_set(o) for o in pair)) for row in rows]


def similarity(counted: Sequence[RatioPair], o: Overlap) -> Fraction:
    """Say how similar two accommodated sets are: their F1, the mean over the rows that have one."""
    f1 = mean(score.f1 for score in counted)
    return Fraction(is_equal(o)) if f1 is None else f1


def credits_of_pair(counted: Sequence[RatioPair], o: Overlap) -> list[Score[Fraction]]:
    """Say what an aligned pair of accommodated sets earns in each row of a metric.

    Undefined counts as 0. A row that neither set has anything of takes the other row's values;
    if there is no other, as with two sets of one mention each, equal sets earn 1.
    """
    zero = Fraction(0)
    worth = [
        None if f1 is None else Score(recall or zero, precision or zero, f1)
        for recall, precision, f1 in (score.divided() for score in counted)
    ]
    instead = next(filter(None, worth), None)
    if instead is None:
        same = Fraction(is_equal(o))
        instead = Score(same, same, same)
    return [values or instead for values in worth]


def is_equal(o: Overlap) -> bool:
    """Tell whether two accommodated sets have the same elements, with the same mentions each."""
    same = sum(1 for (i, j), n in o.shared.items() if n == o.own[i] == o.other[j])
    return same == len(o.own) == len(o.other)


def score_sets(
    row: Component, tables: Tables, aligned: Mapping[Cell, RatioPair]
) -> dict[RelationName, RatioPair]:
    """Add up the scores of aligned pairs, relation by relation.

    Sets without a partner are paired with the empty set.
    """
    in_key, in_response = {i for i, _ in aligned}, {j for _, j in aligned}
    total: dict[RelationName, RatioPair] = defaultdict(lambda: RatioPair(EMPTY_RATIO, EMPTY_RATIO))
    for (i, _), score in aligned.items():
        total[tables.key_relations[i]] += score
    for i, o in tables.key_sets.items():
        if i not in in_key:
            total[tables.key_relations[i]] += RatioPair(row.within_set(o), EMPTY_RATIO)
    for j, o in tables.response_sets.items():
        if j not in in_response:
            total[tables.response_relations[j]] += RatioPair(EMPTY_RATIO, row.within_set(o))
    return total
