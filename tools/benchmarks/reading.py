"""How long reading takes, against splitting every line at tabs, side by side in one run.

    python -m tools.benchmarks.reading FILE...

Without files, those of GUM in ../shared are taken. For each file the two are run in turns, and the
best of several runs is shown: time of splitting, time of reading, their ratio, and the largest
amount of memory that reading takes, as a multiple of the size of the file.
"""

from __future__ import annotations

import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import anascore
from anascore.parallel import gc_paused

GUM = Path(__file__).parents[3] / "shared" / "corpora" / "gum"
RUNS = 9
MOST_TIME = 3.0
MOST_MEMORY = 5.0


def split(path: Path) -> list[list[str]]:
    """Do the least that a reader of columns has to do."""
    with path.open(encoding="utf-8") as file:
        return [line.split("\t") for line in file]


def read(path: Path) -> anascore.Corpus:
    """Read a file as the command line does."""
    with gc_paused():
        return anascore.read(path)


def seconds(work: Callable[[Path], object], path: Path) -> float:
    """Time one run."""
    start = time.perf_counter()
    work(path)
    return time.perf_counter() - start


def most_memory(path: Path) -> int:
    """Return the largest number of bytes in use while a file is read."""
    tracemalloc.start()
    read(path)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def main(paths: list[Path]) -> int:
    """Measure each file, and tell whether all of them stay within the limits."""
    sys.stdout.write(f"{'file':<24}{'split':>9}{'read':>9}{'ratio':>8}{'memory':>8}\n")
    within = True
    for path in paths:
        times = [(seconds(split, path), seconds(read, path)) for _ in range(RUNS)]
        base, reading = (min(column) for column in zip(*times, strict=True))
        memory = most_memory(path) / path.stat().st_size
        within = within and reading <= MOST_TIME * base and memory <= MOST_MEMORY
        numbers = f"{base:>8.3f}s{reading:>8.3f}s{reading / base:>8.2f}{memory:>8.2f}"
        sys.stdout.write(f"{path.name:<24}{numbers}\n")
    verdict = "hold" if within else "do not hold for all files"
    sys.stdout.write(f"limits: ratio {MOST_TIME}, memory {MOST_MEMORY}: they {verdict}\n")
    return 0 if within else 1


if __name__ == "__main__":
    given = [Path(argument) for argument in sys.argv[1:]]
    names = ("key.conllu", "key.conllua", "key.conll", "original-dev.conllu")
    files = given or [GUM / name for name in names]
    if not all(file.is_file() for file in files):
        sys.exit("tools.benchmarks.reading: name files to read; those of GUM are not there")
    sys.exit(main(files))
