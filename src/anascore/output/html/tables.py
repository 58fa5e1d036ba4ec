"""Tables and sections of a report."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import count
from typing import Literal, NamedTuple

from anascore.output.grid import Cell, Column, Grid, Head, Kind, SystemName, Value, p_value
from anascore.output.html.charts import (
    MANY,
    ChartValue,
    level,
    profile,
    profile_scale,
    system_mark,
)
from anascore.output.html.markup import AttributeValue, Content, Markup, element, joined, text
from anascore.results.result import Difference


def shade(value: float | None) -> str:
    """Return the CSS class that shades a score: h0 to h10."""
    return "" if value is None else f"h{round(10 * value)}"


def signed(value: float | None) -> str:
    """Print a difference in points; its minus sign is as wide as a plus."""
    return typeset(Cell(value, "difference").text())


def typeset(number: str) -> str:
    """Replace hyphens from the text output: a minus sign in numbers, a dash in intervals.

    >>> typeset("-17.02"), typeset("70.56-72.72"), typeset("-")
    ('−17.02', '70.56–72.72', '-')
    """
    return re.sub("(?<=[0-9])-(?=[0-9])", "–", re.sub("^-(?=[0-9])", "−", number))


def level_scale() -> Markup:
    """Label the ends and the middle of the bars' scale."""
    ticks = (element("span", at) for at in (0, 50, 100))
    return element("span", *ticks, class_="level-scale", aria_hidden="true")


def table(
    caption: Content,
    head: Iterable[Markup],
    rows: Iterable[Markup],
    name: str = "",
    *,
    class_: str | None = None,
) -> Markup:
    """Build a table that scrolls horizontally if it is wider than the page."""
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
    """Build a header row; the first `texts` columns contain text, the others numbers."""
    last = len(labels) if texts is None else texts
    heads = (
        element("th", label, scope="col", class_="n" if n >= last else None)
        for n, label in enumerate(labels)
    )
    return element("tr", *heads)


def system_head(system: int, name: str, tag: Literal["th", "span"] = "th") -> Markup:
    """Label a system's row, or just show its mark and name."""
    scope = "row" if tag == "th" else None
    return element(tag, system_mark(system), element("bdi", name), scope=scope, class_="system")


def system_columns(names: Sequence[str], **attributes: AttributeValue) -> Iterator[Markup]:
    """Yield one column heading per system."""
    for n, name in enumerate(names):
        label = system_head(n, name, "span")
        yield element("th", label, scope="col", class_="n", data_s=n, **attributes)


def section(name: str, title: Content, *content: Content) -> Markup:
    """Build a section with a heading; the first section brings its own."""
    heading = element("h2", title) if title else None
    return element("section", heading, *content, id=name, aria_label=title or "Overview")


def details(summary: Content, *content: Content, **attributes: str | None) -> Markup:
    """Collapse content until the reader opens it."""
    return element("details", element("summary", summary), joined(*content), **attributes)


def filters(label: str, *fields: Markup | None) -> Markup:
    """Build a form whose fields filter a table; it needs scripts."""
    return element("form", *fields, class_="filters", role="search", aria_label=label)


def select(name: str, label: str, default: str, options: Iterable[tuple[str, str]]) -> Markup:
    """Build a menu of options, given as values and texts."""
    choices = (element("option", text, value=value) for value, text in [("", default), *options])
    return element("label", f"{label} ", element("select", *choices, id=name))


def conjunction(items: Sequence[Markup]) -> Markup:
    """Join items with commas and a conjunction.

    >>> conjunction([Markup("a"), Markup("b"), Markup("c")])
    'a, b and c'
    """
    *before, last = items
    content = [part for item in before for part in (item, Markup(", "))]
    return joined(*content[:-1], " and " if before else None, last)


class Standing(NamedTuple):
    """A system's rank, and how the system differs from the best one (None for the best itself)."""

    rank: int
    to_best: Difference | None = None

    @property
    def p(self) -> str:
        """The corrected p-value; empty if nothing was tested."""
        if self.to_best is None or self.to_best.corrected is None:
            return ""
        return p_value(self.to_best.corrected)

    def __str__(self) -> str:
        if self.to_best is None:
            return f"rank {self.rank}"
        test = f", p {self.p if self.p.startswith('<') else f'= {self.p}'}" if self.p else ""
        return f"rank {self.rank} · {signed(self.to_best.difference)} vs. the best{test}"


class Card(NamedTuple):
    """A number on the first screen, with its interval and a remark."""

    name: Content
    label: str
    cell: Cell
    remark: Standing | str | None = None
    system: int | None = None


def cards(content: Sequence[Card]) -> Markup:
    """Draw cards, or a table if there are many systems, best first."""
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
                element("strong", card.cell.text()),
                " ",
                element("span", "95% CI ", interval, class_="interval") if interval else None,
            ),
            element("p", str(card.remark), class_="standing") if card.remark else None,
            class_="card",
            data_s=card.system,
        )
        for card in content
        for interval in [_interval(card.cell)]
    )
    return element("ol", *items, class_="cards")


def _rank_table(content: Sequence[Card]) -> Markup:
    """Tabulate rank, score, interval, and difference from the best for each system."""
    has_intervals = any(_interval(card.cell) for card in content)
    rows = []
    for card in content:
        standing = card.remark if isinstance(card.remark, Standing) else None
        to_best = standing.to_best if standing else None
        rows.append(
            element(
                "tr",
                element("td", standing.rank if standing else None, class_="n"),
                element("th", card.name, scope="row"),
                element("td", element("strong", card.cell.text()), class_="n"),
                element("td", _interval(card.cell), class_="n") if has_intervals else None,
                element("td", level(chart_value("", card.cell)), class_="bar-cell"),
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


def grid_table(
    grid: Grid,
    systems: Sequence[str] = (),
    *,
    name: str = "",
    class_: str | None = None,
    sortable: bool | None = None,
) -> Markup:
    """Build a table with its notes, and shade the scores.

    Rows and columns of `systems` carry their marks, and disappear when the reader hides a system.
    Names and texts that are Markup can contain links.
    """
    grid = grid.with_interval_columns()
    columns = [
        (column, _number(head.label or column.key, systems))
        for head in grid.heads
        for column in head.columns
    ]
    heads = []
    if any(head.label for head in grid.heads):
        groups = (
            element(
                "th",
                _label(head.label, systems),
                scope="colgroup",
                colspan=len(head.columns),
                data_s=_number(head.label, systems),
            )
            for head in grid.heads
        )
        heads.append(element("tr", element("td"), *groups))
    labels = (
        element(
            "th",
            _label(column.key, systems) if column.is_system else element("bdi", column.heading),
            scope="col",
            class_=None if column.is_text else "n",
            data_s=n,
            data_sort=sortable,
        )
        for column, n in columns
    )
    heads.append(
        element("tr", element("th", grid.corner, scope="col", data_sort=sortable), *labels)
    )
    rows = (
        element(
            "tr",
            element("th", _label(row, systems), scope="row"),
            *(
                _grid_cell(
                    cell,
                    systems,
                    is_text=column.is_text,
                    data_s=n,
                    data_value=str(cell.value) if sortable and cell.kind == "count" else None,
                )
                for cell, (column, n) in zip(cells, columns, strict=True)
            ),
            data_s=_row_number(row, cells, systems),
        )
        for row, cells in grid.rows
    )
    title = grid.caption or grid.title
    content = element("p", title or None)
    if grid.heads:
        content = table(title, heads, rows, name, class_=class_)
    return joined(content, *(element("p", note, class_="note") for note in grid.notes))


def _number(label: Value, systems: Sequence[str]) -> int | None:
    return systems.index(label) if isinstance(label, SystemName) and label in systems else None


def _label(label: str, systems: Sequence[str]) -> Markup:
    """Put a system's mark before its name."""
    n = _number(label, systems)
    return element("bdi", label) if n is None else system_head(n, label, "span")


def _row_number(row: str, cells: Sequence[Cell], systems: Sequence[str]) -> int | None:
    """Return the number of the system that a row is about, found by its name or a cell."""
    numbers = (_number(label, systems) for label in (row, *(cell.value for cell in cells)))
    return next((n for n in numbers if n is not None), None)


def _grid_cell(
    cell: Cell, systems: Sequence[str] = (), *, is_text: bool = False, **attributes: AttributeValue
) -> Markup:
    if is_text:
        return element("td", _label(cell.text(), systems), dir="auto", **attributes)
    return element("td", *_figure(cell), class_=f"n {_shade(cell)}", **attributes)


def _figure(cell: Cell) -> tuple[Markup, Markup | None]:
    """Print a value, bold if it is the best, and a significance mark that takes no room."""
    shown = f"{cell.value:,}" if cell.kind == "count" else typeset(cell.text())
    star = element("abbr", "*", title="significant") if cell.is_significant else None
    return element("strong", shown) if cell.best else text(shown), star


def _shade(cell: Cell) -> str:
    return shade(cell.value) if cell.kind == "score" and isinstance(cell.value, float) else ""


def _interval(cell: Cell) -> str | None:
    """Print a value's confidence interval; None if it has none, or an undefined one."""
    interval = cell.interval_cell
    return None if interval.value is None else typeset(interval.text())


def chart_value(system: str, cell: Cell) -> ChartValue:
    """Take a score and its confidence interval for a chart."""
    interval = _interval(cell)
    ends = f" ({interval})" if interval else ""
    value = cell.value if isinstance(cell.value, float) else None
    return ChartValue(value, *(cell.interval or (None, None)), f"{system}: {cell.text()}{ends}")


def matrix(grid: Grid, systems: Sequence[str], main: str = "") -> Markup:
    """Build a table with one column per system, and a chart from 0 to 100 in each row.

    A system's last value is drawn. Those before it, and intervals, are shown on demand. If there
    are many systems, their cells contain bars. Columns that belong to no system come last.

    Args:
        grid: The table; its heads are systems.
        systems: Names of all systems on the page.
        main: Name of the row to emphasise.
    """
    is_many = len(systems) > MANY
    names = [head.label or head.columns[-1].key for head in grid.heads]
    # Systems come in their order; a response that is given twice has the same name twice.
    order = count()
    numbers = [None if _number(name, systems) is None else next(order) for name in names]
    labels = (
        element(
            "th", _label(name, systems), scope="col", class_="size" if n is None else None, data_s=n
        )
        for name, n in zip(names, numbers, strict=True)
    )
    scale = None if is_many else element("th", profile_scale(), scope="col")
    heads = element("tr", element("th", grid.corner, scope="col"), *labels, scale)
    rows = []
    for row, all_cells in grid.rows:
        left = iter(all_cells)
        values: dict[int, ChartValue] = {}
        parts = []
        for head, name, n in zip(grid.heads, names, numbers, strict=True):
            *details, cell = (next(left) for _ in head.columns)
            if n is None:
                parts.append(element("td", *_figure(cell), class_="n size"))
                continue
            values[n] = chart_value(name, cell)
            parts.append(
                element(
                    "td",
                    *_figure(cell),
                    level(values[n]) if is_many else None,
                    _details(head, details),
                    element("small", _interval(cell), class_="ci") if _interval(cell) else None,
                    class_="n" if is_many else f"n {_shade(cell)}",
                    data_s=n,
                )
            )
        if not is_many:
            drawn = [values[n] for n in range(len(systems))]
            chart = profile(drawn, f"{row}: F1 from 0 to 100")
            parts.append(element("td", chart, class_="chart"))
        heading = element("th", element("bdi", row), scope="row")
        rows.append(element("tr", heading, *parts, class_="main" if row == main else None))
    return table(grid.title, [heads], rows, class_="matrix levels" if is_many else "matrix")


def _details(head: Head, cells: Sequence[Cell]) -> Markup | None:
    """Show further values on demand, such as recall and precision."""
    details = [
        f"{column.heading} {cell.text()} "
        for column, cell in zip(head.columns, cells, strict=False)
        if cell.kind == "score"
    ]
    return element("small", *details, class_="rp") if details else None


MOST_DOCUMENTS = 3
"""Number of worst and best documents in a table of extremes."""


def extremes(
    caption: str,
    label: str,
    kind: Kind,
    values: Mapping[str, float | Fraction],
    link: Callable[[str], Markup],
) -> Markup | None:
    """Tabulate the documents with the lowest and highest values.

    Args:
        caption: Caption of the table.
        label: Label of the values.
        kind: Kind of the values.
        values: Each document's value.
        link: Function that links a document's name to its text.
    """
    names = sorted(values, key=lambda name: values[name])
    number = min(MOST_DOCUMENTS, len(names) // 2)
    rows = [
        ("" if rank else which, [Cell(link(name)), Cell(values[name], kind)])
        for which, chosen in (("lowest", names), ("highest", names[::-1]))
        for rank, name in enumerate(chosen[:number])
    ]
    heads = [Head([Column("document", is_text=True), Column(label)])]
    return grid_table(Grid("extremes", caption, heads, rows), class_="compact") if rows else None
