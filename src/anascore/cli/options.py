"""Options shared by several commands."""

from __future__ import annotations

import argparse
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import Field, fields
from fractions import Fraction
from pathlib import Path
from typing import Any, get_args

from anascore.cli.main import STANDARD_OUTPUT
from anascore.errors import SettingsError
from anascore.formats.files import STANDARD_INPUT, check_writable, is_file
from anascore.formats.format import ReadOptions
from anascore.formats.registry import FORMATS, WRITABLE, FormatNames
from anascore.formats.remote import is_remote
from anascore.formats.sources import unique_names
from anascore.keywords import FORMATS_OF_SIDES
from anascore.output.grid import DECIMALS
from anascore.output.renderers import Layout
from anascore.output.text import paragraphs_to_text
from anascore.parallel import Jobs
from anascore.printing import OutputName
from anascore.settings import CHOICES, FORMER_NAMES, LAYER_NAMES, Settings
from anascore.tasks import TASKS

INPUT_FORMAT = f"input format: {', '.join(FORMATS)} (default: auto-detect)"
FILE = "a file, a folder of files, or - for standard input; .gz files are decompressed"
NAMED = "a file, a folder or -; NAME=RESPONSE names the system (default: the name of the file)"
INPUTS = ("KEY", "RESPONSE", "ANNOTATION", "RESULT", "FILE", "KEYS", "SYSTEM")
"""Arguments that are input files or folders."""

TARGET = "output file, compressed if its name ends in .gz; - for standard output"


MAX_DIGITS = 40
"""Maximum number of digits in a number that an option accepts."""


def whole_number(text: str) -> int:
    """Convert an option's value to a number."""
    if not re.fullmatch("[+-]?[0-9]+", text):
        message = f"{text[:MAX_DIGITS]!r} is not a whole number"
        raise argparse.ArgumentTypeError(message)
    if len(text) > MAX_DIGITS:
        message = f"a number of {len(text)} digits is too large"
        raise argparse.ArgumentTypeError(message)
    return int(text)


def jobs(text: str) -> Jobs:
    """Convert a number of processes, or auto."""
    return "auto" if text == "auto" else whole_number(text)


def per_cent(text: str) -> float:
    """Convert an option's value, a number from 0 to 100."""
    if not re.fullmatch(r"[0-9]{1,3}(?:\.[0-9]{1,20})?", text) or float(text) > 100:
        message = f"{text[:MAX_DIGITS]!r} is not a number from 0 to 100"
        raise argparse.ArgumentTypeError(message)
    return float(text)


def weights(text: str) -> list[Fraction]:
    """Convert an option's value, comma-separated numbers."""
    numbers = text.split(",")
    for number in numbers:
        if not re.fullmatch(r"[0-9]{1,20}(?:\.[0-9]{1,20})?", number):
            message = f"{number[:MAX_DIGITS]!r} is not a number; give one for each key, like 2,1,1"
            raise argparse.ArgumentTypeError(message)
    return list(map(Fraction, numbers))


def add_format(group: argparse._ActionsContainer, option: str, text: str) -> None:
    """Add an option for the input format."""
    group.add_argument(option, choices=FormatNames(FORMATS), metavar="FORMAT", help=text)


def add_target_format(group: argparse._ActionsContainer, otherwise: str = "") -> None:
    """Add the option for the output format."""
    endings = (
        f"{', '.join(target.endings)} for {name}"
        for name, target in WRITABLE.items()
        if target.endings
    )
    default = f"by the file extension of OUT: {'; '.join(endings)}{otherwise}"
    text = f"output format: {', '.join(WRITABLE)} (default: {default})"
    group.add_argument("--to", choices=FormatNames(WRITABLE), metavar="FORMAT", help=text)


def add_read_options(group: argparse._ActionsContainer, whose: str) -> None:
    """Add the reading options that only some formats have."""
    for option in fields(ReadOptions):
        text = option.metadata["help"].format(whose=whose)
        usual = "auto-detect" if option.default is None else option.default
        group.add_argument(
            f"--{option.name.replace('_', '-')}",
            metavar=option.metadata["metavar"],
            default=option.default,
            type=str if isinstance(option.default, str) else whole_number,
            help=f"{text} (default: {usual})",
        )


def read_options(options: argparse.Namespace) -> dict[str, Any]:
    """Collect the reading options that only some formats have, as keywords of `read`."""
    return {option.name: vars(options)[option.name] for option in fields(ReadOptions)}


def read_key_keywords(options: argparse.Namespace) -> dict[str, Any]:
    """Collect those reading options that also apply to the key."""
    of_key = {option.name for option in fields(ReadOptions) if option.metadata["key"]}
    return {name: value for name, value in read_options(options).items() if name in of_key}


def add_output(group: argparse._ActionsContainer, choices: Iterable[str]) -> None:
    """Add the option that selects how results are printed."""
    group.add_argument(
        "--output",
        choices=tuple(choices),
        default="table",
        help="output format (default: %(default)s)",
    )


def add_result_output(
    group: argparse._ActionsContainer, choices: Iterable[str] = get_args(OutputName)
) -> None:
    """Add the options that select how results are printed, and their tables."""
    add_output(group, choices)
    group.add_argument(
        "--tables",
        metavar="NAMES",
        default="",
        help="show only these tables, comma-separated, or all (default: all; latex shows the first "
        "one, and those that other options ask for); a wrong name lists the right ones",
    )
    group.add_argument(
        "--decimals",
        metavar="N",
        type=whole_number,
        default=DECIMALS,
        help="decimals of scores in tables (default: %(default)s); json and csv are exact",
    )


def layout_of(options: argparse.Namespace) -> dict[str, Any]:
    """Collect the table layout as keywords; raise SettingsError if the output has no tables."""
    layout = {"decimals": options.decimals, "tables": options.tables}
    Layout(**layout).check(options.output)
    return layout


def add_files(command: argparse.ArgumentParser) -> None:
    """Add the arguments of commands that read files one by one."""
    command.add_argument("files", metavar="FILE", nargs="+", help=FILE)
    add_format(command, "--format", INPUT_FORMAT)
    add_read_options(command, "of the files")
    add_result_output(command)


def check_standard_input(paths: Iterable[str]) -> None:
    """Raise SettingsError if more than one path is standard input."""
    if list(paths).count(STANDARD_INPUT) > 1:
        message = "standard input (-) can be read only once; give file names for the others"
        raise SettingsError(message)


def add_key_and_responses(command: argparse.ArgumentParser) -> None:
    """Add the arguments for a key and one or more responses."""
    _add_key(command)
    command.add_argument("responses", metavar="RESPONSE", nargs="+", help=f"a response: {NAMED}")


def add_key_and_response(command: argparse.ArgumentParser) -> None:
    """Add the arguments for a key and one response."""
    _add_key(command)
    command.add_argument("response", metavar="RESPONSE", help=f"the response: {NAMED}")


def _add_key(command: argparse.ArgumentParser) -> None:
    command.add_argument("key", metavar="KEY", help=f"the key: {FILE}")


def split_name(text: str) -> tuple[str, str]:
    """Split `name=file` into name and path; without a name, it is empty.

    If the whole text is the path of an existing file, the equals sign belongs to the path.
    """
    name, equals, path = text.partition("=")
    if not equals or os.path.sep in name or os.path.exists(text):  # noqa: PTH110  as the shell sees it
        return "", text
    if not name or not path:
        message = f"{text!r} lacks a {'path after' if name else 'name before'} the equals sign"
        raise SettingsError(message)
    return name, path


def named_responses(arguments: Sequence[str]) -> dict[str, str] | list[str]:
    """Collect response paths, by name if at least one of them has a name."""
    return named_corpora(arguments, "responses")


def named_corpora(arguments: Sequence[str], kind: str) -> dict[str, str] | list[str]:
    """Collect response or key paths, by name if at least one of them has a name.

    Those without a name are named after their files.
    """
    pairs = [split_name(argument) for argument in arguments]
    paths = [path for _, path in pairs]
    if not any(name for name, _ in pairs):
        return paths
    names = [given or name for (given, _), name in zip(pairs, unique_names(paths), strict=True)]
    for name, number in Counter(names).items():
        if number > 1:
            message = f"two {kind} are named {name!r}; give each a different name"
            raise SettingsError(message)
    return dict(zip(names, paths, strict=True))


def paths_of(responses: Mapping[str, str] | Sequence[str]) -> list[str]:
    """List response paths, named or not."""
    return list(responses.values() if isinstance(responses, Mapping) else responses)


def add_metrics(command: argparse.ArgumentParser, text: str) -> None:
    """Add the option that chooses scores."""
    command.add_argument("--metrics", "--metric", metavar="NAMES", help=text)


def add_reading(command: argparse.ArgumentParser) -> argparse._ArgumentGroup:
    """Add the options for reading key and responses."""
    reading = command.add_argument_group("reading")
    add_format(reading, "--format", INPUT_FORMAT)
    add_format(reading, "--key-format", "input format of the key, instead of --format")
    add_format(reading, "--response-format", "input format of the response, instead of --format")
    add_read_options(reading, "of the response")
    return reading


def keywords_of(options: argparse.Namespace) -> dict[str, Any]:
    """Collect the settings and reading options as keywords of the Python functions."""
    formats = {name: vars(options)[name] for name in FORMATS_OF_SIDES}
    return {**settings_of(options), **formats, **read_options(options)}


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """Collect the settings that the user gave."""
    values = vars(options)
    return {field.name: values[field.name] for field in fields(Settings) if field.name in values}


def add_settings(group: argparse._ArgumentGroup, without: Collection[str] = ()) -> None:
    """Add an option for each setting, except for those in `without`."""
    for setting in fields(Settings):
        if setting.name not in without:
            _add_setting(group, setting)


def _add_setting(group: argparse._ActionsContainer, setting: Field[Any]) -> None:
    """Add a setting's option; the namespace contains the setting only if the user gives it."""
    name, default, metadata = setting.name, setting.default, setting.metadata
    option, text = name.replace("_", "-"), metadata["help"]
    details: dict[str, Any] = {"dest": name, "default": argparse.SUPPRESS}
    if isinstance(default, bool):
        option = f"no-{option}" if default else option
        action = "store_false" if default else "store_true"
        group.add_argument(f"--{option}", action=action, help=text, **details)
        return
    usual = ",".join(default) if isinstance(default, tuple) else default
    note = f" (default: {usual})" if usual else ""
    if name == "layers":
        group = group.add_mutually_exclusive_group()
        one = f"annotation layer to score{note}"
        group.add_argument("--layer", choices=LAYER_NAMES, help=one, **details)
    former = [f"--{old.replace('_', '-')}" for old, new in FORMER_NAMES.items() if new == name]
    group.add_argument(
        *(f"--{option}", *former),
        action="append" if metadata["repeatable"] else "store",
        choices=tuple(TASKS) if name == "task" else CHOICES.get(name),
        help=f"{text}{note}",
        metavar=metadata["metavar"],
        type=whole_number if isinstance(default, int) else str,
        **details,
    )


def check_target(option: str, target: str, inputs: Iterable[str]) -> None:
    """Raise if a report cannot be written, or would be written over one of its inputs."""
    if target == STANDARD_INPUT:
        message = f"a report cannot be written to standard output; give a file name with {option}"
        raise SettingsError(message)
    check_writable(target)
    check_not_input(option, target, inputs)


def check_not_input(option: str, target: str, inputs: Iterable[str]) -> None:
    """Raise SettingsError if output would be written over one of its inputs."""
    if target != STANDARD_INPUT and any(_is_same_file(target, path) for path in inputs):
        message = f"{option} {target}: this is one of the input files; choose another"
        raise SettingsError(message)


def _is_same_file(path: str, other: str) -> bool:
    """Test whether two paths are the same, or one is a file in the other, a folder."""
    if is_remote(path) or is_remote(other):
        return path == other
    if os.path.isdir(other):  # noqa: PTH112  Path.is_dir raises if a name is too long
        return is_file(path) and Path(other).resolve() in Path(path).resolve().parents
    return is_file(path) and is_file(other) and Path(path).samefile(other)


def check_out(options: argparse.Namespace) -> None:
    """Raise, before the command runs, if its result could not be written to its file."""
    check_writable(options.out)
    inputs: list[str] = []
    for action in options.parser._actions:
        if action.metavar in INPUTS and (value := getattr(options, action.dest)) is not None:
            inputs += [value] if isinstance(value, str) else value
    check_not_input("-o", options.out, (split_name(text)[1] for text in inputs))
    report = vars(options).get("report")
    if report is not None and os.path.realpath(report) == os.path.realpath(options.out):
        message = f"-o {options.out}: --report names this file, too; choose another"
        raise SettingsError(message)


def add_report(group: argparse._ArgumentGroup) -> None:
    """Describe the option for a report."""
    group.add_argument("--report", metavar="OUT", help="also write an HTML report to this file")


def open_hint(options: argparse.Namespace) -> str:
    """Suggest opening the report, if one was written and a person sees the output."""
    if options.report is None or options.output != "table" or options.out != STANDARD_OUTPUT:
        return ""
    return "\n" + paragraphs_to_text([[f"Now open {options.report} in a browser."]])
