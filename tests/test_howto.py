"""The pages that say how to do something: their commands and examples are executed."""

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]

PAGES = {"codabench.md": (3, 8), "container.md": (0, 0), "hugging-face.md": (4, 4), "shell.md": (3, 0)}
"""The number of commands and of Python examples of each page."""


def text_of(page: str) -> str:
    return (ROOT / "docs/howto" / page).read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES)
def test_commands(page: str, tmp_path: Path) -> None:
    programs = Path(sys.executable).parent
    blocks = re.findall(r"```console\n(.*?)```", text_of(page), re.DOTALL)
    commands = [part for block in blocks for part in re.split(r"^\$ ", block, flags=re.MULTILINE)]
    commands = [command for command in commands if command]

    for part in commands:
        command, expected = part.split("\n", 1)
        run = subprocess.run(
            ["bash", "-c", command],
            cwd=tmp_path,
            env={**os.environ, "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.stdout + run.stderr == expected, command

    assert len(commands) == PAGES[page][0]


@pytest.mark.parametrize("page", PAGES)
def test_examples(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    test = doctest.DocTestParser().get_doctest(text_of(page), {}, page, None, None)
    runner = doctest.DocTestRunner(verbose=False)

    runner.run(test)

    assert len(test.examples) == PAGES[page][1]
    assert runner.summarize().failed == 0


@pytest.mark.parametrize("page", PAGES)
def test_links(page: str) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", text_of(page)):
        assert (ROOT / "docs/howto" / target).exists(), target
