"""The commands `convert`, `validate`, `stats` and `baseline`."""

from __future__ import annotations

import argparse
from collections import Counter

from anascore.cli import CommandResult
from anascore.cli.options import (
    FILE,
    TARGET,
    add_clusters_field,
    add_files,
    add_format,
    add_target_format,
    check_standard_input,
)
from anascore.corpus.baselines import METHODS, PLURAL_PRONOUNS, SEEDS, add_sets, check_choices
from anascore.corpus.stats import count
from anascore.corpus.validate import validate
from anascore.errors import SettingsError
from anascore.execution import track
from anascore.formats import format_for, read, to_text, write
from anascore.formats.fit import COLUMN
from anascore.formats.registry import FORMATS
from anascore.formats.source import STANDARD_INPUT
from anascore.model.document import Corpus
from anascore.output.corpus import STATS_OUTPUTS, VALIDATION_OUTPUTS, FileStats


def written(corpus: Corpus, source: str, target: str, name: str) -> CommandResult:
    """Write a corpus that was read from a source to a target, in the format of that name."""
    if target == STANDARD_INPUT:
        text, lost = to_text(corpus, name)
    else:
        text, lost = "", write(corpus, target, name)
    notes = sum((Counter(document.notes) for document in corpus.documents.values()), Counter())
    warnings = [f"{source}: {note}: {number}" for note, number in notes.items()]
    cannot = f"{target}: {FORMATS[name].label} cannot hold"
    warnings += [f"{cannot} {what}: {number}" for what, number in _grouped(lost)]
    return CommandResult(text, tuple(warnings))


def _grouped(lost: Counter[str]) -> list[tuple[str, int]]:
    """Put what is lost in order, with all columns in one line."""
    columns = sorted(what for what in lost if what.startswith(COLUMN))
    others = [(what, number) for what, number in sorted(lost.items()) if what not in columns]
    names = ", ".join(what.removeprefix(COLUMN) for what in columns)
    values = sum(lost[what] for what in columns)
    return [*others, (f"values in columns ({names})", values)] if columns else others


CONVERT_DESCRIPTION = (
    "Convert a file, or a folder of files, to another format. What that format cannot hold is "
    "named and counted in warnings."
)


def describe_convert(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument("input", metavar="IN", help=FILE)
    command.add_argument("target", metavar="OUT", help=TARGET)
    add_target_format(command)
    add_format(command, "--format", "the format of IN (default: as recognised from the content)")
    add_clusters_field(command, "of IN")


def run_convert(options: argparse.Namespace) -> CommandResult:
    """Convert what was named."""
    name = format_for(options.target, options.to)
    corpus = read(options.input, options.format, clusters_field=options.clusters_field)
    return written(corpus, options.input, options.target, name)


VALIDATE_DESCRIPTION = (
    "Find every error in files, and annotation that is legal but suspicious as warnings. The exit "
    "status is 1 if there are errors, and 0 if there are warnings only."
)


def describe_validate(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_files(command, VALIDATION_OUTPUTS)


def run_validate(options: argparse.Namespace) -> CommandResult:
    """Look through the files that were named."""
    check_standard_input(options.files)
    found = [
        validated
        for path in options.files
        for validated in validate(path, options.format, options.clusters_field)
    ]
    failed = any(validated.errors for validated in found)
    return CommandResult(VALIDATION_OUTPUTS[options.output](found), status=1 if failed else 0)


STATS_DESCRIPTION = (
    "Count documents, words, mentions, entities, accommodated sets and everything else that is "
    "annotated."
)


def describe_stats(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_files(command, STATS_OUTPUTS)
    command.add_argument(
        "--per-document", action="store_true", help="count in each document for itself, too"
    )


def run_stats(options: argparse.Namespace) -> CommandResult:
    """Count in the files that were named."""
    check_standard_input(options.files)
    described = []
    for path in options.files:
        corpus = read(path, options.format, clusters_field=options.clusters_field)
        found = track(corpus.documents.items(), f"counting in {path}: document")
        documents = {name: count(document) for name, document in found}
        unit = (
            "characters"
            if all(document.in_characters for document in corpus.documents.values())
            else "words"
        )
        described.append(FileStats(path, corpus.format, unit, documents))
    return CommandResult(
        STATS_OUTPUTS[options.output](described, per_document=options.per_document)
    )


BASELINE_DESCRIPTION = (
    "Add accommodated sets to a response that has single antecedents only, as the baselines of "
    "the paper do. Plural pronouns that begin an entity get a set of singular entities before "
    "them: two to five at random (random), or the nearest N (recent-N). oracle takes the sets of "
    "the key, and single adds none."
)


def describe_baseline(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument(
        "key",
        metavar="KEY",
        help=f"the key: {FILE}; only oracle opens it, and for other methods it need not exist",
    )
    command.add_argument("single", metavar="SINGLE", help="the response, likewise")
    command.add_argument("-o", dest="target", metavar="OUT", required=True, help=TARGET)
    command.add_argument("--method", metavar="NAME", required=True, help=METHODS)
    command.add_argument(
        "--seed",
        type=_seed,
        default=0,
        metavar="S",
        help="what random starts from, a whole number from 0 up (default: %(default)s)",
    )
    command.add_argument(
        "--pronouns",
        default=", ".join(PLURAL_PRONOUNS),
        metavar="WORDS",
        help="the plural pronouns, with commas between (default: %(default)s)",
    )
    add_target_format(command, "; else the format of SINGLE")
    add_format(command, "--format", "the format of SINGLE (default: as recognised)")
    add_format(command, "--key-format", "the format of KEY (default: as recognised)")
    add_clusters_field(command, "of SINGLE")


def _seed(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        message = f"seed is {text!r}; {SEEDS}"
        raise SettingsError(message) from None


def run_baseline(options: argparse.Namespace) -> CommandResult:
    """Add sets to the response that was named."""
    pronouns = [word.strip() for word in options.pronouns.split(",")]
    check_choices(options.method, options.seed, pronouns)
    key = None
    if options.method == "oracle":
        check_standard_input([options.key, options.single])
        key = read(options.key, options.key_format)
    single = read(options.single, options.format, clusters_field=options.clusters_field)
    name = format_for(options.target, options.to, single.format)
    if options.method != "single" and FORMATS[name].holds.sets == "no":
        message = (
            f"{FORMATS[name].label} cannot hold accommodated sets, which {options.method} adds; "
            f"name another format with --to, or by the ending of OUT"
        )
        raise SettingsError(message)
    corpus = add_sets(single, options.method, seed=options.seed, pronouns=pronouns, key=key)
    return written(corpus, options.single, options.target, name)
