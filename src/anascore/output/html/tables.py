"""Tables and sections of a report."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from anascore.metrics import LABELS, values_of
from anascore.output.grids import SCORE_COLUMNS, chance, difference, percent
from anascore.output.html.charts import MANY, ChartValue, level, system_mark
from anascore.output.html.data import PageData
from anascore.output.html.markup import Content, Markup, element, joined
from anascore.output.tables import Column, Grid, GridCell, Head
from anascore.results import Difference, LayerResult, Scores


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


def signed(value: float | None) -> str:
    """Return a difference in points, with a sign; a minus sign is as wide as a plus."""
    return typeset(difference(value))


def typeset(number: str) -> str:
    """Write a number of the text output with a minus sign, and an interval with a dash.

    >>> typeset("-17.02"), typeset("70.56-72.72"), typeset("-")
    ('−17.02', '70.56–72.72', '-')
    """
    return re.sub("(?<=[0-9])-(?=[0-9])", "–", re.sub("^-(?=[0-9])", "−", number))


def level_scale() -> Markup:
    """Return the ends of the scale of bars, and the middle."""
    ticks = (element("span", at) for at in (0, 50, 100))
    return element("span", *ticks, class_="level-scale", aria_hidden="true")


def level_cell(
    value: float | None,
    chart: ChartValue,
    *path: object,
    system: int,
    is_best: bool = False,
) -> Markup:
    """Return a cell with a score in per cent and its bar."""
    shown = element("span", percent(value), data_k=pointer(*path) if path else None)
    content = element("strong", shown) if is_best else shown
    return element("td", content, level(chart), class_="n", data_s=system)


def number(value: float | None, *path: object, system: int | None = None) -> Markup:
    """Return a cell with a score in per cent."""
    shown = element("span", percent(value), data_k=pointer(*path))
    return element("td", shown, class_="n", data_s=system)


def count(value: int, *path: object) -> Markup:
    """Return a cell with a count."""
    return element("td", element("span", f"{value:,}", data_k=pointer(*path)), class_="n")


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


def head(*labels: Content, texts: int | None = None) -> Markup:
    """Return a row of headings; `texts` columns have texts, those after them have numbers."""
    last = len(labels) if texts is None else texts
    heads = (
        element("th", label, scope="col", class_="n" if n >= last else None)
        for n, label in enumerate(labels)
    )
    return element("tr", *heads)


def score_heads(names: Sequence[str], *before: str, texts: int) -> list[Markup]:
    """Return two rows of headings: scores, and recall, precision and F1 below them.

    Of the columns before the scores, the first `texts` have texts and the others numbers.
    """
    first = [
        element("th", label, scope="col", rowspan=2, class_="n" if n >= texts else None)
        for n, label in enumerate(before)
    ]
    first += [
        element("th", LABELS[name], scope="colgroup", colspan=len(values_of(name)))
        for name in names
    ]
    second = [
        element("th", SCORE_COLUMNS[figure], scope="col", class_="n")
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
        element("th", label, scope="col", class_="n", data_s=n)
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


def conjunction(items: Sequence[Markup]) -> Markup:
    """Join items by commas and a conjunction.

    >>> conjunction([Markup("a"), Markup("b"), Markup("c")])
    'a, b and c'
    """
    *before, last = items
    content = [part for item in before for part in (item, Markup(", "))]
    return joined(*content[:-1], " and " if before else None, last)


class Standing(NamedTuple):
    """Rank of a system, and how it differs from the best one; None for the best itself."""

    rank: int
    to_best: Difference | None = None

    @property
    def p(self) -> str:
        """The corrected p-value; empty if nothing was tested."""
        if self.to_best is None or self.to_best.corrected is None:
            return ""
        return chance(self.to_best.corrected)

    def __str__(self) -> str:
        """Return the standing in words."""
        if self.to_best is None:
            return f"rank {self.rank}"
        test = f", p {self.p if self.p.startswith('<') else f'= {self.p}'}" if self.p else ""
        return f"rank {self.rank} · {signed(self.to_best.difference)} vs. the best{test}"


class Card(NamedTuple):
    """A figure of the first screen, with its interval and a remark."""

    name: Content
    label: str
    value: Markup
    interval: Content = None
    remark: Standing | str | None = None
    system: int | None = None
    chart: ChartValue = ChartValue(None)


def cards(content: Sequence[Card]) -> Markup:
    """Return a list of cards; many systems have a table instead, best first."""
    if len(content) > MANY:
        return _rank_table(content)
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
                element("span", "95% CI ", card.interval, class_="interval")
                if card.interval
                else None,
            ),
            element("p", str(card.remark), class_="standing") if card.remark else None,
            class_="card",
            data_s=card.system,
        )
        for card in content
    )
    return element("ol", *items, class_="cards")


def _rank_table(content: Sequence[Card]) -> Markup:
    """Return a table of systems: rank, score, interval, and the difference from the best."""
    has_intervals = any(card.interval for card in content)
    rows = []
    for card in content:
        standing = card.remark if isinstance(card.remark, Standing) else None
        to_best = standing.to_best if standing else None
        rows.append(
            element(
                "tr",
                element("td", standing.rank if standing else None, class_="n"),
                element("th", card.name, scope="row"),
                element("td", card.value, class_="n"),
                element("td", card.interval, class_="n") if has_intervals else None,
                element("td", level(card.chart), class_="bar-cell"),
                element("td", signed(to_best.difference) if to_best else None, class_="n"),
                element("td", standing.p if standing else None, class_="n"),
                data_s=card.system,
            )
        )
    label = content[0].label
    heads: list[tuple[Content, str | None]] = [("rank", "n"), ("system", None), (label, "n")]
    if has_intervals:
        heads.append(("95% CI", "n"))
    heads += [(level_scale(), None), ("vs. the best", "n"), ("p (Holm)", "n")]
    row = element("tr", *(element("th", text, scope="col", class_=name) for text, name in heads))
    caption = f"{label[:1].upper()}{label[1:]} in per cent, best system first"
    return table(caption, [row], rows, class_="league")


def transposed(grid: Grid, corner: str) -> Grid:
    """Return a table of the text output with rows as columns; it has no groups of columns."""
    cells = zip(*(cells for _, cells in grid.rows), strict=True)
    return grid._replace(
        corner=corner,
        heads=[Head([Column(name)]) for name, _ in grid.rows],
        rows=[(c.label, list(row)) for c, row in zip(grid.columns, cells, strict=True)],
    )


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
    shown = typeset(cell.text)
    content = element("strong", shown) if cell.best else shown
    return element("td", content, star, class_=f"n {heat(value)}")
