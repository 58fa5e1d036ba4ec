"""Random mutation: inputs that repeat, limits that hold, failures that are saved."""

import json
import os
import random
import time
from pathlib import Path
from typing import Any

import pytest

from anascore import AnascoreError
from anascore.formats.registry import FORMATS
from tools.fuzzing import __main__ as command
from tools.fuzzing import campaign, trial
from tools.fuzzing.__main__ import main
from tools.fuzzing.campaign import Failure, run_campaign, save_failure, try_input
from tools.fuzzing.damage import KINDS
from tools.fuzzing.inputs import Input, make_input
from tools.fuzzing.trial import DefectError, random_settings

SEED = 1
SHARE = 400
"""Number of inputs that the tests try; `make fuzz` tries many more."""


def fails(seed: int, number: int, folder: Path) -> Failure | None:
    return try_input(make_input(seed, number), seed, number, folder / "input")


@pytest.mark.parametrize("part", range(4))
def test_inputs_show_no_defect(tmp_path: Path, part: int) -> None:
    failures = [fails(SEED, number, tmp_path) for number in range(part, SHARE, 4)]

    assert [failure for failure in failures if failure] == []


def test_inputs_repeat_and_differ() -> None:
    inputs = [make_input(SEED, number) for number in range(300)]

    assert inputs == [make_input(SEED, number) for number in range(300)]
    assert {made.source_format for made in inputs} == set(FORMATS)
    assert {made.format_name for made in inputs} >= {None, *FORMATS}
    assert any(made.path.endswith(".gz") for made in inputs)
    assert any(made.path == "folder" for made in inputs)


def replace_trial(monkeypatch: pytest.MonkeyPatch, action: Any) -> None:
    def run(_: Input, __: Path, ___: random.Random) -> None:
        action()

    monkeypatch.setattr(campaign, "run_trial", run)


def work_for_ever() -> None:
    while True:
        pass


def fill_memory() -> None:
    bytearray(2 << 30)


def test_exceptions_are_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def read(*_: object) -> None:
        raise KeyError("x")

    monkeypatch.setattr(trial, "validate_path", read)

    failure = fails(SEED, 7, tmp_path)

    assert failure is not None
    assert failure.number == 7
    assert failure.kind == "KeyError: 'x'"
    assert "KeyError: 'x'" in failure.details


def test_hangs_are_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(campaign, "TIME_LIMIT", 0.05)
    replace_trial(monkeypatch, work_for_ever)

    failure = fails(SEED, 1, tmp_path)

    assert failure is not None
    assert failure.kind.startswith("HangError")


def test_reading_without_the_errors_of_validate_is_a_defect(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trial, "validate_path", lambda *_: [])

    failures = [fails(SEED, number, tmp_path) for number in range(20)]

    assert any("validate finds nothing" in failure.kind for failure in failures if failure)


def test_errors_of_users_are_no_defects() -> None:
    def fail(message: str) -> None:
        raise AnascoreError(message)

    trial._try(fail, "a message")
    with pytest.raises(DefectError, match="an error without a message"):
        trial._try(fail, " ")


@pytest.mark.parametrize(
    ("action", "kind"),
    [
        (fill_memory, "MemoryError: "),
        (lambda: os._exit(3), "the process ended with 3"),
        (lambda: time.sleep(30), "hang that no signal ends"),
    ],
    ids=["memory", "exit", "sleep"],
)
def test_limits_of_workers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, action: Any, kind: str
) -> None:
    monkeypatch.setattr(campaign, "SILENCE_LIMIT", 3)
    replace_trial(monkeypatch, action)

    summary = run_campaign(60, SEED, 1, start=5, failures=tmp_path, max_failures=1)

    assert summary.kinds[kind] == summary.kinds.total() > 0
    assert json.loads((tmp_path / "1-5" / "failure.json").read_text())["kind"] == kind


def test_a_campaign_without_failures(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_trial(monkeypatch, lambda: None)

    summary = run_campaign(2, SEED, 2, failures=tmp_path)

    assert summary.inputs > 0
    assert f"{summary.inputs:,} inputs in " in summary.line
    assert summary.line.endswith("/s), seed 1: 0 failures")
    assert list(tmp_path.iterdir()) == []


def test_a_failure_is_saved_with_a_command(tmp_path: Path) -> None:
    save_failure(Failure(3, "KeyError: 'x'", "Traceback"), SEED, tmp_path)

    folder = tmp_path / "1-3"
    saved = json.loads((folder / "failure.json").read_text())
    assert saved["repeat"] == "PYTHONPATH=tests .venv/bin/python -m tools.fuzzing repeat 1 3"
    assert (folder / "traceback.txt").read_text() == "Traceback"
    assert (folder / saved["path"]).exists()


def test_the_command_that_repeats(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["repeat", "1", "3"]) == 0
    assert capsys.readouterr().out == "no failure\n"

    replace_trial(monkeypatch, lambda: dict[str, int]()["x"])

    assert main(["repeat", "1", "3"]) == 1
    assert capsys.readouterr().out.startswith("KeyError: 'x'\n")


def test_the_command_that_runs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    jsonl = KINDS["JSON comma lost"]
    wrong = jsonl._replace(labels={"jsonl": "warned"})
    replace_trial(monkeypatch, lambda: None)
    monkeypatch.setattr(command, "KINDS", {"JSON comma lost": jsonl})
    arguments = ["run", "--seconds", "0.2", "--seed", "4", "--failures", str(tmp_path)]
    arguments += ["--scanned", "20"]

    assert main(arguments) == 0
    assert capsys.readouterr().out.endswith("/s), seed 4: 0 failures\n")

    monkeypatch.setattr(command, "KINDS", {"JSON comma lost": wrong})

    assert main(arguments) == 1
    assert "JSON comma lost, jsonl: rejected; the label is warned\n" in capsys.readouterr().out


def test_settings_are_drawn_from_all() -> None:
    rng = random.Random(1)
    drawn = [random_settings(rng) for _ in range(500)]

    names = {name for settings in drawn for name in settings}
    assert names >= {
        "match",
        "repeated_mentions",
        "layers",
        "bad_documents",
        "missing",
        "task",
        "metrics",
    }
    assert any(settings.get("layers") == "all" for settings in drawn)
