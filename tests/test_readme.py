"""The examples of README.md, executed."""

import doctest
import re
import shlex
from dataclasses import fields
from inspect import signature
from pathlib import Path

import pytest

import anascore
from anascore.cli import main
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
    assert {keyword(option) for option in reading} == {
        *(name for name in signature(anascore.read).parameters if name != "path"),
        *("key_format", "response_format"),
    }


def test_the_table_of_options_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    described = set(re.findall(r"^\| `(--[a-z-]+)", README, re.MULTILINE))

    with pytest.raises(SystemExit):
        main(["score", "--help"])

    options = re.findall(r"^  (--[a-z-]+)", capsys.readouterr().out, re.MULTILINE)
    assert set(options) == described
