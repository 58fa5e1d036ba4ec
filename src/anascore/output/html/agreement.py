"""Agreement report: numbers, disagreements, and the annotators' texts side by side."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from anascore.analysis.agreement import ITEMS, Agreement
from anascore.analysis.disagreements import DISAGREEMENT_TYPES, Disagreement, Pair
from anascore.entities.document import PreparedDocument
from anascore.entities.side import Side
from anascore.layers.document import DocumentComparison
from anascore.metrics.overlap import ComparedSides
from anascore.metrics.scores import LABELS
from anascore.model.abbreviated import pluralise
from anascore.output.agreement import (
    annotator_matrix,
    coefficient,
    document_grid,
    main_score,
    overall,
    tables,
)
from anascore.output.grid import Cell, Column, Grid, Head, percent
from anascore.output.html.charts import MANY, Point, scatter
from anascore.output.html.documents import text_section
from anascore.output.html.frame import choices, frame
from anascore.output.html.markup import Markup, element, joined, packed
from anascore.output.html.tables import (
    Card,
    cards,
    conjunction,
    details,
    extremes,
    grid_table,
    section,
)
from anascore.output.html.text import (
    TextColumn,
    document_link,
    line_of,
    line_starts,
    marked_text,
)
from anascore.output.html.viewer import (
    mentions_of,
    other_layers,
    sets_of,
    text_block,
    text_of,
)
from anascore.output.scores import count_cell
from anascore.terminal import escape_control_characters

STRIP = (
    "Aligned entities have the same colour in all columns. The strip on the right shows "
    "disagreements over the document: red are mentions that only some mark, violet entities that "
    "only some have, blue split antecedents, brown all others. The keys j and k go to the next and "
    "previous one."
)
"""Explanation of the colours and the margin map."""

MOST_DISAGREEMENTS = 1000
"""Maximum number of disagreements in the table; the texts show all of them."""

KINDS = {
    "mention": "missing",
    "entity": "extra",
    "split antecedents": "sets",
    "anaphor": "sets",
    "elements": "sets",
}
"""CSS classes of disagreement types in the margin map; all other types are `wrong`."""


@dataclass(frozen=True)
class AgreementPage:
    """Everything that the page shows."""

    agreement: Agreement
    annotations: Sequence[Mapping[str, PreparedDocument]]
    """Each annotator's documents by name."""

    compared: Mapping[Pair, Sequence[DocumentComparison]]
    """Documents of each pair of annotators, in the order of names."""

    @property
    def documents(self) -> list[str]:
        """Document names."""
        return list(self.agreement.counted)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Document numbers, which links use."""
        return {name: number for number, name in enumerate(self.documents)}

    def link(self, name: str) -> Markup:
        """Link a document's name to its text."""
        return document_link(name, self.numbers[name])

    @cached_property
    def disagreements(self) -> dict[str, list[Disagreement]]:
        """Disagreements by document."""
        by_document: dict[str, list[Disagreement]] = {name: [] for name in self.documents}
        for disagreement in self.agreement.disagreements:
            by_document[disagreement.document].append(disagreement)
        return by_document


def render_agreement_page(page: AgreementPage) -> str:
    """Build the HTML of the agreement report."""
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
        element("h1", shown, f": α = {coefficient(agreement.alpha).text()}"),
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
            *(element("div", part) for part in (_matrix(page), _types(page), _extremes(page))),
            class_="tables",
        ),
        details(f"Warnings ({len(warnings)})", element("ul", *warnings)) if warnings else None,
    )


def _items(number: int) -> str:
    return f"{number:,} item{'' if number == 1 else 's'}"


def _types(page: AgreementPage) -> Markup | None:
    numbers = Counter(one.type for one in page.agreement.disagreements)
    if not numbers:
        return None
    rows = [
        (DISAGREEMENT_TYPES[name], [count_cell(number), Cell(number / numbers.total(), "share")])
        for name, number in numbers.most_common()
    ]
    heads = [Head([Column("number"), Column("share")])]
    return grid_table(Grid("types", "Disagreements by type", heads, rows, "type"), class_="compact")


def _extremes(page: AgreementPage) -> Markup | None:
    alphas = {name: of.chains.chains.alpha for name, of in page.agreement.counted.items()}
    defined = {name: alpha for name, alpha in alphas.items() if alpha is not None}
    return extremes("Documents by α of chains", "α", "coefficient", defined, page.link)


def _cards(page: AgreementPage) -> Iterator[Card]:
    agreement, intervals = page.agreement, page.agreement.intervals
    chains, score = agreement.total.chains, main_score(agreement.mean_f1)
    alpha = coefficient(chains.chains.alpha)
    f1 = Cell(agreement.mean_f1[score], "score")
    if intervals:
        alpha = alpha._replace(interval=intervals.chains)
        f1 = f1._replace(interval=intervals.f1[agreement.first.first.layer][score])
    yield Card("Chains", "α", alpha, _items(chains.items))
    if chains.split_items:
        split = coefficient(chains.split.alpha)
        yield Card("Split antecedents", "α", split, _items(chains.split_items))
    yield Card("Mean F1 of pairs", LABELS[score], f1, pluralise(len(agreement.pairs), "pair"))
    name, kappa = overall(agreement.categories)
    items = _items(agreement.categories.items.total())
    yield Card("Categories", name.replace("alpha", "α"), coefficient(kappa), items)


def _matrix(page: AgreementPage) -> Markup:
    agreement, score = page.agreement, main_score(page.agreement.mean_f1)
    title = f"F1 of {LABELS[score]} of each pair, in per cent"
    grid = annotator_matrix(agreement, agreement.first.first.layer, score, title)
    return grid_table(grid, agreement.annotators, class_="matrix")


def _tables(page: AgreementPage) -> Markup:
    """Show the same tables as text does, except for the matrix on the first screen."""
    grids = [grid for grid in tables(page.agreement) if grid.heads]
    first_matrix = next((grid for grid in grids if grid.id == "matrix"), None)
    parts = (
        element("div", grid_table(grid, page.agreement.annotators))
        for grid in grids
        if grid is not first_matrix
    )
    return section(
        "tables", "Scores, alpha and categories", element("div", *parts, class_="tables")
    )


def _documents(page: AgreementPage) -> Markup:
    grid = document_grid(page.agreement)
    rows = [
        (page.link(name), [*cells, count_cell(len(page.disagreements[name]))])
        for name, cells in grid.rows
    ]
    heads = [*grid.heads, Head([Column("disagreements")])]
    listed = grid_table(
        grid._replace(title="Agreement by document", heads=heads, rows=rows, corner="document"),
        name="document-list",
        sortable=True,
    )
    score = main_score(page.agreement.mean_f1)
    points = [
        Point(0, page.agreement.counted[name].chains.items, f1, f"{name}: {percent(f1)}", f"#d{n}")
        for n, name in enumerate(page.documents)
        if (f1 := page.agreement.document_f1(name)[score]) is not None
    ]
    label = f"Mean F1 of {LABELS[score]} over pairs"
    plot = scatter(points, f"{label} against items", "items", f"{label}, in per cent")
    columns = element("div", element("div", listed), element("div", plot), class_="columns")
    return section("documents", "Documents", columns)


def _disagreements(page: AgreementPage) -> Markup | None:
    listed = page.agreement.disagreements
    if not listed:
        return None
    lines = {name: line_starts(page.annotations[0][name].text_document) for name in page.documents}
    rows = []
    for one in listed[:MOST_DISAGREEMENTS]:
        line = line_of(lines[one.document], one.place)
        place = f"#d{page.numbers[one.document]}l{line}"
        link = element("a", element("bdi", one.document), href=place)
        texts = (link, one.mention, *map(str, one.claims))
        rows.append((DISAGREEMENT_TYPES[one.type], list(map(Cell, texts))))
    labels = ("document", "mention", "on one side", "on the other")
    caption = "Places where annotators differ, in the order of the texts"
    heads = [Head([Column(label, is_text=True) for label in labels])]
    shown = f"{len(rows):,} of {len(listed):,} disagreements; the texts mark all of them."
    return section(
        "disagreements",
        "Disagreements",
        element("p", shown, class_="note") if len(rows) < len(listed) else None,
        grid_table(Grid("list", caption, heads, rows, "type"), name="error-list"),
    )


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


def _sides(page: AgreementPage, pair: DocumentComparison) -> ComparedSides:
    is_deixis = page.agreement.chain_layer == "discourse-deixis"
    return pair.discourse_deixis if is_deixis else pair.identity


def _blocks(page: AgreementPage) -> Markup:
    """Pack the viewer's data, in which each annotator is a column."""
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
            tables = _sides(page, page.compared[0, n][number]).overlaps
            cells = (tables.by_membership or tables).from_key.shared
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
    """Put each disagreement into the column of the last annotator who takes part in it."""
    names = page.agreement.annotators
    columns: list[list[list[Any]]] = [[] for _ in names]
    for one in page.disagreements[name]:
        last = max(names.index(annotator) for claim in one.claims for annotator in claim.annotators)
        kind = list(DISAGREEMENT_TYPES).index(one.type)
        text = escape_control_characters(str(one))
        columns[last].append([kind, line_of(starts, one.place), "", "", text])
    return columns
