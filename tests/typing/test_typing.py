"""The types of the public functions: what mypy accepts, what it rejects, and what `help` shows."""

import inspect
import re
import subprocess
import sys
from dataclasses import fields

import pytest

import anascore
from anascore.keywords import FORMATS_OF_SIDES
from anascore.settings import Settings
from support.paths import ROOT

PASSES, FAILS = (ROOT / "tests" / "typing" / name for name in ("passes.py", "fails.py"))


@pytest.fixture(scope="module")
def messages(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """Return the errors that mypy finds in both files."""
    cache = tmp_path_factory.mktemp("mypy")
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache),
            *("--hide-error-context", "--no-color-output", "--no-error-summary", PASSES, FAILS),
        ],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
    )
    assert done.stderr == ""
    return [line for line in done.stdout.splitlines() if ": error: " in line]


def test_mypy_accepts_what_users_write(messages: list[str]) -> None:
    assert [line for line in messages if FAILS.name not in line] == []


def test_mypy_rejects_every_mistake(messages: list[str]) -> None:
    lines = FAILS.read_text(encoding="utf-8").splitlines()
    marked = {number: line.partition("  # ")[2] for number, line in enumerate(lines, 1)}
    expected = {number: code for number, code in marked.items() if code}
    rejected = [re.match(r".*fails\.py:(\d+): error: .*\[([a-z-]+)\]$", line) for line in messages]

    assert {int(match[1]): match[2] for match in rejected if match} == expected
    assert len(expected) > 20


@pytest.mark.parametrize(
    "function",
    [
        *(anascore.score, anascore.score_clusters, anascore.compare, anascore.suite),
    ],
)
def test_the_signature_has_every_setting(function: object) -> None:
    assert callable(function)
    parameters = inspect.signature(function).parameters

    for setting in fields(Settings):
        assert parameters[setting.name].default == setting.default
        assert parameters[setting.name].kind is inspect.Parameter.KEYWORD_ONLY
        assert f"        {setting.name}: " in str(function.__doc__)
    reading = {*FORMATS_OF_SIDES, "clusters_field", "word_column"}
    assert {*parameters} & reading == (set() if function is anascore.score_clusters else reading)
    assert "keywords" not in parameters


PUBLIC_FUNCTIONS = [
    name for name in anascore.__all__ if inspect.isfunction(getattr(anascore, name))
]


HEADINGS = ("Args", "Returns", "Raises", "Example")
WITHOUT = {
    "list_formats": ("Args", "Raises"),
    "list_tasks": ("Args", "Raises"),
    "register_format": ("Returns",),
    "register_metric": ("Returns",),
    "report": ("Returns", "Example"),
}
"""Headings that a docstring does not need: there are no arguments, or nothing is returned."""


@pytest.mark.parametrize("name", PUBLIC_FUNCTIONS)
def test_every_parameter_of_a_public_function_is_documented(name: str) -> None:
    function = getattr(anascore, name)
    text = str(function.__doc__)

    for parameter in inspect.signature(function).parameters.values():
        assert f"        {parameter.name}: " in text
        assert parameter.annotation is not inspect.Parameter.empty
    headings = re.findall(r"^    ([A-Z][a-z]+):$", text, re.MULTILINE)
    assert headings == [one for one in HEADINGS if one not in WITHOUT.get(name, ())]
