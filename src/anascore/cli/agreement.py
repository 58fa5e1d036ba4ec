"""The command `agreement`."""

from __future__ import annotations

import argparse
from dataclasses import fields

from anascore.analysis.agreement import AGREEMENT_SETTINGS
from anascore.analysis.alpha import ALPHA_CHOICES, AlphaOptions
from anascore.api import agreement
from anascore.cli.main import CommandResult
from anascore.cli.options import (
    FILE,
    INPUT_FORMAT,
    add_format,
    add_metrics,
    add_read_options,
    add_report,
    add_result_output,
    add_settings,
    check_standard_input,
    check_target,
    layout_of,
    named_responses,
    open_hint,
    paths_of,
    read_options,
    settings_of,
)
from anascore.cli.score import add_samples, samples_of
from anascore.errors import SettingsError
from anascore.settings import Settings

AGREEMENT_DESCRIPTION = (
    "Measure the agreement among two or more annotators of the same texts, none of whom is the "
    "key: F1 of each pair, Krippendorff's alpha on chains and on split antecedents, and agreement "
    "on categories with kappa. Mentions match exactly."
)

ALPHA_HELP = {
    "distance": "distance function of alpha",
    "items": "items of alpha: mentions marked by two or more annotators (shared), or by all of "
    "them (common)",
}
"""Help texts of the options of alpha."""


def describe_agreement(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument(
        "annotations",
        metavar="ANNOTATION",
        nargs="+",
        help=f"the annotation of one annotator: {FILE}; NAME=ANNOTATION names the annotator "
        f"(default: the name of the file)",
    )
    add_metrics(
        command, "scores to report, comma-separated (default: all that apply to the layers)"
    )
    group = command.add_argument_group("Krippendorff's alpha on chains")
    for name, choices in ALPHA_CHOICES.items():
        group.add_argument(
            f"--{name}",
            choices=choices,
            default=getattr(AlphaOptions(), name),
            help=f"{ALPHA_HELP[name]} (default: %(default)s)",
        )
    reading = command.add_argument_group("reading")
    add_format(reading, "--format", INPUT_FORMAT)
    add_read_options(reading, "of the annotators")
    add_settings(
        command.add_argument_group("settings (these can change scores)"),
        without={field.name for field in fields(Settings)} - AGREEMENT_SETTINGS,
    )
    output = command.add_argument_group("output")
    output.add_argument(
        "--disagreements",
        action="store_true",
        help="list the disagreements, for adjudication, instead of the figures",
    )
    output.add_argument(
        "--per-document", action="store_true", help="also report the agreement on each document"
    )
    add_result_output(output)
    add_report(output)
    resampling = command.add_argument_group("uncertainty (resampling of documents)")
    resampling.add_argument(
        "--confidence",
        action="store_true",
        help="report 95%% confidence intervals (bootstrap over documents)",
    )
    add_samples(resampling)


def run_agreement(options: argparse.Namespace) -> CommandResult:
    """Measure agreement among the given annotators."""
    samples = samples_of(options)
    if samples and not options.confidence:
        message = f"--{next(iter(samples))} needs --confidence; add it"
        raise SettingsError(message)
    layout = layout_of(options)
    annotations = named_responses(options.annotations)
    check_standard_input(paths_of(annotations))
    if options.report is not None:
        check_target("--report", options.report, paths_of(annotations))
    result = agreement(
        annotations,
        metrics=options.metrics,
        confidence=options.confidence,
        disagreements=options.disagreements,
        report=options.report,
        **{name: getattr(options, name) for name in ALPHA_CHOICES},
        **samples,
        format=options.format,
        **settings_of(options),
        **read_options(options),
    )
    warnings = result.warnings if options.disagreements or options.output == "csv" else ()
    if options.disagreements:
        return CommandResult(result.render_disagreements(options.output, **layout), warnings)
    text = result.render(options.output, per_document=options.per_document, **layout)
    return CommandResult(text + open_hint(options), warnings)
