"""Completion in real shells, and the manual page."""

import argparse
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from anascore.cli import COMMANDS, main, parser
from anascore.settings import CHOICES
from anascore.tasks import TASKS

SHELLS = ("bash", "zsh", "fish")


def output_of(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(words) == 0
    return capsys.readouterr().out


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
    Path("script").write_text(output_of(capsys, "completion", name), encoding="utf-8")
    Path("keyfile.conllu").touch()
    Path("keyfolder").mkdir()
    return name


BASH = """\
source ./script
read -ra COMP_WORDS <<< "${1//=/ = }"
[[ $1 == *' ' || $1 == *= ]] && COMP_WORDS+=('')
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_anascore
if ((${#COMPREPLY[@]})); then
    printf '%s\\n' "${COMPREPLY[@]}"
else
    complete -p anascore | grep -q -- '-o default' && compgen -f -- "${COMP_WORDS[COMP_CWORD]}"
fi
"""
"""Sets the variables that bash sets, and completes files where its function has nothing."""

ZSH = """\
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell 'PS1= PS2= PROMPT_EOL_MARK= HISTFILE=; autoload -Uz compinit; compinit -u -D'
zpty -w shell 'source ./script; print rea""dy'
zpty -r shell answer '*ready*'
zpty -w -n shell "$1"$'\\t\\x01print -r -- "[\\x05]"\\n'
zpty -r shell answer $'*\\n\\\\[*\\\\]*'
print -r -- "$answer"
"""
"""Types a line, completes it in an interactive shell, and has it printed in brackets."""

FISH = "source ./script; complete -C $argv[1]"


def complete(shell: str, line: str) -> list[str]:
    """Return the candidates for the last word of a line; zsh completes a single one."""
    program, options = {
        "bash": (BASH, ["--norc"]),
        "zsh": (ZSH, ["-f"]),
        "fish": (FISH, ["--no-config"]),
    }[shell]
    words = ["-c", program, *([] if shell == "fish" else [shell]), line]
    run = subprocess.run(
        [shell, *options, *words], capture_output=True, text=True, check=False, timeout=60
    )
    assert run.stderr == ""
    if shell == "zsh":
        printed = re.findall(r"^\[(.*)\]", run.stdout, re.MULTILINE)[-1]
        return [printed.removeprefix(line.rpartition(" ")[0] + " ").rstrip()]
    return [candidate.split("\t")[0] for candidate in run.stdout.splitlines()]


@pytest.mark.parametrize(
    ("line", "candidate"),
    [
        ("anascore sco", "score"),
        ("anascore codab", "codabench"),
        ("anascore score --key-f", "--key-format"),
        ("anascore score a b --match par", "partial"),
        ("anascore codabench --task crac26 --ref", "--reference"),
        ("anascore score --metrics mu", "muc"),
        ("anascore score a b --by mention", "mention-type"),
        ("anascore score a b --layers brid", "bridging"),
        ("anascore errors a b --type conf", "conflated-entity"),
        ("anascore score keyfi", "keyfile.conllu"),
        ("anascore completion z", "zsh"),
    ],
)
def test_a_word_is_completed(shell: str, line: str, candidate: str) -> None:
    assert complete(shell, line) == [candidate]


@pytest.mark.parametrize(
    ("line", "candidates"),
    [
        ("anascore ", {*COMMANDS}),
        ("anascore score --match ", {*map(str, CHOICES["match"])}),
        ("anascore codabench --task ", {*TASKS}),
        ("anascore completion ", {*SHELLS}),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "fish"], indirect=True)
def test_all_candidates(shell: str, line: str, candidates: set[str]) -> None:
    # Options are candidates, too, but not for the value of one.
    assert {word for word in complete(shell, line) if word[:1] != "-"} - {
        *("keyfile.conllu", "keyfolder/", "script")
    } == candidates


@pytest.mark.parametrize("shell", ["bash"], indirect=True)
def test_a_value_after_an_equals_sign(shell: str) -> None:
    assert complete(shell, "anascore score --match=par") == ["partial"]
    assert complete(shell, "anascore score --match=") == [*map(str, CHOICES["match"])]
    assert complete(shell, "anascore score a=keyfi") == ["keyfile.conllu"]


def subcommands() -> dict[str, argparse.ArgumentParser]:
    (commands,) = (
        action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)
    )
    return dict(commands.choices)


def options() -> list[tuple[str, str]]:
    """Return all options with their commands."""
    return [
        (name, option)
        for name, command in subcommands().items()
        for action in command._actions
        for option in action.option_strings
    ]


@pytest.mark.parametrize("shell", ["bash", "fish"], indirect=True)
def test_every_option_is_a_candidate(shell: str) -> None:
    for name in COMMANDS:
        expected = {option for command, option in options() if command == name}
        candidates = {
            *complete(shell, f"anascore {name} -"),
            *complete(shell, f"anascore {name} --"),
        }

        assert expected <= candidates, name


def test_zsh_has_every_option(capsys: pytest.CaptureFixture[str]) -> None:
    script = output_of(capsys, "completion", "zsh")
    parts = re.split(r"^        ([a-z]+)\)$", script, flags=re.MULTILINE)
    by_command = dict(zip(parts[1::2], parts[2::2], strict=True))

    assert [*by_command] == [*COMMANDS]
    for name, option in options():
        assert re.search(rf"'\*?{option}=?\[", by_command[name]), (name, option)


def test_the_manual_has_everything(capsys: pytest.CaptureFixture[str]) -> None:
    page = output_of(capsys, "man")
    sections = page.partition(".SH EXIT STATUS")[0].split(".SS anascore ")[1:]

    assert [section.split()[0] for section in sections] == [*COMMANDS]
    for section, command in zip(sections, subcommands().values(), strict=True):
        for action in command._actions:
            for option in action.option_strings:
                assert f"\\fB{option.replace('-', chr(92) + '-')}\\fR" in section
    assert "\\fIexact\\fR|\\fIpartial\\fR|\\fIhead\\fR|\\fIcraft\\fR" in page
    assert page.isascii()


@pytest.mark.skipif(not shutil.which("groff"), reason="groff is not installed")
def test_the_manual_is_good_troff(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    page = tmp_path / "anascore.1"
    page.write_text(output_of(capsys, "man"), encoding="utf-8")

    run = subprocess.run(
        ["groff", "-man", "-ww", "-Tutf8", "-P-cbou", page],
        capture_output=True,
        text=True,
        check=True,
    )

    assert run.stderr == ""
    text = " ".join(run.stdout.replace("‐\n", "").split())
    assert "anascore - score anaphora and coreference resolution" in text
    assert "--fail-under SCORE=N exit with status 1 if the F1 of a score is below N" in text


def test_an_unknown_shell(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["completion", "zhs"]) == 2
    assert "invalid choice: 'zhs' (did you mean 'zsh'?)" in capsys.readouterr().err
