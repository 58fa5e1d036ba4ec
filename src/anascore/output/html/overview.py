"""Scores of a report: all systems side by side, and by class of mention."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from anascore.metrics import BY_CLASS, LABELS, values_of
from anascore.output.grids import TITLES, chance, difference, percent
from anascore.output.html.charts import ChartRow, ChartValue, intervals, legend
from anascore.output.html.data import PageData
from anascore.output.html.markup import Markup, element, joined
from anascore.output.html.tables import (
    count,
    folded,
    head,
    number,
    pointer,
    score_cells,
    score_heads,
    section,
    system_head,
    system_heads,
    table,
)
from anascore.prepare.breakdown import UNKNOWN, dimension
from anascore.prepare.pairing import TREATMENTS
from anascore.results import ClassResult, LayerResult, Scores, Uncertainty

STAR = "*"


def overview(page: PageData) -> Markup:
    """Return the section of scores, layer by layer."""
    results = [system.result for system in page.systems]
    parts = []
    for layer in results[0].layers:
        layers = [result.layers[layer] for result in results]
        if any(layer_result.annotated for layer_result in layers):
            parts += list(_layer(page, layers))
        else:
            parts.append(
                element("p", f"{layers[0].label}: no annotation in the key or the responses.")
            )
    return section("overview", "Overview", _skipped(page), *parts, _about(page))


def _skipped(page: PageData) -> Markup | None:
    """Return the table of documents with errors, those of the key first; None if there are none."""
    documents = dict.fromkeys(
        ("key" if skipped.side == "key" else system.name, skipped)
        for side in ("key", "response")
        for system in page.systems
        for skipped in system.result.skipped
        if skipped.side == side
    )
    if not documents:
        return None
    rows = [
        element(
            "tr",
            element("th", element("bdi", skipped.document), scope="row"),
            element("td", element("bdi", owner)),
            element("td", TREATMENTS[skipped.side]),
            element("td", element("bdi", skipped.error)),
        )
        for owner, skipped in documents
    ]
    caption = "Documents that cannot be read; the scores depend on them"
    return table(caption, [head("document", "file of", "treatment", "error")], rows)


def _layer(page: PageData, layers: Sequence[LayerResult]) -> Iterator[Markup]:
    first = layers[0]
    title, sets_title = TITLES.get(first.layer, (first.label, ""))
    names = list(first.scores)
    yield element("h3", title)
    yield _scores(page, layers, names)
    yield legend([system.name for system in page.systems])
    rows = [
        ChartRow(
            LABELS[name],
            [_value(layer.scores, layer.uncertainty, name) for layer in layers],
        )
        for name in names
    ]
    yield intervals(rows, f"F1 of each score and system, with 95% confidence intervals: {title}")
    if any(layer.uncertainty.differences for layer in layers):
        yield _differences(page, layers, names)
    if any(layer.within_documents for layer in layers):
        yield _part(page, layers, f"{title}: within documents", "within_documents")
    if any(layer.split_only for layer in layers):
        yield _part(page, layers, sets_title, "split_only")
    yield _counts(page, layers)


def _value(scores: Scores, uncertainty: Uncertainty, name: str) -> ChartValue:
    interval = uncertainty.intervals.get(name)
    low, high = interval.f1 if interval else (None, None)
    return ChartValue(scores[name].f1, low, high, percent(scores[name].f1))


def _scores(
    page: PageData,
    layers: Sequence[LayerResult],
    names: Sequence[str],
) -> Markup:
    """Return the table of recall, precision and F1: the best F1 bold, significance starred."""
    rows = []
    for name in names:
        values = [layer.scores[name].f1 for layer in layers]
        best = max((f1 for f1 in values if f1 is not None), default=None)
        cells = []
        for n, layer in enumerate(layers):
            at = (*path(page, n, layer), "scores", name)
            is_best = len(layers) > 1 and values[n] is not None and values[n] == best
            extra = _star_and_interval(layer.uncertainty, name, path(page, n, layer))
            cells += [
                *_rest(layer.scores, name, at),
                number(values[n], *at, "f1", best=is_best, extra=extra),
            ]
        rows.append(element("tr", element("th", LABELS[name], scope="row"), *cells))
    stars = any(d.significant for layer in layers for d in layer.uncertainty.differences.values())
    note = f". {STAR} differs from the first system (p < 0.05, Holm-corrected)" if stars else ""
    bold = ". The best F1 is bold" if len(layers) > 1 else ""
    caption = f"Scores in per cent, with the 95% confidence interval below F1{bold}{note}"
    return table(caption, system_heads([system.name for system in page.systems]), rows)


def _rest(scores: Scores, name: str, at: tuple[object, ...]) -> Iterator[Markup]:
    """Yield the cells of recall and precision, which are empty for means of F1."""
    for figure in ("recall", "precision"):
        if figure in values_of(name):
            yield number(getattr(scores[name], figure), *at, figure)
        else:
            yield element("td")


def _star_and_interval(uncertainty: Uncertainty, name: str, at: tuple[object, ...]) -> Markup:
    """Return the star of a significant difference, and the confidence interval."""
    test = uncertainty.differences.get(name)
    significant = test is not None and test.significant
    star = element("abbr", STAR, title="differs from the first system") if significant else None
    interval = uncertainty.intervals.get(name)
    if interval is None:
        return joined(star)
    low, high = (
        element("span", percent(end), data_k=pointer(*at, "confidence", name, "f1", side))
        for side, end in enumerate(interval.f1)
    )
    return joined(star, element("small", low, "–", high))


def path(page: PageData, n: int, layer: LayerResult) -> tuple[object, ...]:
    """Return the path of a layer of a system in the JSON output."""
    system = ("score", "systems", n)
    first = page.systems[n].result.first.layer
    return system if layer.layer == first else (*system, "layers", layer.layer)


def _part(
    page: PageData,
    layers: Sequence[LayerResult],
    caption: str,
    part: Literal["split_only", "within_documents"],
) -> Markup:
    """Return a table of other scores: over accommodated sets only, or within documents."""
    scores: list[Scores] = [getattr(layer, part) for layer in layers]
    rows = []
    for name in next(filter(None, scores)):
        cells = []
        for n, (layer, own) in enumerate(zip(layers, scores, strict=True)):
            if name in own:
                at = (*path(page, n, layer), part, name)
                f1 = number(own[name].f1, *at, "f1")
                cells += [*_rest(own, name, at), f1]
            else:
                cells += [element("td")] * 3
        rows.append(element("tr", element("th", LABELS[name], scope="row"), *cells))
    return table(caption, system_heads([system.name for system in page.systems]), rows)


def _differences(page: PageData, layers: Sequence[LayerResult], names: Sequence[str]) -> Markup:
    """Return the table of differences between each system and the first."""
    rows = []
    for n, layer in enumerate(layers):
        for name in names:
            if name not in layer.uncertainty.differences:
                continue
            d = layer.uncertainty.differences[name]
            at = (*path(page, n, layer), "difference_to_first", name)
            cells = [
                _text_cell(
                    difference(d.difference) + (STAR if d.significant else ""), *at, "difference"
                ),
                _text_cell(chance(d.p), *at, "p"),
                _text_cell(chance(d.corrected), *at, "corrected"),
                count(d.wins, *at, "wins"),
                count(d.losses, *at, "losses"),
                count(d.ties, *at, "ties"),
            ]
            heads = system_head(n, page.systems[n].name), element("td", LABELS[name])
            rows.append(element("tr", *heads, *cells))
    labels = ("system", "score", "difference", "p", "p (Holm)", "better", "worse", "equal")
    caption = f"Difference in F1 from {page.systems[0].name}, and number of documents by outcome"
    return element(
        "details",
        element("summary", "Differences from the first system"),
        table(caption, [head(*labels)], rows),
    )


def _text_cell(text: str, *at: object) -> Markup:
    return element("td", element("span", text, data_k=pointer(*at)), class_="n")


def _counts(page: PageData, layers: Sequence[LayerResult]) -> Markup:
    """Return the table of counts: annotations of each side, and matches of mentions."""
    first = layers[0]
    kinds, matches = list(first.total.key), list(first.total.matching)
    names = [
        name.replace("_", " ")
        for name in (
            *kinds,
            *(f"{name}, matched" if name == "exactly" else name for name in matches),
        )
    ]
    key = [
        count(first.total.key[name], *path(page, 0, first), "counts", "key", name) for name in kinds
    ]
    rows = [
        element("tr", element("th", "key", scope="row"), *key, *(element("td") for _ in matches))
    ]
    for n, layer in enumerate(layers):
        at = path(page, n, layer)
        cells = [
            count(layer.total.response[name], *at, "counts", "response", name) for name in kinds
        ]
        cells += [count(layer.total.matching[name], *at, "matching", name) for name in matches]
        rows.append(element("tr", system_head(n, page.systems[n].name), *cells))
    return table("Counts, and how mentions match", [head("side", *names)], rows)


def _about(page: PageData) -> Markup:
    """Return the warnings, the signature, and the command that made the page."""
    warnings = [
        element("li", element("bdi", system.name), f": {warning}")
        for system in page.systems
        for warning in page.view.warnings(system.result)
        if warning not in {skipped.note for skipped in system.result.skipped}
    ]
    signatures = dict.fromkeys(system.result.signature for system in page.systems)
    return joined(
        element("h3", "Warnings") if warnings else None,
        element("ul", *warnings) if warnings else None,
        element("h3", "Signature"),
        element("p", "Quote the signature with a score, so that others can reproduce it."),
        *(element("p", element("code", signature)) for signature in signatures),
        element("h3", "Command"),
        element("p", element("code", page.command)),
    )


def breakdown(page: PageData) -> Markup | None:
    """Return the section of scores by class, None if there is no breakdown."""
    dimensions = page.systems[0].result.first.breakdown
    if not dimensions:
        return None
    rule = (
        "Recall is over the key's mentions of a class, precision over the response's. B³ counts "
        "what each mention contributes; anaphors are the mentions after the first of their entity."
    )
    parts = (part for number, by in enumerate(dimensions) for part in _dimension(page, by, number))
    return section("breakdown", "Scores by class", element("p", rule), *parts)


def _dimension(page: PageData, by: str, number: int) -> Iterator[Markup]:
    systems = [system.result.first.breakdown[by] for system in page.systems]
    label = dimension(by).label
    names = dimension(by).in_order({name for classes in systems for name in classes})
    yield element("h3", f"By {label}")
    if names in ([], [UNKNOWN]):
        yield element("p", "The files have no annotation for these classes.")
        return
    yield legend([system.name for system in page.systems])
    rows = [
        ChartRow(name, [_class_value(classes.get(name)) for classes in systems]) for name in names
    ]
    yield intervals(rows, f"F1 of {LABELS['b3']} by {label}")
    yield folded("Numbers", _table(page, by, names, number))


def _class_value(result: ClassResult | None) -> ChartValue:
    f1 = result.scores["b3"].f1 if result else None
    return ChartValue(f1, text=percent(f1))


def _table(page: PageData, by: str, names: list[str], number: int) -> Markup:
    rows = []
    scores = [name for name in LABELS if name in BY_CLASS]
    for name in names:
        for n, system in enumerate(page.systems):
            result = system.result.first.breakdown[by].get(name)
            if result:
                at = (*path(page, n, system.result.first), "breakdown", by, name)
                cells = [
                    count(result.key, *at, "mentions", "key"),
                    count(result.response, *at, "mentions", "response"),
                    *score_cells(result.scores, scores, *at, "scores"),
                ]
                head = element("th", element("bdi", name), scope="row")
                rows.append(element("tr", head, system_head(n, system.name), *cells))
    heads = score_heads(scores, "class", "system", "in the key", "in the response")
    caption = f"Scores by {dimension(by).label}, in per cent"
    return table(caption, heads, rows, f"breakdown-{number}")
