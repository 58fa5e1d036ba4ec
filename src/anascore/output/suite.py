"""Suites as tables in text, Markdown and LaTeX, as JSON and as CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from anascore.errors import check_output
from anascore.execution import escape_control_characters
from anascore.metrics import LABELS, values_of
from anascore.output import ReportOptions, tables
from anascore.output.data import OneLine, plain, system_to_dict, to_csv, to_json
from anascore.output.grids import (
    INTERVAL_WIDTH,
    SCORE_WIDTH,
    difference,
    difference_grid,
    interval,
    percent,
    score_grid,
)
from anascore.output.tables import Column, Grid, GridCell, Head
from anascore.results import Difference, Result
from anascore.results.exact import SCHEMA
from anascore.results.suite import SuiteResult
from anascore.version import __version__

MAX_WARNINGS = 20
"""Maximum number of warnings below the tables."""

MAX_RUNS = 3
"""Maximum number of runs that are named beside a signature."""


def render_suite(suite: SuiteResult, output: str) -> str:
    """Return a suite as text in the named output."""
    check_output(output, SUITE_OUTPUTS)
    return SUITE_OUTPUTS[output](suite)


def _render_table(suite: SuiteResult) -> str:
    return tables.render_text(suite_grids(suite), suite_signatures(suite))


def _render_markdown(suite: SuiteResult) -> str:
    return tables.render_markdown(suite_grids(suite), suite_signatures(suite))


def _render_latex(suite: SuiteResult) -> str:
    return tables.render_latex(suite_grids(suite), suite_signatures(suite))


def suite_signatures(suite: SuiteResult) -> list[str]:
    """Return the signature of each variant, or several if its runs differ, and of the tests."""
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


def suite_grids(suite: SuiteResult) -> Iterator[Grid]:
    """Yield the tables: by dataset, variant and metric; intervals, differences; warnings."""
    systems = [rank.system for rank in suite.ranks]
    yield _dataset_grid(suite)
    if len(suite.variants) > 1:
        yield _variant_grid(suite, systems)
    macro = [(system, suite.macro(system)) for system in systems]
    title = f"Macro-averages over datasets by metric: {suite.primary}"
    yield score_grid(title, macro)
    if suite.intervals:
        yield _interval_grid(suite, systems)
    if suite.comparisons:
        yield _difference_grid(suite, systems)
        label = LABELS[suite.score]
        title = f"Tests of macro-averages of {label}: the best of a cluster, and those after it"
        yield difference_grid(title, _decisive_differences(suite), "datasets")
    warnings = [f"warning: {warning}" for warning in suite.warnings[:MAX_WARNINGS]]
    if more := len(suite.warnings) - len(warnings):
        warnings.append(f"and {more} more warnings; --output json has all")
    if warnings:
        yield Grid(notes=warnings)


def _dataset_grid(suite: SuiteResult) -> Grid:
    """Return the ranks, the macro-averages, and the scores by dataset of the primary variant."""
    rows = [
        [
            suite.macro(rank.system)[suite.score].f1,
            *(suite.value(rank.system, dataset) for dataset in suite.datasets),
        ]
        for rank in suite.ranks
    ]
    cells = _score_cells(rows)
    columns = [_column("macro"), *map(_column, suite.datasets)]
    names = [rank.system for rank in suite.ranks]
    notes = [f"macro: mean of the {LABELS[suite.score]} scores of all datasets"]
    if suite.comparisons:
        columns = [Column("rank", 6), *columns]
        cells = [
            [GridCell(str(rank.rank)), *row] for rank, row in zip(suite.ranks, cells, strict=True)
        ]
        notes.append(
            "Systems of one rank cluster share a rank. A cluster ends before the first system that "
            "differs from its best with p (Holm) < 0.05."
        )
    return Grid(
        f"{LABELS[suite.score]} by dataset: {suite.primary}, the primary variant",
        [Head([column]) for column in columns],
        list(zip(names, cells, strict=True)),
        notes=notes,
    )


def _column(name: str) -> Column:
    return Column(escape_control_characters(name), SCORE_WIDTH)


def _score_cells(rows: Sequence[Sequence[float | None]]) -> list[list[GridCell]]:
    """Return scores of systems, one row for each; the best of each column is bold."""
    best = [
        max((value for value in column if value is not None), default=None)
        for column in zip(*rows, strict=True)
    ]
    several = len(rows) > 1
    return [
        [
            GridCell(percent(value), best=several and value is not None and value == highest)
            for value, highest in zip(row, best, strict=True)
        ]
        for row in rows
    ]


def _variant_grid(suite: SuiteResult, systems: Sequence[str]) -> Grid:
    """Return the macro-averages of the ranking score by variant."""
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
        f"Macro-averages of {LABELS[suite.score]} by variant",
        [Head([_column(variant)]) for variant in suite.variants],
        list(zip(systems, _score_cells(rows), strict=True)),
    )


def _interval_grid(suite: SuiteResult, systems: Sequence[str]) -> Grid:
    """Return the confidence intervals of the ranking score by variant."""
    variants = [name for name in suite.variants if suite.score in suite.macro(systems[0], name)]
    return Grid(
        f"95% confidence intervals of the macro-averages of {LABELS[suite.score]}",
        [Head([_column(name)._replace(min_width=INTERVAL_WIDTH)]) for name in variants],
        [
            (
                system,
                [GridCell(interval(suite.intervals[v][system][suite.score])) for v in variants],
            )
            for system in systems
        ],
    )


def _difference_grid(suite: SuiteResult, systems: Sequence[str]) -> Grid:
    """Return the differences of all systems to the first in rank, by dataset."""
    best, *others = systems
    columns = (_column(name) for name in ("macro", *suite.datasets))
    rows = []
    for system in others:
        overall, datasets = suite.compare(system, best)
        cells = [_difference_cell(overall), *map(_difference_cell, datasets.values())]
        rows.append((system, cells))
    return Grid(
        f"Differences in {LABELS[suite.score]} from {best}",
        [Head([column._replace(starred=True, min_width=SCORE_WIDTH + 2)]) for column in columns],
        rows,
        notes=["* p (Holm) < 0.05, over all pairs of systems"],
    )


def _difference_cell(comparison: Difference) -> GridCell:
    return GridCell(difference(comparison.difference), marked=comparison.significant)


def _decisive_differences(suite: SuiteResult) -> Iterator[tuple[str, Difference]]:
    """Yield the differences that decide where rank clusters end."""
    best = suite.ranks[0].system
    for rank in suite.ranks[1:]:
        yield f"{rank.system} vs. {best}", suite.compare(rank.system, best).overall
        if rank.system == suite.clusters[rank.cluster - 1][0]:
            best = rank.system


def _render_json(suite: SuiteResult) -> str:
    content = suite_to_dict(suite)
    for variant in content["variants"].values():
        variant |= {name: OneLine(variant[name]) for name in ("settings", "reported")}
    content["comparisons"] = [
        {**comparison, "datasets": {n: OneLine(d) for n, d in comparison["datasets"].items()}}
        for comparison in content["comparisons"]
    ]
    content["runs"] = [OneLine(run) for run in content["runs"]]
    return to_json(content)


def suite_to_dict(suite: SuiteResult) -> dict[str, Any]:
    """Return all figures of a suite as plain values."""
    return {
        "anascore": __version__,
        "schema": SCHEMA,
        "datasets": suite.datasets,
        "systems": suite.systems,
        "variants": {variant: _variant(suite, variant) for variant in suite.variants},
        "primary": suite.primary,
        "score": suite.score,
        "resampling": suite.resampling_signature,
        "ranks": [rank._asdict() for rank in suite.ranks],
        "macro": {
            variant: {system: plain(scores) for system, scores in systems.items()}
            for variant, systems in suite.averages.items()
        },
        "undefined": suite.undefined,
        "confidence": {
            variant: {system: _intervals(intervals) for system, intervals in systems.items()}
            for variant, systems in suite.intervals.items()
        },
        "comparisons": [
            {
                "system": system,
                "to": other,
                **comparison.overall._asdict(),
                "datasets": {n: d._asdict() for n, d in comparison.datasets.items()},
            }
            for (other, system), comparison in suite.comparisons.items()
        ],
        "runs": [_run(*run) for run in _runs(suite)],
        "notes": list(suite.notes),
        "warnings": list(suite.warnings),
    }


def _variant(suite: SuiteResult, variant: str) -> dict[str, Any]:
    request = next(run for name, _, _, run in _runs(suite) if name == variant).request
    return {
        "signatures": suite.signatures[variant],
        "settings": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(request.settings).items()
        },
        "reported": {layer: list(names) for layer, names in request.reported.items()},
    }


def _intervals(intervals: Mapping[str, Any]) -> dict[str, dict[str, list[float | None]]]:
    return {
        name: {measure: list(getattr(of_score, measure)) for measure in values_of(name)}
        for name, of_score in intervals.items()
    }


def _runs(suite: SuiteResult) -> Iterator[tuple[str, str, str, Result]]:
    """Yield each run with its variant, system and dataset."""
    for variant, systems in suite.cells.items():
        for system, results in systems.items():
            for dataset, result in results.items():
                yield variant, system, dataset, result


def _run(variant: str, system: str, dataset: str, result: Result) -> dict[str, Any]:
    """Return the scores of one run, with exact counts of each document."""
    content = system_to_dict(result, ReportOptions())
    del content["name"]
    return {"variant": variant, "system": system, "dataset": dataset, **content}


CSV_COLUMNS = (
    *("variant", "system", "dataset", "scope", "metric"),
    *("recall", "precision", "f1", "signature"),
)


def _render_csv(suite: SuiteResult) -> str:
    """Render all figures as CSV; the dataset is empty in lines on all of them.

    The scope is `scores`, `macro`, or what stands in the column f1: a rank, a difference to another
    system, or its p-value.
    """
    return to_csv([CSV_COLUMNS, *_csv_rows(suite)])


def _csv_rows(suite: SuiteResult) -> Iterator[Iterable[object]]:
    for variant, system, dataset, result in _runs(suite):
        for name in result:
            yield variant, system, dataset, "scores", name, *result[name], result.signature
    for variant, systems in suite.averages.items():
        for system, scores in systems.items():
            for name, score in scores.items():
                yield variant, system, "", "macro", name, *score, ""
    yield from _interval_rows(suite)
    for place, number in _ranking_rows(suite):
        row = (suite.primary, *place, suite.score, None, None, number)
        yield *row, suite.resampling_signature


def _interval_rows(suite: SuiteResult) -> Iterator[Iterable[object]]:
    for variant, systems in suite.intervals.items():
        for system, intervals in systems.items():
            for name, of_score in intervals.items():
                low, high = zip(*of_score, strict=True)
                for scope, ends in (("confidence low", low), ("confidence high", high)):
                    yield variant, system, "", scope, name, *ends, suite.resampling_signature


def _ranking_rows(
    suite: SuiteResult,
) -> Iterator[tuple[tuple[str, str, str], int | float | None]]:
    """Yield system, dataset, scope and value of ranks, differences and p-values."""
    for rank in suite.ranks:
        yield (rank.system, "", "rank"), rank.rank
        yield (rank.system, "", "cluster"), rank.cluster
    for (other, system), comparison in suite.comparisons.items():
        for dataset, value in {"": comparison.overall, **comparison.datasets}.items():
            yield (system, dataset, f"difference to {other}"), value.difference
            yield (system, dataset, f"p to {other}"), value.p
            yield (system, dataset, f"p corrected to {other}"), value.corrected


SUITE_OUTPUTS = {
    "table": _render_table,
    "markdown": _render_markdown,
    "latex": _render_latex,
    "json": _render_json,
    "csv": _render_csv,
}
"""Registry of outputs: functions that render suites, by name."""
