"""Options that several commands have."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from anascore.errors import SettingsError
from anascore.formats.reading.jsonl import CLUSTERS
from anascore.formats.registry import FORMATS
from anascore.formats.source import STANDARD_INPUT

FILE = "a file, a folder of files, or - for standard input; a name in .gz is decompressed"
TARGET = "the file to write, compressed if its name ends in .gz; - for standard output"


def add_format(group: argparse._ActionsContainer, option: str, explanation: str) -> None:
    """Describe an option that names a format."""
    group.add_argument(option, choices=tuple(FORMATS), help=explanation)


def add_target_format(group: argparse._ActionsContainer, otherwise: str = "") -> None:
    """Describe the option that names the format to write."""
    endings = (
        f"{', '.join(target.endings)} for {name}"
        for name, target in FORMATS.items()
        if target.endings
    )
    default = f"by the ending of OUT: {'; '.join(endings)}{otherwise}"
    add_format(group, "--to", f"the format to write (default: {default})")


def add_clusters_field(group: argparse._ActionsContainer, whose: str) -> None:
    """Describe the option that picks the entities in JSON lines."""
    group.add_argument(
        "--clusters-field",
        metavar="NAME",
        default=CLUSTERS,
        help=f"the field of JSON lines that holds the entities {whose} (default: %(default)s)",
    )


def add_output(group: argparse._ActionsContainer, choices: Iterable[str]) -> None:
    """Describe the option that chooses the form of the output."""
    group.add_argument(
        "--output",
        choices=tuple(choices),
        default="table",
        help="the form of the output (default: %(default)s)",
    )


def add_files(command: argparse.ArgumentParser, outputs: Iterable[str]) -> None:
    """Describe the arguments of commands that look at files for themselves."""
    command.add_argument("files", metavar="FILE", nargs="+", help=FILE)
    add_format(command, "--format", "the format (default: as recognised from the content)")
    add_clusters_field(command, "of the files")
    add_output(command, outputs)


def check_standard_input(paths: Iterable[str]) -> None:
    """Refuse to read standard input twice."""
    if list(paths).count(STANDARD_INPUT) > 1:
        message = "- stands for standard input, which can be read only once; name files besides"
        raise SettingsError(message)
