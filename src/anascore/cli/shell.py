"""The command `completion`: scripts that complete command lines in shells, made by shtab."""

from __future__ import annotations

import argparse

from anascore.analysis.errors import ERROR_TYPES
from anascore.cli.main import CommandResult, parser
from anascore.entities.breakdowns import DIMENSIONS
from anascore.formats.registry import format_names
from anascore.metrics.scores import LABELS, METRIC_PLUG_INS
from anascore.settings import LAYER_NAMES

SHELLS = ("bash", "zsh", "tcsh")

FILES = frozenset(
    ("KEY", "RESPONSE", "ANNOTATION", "RESULT", "FILE", "FOLDER", "IN", "OUT", "SINGLE")
)
"""Arguments that are files, or files or folders."""

FOLDERS = frozenset(("DIR", "KEYS", "SYSTEM"))
"""Arguments that are folders."""

SCORE_OPTIONS = ("--metrics", "--score", "--sort-by")

FORMAT_OPTIONS = ("--format", "--key-format", "--response-format")

SUGGESTED = {
    "--layers": (*LAYER_NAMES, "all"),
    "--by": (*DIMENSIONS, "all"),
    "--anaphors": ("zero", "pronoun"),
    "--type": tuple(ERROR_TYPES),
}
"""Suggested values; others are allowed."""

SEVERAL_FILES = {"zsh": ('"(*):', '"*:'), "tcsh": ("'p/*/()/'", "'p/*/f/'")}
"""Replacements in shtab's scripts, which complete only the first file in these shells."""

COMPLETION_DESCRIPTION = (
    "Print a script that completes commands, options and their values in a shell. "
    'In bash: eval "$(anascore completion bash)". In zsh: eval "$(anascore completion zsh)", after '
    "compinit. In tcsh: anascore completion tcsh > ~/.anascore.tcsh, and source that file."
)


def describe_completion(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument("shell", metavar="SHELL", choices=SHELLS, help="the shell: %(choices)s")


def run_completion(options: argparse.Namespace) -> CommandResult:
    """Print the script for a shell."""
    import shtab  # noqa: PLC0415  takes 40 ms

    METRIC_PLUG_INS.scan()
    scores = [*dict.fromkeys((*LABELS, *METRIC_PLUG_INS.names))]
    suggested = {
        **dict.fromkeys(SCORE_OPTIONS, scores),
        **dict.fromkeys(FORMAT_OPTIONS, format_names()),
        **SUGGESTED,
    }
    top = parser()
    (commands,) = (a for a in top._actions if isinstance(a, argparse._SubParsersAction))
    for command in commands.choices.values():
        for action in command._actions:
            if action.metavar in FILES:
                action.complete = shtab.FILE
            elif action.metavar in FOLDERS:
                action.complete = shtab.DIRECTORY
            for name in action.option_strings:
                choices = suggested.get(name, action.choices)
                action.choices = None if choices is None else tuple(choices)
    script = shtab.complete(top, options.shell)
    old, new = SEVERAL_FILES.get(options.shell, ("", ""))
    return CommandResult(f"{script.replace(old, new)}\n")
