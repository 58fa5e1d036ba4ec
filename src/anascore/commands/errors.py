"""`anascore errors`: what is wrong in a response, by type."""

from __future__ import annotations

import argparse

from anascore.commands.options import add_output
from anascore.commands.outcome import Outcome
from anascore.commands.pair import add_pair, read_pair
from anascore.error_analysis import ERROR_TYPES, analyse, together
from anascore.errors import SettingsError
from anascore.metrics import MEANS, METRICS
from anascore.progress import each
from anascore.report.errors import ERROR_OUTPUTS, ErrorReport

DESCRIPTION = (
    "Count and list what is wrong in a response, by type of error, and show what the scores would "
    "be if all errors of a type were corrected."
)


def describe(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_pair(command)
    command.add_argument(
        "--type",
        metavar="NAMES",
        default=",".join(ERROR_TYPES),
        help=f"list these types only, with commas between: {', '.join(ERROR_TYPES)}",
    )
    command.add_argument(
        "--examples",
        metavar="N",
        default="5",
        help="how many errors of each type the table lists, or all (default: %(default)s); json "
        "and csv list all",
    )
    add_output(command, ERROR_OUTPUTS)


def run(options: argparse.Namespace) -> Outcome:
    """Find the errors of the response that was named."""
    types, examples = _types(options.type), _examples(options.examples)
    reported = (*METRICS, *MEANS)
    pair = read_pair(options, "errors")
    settings = pair.request.settings
    analysed = together(
        [
            analyse(key, response, reported, settings)
            for key, response in each(pair.documents, "looking for errors: document")
        ]
    )
    report = ErrorReport(
        system=pair.name,
        signature=pair.signature,
        analysed=analysed,
        reported=reported,
        types=types,
        examples=examples,
        warnings=pair.warnings,
    )
    warnings = pair.warnings if options.output == "csv" else ()
    return Outcome(ERROR_OUTPUTS[options.output](report), warnings)


def _types(names: str) -> list[str]:
    chosen = [name.strip() for name in names.split(",")]
    for name in chosen:
        if name not in ERROR_TYPES:
            message = f"--type {name}: no such type of error; there are {', '.join(ERROR_TYPES)}"
            raise SettingsError(message)
    return [name for name in ERROR_TYPES if name in chosen]


def _examples(number: str) -> int | None:
    if number == "all":
        return None
    if not number.isdecimal():
        message = f"--examples {number}: give a number from 0 up, or all"
        raise SettingsError(message)
    return int(number)
