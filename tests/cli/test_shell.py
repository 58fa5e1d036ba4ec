"""Completion in real shells."""

import argparse
import os
import pty
import shutil
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest

from anascore.cli.main import COMMANDS, main, parser
from anascore.cli.shell import SHELLS
from anascore.settings import CHOICES
from anascore.tasks import TASKS


@pytest.fixture(params=SHELLS)
def shell(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> str:
    """Write the script of a shell, and a file to complete; work there."""
    name: str = request.param
    if not shutil.which(name):
        pytest.skip(f"{name} is not installed: see make shells")
    monkeypatch.chdir(tmp_path)
    assert main(["completion", name]) == 0
    Path("script").write_text(capsys.readouterr().out, encoding="utf-8")
    Path("keyfile.conllu").touch()
    Path("folder").mkdir()
    return name


def complete(shell: str, line: str) -> str:
    """Type a line in an interactive shell, press Tab, and return the line."""
    start = "source ./script"
    if shell == "zsh":
        start = 'autoload -Uz compinit; compinit -u -D; eval "$(cat script)"'
    master, terminal = pty.openpty()
    with subprocess.Popen(
        ["setsid", "--ctty", "--wait", shell, "--norc" if shell == "bash" else "-f"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm", "INPUTRC": "/dev/null"},
    ) as process:
        os.close(terminal)
        os.write(master, f"{start}; echo rea''dy\n".encode())
        shown = b""
        while b"ready\r\n" not in shown:
            shown += os.read(master, 1000)
        # Ctrl-A and Ctrl-E go to the ends of the line, which becomes the argument of echo.
        os.write(master, f"{line}\t\x01echo '\x05' > answer; exit\n".encode())
        with suppress(OSError):  # how a terminal ends on Linux
            while os.read(master, 1000):
                pass
        os.close(master)
        process.wait(timeout=60)
    return Path("answer").read_text(encoding="utf-8").rstrip("/ \n")


@pytest.mark.parametrize(
    ("line", "completed"),
    [
        ("anascore sco", "anascore score"),
        ("anascore codab", "anascore codabench"),
        ("anascore completion z", "anascore completion zsh"),
        ("anascore score --key-f", "anascore score --key-format"),
        ("anascore codabench new --ref", "anascore codabench new --reference"),
        ("anascore score a b --match par", "anascore score a b --match partial"),
        ("anascore score --metrics mu", "anascore score --metrics muc"),
        ("anascore score a b --by mention", "anascore score a b --by mention-type"),
        ("anascore score a b --layers brid", "anascore score a b --layers bridging"),
        ("anascore errors a b --type conf", "anascore errors a b --type conflated-entity"),
        ("anascore score keyf", "anascore score keyfile.conllu"),
        ("anascore score a keyf", "anascore score a keyfile.conllu"),
        ("anascore validate a b keyf", "anascore validate a b keyfile.conllu"),
        ("anascore agreement a keyf", "anascore agreement a keyfile.conllu"),
        ("anascore report a b -o keyf", "anascore report a b -o keyfile.conllu"),
        ("anascore suite fol", "anascore suite folder"),
    ],
)
def test_a_word_is_completed(shell: str, line: str, completed: str) -> None:
    assert complete(shell, line) == completed


CANDIDATES = """\
source ./script
read -ra COMP_WORDS <<< "$1"
[[ $1 == *' ' ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_shtab_anascore
printf '%s\\n' "${COMPREPLY[@]}"
"""
"""Sets the variables that bash sets, and prints all candidates for the last word."""


def candidates(line: str) -> set[str]:
    run = subprocess.run(
        ["bash", "--norc", "-c", CANDIDATES, "bash", line],
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stderr == ""
    return {*run.stdout.splitlines()}


@pytest.mark.parametrize("shell", ["bash"], indirect=True)
@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("anascore ", {*COMMANDS}),
        ("anascore score --match ", {*CHOICES["match"]}),
        ("anascore codabench --task ", {*TASKS}),
        ("anascore completion ", {*SHELLS}),
    ],
)
@pytest.mark.usefixtures("shell")
def test_all_candidates(line: str, words: set[str]) -> None:
    assert candidates(line) == words


@pytest.mark.parametrize("shell", ["bash"], indirect=True)
@pytest.mark.usefixtures("shell")
def test_every_option_is_a_candidate() -> None:
    (commands,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    for name, command in commands.choices.items():
        options = {option for action in command._actions for option in action.option_strings}
        assert candidates(f"anascore {name} -") == options, name


def test_an_unknown_shell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "zhs"]) == 2
    assert "invalid choice: 'zhs' (did you mean 'zsh'?)" in capsys.readouterr().err
