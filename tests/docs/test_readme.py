"""README.md is short, and the options of the command line are keywords of the Python functions."""

import argparse
import re
from inspect import signature

import anascore
from anascore.cli.main import parser
from anascore.example import KEY, SYSTEMS
from anascore.formats.registry import FORMATS
from support.paths import ROOT

README = (ROOT / "README.md").read_text(encoding="utf-8")

OUTPUT_OPTIONS = {
    *("--output", "--split-only", "--per-document", "--score", "--sort-by", "--macro"),
    *("--fail-under", "--baseline", "--max-drop", "--task-id", "--dataset-id"),
    *("--tables", "--decimals", "--score-only", "-o"),
}
"""They choose what is printed, or check results; a result has all of it."""

KEYWORDS = {
    "--no-singletons": "singletons",
    "--no-split": "split",
    "--layer": "layers",
    "--dask": "executor",
    "--also-key": "also_keys",
}
"""The keywords that are not called like their options."""

NOT_OPTIONS = {"key", "key_name", "responses", "settings"}
"""The parameters that are arguments, or stand for several options."""


def options_of_score() -> set[str]:
    (commands,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    actions = commands.choices["score"]._actions
    options = {action.option_strings[0] for action in actions if action.option_strings}
    return options - {"-h"}


def test_it_is_short() -> None:
    assert len(README.splitlines()) <= 150


def test_it_counts_the_formats() -> None:
    assert f"files in {len(FORMATS)} formats" in README
    assert f"| input formats | [{len(FORMATS)}](" in README


def test_it_shows_six_options_that_exist() -> None:
    rows = re.findall(r"^\| `(--[a-z-]+)", README, re.MULTILINE)

    assert len(rows) == 6
    assert {*rows} <= options_of_score()


def test_the_signature_to_quote_is_that_of_the_example() -> None:
    result = anascore.score(KEY, SYSTEMS[0])

    assert f"CoNLL {100 * (result.conll or 0):.2f} ({result.signature})" in README


def test_every_option_is_a_keyword() -> None:
    keywords = {
        KEYWORDS.get(option, option.removeprefix("--").replace("-", "_"))
        for option in options_of_score() - OUTPUT_OPTIONS
    }

    assert keywords == signature(anascore.compare).parameters.keys() - NOT_OPTIONS
