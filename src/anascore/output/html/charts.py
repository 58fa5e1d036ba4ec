"""SVG charts, whose scales start at zero. Systems differ in both shape and colour."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from anascore.output.grid import percent
from anascore.output.html.markup import Markup, element, joined

CHART_WIDTH = 440
LABEL_WIDTH = 150
"""Width of the row labels."""

NUMBER_WIDTH = 50
"""Width of the numbers after a row."""

CHART_STEP = 13
"""Height of one mark."""

PROFILE_WIDTH, PROFILE_HEIGHT = 220, 26

MANY = 4
"""With more systems than this, marks would overlap, so each system gets its own column or plot."""

SYSTEM_MARKS: tuple[Callable[[float, float], Markup], ...] = (
    lambda x, y: element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=4.5),
    lambda x, y: element("rect", x=f"{x - 4:.1f}", y=f"{y - 4:.1f}", width=8, height=8),
    lambda x, y: element("path", d=f"M{x:.1f} {y - 5:.1f}l5 9h-10z"),
    lambda x, y: element("path", d=f"M{x:.1f} {y - 5.5:.1f}l5.5 5.5l-5.5 5.5l-5.5-5.5z"),
    lambda x, y: element(
        "path", d=f"M{x - 1.5:.1f} {y - 5:.1f}h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z"
    ),
)
"""Shapes of the systems, in order. Further systems reuse the shapes, hollow."""


class ChartValue(NamedTuple):
    """One system's value, with its confidence interval if there is one."""

    value: float | None
    low: float | None = None
    high: float | None = None
    text: str = ""


class ChartRow(NamedTuple):
    """One row, with a value for each system."""

    label: str
    values: Sequence[ChartValue]
    size: str
    """Number of mentions behind the values."""


class Bar(NamedTuple):
    """One bar, with the text after it."""

    label: str
    value: float
    text: str


class Point(NamedTuple):
    """A point of a scatter plot, with a link."""

    system: int
    x: float
    y: float
    title: str
    target: str


def colour(system: int) -> str:
    """Return the CSS class for a system's colour."""
    return f"c{system % len(SYSTEM_MARKS)}"


def mark(system: int, x: float, y: float) -> Markup:
    """Draw a system's mark at a position."""
    hollow = " hollow" if system // len(SYSTEM_MARKS) % 2 else ""
    shape = SYSTEM_MARKS[system % len(SYSTEM_MARKS)](x, y)
    return element("g", shape, class_=f"mark {colour(system)}{hollow}")


def system_mark(system: int) -> Markup:
    """Draw a system's mark as an inline image."""
    return element("svg", mark(system, 8, 8), viewBox="0 0 16 16", class_="key", aria_hidden="true")


def legend(systems: Sequence[str]) -> Markup:
    """Explain each system's mark."""
    items = (
        element(
            "li",
            system_mark(n),
            element("bdi", name),
        )
        for n, name in enumerate(systems)
    )
    return element("ul", *items, class_="legend")


def profile(values: Sequence[ChartValue], title: str) -> Markup:
    """Draw all systems' values on one line from 0 to 100, with confidence intervals."""

    def x_of(value: float) -> float:
        return 12 + value * (PROFILE_WIDTH - 24)

    middle = PROFILE_HEIGHT / 2
    step = min(6.0, 18 / len(values))
    body: list[Markup] = []  # the style sheet draws the rules, which are as high as the row
    for number, value in enumerate(values):
        body += _interval(number, value, middle + step * (number - (len(values) - 1) / 2), x_of)
    return element(
        "svg",
        *body,
        viewBox=f"0 0 {PROFILE_WIDTH} {PROFILE_HEIGHT}",
        class_="profile",
        role="img",
        aria_label=title,
    )


def profile_scale() -> Markup:
    """Draw the scale of profiles."""
    ticks = (
        element("text", at, x=12 + at / 100 * (PROFILE_WIDTH - 24), y=12, class_="number middle")
        for at in (0, 50, 100)
    )
    size = f"0 0 {PROFILE_WIDTH} 16"
    return element("svg", *ticks, viewBox=size, class_="profile", aria_hidden="true")


def level(value: ChartValue, most: float = 1.0) -> Markup | None:
    """Draw a value as a bar across a cell, from 0 to `most`, with its confidence interval.

    All bars in a table use the same scale. An undefined value is not drawn.
    """
    if value.value is None:
        return None
    width = f"{100 * max(0.0, value.value) / most:.1f}%"
    parts = [element("rect", width=width, height="100%")]
    if value.low is not None and value.high is not None:
        low, high = (f"{100 * end / most:.1f}%" for end in (value.low, value.high))
        interval = element("title", f"95% CI {percent(value.low)}–{percent(value.high)}")
        parts += [interval, element("line", x1=low, x2=high)]
    return element("svg", *parts, class_="level", aria_hidden="true")


def dots(rows: Sequence[ChartRow], title: str) -> Markup:
    """Draw scores from 0 to 1 on a scale from 0 to 100, with confidence intervals."""
    top, right = 20.0, CHART_WIDTH - NUMBER_WIDTH

    def x_of(value: float) -> float:
        return LABEL_WIDTH + value * (right - LABEL_WIDTH)

    body, y = [], top
    for row in rows:
        height = max(20, CHART_STEP * len(row.values) + 6)
        body.append(_label(row.label, y + height / 2))
        size = {"x": CHART_WIDTH - 2, "y": y + height / 2 + 4}
        body.append(element("text", row.size, **size, class_="number end"))
        start = y + (height - CHART_STEP * len(row.values)) / 2
        for system, value in enumerate(row.values):
            body += _interval(system, value, start + CHART_STEP * (system + 0.5), x_of)
        y += height
        body.append(element("line", x1=0, x2=CHART_WIDTH, y1=y, y2=y, class_="rule"))
    ticks = (_tick(x_of(at / 100), str(at), top, y) for at in (0, 25, 50, 75, 100))
    heading = element("text", "n", x=CHART_WIDTH - 2, y=top - 6, class_="number end")
    return _chart(joined(*ticks, heading, *body), CHART_WIDTH, y + 4, title)


def _interval(
    system: int, value: ChartValue, y: float, x_of: Callable[[float], float]
) -> Iterator[Markup]:
    """Draw a system's mark, with a line for its interval and a tooltip for its value."""
    if value.value is None:
        return
    parts = [element("title", value.text)]
    if value.low is not None and value.high is not None:
        ends = {"x1": f"{x_of(value.low):.1f}", "x2": f"{x_of(value.high):.1f}"}
        parts.append(element("line", **ends, y1=y, y2=y, class_=f"range {colour(system)}"))
    yield element("g", *parts, mark(system, x_of(value.value), y), data_s=system)


def bars(rows: Sequence[Bar], scale: tuple[float, float], system: int, title: str) -> Markup:
    """Draw values as horizontal bars that start at zero; `scale` contains the ends of the axis."""
    low, high = scale
    left, right = LABEL_WIDTH, CHART_WIDTH - 90

    def x_of(value: float) -> float:
        return left + (value - low) / (high - low) * (right - left)

    body, y = [], 4.0
    for row in rows:
        start, end = sorted((x_of(0), x_of(row.value)))
        body += [
            _label(row.label, y + 9),
            element(
                "rect",
                x=f"{start:.1f}",
                y=y + 3,
                width=f"{end - start:.1f}",
                height=12,
                class_=f"bar-shape {colour(system)}",
            ),
            element("text", row.text, x=f"{end + 5:.1f}", y=y + 13, class_="number"),
        ]
        y += 19
    zero = f"{x_of(0):.1f}"
    body.append(element("line", x1=zero, x2=zero, y1=2, y2=y, class_="axis"))
    return _chart(joined(*body), CHART_WIDTH, y + 4, title)


SCATTER_SIZE = (560, 340)
PLOT_SIZE = (360, 225)
"""Plot size if each of many systems gets its own plot."""


def scatter(points: Sequence[Point], title: str, x_label: str, y_label: str) -> Markup:
    """Draw scores from 0 to 1 against counts; each point links to its document.

    If there are many systems, each gets a plot of its own, all on the same scales.
    """
    highest = max((point.x for point in points), default=1)
    systems = sorted({point.system for point in points})
    if len(systems) <= MANY:
        return _scatter(points, highest, SCATTER_SIZE, (title, x_label, y_label))
    plots = (
        element(
            "div",
            system_mark(system),
            _scatter(
                [point for point in points if point.system == system],
                highest,
                PLOT_SIZE,
                (title, x_label, ""),
            ),
            data_s=system,
        )
        for system in systems
    )
    note = element("p", f"{y_label}, against {x_label}", class_="note")
    return joined(note, element("div", *plots, class_="plots"))


def _scatter(
    points: Sequence[Point],
    highest: float,
    size: tuple[int, int],
    labels: tuple[str, str, str],
) -> Markup:
    """Draw one plot; `labels` are those of the axes."""
    width, height = size
    title, x_label, y_label = labels
    left, top, bottom = 40.0, 24.0 if y_label else 8.0, height - (34.0 if y_label else 42.0)
    step = _round_step(highest) if size == SCATTER_SIZE else 2 * _round_step(highest)
    most = step * math.ceil(highest / step)

    def x_of(value: float) -> float:
        return left + (width - left - 24) * value / most

    def y_of(value: float) -> float:
        return bottom - (bottom - top) * value

    body = []
    for tick in range(0, 101, 20 if size == SCATTER_SIZE else 50):
        y = f"{y_of(tick / 100):.1f}"
        body.append(element("line", x1=left, x2=width, y1=y, y2=y, class_="rule"))
        label_y = f"{y_of(tick / 100) + 4:.1f}"
        body.append(element("text", tick, x=left - 6, y=label_y, class_="end"))
    for tick in range(0, most + 1, step):
        x = f"{x_of(tick):.1f}"
        body.append(element("text", f"{tick:,}", x=x, y=bottom + 16, class_="middle"))
    for point in points:
        shape = mark(point.system, x_of(point.x), y_of(point.y))
        content = joined(element("title", point.title), shape)
        body.append(element("a", content, href=point.target, data_s=point.system))
    body += [
        element("text", x_label, x=width - 24, y=bottom + 31, class_="end"),
        element("text", y_label, x=4, y=12) if y_label else Markup(),
    ]
    return _chart(joined(*body), width, height, title, role="group")


def _round_step(most: float) -> int:
    """Choose a round tick distance that gives about five ticks up to `most`.

    >>> _round_step(1266)
    250
    """
    size = 1
    while most > 50 * size:
        size *= 10
    steps = (size, 2 * size, max(1, 5 * size // 2), 5 * size)
    return next((step for step in steps if most <= 6 * step), 10 * size)


def _label(label: str, y: float) -> Markup:
    shown = label if len(label) <= 23 else f"{label[:22]}…"
    tooltip = element("title", label) if shown != label else None
    return element("text", tooltip, shown, x=LABEL_WIDTH - 8, y=y + 4, class_="end")


def _tick(x: float, label: str, top: float, bottom: float) -> Markup:
    return joined(
        element("line", x1=x, x2=x, y1=top, y2=bottom, class_="rule"),
        element("text", label, x=x, y=top - 6, class_="number middle"),
    )


def _chart(body: Markup, width: int, height: float, title: str, role: str = "img") -> Markup:
    return element(
        "svg",
        body,
        viewBox=f"0 0 {width} {height:.0f}",
        class_="chart" if width <= CHART_WIDTH else "chart wide",
        role=role,
        aria_label=title,
    )
