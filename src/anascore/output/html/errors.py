"""Errors by type: counts, scores after correction, and a list with links."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter

from anascore.analysis.errors import ERROR_TYPES, Error
from anascore.metrics import LABELS
from anascore.output.analysis import description
from anascore.output.html.charts import ChartRow, ChartValue, bars, legend
from anascore.output.html.data import CORRECTED, PageData
from anascore.output.html.documents import error_id
from anascore.output.html.markup import Markup, element
from anascore.output.html.tables import count, folded, head, number, section, system_head, table
from anascore.results import scores_from_counts

MOST_ERRORS = 40
"""Maximum number of errors listed for a type and a system."""


def errors(page: PageData) -> Markup:
    """Return the section of errors, with all systems."""
    analyses = [system.analysed for system in page.systems]
    rows = [
        ChartRow(
            kind.label,
            [
                ChartValue(len(analysis.errors[name]), text=str(len(analysis.errors[name])))
                for analysis in analyses
            ],
        )
        for name, kind in ERROR_TYPES.items()
        if any(analysis.errors[name] for analysis in analyses)
    ]
    if not rows:
        return section("errors", "Errors", element("p", "No errors."))
    return section(
        "errors",
        "Errors",
        element("p", page.note_on_errors) if page.note_on_errors else Markup(""),
        legend([system.name for system in page.systems]),
        bars(rows, "Number of errors by type and system"),
        _costs(page),
        _list(page),
    )


def _costs(page: PageData) -> Markup:
    """Return the table of scores with all errors of one type corrected."""
    scores = [name for name in LABELS if name in CORRECTED]
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
            values = scores_from_counts(counts, CORRECTED)
            cells += [number(values[s].f1, "errors", n, *json_path, s, "f1") for s in scores]
            rows.append(element("tr", system_head(n, system.name), *cells))
    heads = head("system", "corrected", "errors", *(LABELS[name] for name in scores))
    return table("F1 with only the errors of one type corrected", [heads], rows)


def _list(page: PageData) -> Markup:
    """Return the list of errors with links, those at the start of each document first."""
    rows = []
    for n, system in enumerate(page.systems):
        for kind in ERROR_TYPES:
            ranked = [
                (rank, document, error)
                for document in page.shown
                for rank, error in enumerate(system.errors[document].errors[kind])
            ]
            ranked.sort(key=itemgetter(0))
            rows += [_row(page, n, document, error) for _, document, error in ranked[:MOST_ERRORS]]
    note = (
        f"The list has at most {MOST_ERRORS} errors of each type and system, from the documents "
        f"whose texts are shown below. Run anascore errors to list all."
    )
    errors_table = table("Errors and their places", [_heads()], rows, "error-list")
    return folded(
        "List of errors, with links to the texts",
        element("p", note),
        _filters(page),
        errors_table,
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


def _row(page: PageData, n: int, document: str, error: Error) -> Markup:
    others = list(_not_made_by(page, n, document, error))
    return element(
        "tr",
        element("td", ERROR_TYPES[error.type].label),
        system_head(n, page.systems[n].name),
        element(
            "td",
            element("a", element("bdi", document), href=f"#{error_id(page, n, document, error)}"),
        ),
        element("td", description(error), dir="auto"),
        element("td", ", ".join(page.systems[other].name for other in others)),
        data_type=error.type,
        data_s=n,
        data_unlike=" ".join(map(str, others)),
    )


def _not_made_by(page: PageData, n: int, document: str, error: Error) -> Iterator[int]:
    """Yield the other systems that do not make the same error."""
    for other, system in enumerate(page.systems):
        if other != n and not any(
            same.at.place == error.at.place for same in system.errors[document].errors[error.type]
        ):
            yield other
