"""A key and one response, for commands that look at single documents."""

from __future__ import annotations

import argparse
from typing import NamedTuple

from anascore.cli.options import (
    add_key_and_response,
    add_reading,
    add_settings,
    check_standard_input,
    read_key,
    read_response,
    settings_of,
)
from anascore.errors import SettingsError
from anascore.model.document import Document
from anascore.pipeline import notes_on_documents, notes_on_zeros, prepare_key, prepare_response
from anascore.prepare.pairing import listing
from anascore.tasks import Request, request


class Pair(NamedTuple):
    """The documents of a key and a response, and how they are compared."""

    request: Request
    signature: str
    name: str
    """What the response is called."""

    documents: list[tuple[Document, Document | None]]
    """Key and response; the latter can lack one, if it may."""

    warnings: tuple[str, ...]
    """What was done to the documents before they were compared, and can change a score."""


def add_pair(command: argparse.ArgumentParser) -> None:
    """Describe the arguments that name key and response, and the settings."""
    add_key_and_response(command)
    command.add_argument("--doc", metavar="ID", help="this document only")
    add_reading(command)
    group = command.add_argument_group("settings, which can change a number")
    add_settings(group, without={"layers", "anaphors", "by"})


def read_pair(options: argparse.Namespace, command: str) -> Pair:
    """Read key and response, and pair their documents."""
    asked = request(**settings_of(options))
    if asked.settings.layers != ("identity",):
        task = asked.settings.task
        message = f"{command} works on the layer identity, and the task {task} scores others"
        raise SettingsError(message)
    check_standard_input([options.key, options.response])
    key, response = read_key(options), read_response(options, options.response)
    prepared = prepare_key(key, asked)
    keys, responses = prepared.documents, prepare_response(response, prepared, asked)
    if options.doc is not None and options.doc not in keys:
        message = f"--doc {options.doc}: the key has no such document; it has {listing([*keys])}"
        raise SettingsError(message)
    names = list(keys) if options.doc is None else [options.doc]
    return Pair(
        asked,
        asked.settings.signature(key.format, response.format),
        response.name,
        [(keys[name], responses[name]) for name in names],
        (
            *notes_on_documents("identity", names, keys, responses, asked.settings),
            *notes_on_zeros(key, response, asked.settings),
        ),
    )
