"""Results as text in columns, 80 characters wide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import wrap

from anascore.division import Scores
from anascore.metrics import LABELS, figures
from anascore.printable import display_width, pad
from anascore.report.blocks import (
    Block,
    CountBlock,
    DifferenceBlock,
    IntervalBlock,
    ScoreBlock,
    blocks_of,
    signatures,
)
from anascore.report.numbers import FIGURES, percent
from anascore.report.uncertainty import difference_lines, interval_lines
from anascore.report.view import View
from anascore.results import Result

WIDTH = 80
NUMBER = 7
"""The width of a score in per cent, with the blank before it."""

NAME = WIDTH - 6 * NUMBER
"""The widest name that stands beside its scores: there is room for two metrics then."""


def render_table(results: Sequence[Result], view: View) -> str:
    """Show scores in per cent, a row for each system, then counts, warnings and the signature."""
    blocks = [_lines(block) for block in blocks_of(results, view)]
    blocks.append(signatures(results))
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _lines(block: Block) -> list[str]:
    """Write a block in lines of 80 characters."""
    match block:
        case ScoreBlock():
            return _scores(block)
        case CountBlock():
            return _counts(block.head, block.rows)
        case IntervalBlock():
            return interval_lines(block)
        case DifferenceBlock():
            return difference_lines(block)
        case _:
            return [line for text in block.lines for line in _wrapped(text)]


def _scores(block: ScoreBlock) -> list[str]:
    """Show rows of scores, with the metrics below each other that do not fit into one line."""
    width = min(NAME, max(display_width(row) for row, _ in block.rows))
    lines = [block.title]
    for names in block.groups((WIDTH - width) // NUMBER):
        lines.append((" " * width + "".join(map(_centred, names))).rstrip())
        lines.append(" " * width + "".join(map(_heads, names)))
        for row, scores in block.rows:
            numbers = "".join(_numbers(name, scores) for name in names)
            lines += _row(row, width, numbers)
        lines.append("")
    return lines[:-1]


def _centred(name: str) -> str:
    return f"{LABELS[name]:^{len(figures(name)) * NUMBER}}"


def _heads(name: str) -> str:
    return "".join(f"{FIGURES[figure]:>{NUMBER}}" for figure in figures(name))


def _numbers(name: str, scores: Scores) -> str:
    values = (getattr(scores[name], f) if name in scores else None for f in figures(name))
    return "".join(f"{percent(value):>{NUMBER}}" for value in values)


def _counts(head: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> list[str]:
    """Show rows of numbers, which are called the same in all of them."""
    names = [name.replace("_", " ") for name in rows[0][1]]
    widest = max(len(head), *(display_width(row) for row, _ in rows))
    width = min(WIDTH - sum(len(name) + 2 for name in names), widest)
    lines = [f"{head:{width}}" + "".join(f"  {name}" for name in names)]
    for row, counts in rows:
        numbers = zip(names, counts.values(), strict=True)
        shown = "".join(f"{number:>{len(name) + 2}}" for name, number in numbers)
        lines += _row(row, width, shown)
    return lines


def _row(name: str, width: int, numbers: str) -> list[str]:
    """Set a name beside its numbers, or above them if it is too wide."""
    if display_width(name) > width:
        return [name, " " * width + numbers]
    return [pad(name, width) + numbers]


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
