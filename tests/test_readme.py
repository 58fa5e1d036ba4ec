"""The examples of README.md, executed."""

import doctest
import re
import shlex
from pathlib import Path

import pytest

from anascore.cli import main
from anascore.example import copy_example

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


def test_the_table_of_options_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    described = set(re.findall(r"^\| `(--[a-z-]+)", README, re.MULTILINE))

    with pytest.raises(SystemExit):
        main(["score", "--help"])

    options = re.findall(r"^  (--[a-z-]+)", capsys.readouterr().out, re.MULTILINE)
    assert set(options) == described
