"""Parts of corpora on disk: an index of documents, and reading some of them.

An index has the names and places of all documents. A part of a corpus is read by the ordinary
reader of the format, in any process.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

from anascore.errors import Problem, Problems, ReadError, read_error
from anascore.formats import CorpusFile, first_errors, read_source
from anascore.formats.build import default_names, no_words
from anascore.formats.cutting import (
    BLOCK_SIZE,
    CannotCut,
    Cutting,
    Digest,
    DocumentStart,
    FileBlock,
    read_blocks,
)
from anascore.formats.registry import FORMATS, corpus_files, detect_format, detect_in_blocks
from anascore.formats.source import GZIP_ENDING, ByteRange, File, Source
from anascore.model.document import Corpus, Document


class IndexedDocument(NamedTuple):
    """A document in a file."""

    name: str
    start: int
    end: int
    line: int
    """Number of the first line, from 1."""

    unnamed: int
    """Number of documents before it that the file does not name."""


@dataclass(frozen=True, slots=True)
class FileIndex:
    """The documents of one file."""

    file: File
    format_name: str
    unnamed: bool
    """True if the format never names documents."""

    documents: tuple[IndexedDocument, ...]
    digest: bytes | None
    """Lines of the file that tell how all of it is read; None if it is always read as a whole."""

    def part(self, first: int, last: int) -> FilePart:
        """Return the documents from one position to another."""
        if self.digest is None:
            return FilePart(self.file, self.format_name, None)
        start, end = self.documents[first], self.documents[last].end
        part = ByteRange(start.start, end, start.line, start.unnamed, self.digest)
        return FilePart(self.file, self.format_name, part)

    def parts(self, size: int) -> Iterator[FilePart]:
        """Yield parts of some number of bytes, which have at least one document."""
        first = 0
        for position, document in enumerate(self.documents):
            is_last = position == len(self.documents) - 1
            if is_last or document.end - self.documents[first].start >= size:
                yield self.part(first, position)
                first = position + 1


class FilePart(NamedTuple):
    """Consecutive documents of a file."""

    file: File
    format_name: str
    part: ByteRange | None
    """None for the whole file."""

    def read(self, source: CorpusFile) -> tuple[Corpus, Problems]:
        """Read the documents; return them with the problems of this part."""
        content = self.file.read_part(self.part) if self.part else self.file.open()
        problems = Problems(content.path, repairing=source.repair)
        return read_source(content, self.format_name, source.options, problems), problems


def index_file(file: File, format_name: str | None, block_size: int) -> FileIndex:
    """Find the documents of a file; raise CannotCut if it has to be read as a whole."""
    if file.size is None:
        raise CannotCut
    try:
        format_name = format_name or _detect(file, block_size)
        cutting = FORMATS[format_name].cutting
        if FORMATS[format_name].one_document:
            document = IndexedDocument(file.stem, 0, file.size, line=1, unnamed=0)
            return FileIndex(file, format_name, unnamed=False, documents=(document,), digest=None)
        if cutting is None:
            raise CannotCut
        with file.open_bytes() as opened:
            starts, end, digest = _scan(read_blocks(opened, block_size), cutting)
    except (OSError, EOFError, ValueError, zlib.error, ReadError) as error:
        raise CannotCut from error
    defaults = default_names(Source(file.path, b"", file.stem, file.in_folder))
    ends = [*(start.offset for start in starts[1:]), end]
    documents: list[IndexedDocument] = []
    unnamed = 0
    for start, end in zip(starts, ends, strict=True):
        name = start.name or next(defaults)
        documents.append(IndexedDocument(name, start.offset, end, start.line, unnamed))
        unnamed += not start.name
    return FileIndex(file, format_name, cutting.unnamed, tuple(documents), digest)


SMALL = 1 << 20
"""Number of bytes up to which a file is read as a whole to detect its format."""


def _detect(file: File, block_size: int) -> str:
    """Return the format of a file; raise CannotCut if it is not clear."""
    if (file.size or 0) <= SMALL and not file.path.endswith(GZIP_ENDING):
        name = detect_format(file.open())
    else:
        with file.open_bytes() as opened:
            name = detect_in_blocks(read_blocks(opened, block_size))
    if name is None:
        raise CannotCut
    return name


class _Start(NamedTuple):
    name: str
    offset: int
    line: int


def _scan(blocks: Iterator[FileBlock], cutting: Cutting) -> tuple[list[_Start], int, bytes]:
    """Return the starts of documents in a file, the end of the last one, and the digest."""
    starts: list[_Start] = []
    digest = Digest(cutting)
    has_first = False
    end = 0
    for block in blocks:
        digest.add(block)
        found = list(cutting.starts(block))
        if not starts and cutting.first_document:
            before = block.content[: found[0].position if found else None]
            has_first = has_first or cutting.first_document.search(before) is not None
        starts += _placed(block, found)
        end = block.offset_of(len(block.content))
    if has_first:
        starts.insert(0, _Start("", 0, 1))
    elif starts:
        starts[0] = _Start(starts[0].name, 0, 1)
    else:
        raise CannotCut
    return starts, end, digest.content


def _placed(block: FileBlock, starts: Sequence[DocumentStart]) -> Iterator[_Start]:
    line, counted = block.line, 0
    for position, name in starts:
        line += block.content.count(b"\n", counted, position)
        counted = position
        yield _Start(name, block.offset_of(position), line)


@dataclass(frozen=True, slots=True)
class CorpusPart:
    """Some documents of a corpus on disk, in any order."""

    source: CorpusFile
    format: str
    unnamed: bool
    names: tuple[str, ...]
    parts: tuple[FilePart, ...]

    def read(self) -> Corpus:
        """Read the documents; raise CannotCut if they are not those of the index."""
        documents: dict[str, Document] = {}
        for part in self.parts:
            corpus, problems = part.read(self.source)
            if errors := first_errors(corpus, problems, file_only=self.source.skips):
                raise read_error(errors)
            documents |= corpus.documents
        if (*documents,) != self.names:
            raise CannotCut
        return Corpus(documents, self.format, self.source.path, self.unnamed)


@dataclass(frozen=True)
class CorpusIndex:
    """The documents of a corpus on disk."""

    source: CorpusFile
    files: tuple[FileIndex, ...]

    @property
    def path(self) -> str:
        """Path of the corpus."""
        return self.source.path

    @property
    def format(self) -> str:
        """Formats of the files."""
        return "+".join(dict.fromkeys(file.format_name for file in self.files))

    @property
    def unnamed(self) -> bool:
        """True if no file names its documents."""
        return all(file.unnamed for file in self.files)

    @cached_property
    def places(self) -> dict[str, tuple[int, int]]:
        """File and position of each document, by name, in order."""
        return {
            document.name: (number, position)
            for number, file in enumerate(self.files)
            for position, document in enumerate(file.documents)
        }

    @property
    def names(self) -> list[str]:
        """Names of the documents, in order."""
        return list(self.places)

    @property
    def paths(self) -> set[str]:
        """Paths of the files."""
        return {file.file.path for file in self.files}

    def size(self, name: str) -> int:
        """Return the number of bytes of a document."""
        number, position = self.places[name]
        document = self.files[number].documents[position]
        return document.end - document.start

    def can_read(self, names: Sequence[str]) -> bool:
        """Return True unless the order of the names needs going back in compressed files."""
        places = [self.places[name] for name in names]
        compressed = [p for p in places if self.files[p[0]].file.path.endswith(GZIP_ENDING)]
        return compressed == sorted(compressed)

    def part(self, names: Sequence[str]) -> CorpusPart:
        """Return some documents; consecutive ones are read together."""
        runs: list[list[int]] = []
        for name in names:
            number, position = self.places[name]
            if runs and runs[-1][0] == number and runs[-1][2] == position - 1:
                runs[-1][2] = position
            else:
                runs.append([number, position, position])
        parts = tuple(self.files[number].part(first, last) for number, first, last in runs)
        return CorpusPart(self.source, self.format, self.unnamed, tuple(names), parts)

    def outline(self, size: int, visit: Callable[[Corpus], None]) -> Corpus:
        """Read the corpus part by part, and return it without words and annotation.

        Raises:
            ReadError: Documents have errors; the message is that of `CorpusFile.read`.
            CannotCut: The documents are not those of the index.

        """
        files: list[tuple[Corpus, list[Problem]]] = []
        for file in self.files:
            problems = Problems(file.file.path)
            documents: dict[str, Document] = {}
            has_words = False
            for part in file.parts(size):
                corpus, found = part.read(self.source)
                problems.found += [p for p in found.found if p.severity == "error"]
                has_words = has_words or any(d.words for d in corpus.documents.values())
                visit(corpus)
                documents |= {name: _bare(d) for name, d in corpus.documents.items()}
            if not has_words and not problems.has_errors:
                problems.error(None, no_words(file.format_name))
            if [*documents] != [document.name for document in file.documents]:
                raise CannotCut
            corpus = Corpus(documents, file.format_name, file.file.path, file.unnamed)
            files.append((corpus, first_errors(corpus, problems, file_only=self.source.skips)))
        return self.source.join(files)


def _bare(document: Document) -> Document:
    """Return a document without words and annotation; its place is that of its first word."""
    return replace(
        Document(document.name, (), ()),
        path=document.path,
        line=document.line,
        lines=tuple(document.lines[:1]),
        errors=document.errors,
    )


def index_corpus(source: CorpusFile, block_size: int = BLOCK_SIZE) -> CorpusIndex:
    """Find the documents of a corpus; raise CannotCut if it has to be read as a whole."""
    files = [index_file(file, source.format_name, block_size) for file in corpus_files(source.path)]
    index = CorpusIndex(source, tuple(files))
    if len(index.places) < sum(len(file.documents) for file in files):
        raise CannotCut
    return index
