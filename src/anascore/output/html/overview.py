"""Scores of a report: all systems side by side, and broken down by class."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

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
from anascore.results import ClassResult, LayerResult, Scores, Uncertainty

STAR = "*"


def overview(page: PageData) -> Markup:
    """Show the scores of all systems, layer by layer."""
    results = [system.result for system in page.systems]
    parts = []
    for layer in results[0].layers:
        layers = [result.layers[layer] for result in results]
        if any(found.annotated for found in layers):
            parts += list(_layer(page, layers))
        else:
            parts.append(element("p", f"{layers[0].label}: nothing is annotated on either side."))
    return section("overview", "Overview", *parts, _about(page))


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
    if any(layer.split_only for layer in layers):
        yield _sets(page, layers, sets_title)
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
    """Show recall, precision and F1; the best F1 is bold, a star marks significance."""
    rows = []
    for name in names:
        values = [layer.scores[name].f1 for layer in layers]
        best = max((f1 for f1 in values if f1 is not None), default=None)
        cells = []
        for n, layer in enumerate(layers):
            at = (*path(page, n, layer), "scores", name)
            is_best = len(layers) > 1 and values[n] is not None and values[n] == best
            extra = _beside(layer.uncertainty, name, path(page, n, layer))
            cells += [
                *_rest(layer.scores, name, at),
                number(values[n], *at, "f1", best=is_best, extra=extra),
            ]
        rows.append(element("tr", element("th", LABELS[name], scope="row"), *cells))
    stars = any(d.significant for layer in layers for d in layer.uncertainty.differences.values())
    note = (
        f". {STAR} differs from the first system, p < 0.05 after Holm's correction" if stars else ""
    )
    bold = ". The best F1 is bold" if len(layers) > 1 else ""
    caption = f"Scores in per cent; below F1 its 95% confidence interval{bold}{note}"
    return table(caption, system_heads([system.name for system in page.systems]), rows)


def _rest(scores: Scores, name: str, at: tuple[object, ...]) -> Iterator[Markup]:
    """Give the cells of recall and precision, which means of F1 do not have."""
    for figure in ("recall", "precision"):
        if figure in values_of(name):
            yield number(getattr(scores[name], figure), *at, figure)
        else:
            yield element("td")


def _beside(uncertainty: Uncertainty, name: str, at: tuple[object, ...]) -> Markup:
    """Show the mark of significance, and the interval."""
    compared = uncertainty.differences.get(name)
    significant = compared is not None and compared.significant
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
    """Return where the JSON output has a layer of a system."""
    system = ("score", "systems", n)
    first = page.systems[n].result.first.layer
    return system if layer.layer == first else (*system, "layers", layer.layer)


def _sets(page: PageData, layers: Sequence[LayerResult], caption: str) -> Markup:
    """Show the scores of accommodated sets alone."""
    rows = []
    for name in next(filter(None, (layer.split_only for layer in layers))):
        cells = []
        for n, layer in enumerate(layers):
            if name in layer.split_only:
                at = (*path(page, n, layer), "split_only", name)
                f1 = number(layer.split_only[name].f1, *at, "f1")
                cells += [*_rest(layer.split_only, name, at), f1]
            else:
                cells += [element("td")] * 3
        rows.append(element("tr", element("th", LABELS[name], scope="row"), *cells))
    return table(caption, system_heads([system.name for system in page.systems]), rows)


def _differences(page: PageData, layers: Sequence[LayerResult], names: Sequence[str]) -> Markup:
    """Show how each system compares with the first."""
    rows = []
    for n, layer in enumerate(layers):
        for name in names:
            if name not in layer.uncertainty.differences:
                continue
            d = layer.uncertainty.differences[name]
            at = (*path(page, n, layer), "difference_to_first", name)
            cells = [
                _shown(
                    difference(d.difference) + (STAR if d.significant else ""), *at, "difference"
                ),
                _shown(chance(d.p), *at, "p"),
                _shown(chance(d.corrected), *at, "corrected"),
                count(d.wins, *at, "wins"),
                count(d.losses, *at, "losses"),
                count(d.ties, *at, "ties"),
            ]
            heads = system_head(n, page.systems[n].name), element("td", LABELS[name])
            rows.append(element("tr", *heads, *cells))
    labels = ("system", "score", "difference", "p", "p (Holm)", "better", "worse", "equal")
    caption = f"Differences of F1 to {page.systems[0].name}, and in how many documents"
    return element(
        "details",
        element("summary", "Differences to the first system"),
        table(caption, [head(*labels)], rows),
    )


def _shown(text: str, *at: object) -> Markup:
    return element("td", element("span", text, data_k=pointer(*at)), class_="n")


def _counts(page: PageData, layers: Sequence[LayerResult]) -> Markup:
    """Show how much there is, and how mentions match."""
    first = layers[0]
    what, how = list(first.total.key), list(first.total.matching)
    names = [
        name.replace("_", " ")
        for name in (*what, *(f"{name}, matched" if name == "exactly" else name for name in how))
    ]
    key = [
        count(first.total.key[name], *path(page, 0, first), "counts", "key", name) for name in what
    ]
    rows = [element("tr", element("th", "key", scope="row"), *key, *(element("td") for _ in how))]
    for n, layer in enumerate(layers):
        at = path(page, n, layer)
        cells = [
            count(layer.total.response[name], *at, "counts", "response", name) for name in what
        ]
        cells += [count(layer.total.matching[name], *at, "matching", name) for name in how]
        rows.append(element("tr", system_head(n, page.systems[n].name), *cells))
    return table("How much there is, and how mentions match", [head("side", *names)], rows)


def _about(page: PageData) -> Markup:
    """Show warnings, the signature, and how the page was made."""
    warnings = [
        element("li", element("bdi", system.name), f": {warning}")
        for system in page.systems
        for warning in page.view.warnings(system.result)
    ]
    signatures = dict.fromkeys(system.result.signature for system in page.systems)
    return joined(
        element("h3", "Warnings") if warnings else None,
        element("ul", *warnings) if warnings else None,
        element("h3", "Signature"),
        element("p", "Quote it with a score, and others can compute the same number."),
        *(element("p", element("code", signature)) for signature in signatures),
        element("h3", "Command"),
        element("p", element("code", page.command)),
    )


def breakdown(page: PageData) -> Markup | None:
    """Show the scores of classes, by all that they are broken down by."""
    asked = page.systems[0].result.first.breakdown
    if not asked:
        return None
    rule = (
        "Recall is over the key's mentions in a class, precision over the response's. B³ is what "
        "each mention contributes; anaphors are mentions that are not the first of their entity."
    )
    parts = (part for number, by in enumerate(asked) for part in _dimension(page, by, number))
    return section("breakdown", "Scores by class", element("p", rule), *parts)


def _dimension(page: PageData, asked: str, number: int) -> Iterator[Markup]:
    systems = [system.result.first.breakdown[asked] for system in page.systems]
    by = dimension(asked)
    names = by.in_order({name for classes in systems for name in classes})
    yield element("h3", f"By {by.label}")
    if names in ([], [UNKNOWN]):
        yield element("p", "Nothing in the files tells these classes.")
        return
    yield legend([system.name for system in page.systems])
    rows = [
        ChartRow(name, [_class_value(classes.get(name)) for classes in systems]) for name in names
    ]
    yield intervals(rows, f"F1 of {LABELS['b3']} by {by.label}")
    yield folded("Numbers", _table(page, asked, names, number))


def _class_value(found: ClassResult | None) -> ChartValue:
    f1 = found.scores["b3"].f1 if found else None
    return ChartValue(f1, text=percent(f1))


def _table(page: PageData, asked: str, names: list[str], number: int) -> Markup:
    rows = []
    scores = [name for name in LABELS if name in BY_CLASS]
    for name in names:
        for n, system in enumerate(page.systems):
            found = system.result.first.breakdown[asked].get(name)
            if found:
                at = (*path(page, n, system.result.first), "breakdown", asked, name)
                cells = [
                    count(found.key, *at, "mentions", "key"),
                    count(found.response, *at, "mentions", "response"),
                    *score_cells(found.scores, scores, *at, "scores"),
                ]
                head = element("th", element("bdi", name), scope="row")
                rows.append(element("tr", head, system_head(n, system.name), *cells))
    heads = score_heads(scores, "class", "system", "in the key", "in the response")
    caption = f"Scores by {dimension(asked).label}, in per cent"
    return table(caption, heads, rows, f"breakdown-{number}")
