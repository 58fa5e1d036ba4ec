"""The whole way from documents to scores, on one page: read this first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, NamedTuple

from anascore.execution import track
from anascore.formats.registry import FORMATS
from anascore.layers import LAYERS, Layer
from anascore.layers.requirements import (
    check_key,
    check_response,
    formats_of,
    formats_without,
    formats_without_candidates,
)
from anascore.metrics import SUCCESS
from anascore.model.document import Corpus, Document
from anascore.prepare.pairing import pair_documents
from anascore.prepare.parses import apply_parse_settings
from anascore.results import LayerResult, Result
from anascore.settings import LayerName, Settings
from anascore.tasks import Request


def evaluate(
    key: Corpus, responses: Iterable[tuple[str, Corpus]], request: Request
) -> Iterator[Result]:
    """Score responses, given with their names, against a key."""
    prepared = prepare(key, request)
    for name, response in responses:
        yield evaluate_one(prepared, name, response, request)


class PreparedKey(NamedTuple):
    """A key as it is compared with each response."""

    key: Corpus
    sides: dict[LayerName, dict[str, Any]]
    """The layers that are scored, document by document."""


def prepare(key: Corpus, request: Request) -> PreparedKey:
    """Do to a key what has to be done only once."""
    settings = request.settings
    key = prepare_key(key, request)
    keys = key.documents
    return PreparedKey(
        key, {layer: take(LAYERS[layer], keys, keys, settings) for layer in request.reported}
    )


def evaluate_one(prepared: PreparedKey, name: str, response: Corpus, request: Request) -> Result:
    """Score one response, given with its name, against a key that is prepared."""
    key, settings = prepared.key, request.settings
    documents = prepare_response(response, key, request)
    layers = {
        layer: compare_layer(
            layer, sides, take(LAYERS[layer], documents, key.documents, settings), request
        )
        for layer, sides in prepared.sides.items()
    }
    notes = (
        *notes_on_zeros(key, response, settings),
        *notes_on_formats(key, response, layers),
        *notes_on_anaphors(layers, settings),
    )
    return Result(name, settings.signature(key.format, response.format), layers, notes)


def prepare_key(key: Corpus, request: Request) -> Corpus:
    """Bring the documents of a key into the form that is scored, if it has what is needed."""
    key = replace(key, documents=adapted(key.documents, key.documents, request.settings))
    check_key(key, request)
    return key


def prepare_response(response: Corpus, key: Corpus, request: Request) -> dict[str, Document | None]:
    """Return the response's document for each of a key that is prepared, likewise."""
    check_response(response, request)
    paired = pair_documents(key, response, request.settings)
    return adapted(paired, key.documents, request.settings)


def adapted(
    documents: Mapping[str, Document | None], keys: Mapping[str, Document], settings: Settings
) -> dict[str, Any]:
    """Do to documents what the settings ask for and parses are needed for."""
    return {
        name: document and apply_parse_settings(document, keys[name], settings)
        for name, document in documents.items()
    }


def take(
    layer: Layer[Any],
    documents: Mapping[str, Document | None],
    keys: Mapping[str, Document],
    settings: Settings,
) -> dict[str, Any]:
    """Take a layer from each document, in the form in which it is compared."""
    return {
        name: layer.missing if document is None else layer.take(document, keys[name], settings)
        for name, document in documents.items()
    }


def compare_layer(
    layer: LayerName, key: Mapping[str, Any], response: Mapping[str, Any], request: Request
) -> LayerResult:
    """Compare a layer, document by document."""
    reported = request.reported[layer]
    count = LAYERS[layer].count
    return LayerResult(
        layer,
        reported,
        {
            name: count(side, response[name], reported, request.settings)
            for name, side in track(key.items(), f"scoring {LAYERS[layer].label}: document")
        },
        notes_on(key.values(), response.values()),
        {name: notes_on([side], [response[name]]) for name, side in key.items()},
    )


def notes_on(key: Iterable[Any], response: Iterable[Any]) -> tuple[str, ...]:
    """Say what was done to documents that can change a score, and how often."""
    counts: Counter[tuple[str, str]] = Counter()
    for name, sides in (("key", key), ("response", response)):
        for side in sides:
            counts.update({(name, note): count for note, count in side.notes.items()})
    return tuple(f"{name}: {note}: {count}" for (name, note), count in counts.items() if count)


def notes_on_documents(
    layer: LayerName,
    names: Iterable[str],
    keys: Mapping[str, Document],
    responses: Mapping[str, Document | None],
    settings: Settings,
) -> tuple[str, ...]:
    """Say the same of a layer of some documents that are prepared, but not scored."""
    sides = (
        take(LAYERS[layer], {name: documents[name] for name in names}, keys, settings).values()
        for documents in (keys, responses)
    )
    return notes_on(*sides)


def notes_on_zeros(key: Corpus, response: Corpus, settings: Settings) -> Iterator[str]:
    """Say that only one side has zeros, so that no mention with a zero can match."""
    if settings.zeros == "drop":
        return
    sides = {"key": key, "response": response}
    without = [
        name
        for name, corpus in sides.items()
        if not any(document.zeros for document in corpus.documents.values())
    ]
    for name, corpus in sides.items():
        documents = corpus.documents.values()
        mentions = (m for d in documents for entity in d.entities for m in entity.mentions)
        if name not in without and without and (number := sum(bool(m.zeros) for m in mentions)):
            hint = "" if settings.task else "; --zeros drop leaves zeros out"
            yield f"{name}: mentions with zeros, and the {without[0]} has none: {number}{hint}"


def notes_on_formats(
    key: Corpus, response: Corpus, layers: Mapping[LayerName, LayerResult]
) -> Iterator[str]:
    """Say that a format cannot hold a layer that there is something of.

    A folder can have several formats, so that the note names the one that cannot.
    """
    for layer, result in layers.items():
        if not result.annotated:
            continue
        only_ranked = {*result.reported} <= {*SUCCESS}
        for name, corpus in (("key", key), ("response", response)):
            for named in () if only_ranked else _named(formats_without(corpus, layer), corpus):
                yield f"{name}: {named} cannot hold the layer {layer}, which is empty there"
        if {*result.reported} & {*SUCCESS}:
            for named in _named(formats_without_candidates(response), response):
                yield f"response: {named} cannot hold ranked antecedents, which are missing there"


def _named(formats: Iterable[str], corpus: Corpus) -> Iterator[str]:
    """Name formats of a corpus; the only one of a corpus needs no name."""
    several = len(formats_of(corpus)) > 1
    return (f"its format {FORMATS[name].label}" if several else "its format" for name in formats)


def notes_on_anaphors(layers: Mapping[LayerName, LayerResult], settings: Settings) -> Iterator[str]:
    """Say that no mention is in the class whose anaphors are scored."""
    for layer, result in layers.items():
        row = result.total.scores.get("anaphors")
        if row and row[0].f1 is None:
            yield f"{layer}: no anaphor is {settings.anaphors}, neither in key nor response"
