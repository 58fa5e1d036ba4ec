"""The command `schema`."""

from __future__ import annotations

import argparse

from anascore.cli.main import CommandResult
from anascore.output.json.schema import STRUCTURES, json_schema
from anascore.output.json.text import to_json

SCHEMA_DESCRIPTION = (
    "Print the JSON Schema (draft 2020-12) of the output of a command with --output json. The "
    "name disagreements stands for anascore agreement --disagreements."
)


def describe_schema(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument(
        "name",
        metavar="COMMAND",
        choices=tuple(STRUCTURES),
        help=f"the command: {', '.join(STRUCTURES)}",
    )


def run_schema(options: argparse.Namespace) -> CommandResult:
    """Print the schema of a command."""
    return CommandResult(to_json(json_schema(options.name)))
