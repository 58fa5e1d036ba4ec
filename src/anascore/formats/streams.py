"""Streams: the documents of large files one at a time, as text that has not been parsed.

A format whose files can be streamed finds document starts in some lines (`Format.starts`). A
document's lines go to the format's ordinary reader, in any process, together with the beginning of
the file, from which readers infer its layout. A file with an unusual structure is read whole.
"""

from __future__ import annotations

import codecs
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import chain, pairwise
from typing import IO, NamedTuple

from anascore.errors import AnascoreError, Problems, ReadError, read_error
from anascore.formats.building import default_names
from anascore.formats.files import TOKEN, File, Source, matching_lines, validate_text
from anascore.formats.format import Format
from anascore.formats.reading import CorpusFile, first_errors, read_source
from anascore.formats.registry import FORMATS, corpus_files, detect_format, detect_large
from anascore.model.document import Corpus, Document, Formats

CHUNK_SIZE = 1 << 17
"""Number of bytes to read at a time; the first chunk is the beginning of the file."""


class CannotStream(AnascoreError):  # noqa: N818  no error: the corpus is read as a whole
    """A corpus has to be read whole."""


_NO_FILE = Source("", b"", "")


class Piece(NamedTuple):
    """A document of a stream."""

    name: str
    number: int
    """Position in the corpus."""

    size: int
    """Size in bytes; an estimate for a document in memory."""

    content: bytes = b""
    """The document's lines; empty if it is in memory."""

    file: Source = _NO_FILE
    """The file, with its beginning."""

    first_line: int = 1
    unnamed: int = 0
    """Number of unnamed documents before it in the file."""


BYTES_PER_WORD = 64


def size_in_memory(document: Document) -> int:
    """Estimate a document's size in bytes."""
    return BYTES_PER_WORD * len(document.words)


@dataclass(frozen=True, slots=True)
class Part:
    """Some documents of a corpus on disk, which any process can read."""

    corpus: CorpusFile
    format_name: str
    names: tuple[str, ...]
    sources: tuple[Source, ...]

    def read(self) -> Corpus:
        """Read the documents; raise ReadError for errors, CannotStream if their names differ."""
        documents: dict[str, Document] = {}
        for source in self.sources:
            problems = Problems(source.path, repairing=self.corpus.repair)
            corpus = read_source(source, self.format_name, self.corpus.options, problems)
            if errors := first_errors(corpus, problems, file_only=self.corpus.skips):
                raise read_error(errors)
            documents |= corpus.documents
        if (*documents,) != self.names:
            raise CannotStream
        return Corpus(documents, (self.format_name,), self.corpus.path)


class Stream:
    """A corpus's documents, one after another or by name."""

    def __init__(self, source: Corpus | CorpusFile) -> None:
        """Open a corpus; read it whole if it cannot be streamed."""
        self.source = source
        if isinstance(source, CorpusFile):
            try:
                files = (_open(source, file) for file in corpus_files(source.path))
                format_name, first = next(files)
                self.formats: Formats = (format_name,)
                self._pieces = _pieces(format_name, chain([(format_name, first)], files))
            except CannotStream:
                self.source = source = source.read()
        if isinstance(source, Corpus):
            self.formats = source.formats
            self._pieces = (
                Piece(name, number, size_in_memory(document))
                for number, (name, document) in enumerate(source.documents.items())
            )
        self._waiting: dict[str, Piece] = {}
        self.order: dict[str, int] = {}
        """Numbers of the documents seen so far, by name."""

        self.paths: set[str] = set()
        """Files seen so far."""

    def __iter__(self) -> Iterator[Piece]:
        """Yield the documents that have not been taken yet."""
        for piece in self._pieces:
            self.order[piece.name] = piece.number
            self.paths.add(piece.file.path)
            yield piece

    def take(self, name: str) -> Piece | None:
        """Return a document by name; those before it wait until they are taken."""
        if name not in self.order:
            for piece in self:
                self._waiting[piece.name] = piece
                if piece.name == name:
                    break
        return self._waiting.pop(name, None)

    @property
    def has_more(self) -> bool:
        """True if any document has not been taken."""
        return bool(self._waiting) or next(self._pieces, None) is not None

    def part(self, pieces: Iterable[Piece]) -> Corpus | Part:
        """Put documents together; adjacent ones of a file are read at once."""
        if isinstance(self.source, Corpus):
            documents = {piece.name: self.source.documents[piece.name] for piece in pieces}
            return replace(self.source, documents=documents)
        names: list[str] = []
        runs: list[list[Piece]] = []
        for piece in pieces:
            names.append(piece.name)
            if not (runs and _follows(piece, runs[-1][-1])):
                runs.append([])
            runs[-1].append(piece)
        sources = (
            replace(
                run[0].file,
                content=b"".join([piece.content for piece in run]),
                first_line=run[0].first_line,
                unnamed=run[0].unnamed,
            )
            for run in runs
        )
        return Part(self.source, self.formats[0], tuple(names), tuple(sources))


def _follows(piece: Piece, other: Piece) -> bool:
    return piece.number == other.number + 1 and piece.file is other.file


def _pieces(format_name: str, files: Iterable[tuple[str, Iterable[Piece]]]) -> Iterator[Piece]:
    names: set[str] = set()
    for own_format, pieces in files:
        for piece in pieces:
            if own_format != format_name or piece.name in names:
                raise CannotStream
            yield piece._replace(number=len(names))
            names.add(piece.name)


def _open(corpus: CorpusFile, file: File) -> tuple[str, Iterable[Piece]]:
    chunks: Iterator[bytes] = _chunks(file)
    first, second = next(chunks, b""), next(chunks, None)
    source = Source(file.path, first, file.stem, file.in_folder)
    format_name = corpus.format_name
    if format_name is None:
        format_name = detect_format(source) if second is None else detect_large(first)
    if format_name is None:
        raise CannotStream
    source_format = FORMATS[format_name]
    chunks = chain([first], [] if second is None else [second], chunks)
    if source_format.one_document:
        content = b"".join(chunks)
        return format_name, [Piece(file.stem, 0, len(content), content, source)]
    if not source_format.starts:
        raise CannotStream
    return format_name, _documents(replace(source, head=first), _segments(source_format, chunks))


def _chunks(file: File) -> Iterator[bytes]:
    """Yield a file's lines in chunks; comments stay together with the line below them."""
    if file.size is None:
        raise CannotStream
    try:
        with file.open_bytes() as opened:
            for number, lines in enumerate(_lines(opened)):
                if number and lines.startswith(codecs.BOM_UTF8):
                    raise CannotStream
                yield validate_text(file.path, lines, may_be_empty=True)
    except (OSError, EOFError, ValueError, zlib.error, ReadError) as error:
        raise CannotStream from error


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while block := file.read(max(CHUNK_SIZE, len(rest))):
        rest += block
        end = _end_of_lines(rest)
        if end:
            yield rest[:end]
            rest = rest[end:]
    if rest:
        yield rest


def _end_of_lines(content: bytes) -> int:
    """Return the end of the last complete line that is not a comment; 0 if there is none."""
    end = content.rfind(b"\n") + 1
    while end:
        start = content.rfind(b"\n", 0, end - 1) + 1
        if content[start : start + 1] != b"#":
            return end
        end = start
    return 0


def _documents(file: Source, segments: Iterable[tuple[str | None, bytes]]) -> Iterator[Piece]:
    defaults = default_names(file)
    line, unnamed = 1, 0
    name, lines = "", list[bytes]()

    def piece() -> Piece:
        content = b"".join(lines)
        # Waiting for the next document, this function would hold the text twice.
        lines.clear()
        return Piece(
            name=name or next(defaults),
            number=0,
            size=len(content),
            content=content,
            file=file,
            first_line=line,
            unnamed=unnamed,
        )

    for start_name, text in segments:
        if start_name is not None:
            if lines:
                complete = piece()
                yield complete
                line += complete.content.count(b"\n")
                unnamed += not name
            name, lines = start_name, []
        lines.append(text)
    yield piece()


def _segments(source_format: Format, chunks: Iterable[bytes]) -> Iterator[tuple[str | None, bytes]]:
    """Split chunks into documents' lines with names; None continues the document before."""
    declared: set[tuple[bytes, ...]] | None = None
    for content in chunks:
        starts = [*source_format.starts(content, declared is None)] if source_format.starts else []
        values = _declared(content, source_format)
        if declared is None:
            row = TOKEN.search(content)
            declared = _declared(content[: row and row.start()], source_format)
            if not starts or len(declared) > 1 or values != declared:
                raise CannotStream
            starts[0] = 0, starts[0][1]
        elif not values <= declared:
            raise CannotStream
        places: list[tuple[int, str | None]] = [*starts, (len(content), None)]
        if places[0][0]:
            places.insert(0, (0, None))
        for (start, name), (end, _) in pairwise(places):
            yield name, content[start:end]


def _declared(content: bytes, source_format: Format) -> set[tuple[bytes, ...]]:
    """Collect the values of the comment that applies to the whole file."""
    if source_format.declaration is None:
        return set()
    lines = matching_lines(content, *source_format.declaration)
    return {tuple(match[1].split()) for match in lines}
