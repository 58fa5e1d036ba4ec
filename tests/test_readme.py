"""The examples of README.md, executed, and its table of options."""

import argparse
import doctest
import re
import shlex
from dataclasses import fields
from inspect import signature
from pathlib import Path

import pytest

import anascore
from anascore.cli import main, parser
from anascore.example import copy_example
from anascore.settings import Settings

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", README, re.DOTALL)


@pytest.fixture(autouse=True)
def _example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    copy_example("example")


def test_python() -> None:
    source = "\n".join(blocks("python"))
    test = doctest.DocTestParser().get_doctest(source, {}, "README.md", None, None)
    runner = doctest.DocTestRunner(verbose=False)

    runner.run(test)

    assert len(test.examples) > 10
    assert runner.summarize().failed == 0


@pytest.mark.parametrize("block", blocks("console"))
def test_console(block: str, capsys: pytest.CaptureFixture[str]) -> None:
    command, expected = block.split("\n", 1)

    assert main(shlex.split(command.removeprefix("$ anascore "))) == 0
    assert capsys.readouterr().out == expected


OUTPUT_OPTIONS = {"--output", "--split-only", "--per-document", "--sort-by", "--macro"}
"""They choose what is printed; a result has all of it."""

KEYWORDS = {"--no-singletons": "singletons", "--no-split": "split", "--layer": "layers"}
"""The keywords that are not called like their options."""


def test_options_are_keywords_or_named_as_none() -> None:
    table, text = README.split("## From Python", 1)
    options = set(re.findall(r"^\| `(--[a-z-]+)", table, re.MULTILINE)) - OUTPUT_OPTIONS
    (of_read,) = re.findall(r"(`--format`[^.;]*) are keywords of\n`anascore.read`", text)
    (of_nothing,) = re.findall(r"(`--confidence`[^.]*) are not keywords", text)
    reading = {*re.findall("--[a-z-]+", of_read), "--key-format", "--response-format"}
    no_keywords = set(re.findall("--[a-z-]+", of_nothing))

    def keyword(option: str) -> str:
        return KEYWORDS.get(option, option.removeprefix("--").replace("-", "_"))

    settings = {keyword(option) for option in options - reading - no_keywords}
    assert reading | no_keywords < options
    assert settings == {"metrics", *(field.name for field in fields(Settings))}
    assert "`--bad-documents` is a keyword of\nboth" in text
    assert {keyword(option) for option in reading} == {
        *signature(anascore.read).parameters.keys() - {"path", "bad_documents"},
        *("key_format", "response_format"),
    }


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
        for option in action.option_strings
        if option.startswith("--") and option != "--help"
    ]

    rows = re.findall(r"^\| (`--.*?) \| (.*) \|$", README, re.MULTILINE)

    assert [(plain(option), plain(text)) for option, text in rows] == expected
