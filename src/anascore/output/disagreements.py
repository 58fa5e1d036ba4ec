"""Disagreements among annotators, in text order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from anascore.analysis.agreement import Agreement
from anascore.analysis.disagreements import DISAGREEMENT_TYPES, Disagreement
from anascore.output.agreement import ALPHA_WIDTH
from anascore.output.grid import DECIMALS, Cell, Column, Grid, Head, Value, long_grid
from anascore.output.scores import count_cell
from anascore.output.table import text_lines
from anascore.output.text import paragraphs_to_text
from anascore.terminal import escape_control_characters


def tables(agreement: Agreement) -> Iterator[Grid]:
    """Tabulate the number of disagreements of each type, then list them all."""
    yield from _summary(agreement)
    if agreement.disagreements:
        rows = [(d.document, [Cell(d.type), Cell(str(d))]) for d in agreement.disagreements]
        heads = [Head([Column(name, is_text=True) for name in ("type", "disagreement")])]
        yield Grid("list", "Disagreements in the order of the text", heads, rows, "document")


def _summary(agreement: Agreement) -> Iterator[Grid]:
    yield Grid(notes=[agreement.summary])
    numbers = Counter(disagreement.type for disagreement in agreement.disagreements)
    rows = [(label, [count_cell(numbers[name])]) for name, label in DISAGREEMENT_TYPES.items()]
    heads = [Head([Column("number", min_width=ALPHA_WIDTH)])]
    yield Grid("disagreements", "Disagreements", heads, rows)


def text(agreement: Agreement, *, decimals: int = DECIMALS) -> str:
    """Print the numbers, then each document's disagreements below its name."""
    lists: dict[str, list[Disagreement]] = {}
    for disagreement in agreement.disagreements:
        lists.setdefault(disagreement.document, []).append(disagreement)
    paragraphs = [text_lines(grid, decimals) for grid in _summary(agreement)]
    for name, listed in lists.items():
        lines = (f"  {disagreement.type}: {disagreement}" for disagreement in listed)
        paragraphs.append([escape_control_characters(line) for line in (name, *lines)])
    return paragraphs_to_text([*paragraphs, [agreement.signature]])


COLUMNS = (
    *("document", "type", "words", "mention"),
    *("annotators", "claim", "other_annotators", "other_claim"),
)
"""Columns of the CSV output of disagreements."""


def rows(agreement: Agreement) -> Grid:
    """List one disagreement per row."""
    return long_grid(COLUMNS, _rows(agreement))


def _rows(agreement: Agreement) -> Iterator[tuple[Value, ...]]:
    for one in agreement.disagreements:
        claims = (part for who, claim in one.claims for part in (", ".join(who), claim))
        yield (one.document, one.type, one.position, one.mention, *claims)
