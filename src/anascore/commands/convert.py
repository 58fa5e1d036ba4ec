"""`anascore convert`: one format to another."""

from __future__ import annotations

import argparse

from anascore.commands.options import (
    FILE,
    TARGET,
    add_clusters_field,
    add_format,
    add_target_format,
)
from anascore.commands.outcome import Outcome
from anascore.commands.written import written
from anascore.conversion import format_for
from anascore.formats import read

DESCRIPTION = (
    "Convert a file, or a folder of files, to another format. What that format cannot hold is "
    "named and counted in warnings."
)


def describe(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument("input", metavar="IN", help=FILE)
    command.add_argument("target", metavar="OUT", help=TARGET)
    add_target_format(command)
    add_format(command, "--format", "the format of IN (default: as recognised from the content)")
    add_clusters_field(command, "of IN")


def run(options: argparse.Namespace) -> Outcome:
    """Convert what was named."""
    name = format_for(options.target, options.to)
    corpus = read(options.input, options.format, clusters_field=options.clusters_field)
    return written(corpus, options.input, options.target, name)
