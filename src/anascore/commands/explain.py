"""`anascore explain`: the working behind a score."""

from __future__ import annotations

import argparse

from anascore.commands.options import add_output
from anascore.commands.outcome import Outcome
from anascore.commands.pair import add_pair, read_pair
from anascore.errors import SettingsError
from anascore.explanation import about, explain
from anascore.metrics import METRICS, choose
from anascore.progress import each
from anascore.report.explanation import explanation_to_json, render_explanation

DESCRIPTION = (
    "Show the working behind a score, in the notation of the paper and with exact fractions: the "
    "entities, which accommodated set is aligned with which and what it earns, and what each "
    "entity adds to recall and precision."
)


def describe(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    add_pair(command)
    command.add_argument(
        "--metric",
        metavar="NAMES",
        default=",".join(METRICS),
        help=f"these metrics only, with commas between: {', '.join(METRICS)}",
    )
    command.add_argument(
        "--entity", metavar="ID", help="this entity only, by its label (K3, R1) or its id"
    )
    add_output(command, ("table", "json"))


def run(options: argparse.Namespace) -> Outcome:
    """Explain the documents that were named."""
    metrics = _metrics(options.metric)
    pair = read_pair(options, "explain")
    documents = [
        explain(key, response, metrics, pair.request.settings)
        for key, response in each(pair.documents, "explaining document")
    ]
    if options.entity:
        documents = [about(document, options.entity) for document in documents]
        documents = [d for d in documents if d.key or d.response]
        if not documents:
            message = f"--entity {options.entity}: no entity has this label or id"
            raise SettingsError(message)
    render = explanation_to_json if options.output == "json" else render_explanation
    return Outcome(render(documents, pair.signature, pair.warnings))


def _metrics(names: str) -> list[str]:
    """Check the names of metrics; means and other scores have no working of their own."""
    chosen = choose(names)
    for name in chosen:
        if name not in METRICS:
            message = f"--metric {name}: only {', '.join(METRICS)} can be explained"
            raise SettingsError(message)
    return [name for name in METRICS if name in chosen]
