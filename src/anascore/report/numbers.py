"""Numbers as text, the same in every table."""

from __future__ import annotations

from anascore.results import Intervals

FIGURES = {"recall": "R", "precision": "P", "f1": "F1"}


def percent(value: float | None) -> str:
    """Write a score in per cent; a dash if it is undefined."""
    return "-" if value is None else f"{100 * value:.2f}"


def difference(value: float | None) -> str:
    """Write the difference of two scores in points, with its sign."""
    return "-" if value is None else f"{100 * value:+.2f}"


def interval(intervals: Intervals) -> str:
    """Write the interval of F1."""
    low, high = intervals.f1
    return "-" if low is None or high is None else f"{percent(low)}-{percent(high)}"


def chance(value: float | None) -> str:
    """Write a p-value, which is never quite 0."""
    if value is None:
        return "-"
    return f"{value:.3f}" if value >= 0.0005 else "<0.001"
