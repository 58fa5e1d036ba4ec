"""`anascore demo`: the example of the paper."""

from __future__ import annotations

import argparse
import shlex

from anascore.commands.outcome import Outcome
from anascore.example import KEY, SYSTEMS, copy_example
from anascore.formats import read
from anascore.pipeline import evaluate
from anascore.report import OUTPUTS
from anascore.report.view import View
from anascore.request import request

DESCRIPTION = "Score the example of the paper: its key against its systems A, B, C and D."


def describe(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument(
        "--copy", metavar="DIR", help="write the files of the example there instead"
    )


def run(options: argparse.Namespace) -> Outcome:
    """Score the bundled example, or copy its files."""
    if options.copy is not None:
        command = shlex.join(["anascore", "score", *copy_example(options.copy)])
        return Outcome(f"Now try: {command}\n")
    responses = ((path.stem, read(path)) for path in SYSTEMS)
    return Outcome(OUTPUTS["table"](list(evaluate(read(KEY), responses, request())), View()))
