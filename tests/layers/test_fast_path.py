"""Plain clusters are counted at once; the counts are those of documents made of them."""

import functools
import math
import pickle
import random
from collections.abc import Callable
from concurrent.futures import Executor, Future
from dataclasses import fields, replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore import Corpus, Document, Entity, Mention, Scorer, Settings, SettingsError
from anascore.comparison import Key, count_document, side_notes
from anascore.layers.document import pair_of
from anascore.layers.fast_path import FastPath, without_mor
from anascore.metrics.scores import METRICS
from anascore.model.document import IN_MEMORY
from anascore.results.result import Result
from anascore.tasks import build_request
from support.clusters import both
from support.shared import Lazy, each_pair, real
from support.strategies import Entities, pairs_of_plain_entities, pairs_of_rich_entities

CHOICES: list[dict[str, Any]] = [
    {},
    {"metrics": "conll"},
    {"metrics": [*METRICS, "mentions", "mor"], "convention": "ua"},
    {"singletons": False, "split": False},
    {"task": "conll12"},
    {"remove_nested": True, "zeros": "drop", "lea_importance": 5},
    {"repeated_mentions": "all", "metrics": "blanc,lea"},
]


def of_spans(number: int) -> tuple[int, int]:
    """Return one of 30 different spans, some of them nested."""
    return number % 7, number % 7 + number // 7


MENTIONS: list[Callable[[int], Any]] = [
    of_spans,
    str,
    lambda number: number,
    lambda number: (number, 20),
    lambda number: (f"s{number % 3}", number),
]


def general(key: Any, response: Any, **choices: Any) -> Result:
    """Score documents that are made of clusters, all of them normalised."""
    corpora = both(key, response)
    request = build_request(**choices)
    pairs = Key.of(corpora.corpora[0], request).compare("response", corpora.corpora[1])
    counted = {pair.key.key.name: count_document(pair, request) for pair in pairs}
    for name in corpora.without_spans:
        counted[name] = without_mor(counted[name])
    formats = IN_MEMORY, IN_MEMORY
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
    mention = of_spans if "mor" in choices.get("metrics", ()) else rng.choice(MENTIONS)
    key, response = ({name: random_clusters(rng, mention) for name in ("a", "b")} for _ in range(2))

    counted = FastPath(build_request(**choices)).count_documents(key, response, "")

    expected = general(key, response, **choices)
    assert counted == (None if choices.get("remove_nested") else expected.counted)
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

    counted = FastPath(request).count_pair(key, response)

    expected = count_document(pair, request)
    assert counted is None or counted == expected
    assert counted is None or counted.layers["identity"].notes == side_notes("identity", pair)
    result = FastPath(request).can_count(key) and FastPath(request).can_count(response)
    unique = all(_are_unique(own) for own in entities)
    assert (counted is not None) == (result and unique)


OTHER_VALUES: dict[str, Any] = {
    "task": "crac26",
    "layers": "all",
    "match": "head",
    "heads": "key",
    "singletons": False,
    "split": False,
    "convention": "ua",
    "repeated_mentions": "all",
    "zeros": "drop",
    "zero_match": "dependent",
    "np_only": True,
    "remove_nested": True,
    "anaphors": "zero",
    "lea_importance": 3,
    "missing": "empty",
    "bad_documents": "skip",
    "repair": True,
    "words": "align",
    "docs": "split",
    "across": "all",
    "window": 3,
    "by": "length",
}
"""A value of each setting that is not its default."""


def test_all_settings_have_another_value() -> None:
    assert [*OTHER_VALUES] == [setting.name for setting in fields(Settings)]
    for name, value in OTHER_VALUES.items():
        needed = {"split": False} if name == "singletons" else {}
        assert name in build_request(**{name: value, **needed}).settings.changed()


@pytest.mark.parametrize("name", OTHER_VALUES)
@given(pairs_of_rich_entities() | pairs_of_plain_entities())
def test_no_setting_is_ignored(name: str, entities: tuple[Entities, Entities]) -> None:
    choices = {name: OTHER_VALUES[name], **({"split": False} if name == "singletons" else {})}
    request = build_request(**choices)
    zeros = tuple((before, rank) for before in range(8) for rank in (1, 2))
    key, response = (Document("d", ("w",) * 12, tuple(own), zeros=zeros) for own in entities)

    counted = FastPath(request).count_pair(key, response)

    pair = pair_of(key, response, request.settings)
    assert counted is None or counted == count_document(pair, request)


def test_a_setting_that_the_fast_path_does_not_know_is_not_ignored() -> None:
    request = build_request()
    assert FastPath(request).is_supported

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Settings, "changed", lambda _: {"new": True})
        assert not FastPath(request).is_supported


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
    counter = FastPath(build_request(**choices))
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
    counter = FastPath(build_request())

    counted = counter.count_documents([["a"]], [["a"]], "name")

    assert counted is not None
    assert [*counted] == ["name"]


@pytest.mark.parametrize(
    "response",
    [
        [[[0, 1], [2, 3]], [[5, 5]]],
        [((0, 1), [2, 3]), {(5, 5)}],
        [[[0, 1, 7], [2, 3, 7]], [[5, 5, 7]]],
    ],
)
def test_lists_of_numbers_are_spans(response: Any) -> None:
    key: Any = [[(0, 1), (2, 3), (5, 5)]]
    counted = FastPath(build_request()).count_documents(key, response, "d")

    assert counted is not None
    assert counted["d"] == general(key, response).counted["document"]


NOT_PLAIN: dict[str, tuple[Any, Any]] = {
    "sets": ([["a"], ["b"], Entity(["c"], elements=[0, 1])], [["a"]]),
    "a mention in two clusters": ([["a", "b"], ["b", "c"]], [["a", "b"]]),
    "a mention twice, once in a singleton": ([["a", "b"], ["b"]], [["a", "b"]]),
    "a mention twice": ([["a"]], [["a", "a", "b"]]),
    "lists of one number": ([[[0], [2]]], [[[0], [2]]]),
    "lists of strings": ([[["a", "b"], ["c", "d"]]], [[["a", "b"]]]),
    "lists and numbers": ([[[0, 1], 2]], [[[0, 1]]]),
    "lists in tuples": ([[([0, 1], 2)]], [[([0, 1], 2)]]),
    "lists in tuples, and lists": ([[([0, 1], 2), [3, 4]]], [[([0, 1], 2)]]),
    "mentions of several types": ([["a", 1]], [["a"]]),
    "numbers that are no integers": ([[1.5, 2.5]], [[1.5, 2.5]]),
    "frozensets of spans": ([[frozenset({(0, 1), (3, 4)})]], [[(0, 1)]]),
    "an iterator": (iter([["a", "b"]]), [["a", "b"]]),
}


@pytest.mark.parametrize("case", NOT_PLAIN)
def test_other_clusters_are_made_into_documents(case: str) -> None:
    key, response = NOT_PLAIN[case]

    assert FastPath(build_request()).count_documents(key, response, "d") is None


def test_documents_of_one_side_only_are_not_plain() -> None:
    counter = FastPath(build_request())
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
    counter = FastPath(build_request(**choices))

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
    monkeypatch.setattr("anascore.layers.fast_path.MAX_SHAPES", 1)
    counter = FastPath(build_request())
    documents: list[Any] = [[["a"]], [["a", "b"]], [["a"]], [["a", "b"]]]

    counted = [counter.count(clusters, clusters) for clusters in documents]

    assert counted[0] is counted[2]
    assert counted[1] is not counted[3]
    assert counted[1] == counted[3]


MOR_KEY, MOR_RESPONSE = [[(0, 9), (20, 20)]], [[(0, 8), (20, 20)]]
"""Spans of 11 and of 10 words, which share 10."""


def test_mor_compares_the_words_of_spans() -> None:
    result = anascore.score_clusters(MOR_KEY, MOR_RESPONSE)

    assert result["mor"] == (10 / 11, 1, 20 / 21)
    assert result["mentions"].f1 == 1 / 2


def as_numpy(span: tuple[int, int]) -> Any:
    return np.int64(span[0]), np.int64(span[1])


class Pair(NamedTuple):
    """A span of another type."""

    first: int
    last: int


SAME_SPANS: dict[str, Callable[[tuple[int, int]], Any]] = {
    "tuples": lambda span: span,
    "lists": list,
    "NumPy": as_numpy,
    "named tuples": lambda span: Pair(*span),
    "floats": lambda span: (float(span[0]), float(span[1])),
}


@pytest.mark.parametrize("kind", SAME_SPANS)
def test_spans_of_all_types_have_the_same_mor(kind: str) -> None:
    key, response = (
        [[SAME_SPANS[kind](span) for span in cluster] for cluster in side]
        for side in (MOR_KEY, MOR_RESPONSE)
    )

    assert anascore.score_clusters(key, response)["mor"].f1 == 20 / 21
    assert anascore.score_clusters(key, response, metrics="mor")["mor"].f1 == 20 / 21


NO_SPANS: dict[str, tuple[Any, Any]] = {
    "strings": ([["a", "b"]], [["a", "b"]]),
    "numbers": ([[0, 1]], [[0, 1]]),
    "strings of two characters": ([["ab", "cd"]], [["ab", "cd"]]),
    "spans with names": ([[("s", 1), ("s", 2)]], [[("s", 1)]]),
    "three numbers": ([[(0, 1, 2)]], [[(0, 1, 2)]]),
    "the end before the start": ([[(5, 2), (3, 4)]], [[(3, 4)]]),
    "negative numbers": ([[(-1, 2), (3, 4)]], [[(3, 4)]]),
    "numbers that are too large": ([[(0, 10**9 + 1)]], [[(0, 10**9 + 1)]]),
    "a very large number": ([[(0, 10**5000)]], [[(0, 10**5000)]]),
    "halves": ([[(0, 0.5)]], [[(0, 0.5)]]),
    "no numbers": ([[(0, math.nan)]], [[(0, math.inf)]]),
    "spans and strings": ([[(0, 1), "a"]], [[(0, 1)]]),
    "spans in the key only": ([[(0, 1)]], [["a"]]),
    "gaps": ([[frozenset({(0, 1), (3, 4)})]], [[(0, 1)]]),
    "a singleton": ([["a"], [(0, 1), (2, 3)]], [[(0, 1), (2, 3)]]),
}


@pytest.mark.parametrize("singletons", [True, False])
@pytest.mark.parametrize("case", NO_SPANS)
def test_other_mentions_have_no_mor(case: str, *, singletons: bool) -> None:
    choices: dict[str, Any] = {"singletons": singletons, "split": singletons}

    results = in_all_ways({"d": NO_SPANS[case]}, **choices)

    for result in results:
        assert "mor" not in result
        assert "mor" not in result.documents["d"].scores
        assert "mor" not in result.first.macro
        assert "mor" not in result.to_dict()["systems"][0]["layers"]["identity"]["scores"]
        assert "MOR" not in str(result)
        assert "mentions" in result
        with pytest.raises(SettingsError, match="not all mentions are spans"):
            _ = result["mor"]
        assert anascore.Result.from_json(result.to_json()).scores == result.scores


@pytest.mark.parametrize("metrics", ["mor", ["muc", "MOR"]])
@pytest.mark.parametrize("case", ["strings", "spans in the key only", "three numbers"])
def test_mor_of_other_mentions_cannot_be_requested(case: str, metrics: Any) -> None:
    key, response = NO_SPANS[case]
    message = r"is not a span \(first, last\) .* pass spans, or leave mor out of metrics"

    with pytest.raises(SettingsError, match=message) as error:
        anascore.score_clusters(key, response, metrics=metrics)
    with pytest.raises(SettingsError, match=message):
        anascore.score_clusters({"d": key}, {"d": response}, metrics=iter(["mor"]))
    assert str(error.value).startswith(("key: entity 0: ", "response: entity 0: 'a' "))
    scorer = Scorer(metrics=metrics)
    with pytest.raises(SettingsError, match=message):
        scorer.update(key, response)
    with pytest.raises(SettingsError, match=message):
        pickle.loads(pickle.dumps(scorer)).update(key, response)
    assert len(scorer) == 0
    scorer.update(MOR_KEY, MOR_RESPONSE)
    assert scorer.result()["mor"].f1 == 20 / 21


def test_no_mention_is_no_obstacle_to_mor() -> None:
    nothing = anascore.score_clusters([], [], metrics="mor")
    both = anascore.score_clusters({"a": MOR_KEY, "b": []}, {"a": MOR_RESPONSE, "b": []})
    strings = anascore.score_clusters({"a": [["x", "y"]], "b": []}, {"a": [["x"]], "b": []})

    assert nothing["mor"] == (None, None, None)
    assert both["mor"].f1 == 20 / 21
    assert "mor" not in strings


class Inline(Executor):
    """An executor that scores at once."""

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        future.set_result(fn(*pickle.loads(pickle.dumps(args)), **kwargs))
        return future


def in_all_ways(documents: dict[str, tuple[Any, Any]], **choices: Any) -> list[Result]:
    """Score clusters in all ways in which they can be given."""
    key, response = ({name: sides[n] for name, sides in documents.items()} for n in range(2))
    one, at_once = Scorer(**choices), Scorer(**choices)
    elsewhere = Scorer(executor=Inline(), **choices)
    merged = Scorer(**choices)
    for name, sides in documents.items():
        one.update(*sides, name=name)
        elsewhere.update(*sides, name=name)
        part = Scorer(**choices)
        part.update(*sides, name=name)
        merged.merge(part)
    at_once.update(key, response)
    singles = [
        anascore.score_clusters({name: own}, {name: other}, **choices)
        for name, (own, other) in documents.items()
    ]
    # A result of an entity is the entity itself, but is not plain.
    with_entities = {name: [Entity(cluster) for cluster in own] for name, own in key.items()}
    return [
        anascore.score_clusters(key, response, **choices),
        anascore.score_clusters(with_entities, response, **choices),
        one.result(),
        at_once.result(),
        elsewhere.result(),
        merged.result(),
        sum(singles),  # type: ignore[list-item]
        anascore.merge(singles)[0],
        general(key, response, **choices),
    ]


SOME: dict[str, tuple[Any, Any]] = {
    "spans": (MOR_KEY, MOR_RESPONSE),
    "more spans": ([[(0, 0), (3, 3)], [(5, 6)]], [[(0, 0), (3, 3), (4, 6)]]),
    "nothing": ([], []),
    "strings": ([["a", "b"]], [["a"]]),
}


@pytest.mark.parametrize(
    "names", [("spans", "more spans", "nothing"), (*SOME,), (*reversed(SOME),)]
)
def test_all_ways_into_memory_agree(names: tuple[str, ...]) -> None:
    first, *others = in_all_ways({name: SOME[name] for name in names})

    assert ("mor" in first) == ("strings" not in names)
    for result in others:
        assert result.counted == first.counted
        assert result.scores == first.scores
        assert result.first.macro == first.first.macro
        assert {n: d.scores for n, d in result.documents.items()} == {
            n: d.scores for n, d in first.documents.items()
        }


def test_systems_with_mor_and_without_can_be_compared() -> None:
    spans = anascore.score_clusters(
        dict.fromkeys("abc", MOR_KEY), dict.fromkeys("abc", MOR_RESPONSE)
    )
    key, response = NO_SPANS["strings"]
    strings = anascore.score_clusters(dict.fromkeys("abc", key), dict.fromkeys("abc", response))
    spans, strings = replace(spans, name="A"), replace(strings, name="B")

    for systems in ([spans, strings], [strings, spans]):
        comparison = anascore.merge(
            [anascore.Comparison(systems)], confidence=True, paired="bootstrap", samples=10
        )
        assert "mor" not in comparison[1].layers["identity"].uncertainty.differences
        assert "mentions" in comparison[1].layers["identity"].uncertainty.differences
        assert str(comparison)
        assert comparison.to_json()


def random_span_clusters(rng: random.Random) -> list[Any]:
    """Return clusters of spans, some of them twice, and some with elements."""
    clusters: list[Any] = []
    for _ in range(rng.randint(0, 5)):
        starts = [rng.randrange(12) for _ in range(rng.randint(0, 4))]
        spans = [(start, start + rng.choice([0, 0, 1, 3])) for start in starts]
        elements = rng.sample(range(len(clusters)), min(len(clusters), rng.choice([0, 0, 0, 2])))
        clusters.append(Entity(spans, elements) if elements or rng.random() < 0.1 else spans)
    return clusters


EVERY = ",".join(
    [*METRICS, "conll", "mentions", "mor", "links", "zhou-choi", "lea-2021", "lea-rucoco"]
)
LIKE_FILES: list[dict[str, Any]] = [
    {},
    {"metrics": EVERY},
    {"metrics": EVERY, "singletons": False, "split": False},
    {"repeated_mentions": "all"},
    {"convention": "ua", "lea_importance": 3},
    {"remove_nested": True},
    {"by": ("length", "range")},
]


@pytest.mark.parametrize("choices", LIKE_FILES)
@given(rng=st.randoms(use_true_random=False))
def test_spans_in_memory_have_the_scores_of_files(
    choices: dict[str, Any], rng: random.Random
) -> None:
    make = random_span_clusters
    if rng.random() < 0.4:
        make = functools.partial(random_clusters, mention=of_spans)
    sides = {name: (make(rng), make(rng)) for name in "ab"}
    words = ["w"] * 20
    documents: list[dict[str, Document]] = [
        {
            name: document
            for name, own in sides.items()
            for document in Corpus.from_clusters(
                own[n], offsets="token", end="inclusive", words=words, name=name
            ).documents.values()
        }
        for n in range(2)
    ]

    expected = anascore.score(*(Corpus(own) for own in documents), **choices)

    key, response = ({name: own[n] for name, own in sides.items()} for n in range(2))
    result = anascore.score_clusters(key, response, **choices)
    assert "mor" in result
    assert result.scores == expected.scores
    assert result.split_only == expected.split_only
    assert result.documents == expected.documents
    assert result.first.breakdown == expected.first.breakdown
    assert result.counted == expected.counted
    assert result.signature == expected.signature
    assert result.warnings == expected.warnings


@each_pair("conll2012")
@pytest.mark.parametrize("singletons", [True, False])
def test_a_corpus_in_memory_has_the_scores_of_files(
    pair: Lazy[tuple[Corpus, Corpus]], *, singletons: bool
) -> None:
    choices: dict[str, Any] = {"singletons": singletons, "split": False}
    expected = anascore.score(*pair(), **choices)

    result = scored_in_memory(*pair(), **choices)

    assert result.scores == expected.scores
    assert expected["mor"].f1 != expected["mentions"].f1


@pytest.mark.corpora
def test_gum_in_memory_has_the_mor_of_its_files() -> None:
    key, response = (real(f"gum/{name}.conll") for name in ("key", "noisy-a"))

    result = scored_in_memory(key, response, singletons=False, split=False)

    assert round(result["mor"].f1 or 0, 6) == 0.815275
    assert round(result["mentions"].f1 or 0, 6) == 0.810265


def scored_in_memory(key: Corpus, response: Corpus, **choices: Any) -> Result:
    """Score the spans of a corpus without gaps and zeros, one document after another."""
    scorer = Scorer(**choices)
    for name in key.documents:
        own, other = (
            [
                [(first, end - 1) for mention in entity.mentions for first, end in mention.words]
                for entity in side.documents[name].entities
            ]
            for side in (key, response)
        )
        scorer.update(own, other, name=name)
    return scorer.result()
