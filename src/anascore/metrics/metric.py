"""One metric on one document: align accommodated sets, count in both directions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from anascore.assignment import Cell, align, transposed
from anascore.metrics.overlap import Count, Overlap, Overlaps, PairsOfSets
from anascore.metrics.shares import ShareRule
from anascore.model.document import RelationName
from anascore.model.ratio import EMPTY_RATIO, Components, Number, Ratio, RatioPair, Score, mean
from anascore.settings import Settings


@dataclass(frozen=True, slots=True)
class Component:
    """One count of a metric, in one direction."""

    count: Count
    whole: Callable[[Overlap], Number]
    """Denominator, which must not depend on the other side."""

    shares: ShareRule
    """Rule that divides the count among entities, for explanations."""

    count_elements: Count | None = None
    """Count for the elements of an accommodated set, if it differs."""

    links: str = ""
    """Name of the links that are counted, if a metric has two components."""

    same_both_ways: bool = False
    """True if the numerator is the same in both directions, given the same credits, because
    entities are aligned."""

    symmetric: bool = False
    """True if the numerator is the same in both directions as long as there are no credits."""

    from_key: bool = False
    """With repeated mentions, precision uses the key's numerator (BLANC, as in the UA scorer)."""

    @property
    def within_set(self) -> Count:
        """Count for the elements of an accommodated set."""
        return self.count_elements or self.count

    def count_pair(self, from_key: Overlap, from_response: Overlap) -> RatioPair:
        """Count the elements of two accommodated sets."""
        recall = self.within_set(from_key)
        if self.from_key:
            return RatioPair(recall, Ratio(recall.part, self.whole(from_response)))
        return RatioPair(recall, self.within_set(from_response))


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric: its label, its components, and how it treats accommodated sets."""

    label: str
    rows: tuple[Component, ...]
    """One component, or two whose scores are averaged."""

    symmetric_in_ua: bool = False
    """True if the `ua` convention aligns sets component by component and credits F1 both ways."""

    penalty: bool = False
    """True if δ of the paper is the penalty 1 - credit, which is subtracted; else δ is the credit.

    The penalty is 1 if nothing earns credit: without an aligned set, or without shared mentions.
    """

    def overlaps(self, overlaps: Overlaps) -> Overlaps:
        """Choose the overlaps that the metric counts: by_membership if it aligns entities."""
        aligns = any(row.same_both_ways for row in self.rows)
        return overlaps.by_membership if aligns and overlaps.by_membership else overlaps

    def delta(self, credit: Fraction, n: int) -> Fraction:
        """Compute δ of an entity that shares n mentions and whose set earns a credit."""
        if not self.penalty:
            return credit
        return 1 - credit if n else Fraction(1)


class MetricCounts(NamedTuple):
    """One metric's counts in a document."""

    scores: Components
    split_only: Components | None = None
    """Counts over accommodated sets alone; None if the score does not have such a value."""

    by_relation: Mapping[RelationName, Components] = MappingProxyType({})
    """Counts over the accommodated objects of one relation alone."""


NOTHING_COUNTED = RatioPair(EMPTY_RATIO, EMPTY_RATIO)


def count_metric(metric: Metric, overlaps: Overlaps, settings: Settings) -> MetricCounts:
    """Count with one metric: all entities, and the accommodated sets alone."""
    rows = score_components(metric, overlaps, settings)
    if not overlaps.key_sets and not overlaps.response_sets:
        return _without_sets([counts.score for counts in rows])
    scores, sets = [], []
    for counts in rows:
        counted = {cell: pair.counted[counts.number] for cell, pair in counts.aligned.items()}
        scores.append(counts.score)
        sets.append(score_sets(counts.row, overlaps, counted))
    return MetricCounts(
        tuple(scores),
        tuple(sum(by_name.values(), NOTHING_COUNTED) for by_name in sets),
        {name: tuple(by_name[name] for by_name in sets) for name in overlaps.relations},
    )


def count_plain(metric: Metric, overlaps: Overlaps) -> MetricCounts:
    """Count without accommodated sets; the comparison is not kept for other analyses."""
    return _without_sets([count_both_ways(row, overlaps, {}, {}) for row in metric.rows])


def _without_sets(scores: Sequence[RatioPair]) -> MetricCounts:
    return MetricCounts(tuple(scores), (NOTHING_COUNTED,) * len(scores))


class ComponentCounts(NamedTuple):
    """One component's counts, with the alignment and credits behind them."""

    row: Component
    rows: tuple[Component, ...]
    """Components by which accommodated sets were aligned, `row` among them."""

    number: int
    """Index of `row` in `rows`."""

    aligned: dict[Cell, PairOfSets]
    recall: dict[Cell, Fraction]
    """Credits of aligned sets for recall, by key and response entity."""

    precision: dict[Cell, Fraction]
    """Credits of aligned sets for precision, by response and key entity."""

    score: RatioPair


def score_components(
    metric: Metric, overlaps: Overlaps, settings: Settings
) -> Sequence[ComponentCounts]:
    """Align accommodated sets by a metric's components; return the counts of each component.

    The result is kept, so a metric compares the overlaps only once.
    """
    overlaps = metric.overlaps(overlaps)
    symmetric = settings.convention == "ua" and metric.symmetric_in_ua
    known = metric.label, symmetric
    if known in overlaps.compared:
        return overlaps.compared[known]
    counts: list[ComponentCounts] = []
    for rows in [(row,) for row in metric.rows] if symmetric else [metric.rows]:
        aligned = align_sets(rows, overlaps) if overlaps.pairs_of_sets else {}
        for number, row in enumerate(rows):
            credit = {cell: pair.credits[number] for cell, pair in aligned.items()}
            recall = {cell: c.f1 if symmetric else c.recall for cell, c in credit.items()}
            precision = transposed(
                {cell: c.f1 if symmetric else c.precision for cell, c in credit.items()}
            )
            counts.append(
                ComponentCounts(
                    row=row,
                    rows=rows,
                    number=number,
                    aligned=aligned,
                    recall=recall,
                    precision=precision,
                    score=count_both_ways(row, overlaps, recall, precision),
                )
            )
    overlaps.compared[known] = counts
    return counts


def count_both_ways(
    row: Component,
    overlaps: Overlaps,
    recall: Mapping[Cell, Number],
    precision: Mapping[Cell, Number],
) -> RatioPair:
    """Count all entities, given the credits for recall and for precision."""
    from_key, from_response = overlaps.from_key, overlaps.from_response
    if recall or precision:
        from_key = replace(from_key, credits=recall)
        from_response = replace(from_response, credits=precision)
    if row.from_key and overlaps.by_membership:
        links = row.count(replace(from_key, credits=transposed(precision))).part
        return RatioPair(row.count(from_key), Ratio(links, row.whole(from_response)))
    if row.symmetric and not (recall or precision or overlaps.by_membership):
        solved = row.count(from_key)
        return RatioPair(solved, Ratio(solved.part, row.whole(from_response)))
    if not row.same_both_ways or precision != transposed(recall):
        return RatioPair(row.count(from_key), row.count(from_response))
    # One assignment is enough. Solve it on the same side whichever side is called the key.
    first, second = (
        (from_response, from_key) if overlaps.response_first else (from_key, from_response)
    )
    solved = row.count(first)
    same = Ratio(solved.part, row.whole(second))
    return RatioPair(same, solved) if overlaps.response_first else RatioPair(solved, same)


class PairOfSets(NamedTuple):
    """A key's and a response's accommodated set, counted with a metric's components."""

    counted: list[RatioPair]
    """Counts of their elements."""

    credits: list[Score[Fraction]]
    """Credits that the pair earns if it is aligned."""


def align_sets(rows: Sequence[Component], overlaps: Overlaps) -> dict[Cell, PairOfSets]:
    """Align accommodated sets one to one by their mean F1 over a metric's components."""
    pairs = overlaps.pairs_of_sets
    shared, response_first = overlaps.from_key.shared, overlaps.response_first
    counted = {cell: [row.count_pair(*pair) for row in rows] for cell, pair in pairs.items()}
    f1 = {cell: similarity(mean_f1(one), pairs, cell) for cell, one in counted.items()}
    return {
        cell: PairOfSets(counted[cell], credits_of_pair(counted[cell], pairs, cell))
        for cell in align(f1, shared, response_first=response_first)
    }


def mean_f1(counted: Sequence[RatioPair]) -> Fraction | None:
    """Average the defined F1 scores; None if there are none."""
    return mean(score.f1 for score in counted)


def similarity(f1: Fraction | None, pairs: PairsOfSets, cell: Cell) -> Fraction:
    """Compute the similarity of two accommodated sets from their mean F1."""
    return Fraction(is_equal(pairs[cell][0])) if f1 is None else f1


def credits_of_pair(
    counted: Sequence[RatioPair], pairs: PairsOfSets, cell: Cell
) -> list[Score[Fraction]]:
    """Compute an aligned pair's credits for each of a metric's components.

    Undefined values count as 0. If a component is undefined for both sets, it takes the credits of
    the other component. If all are undefined, as for two sets of one mention each, equal sets earn
    1.
    """
    zero = Fraction(0)
    credits_of_rows = [
        None if f1 is None else Score(recall or zero, precision or zero, f1)
        for recall, precision, f1 in (score.divided() for score in counted)
    ]
    default = next(filter(None, credits_of_rows), None)
    if default is None:
        same = similarity(None, pairs, cell)
        default = Score(same, same, same)
    return [values or default for values in credits_of_rows]


def is_equal(o: Overlap) -> bool:
    """Test whether two accommodated sets have the same elements, each with the same mentions."""
    same = sum(1 for (i, j), n in o.shared.items() if n == o.own[i] == o.other[j])
    return same == len(o.own) == len(o.other)


def score_sets(
    row: Component, overlaps: Overlaps, aligned: Mapping[Cell, RatioPair]
) -> dict[RelationName, RatioPair]:
    """Sum the counts of aligned pairs, by relation.

    Unaligned sets are paired with the empty set.
    """
    in_key, in_response = {i for i, _ in aligned}, {j for _, j in aligned}
    total: dict[RelationName, RatioPair] = defaultdict(lambda: NOTHING_COUNTED)
    for (i, _), score in aligned.items():
        total[overlaps.key_relations[i]] += score
    for i, o in overlaps.key_sets.items():
        if i not in in_key:
            total[overlaps.key_relations[i]] += RatioPair(row.within_set(o), EMPTY_RATIO)
    for j, o in overlaps.response_sets.items():
        if j not in in_response:
            total[overlaps.response_relations[j]] += RatioPair(EMPTY_RATIO, row.within_set(o))
    return total
