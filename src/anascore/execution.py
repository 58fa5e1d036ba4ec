"""Execution: parallel processes, progress on a terminal, garbage collection."""

from __future__ import annotations

import gc
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from importlib import import_module
from itertools import accumulate
from threading import Thread
from typing import IO, TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, cast
from unicodedata import category, east_asian_width, normalize

from anascore.arguments import has_method, is_string
from anascore.errors import MAX_NUMBER, AnascoreError, SettingsError, check_whole_number, shown

if TYPE_CHECKING:
    # Importing it takes 40 ms.
    from concurrent.futures import Executor, Future

ESCAPED_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp", "Zs"})
"""Unicode categories of characters that text output escapes: control and format characters, lone
surrogates, line separators, and white space other than the blank."""


def escape_control_characters(line: str) -> str:
    """Escape control and format characters and line ends: untrusted text is then safe to print.

    Among them are escape sequences of terminals, marks that reverse the direction of the text, and
    characters of no width.
    """
    return line if line.isprintable() else "".join(map(_escape_character, line))


def _escape_character(character: str) -> str:
    escaped = character != " " and category(character) in ESCAPED_CATEGORIES
    return ascii(character)[1:-1] if escaped else character


def display_width(text: str) -> int:
    """Return the number of columns that a text takes on a terminal.

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
    """Lay out text for a file: without styles, and as wide on every terminal."""
    token = _in_file.set(True)
    try:
        with allow_styles(None):
            yield
    finally:
        _in_file.reset(token)


def is_text_for_file() -> bool:
    """Return True if text is laid out for a file."""
    return _in_file.get()


def styled(text: str, style: str) -> str:
    """Return text with a style, if styles are allowed."""
    return f"{style}{text}{PLAIN}" if _styled.get() else text


@contextmanager
def gc_paused() -> Iterator[None]:
    """Disable cyclic garbage collection, which takes a quarter of the time for nothing.

    Corpora have no reference cycles. Only the command line does this; a program that uses the
    library decides for itself.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


class TerminationSignal(BaseException):
    """A signal that asks the process to end."""

    def __init__(self, number: int) -> None:
        """Store the number of the signal."""
        super().__init__(number)
        self.number = number


@contextmanager
def raise_on_termination() -> Iterator[None]:
    """Raise TerminationSignal on SIGTERM and SIGHUP, so that temporary files are removed.

    Only the command line does this. A signal that is ignored, as under nohup, stays ignored.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    process = os.getpid()

    def stop(number: int, _: object) -> None:
        if os.getpid() != process:  # pragma: no cover  in workers only
            os._exit(128 + number)
        raise TerminationSignal(number)

    names = ("SIGTERM", "SIGHUP")
    numbers = [getattr(signal, name) for name in names if hasattr(signal, name)]
    handled = [number for number in numbers if signal.getsignal(number) is signal.SIG_DFL]
    for number in handled:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in handled:
            signal.signal(number, signal.SIG_DFL)


T = TypeVar("T")
R = TypeVar("R")

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
    """Return the number of columns, or 80 if the terminal does not report it."""
    return os.get_terminal_size(terminal).columns or 80


def _supports_progress(stream: IO[Any]) -> bool:
    """Return True if the stream is a terminal and a timer can interrupt this thread."""
    return (
        stream.isatty()
        and hasattr(signal, "setitimer")
        and threading.current_thread() is threading.main_thread()
    )


Jobs: TypeAlias = int | Literal["auto"]
"""Number of parallel processes; auto stands for one per core."""


def number_of_jobs(jobs: Jobs) -> int:
    """Return a number of processes; raise SettingsError if it is neither auto nor at least 1."""
    if is_string(jobs) and jobs == "auto":
        usable = getattr(os, "sched_getaffinity", None)
        return len(usable(0)) if usable else os.cpu_count() or 1
    check_whole_number("--jobs", jobs, 1, MAX_NUMBER)
    return cast(int, jobs)


def check_executor(executor: object, jobs: int) -> None:
    """Raise SettingsError unless `executor` is an executor, and the only means of parallel work."""
    if not has_method(executor, "submit"):
        message = f"executor must be a concurrent.futures.Executor, not {shown(executor)}"
        raise SettingsError(message)
    if jobs > 1:
        message = (
            "executor and jobs cannot be combined: an executor has its own processes; pass one of "
            "them"
        )
        raise SettingsError(message)


def for_each(work: Callable[[T], R], items: Iterable[T], jobs: int) -> Iterator[R]:
    """Apply `work` to each item; yield the results in order.

    With several jobs, worker processes are forked. They share `work` and the items of a sequence,
    which can be anything; other items are sent to them. Where fork is not available, as on Windows,
    a single process does the work. If items raise errors, the error of the first such item is
    raised.
    """
    if not hasattr(os, "fork"):
        jobs = 1
    if not isinstance(items, Sequence):
        return _in_processes(work, items, jobs) if jobs > 1 else map(work, items)
    processes = min(jobs, len(items))
    if processes < 2:
        return map(work, items)
    return _in_processes(lambda n: work(items[n]), range(len(items)), processes)


MAX_SUBMITTED = 64
"""Maximum number of items that an executor holds at a time."""


def submit_each(work: Callable[[T], R], items: Iterable[T], executor: Executor) -> Iterator[R]:
    """Apply `work` to each item in an executor; yield the results in order.

    Only `submit` and `result` are used, which all executors have. Errors of `work` and of the
    executor, such as a worker that ended, raise AnascoreError.
    """
    try:
        yield from _submitted(work, items, executor)
    except AnascoreError:
        raise
    except Exception as error:
        reason = f"{type(error).__name__}: {error}".rstrip(": ")
        message = f"the executor could not finish the work: {reason}"
        raise AnascoreError(message) from error


def _submitted(work: Callable[[T], R], items: Iterable[T], executor: Executor) -> Iterator[R]:
    futures: deque[Future[R]] = deque()
    for item in items:
        futures.append(executor.submit(work, item))
        if len(futures) == MAX_SUBMITTED:
            yield futures.popleft().result()
    while futures:
        yield futures.popleft().result()


DASK_TIMEOUT = 10.0
"""Seconds to wait for a Dask cluster, or for one of its workers."""


@contextmanager
def dask_executor(address: str) -> Iterator[Executor]:
    """Connect to a Dask cluster; "local" starts one on this machine, and ends it afterwards."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        message = "--dask needs the package distributed: pip install 'anascore[dask]'"
        raise SettingsError(message) from None
    with ExitStack() as stack:
        try:
            cluster: Any = address
            if address == "local":
                cluster = stack.enter_context(
                    distributed.LocalCluster(threads_per_worker=1, dashboard_address=None)
                )
            client = stack.enter_context(distributed.Client(cluster, timeout=DASK_TIMEOUT))
            client.wait_for_workers(1, timeout=DASK_TIMEOUT)
        except (OSError, TimeoutError, ValueError, RuntimeError) as error:
            reason = str(error) or type(error).__name__
            message = f"--dask {address}: there is no such cluster, or it has no workers: {reason}"
            raise AnascoreError(message) from None
        yield cast("Executor", _ClusterExecutor(client))


class _ClusterExecutor:
    """Executor of a Dask cluster, which does not wait for ever if the cluster has no workers."""

    def __init__(self, client: Any) -> None:
        """Work on the cluster of a client."""
        self._client = client
        self._executor = client.get_executor()

    def submit(self, work: Callable[[T], R], item: T) -> Any:
        """Submit an item; the future's `result` raises AnascoreError if there are no workers."""
        return _ClusterFuture(self._client, self._executor.submit(work, item))


class _ClusterFuture:
    """Future on a Dask cluster."""

    def __init__(self, client: Any, future: Future[Any]) -> None:
        """Take the client and the future that its executor returned."""
        self._client = client
        self._future = future

    def result(self) -> Any:
        """Wait for the result as long as there are workers."""
        from concurrent.futures import TimeoutError as NotDone  # noqa: PLC0415  see above

        idle = 0.0
        while idle < DASK_TIMEOUT:
            try:
                return self._future.result(timeout=INTERVAL)
            except NotDone:
                idle = 0.0 if self._client.scheduler_info()["workers"] else idle + INTERVAL
        message = "the Dask cluster has lost all its workers"
        raise AnascoreError(message)


def _in_processes(work: Callable[[T], R], items: Iterable[T], processes: int) -> Iterator[R]:
    """Apply `work` in a pool of processes, which end with the iteration."""
    # Imported here because it takes 40 ms.
    from concurrent.futures import ProcessPoolExecutor  # noqa: PLC0415
    from concurrent.futures.process import BrokenProcessPool  # noqa: PLC0415
    from multiprocessing import active_children, get_context  # noqa: PLC0415

    before = set(active_children())
    # Ctrl-C reaches all processes of a terminal. Workers inherit the blocked signal, so that only
    # this process handles it and ends them.
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    pool = None
    try:
        try:
            pool = ProcessPoolExecutor(
                processes,
                mp_context=get_context("fork"),
                initializer=_start_worker,
                initargs=(work,),
            )
            # All processes start with the first submission.
            pool.submit(int)
        except (OSError, RuntimeError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            message = f"{processes} processes cannot be started: {reason}; use fewer --jobs"
            raise AnascoreError(message) from None
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        for position, result in enumerate(_submitted(_work_on, items, pool)):
            status(f"{processes} processes, done: {position}")
            yield result
    except BrokenProcessPool:
        message = "a worker process ended unexpectedly; if memory ran out, use fewer --jobs"
        raise AnascoreError(message) from None
    finally:
        for worker in {*active_children()} - before:
            # SIGTERM would be lost in a worker that is just setting its default action.
            worker.kill()
        if pool:
            pool.shutdown(cancel_futures=True)
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)


_worker: dict[str, Any] = {}
"""Function that this process applies, if it is a worker."""


def _start_worker(  # pragma: no cover  in workers only
    work: Callable[[Any], Any],
) -> None:
    """Store the work, and end this worker when its parent process ends."""
    from multiprocessing import parent_process  # noqa: PLC0415
    from multiprocessing.connection import wait  # noqa: PLC0415

    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    _worker["work"] = work
    parent = parent_process()
    assert parent is not None  # noqa: S101  a worker has a parent

    def exit_with_parent() -> None:
        wait([parent.sentinel])
        os._exit(1)

    # A limit on processes counts threads, too.
    with suppress(RuntimeError):
        Thread(target=exit_with_parent, daemon=True).start()


def _work_on(item: Any) -> Any:  # pragma: no cover  in workers only
    return _worker["work"](item)
