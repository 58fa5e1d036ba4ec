"""Grids of cells as text, Markdown and LaTeX.

A `Grid` holds text only: nothing here knows what the numbers mean.
"""

from __future__ import annotations

import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from os.path import commonprefix
from typing import NamedTuple, Self

from anascore.execution import (
    BOLD,
    DIM,
    display_width,
    escape_control_characters,
    pad,
    shorten_middle,
    styled,
)

LINE_WIDTH = 80
"""Width of text in columns, unless the terminal or the variable COLUMNS says another."""

MIN_LINE_WIDTH = 60
"""Minimum width of text, whatever they say."""

ROOM_FOR_NUMBERS = 42
"""Columns of a terminal that long names leave to the numbers beside them: six scores."""

MIN_NAME_WIDTH = 12
"""Columns that a name above a column of numbers can always have."""

MAX_COLUMNS = 10
"""Maximum number of columns of a table in Markdown and LaTeX."""


def line_width() -> int:
    """Return the width of text: the variable COLUMNS, else that of the terminal, else 80."""
    # As shutil.get_terminal_size, which loads slowly.
    width = 0
    with suppress(KeyError, ValueError):
        width = int(os.environ["COLUMNS"])
    if width <= 0 and sys.__stdout__ is not None:
        with suppress(ValueError, OSError):
            width = os.get_terminal_size(sys.__stdout__.fileno()).columns
    return max(MIN_LINE_WIDTH, width if width > 0 else LINE_WIDTH)


class GridCell(NamedTuple):
    """One cell of a table."""

    text: str
    best: bool = False
    """True for the best value among systems; bold in Markdown, LaTeX, HTML and on a terminal."""

    marked: bool = False
    """True for a significant difference; a star in Markdown, LaTeX and HTML."""


class Column(NamedTuple):
    """A column of numbers, or of text."""

    label: str = ""
    min_width: int = 0
    """Minimum width in text, including the blanks before the number."""

    starred: bool = False
    """True if text, too, has a star after marked cells."""

    is_text: bool = False
    """True for a column of text, which HTML aligns to the left."""

    is_name: bool = False
    """True if the label is a name, as of a system. Text cuts out the middle of a long one."""

    @property
    def width(self) -> int:
        """Width in text: at least one blank separates the labels of two columns, or two names."""
        return max(self.min_width, display_width(self.label) + (2 if self.is_name else 1))


class Head(NamedTuple):
    """Columns that stay together when a wide table is split, with an optional label above them."""

    columns: Sequence[Column]
    label: str = ""

    @property
    def width(self) -> int:
        """Width in text."""
        return sum(column.width for column in self.columns)

    @property
    def min_width(self) -> int:
        """Width in text with short names."""
        short = MIN_NAME_WIDTH + 2
        return sum(min(c.width, short) if c.is_name else c.width for c in self.columns)

    def escaped(self) -> Self:
        """Return the head with control characters escaped in all labels."""
        columns = [
            column._replace(label=escape_control_characters(column.label))
            for column in self.columns
        ]
        return self._replace(columns=columns, label=escape_control_characters(self.label))


class Grid(NamedTuple):
    """A table: named rows of cells under heads. Without heads it has only a title and notes."""

    title: str = ""
    heads: Sequence[Head] = ()
    rows: Sequence[tuple[str, Sequence[GridCell]]] = ()
    corner: str = ""
    """Label of the column of names."""

    notes: Sequence[str] = ()
    """Lines below the table."""

    full_width: bool = False
    """True if numbers stand at the right end of a line of 80 columns in text."""

    @property
    def columns(self) -> list[Column]:
        """Columns of all heads."""
        return [column for head in self.heads for column in head.columns]

    def escaped(self) -> Self:
        """Return the grid with control characters escaped in all that can come from files.

        Layout needs the final texts, since the widths of columns depend on them.
        """
        return self._replace(
            title=escape_control_characters(self.title),
            heads=[head.escaped() for head in self.heads],
            rows=[
                (
                    escape_control_characters(name),
                    [cell._replace(text=escape_control_characters(cell.text)) for cell in cells],
                )
                for name, cells in self.rows
            ],
            corner=escape_control_characters(self.corner),
            notes=[escape_control_characters(note) for note in self.notes],
        )

    def split(self, limit: int, size: Callable[[Head], int]) -> Iterator[Grid]:
        """Yield grids of consecutive heads whose sizes add up to no more than the limit."""
        groups: list[list[Head]] = [[]]
        for head in self.heads:
            if groups[-1] and sum(map(size, groups[-1])) + size(head) > limit:
                groups.append([])
            groups[-1].append(head)
        start = 0
        for heads in groups:
            end = start + sum(len(head.columns) for head in heads)
            rows = [(name, cells[start:end]) for name, cells in self.rows]
            yield self._replace(heads=heads, rows=rows)
            start = end


class SafeLine(str):
    """A line of text without control characters but those of styles."""

    __slots__ = ()


def paragraphs_to_text(paragraphs: Iterable[Iterable[str]]) -> str:
    """Join lines to paragraphs and paragraphs to text, with control characters escaped.

    All text output is made here, so that no control character of a file reaches a terminal.
    """
    joined = ("\n".join(map(_escape_line, lines)) for lines in paragraphs)
    return "\n\n".join(joined) + "\n"


def _escape_line(line: str) -> str:
    return line if isinstance(line, SafeLine) else escape_control_characters(line)


def render_text(grids: Iterable[Grid], signatures: Sequence[str]) -> str:
    """Render grids in lines as wide as the terminal. Parts of wide tables stand below each other.

    Where styles are allowed, the best values are bold, and columns of zeros are dim.
    """
    return paragraphs_to_text([*map(text_lines, grids), signatures])


def text_lines(grid: Grid) -> list[str]:
    """Return the lines of one grid in text."""
    grid, line = grid.escaped(), line_width()
    lines = [grid.title] if grid.title else []
    indent = ""
    if grid.heads:
        width = _name_width(grid, line)
        grid = _with_short_names(grid, line - width)
        for part in grid.split(line - width, lambda head: head.width):
            lines += [*_text_table(part, width), ""]
        lines.pop()
        indent = " " * (width + 2)
    for note in grid.notes:
        from textwrap import wrap  # noqa: PLC0415  many tables have no notes

        lines += wrap(
            note,
            line,
            initial_indent=indent,
            subsequent_indent=f"{indent}  ",
            break_on_hyphens=False,
        )
    return [SafeLine(line) for line in lines]


def _name_width(grid: Grid, line: int) -> int:
    """Return the width of the column of names."""
    widths = [head.min_width for head in grid.heads]
    limit = line - min(sum(widths), max(ROOM_FOR_NUMBERS, *widths))
    if grid.full_width:
        return min(limit, LINE_WIDTH - sum(widths))
    return min(limit, max(map(display_width, (grid.corner, *(name for name, _ in grid.rows)))))


def _with_short_names(grid: Grid, room: int) -> Grid:
    """Shorten the names above columns such that as many as possible stand beside each other."""
    names = [column.label for column in grid.columns if column.is_name]
    if not names:
        return grid
    others = sum(column.width for column in grid.columns if not column.is_name)
    width = max(MIN_NAME_WIDTH, (room - others) // len(names) - 2)
    short = _short_names(names, width)
    heads = [
        head._replace(
            columns=[
                column._replace(label=short[column.label]) if column.is_name else column
                for column in head.columns
            ]
        )
        for head in grid.heads
    ]
    return grid._replace(heads=heads)


def _short_names(names: Iterable[str], width: int) -> Mapping[str, str]:
    """Return names without the middle of long ones.

    Names that would look the same then show the part in which they differ, or stay whole.
    """
    short = {name: shorten_middle(name, width) for name in names}
    same: dict[str, list[str]] = {}
    for name, text in short.items():
        same.setdefault(text, []).append(name)
    for group in same.values():
        if len(group) > 1:
            short |= {name: _different_part(name, group, width) for name in group}
    numbers = Counter(short.values())
    return {name: text if numbers[text] == 1 else name for name, text in short.items()}


def _different_part(name: str, names: Sequence[str], width: int) -> str:
    """Return the part of a name in which it differs from others, with some text around it."""
    start = len(commonprefix(names))  # noqa: RUF071  names, not paths
    ends = [other[start:][::-1] for other in names]
    end = len(name) - len(commonprefix(ends))  # noqa: RUF071
    around = max(0, width - 2 - (end - start))
    start, end = max(0, start - (around + 1) // 2), end + around // 2
    before, after = "…" if start else "", "…" if end < len(name) else ""
    return shorten_middle(f"{before}{name[start:end]}{after}", width)


NOTHING = {"0", "0.00", "-"}
"""Texts of cells that say nothing if all cells of a column are such."""


def _text_table(grid: Grid, width: int) -> Iterator[str]:
    columns = grid.columns
    dim = [
        bool(grid.rows) and all(cells[number].text in NOTHING for _, cells in grid.rows)
        for number in range(len(columns))
    ]
    if any(head.label for head in grid.heads):
        labels = "".join(f"{head.label:^{head.width}}" for head in grid.heads)
        yield (" " * width + labels).rstrip()
    if any(column.label for column in columns):
        labels = "".join(
            _in_column(column.label, column, style=DIM if is_dim else "")
            for column, is_dim in zip(columns, dim, strict=True)
        )
        yield pad(grid.corner, width) + labels
    short = _short_names((name for name, _ in grid.rows), width)
    for name, cells in grid.rows:
        numbers = "".join(
            _in_column(
                _starred(cell) if column.starred else cell.text,
                column,
                style=DIM if is_dim else BOLD if cell.best else "",
            )
            for cell, column, is_dim in zip(cells, columns, dim, strict=True)
        )
        if display_width(short[name]) > width:
            yield name
            yield (" " * width + numbers).rstrip()
        else:
            yield (pad(short[name], width) + numbers).rstrip()


def _in_column(text: str, column: Column, *, style: str) -> str:
    """Return a text at the right end of a column."""
    blanks = " " * (column.width - display_width(text))
    return blanks + (styled(text, style) if style else text)


def _starred(cell: GridCell) -> str:
    return cell.text + ("*" if cell.marked else " ")


def render_markdown(grids: Iterable[Grid], signatures: Sequence[str]) -> str:
    """Render grids in Markdown. The best value is bold; a star marks significance."""
    parts = [part for grid in grids for part in _markdown_parts(grid.escaped())]
    return paragraphs_to_text([*parts, *([_markdown_code(text)] for text in signatures)])


def _markdown_parts(grid: Grid) -> Iterator[Iterable[str]]:
    if grid.title:
        yield [f"**{_escape_markdown(grid.title.strip())}**"]
    if grid.heads:
        for part in grid.split(MAX_COLUMNS, number_of_columns):
            yield _markdown_table(part)
    for note in grid.notes:
        yield [_markdown_line(note)]


def number_of_columns(head: Head) -> int:
    """Return the number of columns below a head."""
    return len(head.columns)


def _markdown_table(grid: Grid) -> Iterator[str]:
    labels = [
        _escape_markdown(f"{head.label} {column.label}".strip())
        for head in grid.heads
        for column in head.columns
    ]
    corner = f" {_escape_markdown(grid.corner)} " if grid.corner else " "
    yield f"|{corner}| {' | '.join(labels)} |"
    yield "| --- |" + " ---: |" * len(labels)
    for name, cells in grid.rows:
        yield f"| {_escape_markdown(name)} | {' | '.join(map(_markdown_cell, cells))} |"


def _markdown_cell(cell: GridCell) -> str:
    text = f"**{cell.text}**" if cell.best else cell.text
    return f"{text}\\*" if cell.marked else text


MARKDOWN_MARKUP = re.compile(r"[\\`*_{}\[\]<>#|~$]|&(?=#?\w)")
"""Characters that Markdown takes for markup anywhere in a line, and the start of an entity."""

MARKDOWN_BLOCK = re.compile(r"^(\d*)([-+=.)])")
"""Beginning of a line that Markdown takes for a list or a rule."""


def _escape_markdown(text: str) -> str:
    """Escape characters that Markdown takes for markup."""
    return MARKDOWN_MARKUP.sub(r"\\\g<0>", text)


def _markdown_line(text: str) -> str:
    """Escape a line that is a paragraph of its own: it starts no list, heading or code block."""
    return MARKDOWN_BLOCK.sub(r"\1\\\2", _escape_markdown(text.strip()))


def _markdown_code(text: str) -> str:
    quoted = text.replace("`", "'")
    return f"`{quoted}`"


# After \\ and \midrule, LaTeX takes a bracket or a star for an argument.
LATEX_ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "³": "$^3$",
    "β": r"$\beta$",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    "[": "{[}",
    "*": "{*}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def render_latex(grids: Iterable[Grid], signatures: Sequence[str]) -> str:
    """Render grids in LaTeX. The best value is bold; a star marks significance."""
    comments = (_latex_comment(signature) for signature in signatures)
    parts = [part for grid in grids for part in _latex_parts(grid.escaped())]
    return paragraphs_to_text(
        [["% needs \\usepackage{booktabs}"], *parts, *([line] for line in comments)]
    )


def _latex_parts(grid: Grid) -> Iterator[Sequence[str]]:
    title = [_latex_comment(grid.title)] if grid.title else []
    if grid.heads:
        for part in grid.split(MAX_COLUMNS, number_of_columns):
            yield [*title, *_latex_table(part)]
    elif title:
        yield title
    for note in grid.notes:
        yield [_latex_comment(note)]


def _latex_table(grid: Grid) -> Iterator[str]:
    columns = grid.columns
    yield f"\\begin{{tabular}}{{l{'r' * len(columns)}}}"
    yield r"\toprule"
    if any(head.label for head in grid.heads):
        heads = (
            f"\\multicolumn{{{len(head.columns)}}}{{c}}{{{_escape_latex(head.label)}}}"
            for head in grid.heads
        )
        yield f" & {' & '.join(heads)} \\\\"
    labels = (_escape_latex(column.label) for column in columns)
    yield f"{_escape_latex(grid.corner)} & {' & '.join(labels)} \\\\"
    yield r"\midrule"
    for name, cells in grid.rows:
        yield f"{_escape_latex(name)} & {' & '.join(map(_latex_cell, cells))} \\\\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _latex_cell(cell: GridCell) -> str:
    text = _typeset(cell.text)
    text = f"\\textbf{{{text}}}" if cell.best else text
    return f"{text}$^*$" if cell.marked else text


def _typeset(text: str) -> str:
    """Write a minus before a negative number; a dash in ranges and for undefined values."""
    negative = text.startswith("-") and text != "-"
    return f"$-${text[1:]}" if negative else text.replace("-", "--").replace("<", "$<$")


def _escape_latex(text: str) -> str:
    """Escape characters that LaTeX takes for commands."""
    escaped = "".join(LATEX_ESCAPES.get(character, character) for character in text)
    return re.sub("-(?=-)", "-{}", escaped)  # two hyphens would become a dash


def _latex_comment(text: str) -> str:
    return f"% {text}"
