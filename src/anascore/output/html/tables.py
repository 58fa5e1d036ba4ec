"""Tables and sections of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from anascore.metrics import LABELS, values_of
from anascore.output.grids import SCORE_COLUMNS, percent
from anascore.output.html.charts import system_mark
from anascore.output.html.data import PageData
from anascore.output.html.markup import Content, Markup, element, joined
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
