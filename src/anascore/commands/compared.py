"""Key and responses on the command line: how they are named and read."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from anascore.commands.options import FILE, add_clusters_field, add_format
from anascore.formats import read
from anascore.model import Corpus


def add_key_and_responses(command: argparse.ArgumentParser) -> None:
    """Describe the arguments that name a key and any number of responses."""
    _add_key(command)
    command.add_argument("responses", metavar="RESPONSE", nargs="+", help="a response, likewise")


def add_key_and_response(command: argparse.ArgumentParser) -> None:
    """Describe the arguments that name a key and one response."""
    _add_key(command)
    command.add_argument("response", metavar="RESPONSE", help="the response, likewise")


def _add_key(command: argparse.ArgumentParser) -> None:
    command.add_argument("key", metavar="KEY", help=f"the key: {FILE}")


def add_reading(command: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Describe the options that say how files are read."""
    reading = command.add_argument_group("reading")
    add_format(reading, "--format", "the format of key and response")
    add_format(reading, "--key-format", "the format of the key, if it is another")
    add_format(reading, "--response-format", "the format of the response, if it is another")
    add_clusters_field(reading, "of the response")
    return reading


def read_key(options: argparse.Namespace, jobs: int = 1) -> Corpus:
    """Read the key that was named."""
    return read(options.key, options.key_format or options.format, jobs=jobs)


def read_response(options: argparse.Namespace, path: str, jobs: int = 1) -> Corpus:
    """Read a response."""
    name = options.response_format or options.format
    return read(path, name, clusters_field=options.clusters_field, jobs=jobs)


def labels(paths: Sequence[str]) -> list[str]:
    """Name systems after their files, by the whole path where that is not enough."""
    stems = [Corpus({}, "", path).name for path in paths]
    return [
        path if stems.count(stem) > 1 else stem for stem, path in zip(stems, paths, strict=True)
    ]
