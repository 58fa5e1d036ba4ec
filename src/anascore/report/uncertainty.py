"""Confidence intervals and differences of systems, as text in columns."""

from __future__ import annotations

from anascore.metrics import LABELS
from anascore.printable import display_width, pad
from anascore.report.blocks import DifferenceBlock, IntervalBlock
from anascore.report.numbers import chance, difference, interval

WIDTH = 80
CELL = 15
"""The width of an interval, with the blanks before it."""


def interval_lines(block: IntervalBlock) -> list[str]:
    """Show the intervals of F1, with the scores below each other that do not fit into a line."""
    width = min(WIDTH - CELL, max(display_width(row) for row, _ in block.rows))
    number = (WIDTH - width) // CELL
    metrics = list(block.rows[0][1])
    lines = [block.title]
    for start in range(0, len(metrics), number):
        shown = metrics[start : start + number]
        lines.append((" " * width + "".join(f"{LABELS[name]:>{CELL}}" for name in shown)).rstrip())
        for row, intervals in block.rows:
            cells = "".join(f"{interval(intervals[name]):>{CELL}}" for name in shown)
            too_wide = display_width(row) > width
            lines += [row, " " * width + cells] if too_wide else [pad(row, width) + cells]
        lines.append("")
    return lines[:-1]


def difference_lines(block: DifferenceBlock) -> list[str]:
    """Show a row for each score; a star marks what is hardly by chance."""
    width = max(len(LABELS[name]) for name in block.rows)
    head = f"{'':{width}}{'difference':>12}{'p':>8}{'p (Holm)':>10}"
    head += f"{'better':>9}{'worse':>8}{'equal':>8}"
    lines = [block.title, head]
    for name, found in block.rows.items():
        star = "*" if found.significant else " "
        numbers = f"{found.wins:>9}{found.losses:>8}{found.ties:>8}"
        chances = f"{chance(found.p):>8}{chance(found.corrected):>10}"
        lines.append(
            f"{LABELS[name]:{width}}{difference(found.difference):>11}{star}{chances}{numbers}"
        )
    return [*lines, f"{'':{width}}  better, worse, equal: documents; * p (Holm) < 0.05"]
