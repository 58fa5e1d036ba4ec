"""Tables in Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from anascore.output.grid import DECIMALS, Cell, Grid, number_of_columns
from anascore.output.text import paragraphs_to_text

MAX_COLUMNS = 10
"""Maximum number of columns; a wider table is split into parts below each other."""


def render(grids: Iterable[Grid], signatures: Sequence[str], decimals: int = DECIMALS) -> str:
    """Render grids in Markdown. The best value is bold; a star marks significance."""
    parts = [part for grid in grids for part in _parts(grid, decimals)]
    return paragraphs_to_text([*parts, *([_code(text)] for text in signatures)])


def _parts(grid: Grid, decimals: int) -> Iterator[Iterable[str]]:
    grid = grid.with_interval_columns().escaped()
    if grid.title:
        yield [f"**{_escape(grid.title.strip())}**"]
    if grid.heads:
        for part in grid.split(MAX_COLUMNS, number_of_columns):
            yield _table(part, decimals)
    for note in grid.notes:
        yield [_line(note)]


def _table(grid: Grid, decimals: int) -> Iterator[str]:
    labels = [
        _escape(f"{head.label} {column.heading}".strip())
        for head in grid.heads
        for column in head.columns
    ]
    corner = f" {_escape(grid.corner)} " if grid.corner else " "
    yield f"|{corner}| {' | '.join(labels)} |"
    yield "| --- |" + "".join(" --- |" if column.is_text else " ---: |" for column in grid.columns)
    for name, cells in grid.rows:
        texts = (_cell(cell, decimals) for cell in cells)
        yield f"| {_escape(name)} | {' | '.join(texts)} |"


def _cell(cell: Cell, decimals: int) -> str:
    text = cell.text(decimals)
    if cell.kind == "text":
        text = _escape(text)
    text = f"**{text}**" if cell.best else text
    return f"{text}\\*" if cell.is_significant else text


MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~$]|&(?=#?\w)")
"""Characters with a special meaning anywhere in a Markdown line, and the start of an HTML
entity."""

BLOCK = re.compile(r"^(\d*)([-+=.)])")
"""Line start that Markdown would read as a list or a rule."""


def _escape(text: str) -> str:
    return MARKUP.sub(r"\\\g<0>", text)


def _line(text: str) -> str:
    """Escape a paragraph of one line, which must not start a list, a heading or a code block."""
    return BLOCK.sub(r"\1\\\2", _escape(text.strip()))


def _code(text: str) -> str:
    quoted = text.replace("`", "'")
    return f"`{quoted}`"
