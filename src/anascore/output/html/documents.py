"""Documents of a report: the list, a plot, and the page section of each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from itertools import zip_longest

from anascore.analysis.errors import Error
from anascore.metrics import LABELS
from anascore.model.document import Document
from anascore.output.grids import percent
from anascore.output.html.charts import Point, legend, points
from anascore.output.html.data import DocumentView, PageData
from anascore.output.html.markup import Markup, element, joined
from anascore.output.html.overview import path
from anascore.output.html.sets import sets_of, working
from anascore.output.html.tables import folded, head, number, section, table
from anascore.output.html.text import NO_TEXT, key_marks, lines, response_marks


def starts(document: Document) -> list[int]:
    """Return the positions of the words that lines begin with: sentences, or paragraphs."""
    words = document.words
    begun: Iterable[int]
    if document.sentences:
        begun = document.sentences
    elif isinstance(words, str):
        begun = (place + 1 for place, letter in enumerate(words) if letter == "\n")
    else:
        begun = range(0, len(words), WORDS)
    return sorted({0, *begun})


WORDS = 25
"""How many words make a line where there are no sentences."""


def document_place(number: int) -> str:
    """Name the place of a document."""
    return f"d{number}"


def line_place(number: int, system: int, line: int) -> str:
    """Name the place of a line of a document."""
    return f"d{number}s{system}l{line}"


def place_of(page: PageData, system: int, document: str, error: Error) -> str:
    """Name the place of an error."""
    at = error.at
    word = at.words[0][0] if at.words else at.zeros[0][0]
    line = bisect_right(starts(page.key.documents[document]), word) - 1
    return line_place(page.numbers[document], system, max(0, line))


def document(page: PageData, name: str) -> Markup:
    """Show one document, system by system."""
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
        id=document_place(n),
        class_="document",
    )


def _system(page: PageData, name: str, n: int, i: int) -> Markup:
    system = page.systems[i]
    looked = system.looked[name]
    key = page.key.documents[name]
    begun = starts(key)
    both = zip_longest(
        lines(key, begun, key_marks(page, name, i)),
        lines(looked.response, begun, response_marks(page, name, i)),
        fillvalue=NO_TEXT,
    )
    rows = (
        element(
            "tr",
            element("td", ours, dir="auto"),
            element("td", theirs, dir="auto"),
            id=line_place(n, i, number),
        )
        for number, (ours, theirs) in enumerate(both)
        if ours.strip() or theirs.strip()
    )
    title = joined(element("bdi", name), ", ", element("bdi", system.name))
    text = element(
        "table",
        element("caption", "Text of ", title),
        element("thead", head("key", "response")),
        element("tbody", *rows),
        class_="text characters" if key.in_characters else "text",
        data_pairs=_pairs(looked),
        data_elements=_elements(looked),
        data_place=f"d{n}s{i}",
    )
    sets = list(sets_of(looked.explained))
    return element(
        "section",
        element("h4", element("bdi", system.name)),
        text,
        folded(f"Accommodated sets: {len(sets)}", *sets, class_="sets") if sets else None,
        folded("Working: what each entity adds", working(looked.explained, f"d{n}s{i}")),
        data_s=i,
        aria_label=f"{name}, {system.name}",
    )


def _pairs(looked: DocumentView) -> str:
    """Say which entities have mentions in common, the one with most first: K1:R2,R3 K2:R1."""
    found: dict[str, list[tuple[int, str]]] = {}
    for (k, r), shared in looked.explained.shared.items():
        found.setdefault(k, []).append((-shared, r))
        found.setdefault(r, []).append((-shared, k))
    return " ".join(
        f"{one}:{','.join(o for _, o in sorted(others))}" for one, others in found.items()
    )


def _elements(looked: DocumentView) -> str:
    """Say which entities have elements: K3:K1,K2."""
    described = (*looked.explained.key, *looked.explained.response)
    return " ".join(f"{one.label}:{','.join(one.elements)}" for one in described if one.elements)


def documents(page: PageData) -> Markup:
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


def _points(page: PageData) -> list[Point]:
    found = []
    for n, system in enumerate(page.systems):
        for name, found_in in system.result.first.documents.items():
            f1 = found_in.scores[page.score].f1
            if f1 is not None:
                title = f"{name}, {system.name}: {percent(f1)}"
                target = f"#{document_place(page.numbers[name])}"
                found.append(Point(n, page.key.documents[name].number_of_words, f1, title, target))
    return found


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
