"""Sentences of CoNLL-like files: the one place that calls the compiled scanner, if it was built.

The scanner splits the rows of sentences in which nothing needs a closer look, which is nearly all
of them. The readers in Python read all others, and everything if there is no scanner; results and
messages are the same.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, Protocol, TypeAlias

ScannedRow: TypeAlias = tuple[int, int, *tuple[str, ...]]
"""Row with annotation: the line, the position of the word, and the cells that have it."""

MAX_ROWS = 4096
"""Number of rows with annotation after which the scanner pauses, so that few are in memory."""

PURE = "ANASCORE_PURE"
"""Environment variable that turns the scanner off."""


Scan: TypeAlias = Callable[..., tuple[int, int, int, int, int]]
"""The compiled function: returns where it stopped, and the numbers of `Scanned`."""


def load() -> Scan | None:
    """Return the compiled function; None if it was not built, or is turned off."""
    if os.environ.get(PURE):
        return None
    try:
        compiled: Any = import_module("anascore.formats._scanner")
    except ImportError:
        return None
    return compiled.scan  # type: ignore[no-any-return]


scan = load()


class Layout(NamedTuple):
    """Columns of a file in the form that the scanner takes."""

    tabs: int = 0
    """Number of tabs in a row; 0 for CoNLL-2012, whose sentences differ."""

    marks: tuple[bytes, ...] = ()
    """Texts one of which is in every annotation."""

    annotation: tuple[bytes, ...] = ()
    """The same for multiword tokens."""

    first: int = 0
    """Position of the first column that annotates coreference."""

    cells: int = 1
    """Number of columns that annotate coreference, side by side."""

    misc: int = -1
    """Position of MISC."""


class Scanned(NamedTuple):
    """Sentences that the scanner has read."""

    rows: list[ScannedRow]
    next_id: int
    """ID after the last word."""

    first_id: int
    """ID of the first word of the last sentence; 0 if there is no sentence."""

    width: int
    """Number of columns of the last sentence of CoNLL-2012."""


class SentenceReader(Protocol):
    """Reader of a document, from top to bottom."""

    output: Rows

    @property
    def next_id(self) -> int:
        """The ID after the last word, if IDs run on."""

    def take(self, scanned: Scanned) -> None:
        """Take sentences that the scanner has read."""

    def read_rows(self, rows: bytes, first: int) -> None:
        """Read the rows of a sentence, or of several, with all checks."""


class Rows(NamedTuple):
    """Words of a document, filled while reading."""

    words: list[str]
    interned: dict[str, str]
    lines: array[int]
    sentences: list[int]


def read_sentences(
    reader: SentenceReader, content: bytes, line: int, layout: Layout | None
) -> None:
    """Read the sentences of a document, whose first line has a number.

    Without a layout the reader reads all rows.
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
    """Scan sentences from a position and a line; return where the first other one starts."""
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
