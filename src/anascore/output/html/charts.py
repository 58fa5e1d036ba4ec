"""Charts in SVG: intervals, bars and scatter plots. Systems differ in shape and in colour."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from anascore.output.html.markup import Markup, element, joined

CHART_WIDTH = 640
LABEL_WIDTH = 170
"""Width of the row labels."""

CHART_STEP = 16
"""Height of one mark."""

SYSTEM_MARKS: tuple[Callable[[float, float], Markup], ...] = (
    lambda x, y: element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4.5),
    lambda x, y: element("rect", x=f"{x - 4:.1f}", y=f"{y - 4:.1f}", width=8, height=8),
    lambda x, y: element("path", d=f"M{x:.1f} {y - 5:.1f}l5 9h-10z"),
    lambda x, y: element("path", d=f"M{x:.1f} {y - 5.5:.1f}l5.5 5.5l-5.5 5.5l-5.5-5.5z"),
    lambda x, y: element("path", d=f"M{x - 4:.1f} {y - 4:.1f}l8 8m0-8l-8 8", class_="cross"),
)
"""Shapes of the systems, in order. Further systems get the same shapes again, hollow."""


class ChartValue(NamedTuple):
    """Value of one system, with its confidence interval if there is one."""

    value: float | None
    low: float | None = None
    high: float | None = None
    text: str = ""


class ChartRow(NamedTuple):
    """One row: a value for each system."""

    label: str
    values: Sequence[ChartValue]


class Point(NamedTuple):
    """Point of a scatter plot, with a link."""

    system: int
    x: float
    y: float
    title: str
    target: str


def colour(system: int) -> str:
    """Return the CSS class of a system's colour."""
    return f"c{system % len(SYSTEM_MARKS)}"


def mark(system: int, x: float, y: float) -> Markup:
    """Draw the mark of a system at a position."""
    hollow = " hollow" if system // len(SYSTEM_MARKS) % 2 else ""
    shape = SYSTEM_MARKS[system % len(SYSTEM_MARKS)](x, y)
    return element("g", shape, class_=f"mark {colour(system)}{hollow}")


def system_mark(system: int) -> Markup:
    """Draw the mark of a system as an inline image."""
    return element("svg", mark(system, 8, 8), viewBox="0 0 16 16", class_="key", aria_hidden="true")


def legend(systems: Sequence[str]) -> Markup:
    """Return the legend: the mark and the name of each system."""
    items = (
        element(
            "li",
            system_mark(n),
            element("bdi", name),
        )
        for n, name in enumerate(systems)
    )
    return element("ul", *items, class_="legend")


def intervals(rows: Sequence[ChartRow], title: str) -> Markup:
    """Draw scores from 0 to 1 on a scale in per cent, with their confidence intervals."""
    numbers = [v for row in rows for value in row.values for v in value[:3] if v is not None]
    least = _least(numbers)
    top = 24.0

    def x_of(value: float) -> float:
        return LABEL_WIDTH + (value - least) / (1 - least) * (CHART_WIDTH - LABEL_WIDTH - 60)

    body, y = [], top
    for row in rows:
        height = CHART_STEP * len(row.values) + 8
        body.append(_label(row.label, y + height / 2))
        for number, value in enumerate(row.values):
            row_y = y + 4 + CHART_STEP * (number + 0.5)
            body += _interval(number, value, row_y, x_of)
        y += height
        body.append(element("line", x1=0, x2=CHART_WIDTH, y1=y, y2=y, class_="rule"))
    scale = (_tick(x_of(tick), f"{100 * tick:.0f}", top, y) for tick in _ticks(least))
    return _chart(joined(*scale, *body), y + 6, title)


def _least(values: Iterable[float]) -> float:
    """Return the start of a scale: the last tenth at or below all values, at most 0.9."""
    return min(0.9, math.floor(min(values, default=0) * 10) / 10)


def _ticks(least: float) -> list[float]:
    """Return the tenths from `least` to 1."""
    return [tenth / 10 for tenth in range(round(least * 10), 11)]


def _interval(
    system: int, value: ChartValue, y: float, x_of: Callable[[float], float]
) -> Iterator[Markup]:
    if value.value is None:
        return
    if value.low is not None and value.high is not None:
        ends = {"x1": f"{x_of(value.low):.1f}", "x2": f"{x_of(value.high):.1f}"}
        yield element("line", **ends, y1=y, y2=y, class_=f"range {colour(system)}")
    yield mark(system, x_of(value.value), y)
    right = x_of(max(filter(None, (value.value, value.high)), default=0))
    yield element("text", value.text, x=f"{right + 9:.1f}", y=y + 4, class_="number")


def bars(rows: Sequence[ChartRow], title: str) -> Markup:
    """Draw counts as horizontal bars."""
    most = max((v.value or 0 for row in rows for v in row.values), default=0) or 1
    body, y = [], 4.0
    for row in rows:
        height = CHART_STEP * len(row.values) + 8
        body.append(_label(row.label, y + height / 2))
        for number, value in enumerate(row.values):
            row_y = y + 4 + CHART_STEP * number
            width = (value.value or 0) / most * (CHART_WIDTH - LABEL_WIDTH - 90)
            body += [
                mark(number, LABEL_WIDTH + 6, row_y + CHART_STEP / 2),
                element(
                    "rect",
                    x=LABEL_WIDTH + 16,
                    y=row_y + 3,
                    width=f"{width:.1f}",
                    height=CHART_STEP - 6,
                    class_=f"bar {colour(number)}",
                ),
                element(
                    "text",
                    value.text,
                    x=f"{LABEL_WIDTH + width + 21:.1f}",
                    y=row_y + CHART_STEP / 2 + 4,
                    class_="number",
                ),
            ]
        y += height
        body.append(element("line", x1=0, x2=CHART_WIDTH, y1=y, y2=y, class_="rule"))
    return _chart(joined(*body), y + 4, title)


def scatter(points: Sequence[Point], title: str, x_label: str, y_label: str) -> Markup:
    """Draw scores from 0 to 1 against counts; each point links to its document."""
    height, left, bottom = 300.0, 44.0, 260.0
    least = _least(point.y for point in points)
    step = _round_step(max((point.x for point in points), default=1))
    most = step * math.ceil(max((point.x for point in points), default=1) / step)

    def x_of(value: float) -> float:
        return left + (CHART_WIDTH - left - 20) * value / most

    def y_of(value: float) -> float:
        return bottom - (bottom - 20) * (value - least) / (1 - least)

    body = []
    for tick in _ticks(least):
        y = f"{y_of(tick):.1f}"
        body.append(element("line", x1=left, x2=CHART_WIDTH, y1=y, y2=y, class_="rule"))
        label = f"{100 * tick:.0f}"
        body.append(element("text", label, x=left - 6, y=f"{y_of(tick) + 4:.1f}", class_="end"))
    for tick in range(0, most + 1, step):
        x = f"{x_of(tick):.1f}"
        body.append(element("text", tick, x=x, y=bottom + 16, class_="middle"))
    for point in points:
        shape = mark(point.system, x_of(point.x), y_of(point.y))
        content = joined(element("title", point.title), shape)
        body.append(element("a", content, href=point.target, data_s=point.system))
    body += [
        element("text", x_label, x=CHART_WIDTH - 20, y=bottom + 32, class_="end"),
        element("text", y_label, x=left, y=12),
    ]
    return _chart(joined(*body), height, title, role="group")


def _round_step(most: float) -> int:
    """Return a round distance between ticks that gives about five ticks up to `most`.

    >>> _round_step(1266)
    250
    """
    size = 1
    while most > 50 * size:
        size *= 10
    steps = (size, 2 * size, max(1, 5 * size // 2), 5 * size)
    return next((step for step in steps if most <= 6 * step), 10 * size)


def _label(label: str, y: float) -> Markup:
    shown = label if len(label) <= 24 else f"{label[:23]}…"
    return element("text", shown, x=LABEL_WIDTH - 10, y=y + 4, class_="end")


def _tick(x: float, label: str, top: float, bottom: float) -> Markup:
    return joined(
        element("line", x1=x, x2=x, y1=top, y2=bottom, class_="rule"),
        element("text", label, x=x, y=top - 6, class_="middle"),
    )


def _chart(body: Markup, height: float, title: str, role: str = "img") -> Markup:
    return element(
        "svg",
        body,
        viewBox=f"0 0 {CHART_WIDTH} {height:.0f}",
        class_="chart",
        role=role,
        aria_label=title,
    )
