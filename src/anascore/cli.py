"""The command line: arguments to settings, scores to standard output, errors to standard error."""

from __future__ import annotations

import argparse
import gc
import io
import os
import shlex
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import PurePath
from typing import Any, NoReturn

from anascore.errors import AnascoreError, SettingsError
from anascore.example import KEY, SYSTEMS, copy_example
from anascore.formats import read
from anascore.metrics import LABELS, choose
from anascore.pipeline import evaluate
from anascore.report import OUTPUTS
from anascore.report.view import View
from anascore.settings import CHOICES, Settings, settings_from
from anascore.version import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0 when it is done, 2 when something is wrong."""
    for stream in sys.stdout, sys.stderr:
        # Tables, messages and names of files have characters that the locale need not have.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    collecting = gc.isenabled()
    # Corpora are large and free of reference cycles: looking for some takes a quarter of the time.
    gc.disable()
    try:
        options = parser().parse_args(arguments)
        output: str = options.run(options)
    except AnascoreError as error:
        return fail(str(error))
    except KeyboardInterrupt:
        return 130
    finally:
        if collecting:
            gc.enable()
    return show(output)


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
        line = "".join(c if c.isprintable() else ascii(c)[1:-1] for c in message)
        print(f"anascore: {line}", file=sys.stderr)


class Parser(argparse.ArgumentParser):
    """A parser that raises what is wrong, for `main` to print like anything else."""

    def error(self, message: str) -> NoReturn:
        """Say what is wrong with the options, and where they are explained."""
        raise SettingsError(f"{message}; see {self.prog} --help")


def parser() -> Parser:
    """Describe the commands and their options."""
    top = Parser(
        prog="anascore",
        description="Score anaphora and coreference resolution, split antecedents included.",
    )
    top.add_argument("--version", action="version", version=f"anascore {__version__}")
    commands = top.add_subparsers(title="commands", metavar="COMMAND", required=True)
    add_score(commands)
    add_demo(commands)
    return top


def add_score(commands: argparse._SubParsersAction[Parser]) -> None:
    """Describe `anascore score`."""
    command = commands.add_parser(
        "score",
        help="score responses against a key",
        description="Score responses (system outputs) against a key (gold standard), in CoNLL-UA.",
        allow_abbrev=False,
    )
    command.set_defaults(run=run_score)
    command.add_argument("key", metavar="KEY", help="file with the key")
    command.add_argument("responses", metavar="RESPONSE", nargs="+", help="file with a response")
    command.add_argument(
        "--metrics",
        metavar="NAMES",
        default=",".join(LABELS),
        help=f"what to report, with commas between: {','.join(LABELS)} (default: all)",
    )
    add_settings(command.add_argument_group("settings, which can change a number"))
    add_view(command.add_argument_group("output"))


def add_settings(group: argparse._ArgumentGroup) -> None:
    """Describe the options that become Settings; those not given are left to their defaults."""

    def add(option: str, explanation: str, **details: Any) -> None:
        name = option.removeprefix("--").replace("-", "_")
        if "action" not in details:
            explanation += f" (default: {getattr(Settings(), name)})"
        group.add_argument(option, default=argparse.SUPPRESS, help=explanation, **details)

    add(
        "--convention",
        "credit accommodated sets as in the paper, or as the published Universal Anaphora scorer "
        "does",
        choices=CHOICES["convention"],
    )
    add(
        "--lea-importance",
        "weight in LEA of an entity with an accommodated set",
        type=int,
        metavar="N",
    )
    add(
        "--no-singletons",
        "leave out entities of one mention; needs --no-split",
        dest="singletons",
        action="store_false",
    )
    add(
        "--no-split",
        "leave out split antecedents: an entity is its mentions alone",
        dest="split",
        action="store_false",
    )
    add("--zeros", "keep zeros as mentions or drop them", choices=CHOICES["zeros"])
    add(
        "--missing",
        "whether a document that the response lacks is an error or counts as empty",
        choices=CHOICES["missing"],
    )
    add(
        "--words",
        "check that key and response have the same words, or ignore them and compare by position",
        choices=CHOICES["words"],
    )


def add_view(group: argparse._ArgumentGroup) -> None:
    """Describe the options that become a View."""
    group.add_argument(
        "--output",
        choices=tuple(OUTPUTS),
        default="table",
        help="the form of the output (default: %(default)s)",
    )
    group.add_argument(
        "--split-only",
        action="store_true",
        help="show the scores of the accommodated sets alone",
    )
    group.add_argument(
        "--per-document", action="store_true", help="show the scores of each document too"
    )


def run_score(options: argparse.Namespace) -> str:
    """Score the responses that were named."""
    reported = choose(options.metrics)
    given = vars(options)
    settings = settings_from({f.name: given[f.name] for f in fields(Settings) if f.name in given})
    if options.split_only and not settings.split:
        message = "--split-only and --no-split contradict each other; give one of them"
        raise SettingsError(message)
    if options.split_only and set(reported) == {"mentions"}:
        message = "--split-only has nothing to show of mentions; name another metric"
        raise SettingsError(message)
    view = View(per_document=options.per_document, split_only=options.split_only)
    key = read(options.key)
    responses = zip(labels(options.responses), map(read, options.responses), strict=True)
    results = list(evaluate(key, responses, settings, reported))
    if options.output == "csv":
        for result in results:
            for warning in view.warnings(result):
                complain(f"warning: {result.name}: {warning}")
    return OUTPUTS[options.output](results, view)


def labels(paths: Sequence[str]) -> list[str]:
    """Name systems after their files, by the whole path where that is not enough."""
    stems = [PurePath(path).stem for path in paths]
    return [
        path if stems.count(stem) > 1 else stem for stem, path in zip(stems, paths, strict=True)
    ]


def add_demo(commands: argparse._SubParsersAction[Parser]) -> None:
    """Describe `anascore demo`."""
    command = commands.add_parser(
        "demo",
        help="score the example of the paper",
        description="Score the example of the paper: its key against its systems A, B, C and D.",
        allow_abbrev=False,
    )
    command.set_defaults(run=run_demo)
    command.add_argument(
        "--copy", metavar="DIR", help="write the files of the example there instead"
    )


def run_demo(options: argparse.Namespace) -> str:
    """Score the bundled example, or copy its files."""
    if options.copy is not None:
        return f"Now try: {shlex.join(['anascore', 'score', *copy_example(options.copy)])}\n"
    responses = ((path.stem, read(path)) for path in SYSTEMS)
    return OUTPUTS["table"](list(evaluate(read(KEY), responses, Settings())), View())
