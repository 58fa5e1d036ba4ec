"""`anascore report`: a page to look at."""

from __future__ import annotations

import argparse
import shlex
from dataclasses import replace
from pathlib import Path
from typing import get_args

from anascore.commands.compared import (
    add_key_and_responses,
    add_reading,
    labels,
    read_key,
    read_response,
)
from anascore.commands.options import check_standard_input
from anascore.commands.outcome import Outcome
from anascore.commands.score import add_samples, samples_of
from anascore.commands.setting_options import add_settings, settings_of
from anascore.errors import SettingsError
from anascore.files import write_file
from anascore.formats.source import STANDARD_INPUT
from anascore.page import render_page
from anascore.page.gathered import Gathered, compared_by, gather
from anascore.progress import doing
from anascore.report.view import View
from anascore.request import Request, request
from anascore.settings import BREAKDOWNS
from anascore.uncertainty import Paired, Resampling, resample

DESCRIPTION = (
    "Write one HTML page that shows how responses compare with the key: scores with their "
    "uncertainty, scores by class, errors by type, and the texts with all mentions marked."
)


def describe(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_key_and_responses(command)
    command.add_argument(
        "-o", dest="target", metavar="OUT", required=True, help="the file to write, in HTML"
    )
    command.add_argument(
        "--documents",
        metavar="WHICH",
        default="all",
        help="the documents whose texts are shown: all, the first N, worst:N for those with the "
        "lowest scores, or names with commas between (default: %(default)s)",
    )
    command.add_argument(
        "--metrics",
        metavar="NAMES",
        help="what to report, with commas between (default: those that the layers have)",
    )
    add_reading(command)
    add_settings(command.add_argument_group("settings, which can change a number"))
    group = command.add_argument_group("uncertainty, by resampling documents")
    group.add_argument(
        "--paired",
        choices=get_args(Paired),
        default="bootstrap",
        help="how the difference of each response to the first is tested (default: %(default)s)",
    )
    add_samples(group)


def run(options: argparse.Namespace) -> Outcome:
    """Write the page."""
    asked = request(options.metrics, **settings_of(options))
    _check(options, asked)
    if not asked.settings.by:
        asked = asked._replace(settings=replace(asked.settings, by=BREAKDOWNS))
    several = len(options.responses) > 1
    how = Resampling(
        confidence=True, paired=options.paired if several else None, **samples_of(options)
    )
    responses = [
        (label, read_response(options, path))
        for label, path in zip(labels(options.responses), options.responses, strict=True)
    ]
    prepared, systems = gather(read_key(options), responses, asked, options.documents)
    results = resample([system.result for system in systems], how)
    page = Gathered(
        prepared,
        [replace(system, result=result) for system, result in zip(systems, results, strict=True)],
        View(per_document=True),
        compared_by(results),
        _command(options),
    )
    doing(f"writing {options.target}")
    write_file(options.target, render_page(page))
    return Outcome(f"Now open {options.target} in a browser.\n")


def _check(options: argparse.Namespace, asked: Request) -> None:
    """Refuse what cannot be shown on a page."""
    check_standard_input([options.key, *options.responses])
    if asked.settings.layers[0] != "identity":
        task = asked.settings.task
        instead = "name it first with --layers, like --layers identity,bridging"
        message = f"a page is about identity first; {f'{task} is not' if task else instead}"
        raise SettingsError(message)
    inputs = [path for path in (options.key, *options.responses) if Path(path).exists()]
    if any(Path(path).resolve() == Path(options.target).resolve() for path in inputs):
        message = f"-o {options.target}: this is one of the files to read; name another"
        raise SettingsError(message)
    if options.target == STANDARD_INPUT:
        message = "a page is written to a file; name one with -o"
        raise SettingsError(message)


def _command(options: argparse.Namespace) -> str:
    """Write the command that makes the same page."""
    return shlex.join(["anascore", *options.given])
