"""Suites: datasets × systems × variants, macro-averages, tests of all pairs, rank clusters."""

import csv
import io
import json
import random
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations, permutations
from pathlib import Path
from statistics import mean
from typing import Any, get_args

import numpy as np
import pytest

import anascore
from anascore import (
    Corpus,
    Document,
    Entity,
    Mention,
    MismatchError,
    ReadError,
    Result,
    Settings,
    SettingsError,
    SuiteResult,
)
from anascore.cli.main import main
from anascore.layers.counts import add_up
from anascore.printing import OutputName
from anascore.results.resampling import bootstrap, stratum_seed
from anascore.results.result import scores_from_counts
from anascore.results.suite import rank_clusters
from anascore.suites import CRAC_VARIANTS, build_requests
from anascore.tasks import TASKS
from support.generated_corpora import generated
from support.shared import CORPORA

CRAC = ["head", "partial", "exact", "head-singletons"]
SINGLE_RUNS: dict[str, dict[str, Any]] = {
    "head": {"task": "crac24"},
    **{
        name: {
            "match": match,
            "singletons": singletons,
            "split": False,
            "zero_match": "dependent",
            "anaphors": "zero",
            "metrics": TASKS["crac24"].metrics,
        }
        for name, match, singletons in (
            ("partial", "partial", False),
            ("exact", "exact", False),
            ("head-singletons", "head", True),
        )
    },
}
"""The settings of a single run of each variant of CRAC."""


def by_genre(corpus: Corpus) -> dict[str, Corpus]:
    """Divide a corpus into datasets by the second part of the names of documents."""
    genres: dict[str, dict[str, Document]] = {}
    for name, document in corpus.documents.items():
        genres.setdefault(name.split("_")[1], {})[name] = document
    return {genre: replace(corpus, documents=found) for genre, found in genres.items()}


def halves(corpus: Corpus) -> dict[str, Corpus]:
    """Divide a corpus into two datasets of genres."""
    spoken = ("conversation", "court", "interview", "podcast", "speech", "vlog")
    datasets: dict[str, dict[str, Document]] = {"spoken": {}, "written": {}}
    for genre, found in by_genre(corpus).items():
        datasets["spoken" if genre in spoken else "written"].update(found.documents)
    return {name: replace(corpus, documents=found) for name, found in datasets.items()}


def without_zero_dependencies(corpus: Corpus) -> Corpus:
    """Drop zeros, which have no dependencies in generated corpora."""
    documents = {
        name: replace(
            document,
            entities=[
                Entity([m for m in entity.mentions if not m.zeros], name=entity.name)
                for entity in document.entities
            ],
            zeros=(),
        )
        for name, document in corpus.documents.items()
    }
    return replace(corpus, documents=documents)


def written(folder: Path, datasets: Mapping[str, Corpus]) -> Path:
    """Write one file per dataset in CorefUD."""
    folder.mkdir(parents=True)
    for name, corpus in datasets.items():
        anascore.write(corpus, folder / f"{name}.conllu", "corefud")
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Write a suite of three small datasets and three systems; the first folder has the keys."""
    top = tmp_path_factory.mktemp("suite")
    corpora = {"keys": 0, "one": 1, "two": 2, "three": 3}
    return {
        name: written(top / name, by_genre(without_zero_dependencies(generated("corefud", number))))
        for name, number in corpora.items()
    }


@pytest.fixture(scope="module")
def found(folders: dict[str, Path]) -> SuiteResult:
    keys, *systems = folders.values()
    return anascore.suite(keys, systems, confidence=True)


def check_cells_and_averages(found: SuiteResult, keys: Path, systems: Mapping[str, Path]) -> None:
    """Compare every cell with a single run, and every macro-average with the mean by hand."""
    assert found.systems == list(systems)
    for variant, settings in SINGLE_RUNS.items():
        for system, folder in systems.items():
            singles: list[Result] = []
            for dataset in found.datasets:
                file = f"{dataset}.conllu"
                single = anascore.score(keys / file, folder / file, **settings)
                cell = found.result(system, dataset, variant)
                assert cell.counted == single.counted
                assert cell.scores == single.scores
                assert cell.signature == single.signature.replace("task:crac24|", "")
                singles.append(single)
            macro = found.macro(system, variant)
            for name in ("muc", "b3", "ceafe", "mor"):
                for measure in ("recall", "precision", "f1"):
                    by_hand = mean(getattr(single[name], measure) for single in singles)
                    assert getattr(macro[name], measure) == pytest.approx(by_hand, abs=1e-15)
            conll = mean(single.conll or 0 for single in singles)
            assert macro["conll"].f1 == pytest.approx(conll, abs=1e-15)


def test_cells_are_single_runs(folders: dict[str, Path], found: SuiteResult) -> None:
    keys, *systems = folders.values()

    assert found.variants == CRAC
    assert found.datasets == ["letter", "news", "novel"]
    check_cells_and_averages(found, keys, {folder.name: folder for folder in systems})


@pytest.mark.corpora
def test_gum_as_a_suite_of_two_datasets(tmp_path: Path) -> None:
    names = ("key", "noisy-a", "noisy-b", "xrenner")
    keys, *systems = (
        written(tmp_path / name, halves(anascore.read(CORPORA / "gum" / f"{name}.conllu")))
        for name in names
    )

    found = anascore.suite(keys, systems, jobs=2)

    assert found.datasets == ["spoken", "written"]
    assert len(found.result("noisy-a", "spoken").documents) == 20
    assert len(found.result("noisy-a", "written").documents) == 32
    check_cells_and_averages(found, keys, {folder.name: folder for folder in systems})
    assert [rank[:2] for rank in found.ranks] == [("noisy-a", 1), ("noisy-b", 2), ("xrenner", 3)]
    of_itself = anascore.suite(keys, {"key": keys})
    assert {macro["key"]["conll"].f1 for macro in of_itself.averages.values()} == {1}


def test_the_key_against_itself(folders: dict[str, Path]) -> None:
    keys, one, *_ = folders.values()
    found = anascore.suite(keys, {"key": keys, "one": one, "again": keys})

    for variant in CRAC:
        for name, score in found.macro("key", variant).items():
            assert score.f1 == (None if name == "anaphors" else 1)
    assert found.clusters == [["again", "key"], ["one"]]
    assert found.compare("key", "again").overall[:3] == (0, 1, 1)


# Macro-averages


def document(name: str, *entities: str) -> Document:
    """Make a document of words a, b, c ...; an entity is a text of words."""
    places = {word: Mention(((place, place + 1),)) for place, word in enumerate("abcdefgh")}
    return Document(name, list(places), [Entity([places[word] for word in e]) for e in entities])


def corpus(*documents: Document) -> Corpus:
    return Corpus({one.name: one for one in documents})


def small_suite(keys: Any, systems: Any, **options: Any) -> SuiteResult:
    """Score datasets of one document: entities by dataset, and by system and dataset."""

    def datasets(texts: Mapping[str, str]) -> dict[str, Corpus]:
        return {name: corpus(document("d", *text.split())) for name, text in texts.items()}

    of_systems = {name: datasets(texts) for name, texts in systems.items()}
    return anascore.suite(datasets(keys), of_systems, **options)


def test_the_key_alone_decides_what_is_defined() -> None:
    """MUC has no links in the key of y; a response with links there does not make it defined."""
    found = small_suite(
        {"x": "ab", "y": "a b"},
        {"silent": {"x": "a b", "y": "a b"}, "linking": {"x": "ab", "y": "ab"}},
        variants="own:match=exact",
        metrics="muc,b3,conll",
    )

    silent, linking = found.macro("silent"), found.macro("linking")
    assert silent["muc"] == (0, None, 0)
    assert linking["muc"] == (1, 1, 1)
    assert found.result("linking", "y")["muc"].f1 == 0
    assert found.undefined == {"own": {"muc": ["y"]}}
    assert found.warnings[0] == (
        "macro-averages of MUC leave out y: the key has nothing to score there"
    )
    assert found.score == "conll"
    # CoNLL is defined in y, where B³ is.
    assert found.value("silent", "y") == 1


def test_precision_of_nothing_counts_as_nothing() -> None:
    found = small_suite(
        {"x": "ab", "y": "ab"},
        {"half": {"x": "ab", "y": ""}, "none": {"x": "", "y": ""}},
        variants="own:match=exact",
        metrics="b3",
    )

    assert found.macro("half")["b3"] == (0.5, 0.5, 0.5)
    assert found.macro("none")["b3"] == (0, None, 0)
    assert found.score == "b3"


def test_a_score_that_no_dataset_defines() -> None:
    found = small_suite(
        {"x": "a", "y": "b"},
        {"one": {"x": "a", "y": "b"}, "two": {"x": "ab", "y": "b"}},
        variants="own:match=exact",
        metrics="muc",
        confidence=True,
    )

    assert found.macro("one")["muc"] == (None, None, None)
    assert found.value("two", "x") is None
    assert found.clusters == [["one", "two"]]
    assert found.compare("two", "one").overall[:3] == (None, None, None)
    assert found.compare("one", "two").datasets["x"][:3] == (None, None, None)
    assert "-" in found.table()


def test_variants_can_have_other_scores_and_undefined_datasets() -> None:
    found = small_suite(
        {"x": "ab c", "y": "a b"},
        {"one": {"x": "ab c", "y": "a b"}},
        variants=["loose:match=exact", "strict:match=exact,singletons=no,split=no"],
        metrics="muc,conll",
    )

    assert found.undefined == {
        "loose": {"muc": ["y"]},
        "strict": {"muc": ["y"], "conll": ["y"]},
    }
    assert found.warnings[:2] == (
        "macro-averages of MUC leave out y: the key has nothing to score there",
        "macro-averages of CoNLL (strict) leave out y: the key has nothing to score there",
    )
    assert found.value("one", "y", "strict") is None


def test_a_variant_without_the_ranking_score() -> None:
    one = corpus(document("d", "ab", "c"))

    found = anascore.suite(
        {"x": one},
        {"one": {"x": one}},
        variants={"b3": {"match": "exact"}, "none": {"layers": "discourse-deixis"}},
        metrics=None,
        confidence=True,
    )

    assert found.result("one", "x", "none").scores["conll"].f1 is None
    assert found.value("one", "x", "none") is None
    bridging = anascore.suite(
        {"x": one},
        {"one": {"x": one}, "two": {"x": one}},
        variants={"own": {}, "bridges": {"layers": "bridging"}},
        confidence=True,
    )
    assert bridging.value("one", "x", "bridges") is None
    assert "bridges" in bridging.table()
    assert bridging.score == "conll"


def test_scores_of_several_layers() -> None:
    one = corpus(document("d", "ab", "c"), document("e", "ab"))

    found = anascore.suite(
        {"x": one},
        {"one": {"x": one}},
        layers="bridging,identity",
        variants={"own": {}},
        confidence=True,
        samples=10,
    )

    assert next(iter(found.macro("one"))) == "bridging-anaphors"
    assert found.macro("one")["conll"].f1 == 1
    assert found.intervals["own"]["one"]["conll"].f1 == (1, 1)
    assert list(found.intervals["own"]["one"]) == list(found.macro("one"))


# Tests and rank clusters

Pair = frozenset[str]


def literal_holm(chances: Mapping[Pair, float]) -> dict[Pair, float]:
    """Correct p-values as Holm (1979) does: in ascending order, times the number that is left."""
    corrected: dict[Pair, float] = {}
    for pair, p in chances.items():
        smaller = [q for q in chances.values() if q <= p]
        corrected[pair] = max(
            min(1.0, q * (len(chances) - sum(r < q for r in chances.values()))) for q in smaller
        )
    return corrected


def literal_clusters(
    averages: Mapping[str, float], corrected: Mapping[Pair, float]
) -> list[list[str]]:
    """Divide systems: a cluster ends before the first that differs from its best."""
    left = sorted(averages, key=lambda system: (-averages[system], system))
    clusters = []
    while left:
        best, end = left[0], 1
        while end < len(left) and not corrected[frozenset({best, left[end]})] < 0.05:
            end += 1
        clusters.append(left[:end])
        left = left[end:]
    return clusters


@pytest.mark.parametrize("seed", range(50))
def test_clusters_are_what_the_oracle_says(seed: int) -> None:
    rng = random.Random(seed)
    averages = {name: rng.choice([0.2, 0.4, 0.6, 0.8]) for name in "abcdef"[: rng.randint(1, 6)]}
    chances = {
        frozenset(pair): rng.choice([0.001, 0.004, 0.02, 0.3]) for pair in combinations(averages, 2)
    }
    corrected = literal_holm(chances)

    found = rank_clusters(averages, lambda best, other: corrected[frozenset({best, other})] < 0.05)

    assert found == literal_clusters(averages, corrected)


def test_clusters_by_hand() -> None:
    def differ(best: str, other: str) -> bool:
        return (best, other) in {("a", "c"), ("b", "c"), ("c", "e")}

    averages = {"e": 0.1, "d": 0.2, "c": 0.3, "b": 0.4, "a": 0.5, "f": None}
    assert rank_clusters(averages, differ) == [["a", "b"], ["c", "d"], ["e", "f"]]
    assert rank_clusters({}, differ) == []


def random_entities(rng: random.Random) -> str:
    groups: dict[int, str] = {}
    for word in "abcdefgh":
        group = rng.randrange(5)
        if group:
            groups[group] = groups.get(group, "") + word
    return " ".join(groups.values())


def random_suite(documents: Mapping[str, int], systems: str) -> dict[str, dict[str, Corpus]]:
    """Return datasets of random documents, the keys' first; later systems have more errors."""
    rng = random.Random(7)
    keys = {
        dataset: [random_entities(rng) for _ in range(number)]
        for dataset, number in documents.items()
    }
    found = {}
    for position, system in enumerate(["keys", *systems]):
        found[system] = {
            dataset: corpus(
                *(
                    document(
                        f"d{number}",
                        *(text if rng.random() > position / 5 else random_entities(rng)).split(),
                    )
                    for number, text in enumerate(texts)
                )
            )
            for dataset, texts in keys.items()
        }
    return found


class Literal:
    """p-values by literal resampling: each sample is scored again from its documents."""

    def __init__(self, found: SuiteResult) -> None:
        self.found = found
        self.memory: dict[Any, tuple[bool, float | None]] = {}

    def conll(self, dataset: str, chosen: tuple[tuple[str, str, int], ...]) -> Any:
        """Score documents of a dataset, given with the system and the number of each."""
        if (dataset, chosen) not in self.memory:
            counts = [
                self.found.result(system, dataset).first.counted[name]
                for name, system, number in chosen
                for _ in range(number)
            ]
            total = add_up(counts).scores
            defined = any(total[part][0].recall.whole for part in ("muc", "b3", "ceafe"))
            score = scores_from_counts(total, ["conll"])["conll"].f1
            self.memory[dataset, chosen] = (defined, score)
        defined, score = self.memory[dataset, chosen]
        return score if defined else None

    def chances(self, one: str, two: str, method: str, seed: int) -> dict[str, float | None]:
        """Return the p-values by dataset, and over all for the empty name."""
        samples = 1000
        differences: list[dict[str, float]] = [{} for _ in range(samples)]
        observed: dict[str, float] = {}
        for dataset in self.found.datasets:
            names = list(self.found.result(one, dataset).first.counted)
            whole = [self.conll(dataset, tuple((n, s, 1) for n in names)) for s in (one, two)]
            if None in whole:
                continue
            observed[dataset] = whole[1] - whole[0]
            start = stratum_seed(seed, dataset)
            if method == "bootstrap":
                rows = [row for chunk in bootstrap(len(names), samples, start) for row in chunk]
            else:
                generator = np.random.default_rng(start)
                rows = [
                    row for _ in range(2) for row in generator.integers(2, size=(500, len(names)))
                ]
            for sample, row in enumerate(rows):
                pairs = []
                for first, second in ((one, two), (two, one)):
                    if method == "bootstrap":
                        drawn = [
                            (n, first, int(number)) for n, number in zip(names, row, strict=True)
                        ]
                    else:
                        drawn = [
                            (n, first if keep else second, 1)
                            for n, keep in zip(names, row, strict=True)
                        ]
                    pairs.append(self.conll(dataset, tuple(d for d in drawn if d[2])))
                if None not in pairs:
                    differences[sample][dataset] = pairs[1] - pairs[0]
        centred = method == "bootstrap"
        total = mean(observed.values())
        found = {
            dataset: share([d[dataset] for d in differences if dataset in d], value, centred)
            for dataset, value in observed.items()
        }
        return {**found, "": share([mean(d.values()) for d in differences if d], total, centred)}


def share(differences: list[float], observed: float, centred: bool) -> float:  # noqa: FBT001
    far = sum(abs(d - observed * centred) >= abs(observed) - 1e-9 for d in differences)
    return (far + 1) / (len(differences) + 1)


@pytest.mark.parametrize("paired", ["bootstrap", "randomisation"])
def test_chances_are_those_of_literal_resampling(paired: Any) -> None:
    corpora = random_suite({"x": 3, "y": 4}, "abc")
    keys = corpora.pop("keys")
    found = anascore.suite(
        keys,
        corpora,
        variants="own:match=exact,singletons=no,split=no",
        metrics="conll",
        paired=paired,
        seed=5,
    )
    literal = Literal(found)

    chances = {pair: literal.chances(*pair, paired, 5) for pair in combinations(found.systems, 2)}

    overall = {frozenset(pair): float(of_pair[""] or 0) for pair, of_pair in chances.items()}
    corrected = literal_holm(overall)
    for pair, expected in chances.items():
        comparison = found.comparisons[pair]
        assert comparison.overall.p == pytest.approx(expected[""])
        assert comparison.overall.corrected == pytest.approx(corrected[frozenset(pair)])
        for dataset, difference in comparison.datasets.items():
            assert difference.p == pytest.approx(expected[dataset])
    averages = {system: found.macro(system)["conll"].f1 or 0 for system in found.systems}
    assert found.clusters == literal_clusters(averages, corrected)


def figures(found: SuiteResult) -> Any:
    """Return what must not depend on the order of systems and datasets."""
    return {
        "ranks": found.ranks,
        "macro": {
            (variant, system, name): score
            for variant, systems in found.averages.items()
            for system, scores in systems.items()
            for name, score in scores.items()
        },
        "p": {
            (one, two, dataset): difference
            for one, two in permutations(found.systems, 2)
            for dataset, difference in {
                "": found.compare(one, two).overall,
                **found.compare(one, two).datasets,
            }.items()
        },
        "cells": {
            (variant, system, dataset): found.result(system, dataset, variant).scores
            for variant in found.variants
            for system in found.systems
            for dataset in found.datasets
        },
    }


@pytest.mark.parametrize("paired", ["bootstrap", "randomisation"])
def test_order_and_jobs_change_nothing_and_the_seed_does(paired: Any) -> None:
    corpora = random_suite({"x": 12, "y": 9, "z": 10}, "abcd")
    keys = corpora.pop("keys")
    options: dict[str, Any] = {
        "variants": ["own:match=exact", "strict:match=exact,singletons=no,split=no"],
        "metrics": "muc,conll",
        "paired": paired,
        "confidence": True,
    }

    found = anascore.suite(keys, corpora, **options)

    turned = {
        system: dict(reversed(datasets.items())) for system, datasets in reversed(corpora.items())
    }
    reordered = anascore.suite(dict(reversed(keys.items())), turned, jobs=2, **options)
    assert reordered.datasets == ["z", "y", "x"]
    assert reordered.systems == ["d", "c", "b", "a"]
    expected, other = figures(found), figures(reordered)
    assert other["ranks"] == expected["ranks"]
    assert other["macro"] == expected["macro"]
    assert other["cells"] == expected["cells"]
    for place, difference in expected["p"].items():
        assert other["p"][place] == pytest.approx(difference, abs=1e-12)
    for variant, systems in found.intervals.items():
        for system, intervals in systems.items():
            for name, of_score in intervals.items():
                again = reordered.intervals[variant][system][name].f1
                assert again == pytest.approx(of_score.f1)
    assert anascore.suite(keys, corpora, **options) == found
    seeded = anascore.suite(keys, corpora, seed=1, **options)
    assert seeded.averages == found.averages
    assert seeded.comparisons != found.comparisons
    assert seeded.intervals != found.intervals


def test_ranks_are_shared_in_a_cluster() -> None:
    corpora = random_suite({"x": 20, "y": 20}, "abcd")
    keys = corpora.pop("keys")
    corpora = {"same": corpora["b"], **corpora}

    found = anascore.suite(keys, corpora, variants="own:match=exact", metrics="conll")

    shared = [cluster for cluster in found.clusters if "same" in cluster]
    assert "b" in shared[0]
    ranks = {rank.system: rank for rank in found.ranks}
    for number, cluster in enumerate(found.clusters, 1):
        before = sum(map(len, found.clusters[: number - 1]))
        assert {ranks[system][1:] for system in cluster} == {(before + 1, number)}
    assert len(found.clusters) > 1
    lines = found.table().partition("Tests of macro-averages")[2].splitlines()[2:]
    compared = [line.split()[:3] for line in lines[: len(found.systems) - 1]]
    assert compared == [
        [system, "vs.", found.clusters[max(0, ranks[system].cluster - 1 - (first == system))][0]]
        for cluster in found.clusters
        for first in cluster[:1]
        for system in cluster
        if system != found.clusters[0][0]
    ]


def test_intervals_are_around_the_averages(found: SuiteResult) -> None:
    for variant in found.variants:
        for system in found.systems:
            for name, score in found.macro(system, variant).items():
                intervals = found.intervals[variant][system][name]
                for value, (low, high) in zip(score, intervals, strict=True):
                    if value is None:
                        assert (low, high) == (None, None)
                    else:
                        assert low is not None
                        assert high is not None
                        assert low <= value <= high


@pytest.mark.parametrize(
    ("systems", "samples", "expected"),
    [
        (2, 1000, None),
        (2, 10, "1000 samples were drawn instead of 10, because 1 pair of systems need as many"),
        (2, 5000, None),
        (
            11,
            1000,
            "1100 samples were drawn instead of 1000, because 55 pairs of systems need as many",
        ),
    ],
)
def test_samples_are_enough_for_the_pairs(systems: int, samples: int, expected: Any) -> None:
    one = {"x": corpus(document("d", "ab"), document("e", "cd"))}

    found = anascore.suite(
        one,
        {f"s{n}": one for n in range(systems)},
        variants={"own": {}},
        metrics="muc",
        samples=samples,
    )

    notes = [note for note in found.notes if "samples" in note]
    assert notes == ([expected] if expected else [])
    drawn = int(expected.split()[0]) if expected else samples
    assert found.resampling_signature.endswith(f"|samples:{drawn}|seed:0")
    assert found.clusters == [sorted(found.systems)]


@pytest.mark.parametrize(
    ("sizes", "notes"),
    [
        ({"x": 1}, ["confidence intervals and tests resample documents, but there is only one"]),
        (
            {"x": 1, "y": 1, "z": 2},
            [
                "confidence intervals and tests are imprecise with few documents: 4",
                "documents are resampled within datasets, but these have only one document: x, y",
            ],
        ),
        ({"x": 15, "y": 15}, []),
    ],
)
def test_few_documents(sizes: dict[str, int], notes: list[str]) -> None:
    corpora = random_suite(sizes, "ab")

    found = anascore.suite(
        corpora.pop("keys"), corpora, variants={"own": {}}, metrics="b3", confidence=True
    )

    assert list(found.notes) == notes
    overall, datasets = found.compare("b", "a")
    assert (overall.p is None) == (max(sizes.values()) == 1)
    assert datasets["x"].difference is not None
    assert (datasets["x"].p is None) == (sizes["x"] == 1)
    assert (found.intervals["own"]["a"]["b3"].f1.low is None) == (max(sizes.values()) == 1)


def test_one_system_is_not_compared() -> None:
    one = {"x": corpus(document("d", "ab"), document("e", "cd"))}

    found = anascore.suite(one, {"one": one}, variants={"own": {}}, samples=3)

    assert found.comparisons == {}
    assert found.resampling_signature == ""
    assert found.notes == ()
    assert [tuple(rank) for rank in found.ranks] == [("one", 1, 1)]
    with pytest.raises(SettingsError) as error:
        found.compare("one", "one")
    assert str(error.value) == ("'one' and 'one' are not two systems of this suite, which has one")


# Variants


def test_variants_of_crac() -> None:
    requests = build_requests(None, None, {"missing": "empty"})

    assert list(requests) == CRAC == list(CRAC_VARIANTS)
    crac24 = TASKS["crac24"]
    changes: dict[str, dict[str, Any]] = {
        "head": {},
        "partial": {"match": "partial"},
        "exact": {"match": "exact"},
        "head-singletons": {"singletons": True},
    }
    for name, request in requests.items():
        expected = replace(crac24.settings, task="", missing="empty", **changes[name])
        assert request.settings == expected
        assert request.reported == {"identity": crac24.metrics}


@pytest.mark.parametrize(
    ("variants", "common", "expected"),
    [
        ("exact", {}, {"exact": {**CRAC_VARIANTS["exact"]}}),
        (["exact,head"], {}, {name: CRAC_VARIANTS[name] for name in ("exact", "head")}),
        ([" exact , head "], {}, {name: CRAC_VARIANTS[name] for name in ("exact", "head")}),
        (
            ["own:match=head,zero-match=dependent,np_only=yes", "head"],
            {},
            {
                "own": {"match": "head", "zero_match": "dependent", "np_only": True},
                "head": CRAC_VARIANTS["head"],
            },
        ),
        ("a:singletons=No,split=false", {}, {"a": {"singletons": False, "split": False}}),
        ("a:lea_importance=10", {}, {"a": {"lea_importance": 10}}),
        ("a:anaphors=UPOS=PRON", {}, {"a": {"anaphors": "UPOS=PRON"}}),
        (
            "a:layers=identity,bridging,match=head",
            {},
            {"a": {"layers": ("identity", "bridging"), "match": "head"}},
        ),
        ("a:match=head", {"split": False}, {"a": {"match": "head", "split": False}}),
        ("a:layers=identity", {"layers": ["identity"]}, {"a": {}}),
        ({"a": {"match": "head"}}, {}, {"a": {"match": "head"}}),
        ({"a": Settings(match="head")}, {}, {"a": {"match": "head"}}),
        ({"a": {}}, {}, {"a": {}}),
        ({"a": {"task": "crac22"}}, {}, {"a": TASKS["crac22"].settings.changed()}),
        (None, {"task": "crac22"}, {"crac22": TASKS["crac22"].settings.changed()}),
        ("head", {"task": "crac24"}, {"head": TASKS["crac24"].settings.changed()}),
    ],
)
def test_variants(variants: Any, common: Any, expected: dict[str, Any]) -> None:
    requests = build_requests(variants, None, common)

    assert {name: request.settings for name, request in requests.items()} == {
        name: Settings(**settings) for name, settings in expected.items()
    }


def test_metrics_of_variants() -> None:
    named = build_requests(["head", "a:match=head"], ["LEA", "conll"], {})
    assert {name: request.reported["identity"] for name, request in named.items()} == {
        "head": ("conll", "lea"),
        "a": ("conll", "lea"),
    }
    assert named["head"].settings.anaphors == ""
    with_zeros = build_requests("head", "conll,anaphors", {})["head"]
    assert with_zeros.reported["identity"] == ("conll", "anaphors")
    common = build_requests("head", "conll", {"anaphors": "zero"})["head"]
    assert common.reported["identity"] == ("conll", "anaphors")
    assert "lea" in build_requests("a:match=head", None, {})["a"].reported["identity"]


NOTATION = "like strict:match=exact,singletons=no,split=no"


@pytest.mark.parametrize(
    ("variants", "common", "message"),
    [
        (
            "hed",
            {},
            f"no such variant: 'hed'; choose from head, partial, exact, head-singletons, or write "
            f"your own, {NOTATION}",
        ),
        ("", {}, "no such variant: ''; choose from head, partial, exact, head-singletons, or w"),
        (
            "head,",
            {},
            "no such variant: ''; choose from head, partial, exact, head-singletons, or",
        ),
        (
            [],
            {},
            "no variant is given; choose from head, partial, exact, head-singletons, or writ",
        ),
        (
            {},
            {},
            "no variant is given; choose from head, partial, exact, head-singletons, or writ",
        ),
        ("a:", {}, f"--variants a:: a variant is a name and its settings, {NOTATION}"),
        (":match=head", {}, "--variants :match=head: a variant is a name and its settings, like"),
        ("a:match", {}, "--variants a:match: a variant is a name and its settings, like strict:"),
        ("a:=head", {}, "--variants a:=head: a variant is a name and its settings, like strict:"),
        ("a:match=head,split", {}, "--variants a:match=head,split: a variant is a name and its s"),
        ("a:match=head,match=exact", {}, "--variants a:match=head,match=exact: a variant is a na"),
        (
            "a:mach=head",
            {},
            "no such setting: mach (did you mean 'match'?); choose from task, layers, match",
        ),
        ("a:match=hed", {}, "match must be exact, partial, head or craft, not 'hed'"),
        ("a:split=maybe", {}, "split must be True or False, not 'maybe'"),
        ("a:lea_importance=many", {}, "--lea-importance (in Python lea_importance) must be a who"),
        (f"a:lea_importance={'9' * 50}", {}, "--lea-importance (in Python lea_importance) must b"),
        (
            "a:task=crac99",
            {},
            "no such task: 'crac99' (did you mean 'crac26'?); choose from conll12",
        ),
        ("a:singletons=no", {}, "singletons cannot be excluded while split antecedents are score"),
        ("head:match=exact", {}, "head is a CRAC variant; choose another name"),
        ({"head": {}}, {}, "head is a CRAC variant; choose another name for your own settings"),
        (["head", "head"], {}, "two variants are named 'head'; give each a different name"),
        (["a:match=head", "a:match=exact"], {}, "two variants are named 'a'; give each a "),
        (5, {}, f"variants must be a dictionary or a list of strings, {NOTATION}, not 5"),
        ([5], {}, f"a variant must be a string, {NOTATION}, not 5"),
        ({5: {}}, {}, "the name of a variant must be a string, not 5"),
        ({"": {}}, {}, "the name of a variant must not be empty"),
        ({"a": "head"}, {}, "the settings of the variant a must be a dictionary, not 'head'"),
        (
            "a:missing=empty",
            {},
            "the variant a sets missing, which is the same for all variants; use --missing (in "
            "Python missing=...)",
        ),
        ("a:bad-documents=skip", {}, "the variant a sets bad_documents, which is the same for al"),
        (
            None,
            {"match": "exact"},
            "match exact contradicts the variant head, which sets match head; remove one of them, "
            "or name variants",
        ),
        (None, {"singletons": True}, "singletons yes contradicts the variant head, which sets si"),
        ("exact", {"task": "crac24"}, "match exact contradicts the task crac24, which sets match"),
        (
            None,
            {"mach": "head"},
            "no such setting: mach (did you mean 'match'?); choose from task, layers, match",
        ),
    ],
)
def test_variants_that_cannot_be(variants: Any, common: Any, message: str) -> None:
    with pytest.raises(SettingsError) as error:
        build_requests(variants, None, common)

    assert str(error.value).startswith(message)


# Folders, names and errors

LINE = '{{"doc_key": "{}", "tokens": ["a", "b"], "clusters": [[[0, 0], [1, 1]]]}}\n'


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a suite of two datasets, one of which is a folder of two files."""
    for side in ("keys", "sys", "lacking", "extra", "twice"):
        (tmp_path / side).mkdir()
        (tmp_path / side / "a.v1.jsonl").write_text(LINE.format("a"))
    for side in ("keys", "sys", "extra"):
        (tmp_path / side / "b.2").mkdir()
        for name in "xy":
            (tmp_path / side / "b.2" / f"{name}.jsonl").write_text(LINE.format(name))
    (tmp_path / "extra" / "c.jsonl").write_text(LINE.format("c"))
    (tmp_path / "twice" / "a.v1.conllua").write_text("")
    (tmp_path / "none").mkdir()
    (tmp_path / "other" / "sys").mkdir(parents=True)
    (tmp_path / "keys" / ".hidden").write_text("x")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_names_are_those_of_files_and_folders(tree: Path) -> None:
    found = anascore.suite("keys", tree / "sys", variants="exact")

    assert found.datasets == ["a.v1", "b.2"]
    assert found.systems == ["sys"]
    assert len(found.result("sys", "b.2").documents) == 2
    mixed = anascore.suite(
        {"a.v1": "keys/a.v1.jsonl", "b.2": anascore.read("keys/b.2")},
        {"mine": "sys", "other": {"b.2": "sys/b.2", "a.v1": tree / "sys" / "a.v1.jsonl"}},
        variants="exact",
    )
    assert mixed.result("mine", "b.2").scores == found.result("sys", "b.2").scores
    assert mixed.result("other", "a.v1").scores == found.result("sys", "a.v1").scores
    assert anascore.suite("keys/", ["sys/."], variants="exact").systems == ["sys"]


@pytest.mark.usefixtures("tree")
def test_a_missing_dataset_can_count_as_empty() -> None:
    found = anascore.suite("keys", ["sys", "lacking"], variants="exact", missing="empty")

    assert found.value("lacking", "a.v1") == 1
    assert found.value("lacking", "b.2") == 0
    assert found.macro("lacking")["conll"].f1 == 0.5
    assert found.notes[0] == "lacking: missing datasets, scored as empty: b.2"
    assert found.signatures["exact"] == [found.result("sys", "b.2").signature]
    empty = replace(anascore.read("keys/b.2"), documents={})
    by_hand = anascore.score("keys/b.2", empty, **SINGLE_RUNS["exact"], missing="empty")
    assert found.result("lacking", "b.2").scores == by_hand.scores


def in_python(keys: Any, systems: Any, **options: Any) -> str:
    with pytest.raises((SettingsError, MismatchError, ReadError)) as error:
        anascore.suite(keys, systems, **options)
    return str(error.value)


FOLDER = "must be a folder with one file or folder per dataset"
ERRORS = {
    # arguments, and the message
    "suite keys sys --variants hed": "no such variant: 'hed'; choose from head, partial, exact, "
    "head",
    "suite keys sys --variants a:match": "--variants a:match: a variant is a name and its settings",
    "suite keys lacking": (
        "system 'lacking' lacks the dataset 'b.2'; --missing empty (in Python missing=\"empty\") "
        "scores missing datasets as empty"
    ),
    "suite keys extra": "system 'extra': no key has the dataset 'c'; the keys are a.v1, b.2",
    "suite keys extra --missing empty": "system 'extra': no key has the dataset 'c'; the keys",
    "suite none sys": "none: there are no files in this folder",
    "suite keys none": "none: there are no files in this folder",
    "suite keys sys other/sys": (
        "two systems are named 'sys'; give them different names, like a=other/sys b=..."
    ),
    "suite keys x=sys x=extra": (
        "two systems are named 'x'; give them different names, like a=extra b=..."
    ),
    "suite keys =sys": "'=sys' lacks a name before the equals sign",
    "suite keys/a.v1.jsonl sys": f"keys/a.v1.jsonl: this is a file; KEYS {FOLDER}",
    "suite keys sys/a.v1.jsonl": f"sys/a.v1.jsonl: this is a file; the system a.v1.jsonl {FOLDER}",
    "suite - sys": f"-: no such folder; KEYS {FOLDER}",
    "suite nowhere sys": f"nowhere: no such folder; KEYS {FOLDER}",
    "suite twice sys": (
        "twice/a.v1.conllua: there are two datasets named 'a.v1'; the other is twice/a.v1.jsonl"
    ),
    "suite keys sys --jobs 0": "--jobs must be a whole number, at least 1, not 0",
    "suite keys sys --samples 10": "--samples needs --confidence, or several systems to test",
    "suite keys sys --seed 1": "--seed needs --confidence, or several systems to test",
    "suite keys sys --task crac99": "argument --task: invalid choice: 'crac99'",
    "suite keys": "the following arguments are required: SYSTEM",
}


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize("arguments", ERRORS)
def test_errors_of_the_command(arguments: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(arguments.split()) == 2

    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith(f"anascore: error: {ERRORS[arguments]}")


@pytest.mark.usefixtures("tree")
@pytest.mark.parametrize(
    ("keys", "systems", "message"),
    [
        ({}, "sys", "KEYS: there are no datasets"),
        (5, "sys", "KEYS must be a folder or a dictionary of datasets, not 5"),
        ("keys", {"a": {}}, "the system a: there are no datasets"),
        ("keys", {"a": 5}, "the system a must be a folder or a dictionary of datasets, not 5"),
        ("keys", {5: "sys"}, "the name of a system must be a string, not 5"),
        ("keys", {"": {"a": "sys"}}, "the name of a system must be a string, not ''"),
        ("keys", {}, "no system is given; give one or more"),
        ("keys", [], "no file or corpus is given; give one or more"),
        ("keys", ["/"], "the name of a system must be a string, not ''"),
        ({"a": 5}, {"s": {"a": "sys"}}, "key: 5 is neither a path nor a corpus"),
    ],
)
def test_errors_in_python(keys: Any, systems: Any, message: str) -> None:
    assert in_python(keys, systems).startswith(message)


def test_errors_name_the_variant(tmp_path: Path) -> None:
    text = '{"doc_key": "a", "tokens": ["a", "b"], "clusters": [[[0, 1], [0, 0]]]}\n'
    (tmp_path / "a.jsonl").write_text(text)

    message = in_python({"a": tmp_path / "a.jsonl"}, {"s": {"a": tmp_path / "a.jsonl"}})

    assert message.startswith(f"variant head: {tmp_path / 'a.jsonl'}: --match head needs heads")


# Outputs


def test_there_are_no_others(found: SuiteResult) -> None:
    for kind, place in {
        "system": ("x", "news", "head"),
        "dataset": ("one", "x", "head"),
        "variant": ("one", "news", "x"),
    }.items():
        with pytest.raises(SettingsError, match=f"there is no {kind} 'x'; choose from "):
            found.result(*place)
    with pytest.raises(SettingsError, match="there is no system 'x'; choose from one, two, three"):
        found.macro("x")
    with pytest.raises(SettingsError, match="'one' and 'x' are not two systems of this suite, whi"):
        found.compare("one", "x")


def test_tables(found: SuiteResult) -> None:
    table = found.table()

    assert f"{found}\n" == table == found.render("table")
    first = found.ranks[0].system
    value = f"{100 * (found.macro(first)['conll'].f1 or 0):.2f}"
    lines = table.splitlines()
    assert lines[:2] == [
        "CoNLL by dataset: head, the primary variant",
        "       rank  macro letter   news  novel",
    ]
    assert lines[2].split()[:3] == [first, "1", value]
    for title in (
        "Macro-averages of CoNLL by variant",
        "Macro-averages over datasets by metric: head",
        "95% confidence intervals of the macro-averages of CoNLL",
        f"Differences in CoNLL from {first}",
    ):
        assert f"\n\n{title}\n" in table
    assert f"**{value}**" in found.render("markdown")
    assert f"\\textbf{{{value}}}" in found.render("latex")
    assert f"<strong>{value}</strong>" in found._repr_html_()
    assert all(len(line) <= 80 for line in lines if "anascore:" not in line)


def test_a_blank_separates_the_largest_differences() -> None:
    names = [f"d{number}" for number in range(20)]
    key = corpus(*(document(name, "ab") for name in names))
    none = corpus(*(document(name) for name in names))
    keys = {"x": key, "y": key}

    result = anascore.suite(keys, {"all": keys, "none": {"x": none, "y": none}}, variants="exact")

    _, _, row = result.table().partition("Differences in CoNLL from all")[2].splitlines()[:3]
    assert row.split() == ["none", "-100.00*", "-100.00*", "-100.00*"]


def test_many_datasets_fit_on_a_page() -> None:
    one = corpus(document("d", "ab", "c"))
    names = [f"language_treebank-number-{number}" for number in range(27)]
    keys = dict.fromkeys(names, one)

    found = anascore.suite(keys, {"one": keys, "two": keys}, variants="exact")

    lines = found.table().splitlines()
    assert all(len(line) <= 80 for line in lines if "anascore:" not in line)
    assert all(any(name in line for line in lines) for name in names)
    rows = [line for line in found.render("latex").splitlines() if line.startswith("one & ")]
    assert max(row.count("&") for row in rows) <= 10


def test_json_has_all_figures(found: SuiteResult) -> None:
    content = json.loads(found.to_json())

    assert content == json.loads(json.dumps(found.to_dict()))
    assert content["schema"] == 2
    assert content["primary"] == "head"
    assert content["score"] == "conll"
    systems = {system["name"]: system for system in content["systems"]}
    assert list(systems) == found.systems
    for rank in found.ranks:
        system = systems[rank.system]
        assert (system["rank"], system["cluster"]) == (rank.rank, rank.cluster)
    for name, variant in content["variants"].items():
        assert variant["undefined"] == found.undefined[name]
    assert content["resampling"] == found.resampling_signature
    assert content["warnings"] == list(found.warnings)
    assert len(content["runs"]) == 4 * 3 * 3
    for run in content["runs"]:
        result = found.result(run["name"], run["dataset"], run["variant"])
        assert run["signature"] == result.signature
        assert run["layers"]["identity"]["scores"]["conll"]["f1"] == result.conll
        assert len(run["exact"]["documents"]) == 3
    for comparison in content["comparisons"]:
        expected = found.compare(comparison["system"], comparison["to"])
        assert comparison["p"] == expected.overall.p
        assert comparison["corrected"] == expected.overall.corrected
        assert comparison["datasets"]["news"] == expected.datasets["news"]._asdict()
    for system in found.systems:
        for variant, scores in systems[system]["macro"].items():
            assert scores["muc"] == found.macro(system, variant)["muc"]._asdict()
            low, high = systems[system]["confidence"][variant]["conll"]["f1"]
            assert (low, high) == found.intervals[variant][system]["conll"].f1
    assert content["variants"]["exact"]["settings"]["match"] == "exact"
    assert SuiteResult.from_json(found.to_json()) == found


def test_csv_has_all_figures(found: SuiteResult) -> None:
    rows = list(csv.DictReader(io.StringIO(found.render("csv"))))

    def cell(measure: str, **place: str) -> str:
        (row,) = (row for row in rows if all(row[name] == place[name] for name in place))
        return row[measure]

    run = {"variant": "exact", "system": "two", "dataset": "news", "scope": "scores"}
    exact = found.result("two", "news", "exact")
    assert cell("recall", **run, metric="muc") == str(exact["muc"].recall)
    assert cell("signature", **run, metric="muc") == exact.signature
    macro = {"variant": "head", "system": "two", "dataset": "", "metric": "conll"}
    assert cell("f1", **macro, scope="macro") == str(found.macro("two")["conll"].f1)
    interval = found.intervals["head"]["two"]["conll"].f1
    assert cell("f1", **macro, scope="confidence low") == str(interval.low)
    assert cell("f1", **macro, scope="confidence high") == str(interval.high)
    ranks = {rank.system: rank for rank in found.ranks}
    assert cell("f1", **macro, scope="rank") == str(ranks["two"].rank)
    assert cell("f1", **macro, scope="cluster") == str(ranks["two"].cluster)
    overall, datasets = found.compare("two", "one")
    assert cell("f1", **macro, scope="difference to one") == str(overall.difference)
    assert cell("f1", **macro, scope="p corrected to one") == str(overall.corrected)
    of_news = {**macro, "dataset": "news", "scope": "p to one"}
    assert cell("f1", **of_news) == str(datasets["news"].p)
    assert cell("signature", **of_news) == found.resampling_signature


def test_frame(found: SuiteResult) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    frame = found.to_frame()

    assert list(frame.columns) == next(csv.reader(io.StringIO(found.render("csv"))))
    macro = frame.query("dataset.isna() and metric == 'conll' and variant == 'head'")
    f1 = macro.pivot_table(values="f1", index="system", columns="scope")
    assert dict(f1.macro) == {system: found.macro(system)["conll"].f1 for system in found.systems}
    assert (f1["confidence low"] < f1.macro).all()
    assert (f1.macro < f1["confidence high"]).all()
    news = frame.query("dataset == 'news' and metric == 'muc' and scope == 'scores'")
    assert list(news[news.variant == "exact"].recall) == [
        found.result(system, "news", "exact")["muc"].recall for system in found.systems
    ]
    one = {"x": corpus(document("d", "ab"))}
    plain = anascore.suite(one, {"s": one}, variants={"own": {}}).to_frame()
    assert not plain.scope.str.startswith("confidence").any()


def test_repr_is_short(found: SuiteResult) -> None:
    best, second, third = (
        f"{rank.system!r} {100 * (found.macro(rank.system)['conll'].f1 or 0):.2f}"
        for rank in found.ranks
    )
    assert repr(found) == f"<SuiteResult: macro CoNLL {best}, {second}, {third}; 3 datasets>"
    one = {"x": corpus(document("d", "ab"))}
    many = anascore.suite(one, {f"s{n}": one for n in range(10)}, variants={"own": {}})
    assert repr(many).endswith("'s7' 100.00, … 2 more; 1 dataset>")


def test_warnings_are_told_once_with_what_they_are_about() -> None:
    def noted(name: str, **notes: int) -> Corpus:
        return corpus(replace(document(name, "ab"), notes=notes))

    keys = {"x": noted("d"), "y": noted("d")}
    found = anascore.suite(
        keys,
        {
            "one": {"x": noted("d", odd=1, strange=2), "y": noted("d", odd=1)},
            "two": {"x": noted("d", odd=1), "y": noted("d", odd=1)},
        },
        variants=["a:match=exact", "b:match=exact"],
        metrics="muc",
    )

    assert [warning for warning in found.warnings if "response" in warning] == [
        "x, y: response: odd: 1",
        "x: one: response: strange: 2",
    ]
    many = {f"n{number}": number for number in range(1, 30)}
    noisy = anascore.suite(
        {"x": noted("d")}, {"s": {"x": noted("d", **many)}}, variants={"own": {}}, metrics="muc"
    )
    assert len(noisy.warnings) == 29
    assert "warning: x: response: n20: 20\nand 9 more warnings; --output json has all" in str(noisy)


def test_names_of_datasets_and_systems_are_escaped() -> None:
    hostile = "<b>\x1b[31m"
    one = {hostile: corpus(document("d", "ab"))}

    found = anascore.suite(one, {hostile: one, "b": one}, variants={hostile: {}}, metrics="muc")

    for output in get_args(OutputName):
        assert "\x1b" not in found.render(output)
    assert "<b>" not in found._repr_html_()
    assert "\x1b" not in found._repr_html_()


def test_signatures_that_differ_name_their_runs() -> None:
    documents = {"d": document("d", "ab")}
    datasets = {name: Corpus(documents, ("f",) if name == "w" else ("g",)) for name in "wxyz"}
    other = {**datasets, "w": Corpus(documents)}

    found = anascore.suite(datasets, {"s": datasets, "t": other}, variants={"own": {}})

    lines = found.table().splitlines()[-4:]
    assert [line.partition(": anascore")[0] for line in lines[:3]] == [
        "own (s on w)",
        "own (s on x, s on y, s on z and 3 more)",
        "own (t on w)",
    ]
