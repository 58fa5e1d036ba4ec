"""Limits that scores must meet: lowest values, and drops to a baseline."""

from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Comparison, SettingsError
from anascore.cli.main import main
from support.paper import KEY, SYSTEMS

A, B, _, D = SYSTEMS


def compared(*systems: Path, **keywords: Any) -> Comparison:
    return anascore.compare(KEY, systems, **keywords)


@pytest.mark.parametrize(
    ("fail_under", "expected"),
    [
        ({}, []),
        ({"conll": 77.6}, []),
        ({"conll": 78}, ["system-A: conll is 77.69, but must be at least 78"]),
        (
            {"muc": 75.5, "b3": 76.5},
            [
                "system-A: muc is 75.19, but must be at least 75.5",
                "system-A: b3 is 75.26, but must be at least 76.5",
                "system-B: b3 is 76.05, but must be at least 76.5",
            ],
        ),
    ],
)
def test_lowest_values(fail_under: dict[str, float], expected: list[str]) -> None:
    assert compared(A, B).failures(fail_under=fail_under) == expected


def test_a_score_that_equals_the_limit_meets_it() -> None:
    results = compared(KEY)

    assert results.failures(fail_under={"conll": 100}) == []
    value = compared(A)[0]["lea"].f1
    assert value is not None
    assert compared(A).failures(fail_under={"lea": 100 * value}) == []


DROP = "system-D: b3 is 74.89, down from 75.26; the largest accepted drop is {}"


@pytest.mark.parametrize(
    ("max_drop", "expected"), [(0, [DROP.format(0)]), (0.3, [DROP.format(0.3)]), (0.5, [])]
)
def test_drops_of_a_single_system(max_drop: float, expected: list[str]) -> None:
    now, baseline = compared(D, metrics="b3"), compared(A)

    assert now.failures(baseline=baseline, max_drop=max_drop) == expected
    assert baseline[:1].failures(baseline=baseline) == []
    assert compared(A, metrics="b3").failures(baseline=compared(D)) == []


def test_a_limit_of_zero_is_met() -> None:
    assert compared(A).failures(fail_under={"conll": 0}) == []


def test_systems_are_compared_by_name() -> None:
    now = anascore.compare(KEY, {"x": B, "y": D}, metrics="conll")
    baseline = anascore.compare(KEY, {"y": A, "z": KEY, "x": A}, metrics="conll")

    assert now.failures(baseline=baseline) == [
        "y: conll is 77.42, down from 77.69; the largest accepted drop is 0"
    ]


def test_both_limits() -> None:
    now = compared(D, metrics="conll")

    failures = now.failures(fail_under={"conll": 78}, baseline=compared(A), max_drop=0.1)

    assert [text.partition(",")[0] for text in failures] == ["system-D: conll is 77.42"] * 2


@pytest.mark.parametrize(
    ("now", "limits", "message"),
    [
        (
            compared(A, metrics="muc"),
            {"fail_under": {"conll": 70}},
            "the score 'conll' was not requested; choose from muc",
        ),
        (
            anascore.Comparison([anascore.score_clusters([["a"]], [["a"]])]),
            {"fail_under": {"muc": 70}},
            "response: muc is undefined and cannot be compared with a limit",
        ),
        (
            compared(A),
            {"fail_under": {"muc": 70, "conll": 0.845}},
            '--fail-under conll=0.845 (in Python fail_under={"conll": 0.845}) is a limit of 0.845 '
            "per cent, since limits are percentages; did you mean conll=84.5?",
        ),
        (
            compared(A),
            {"fail_under": {"conll": 1.0}},
            '--fail-under conll=1 (in Python fail_under={"conll": 1}) is a limit of 1 per cent, '
            "since limits are percentages; did you mean conll=100?",
        ),
        (
            compared(A),
            {"baseline": compared(A, metrics="muc,conll")},
            "the baseline has no score b3; choose scores that it has with --metrics (in Python "
            "metrics): muc, conll",
        ),
        (
            compared(A, B),
            {"baseline": compared(A)},
            "the baseline has no system 'system-B' (did you mean 'system-A'?); it has system-A",
        ),
        (
            compared(A),
            {"baseline": compared(A, split=False)},
            "the baseline has other settings: anascore:0.1.0|format:ua|match:exact|singletons:yes|"
            "split:no|zeros:yes|lea:1 instead of anascore:0.1.0|format:ua|",
        ),
        (
            anascore.Comparison([anascore.score_clusters([["a"]], [["a"]], metrics="muc")]),
            {"baseline": compared(A)},
            "response: muc is undefined and cannot be compared with a limit",
        ),
    ],
)
def test_limits_that_cannot_be_checked(
    now: Comparison, limits: dict[str, Any], message: str
) -> None:
    with pytest.raises(SettingsError) as raised:
        now.failures(**limits)

    assert str(raised.value).startswith(message)


def test_a_score_that_is_undefined_on_both_sides_has_not_dropped() -> None:
    singletons = anascore.Comparison([anascore.score_clusters([["a"]], [["a"]])])

    assert singletons.failures(baseline=singletons) == []


def test_breakdowns_are_no_other_settings() -> None:
    assert compared(A, by="length").failures(baseline=compared(A)) == []


def test_the_table_is_printed_before_the_failures(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "old.json"
    path.write_text(compared(A).render("json"), encoding="utf-8")
    arguments = ["score", str(KEY), str(D), "--metrics", "conll"]

    assert main(arguments) == 0
    table = capsys.readouterr().out
    assert main([*arguments, "--baseline", str(path)]) == 1
    failed = capsys.readouterr()
    assert main([*arguments, "--baseline", str(path), "--max-drop", "1"]) == 0
    met = capsys.readouterr()

    assert failed == (
        table,
        "anascore: failed: system-D: conll is 77.42, down from 77.69; the largest accepted drop is "
        "0\n",
    )
    assert met == (table, "")


def test_other_settings_than_those_of_the_baseline_are_an_error(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "old.json"
    path.write_text(compared(A).render("json"), encoding="utf-8")

    assert main(["score", str(KEY), str(A), "--no-split", "--baseline", str(path)]) == 2

    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.startswith("anascore: error: the baseline has other settings: anascore:")
