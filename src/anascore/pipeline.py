"""From two corpora to scores, on one page. Read this first.

A key is prepared once. Each document of a response is paired with the key's, every requested layer
of the pair is counted, and the counts of all documents make a `Result`. A document with errors is
left out if it is the key's, and empty if it is the response's.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from anascore.execution import for_each, track
from anascore.formats import CorpusFile
from anascore.formats.source import STANDARD_INPUT
from anascore.layers import LAYERS
from anascore.layers.counts import DocumentCounts, LayerCounts, SideNotes, count_zeros
from anascore.layers.pair import DocumentPair
from anascore.layers.plain import PlainCounter
from anascore.layers.requirements import (
    Annotation,
    annotation_of,
    check_key,
    check_response,
    request_for,
)
from anascore.layers.windows import LOST_SETS
from anascore.model.document import Corpus, Document
from anascore.prepare.document import PreparedDocument
from anascore.prepare.heads import with_key_heads
from anascore.prepare.joining import (
    NOT_JOINED,
    check_ids,
    groups_of,
    is_alone,
    join_key,
    join_response,
)
from anascore.prepare.pairing import (
    check_some_are_good,
    empty_bad_documents,
    leave_out_bad_documents,
    leave_out_notes_on_responses,
    pair_documents,
    skipped_documents,
)
from anascore.prepare.parses import apply_parse_settings, parsed_key
from anascore.prepare.selection import leave_out_unselected, select_documents
from anascore.results import Result
from anascore.settings import ENTITY_LAYERS, LayerName, Settings
from anascore.tasks import Request


def evaluate(
    key: Corpus, responses: Iterable[tuple[str, Corpus]], request: Request
) -> Iterator[Result]:
    """Score responses, given with their names, against a key."""
    prepared = prepare(key, request)
    for name, response in responses:
        yield evaluate_one(prepared, name, response, request)


BYTES_PER_WORD = 64
"""Estimated size of a word of a corpus in memory, which has no size in bytes."""


def score_whole(
    key: Corpus | CorpusFile,
    responses: Sequence[tuple[str, Corpus | CorpusFile]],
    request: Request,
    jobs: int = 1,
) -> list[Result]:
    """Score responses; several of them in parallel, or the files of a folder for a single one.

    Only this process has standard input.
    """
    in_parallel = can_be_parallel(responses)
    jobs_of_reading = 1 if in_parallel else jobs
    prepared = prepare(whole_corpus(key, jobs), request)

    def result(response: tuple[str, Corpus | CorpusFile]) -> Result:
        name, source = response
        return evaluate_one(prepared, name, whole_corpus(source, jobs_of_reading), request)

    return list(for_each(result, responses, jobs if in_parallel else 1))


def can_be_parallel(responses: Sequence[tuple[str, Corpus | CorpusFile]]) -> bool:
    """Return True if there are several responses, and none of them is standard input."""
    return len(responses) > 1 and not any(
        isinstance(source, CorpusFile) and source.path == STANDARD_INPUT for _, source in responses
    )


def whole_corpus(source: Corpus | CorpusFile, jobs: int = 1) -> Corpus:
    """Return a corpus, which may have to be read first."""
    return source if isinstance(source, Corpus) else source.read(jobs)


class PreparedKey(NamedTuple):
    """A key that is ready to be compared with any number of responses."""

    corpus: Corpus
    documents: dict[str, PreparedDocument]
    original: Corpus
    """The key as it was read, with the documents that have errors."""

    annotation: frozenset[Annotation]
    """Annotation that it has, as far as the settings need it."""

    plain: PlainCounter
    """Counts documents that need not be normalised."""

    groups: Mapping[str, Sequence[str]]
    """Names of the documents that each document of `documents` is made of."""

    within: PreparedKey | None = None
    """The same key without joining, if documents are joined."""

    @property
    def scored(self) -> Corpus:
        """The documents that are scored, joined if the settings say so."""
        documents = {name: document.key for name, document in self.documents.items()}
        return replace(self.corpus, documents=documents)


def prepare(key: Corpus, request: Request) -> PreparedKey:
    """Prepare a key: check that it has what the settings need, and extract the layers."""
    check_some_are_good(key)
    prepared = prepare_documents(key, request)
    check_key(prepared.corpus, prepared.annotation, request)
    if request.settings.across:
        return prepared._replace(within=prepare_documents(key, _within(request)))
    return prepared


def _within(request: Request) -> Request:
    """Return a request for the documents as they are, not joined."""
    return request._replace(settings=replace(request.settings, across=""))


def prepare_documents(
    key: Corpus, request: Request, plain: PlainCounter | None = None
) -> PreparedKey:
    """Prepare documents of a key, which need not be all; extract the layers.

    A counter of plain documents can be given that has counted others.
    """
    settings = request.settings
    original, key = key, leave_out_notes_on_responses(leave_out_bad_documents(key))
    key = parsed_key(select_documents(key, settings), settings)
    annotation = annotation_of(key.documents.values(), settings, of_key=True)
    groups: Mapping[str, Sequence[str]] = {name: [name] for name in key.documents}
    documents = key.documents
    if settings.across:
        check_ids(key, "key")
        groups = groups_of(key.documents, settings.across)
        documents = {
            name: join_key(
                name,
                [key.documents[member] for member in members],
                {NOT_JOINED: int(is_alone(members, settings.across))},
            )
            for name, members in groups.items()
        }
    prepared = {
        name: PreparedDocument(document, document, settings) for name, document in documents.items()
    }
    plain = plain or PlainCounter(request)
    for document in prepared.values():
        if not plain.can_count(document.key):
            for layer in request.reported:
                # Extracted now, the layers are shared by processes that are forked later.
                LAYERS[layer].notes(document)
    return PreparedKey(key, prepared, original, annotation, plain=plain, groups=groups)


def prepare_response(prepared: PreparedKey, response: Corpus, request: Request) -> Corpus:
    """Prepare a response: choose its documents, and check that it has what the settings need."""
    request = request_for(response.format, request)
    response = scored_documents(prepared, response, request)
    annotation = annotation_of(response.documents.values(), request.settings, of_key=False)
    check_response(response, annotation, request, prepared.annotation)
    if request.settings.across:
        check_ids(response, "response")
    return response


def scored_documents(prepared: PreparedKey, response: Corpus, request: Request) -> Corpus:
    """Return the documents of a response that are scored; those with errors are empty."""
    response = empty_bad_documents(prepared.original, response, request.settings)
    return leave_out_unselected(
        response, prepared.original.documents.keys(), prepared.corpus.documents.keys()
    )


def compare_documents(
    prepared: PreparedKey, response: Corpus, request: Request
) -> Iterator[DocumentPair]:
    """Yield the documents of a key, each paired with that of a prepared response."""
    settings = request_for(response.format, request).settings
    paired = pair_documents(prepared.corpus, response, settings)
    for name, key in prepared.documents.items():
        members = prepared.groups[name]
        keys = [prepared.corpus.documents[member] for member in members]
        documents = [
            document and _completed(document, own, settings)
            for own, document in zip(keys, map(paired.get, members), strict=True)
        ]
        document = join_response(name, keys, documents) if settings.across else documents[0]
        yield DocumentPair(key, PreparedDocument(document, key.key, settings), settings)


def _completed(document: Document, key: Document, settings: Settings) -> Document:
    """Return a document of a response with what comes from parses and from the key's tree."""
    document = apply_parse_settings(document, key, settings)
    return with_key_heads(document, key) if settings.heads == "key" else document


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
    names = track(prepared.documents, "scoring document")
    return Result(
        name,
        request_for(response.format, request),
        (prepared.corpus.format, response.format),
        {
            document: count_document(pair, request, prepared.plain)
            for document, pair in zip(names, pairs, strict=True)
        },
        skipped_documents(prepared.original, response),
        within=_count_within(prepared, response, request),
    )


def _count_within(
    prepared: PreparedKey, response: Corpus, request: Request
) -> dict[str, DocumentCounts]:
    """Count the documents as they are, if they are joined otherwise."""
    if prepared.within is None:
        return {}
    request = _within(request)
    pairs = compare_documents(prepared.within, response, request)
    return {
        name: count_document(pair, request, prepared.within.plain)
        for name, pair in zip(prepared.within.documents, pairs, strict=True)
    }


def count_document(
    pair: DocumentPair, request: Request, plain: PlainCounter | None = None
) -> DocumentCounts:
    """Count all requested layers of one document; by a counter of plain documents if it can."""
    if plain and (counts := plain.count_pair(pair.key.key, pair.response.document)):
        return counts
    return DocumentCounts(
        {
            layer: _count_layer(layer, pair, reported)
            for layer, reported in request.reported.items()
        },
        count_zeros(pair.key.document),
        count_zeros(pair.response.document),
        pair.response.document.repairs if pair.response.document else (),
    )


def _count_layer(layer: LayerName, pair: DocumentPair, reported: Collection[str]) -> LayerCounts:
    return replace(LAYERS[layer].count(pair, reported), notes=side_notes(layer, pair))


def side_notes(layer: LayerName, pair: DocumentPair) -> SideNotes:
    """Return the notes on a layer of one document."""
    sides = [dict(LAYERS[layer].notes(document)) for document in (pair.key, pair.response)]
    if pair.settings.window and layer in ENTITY_LAYERS:
        cut = pair.cut_identity if layer == "identity" else pair.cut_deixis
        for notes, lost in zip(sides, cut.lost_sets, strict=True):
            notes[LOST_SETS] = lost
    return SideNotes(*({note: n for note, n in notes.items() if n} for notes in sides))
