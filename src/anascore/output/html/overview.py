"""First screen of a report: who is best, how certain that is, and where scores are lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from statistics import fmean
from typing import Literal

from anascore.metrics import LABELS, values_of
from anascore.model.short import pluralise
from anascore.output.grids import TITLES, chance, percent
from anascore.output.html.charts import MANY, ChartValue, level, profile, profile_scale
from anascore.output.html.data import PageData
from anascore.output.html.errors import MOST_COSTLY, costliest, score_of_costs
from anascore.output.html.markup import Markup, element, joined, text
from anascore.output.html.tables import (
    Card,
    Standing,
    cards,
    conjunction,
    count,
    folded,
    head,
    heat,
    number,
    path,
    pointer,
    section,
    signed,
    system_head,
    system_heads,
    table,
)
from anascore.output.html.text import document_link
from anascore.prepare.pairing import TREATMENTS
from anascore.results import LayerResult, Scores, Uncertainty

RANKS = (
    "Ranks and their p-values come from paired tests of all pairs of systems (Holm-corrected); "
    "systems share a rank if they do not differ significantly from its best."
)
"""Explanation of the ranks on the cards."""

MOST_DOCUMENTS = 3
"""Number of the worst and of the best documents on the first screen."""


def overview(page: PageData) -> Markup:
    """Return the section of scores: the first screen, then all other layers and tables."""
    results = [system.result for system in page.systems]
    first, *others = results[0].layers
    layers = [result.layers[first] for result in results]
    parts: list[Markup | None] = [_headline(page), _skipped(page)]
    if len(page.systems) > MANY:
        beside = element("div", _extremes(page))
        parts.append(element("div", element("div", _cards(page)), beside, class_="tables fill"))
        parts += [_note_on_ranks(page), _matrix(page, layers), _costliest_by_system(page)]
    else:
        beside = element("div", _costliest(page), _extremes(page), class_="beside")
        matrix = element("div", _matrix(page, layers))
        parts += [_cards(page), _note_on_ranks(page)]
        parts.append(element("div", matrix, beside, class_="columns"))
    parts += _details(page, layers)
    for layer in others:
        layers = [result.layers[layer] for result in results]
        title = TITLES.get(layer, (layers[0].label, ""))[0]
        parts.append(element("h3", title))
        if any(layer_result.annotated for layer_result in layers):
            parts += [_matrix(page, layers), *_details(page, layers)]
        else:
            parts.append(element("p", "No annotation in the key or the responses."))
    return section("overview", None, *parts, _about(page))


def _headline(page: PageData) -> Markup:
    """Return the title, and the line that names what was compared and by which settings."""
    total = page.systems[0].result.first.total.key
    documents = pluralise(len(page.key.documents), "document")
    sizes = f"{documents}, {total['mentions']:,} mentions"
    signatures = dict.fromkeys(system.result.signature for system in page.systems)
    return joined(
        element("h1", *_title(page)),
        element(
            "p",
            "Key: ",
            element("bdi", page.key.path or "from Python"),
            f" ({sizes}) · {pluralise(len(page.systems), 'response')} ",
            element("code", next(iter(signatures)), class_="signature"),
            class_="compared",
        ),
    )


def _title(page: PageData) -> Iterator[Markup]:
    """Yield the title: the system that scores highest, or those that share the first rank."""
    label = LABELS[page.score]
    values = {system.name: _f1(page, n) for n, system in enumerate(page.systems)}
    if len(values) == 1:
        ((name, value),) = values.items()
        yield joined(element("bdi", name), f": {label} {percent(value)}")
        return
    best = [rank.system for rank in page.ranking.ranks if rank.rank == 1]
    if not _is_tested(page):
        best = best[:1]
    if all(value is None for value in values.values()):
        yield joined(f"{label} of {len(values)} systems is undefined")
    elif len(best) == 1:
        yield joined(
            element("bdi", best[0]), f" scores highest: {label} {percent(values[best[0]])}"
        )
    else:
        yield shared_rank({name: values[name] for name in best}, label)


def shared_rank(values: Mapping[str, float | None], label: str) -> Markup:
    """Return the title of systems that share the first rank, best first."""
    shown = list(values) if len(values) <= 3 else [next(iter(values))]
    names = [element("bdi", name) for name in shown]
    figures = [text(percent(values[name])) for name in shown]
    is_part = len(shown) < len(values)
    if is_part:
        names.append(text(f"{len(values) - 1} others"))
    most = "up to " if is_part else ""
    return joined(
        conjunction(names), f" share the first rank: {label} {most}", conjunction(figures)
    )


def _f1(page: PageData, n: int) -> float | None:
    return page.systems[n].result.first.scores[page.score].f1


def _is_tested(page: PageData) -> bool:
    """Return True if differences between systems were tested: there is more than one document."""
    return any(pair.overall.p is not None for pair in page.ranking.comparisons.values())


def _cards(page: PageData) -> Markup:
    """Return a card for each system, best first: its main score, interval and rank."""
    if page.systems[1:]:
        order = [rank.system for rank in page.ranking.ranks]
    else:
        order = [page.systems[0].name]
    numbers = {system.name: n for n, system in enumerate(page.systems)}
    return cards([_card(page, numbers[name], place) for place, name in enumerate(order)])


def _note_on_ranks(page: PageData) -> Markup | None:
    return element("p", RANKS, class_="note wide") if page.systems[1:] else None


def _card(page: PageData, n: int, place: int) -> Card:
    system = page.systems[n]
    at = path(page, n, system.result.first)
    pointer_of_score = pointer(*at, "scores", page.score, "f1")
    return Card(
        system_head(n, system.name, "span"),
        LABELS[page.score],
        element("strong", percent(_f1(page, n)), data_k=pointer_of_score),
        _interval(system.result.first.uncertainty, page.score, at),
        _standing(page, system.name, place),
        system=n,
        chart=_chart_value(page, n, system.result.first, page.score),
    )


def _standing(page: PageData, name: str, place: int) -> Standing | None:
    """Return the rank of a system, and its difference to the best one with the p-value."""
    if not page.systems[1:]:
        return None
    ranks = page.ranking.ranks
    rank = ranks[place].rank if _is_tested(page) else place + 1
    return Standing(rank, page.ranking.compare(name, ranks[0].system).overall if place else None)


def _interval(uncertainty: Uncertainty, name: str, at: tuple[object, ...]) -> Markup | None:
    """Return the confidence interval of F1; None if there is none."""
    intervals = uncertainty.intervals.get(name)
    if intervals is None or intervals.f1.low is None:
        return None
    low, high = (
        element("span", percent(end), data_k=pointer(*at, "confidence", name, "f1", side))
        for side, end in enumerate(intervals.f1)
    )
    return joined(low, "–", high)


def _matrix(page: PageData, layers: Sequence[LayerResult]) -> Markup:
    """Return the matrix of scores and systems: F1, with recall and precision on demand."""
    names = list(layers[0].scores)
    is_many = len(layers) > MANY
    rows = []
    for name in names:
        values = [layer.scores[name].f1 for layer in layers]
        best = max((f1 for f1 in values if f1 is not None), default=None)
        cells = [
            _cell(page, layers[n], name, n, is_best=len(layers) > 1 and value == best is not None)
            for n, value in enumerate(values)
        ]
        if not is_many:
            charts = [_chart_value(page, n, layer, name) for n, layer in enumerate(layers)]
            title = f"F1 of {LABELS[name]} from 0 to 100, with 95% confidence intervals"
            cells.append(element("td", profile(charts, title), class_="chart"))
        heading = element("th", LABELS[name], scope="row")
        is_main = name == page.score
        rows.append(element("tr", heading, *cells, class_="main" if is_main else None))
    stars = any(d.significant for layer in layers for d in layer.uncertainty.differences.values())
    bold = ", the best in bold" if len(layers) > 1 else ""
    first = page.systems[0].name
    note = f"; * differs from {first} (p < 0.05, Holm-corrected)" if stars else ""
    if any(layer.uncertainty.intervals for layer in layers):
        note += "; lines are 95% intervals"
    systems = (
        element("th", system_head(n, system.name, "span"), scope="col", data_s=n)
        for n, system in enumerate(page.systems)
    )
    heads = element(
        "tr",
        element("th", "F1", scope="col"),
        *systems,
        None if is_many else element("th", profile_scale(), scope="col"),
    )
    switches = element(
        "p",
        *(
            element("label", element("input", type="checkbox", data_show=name), f" {label}")
            for name, label in (("rp", "recall and precision"), ("ci", "95% intervals"))
        ),
        class_="switches",
    )
    content = table(
        f"F1 in per cent{bold}{note}",
        [heads],
        rows,
        class_="matrix levels" if is_many else "matrix",
    )
    return joined(content, switches)


def _cell(page: PageData, layer: LayerResult, name: str, n: int, *, is_best: bool) -> Markup:
    """Return a cell of the matrix; the mark of significance takes no room."""
    score, at = layer.scores[name], path(page, n, layer)
    f1 = element("span", percent(score.f1), data_k=pointer(*at, "scores", name, "f1"))
    test = layer.uncertainty.differences.get(name)
    star = (
        element("abbr", "*", title=f"differs from {page.systems[0].name}")
        if test is not None and test.significant
        else None
    )
    both = [
        joined(
            f"{letter} ",
            element(
                "span",
                percent(getattr(score, figure)),
                data_k=pointer(*at, "scores", name, figure),
            ),
        )
        for letter, figure in (("R", "recall"), ("P", "precision"))
        if figure in values_of(name)
    ]
    interval = _interval(layer.uncertainty, name, at)
    is_many = len(page.systems) > MANY
    bar = level(_chart_value(page, n, layer, name)) if is_many else None
    return element(
        "td",
        element("strong", f1) if is_best else f1,
        star,
        bar,
        element("small", joined(*(joined(part, " ") for part in both)), class_="rp")
        if both
        else None,
        element("small", interval, class_="ci") if interval else None,
        class_="n" if bar else f"n {heat(score.f1)}",
        data_s=n,
    )


def _chart_value(page: PageData, n: int, layer: LayerResult, name: str) -> ChartValue:
    f1, intervals = layer.scores[name].f1, layer.uncertainty.intervals.get(name)
    low, high = intervals.f1 if intervals else (None, None)
    ends = "" if low is None else f" ({percent(low)}–{percent(high)})"
    return ChartValue(f1, low, high, f"{page.systems[n].name}: {percent(f1)}{ends}")


def _costliest(page: PageData) -> Markup | None:
    """Return the types of errors that cost most, for each system."""
    rows = []
    for n, system in enumerate(page.systems):
        for rank, cost in enumerate(costliest(page, n)):
            name = system_head(n, system.name, "span") if not rank else None
            label = element("a", cost.label, href="#errors", data_type=cost.type, data_s=n)
            rows.append(
                element(
                    "tr",
                    element("td", name),
                    element("td", label),
                    element("td", signed(cost.points), class_="n"),
                    element("td", f"{cost.errors:,}", class_="n"),
                    data_s=n,
                )
            )
    if not rows:
        return None
    heads = head("system", "error", "gain", "errors", texts=2)
    return table(_caption_of_costs(page), [heads], rows, class_="compact")


def _caption_of_costs(page: PageData) -> str:
    return f"The errors that cost most: gain in {LABELS[score_of_costs(page)]} if corrected"


def _costliest_by_system(page: PageData) -> Markup | None:
    """Return the types of errors that cost most, in one row for each system."""
    by_system = [costliest(page, n) for n in range(len(page.systems))]
    if not any(by_system):
        return None
    rows = []
    for n, (system, most) in enumerate(zip(page.systems, by_system, strict=True)):
        cells = [
            element(
                "td",
                element("a", cost.label, href="#errors", data_type=cost.type, data_s=n),
                f" {signed(cost.points)} ",
                element("small", f"({cost.errors:,})"),
            )
            for cost in most
        ]
        empty = [element("td")] * (MOST_COSTLY - len(cells))
        rows.append(element("tr", system_head(n, system.name), *cells, *empty, data_s=n))
    caption = f"{_caption_of_costs(page)}; in brackets the number of errors"
    return table(caption, [head("system", "first", "second", "third")], rows, class_="costs")


def _extremes(page: PageData) -> Markup | None:
    """Return the documents with the lowest and the highest scores, averaged over systems."""
    means = {}
    for name in page.key.documents:
        values = [s.result.first.documents[name].scores[page.score].f1 for s in page.systems]
        defined = [value for value in values if value is not None]
        if defined:
            means[name] = fmean(defined)
    ordered = sorted(means, key=lambda name: means[name])
    number_of_each = min(MOST_DOCUMENTS, len(ordered) // 2)
    if not number_of_each:
        return None
    worst, best = ordered[:number_of_each], ordered[::-1][:number_of_each]
    rows = []
    for label, chosen in (("lowest", worst), ("highest", best)):
        rows += [
            element(
                "tr",
                element("td", None if rank else label),
                element("td", document_link(document, page.link_number(document))),
                element("td", percent(means[document]), class_=f"n {heat(means[document])}"),
            )
            for rank, document in enumerate(chosen)
        ]
    mean = ", mean over systems" if page.systems[1:] else ""
    caption = f"Documents by {LABELS[page.score]}{mean}"
    return table(
        caption, [head("", "document", LABELS[page.score], texts=2)], rows, class_="compact"
    )


def _details(page: PageData, layers: Sequence[LayerResult]) -> Iterator[Markup]:
    """Yield the tables below a matrix: tests, scores of a part, counts."""
    title, sets_title = TITLES.get(layers[0].layer, (layers[0].label, ""))
    if any(layer.uncertainty.differences for layer in layers):
        yield _differences(page, layers)
    if any(layer.within_documents for layer in layers):
        yield folded(
            "Scores within documents",
            _part(page, layers, f"{title}: within documents", "within_documents"),
        )
    if any(layer.split_only for layer in layers):
        yield folded("Split antecedents only", _part(page, layers, sets_title, "split_only"))
    yield folded("Counts", _counts(page, layers))


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
        cells: list[Markup] = []
        for n, (layer, own) in enumerate(zip(layers, scores, strict=True)):
            at = (*path(page, n, layer), part, name)
            for figure in ("recall", "precision", "f1"):
                if name in own and figure in values_of(name):
                    cells.append(number(getattr(own[name], figure), *at, figure, system=n))
                else:
                    cells.append(element("td", data_s=n))
        rows.append(element("tr", element("th", LABELS[name], scope="row"), *cells))
    return table(caption, system_heads([system.name for system in page.systems]), rows)


def _differences(page: PageData, layers: Sequence[LayerResult]) -> Markup:
    """Return the table of differences between each system and the first."""
    rows = []
    for n, layer in enumerate(layers):
        for name, d in layer.uncertainty.differences.items():
            at = (*path(page, n, layer), "difference_to_first", name)
            star = element("abbr", "*", title="significant") if d.significant else None
            cells = [
                _text_cell(signed(d.difference), *at, "difference", extra=star),
                _text_cell(chance(d.p), *at, "p"),
                _text_cell(chance(d.corrected), *at, "corrected"),
                count(d.wins, *at, "wins"),
                count(d.losses, *at, "losses"),
                count(d.ties, *at, "ties"),
            ]
            heads = system_head(n, page.systems[n].name), element("td", LABELS[name])
            rows.append(element("tr", *heads, *cells, data_s=n))
    labels = ("system", "score", "difference", "p", "p (Holm)", "better", "worse", "equal")
    caption = f"Difference in F1 from {page.systems[0].name}, and number of documents by outcome"
    return folded(
        f"Differences from {page.systems[0].name}", table(caption, [head(*labels, texts=2)], rows)
    )


def _text_cell(text: str, *at: object, extra: Markup | None = None) -> Markup:
    return element("td", element("span", text, data_k=pointer(*at)), extra, class_="n")


def _counts(page: PageData, layers: Sequence[LayerResult]) -> Markup:
    """Return the table of counts: annotations of each side, and matches of mentions."""
    first = layers[0]
    kinds, matches = list(first.total.key), list(first.total.matching)
    names = [
        name.replace("_", " ")
        for name in (
            *kinds,
            *(f"matched {name}" if name == "exactly" else name for name in matches),
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
        rows.append(element("tr", system_head(n, page.systems[n].name), *cells, data_s=n))
    return table("Counts, and how mentions match", [head("side", *names, texts=1)], rows)


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


def _about(page: PageData) -> Markup:
    """Return the warnings, the signature, and the command that made the page."""
    warnings = [
        element("li", element("bdi", system.name), f": {warning}")
        for system in page.systems
        for warning in page.view.warnings(system.result)
        if warning not in {skipped.note for skipped in system.result.skipped}
    ]
    signatures = dict.fromkeys(system.result.signature for system in page.systems)
    about = [
        element("p", "Quote the signature with a score, so that others can reproduce it."),
        *(element("p", element("code", signature)) for signature in signatures),
    ]
    if page.command:
        about.append(element("p", "This command writes the same report:"))
        about.append(element("p", element("code", page.command)))
    return joined(
        folded(f"Warnings ({len(warnings)})", element("ul", *warnings)) if warnings else None,
        folded("Signature and command", *about),
    )
