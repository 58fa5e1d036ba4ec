"""Confidence intervals and comparisons of systems."""

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import anascore
from anascore import Corpus, Document, Entity, Mention, SettingsError
from anascore.comparison import Key, count
from anascore.layers.counts import add_up
from anascore.model.ratio import Ratio, RatioPair
from anascore.output.grid import p_value
from anascore.results.resampling import (
    TESTS,
    Counts,
    class_intervals,
    counts_of,
    paired_test,
    percentile_interval,
    resampled,
)
from anascore.results.result import Result, scores_from_counts
from anascore.results.uncertainty import ResamplingOptions, holm, resample, warnings_on
from anascore.tasks import build_request
from support.documents import document_of
from support.paper import KEY, SYSTEMS
from support.strategies import random_pair

METRICS = "muc,b3,ceafe,conll,ceafm,lea,blanc,mentions"


def results(documents: int, seed: int) -> list[Result]:
    """Score a system on random documents."""
    rng = random.Random(seed)
    pairs = [random_pair(rng) for _ in range(documents)]
    key, response = (
        Corpus({f"d{n}": document_of(pair[side]) for n, pair in enumerate(pairs)})
        for side in (0, 1)
    )
    return [count(Key.of(key, build_request(METRICS)).compare("response", response))]


@pytest.mark.parametrize("seed", range(20))
def test_scores_of_samples_are_what_scoring_gives(seed: int) -> None:
    (result,) = results(6, seed)
    rng = random.Random(seed)
    names = [rng.choice(list(result.first.counted)) for _ in range(6)]
    multiplicities = np.array([[float(names.count(name)) for name in result.first.counted]])

    counts = counts_of(result.first)
    figures = counts.scores(multiplicities @ counts.table)

    total = add_up([result.first.counted[name] for name in names])
    for name, values in scores_from_counts(total.scores, METRICS.split(",")).items():
        for expected, found in zip(values, figures[name], strict=True):
            assert float(found[0]) == pytest.approx(
                float("nan") if expected is None else expected, nan_ok=True
            ), name


def test_intervals_are_around_the_scores_and_repeat() -> None:
    found = results(30, 1)
    how = ResamplingOptions(confidence=True, samples=300, seed=4)

    first, second, other = (
        resample(found, options)[0].first.uncertainty
        for options in (how, how, replace(how, seed=5))
    )

    assert first == second != other
    for name, intervals in first.intervals.items():
        for value, (low, high) in zip(found[0][name], intervals, strict=True):
            if value is None:
                assert (low, high) == (None, None)
            else:
                assert low is not None
                assert high is not None
                assert low <= value <= high
                assert high - low < 0.5


def test_one_document_has_nothing_to_draw_from() -> None:
    found = results(1, 3)

    how = ResamplingOptions(confidence=True, paired="bootstrap")
    uncertainty = resample([*found, *found], how)[1].first.uncertainty

    assert uncertainty.intervals["b3"].f1 == (None, None)
    assert uncertainty.differences["b3"][:3] == (0, None, None)
    assert not uncertainty.differences["b3"].significant


@pytest.mark.parametrize("paired", ["bootstrap", "randomisation"])
def test_what_is_undefined_has_no_p_value(paired: Any) -> None:
    singletons = Corpus(
        {name: Document(name, ["w"], [Entity([Mention(((0, 1),))])]) for name in "ab"}
    )
    result = anascore.score(singletons, singletons)

    _, second = resample([result, result], ResamplingOptions(paired=paired, samples=20))

    assert second.first.uncertainty.differences["muc"][:3] == (None, None, None)


@pytest.mark.parametrize(("documents", "warning"), [(1, "only one"), (29, "few documents: 29")])
def test_few_documents_are_told(documents: int, warning: str) -> None:
    (text,) = warnings_on(documents)

    assert warning in text
    assert not list(warnings_on(30))


@pytest.mark.parametrize("paired", ["bootstrap", "randomisation"])
def test_a_system_does_not_differ_from_itself(paired: Any) -> None:
    (result,) = results(20, 2)
    how = ResamplingOptions(paired=paired, samples=200)

    first, second = resample([result, result], how)

    for difference in second.first.uncertainty.differences.values():
        assert difference[:3] == (0, 1, 1)
        assert (difference.wins, difference.losses) == (0, 0)
        assert not difference.significant
    assert first.first.uncertainty.differences == {}


def test_results_that_are_resampled_have_a_signature_that_says_so() -> None:
    scored = [anascore.score(KEY, system) for system in SYSTEMS[:2]]
    how = ResamplingOptions(confidence=True, paired="bootstrap", samples=20)

    resampled_once = resample(scored, how)
    resampled_again = resample(resampled_once, replace(how, seed=7))

    extra = "confidence:bootstrap-95|paired:bootstrap-holm-1|samples:20|seed:"
    for before, once, again in zip(scored, resampled_once, resampled_again, strict=True):
        assert once.signature == f"{before.signature}|{extra}0"
        assert again.signature == f"{before.signature}|{extra}7"
        assert once.scores == before.scores
        assert not before.first.uncertainty.intervals


def test_a_result_shows_its_own_uncertainty() -> None:
    scored = [anascore.score(KEY, system) for system in SYSTEMS[:2]]

    _, second = resample(scored, ResamplingOptions(confidence=True, paired="bootstrap", samples=20))

    assert "Differences in F1, system-B minus system-A" in str(second)
    assert "F1  95% interval" in str(second)
    (layer,) = second.to_dict()["systems"][0]["layers"].values()
    assert layer["difference_to_first"]["muc"]["wins"] == 1
    assert layer["confidence"]["muc"]["f1"] == [None, None]
    assert any("there is only one" in warning for warning in second.warnings)


def test_the_uncertainty_of_a_result_stays_with_it_in_any_order() -> None:
    first, second = resample(
        [anascore.score(KEY, system) for system in SYSTEMS[:2]],
        ResamplingOptions(paired="bootstrap", samples=20),
    )

    document = anascore.Comparison([second, first]).to_dict()

    layers = [system["layers"]["identity"] for system in document["systems"]]
    assert ["difference_to_first" in layer for layer in layers] == [True, False]


@pytest.mark.parametrize("how", [ResamplingOptions(), ResamplingOptions(paired="bootstrap")])
def test_one_result_without_intervals_stays_as_it_is(how: ResamplingOptions) -> None:
    result = anascore.score(KEY, SYSTEMS[0])

    assert resample([result], how) == [result]


@pytest.mark.parametrize("paired", ["bootstrap", "randomisation"])
def test_a_clear_difference_is_found(paired: Any) -> None:
    rng = random.Random(5)
    sides = [random_pair(rng, sets=False)[0] for _ in range(40)]
    key = Corpus({f"d{n}": document_of(side) for n, side in enumerate(sides)})
    worse = {
        name: replace(document, entities=document.entities[:1])
        for name, document in key.documents.items()
    }
    corpora = [("right", key), ("worse", Corpus(worse))]
    _, second = resample(
        [count(Key.of(key, build_request(METRICS)).compare(*named)) for named in corpora],
        ResamplingOptions(paired=paired, samples=500),
    )

    difference = second.first.uncertainty.differences["b3"]
    assert difference.difference is not None
    assert difference.difference < 0
    assert difference.p == difference.corrected
    assert difference.significant
    assert difference.losses > difference.wins == 0


def test_holm() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.5, None, 0.6]) == [1.0, None, 1.0]
    assert holm([None]) == [None]


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"samples": 0}, "samples must be a whole number, at least 1, not 0"),
        ({"samples": 1.5}, "samples must be a whole number, at least 1, not 1.5"),
        ({"seed": -1}, "seed must be a whole number, at least 0, not -1"),
    ],
)
def test_numbers_that_cannot_be(choices: Any, message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        ResamplingOptions(**choices)


DOCUMENTS = 80
RUNS = 500


def simulated(rng: np.random.Generator, sizes: Any) -> Counts:
    """Make what MUC counts in documents of these sizes: links found and claimed by chance."""
    found = rng.binomial(sizes, 0.7)
    claimed = found + rng.binomial(sizes, 0.2)
    rows = zip(found.tolist(), sizes.tolist(), claimed.tolist(), strict=True)
    counted: list[Any] = [{"muc": (RatioPair(Ratio(f, s), Ratio(f, c)),)} for f, s, c in rows]
    return Counts(counted, ["muc"])


TRUTH = 2 * 0.7 / (1 + 0.7 + 0.2)
"""F1 over all documents that could be drawn: 2 · found / (size + claimed)."""


def test_intervals_cover_the_truth() -> None:
    rng = np.random.default_rng(1)
    covered = 0
    for run in range(RUNS):
        counts = simulated(rng, rng.integers(5, 40, size=DOCUMENTS))
        low, high = percentile_interval(resampled(counts, 300, run)["muc"].f1)
        covered += low is not None and high is not None and low <= TRUTH <= high

    assert 0.92 <= covered / RUNS <= 0.98


@pytest.mark.parametrize("name", TESTS)
def test_the_same_noise_seldom_looks_different(name: str) -> None:
    rng = np.random.default_rng(2)
    different = 0
    for run in range(RUNS):
        sizes = rng.integers(5, 40, size=DOCUMENTS)
        systems = simulated(rng, sizes), simulated(rng, sizes)
        chance = paired_test(TESTS[name], *systems, 300, run)["muc"]
        assert chance is not None
        different += chance < 0.05

    assert 0.03 <= different / RUNS <= 0.07


def test_chances_are_never_shown_as_nothing() -> None:
    assert [p_value(p) for p in (None, 1 / 10_001, 0.0006, 0.5)] == [
        "-",
        "<0.001",
        "0.001",
        "0.500",
    ]


def test_intervals_of_classes_leave_out_samples_in_which_a_side_lacks_the_class() -> None:
    key = {"a": [["m", "n"]], "b": [["m", "n", "o"]]}
    response = {"a": [["m", "n"]], "b": [["m", "x"]]}
    result = anascore.score_clusters(key, response, by="length")

    intervals = class_intervals(result.first, "length", "b3", 200, 0)

    assert result.first.breakdown["length"]["2"].scores["b3"].f1 == pytest.approx(10 / 13)
    assert [*intervals["2"]] == [pytest.approx(10 / 13), 1.0]
    assert intervals["3 to 5"] == (None, None)
