"""What was measured, as text."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from tools.benchmarks.measured import MIB, Measured
from tools.benchmarks.ratios import Ratio


class Run(NamedTuple):
    """A whole run of `anascore score` with all six metrics."""

    name: str
    documents: int
    mentions: int
    """Those of the key and of the response."""

    measured: Measured
    peers: dict[str, float | None]
    """The seconds that other scorers take; None if one fails or takes too long."""


def heading(date: datetime | None = None) -> str:
    """Say when and with what it was measured."""
    today = (date or datetime.now(UTC)).date()
    return f"{today}, Python {platform.python_version()}, {os.cpu_count()} cores"


def table_of_runs(runs: Sequence[Run]) -> Iterator[str]:
    """Show the runs, with the time of other scorers beside ours."""
    names = list(dict.fromkeys(name for run in runs for name in run.peers))
    peers = "".join(f"{name:>16}" for name in names)
    heads = "".join(f"{head:>10}" for head in ("documents", "mentions", "time", "memory", "per s"))
    yield f"{'input':<24}{heads}{peers}"
    for run in runs:
        seconds, memory, _ = run.measured
        beside = "".join(f"{shown(run.peers, name):>16}" for name in names)
        yield (
            f"{run.name:<24}{run.documents:>10,}{run.mentions:>10,}{seconds:>8.2f} s"
            f"{memory / MIB:>6.0f} MiB{run.mentions / seconds:>10,.0f}{beside}"
        )


def shown(peers: dict[str, float | None], name: str) -> str:
    """Show the time of another scorer: nothing if it was not run, a dash if it did not finish."""
    if name not in peers:
        return ""
    seconds = peers[name]
    return "-" if seconds is None else f"{seconds:.2f} s"


def table_of_ratios(ratios: Iterable[Ratio]) -> Iterator[str]:
    """Show each ratio with its limit, and whether it holds."""
    yield f"{'ratio':<42}{'figure':>8}{'limit':>8} {'':<24}holds"
    for ratio in ratios:
        yield (
            f"{ratio.what:<42}{ratio.figure:>8.3g}{ratio.limit:>8.3g} {ratio.unit:<24}"
            f"{'yes' if ratio.holds else 'NO':<7}{ratio.how}"
        )
