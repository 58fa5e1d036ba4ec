"""Whether intervals cover and tests are calibrated, on more runs than a test can afford.

    python -m tools.benchmarks.uncertainty [RUNS]

Documents are simulated with a known truth, as in tests/results/test_uncertainty.py. Shown are, for
several numbers of documents, the share of 95% intervals of MUC F1 that cover it, and how often two
responses of the same quality are found different at p < 0.05. Last comes the time for ten thousand
samples over a thousand documents.
"""

from __future__ import annotations

import sys
import time

import numpy as np
from numpy.typing import NDArray

from anascore.model.ratio import Ratio, RatioPair
from anascore.results.resampling import TESTS, Counts, paired_test, percentile_interval, resampled

RUNS = 2000
SAMPLES = 500
FOUND, WRONG = 0.7, 0.2
TRUTH = 2 * FOUND / (1 + FOUND + WRONG)


def simulated(rng: np.random.Generator, sizes: NDArray[np.int64]) -> Counts:
    """Make what MUC counts in documents of these sizes."""
    found = rng.binomial(sizes, FOUND)
    claimed = found + rng.binomial(sizes, WRONG)
    rows = zip(found.tolist(), sizes.tolist(), claimed.tolist(), strict=True)
    return Counts([{"muc": (RatioPair(Ratio(f, s), Ratio(f, c)),)} for f, s, c in rows], ["muc"])


def covered(documents: int, runs: int) -> float:
    """Return the share of intervals that cover the truth."""
    rng = np.random.default_rng(documents)
    number = 0
    for run in range(runs):
        counts = simulated(rng, rng.integers(5, 40, size=documents))
        low, high = percentile_interval(resampled(counts, SAMPLES, run)["muc"].f1)
        number += low is not None and high is not None and low <= TRUTH <= high
    return number / runs


def found_different(name: str, documents: int, runs: int) -> float:
    """Return the share of pairs of equal systems that are found different."""
    rng = np.random.default_rng(documents)
    number = 0
    for run in range(runs):
        sizes = rng.integers(5, 40, size=documents)
        systems = simulated(rng, sizes), simulated(rng, sizes)
        chance = paired_test(TESTS[name], *systems, SAMPLES, run)["muc"]
        number += chance is not None and chance < 0.05
    return number / runs


def main(runs: int) -> None:
    """Print the table."""
    sys.stdout.write(f"{runs} runs of {SAMPLES} samples\n")
    sys.stdout.write(f"{'documents':>9}{'covered':>9}" + "".join(f"{t:>15}" for t in TESTS) + "\n")
    for documents in (20, 40, 80, 160):
        different = (found_different(name, documents, runs) for name in TESTS)
        shown = "".join(f"{share:>15.1%}" for share in different)
        sys.stdout.write(f"{documents:>9}{covered(documents, runs):>9.1%}{shown}\n")
    rng = np.random.default_rng(0)
    counts = simulated(rng, rng.integers(5, 40, size=1000))
    start = time.perf_counter()
    resampled(counts, 10_000, 0)
    seconds = time.perf_counter() - start
    sys.stdout.write(f"10,000 samples over 1,000 documents: {seconds:.1f} s\n")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else RUNS)
