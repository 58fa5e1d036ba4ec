"""From a key and a response to scores. Read this first.

`Key` prepares a key for any number of responses. `Key.compare` pairs a response's documents with
the key's, one at a time. `count` counts every requested layer of each pair; the counts of all
documents make a `Result`. Suites, several keys, agreement, explanations, errors and reports are
loops around `Key.compare`. A document with errors is left out if it is the key's, and empty if it
is the response's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from anascore.entities.document import PreparedDocument
from anascore.entities.heads import with_key_heads
from anascore.entities.parses import apply_parse_settings, needs_parses, parsed_key
from anascore.layers.counts import DocumentCounts, LayerCounts, SideNotes, count_zeros
from anascore.layers.document import DocumentComparison
from anascore.layers.fast_path import FastPath
from anascore.layers.registry import LAYERS
from anascore.layers.windows import LOST_SETS
from anascore.model.document import Corpus, Document, Formats
from anascore.pairing.documents import (
    SkippedDocument,
    blank_bad_documents,
    check_some_are_good,
    leave_out_bad_documents,
    leave_out_notes_on_responses,
    pair_documents,
    skipped_documents,
)
from anascore.pairing.joining import (
    NOT_JOINED,
    check_ids,
    groups_of,
    is_alone,
    join_key,
    join_response,
)
from anascore.pairing.selection import leave_out_unselected, select_documents
from anascore.requirements import (
    Annotation,
    annotation_of,
    check_key,
    check_response,
    resolve_heads,
)
from anascore.results.result import Result
from anascore.settings import ENTITY_LAYERS, LayerName, Settings
from anascore.tasks import Request
from anascore.terminal import track


@dataclass(frozen=True, slots=True)
class Key:
    """A key, prepared once for any number of responses."""

    original: Corpus
    """The key as read, including documents with errors."""

    corpus: Corpus
    """The scored documents, before they are joined."""

    documents: Mapping[str, PreparedDocument]
    groups: Mapping[str, Sequence[str]]
    """Names of the documents that make up each document of `documents`."""

    annotation: frozenset[Annotation]
    """Annotation that the key contains, as far as the settings need it."""

    request: Request
    fast_path: FastPath
    within: Key | None = None
    """The same key without joining, if documents are joined."""

    @classmethod
    def of(cls, corpus: Corpus, request: Request) -> Key:
        """Prepare a key, and check that it contains what the settings need."""
        check_some_are_good(corpus)
        key = cls.of_part(corpus, request)
        check_key(key.corpus, key.annotation, request)
        return key

    @classmethod
    def of_part(cls, corpus: Corpus, request: Request, fast_path: FastPath | None = None) -> Key:
        """Prepare some documents of a key.

        A fast path that has counted other documents has many shapes in its cache.
        """
        settings = request.settings
        original, corpus = corpus, leave_out_notes_on_responses(leave_out_bad_documents(corpus))
        if settings.docs != "all":
            corpus = select_documents(corpus, settings)
        if needs_parses(settings):
            corpus = parsed_key(corpus, settings)
        annotation = annotation_of(corpus.documents.values(), settings, of_key=True)
        documents, within = corpus.documents, None
        groups: Mapping[str, Sequence[str]] = {name: [name] for name in documents}
        if settings.across:
            check_ids(corpus, "key")
            groups = groups_of(documents, settings.across)
            documents = {
                name: join_key(
                    name,
                    [corpus.documents[member] for member in members],
                    {NOT_JOINED: int(is_alone(members, settings.across))},
                )
                for name, members in groups.items()
            }
            apart = request._replace(settings=replace(settings, across=""))
            within = cls.of_part(original, apart)
        prepared = {
            name: PreparedDocument(document, document, settings)
            for name, document in documents.items()
        }
        fast_path = fast_path or FastPath(request)
        for document in prepared.values():
            if not fast_path.can_count(document.key):
                for layer in request.reported:
                    # Extracted now, the layers are shared by processes that are forked later.
                    LAYERS[layer].notes(document)
        return cls(original, corpus, prepared, groups, annotation, request, fast_path, within)

    @property
    def scored(self) -> Corpus:
        """The scored documents, joined if the settings say so."""
        documents = {name: document.key for name, document in self.documents.items()}
        return replace(self.corpus, documents=documents)

    def select(self, response: Corpus) -> Corpus:
        """Select a response's scored documents; those with errors become empty."""
        response = blank_bad_documents(self.original, response, self.request.settings)
        if self.request.settings.docs == "all":
            return response
        return leave_out_unselected(response, self.original.documents, self.corpus.documents)

    def compare(self, name: str, response: Corpus) -> ResponseComparison:
        """Compare a response, and check that it contains what the settings need."""
        compared = self.compare_part(name, response)
        check_response(compared.response, compared.annotation, compared.request, self.annotation)
        return compared

    def compare_part(self, name: str, response: Corpus) -> ResponseComparison:
        """Compare some documents of a response."""
        request = resolve_heads(self.request, response.formats)
        response = self.select(response)
        if request.settings.across:
            check_ids(response, "response")
        annotation = annotation_of(response.documents.values(), request.settings, of_key=False)
        return ResponseComparison(self, name, response, request, annotation)


@dataclass(frozen=True, slots=True)
class ResponseComparison:
    """A response, compared with a key document by document."""

    key: Key
    name: str
    response: Corpus
    """The scored documents."""

    request: Request
    """The request, with all settings final."""

    annotation: frozenset[Annotation]

    def __iter__(self) -> Iterator[DocumentComparison]:
        """Yield the key's documents, each compared with the response's."""
        key, settings = self.key, self.request.settings
        paired = pair_documents(key.corpus, self.response, settings, name=self.name)
        for name, prepared in key.documents.items():
            members = key.groups[name]
            keys = [key.corpus.documents[member] for member in members]
            documents = [paired[member] for member in members]
            if needs_parses(settings) or settings.heads == "key":
                documents = [
                    document and _completed(document, own, settings)
                    for own, document in zip(keys, documents, strict=True)
                ]
            document = join_response(name, keys, documents) if settings.across else documents[0]
            response = PreparedDocument(document, prepared.key, settings)
            yield DocumentComparison(prepared, response, settings)

    @property
    def formats(self) -> tuple[Formats, Formats]:
        """Formats of key and response."""
        return self.key.corpus.formats, self.response.formats

    def against(self, key: Key) -> ResponseComparison:
        """Compare the response with another form of the key."""
        return replace(self, key=key, request=resolve_heads(key.request, self.response.formats))

    @property
    def skipped(self) -> tuple[SkippedDocument, ...]:
        """Documents with errors on either side."""
        return skipped_documents(self.key.original, self.response)


def _completed(document: Document, key: Document, settings: Settings) -> Document:
    """Add minimum spans from parses, and heads from the key's tree."""
    document = apply_parse_settings(document, key, settings)
    return with_key_heads(document, key) if settings.heads == "key" else document


def count(
    compared: ResponseComparison, documents: Iterable[DocumentComparison] | None = None
) -> Result:
    """Count all requested layers of a response's documents.

    A comparison is dropped as soon as it is counted; pass `documents` to count comparisons that you
    kept.
    """
    names = track(compared.key.documents, "scoring document")
    pairs = zip(names, compared if documents is None else documents, strict=True)
    fast_path = compared.key.fast_path
    return result_of(
        compared, {name: count_document(pair, compared.request, fast_path) for name, pair in pairs}
    )


def result_of(compared: ResponseComparison, counted: Mapping[str, DocumentCounts]) -> Result:
    """Make a response's result from the counts of its documents."""
    within = compared.key.within
    return Result(
        compared.name,
        compared.request,
        compared.formats,
        counted,
        compared.skipped,
        within=count(compared.against(within)).counted if within else {},
    )


def count_document(
    pair: DocumentComparison, request: Request, fast_path: FastPath | None = None
) -> DocumentCounts:
    """Count all requested layers of one document, on the fast path if possible."""
    if fast_path and (counts := fast_path.count_pair(pair.key.key, pair.response.document)):
        return counts
    layers: dict[LayerName, LayerCounts] = {}
    for layer, reported in request.reported.items():
        counted = LAYERS[layer].count(pair, reported)
        layers[layer] = replace(counted, notes=side_notes(layer, pair))
    return DocumentCounts(
        layers,
        count_zeros(pair.key.document),
        count_zeros(pair.response.document),
        pair.response.document.repairs if pair.response.document else (),
    )


def side_notes(layer: LayerName, pair: DocumentComparison) -> SideNotes:
    """Collect the notes on a layer of one document."""
    sides = [dict(LAYERS[layer].notes(document)) for document in (pair.key, pair.response)]
    if pair.settings.window and layer in ENTITY_LAYERS:
        cut = pair.cut_identity if layer == "identity" else pair.cut_deixis
        for notes, lost in zip(sides, cut.lost_sets, strict=True):
            notes[LOST_SETS] = lost
    return SideNotes(*({note: n for note, n in notes.items() if n} for notes in sides))
