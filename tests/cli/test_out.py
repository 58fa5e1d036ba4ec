"""The option -o, with which a command writes its result to a file."""

import argparse
import gzip
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from anascore.cli.main import main, parser
from anascore.example import copy_example

COMMANDS = {
    "score": "score key.conllua neural.conllua rules.conllua",
    "score a table": "score key.conllua neural.conllua --output csv",
    "score below a limit": "score key.conllua neural.conllua --fail-under conll=99",
    "suite": "suite keys A=systems",
    "merge": "merge result.json",
    "explain": "explain key.conllua neural.conllua --metrics b3",
    "errors": "errors key.conllua neural.conllua rules.conllua --output csv",
    "agreement": "agreement key.conllua neural.conllua",
    "validate": "validate key.conllua",
    "validate an error": "validate broken.conllua",
    "stats": "stats key.conllua",
    "tasks": "tasks",
    "formats": "formats --output json",
    "schema": "schema score",
    "completion": "completion bash",
    "demo": "demo",
}

Run = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Work in a folder with the example; run a command there."""
    monkeypatch.chdir(tmp_path)
    copy_example(".")
    for folder, name in (("keys", "key.conllua"), ("systems", "neural.conllua")):
        Path(folder).mkdir()
        Path(folder, "a.conllua").write_bytes(Path(name).read_bytes())
    text = Path("key.conllua").read_text(encoding="utf-8")
    Path("broken.conllua").write_text(text.replace("(", "((", 1), encoding="utf-8")

    def run(command: str) -> tuple[int, str, str]:
        status = main(command.split())
        return status, *capsys.readouterr()

    assert run("score key.conllua neural.conllua --output json -o result.json") == (0, "", "")
    return run


@pytest.mark.parametrize("name", COMMANDS)
def test_the_file_has_what_is_printed_otherwise(name: str, run: Run) -> None:
    status, printed, messages = run(COMMANDS[name])

    assert run(f"{COMMANDS[name]} -o new.txt") == (status, "", messages)
    assert Path("new.txt").read_text(encoding="utf-8") == printed
    assert status == int(name in {"score below a limit", "validate an error"})
    assert printed


def test_every_command_that_prints_a_result_has_the_option() -> None:
    (commands,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    having = {
        name
        for name, command in commands.choices.items()
        if any("--out" in action.option_strings for action in command._actions)
    }

    assert having == {command.split()[0] for command in COMMANDS.values()}
    assert commands.choices.keys() - having == {*("report", "convert", "baseline", "codabench")}


def test_a_file_is_compressed_by_its_name(run: Run) -> None:
    _, printed, _ = run("tasks")

    assert run("tasks --out tasks.gz") == (0, "", "")
    assert gzip.decompress(Path("tasks.gz").read_bytes()).decode() == printed


def test_a_hyphen_is_standard_output(run: Run) -> None:
    assert run("tasks -o -") == run("tasks")
    assert not Path("-").exists()


REFUSED = {
    "key": ("score key.conllua neural.conllua -o key.conllua", "-o key.conllua: this is one of"),
    "response": ("score key.conllua A=a=b -o a=b", "-o a=b: this is one of"),
    "link": ("score key.conllua neural.conllua -o link", "-o link: this is one of"),
    "other key": (
        "score key.conllua neural.conllua --also-key B=rules.conllua -o rules.conllua",
        "-o rules.conllua: this is one of",
    ),
    "baseline": (
        "score key.conllua neural.conllua --baseline result.json -o result.json",
        "-o result.json: this is one of",
    ),
    "file in a folder": (
        "suite keys A=systems -o keys/a.conllua",
        "-o keys/a.conllua: this is one",
    ),
    "result": ("merge result.json -o result.json", "-o result.json: this is one of"),
    "report": (
        "agreement key.conllua neural.conllua --report new.html -o ./new.html",
        "-o ./new.html: --report names this file, too; choose another",
    ),
    "no folder": ("tasks -o no/where/x.txt", "no/where/x.txt: the folder no/where does not exist"),
    "a folder": ("tasks -o keys", "keys: this is a folder; give a file name"),
    "no name": ("tasks -o=", "'': this is not a file name"),
    "loop, before the error of a file": (
        "score broken.conllua neural.conllua -o loop",
        "loop: the file cannot be written: Too many levels of symbolic links",
    ),
    "no folder of a report, before the error of a file": (
        "report broken.conllua neural.conllua -o no/page.html",
        "no/page.html: the folder no does not exist",
    ),
    "link to no folder": ("tasks -o lost", "lost: the file cannot be written: No such file or"),
    "below a file": ("tasks -o key.conllua/x", "key.conllua/x: the file cannot be written: Not a"),
}


@pytest.mark.parametrize(("command", "message"), REFUSED.values(), ids=REFUSED)
def test_what_cannot_be_written(command: str, message: str, run: Run) -> None:
    Path("a=b").write_bytes(Path("neural.conllua").read_bytes())
    Path("link").symlink_to("key.conllua")
    Path("loop").symlink_to("loop")
    Path("lost").symlink_to("no/where")
    before = {path: path.lstat().st_mtime_ns for path in Path().rglob("*")}

    status, printed, messages = run(command)

    assert (status, printed) == (2, "")
    assert messages.startswith(f"anascore: error: {message}")
    assert {path: path.lstat().st_mtime_ns for path in Path().rglob("*")} == before


def test_what_must_not_be_written_is_known_before_the_command_runs(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os, "access", lambda place, _: Path(place).is_file())

    message = "anascore: error: new.txt: the file cannot be written: Permission denied\n"
    assert run("score broken.conllua neural.conllua -o new.txt") == (2, "", message)


def test_an_interrupt_leaves_the_file_as_it_was(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("old.txt").write_text("old", encoding="utf-8")
    before = sorted(Path().iterdir())

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)

    assert run("tasks -o old.txt") == (130, "", "")
    assert Path("old.txt").read_text(encoding="utf-8") == "old"
    assert sorted(Path().iterdir()) == before


def test_an_error_leaves_the_file_as_it_was(run: Run) -> None:
    Path("old.txt").write_text("old", encoding="utf-8")

    status, printed, messages = run("score broken.conllua neural.conllua -o old.txt")

    assert (status, printed) == (2, "")
    assert messages.startswith("anascore: error: broken.conllua:")
    assert Path("old.txt").read_text(encoding="utf-8") == "old"


def test_the_report_is_written_and_the_hint_is_not(run: Run) -> None:
    command = "agreement key.conllua neural.conllua --report page.html"

    assert run(f"{command} -o new.txt") == (0, "", "")
    assert Path("page.html").exists()
    assert "browser" not in Path("new.txt").read_text(encoding="utf-8")
    assert "Now open page.html in a browser." in run(command)[1]


def typed(command: str, **variables: str) -> str:
    """Run a command on a terminal of 132 columns, and return what it writes to new.txt."""
    master, terminal = pty.openpty()
    environment = {name: value for name, value in os.environ.items() if name != "COLUMNS"}
    subprocess.run(["stty", "cols", "132"], stdin=terminal, check=True)
    subprocess.run(
        [sys.executable, "-m", "anascore", *command.split()],
        stdin=terminal,
        stdout=terminal,
        env={**environment, "TERM": "xterm", **variables},
        check=True,
    )
    os.close(terminal)
    os.close(master)
    return Path("new.txt").read_text(encoding="utf-8")


@pytest.mark.usefixtures("run")
def test_a_file_has_no_styles_and_80_columns() -> None:
    command = "score key.conllua neural.conllua rules.conllua -o new.txt"

    narrow, wide = typed(command), typed(command, COLUMNS="132")

    assert max(map(len, narrow.splitlines())) <= 80 < max(map(len, wide.splitlines()))
    assert "\x1b" not in narrow + wide


@pytest.mark.usefixtures("run")
def test_standard_output_can_be_closed() -> None:
    command = f"{sys.executable} -m anascore tasks -o new.txt >&-"

    done = subprocess.run(command, shell=True, capture_output=True, check=False)

    assert (done.returncode, done.stderr) == (0, b"")
    assert Path("new.txt").read_text(encoding="utf-8").startswith("conll12:")
