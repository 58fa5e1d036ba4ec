"""Documents in a report: a plot, a table, and the texts."""

from __future__ import annotations

from collections.abc import Mapping

from anascore.analysis.report import PageData
from anascore.metrics.scores import LABELS
from anascore.output.grid import percent
from anascore.output.html.charts import Point, legend, scatter
from anascore.output.html.markup import Markup, element, joined
from anascore.output.html.sets import draw_sets, explain_credit
from anascore.output.html.tables import filters, section, select, shade, system_columns, table
from anascore.output.html.text import document_link, marked_text


def documents(page: PageData) -> Markup:
    """Draw the section on documents: a plot, and a table."""
    shown, total = len(page.shown), len(page.key.documents)
    note = f"The report has the texts of {shown} of {total} documents (--documents)."
    if not shown:
        note = "The report has no texts."
    label = LABELS[page.score]
    return section(
        "documents",
        "Documents",
        element("p", note, class_="note") if shown < total else None,
        element(
            "div",
            element("div", _filters(page), _table(page)),
            element(
                "div",
                legend(page.names),
                scatter(
                    _points(page),
                    f"{label} against the number of words",
                    "words",
                    f"F1 of {label} in per cent",
                ),
            ),
            class_="columns",
        ),
    )


def _points(page: PageData) -> list[Point]:
    points = []
    for n, system in enumerate(page.systems):
        for name, document_result in system.result.first.documents.items():
            f1 = document_result.scores[page.score].f1
            if f1 is not None:
                title = f"{name}, {system.name}: {percent(f1)}"
                number = page.link_number(name)
                target = "#documents" if number is None else f"#d{number}"
                words = page.key.documents[name].number_of_words
                points.append(Point(n, words, f1, title, target))
    return points


def _filters(page: PageData) -> Markup:
    name = element("label", "name ", element("input", id="filter-document", type="search"))
    systems = [(str(n), name) for n, name in enumerate(page.names)]
    best = select("filter-best", "best system", "any", systems) if page.systems[1:] else None
    return filters("Filter documents", name, best)


def _table(page: PageData) -> Markup:
    label = LABELS[page.score]
    heads = [
        element("th", text, scope="col", data_sort=True)
        for text in ("document", "words", "mentions")
    ]
    heads += system_columns(page.names, data_sort=True)
    rows = []
    for name, key in page.key.documents.items():
        scores = [s.result.first.documents[name].scores[page.score].f1 for s in page.systems]
        defined = [f1 for f1 in scores if f1 is not None]
        best = [str(i) for i, f1 in enumerate(scores) if defined and f1 == max(defined)]
        mentions = page.systems[0].result.first.counted[name].key["mentions"]
        cells = [
            element("td", key.number_of_words, class_="n"),
            element("td", mentions, class_="n"),
            *(_cell(page, i, name, f1) for i, f1 in enumerate(scores)),
        ]
        heading = element("th", document_link(name, page.link_number(name)), scope="row")
        rows.append(element("tr", heading, *cells, data_best=" ".join(best)))
    caption = f"F1 of {label}, and the number of errors"
    return table(caption, [element("tr", *heads)], rows, "document-list")


def _cell(page: PageData, n: int, name: str, f1: float | None) -> Markup:
    system = page.systems[n]
    errors = sum(map(len, system.errors[name].errors.values()))
    return element(
        "td", percent(f1), element("small", f" {errors}"), class_=f"n {shade(f1)}", data_s=n
    )


def texts(page: PageData) -> Markup | None:
    """Draw the section with the texts, and the key and the sets for readers without scripts."""
    marks = (
        element("li", element("span", label, class_=f"m {name}")) for name, label in MARKS.items()
    )
    return text_section(
        {page.numbers[name]: (name, _without_script(page, name)) for name in page.shown},
        joined(
            element("ul", *marks, class_="marks", aria_label="Marks"),
            element("p", STRIP, class_="note"),
        ),
    )


def text_section(
    documents: Mapping[int, tuple[str, Markup]], legend: Markup | None = None
) -> Markup | None:
    """Make room for the viewer, and show readers without scripts each document's content.

    Browsers parse `noscript` only without scripts; otherwise, the viewer copies the sets from it.
    """
    if not documents:
        return None
    without_scripts = (
        element(
            "details",
            element("summary", element("h3", element("bdi", name))),
            element("noscript", content),
            id=f"d{number}",
            class_="document",
        )
        for number, (name, content) in documents.items()
    )
    viewer = element("div", legend, element("div", id="viewer"), class_="needs-script")
    return section("text", "Texts", viewer, *without_scripts)


MARKS = {
    "right": "resolved correctly",
    "part": "correct, partial match",
    "wrong": "found, resolved incorrectly",
    "span": "wrong span",
    "extra": "extra",
    "missing": "missing",
}
"""Meaning of the marks in response texts, by CSS class."""


STRIP = (
    "The strip on the right shows the errors of each system over the document: red are missing, "
    "violet extra, brown resolved incorrectly or with a wrong span, blue errors of split "
    "antecedents. The first lane is the selected entity. Dotted frames are entities that share "
    "mentions with it, dashed ones the elements of its set."
)
"""Explanation of the margin map and the frames."""


def _without_script(page: PageData, name: str) -> Markup:
    sets = (
        element(
            "section",
            element("p", explain_credit(), class_="note"),
            *draw_sets(system.views[name].working, system.name),
            class_="sets",
            data_s=n,
            aria_label=f"Sets, {system.name}",
        )
        for n, system in enumerate(page.systems)
        if system.views[name].has_sets
    )
    side = page.systems[0].views[name].sides[0]
    text = marked_text(page.key.documents[name], side, "K", f"d{page.numbers[name]}")
    return joined(text, *sets)
