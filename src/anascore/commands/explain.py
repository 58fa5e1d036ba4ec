"""`anascore explain`: the working behind a score."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from anascore.commands.options import (
    FILE,
    add_clusters_field,
    add_format,
    add_output,
    check_standard_input,
)
from anascore.commands.outcome import Outcome
from anascore.commands.setting_options import add_settings, settings_of
from anascore.errors import SettingsError
from anascore.explanation import Explained, about, explain
from anascore.formats import read
from anascore.metrics import METRICS, choose
from anascore.model import Corpus
from anascore.pipeline import prepare_key, prepare_response
from anascore.report.explanation import explanation_to_json, render_explanation
from anascore.request import Request, request

DESCRIPTION = (
    "Show the working behind a score, in the notation of the paper and with exact fractions: the "
    "entities, which accommodated set is aligned with which and what it earns, and what each "
    "entity adds to recall and precision."
)


def describe(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    command.add_argument("key", metavar="KEY", help=f"the key: {FILE}")
    command.add_argument("response", metavar="RESPONSE", help="the response, likewise")
    command.add_argument("--doc", metavar="ID", help="this document only")
    command.add_argument(
        "--metric",
        metavar="NAMES",
        default=",".join(METRICS),
        help=f"these metrics only, with commas between: {', '.join(METRICS)}",
    )
    command.add_argument(
        "--entity", metavar="ID", help="this entity only, by its label (K3, R1) or its id"
    )
    add_format(command, "--format", "the format of key and response")
    add_format(command, "--key-format", "the format of the key, if it is another")
    add_format(command, "--response-format", "the format of the response, if it is another")
    add_clusters_field(command, "of the response")
    group = command.add_argument_group("settings, which can change a number")
    add_settings(group, without={"layers", "anaphors"})
    add_output(command, ("table", "json"))


def run(options: argparse.Namespace) -> Outcome:
    """Explain the documents that were named."""
    asked = request(**settings_of(options))
    metrics = _metrics(options.metric)
    if asked.settings.layers != ("identity",):
        task = asked.settings.task
        message = f"explain works on the layer identity, and the task {task} scores others"
        raise SettingsError(message)
    check_standard_input([options.key, options.response])
    key = read(options.key, options.key_format or options.format)
    response = read(
        options.response,
        options.response_format or options.format,
        clusters_field=options.clusters_field,
    )
    documents = list(_documents(key, response, options.doc, metrics, asked))
    if options.entity:
        documents = [about(document, options.entity) for document in documents]
        documents = [d for d in documents if d.key or d.response]
        if not documents:
            message = f"--entity {options.entity}: no entity has this label or id"
            raise SettingsError(message)
    render = explanation_to_json if options.output == "json" else render_explanation
    return Outcome(render(documents, asked.settings.signature(key.format, response.format)))


def _metrics(names: str) -> list[str]:
    """Check the names of metrics; means and other scores have no working of their own."""
    chosen = choose(names)
    for name in chosen:
        if name not in METRICS:
            message = f"--metric {name}: only {', '.join(METRICS)} can be explained"
            raise SettingsError(message)
    return [name for name in METRICS if name in chosen]


def _documents(
    key: Corpus, response: Corpus, name: str | None, metrics: list[str], asked: Request
) -> Iterator[Explained]:
    prepared = prepare_key(key, asked.settings)
    keys, responses = prepared.documents, prepare_response(response, prepared, asked)
    if name is not None and name not in keys:
        message = f"--doc {name}: the key has no such document; it has {', '.join(keys)}"
        raise SettingsError(message)
    for document in keys if name is None else [name]:
        other = responses[document]
        if other is not None:
            yield explain(keys[document], other, metrics, asked.settings)
