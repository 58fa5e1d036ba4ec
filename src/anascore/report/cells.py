"""Blocks as rows of cells, for tables in Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from anascore.metrics import LABELS, figures
from anascore.report.blocks import (
    Block,
    CountBlock,
    DifferenceBlock,
    IntervalBlock,
    ScoreBlock,
)
from anascore.report.numbers import FIGURES, chance, difference, interval, percent

MOST = 10
"""How many columns of numbers a table has at most."""


class Cell(NamedTuple):
    """What stands in one place of a table."""

    text: str
    best: bool = False
    """Whether it is the best value of its column."""

    marked: bool = False
    """Whether it differs from the first row by more than chance."""


class Head(NamedTuple):
    """A heading over some columns, with what each of these is."""

    label: str
    columns: tuple[str, ...]


class Cells(NamedTuple):
    """A table."""

    title: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


def cells_of(block: Block) -> Iterator[Cells]:
    """Write a block as tables that are not too wide; text has none."""
    match block:
        case ScoreBlock():
            yield from (_group(block, names) for names in block.groups(MOST))
        case CountBlock():
            names = tuple(Head(name.replace("_", " "), ("",)) for name in block.rows[0][1])
            rows = ((row, tuple(Cell(str(n)) for n in found.values())) for row, found in block.rows)
            yield Cells(block.head, names, tuple(rows))
        case IntervalBlock():
            names = tuple(Head(LABELS[name], ("",)) for name in block.rows[0][1])
            rows = (
                (row, tuple(Cell(interval(found)) for found in intervals.values()))
                for row, intervals in block.rows
            )
            yield Cells(block.title, names, tuple(rows))
        case DifferenceBlock():
            yield _differences(block)
        case _:
            return


def _differences(block: DifferenceBlock) -> Cells:
    labels = ("difference", "p", "p (Holm)", "better", "worse", "equal")
    rows = []
    for name, found in block.rows.items():
        counts = (Cell(str(number)) for number in (found.wins, found.losses, found.ties))
        chances = (Cell(chance(p)) for p in (found.p, found.corrected))
        first = Cell(difference(found.difference), marked=found.significant)
        rows.append((LABELS[name], (first, *chances, *counts)))
    return Cells(block.title, tuple(Head(label, ("",)) for label in labels), tuple(rows))


def _group(block: ScoreBlock, names: Sequence[str]) -> Cells:
    heads = tuple(Head(LABELS[name], tuple(FIGURES[f] for f in figures(name))) for name in names)
    columns = [(name, figure) for name in names for figure in figures(name)]
    values = [
        [getattr(scores[name], figure) if name in scores else None for name, figure in columns]
        for _, scores in block.rows
    ]
    highest = [
        max((v for v in column if v is not None), default=None)
        for column in zip(*values, strict=True)
    ]
    compares = block.compares and len(block.rows) > 1
    rows = []
    for (row, _), found in zip(block.rows, values, strict=True):
        cells = (
            Cell(
                percent(value),
                compares and value is not None and value == best,
                figure == "f1" and (row, name) in block.marked,
            )
            for value, best, (name, figure) in zip(found, highest, columns, strict=True)
        )
        rows.append((row, tuple(cells)))
    return Cells(block.title, heads, tuple(rows))
