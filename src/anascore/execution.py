"""Running the work: parallel processes, progress on a terminal, garbage collection."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Thread
from typing import IO, Any, TypeVar
from unicodedata import category, east_asian_width, normalize

from anascore.errors import AnascoreError, SettingsError


def escape_control_characters(line: str) -> str:
    """Write characters that control a terminal, or a line end, by their numbers."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)


def display_width(text: str) -> int:
    """Return the number of columns that a text takes on a terminal.

    Wide characters, such as Chinese ones, take two columns. Combining marks and joiners take none.
    """
    if text.isascii():
        return len(text)
    # Composed first, since the letters of a decomposed Hangul syllable are no combining marks.
    return sum(map(_columns, normalize("NFC", text)))


def _columns(character: str) -> int:
    if category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def pad(text: str, width: int) -> str:
    """Fill a text with blanks up to a number of columns."""
    return text + " " * (width - display_width(text))


@contextmanager
def gc_paused() -> Iterator[None]:
    """Switch off the search for cycles: corpora have none, and it takes a quarter of the time.

    This is for the command line only. A program that uses the library keeps its own choice.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


T = TypeVar("T")
R = TypeVar("R")

PATIENCE = 2.0
"""How many seconds pass before anything is shown."""

EVERY = 0.25
CLEAR = "\r\x1b[2K"


class Status:
    """What is being done at the moment."""

    text = "working"


_status: ContextVar[Status | None] = ContextVar("doing", default=None)


def status(what: str) -> None:
    """Say what is being done from now on."""
    if (now := _status.get()) is not None:
        now.text = what


def track(items: Collection[T], what: str) -> Iterator[T]:
    """Go through items, and say at which of them the work is."""
    if _status.get() is None:
        yield from items
        return
    for number, item in enumerate(items, 1):
        status(f"{what} {number} of {len(items)}")
        yield item


@contextmanager
def show_progress(stream: IO[Any] | None) -> Iterator[None]:
    """Show on a terminal what is being done, if it takes long; do nothing elsewhere."""
    if stream is None or not _can_be_shown(stream):
        yield
        return
    now, began, terminal = Status(), time.monotonic(), stream.fileno()

    def show(*_: object) -> None:
        # No stream is written to, since the work may be interrupted while it writes to one.
        text = f"anascore: {escape_control_characters(now.text)} ({time.monotonic() - began:.0f} s)"
        os.write(terminal, f"{CLEAR}{text[: _width(terminal) - 1]}".encode())

    token = _status.set(now)
    before = signal.signal(signal.SIGALRM, show)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE, EVERY)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        _status.reset(token)
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


def check_jobs(jobs: int) -> None:
    """Raise unless `jobs` is at least 1."""
    if jobs < 1:
        message = f"--jobs must be at least 1, not {jobs}"
        raise SettingsError(message)


def for_each(work: Callable[[T], R], items: Sequence[T], jobs: int) -> Iterator[R]:
    """Apply `work` to each item; yield the results in order.

    With several jobs, processes are forked: they share all that has been read so far, and `work`
    and the items can be anything. Where processes cannot be forked, as on Windows, the items are worked on
    one by one. The first item that raises an error, in order, raises it here.
    """
    number = min(jobs, len(items))
    if number < 2 or not hasattr(os, "fork"):
        return map(work, items)
    return _in_processes(work, items, number)


def _in_processes(work: Callable[[T], R], items: Sequence[T], number: int) -> Iterator[R]:
    """Apply `work` in a pool of processes, which end with the iteration."""
    # Imported here because it takes 40 ms.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415
    from multiprocessing import active_children, get_context  # noqa: PLC0415

    before = set(active_children())
    pool = ProcessPoolExecutor(
        number, mp_context=get_context("fork"), initializer=_start_worker, initargs=(work, items)
    )
    workers = set()
    # Ctrl-C reaches all processes of a terminal. Workers inherit that it is blocked, so that only
    # this process handles it, and ends them.
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        results = pool.map(_work_on, range(len(items)))
        workers = set(active_children()) - before
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        for position, result in enumerate(results):
            status(f"{number} processes, done: {position} of {len(items)}")
            yield result
    except BrokenProcessPool:
        message = "a process ended before its work was done; is there memory for fewer --jobs?"
        raise AnascoreError(message) from None
    finally:
        for worker in workers:
            worker.terminate()
        pool.shutdown(cancel_futures=True)
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)


_worker: dict[str, Any] = {}
"""The function that this process applies and the items, if it is a worker."""


def _start_worker(
    work: Callable[[Any], Any], items: Sequence[Any]
) -> None:  # pragma: no cover  in workers only
    """Remember the work, and end this worker when the process that started it is gone."""
    from multiprocessing import parent_process  # noqa: PLC0415
    from multiprocessing.connection import wait  # noqa: PLC0415

    _worker.update(work=work, items=items)
    parent = parent_process()
    assert parent is not None  # noqa: S101  a worker has a parent

    def follow() -> None:
        wait([parent.sentinel])
        os._exit(1)

    Thread(target=follow, daemon=True).start()


def _work_on(position: int) -> Any:  # pragma: no cover  in workers only
    return _worker["work"](_worker["items"][position])
