"""Suite: results of systems on several datasets, for variants of the settings; system ranks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, Unpack

from anascore.errors import (
    SettingsError,
    shown,
)
from anascore.metrics.scores import LABELS, MEANS
from anascore.model.abbreviated import abbreviated, pluralise, quote
from anascore.model.ratio import Score
from anascore.printing import LayoutKeywords, OutputName, Restorable
from anascore.results.comparison import MAX_SYSTEMS
from anascore.results.result import Difference, Interval, Intervals, LayerResult, Result, Scores
from anascore.results.uncertainty import (
    ResamplingOptions,
    count_signs,
    count_wins,
    difference_of,
    holm,
    warnings_on,
)
from anascore.terminal import track

if TYPE_CHECKING:
    from anascore.results.resampling import Floats, PairedTest

Runs: TypeAlias = Mapping[str, Mapping[str, Mapping[str, Result]]]
"""Results by variant, system and dataset."""


class PairComparison(NamedTuple):
    """Difference between two systems in the ranking score."""

    overall: Difference
    """Difference of the macro-averages; wins, losses and ties are datasets."""

    datasets: Mapping[str, Difference]
    """Difference in each dataset; wins, losses and ties are documents."""


class SystemRank(NamedTuple):
    """Rank of one system."""

    system: str
    rank: int
    """Number from 1 up, which all systems of a cluster share: 1, 1, 3."""

    cluster: int
    """Number of its rank cluster, from 1 up."""


def layer_of(result: Result, name: str) -> LayerResult:
    """Find the layer from which a result takes a score."""
    return next(layer for layer in result.layers.values() if name in layer.scores)


def is_in_key(layer: LayerResult, name: str) -> bool:
    """Test whether the key has anything that a score counts, so that the score is defined.

    A response cannot make a score defined that is undefined for other responses.
    """
    parts = MEANS.get(name, (name,))
    return any(row.recall.whole for part in parts for row in layer.total.scores[part])


def macro_average(results: Sequence[Result]) -> Scores:
    """Average recall, precision and F1 of each score over datasets, without weights.

    Datasets whose key has nothing to score are left out. A response that has nothing there gets a
    precision of 0, unless precision is undefined in all datasets.
    """
    averages: Scores = {}
    for name in results[0]:
        layers = [layer_of(result, name) for result in results]
        scores = [layer.scores[name] for layer in layers if is_in_key(layer, name)]
        values = zip(*scores, strict=True) if scores else ((), (), ())
        averages[name] = Score(*map(_mean_unless_undefined, values))
    return averages


def _mean_unless_undefined(values: Sequence[float | None]) -> float | None:
    """Average values, counting undefined ones as 0; None if all are undefined."""
    if all(value is None for value in values):
        return None
    return fmean(value or 0 for value in values)


def rank_clusters(
    averages: Mapping[str, float | None], differ: Callable[[str, str], bool]
) -> list[list[str]]:
    """Sort systems by their macro-averages, best first, and divide them into rank clusters.

    A cluster ends before the first system that differs from the cluster's best. Undefined averages
    come last, and equal ones are in the order of names.

    >>> rank_clusters({"a": 0.5, "b": 0.7, "c": 0.6}, lambda best, other: other == "a")
    [['b', 'c'], ['a']]
    """

    def order(system: str) -> tuple[float, str]:
        average = averages[system]
        return 1.0 if average is None else -average, system

    clusters: list[list[str]] = []
    for system in sorted(averages, key=order):
        if not clusters or differ(clusters[-1][0], system):
            clusters.append([])
        clusters[-1].append(system)
    return clusters


@dataclass(frozen=True)
class SuiteResult(Restorable):
    """Scores of systems on several datasets. Print it for the tables.

    `suite.macro("system")` has the macro-averages over datasets, `suite.ranks` the ranks of the
    systems, and `suite.result("system", "dataset")` is the result of one run. The first variant is
    the primary one, which ranks the systems.
    """

    cells: Runs
    """Results by variant, system and dataset."""

    comparisons: Mapping[tuple[str, str], PairComparison] = field(default_factory=dict)
    """Differences of the second system of each pair to the first, in the primary variant."""

    intervals: Mapping[str, Mapping[str, Mapping[str, Intervals]]] = field(default_factory=dict)
    """Confidence intervals of macro-averages by variant, system and score, if requested."""

    resampling_signature: str = ""
    """Options of resampling, if documents were resampled."""

    notes: tuple[str, ...] = ()
    """Notes on datasets and samples."""

    @property
    def variants(self) -> list[str]:
        """The names of the variants; the first is the primary one."""
        return list(self.cells)

    @property
    def systems(self) -> list[str]:
        """The names of the systems, in the given order."""
        return list(self.cells[self.primary])

    @property
    def datasets(self) -> list[str]:
        """The names of the datasets."""
        return list(next(iter(self.cells[self.primary].values())))

    @property
    def primary(self) -> str:
        """The variant that ranks the systems."""
        return next(iter(self.cells))

    @cached_property
    def score(self) -> str:
        """The score that ranks the systems: CoNLL, or else the first of the primary variant."""
        return ranking_score(self.cells)

    def result(self, system: str, dataset: str, variant: str = "") -> Result:
        """Return the result of one run.

        Args:
            system: Name of the system.
            dataset: Name of the dataset.
            variant: Name of the variant (default: the primary one).

        Raises:
            SettingsError: There is no such system, dataset or variant.
        """
        for kind, name, names in (
            ("system", system, self.systems),
            ("dataset", dataset, self.datasets),
            ("variant", variant or self.primary, self.variants),
        ):
            if name not in names:
                message = f"there is no {kind} {shown(name)}; choose from {', '.join(names)}"
                raise SettingsError(message)
        return self.cells[variant or self.primary][system][dataset]

    @cached_property
    def averages(self) -> dict[str, dict[str, Scores]]:
        """The macro-averages over datasets, by variant, system and score."""
        return {
            variant: {
                system: macro_average(list(results.values())) for system, results in cells.items()
            }
            for variant, cells in self.cells.items()
        }

    def macro(self, system: str, variant: str = "") -> Scores:
        """Return the macro-averages of a system over datasets, by name of score.

        Args:
            system: Name of the system.
            variant: Name of the variant (default: the primary one).

        Raises:
            SettingsError: There is no such system or variant.
        """
        self.result(system, self.datasets[0], variant)
        return self.averages[variant or self.primary][system]

    def value(self, system: str, dataset: str, variant: str = "") -> float | None:
        """Return the F1 of the ranking score in one dataset; None if the key has nothing to score.

        A variant that does not have the score is undefined.
        """
        result = self.result(system, dataset, variant)
        if self.score not in result or not is_in_key(layer_of(result, self.score), self.score):
            return None
        return result[self.score].f1

    @cached_property
    def clusters(self) -> list[list[str]]:
        """The rank clusters: systems that do not differ significantly from the first of them."""
        averages = {system: self.macro(system)[self.score].f1 for system in self.systems}
        return rank_clusters(
            averages, lambda best, other: self.compare(other, best).overall.significant
        )

    @cached_property
    def ranks(self) -> list[SystemRank]:
        """The ranks of the systems, best first."""
        ranks: list[SystemRank] = []
        for number, cluster in enumerate(self.clusters, 1):
            first = len(ranks) + 1
            ranks += [SystemRank(system, first, number) for system in cluster]
        return ranks

    def compare(self, system: str, other: str) -> PairComparison:
        """Return the difference between two systems in the ranking score.

        Args:
            system: Name of the system.
            other: Name of the system that it is compared with.

        Raises:
            SettingsError: There is no such system, or both are the same.
        """
        if (other, system) in self.comparisons:
            return self.comparisons[other, system]
        if (system, other) not in self.comparisons:
            names = ", ".join(self.systems)
            message = (
                f"{shown(system)} and {shown(other)} are not two systems of this suite, which has "
                f"{names}"
            )
            raise SettingsError(message)
        overall, datasets = self.comparisons[system, other]
        turned = {name: _turned(difference) for name, difference in datasets.items()}
        return PairComparison(_turned(overall), turned)

    @cached_property
    def undefined(self) -> dict[str, dict[str, list[str]]]:
        """The datasets that macro-averages leave out, by variant and score; see `is_in_key`."""
        left_out: dict[str, dict[str, list[str]]] = {}
        for variant, systems in self.cells.items():
            # The key decides, so that all systems have the same.
            results = next(iter(systems.values()))
            by_score = left_out.setdefault(variant, {})
            for dataset, result in results.items():
                for name in result:
                    if not is_in_key(layer_of(result, name), name):
                        by_score.setdefault(name, []).append(dataset)
        return left_out

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """Notes on the suite, then the warnings about single runs, each once."""
        return (*self._undefined_notes(), *self.notes, *self._run_warnings())

    def _undefined_notes(self) -> Iterator[str]:
        """Note each score whose averages leave out datasets."""
        variants_of: dict[tuple[str, ...], list[str]] = {}
        for variant, by_score in self.undefined.items():
            for name, datasets in by_score.items():
                variants_of.setdefault((name, *datasets), []).append(variant)
        for (name, *datasets), variants in variants_of.items():
            which = "" if variants == self.variants else f" ({', '.join(variants)})"
            left_out = ", ".join(datasets)
            yield (
                f"macro-averages of {LABELS[name]}{which} leave out {left_out}: the key has "
                f"nothing to score there"
            )

    def _run_warnings(self) -> Iterator[str]:
        """Yield each warning about runs once, with the datasets and systems concerned."""
        systems_of: dict[tuple[str, str], list[str]] = {}
        for systems in self.cells.values():
            for system, results in systems.items():
                for dataset, result in results.items():
                    for warning in result.warnings:
                        listed = systems_of.setdefault((warning, dataset), [])
                        listed += [] if system in listed else [system]
        datasets_of: dict[tuple[str, ...], list[str]] = {}
        for (warning, dataset), names in systems_of.items():
            datasets_of.setdefault((warning, *names), []).append(dataset)
        for (warning, *names), datasets in datasets_of.items():
            about = "" if len(names) == len(self.systems) else f"{', '.join(names)}: "
            yield f"{', '.join(datasets)}: {about}{warning}"

    @cached_property
    def signatures(self) -> dict[str, list[str]]:
        """The signatures of the runs by variant: one, or several if formats differ."""
        return {
            variant: list(
                dict.fromkeys(
                    result.signature for results in cells.values() for result in results.values()
                )
            )
            for variant, cells in self.cells.items()
        }

    def render(self, output: OutputName = "table", **layout: Unpack[LayoutKeywords]) -> str:
        """Return the tables as text.

        Args:
            output: Output format, such as "markdown" or "json".
            layout: `decimals=4` for that many decimals, and `tables="datasets"` for only the tables
                with these ids.

        Raises:
            SettingsError: The output is unknown.
        """
        return self._render(output, **layout)

    def __repr__(self) -> str:
        """Show the systems with their macro-averages on one line, best first."""
        from anascore.output.grid import percent  # noqa: PLC0415  outputs need results

        systems = (
            f"{quote(rank.system)} {percent(self.macro(rank.system)[self.score].f1)}"
            for rank in self.ranks
        )
        shown = abbreviated(systems, len(self.ranks), MAX_SYSTEMS)
        datasets = pluralise(len(self.datasets), "dataset")
        return f"<SuiteResult: macro {LABELS[self.score]} {shown}; {datasets}>"


def _turned(difference: Difference) -> Difference:
    """Reverse a difference."""
    value = difference.difference
    return difference._replace(
        difference=None if value is None else 0 - value,  # never -0.0
        wins=difference.losses,
        losses=difference.wins,
    )


def ranking_score(cells: Runs) -> str:
    """Choose the score that ranks systems: CoNLL, or else the first of the primary variant."""
    results = next(iter(next(iter(cells.values())).values()))
    first = next(iter(results.values()))
    return "conll" if "conll" in first else next(iter(first))


MIN_SAMPLES = 1000
"""Minimum number of samples for tests that rank systems."""

SAMPLES_PER_PAIR = 20
"""Minimum number of samples per pair of systems: with fewer, no corrected p-value can be below
0.05."""


def compare_systems(cells: Runs, how: ResamplingOptions, notes: Sequence[str] = ()) -> SuiteResult:
    """Complete a suite's result: test all pairs of systems, and compute confidence intervals.

    Documents are resampled within each dataset. If there are too few samples for the number of
    pairs, their number is raised.
    """
    pairs = list(combinations(next(iter(cells.values())), 2))
    enough = max(how.samples, MIN_SAMPLES, SAMPLES_PER_PAIR * len(pairs)) if pairs else how.samples
    all_notes = list(notes)
    if enough > how.samples:
        all_notes.append(
            f"{enough} samples were drawn instead of {how.samples}, because "
            f"{pluralise(len(pairs), 'pair')} of systems need as many"
        )
    how = replace(how, samples=enough)
    signature = how.signature(len(pairs))
    if signature:
        all_notes += _notes_on_documents(cells)
    return SuiteResult(
        cells,
        _comparisons(cells, how) if pairs else {},
        _intervals(cells, how) if how.confidence else {},
        signature,
        tuple(all_notes),
    )


def _notes_on_documents(cells: Runs) -> Iterator[str]:
    """Warn if there are too few documents to resample."""
    results = next(iter(next(iter(cells.values())).values()))
    sizes = {dataset: len(result.counted) for dataset, result in results.items()}
    yield from warnings_on(sum(sizes.values()))
    single = [dataset for dataset, size in sizes.items() if size == 1]
    if single and len(sizes) > 1:
        names = ", ".join(single)
        yield f"documents are resampled within datasets, but these have only one document: {names}"


def _comparisons(cells: Runs, how: ResamplingOptions) -> dict[tuple[str, str], PairComparison]:
    """Test all pairs of systems in the primary variant: in each dataset, and over all."""
    from anascore.results import resampling  # noqa: PLC0415  NumPy loads slowly

    name, systems = ranking_score(cells), next(iter(cells.values()))
    test = resampling.TESTS[how.paired or "bootstrap"]
    datasets = list(next(iter(systems.values())))
    sampled: list[Iterable[Floats]] = []
    by_dataset: dict[str, list[Difference]] = {}
    for dataset in track(datasets, f"drawing {how.samples} samples for comparison: dataset"):
        layers = [layer_of(results[dataset], name) for results in systems.values()]
        counts = [resampling.counts_of(layer, [name]) for layer in layers]
        seed = resampling.stratum_seed(how.seed, dataset)
        sampled.append(test.differences(counts, name, how.samples, seed))
        by_dataset[dataset] = _differences(layers, name, test, sampled[-1])
    averages = [macro_average(list(results.values())) for results in systems.values()]
    observed = [difference_of(*pair, name) for pair in combinations(averages, 2)]
    drawn = (resampling.mean_of_defined(of) for of in zip(*sampled, strict=True))
    vary = any(len(result.counted) > 1 for result in next(iter(systems.values())).values())
    chances = _chances(test, observed, drawn, vary=vary)
    corrected = holm(chances)
    comparisons = {}
    for number, pair in enumerate(combinations(systems, 2)):
        of_pair = {dataset: differences[number] for dataset, differences in by_dataset.items()}
        signs = count_signs(difference.difference for difference in of_pair.values())
        overall = Difference(observed[number], chances[number], corrected[number], *signs)
        comparisons[pair] = PairComparison(overall, of_pair)
    return comparisons


def _differences(
    layers: Sequence[LayerResult], name: str, test: PairedTest, sampled: Iterable[Floats]
) -> list[Difference]:
    """Compute the differences of all pairs of systems in one dataset, given those in samples."""
    pairs = list(combinations(layers, 2))
    in_key = is_in_key(layers[0], name)
    observed = [difference_of(a.scores, b.scores, name) if in_key else None for a, b in pairs]
    chances = _chances(test, observed, sampled, vary=len(layers[0].counted) > 1)
    return [
        Difference(difference, p, corrected, *count_wins(*pair, name))
        for pair, difference, p, corrected in zip(
            pairs, observed, chances, holm(chances), strict=True
        )
    ]


def _chances(
    test: PairedTest,
    observed: Sequence[float | None],
    sampled: Iterable[Floats],
    *,
    vary: bool,
) -> list[float | None]:
    """Compute p-values; None if a difference is undefined, or samples cannot vary."""
    return [
        test.p_value(differences, value) if vary and value is not None else None
        for value, differences in zip(observed, sampled, strict=True)
    ]


def _intervals(cells: Runs, how: ResamplingOptions) -> dict[str, dict[str, dict[str, Intervals]]]:
    """Compute the middle 95% of the macro-averages of bootstrap samples."""
    rows = [(variant, system) for variant, systems in cells.items() for system in systems]
    intervals: dict[str, dict[str, dict[str, Intervals]]] = {variant: {} for variant in cells}
    for variant, system in track(rows, f"drawing {how.samples} samples for confidence intervals:"):
        intervals[variant][system] = _macro_intervals(cells[variant][system], how)
    return intervals


def _macro_intervals(results: Mapping[str, Result], how: ResamplingOptions) -> dict[str, Intervals]:
    """Compute intervals for one system's macro-averages; undefined if nothing can vary."""
    from anascore.results import resampling  # noqa: PLC0415  NumPy loads slowly

    first = next(iter(results.values()))
    if all(len(result.counted) < 2 for result in results.values()):
        return dict.fromkeys(first, Intervals(*[Interval(None, None)] * 3))
    intervals: dict[str, Intervals] = {}
    for layer in first.layers:
        datasets = [
            (
                resampling.counts_of(result.layers[layer]),
                resampling.stratum_seed(how.seed, dataset),
            )
            for dataset, result in results.items()
        ]
        for name, sampled in resampling.macro_resampled(datasets, how.samples).items():
            if name in first.layers[layer].scores and name not in intervals:
                intervals[name] = Intervals(
                    *(Interval(*resampling.percentile_interval(values)) for values in sampled)
                )
    return {name: intervals[name] for name in first}
