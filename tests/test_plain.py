"""Plain clusters are counted at once; the counts are those of documents made of them."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore import Entity, Scorer
from anascore.formats.objects import corpora_from_clusters
from anascore.layers.plain import PlainCounter
from anascore.metrics import METRICS
from anascore.pipeline import evaluate
from anascore.results import Result
from anascore.tasks import build_request

CHOICES: list[dict[str, Any]] = [
    {},
    {"metrics": "conll"},
    {"metrics": [*METRICS, "mentions", "mor"], "convention": "ua"},
    {"singletons": False, "split": False},
    {"task": "conll12"},
    {"remove_nested": True, "zeros": "drop", "lea_importance": 5},
    {"doubled": "all", "metrics": "blanc,lea"},
]

MENTIONS: list[Callable[[int], Any]] = [
    lambda number: number,
    str,
    lambda number: (number, number + 2),
    lambda number: (f"s{number % 3}", number),
]


def general(key: Any, response: Any, **choices: Any) -> Result:
    """Score documents that are made of clusters."""
    corpora = corpora_from_clusters(key, response)
    (result,) = evaluate(corpora[0], [("response", corpora[1])], build_request(**choices))
    return result


def random_clusters(rng: random.Random, mention: Callable[[int], Any]) -> list[Any]:
    """Return clusters in which no mention occurs twice, and some are empty."""
    mentions = [mention(number) for number in rng.sample(range(30), rng.randint(0, 25))]
    clusters: list[Any] = [[] for _ in range(rng.randint(1, 8))]
    for one in mentions:
        rng.choice(clusters).append(one)
    kind = rng.choice([list, tuple, set, frozenset])
    return [kind(cluster) for cluster in clusters]


@pytest.mark.parametrize("choices", CHOICES)
@given(rng=st.randoms(use_true_random=False))
def test_both_ways_agree(choices: dict[str, Any], rng: random.Random) -> None:
    mention = rng.choice(MENTIONS)
    key, response = ({name: random_clusters(rng, mention) for name in ("a", "b")} for _ in range(2))

    counted = PlainCounter(build_request(**choices)).count_documents(key, response, "")

    expected = general(key, response, **choices)
    assert counted == expected.counted
    result = anascore.score_clusters(key, response, **choices)
    assert result.scores == expected.scores
    assert result.signature == expected.signature
    assert result.notes == expected.notes


def test_one_document_has_the_name_of_the_scorer() -> None:
    counter = PlainCounter(build_request())

    counted = counter.count_documents([["a"]], [["a"]], "name")

    assert counted is not None
    assert [*counted] == ["name"]


NOT_PLAIN: dict[str, tuple[Any, Any]] = {
    "sets": ([["a"], ["b"], Entity(["c"], elements=[0, 1])], [["a"]]),
    "a mention in two clusters": ([["a", "b"], ["b", "c"]], [["a", "b"]]),
    "a mention twice": ([["a"]], [["a", "a", "b"]]),
    "lists as mentions": ([[[0, 1], [2, 3]]], [[[0, 1], [2, 3]]]),
    "mentions of several types": ([["a", 1]], [["a"]]),
    "numbers that are no integers": ([[1.5, 2.5]], [[1.5, 2.5]]),
    "frozensets of spans": ([[frozenset({(0, 1), (3, 4)})]], [[(0, 1)]]),
    "an iterator": (iter([["a", "b"]]), [["a", "b"]]),
}


@pytest.mark.parametrize("case", NOT_PLAIN)
def test_other_clusters_are_made_into_documents(case: str) -> None:
    key, response = NOT_PLAIN[case]

    assert PlainCounter(build_request()).count_documents(key, response, "d") is None


def test_documents_of_one_side_only_are_not_plain() -> None:
    counter = PlainCounter(build_request())
    clusters: Any = [["a"]]

    assert counter.count_documents({"a": clusters}, {"b": clusters}, "") is None
    assert counter.count_documents({"a": clusters}, clusters, "") is None
    assert counter.count_documents({0: clusters}, {0: clusters}, "") is None
    assert counter.count_documents({"clusters": clusters}, {"clusters": clusters}, "") is None
    assert counter.count_documents({"a": clusters, "b": [1]}, {"a": clusters, "b": []}, "") is None


@pytest.mark.parametrize(
    "choices",
    [
        {"by": "length"},
        {"metrics": "links"},
        {"match": "head"},
        {"layers": "all"},
        {"layers": "bridging"},
        {"np_only": True},
        {"anaphors": "zero"},
    ],
)
def test_other_requests_need_documents(choices: dict[str, Any]) -> None:
    counter = PlainCounter(build_request(**choices))

    assert counter.count_documents([["a"]], [["a"]], "d") is None


def test_a_scorer_mixes_clusters_of_all_kinds_in_order() -> None:
    plain = [["a", "b"], ["c"]]
    with_set = [["a"], ["b"], Entity(["c", "d"], elements=[0, 1])]
    documents: dict[str, Any] = {"1": plain, "2": plain, "3": with_set, "4": plain}
    scorer = Scorer()

    for name, clusters in documents.items():
        scorer.update(clusters, clusters, name=name)

    assert [*scorer.result().documents] == [*documents]
    assert scorer.result().total == general(documents, documents).total


def test_not_all_shapes_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("anascore.layers.plain.MAX_SHAPES", 1)
    counter = PlainCounter(build_request())
    documents: list[Any] = [[["a"]], [["a", "b"]], [["a"]], [["a", "b"]]]

    counted = [counter.count(clusters, clusters) for clusters in documents]

    assert counted[0] is counted[2]
    assert counted[1] is not counted[3]
    assert counted[1] == counted[3]
