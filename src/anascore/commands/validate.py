"""`anascore validate`: everything that is wrong or suspicious in files."""

from __future__ import annotations

import argparse

from anascore.commands.options import add_files, check_standard_input
from anascore.commands.outcome import Outcome
from anascore.report.validation import VALIDATION_OUTPUTS
from anascore.validation import validate

DESCRIPTION = (
    "Find every error in files, and annotation that is legal but suspicious as warnings. The exit "
    "status is 1 if there are errors, and 0 if there are warnings only."
)


def describe(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_files(command, VALIDATION_OUTPUTS)


def run(options: argparse.Namespace) -> Outcome:
    """Look through the files that were named."""
    check_standard_input(options.files)
    found = [
        validated
        for path in options.files
        for validated in validate(path, options.format, options.clusters_field)
    ]
    failed = any(validated.errors for validated in found)
    return Outcome(VALIDATION_OUTPUTS[options.output](found), status=1 if failed else 0)
