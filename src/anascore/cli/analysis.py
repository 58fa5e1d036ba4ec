"""The commands `explain`, `errors` and `report`."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import replace
from typing import get_args

from anascore.analysis.errors import ERROR_TYPES, EXAMPLES, choose_types
from anascore.api import explain, find_errors, report
from anascore.cli.main import CommandResult
from anascore.cli.options import (
    MAX_DIGITS,
    add_key_and_response,
    add_key_and_responses,
    add_metrics,
    add_reading,
    add_result_output,
    add_settings,
    check_standard_input,
    check_target,
    keywords_of,
    layout_of,
    named_responses,
    paths_of,
    split_name,
)
from anascore.cli.score import add_samples, samples_of
from anascore.errors import SettingsError
from anascore.formats.files import is_stream
from anascore.metrics.scores import METRICS
from anascore.output.text import paragraphs_to_text
from anascore.output.view import group_warnings
from anascore.results.uncertainty import Paired


def add_analysis(command: argparse.ArgumentParser) -> None:
    """Add the options that choose a document, and the settings."""
    command.add_argument("--doc", metavar="ID", help="use only this document")
    add_reading(command)
    group = command.add_argument_group("settings (these can change scores)")
    add_settings(group, without={"layers", "anaphors", "by"})


EXPLAIN_DESCRIPTION = (
    "Show how a score is computed, in the notation of the paper: recall and precision, the "
    "alignment of accommodated sets and their credit, and the share of each entity. If there are "
    "several documents, only the one with the lowest score is shown. JSON has all of them, with "
    "exact fractions."
)


def describe_explain(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_key_and_response(command)
    add_analysis(command)
    add_metrics(
        command, f"metrics to explain, comma-separated: {', '.join(METRICS)} (default: all)"
    )
    command.add_argument(
        "--entity", metavar="ID", help="explain only this entity, by label (K3, R1) or id"
    )
    command.add_argument(
        "--all",
        action="store_true",
        help="show all documents, not only the one with the lowest score, and all entities, not "
        "only those that lose most",
    )
    add_result_output(command)


def run_explain(options: argparse.Namespace) -> CommandResult:
    """Explain the requested documents."""
    name, path = split_name(options.response)
    layout = layout_of(options)
    check_standard_input([options.key, path])
    explained = explain(
        options.key,
        path,
        metrics=options.metrics,
        document=options.doc,
        entity=options.entity,
        **keywords_of(options),
    )
    explained = replace(explained, system=name or explained.system)
    return CommandResult(explained.render(options.output, full=options.all, **layout))


ERRORS_DESCRIPTION = (
    "Count and list the errors of responses by type, and show the scores with all errors of a type "
    "corrected. Several responses are compared with the first one."
)


def describe_errors(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_key_and_responses(command)
    add_analysis(command)
    command.add_argument(
        "--type",
        metavar="NAMES",
        default=",".join(ERROR_TYPES),
        help=f"error types to list, comma-separated: {', '.join(ERROR_TYPES)} (default: all)",
    )
    command.add_argument(
        "--examples",
        metavar="N",
        help=f"number of errors of each type to list below the table, or all (default: {EXAMPLES}, "
        f"or 0 for several responses); json and csv list all",
    )
    add_result_output(command)


def run_errors(options: argparse.Namespace) -> CommandResult:
    """Find the errors of the given responses."""
    types = choose_types(options.type)
    view = layout_of(options)
    if options.examples is not None:
        view["examples"] = _examples(options.examples)
    responses = named_responses(options.responses)
    check_standard_input([options.key, *paths_of(responses)])
    comparison = find_errors(options.key, responses, document=options.doc, **keywords_of(options))
    errors = comparison if len(comparison) > 1 else comparison[0]
    text = errors.render(options.output, types=types, **view)
    if options.output != "csv":
        return CommandResult(text)
    warnings = comparison[0].warnings
    if len(comparison) > 1:
        warnings = tuple(group_warnings([(one.system, one.warnings) for one in comparison]))
    return CommandResult(text, warnings)


def _examples(number: str) -> int | None:
    if number == "all":
        return None
    if not (number.isdecimal() and len(number) <= MAX_DIGITS):
        message = f"--examples {number[:MAX_DIGITS]}: give a number from 0 up, or all"
        raise SettingsError(message)
    return int(number)


REPORT_DESCRIPTION = (
    "Write an HTML page that compares responses with the key: scores with confidence intervals and "
    "significance tests, scores by class, errors by type, and the texts with all mentions marked."
)


def describe_report(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_key_and_responses(command)
    command.add_argument(
        "-o", dest="target", metavar="OUT", required=True, help="HTML file to write"
    )
    command.add_argument(
        "--documents",
        metavar="WHICH",
        default="all",
        help="documents whose text is shown: all, N for the first N, worst:N for the N with the "
        "lowest scores, or names, comma-separated (default: %(default)s)",
    )
    add_metrics(
        command, "scores to report, comma-separated (default: all that apply to the layers)"
    )
    add_reading(command)
    add_settings(command.add_argument_group("settings (these can change scores)"))
    group = command.add_argument_group("uncertainty (resampling of documents)")
    group.add_argument(
        "--paired",
        choices=get_args(Paired),
        default="bootstrap",
        help="paired test of each response against the first (default: %(default)s)",
    )
    add_samples(group)


def run_report(options: argparse.Namespace) -> CommandResult:
    """Write the report."""
    responses = named_responses(options.responses)
    check_standard_input([options.key, *paths_of(responses)])
    check_target("-o", options.target, [options.key, *paths_of(responses)])
    report(
        options.key,
        responses,
        options.target,
        metrics=options.metrics,
        documents=options.documents,
        paired=options.paired,
        command=shlex.join(["anascore", *options.given]),
        **samples_of(options),
        **keywords_of(options),
    )
    if is_stream(options.target):
        return CommandResult("")
    return CommandResult(paragraphs_to_text([[f"Now open {options.target} in a browser."]]))
