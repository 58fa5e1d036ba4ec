"""Parallel work: processes, executors and clusters; signals and garbage collection of a command."""

from __future__ import annotations

import gc
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from threading import Thread
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, cast

from anascore.arguments import has_method, is_string
from anascore.errors import MAX_NUMBER, AnascoreError, SettingsError, check_whole_number, shown
from anascore.terminal import status

if TYPE_CHECKING:
    # Importing it takes 40 ms.
    from concurrent.futures import Executor, Future


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


Jobs: TypeAlias = int | Literal["auto"]
"""Number of parallel processes; auto stands for one per core."""


def number_of_jobs(jobs: Jobs) -> int:
    """Resolve "auto"; raise SettingsError unless the number is at least 1."""
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

    If there are several jobs, worker processes are forked. They share `work` and the items of a
    sequence, which can be anything; other items are sent to them. If fork is not available, as on
    Windows, a single process does the work. If items raise errors, the error of the first such item
    is raised.
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
"""Maximum number of items that an executor receives at a time."""


def submit_each(work: Callable[[T], R], items: Iterable[T], executor: Executor) -> Iterator[R]:
    """Apply `work` to each item in an executor; yield the results in order.

    Only `submit` and `result` are used, which all executors provide. Errors of `work` and of the
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

POLL_INTERVAL = 0.25
"""Seconds between checks whether the cluster still has workers."""


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
    """Executor of a Dask cluster that does not wait for ever if the cluster has no workers."""

    def __init__(self, client: Any) -> None:
        self._client = client
        self._executor = client.get_executor()

    def submit(self, work: Callable[[T], R], item: T) -> Any:
        """Submit an item; the future's `result` raises AnascoreError if there are no workers."""
        return _ClusterFuture(self._client, self._executor.submit(work, item))


class _ClusterFuture:
    """Future on a Dask cluster."""

    def __init__(self, client: Any, future: Future[Any]) -> None:
        self._client = client
        self._future = future

    def result(self) -> Any:
        """Wait for the result as long as there are workers."""
        from concurrent.futures import TimeoutError as NotDone  # noqa: PLC0415  see above

        idle = 0.0
        while idle < DASK_TIMEOUT:
            try:
                return self._future.result(timeout=POLL_INTERVAL)
            except NotDone:
                idle = 0.0 if self._client.scheduler_info()["workers"] else idle + POLL_INTERVAL
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
"""The function that this process applies, if it is a worker."""


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
