"""Errors by type: what they cost, how many there are, and a list with links to the texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from operator import itemgetter

from anascore.analysis.errors import ERROR_TYPES, Error
from anascore.analysis.report import ErrorCost, PageData
from anascore.metrics.scores import LABELS
from anascore.model.abbreviated import pluralise
from anascore.model.mention import Place
from anascore.output.errors import description, error_grid
from anascore.output.html.charts import MANY, Bar, ChartValue, bars, level
from anascore.output.html.markup import Markup, element
from anascore.output.html.tables import (
    details,
    filters,
    grid_table,
    head,
    section,
    select,
    signed,
    system_columns,
    system_head,
    table,
)
from anascore.output.html.text import line_of, line_starts

MOST_ROWS = 1500
"""Maximum number of listed errors, which limits the page size."""

MOST_ERRORS = 40
"""Maximum number of listed errors per type and system."""


def errors(page: PageData) -> Markup:
    """Draw the section on errors."""
    by_system = [page.costs(n) for n in range(len(page.systems))]
    types = [name for name in ERROR_TYPES if any(name in costs for costs in by_system)]
    if not types:
        return section("errors", "Errors", element("p", "No errors."))
    label = LABELS[page.error_score]
    rule = (
        f"Points of {label} that a system would gain if all errors of one type, and no others, "
        f"were corrected; in brackets the number of errors. All bars have the same scale."
    )
    corrected = (
        element("div", grid_table(error_grid(system.all_errors)), data_s=n)
        for n, system in enumerate(page.systems)
    )
    draw = _levels if len(page.systems) > MANY else _panels
    return section(
        "errors",
        "Errors",
        element("p", page.note_on_errors) if page.note_on_errors else None,
        element("p", rule),
        draw(page, by_system, types),
        details("Scores with errors corrected", element("div", *corrected, class_="tables")),
        _list(page) if page.shown else None,
    )


def _panels(
    page: PageData, by_system: Sequence[Mapping[str, ErrorCost]], types: Sequence[str]
) -> Markup:
    """Draw one chart per system, all with the same rows and scale."""
    points = [cost.points for costs in by_system for cost in costs.values()]
    scale = min(0.0, *points), max(1e-9, *points)
    panels = []
    for n, (name, costs) in enumerate(zip(page.names, by_system, strict=True)):
        rows = []
        for kind in types:
            _, _, gain, number = costs.get(kind, ErrorCost(kind, "", 0.0, 0))
            rows.append(Bar(ERROR_TYPES[kind].label, gain, f"{signed(gain)} ({number:,})"))
        title = f"Cost of errors of {name} in points of {LABELS[page.error_score]}"
        heading = element("h3", system_head(n, name, "span"))
        panels.append(
            element("div", heading, bars(rows, scale, n, title), class_="panel", data_s=n)
        )
    return element("div", *panels, class_="panels")


def _levels(
    page: PageData, by_system: Sequence[Mapping[str, ErrorCost]], types: Sequence[str]
) -> Markup:
    """Tabulate bars, with one column per system."""
    most = max(1e-9, *(cost.points for costs in by_system for cost in costs.values()))
    rows = []
    for name in types:
        cells = (_level(costs.get(name), most, n) for n, costs in enumerate(by_system))
        heading = element("th", ERROR_TYPES[name].label, scope="row")
        rows.append(element("tr", heading, *cells))
    heads = element("tr", element("th", "error", scope="col"), *system_columns(page.names))
    caption = f"Gain in {LABELS[page.error_score]}; bars from 0 to {100 * most:.2f} points"
    return table(caption, [heads], rows, class_="matrix levels")


def _level(cost: ErrorCost | None, most: float, n: int) -> Markup:
    if cost is None:
        return element("td", element("span", "none", class_="quiet"), class_="n", data_s=n)
    return element(
        "td",
        f"{signed(cost.points)} ",
        element("span", f"({cost.errors:,})", class_="quiet"),
        level(ChartValue(cost.points), most),
        class_="n",
        data_s=n,
    )


def _list(page: PageData) -> Markup:
    """List errors with links, first those at the beginning of each document."""
    most = min(MOST_ERRORS, max(3, MOST_ROWS // (len(ERROR_TYPES) * len(page.systems))))
    rows = []
    starts = {name: line_starts(page.key.documents[name]) for name in page.shown}
    made = [
        {_same(name, e) for name in page.shown for _, e in page.numbered_errors(n, name)}
        for n in range(len(page.systems))
    ]
    for n in range(len(page.systems)):
        ranked: dict[str, list[tuple[int, str, int, Error]]] = {kind: [] for kind in ERROR_TYPES}
        for document in page.shown:
            ranks = dict.fromkeys(ERROR_TYPES, 0)
            for x, error in page.numbered_errors(n, document):
                ranked[error.type].append((ranks[error.type], document, x, error))
                ranks[error.type] += 1
        for of_type in ranked.values():
            of_type.sort(key=itemgetter(0))
            for _, document, x, error in of_type[:most]:
                same = _same(document, error)
                others = [o for o, of_system in enumerate(made) if same not in of_system]
                line = line_of(starts[document], error.at.place)
                rows.append(_row(page, n, (document, line, x), error, others))
    note = (
        f"The list has at most {pluralise(most, 'error')} of each type and system, from the "
        f"documents whose texts are shown. The texts show all errors, and so does anascore errors."
    )
    heads = head("type", "system", "document", "error", "not made by")
    listed = table("Errors and their places", [heads], rows, "error-list")
    return details(
        "List of errors, with links to the texts", element("p", note), _filters(page), listed
    )


def _filters(page: PageData) -> Markup:
    """Add a form that filters the list; it needs scripts."""
    kinds = [(name, kind.label) for name, kind in ERROR_TYPES.items()]
    systems = [(str(n), name) for n, name in enumerate(page.names)]
    unlike = select("filter-unlike", "not made by", "all", systems) if page.systems[1:] else None
    words = element("label", "words ", element("input", id="filter-text", type="search"))
    return filters("Filter errors", select("filter-type", "type", "all", kinds), unlike, words)


def _same(document: str, error: Error) -> tuple[str, str, Place]:
    """Identify an error, so that the same error of two systems compares equal."""
    return document, error.type, error.at.place


def _row(
    page: PageData, n: int, at: tuple[str, int, int], error: Error, others: Sequence[int]
) -> Markup:
    """List an error at a document, line and number; `others` are the systems that avoid it."""
    document, line, x = at
    place = f"d{page.numbers[document]}l{line}"
    return element(
        "tr",
        element("td", ERROR_TYPES[error.type].label),
        system_head(n, page.systems[n].name),
        element("td", element("a", element("bdi", document), href=f"#{place}", data_s=n, data_x=x)),
        element("td", description(error), dir="auto"),
        element("td", ", ".join(page.systems[other].name for other in others)),
        data_type=error.type,
        data_s=n,
        data_unlike=" ".join(map(str, others)),
    )
