"""The command line: parses arguments, calls a command, prints its text or the error.

Takes arguments; gives text on standard output, warnings on standard error, and an exit status.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
from collections.abc import Collection, Sequence
from importlib import import_module
from typing import NamedTuple, NoReturn

from anascore.errors import AnascoreError, SettingsError
from anascore.execution import escape_control_characters, gc_paused, show_progress
from anascore.version import __version__


class CommandResult(NamedTuple):
    """The text for standard output, the lines for standard error, and the exit status."""

    text: str
    warnings: tuple[str, ...] = ()
    status: int = 0


COMMANDS = {
    "score": "score responses against a key",
    "explain": "show the working behind a score, with exact fractions",
    "errors": "count and list errors by type, with the scores if they were corrected",
    "report": "write a page that shows scores, errors and texts, to look at in a browser",
    "convert": "convert a file to another format",
    "validate": "find everything that is wrong or suspicious in files",
    "stats": "count what there is in files",
    "baseline": "add split antecedents to a response, by a baseline of the paper",
    "tasks": "list the shared tasks that --task knows, with all their settings",
    "demo": "score the example of the paper",
}
"""The commands, each with its purpose."""

MODULES = {
    **dict.fromkeys(("score", "demo", "tasks"), "score"),
    **dict.fromkeys(("explain", "errors", "report"), "analysis"),
    **dict.fromkeys(("convert", "validate", "stats", "baseline"), "corpus"),
}
"""The module of this folder that has each command; imported when the command is named."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0 when it is done, 2 when something is wrong.

    `validate` gives 1 when it is done and has found errors.
    """
    for stream in sys.stdout, sys.stderr:
        # Tables, messages and names of files have characters that the locale need not have.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    try:
        with gc_paused(), show_progress(sys.stderr):
            given = sys.argv[1:] if arguments is None else arguments
            options = parser(given).parse_args(given, argparse.Namespace(given=list(given)))
            outcome: CommandResult = options.run(options)
    except AnascoreError as error:
        return fail(str(error))
    except KeyboardInterrupt:
        return 130
    for warning in outcome.warnings:
        complain(f"warning: {warning}")
    return show(outcome.text) or outcome.status


def show(output: str) -> int:
    """Print what a command has to say, and return the exit status."""
    if sys.stdout is None:
        return fail("no output: standard output is closed")
    try:
        sys.stdout.write(output)
        sys.stdout.flush()
    except OSError as error:
        # Whoever read the output has gone, or the disk is full; do not try again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0 if isinstance(error, BrokenPipeError) else fail(f"no output: {error.strerror}")
    return 0


def fail(message: str) -> int:
    """Print what is wrong, and return the exit status for it."""
    complain(f"error: {message}")
    return 2


def complain(message: str) -> None:
    """Print one line on standard error, if that is open."""
    if sys.stderr is not None:
        print(f"anascore: {escape_control_characters(message)}", file=sys.stderr)


class Parser(argparse.ArgumentParser):
    """A parser that raises what is wrong, for `main` to print like anything else."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the options, and where they are explained."""
        raise SettingsError(f"{message}; see {self.prog} --help")


def parser(named: Collection[str] = COMMANDS) -> Parser:
    """Describe the commands, and the options of those that are named."""
    top = Parser(
        prog="anascore",
        description="Score anaphora and coreference resolution, split antecedents included.",
    )
    top.add_argument("--version", action="version", version=f"anascore {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for name, purpose in COMMANDS.items():
        described = commands.add_parser(name, help=purpose, allow_abbrev=False)
        if name in named:
            module = import_module(f"anascore.cli.{MODULES[name]}")
            described.description = getattr(module, f"{name.upper()}_DESCRIPTION")
            described.set_defaults(run=getattr(module, f"run_{name}"))
            getattr(module, f"describe_{name}")(described)
    return top
