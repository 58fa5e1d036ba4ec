"""Bootstrap and randomisation over documents.

Nothing is scored again. Each document's counts become a row of numbers; a sample of documents is a
sum of such rows, and scores are computed from sums as usual. Because NumPy loads slowly, import
this module only where it is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from anascore.layers.counts import CountsByScore
from anascore.metrics.scores import MEANS
from anascore.model.ratio import EMPTY_RATIO, RatioPair
from anascore.results.result import LayerResult

Floats: TypeAlias = NDArray[np.float64]
Seed: TypeAlias = int | Sequence[int]
"""Random seed: a number, or several."""

CHUNK = 500
"""Number of samples to draw at a time, which limits memory."""


class SampledScores(NamedTuple):
    """Recall, precision and F1 in many samples; NaN where undefined."""

    recall: Floats
    precision: Floats
    f1: Floats


class Counts:
    """Counts as a matrix with one row per document."""

    def __init__(self, counted: Sequence[CountsByScore], names: Sequence[str]) -> None:
        """Store the named scores, and those that enter means."""
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

    def scores(self, sums: Floats) -> dict[str, SampledScores]:
        """Compute scores from sums over documents, one row per sample."""
        found: dict[str, SampledScores] = {}
        at = 0
        for name, rows in self.rows.items():
            divided = [_divided(sums[:, at + 4 * row : at + 4 * row + 4]) for row in range(rows)]
            found[name] = _averaged(divided)
            at += 4 * rows
        for name in self.means:
            f1 = mean_of_defined([found[part].f1 for part in MEANS[name]])
            undefined = np.full_like(f1, np.nan)
            found[name] = SampledScores(undefined, undefined, f1)
        return found


def _divided(sums: Floats) -> SampledScores:
    """Divide like `RatioPair`."""
    a, b, c, d = sums.T
    with np.errstate(divide="ignore", invalid="ignore"):
        f1 = np.where((a > 0) & (c > 0), 2 * a * c / (a * d + c * b), 0.0)
        return SampledScores(
            np.where(b > 0, a / b, np.nan),
            np.where(d > 0, c / d, np.nan),
            np.where((b > 0) | (d > 0), f1, np.nan),
        )


def _averaged(rows: Sequence[SampledScores]) -> SampledScores:
    """Average over components like `ratio.averaged`."""
    if len(rows) == 1:
        return rows[0]
    recall, precision, f1 = (np.array(figure) for figure in zip(*rows, strict=True))
    counts = ~np.isnan(f1)
    return SampledScores(
        _mean_unless_undefined(recall, counts),
        _mean_unless_undefined(precision, counts),
        mean_of_defined(f1),
    )


def _mean_unless_undefined(values: Floats, counts: NDArray[np.bool_]) -> Floats:
    """Average over the rows that count; undefined is 0 unless all are undefined."""
    defined = (counts & ~np.isnan(values)).any(axis=0)
    total = np.where(counts, np.nan_to_num(values), 0).sum(axis=0)
    return np.where(defined, total / np.maximum(counts.sum(axis=0), 1), np.nan)


def mean_of_defined(rows: Floats | Sequence[Floats]) -> Floats:
    """Average over the defined rows."""
    values = np.array(rows)
    defined = ~np.isnan(values)
    number = defined.sum(axis=0)
    total = np.where(defined, values, 0).sum(axis=0)
    return np.where(number > 0, total / np.maximum(number, 1), np.nan)


def bootstrap(documents: int, samples: int, seed: Seed) -> Iterator[Floats]:
    """Draw bootstrap samples; yield how often each document occurs in each sample, in chunks."""
    generator = np.random.default_rng(seed)
    for start in range(0, samples, CHUNK):
        size = min(CHUNK, samples - start)
        drawn = generator.integers(documents, size=(size, documents))
        cells = drawn + documents * np.arange(size)[:, np.newaxis]
        multiplicities = np.bincount(cells.ravel(), minlength=size * documents)
        yield multiplicities.reshape(size, documents).astype(np.float64)


def counts_of(layer: LayerResult, names: Sequence[str] | None = None) -> Counts:
    """Collect the counts of scores (default: all) in a layer's documents."""
    scores = list(layer.scores) if names is None else names
    return Counts([counted.scores for counted in layer.counted.values()], scores)


def resampled(counts: Counts, samples: int, seed: Seed) -> dict[str, SampledScores]:
    """Compute the scores of bootstrap samples."""
    drawn = bootstrap(len(counts.table), samples, seed)
    return _joined([counts.scores(multiplicities @ counts.table) for multiplicities in drawn])


def class_intervals(
    layer: LayerResult, breakdown: str, name: str, samples: int, seed: Seed
) -> dict[str, tuple[float | None, float | None]]:
    """Compute each class's confidence interval for the F1 of a score.

    The same documents are drawn for all classes. A sample does not count for a class if its key or
    response has no mention of the class.
    """
    documents = [counted.breakdown[breakdown] for counted in layer.counted.values()]
    classes = {
        class_name: {name: counts[name]} for of in documents for class_name, counts in of.items()
    }
    counts = {
        class_name: Counts([of.get(class_name, _nothing(example)) for of in documents], [name])
        for class_name, example in classes.items()
    }
    sampled: dict[str, list[Floats]] = {class_name: [] for class_name in counts}
    for multiplicities in bootstrap(len(documents), samples, seed):
        for class_name, of_class in counts.items():
            recall, precision, f1 = of_class.scores(multiplicities @ of_class.table)[name]
            is_defined = ~(np.isnan(recall) | np.isnan(precision))
            sampled[class_name].append(np.where(is_defined, f1, np.nan))
    return {
        class_name: percentile_interval(np.concatenate(chunks))
        for class_name, chunks in sampled.items()
    }


def _nothing(example: CountsByScore) -> CountsByScore:
    """Make empty counts with the same scores and components."""
    nothing = RatioPair(EMPTY_RATIO, EMPTY_RATIO)
    return {name: tuple(nothing for _ in components) for name, components in example.items()}


def _joined(chunks: Sequence[dict[str, SampledScores]]) -> dict[str, SampledScores]:
    return {
        name: SampledScores(
            *map(np.concatenate, zip(*(chunk[name] for chunk in chunks), strict=True))
        )
        for name in chunks[0]
    }


def percentile_interval(values: Floats) -> tuple[float | None, float | None]:
    """Return the ends of the middle 95% of the defined values."""
    defined = values[~np.isnan(values)]
    if not defined.size:
        return None, None
    low, high = np.percentile(defined, (2.5, 97.5))
    return float(low), float(high)


Sums: TypeAlias = tuple[Floats, Floats]
"""Two systems' sums over documents, with one row per sample."""


def _bootstrap_sums(tables: Sequence[Floats], samples: int, seed: Seed) -> Iterator[list[Sums]]:
    """Draw the same documents for all systems; yield the sums of each pair, in chunks."""
    for multiplicities in bootstrap(len(tables[0]), samples, seed):
        yield list(combinations([multiplicities @ table for table in tables], 2))


def _randomisation_sums(tables: Sequence[Floats], samples: int, seed: Seed) -> Iterator[list[Sums]]:
    """Swap the two results of each document at random; yield the sums of each pair, in chunks."""
    totals = [table.sum(axis=0) for table in tables]
    generator = np.random.default_rng(seed)
    for start in range(0, samples, CHUNK):
        size = (min(CHUNK, samples - start), len(tables[0]))
        changed = generator.integers(2, size=size).astype(np.float64)
        drawn = [changed @ table for table in tables]
        others = [(1 - changed) @ table for table in tables]
        pairs = []
        for first, other in combinations(range(len(tables)), 2):
            one = drawn[first] + others[other]
            pairs.append((one, totals[first] + totals[other] - one))
        yield pairs


@dataclass(frozen=True, slots=True)
class BootstrapDifferences:
    """Iterates over the differences of all pairs of systems in bootstrap samples.

    They are computed on demand, because there are far more pairs than systems.
    """

    f1: Sequence[Floats]
    """Each system's F1."""

    f1_in_key: Sequence[Floats]
    """Each system's F1, NaN in samples whose key has nothing to score."""

    def __iter__(self) -> Iterator[Floats]:
        systems = zip(self.f1, self.f1_in_key, strict=True)
        return (f1 - first for (_, first), (f1, _) in combinations(systems, 2))


def _bootstrap_differences(
    systems: Sequence[Counts], name: str, samples: int, seed: Seed
) -> BootstrapDifferences:
    """Compute differences in the F1 of a score; the same documents are drawn for all systems."""
    f1: list[list[Floats]] = [[] for _ in systems]
    f1_in_key: list[list[Floats]] = [[] for _ in systems]
    for multiplicities in bootstrap(len(systems[0].table), samples, seed):
        for counts, own, own_in_key in zip(systems, f1, f1_in_key, strict=True):
            figures = counts.scores(multiplicities @ counts.table)
            own.append(figures[name].f1)
            own_in_key.append(_f1_in_key(figures, name))
    return BootstrapDifferences([*map(np.concatenate, f1)], [*map(np.concatenate, f1_in_key)])


def _randomisation_differences(
    systems: Sequence[Counts], name: str, samples: int, seed: Seed
) -> list[Floats]:
    """Compute differences in the F1 of a score; documents are swapped alike for all pairs."""
    pairs = list(combinations(systems, 2))
    chunks: list[list[Floats]] = [[] for _ in pairs]
    for sums in _randomisation_sums([counts.table for counts in systems], samples, seed):
        for chunk, (first, other), (one, two) in zip(chunks, pairs, sums, strict=True):
            chunk.append(other.scores(two)[name].f1 - _f1_in_key(first.scores(one), name))
    return [*map(np.concatenate, chunks)]


class PairedTest(NamedTuple):
    """A paired test of systems."""

    sums: Callable[[Sequence[Floats], int, Seed], Iterator[list[Sums]]]
    """Draws samples from the systems' tables."""

    differences: Callable[[Sequence[Counts], str, int, Seed], Iterable[Floats]]
    """Returns sampled differences in the F1 of a score for all pairs of systems.

    They are NaN in samples whose key has nothing to score.
    """

    around_observed: bool
    """True if samples vary around the observed difference, False if they vary around 0."""

    def p_value(self, differences: Floats, observed: float) -> float | None:
        """Compute a difference's p-value from the differences in samples."""
        return _chance(differences - observed if self.around_observed else differences, observed)


TESTS = {
    "bootstrap": PairedTest(_bootstrap_sums, _bootstrap_differences, around_observed=True),
    "randomisation": PairedTest(
        _randomisation_sums, _randomisation_differences, around_observed=False
    ),
}
"""Paired tests by name.

The bootstrap draws the same documents for both systems; p is the share of samples that are as far
from the difference as the difference is from 0. Randomisation swaps the two results of each
document at random; p is the share of samples in which they differ as much.
"""


def paired_test(
    test: PairedTest, first: Counts, other: Counts, samples: int, seed: Seed
) -> dict[str, float | None]:
    """Test the differences between two systems in the F1 of each score."""
    sums = tuple(counts.table.sum(axis=0, keepdims=True) for counts in (first, other))
    observed = _differences(first, other, sums)
    chunks = [
        _differences(first, other, pairs[0])
        for pairs in test.sums([first.table, other.table], samples, seed)
    ]
    return {
        name: test.p_value(np.concatenate([chunk[name] for chunk in chunks]), float(difference[0]))
        for name, difference in observed.items()
    }


def _differences(first: Counts, other: Counts, sums: Sums) -> dict[str, Floats]:
    figures, others = first.scores(sums[0]), other.scores(sums[1])
    return {name: others[name].f1 - figures[name].f1 for name in figures}


def _f1_in_key(figures: Mapping[str, SampledScores], name: str) -> Floats:
    """Return the F1 of samples, NaN where the key has nothing to score."""
    return np.where(_in_key(figures, name), figures[name].f1, np.nan)


def _in_key(figures: Mapping[str, SampledScores], name: str) -> NDArray[np.bool_]:
    """Test for each sample whether its key has anything to score."""
    recalls = np.array([figures[part].recall for part in MEANS.get(name, (name,))])
    in_key: NDArray[np.bool_] = (~np.isnan(recalls)).any(axis=0)
    return in_key


def macro_resampled(
    datasets: Sequence[tuple[Counts, Seed]], samples: int
) -> dict[str, SampledScores]:
    """Compute macro-averages over datasets, each of which is resampled with its own seed.

    The key alone decides whether a dataset counts, as in `suite.macro_average`.
    """
    sampled = [resampled(counts, samples, seed) for counts, seed in datasets]
    found = {}
    for name in sampled[0]:
        counts = np.array([_in_key(figures, name) for figures in sampled])
        values = (np.array(figure) for figure in zip(*(f[name] for f in sampled), strict=True))
        found[name] = SampledScores(*(_mean_unless_undefined(v, counts) for v in values))
    return found


def stratum_seed(seed: int, name: str) -> Seed:
    """Make a dataset's seed, so that samples of different datasets differ."""
    return [seed, *name.encode(errors="surrogatepass")]


def _chance(differences: Floats, observed: float) -> float | None:
    """Return the share of differences as large as the observed one, never quite 0."""
    defined = differences[~np.isnan(differences)]
    if np.isnan(observed) or not defined.size:
        return None
    # The margin makes differences that are equal but for rounding equal.
    as_large = int((np.abs(defined) >= abs(observed) - 1e-12).sum())
    return (as_large + 1) / (defined.size + 1)
