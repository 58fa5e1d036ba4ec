"""The overview: scores of all systems, with their uncertainty, counts, warnings, signature."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anascore.division import Scores
from anascore.metrics import LABELS, figures
from anascore.page.charts import Row, Value, intervals, legend
from anascore.page.gathered import Gathered
from anascore.page.markup import Markup, element, joined
from anascore.page.tables import (
    count,
    head,
    number,
    pointer,
    section,
    system_head,
    system_heads,
    table,
)
from anascore.report.blocks import TITLES
from anascore.report.numbers import chance, difference, percent
from anascore.results import LayerResult, Uncertainty

STAR = "*"


def overview(page: Gathered) -> Markup:
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


def _layer(page: Gathered, layers: Sequence[LayerResult]) -> Iterator[Markup]:
    first = layers[0]
    title, sets_title = TITLES.get(first.layer, (first.label, ""))
    names = list(first.scores)
    yield element("h3", title)
    yield _scores(page, layers, names)
    yield legend([system.name for system in page.systems])
    rows = [
        Row(
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


def _value(scores: Scores, uncertainty: Uncertainty, name: str) -> Value:
    interval = uncertainty.intervals.get(name)
    low, high = interval.f1 if interval else (None, None)
    return Value(scores[name].f1, low, high, percent(scores[name].f1))


def _scores(
    page: Gathered,
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
        if figure in figures(name):
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


def path(page: Gathered, n: int, layer: LayerResult) -> tuple[object, ...]:
    """Return where the JSON output has a layer of a system."""
    system = ("score", "systems", n)
    first = page.systems[n].result.first.layer
    return system if layer.layer == first else (*system, "layers", layer.layer)


def _sets(page: Gathered, layers: Sequence[LayerResult], caption: str) -> Markup:
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


def _differences(page: Gathered, layers: Sequence[LayerResult], names: Sequence[str]) -> Markup:
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


def _counts(page: Gathered, layers: Sequence[LayerResult]) -> Markup:
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


def _about(page: Gathered) -> Markup:
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
