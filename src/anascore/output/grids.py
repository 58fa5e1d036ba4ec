"""Results as grids: the tables of `anascore score` as text, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from anascore.metrics import LABELS, SPLIT_ONLY, values_of
from anascore.model.ratio import Number
from anascore.output import ReportOptions, tables
from anascore.output.tables import Column, Grid, GridCell, Head
from anascore.prepare.breakdown import dimension
from anascore.results import Difference, Intervals, LayerResult, Result, Scores

SCORE_COLUMNS = {"recall": "R", "precision": "P", "f1": "F1"}
"""Labels of the columns of a score."""

SCORE_WIDTH = 7
"""Width of a score in per cent, including the blank before it."""

INTERVAL_WIDTH = 15
"""Width of a confidence interval, including the blanks before it."""

DIFFERENCE_COLUMNS = (
    Column("difference", 12, starred=True),
    *(Column("p", 8), Column("p (Holm)", 10)),
    *(Column("better", 9), Column("worse", 8), Column("equal", 8)),
)
"""Columns of a comparison with the first system."""

TITLES = {
    "identity": ("All entities", "Accommodated sets only"),
    "discourse-deixis": (
        "Discourse deixis: all entities",
        "Discourse deixis: accommodated sets only",
    ),
}
"""Titles of layers with entities: of the scores of all entities, and of sets only."""

Systems: TypeAlias = Sequence[tuple[str, LayerResult]]
"""Names of systems, each with its result for one layer."""


def render_table(results: Sequence[Result], options: ReportOptions) -> str:
    """Render scores, counts, uncertainty, warnings and the signature as text."""
    return tables.render_text(result_grids(results, options), signatures(results))


def render_markdown(results: Sequence[Result], options: ReportOptions) -> str:
    """Render the same tables in Markdown."""
    return tables.render_markdown(result_grids(results, options), signatures(results))


def render_latex(results: Sequence[Result], options: ReportOptions) -> str:
    """Render the same tables in LaTeX."""
    return tables.render_latex(result_grids(results, options), signatures(results))


MAX_DIGITS = 640
"""Maximum number of digits of a fraction above or below the line. Python prints so many always."""


_ROUNDED = 10**MAX_DIGITS


def fraction(number: Number | None) -> str:
    """Return an exact number as text; a number of very many digits is rounded and marked by ≈."""
    if number is None or max(abs(number.numerator), number.denominator) < _ROUNDED:
        return str(number)
    return f"≈{float(number):.12g}"


def percent(value: float | None) -> str:
    """Format a score in per cent; a dash if it is undefined."""
    return "-" if value is None else f"{100 * value:.2f}"


def difference(value: float | None) -> str:
    """Format a difference of two scores in points, with its sign."""
    return "-" if value is None else f"{100 * value:+.2f}"


def interval(intervals: Intervals) -> str:
    """Format the confidence interval of F1."""
    low, high = intervals.f1
    return "-" if low is None or high is None else f"{percent(low)}-{percent(high)}"


def chance(value: float | None) -> str:
    """Format a p-value; values that would round to 0 become `<0.001`."""
    if value is None:
        return "-"
    return f"{value:.3f}" if value >= 0.0005 else "<0.001"


def signatures(results: Sequence[Result]) -> list[str]:
    """Return the common signature, or one signature per system if their formats differ."""
    distinct = dict.fromkeys(result.signature for result in results)
    if len(distinct) == 1:
        return list(distinct)
    return [f"{result.name}: {result.signature}" for result in results]


def result_grids(results: Sequence[Result], options: ReportOptions) -> Iterator[Grid]:
    """Yield the tables of all layers, then the warnings."""
    for layer in results[0].layers:
        systems = [(result.name, result.layers[layer]) for result in results]
        yield from _layer(systems, options)
        yield from _uncertainty(systems)
    warnings = [
        f"warning: {result.name}: {warning}"
        for result in results
        for warning in options.warnings(result)
    ]
    if warnings:
        yield Grid(notes=warnings)


def _layer(systems: Systems, options: ReportOptions) -> Iterator[Grid]:
    """Yield the tables of a layer: scores of systems, classes and documents, then counts."""
    first = systems[0][1]
    title, sets_title = TITLES.get(first.layer, (first.label, ""))
    if options.split_only and SPLIT_ONLY.isdisjoint(first.reported):
        return
    if not any(layer.annotated for _, layer in systems):
        yield Grid(notes=[f"{first.label}: nothing is annotated, neither in key nor response."])
        return
    if not options.split_only:
        yield from _scores(title, systems, options)
    sets = [(name, layer.split_only) for name, layer in systems]
    if any(scores for _, scores in sets):
        yield score_grid(sets_title, sets, comparison=True)
        for name, layer in systems:
            yield from _classes(f"{sets_title} by relation: {name}", layer.by_relation)
    elif options.split_only:
        message = "there are no accommodated sets, neither in key nor response."
        yield Grid(notes=[f"{first.label}: {message}"])
    if options.per_document:
        for name, layer in systems:
            yield from _documents(name, layer, options)
    yield _count_grid([("key", first.total.key), *((n, s.total.response) for n, s in systems)])
    yield _count_grid([(name, layer.total.matching) for name, layer in systems], "matched")


def _scores(title: str, systems: Systems, options: ReportOptions) -> Iterator[Grid]:
    """Yield the scores of all entities, their macro-averages, and the scores of classes."""
    significant = {
        (name, metric)
        for name, layer in systems
        for metric, comparison in layer.uncertainty.differences.items()
        if comparison.significant
    }
    scores = [(name, layer.scores) for name, layer in systems]
    yield score_grid(title, scores, significant, comparison=True)
    if options.macro:
        means = [(name, layer.macro) for name, layer in systems]
        yield score_grid(f"{title}: mean over documents (macro)", means, comparison=True)
    for name, layer in systems:
        yield from _classes(f"{title} by {layer.class_name}: {name}", layer.classes)
        yield from _breakdown(title, name, layer)


def _classes(title: str, classes: Mapping[str, Scores]) -> Iterator[Grid]:
    if classes:
        yield score_grid(title, list(classes.items()))


def _breakdown(title: str, system: str, layer: LayerResult) -> Iterator[Grid]:
    """Yield the scores of classes of mentions, and the number of mentions in each class."""
    for by, classes in layer.breakdown.items():
        scores = [(name, result.scores) for name, result in classes.items()]
        yield score_grid(f"{title} by {dimension(by).label}: {system}", scores)
        sizes = (
            (name, {"mentions of the key": result.key, "of the response": result.response})
            for name, result in classes.items()
        )
        yield _count_grid(list(sizes))


def _documents(system: str, layer: LayerResult, options: ReportOptions) -> Iterator[Grid]:
    """Yield the scores of each document of a system."""
    title, sets_title = TITLES.get(layer.layer, (layer.label, ""))
    documents = options.in_order(layer)
    if not options.split_only:
        scores = [(name, document.scores) for name, document in documents]
        yield score_grid(f"{title} by document: {system}", scores)
    if sets := [(name, document.split_only) for name, document in documents if document.split_only]:
        yield score_grid(f"{sets_title} by document: {system}", sets)
    if notes := [f"{name}: {note}" for name, document in documents for note in document.notes]:
        yield Grid(f"Notes by document: {system}", notes=notes)


def _uncertainty(systems: Systems) -> Iterator[Grid]:
    """Yield the confidence intervals of all systems, then differences to the first system."""
    intervals = [(name, layer.uncertainty.intervals) for name, layer in systems]
    if rows := [row for row in intervals if row[1]]:
        yield _interval_grid(rows)
    for name, layer in systems:
        if differences := layer.uncertainty.differences:
            title = f"Differences of F1, {name} to {layer.uncertainty.first}"
            of_scores = ((LABELS[metric], of_score) for metric, of_score in differences.items())
            yield difference_grid(title, of_scores, "documents")


def score_grid(
    title: str,
    rows: Sequence[tuple[str, Scores]],
    significant: Collection[tuple[str, str]] = (),
    *,
    comparison: bool = False,
) -> Grid:
    """Return a table of scores.

    Args:
        title: Title of the table.
        rows: Names of the rows, each with its scores.
        significant: Names of rows and scores whose F1 differs significantly from the first row.
        comparison: True if the rows are systems; the best value of each column is bold then.

    """
    names = [name for name in LABELS if any(name in scores for _, scores in rows)]
    columns = [(name, column) for name in names for column in values_of(name)]
    values = [
        [getattr(scores[name], column) if name in scores else None for name, column in columns]
        for _, scores in rows
    ]
    highest = [
        max((value for value in column if value is not None), default=None)
        for column in zip(*values, strict=True)
    ]
    comparison = comparison and len(rows) > 1
    cells = [
        [
            GridCell(
                percent(value),
                best=comparison and value is not None and value == best,
                marked=column == "f1" and (row, name) in significant,
            )
            for value, best, (name, column) in zip(row_values, highest, columns, strict=True)
        ]
        for (row, _), row_values in zip(rows, values, strict=True)
    ]
    heads = [
        Head(
            [Column(SCORE_COLUMNS[column], SCORE_WIDTH) for column in values_of(name)], LABELS[name]
        )
        for name in names
    ]
    return Grid(title, heads, list(zip((row for row, _ in rows), cells, strict=True)))


def _count_grid(rows: Sequence[tuple[str, Mapping[str, int]]], corner: str = "") -> Grid:
    """Return a table of counts, which have the same names in all rows."""
    labels = [name.replace("_", " ") for name in rows[0][1]]
    head = Head([Column(label, len(label) + 2) for label in labels])
    cells = [(row, [GridCell(str(count)) for count in counts.values()]) for row, counts in rows]
    return Grid(heads=[head], rows=cells, corner=corner)


def _interval_grid(rows: Sequence[tuple[str, Mapping[str, Intervals]]]) -> Grid:
    names = list(rows[0][1])
    heads = [Head([Column(LABELS[name], INTERVAL_WIDTH)]) for name in names]
    cells = [
        (row, [GridCell(interval(intervals[name])) for name in names]) for row, intervals in rows
    ]
    return Grid("95% confidence intervals of F1", heads, cells)


def difference_grid(title: str, differences: Iterable[tuple[str, Difference]], unit: str) -> Grid:
    """Return a table of differences, with the number of units that are better, worse or equal."""
    rows = []
    for name, comparison in differences:
        texts = [chance(comparison.p), chance(comparison.corrected)]
        texts += map(str, (comparison.wins, comparison.losses, comparison.ties))
        first = GridCell(difference(comparison.difference), marked=comparison.significant)
        rows.append((name, [first, *map(GridCell, texts)]))
    note = f"better, worse, equal: {unit}; * p (Holm) < 0.05"
    return Grid(title, [Head(DIFFERENCE_COLUMNS)], rows, notes=[note])
