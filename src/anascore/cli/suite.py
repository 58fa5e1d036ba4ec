"""The command `suite`."""

from __future__ import annotations

import argparse
from typing import get_args

from anascore.api import suite
from anascore.cli.main import CommandResult
from anascore.cli.options import (
    add_reading,
    add_report,
    add_result_output,
    add_settings,
    check_target,
    jobs,
    keywords_of,
    layout_of,
    open_hint,
    split_name,
)
from anascore.cli.score import add_samples, samples_of
from anascore.errors import SettingsError
from anascore.results.uncertainty import Paired
from anascore.suites import CRAC_VARIANTS, by_unique_name

SUITE_DESCRIPTION = (
    "Score systems on several datasets, with several variants of the settings, as the CRAC shared "
    "tasks do: macro-averages over datasets, differences and paired tests, and rank clusters."
)


def describe_suite(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument(
        "keys", metavar="KEYS", help="folder of the keys, with one file or folder per dataset"
    )
    command.add_argument(
        "systems",
        metavar="SYSTEM",
        nargs="+",
        help="a folder with the responses of a system, under the same names as the keys; "
        "NAME=SYSTEM names the system",
    )
    command.add_argument(
        "--variants",
        metavar="VARIANT",
        action="append",
        help=f"variant of the settings (repeatable): name:key=value,key=value with any settings, "
        f"like strict:match=exact; or CRAC variants, comma-separated: {', '.join(CRAC_VARIANTS)} "
        f"(default: all of these); the first variant ranks the systems",
    )
    command.add_argument(
        "--metrics",
        metavar="NAMES",
        help="scores to report, comma-separated (default: those of CRAC for its variants, "
        "otherwise the usual ones)",
    )
    reading = add_reading(command)
    reading.add_argument(
        "--jobs",
        type=jobs,
        metavar="N",
        default=1,
        help="number of parallel processes for the datasets; auto uses all cores; results do not "
        "change (default: %(default)s)",
    )
    add_settings(command.add_argument_group("settings of all variants (these can change scores)"))
    output = command.add_argument_group("output")
    add_result_output(output)
    add_report(output)
    group = command.add_argument_group("uncertainty (resampling of documents within datasets)")
    group.add_argument(
        "--confidence",
        action="store_true",
        help="report 95%% confidence intervals of the macro-averages (bootstrap)",
    )
    group.add_argument(
        "--paired",
        choices=get_args(Paired),
        default="bootstrap",
        help="paired test of the differences between systems (default: %(default)s)",
    )
    add_samples(group)


def run_suite(options: argparse.Namespace) -> CommandResult:
    """Score the given systems."""
    systems = by_unique_name(map(split_name, options.systems))
    samples = samples_of(options)
    if samples and not options.confidence and len(systems) == 1:
        message = f"--{next(iter(samples))} needs --confidence, or several systems to test"
        raise SettingsError(message)
    if options.report is not None:
        check_target("--report", options.report, [])
    layout = layout_of(options)
    result = suite(
        options.keys,
        systems,
        variants=options.variants,
        metrics=options.metrics,
        confidence=options.confidence,
        paired=options.paired,
        jobs=options.jobs,
        report=options.report,
        **samples,
        **keywords_of(options),
    )
    warnings = result.warnings if options.output == "csv" else ()
    text = result.render(options.output, **layout)
    return CommandResult(text + open_hint(options), warnings)
