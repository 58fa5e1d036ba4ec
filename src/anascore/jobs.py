"""The same function applied to many items, one after the other or in parallel processes."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Sequence
from threading import Thread
from typing import Any, TypeVar

from anascore.errors import AnascoreError, SettingsError
from anascore.progress import doing

T = TypeVar("T")
R = TypeVar("R")


def check_jobs(jobs: int) -> None:
    """Raise unless `jobs` is at least 1."""
    if jobs < 1:
        message = f"--jobs must be at least 1, not {jobs}"
        raise SettingsError(message)


def for_each(work: Callable[[T], R], items: Sequence[T], jobs: int) -> Iterator[R]:
    """Apply `work` to each item; yield the results in order.

    With several jobs, processes are forked: they share all that has been read so far, and `work`
    can be any function. Where processes cannot be forked, as on Windows, the items are worked on
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
        number, mp_context=get_context("fork"), initializer=_start_worker, initargs=(work,)
    )
    workers = set()
    # Ctrl-C reaches all processes of a terminal. Workers inherit that it is blocked, so that only
    # this process handles it, and ends them.
    unblocked = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        results = pool.map(_work_on, items)
        workers = set(active_children()) - before
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)
        for position, result in enumerate(results):
            doing(f"{number} processes, done: {position} of {len(items)}")
            yield result
    except BrokenProcessPool:
        message = "a process ended before its work was done; is there memory for fewer --jobs?"
        raise AnascoreError(message) from None
    finally:
        for worker in workers:
            worker.terminate()
        pool.shutdown(cancel_futures=True)
        signal.pthread_sigmask(signal.SIG_SETMASK, unblocked)


_worker: dict[str, Callable[[Any], Any]] = {}
"""The function that this process applies, if it is a worker."""


def _start_worker(work: Callable[[Any], Any]) -> None:  # pragma: no cover  in workers only
    """Remember the function, and end this worker when the process that started it is gone."""
    from multiprocessing import parent_process  # noqa: PLC0415
    from multiprocessing.connection import wait  # noqa: PLC0415

    _worker["work"] = work
    parent = parent_process()
    assert parent is not None  # noqa: S101  a worker has a parent

    def follow() -> None:
        wait([parent.sentinel])
        os._exit(1)

    Thread(target=follow, daemon=True).start()


def _work_on(item: Any) -> Any:  # pragma: no cover  in workers only
    return _worker["work"](item)
