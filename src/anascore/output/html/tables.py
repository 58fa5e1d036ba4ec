"""Tables and sections of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from anascore.metrics import LABELS, values_of
from anascore.output.grids import SCORE_COLUMNS, percent
from anascore.output.html.charts import system_mark
from anascore.output.html.data import PageData
from anascore.output.html.markup import Content, Markup, element, joined
from anascore.output.tables import Grid, GridCell
from anascore.results import LayerResult, Scores


def pointer(*path: object) -> str:
    """Return the JSON pointer (RFC 6901) of a path in the JSON output."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def path(page: PageData, n: int, layer: LayerResult) -> tuple[object, ...]:
    """Return the path of a layer of a system in the JSON output."""
    system = ("score", "systems", n)
    first = page.systems[n].result.first.layer
    return system if layer.layer == first else (*system, "layers", layer.layer)


def heat(value: float | None) -> str:
    """Return the CSS class that shades a score: h0 to h10."""
    return "" if value is None else f"h{round(10 * value)}"


def number(value: float | None, *path: object, system: int | None = None) -> Markup:
    """Return a cell with a score in per cent."""
    shown = element("span", percent(value), data_k=pointer(*path))
    return element("td", shown, class_="n", data_s=system)


def count(value: int, *path: object) -> Markup:
    """Return a cell with a count."""
    return element("td", element("span", value, data_k=pointer(*path)), class_="n")


def table(
    caption: Content,
    head: Iterable[Markup],
    rows: Iterable[Markup],
    name: str = "",
    *,
    class_: str | None = None,
) -> Markup:
    """Return a table that scrolls horizontally if it is wider than the page."""
    content = element(
        "table",
        element("caption", caption),
        element("thead", *head),
        element("tbody", *rows),
        id=name or None,
        class_=class_,
    )
    return element("div", content, class_="scroll", tabindex=0, role="group", aria_label=caption)


def head(*labels: Content) -> Markup:
    """Return a row of headings."""
    return element("tr", *(element("th", label, scope="col") for label in labels))


def score_heads(names: Sequence[str], *before: str) -> list[Markup]:
    """Return two rows of headings: scores, and recall, precision and F1 below them."""
    first = [element("th", label, scope="col", rowspan=2) for label in before]
    first += [
        element("th", LABELS[name], scope="colgroup", colspan=len(values_of(name)))
        for name in names
    ]
    second = [
        element("th", SCORE_COLUMNS[figure], scope="col")
        for name in names
        for figure in values_of(name)
    ]
    return [element("tr", *first), element("tr", *second)]


def score_cells(scores: Scores, names: Sequence[str], *path: object) -> list[Markup]:
    """Return the cells of a row of scores."""
    return [
        number(getattr(scores[name], figure), *path, name, figure)
        if name in scores
        else element("td")
        for name in names
        for figure in values_of(name)
    ]


def system_head(system: int, name: str, tag: Literal["th", "span"] = "th") -> Markup:
    """Return the heading of a system's row, or just its mark and name."""
    scope = "row" if tag == "th" else None
    return element(tag, system_mark(system), element("bdi", name), scope=scope, class_="system")


def system_heads(names: Sequence[str]) -> list[Markup]:
    """Return two rows of headings: systems, and recall, precision and F1 below them."""
    first = [element("th", "score", scope="col", rowspan=2)]
    for n, name in enumerate(names):
        label = joined(system_mark(n), element("bdi", name))
        first.append(element("th", label, scope="colgroup", colspan=3, data_s=n))
    second = [
        element("th", label, scope="col", data_s=n)
        for n in range(len(names))
        for label in SCORE_COLUMNS.values()
    ]
    return [element("tr", *first), element("tr", *second)]


def section(name: str, title: Content, *content: Content) -> Markup:
    """Return a section with its heading; the first section has a heading of its own."""
    heading = element("h2", title) if title else None
    return element("section", heading, *content, id=name, aria_label=title or "Overview")


def folded(summary: Content, *content: Content, **attributes: str | None) -> Markup:
    """Return content that is collapsed until the reader opens it."""
    return element("details", element("summary", summary), joined(*content), **attributes)


class Card(NamedTuple):
    """A figure of the first screen, with its interval and a remark."""

    name: Content
    label: str
    value: Markup
    interval: Content = None
    remark: Content = None
    system: int | None = None


def cards(content: Sequence[Card]) -> Markup:
    """Return a list of cards; those of many systems are smaller."""
    items = (
        element(
            "li",
            element("p", card.name, class_="name"),
            element(
                "p",
                element("span", card.label, class_="label"),
                " ",
                card.value,
                " ",
                element("span", card.interval, class_="interval") if card.interval else None,
            ),
            element("p", card.remark, class_="standing"),
            class_="card",
            data_s=card.system,
        )
        for card in content
    )
    return element("ol", *items, class_="cards many" if len(content) > 4 else "cards")


def grid_table(grid: Grid, *, shaded: bool = False) -> Markup:
    """Return a table of the text output; scores in per cent can be shaded."""
    heads = []
    if any(group.label for group in grid.heads):
        groups = (
            element("th", group.label, scope="colgroup", colspan=len(group.columns))
            for group in grid.heads
        )
        heads.append(element("tr", element("td"), *groups))
    labels = (element("th", element("bdi", c.label), scope="col") for c in grid.columns)
    heads.append(element("tr", element("th", grid.corner, scope="col"), *labels, class_="n"))
    rows = (
        element(
            "tr",
            element("th", element("bdi", name), scope="row"),
            *(_grid_cell(cell, shaded=shaded) for cell in cells),
        )
        for name, cells in grid.rows
    )
    content = table(grid.title, heads, rows) if grid.heads else element("p", grid.title or None)
    return joined(content, *(element("p", note, class_="note") for note in grid.notes))


def _grid_cell(cell: GridCell, *, shaded: bool) -> Markup:
    star = element("abbr", "*", title="significant") if cell.marked else None
    value = float(cell.text) / 100 if shaded and cell.text not in {"", "-"} else None
    content = element("strong", cell.text) if cell.best else cell.text
    return element("td", content, star, class_=f"n {heat(value)}")
