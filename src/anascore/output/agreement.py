"""Agreement among annotators as text, Markdown, LaTeX, JSON and CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from fractions import Fraction
from typing import Any

from anascore.analysis.agreement import Agreement, DocumentAgreement
from anascore.analysis.alpha import AlphaCounts
from anascore.analysis.categories import CATEGORIES, CategoryAgreement
from anascore.analysis.disagreements import DISAGREEMENT_TYPES, Disagreement, Pair
from anascore.execution import escape_control_characters
from anascore.metrics import LABELS
from anascore.output import tables
from anascore.output.data import to_csv, to_json
from anascore.output.grids import INTERVAL_WIDTH, SCORE_WIDTH, percent
from anascore.output.tables import Column, Grid, GridCell, Head
from anascore.results import Interval, Scores
from anascore.results.exact import SCHEMA
from anascore.settings import LayerName
from anascore.version import __version__

ALPHA_WIDTH = 8
"""Width of a coefficient, including the blanks before it."""


def coefficient(value: Fraction | float | None) -> str:
    """Format alpha or kappa; a dash if it is undefined."""
    return "-" if value is None else f"{float(value):.3f}"


def _interval(interval: Interval) -> str:
    low, high = interval
    return "-" if low is None or high is None else f"{low:.3f} to {high:.3f}"


def agreement_grids(agreement: Agreement, *, per_document: bool) -> Iterator[Grid]:
    """Yield all tables: F1 of pairs, alpha on chains, categories, documents, warnings."""
    yield Grid(notes=[agreement.summary])
    for layer in agreement.layer_means:
        yield from _layer_grids(agreement, layer)
    if sets := agreement.mean_split_f1:
        listed = [name for name in LABELS if sets.get(name) is not None]
        of_sets = {pair: result.split_only for pair, result in agreement.pairs.items()}
        yield _pair_grid("F1 of pairs, accommodated sets only", agreement, listed, of_sets, sets)
    yield _alpha_grid(agreement)
    yield _category_grid(agreement)
    yield from _confusion_grids(agreement)
    if per_document:
        yield _document_grid(agreement)
    if agreement.warnings:
        yield Grid(notes=[f"warning: {warning}" for warning in agreement.warnings])


def _layer_grids(agreement: Agreement, layer: LayerName) -> Iterator[Grid]:
    """Yield the F1 of pairs in one layer, and the intervals of its means."""
    means = agreement.layer_means[layer]
    label = f", {layer}" if len(agreement.layer_means) > 1 else ""
    names = [name for name in LABELS if means.get(name) is not None]
    scores = {pair: result.layers[layer].scores for pair, result in agreement.pairs.items()}
    yield _pair_grid(f"F1 of pairs{label}", agreement, names, scores, means)
    if len(agreement.annotators) > 2 and names:
        yield _matrix(agreement, scores, "conll" if "conll" in names else names[0], label)
    if agreement.intervals:
        yield _interval_grid(f"Mean over pairs{label}", names, means, agreement.intervals.f1[layer])


def _pair_name(agreement: Agreement, pair: Pair) -> str:
    return " and ".join(agreement.annotators[position] for position in pair)


def _pair_grid(
    title: str,
    agreement: Agreement,
    names: Sequence[str],
    scores: Mapping[Pair, Scores],
    means: Mapping[str, float | None],
) -> Grid:
    """Return the F1 of each pair of annotators, and the mean over pairs."""
    rows = [
        (
            _pair_name(agreement, pair),
            [GridCell(percent(own[name].f1 if name in own else None)) for name in names],
        )
        for pair, own in scores.items()
    ]
    if len(rows) > 1:
        rows.append(("mean", [GridCell(percent(means[name])) for name in names]))
    heads = [Head([Column(LABELS[name], SCORE_WIDTH)]) for name in names]
    return Grid(title, heads, rows)


def _matrix(agreement: Agreement, scores: Mapping[Pair, Scores], score: str, label: str) -> Grid:
    """Return one score of all annotators by all annotators."""
    annotators = agreement.annotators
    rows = []
    for i, own in enumerate(annotators):
        pairs = ((min(i, j), max(i, j)) for j in range(len(annotators)))
        f1 = (scores[pair][score].f1 if pair in scores else None for pair in pairs)
        cells = [GridCell("" if i == j else percent(value)) for j, value in enumerate(f1)]
        rows.append((own, cells))
    heads = [Head([Column(name, SCORE_WIDTH + 1, is_name=True)]) for name in annotators]
    return Grid(f"{LABELS[score]} F1 by annotator{label}", heads, rows)


def _interval_grid(
    title: str,
    names: Sequence[str],
    means: Mapping[str, float | None],
    intervals: Mapping[str, Interval],
) -> Grid:
    rows = [
        (
            LABELS[name],
            [
                GridCell(percent(means[name])),
                GridCell("-".join(map(percent, intervals[name]))),
            ],
        )
        for name in names
    ]
    heads = [Head([Column("mean F1", 9)]), Head([Column("95% interval", INTERVAL_WIDTH)])]
    return Grid(title, heads, rows)


def _alpha_grid(agreement: Agreement) -> Grid:
    """Return alpha on chains and on split antecedents."""
    chains = agreement.total.chains
    parts: list[tuple[str, AlphaCounts, int]] = [("chains", chains.chains, chains.items)]
    if chains.split_items:
        parts.append(("split antecedents", chains.split, chains.split_items))
    columns = [Column("alpha", ALPHA_WIDTH), Column("items", 8), Column("values", 8)]
    columns += [Column("observed", 10), Column("expected", 10)]
    intervals = agreement.intervals
    if intervals:
        columns.append(Column("95% interval", INTERVAL_WIDTH + 2))
    rows = []
    for position, (label, disagreement, items) in enumerate(parts):
        texts = [coefficient(disagreement.alpha), str(items), str(disagreement.values)]
        texts += [coefficient(disagreement.mean_observed), coefficient(disagreement.mean_expected)]
        if intervals:
            texts.append(_interval((intervals.chains, intervals.split)[position]))
        rows.append((label, [*map(GridCell, texts)]))
    options = agreement.options
    note = (
        f"distance {options.distance}; values are "
        f"{'whole entities' if options.chain == 'full' else 'preceding mentions'}, "
        f"{'with' if options.itself == 'include' else 'without'} the mention itself; "
        f"observed and expected: mean disagreement"
    )
    return Grid("Krippendorff's alpha", [Head([column]) for column in columns], rows, notes=[note])


def _category_grid(agreement: Agreement) -> Grid:
    """Return agreement on categories, of each pair and of all annotators."""
    categories = agreement.categories
    rows = [
        (
            _pair_name(agreement, pair),
            [
                GridCell(str(categories.confusions[pair].total())),
                GridCell(percent(_float(categories.pair_agreement(pair)))),
                GridCell(coefficient(categories.cohen(pair))),
                *[GridCell("")] * (len(agreement.pairs) > 1),
            ],
        )
        for pair in agreement.pairs
    ]
    columns = [Column("items", 8), Column("agreement", 11), Column("Cohen's kappa", 15)]
    if len(agreement.pairs) > 1:
        name, value = overall(categories)
        cells = [str(categories.items.total()), percent(_float(categories.agreement)), ""]
        rows.append(("all", [*map(GridCell, cells), GridCell(coefficient(value))]))
        columns.append(Column(name, len(name) + 2))
    title = "Categories: new, old, split antecedent, non-referring"
    return Grid(title, [Head([column]) for column in columns], rows)


def overall(categories: CategoryAgreement) -> tuple[str, Fraction | None]:
    """Return the coefficient of all annotators: Fleiss' kappa, or alpha if values are missing."""
    if categories.is_complete:
        return "Fleiss' kappa", categories.fleiss
    return "Krippendorff's alpha", categories.alpha


def _confusion_grids(agreement: Agreement) -> Iterator[Grid]:
    """Yield the confusion table of each pair, without categories that neither uses."""
    for pair, confusion in agreement.categories.confusions.items():
        used = [name for name in CATEGORIES if any(name in cell for cell in confusion)]
        if not used:
            continue
        own, other = (agreement.annotators[position] for position in pair)
        rows = [(a, [GridCell(str(confusion[a, b])) for b in used]) for a in used]
        heads = [Head([Column(name, max(len(name) + 2, 8))]) for name in used]
        title = f"Categories by {own} (rows) and {other} (columns)"
        yield Grid(title, heads, rows)


def _document_grid(agreement: Agreement) -> Grid:
    """Return alpha and the mean F1 of the main score of each document."""
    main = "conll" if "conll" in agreement.mean_f1 else next(iter(agreement.mean_f1))
    columns = [Column("items", 8), Column("alpha", ALPHA_WIDTH)]
    has_sets = any(document.chains.split_items for document in agreement.counted.values())
    if has_sets:
        columns.append(Column("alpha of split antecedents", 28))
    columns.append(Column(f"mean {LABELS[main]}", 12))
    rows = []
    for name, document in agreement.counted.items():
        texts = [str(document.chains.items), coefficient(document.chains.chains.alpha)]
        if has_sets:
            texts.append(coefficient(document.chains.split.alpha))
        texts.append(percent(agreement.document_f1(name)[main]))
        rows.append((name, [*map(GridCell, texts)]))
    return Grid("By document", [Head([column]) for column in columns], rows)


def _float(value: Fraction | None) -> float | None:
    return None if value is None else float(value)


def _render(
    render: Callable[[Iterator[Grid], Sequence[str]], str],
) -> Callable[[Agreement, bool], str]:
    """Return a function that renders all tables, and optionally those of documents."""

    def render_agreement(agreement: Agreement, per_document: bool) -> str:  # noqa: FBT001  a callback
        grids = agreement_grids(agreement, per_document=per_document)
        return render(grids, [agreement.signature])

    return render_agreement


def agreement_to_dict(agreement: Agreement, *, per_document: bool) -> dict[str, Any]:
    """Return the agreement as plain values."""
    categories = agreement.categories
    intervals = agreement.intervals
    content = {
        "anascore": __version__,
        "schema": SCHEMA,
        "signature": agreement.signature,
        "summary": agreement.summary,
        "warnings": list(agreement.warnings),
        "annotators": list(agreement.annotators),
        "documents": len(agreement.counted),
        "options": asdict(agreement.options),
        "pairs": [
            {
                "annotators": [agreement.annotators[position] for position in pair],
                "f1": {name: _f1(layer.scores) for name, layer in result.layers.items()},
                "split_only": _f1(result.split_only),
                "categories": {
                    "items": categories.confusions[pair].total(),
                    "agreement": _float(categories.pair_agreement(pair)),
                    "cohen": _float(categories.cohen(pair)),
                    "confusion": {
                        a: {b: categories.confusions[pair][a, b] for b in CATEGORIES}
                        for a in CATEGORIES
                    },
                },
            }
            for pair, result in agreement.pairs.items()
        ],
        "mean": {"f1": agreement.layer_means, "split_only": agreement.mean_split_f1},
        "alpha": _alphas(agreement.total),
        "categories": {"items": categories.items.total(), **_category_values(categories)},
    }
    if intervals:
        content["intervals"] = {
            "f1": {
                layer: {name: list(ends) for name, ends in of_layer.items()}
                for layer, of_layer in intervals.f1.items()
            },
            "alpha": {"chains": list(intervals.chains), "split": list(intervals.split)},
        }
    if per_document:
        content["by_document"] = {
            name: {"alpha": _alphas(document), "f1": agreement.document_f1(name)}
            for name, document in agreement.counted.items()
        }
    return content


def _f1(scores: Scores) -> dict[str, float | None]:
    return {name: score.f1 for name, score in scores.items()}


def _alphas(counted: DocumentAgreement) -> dict[str, Any]:
    """Return alpha on chains and on split antecedents, with the sums that it is made of."""
    chains = counted.chains
    return {
        "chains": {"items": chains.items, "missing": chains.missing, **_sums(chains.chains)},
        "split": {"items": chains.split_items, **_sums(chains.split)},
    }


def _sums(disagreement: AlphaCounts) -> dict[str, Any]:
    """Return alpha, and exact mean disagreement as text."""
    return {
        "values": disagreement.values,
        "alpha": _float(disagreement.alpha),
        "observed": _exact(disagreement.mean_observed),
        "expected": _exact(disagreement.mean_expected),
    }


def _exact(value: Fraction | None) -> str | None:
    return None if value is None else str(value)


def _render_json(agreement: Agreement, per_document: bool) -> str:  # noqa: FBT001  a callback
    return to_json(agreement_to_dict(agreement, per_document=per_document))


AGREEMENT_COLUMNS = (
    *("document", "annotators", "layer", "measure", "name"),
    *("value", "low", "high", "signature"),
)
"""Columns of the CSV output. `annotators` is `all` or a pair, and `measure` is `f1`, `split_only`,
`alpha` or `categories`."""


def agreement_rows(agreement: Agreement, *, per_document: bool) -> Iterator[tuple[object, ...]]:
    """Yield one row for each figure."""
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
    """Yield annotators, layer, measure, and values by name; those of all annotators come last."""
    categories, main = agreement.categories, agreement.chain_layer
    for pair, result in agreement.pairs.items():
        name = _pair_name(agreement, pair)
        for layer, of_layer in result.layers.items():
            yield name, layer, "f1", _f1(of_layer.scores)
        yield name, result.first.layer, "split_only", _f1(result.split_only)
        agreeing, kappa = categories.pair_agreement(pair), categories.cohen(pair)
        yield name, main, "categories", {"agreement": _float(agreeing), "cohen": _float(kappa)}
    for layer, means in agreement.layer_means.items():
        yield "all", layer, "f1", means
    yield "all", agreement.first.first.layer, "split_only", agreement.mean_split_f1
    yield "all", main, "alpha", _alpha_values(agreement.total)
    yield "all", main, "categories", _category_values(categories)


def _alpha_values(counted: DocumentAgreement) -> dict[str, float | None]:
    chains = counted.chains
    return {"chains": _float(chains.chains.alpha), "split": _float(chains.split.alpha)}


def _category_values(categories: CategoryAgreement) -> dict[str, float | None]:
    return {
        "agreement": _float(categories.agreement),
        "fleiss": _float(categories.fleiss),
        "alpha": _float(categories.alpha),
    }


def _render_csv(agreement: Agreement, per_document: bool) -> str:  # noqa: FBT001  a callback
    return to_csv([AGREEMENT_COLUMNS, *agreement_rows(agreement, per_document=per_document)])


AGREEMENT_OUTPUTS = {
    "table": _render(tables.render_text),
    "markdown": _render(tables.render_markdown),
    "latex": _render(tables.render_latex),
    "json": _render_json,
    "csv": _render_csv,
}
"""Functions that render agreement, by the name of the output."""


def _disagreement_text(agreement: Agreement) -> str:
    """Render the disagreements of each document, in the order of the text."""
    lists: dict[str, list[Disagreement]] = {}
    for disagreement in agreement.disagreements:
        lists.setdefault(disagreement.document, []).append(disagreement)
    numbers = Counter(disagreement.type for disagreement in agreement.disagreements)
    rows = [(DISAGREEMENT_TYPES[t], [GridCell(str(numbers[t]))]) for t in DISAGREEMENT_TYPES]
    table = Grid("Disagreements", [Head([Column("number", ALPHA_WIDTH)])], rows)
    grids = [Grid(notes=[agreement.summary]), table]
    paragraphs = [tables.text_lines(grid) for grid in grids]
    for name, listed in lists.items():
        lines = (f"  {disagreement.type}: {disagreement}" for disagreement in listed)
        paragraphs.append([escape_control_characters(line) for line in (name, *lines)])
    return tables.paragraphs_to_text([*paragraphs, [agreement.signature]])


DISAGREEMENT_COLUMNS = (
    *("document", "type", "words", "mention"),
    *("annotators", "claim", "other_annotators", "other_claim"),
)
"""Columns of the CSV output of disagreements."""


def _disagreement_csv(agreement: Agreement) -> str:
    rows = (
        (
            *(one.document, one.type, one.position, one.mention),
            *(part for who, claim in one.claims for part in (", ".join(who), claim)),
        )
        for one in agreement.disagreements
    )
    return to_csv([DISAGREEMENT_COLUMNS, *rows])


def _disagreement_json(agreement: Agreement) -> str:
    return to_json(
        {
            "anascore": __version__,
            "schema": SCHEMA,
            "signature": agreement.signature,
            "summary": agreement.summary,
            "annotators": list(agreement.annotators),
            "types": DISAGREEMENT_TYPES,
            "disagreements": [
                {
                    "document": one.document,
                    "type": one.type,
                    "words": one.position,
                    "mention": one.mention,
                    "claims": [
                        {"annotators": list(who), "statement": claim} for who, claim in one.claims
                    ],
                }
                for one in agreement.disagreements
            ],
        }
    )


DISAGREEMENT_OUTPUTS = {
    "table": _disagreement_text,
    "json": _disagreement_json,
    "csv": _disagreement_csv,
}
"""Functions that render disagreements, by the name of the output."""
