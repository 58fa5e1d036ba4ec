"""First screen of a report: who is best, how certain that is, and where points are lost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anascore.analysis.report import PageData
from anascore.metrics.scores import LABELS
from anascore.model.abbreviated import pluralise
from anascore.output.grid import Cell, Column, Grid, Head, percent
from anascore.output.html.charts import MANY
from anascore.output.html.markup import Markup, element, joined, text
from anascore.output.html.tables import (
    Card,
    Standing,
    cards,
    conjunction,
    details,
    extremes,
    grid_table,
    head,
    matrix,
    section,
    signed,
    system_head,
    table,
)
from anascore.output.html.text import document_link
from anascore.output.scores import TITLES, by_score, layer_grids, with_uncertainty
from anascore.output.view import ReportOptions
from anascore.pairing.documents import TREATMENTS

RANKS = (
    "Ranks and their p-values come from paired tests of all pairs of systems (Holm-corrected); "
    "systems share a rank if they do not differ significantly from its best."
)
"""Explanation of the ranks on the cards."""

MOST_COSTLY = 3
"""Number of error types per system on the first screen."""

DETAILS = {
    "differences": "Differences from {first}",
    "within": "Scores within documents",
    "sets": "Split antecedents only",
    "sizes": "Counts",
    "matching": "Counts",
}
"""Summaries of a layer's collapsed tables, by table id."""


def overview(page: PageData) -> Markup:
    """Draw the section on scores: the first screen, then all other layers and tables."""
    results = [system.result for system in page.systems]
    first, *others = (
        (layer, list(layer_grids(results, name, ReportOptions())))
        for name, layer in results[0].layers.items()
    )
    _, grids = first
    parts: list[Markup | None] = [_headline(page), _skipped(page)]
    if len(page.systems) > MANY:
        beside = element("div", _extremes(page))
        parts.append(element("div", element("div", _cards(page)), beside, class_="tables fill"))
        parts += [_note_on_ranks(page), _matrix(page, grids), _costliest_by_system(page)]
    else:
        beside = element("div", _costliest(page), _extremes(page), class_="beside")
        parts += [_cards(page), _note_on_ranks(page)]
        content = element("div", _matrix(page, grids))
        parts.append(element("div", content, beside, class_="columns"))
    parts += _details(page, grids)
    for layer, grids in others:
        parts.append(element("h3", TITLES.get(layer.layer, (layer.label, ""))[0]))
        parts += [_matrix(page, grids), *_details(page, grids)]
    return section("overview", None, *parts, _about(page))


def _headline(page: PageData) -> Markup:
    """State the best system, what was compared, and the settings."""
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
    """Name the system that scores highest, or those that share the first rank."""
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
    """Title a page whose best systems share the first rank, best first."""
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
    """Test whether differences between systems were tested, which takes several documents."""
    return any(pair.overall.p is not None for pair in page.ranking.comparisons.values())


def _cards(page: PageData) -> Markup:
    """Draw a card for each system, best first: its main score, interval and rank."""
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
    cell = Cell(_f1(page, n), "score")
    return Card(
        system_head(n, system.name, "span"),
        LABELS[page.score],
        with_uncertainty(cell, system.result.first.uncertainty, page.score),
        _standing(page, system.name, place),
        n,
    )


def _standing(page: PageData, name: str, place: int) -> Standing | None:
    """Look up a system's rank, and its difference from the best one with the p-value."""
    if not page.systems[1:]:
        return None
    ranks = page.ranking.ranks
    rank = ranks[place].rank if _is_tested(page) else place + 1
    return Standing(rank, page.ranking.compare(name, ranks[0].system).overall if place else None)


def _matrix(page: PageData, grids: Sequence[Grid]) -> Markup:
    """Tabulate F1 by score and system; recall and precision are shown on demand.

    A layer without annotation gets a note instead.
    """
    scores = next((grid for grid in grids if grid.id == "scores"), None)
    if scores is None:
        return joined(*map(grid_table, grids))
    cells = [cell for _, own in scores.rows for cell in own]
    caption = "F1 in per cent"
    if page.systems[1:]:
        caption += ", the best in bold"
    if any(cell.is_significant for cell in cells):
        caption += f"; * differs from {page.names[0]} (p < 0.05, Holm-corrected)"
    if any(cell.interval_cell.value for cell in cells):
        caption += "; lines are 95% intervals"
    switches = (
        element("label", element("input", type="checkbox", data_show=name), f" {label}")
        for name, label in (("rp", "recall and precision"), ("ci", "95% intervals"))
    )
    grid = by_score(scores)._replace(title=caption, corner="F1")
    return joined(
        matrix(grid, page.names, main=LABELS[page.score]),
        element("p", *switches, class_="switches"),
    )


def _costliest(page: PageData) -> Markup | None:
    """Show each system's most costly error types."""
    rows = []
    for n, system in enumerate(page.systems):
        for rank, cost in enumerate(page.costliest(n, MOST_COSTLY)):
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
    return f"The errors that cost most: gain in {LABELS[page.error_score]} if corrected"


def _costliest_by_system(page: PageData) -> Markup | None:
    """Show each system's most costly error types, in one row per system."""
    by_system = [page.costliest(n, MOST_COSTLY) for n in range(len(page.systems))]
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
    """List the documents with the lowest and highest scores, averaged over systems."""
    label = LABELS[page.score]
    mean = ", mean over systems" if page.systems[1:] else ""
    return extremes(
        f"Documents by {label}{mean}",
        label,
        "score",
        page.document_means,
        lambda name: document_link(name, page.link_number(name)),
    )


def _details(page: PageData, grids: Sequence[Grid]) -> Iterator[Markup]:
    """Collapse the tables below a matrix: tests, partial scores, counts."""
    tables: dict[str, list[Markup]] = {}
    for name, summary in DETAILS.items():
        for number, grid in enumerate((grid for grid in grids if grid.id == name), 1):
            shown = by_score(grid) if name in {"within", "sets"} else grid
            # Each system but the first has a table of differences.
            system = number if name == "differences" else None
            content = element("div", grid_table(shown, page.names), data_s=system)
            tables.setdefault(summary.format(first=page.names[0]), []).append(content)
    for summary, contents in tables.items():
        yield details(summary, element("div", *contents, class_="tables"))


def _skipped(page: PageData) -> Markup | None:
    """Tabulate documents with errors, the key's first; None if there are none."""
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
        (skipped.document, [Cell(owner), Cell(TREATMENTS[skipped.side]), Cell(skipped.error)])
        for owner, skipped in documents
    ]
    heads = [Head([Column(label, is_text=True) for label in ("file of", "treatment", "error")])]
    title = "Documents that cannot be read; the scores depend on them"
    return grid_table(Grid("skipped", title, heads, rows, "document"))


def _about(page: PageData) -> Markup:
    """Show the warnings, the signature, and the command that made the page."""
    warnings = [
        element("li", element("bdi", system.name), f": {warning}")
        for system in page.systems
        for warning in ReportOptions(per_document=True).warnings(system.result)
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
        details(f"Warnings ({len(warnings)})", element("ul", *warnings)) if warnings else None,
        details("Signature and command", *about),
    )
