"""Scoring in batches of documents: with bounded memory, and in parallel.

Each batch has some documents of the key and those of a response that belong to them. Corpora on
disk are cut into parts, which are read where they are scored: of a large corpus, only the documents
in work are in memory, and their counts. Results and errors are those of whole corpora.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple, TypeAlias, TypeGuard, TypeVar

from anascore.errors import AnascoreError, ReadError
from anascore.execution import status
from anascore.formats import CorpusFile
from anascore.formats.cutting import CannotCut
from anascore.formats.parts import CorpusIndex, CorpusPart, index_corpus
from anascore.formats.source import close_compressed_files
from anascore.layers.counts import DocumentCounts
from anascore.layers.requirements import (
    Annotation,
    annotation_of,
    check_key,
    check_response,
    request_for,
)
from anascore.model.document import Corpus, Document
from anascore.pipeline import (
    BYTES_PER_WORD,
    PreparedKey,
    compare_documents,
    count_document,
    prepare_documents,
    scored_documents,
)
from anascore.prepare.pairing import (
    SkippedDocument,
    check_names,
    check_some_are_good,
    empty_bad_documents,
    is_paired_by_words,
    leave_out_bad_documents,
    named_alike,
    skipped_documents,
)
from anascore.prepare.parses import parsed_key
from anascore.prepare.selection import leave_out_unselected, select_documents
from anascore.results import Result
from anascore.settings import Settings
from anascore.tasks import Request

T = TypeVar("T")

CorpusOrFile: TypeAlias = Corpus | CorpusFile
"""A corpus, or its file."""


@dataclass(frozen=True, slots=True)
class CorpusInMemory:
    """A corpus that has been read, with the methods of an index."""

    corpus: Corpus

    @property
    def path(self) -> str:
        """Path of the corpus."""
        return self.corpus.path

    @property
    def format(self) -> str:
        """Format of the corpus."""
        return self.corpus.format

    @property
    def unnamed(self) -> bool:
        """True if its documents are identified by order."""
        return self.corpus.unnamed

    @property
    def names(self) -> list[str]:
        """Names of the documents, in order."""
        return list(self.corpus.documents)

    @property
    def paths(self) -> set[str]:
        """Paths of files that may be without words: none, since the reader has looked for them."""
        return set()

    def size(self, name: str) -> int:
        """Return the estimated size of a document."""
        return BYTES_PER_WORD * len(self.corpus.documents[name].words)

    def part(self, names: Sequence[str]) -> Corpus:
        """Return some documents."""
        documents = {name: self.corpus.documents[name] for name in names}
        return replace(self.corpus, documents=documents)

    def outline(self, _: int, visit: Callable[[Corpus], None]) -> Corpus:
        """Return the corpus."""
        visit(self.corpus)
        return self.corpus


IndexedCorpus: TypeAlias = CorpusIndex | CorpusInMemory
"""The documents of a key or response, to be divided into batches."""


def open_corpus(source: CorpusOrFile) -> IndexedCorpus:
    """Find the documents of a corpus; read it if it cannot be cut."""
    if isinstance(source, Corpus):
        return CorpusInMemory(source)
    try:
        status(f"looking for documents in {source.path}")
        return index_corpus(source)
    except CannotCut:
        return CorpusInMemory(source.read())


class Opener:
    """Opener of a key and responses, each once: a pipe cannot be read again."""

    def __init__(self, key: CorpusOrFile, responses: Sequence[CorpusOrFile]) -> None:
        """Take corpora without opening them."""
        self._sources = [key, *responses]
        self._opened: dict[int, IndexedCorpus | AnascoreError] = {}

    def key(self) -> IndexedCorpus:
        """Open the key."""
        return self._open(0)

    def key_with_words(self) -> CorpusInMemory:
        """Read the key, by whose words documents are paired."""
        key = self.key()
        if isinstance(key, CorpusIndex):
            try:
                key = CorpusInMemory(key.source.read())
            except AnascoreError as error:
                self._opened[0] = error
                raise
            self._opened[0] = key
        return key

    def responses(self) -> Iterator[IndexedCorpus]:
        """Open the responses, one after the other."""
        return map(self._open, range(1, len(self._sources)))

    def _open(self, number: int) -> IndexedCorpus:
        """Open a corpus, if it is not open; raise the same error again if it had one."""
        if number not in self._opened:
            try:
                self._opened[number] = open_corpus(self._sources[number])
            except AnascoreError as error:
                self._opened[number] = error
        side = self._opened[number]
        if isinstance(side, AnascoreError):
            raise side
        return side


class Batch(NamedTuple):
    """Documents of a key, and those of a response that belong to them."""

    run: str
    """Identification of the key part in all processes."""

    system: int
    """Number of the response, from 0."""

    key: Corpus | CorpusPart
    response: Corpus | CorpusPart
    names: tuple[str, ...]
    """Names of the response's documents in the key."""

    request: Request


class BatchCounts(NamedTuple):
    """Counts of a batch, and what must be known of it to check the corpora."""

    counted: bytes | dict[str, DocumentCounts]
    """Counts by name of document; pickled if documents are large, which takes a tenth of the memory
    until all are there. Small documents have many counts in common."""

    skipped: tuple[SkippedDocument, ...]
    key: frozenset[Annotation]
    """Annotation of the key."""

    response: frozenset[Annotation]
    key_files: frozenset[str]
    """Files of the key that have words."""

    response_files: frozenset[str]


MANY_DOCUMENTS = 500
"""Number of documents in a batch from which on they are small."""

_prepared: dict[str, PreparedKey] = {}
"""The part of the key that was prepared last, for the next response."""


def count_batch(batch: Batch) -> Outcome:
    """Count the documents of a batch; return the error if it has any."""
    try:
        return _count(batch)
    except (AnascoreError, CannotCut) as error:
        return error


def _count(batch: Batch) -> BatchCounts:
    import pickle  # noqa: PLC0415  small corpora are not scored in batches

    request = batch.request
    prepared = _prepared.get(batch.run)
    if prepared is None:
        # Threads share the parts that they have prepared, and there can be several.
        parts = list(_prepared.values())
        counters = [part.plain for part in parts if part.plain.request == request][:1]
        # The part before is dropped first, so that they are not in memory together.
        _prepared.clear()
        prepared = prepare_documents(_read(batch.key), request, *counters)
        _prepared[batch.run] = prepared
    response = _read(batch.response)
    named = zip(batch.names, response.documents.values(), strict=True)
    response = replace(
        response,
        documents={n: d if d.name == n else replace(d, name=n) for n, d in named},
        unnamed=False,
    )
    files = _files_with_words(response)
    response = scored_documents(prepared, response, request)
    pairs = compare_documents(prepared, response, request) if prepared.documents else ()
    counted = {
        name: count_document(pair, request, prepared.plain)
        for name, pair in zip(prepared.documents, pairs, strict=True)
    }
    return BatchCounts(
        counted if len(counted) > MANY_DOCUMENTS else pickle.dumps(counted),
        skipped_documents(prepared.original, response),
        prepared.annotation,
        annotation_of(
            response.documents.values(),
            request_for(response.format, request).settings,
            of_key=False,
        ),
        key_files=_files_with_words(prepared.original),
        response_files=files,
    )


def _read(part: Corpus | CorpusPart) -> Corpus:
    return part if isinstance(part, Corpus) else part.read()


def _files_with_words(corpus: Corpus) -> frozenset[str]:
    """Return the files that have words, or errors instead."""
    documents = corpus.documents.values()
    return frozenset(document.path for document in documents if document.words or document.errors)


Outcome: TypeAlias = BatchCounts | AnascoreError | CannotCut
"""Counts of a batch, or the reason why there are none."""

Apply: TypeAlias = Callable[[Callable[[Batch], Outcome], Sequence[Batch]], Iterable[Outcome]]
"""Applies a function to batches, in this process or in others; returns the results in order."""


def score_in_batches(
    key: CorpusOrFile,
    responses: Sequence[tuple[str, CorpusOrFile]],
    request: Request,
    size: int,
    apply: Apply,
) -> list[Result]:
    """Score responses, given with their names, in batches of some number of bytes.

    Raises:
        CannotCut: The files changed while they were read.
        AnascoreError: As for whole corpora, with the same messages.

    """
    opener = Opener(key, [response for _, response in responses])
    try:
        results = _score(opener, [name for name, _ in responses], request, size, apply)
        if isinstance(results, AnascoreError):
            check_corpora(opener, request, size)
    finally:
        _prepared.clear()
        close_compressed_files()
    if isinstance(results, Exception):
        raise results
    return results


def _score(
    opener: Opener, names: Sequence[str], request: Request, size: int, apply: Apply
) -> list[Result] | AnascoreError | CannotCut:
    """Return the results; or an error, if there is one, which need not be the first."""
    try:
        key_side = opener.key()
        systems = []
        for name, response in zip(names, opener.responses(), strict=True):
            side = _with_words(response, request.settings)
            if _is_paired_by_words(side, request.settings):
                key_side = opener.key_with_words()
            systems.append(_System(name, *_pair(key_side, side, request)))
    except AnascoreError as error:
        return error
    batches = list(_divide(key_side, systems, request, size))
    outcomes = zip(batches, apply(count_batch, batches), strict=True)
    for number, (batch, outcome) in enumerate(outcomes, 1):
        status(f"scoring: batch {number} of {len(batches)} is done")
        if isinstance(outcome, Exception):
            return outcome
        systems[batch.system].counts.append(outcome)
    # The last part of the key is dropped before the counts of all documents are in memory.
    _prepared.clear()
    try:
        return [system.result(key_side, request) for system in systems]
    except AnascoreError as error:
        return error


@dataclass(frozen=True, slots=True)
class _System:
    """A response while it is scored."""

    name: str
    side: IndexedCorpus
    names: Mapping[str, str]
    """Names of its documents by those of the key, in its own order."""

    counts: list[BatchCounts] = field(default_factory=list)

    def result(self, key: IndexedCorpus, request: Request) -> Result:
        """Add up the counts; raise AnascoreError if the corpora lack something."""
        import pickle  # noqa: PLC0415  small corpora are not scored in batches

        counted: dict[str, DocumentCounts] = {}
        for number, batch in enumerate(self.counts):
            counts = batch.counted
            # The pickled counts are our own.
            counted |= pickle.loads(counts) if isinstance(counts, bytes) else counts  # noqa: S301
            self.counts[number] = batch._replace(counted={})
        request = request_for(self.side.format, request)
        of_key = _union(batch.key for batch in self.counts)
        of_response = _union(batch.response for batch in self.counts)
        check_key(_outline(key, ()), of_key, request)
        check_response(_outline(self.side, ()), of_response, request, of_key)
        without_words = (key.paths - _union(batch.key_files for batch in self.counts)) | (
            self.side.paths - _union(batch.response_files for batch in self.counts)
        )
        if without_words or not counted:
            raise ReadError(min(without_words, default=key.path), None, "there are no words")
        order = {name: position for position, name in enumerate(self.names)}
        skipped = [document for batch in self.counts for document in batch.skipped]
        skipped.sort(key=lambda d: (d.side, d.side == "response" and order[d.document]))
        return Result(self.name, request, (key.format, self.side.format), counted, tuple(skipped))


def _union(sets: Iterable[frozenset[T]]) -> frozenset[T]:
    return frozenset().union(*sets)


def _named_by_words(key: Corpus, side: IndexedCorpus, settings: Settings) -> IndexedCorpus:
    """Return a response whose documents have names of the key if they are paired by words."""
    if not _is_paired_by_words(side, settings):
        return side
    return CorpusInMemory(named_alike(key, side.corpus, settings))


def _is_paired_by_words(side: IndexedCorpus, settings: Settings) -> TypeGuard[CorpusInMemory]:
    """Return True if the documents of a response are paired with the key's by words."""
    return isinstance(side, CorpusInMemory) and is_paired_by_words(side.corpus, settings)


def _with_words(side: IndexedCorpus, settings: Settings) -> IndexedCorpus:
    """Return a response with its words if its documents must be paired by them."""
    by_words = side.unnamed and settings.words == "align"
    if by_words and isinstance(side, CorpusIndex):
        return CorpusInMemory(side.source.read())
    return side


def _outline(side: IndexedCorpus, names: Iterable[str]) -> Corpus:
    """Return a corpus of empty documents; one in memory has its words."""
    if isinstance(side, CorpusInMemory) and names:
        return side.corpus
    documents = {name: Document(name, (), ()) for name in names}
    return Corpus(documents, side.format, side.path, side.unnamed)


def _pair(
    key: IndexedCorpus, side: IndexedCorpus, request: Request
) -> tuple[IndexedCorpus, dict[str, str]]:
    """Return a response with the names of its documents by those of the key."""
    settings = request.settings
    outline = _outline(key, key.names)
    side = _named_by_words(outline, side, settings)
    named = named_alike(outline, _outline(side, side.names), settings)
    if settings.bad_documents == "skip" or settings.docs != "all":
        # A response may lack documents of the key that have errors, or are not selected.
        settings = replace(settings, missing="empty")
    check_names(outline, named, settings)
    names = dict(zip(named.documents, side.names, strict=True))
    in_order = [names[name] for name in key.names if name in names]
    if isinstance(side, CorpusIndex) and not side.can_read(in_order):
        side = CorpusInMemory(side.source.read())
    return side, names


def _divide(
    key: IndexedCorpus, systems: Sequence[_System], request: Request, size: int
) -> Iterator[Batch]:
    """Yield batches in which no side has many more bytes than `size`, in the order of the key."""
    run = os.urandom(8).hex()
    for number, names in enumerate(_names_of_batches(key, systems, size)):
        part = key.part(names)
        for position, system in enumerate(systems):
            present = tuple(name for name in names if name in system.names)
            response = system.side.part([system.names[name] for name in present])
            yield Batch(
                run=f"{run}-{number}",
                system=position,
                key=part,
                response=response,
                names=present,
                request=request,
            )


def _names_of_batches(
    key: IndexedCorpus, systems: Sequence[_System], size: int
) -> Iterator[list[str]]:
    """Yield the names of the documents of each batch."""
    names: list[str] = []
    sizes = [0] * (1 + len(systems))
    for name in key.names:
        names.append(name)
        sizes[0] += key.size(name)
        for number, system in enumerate(systems, 1):
            if name in system.names:
                sizes[number] += system.side.size(system.names[name])
        if max(sizes) >= size:
            yield names
            names, sizes = [], [0] * len(sizes)
    if names:
        yield names


def check_corpora(opener: Opener, request: Request, size: int) -> None:
    """Raise the first error of the corpora, in the order in which whole corpora are checked.

    The corpora are read part by part.
    """
    settings = request.settings
    side = opener.key()
    annotation: dict[str, frozenset[Annotation]] = {}

    def annotate_key(part: Corpus) -> None:
        good = select_documents(leave_out_bad_documents(part), settings)
        good = parsed_key(good, settings)
        annotation.update(_annotation(good, settings, of_key=True))

    original = side.outline(size, annotate_key)
    check_some_are_good(original)
    documents = {name: original.documents[name] for name in annotation}
    selected = replace(original, documents=documents)
    key = _CheckedKey(side, original, selected, _union(annotation.values()))
    check_key(selected, key.annotation, request)
    for response in opener.responses():
        _check_response(_with_words(response, settings), key, request, size)


class _CheckedKey(NamedTuple):
    """A key without errors in its files."""

    side: IndexedCorpus
    outline: Corpus
    """Its documents without words and annotation."""

    selected: Corpus
    """Those of them that are scored."""

    annotation: frozenset[Annotation]


def _check_response(side: IndexedCorpus, key: _CheckedKey, request: Request, size: int) -> None:
    """Raise the first error of a response."""
    request = request_for(side.format, request)
    settings = request.settings
    side = _named_by_words(key.outline, side, settings)
    annotation: dict[str, frozenset[Annotation]] = {}
    outline = side.outline(
        size, lambda part: annotation.update(_annotation(part, settings, of_key=False))
    )
    named = named_alike(key.outline, outline, settings)
    own_names = dict(zip(named.documents, outline.documents, strict=True))
    response = leave_out_unselected(
        empty_bad_documents(key.outline, named, settings),
        key.outline.documents,
        key.selected.documents,
    )
    good = leave_out_bad_documents(response)
    of_response = _union(annotation[own_names[name]] for name in good.documents)
    check_response(response, of_response, request, key.annotation)
    check_names(key.selected, response, settings)
    for batch in _divide(key.side, [_System("", side, own_names)], request, size):
        outcome = count_batch(batch)
        if isinstance(outcome, Exception):
            raise outcome


def _annotation(
    corpus: Corpus, settings: Settings, *, of_key: bool
) -> dict[str, frozenset[Annotation]]:
    """Return the annotation of each document."""
    return {
        name: annotation_of([document], settings, of_key=of_key)
        for name, document in corpus.documents.items()
    }
