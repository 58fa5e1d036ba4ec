"""Tables of cases in set notation, with exact fractions as expected values."""

import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from anascore import score_clusters
from anascore.division import Scores
from anascore.metrics import METRICS
from notation import entities

CASES = [
    pytest.param(
        {"convention": "paper", **{k: v for k, v in table.items() if k != "case"}, **case},
        id=f"{path.stem}: {case['name']}",
    )
    for path in sorted((Path(__file__).parent / "cases").glob("*.toml"))
    for table in [tomllib.loads(path.read_text(encoding="utf-8"))]
    for case in table["case"]
]


@pytest.mark.parametrize("case", CASES)
def test_case(case: dict[str, Any]) -> None:
    result = score_clusters(
        entities(case["key"]), entities(case["response"]), convention=case["convention"]
    )

    check(case, result.scores)
    check(case.get("split_only", {}), result.split_only)


NO_METRICS = {"name", "key", "response", "convention", "split_only"}


def check(expected: dict[str, Any], scores: Scores) -> None:
    for metric in expected.keys() - NO_METRICS:
        recall, precision = (None if v == "-" else float(Fraction(v)) for v in expected[metric])
        assert (recall, precision) == scores[metric][:2], metric


def test_every_metric_has_cases() -> None:
    metrics = {name for case in CASES for name in case.values[0]}  # type: ignore[union-attr]

    assert METRICS.keys() <= metrics
