"""From two corpora to scores, on one page. Read this first.

A key is prepared once. Each document of a response is paired with the key's, every requested layer
of the pair is counted, and the counts of all documents make a `Result`. A document with errors is
left out if it is the key's, and empty if it is the response's.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from anascore.execution import track
from anascore.formats.registry import FORMATS
from anascore.layers import LAYERS
from anascore.layers.counts import LayerCounts
from anascore.layers.pair import DocumentPair
from anascore.layers.requirements import (
    check_key,
    check_response,
    formats_of,
    formats_without,
    formats_without_candidates,
)
from anascore.metrics import RANKED
from anascore.model.document import Corpus
from anascore.prepare.document import PreparedDocument
from anascore.prepare.pairing import (
    empty_bad_documents,
    leave_out_bad_documents,
    pair_documents,
    skipped_documents,
)
from anascore.prepare.parses import apply_parse_settings, parsed_key
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
    """A key that is ready to be compared with any number of responses."""

    corpus: Corpus
    documents: dict[str, PreparedDocument]
    original: Corpus
    """The key as it was read, with the documents that have errors."""


def prepare(key: Corpus, request: Request) -> PreparedKey:
    """Prepare a key: check that it has what the settings need, and extract the layers."""
    settings = request.settings
    original, key = key, leave_out_bad_documents(key)
    key = parsed_key(key, settings)
    check_key(key, request)
    prepared = {
        name: PreparedDocument(document, document, settings)
        for name, document in key.documents.items()
    }
    for document in prepared.values():
        for layer in request.reported:
            # Extracted now, the layers are shared by processes that are forked later.
            LAYERS[layer].notes(document)
    return PreparedKey(key, prepared, original)


def prepare_response(prepared: PreparedKey, response: Corpus, request: Request) -> Corpus:
    """Prepare a response: resolve bad documents, and check that it has what the settings need."""
    response = empty_bad_documents(prepared.original, response, request.settings)
    check_response(response, request)
    return response


def compare_documents(
    prepared: PreparedKey, response: Corpus, request: Request
) -> Iterator[DocumentPair]:
    """Yield the documents of a key, each paired with that of a prepared response."""
    settings = request.settings
    paired = pair_documents(prepared.corpus, response, settings)
    for name, key in prepared.documents.items():
        document = paired[name]
        if document is not None:
            document = apply_parse_settings(document, key.key, settings)
        yield DocumentPair(key, PreparedDocument(document, key.key, settings), settings)


def evaluate_one(prepared: PreparedKey, name: str, response: Corpus, request: Request) -> Result:
    """Score one response, given with its name, against a prepared key.

    The comparison of a document is dropped as soon as it is counted.
    """
    response = prepare_response(prepared, response, request)
    return count_documents(
        prepared, name, response, compare_documents(prepared, response, request), request
    )


def count_documents(
    prepared: PreparedKey,
    name: str,
    response: Corpus,
    pairs: Iterable[DocumentPair],
    request: Request,
) -> Result:
    """Count all requested layers of the documents of a prepared response."""
    counts: dict[LayerName, dict[str, LayerCounts]] = {layer: {} for layer in request.reported}
    notes: dict[LayerName, dict[str, SideNotes]] = {layer: {} for layer in request.reported}
    names = track(prepared.documents, "scoring document")
    for document, pair in zip(names, pairs, strict=True):
        for layer, reported in request.reported.items():
            counts[layer][document] = LAYERS[layer].count(pair, reported)
            notes[layer][document] = side_notes(layer, pair)
    layers = {
        layer: LayerResult(
            layer,
            reported,
            counts[layer],
            notes_on(notes[layer].values()),
            {document: notes_on([sides]) for document, sides in notes[layer].items()},
        )
        for layer, reported in request.reported.items()
    }
    key, settings = prepared.corpus, request.settings
    corpus_notes = (
        *notes_on_zeros(key, response, settings),
        *notes_on_formats(key, response, layers),
        *notes_on_anaphors(layers, settings),
    )
    skipped = skipped_documents(prepared.original, response)
    signature = settings.signature(key.format, response.format, len(skipped))
    return Result(name, signature, layers, corpus_notes, skipped=skipped)


class SideNotes(NamedTuple):
    """Notes on one document that can change a score, each with a number."""

    key: Mapping[str, int]
    response: Mapping[str, int]


def side_notes(layer: LayerName, pair: DocumentPair) -> SideNotes:
    """Return the notes on a layer of one document."""
    return SideNotes(LAYERS[layer].notes(pair.key), LAYERS[layer].notes(pair.response))


def notes_on(documents: Iterable[SideNotes]) -> tuple[str, ...]:
    """Add up the notes on documents, those on the key first."""
    listed = list(documents)
    counts: Counter[tuple[str, str]] = Counter()
    for side in SideNotes._fields:
        for document in listed:
            notes: Mapping[str, int] = getattr(document, side)
            counts.update({(side, note): number for note, number in notes.items()})
    return tuple(f"{side}: {note}: {number}" for (side, note), number in counts.items() if number)


def notes_on_zeros(key: Corpus, response: Corpus, settings: Settings) -> Iterator[str]:
    """Yield a note if only one side has zeros, so that no mention with a zero can match."""
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
    """Yield a note if a format cannot hold a layer that the other side has.

    A folder can have several formats, so that the note names the one that cannot.
    """
    for layer, result in layers.items():
        if not result.annotated:
            continue
        only_ranked = {*result.reported} <= RANKED
        for name, corpus in (("key", key), ("response", response)):
            for named in () if only_ranked else _named(formats_without(corpus, layer), corpus):
                yield f"{name}: {named} cannot hold the layer {layer}, which is empty there"
        if {*result.reported} & RANKED:
            for named in _named(formats_without_candidates(response), response):
                yield f"response: {named} cannot hold ranked antecedents, which are missing there"


def _named(formats: Iterable[str], corpus: Corpus) -> Iterator[str]:
    """Yield the names of formats; the only format of a corpus needs none."""
    several = len(formats_of(corpus)) > 1
    return (f"its format {FORMATS[name].label}" if several else "its format" for name in formats)


def notes_on_anaphors(layers: Mapping[LayerName, LayerResult], settings: Settings) -> Iterator[str]:
    """Yield a note if no mention is in the class of anaphors that is scored."""
    for layer, result in layers.items():
        row = result.total.scores.get("anaphors")
        if row and row[0].f1 is None:
            yield f"{layer}: no anaphor is {settings.anaphors}, neither in key nor response"
