"""Tables and sections of a report."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from anascore.metrics import LABELS, values_of
from anascore.output.grids import SCORE_COLUMNS, percent
from anascore.output.html.charts import system_mark
from anascore.output.html.markup import Content, Markup, element, joined
from anascore.results import Scores


def pointer(*path: object) -> str:
    """Return the JSON pointer (RFC 6901) of a path in the JSON output."""
    return "".join(f"/{str(step).replace('~', '~0').replace('/', '~1')}" for step in path)


def number(value: float | None, *path: object, best: bool = False, extra: Content = None) -> Markup:
    """Return a cell with a score in per cent."""
    shown = element("span", percent(value), data_k=pointer(*path))
    return element("td", element("strong", shown) if best else shown, extra, class_="n")


def count(value: int, *path: object) -> Markup:
    """Return a cell with a count."""
    return element("td", element("span", value, data_k=pointer(*path)), class_="n")


def table(
    caption: Content, head: Iterable[Markup], rows: Iterable[Markup], name: str = ""
) -> Markup:
    """Return a table that scrolls horizontally if it is wider than the page."""
    content = element(
        "table",
        element("caption", caption),
        element("thead", *head),
        element("tbody", *rows),
        id=name or None,
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


def system_head(system: int, name: str) -> Markup:
    """Return the heading of a system's row, with its mark."""
    return element("th", system_mark(system), element("bdi", name), scope="row")


def system_heads(names: Sequence[str]) -> list[Markup]:
    """Return two rows of headings: systems, and recall, precision and F1 below them."""
    first = [element("th", "score", scope="col", rowspan=2)]
    for n, name in enumerate(names):
        label = joined(system_mark(n), element("bdi", name))
        first.append(element("th", label, scope="colgroup", colspan=3))
    second = [element("th", label, scope="col") for _ in names for label in SCORE_COLUMNS.values()]
    return [element("tr", *first), element("tr", *second)]


def section(name: str, title: Content, *content: Content) -> Markup:
    """Return a section with its heading."""
    heading = element("h2", title, id=f"{name}-title")
    return element("section", heading, *content, id=name, aria_labelledby=f"{name}-title")


def folded(summary: Content, *content: Content, **attributes: str | None) -> Markup:
    """Return content that is collapsed until the reader opens it."""
    return element("details", element("summary", summary), joined(*content), **attributes)
