"""What is being done, for people who wait at a terminal.

Whoever works says what it is at with `doing` and `each`. Nobody listens unless `shown` is active.
"""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import IO, Any, TypeVar

from anascore.printable import printable

T = TypeVar("T")

PATIENCE = 2.0
"""How many seconds pass before anything is shown."""

EVERY = 0.25
CLEAR = "\r\x1b[2K"


class Doing:
    """What is being done at the moment."""

    text = "working"


_doing: ContextVar[Doing | None] = ContextVar("doing", default=None)


def doing(what: str) -> None:
    """Say what is being done from now on."""
    if (now := _doing.get()) is not None:
        now.text = what


def each(items: Collection[T], what: str) -> Iterator[T]:
    """Go through items, and say at which of them the work is."""
    if _doing.get() is None:
        yield from items
        return
    for number, item in enumerate(items, 1):
        doing(f"{what} {number} of {len(items)}")
        yield item


@contextmanager
def shown(stream: IO[Any] | None) -> Iterator[None]:
    """Show on a terminal what is being done, if it takes long; do nothing elsewhere."""
    if stream is None or not _can_be_shown(stream):
        yield
        return
    now, began, terminal = Doing(), time.monotonic(), stream.fileno()

    def show(*_: object) -> None:
        # No stream is written to, since the work may be interrupted while it writes to one.
        text = f"anascore: {printable(now.text)} ({time.monotonic() - began:.0f} s)"
        os.write(terminal, f"{CLEAR}{text[: _width(terminal) - 1]}".encode())

    token = _doing.set(now)
    before = signal.signal(signal.SIGALRM, show)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, EVERY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        _doing.reset(token)
        if time.monotonic() - began >= PATIENCE:
            os.write(terminal, CLEAR.encode())


def _width(terminal: int) -> int:
    """Return the number of columns; some terminals do not tell it."""
    return os.get_terminal_size(terminal).columns or 80


def _can_be_shown(stream: IO[Any]) -> bool:
    """Tell whether there is a terminal, and a clock that can interrupt the work."""
    return (
        stream.isatty()
        and hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
    )
