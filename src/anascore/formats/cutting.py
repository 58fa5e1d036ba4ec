"""Cutting a file at the starts of its documents: blocks of lines, and what each format must tell.

Only starts and names are sought, so that this takes far less time than reading. A file that is
unusual in any way is not cut, but read as a whole.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import IO, NamedTuple

from anascore.formats.source import check_utf8, matching_lines

TOKEN = re.compile(rb"^(?!#)[^\S\n]*\S", re.MULTILINE)
"""Start of a row of columns."""


class CannotCut(Exception):  # noqa: N818  no error: the file is read as a whole
    """A file cannot be cut into parts."""


class FileBlock(NamedTuple):
    """Some lines of a file; the last one is no comment, unless the file ends with it."""

    content: bytes
    """UTF-8 without a byte order mark, with LF at the ends of lines."""

    offset: int
    """Position in the file."""

    line: int
    """Number of the first line, from 1."""

    has_crlf: bool = False
    """True if all lines end in CRLF in the file."""

    def offset_of(self, position: int) -> int:
        """Return the position in the file of a position in the content."""
        removed = self.content.count(b"\n", 0, position) if self.has_crlf else 0
        return self.offset + position + removed


BLOCK_SIZE = 1 << 16
"""Number of bytes that are read at once; a longer line makes a block larger."""


def read_blocks(file: IO[bytes], size: int = BLOCK_SIZE) -> Iterator[FileBlock]:
    """Yield the lines of a file; raise CannotCut if it is not UTF-8 or has other ends of lines."""
    rest, offset, line = b"", 0, 1
    while chunk := file.read(max(size, len(rest), len(codecs.BOM_UTF8))):
        if not offset and not rest and chunk.startswith(codecs.BOM_UTF8):
            chunk, offset = chunk[len(codecs.BOM_UTF8) :], len(codecs.BOM_UTF8)
        rest += chunk
        if end := _end_of_lines(rest):
            block = _block(rest[:end], offset, line)
            yield block
            rest, offset, line = rest[end:], offset + end, line + block.content.count(b"\n")
    if rest:
        yield _block(rest, offset, line)


def _end_of_lines(content: bytes) -> int:
    """Return the end of the last whole line that is no comment; 0 if there is none."""
    end = content.rfind(b"\n") + 1
    while end:
        start = content.rfind(b"\n", 0, end - 1) + 1
        if content[start : start + 1] != b"#":
            return end
        end = start
    return 0


def _block(content: bytes, offset: int, line: int) -> FileBlock:
    # Finding a byte is many times faster than counting it.
    returns = content.count(b"\r") if b"\r" in content else 0
    if returns:
        lines = content.count(b"\r\n")
        if not returns == lines == content.count(b"\n"):
            raise CannotCut
        content = content.replace(b"\r\n", b"\n")
    try:
        check_utf8(content)
    except UnicodeDecodeError:
        raise CannotCut from None
    if b"\0" in content:
        raise CannotCut
    return FileBlock(content, offset, line, bool(returns))


class DocumentStart(NamedTuple):
    """Start of a document in a block."""

    position: int
    name: str
    """Name of the document; empty if the file does not name it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Cutting:
    """Description of the starts of documents in a format, and of lines that its reader needs."""

    starts: Callable[[FileBlock], Iterable[DocumentStart]]
    """Returns the starts of documents in a block; raises CannotCut if they are not clear."""

    first_document: re.Pattern[bytes] | None = None
    """Pattern of lines that make a document if they stand before the first start."""

    rows: re.Pattern[bytes] | None = None
    """Pattern of the rows with which the digest begins."""

    number_of_rows: int = 0
    """Number of these rows."""

    witnesses: tuple[bytes, ...] = ()
    """Words by which a reader judges the whole file; the first line with each is in the digest."""

    tabbed: re.Pattern[bytes] | None = None
    """Pattern of a row with tabs, by which a reader judges the separator of columns."""

    declaration: tuple[re.Pattern[bytes], bytes] | None = None
    """Comment that holds for the whole file, and a word in it; a file that has it with different
    values, or below the first document, is not cut."""

    is_usual: Callable[[bytes], bool] = lambda _: True
    """Returns False if a file with this digest is not cut."""

    unnamed: bool = False
    """True if files never name their documents."""


class Digest:
    """Collector of the lines that tell how a file is read."""

    def __init__(self, cutting: Cutting) -> None:
        """Start before the first block."""
        self._cutting = cutting
        self._witnesses = {*cutting.witnesses}
        self._tabbed = cutting.tabbed
        self._rows = 0
        self._lines: dict[int, bytes] = {}
        self._declared: list[bytes] | None = None
        self._below_rows = False

    def add(self, block: FileBlock) -> None:
        """Collect the lines of the next block; raise CannotCut if a declaration differs."""
        content, cutting = block.content, self._cutting
        if cutting.rows and self._rows < cutting.number_of_rows:
            for row in cutting.rows.finditer(content):
                self._keep(block, row.start())
                self._rows += 1
                if self._rows == cutting.number_of_rows:
                    break
        if self._tabbed and (match := self._tabbed.search(content)):
            self._keep(block, match.start())
            self._tabbed = None
        for word in tuple(self._witnesses):
            if (position := content.find(word)) >= 0:
                self._keep(block, position)
                self._witnesses.remove(word)
        if cutting.declaration:
            self._check_declarations(block, *cutting.declaration)

    def _check_declarations(
        self, block: FileBlock, pattern: re.Pattern[bytes], word: bytes
    ) -> None:
        first_row = TOKEN.search(block.content)
        for match in matching_lines(block.content, pattern, word):
            value = match[1].split()
            if self._declared is None:
                if self._below_rows or (first_row and first_row.start() < match.start()):
                    raise CannotCut
                self._declared = value
                self._keep(block, match.start())
            elif value != self._declared:
                raise CannotCut
        self._below_rows = self._below_rows or first_row is not None

    def _keep(self, block: FileBlock, position: int) -> None:
        start = block.content.rfind(b"\n", 0, position) + 1
        end = block.content.find(b"\n", position) % (len(block.content) + 1)
        self._lines[block.offset + start] = block.content[start:end]

    @property
    def content(self) -> bytes:
        """The lines, in the order of the file; raise CannotCut if they are not usual."""
        content = b"".join(line + b"\n" for _, line in sorted(self._lines.items()))
        if not self._cutting.is_usual(content):
            raise CannotCut
        return content
