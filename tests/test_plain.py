"""Plain clusters are counted at once; the counts are those of documents made of them."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore import Document, Entity, Mention, Scorer
from anascore.formats.objects import corpora_from_clusters
from anascore.layers.pair import pair_of
from anascore.layers.plain import PlainCounter
from anascore.metrics import METRICS
from anascore.pipeline import compare_documents, count_document, prepare, side_notes
from anascore.results import Result
from anascore.tasks import build_request
from strategies import Entities, pairs_of_plain_entities, pairs_of_rich_entities

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
    """Score documents that are made of clusters, all of them normalised."""
    corpora = corpora_from_clusters(key, response)
    request = build_request(**choices)
    prepared = prepare(corpora[0], request)
    pairs = compare_documents(prepared, corpora[1], request)
    counted = {pair.key.key.name: count_document(pair, request) for pair in pairs}
    formats = corpora[0].format, corpora[1].format
    return Result("response", request, formats, counted)


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


@given(pairs_of_rich_entities() | pairs_of_plain_entities(), st.sampled_from(CHOICES))
def test_documents_have_the_same_counts_both_ways(
    entities: tuple[Entities, Entities], choices: dict[str, Any]
) -> None:
    request = build_request(**choices)
    zeros = tuple((before, rank) for before in range(8) for rank in (1, 2))
    words = ("w",) * 12
    key, response = (
        Document("d", words, tuple(own), zeros=zeros, notes={"some": 1, "none": 0})
        for own in entities
    )
    pair = pair_of(key, response, request.settings)

    counted = PlainCounter(request).count_pair(key, response)

    expected = count_document(pair, request)
    assert counted is None or counted == expected
    assert counted is None or counted.layers["identity"].notes == side_notes("identity", pair)
    result = PlainCounter(request).can_count(key) and PlainCounter(request).can_count(response)
    unique = all(_are_unique(own) for own in entities)
    assert (counted is not None) == (result and unique)


def _are_unique(entities: Entities) -> bool:
    places = [mention.place for entity in entities for mention in entity.mentions]
    return len(places) == len({*places})


WORD, OTHER_WORD = Mention(((0, 1),)), Mention(((1, 2),))
WITH_ZERO = Mention(((0, 1),), ((1, 1),))
ZERO = Mention((), ((1, 1),))

DOCUMENTS: dict[str, tuple[Entities, dict[str, Any], bool]] = {
    "words": ([Entity([WORD, OTHER_WORD])], {}, True),
    "words and a zero": ([Entity([WITH_ZERO])], {}, True),
    "a zero": ([Entity([ZERO])], {}, False),
    "zeros that are dropped": ([Entity([WITH_ZERO])], {"zeros": "drop"}, False),
    "zeros by their dependencies": ([Entity([WITH_ZERO])], {"zero_match": "dependent"}, False),
    "a set": ([Entity([WORD]), Entity([OTHER_WORD], elements=[0])], {}, False),
    "nested mentions": ([Entity([WORD])], {"remove_nested": True}, False),
    "heads": ([Entity([WORD])], {"match": "head"}, False),
}


@pytest.mark.parametrize("case", DOCUMENTS)
def test_plain_documents_are_those_that_need_no_normalising(case: str) -> None:
    entities, choices, is_plain = DOCUMENTS[case]
    counter = PlainCounter(build_request(**choices))
    zeros = ((1, 1),) if "zero" in case else ()
    document = Document("d", ("a", "b"), tuple(entities), zeros=zeros)

    assert counter.can_count(document) == is_plain
    assert (counter.count_pair(document, document) is not None) == is_plain
    assert counter.count_pair(document, None) is None


def test_a_singleton_that_is_excluded_keeps_its_mention() -> None:
    key, response = [["a"], ["a", "b"], ["c", "d"]], [["a", "b"], ["c", "d"]]
    choices: dict[str, Any] = {"singletons": False, "split": False}

    assert (
        anascore.score_clusters(key, response, **choices).counted
        == general(key, response, **choices).counted
    )


def test_one_document_has_the_name_of_the_scorer() -> None:
    counter = PlainCounter(build_request())

    counted = counter.count_documents([["a"]], [["a"]], "name")

    assert counted is not None
    assert [*counted] == ["name"]


NOT_PLAIN: dict[str, tuple[Any, Any]] = {
    "sets": ([["a"], ["b"], Entity(["c"], elements=[0, 1])], [["a"]]),
    "a mention in two clusters": ([["a", "b"], ["b", "c"]], [["a", "b"]]),
    "a mention twice, once in a singleton": ([["a", "b"], ["b"]], [["a", "b"]]),
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
