"""Errors by type: how many, what they cost, and where they are."""

from __future__ import annotations

from collections.abc import Iterator

from anascore.analysis.errors import ERROR_TYPES, Error
from anascore.metrics import LABELS
from anascore.output.analysis import description
from anascore.output.html.charts import ChartRow, ChartValue, bars, legend
from anascore.output.html.data import CORRECTED, PageData
from anascore.output.html.documents import place_of
from anascore.output.html.markup import Markup, element
from anascore.output.html.tables import count, folded, head, number, section, system_head, table
from anascore.results import scores_from_counts

MOST_ERRORS = 40
"""How many errors of a type and a system are listed at most."""


def errors(page: PageData) -> Markup:
    """Show the errors of all systems."""
    analysed = [system.analysed for system in page.systems]
    rows = [
        ChartRow(
            kind.label,
            [
                ChartValue(len(found.errors[name]), text=str(len(found.errors[name])))
                for found in analysed
            ],
        )
        for name, kind in ERROR_TYPES.items()
        if any(found.errors[name] for found in analysed)
    ]
    if not rows:
        return section("errors", "Errors", element("p", "There are none."))
    return section(
        "errors",
        "Errors",
        legend([system.name for system in page.systems]),
        bars(rows, "Number of errors by type and system"),
        _costs(page),
        _list(page),
    )


def _costs(page: PageData) -> Markup:
    """Show what the scores would be with all errors of one type corrected."""
    scores = [name for name in LABELS if name in CORRECTED]
    rows = []
    for n, system in enumerate(page.systems):
        found = system.analysed
        states = {
            "as it is": (found.as_it_is, ("scores",)),
            **{
                name: (found.corrected[name], ("types", name, "corrected"))
                for name in ERROR_TYPES
                if found.errors[name]
            },
            "all corrected": (found.all_corrected, ("all_corrected",)),
        }
        for name, (counted, where) in states.items():
            kind = ERROR_TYPES.get(name)
            cells = [element("td", kind.label if kind else name)]
            how_many = len(found.errors.get(name, ()))
            cells.append(
                count(how_many, "errors", n, "types", name, "errors") if kind else element("td")
            )
            values = scores_from_counts(counted, CORRECTED)
            cells += [number(values[s].f1, "errors", n, *where, s, "f1") for s in scores]
            rows.append(element("tr", system_head(n, system.name), *cells))
    heads = head("system", "corrected", "errors", *(LABELS[name] for name in scores))
    return table("F1 with all errors of one type corrected, and no others", [heads], rows)


def _list(page: PageData) -> Markup:
    """List errors, those at the beginning of each document first, with links to their places."""
    rows = []
    for n, system in enumerate(page.systems):
        for kind in ERROR_TYPES:
            ranked = [
                (rank, document, error)
                for document in page.shown
                for rank, error in enumerate(system.errors[document].errors[kind])
            ]
            ranked.sort(key=lambda found: found[0])
            rows += [_row(page, n, document, error) for _, document, error in ranked[:MOST_ERRORS]]
    note = (
        f"At most {MOST_ERRORS} errors of each type and system are listed, of the documents whose "
        f"texts are shown below; anascore errors lists all."
    )
    listed = table("Errors and where they are", [_heads()], rows, "error-list")
    return folded(
        "List of errors, with links to their places", element("p", note), _filters(page), listed
    )


def _heads() -> Markup:
    return head("type", "system", "document", "what", "not made by")


def _filters(page: PageData) -> Markup:
    """Make the choices that narrow the list down; they need scripts."""
    kinds = [(name, kind.label) for name, kind in ERROR_TYPES.items()]
    systems = [(str(n), system.name) for n, system in enumerate(page.systems)]
    chosen = [
        _select("filter-type", "type", kinds),
        *([_select("filter-unlike", "not made by", systems)] if systems[1:] else []),
    ]
    field = element("input", id="filter-text", type="search")
    words = element("label", "words ", field)
    return element(
        "form",
        *chosen,
        words,
        class_="filters",
        role="search",
        aria_label="Filter errors",
    )


def _select(name: str, label: str, options: list[tuple[str, str]]) -> Markup:
    every = element("option", "all", value="")
    found = (element("option", text, value=value) for value, text in options)
    return element("label", f"{label} ", element("select", every, *found, id=name))


def _row(page: PageData, n: int, document: str, error: Error) -> Markup:
    others = list(_not_made_by(page, n, document, error))
    return element(
        "tr",
        element("td", ERROR_TYPES[error.type].label),
        system_head(n, page.systems[n].name),
        element(
            "td",
            element("a", element("bdi", document), href=f"#{place_of(page, n, document, error)}"),
        ),
        element("td", description(error), dir="auto"),
        element("td", ", ".join(page.systems[other].name for other in others)),
        data_type=error.type,
        data_s=n,
        data_unlike=" ".join(map(str, others)),
    )


def _not_made_by(page: PageData, n: int, document: str, error: Error) -> Iterator[int]:
    """Give the other systems that do not make the same error."""
    for other, system in enumerate(page.systems):
        if other != n and not any(
            found.at.place == error.at.place for found in system.errors[document].errors[error.type]
        ):
            yield other
