"""Commands, run and measured: how long they take, and how much memory."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

Command: TypeAlias = Sequence[str]

PYTHON = (sys.executable,)
ANASCORE = (*PYTHON, "-m", "anascore")
METRICS = ("muc", "b3", "ceafe", "ceafm", "lea", "blanc")
MIB = 2**20


class Measured(NamedTuple):
    """One run, or the best of several."""

    seconds: float
    memory: int
    """The most memory that it had at once, in bytes."""

    processor: float = 0.0
    """Seconds of processor time: a busy machine hardly changes it."""


class Failed(Exception):  # noqa: N818  it says what has happened
    """A command that did not do what it should."""


def run(command: Command, limit: float | None = None, status: int = 0) -> Measured:
    """Run a command once; it must end with this status, and within a limit in seconds if any."""
    # As for users, modules are compiled once and not in every run.
    given = {name: v for name, v in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    start = time.perf_counter()
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=given
    ) as process:
        waited = 0
        usage = None
        while usage is None:
            ended, waited, used = os.wait4(process.pid, 0 if limit is None else os.WNOHANG)
            if ended:
                usage = used
            elif limit is not None and time.perf_counter() - start > limit:
                process.kill()
                limit = None
            else:
                time.sleep(0.002)
        seconds = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(waited)
    if process.returncode != status:
        raise Failed(" ".join(command))
    return Measured(seconds, usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime)


def side_by_side(commands: Mapping[str, Command], runs: int) -> dict[str, Measured]:
    """Run commands in turns, so that whatever slows them down does it to all; keep the best."""
    found: dict[str, list[Measured]] = {name: [] for name in commands}
    for _ in range(runs):
        for name, command in commands.items():
            found[name].append(run(command))
    return {
        name: Measured(*map(min, zip(*all_runs, strict=True))) for name, all_runs in found.items()
    }


def score(key: object, *responses: object, metrics: Sequence[str] = METRICS) -> Command:
    """Score responses by some metrics, as a command."""
    return (*ANASCORE, "score", str(key), *map(str, responses), "--metrics", ",".join(metrics))
