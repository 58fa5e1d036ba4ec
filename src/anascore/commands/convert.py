"""`anascore convert`: one format to another."""

from __future__ import annotations

import argparse
from collections import Counter

from anascore.commands.options import FILE, add_clusters_field, add_format
from anascore.commands.outcome import Outcome
from anascore.conversion import format_for, to_text, write
from anascore.formats import read
from anascore.formats.registry import FORMATS
from anascore.formats.source import STANDARD_INPUT
from anascore.formats.writing.columns import COLUMN

HELP = "convert a file to another format"
DESCRIPTION = (
    "Convert a file, or a folder of files, to another format. What that format cannot hold is "
    "named and counted in warnings."
)


def describe(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument("input", metavar="IN", help=FILE)
    command.add_argument(
        "target",
        metavar="OUT",
        help="the file to write, compressed if its name ends in .gz; - for standard output",
    )
    endings = (
        f"{', '.join(target.endings)} for {name}"
        for name, target in FORMATS.items()
        if target.endings
    )
    add_format(
        command,
        "--to",
        f"the format to write (default: by the ending of OUT: {'; '.join(endings)})",
    )
    add_format(command, "--format", "the format of IN (default: as recognised from the content)")
    add_clusters_field(command, "of IN")


def run(options: argparse.Namespace) -> Outcome:
    """Convert what was named."""
    name = format_for(options.target, options.to)
    corpus = read(options.input, options.format, clusters_field=options.clusters_field)
    if options.target == STANDARD_INPUT:
        text, lost = to_text(corpus, name)
    else:
        text, lost = "", write(corpus, options.target, name)
    notes = sum((Counter(document.notes) for document in corpus.documents.values()), Counter())
    warnings = [f"{options.input}: {note}: {number}" for note, number in notes.items()]
    cannot = f"{options.target}: {FORMATS[name].label} cannot hold"
    warnings += [f"{cannot} {what}: {number}" for what, number in _grouped(lost)]
    return Outcome(text, tuple(warnings))


def _grouped(lost: Counter[str]) -> list[tuple[str, int]]:
    """Put what is lost in order, with all columns in one line."""
    columns = sorted(what for what in lost if what.startswith(COLUMN))
    others = [(what, number) for what, number in sorted(lost.items()) if what not in columns]
    names = ", ".join(what.removeprefix(COLUMN) for what in columns)
    values = sum(lost[what] for what in columns)
    return [*others, (f"values in columns ({names})", values)] if columns else others
