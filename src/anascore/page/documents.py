"""Documents: a table of all, a plot of their scores, and each one's text."""

from __future__ import annotations

from anascore.metrics import LABELS
from anascore.page.charts import Point, legend, points
from anascore.page.document import document
from anascore.page.gathered import Gathered
from anascore.page.markup import Markup, element
from anascore.page.overview import path
from anascore.page.places import document_place
from anascore.page.tables import number, section, table
from anascore.report.numbers import percent


def documents(page: Gathered) -> Markup:
    """Show all documents in a table and a plot, then the texts of those that were chosen."""
    left = len(page.key.documents) - len(page.shown)
    what = (
        f"The texts of {len(page.shown)} of {len(page.key.documents)} documents are shown"
        if left
        else ""
    )
    hint = element("p", f"{what}; --documents chooses them.", class_="note") if left else None
    label = LABELS[page.score]
    return section(
        "documents",
        "Documents",
        hint,
        legend([system.name for system in page.systems]),
        points(_points(page), f"{label} against the number of words", "words", f"F1 of {label}"),
        _filters(page),
        _table(page),
        *(document(page, name) for name in page.shown),
    )


def _points(page: Gathered) -> list[Point]:
    found = []
    for n, system in enumerate(page.systems):
        for name, found_in in system.result.first.documents.items():
            f1 = found_in.scores[page.score].f1
            if f1 is not None:
                title = f"{name}, {system.name}: {percent(f1)}"
                target = f"#{document_place(page.numbers[name])}"
                found.append(Point(n, page.key.documents[name].number_of_words, f1, title, target))
    return found


def _filters(page: Gathered) -> Markup:
    field = element("input", id="filter-document", type="search")
    best = (
        element(
            "label",
            "best system ",
            element(
                "select",
                element("option", "any", value=""),
                *(element("option", s.name, value=n) for n, s in enumerate(page.systems)),
                id="filter-best",
            ),
        )
        if page.systems[1:]
        else None
    )
    name = element("label", "name ", field)
    return element(
        "form",
        name,
        best,
        class_="filters",
        role="search",
        aria_label="Filter documents",
    )


def _table(page: Gathered) -> Markup:
    label = LABELS[page.score]
    heads = ["document", "words", "mentions"]
    for system in page.systems:
        heads += [f"{label}, {system.name}", f"errors, {system.name}"]
    rows = []
    for n, (name, of_key) in enumerate(page.key.documents.items()):
        scores = [s.result.first.documents[name].scores[page.score].f1 for s in page.systems]
        known = [f1 for f1 in scores if f1 is not None]
        best = [str(i) for i, f1 in enumerate(scores) if known and f1 == max(known)]
        shown = element("bdi", name)
        if name in page.shown:
            shown = element("a", shown, href=f"#{document_place(n)}")
        cells = [
            element("td", of_key.number_of_words, class_="n"),
            element("td", page.systems[0].result.first.counted[name].key["mentions"], class_="n"),
        ]
        for i, system in enumerate(page.systems):
            at = (
                *path(page, i, system.result.first),
                "documents",
                name,
                "scores",
                page.score,
                "f1",
            )
            cells.append(number(scores[i], *at))
            errors = sum(map(len, system.errors[name].errors.values()))
            cells.append(element("td", errors, class_="n"))
        rows.append(
            element(
                "tr",
                element("th", shown, scope="row"),
                *cells,
                data_best=" ".join(best),
                data_place=document_place(n),
            )
        )
    heading = element("tr", *(element("th", text, scope="col", data_sort=True) for text in heads))
    return table(f"All documents, with the F1 of {label}", [heading], rows, "document-list")
