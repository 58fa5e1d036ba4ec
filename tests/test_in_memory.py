"""Dictionaries of clusters are scored like the corpora made of them, and like files."""

import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import anascore
from anascore import AnascoreError, Corpus, Entity, EntityError, MismatchError, SettingsError
from anascore.example import KEY

WORDS = {f"doc-{number}": [f"w{n}" for n in range(90)] for number in range(6)}
METRICS = "muc,b3,ceafe,conll,ceafm,lea,blanc,mentions,mor"
SAMPLES: dict[str, Any] = {"paired": "randomisation", "confidence": True, "samples": 50}

Clusters = list[Any]


def draw(seed: int) -> dict[str, Clusters]:
    """Return clusters of every document, most of whose mentions are in every drawing."""
    rng = random.Random(seed)
    documents: dict[str, Clusters] = {}
    for name in WORDS:
        clusters: list[list[tuple[int, int]]] = [[] for _ in range(6)]
        for place in range(0, 90, 4):
            clusters[min(rng.randrange(8), place % 6)].append((place, place + rng.randrange(2)))
        documents[name] = [cluster for cluster in clusters if cluster]
        documents[name].append(Entity([(87, 87)], elements=[0, rng.randrange(1, 3)]))
    return documents


GOLD, FIRST, SECOND = map(draw, range(3))


def corpora() -> list[Corpus]:
    return [Corpus.from_clusters(each, words=WORDS) for each in (GOLD, FIRST, SECOND)]


def files(folder: Path) -> list[Path]:
    """Write all sides with their words."""
    paths = [folder / f"{name}.jsonl" for name in ("gold", "first", "second")]
    for path, corpus in zip(paths, corpora(), strict=True):
        anascore.write(corpus, path)
    return paths


@pytest.fixture(params=["corpora", "files"])
def sources(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    return corpora() if request.param == "corpora" else files(tmp_path)


def without_sources(value: Any) -> Any:
    """Return output as JSON without signatures, which name formats."""
    if isinstance(value, dict):
        return {
            name: without_sources(of)
            for name, of in value.items()
            if name not in {"signature", "signatures", "formats"}
        }
    return [*map(without_sources, value)] if isinstance(value, list) else value


def assert_same(one: Any, other: Any) -> None:
    assert without_sources(one.to_dict()) == without_sources(other.to_dict())


def test_score(sources: Any) -> None:
    expected = anascore.score(*sources[:2], metrics=METRICS)

    assert expected.conll is not None
    assert 0.1 < expected.conll < 0.9
    for result in (
        anascore.score(GOLD, FIRST, metrics=METRICS),
        anascore.score(sources[0], FIRST, metrics=METRICS),
        anascore.score(GOLD, sources[1], metrics=METRICS),
        anascore.score_clusters(GOLD, FIRST, metrics=METRICS),
    ):
        assert result.scores == expected.scores
        assert result.documents == expected.documents


def test_compare(sources: Any) -> None:
    gold, *systems = sources
    expected = anascore.compare(gold, dict(zip("AB", systems, strict=True)), **SAMPLES)

    assert_same(anascore.compare(GOLD, {"A": FIRST, "B": SECOND}, **SAMPLES), expected)
    assert_same(anascore.compare(GOLD, {"A": FIRST, "B": systems[1]}, **SAMPLES), expected)
    differences = expected["B"].uncertainty["identity"].differences
    assert differences["conll"].p is not None


def test_find_errors(sources: Any) -> None:
    gold, *systems = sources
    expected = anascore.find_errors(gold, dict(zip("AB", systems, strict=True)))
    errors = anascore.find_errors(GOLD, {"A": FIRST, "B": SECOND})

    assert [errors[name].counts for name in "AB"] == [expected[name].counts for name in "AB"]
    assert sum(errors["A"].counts.values()) > 20
    assert anascore.find_errors(GOLD, FIRST).counts == expected["A"].counts


def test_explain(sources: Any) -> None:
    expected = anascore.explain(sources[0], sources[1])
    explained = anascore.explain(GOLD, FIRST)

    def fractions(explanation: anascore.ResponseExplanation) -> list[Any]:
        (system,) = explanation.to_dict()["systems"]
        return [document["metrics"] for document in system["documents"].values()]

    assert len(fractions(expected)) == len(GOLD)
    assert fractions(explained) == fractions(expected)


def test_agreement(sources: Any) -> None:
    expected = anascore.agreement(dict(zip("ABC", sources, strict=True)))
    agreement = anascore.agreement({"A": GOLD, "B": FIRST, "C": SECOND})

    assert_same(agreement, expected)


def test_suite(sources: Any) -> None:
    options: dict[str, Any] = {"variants": "own:match=exact", "samples": 50}
    gold, first, second = sources
    expected = anascore.suite({"d": gold}, {"A": {"d": first}, "B": {"d": second}}, **options)
    suite = anascore.suite({"d": GOLD}, {"A": {"d": FIRST}, "B": {"d": SECOND}}, **options)

    assert [suite.macro(name) for name in "AB"] == [expected.macro(name) for name in "AB"]


def test_corpora_are_added_to_the_corpus_of_all_clusters() -> None:
    parts = [Corpus.from_clusters({name: GOLD[name]}, words={name: WORDS[name]}) for name in GOLD]

    assert sum(parts[1:], parts[0]) == Corpus.from_clusters(GOLD, words=WORDS)


def test_statistics_and_validation_of_clusters() -> None:
    (corpus, *_) = corpora()

    assert anascore.stats(GOLD).total.mentions == anascore.stats(corpus).total.mentions
    assert anascore.validate(GOLD).ok


def test_the_dictionary_of_one_response(tmp_path: Path) -> None:
    expected = anascore.compare(GOLD, {"response": FIRST})

    assert_same(anascore.compare(GOLD, FIRST), expected)
    anascore.report(GOLD, FIRST, tmp_path / "page.html", samples=10)
    assert "doc-5" in (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("make", [list, np.array])
def test_lists_and_arrays_are_spans(make: Any) -> None:
    gold = {"a": [[(0, 1), (4, 4)], [(7, 8)]]}
    other = {"a": [make([[0, 1], [4, 4]]), make([[7, 8]])]}

    comparison = anascore.compare(gold, {"same": other, "also": gold}, **SAMPLES)

    assert comparison["same"].conll == comparison["also"].conll == 1
    assert comparison["same"]["mor"].f1 == 1
    assert sum(anascore.find_errors(gold, other).counts.values()) == 0


def test_mentions_that_are_no_spans_have_scores_and_tests() -> None:
    gold = {"a": [["Ann", "she"], ["Ben", "he"]], "b": [["Eve", "her"]]}
    other = {"a": [["Ann", "she", "he"], ["Ben"]], "b": [["Eve", "her"]]}

    comparison = anascore.compare(gold, {"other": other, "same": gold}, **SAMPLES)

    assert comparison["other"].scores == anascore.score_clusters(gold, other).scores
    assert "mor" not in comparison["other"]
    assert comparison["same"].uncertainty["identity"].differences["conll"].wins == 1


def test_a_response_gets_the_words_of_the_key() -> None:
    key = anascore.read(KEY)
    clusters = {name: [[(0, 0), (2, 2)]] for name in key.documents}
    with_words = Corpus.from_clusters(
        clusters, words={name: document.words for name, document in key.documents.items()}
    )

    for match in ("exact", "partial", "head"):
        result = anascore.score(KEY, clusters, match=match)
        assert result.scores == anascore.score(key, with_words, match=match).scores


def wrong(name: str, value: Any) -> dict[str, Any]:
    """Return the first response, with another value for one document."""
    return {**FIRST, name: value}


LISTS = "a document is a list of clusters, a cluster a list of mentions"


@pytest.mark.parametrize(
    ("response", "error", "message"),
    [
        (None, SettingsError, r"S: None is neither a path nor a corpus, .*" + LISTS),
        (5, SettingsError, r"S: 5 is neither a path nor a corpus, .*" + LISTS),
        (GOLD["doc-0"], EntityError, r"the key is a dictionary of documents, but the S is one doc"),
        (wrong("doc-1", None), EntityError, r"S: document 'doc-1': clusters: None is not a list"),
        (wrong("doc-1", ["ab"]), EntityError, r"S: document 'doc-1': entity 0: 'ab' is not a list"),
        (
            wrong("doc-1", [(0, 0)]),
            EntityError,
            r"S: document 'doc-1': entity 0: 0 is a number, and key: document 'doc-1': entity 0: "
            r"\(.*\) is a span; mentions are either numbers or spans; " + LISTS,
        ),
        (
            wrong("doc-1", [[[(0, 0), (1, 1)]]]),
            EntityError,
            r"S: document 'doc-1': entity 0: \[.*\] is a list of mentions, not a mention",
        ),
        (
            {1: [], "doc-0": []},
            EntityError,
            r"S: the name of a document must be a string, not 1",
        ),
        (wrong("other", []), MismatchError, r"the S: the key has no document 'other'"),
        (
            {"doc-0": FIRST["doc-0"]},
            MismatchError,
            r"the S: documents 'doc-1', .* are missing, which the key has; --missing empty",
        ),
    ],
)
def test_errors_name_the_side(response: Any, error: type[AnascoreError], message: str) -> None:
    with pytest.raises(error, match=f"^{message.replace('S', 'response', 1)}"):
        anascore.score(GOLD, response)
    named = message.replace("S", "response 'second'", 1)
    with pytest.raises(error, match=f"^{named}"):
        anascore.compare(GOLD, {"first": FIRST, "second": response})


def test_errors_name_the_key() -> None:
    number: Any = 5

    with pytest.raises(SettingsError, match=r"^key: 5 is neither a path nor a corpus"):
        anascore.score(number, GOLD)
    with pytest.raises(EntityError, match=r"^key: document 'a': clusters: 5 is not a list"):
        anascore.explain({"a": number}, {"a": []})
    with pytest.raises(SettingsError, match=r"^key 'Ben': 5 is neither a path nor a corpus"):
        anascore.score(GOLD, GOLD, also_keys={"Ben": number})


@pytest.mark.parametrize(
    ("clusters", "message"),
    [
        (
            [[(0, 0), (3, 3000)]],
            r"response: document 'news_bridge': entity 0: \(3, 3000\) ends after the last of \d+ "
            r"words; spans are \(first, last\), counted from 0; if your ends are exclusive",
        ),
        (
            [["Ann"]],
            r"response: document 'news_bridge': entity 0: 'Ann' is not a span \(first, last\) of "
            r"words counted from 0, but the words of this document come from the other side",
        ),
    ],
)
def test_mentions_must_fit_the_words_of_the_key(clusters: Clusters, message: str) -> None:
    responses: Mapping[str, Any] = {"news_bridge": clusters}

    with pytest.raises(EntityError, match=f"^{message}"):
        anascore.score(KEY, responses, missing="empty")


def test_a_file_needs_words(tmp_path: Path) -> None:
    message = (
        r"^document 'doc-0' has no words, and a file needs them; pass "
        r"Corpus.from_clusters\({'doc-0': clusters}, words={'doc-0': words}\)$"
    )
    with pytest.raises(EntityError, match=message):
        anascore.write(GOLD, tmp_path / "key.jsonl")


def test_words_are_those_of_documents_with_clusters() -> None:
    clusters = {"a": [[(0, 0)]]}
    words: Any = ["x"]

    with pytest.raises(SettingsError, match="words must be a dictionary by document"):
        Corpus.from_clusters(clusters, words=words)
    with pytest.raises(EntityError, match="words: there are no clusters of a document 'b'"):
        Corpus.from_clusters(clusters, words={"b": ["x"]})


def test_clusters_cannot_be_scored_against_characters() -> None:
    key = Corpus.from_clusters([[(0, 3)]], offsets="character", text="abc", end="exclusive")

    with pytest.raises(SettingsError, match="document 'document' counts characters"):
        anascore.score(key, [[(0, 0)]])


def test_corpora_are_added() -> None:
    first, second = (Corpus.from_clusters({name: [[(0, 0)]]}) for name in "ab")
    number: Any = 1

    assert [*(first + second).documents] == ["a", "b"]
    assert sum([first, second]) == first + second
    assert (first + second).formats == ("clusters",)
    with pytest.raises(MismatchError, match="both corpora have a document 'a'"):
        first + first
    with pytest.raises(TypeError):
        first + number
    with pytest.raises(TypeError):
        number + first
