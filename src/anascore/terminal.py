"""The terminal: safe text, widths, styles, and progress of long operations."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from itertools import accumulate
from typing import IO, TYPE_CHECKING, Any, TypeVar
from unicodedata import category, east_asian_width, normalize

if TYPE_CHECKING:
    # Importing it takes 40 ms.
    pass

ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})
"""Unicode categories of characters that text output escapes: control and format characters, lone
surrogates, line separators, and white space other than the space character."""


def escape_control_characters(line: str) -> str:
    """Escape control and format characters and line ends, which makes untrusted text safe to print.

    This includes terminal escape sequences, marks that reverse the text direction, and characters
    without width.
    """
    return line if line.isprintable() else "".join(map(_escape_character, line))


def _escape_character(character: str) -> str:
    escaped = character != " " and category(character) in ESCAPED_CATEGORIES
    return ascii(character)[1:-1] if escaped else character


def display_width(text: str) -> int:
    """Count the columns that a text takes on a terminal.

    Wide characters, such as Chinese ones, take two columns. Combining marks and joiners take none.
    """
    if text.isascii():
        return len(text)
    # NFC first, since the letters of a decomposed Hangul syllable are not combining marks.
    return sum(map(_columns, normalize("NFC", text)))


def _columns(character: str) -> int:
    if category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def pad(text: str, width: int) -> str:
    """Pad a text with spaces to a number of columns."""
    return text + " " * (width - display_width(text))


def cut(text: str, width: int) -> str:
    """Cut a text to a number of columns."""
    ends = (end for end, columns in enumerate(accumulate(map(_columns, text))) if columns > width)
    return text[: next(ends, None)]


def shorten_middle(text: str, width: int) -> str:
    """Cut out the middle of a text that takes more than a number of columns.

    >>> shorten_middle("system-with-a-long-name", 11)
    'syste…-name'
    """
    if display_width(text) <= width:
        return text
    return f"{cut(text, width // 2)}…{cut(text[::-1], (width - 1) // 2)[::-1]}"


_styled: ContextVar[bool] = ContextVar("styled", default=False)

BOLD, DIM, PLAIN = "\x1b[1m", "\x1b[2m", "\x1b[0m"
"""Control sequences for bold text, dim text and the end of both."""


@contextmanager
def allow_styles(stream: IO[Any] | None) -> Iterator[None]:
    """Allow bold and dim text if the stream is a terminal and the variable NO_COLOR is not set."""
    suppressed = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    token = _styled.set(stream is not None and stream.isatty() and not suppressed)
    try:
        yield
    finally:
        _styled.reset(token)


_in_file: ContextVar[bool] = ContextVar("in_file", default=False)


@contextmanager
def text_for_file() -> Iterator[None]:
    """Lay out text for a file: without styles, and with the same width on every terminal."""
    token = _in_file.set(True)
    try:
        with allow_styles(None):
            yield
    finally:
        _in_file.reset(token)


def is_text_for_file() -> bool:
    """Test whether text is laid out for a file."""
    return _in_file.get()


def styled(text: str, style: str) -> str:
    """Style a text, if styles are allowed."""
    return f"{style}{text}{PLAIN}" if _styled.get() else text


T = TypeVar("T")

DELAY = 2.0
"""Seconds before progress is shown."""

INTERVAL = 0.25
"""Seconds between two updates."""

CLEAR = "\r\x1b[2K"
"""Control sequence that clears the line."""


class Status:
    """Message about the current operation."""

    text = "working"


_status: ContextVar[Status | None] = ContextVar("status", default=None)


def status(message: str) -> None:
    """Set the progress message, if progress is shown."""
    if (current := _status.get()) is not None:
        current.text = message


def track(items: Collection[T], label: str) -> Iterator[T]:
    """Yield the items, and set the progress message to the label and the number of the item."""
    if _status.get() is None:
        yield from items
        return
    for number, item in enumerate(items, 1):
        status(f"{label} {number} of {len(items)}")
        yield item


@contextmanager
def show_progress(stream: IO[Any] | None) -> Iterator[None]:
    """Show progress of long operations, if the stream is a terminal."""
    if stream is None or not _supports_progress(stream):
        yield
        return
    current, start, terminal = Status(), time.monotonic(), stream.fileno()

    def show(*_: object) -> None:
        # Writes to the file descriptor, since the signal may interrupt a write to the stream.
        message = escape_control_characters(current.text)
        line = f"anascore: {message} ({time.monotonic() - start:.0f} s)"
        os.write(terminal, f"{CLEAR}{cut(line, _width(terminal) - 1)}".encode())

    token = _status.set(current)
    before = signal.signal(signal.SIGALRM, show)
    signal.setitimer(signal.ITIMER_REAL, DELAY, INTERVAL)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        _status.reset(token)
        if time.monotonic() - start >= DELAY:
            os.write(terminal, CLEAR.encode())


def _width(terminal: int) -> int:
    """Fall back to 80 columns if the terminal does not report its width."""
    return os.get_terminal_size(terminal).columns or 80


def _supports_progress(stream: IO[Any]) -> bool:
    """Progress needs a terminal, and a timer that can interrupt this thread."""
    return (
        stream.isatty()
        and hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
    )
