"""The examples of README.md, executed, and its table of options."""

import argparse
import re
from inspect import signature
from pathlib import Path

import anascore
from anascore.cli import parser

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


OUTPUT_OPTIONS = {
    *("--output", "--split-only", "--per-document", "--score", "--sort-by", "--macro"),
    *("--fail-under", "--baseline", "--max-drop", "--dataset-id", "--task-id"),
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


def test_every_option_is_a_keyword() -> None:
    table, _ = README.split("## From Python", 1)
    options = set(re.findall(r"^\| `(--[a-z-]+)", table, re.MULTILINE)) - OUTPUT_OPTIONS
    keywords = {
        KEYWORDS.get(option, option.removeprefix("--").replace("-", "_")) for option in options
    }

    assert keywords == signature(anascore.compare).parameters.keys() - NOT_OPTIONS


def plain(cell: str) -> str:
    """Remove code marks and links in parentheses, which help texts do not have."""
    return re.sub(r" \(\[[^]]*\]\([^)]*\)\)", "", cell).replace("`", "")


def values_of(action: argparse.Action) -> str:
    """Name the values that an option takes: its metavar or its choices."""
    if action.metavar or action.choices is None:
        return f" {action.metavar}" if action.metavar else ""
    *others, last = action.choices
    return f" {', '.join(others)} or {last}"


def test_the_table_of_options_has_the_help_texts_of_the_command_line() -> None:
    (commands,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    command = commands.choices["score"]
    expand = command._get_formatter()._expand_help
    expected = [
        (f"{option}{values_of(action)}", expand(action))
        for action in command._actions
        if (option := next(iter(action.option_strings), "-h")) != "-h"
    ]

    rows = re.findall(r"^\| (`--.*?) \| (.*) \|$", README, re.MULTILINE)

    assert [(plain(option), plain(text)) for option, text in rows] == expected
