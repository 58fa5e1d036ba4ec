"""Bootstrap and randomisation over documents.

Nothing is scored again. What was counted in a document is a row of numbers; a sample of documents
is a sum of such rows, and scores are made of sums as they always are. NumPy loads slowly: import
this when needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from anascore.layers.counts import CountsByScore
from anascore.metrics import MEANS
from anascore.results import LayerResult

Floats: TypeAlias = NDArray[np.float64]
Chances: TypeAlias = dict[str, float | None]
"""p-values of the differences of two systems, by name of score."""

CHUNK = 500
"""Number of samples drawn at a time, which bounds memory."""


class SampledScores(NamedTuple):
    """Recall, precision and F1 of many samples; NaN where undefined."""

    recall: Floats
    precision: Floats
    f1: Floats


class Counts:
    """Counts as a matrix, one row per document."""

    def __init__(self, counted: Sequence[CountsByScore], names: Sequence[str]) -> None:
        """Take the named scores, and those that means are made of."""
        parts = [part for name in names if name in MEANS for part in MEANS[name]]
        self.rows = {
            name: len(counted[0][name])
            for name in dict.fromkeys((*names, *parts))
            if name in counted[0]
        }
        self.means = [name for name in names if name in MEANS]
        self.table = np.array([list(self._numbers(document)) for document in counted])

    def _numbers(self, counted: CountsByScore) -> Iterator[float]:
        for name in self.rows:
            for row in counted[name]:
                for ratio in (row.recall, row.precision):
                    yield float(ratio.part)
                    yield float(ratio.whole)

    def figures(self, sums: Floats) -> dict[str, SampledScores]:
        """Compute scores from sums over documents, one row per sample."""
        found: dict[str, SampledScores] = {}
        at = 0
        for name, rows in self.rows.items():
            divided = [_divided(sums[:, at + 4 * row : at + 4 * row + 4]) for row in range(rows)]
            found[name] = _averaged(divided)
            at += 4 * rows
        for name in self.means:
            f1 = _mean(np.array([found[part].f1 for part in MEANS[name]]))
            undefined = np.full_like(f1, np.nan)
            found[name] = SampledScores(undefined, undefined, f1)
        return found


def _divided(sums: Floats) -> SampledScores:
    """Divide as `RatioPair` does."""
    a, b, c, d = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        f1 = np.where((a > 0) & (c > 0), 2 * a * c / (a * d + c * b), 0.0)
        return SampledScores(
            np.where(b > 0, a / b, np.nan),
            np.where(d > 0, c / d, np.nan),
            np.where((b > 0) | (d > 0), f1, np.nan),
        )


def _averaged(rows: Sequence[SampledScores]) -> SampledScores:
    """Average over components as `ratio.averaged` does."""
    if len(rows) == 1:
        return rows[0]
    recall, precision, f1 = (np.array(figure) for figure in zip(*rows, strict=True))
    counts = ~np.isnan(f1)
    return SampledScores(
        _mean_unless_undefined(recall, counts), _mean_unless_undefined(precision, counts), _mean(f1)
    )


def _mean_unless_undefined(values: Floats, counts: NDArray[np.bool_]) -> Floats:
    """Average over the rows that count; undefined is 0 unless all are undefined."""
    defined = (counts & ~np.isnan(values)).any(axis=0)
    total = np.where(counts, np.nan_to_num(values), 0).sum(axis=0)
    return np.where(defined, total / np.maximum(counts.sum(axis=0), 1), np.nan)


def _mean(values: Floats) -> Floats:
    """Average over the rows that are defined."""
    defined = ~np.isnan(values)
    number = defined.sum(axis=0)
    total = np.where(defined, values, 0).sum(axis=0)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def bootstrap(documents: int, samples: int, seed: int) -> Iterator[Floats]:
    """Draw bootstrap samples; yield the count of each document in each sample, in chunks."""
    generator = np.random.default_rng(seed)
    for start in range(0, samples, CHUNK):
        size = min(CHUNK, samples - start)
        drawn = generator.integers(documents, size=(size, documents))
        often = np.zeros((size, documents))
        np.add.at(often, (np.arange(size)[:, np.newaxis], drawn), 1)
        yield often


def counts_of(layer: LayerResult) -> Counts:
    """Return the counts of the documents of a layer."""
    return Counts([counted.scores for counted in layer.counted.values()], list(layer.scores))


def resampled(counts: Counts, samples: int, seed: int) -> dict[str, SampledScores]:
    """Return the scores of bootstrap samples."""
    drawn = bootstrap(len(counts.table), samples, seed)
    return _joined([counts.figures(often @ counts.table) for often in drawn])


def _joined(chunks: Sequence[dict[str, SampledScores]]) -> dict[str, SampledScores]:
    return {
        name: SampledScores(
            *map(np.concatenate, zip(*(chunk[name] for chunk in chunks), strict=True))
        )
        for name in chunks[0]
    }


def middle(values: Floats) -> tuple[float | None, float | None]:
    """Return the ends of the middle 95% of the defined values."""
    defined = values[~np.isnan(values)]
    if not defined.size:
        return None, None
    low, high = np.percentile(defined, (2.5, 97.5))
    return float(low), float(high)


def bootstrap_test(first: Counts, other: Counts, samples: int, seed: int) -> Chances:
    """Paired bootstrap test: draw the same documents for both systems.

    The chance is the share of samples that are as far from the difference as the difference is
    from nothing.
    """
    observed = _observed(first, other)
    sums = (
        (often @ first.table, often @ other.table)
        for often in bootstrap(len(first.table), samples, seed)
    )
    sampled = _sampled(first, other, sums)
    return {
        name: _chance(sampled[name] - difference, difference)
        for name, difference in observed.items()
    }


def randomisation_test(first: Counts, other: Counts, samples: int, seed: int) -> Chances:
    """Paired randomisation test: swap the results of each document at random.

    The chance is the share of samples in which they differ as much.
    """
    observed = _observed(first, other)
    total = first.table.sum(axis=0) + other.table.sum(axis=0)
    generator = np.random.default_rng(seed)
    sums = []
    for start in range(0, samples, CHUNK):
        size = (min(CHUNK, samples - start), len(first.table))
        changed = generator.integers(2, size=size).astype(np.float64)
        one = changed @ first.table + (1 - changed) @ other.table
        sums.append((one, total - one))
    sampled = _sampled(first, other, sums)
    return {name: _chance(sampled[name], difference) for name, difference in observed.items()}


TESTS = {"bootstrap": bootstrap_test, "randomisation": randomisation_test}


def _observed(first: Counts, other: Counts) -> dict[str, float]:
    """Return the observed differences of F1."""
    sums = tuple(counts.table.sum(axis=0, keepdims=True) for counts in (first, other))
    return {name: float(found[0]) for name, found in _sampled(first, other, [sums]).items()}


def _sampled(first: Counts, other: Counts, sums: Iterable[tuple[Floats, ...]]) -> dict[str, Floats]:
    """Return the differences of F1 in samples."""
    found: dict[str, list[Floats]] = {}
    for one, two in sums:
        figures, others = first.figures(one), other.figures(two)
        for name in figures:
            found.setdefault(name, []).append(others[name].f1 - figures[name].f1)
    return {name: np.concatenate(chunks) for name, chunks in found.items()}


def _chance(differences: Floats, observed: float) -> float | None:
    """Return the share of differences as large as the observed one, never quite 0."""
    defined = differences[~np.isnan(differences)]
    if np.isnan(observed) or not defined.size:
        return None
    # The margin makes differences that are equal but for rounding equal.
    as_large = int((np.abs(defined) >= abs(observed) - 1e-12).sum())
    return (as_large + 1) / (defined.size + 1)
