"""The command line: arguments to settings, scores to standard output, errors to standard error."""

from __future__ import annotations

import argparse
import gc
import io
import os
import sys
from collections import Counter
from collections.abc import Sequence
from typing import NoReturn

from anascore.api import choose, label
from anascore.errors import AnascoreError, SettingsError
from anascore.example import KEY, SYSTEMS, copy_example
from anascore.formats import read
from anascore.metrics import LABELS
from anascore.pipeline import evaluate
from anascore.report import OUTPUTS
from anascore.report.view import View
from anascore.settings import CHOICES, Settings
from anascore.version import __version__


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status: 0 when it is done, 2 when something is wrong."""
    for stream in sys.stdout, sys.stderr:
        # Tables and messages have characters that the locale need not have.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")
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
        gc.enable()
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
    print(f"anascore: error: {message}", file=sys.stderr)
    return 2


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
    """Describe the options that become Settings."""
    default = Settings()
    group.add_argument(
        "--convention",
        choices=CHOICES["convention"],
        default=default.convention,
        help="credit accommodated sets as in the paper, or as the published Universal Anaphora "
        "scorer does (default: %(default)s)",
    )
    group.add_argument(
        "--lea-importance",
        type=int,
        metavar="N",
        default=default.lea_importance,
        help="weight in LEA of an entity with an accommodated set (default: %(default)s)",
    )
    group.add_argument(
        "--no-singletons",
        dest="singletons",
        action="store_false",
        help="leave out entities of one mention; needs --no-split",
    )
    group.add_argument(
        "--no-split",
        dest="split",
        action="store_false",
        help="leave out split antecedents: an entity is its mentions alone",
    )
    group.add_argument(
        "--zeros",
        choices=CHOICES["zeros"],
        default=default.zeros,
        help="keep zeros as mentions or drop them (default: %(default)s)",
    )
    group.add_argument(
        "--missing",
        choices=CHOICES["missing"],
        default=default.missing,
        help="whether a document that the response lacks is an error or counts as empty "
        "(default: %(default)s)",
    )
    group.add_argument(
        "--words",
        choices=CHOICES["words"],
        default=default.words,
        help="check that key and response have the same words, or ignore them and compare by "
        "position (default: %(default)s)",
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
    settings = Settings(
        singletons=options.singletons,
        split=options.split,
        convention=options.convention,
        zeros=options.zeros,
        lea_importance=options.lea_importance,
        missing=options.missing,
        words=options.words,
    )
    if options.split_only and not options.split:
        message = "--split-only and --no-split contradict each other; give one of them"
        raise SettingsError(message)
    if options.split_only and set(reported) == {"mentions"}:
        message = "--split-only has nothing to show of mentions; name another metric"
        raise SettingsError(message)
    names = labels(options.responses)
    responses = zip(names, map(read, options.responses), strict=True)
    results = list(evaluate(read(options.key), responses, settings, reported))
    if options.output == "csv":
        for result in results:
            for warning in result.warnings:
                print(f"anascore: warning: {result.name}: {warning}", file=sys.stderr)
    view = View(per_document=options.per_document, split_only=options.split_only)
    return OUTPUTS[options.output](results, view)


def labels(paths: Sequence[str]) -> list[str]:
    """Name systems after their files, by the whole path where that is not enough."""
    counts = Counter(map(label, paths))
    return [label(path) if counts[label(path)] == 1 else path for path in paths]


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
        key, *systems = copy_example(options.copy)
        return f"Now try: anascore score {key} {' '.join(systems)}\n"
    responses = ((path.stem, read(path)) for path in SYSTEMS)
    return OUTPUTS["table"](list(evaluate(read(KEY), responses, Settings())), View())
