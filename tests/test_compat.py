"""The drop-in evaluators against the formulas of the originals, and the faults that they leave."""

import random
import subprocess
import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from anascore import EntityError, SettingsError, compat
from anascore.compat import ConllCorefScores, CorefEvaluator, evaluate_documents
from support.copied_evaluators import (
    COVAL,
    E2E,
    CopiedEvaluator,
    CopiedMetric,
    Side,
    cluster_of,
    linked_spans,
)

DOCUMENTS = 2000
EXACT = 1e-12

Span = tuple[int, int]
Scores = dict[str, tuple[float, float, float]]
"""Precision, recall and F1 by metric."""


def draw_side(rng: random.Random, spans: Sequence[Span], smallest: int) -> list[tuple[Span, ...]]:
    """Draw up to five clusters of different spans, each of which has at least the smallest size."""
    drawn = rng.sample(spans, rng.randint(0, len(spans)))
    clusters: list[list[Span]] = [[] for _ in range(rng.randint(1, 5))]
    for span in drawn:
        rng.choice(clusters).append(span)
    return [tuple(cluster) for cluster in clusters if len(cluster) >= smallest]


def draw_documents(smallest: int) -> list[tuple[Side, Side]]:
    """Draw predicted and gold clusters; only predicted ones can be smaller than the smallest."""
    rng = random.Random(35)
    documents: list[tuple[Side, Side]] = []
    for _ in range(DOCUMENTS):
        spans = [(start, start + rng.randint(0, 2)) for start in range(rng.randint(0, 14))]
        documents.append((draw_side(rng, spans, 1), draw_side(rng, spans, smallest)))
    return documents


def test_the_evaluator_of_e2e_coref_on_random_documents() -> None:
    ours, theirs = CorefEvaluator(), CopiedEvaluator()
    for predicted, gold in draw_documents(smallest=2):
        one, copied = CorefEvaluator(), CopiedEvaluator()
        one.update(predicted, gold, cluster_of(predicted), cluster_of(gold))
        copied.update(predicted, gold)
        ours.update(predicted, gold, cluster_of(predicted), cluster_of(gold))
        theirs.update(predicted, gold)

        assert one.get_prf() == pytest.approx(copied.prf(), rel=0, abs=EXACT)
        for metric, expected in zip(one.evaluators, copied.metrics, strict=True):
            assert metric.get_prf() == pytest.approx(expected.prf(), rel=0, abs=EXACT)

    assert ours.get_prf() == pytest.approx(theirs.prf(), rel=0, abs=EXACT)
    assert 0.1 < ours.get_f1() < 0.9
    assert len(ours.scorer) == DOCUMENTS


@pytest.mark.parametrize("name", COVAL)
def test_coval_on_random_documents(name: str) -> None:
    total = CopiedMetric(COVAL[name])
    documents = draw_documents(smallest=1)
    infos = {
        number: (gold, predicted, cluster_of(gold), cluster_of(predicted))
        for number, (predicted, gold) in enumerate(documents)
    }
    metric = getattr(compat, name)
    for number, (predicted, gold) in enumerate(documents):
        one = CopiedMetric(COVAL[name], beta=2)
        one.update(predicted, gold)
        total.update(predicted, gold)
        precision, recall, f_score = one.prf()
        if number < DOCUMENTS // 10:
            assert evaluate_documents({number: infos[number]}, metric, beta=2) == pytest.approx(
                (recall, precision, f_score), rel=0, abs=EXACT
            )

    precision, recall, f_score = total.prf()
    expected = pytest.approx((recall, precision, f_score), rel=0, abs=EXACT)
    assert evaluate_documents(infos, metric) == expected
    assert evaluate_documents(infos, COVAL_FUNCTIONS[name]) == expected


def function_named(name: str) -> Any:
    """Return a function like coval's, of which only the name is used."""

    def metric() -> None: ...

    metric.__name__ = name
    return metric


COVAL_FUNCTIONS = {name: function_named(name) for name in COVAL}


def draw_links(rng: random.Random) -> tuple[list[Span], list[list[int]], list[int]]:
    """Draw spans, the antecedents that each could have, and which of them each has."""
    spans = [(start, start + rng.randint(0, 2)) for start in range(rng.randint(1, 12))]
    candidates = [[max(0, place - 1 - back) for back in range(3)] for place in range(len(spans))]
    choices = [rng.randint(-1, min(place, 3) - 1) for place in range(len(spans))]
    return spans, candidates, choices


def test_allennlp_on_random_documents() -> None:
    rng = random.Random(35)
    ours, theirs = ConllCorefScores(), CopiedEvaluator()
    for _ in range(DOCUMENTS):
        spans, candidates, choices = draw_links(rng)
        gold = draw_side(rng, spans, smallest=2)
        antecedents = [
            candidates[place][choice] if choice >= 0 else None
            for place, choice in enumerate(choices)
        ]
        predicted = [tuple(cluster) for cluster in linked_spans(spans, antecedents)]
        metadata = {"clusters": [[list(span) for span in cluster] for cluster in gold]}

        ours(np.array([spans]), np.array([candidates]), np.array([choices]), [metadata])
        theirs.update(predicted, gold)

    assert ours.get_metric() == pytest.approx(theirs.prf(), rel=0, abs=EXACT)
    assert ours.get_metric(reset=True) == pytest.approx(theirs.prf(), rel=0, abs=EXACT)
    assert ours.get_metric() == (0, 0, 0)


def test_a_batch_of_lists() -> None:
    spans, candidates = [[0, 0], [3, 4], [6, 6]], [[0, 0], [0, 0], [1, 0]]
    metric = ConllCorefScores()
    metric(
        [spans, spans],
        [candidates, candidates],
        [[-1, 0, 0], [-1, -1, 1]],
        [{"clusters": [[[0, 0], [3, 4], [6, 6]]]}, {"clusters": [[[0, 0], [6, 6]]]}],
    )

    assert metric.get_metric() == (1, 1, 1)


@pytest.mark.parametrize(("candidate", "allowed"), [(2, True), (1, False), (-1, True)])
def test_an_antecedent_precedes_its_anaphor(candidate: int, *, allowed: bool) -> None:
    metric = ConllCorefScores(allowed)

    with pytest.raises(EntityError, match=f"span {candidate} does not precede span 1"):
        metric(
            [[[0, 0], [1, 1], [2, 2]]], [[[0], [candidate], [0]]], [[-1, 0, -1]], [{"clusters": []}]
        )


def test_the_parts_of_the_score() -> None:
    predicted, gold = [("a", "b", "c")], [("a", "b"), ("c", "d")]
    evaluator = CorefEvaluator()
    evaluator.update(predicted, gold)
    muc, b3, ceafe = evaluator.evaluators

    assert [each.metric for each in evaluator.evaluators] == [*E2E]
    assert (muc.get_precision(), muc.get_recall(), muc.get_f1()) == (1 / 2, 1 / 2, 1 / 2)
    assert muc.get_counts() == (1, 2, 1, 2)
    assert b3.get_counts() == (5 / 3, 3, 5 / 2, 4)
    assert ceafe.get_prf() == (4 / 5, 2 / 5, 8 / 15)
    assert evaluator.get_precision() == evaluator.get_prf()[0]
    assert evaluator.get_recall() == evaluator.get_prf()[1]
    assert evaluator.get_f1() == evaluator.get_prf()[2]
    conll = evaluator.scorer.result().conll
    assert evaluator.get_f1() == pytest.approx(conll, rel=0, abs=EXACT)


def test_undefined_values_are_0() -> None:
    evaluator = CorefEvaluator()
    assert evaluator.get_prf() == (0, 0, 0)
    assert evaluator.evaluators[0].get_counts() == (0, 0, 0, 0)

    evaluator.update([], [])
    assert evaluator.get_prf() == (0, 0, 0)

    evaluator.update([], [("a", "b")])
    assert evaluator.get_prf() == (0, 0, 0)


@dataclass(frozen=True)
class Mention:
    """A mention like coval's, which is an object."""

    minimum: str


def test_mentions_are_objects() -> None:
    gold = [[Mention("a"), Mention("b")], [Mention("c")]]
    infos = {"x": (gold, [[Mention("a"), Mention("b"), Mention("c")]])}

    assert evaluate_documents(infos, "bcub") == pytest.approx((1, 5 / 9, 5 / 7))


@pytest.mark.parametrize("metric", ["conll", "blanc", function_named("blancc"), 4])
def test_metrics_that_coval_lacks(metric: Any) -> None:
    with pytest.raises(SettingsError, match="metric must be mentions, muc, b3, ceafe, ceafm or"):
        evaluate_documents({}, metric)


def test_no_documents_for_coval() -> None:
    assert evaluate_documents({}, "muc") == (0, 0, 0)


def test_neither_numpy_nor_torch_is_imported() -> None:
    program = (
        "import sys, anascore.compat as c; e = c.CorefEvaluator(); "
        "e.update([[(0, 0), (1, 1)]], [[(0, 0), (1, 1)]]); e.get_prf(); "
        "print({'numpy', 'scipy', 'torch'} & {*sys.modules})"
    )
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)

    assert run.stdout.split() == [b"set()"]


# Faults of the copies


def ours_and_copied(
    predicted: Side, gold: Side, *, singletons: bool = False
) -> tuple[Scores, Scores]:
    """Return our scores, and those of the copy."""
    ours, theirs = CorefEvaluator(singletons=singletons), CopiedEvaluator()
    ours.update(predicted, gold)
    theirs.update(predicted, gold)
    rows = [each.get_prf() for each in ours.evaluators], [each.prf() for each in theirs.metrics]
    first, second = (dict(zip(E2E, of, strict=True)) for of in rows)
    return first, second


def test_singletons_of_the_key_lower_the_recall_of_ceafe_in_the_copy() -> None:
    side = [("a", "b"), ("c",), ("d",)]

    ours, copied = ours_and_copied(side, side)

    assert copied == {"muc": (1, 1, 1), "b3": (1, 1, 1), "ceafe": (1, 1 / 3, 1 / 2)}
    assert ours == dict.fromkeys(E2E, (1, 1, 1))


def test_a_predicted_cluster_is_aligned_with_a_singleton_in_the_copy() -> None:
    ours, copied = ours_and_copied([("a", "b")], [("a",), ("c", "d")])

    assert copied["ceafe"] == (2 / 3, 1 / 3, 4 / 9)
    assert ours["ceafe"] == (0, 0, 0)


def test_singletons_count_on_both_sides_if_they_are_wanted() -> None:
    predicted, gold = [("a", "b"), ("c",), ("d",)], [("a", "b"), ("c",), ("e",)]

    ours, copied = ours_and_copied(predicted, gold, singletons=True)

    assert copied["b3"] == (1, 1, 1)
    assert ours["b3"] == (3 / 4, 3 / 4, 3 / 4)
    assert ours["ceafe"] == (2 / 3, 2 / 3, 2 / 3)


def test_a_mention_twice_in_a_cluster_is_a_link_in_the_copy() -> None:
    ours, copied = ours_and_copied([("a", "b", "b")], [("a", "b")])

    assert copied["muc"] == (1, 1, 1)
    assert copied["b3"][:2] == (1, 1)
    assert copied["ceafe"][:2] == (4 / 5, 4 / 5)
    assert ours == dict.fromkeys(E2E, (1, 1, 1))

    ours, copied = ours_and_copied([("a", "a")], [("a", "b")])
    assert copied["muc"] == (1, 0, 0)
    assert ours == dict.fromkeys(E2E, (0, 0, 0))


def test_a_mention_in_two_clusters_belongs_to_the_last_one_in_the_copy() -> None:
    gold = [("a", "b"), ("c", "d")]
    predicted = [("a", "b"), ("c", "d", "a")]

    ours, copied = ours_and_copied(predicted, gold)

    assert copied["muc"][:2] == (2 / 3, 1 / 2)
    assert ours == dict.fromkeys(E2E, (1, 1, 1))


def test_an_empty_cluster_stops_the_copy() -> None:
    with pytest.raises(ZeroDivisionError):
        CopiedEvaluator().update([("a", "b"), ()], [("a", "b")])

    evaluator = CorefEvaluator()
    evaluator.update([("a", "b"), ()], [("a", "b")])
    assert evaluator.get_prf() == (1, 1, 1)


def test_clusters_that_are_lists_stop_the_copy() -> None:
    gold: Any = [[(0, 0), (1, 1)]]
    with pytest.raises(TypeError, match="unhashable"):
        CopiedEvaluator().update(gold, gold)

    evaluator = CorefEvaluator()
    evaluator.update(gold, gold)
    assert evaluator.get_prf() == (1, 1, 1)


def test_allennlp_counts_a_singleton_as_a_mention_that_is_its_own_antecedent() -> None:
    spans: list[Hashable] = [(0, 0), (1, 1), (2, 2)]
    gold = [((0, 0), (1, 1)), ((2, 2),)]
    copied = CopiedEvaluator()
    copied.update([tuple(c) for c in linked_spans(spans, [0, 0, 2])], gold)
    ours = ConllCorefScores(allow_singletons=True)
    ours([spans], [[[0], [0], [2]]], [[0, 0, 0]], [{"clusters": gold}])

    assert linked_spans(spans, [0, 0, 2]) == [[(0, 0), (0, 0), (1, 1)], [(2, 2), (2, 2)]]
    assert [metric.prf()[0] for metric in copied.metrics] == pytest.approx([1, 3 / 5, 11 / 15])
    assert ours.get_metric() == (1, 1, 1)


def test_coval_counts_a_mention_as_often_as_it_occurs() -> None:
    gold, predicted = [("a", "b")], [("a", "b"), ("a", "c")]
    copied = CopiedMetric(COVAL["b_cubed"])
    copied.update(predicted, gold)

    # The cluster of `a` is the last one, so recall is lower although the first is right.
    assert copied.prf()[:2] == (5 / 8, 1 / 2)
    assert evaluate_documents({"x": (gold, predicted)}, compat.b_cubed)[:2] == (1, 2 / 3)
