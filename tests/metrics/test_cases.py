"""Tables of cases in set notation, with exact fractions as expected values.

The cases of the published scorers' own tests are among them, which shows that we agree with them.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import score_clusters
from anascore.formats.registry import WRITABLE
from anascore.metrics.scores import METRICS
from anascore.results.result import Scores
from anascore.settings import Convention
from support.cases import CASES, NO_METRICS, PUBLISHED, corpora_of, result_of
from support.notation import entities

OF_PLAIN_MENTIONS = {
    name: case
    for name, case in CASES.items()
    if case["settings"].get("match", "exact") == "exact"
    and not re.search(r"\d\.\d", case["key"] + case["response"])
}
OF_WORDS = {"mor"}
"""Scores that look at the words of mentions."""


def without(names: Collection[str], values: Mapping[str, Any]) -> dict[str, Any]:
    """Leave some names out."""
    return {name: values[name] for name in values if name not in names}


def each(cases: Mapping[str, dict[str, Any]]) -> pytest.MarkDecorator:
    """Run a test on each of some cases."""
    return pytest.mark.parametrize("case", cases.values(), ids=cases.keys())


def check(expected: Mapping[str, Any], scores: Scores) -> None:
    for metric in expected.keys() - NO_METRICS:
        recall, precision, *f1 = (
            None if value == "-" else float(Fraction(value)) for value in expected[metric]
        )
        assert (recall, precision) == scores[metric][:2], metric
        assert f1 in ([], [pytest.approx(scores[metric].f1, abs=1e-12)]), metric


@each(CASES)
def test_case(case: dict[str, Any]) -> None:
    result = result_of(case)

    check(case, result.scores)
    check(case.get("split_only", {}), result.split_only)


@each(OF_PLAIN_MENTIONS)
def test_case_of_plain_mentions(case: dict[str, Any]) -> None:
    result = score_clusters(entities(case["key"]), entities(case["response"]), **case["settings"])

    check(without(OF_WORDS, case), result.scores)
    check(case.get("split_only", {}), result.split_only)


UNSCORED = {"boundaries of sentences"}
"""What no score needs, if a format cannot hold it."""

UNSCORED_IN_EXACT_MATCHES = {
    *UNSCORED,
    "minimum spans or heads of mentions",
    "the division of a text into words",
}
"""The same for exact matching, and all scores but that of the overlap of words."""


@each(CASES)
def test_case_in_every_format_that_can_hold_it(case: dict[str, Any], tmp_path: Path) -> None:
    sides = corpora_of(case)
    expected = anascore.score(*sides, **case["settings"])
    exact = case["settings"].get("match", "exact") == "exact"

    formats = []
    for name in WRITABLE:
        paths = [tmp_path / f"{side}.{name}" for side in ("key", "response")]
        lost = Counter[str]()
        for side, path in zip(sides, paths, strict=True):
            lost += anascore.write(side, path, name)
        if lost.keys() <= (UNSCORED_IN_EXACT_MATCHES if exact else UNSCORED):
            key, response = (anascore.read(path, name) for path in paths)
            result = anascore.score(key, response, **case["settings"])
            needless = OF_WORDS if lost.keys() - UNSCORED else set[str]()
            assert without(needless, result.scores) == without(needless, expected.scores), name
            assert result.split_only == expected.split_only, name
            formats.append(name)

    assert case.get("format", "jsonl") in formats


def with_blanks(text: str) -> str:
    """Separate columns by runs of blanks."""
    return text.replace("\t", "    ")


def without_last_column(text: str) -> str:
    """Separate columns by blanks, and take away the last one where it is empty."""
    return with_blanks(re.sub(r"\t_$", "", text, flags=re.MULTILINE))


ODD: dict[str, tuple[Callable[[str], str], ...]] = {
    "ua": (with_blanks, without_last_column),
    "corefud": (with_blanks,),
    "conll2012": (with_blanks,),
}
"""What files of the published scorers are like. All of them are read."""


@each(PUBLISHED)
def test_case_in_an_odd_file_of_the_scorer_s_format(case: dict[str, Any], tmp_path: Path) -> None:
    expected = result_of(case)

    for change in ODD[case["format"]]:
        paths = [tmp_path / side for side in ("key", "response")]
        for corpus, path in zip(corpora_of(case), paths, strict=True):
            anascore.write(corpus, path, case["format"])
            text = path.read_text(encoding="utf-8")
            assert change(text) != text
            path.write_text(change(text), encoding="utf-8")

        result = anascore.score(*paths, **case["settings"])
        assert f"|format:{case['format']}|" in result.signature
        assert result.scores == expected.scores


def test_every_metric_has_cases() -> None:
    assert METRICS.keys() <= {name for case in CASES.values() for name in case}


def test_every_published_scorer_has_cases() -> None:
    scorers = [case["scorer"] for case in PUBLISHED.values()]

    assert {name: scorers.count(name) for name in scorers} == {
        "the CoNLL reference scorer": 25,
        "the Universal Anaphora scorer": 70,
        "the CorefUD scorer": 65,
    }


@pytest.mark.parametrize("convention", ["paper", "ua"])
def test_mirror_images_have_the_same_score_to_the_last_bit(convention: Convention) -> None:
    x, y = (
        anascore.score(*corpora_of(CASES[f"edges: {name}"]), convention=convention)
        for name in ("two sets tie for one", "two sets tie for one, in a mirror")
    )

    assert x.scores == y.scores
    assert x.split_only == y.split_only
