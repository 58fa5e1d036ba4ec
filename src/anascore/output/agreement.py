"""Agreement among annotators as text, Markdown, LaTeX, JSON and CSV."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from anascore.analysis.agreement import Agreement, DocumentAgreement
from anascore.analysis.alpha import AlphaCounts
from anascore.analysis.category_agreement import CATEGORIES, CategoryAgreement
from anascore.analysis.disagreements import Pair
from anascore.metrics.scores import LABELS
from anascore.model.ratio import as_float
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
from anascore.output.scores import SCORE_WIDTH, count_cell, system_heads
from anascore.results.result import Interval, Scores
from anascore.settings import LayerName

ALPHA_WIDTH = 8
"""Width of a coefficient, including the spaces before it."""

EMPTY = Cell("")
"""Cell of a value that is not meaningful."""


def coefficient(value: Fraction | float | None) -> Cell:
    """Make a cell for alpha or kappa."""
    return Cell(value, "coefficient")


def signatures(agreement: Agreement) -> list[str]:
    """List the agreement's one signature, as other kinds of results do."""
    return [agreement.signature]


def tables(agreement: Agreement, *, per_document: bool = False) -> Iterator[Grid]:
    """Yield all tables: F1 of annotator pairs, alpha of chains, categories, documents, warnings."""
    yield Grid(notes=[agreement.summary])
    for layer in agreement.layer_means:
        yield from _layer_grids(agreement, layer)
    if sets := agreement.mean_split_f1:
        of_sets = {pair: result.split_only for pair, result in agreement.pairs.items()}
        title = "F1 of pairs, accommodated sets only"
        yield _pair_grid("sets", title, agreement, of_sets, sets)
    yield _alpha_grid(agreement)
    yield _category_grid(agreement)
    yield from _confusion_grids(agreement)
    if per_document:
        yield document_grid(agreement)
    yield from warning_grid(agreement.warnings)


def _layer_grids(agreement: Agreement, layer: LayerName) -> Iterator[Grid]:
    means = agreement.layer_means[layer]
    label = f", {layer}" if len(agreement.layer_means) > 1 else ""
    names = _defined(means)
    scores = {pair: result.layers[layer].scores for pair, result in agreement.pairs.items()}
    yield _pair_grid("pairs", f"F1 of pairs{label}", agreement, scores, means)
    if len(agreement.annotators) > 2 and names:
        score = main_score(names)
        yield annotator_matrix(agreement, layer, score, f"{LABELS[score]} F1 by annotator{label}")
    if agreement.intervals:
        yield _interval_grid(f"Mean over pairs{label}", names, means, agreement.intervals.f1[layer])


def _defined(means: Mapping[str, float | None]) -> list[str]:
    return [name for name in LABELS if means.get(name) is not None]


def _pair_name(agreement: Agreement, pair: Pair) -> str:
    return " and ".join(agreement.annotators[position] for position in pair)


def _pair_grid(
    table: str,
    title: str,
    agreement: Agreement,
    scores: Mapping[Pair, Scores],
    means: Mapping[str, float | None],
) -> Grid:
    """Tabulate the F1 of each pair of annotators, and the mean over pairs."""
    names = _defined(means)
    rows = [
        (
            _pair_name(agreement, pair),
            [Cell(own[name].f1 if name in own else None, "score") for name in names],
        )
        for pair, own in scores.items()
    ]
    if len(rows) > 1:
        rows.append(("mean", [Cell(means[name], "score") for name in names]))
    heads = [Head([Column(name, LABELS[name], SCORE_WIDTH)]) for name in names]
    return Grid(table, title, heads, rows)


def main_score(names: Collection[str]) -> str:
    """Choose the score for a table with room for one: CoNLL if available, else the first."""
    return "conll" if "conll" in names else next(iter(names))


def annotator_matrix(agreement: Agreement, layer: LayerName, score: str, title: str) -> Grid:
    """Tabulate one score of a layer, with annotators as both rows and columns."""
    f1 = {pair: result.layers[layer].scores[score].f1 for pair, result in agreement.pairs.items()}
    rows = []
    for i, own in enumerate(agreement.annotators):
        pairs = ((min(i, j), max(i, j)) for j in range(len(agreement.annotators)))
        cells = [Cell(f1[pair], "score") if pair in f1 else EMPTY for pair in pairs]
        rows.append((SystemName(own), cells))
    return Grid("matrix", title, system_heads(agreement.annotators), rows)


def _interval_grid(
    title: str,
    names: Sequence[str],
    means: Mapping[str, float | None],
    intervals: Mapping[str, Interval],
) -> Grid:
    rows = [
        (LABELS[name], [Cell(means[name], "score", interval=intervals[name])]) for name in names
    ]
    return Grid("intervals", title, [Head([Column("f1", "mean F1", 9)])], rows)


def _alpha_grid(agreement: Agreement) -> Grid:
    chains = agreement.total.chains
    parts: list[tuple[str, AlphaCounts, int]] = [("chains", chains.chains, chains.items)]
    if chains.split_items:
        parts.append(("split antecedents", chains.split, chains.split_items))
    columns = [
        Column("alpha", min_width=ALPHA_WIDTH),
        *(Column(name, min_width=8) for name in ("items", "values")),
        *(Column(name, min_width=10) for name in ("observed", "expected")),
    ]
    intervals = agreement.intervals
    if intervals:
        column = interval_column("interval")
        columns.append(column._replace(min_width=column.min_width + 2))
    rows = []
    for position, (label, disagreement, items) in enumerate(parts):
        cells = [
            coefficient(disagreement.alpha),
            *map(count_cell, (items, disagreement.values)),
            *map(coefficient, (disagreement.mean_observed, disagreement.mean_expected)),
        ]
        if intervals:
            ends = (intervals.chains, intervals.split)[position]
            cells.append(cells[0]._replace(interval=ends).interval_cell)
        rows.append((label, cells))
    note = (
        f"distance {agreement.options.distance}; the value of a mention is its entity; "
        f"observed and expected: mean disagreement"
    )
    heads = [Head([column]) for column in columns]
    return Grid("alpha", "Krippendorff's alpha", heads, rows, notes=[note])


def _category_grid(agreement: Agreement) -> Grid:
    """Tabulate agreement on categories for each pair and for all annotators."""
    categories = agreement.categories
    rows = [
        (
            _pair_name(agreement, pair),
            [
                count_cell(categories.confusions[pair].total()),
                Cell(categories.pair_agreement(pair), "score"),
                coefficient(categories.cohen(pair)),
                *[EMPTY] * (len(agreement.pairs) > 1),
            ],
        )
        for pair in agreement.pairs
    ]
    columns = [
        Column("items", min_width=8),
        Column("agreement", min_width=11),
        Column("cohen", "Cohen's kappa", 15),
    ]
    if len(agreement.pairs) > 1:
        name, value = overall(categories)
        total = count_cell(categories.items.total())
        share = Cell(categories.agreement, "score")
        rows.append(("all", [total, share, EMPTY, coefficient(value)]))
        columns.append(Column("overall", name, len(name) + 2))
    title = "Categories: new, old, split antecedent, non-referring"
    return Grid("categories", title, [Head([column]) for column in columns], rows)


def overall(categories: CategoryAgreement) -> tuple[str, Fraction | None]:
    """Choose the coefficient over all annotators: Fleiss' kappa, or alpha if values are missing."""
    if categories.is_complete:
        return "Fleiss' kappa", categories.fleiss
    return "Krippendorff's alpha", categories.alpha


def _confusion_grids(agreement: Agreement) -> Iterator[Grid]:
    """Yield each pair's confusion table, without categories that neither annotator uses."""
    for pair, confusion in agreement.categories.confusions.items():
        used = [name for name in CATEGORIES if any(name in cell for cell in confusion)]
        if not used:
            continue
        own, other = (agreement.annotators[position] for position in pair)
        rows = [(a, [count_cell(confusion[a, b]) for b in used]) for a in used]
        heads = [Head([Column(name, min_width=max(len(name) + 2, 8))]) for name in used]
        title = f"Categories by {own} (rows) and {other} (columns)"
        yield Grid("confusion", title, heads, rows)


def document_grid(agreement: Agreement) -> Grid:
    """Tabulate alpha and the mean F1 of the main score for each document."""
    main = main_score(agreement.mean_f1)
    columns = [Column("items", min_width=8), Column("alpha", min_width=ALPHA_WIDTH)]
    has_sets = any(document.chains.split_items for document in agreement.counted.values())
    if has_sets:
        columns.append(Column("alpha of split antecedents", min_width=28))
    columns.append(Column("f1", f"mean {LABELS[main]}", 12))
    rows = []
    for name, document in agreement.counted.items():
        alphas = [document.chains.chains.alpha, *[document.chains.split.alpha] * has_sets]
        f1 = Cell(agreement.document_f1(name)[main], "score")
        rows.append((name, [count_cell(document.chains.items), *map(coefficient, alphas), f1]))
    heads = [Head([column]) for column in columns]
    return Grid("documents", "By document", heads, rows, requested=True)


def _f1(scores: Scores) -> dict[str, float | None]:
    return {name: score.f1 for name, score in scores.items()}


COLUMNS = (
    *("document", "annotators", "layer", "measure", "name"),
    *("value", "low", "high", "signature"),
)
"""Columns of the CSV output. `annotators` is `all` or a pair, and `measure` is `f1`,
`split_only`, `alpha` or `categories`."""


def rows(agreement: Agreement, *, per_document: bool = False) -> Grid:
    """List every number in a row of its own, for CSV and data frames."""
    return long_grid(COLUMNS, _rows(agreement, per_document=per_document))


def _rows(agreement: Agreement, *, per_document: bool) -> Iterator[tuple[Value, ...]]:
    undefined = Interval(None, None)
    intervals: dict[tuple[str, ...], Mapping[str, Interval]] = {}
    main = agreement.chain_layer
    if agreement.intervals:
        f1, chains, split = agreement.intervals
        intervals = {("all", layer, "f1"): of_layer for layer, of_layer in f1.items()}
        intervals["all", main, "alpha"] = {"chains": chains, "split": split}
    for *place, values in _figures(agreement):
        ends = intervals.get(tuple(place), {})
        for name, value in values.items():
            yield "", *place, name, value, *ends.get(name, undefined), agreement.signature
    for document, counted in agreement.counted.items() if per_document else ():
        for layer, measure, values in (
            (agreement.first.first.layer, "f1", agreement.document_f1(document)),
            (main, "alpha", _alpha_values(counted)),
        ):
            for name, value in values.items():
                row = (document, "all", layer, measure, name, value)
                yield *row, *undefined, agreement.signature


def _figures(agreement: Agreement) -> Iterator[tuple[Any, ...]]:
    """Yield annotators, layer, measure, and values by name; pairs come before all annotators."""
    categories, main = agreement.categories, agreement.chain_layer
    for pair, result in agreement.pairs.items():
        name = _pair_name(agreement, pair)
        for layer, of_layer in result.layers.items():
            yield name, layer, "f1", _f1(of_layer.scores)
        yield name, result.first.layer, "split_only", _f1(result.split_only)
        agreeing, kappa = categories.pair_agreement(pair), categories.cohen(pair)
        yield name, main, "categories", {"agreement": as_float(agreeing), "cohen": as_float(kappa)}
    for layer, means in agreement.layer_means.items():
        yield "all", layer, "f1", means
    yield "all", agreement.first.first.layer, "split_only", agreement.mean_split_f1
    yield "all", main, "alpha", _alpha_values(agreement.total)
    yield "all", main, "categories", _category_values(categories)


def _alpha_values(counted: DocumentAgreement) -> dict[str, float | None]:
    chains = counted.chains
    return {"chains": as_float(chains.chains.alpha), "split": as_float(chains.split.alpha)}


def _category_values(categories: CategoryAgreement) -> dict[str, float | None]:
    return {
        "agreement": as_float(categories.agreement),
        "fleiss": as_float(categories.fleiss),
        "alpha": as_float(categories.alpha),
    }
