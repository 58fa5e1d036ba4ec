"""Work that is shared among processes. These are slow to load: import when needed.

Processes are forked, so that they have all that has been read so far without a copy being made.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from multiprocessing import get_all_start_methods, get_context
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from typing import Any, TypeVar

from anascore.errors import AnascoreError
from anascore.progress import doing

T = TypeVar("T")
R = TypeVar("R")


def share(work: Callable[[T], R], items: Sequence[T], number: int) -> Iterator[R]:
    """Do a work for each item in so many processes; give the results in the order of the items.

    What is raised for the first item that something is wrong with is raised here. Where processes
    cannot be forked, there is only this one.
    """
    if "fork" not in get_all_start_methods():
        yield from map(work, items)
        return
    workers: list[tuple[ForkProcess, Connection]] = []
    try:
        for first in range(number):
            workers.append(_started(work, items[first::number], [end for _, end in workers]))
        for position in range(len(items)):
            doing(f"{number} processes, done: {position} of {len(items)}")
            yield _received(workers[position % number][1])
    finally:
        for process, _ in workers:
            process.terminate()
        for process, receiver in workers:
            process.join()
            receiver.close()


def _started(
    work: Callable[[T], R], items: Sequence[T], others: Sequence[Connection]
) -> tuple[ForkProcess, Connection]:
    """Start a process, and return it with the end of the pipe that results come out of.

    A process that is forked has these ends, too, its own and those of others. It closes them: or
    else it would never find out that this process is gone, and wait for ever.
    """
    context = get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    ends = [*others, receiver]
    process = context.Process(target=serve, args=(work, items, sender, ends), daemon=True)
    # Ctrl-C reaches all processes of a terminal. It stays blocked in the new one, which is ended by
    # this one, and is only put off in this one.
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        process.start()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
    sender.close()
    return process, receiver


def serve(
    work: Callable[[T], R], items: Sequence[T], sender: Connection, ends: Sequence[Connection]
) -> None:
    """Send what comes of each item, or what was raised; stop when nobody receives it."""
    for end in ends:
        end.close()
    outcome: tuple[R | None, Exception | None]
    with suppress(BrokenPipeError):
        for item in items:
            try:
                outcome = work(item), None
            except Exception as error:  # noqa: BLE001  it is raised where results are received
                outcome = None, error
            sender.send(outcome)


def _received(receiver: Connection) -> Any:
    try:
        result, error = receiver.recv()
    except EOFError:
        message = "a process has ended before its work was done; is there memory for fewer --jobs?"
        raise AnascoreError(message) from None
    if error is not None:
        raise error
    return result
