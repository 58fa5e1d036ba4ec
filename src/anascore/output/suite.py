"""Suites as tables in text, Markdown and LaTeX, as JSON and as CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anascore.metrics.scores import LABELS
from anascore.output.grid import (
    Cell,
    Column,
    Grid,
    Head,
    SystemName,
    Value,
    interval_column,
    long_grid,
    warning_grid,
)
from anascore.output.scores import (
    SCORE_WIDTH,
    count_cell,
    difference_cell,
    difference_grid,
    score_cells,
    score_grid,
)
from anascore.results.result import Difference
from anascore.results.suite import SuiteResult
from anascore.terminal import escape_control_characters

MAX_WARNINGS = 20
"""Maximum number of warnings below the tables."""

MAX_RUNS = 3
"""Maximum number of runs named next to a signature."""


def signatures(suite: SuiteResult) -> list[str]:
    """List the signature of each variant, or several if its runs differ, and of the tests."""
    lines = []
    for variant, signatures in suite.signatures.items():
        for signature in signatures:
            runs = [
                f"{system} on {dataset}"
                for system, results in suite.cells[variant].items()
                for dataset, result in results.items()
                if result.signature == signature
            ]
            more = f" and {len(runs) - MAX_RUNS} more" if len(runs) > MAX_RUNS else ""
            which = f" ({', '.join(runs[:MAX_RUNS])}{more})" if len(signatures) > 1 else ""
            lines.append(f"{variant}{which}: {signature}")
    return [*lines, *([suite.resampling_signature] if suite.resampling_signature else [])]


def tables(suite: SuiteResult) -> Iterator[Grid]:
    """Yield scores by dataset, variant and metric, then intervals, differences and warnings."""
    systems = [SystemName(rank.system) for rank in suite.ranks]
    yield _dataset_grid(suite)
    if len(suite.variants) > 1:
        yield _variant_grid(suite, systems)
    macro = [(system, suite.macro(system)) for system in systems]
    title = f"Macro-averages over datasets by metric: {suite.primary}"
    yield score_grid("metrics", title, macro)
    if suite.intervals:
        yield _interval_grid(suite, systems)
    if suite.comparisons:
        yield _difference_grid(suite, systems)
        label = LABELS[suite.score]
        title = f"Tests of macro-averages of {label}: the best of a cluster, and those after it"
        yield difference_grid("tests", title, _decisive_differences(suite), "datasets")
    warnings = list(suite.warnings[:MAX_WARNINGS])
    notes = [note for grid in warning_grid(warnings) for note in grid.notes]
    if more := len(suite.warnings) - len(warnings):
        notes.append(f"and {more} more warnings; --output json has all")
    if notes:
        yield Grid(notes=notes)


def _dataset_grid(suite: SuiteResult) -> Grid:
    """Tabulate the primary variant's ranks, macro-averages, and scores by dataset."""
    rows = [
        [
            suite.macro(rank.system)[suite.score].f1,
            *(suite.value(rank.system, dataset) for dataset in suite.datasets),
        ]
        for rank in suite.ranks
    ]
    cells = _best_of_columns(rows)
    columns = [_column("macro"), *map(_column, suite.datasets)]
    names = [SystemName(rank.system) for rank in suite.ranks]
    notes = [f"macro: mean of the {LABELS[suite.score]} scores of all datasets"]
    if suite.comparisons:
        columns = [Column("rank", min_width=6), *columns]
        ranks = [count_cell(rank.rank) for rank in suite.ranks]
        cells = [[rank, *row] for rank, row in zip(ranks, cells, strict=True)]
        notes.append(
            "Systems of one rank cluster share a rank. A cluster ends before the first system that "
            "differs from its best with p (Holm) < 0.05."
        )
    return Grid(
        "datasets",
        f"{LABELS[suite.score]} by dataset: {suite.primary}, the primary variant",
        [Head([column]) for column in columns],
        list(zip(names, cells, strict=True)),
        notes=notes,
    )


def _column(name: str) -> Column:
    return Column(name, escape_control_characters(name), SCORE_WIDTH)


def _best_of_columns(rows: Sequence[Sequence[float | None]]) -> list[list[Cell]]:
    """Make cells with one row per system, and mark the best value in each column."""
    columns = (score_cells(column, compared=len(rows) > 1) for column in zip(*rows, strict=True))
    return [list(row) for row in zip(*columns, strict=True)]


def _variant_grid(suite: SuiteResult, systems: Sequence[str]) -> Grid:
    """Tabulate the macro-averages of the ranking score by variant."""
    rows = [
        [
            suite.macro(system, variant)[suite.score].f1
            if suite.score in suite.macro(system, variant)
            else None
            for variant in suite.variants
        ]
        for system in systems
    ]
    return Grid(
        "variants",
        f"Macro-averages of {LABELS[suite.score]} by variant",
        [Head([_column(variant)]) for variant in suite.variants],
        list(zip(systems, _best_of_columns(rows), strict=True)),
    )


def _interval_grid(suite: SuiteResult, systems: Sequence[str]) -> Grid:
    """Tabulate the confidence intervals of the ranking score by variant."""
    variants = [name for name in suite.variants if suite.score in suite.macro(systems[0], name)]
    rows = []
    for system in systems:
        intervals = (suite.intervals[variant][system][suite.score].f1 for variant in variants)
        cells = [Cell(None, "score", interval=interval).interval_cell for interval in intervals]
        rows.append((system, cells))
    heads = [Head([interval_column(name, escape_control_characters(name))]) for name in variants]
    title = f"95% confidence intervals of the macro-averages of {LABELS[suite.score]}"
    return Grid("intervals", title, heads, rows)


def _difference_grid(suite: SuiteResult, systems: Sequence[str]) -> Grid:
    """Tabulate each system's differences from the first-ranked one, by dataset."""
    best, *others = systems
    columns = (_column(name) for name in ("macro", *suite.datasets))
    rows = []
    for system in others:
        overall, datasets = suite.compare(system, best)
        cells = [difference_cell(overall), *map(difference_cell, datasets.values())]
        rows.append((system, cells))
    return Grid(
        "differences",
        f"Differences in {LABELS[suite.score]} from {best}",
        [Head([column._replace(starred=True, min_width=SCORE_WIDTH + 2)]) for column in columns],
        rows,
        notes=["* p (Holm) < 0.05, over all pairs of systems"],
    )


def _decisive_differences(suite: SuiteResult) -> Iterator[tuple[str, Difference]]:
    """Yield the differences that decide where rank clusters end."""
    best = suite.ranks[0].system
    for rank in suite.ranks[1:]:
        yield f"{rank.system} vs. {best}", suite.compare(rank.system, best).overall
        if rank.system == suite.clusters[rank.cluster - 1][0]:
            best = rank.system


COLUMNS = (
    *("variant", "system", "dataset", "scope", "metric"),
    *("recall", "precision", "f1", "signature"),
)


def rows(suite: SuiteResult) -> Grid:
    """List all numbers; in rows about all datasets, the dataset is empty.

    The scope is `scores` or `macro`, or it names what the column f1 contains: a rank, a difference
    from another system, or its p-value.
    """
    return long_grid(COLUMNS, _rows(suite))


def _rows(suite: SuiteResult) -> Iterator[tuple[Value, ...]]:
    for variant, runs in suite.cells.items():
        for system, results in runs.items():
            for dataset, result in results.items():
                for name in result:
                    row = (variant, system, dataset, "scores", name, *result[name])
                    yield *row, result.signature
    for variant, systems in suite.averages.items():
        for system, scores in systems.items():
            for name, score in scores.items():
                yield variant, system, "", "macro", name, *score, ""
    yield from _interval_rows(suite)
    for place, number in _ranking_rows(suite):
        row = (suite.primary, *place, suite.score, None, None, number)
        yield *row, suite.resampling_signature


def _interval_rows(suite: SuiteResult) -> Iterator[tuple[Value, ...]]:
    for variant, systems in suite.intervals.items():
        for system, intervals in systems.items():
            for name, of_score in intervals.items():
                low, high = zip(*of_score, strict=True)
                for scope, ends in (("confidence low", low), ("confidence high", high)):
                    yield variant, system, "", scope, name, *ends, suite.resampling_signature


def _ranking_rows(
    suite: SuiteResult,
) -> Iterator[tuple[tuple[str, str, str], int | float | None]]:
    """Yield system, dataset, scope and value for ranks, differences and p-values."""
    for rank in suite.ranks:
        yield (rank.system, "", "rank"), rank.rank
        yield (rank.system, "", "cluster"), rank.cluster
    for (other, system), comparison in suite.comparisons.items():
        for dataset, value in {"": comparison.overall, **comparison.datasets}.items():
            yield (system, dataset, f"difference to {other}"), value.difference
            yield (system, dataset, f"p to {other}"), value.p
            yield (system, dataset, f"p corrected to {other}"), value.corrected
