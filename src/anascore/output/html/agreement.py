"""Report of agreement: figures, disagreements, and the texts of annotators side by side."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from anascore.analysis.agreement import ITEMS, Agreement
from anascore.analysis.disagreements import DISAGREEMENT_TYPES, Disagreement, Pair
from anascore.execution import escape_control_characters
from anascore.layers.pair import DocumentPair
from anascore.metrics import LABELS
from anascore.metrics.overlap import SidePair
from anascore.model.short import pluralise
from anascore.output.agreement import agreement_grids, coefficient, overall
from anascore.output.grids import percent
from anascore.output.html.charts import MANY, Point, scatter, system_mark
from anascore.output.html.documents import text_section
from anascore.output.html.frame import choices, frame
from anascore.output.html.markup import Markup, element, joined, packed
from anascore.output.html.overview import MOST_DOCUMENTS
from anascore.output.html.tables import (
    Card,
    cards,
    conjunction,
    folded,
    grid_table,
    head,
    heat,
    pointer,
    section,
    table,
)
from anascore.output.html.text import TextColumn, document_link, line_starts, marked_text
from anascore.output.html.viewer import (
    mentions_of,
    other_layers,
    sets_of,
    text_block,
    text_of,
)
from anascore.prepare.document import PreparedDocument
from anascore.prepare.side import Side

STRIP = (
    "Aligned entities have the same colour in all columns. The strip on the right shows "
    "disagreements over the document: red are mentions that only some mark, violet entities that "
    "only some have, blue split antecedents, brown all others. The keys j and k go to the next and "
    "previous one."
)
"""Explanation of the colours and of the margin map."""

MOST_DISAGREEMENTS = 1000
"""Maximum number of disagreements in the table; the texts have all of them."""

KINDS = {
    "mention": "missing",
    "entity": "extra",
    "split antecedents": "sets",
    "anaphor": "sets",
    "elements": "sets",
}
"""CSS classes of types of disagreements in the margin map; all others are `wrong`."""


@dataclass(frozen=True)
class AgreementPage:
    """All that the page shows."""

    agreement: Agreement
    annotations: Sequence[Mapping[str, PreparedDocument]]
    """Documents of each annotator, by name."""

    compared: Mapping[Pair, Sequence[DocumentPair]]
    """Documents of each pair of annotators, in the order of names."""

    @property
    def documents(self) -> list[str]:
        """Names of the documents."""
        return list(self.agreement.counted)

    @property
    def score(self) -> str:
        """The score of the matrix and of documents."""
        names = self.agreement.mean_f1
        return "conll" if "conll" in names else next(iter(names))

    @cached_property
    def disagreements(self) -> dict[str, list[Disagreement]]:
        """Disagreements by document."""
        by_document: dict[str, list[Disagreement]] = {name: [] for name in self.documents}
        for disagreement in self.agreement.disagreements:
            by_document[disagreement.document].append(disagreement)
        return by_document


def render_agreement_page(page: AgreementPage) -> str:
    """Return the HTML of the report of agreement."""
    names = page.agreement.annotators
    sections = {
        "overview": ("Overview", _overview(page)),
        "tables": ("Tables", _tables(page)),
        "documents": ("Documents", _documents(page)),
        "disagreements": ("Disagreements", _disagreements(page)),
        "text": ("Texts", _texts(page)),
    }
    title = f"anascore agreement: {' · '.join(names)}"
    return frame(title, sections, choices("Annotators", names), _blocks(page))


def _overview(page: AgreementPage) -> Markup:
    agreement = page.agreement
    warnings = [element("li", warning) for warning in agreement.warnings]
    names = [element("bdi", name) for name in agreement.annotators]
    shown = conjunction(names) if len(names) <= MANY else f"{len(names)} annotators"
    chains = agreement.total.chains
    return section(
        "overview",
        None,
        element("h1", shown, f": α = {coefficient(agreement.alpha)}"),
        element(
            "p",
            f"{pluralise(len(agreement.counted), 'document')} · {_items(chains.items)} "
            f"({ITEMS[agreement.options.items]}) · {chains.missing:,} missing values ",
            element("code", agreement.signature, class_="signature"),
            class_="compared",
        ),
        cards(list(_cards(page))),
        element(
            "div",
            element("div", _matrix(page)),
            element("div", _types(page)),
            element("div", _extremes(page)),
            class_="tables",
        ),
        folded(f"Warnings ({len(warnings)})", element("ul", *warnings)) if warnings else None,
    )


def _items(number: int) -> str:
    return f"{number:,} item{'' if number == 1 else 's'}"


def _types(page: AgreementPage) -> Markup | None:
    """Return the number of disagreements of each type."""
    numbers = Counter(one.type for one in page.agreement.disagreements)
    rows = [
        element(
            "tr",
            element("th", DISAGREEMENT_TYPES[name], scope="row"),
            element("td", f"{numbers[name]:,}", class_="n"),
            element("td", percent(numbers[name] / numbers.total()), class_="n"),
        )
        for name, _ in numbers.most_common()
    ]
    heads = head("type", "number", "per cent", texts=1)
    return table("Disagreements by type", [heads], rows, class_="compact") if rows else None


def _extremes(page: AgreementPage) -> Markup | None:
    """Return the documents with the lowest and the highest α."""
    alphas = {
        number: (name, alpha)
        for number, name in enumerate(page.documents)
        if (alpha := page.agreement.counted[name].chains.chains.alpha) is not None
    }
    ordered = sorted(alphas, key=lambda number: alphas[number][1])
    number_of_each = min(MOST_DOCUMENTS, len(ordered) // 2)
    if not number_of_each:
        return None
    rows = []
    worst, best = ordered[:number_of_each], ordered[::-1][:number_of_each]
    for label, chosen in (("lowest", worst), ("highest", best)):
        rows += [
            element(
                "tr",
                element("td", None if rank else label),
                element("td", document_link(alphas[number][0], number)),
                element("td", coefficient(alphas[number][1]), class_="n"),
            )
            for rank, number in enumerate(chosen)
        ]
    return table(
        "Documents by α of chains", [head("", "document", "α", texts=2)], rows, class_="compact"
    )


def _cards(page: AgreementPage) -> Iterator[Card]:
    agreement, intervals = page.agreement, page.agreement.intervals
    chains = element(
        "strong", coefficient(agreement.alpha), data_k=pointer("alpha", "chains", "alpha")
    )
    items = _items(agreement.total.chains.items)
    ends = None
    if intervals and intervals.chains.low is not None:
        ends = "–".join(map(coefficient, intervals.chains))
    yield Card("Chains", "α", chains, ends, items)
    if agreement.total.chains.split_items:
        split = element(
            "strong", coefficient(agreement.split_alpha), data_k=pointer("alpha", "split", "alpha")
        )
        items = _items(agreement.total.chains.split_items)
        yield Card("Split antecedents", "α", split, None, items)
    layer = agreement.first.first.layer
    at = ("mean", "f1", layer, page.score)
    value = element("strong", percent(agreement.mean_f1[page.score]), data_k=pointer(*at))
    ends = None
    if intervals and intervals.f1[layer][page.score].low is not None:
        ends = "–".join(map(percent, intervals.f1[layer][page.score]))
    pairs = pluralise(len(agreement.pairs), "pair")
    yield Card("Mean F1 of pairs", LABELS[page.score], value, ends, pairs)
    name, kappa = overall(agreement.categories)
    remark = _items(agreement.categories.items.total())
    yield Card(
        "Categories",
        name.replace("alpha", "α"),
        element("strong", coefficient(kappa)),
        None,
        remark,
    )


def _matrix(page: AgreementPage) -> Markup:
    """Return the F1 of each pair of annotators."""
    names = page.agreement.annotators
    rows = []
    for i, own in enumerate(names):
        cells = []
        for j in range(len(names)):
            if i == j:
                cells.append(element("td", class_="n", data_s=j))
                continue
            pair = (min(i, j), max(i, j))
            f1 = page.agreement.pairs[pair].first.scores[page.score].f1
            number = list(page.agreement.pairs).index(pair)
            layer = page.agreement.first.first.layer
            at = pointer("pairs", number, "f1", layer, page.score)
            shown = element("span", percent(f1), data_k=at)
            cells.append(element("td", shown, class_=f"n {heat(f1)}", data_s=j))
        heading = element("th", system_mark(i), element("bdi", own), scope="row")
        rows.append(element("tr", heading, *cells, data_s=i))
    heads = (
        element("th", system_mark(n), element("bdi", name), scope="col", data_s=n)
        for n, name in enumerate(names)
    )
    caption = f"F1 of {LABELS[page.score]} of each pair, in per cent"
    row = element("tr", element("th", "annotator", scope="col"), *heads)
    return table(caption, [row], rows, class_="matrix")


def _tables(page: AgreementPage) -> Markup:
    """Return the tables of the text output; the first screen has the matrix of annotators."""
    grids = agreement_grids(page.agreement, per_document=False)
    matrix = f"{LABELS[page.score]} F1 by annotator"
    parts = (
        element("div", grid_table(grid, shaded=grid.title.startswith("F1 of pairs")))
        for grid in grids
        if grid.heads and grid.title != matrix
    )
    tables = element("div", *parts, class_="tables")
    return section("tables", "Scores, alpha and categories", tables)


def _documents(page: AgreementPage) -> Markup:
    """Return the table of documents, with links to the texts."""
    rows, points = [], []
    for number, name in enumerate(page.documents):
        counted = page.agreement.counted[name].chains
        f1 = page.agreement.document_f1(name)[page.score]
        alpha = element(
            "span",
            coefficient(counted.chains.alpha),
            data_k=pointer("by_document", name, "alpha", "chains", "alpha"),
        )
        shown = element("span", percent(f1), data_k=pointer("by_document", name, "f1", page.score))
        rows.append(
            element(
                "tr",
                element("th", document_link(name, number), scope="row"),
                element("td", counted.items, class_="n"),
                element("td", alpha, class_="n"),
                element("td", shown, class_=f"n {heat(f1)}"),
                element("td", len(page.disagreements[name]), class_="n"),
                data_best="",
            )
        )
        if f1 is not None:
            points.append(Point(0, counted.items, f1, f"{name}: {percent(f1)}", f"#d{number}"))
    labels = ("document", "items", "α", f"mean {LABELS[page.score]}", "disagreements")
    heads = element("tr", *(element("th", text, scope="col", data_sort=True) for text in labels))
    listed = table("Agreement by document", [heads], rows, "document-list")
    score = f"Mean F1 of {LABELS[page.score]} over pairs"
    plot = scatter(points, f"{score} against items", "items", f"{score}, in per cent")
    columns = element("div", element("div", listed), element("div", plot), class_="columns")
    return section("documents", "Documents", columns)


def _disagreements(page: AgreementPage) -> Markup | None:
    listed = page.agreement.disagreements
    if not listed:
        return None
    numbers = {name: number for number, name in enumerate(page.documents)}
    lines = {name: line_starts(page.annotations[0][name].text_document) for name in page.documents}
    rows = (
        element(
            "tr",
            element("td", DISAGREEMENT_TYPES[one.type]),
            element(
                "td",
                element(
                    "a",
                    element("bdi", one.document),
                    href=f"#d{numbers[one.document]}l{_line(lines[one.document], one)}",
                ),
            ),
            element("td", one.mention, dir="auto"),
            element("td", str(one.claims[0]), dir="auto"),
            element("td", str(one.claims[1]), dir="auto"),
            data_type=one.type,
        )
        for one in listed[:MOST_DISAGREEMENTS]
    )
    shown = min(len(listed), MOST_DISAGREEMENTS)
    note = f"{shown:,} of {len(listed):,} disagreements; the texts mark all of them."
    heads = head("type", "document", "mention", "on one side", "on the other")
    caption = "Places where annotators differ, in the order of the texts"
    return section(
        "disagreements",
        "Disagreements",
        element("p", note, class_="note") if shown < len(listed) else None,
        table(caption, [heads], rows, "error-list"),
    )


def _line(starts: Sequence[int], disagreement: Disagreement) -> int:
    """Return the number of the line that a disagreement is in."""
    first = re.match("[0-9]+", disagreement.position)
    word = int(first[0]) - 1 if first else 0
    return max(0, bisect_right(starts, word) - 1)


def _texts(page: AgreementPage) -> Markup | None:
    first = page.annotations[0]
    contents = {}
    for number, name in enumerate(page.documents):
        side = _side(page, first[name])
        text = marked_text(first[name].text_document, side, "A", f"d{number}")
        contents[number] = (name, text)
    return text_section(contents, element("p", STRIP, class_="note"))


def _side(page: AgreementPage, document: PreparedDocument) -> Side:
    is_deixis = page.agreement.chain_layer == "discourse-deixis"
    return document.discourse_deixis if is_deixis else document.identity


def _sides(page: AgreementPage, pair: DocumentPair) -> SidePair:
    is_deixis = page.agreement.chain_layer == "discourse-deixis"
    return pair.discourse_deixis if is_deixis else pair.identity


def _blocks(page: AgreementPage) -> Markup:
    """Return the data of the viewer; each annotator is a column."""
    names = page.agreement.annotators
    about = {
        "columns": [
            {"title": name, "letter": chr(ord("A") + n % 26)} for n, name in enumerate(names)
        ],
        "reference": False,
        "types": list(DISAGREEMENT_TYPES.values()),
        "typeNames": [name.replace(" ", "-") for name in DISAGREEMENT_TYPES],
        "kinds": [KINDS.get(name, "wrong") for name in DISAGREEMENT_TYPES],
        "item": "disagreement",
        "items": "Disagreements",
        "documents": [[number, name] for number, name in enumerate(page.documents)],
        "score": "",
    }
    texts = (
        text_block(number, _text_data(page, number, name))
        for number, name in enumerate(page.documents)
    )
    return joined(packed("page-data", about), *texts)


def _text_data(page: AgreementPage, number: int, name: str) -> dict[str, Any]:
    starts = line_starts(page.annotations[0][name].text_document)
    errors = _errors_by_annotator(page, name, starts)
    columns: list[dict[str, Any]] = []
    first: TextColumn | None = None
    for n, annotation in enumerate(page.annotations):
        document = annotation[name].text_document
        side = _side(page, annotation[name])
        column = TextColumn(document, starts)
        same = first is not None and first.has_text_of(document)
        shared = []
        if n:
            tables = _sides(page, page.compared[0, n][number]).tables
            cells = (tables.intersections or tables).from_key.shared
            shared = [[i, j, size] for (i, j), size in cells.items()]
        columns.append(
            {
                **({} if same else text_of(column)),
                "mentions": [[e, *column.place(mention)] for e, mention in mentions_of(side)],
                "sets": sets_of(side),
                "shared": shared,
                "errors": errors[n],
                **other_layers(document, column),
            }
        )
        first = first or column
    return {"columns": columns}


def _errors_by_annotator(
    page: AgreementPage, name: str, starts: Sequence[int]
) -> list[list[list[Any]]]:
    """Return the disagreements, each in the column of the last annotator who takes part in it."""
    names = page.agreement.annotators
    columns: list[list[list[Any]]] = [[] for _ in names]
    for one in page.disagreements[name]:
        last = max(names.index(annotator) for claim in one.claims for annotator in claim.annotators)
        kind = list(DISAGREEMENT_TYPES).index(one.type)
        text = escape_control_characters(str(one))
        columns[last].append([kind, _line(starts, one), "", "", text])
    return columns
