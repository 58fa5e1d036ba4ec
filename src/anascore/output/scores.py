"""Results as tables: scores, counts, differences and warnings."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from anascore.entities.breakdowns import dimension
from anascore.metrics.scores import LABELS, SPLIT_ONLY, values_of
from anascore.output.grid import (
    Cell,
    Column,
    Grid,
    Head,
    SystemName,
    Value,
    long_grid,
    warning_grid,
)
from anascore.output.view import ReportOptions, joint_warnings, report_options, results_of
from anascore.results.result import (
    Difference,
    DocumentResult,
    LayerResult,
    Result,
    Scores,
    Uncertainty,
)
from anascore.settings import LayerName

SCORE_COLUMNS = {"recall": "R", "precision": "P", "f1": "F1"}
"""Column labels of a score."""

SCORE_WIDTH = 7
"""Width of a score in per cent, including the space before it."""

COUNT_WIDTH = 10
"""Width of a mention count, including the spaces before it."""

DIFFERENCE_COLUMNS = (
    Column("difference", min_width=12, starred=True),
    *(Column("p", min_width=8), Column("corrected", "p (Holm)", 10)),
    *(Column("better", min_width=9), Column("worse", min_width=8), Column("equal", min_width=8)),
)
"""Columns of a comparison with the first system."""

TITLES = {
    "identity": ("All entities", "Accommodated sets only"),
    "discourse-deixis": (
        "Discourse deixis: all entities",
        "Discourse deixis: accommodated sets only",
    ),
}
"""Titles of layers with entities: for scores over all entities, and over sets only."""

Systems: TypeAlias = Sequence[tuple[SystemName, LayerResult]]
"""System names, each with the system's result for one layer."""


def tables(shown: Result | Sequence[Result], **view: Any) -> Iterator[Grid]:
    """Yield the tables of all layers, then the warnings."""
    if not (results := results_of(shown)):
        return
    options = report_options(results[0], **view)
    results = options.systems_in_order(results)
    for layer in results[0].layers:
        yield from layer_grids(results, layer, options)
    yield from warning_grid(joint_warnings(results, options))


def signatures(shown: Result | Sequence[Result]) -> list[str]:
    """Return the common signature, or one signature per system if their formats differ."""
    return common_signature([(result.name, result.signature) for result in results_of(shown)])


def common_signature(systems: Sequence[tuple[str, str]]) -> list[str]:
    """Return the systems' common signature, or else each signature with its system's name."""
    distinct = dict.fromkeys(signature for _, signature in systems)
    if len(distinct) == 1:
        return list(distinct)
    return [f"{system}: {signature}" for system, signature in systems]


def layer_grids(
    results: Sequence[Result], layer: LayerName, options: ReportOptions
) -> Iterator[Grid]:
    """Yield one layer's tables: scores, sizes, and differences from the first system."""
    systems = [(SystemName(result.name), result.layers[layer]) for result in results]
    yield from _layer(systems, options, hidden_counts(results))
    yield from _differences(systems)


def hidden_counts(results: Sequence[Result]) -> set[str]:
    """Choose the counts to omit if they are 0, because settings or files exclude them."""
    hidden, settings = {"accommodated_sets"}, results[0].request.settings
    if settings.match == "exact":
        hidden.add("partly")
    documents = (document for result in results for document in result.counted.values())
    zeros = any(side.mentions for d in documents for side in (d.key_zeros, d.response_zeros))
    if settings.zeros == "drop" or not zeros:
        hidden.add("as_zeros")
    return hidden


def _layer(systems: Systems, options: ReportOptions, hidden: Collection[str]) -> Iterator[Grid]:
    """Yield a layer's tables: scores of systems, classes and documents, then counts."""
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
        yield score_grid("sets", sets_title, sets)
        yield from _by_key("sets-by-key", sets_title, systems, lambda layer: layer.split_only)
        relations = [(name, layer.by_relation) for name, layer in systems]
        heading = f"{sets_title} by relation"
        yield from _class_grids("sets-by-relation", heading, relations, first.reported, options)
    elif options.split_only:
        message = "neither key nor response has accommodated sets."
        yield Grid(notes=[f"{first.label}: {message}"])
    if options.per_document:
        yield from _documents(systems, options)
    keys = first.by_key or {"key": first}
    sizes = [(name, layer.total.key) for name, layer in keys.items()]
    sizes += [(name, layer.total.response) for name, layer in systems]
    yield _count_grid("sizes", sizes, hidden)._replace(caption=f"{title}: sizes")
    matching = _count_grid("matching", list(_matching_rows(systems)), hidden, "matched")
    yield matching._replace(caption=f"{title}: mentions that match")


def _matching_rows(systems: Systems) -> Iterator[tuple[str, Mapping[str, int]]]:
    """Yield each system's numbers of matched mentions, against each key if there are several."""
    for name, layer in systems:
        if not layer.by_key:
            yield name, layer.total.matching
        for key, own in layer.by_key.items():
            yield key if len(systems) == 1 else f"{name}, {key}", own.total.matching


def _by_key(
    table: str, title: str, systems: Systems, select: Callable[[LayerResult], Scores]
) -> Iterator[Grid]:
    """Tabulate scores against each key: one table, or one per key if there are several systems."""
    keys = systems[0][1].by_key
    if keys and len(systems) == 1:
        rows = [(name, select(own)) for name, own in keys.items()]
        yield score_grid(table, f"{title} by key", rows, compared=False)
        return
    for key in keys:
        rows = [(name, select(layer.by_key[key])) for name, layer in systems]
        yield score_grid(table, f"{title} against {key}", rows)


def _scores(title: str, systems: Systems, options: ReportOptions) -> Iterator[Grid]:
    """Yield the scores over all entities, their macro-averages, and the scores of classes."""
    scores = [(name, layer.scores) for name, layer in systems]
    yield score_grid("scores", title, scores, [layer.uncertainty for _, layer in systems])
    yield from _by_key("by-key", title, systems, lambda layer: layer.scores)
    if human := systems[0][1].human:
        rows = [("human", human), *((name, layer.leave_one_out) for name, layer in systems)]
        heading = f"{title}: human ceiling, one key left out at a time"
        yield score_grid("human", heading, rows, compared=False)
    if within := [(name, s.within_documents) for name, s in systems if s.within_documents]:
        yield score_grid("within", f"{title}: within documents", within)
    if options.macro:
        means = [(name, layer.macro) for name, layer in systems]
        heading = f"{title}: mean over documents (macro)"
        yield score_grid("macro", heading, means)._replace(requested=True)
    first = systems[0][1]
    classes = [(name, layer.classes) for name, layer in systems]
    yield from _class_grids(
        f"by-{first.class_name}", f"{title} by {first.class_name}", classes, first.reported, options
    )
    for by in first.breakdown:
        yield from _breakdown(title, systems, by, options)


def _breakdown(title: str, systems: Systems, by: str, options: ReportOptions) -> Iterator[Grid]:
    """Tabulate scores by mention class, with the number of mentions in each class."""
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
    counts = (Head([Column(label, min_width=COUNT_WIDTH) for label in labels], "mentions"), sizes)
    grids = _class_grids(
        f"by-{by.partition('=')[0]}",
        f"{title} by {dimension(by).label}",
        scores,
        systems[0][1].reported,
        options,
        in_order=in_order,
        counts=counts,
    )
    yield from (grid._replace(requested=True) for grid in grids)


def _documents(systems: Systems, options: ReportOptions) -> Iterator[Grid]:
    """Tabulate the scores of each document, and the notes on documents."""
    first = systems[0][1]
    title, sets_title = TITLES.get(first.layer, (first.label, ""))
    names = options.documents_in_order(*(layer for _, layer in systems))
    scores = [(s, {n: d.scores for n, d in layer.documents.items()}) for s, layer in systems]
    sets = [
        (s, {n: d.split_only for n, d in layer.documents.items() if d.split_only})
        for s, layer in systems
    ]
    tables = [("sets-by-document", sets_title, sets)]
    if not options.split_only:
        tables.insert(0, ("by-document", title, scores))
    for name, heading, rows in tables:
        label = f"{heading} by document"
        grids = _class_grids(name, label, rows, first.reported, options, in_order=names)
        yield from (grid._replace(requested=True) for grid in grids)
    for system, layer in systems:
        notes = [f"{name}: {note}" for name in names for note in layer.documents[name].notes]
        if notes:
            yield Grid(title=f"Notes by document: {system}", notes=notes)


PREFERRED = ("conll", "b3", "bridging-entities")
"""Scores for tables by class and by document, unless the user chooses another."""


def table_score(
    available: Collection[str], reported: Collection[str], options: ReportOptions
) -> str:
    """Choose the score for a table by class or document, if possible among those requested."""
    requested = [name for name in LABELS if name in available and name in reported]
    for name in (options.score, options.sort_by):
        if name in available:
            return name
    for name in PREFERRED:
        if name in (requested or available):
            return name
    return next(iter(requested or available))


def _class_grids(  # noqa: PLR0913  a table has rows, columns, and a choice of scores
    table: str,
    title: str,
    systems: Sequence[tuple[str, Mapping[str, Scores]]],
    reported: Collection[str],
    options: ReportOptions,
    *,
    in_order: Sequence[str] | None = None,
    counts: tuple[Head, Mapping[str, Sequence[int]]] | None = None,
) -> Iterator[Grid]:
    """Tabulate one score with a row for each class or document, if there are any.

    For several systems, the table shows each one's F1, otherwise recall, precision and F1.

    Args:
        table: Id of the table.
        title: Title of the table, without the score.
        systems: System names, each with the system's scores by class.
        reported: Names of the requested scores.
        options: The options, which can choose the score.
        in_order: Classes in table order (default: as they come).
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
        heads = [score_head(score)]
    else:
        columns = [(classes, "f1") for _, classes in systems]
        heads = system_heads(name for name, _ in systems)
        title = f"{title}: {LABELS[score]} F1"
    rows = []
    for row in names:
        values = [
            getattr(classes[row][score], column) if row in classes else None
            for classes, column in columns
        ]
        cells = score_cells(values, compared=len(systems) > 1)
        rows.append((row, [*map(count_cell, counts[1][row]), *cells] if counts else cells))
    yield Grid(table, title, [*([counts[0]] if counts else []), *heads], rows)


def by_score(grid: Grid) -> Grid:
    """Turn a score table round: a row for each score, and a head for each system."""
    figures = list(SCORE_COLUMNS.items())
    rows, start = [], 0
    for head in grid.heads:
        end = start + len(head.columns)
        empty = [Cell("")] * (len(figures) - len(head.columns))
        cells = [cell for _, own in grid.rows for cell in [*empty, *own[start:end]]]
        rows.append((head.label, cells))
        start = end
    heads = [Head([Column(*figure) for figure in figures], name) for name, _ in grid.rows]
    return grid._replace(corner="score", heads=heads, rows=rows)


def score_head(name: str) -> Head:
    """Make the columns of a score."""
    columns = [
        Column(f"{name}.{value}", SCORE_COLUMNS[value], SCORE_WIDTH) for value in values_of(name)
    ]
    return Head(columns, LABELS[name])


def system_heads(names: Iterable[str]) -> list[Head]:
    """Make a column for each system."""
    return [Head([Column(SystemName(name), min_width=SCORE_WIDTH + 1)]) for name in names]


def count_cell(number: int) -> Cell:
    """Make a cell for a count."""
    return Cell(number, "count")


def score_cells(values: Sequence[float | None], *, compared: bool) -> list[Cell]:
    """Make cells for the systems' scores; if they are compared, mark the best."""
    best = max((value for value in values if value is not None), default=None)
    return [Cell(v, "score", best=compared and v is not None and v == best) for v in values]


def _differences(systems: Systems) -> Iterator[Grid]:
    for name, layer in systems:
        if differences := layer.uncertainty.differences:
            title = f"Differences in F1, {name} minus {layer.uncertainty.first}"
            of_scores = ((LABELS[metric], of_score) for metric, of_score in differences.items())
            yield difference_grid("differences", title, of_scores, "documents")


def score_grid(
    table: str,
    title: str,
    systems: Sequence[tuple[str, Scores]],
    uncertainty: Sequence[Uncertainty] = (),
    *,
    compared: bool = True,
) -> Grid:
    """Tabulate scores with a row for each system.

    Args:
        table: Id of the table.
        title: Title of the table.
        systems: System names, each with the system's scores.
        uncertainty: Each system's confidence intervals and significance, if any.
        compared: True to mark the best of several systems.
    """
    names = [name for name in LABELS if any(name in scores for _, scores in systems)]
    columns: list[list[Cell]] = []
    for name in names:
        for value in values_of(name):
            values = [
                getattr(scores[name], value) if name in scores else None for _, scores in systems
            ]
            columns.append(score_cells(values, compared=compared and len(systems) > 1))
        if uncertainty:
            pairs = zip(columns[-1], uncertainty, strict=True)
            columns[-1] = [with_uncertainty(cell, own, name) for cell, own in pairs]
    rows = zip(*columns, strict=True)
    return Grid(
        table,
        title,
        list(map(score_head, names)),
        list(zip((system for system, _ in systems), rows, strict=True)),
    )


def with_uncertainty(cell: Cell, uncertainty: Uncertainty, name: str) -> Cell:
    """Add an F1's confidence interval, and the p-value of its difference from the first system."""
    difference = uncertainty.differences.get(name)
    intervals = uncertainty.intervals.get(name)
    return cell._replace(
        p=difference.corrected if difference else None, interval=intervals.f1 if intervals else None
    )


def _count_grid(
    table: str,
    rows: Sequence[tuple[str, Mapping[str, int]]],
    hidden: Collection[str],
    corner: str = "",
) -> Grid:
    """Tabulate counts, which have the same names in all rows.

    `hidden` lists counts to omit if they are 0 in all rows.
    """
    names = [
        name for name in rows[0][1] if name not in hidden or any(counts[name] for _, counts in rows)
    ]
    labels = [name.replace("_", " ") for name in names]
    columns = zip(names, labels, strict=True)
    heads = [Head([Column(name, label, len(label) + 2)]) for name, label in columns]
    cells = [(row, [count_cell(counts[name]) for name in names]) for row, counts in rows]
    return Grid(table, heads=heads, rows=cells, corner=corner)


def difference_grid(
    table: str, title: str, differences: Iterable[tuple[str, Difference]], unit: str
) -> Grid:
    """Tabulate differences, with the number of units that are better, worse or equal."""
    rows = [
        (
            name,
            [
                difference_cell(one),
                Cell(one.p, "p"),
                Cell(one.corrected, "p"),
                *map(count_cell, (one.wins, one.losses, one.ties)),
            ],
        )
        for name, one in differences
    ]
    note = f"better, worse, equal: {unit}; * p (Holm) < 0.05"
    return Grid(table, title, [Head([column]) for column in DIFFERENCE_COLUMNS], rows, notes=[note])


def difference_cell(comparison: Difference) -> Cell:
    """Make a cell for a difference, with its p-value."""
    return Cell(comparison.difference, "difference", p=comparison.corrected)


COLUMNS = (
    *("system", "document", "layer", "scope", "metric"),
    *("recall", "precision", "f1", "signature"),
)


def rows(shown: Result | Sequence[Result], **view: Any) -> Grid:
    """List all systems' scores as fractions of 1 at full precision.

    In rows about the whole corpus, the document is empty. The scope is a key of the JSON output,
    such as `scores` or `split_only`, or a class, such as `relation=part`.
    """
    results = results_of(shown)
    return long_grid(COLUMNS, _rows(results, report_options(results[0], **view)))


def _rows(results: Sequence[Result], options: ReportOptions) -> Iterator[tuple[Value, ...]]:
    for result in options.systems_in_order(results):
        for layer in result.layers.values():
            scored: list[tuple[str, LayerResult | DocumentResult]] = [("", layer)]
            if options.per_document:
                names = options.documents_in_order(layer)
                scored += [(name, layer.documents[name]) for name in names]
            for name, scores in scored:
                for row in _score_rows(scores, options):
                    yield result.name, name, layer.layer, *row, result.signature
            for row in _uncertainty_rows(layer.uncertainty):
                yield result.name, "", layer.layer, *row, result.signature


def _uncertainty_rows(uncertainty: Uncertainty) -> Iterator[tuple[Value, ...]]:
    """Yield the ends of confidence intervals, then the differences in F1 from the first system."""
    for metric, intervals in uncertainty.intervals.items():
        yield "confidence low", metric, *(interval.low for interval in intervals)
        yield "confidence high", metric, *(interval.high for interval in intervals)
    for metric, comparison in uncertainty.differences.items():
        yield "difference to first", metric, None, None, comparison.difference
        yield "p", metric, None, None, comparison.p
        yield "p corrected", metric, None, None, comparison.corrected


def _score_rows(
    scored: LayerResult | DocumentResult, options: ReportOptions
) -> Iterator[tuple[Value, ...]]:
    """Yield each line's scope, metric, recall, precision and F1."""
    scopes = {} if options.split_only else {"scores": scored.scores}
    scopes["split_only"] = scored.split_only
    if isinstance(scored, LayerResult):
        scopes |= _scopes_of_layer(scored, options)
    for scope, scores in scopes.items():
        for metric, values in scores.items():
            yield scope, metric, *values


def _scopes_of_layer(layer: LayerResult, options: ReportOptions) -> dict[str, Scores]:
    """Collect the scores that exist only for a whole layer, by scope."""
    in_all = not options.split_only
    scopes = {f"split_only relation={value}": own for value, own in layer.by_relation.items()}
    if in_all:
        scopes |= {"human": layer.human, "leave_one_out": layer.leave_one_out}
    for name, key in layer.by_key.items():
        if in_all:
            scopes[f"key={name}"] = key.scores
        scopes[f"split_only key={name}"] = key.split_only
    scopes["within_documents"] = layer.within_documents
    if options.macro:
        scopes["macro"] = layer.macro
    if in_all:
        scopes |= {f"{layer.class_name}={value}": own for value, own in layer.classes.items()}
        for by, classes in layer.breakdown.items():
            name = by.partition("=")[0]
            scopes |= {f"{name}={value}": result.scores for value, result in classes.items()}
    return scopes
