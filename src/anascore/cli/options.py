"""Options that several commands share."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields
from typing import Any

from anascore.errors import SettingsError
from anascore.formats import read
from anascore.formats.jsonl import CLUSTERS
from anascore.formats.registry import FORMATS
from anascore.formats.source import STANDARD_INPUT
from anascore.model.document import Corpus
from anascore.settings import BREAKDOWNS, CHOICES, LAYER_NAMES, Settings
from anascore.tasks import TASKS

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


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """Return the settings that were given."""
    given = vars(options)
    return {field.name: given[field.name] for field in fields(Settings) if field.name in given}


def add_settings(group: argparse._ArgumentGroup, without: Collection[str] = ()) -> None:
    """Describe the options that become Settings; those not given are left to their defaults."""
    # An empty group would break --help.
    one_or_several = group if "layers" in without else group.add_mutually_exclusive_group()

    def add(option: str, explanation: str, **details: Any) -> None:
        name = details.get("dest") or option.removeprefix("--").replace("-", "_")
        if name in without:
            return
        default = getattr(Settings(), name)
        if "action" not in details and default:
            shown = ",".join(default) if isinstance(default, tuple) else default
            explanation += f" (default: {shown})"
        to = one_or_several if name == "layers" else group
        to.add_argument(option, default=argparse.SUPPRESS, help=explanation, **details)

    add("--task", "a shared task, which sets everything; see anascore tasks", choices=TASKS)
    add(
        "--layer",
        "the layer to score",
        dest="layers",
        choices=LAYER_NAMES,
    )
    add(
        "--layers",
        f"the layers to score, with commas between, or all: {', '.join(LAYER_NAMES)}",
        metavar="NAMES",
    )
    add(
        "--match",
        "which mentions match besides identical ones: none (exact), those within the key's that "
        "have its minimum span, those with the same head, or as in CRAFT 2019",
        choices=CHOICES["match"],
    )
    add("--zeros", "keep zeros as mentions or drop them", choices=CHOICES["zeros"])
    add(
        "--zero-match",
        "match zeros by their places, or first by their enhanced dependencies",
        choices=CHOICES["zero_match"],
    )
    add(
        "--no-singletons",
        "leave out entities of one mention; needs --no-split",
        dest="singletons",
        action="store_false",
    )
    add(
        "--no-split",
        "leave out split antecedents: an entity is its mentions alone",
        dest="split",
        action="store_false",
    )
    add(
        "--convention",
        "credit accommodated sets as in the paper, or as the published Universal Anaphora scorer "
        "does",
        choices=CHOICES["convention"],
    )
    add(
        "--lea-importance",
        "weight in LEA of an entity with an accommodated set",
        type=int,
        metavar="N",
    )
    add(
        "--anaphors",
        "score a class of anaphors by themselves: zero, pronoun, or NAME=VALUE with a column, a "
        "feature or an attribute of mentions, like UPOS=PRON",
        metavar="CLASS",
    )
    add(
        "--by",
        f"break scores down by classes of mentions, and say it again for more: "
        f"{', '.join(BREAKDOWNS)}, all of these, or NAME=PATTERN, a regular expression for the "
        f"names of documents, like genre=^([a-z]+)_",
        action="append",
        metavar="WHAT",
    )
    add(
        "--np-only",
        "leave out mentions that are verb phrases, by the parse of CoNLL-2012",
        action="store_true",
    )
    add(
        "--remove-nested",
        "leave out mentions within another mention of their entity",
        action="store_true",
    )
    add(
        "--missing",
        "whether a document that the response lacks is an error or counts as empty",
        choices=CHOICES["missing"],
    )
    add(
        "--words",
        "check that key and response have the same words, or ignore them and compare by position",
        choices=CHOICES["words"],
    )
