"""The ratios that must hold: what is measured, and against what."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import NamedTuple

from tools.benchmarks.attacks import entities_at_random
from tools.benchmarks.measured import (
    ANASCORE,
    METRICS,
    MIB,
    PYTHON,
    Command,
    run,
    score,
    side_by_side,
)

SPLIT = """
import sys
for path in sys.argv[1:]:
    with open(path, encoding="utf-8") as file:
        rows = [line.split("\\t") for line in file]
"""
"""The least that a reader of columns has to do."""

RESPONSES = 100
STARTUP: dict[str, Command] = {
    "python -c pass": (*PYTHON, "-c", "pass"),
    "import numpy": (*PYTHON, "-c", "import numpy"),
    "import anascore": (*PYTHON, "-c", "import anascore"),
    "anascore --version": (*ANASCORE, "--version"),
}


class Ratio(NamedTuple):
    """A figure and the limit that it must not exceed."""

    what: str
    figure: float
    limit: float
    unit: str = ""
    how: str = ""
    """The figures behind it."""

    @property
    def holds(self) -> bool:
        """Whether it is within its limit."""
        return self.figure <= self.limit


class Pair(NamedTuple):
    """The files of a key and of a response."""

    key: Path
    response: Path


def startup(tiny: Pair) -> Iterator[Ratio]:
    """Measure what happens before anything is scored."""
    found = side_by_side({**STARTUP, "tiny": score(*tiny)}, runs=15)
    seconds = {name: measured.seconds for name, measured in found.items()}
    bare = seconds["python -c pass"]
    for name in ("anascore --version", "import anascore"):
        how = f"the limit is 1.5 × python -c pass, {bare:.3f} s, and 50 ms"
        yield Ratio(name, seconds[name], 1.5 * bare + 0.05, "s", how)
    above = seconds["tiny"] - seconds["import numpy"]
    how = f"{seconds['tiny']:.3f} s; import numpy takes {seconds['import numpy']:.3f} s"
    yield Ratio("scoring a tiny file", above, 0.3, "s above import numpy", how)


def whole_run(name: str, files: Pair, limit: float, runs: int = 9) -> Iterator[Ratio]:
    """Measure a whole run against splitting lines at tabs, both with start-up, in processor time.

    Splitting keeps many objects, so that the garbage collector takes half of its time. It is on, as
    it is by default in Python; the ratio with the collector off is shown besides.
    """
    paths = [*map(str, files)]
    commands = {
        "split": (*PYTHON, "-c", SPLIT, *paths),
        "split, no collector": (*PYTHON, "-c", f"import gc; gc.disable(){SPLIT}", *paths),
        "score": score(*files),
    }
    measured = side_by_side(commands, runs)
    seconds = {command: one.processor for command, one in measured.items()}
    whole, split = seconds["score"], seconds["split"]
    without = whole / seconds["split, no collector"]
    how = f"{whole:.3f} s; split {split:.3f} s, collector on; {without:.2f} × with it off"
    yield Ratio(f"whole run on {name}", whole / split, limit, "× splitting", how)


def many_documents(files: Pair) -> Iterator[Ratio]:
    """Measure a corpus of very many small documents."""
    measured = run(score(*files))
    what = "100,000 documents of 8 mentions"
    yield Ratio(what, measured.processor, 25, "s")
    yield Ratio(f"{what}: memory", measured.memory / 10**6, 400, "MB")


def growth(tiny: Pair, small: Pair, large: Pair) -> Iterator[Ratio]:
    """Measure how time and memory grow with ten times as many mentions."""
    bare = side_by_side({"tiny": score(*tiny)}, runs=9)["tiny"]
    for name, metrics in {**{m: (m,) for m in METRICS}, "all six": METRICS}.items():
        few, many = (
            side_by_side({"run": score(*files, metrics=metrics)}, runs)["run"]
            for files, runs in ((small, 9), (large, 3))
        )
        beyond = (many.seconds - bare.seconds) / (few.seconds - bare.seconds)
        how = f"{few.seconds:.2f} s, {many.seconds:.2f} s; {beyond:.1f} × without start-up"
        what = "ten times the mentions"
        yield Ratio(f"{what}: {name}", many.seconds / few.seconds, 13, "×", how)
        if metrics is METRICS:
            beyond = (many.memory - bare.memory) / (few.memory - bare.memory)
            how = f"{few.memory / MIB:.0f} MiB, {many.memory / MIB:.0f} MiB; "
            how += f"{beyond:.1f} × without start-up"
            yield Ratio(f"{what}: memory", many.memory / few.memory, 12, "×", how)


def many_responses(name: str, files: Pair) -> Iterator[Ratio]:
    """Measure a hundred responses against one, in one process and in two."""
    one = side_by_side({"one": score(*files)}, runs=5)["one"].seconds
    many = score(files.key, *[files.response] * RESPONSES)
    # With two processes it depends on whether both cores are free, so it is tried twice.
    for command, limit, jobs, runs in (
        (many, 70, "", 1),
        ((*many, "--jobs", "2"), 40, ", --jobs 2", 2),
    ):
        seconds = side_by_side({"many": command}, runs)["many"].seconds
        how = f"{seconds:.1f} s; one takes {one:.2f} s"
        yield Ratio(f"{RESPONSES} responses on {name}{jobs}", seconds / one, limit, "× one", how)


FEW, MANY = 10, 100
"""Numbers of times that a corpus is repeated."""


def repeated(name: str, files: Pair, folder: Path) -> Iterator[Ratio]:
    """Measure the memory for a corpus many times as large, of which only parts are held."""
    found = {}
    for times in (FEW, MANY):
        copies = Pair(*(_repeat(path, times, folder) for path in files))
        for command in ("score", "errors"):
            found[command, times] = run((*ANASCORE, command, *map(str, copies)))
        size = sum(path.stat().st_size for path in copies)
        for path in copies:
            path.unlink()
    for command in ("score", "errors"):
        few, many = found[command, FEW], found[command, MANY]
        how = (
            f"{many.memory / MIB:.0f} MiB for {size / MIB:.0f} MiB in {many.seconds:.0f} s; "
            f"{few.memory / MIB:.0f} MiB for a tenth of it in {few.seconds:.1f} s"
        )
        what = f"{command}, {name}, {MANY} times: memory"
        yield Ratio(what, many.memory / few.memory, 1.5, f"× that of {FEW} times", how)


def _repeat(path: Path, times: int, folder: Path) -> Path:
    """Write the documents of a file several times, under other names."""
    target = folder / f"{times}-{path.name}"
    content = path.read_bytes()
    with target.open("wb") as file:
        for number in range(times):
            file.write(content.replace(b"# newdoc id = ", b"# newdoc id = %d-" % number))
    return target


BOOKS: dict[str, tuple[float, float]] = {
    "100000": (4, 1),
    "300000": (15, 1),
}
"""Names of long documents, with limits in seconds of processor time and in GiB."""


def books(pairs: Mapping[str, Pair]) -> Iterator[Ratio]:
    """Measure long documents, of which 30% of the mentions are noisy."""
    for name, (seconds, memory) in BOOKS.items():
        yield from _long_document(
            f"{int(name):,} mentions, 30% noisy", pairs[name], seconds, memory
        )


RANDOM = 100_000
"""Mentions whose entities are drawn at random on both sides, so that all hang together."""


def random_entities(folder: Path) -> Iterator[Ratio]:
    """Measure a document whose entities are drawn at random."""
    with ProcessPoolExecutor(1) as writer:
        files = Pair(*writer.submit(entities_at_random, folder, RANDOM).result())
    yield from _long_document(f"{RANDOM:,} mentions in random entities", files, 15, 1)
    for path in files:
        path.unlink()


def _long_document(what: str, files: Pair, seconds: float, memory: float) -> Iterator[Ratio]:
    measured = side_by_side({"run": score(*files)}, runs=2)["run"]
    yield Ratio(what, measured.processor, seconds, "s of processor time")
    yield Ratio(f"{what}: memory", measured.memory / 2**30, memory, "GiB")


REPORT = ("report", "-o", os.devnull)
ANALYSES: dict[str, tuple[Command, int]] = {
    "score --confidence": (("score", "--confidence"), 1),
    "score --paired": (("score", "--paired", "bootstrap"), 2),
    "errors": (("errors",), 1),
    "report": (REPORT, 3),
}
"""Commands that analyse, and the number of responses that they get."""


def analyses(name: str, files: Pair, folder: Path) -> Iterator[Ratio]:
    """Measure the analyses of a corpus, once and repeated, against scoring the same files.

    All commands have the default scores.
    """
    yield _analysis(f"report, {name}", files, REPORT, 3, 6)
    repeated_files = Pair(*(_repeat(path, FEW, folder) for path in files))
    for what, (command, responses) in ANALYSES.items():
        yield _analysis(f"{what}, {name} {FEW} times", repeated_files, command, responses, 10)
    for path in repeated_files:
        path.unlink()


def _analysis(what: str, files: Pair, command: Command, responses: int, limit: float) -> Ratio:
    key, response = files
    paths = (str(key), *[str(response)] * responses)
    commands = {"score": (*ANASCORE, "score", *paths), "analysis": (*ANASCORE, *command, *paths)}
    measured = side_by_side(commands, runs=3)
    scored, analysed = measured["score"].processor, measured["analysis"].processor
    how = f"{analysed:.1f} s; scoring takes {scored:.1f} s"
    return Ratio(what, analysed / scored, limit, "× score", how)
