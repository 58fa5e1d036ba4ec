"""Charts in SVG: marks with intervals, bars, and points. Colour alone never tells systems apart."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from anascore.output.html.markup import Markup, element, joined

CHART_WIDTH = 640
LABEL_WIDTH = 170
"""The width that the labels of rows take."""

CHART_STEP = 16
"""The height of one mark."""

SYSTEM_MARKS: tuple[Callable[[float, float], Markup], ...] = (
    lambda x, y: element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4.5),
    lambda x, y: element("rect", x=f"{x - 4:.1f}", y=f"{y - 4:.1f}", width=8, height=8),
    lambda x, y: element("path", d=f"M{x:.1f} {y - 5:.1f}l5 9h-10z"),
    lambda x, y: element("path", d=f"M{x:.1f} {y - 5.5:.1f}l5.5 5.5l-5.5 5.5l-5.5-5.5z"),
    lambda x, y: element("path", d=f"M{x - 4:.1f} {y - 4:.1f}l8 8m0-8l-8 8", class_="cross"),
)
"""The shapes of systems, in their order; where there are more they begin anew, hollow."""


class ChartValue(NamedTuple):
    """A number of one system, with its interval if it has one."""

    value: float | None
    low: float | None = None
    high: float | None = None
    text: str = ""


class ChartRow(NamedTuple):
    """What stands in one row: a number for each system."""

    label: str
    values: Sequence[ChartValue]


class Point(NamedTuple):
    """A point that leads somewhere."""

    system: int
    x: float
    y: float
    title: str
    target: str


def colour(system: int) -> str:
    """Name the colour of a system, by its number."""
    return f"c{system % len(SYSTEM_MARKS)}"


def mark(system: int, x: float, y: float) -> Markup:
    """Draw the mark of a system."""
    hollow = " hollow" if system // len(SYSTEM_MARKS) % 2 else ""
    shape = SYSTEM_MARKS[system % len(SYSTEM_MARKS)](x, y)
    return element("g", shape, class_=f"mark {colour(system)}{hollow}")


def system_mark(system: int) -> Markup:
    """Draw the mark of a system, to stand in a line of text."""
    return element("svg", mark(system, 8, 8), viewBox="0 0 16 16", class_="key", aria_hidden="true")


def legend(systems: Sequence[str]) -> Markup:
    """Show which mark stands for which system."""
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
    """Draw shares of 1 as marks on a scale in per cent, with their intervals."""
    found = [v for row in rows for value in row.values for v in value[:3] if v is not None]
    least = _least(found)
    top = 24.0

    def place(value: float) -> float:
        return LABEL_WIDTH + (value - least) / (1 - least) * (CHART_WIDTH - LABEL_WIDTH - 60)

    body, y = [], top
    for row in rows:
        height = CHART_STEP * len(row.values) + 8
        body.append(_label(row.label, y + height / 2))
        for number, value in enumerate(row.values):
            at = y + 4 + CHART_STEP * (number + 0.5)
            body += _interval(number, value, at, place)
        y += height
        body.append(element("line", x1=0, x2=CHART_WIDTH, y1=y, y2=y, class_="rule"))
    scale = (_tick(place(tick), f"{100 * tick:.0f}", top, y) for tick in _ticks(least))
    return _chart(joined(*scale, *body), y + 6, title)


def _least(values: Iterable[float]) -> float:
    """Return where a scale begins, in tenths, at or below all values."""
    return min(0.9, math.floor(min(values, default=0) * 10) / 10)


def _ticks(least: float) -> list[float]:
    """Return the tenths from the least to 1."""
    return [tenth / 10 for tenth in range(round(least * 10), 11)]


def _interval(
    system: int, value: ChartValue, y: float, place: Callable[[float], float]
) -> Iterator[Markup]:
    if value.value is None:
        return
    if value.low is not None and value.high is not None:
        ends = {"x1": f"{place(value.low):.1f}", "x2": f"{place(value.high):.1f}"}
        yield element("line", **ends, y1=y, y2=y, class_=f"range {colour(system)}")
    yield mark(system, place(value.value), y)
    right = place(max(filter(None, (value.value, value.high)), default=0))
    yield element("text", value.text, x=f"{right + 9:.1f}", y=y + 4, class_="number")


def bars(rows: Sequence[ChartRow], title: str) -> Markup:
    """Draw numbers from 0 up as bars."""
    most = max((v.value or 0 for row in rows for v in row.values), default=0) or 1
    body, y = [], 4.0
    for row in rows:
        height = CHART_STEP * len(row.values) + 8
        body.append(_label(row.label, y + height / 2))
        for number, value in enumerate(row.values):
            at = y + 4 + CHART_STEP * number
            width = (value.value or 0) / most * (CHART_WIDTH - LABEL_WIDTH - 90)
            body += [
                mark(number, LABEL_WIDTH + 6, at + CHART_STEP / 2),
                element(
                    "rect",
                    x=LABEL_WIDTH + 16,
                    y=at + 3,
                    width=f"{width:.1f}",
                    height=CHART_STEP - 6,
                    class_=f"bar {colour(number)}",
                ),
                element(
                    "text",
                    value.text,
                    x=f"{LABEL_WIDTH + width + 21:.1f}",
                    y=at + CHART_STEP / 2 + 4,
                    class_="number",
                ),
            ]
        y += height
        body.append(element("line", x1=0, x2=CHART_WIDTH, y1=y, y2=y, class_="rule"))
    return _chart(joined(*body), y + 4, title)


def points(found: Sequence[Point], title: str, across: str, up: str) -> Markup:
    """Draw shares of 1 against numbers, each point leading to its document."""
    height, left, bottom = 300.0, 44.0, 260.0
    least = _least(point.y for point in found)
    step = _round_step(max((point.x for point in found), default=1))
    most = step * math.ceil(max((point.x for point in found), default=1) / step)

    def across_of(value: float) -> float:
        return left + (CHART_WIDTH - left - 20) * value / most

    def up_of(value: float) -> float:
        return bottom - (bottom - 20) * (value - least) / (1 - least)

    body = []
    for tick in _ticks(least):
        y = f"{up_of(tick):.1f}"
        body.append(element("line", x1=left, x2=CHART_WIDTH, y1=y, y2=y, class_="rule"))
        label = f"{100 * tick:.0f}"
        body.append(element("text", label, x=left - 6, y=f"{up_of(tick) + 4:.1f}", class_="end"))
    for tick in range(0, most + 1, step):
        x = f"{across_of(tick):.1f}"
        body.append(element("text", tick, x=x, y=bottom + 16, class_="middle"))
    for point in found:
        drawn = mark(point.system, across_of(point.x), up_of(point.y))
        shape = joined(element("title", point.title), drawn)
        body.append(element("a", shape, href=point.target, data_s=point.system))
    body += [
        element("text", across, x=CHART_WIDTH - 20, y=bottom + 32, class_="end"),
        element("text", up, x=left, y=12),
    ]
    return _chart(joined(*body), height, title, role="group")


def _round_step(most: float) -> int:
    """Return a round number of which about five make the most.

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
