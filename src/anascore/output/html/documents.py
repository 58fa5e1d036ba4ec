"""Documents of a report: a table, a scatter plot, and one section per document."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import zip_longest

from anascore.analysis.errors import Error
from anascore.metrics import LABELS
from anascore.model.document import Document
from anascore.output.grids import percent
from anascore.output.html.charts import Point, legend, scatter
from anascore.output.html.data import DocumentView, PageData
from anascore.output.html.markup import Markup, element, joined
from anascore.output.html.overview import path
from anascore.output.html.sets import draw_sets, working
from anascore.output.html.tables import folded, head, number, section, table
from anascore.output.html.text import NO_TEXT, key_marks, lines, response_marks


def line_starts(document: Document) -> list[int]:
    """Return the position of the first word of each line.

    A line is a sentence, or a paragraph of a text in characters, or else 25 words.
    """
    words = document.words
    positions: Iterable[int]
    if document.sentences:
        positions = document.sentences
    elif isinstance(words, str):
        positions = (i + 1 for i, character in enumerate(words) if character == "\n")
    else:
        positions = range(0, len(words), WORDS_PER_LINE)
    return sorted({0, *positions})


WORDS_PER_LINE = 25
"""Number of words in a line of a document without sentences."""


def document_id(number: int) -> str:
    """Return the HTML id of a document."""
    return f"d{number}"


def line_id(number: int, system: int, line: int) -> str:
    """Return the HTML id of a line of a document."""
    return f"d{number}s{system}l{line}"


def error_id(page: PageData, system: int, document: str, error: Error) -> str:
    """Return the HTML id of the line that an error is in."""
    at = error.at
    word = at.words[0][0] if at.words else at.zeros[0][0]
    line = bisect_right(line_starts(page.key.documents[document]), word) - 1
    return line_id(page.numbers[document], system, max(0, line))


def document(page: PageData, name: str) -> Markup:
    """Return the section of a document, with the texts of all systems."""
    n = page.numbers[name]
    parts = [_system(page, name, n, i) for i in range(len(page.systems))]
    scores = " · ".join(
        f"{system.name} {percent(system.result.first.documents[name].scores[page.score].f1)}"
        for system in page.systems
    )
    title = joined(element("bdi", name), element("small", f" {LABELS[page.score]}: {scores}"))
    return element(
        "details",
        element("summary", element("h3", title)),
        *parts,
        id=document_id(n),
        class_="document",
    )


def _system(page: PageData, name: str, n: int, i: int) -> Markup:
    system = page.systems[i]
    view = system.looked[name]
    key = page.key.documents[name]
    first_words = line_starts(key)
    both = zip_longest(
        lines(key, first_words, key_marks(page, name, i)),
        lines(view.response, first_words, response_marks(page, name, i)),
        fillvalue=NO_TEXT,
    )
    rows = (
        element(
            "tr",
            element("td", key_line, dir="auto"),
            element("td", response_line, dir="auto"),
            id=line_id(n, i, number),
        )
        for number, (key_line, response_line) in enumerate(both)
        if key_line.strip() or response_line.strip()
    )
    title = joined(element("bdi", name), ", ", element("bdi", system.name))
    text = element(
        "table",
        element("caption", "Text of ", title),
        element("thead", head("key", "response")),
        element("tbody", *rows),
        class_="text characters" if key.in_characters else "text",
        data_pairs=_pairs(view),
        data_elements=_elements(view),
        data_place=f"d{n}s{i}",
    )
    sets = list(draw_sets(view.explained))
    return element(
        "section",
        element("h4", element("bdi", system.name)),
        text,
        folded(f"Accommodated sets: {len(sets)}", *sets, class_="sets") if sets else None,
        folded("Working: the contribution of each entity", working(view.explained, f"d{n}s{i}")),
        data_s=i,
        aria_label=f"{name}, {system.name}",
    )


def _pairs(view: DocumentView) -> str:
    """Return the entities that share mentions, the largest overlap first: K1:R2,R3 K2:R1."""
    partners: dict[str, list[tuple[int, str]]] = {}
    for (k, r), shared in view.explained.shared.items():
        partners.setdefault(k, []).append((-shared, r))
        partners.setdefault(r, []).append((-shared, k))
    return " ".join(
        f"{label}:{','.join(other for _, other in sorted(ranked))}"
        for label, ranked in partners.items()
    )


def _elements(view: DocumentView) -> str:
    """Return the elements of accommodated sets: K3:K1,K2."""
    entities = (*view.explained.key, *view.explained.response)
    return " ".join(f"{e.label}:{','.join(e.elements)}" for e in entities if e.elements)


def documents(page: PageData) -> Markup:
    """Return the section of documents: a plot, a table, and the texts of the chosen ones."""
    shown, total = len(page.shown), len(page.key.documents)
    note = f"The texts of {shown} of {total} documents are shown. Use --documents to choose others."
    hint = element("p", note, class_="note") if shown < total else None
    label = LABELS[page.score]
    return section(
        "documents",
        "Documents",
        hint,
        legend([system.name for system in page.systems]),
        scatter(_points(page), f"{label} against the number of words", "words", f"F1 of {label}"),
        _filters(page),
        _table(page),
        *(document(page, name) for name in page.shown),
    )


def _points(page: PageData) -> list[Point]:
    points = []
    for n, system in enumerate(page.systems):
        for name, document_result in system.result.first.documents.items():
            f1 = document_result.scores[page.score].f1
            if f1 is not None:
                title = f"{name}, {system.name}: {percent(f1)}"
                target = f"#{document_id(page.numbers[name])}"
                words = page.key.documents[name].number_of_words
                points.append(Point(n, words, f1, title, target))
    return points


def _filters(page: PageData) -> Markup:
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


def _table(page: PageData) -> Markup:
    label = LABELS[page.score]
    heads = ["document", "words", "mentions"]
    for system in page.systems:
        heads += [f"{label}, {system.name}", f"errors, {system.name}"]
    rows = []
    for n, (name, key) in enumerate(page.key.documents.items()):
        scores = [s.result.first.documents[name].scores[page.score].f1 for s in page.systems]
        defined = [f1 for f1 in scores if f1 is not None]
        best = [str(i) for i, f1 in enumerate(scores) if defined and f1 == max(defined)]
        label_of_row = element("bdi", name)
        if name in page.shown:
            label_of_row = element("a", label_of_row, href=f"#{document_id(n)}")
        cells = [
            element("td", key.number_of_words, class_="n"),
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
                element("th", label_of_row, scope="row"),
                *cells,
                data_best=" ".join(best),
                data_place=document_id(n),
            )
        )
    heading = element("tr", *(element("th", text, scope="col", data_sort=True) for text in heads))
    return table(f"All documents, with the F1 of {label}", [heading], rows, "document-list")
