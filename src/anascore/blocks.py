"""Comparison of corpora in blocks of documents: with bounded memory, and in parallel.

Small corpora are compared whole. Large ones are streamed: a block contains some documents of the
key, in its order, and the responses' documents with the same names. Each worker reads a block's
documents, compares them, and returns a value for each response. Memory holds only the blocks in
work, and response documents that precede their key documents.
"""

from __future__ import annotations

import zlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Generic, NamedTuple, TypeAlias, TypeVar

from anascore.comparison import Key, ResponseComparison, count
from anascore.errors import MismatchError, ReadError, SettingsError
from anascore.formats.files import STANDARD_INPUT
from anascore.formats.reading import CorpusFile
from anascore.formats.streams import CannotStream, Part, Piece, Stream, size_in_memory
from anascore.layers.fast_path import FastPath
from anascore.metrics.scores import check_known
from anascore.model.document import Corpus, Formats
from anascore.pairing.documents import SkippedDocument, rename_to_key
from anascore.parallel import for_each, submit_each
from anascore.requirements import Annotation, check_key, check_response, resolve_heads
from anascore.results.result import Result
from anascore.tasks import Request
from anascore.terminal import status

if TYPE_CHECKING:
    # Importing it takes 40 ms.
    from concurrent.futures import Executor

T = TypeVar("T")
C = TypeVar("C")

CorpusOrFile: TypeAlias = Corpus | CorpusFile
"""A corpus, or its file."""

BLOCK_SIZE = 8 << 20
"""Size of a block in bytes. Smaller corpora are read and compared whole."""

PARALLEL_SIZE = 1 << 20
"""Size of a block in bytes if several processes share a response's documents."""


class Corpora(NamedTuple, Generic[C]):
    """A key and responses to compare."""

    key: C
    responses: Sequence[tuple[str, C]]
    """The responses with their names."""

    request: Request


@dataclass(frozen=True, slots=True)
class Compared(Generic[T]):
    """What the work on all of a response's documents returned."""

    name: str
    request: Request
    """The request, with all settings final."""

    formats: tuple[Formats, Formats]
    values: Iterable[T]
    """Each block's value, in key order; they can be read only once."""

    skipped: tuple[SkippedDocument, ...]


def score_all(
    corpora: Corpora[CorpusOrFile], *, jobs: int = 1, executor: Executor | None = None
) -> list[Result]:
    """Score responses against a key."""
    compared = compare_all(corpora, count, jobs=jobs, executor=executor)
    return [merged(one, one.values) for one in compared]


def merged(compared: Compared[Any], results: Iterable[Result]) -> Result:
    """Merge the results of blocks into that of the whole response."""
    first, *others = results
    counted = dict(first.counted)
    for result in others:
        counted |= result.counted
    return replace(
        first,
        name=compared.name,
        request=compared.request,
        formats=compared.formats,
        counted=counted,
        skipped=compared.skipped,
    )


def load(source: CorpusOrFile, jobs: int = 1) -> Corpus:
    """Read a corpus, unless it is in memory already."""
    return source if isinstance(source, Corpus) else source.read(jobs)


def can_be_parallel(responses: Sequence[tuple[str, CorpusOrFile]]) -> bool:
    """Test for several responses, none of which is standard input."""
    return len(responses) > 1 and not any(
        isinstance(source, CorpusFile) and source.path == STANDARD_INPUT for _, source in responses
    )


def compare_all(
    corpora: Corpora[CorpusOrFile],
    work: Callable[[ResponseComparison], T],
    *,
    jobs: int = 1,
    executor: Executor | None = None,
) -> Iterator[Compared[T]]:
    """Compare responses with a key, and do the work on each.

    With an executor, or several jobs for a single response, processes share its documents. A
    response that is joined across documents is compared whole.
    """
    key, responses, request = corpora
    shares = executor is not None or (jobs > 1 and len(responses) == 1)
    size = PARALLEL_SIZE if shares else BLOCK_SIZE
    sources = [key, *(source for _, source in responses)]
    is_large = executor is not None or any(_is_large(source, size, jobs) for source in sources)
    if is_large and not request.settings.across:
        opened, *others = map(Stream, sources)
        names = [name for name, _ in responses]
        streams = Corpora(opened, list(zip(names, others, strict=True)), request)
        apply: Apply = (
            partial(submit_each, executor=executor) if executor else partial(for_each, jobs=jobs)
        )
        try:
            return iter(_compare_blocks(streams, work, size, apply))
        except (ReadError, MismatchError, SettingsError, CannotStream):
            # Compared as a whole, corpora with errors list them in order. A pipe has been read.
            read = [(name, one.source) for name, one in streams.responses]
            corpora = Corpora(opened.source, read, request)
    return compare_whole(corpora, work, jobs)


def _is_large(source: CorpusOrFile, size: int, jobs: int) -> bool:
    """Test whether to compare a corpus in blocks; in memory, only if that is faster."""
    if isinstance(source, CorpusFile):
        return source.is_larger(size)
    return jobs > 1 and sum(map(size_in_memory, source.documents.values())) > size


def compare_whole(
    corpora: Corpora[CorpusOrFile], work: Callable[[ResponseComparison], T], jobs: int = 1
) -> Iterator[Compared[T]]:
    """Compare whole corpora; several responses in parallel, or the files of a folder of one."""
    in_parallel = can_be_parallel(corpora.responses)
    prepared = Key.of(load(corpora.key, jobs), corpora.request)

    def compared(response: tuple[str, CorpusOrFile]) -> Compared[T]:
        name, source = response
        found = prepared.compare(name, load(source, 1 if in_parallel else jobs))
        return Compared(name, found.request, found.formats, [work(found)], found.skipped)

    return for_each(compared, corpora.responses, jobs if in_parallel else 1)


class Block(NamedTuple):
    """Documents of a key, and each response's documents with the same names."""

    key: Corpus | Part
    responses: tuple[Corpus | Part, ...]
    fast_path: FastPath
    """In a single process, all blocks share it, because it caches the shapes of many documents."""

    work: Callable[[ResponseComparison], Any]


class BlockResult(NamedTuple):
    """A block's value for a response, and what is needed to check the corpora."""

    value: Any
    """Pickled and compressed if documents are large, which takes a twentieth of the memory until
    all blocks are done. Small documents share much of their memory anyway."""

    skipped: tuple[SkippedDocument, ...]
    key: frozenset[Annotation]
    """Annotation that the key contains."""

    response: frozenset[Annotation]
    files: frozenset[str]
    """Files of both sides that contain words."""


MANY_DOCUMENTS = 500
"""With at least this many documents, a block's documents are small."""

Apply: TypeAlias = Callable[
    [Callable[[Block], list[BlockResult]], Iterable[Block]], Iterable[list[BlockResult]]
]
"""Applies a function to blocks, in this process or in others; returns the results in order."""


def work_on_block(block: Block) -> list[BlockResult]:
    """Compare a block's documents; return a result for each response."""
    check_known(chain.from_iterable(block.fast_path.request.reported.values()))
    key = Key.of_part(_read(block.key), block.fast_path.request, block.fast_path)
    return [_work_on(key, _read(response), block.work) for response in block.responses]


def _work_on(key: Key, response: Corpus, work: Callable[[ResponseComparison], Any]) -> BlockResult:
    files = _files_with_words(key.original) | _files_with_words(response)
    compared = key.compare_part("", response)
    value = work(compared) if key.documents else None
    if 0 < len(key.documents) < MANY_DOCUMENTS:
        import pickle  # noqa: PLC0415  only large files need it

        value = zlib.compress(pickle.dumps(value), 1)
    return BlockResult(value, compared.skipped, key.annotation, compared.annotation, files)


def _read(part: Corpus | Part) -> Corpus:
    return part if isinstance(part, Corpus) else part.read()


def _files_with_words(corpus: Corpus) -> frozenset[str]:
    """List the files that contain words, or errors instead."""
    documents = corpus.documents.values()
    return frozenset(document.path for document in documents if document.words or document.errors)


def _compare_blocks(
    corpora: Corpora[Stream], work: Callable[[ResponseComparison], T], size: int, apply: Apply
) -> list[Compared[T]]:
    """Compare responses in blocks of about `size` bytes.

    Raises:
        CannotStream: The corpora have to be compared whole.
        AnascoreError: Corpora have errors, of which this need not be the first.
    """
    corpora = _named(corpora)
    results: list[list[BlockResult]] = [[] for _ in corpora.responses]
    blocks: Iterable[Block] = _blocks(corpora, work, size)
    if all(isinstance(s.source, Corpus) for s in _streams(corpora)):
        # In memory already, they need not be sent to processes.
        blocks = list(blocks)
    for number, of_block in enumerate(apply(work_on_block, blocks), 1):
        status(f"comparing: block {number} is done")
        for of_response, result in zip(results, of_block, strict=True):
            of_response.append(result)
    pairs = zip(corpora.responses, results, strict=True)
    return [_total(corpora, *response, own) for response, own in pairs]


def _streams(corpora: Corpora[Stream]) -> list[Stream]:
    return [corpora.key, *(stream for _, stream in corpora.responses)]


def _named(corpora: Corpora[Stream]) -> Corpora[Stream]:
    """Identify documents by name; read the corpora whose documents only order identifies."""
    key, responses, request = corpora
    in_memory = (s.source for s in _streams(corpora) if isinstance(s.source, Corpus))
    if not any(corpus.unnamed for corpus in in_memory):
        return corpora
    whole = load(key.source)
    named = (
        (name, rename_to_key(whole, load(stream.source), request.settings))
        for name, stream in responses
    )
    streams = [(name, Stream(replace(corpus, unnamed=False))) for name, corpus in named]
    return Corpora(Stream(whole), streams, request)


def _blocks(
    corpora: Corpora[Stream], work: Callable[[ResponseComparison], Any], size: int
) -> Iterator[Block]:
    """Yield blocks of not many more bytes than `size`, in key order."""
    key, fast_path = corpora.key, FastPath(corpora.request)
    responses = [stream for _, stream in corpora.responses]
    settings = corpora.request.settings
    # A response may lack documents of the key that have errors, or are not selected.
    may_lack = settings.missing == "empty" or settings.bad_documents == "skip"
    may_lack = may_lack or settings.docs != "all"

    def block() -> Block:
        parts = (stream.part(own) for stream, own in zip(responses, others, strict=True))
        return Block(key.part(pieces), tuple(parts), fast_path, work)

    pieces: list[Piece] = []
    others: list[list[Piece]] = [[] for _ in responses]
    total = 0
    for piece in key:
        pieces.append(piece)
        total += piece.size
        for stream, own in zip(responses, others, strict=True):
            if found := stream.take(piece.name):
                own.append(found)
                total += found.size
            elif not may_lack:
                raise CannotStream
        if total >= size:
            complete = block()
            pieces, others, total = [], [[] for _ in responses], 0
            yield complete
    if pieces:
        yield block()
    if any(stream.has_more for stream in responses):
        raise CannotStream


def _total(
    corpora: Corpora[Stream], name: str, response: Stream, results: Sequence[BlockResult]
) -> Compared[Any]:
    """Combine the values of all blocks; raise AnascoreError if the corpora lack something."""
    key, request = corpora.key, resolve_heads(corpora.request, response.formats)
    of_key, of_response, files = (
        frozenset().union(*(getattr(result, name) for result in results))
        for name in ("key", "response", "files")
    )
    check_key(Corpus({}, key.formats), of_key, request)
    check_response(Corpus({}, response.formats), of_response, request, of_key)
    values = deque(result.value for result in results if result.value is not None)
    if not values or (key.paths | response.paths) - files - {""}:
        raise CannotStream
    skipped = [document for result in results for document in result.skipped]
    skipped.sort(key=lambda d: (d.side, d.side == "response" and response.order[d.document]))
    formats = key.formats, response.formats
    return Compared(name, request, formats, _unpickled(values), tuple(skipped))


def _unpickled(values: deque[Any]) -> Iterator[Any]:
    """Yield values, and free their memory."""
    import pickle  # noqa: PLC0415  only large files need it

    while values:
        value = values.popleft()
        # The pickled values are our own.
        yield pickle.loads(zlib.decompress(value)) if isinstance(value, bytes) else value  # noqa: S301
