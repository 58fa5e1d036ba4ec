"""Results as grids: the tables of `anascore score` as text, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import TypeAlias

from anascore.metrics import LABELS, SPLIT_ONLY, values_of
from anascore.model.ratio import Number
from anascore.output import ReportOptions, joint_warnings, tables
from anascore.output.tables import Column, Grid, GridCell, Head
from anascore.prepare.breakdown import dimension
from anascore.results import Difference, Intervals, LayerResult, Result, Scores, Uncertainty

SCORE_COLUMNS = {"recall": "R", "precision": "P", "f1": "F1"}
"""Labels of the columns of a score."""

SCORE_WIDTH = 7
"""Width of a score in per cent, including the blank before it."""

INTERVAL_WIDTH = 14
"""Width of a confidence interval, including the blanks before it."""

COUNT_WIDTH = 10
"""Width of a number of mentions, including the blanks before it."""

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
    return common_signature([(result.name, result.signature) for result in results])


def common_signature(systems: Sequence[tuple[str, str]]) -> list[str]:
    """Return the signature that systems have in common, or else each with the system's name."""
    distinct = dict.fromkeys(signature for _, signature in systems)
    if len(distinct) == 1:
        return list(distinct)
    return [f"{system}: {signature}" for system, signature in systems]


def result_grids(results: Sequence[Result], options: ReportOptions) -> Iterator[Grid]:
    """Yield the tables of all layers, then the warnings."""
    results = options.systems_in_order(results)
    for layer in results[0].layers:
        systems = [(result.name, result.layers[layer]) for result in results]
        yield from _layer(systems, options, hidden_counts(results))
        yield from _differences(systems)
    if warnings := joint_warnings(results, options):
        yield Grid(notes=[f"warning: {warning}" for warning in warnings])


def hidden_counts(results: Sequence[Result]) -> set[str]:
    """Return the counts that are left out if they are 0, since the settings or files have none."""
    hidden, settings = {"accommodated_sets"}, results[0].request.settings
    if settings.match == "exact":
        hidden.add("partly")
    documents = (document for result in results for document in result.counted.values())
    zeros = any(side.mentions for d in documents for side in (d.key_zeros, d.response_zeros))
    if settings.zeros == "drop" or not zeros:
        hidden.add("as_zeros")
    return hidden


def _layer(systems: Systems, options: ReportOptions, hidden: Collection[str]) -> Iterator[Grid]:
    """Yield the tables of a layer: scores of systems, classes and documents, then counts."""
    first = systems[0][1]
    title, sets_title = TITLES.get(first.layer, (first.label, ""))
    if options.split_only and SPLIT_ONLY.isdisjoint(first.reported):
        return
    if not any(layer.annotated for _, layer in systems):
        yield Grid(notes=[f"{first.label}: neither key nor response has any annotation."])
        return
    if not options.split_only:
        yield from _scores(title, systems, options)
    sets = [(name, layer.split_only) for name, layer in systems]
    if any(scores for _, scores in sets):
        yield score_grid(sets_title, sets)
        yield from _by_key(sets_title, systems, lambda layer: layer.split_only)
        relations = [(name, layer.by_relation) for name, layer in systems]
        yield from _class_grids(f"{sets_title} by relation", relations, first.reported, options)
    elif options.split_only:
        message = "neither key nor response has accommodated sets."
        yield Grid(notes=[f"{first.label}: {message}"])
    if options.per_document:
        yield from _documents(systems, options)
    keys = first.by_key or {"key": first}
    sizes = [(name, layer.total.key) for name, layer in keys.items()]
    sizes += [(name, layer.total.response) for name, layer in systems]
    yield _count_grid(sizes, hidden)
    yield _count_grid(list(_matching_rows(systems)), hidden, "matched")


def _matching_rows(systems: Systems) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield the numbers of matched mentions of each system, against each key if several."""
    for name, layer in systems:
        if not layer.by_key:
            yield name, layer.total.matching
        for key, own in layer.by_key.items():
            yield key if len(systems) == 1 else f"{name}, {key}", own.total.matching


def _by_key(
    title: str, systems: Systems, select: Callable[[LayerResult], Scores]
) -> Iterator[Grid]:
    """Yield the scores against each of several keys; of several systems, in a table per key."""
    keys = systems[0][1].by_key
    if keys and len(systems) == 1:
        rows = [(name, select(own)) for name, own in keys.items()]
        yield score_grid(f"{title} by key", rows, compared=False)
        return
    for key in keys:
        rows = [(name, select(layer.by_key[key])) for name, layer in systems]
        yield score_grid(f"{title} against {key}", rows)


def _scores(title: str, systems: Systems, options: ReportOptions) -> Iterator[Grid]:
    """Yield the scores of all entities, their macro-averages, and the scores of classes."""
    uncertainty = {name: layer.uncertainty for name, layer in systems}
    yield score_grid(title, [(name, layer.scores) for name, layer in systems], uncertainty)
    yield from _by_key(title, systems, lambda layer: layer.scores)
    if human := systems[0][1].human:
        rows = [("human", human), *((name, layer.leave_one_out) for name, layer in systems)]
        yield score_grid(
            f"{title}: human ceiling, one key left out at a time", rows, compared=False
        )
    if within := [(name, s.within_documents) for name, s in systems if s.within_documents]:
        yield score_grid(f"{title}: within documents", within)
    if options.macro:
        means = [(name, layer.macro) for name, layer in systems]
        yield score_grid(f"{title}: mean over documents (macro)", means)
    first = systems[0][1]
    classes = [(name, layer.classes) for name, layer in systems]
    yield from _class_grids(f"{title} by {first.class_name}", classes, first.reported, options)
    for by in first.breakdown:
        yield from _breakdown(title, systems, by, options)


def _breakdown(title: str, systems: Systems, by: str, options: ReportOptions) -> Iterator[Grid]:
    """Yield the scores of classes of mentions, with the number of mentions in each class."""
    results = [(name, layer.breakdown[by]) for name, layer in systems]
    in_order = dimension(by).in_order({row for _, classes in results for row in classes})
    sizes = {
        row: [max((c[row].key for _, c in results if row in c), default=0)] for row in in_order
    }
    labels = ["key"]
    if len(results) == 1:
        labels.append("response")
        sizes = {row: [*size, results[0][1][row].response] for row, size in sizes.items()}
    scores = [(name, {row: c[row].scores for row in c}) for name, c in results]
    counts = (Head([Column(label, COUNT_WIDTH) for label in labels], "mentions"), sizes)
    label = f"{title} by {dimension(by).label}"
    reported = systems[0][1].reported
    yield from _class_grids(label, scores, reported, options, in_order=in_order, counts=counts)


def _documents(systems: Systems, options: ReportOptions) -> Iterator[Grid]:
    """Yield the scores of each document, and the notes on documents."""
    first = systems[0][1]
    title, sets_title = TITLES.get(first.layer, (first.label, ""))
    names = options.documents_in_order(*(layer for _, layer in systems))
    if not options.split_only:
        scores = [(s, {n: d.scores for n, d in layer.documents.items()}) for s, layer in systems]
        label = f"{title} by document"
        yield from _class_grids(label, scores, first.reported, options, in_order=names)
    sets = [
        (s, {n: d.split_only for n, d in layer.documents.items() if d.split_only})
        for s, layer in systems
    ]
    label = f"{sets_title} by document"
    yield from _class_grids(label, sets, first.reported, options, in_order=names)
    for system, layer in systems:
        notes = [f"{name}: {note}" for name in names for note in layer.documents[name].notes]
        if notes:
            yield Grid(f"Notes by document: {system}", notes=notes)


PREFERRED = ("conll", "b3", "bridging-entities")
"""Scores of tables by class and by document, unless another is chosen."""


def table_score(
    available: Collection[str], reported: Collection[str], options: ReportOptions
) -> str:
    """Return the score of a table by class or by document: one that was requested, if possible."""
    requested = [name for name in LABELS if name in available and name in reported]
    for name in (options.score, options.sort_by):
        if name in available:
            return name
    for name in PREFERRED:
        if name in (requested or available):
            return name
    return next(iter(requested or available))


def _class_grids(  # noqa: PLR0913  a table has rows, columns, and a choice of scores
    title: str,
    systems: Sequence[tuple[str, Mapping[str, Scores]]],
    reported: Collection[str],
    options: ReportOptions,
    *,
    in_order: Sequence[str] | None = None,
    counts: tuple[Head, Mapping[str, Sequence[int]]] | None = None,
) -> Iterator[Grid]:
    """Yield a table of one score with a row for each class or document, if there are any.

    With several systems it has the F1 of each, otherwise recall, precision and F1.

    Args:
        title: Title of the table, without the score.
        systems: Names of systems, each with its scores by class.
        reported: Names of the scores that were requested.
        options: The options, which can choose the score.
        in_order: Classes in the order of the table (default: as they come).
        counts: Columns of counts before the scores, and their values by class.

    """
    scores = [scores for _, classes in systems for scores in classes.values()]
    if not scores:
        return
    available = [name for name in LABELS if any(name in one for one in scores)]
    score = table_score(available, reported, options)
    present = dict.fromkeys(row for _, classes in systems for row in classes)
    names = [row for row in (in_order or present) if row in present]
    if len(systems) == 1:
        columns = [(systems[0][1], column) for column in values_of(score)]
        labels = [Column(SCORE_COLUMNS[column], SCORE_WIDTH) for _, column in columns]
        heads = [Head(labels, LABELS[score])]
    else:
        columns = [(classes, "f1") for _, classes in systems]
        heads = [Head([Column(name, SCORE_WIDTH + 1, is_name=True)]) for name, _ in systems]
        title = f"{title}: {LABELS[score]} F1"
    rows = []
    for row in names:
        values = [
            getattr(classes[row][score], column) if row in classes else None
            for classes, column in columns
        ]
        cells = _value_cells(values, comparison=len(systems) > 1)
        rows.append(
            (row, [*(GridCell(str(n)) for n in counts[1][row]), *cells] if counts else cells)
        )
    yield Grid(title, [*([counts[0]] if counts else []), *heads], rows)


def _value_cells(values: Sequence[float | None], *, comparison: bool) -> list[GridCell]:
    """Return the values of a row; if systems are compared in it, the best is marked."""
    best = max((value for value in values if value is not None), default=None)
    return [
        GridCell(percent(value), best=comparison and value is not None and value == best)
        for value in values
    ]


def _differences(systems: Systems) -> Iterator[Grid]:
    """Yield the differences of each system to the first."""
    for name, layer in systems:
        if differences := layer.uncertainty.differences:
            title = f"Differences in F1, {name} minus {layer.uncertainty.first}"
            of_scores = ((LABELS[metric], of_score) for metric, of_score in differences.items())
            yield difference_grid(title, of_scores, "documents")


def score_grid(
    title: str,
    systems: Sequence[tuple[str, Scores]],
    uncertainty: Mapping[str, Uncertainty] | None = None,
    *,
    compared: bool = True,
) -> Grid:
    """Return a table of scores with a row for each system.

    Args:
        title: Title of the table.
        systems: Names of systems, each with its scores.
        uncertainty: Confidence intervals and significance by system, if any.
        compared: True to mark the best of several systems.

    """
    uncertain = uncertainty or {}
    names = [name for name in LABELS if any(name in scores for _, scores in systems)]
    with_intervals = {name for one in uncertain.values() for name in one.intervals}
    heads = []
    columns: list[list[GridCell]] = []
    for name in names:
        labels = [Column(SCORE_COLUMNS[value], SCORE_WIDTH) for value in values_of(name)]
        for value in values_of(name):
            values = [
                getattr(scores[name], value) if name in scores else None for _, scores in systems
            ]
            cells = _value_cells(values, comparison=compared and len(systems) > 1)
            columns.append(cells)
        columns[-1] = [
            cell._replace(marked=_is_significant(uncertain.get(system), name))
            for cell, (system, _) in zip(columns[-1], systems, strict=True)
        ]
        if name in with_intervals:
            labels.append(Column("95% interval", INTERVAL_WIDTH))
            columns.append(
                [GridCell(interval(uncertain[system].intervals[name])) for system, _ in systems]
            )
        heads.append(Head(labels, LABELS[name]))
    rows = zip(*columns, strict=True)
    return Grid(title, heads, list(zip((system for system, _ in systems), rows, strict=True)))


def _is_significant(uncertainty: Uncertainty | None, name: str) -> bool:
    """Return True if the F1 of a score differs significantly from that of the first system."""
    difference = uncertainty and uncertainty.differences.get(name)
    return bool(difference and difference.significant)


def _count_grid(
    rows: Sequence[tuple[str, Mapping[str, int]]], hidden: Collection[str], corner: str = ""
) -> Grid:
    """Return a table of counts, which have the same names in all rows.

    Those of `hidden` are left out if they are 0 in all rows.
    """
    names = [
        name for name in rows[0][1] if name not in hidden or any(counts[name] for _, counts in rows)
    ]
    labels = [name.replace("_", " ") for name in names]
    heads = [Head([Column(label, len(label) + 2)]) for label in labels]
    cells = [(row, [GridCell(str(counts[name])) for name in names]) for row, counts in rows]
    return Grid(heads=heads, rows=cells, corner=corner)


def difference_grid(title: str, differences: Iterable[tuple[str, Difference]], unit: str) -> Grid:
    """Return a table of differences, with the number of units that are better, worse or equal."""
    rows = []
    for name, comparison in differences:
        texts = [chance(comparison.p), chance(comparison.corrected)]
        texts += map(str, (comparison.wins, comparison.losses, comparison.ties))
        first = GridCell(difference(comparison.difference), marked=comparison.significant)
        rows.append((name, [first, *map(GridCell, texts)]))
    note = f"better, worse, equal: {unit}; * p (Holm) < 0.05"
    heads = [Head([column]) for column in DIFFERENCE_COLUMNS]
    return Grid(title, heads, rows, notes=[note])
