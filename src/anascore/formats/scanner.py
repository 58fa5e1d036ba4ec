"""Sentences of CoNLL-like files: the one place that calls the compiled scanner, if it was built.

The scanner splits the rows of well-formed sentences, which are nearly all. The readers in Python
read everything else, and everything if there is no scanner; results and messages are the same.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, Protocol, TypeAlias

ScannedRow: TypeAlias = tuple[int, int, *tuple[str, ...]]
"""Row with annotation: line, word position, and the annotated cells."""

MAX_ROWS = 4096
"""Number of annotated rows after which the scanner pauses, to limit memory."""

PURE = "ANASCORE_PURE"
"""Environment variable that disables the scanner."""


Scan: TypeAlias = Callable[..., tuple[int, int, int, int, int]]
"""The compiled function: returns where it stopped, and the numbers in `Scanned`."""


def load() -> Scan | None:
    """Load the compiled function; None if it was not built, or is disabled."""
    if os.environ.get(PURE):
        return None
    try:
        compiled: Any = import_module("anascore.formats._scanner")
    except ImportError:
        return None
    return compiled.scan  # type: ignore[no-any-return]


scan = load()


class Layout(NamedTuple):
    """A file's columns, as the scanner takes them."""

    tabs: int = 0
    """Number of tabs per row; 0 for CoNLL-2012, whose sentences vary in width."""

    marks: tuple[bytes, ...] = ()
    """Every annotation contains one of these texts."""

    annotation: tuple[bytes, ...] = ()
    """Every annotation of a multiword token contains one of these texts."""

    first: int = 0
    """Position of the first column that annotates coreference."""

    cells: int = 1
    """Number of columns that annotate coreference, side by side."""

    misc: int = -1
    """Position of the MISC column."""


class Scanned(NamedTuple):
    """Sentences that the scanner has read."""

    rows: list[ScannedRow]
    next_id: int
    """ID that the next word should have."""

    first_id: int
    """ID that starts the last sentence; 0 if there is no sentence."""

    width: int
    """Number of columns in the last sentence of CoNLL-2012."""


class SentenceReader(Protocol):
    """Reader of a document, from top to bottom."""

    output: Rows

    @property
    def next_id(self) -> int:
        """ID that the next word should have if IDs continue across sentences."""

    def take(self, scanned: Scanned) -> None:
        """Add sentences that the scanner has read."""

    def read_rows(self, rows: bytes, first: int) -> None:
        """Read the rows of one or more sentences, with all checks."""


class Rows(NamedTuple):
    """Words of a document, filled while reading."""

    words: list[str]
    interned: dict[str, str]
    lines: array[int]
    sentences: list[int]


def read_sentences(
    reader: SentenceReader, content: bytes, line: int, layout: Layout | None
) -> None:
    """Read a document's sentences; `line` is its first line number.

    Without a layout, the reader reads all rows.
    """
    position = 0
    uses_scanner = scan is not None and layout is not None
    while position < len(content):
        if scan is not None and layout is not None:
            position, line = _scan(scan, reader, content, (position, line), layout)
        if position < len(content):
            end = content.find(b"\n\n", position) if uses_scanner else -1
            sentence = content[position : end % (len(content) + 1)]
            reader.read_rows(sentence, line)
            # An empty line follows.
            position = len(content) if end < 0 else end + 2
            line += sentence.count(b"\n") + 2


def _scan(
    scan: Scan, reader: SentenceReader, content: bytes, start: tuple[int, int], layout: Layout
) -> tuple[int, int]:
    """Scan from a position and line; return where the first unscanned sentence starts."""
    position, line = start
    words, interned, all_lines, sentences = reader.output
    while True:
        lines, rows = bytearray(), list[ScannedRow]()
        output = words, interned, lines, sentences, rows
        position, line, next_id, first_id, width = scan(
            content, position, line, reader.next_id, layout, output, MAX_ROWS
        )
        all_lines.frombytes(lines)
        reader.take(Scanned(rows, next_id, first_id, width))
        if len(rows) < MAX_ROWS:
            return position, line
