"""Scores against several keys, against a literal computation; the human ceiling."""

import io
import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pytest

import anascore
from anascore import (
    Comparison,
    Corpus,
    Document,
    MismatchError,
    ReadError,
    Settings,
    SettingsError,
)
from anascore.cli.main import main
from anascore.formats.objects import NESTING
from anascore.model.ratio import averaged
from anascore.pairing.documents import pair_keys
from anascore.results.result import Result
from support.documents import document_of
from support.generated_corpora import rich_corpus
from support.metric_oracles import (
    ROWS,
    Counts,
    RatioPair,
    Side,
    align_rows,
    mean,
    mean_score,
    normalise,
    score,
)
from support.paper import KEY, SYSTEMS
from support.strategies import damaged, random_rich_entities, random_side

METRICS = "muc,b3,ceafe,ceafm,lea,blanc,conll"
Row = tuple[Counts, Counts]
"""Numerators and denominators of recall and precision."""


# The literal computation


def rows_of(name: str, key: Side, response: Side) -> list[Row]:
    """Count a metric on one document, component by component."""
    k, r = normalise(key), normalise(response)
    return [
        (
            row.document(k, r, {(i, j): tau[i, j].recall for i, j in tau}),
            row.document(r, k, {(j, i): tau[i, j].precision for i, j in tau}),
        )
        for row, tau in zip(ROWS[name], align_rows(name, k, r, "paper"), strict=True)
    ]


def score_of(rows: Sequence[Row]) -> RatioPair:
    return mean_score([score(recall, precision) for recall, precision in rows])


def literal_mean(
    documents: Sequence[Sequence[list[Row]]], weights: Sequence[Fraction]
) -> RatioPair:
    """R = sum over d and j of w_j num(d, j), over sum of w_j den(d, j); P and halves likewise."""

    def add(half: int, side: int) -> Counts:
        part, whole = Fraction(0), Fraction(0)
        for keys in documents:
            for weight, rows in zip(weights, keys, strict=True):
                part += weight * rows[half][side][0]
                whole += weight * rows[half][side][1]
        return part, whole

    return score_of([(add(half, 0), add(half, 1)) for half in range(len(documents[0][0]))])


def choose_best(keys: Sequence[list[Row]]) -> list[Row]:
    """The highest F1, undefined first; then the larger denominators; then the key named first."""
    best = 0
    for number in range(1, len(keys)):
        ours, theirs = score_of(keys[best])[2], score_of(keys[number])[2]
        if ours is None:
            continue
        if theirs is None or theirs > ours:
            best = number
        elif theirs == ours:
            sizes = [sum(r[1] + p[1] for r, p in keys[n]) for n in (best, number)]
            if sizes[1] > sizes[0]:
                best = number
    return keys[best]


def literal_best(documents: Sequence[Sequence[list[Row]]]) -> RatioPair:
    return literal_mean([[choose_best(keys)] for keys in documents], [Fraction(1)])


def literal(
    names: Sequence[str],
    keys: Sequence[Mapping[str, Side]],
    response: Mapping[str, Side],
    rule: str,
    weights: Sequence[Fraction],
) -> dict[str, RatioPair]:
    scores = {}
    for metric in ROWS:
        counted = [[rows_of(metric, key[d], response[d]) for key in keys] for d in names]
        scores[metric] = literal_mean(counted, weights) if rule == "mean" else literal_best(counted)
    scores["conll"] = None, None, mean([scores[m][2] for m in ("muc", "b3", "ceafe")])
    return scores


def exact(result: Result) -> dict[str, RatioPair]:
    """The exact scores of a result."""
    total = result.total.scores
    scores: dict[str, RatioPair] = {name: averaged(total[name]) for name in ROWS}
    scores["conll"] = None, None, mean([scores[m][2] for m in ("muc", "b3", "ceafe")])
    return scores


# Random annotations


def corpus_of(sides: Mapping[str, Side], path: str = "") -> Corpus:
    documents = {name: replace(document_of(side), name=name) for name, side in sides.items()}
    return Corpus(documents, ("test",), path)


def annotations(seed: int, number: int) -> list[dict[str, Side]]:
    """Make annotations of the same documents; later ones are often damaged copies of the first."""
    rng = random.Random(seed)
    names = [f"d{i}" for i in range(rng.randint(1, 3))]
    first = {name: random_side(rng) if rng.random() < 0.9 else [] for name in names}
    return [
        first,
        *(
            {
                name: damaged(side, rng) if rng.random() < 0.7 else random_side(rng)
                for name, side in first.items()
            }
            for _ in range(number - 1)
        ),
    ]


@pytest.mark.parametrize("block", range(6))
@pytest.mark.parametrize("rule", ["mean", "best"])
def test_scores_equal_the_literal_computation(rule: Any, block: int) -> None:
    for seed in range(10 * block, 10 * block + 10):
        rng = random.Random(-1 - seed)
        number = rng.randint(2, 4)
        *keys, response = annotations(seed, number + 1)
        drawn = [rng.randint(1, 4) for _ in keys] if rule == "mean" and seed % 2 else None
        weights = [Fraction(weight) for weight in drawn or [1] * number]

        result = anascore.score(
            corpus_of(keys[0]),
            corpus_of(response),
            also_keys=[corpus_of(key) for key in keys[1:]],
            combine_keys=rule,
            key_weights=drawn,
            metrics=METRICS,
        )

        expected = literal(list(response), keys, response, rule, weights)
        assert exact(result) == expected, seed
        for name, values in expected.items():
            assert result[name] == tuple(None if v is None else float(v) for v in values)
        for key, own in zip(keys, result.by_key.values(), strict=True):
            assert exact(own) == literal(list(response), [key], response, "mean", [Fraction(1)])


def test_the_literal_rules_have_cases_of_all_kinds() -> None:
    undefined, ties, choices = 0, 0, set()
    for seed in range(40):
        *keys, response = annotations(seed, 4)
        for document in response:
            for metric in ROWS:
                rows = [rows_of(metric, key[document], response[document]) for key in keys]
                f1s = [score_of(of)[2] for of in rows]
                undefined += None in f1s and f1s != [None] * 3
                wholes = {sum(r[1] + p[1] for r, p in of) for of in rows}
                ties += len({*f1s}) == 1 and len(wholes) > 1
                choices.add(next(n for n, of in enumerate(rows) if of is choose_best(rows)))
    assert undefined > 2
    assert ties > 2
    assert choices == {0, 1, 2}


def test_best_by_hand() -> None:
    def single(*mentions: int) -> tuple[frozenset[int], frozenset[int]]:
        return frozenset(mentions), frozenset()

    # MUC: 1 of 2 links both ways against the first key, all links against the second.
    first, second, response = [single(1, 2, 3)], [single(1, 2), single(3)], [single(1, 2)]
    corpora = [corpus_of({"d": side}) for side in (first, second, response)]
    best = anascore.score(
        corpora[0], corpora[2], also_keys=[corpora[1]], combine_keys="best", metrics="muc"
    )

    (pair,) = best.total.scores["muc"]
    assert (pair.recall.part, pair.recall.whole) == (1, 1)
    assert best.by_key["key-1"]["muc"].recall == 1 / 2
    assert best.signature.endswith("|keys:best-2")


# Properties


def score_all(keys: Sequence[Corpus], response: Corpus, **options: Any) -> Result:
    first, *others = keys
    names = {f"other {number}": key for number, key in enumerate(others)}
    return anascore.score(first, response, also_keys=names, metrics=METRICS, **options)


@pytest.mark.parametrize("rule", ["mean", "best"])
@pytest.mark.parametrize("seed", range(5))
def test_keys_that_agree_give_the_usual_score(seed: int, rule: str) -> None:
    key, response = map(corpus_of, annotations(seed, 2))
    usual = anascore.score(key, response, metrics=METRICS, by="all")

    for number in (2, 3):
        same = score_all([key] * number, response, combine_keys=rule, by="all")

        assert same.total == usual.total
        assert same.scores == usual.scores
        assert same.split_only == usual.split_only
        assert same.documents == usual.documents
        assert same.first.breakdown == usual.first.breakdown
        assert [own.total for own in same.by_key.values()] == [usual.total] * number


@pytest.mark.parametrize("seed", range(5))
def test_the_order_of_keys_does_not_matter_in_the_mean(seed: int) -> None:
    *keys, response = map(corpus_of, annotations(seed, 4))
    results = [score_all(order, response, by="all") for order in permutations(keys)]

    for result in results[1:]:
        assert result.total.scores == results[0].total.scores
        assert result.split_only == results[0].split_only
        assert result.first.breakdown == results[0].first.breakdown


@pytest.mark.parametrize("seed", range(5))
def test_a_key_among_the_keys_scores_fully_by_best(seed: int) -> None:
    key, other = map(corpus_of, annotations(seed, 2))

    best = score_all([other, key], key, combine_keys="best")

    assert all(score.f1 in {None, 1.0} for score in best.scores.values())
    assert all(score.f1 in {None, 1.0} for score in best.by_key["other 0"].scores.values())


def test_weights_only_count_in_proportion() -> None:
    first, second, response = map(corpus_of, annotations(1, 3))
    results = [
        score_all([first, second], response, key_weights=weights)
        for weights in ([2, 1], [4, 2], [0.5, 0.25], [Fraction(2, 3), Fraction(1, 3)])
    ]

    assert len({str(result.total.scores) for result in results}) == 1
    assert results[0].signature.endswith("|keys:mean-2(2/3,1/3)")
    assert score_all([first, second], response).signature.endswith("|keys:mean-2")


# All that is beside scores


def rich_corpora(number: int, documents: int = 4) -> list[Corpus]:
    rng = random.Random(number)
    return [
        Corpus(
            {
                name: Document(name, ["w"] * 60, random_rich_entities(rng))
                for name in (f"d{i}" for i in range(documents))
            },
            ("test",),
        )
        for _ in range(number)
    ]


@pytest.mark.parametrize("rule", ["mean", "best"])
def test_sets_classes_and_breakdowns_are_combined(rule: Any) -> None:
    *keys, response = rich_corpora(4)

    # B³ and anaphors are in the breakdown, and not among the scores.
    result = anascore.score(
        keys[0], response, also_keys=keys[1:], combine_keys=rule, metrics="muc", by="all"
    )

    whole = anascore.score(
        keys[0], response, also_keys=keys[1:], combine_keys=rule, metrics="b3,mentions"
    )
    for classes in result.total.breakdown.values():
        for name in ("b3", "mentions"):
            rows = [row for of in classes.values() for row in of[name]]
            (expected,) = whole.total.scores[name]
            assert sum(row.recall.part for row in rows) == expected.recall.part
            assert sum(row.precision.whole for row in rows) == expected.precision.whole
    assert {*result.split_only} == {"muc"}
    assert {type(row.key) for of in result.first.breakdown.values() for row in of.values()} == {int}


def test_sets_of_another_key_are_scored() -> None:
    plain: Side = [(frozenset({1}), frozenset()), (frozenset({2, 3}), frozenset())]
    sets: Side = [*plain, (frozenset({4}), frozenset({0, 1}))]
    first, second, response = (corpus_of({"d": side}) for side in (plain, sets, plain))

    result = anascore.score(first, response, also_keys=[second], metrics="b3")

    assert result.split_only["b3"].recall == 0.0
    assert result.documents["d"].split_only == result.split_only
    assert result.by_key["key-1"].split_only == {}


def test_what_only_another_key_has_is_annotated() -> None:
    chain: Side = [(frozenset({1, 2}), frozenset())]
    nothing, something = corpus_of({"d": []}), corpus_of({"d": chain})

    result = anascore.score(nothing, nothing, also_keys=[something], metrics="muc")

    assert "nothing is annotated" not in result.table()
    assert result["muc"].f1 == 0.0


@pytest.mark.parametrize("rule", ["mean", "best"])
def test_all_layers(rule: Any) -> None:
    corpora = [rich_corpus(number) for number in range(3)]

    result = anascore.score(
        corpora[0], corpora[2], also_keys=[corpora[1]], combine_keys=rule, layers="all", by="all"
    )

    assert list(result.layers) == ["identity", "discourse-deixis", "bridging", "non-referring"]
    for layer in result.layers.values():
        assert list(layer.by_key) == ["key-1", "key-2"]
        assert all(score.f1 is not None for score in layer.scores.values())
        assert {*layer.classes} == {name for own in layer.by_key.values() for name in own.classes}


# Resampling


def literal_samples(
    counted: Sequence[Sequence[list[Row]]], drawn: Sequence[Sequence[int]]
) -> list[float]:
    """F1 of the mean over keys in samples of documents."""
    weights = [Fraction(1)] * len(counted[0])
    samples = [literal_mean([counted[d] for d in one], weights)[2] for one in drawn]
    return [float(value) for value in samples if value is not None]


def test_intervals_and_paired_tests_are_about_the_combined_counts() -> None:
    rng = random.Random(5)
    names = [f"d{i}" for i in range(6)]
    keys = [{name: random_side(rng) for name in names} for _ in range(2)]
    systems = [{n: damaged(keys[number][n], rng) for n in names} for number in range(2)]

    comparison = anascore.compare(
        corpus_of(keys[0]),
        {str(number): corpus_of(system) for number, system in enumerate(systems)},
        also_keys=[corpus_of(keys[1])],
        metrics="b3,blanc",
        confidence=True,
        paired="bootstrap",
        samples=50,
        seed=3,
    )

    drawn = np.random.default_rng(3).integers(6, size=(50, 6)).tolist()
    for metric in ("b3", "blanc"):
        samples, observed = [], []
        for system in systems:
            counted = [[rows_of(metric, key[n], system[n]) for key in keys] for n in names]
            samples.append(literal_samples(counted, drawn))
            observed += literal_samples(counted, [range(6)])
        for result, values in zip(comparison, samples, strict=True):
            low, high = result.first.uncertainty.intervals[metric].f1
            assert (low, high) == pytest.approx(tuple(np.percentile(values, (2.5, 97.5))))
        difference = observed[1] - observed[0]
        far = [
            abs(b - a - difference) >= abs(difference) - 1e-9 for a, b in zip(*samples, strict=True)
        ]
        tested = comparison[1].first.uncertainty.differences[metric]
        assert tested.difference == pytest.approx(difference)
        assert tested.p == pytest.approx((sum(far) + 1) / 51)
    assert comparison[0].signature.partition("|keys:")[2] == (
        "mean-2|confidence:bootstrap-95|paired:bootstrap-holm-1|samples:50|seed:3"
    )


# The human ceiling


def literal_ceiling(
    keys: Sequence[Mapping[str, Side]],
    response: Mapping[str, Side] | None,
    rule: str,
    weights: Sequence[Fraction],
) -> dict[str, list[float | None]]:
    """The mean over j of a score against all keys but j: of key j, or of a response."""
    scores = []
    for j, left_out in enumerate(keys):
        others = [key for i, key in enumerate(keys) if i != j]
        rest = [weight for i, weight in enumerate(weights) if i != j]
        scored = left_out if response is None else response
        scores.append(literal(list(left_out), others, scored, rule, rest))
    return {
        name: [mean_of([values[name][column] for values in scores]) for column in range(3)]
        for name in scores[0]
    }


def mean_of(values: Sequence[Fraction | None]) -> float | None:
    defined = [float(value) for value in values if value is not None]
    return fmean(defined) if defined else None


@pytest.mark.parametrize("rule", ["mean", "best"])
@pytest.mark.parametrize("seed", range(6))
def test_the_human_ceiling_is_the_literal_one(seed: int, rule: Any) -> None:
    *keys, response = annotations(seed, 3 + seed % 2)
    drawn = [3, 2, 1][: len(keys)] if rule == "mean" else None

    comparison = anascore.compare(
        corpus_of(keys[0]),
        {"A": corpus_of(response), "B": corpus_of(keys[0])},
        also_keys=[corpus_of(key) for key in keys[1:]],
        combine_keys=rule,
        key_weights=drawn,
        human=True,
        metrics=METRICS,
    )

    weights = list(map(Fraction, drawn or [1] * len(keys)))
    expected = literal_ceiling(keys, None, rule, weights)
    assert {name: list(values) for name, values in comparison.human.items()} == {
        name: pytest.approx(expected[name]) for name in comparison.human
    }
    for result, system in zip(comparison, (response, keys[0]), strict=True):
        expected = literal_ceiling(keys, system, rule, weights)
        assert {name: list(values) for name, values in result.leave_one_out.items()} == {
            name: pytest.approx(expected[name]) for name in result.leave_one_out
        }


def test_two_keys_are_scored_against_each_other() -> None:
    result = anascore.score(KEY, SYSTEMS[2], also_keys=[SYSTEMS[0]], human=True, metrics="muc")

    there = anascore.score(KEY, SYSTEMS[0], metrics="muc")["muc"]
    back = anascore.score(SYSTEMS[0], KEY, metrics="muc")["muc"]
    singly = [anascore.score(key, SYSTEMS[2], metrics="muc")["muc"] for key in (KEY, SYSTEMS[0])]
    assert result.human == {"muc": pytest.approx(means([there, back]))}
    assert result.leave_one_out == {"muc": pytest.approx(means(singly))}


def means(scores: Sequence[Sequence[float | None]]) -> tuple[float, ...]:
    return tuple(fmean(map(float, filter(None, column))) for column in zip(*scores, strict=True))


def test_without_a_ceiling_there_is_none() -> None:
    result = anascore.score(KEY, SYSTEMS[0], also_keys=[SYSTEMS[1]])

    assert result.ceiling is None
    assert (result.human, result.leave_one_out) == ({}, {})
    assert Comparison([]).human == {}


# Keys with different documents


def three_documents() -> list[dict[str, Side]]:
    rng = random.Random(8)
    return [{name: random_side(rng) for name in ("a", "b", "c")} for _ in range(3)]


def without(sides: Mapping[str, Side], *names: str) -> dict[str, Side]:
    return {name: side for name, side in sides.items() if name not in names}


@pytest.mark.parametrize("rule", ["mean", "best"])
def test_a_document_is_scored_against_the_keys_that_have_it(rule: Any) -> None:
    first, second, response = three_documents()

    result = anascore.score(
        corpus_of(first),
        corpus_of(response),
        also_keys={"short": corpus_of(without(second, "b"))},
        combine_keys=rule,
        missing="empty",
        human=True,
        metrics=METRICS,
    )

    both = anascore.score(
        corpus_of(without(first, "b")),
        corpus_of(without(response, "b")),
        also_keys={"short": corpus_of(without(second, "b"))},
        combine_keys=rule,
        missing="empty",
        human=True,
        metrics=METRICS,
    )
    alone = anascore.score(
        corpus_of(without(first, "a", "c")), corpus_of(without(response, "a", "c")), metrics=METRICS
    )
    assert list(result.documents) == ["a", "b", "c"]
    assert result.documents["b"] == alone.documents["b"]
    assert result.documents["a"] == both.documents["a"]
    assert list(result.by_key["short"].documents) == ["a", "c"]
    assert (result.human, result.leave_one_out) == (both.human, both.leave_one_out)
    assert result.notes == (
        "the key short lacks 1 of 3 documents, which are scored against the other keys",
    )
    assert "missing:empty" in result.signature


def test_a_response_may_lack_documents_too() -> None:
    first, second, response = three_documents()
    keys: dict[str, Any] = {"also_keys": [corpus_of(without(second, "b"))], "missing": "empty"}

    result = anascore.score(corpus_of(first), corpus_of(without(response, "a")), **keys)
    empty = anascore.score(corpus_of(first), corpus_of({**response, "a": []}), **keys)

    assert result.scores == empty.scores
    assert "response: missing: document 'a'" in result.notes


def test_keys_with_other_documents_are_errors() -> None:
    first, second, response = three_documents()
    short = without(second, "b")

    with pytest.raises(MismatchError) as lacking:
        anascore.score(corpus_of(first), corpus_of(response), also_keys=[corpus_of(short, "x/s")])
    with pytest.raises(MismatchError) as more:
        anascore.score(corpus_of(short), corpus_of(response), also_keys=[corpus_of(first)])
    with pytest.raises(MismatchError) as joined:
        anascore.score(
            *(corpus_of(first), corpus_of(response)),
            also_keys=[corpus_of(short)],
            missing="empty",
            across="all",
        )

    assert str(lacking.value) == (
        "x/s: the key lacks document 'b', which the first key has (in Python); --missing empty (in "
        'Python missing="empty") scores a document against those keys that have it'
    )
    assert str(more.value) == (
        "in Python: the first key has no document 'b'; put a key with all documents first"
    )
    assert str(joined.value) == (
        "a key in Python: the key lacks document 'b'; --across (in Python across) joins "
        "documents, and needs all documents in all keys"
    )


def test_keys_with_other_words_are_errors() -> None:
    first, other = (Corpus({"d": Document("d", words, ())}) for words in (["a"], ["b"]))

    with pytest.raises(MismatchError, match="word 1 of document 'd' is 'b', but 'a' in the key"):
        anascore.score(first, first, also_keys=[other])

    result = anascore.score(first, first, also_keys=[other], words="ignore")
    assert result.signature.endswith("|words:ignore|keys:mean-2")


LINES = (
    '{"doc_key": "a", "tokens": ["x", "y"], "clusters": [[[0, 0], [1, 1]]]}',
    '{"doc_key": "b", "tokens": ["x", "y"], "clusters": [[[0, 0], [1, 1]]]}',
    '{"doc_key": "b", "tokens": ["x", "y"], "clusters": [[[0, 0], [9, 9]]]}',
)


def test_bad_documents_of_a_key_are_left_out_there(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.jsonl", tmp_path / "bad.jsonl"
    good.write_text("\n".join(LINES[:2]))
    bad.write_text("\n".join(LINES[::2]))
    options: dict[str, Any] = {"bad_documents": "skip", "metrics": "muc", "human": True}

    second = anascore.score(good, good, also_keys=[bad], **options)
    first = anascore.score(bad, good, also_keys=[good], **options)

    assert list(second.documents) == ["a", "b"]
    assert list(second.by_key["bad"].documents) == ["a"]
    assert second.human["muc"].f1 == 1.0
    assert second.notes == (
        "the key bad lacks 1 of 2 documents, which are scored against the other keys",
        f"against bad: key: document 'b' was left out: {second.skipped[0].error}",
    )
    assert "|skipped:1|" in second.signature
    assert list(first.documents) == list(first.by_key["good"].documents) == ["a"]
    with pytest.raises(MismatchError, match=r"--across .* needs all documents in all keys"):
        anascore.score(good, good, also_keys=[bad], across="all", bad_documents="skip")


def test_keys_without_names_are_paired_in_order() -> None:
    named = corpus_of(annotations(4, 1)[0])
    unnamed = replace(
        named,
        documents={f"unnamed-{n}": d for n, d in enumerate(named.documents.values())},
        unnamed=True,
    )

    for key, other in ((named, unnamed), (unnamed, named)):
        result = anascore.score(key, named, also_keys=[other], human=True)
        assert result.conll == result.human["conll"].f1 == 1.0
        assert list(result.documents) == list(key.documents)


def test_other_keys_get_the_order_and_the_words_of_the_first() -> None:
    first = Corpus({name: Document(name, ["x", "y"], ()) for name in "ab"}, ("test",), unnamed=True)
    other = Corpus({name: Document(name, ["x"], ()) for name in "ba"}, path="other")

    same, paired = pair_keys([first, other], Settings(words="align"))

    assert same is first
    assert [(name, [*one.words]) for name, one in paired.documents.items()] == [
        ("a", ["x", "y"]),
        ("b", ["x", "y"]),
    ]
    assert (paired.path, paired.unnamed) == ("other", True)


def test_no_key_is_repaired(tmp_path: Path) -> None:
    path = tmp_path / "other.txt"
    path.write_text("Sure : x|[e1] y\n")
    first = Corpus({"d": Document("d", ["x", "y"], ())})

    _, other = pair_keys([first, anascore.read(path)], Settings(repair=True))

    assert other.documents["d"].repairs == ()


# Settings


def test_joined_documents() -> None:
    *keys, response = rich_corpora(3)
    corpora = [
        replace(
            corpus,
            documents={
                name: replace(
                    document,
                    entities=tuple(
                        replace(entity, name=f"e{number}")
                        for number, entity in enumerate(document.entities)
                    ),
                    global_ids=True,
                )
                for name, document in corpus.documents.items()
            },
        )
        for corpus in (*keys, response)
    ]
    result = anascore.score(
        corpora[0], corpora[2], also_keys=[corpora[1]], across="all", human=True, metrics="b3"
    )

    singly = [anascore.score(key, corpora[2], across="all", metrics="b3") for key in corpora[:2]]
    rows = [one.total.scores["b3"][0].recall for one in singly]
    assert result["b3"].recall == pytest.approx(
        float(sum(row.part for row in rows) / sum(row.whole for row in rows))
    )
    within = anascore.score(corpora[0], corpora[2], also_keys=[corpora[1]], metrics="b3")
    assert result.first.within_documents == within.scores


def test_documents_are_selected_by_the_first_key() -> None:
    plain: Side = [(frozenset({1, 2}), frozenset()), (frozenset({3}), frozenset())]
    sets: Side = [*plain, (frozenset({4}), frozenset({0, 1}))]
    first, second = corpus_of({"a": plain, "b": sets}), corpus_of({"a": sets, "b": plain})

    result = anascore.score(first, first, also_keys=[second], docs="split", human=True)

    assert list(result.documents) == list(result.by_key["key-2"].documents) == ["b"]
    assert "|docs:split-1|" in result.signature
    assert result.human["mentions"].f1 == pytest.approx(6 / 7)


def test_windows_are_combined() -> None:
    *keys, response = rich_corpora(3)

    result = anascore.score(keys[0], response, also_keys=keys[1:], window=3, metrics="b3")

    parts = [anascore.score(key, response, window=3, metrics="b3") for key in keys]
    rows = [one.total.scores["b3"][0].precision for one in parts]
    expected = Fraction(sum(row.part for row in rows), sum(row.whole for row in rows))
    assert result["b3"].precision == float(expected)


def test_notes_of_some_keys_name_them() -> None:
    spans = [[(0, 1), (1, 2)], [(0, 1), (2, 3)]]
    doubled, plain = (
        Corpus.from_clusters(clusters, offsets="token", end="exclusive", words=["a", "b", "c"])
        for clusters in (spans, spans[:1])
    )

    some = anascore.score(plain, plain, also_keys={"ben": doubled})
    every = anascore.score(doubled, plain, also_keys={"ben": doubled})

    (note,) = some.notes
    assert note.startswith("against ben: key: ")
    assert every.notes == (note.removeprefix("against ben: "),)


# Results that are written, restored and added


def halves(corpora: Sequence[Corpus]) -> list[list[Corpus]]:
    return [
        [
            replace(
                c, documents={n: d for i, (n, d) in enumerate(c.documents.items()) if i % 2 == h}
            )
            for c in corpora
        ]
        for h in range(2)
    ]


@pytest.mark.parametrize("rule", ["mean", "best"])
def test_a_sum_equals_the_whole(rule: Any, tmp_path: Path) -> None:
    corpora = rich_corpora(4)

    def result_of(keys: Sequence[Corpus]) -> Comparison:
        return anascore.compare(
            keys[0],
            {"A": keys[2], "B": keys[3]},
            also_keys={"ben": keys[1]},
            combine_keys=rule,
            human=True,
            by="all",
        )

    whole = result_of(corpora)
    parts = [result_of(half) for half in halves(corpora)]
    files = [tmp_path / f"{number}.json" for number in range(2)]
    for part, file in zip(parts, files, strict=True):
        file.write_text(part.to_json())

    assert Comparison.from_json(whole.to_json()) == whole
    for merged in (anascore.merge(parts), anascore.merge(files)):
        assert merged.human == whole.human
        for total, expected in zip(merged, whole, strict=True):
            assert total.scores == expected.scores
            assert total.signature == expected.signature
            assert total.leave_one_out == expected.leave_one_out
            assert {*total.notes} == {*expected.notes}
            assert list(total.by_key) == ["key-1", "ben"]
            for name, own in expected.by_key.items():
                assert total.by_key[name].scores == own.scores
                assert total.by_key[name].first.breakdown == own.first.breakdown


def test_results_of_different_keys_cannot_be_added() -> None:
    key, other, response = rich_corpora(3)
    one, two = halves([key, other, response])
    first = anascore.score(one[0], one[2], also_keys={"ben": one[1]})

    def second(**options: Any) -> Result:
        options = {"also_keys": {"ben": two[1]}, **options}
        return anascore.score(two[0], two[2], **options)

    with pytest.raises(MismatchError, match=r"different settings.*keys:mean-2 and .*keys:best-2"):
        first + second(combine_keys="best")
    with pytest.raises(MismatchError, match=r"keys:mean-2 and .*keys:mean-2\(2/3,1/3\)"):
        first + second(key_weights=[2, 1])
    with pytest.raises(MismatchError, match="different settings"):
        first + anascore.score(two[0], two[2])
    with pytest.raises(
        MismatchError, match="different keys cannot be added: key-1, ben and key-1, x"
    ):
        first + second(also_keys={"x": two[1]})
    with pytest.raises(MismatchError, match="only some of them have the human ceiling"):
        first + second(human=True)


def test_broken_json_is_refused() -> None:
    result = anascore.score(KEY, SYSTEMS[0], also_keys=[SYSTEMS[1]])
    content = result.to_dict()
    exact = content["systems"][0]["exact"]
    combinations: list[Any] = [{"rule": "worst", "weights": [1]}, {"rule": "mean"}, {}, 3]
    for combination in combinations:
        exact["combination"] = combination
        with pytest.raises(ReadError, match="this is not the output of anascore score") as error:
            Result.from_json(json.dumps(content))
        assert ".exact.combination" in str(error.value)


def test_a_baseline_has_the_same_keys() -> None:
    one = anascore.compare(KEY, [SYSTEMS[0]], metrics="muc")
    several = anascore.compare(KEY, [SYSTEMS[0]], also_keys=[SYSTEMS[1]], metrics="muc")

    assert several.failures(baseline=several) == []
    with pytest.raises(
        SettingsError, match=r"the baseline has other settings: .*lea:1 instead of .*keys:mean-2"
    ):
        several.failures(baseline=one)


def test_frames_have_all_keys() -> None:
    frame = anascore.score(KEY, SYSTEMS[0], also_keys=[SYSTEMS[1]], human=True).to_frame()

    assert {"key=key", "key=system-B", "split_only key=key", "human", "leave_one_out"} <= {
        *frame["scope"]
    }


def test_jobs_change_nothing() -> None:
    responses = [SYSTEMS[0], SYSTEMS[3]]
    for some in (responses, responses[:1]):
        one, two = (
            anascore.compare(KEY, some, also_keys=SYSTEMS[1:3], human=True, jobs=jobs)
            for jobs in (1, 2)
        )
        assert one == two


# Bad input


class NeverSubmits:
    """An executor that must not be used."""

    def submit(self, *_: object) -> None:
        raise AssertionError


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            {"combine_keys": "bets", "also_keys": [SYSTEMS[1]]},
            "--combine-keys (in Python combine_keys) must be mean or best, not 'bets' (did you "
            "mean 'best'?)",
        ),
        (
            {"key_weights": [1, 2, 3], "also_keys": [SYSTEMS[1]]},
            "--key-weights (in Python key_weights) must be 2 positive numbers, one for each key, "
            "not 1, 2, 3",
        ),
        (
            {"key_weights": [1, 0], "also_keys": [SYSTEMS[1]]},
            "--key-weights (in Python key_weights) must be 2 positive numbers, one for each key, "
            "not 1, 0",
        ),
        (
            {"key_weights": [1, float("inf")], "also_keys": [SYSTEMS[1]]},
            "--key-weights (in Python key_weights) must be 2 positive numbers, one for each key, "
            "not 1, inf",
        ),
        (
            {"key_weights": [float("nan"), 1], "also_keys": [SYSTEMS[1]]},
            "--key-weights (in Python key_weights) must be 2 positive numbers, one for each key, "
            "not nan, 1",
        ),
        (
            {"key_weights": "21", "also_keys": [SYSTEMS[1]]},
            "--key-weights (in Python key_weights) must be 2 positive numbers, one for each key, "
            "not '21'",
        ),
        (
            {"key_weights": ["2", "1"], "also_keys": [SYSTEMS[1]]},
            "--key-weights (in Python key_weights) must be 2 positive numbers, one for each key, "
            "not '2', '1'",
        ),
        (
            {"key_weights": [1, 1], "combine_keys": "best", "also_keys": [SYSTEMS[1]]},
            "--key-weights (in Python key_weights) apply only to the mean over keys; remove them, "
            "or combine keys by mean",
        ),
        (
            {"human": True},
            "--human (in Python human) needs two or more keys; add --also-key (in Python "
            "also_keys)",
        ),
        (
            {"key_weights": [1]},
            "--key-weights (in Python key_weights) needs two or more keys; add --also-key (in "
            "Python also_keys)",
        ),
        (
            {"combine_keys": "best"},
            "--combine-keys (in Python combine_keys) needs two or more keys; add --also-key (in "
            "Python also_keys)",
        ),
        ({"also_keys": [KEY]}, f"two keys are named {str(KEY)!r}; give each a different name"),
        (
            {"also_keys": {"key": SYSTEMS[1]}},
            "two keys are named 'key'; give each a different name",
        ),
        (
            {"also_keys": [3]},
            "3 is neither a path nor a corpus, such as anascore.read returns, nor clusters; "
            + NESTING,
        ),
        (
            {"also_keys": [SYSTEMS[1]], "executor": NeverSubmits()},
            "--dask (in Python executor) does not support several keys; use --jobs (in Python "
            "jobs) instead",
        ),
    ],
)
def test_options_that_cannot_be(options: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        anascore.score(KEY, SYSTEMS[0], **options)

    assert str(raised.value) == message


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("key.conllua - --also-key -", "standard input (-) can be read only once"),
        ("- a.conllua --also-key ben=-", "standard input (-) can be read only once"),
        ("key.conllua a.conllua --also-key b.conllua --key-weights 1,x", "'x' is not a number"),
        ("key.conllua a.conllua --also-key b.conllua --key-weights 1e9,1", "'1e9' is not a number"),
        ("key.conllua a.conllua --also-key b.conllua --key-weights 0,1", "not 0, 1"),
        ("key.conllua a.conllua --also-key b.conllua --combine-keys worst", "invalid choice"),
        ("key.conllua a.conllua --human", "--human (in Python human) needs two or more keys"),
        ("x=key.conllua a.conllua --also-key x=b.conllua", "two keys are named 'x'"),
        ("key.conllua a.conllua --also-key =b.conllua", "lacks a name before the equals sign"),
        ("key.conllua a.conllua --also-key nowhere.conllua", "nowhere.conllua"),
        (
            "key.conllua a.conllua --also-key b.conllua --human --split-only",
            "--human reports scores that --split-only leaves out; remove one of the two",
        ),
    ],
)
def test_bad_commands(
    arguments: str,
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, source in (("key", KEY), ("a", SYSTEMS[0]), ("b", SYSTEMS[1])):
        Path(f"{name}.conllua").write_bytes(Path(source).read_bytes())

    status: object
    try:
        status = main(["score", *arguments.split()])
    except SystemExit as error:
        status = error.code

    output = capsys.readouterr()
    assert (status, output.out) == (2, "")
    assert message in output.err


def test_a_key_from_standard_input(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = io.BytesIO(Path(SYSTEMS[1]).read_bytes())
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(text))

    command = ["score", f"anna={KEY}", str(SYSTEMS[0]), "--also-key", "-", "--output", "json"]
    assert main([*command, "--metrics", "muc", "--jobs", "2"]) == 0

    (system,) = json.loads(capsys.readouterr().out)["systems"]
    expected = anascore.score(
        KEY, SYSTEMS[0], key_name="anna", also_keys={"standard input": SYSTEMS[1]}, metrics="muc"
    )
    layer = system["layers"]["identity"]
    assert list(layer["by_key"]) == ["anna", "standard input"]
    assert layer["scores"]["muc"]["f1"] == expected["muc"].f1
