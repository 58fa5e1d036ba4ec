"""Confidence intervals and differences of systems, as text in columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anascore.metrics import LABELS
from anascore.report.view import View
from anascore.settings import LayerName
from anascore.uncertainty import Difference, Intervals

WIDTH = 80
CELL = 15
"""The width of an interval, with the blanks before it."""


def render_uncertainty(names: Sequence[str], layer: LayerName, view: View) -> Iterator[list[str]]:
    """Show the intervals of all systems, then the differences of each to the first."""
    found = [view.uncertainty.get((number, layer)) for number in range(len(names))]
    intervals = [uncertain.intervals if uncertain else {} for uncertain in found]
    if any(intervals):
        yield _intervals(list(zip(names, intervals, strict=True)))
    for name, uncertain in zip(names, found, strict=True):
        if uncertain and uncertain.differences:
            yield _differences(f"Differences of F1, {name} to {names[0]}", uncertain.differences)


def _intervals(rows: Sequence[tuple[str, Mapping[str, Intervals]]]) -> list[str]:
    """Show the intervals of F1, with the scores below each other that do not fit into a line."""
    width = min(WIDTH - CELL, max(len(row) for row, _ in rows))
    number = (WIDTH - width) // CELL
    metrics = list(rows[0][1])
    lines = ["95% confidence intervals of F1"]
    for start in range(0, len(metrics), number):
        shown = metrics[start : start + number]
        lines.append((" " * width + "".join(f"{LABELS[name]:>{CELL}}" for name in shown)).rstrip())
        for row, intervals in rows:
            cells = "".join(f"{_interval(intervals[name]):>{CELL}}" for name in shown)
            lines += [f"{row:{width}}{cells}"] if len(row) <= width else [row, " " * width + cells]
        lines.append("")
    return lines[:-1]


def _interval(intervals: Intervals) -> str:
    low, high = intervals.f1
    return "-" if low is None or high is None else f"{100 * low:.2f}-{100 * high:.2f}"


def _differences(title: str, differences: Mapping[str, Difference]) -> list[str]:
    """Show a row for each score; a star marks what is hardly by chance."""
    width = max(len(LABELS[name]) for name in differences)
    head = f"{'':{width}}{'difference':>12}{'p':>8}{'p (Holm)':>10}"
    head += f"{'better':>9}{'worse':>8}{'equal':>8}"
    lines = [title, head]
    for name, found in differences.items():
        difference = "-" if found.difference is None else f"{100 * found.difference:+.2f}"
        star = "*" if found.significant else " "
        numbers = f"{found.wins:>9}{found.losses:>8}{found.ties:>8}"
        line = (
            f"{LABELS[name]:{width}}{difference:>11}{star}{_p(found.p):>8}{_p(found.corrected):>10}"
        )
        lines.append(line + numbers)
    return [*lines, f"{'':{width}}  better, worse, equal: documents; * p (Holm) < 0.05"]


def _p(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
