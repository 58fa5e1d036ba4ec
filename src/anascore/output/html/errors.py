"""Errors by type: their cost, their number, and a list with links to the texts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter, itemgetter
from typing import NamedTuple

from anascore.analysis.errors import ERROR_TYPES, Error
from anascore.metrics import LABELS
from anascore.model.mention import Place
from anascore.model.short import pluralise
from anascore.output.analysis import description
from anascore.output.html.charts import MANY, Bar, ChartValue, bars, level
from anascore.output.html.data import PageData
from anascore.output.html.markup import Markup, element
from anascore.output.html.tables import (
    count,
    folded,
    head,
    number,
    section,
    signed,
    system_head,
    table,
)
from anascore.output.html.text import line_of, line_starts
from anascore.results import scores_from_counts

MOST_ROWS = 1500
"""Maximum number of errors listed, which bounds the size of the page."""

MOST_ERRORS = 40
"""Maximum number of errors listed for a type and a system."""

MOST_COSTLY = 3
"""Number of types of errors on the first screen, for each system."""


class ErrorCost(NamedTuple):
    """Cost of a type of error: the gain in F1 if all errors of the type were corrected."""

    type: str
    label: str
    points: float
    errors: int


def score_of_costs(page: PageData) -> str:
    """Return the score that costs are measured in."""
    return page.corrected[-1]


def costs(page: PageData, n: int) -> list[ErrorCost]:
    """Return the cost of each type of error that a system makes; an undefined F1 counts as 0."""
    analysis, score = page.systems[n].analysed, score_of_costs(page)
    before = scores_from_counts(analysis.as_it_is, page.corrected)[score].f1 or 0.0
    return [
        ErrorCost(
            name,
            kind.label,
            (scores_from_counts(analysis.corrected[name], page.corrected)[score].f1 or 0.0)
            - before,
            len(analysis.errors[name]),
        )
        for name, kind in ERROR_TYPES.items()
        if analysis.errors[name]
    ]


def costliest(page: PageData, n: int) -> list[ErrorCost]:
    """Return the types of errors that cost a system most."""
    return sorted(costs(page, n), key=attrgetter("points"), reverse=True)[:MOST_COSTLY]


def errors(page: PageData) -> Markup:
    """Return the section of errors, with all systems."""
    by_system = [costs(page, n) for n in range(len(page.systems))]
    if not any(by_system):
        return section("errors", "Errors", element("p", "No errors."))
    label = LABELS[score_of_costs(page)]
    rule = (
        f"Points of {label} that a system would gain if all errors of one type, and no others, "
        f"were corrected; in brackets the number of errors. All bars have the same scale."
    )
    draw = _levels if len(page.systems) > MANY else _panels
    return section(
        "errors",
        "Errors",
        element("p", page.note_on_errors) if page.note_on_errors else None,
        element("p", rule),
        draw(page, by_system),
        folded("Scores with errors corrected", _corrected(page)),
        _list(page) if page.shown else None,
    )


def _panels(page: PageData, by_system: Sequence[Sequence[ErrorCost]]) -> Markup:
    """Return a chart for each system, with the same rows and the same scale."""
    points = [cost.points for of_system in by_system for cost in of_system]
    scale = min(0.0, *points), max(1e-9, *points)
    made = {cost.type: cost.label for of_system in by_system for cost in of_system}
    types = [name for name in ERROR_TYPES if name in made]
    panels = []
    for n, of_system in enumerate(by_system):
        costs_by_type = {cost.type: cost for cost in of_system}
        none = (ErrorCost(name, made[name], 0.0, 0) for name in types)
        rows = [costs_by_type.get(cost.type, cost) for cost in none]
        name = page.systems[n].name
        chart = bars(
            [Bar(c.label, c.points, f"{signed(c.points)} ({c.errors:,})") for c in rows],
            scale,
            n,
            f"Cost of errors of {name} in points of {LABELS[score_of_costs(page)]}",
        )
        heading = element("h3", system_head(n, name, "span"))
        panels.append(element("div", heading, chart, class_="panel", data_s=n))
    return element("div", *panels, class_="panels")


def _levels(page: PageData, by_system: Sequence[Sequence[ErrorCost]]) -> Markup:
    """Return a table in which each system is a column of bars."""
    costs_by_type = [{cost.type: cost for cost in of_system} for of_system in by_system]
    most = max(1e-9, *(cost.points for of_system in by_system for cost in of_system))
    rows = []
    for name, kind in ERROR_TYPES.items():
        of_type = [by_type.get(name) for by_type in costs_by_type]
        if not any(of_type):
            continue
        cells = (_level(cost, most, n) for n, cost in enumerate(of_type))
        rows.append(element("tr", element("th", kind.label, scope="row"), *cells))
    systems = (
        element("th", system_head(n, system.name, "span"), scope="col", data_s=n)
        for n, system in enumerate(page.systems)
    )
    heads = element("tr", element("th", "error", scope="col"), *systems)
    caption = f"Gain in {LABELS[score_of_costs(page)]}; bars from 0 to {100 * most:.2f} points"
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


def _corrected(page: PageData) -> Markup:
    """Return the table of scores with all errors of one type corrected."""
    scores = [name for name in LABELS if name in page.corrected]
    rows = []
    for n, system in enumerate(page.systems):
        analysis = system.analysed
        states = {
            "unchanged": (analysis.as_it_is, ("scores",)),
            **{
                name: (analysis.corrected[name], ("types", name, "corrected"))
                for name in ERROR_TYPES
                if analysis.errors[name]
            },
            "all corrected": (analysis.all_corrected, ("all_corrected",)),
        }
        for name, (counts, json_path) in states.items():
            kind = ERROR_TYPES.get(name)
            cells = [element("td", kind.label if kind else name)]
            size = len(analysis.errors.get(name, ()))
            cells.append(
                count(size, "errors", n, "types", name, "errors") if kind else element("td")
            )
            values = scores_from_counts(counts, page.corrected)
            cells += [number(values[s].f1, "errors", n, *json_path, s, "f1") for s in scores]
            rows.append(element("tr", system_head(n, system.name), *cells, data_s=n))
    heads = head("system", "corrected", "errors", *(LABELS[name] for name in scores), texts=2)
    return table("F1 with only the errors of one type corrected", [heads], rows)


def numbered_errors(page: PageData, n: int, document: str) -> Iterator[tuple[int, Error]]:
    """Yield the errors of a system in a document with their numbers, which links use."""
    by_type = page.systems[n].errors[document].errors
    yield from enumerate(error for kind in ERROR_TYPES for error in by_type[kind])


def _list(page: PageData) -> Markup:
    """Return the list of errors with links, those at the start of each document first."""
    most = min(MOST_ERRORS, max(3, MOST_ROWS // (len(ERROR_TYPES) * len(page.systems))))
    rows = []
    starts = {name: line_starts(page.key.documents[name]) for name in page.shown}
    made = [
        {_same(name, e) for name in page.shown for _, e in numbered_errors(page, n, name)}
        for n in range(len(page.systems))
    ]
    for n in range(len(page.systems)):
        ranked: dict[str, list[tuple[int, str, int, Error]]] = {kind: [] for kind in ERROR_TYPES}
        for document in page.shown:
            ranks = dict.fromkeys(ERROR_TYPES, 0)
            for x, error in numbered_errors(page, n, document):
                ranked[error.type].append((ranks[error.type], document, x, error))
                ranks[error.type] += 1
        for of_type in ranked.values():
            of_type.sort(key=itemgetter(0))
            for _, document, x, error in of_type[:most]:
                same = _same(document, error)
                others = [o for o, of_system in enumerate(made) if same not in of_system]
                line = line_of(starts[document], error.at)
                rows.append(_row(page, n, (document, line, x), error, others))
    note = (
        f"The list has at most {pluralise(most, 'error')} of each type and system, from the "
        f"documents whose texts are shown. The texts show all errors, and so does anascore errors."
    )
    listed = table("Errors and their places", [_heads()], rows, "error-list")
    return folded(
        "List of errors, with links to the texts", element("p", note), _filters(page), listed
    )


def _heads() -> Markup:
    return head("type", "system", "document", "error", "not made by")


def _filters(page: PageData) -> Markup:
    """Return the form that filters the list; it needs scripts."""
    kinds = [(name, kind.label) for name, kind in ERROR_TYPES.items()]
    systems = [(str(n), system.name) for n, system in enumerate(page.systems)]
    selects = [
        _select("filter-type", "type", kinds),
        *([_select("filter-unlike", "not made by", systems)] if systems[1:] else []),
    ]
    field = element("input", id="filter-text", type="search")
    words = element("label", "words ", field)
    return element(
        "form",
        *selects,
        words,
        class_="filters",
        role="search",
        aria_label="Filter errors",
    )


def _select(name: str, label: str, options: list[tuple[str, str]]) -> Markup:
    all_option = element("option", "all", value="")
    others = (element("option", text, value=value) for value, text in options)
    return element("label", f"{label} ", element("select", all_option, *others, id=name))


def _same(document: str, error: Error) -> tuple[str, str, Place]:
    """Return what is the same in the same error of two systems."""
    return document, error.type, error.at.place


def _row(
    page: PageData, n: int, at: tuple[str, int, int], error: Error, others: Sequence[int]
) -> Markup:
    """Return the row of an error, given its document, line and number, and who does not make it."""
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
