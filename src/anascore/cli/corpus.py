"""The commands `convert`, `validate`, `stats` and `baseline`."""

from __future__ import annotations

import argparse
from collections import Counter
from io import StringIO
from typing import cast

from anascore.cli.main import CommandResult
from anascore.cli.options import (
    FILE,
    INPUT_FORMAT,
    TARGET,
    add_files,
    add_format,
    add_output,
    add_read_options,
    add_target_format,
    check_not_input,
    check_standard_input,
    layout_of,
    read_key_keywords,
    read_options,
    whole_number,
)
from anascore.corpus.baselines import METHODS, PLURAL_PRONOUNS, add_sets, check_choices
from anascore.corpus.convert import convert
from anascore.corpus.stats import stats
from anascore.corpus.validate import validate
from anascore.errors import SettingsError
from anascore.formats.files import STANDARD_INPUT
from anascore.formats.format import FormatName
from anascore.formats.lossy import COLUMN
from anascore.formats.reading import read
from anascore.formats.registry import FORMATS, list_formats
from anascore.formats.writing import format_for
from anascore.model.document import Corpus
from anascore.output.corpus import format_text
from anascore.output.kinds import load


def write_corpus(corpus: Corpus, source: str, target: str, name: str) -> CommandResult:
    """Write a corpus to `target` in the named format; warn about annotation that is lost.

    Warnings about the corpus itself begin with `source`, the path from which it was read.
    """
    text = StringIO()
    lost = convert(
        corpus, text if target == STANDARD_INPUT else target, to=cast("FormatName", name)
    )
    notes = sum((Counter(document.notes) for document in corpus.documents.values()), Counter())
    warnings = [f"{source}: {note}: {number}" for note, number in notes.items()]
    cannot = f"{target}: {FORMATS[name].label} cannot hold"
    warnings += [f"{cannot} {annotation}: {number}" for annotation, number in _grouped(lost)]
    return CommandResult(text.getvalue(), tuple(warnings))


def _grouped(lost: Counter[str]) -> list[tuple[str, int]]:
    """Sort the kinds of lost annotation with their counts; all columns are one kind."""
    columns = sorted(kind for kind in lost if kind.startswith(COLUMN))
    others = [(kind, number) for kind, number in sorted(lost.items()) if kind not in columns]
    names = ", ".join(column.removeprefix(COLUMN) for column in columns)
    values = sum(lost[column] for column in columns)
    return [*others, (f"values in columns ({names})", values)] if columns else others


CONVERT_DESCRIPTION = (
    "Convert a file or a folder of files to another format. Warnings count the annotation that the "
    "new format cannot hold."
)


def describe_convert(command: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    command.add_argument("input", metavar="IN", help=FILE)
    command.add_argument("target", metavar="OUT", help=TARGET)
    add_target_format(command)
    add_format(command, "--format", INPUT_FORMAT)
    add_read_options(command, "of IN")


def run_convert(options: argparse.Namespace) -> CommandResult:
    """Convert the input file."""
    name = format_for(options.target, options.to)
    check_not_input("OUT", options.target, [options.input])
    corpus = read(options.input, options.format, **read_options(options))
    return write_corpus(corpus, options.input, options.target, name)


VALIDATE_DESCRIPTION = (
    "Find all errors in files. Annotation that is valid but suspicious gets a warning. A summary "
    "lists the layers, tasks and options that the files can be scored with, and the annotation "
    "that they lack for the others. The exit status is 1 if there are errors, and 0 if there are "
    "only warnings."
)


def describe_validate(command: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_files(command)


def run_validate(options: argparse.Namespace) -> CommandResult:
    """Validate the files."""
    check_standard_input(options.files)
    layout = layout_of(options)
    validation = validate(options.files, options.format, **read_options(options))
    text = validation.render(options.output, **layout)
    return CommandResult(text, status=int(not validation.ok))


STATS_DESCRIPTION = (
    "Count documents, words, mentions, entities, accommodated sets and all other annotation in "
    "files."
)


def describe_stats(command: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_files(command)
    command.add_argument(
        "--per-document", action="store_true", help="also report the counts of each document"
    )


def run_stats(options: argparse.Namespace) -> CommandResult:
    """Count the annotation in the files."""
    check_standard_input(options.files)
    layout = layout_of(options)
    statistics = stats(options.files, options.format, **read_options(options))
    return CommandResult(
        statistics.render(options.output, per_document=options.per_document, **layout)
    )


BASELINE_DESCRIPTION = (
    "Add accommodated sets to a response with single antecedents only, like the baselines of the "
    "paper. A plural pronoun that is the first mention of its entity gets a set of singular "
    "entities mentioned before it: two to five at random (random), or the nearest N (recent-N). "
    "oracle uses the sets of the key, and single adds none."
)


def describe_baseline(command: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    command.add_argument(
        "key",
        metavar="KEY",
        help=f"the key: {FILE}; only the method oracle reads it, and for other methods it need "
        f"not exist",
    )
    command.add_argument("single", metavar="SINGLE", help=f"the response: {FILE}")
    command.add_argument("-o", dest="target", metavar="OUT", required=True, help=TARGET)
    command.add_argument("--method", metavar="NAME", required=True, help=f"baseline: {METHODS}")
    command.add_argument(
        "--seed",
        type=whole_number,
        default=0,
        metavar="S",
        help="random seed, a whole number of at least 0 (default: %(default)s)",
    )
    command.add_argument(
        "--pronouns",
        default=", ".join(PLURAL_PRONOUNS),
        metavar="WORDS",
        help="plural pronouns, comma-separated (default: %(default)s)",
    )
    add_target_format(command, "; otherwise the format of SINGLE")
    add_format(command, "--format", "input format of SINGLE (default: auto-detect)")
    add_format(command, "--key-format", "input format of KEY (default: auto-detect)")
    add_read_options(command, "of SINGLE")


def run_baseline(options: argparse.Namespace) -> CommandResult:
    """Add accommodated sets to the response."""
    pronouns = [word.strip() for word in options.pronouns.split(",")]
    check_choices(options.method, options.seed, pronouns)
    check_not_input("-o", options.target, [options.key, options.single])
    key = None
    if options.method == "oracle":
        check_standard_input([options.key, options.single])
        key = read(options.key, options.key_format, **read_key_keywords(options))
    single = read(options.single, options.format, **read_options(options))
    name = format_for(options.target, options.to, single.format)
    if options.method != "single" and FORMATS[name].holds.sets == "no":
        message = (
            f"{FORMATS[name].label} cannot hold accommodated sets, which {options.method} adds; "
            f"choose another format with --to, or by the file extension of OUT"
        )
        raise SettingsError(message)
    corpus = add_sets(single, options.method, seed=options.seed, pronouns=pronouns, key=key)
    return write_corpus(corpus, options.single, options.target, name)


FORMATS_DESCRIPTION = (
    "List the file formats for --format and --to, with the annotation that each can hold."
)


def describe_formats(command: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add_output(command, ("table", "json"))


def run_formats(options: argparse.Namespace) -> CommandResult:
    """List the formats."""
    if options.output == "json":
        return CommandResult(load("json.corpus.render_formats_json")())
    return CommandResult(format_text(list_formats()))
