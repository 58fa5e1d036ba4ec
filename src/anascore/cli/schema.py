"""The command `schema`."""

from __future__ import annotations

import argparse

from anascore.cli import CommandResult
from anascore.output.data import to_json
from anascore.output.schema import SCHEMAS, json_schema

SCHEMA_DESCRIPTION = (
    "Print the JSON Schema (draft 2020-12) of the output of a command with --output json. The "
    "name disagreements stands for anascore agreement --disagreements."
)


def describe_schema(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument(
        "name",
        metavar="COMMAND",
        choices=tuple(SCHEMAS),
        help=f"the command: {', '.join(SCHEMAS)}",
    )


def run_schema(options: argparse.Namespace) -> CommandResult:
    """Print the schema of a command."""
    return CommandResult(to_json(json_schema(options.name)))
