"""Campaign: worker processes that try many inputs, within limits of time and memory."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import NamedTuple

import anascore
from tools.fuzzing.inputs import Input, make_input
from tools.fuzzing.trial import run_trial

TIME_LIMIT = 10
"""Maximum processor time for one input, in seconds: others may use the machine, too."""

SILENCE_LIMIT = 60
"""Maximum time in which a worker says nothing, in seconds."""

MEMORY_LIMIT = 1 << 30
"""Maximum memory of a worker, in bytes."""

SAVED_PER_KIND = 5
"""Maximum number of inputs that are saved for each kind of failure."""

IN_MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108  no fixed name
"""Folder of a file system in memory, which is faster; None if there is none."""

FAILURES = Path(__file__).parent / "failures"


class HangError(BaseException):
    """An input takes too long. It is no Exception, so that nothing catches it on the way."""


class Failure(NamedTuple):
    """A defect that an input shows."""

    number: int
    kind: str
    """Type of the exception and the place where it was raised."""

    details: str
    """Traceback."""


class Summary(NamedTuple):
    """Numbers of a campaign."""

    seed: int
    inputs: int
    seconds: float
    kinds: Counter[str]
    """Number of failures of each kind."""

    @property
    def line(self) -> str:
        """All numbers in one line."""
        rate = self.inputs / max(self.seconds, 0.001)
        return (
            f"{self.inputs:,} inputs in {self.seconds:.0f} s ({rate:.0f}/s), seed {self.seed}: "
            f"{self.kinds.total()} failures"
        )


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise HangError after some seconds of processor time."""

    def stop(*_: object) -> None:
        raise HangError

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def try_input(trial: Input, seed: int, number: int, folder: Path) -> Failure | None:
    """Try an input in an empty folder, which is removed; return the failure if there is one."""
    # The choices of a trial do not depend on how many choices made its input.
    rng = random.Random(f"trial {seed} {number}")  # noqa: S311  nothing to keep secret
    try:
        with time_limit(TIME_LIMIT):
            run_trial(trial, folder, rng)
    except (Exception, HangError) as error:  # noqa: BLE001  a defect is any exception
        return Failure(number, _kind(error), traceback.format_exc(limit=-20))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return None


_PACKAGE = str(Path(anascore.__file__).parent)


def _kind(error: BaseException) -> str:
    """Return the type of an exception, its place in the package, and its message if it is ours."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename.startswith(_PACKAGE)]
    name = type(error).__name__
    if own and name != "DefectError":
        path = Path(own[-1].filename).relative_to(_PACKAGE)
        return f"{name} in {path}, {own[-1].name}"
    return f"{name}: {str(error)[:60]}"


def _work(seed: int, numbers: Iterator[int], pipe: Connection, folder: Path) -> None:
    """Try inputs one after the other; send each number before it, and each failure."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_LIMIT, MEMORY_LIMIT))
    for number in numbers:
        pipe.send(number)
        failure = try_input(make_input(seed, number), seed, number, folder / str(number))
        if failure:
            pipe.send(failure)


class _Worker:
    """A process, with what its pipe said last."""

    def __init__(self, seed: int, start: int, step: int, folder: Path) -> None:
        """Start with the input of a number; the next one is a step further.

        Files are written to a folder, which can be that of other workers, too.
        """
        context = multiprocessing.get_context("fork")
        self.pipe, own_end = context.Pipe(duplex=False)
        self.number = start
        self.step = step
        self.since = time.monotonic()
        numbers = iter(range(start, sys.maxsize, step))
        self.process: BaseProcess = context.Process(
            target=_work, args=(seed, numbers, own_end, folder), daemon=True
        )
        self.process.start()
        own_end.close()

    def receive(self) -> Iterator[Failure]:
        """Take what the process has sent."""
        try:
            while self.pipe.poll():
                message = self.pipe.recv()
                if isinstance(message, Failure):
                    yield message
                else:
                    self.number, self.since = message, time.monotonic()
        except EOFError:
            self.process.join()

    def failure(self) -> Failure | None:
        """Return the failure of a process that has ended, or hangs where no signal reaches it."""
        if not self.process.is_alive():
            status = self.process.exitcode
            return Failure(self.number, f"the process ended with {status}", "")
        if time.monotonic() - self.since > SILENCE_LIMIT:
            self.end()
            return Failure(self.number, "hang that no signal ends", "")
        return None

    def end(self) -> None:
        """End the process."""
        self.process.kill()
        self.process.join()


def run_campaign(  # noqa: PLR0913  every choice is a keyword
    seconds: float,
    seed: int,
    workers: int,
    *,
    start: int = 0,
    failures: Path = FAILURES,
    max_failures: int = 1000,
) -> Summary:
    """Try inputs until the time is over or too many fail; save the inputs that fail."""
    with tempfile.TemporaryDirectory(prefix="fuzz-", dir=IN_MEMORY) as name:
        folder = Path(name)
        begin = last = time.monotonic()
        kinds: Counter[str] = Counter()
        done = 0
        processes = [_Worker(seed, start + first, workers, folder) for first in range(workers)]
        while (now := time.monotonic()) - begin < seconds and kinds.total() < max_failures:
            wait([worker.pipe for worker in processes], timeout=0.5)
            for position, worker in enumerate(processes):
                reported = list(worker.receive())
                if ended := worker.failure():
                    reported.append(ended)
                    processes[position] = _Worker(seed, ended.number + workers, workers, folder)
                for failure in reported:
                    kinds[failure.kind] += 1
                    if kinds[failure.kind] <= SAVED_PER_KIND:
                        save_failure(failure, seed, failures)
            done = sum((worker.number - start) // workers for worker in processes)
            if now - last > 10:
                last = now
                sys.stderr.write(f"{Summary(seed, done, now - begin, kinds).line}\n")
            time.sleep(0.05)
        for worker in processes:
            worker.end()
        return Summary(seed, done, time.monotonic() - begin, kinds)


def save_failure(failure: Failure, seed: int, folder: Path) -> None:
    """Write the files of an input that fails, and the command that repeats it."""
    target = folder / f"{seed}-{failure.number}"
    trial = make_input(seed, failure.number)
    trial.put(target)
    command = f"PYTHONPATH=tests .venv/bin/python -m tools.fuzzing repeat {seed} {failure.number}"
    details = {
        "kind": failure.kind,
        "seed": seed,
        "input": failure.number,
        "path": trial.path,
        "format": trial.format_name,
        "repeat": command,
    }
    (target / "failure.json").write_text(json.dumps(details, indent=1) + "\n")
    (target / "traceback.txt").write_text(failure.details)
    sys.stderr.write(f"failure: {failure.kind}; {os.path.relpath(target)}\n")
