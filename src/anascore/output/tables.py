"""Grids of cells as text, Markdown and LaTeX.

A `Grid` holds text only: nothing here knows what the numbers mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import wrap
from typing import NamedTuple, Self

from anascore.execution import display_width, escape_control_characters, pad

LINE_WIDTH = 80
"""Width of text in columns of a terminal."""

ROOM_FOR_NUMBERS = 42
"""Columns of a terminal that long names leave to the numbers beside them: six scores."""

MAX_COLUMNS = 10
"""Maximum number of columns of a table in Markdown and LaTeX."""


class GridCell(NamedTuple):
    """One cell of a table."""

    text: str
    best: bool = False
    """True for the best value of a column; bold in Markdown, LaTeX and HTML."""

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

    @property
    def width(self) -> int:
        """Width in text: at least one blank separates the labels of two columns."""
        return max(self.min_width, len(self.label) + 1)


class Head(NamedTuple):
    """Columns that stay together when a wide table is split, with an optional label above them."""

    columns: Sequence[Column]
    label: str = ""

    @property
    def width(self) -> int:
        """Width in text."""
        return sum(column.width for column in self.columns)


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
    """True if numbers stand at the right end of the line in text."""

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
            rows=[(escape_control_characters(name), cells) for name, cells in self.rows],
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


def paragraphs_to_text(paragraphs: Iterable[Iterable[str]]) -> str:
    """Join lines to paragraphs and paragraphs to text, with control characters escaped.

    All text output is made here, so that no control character of a file reaches a terminal.
    """
    joined = ("\n".join(map(escape_control_characters, lines)) for lines in paragraphs)
    return "\n\n".join(joined) + "\n"


def render_text(grids: Iterable[Grid], signatures: Sequence[str]) -> str:
    """Render grids in lines of 80 columns. Parts of wide tables stand below each other."""
    return paragraphs_to_text([*map(text_lines, grids), signatures])


def text_lines(grid: Grid) -> list[str]:
    """Return the lines of one grid in text."""
    grid = grid.escaped()
    lines = [grid.title] if grid.title else []
    indent = ""
    if grid.heads:
        width = _name_width(grid)
        for part in grid.split(LINE_WIDTH - width, lambda head: head.width):
            lines += [*_text_table(part, width), ""]
        lines.pop()
        indent = " " * (width + 2)
    for note in grid.notes:
        lines += wrap(
            note,
            LINE_WIDTH,
            initial_indent=indent,
            subsequent_indent=f"{indent}  ",
            break_on_hyphens=False,
        )
    return lines


def _name_width(grid: Grid) -> int:
    """Return the width of the column of names; wider names get a line of their own."""
    widths = [head.width for head in grid.heads]
    limit = LINE_WIDTH - min(sum(widths), max(ROOM_FOR_NUMBERS, *widths))
    if grid.full_width:
        return limit
    return min(limit, max(map(display_width, (grid.corner, *(name for name, _ in grid.rows)))))


def _text_table(grid: Grid, width: int) -> Iterator[str]:
    columns = [(column.width, column.starred) for column in grid.columns]
    if any(head.label for head in grid.heads):
        labels = "".join(f"{head.label:^{head.width}}" for head in grid.heads)
        yield (" " * width + labels).rstrip()
    if any(column.label for column in grid.columns):
        labels = "".join(f"{column.label:>{column.width}}" for column in grid.columns)
        yield pad(grid.corner, width) + labels
    for name, cells in grid.rows:
        numbers = "".join(
            f"{_starred(cell) if starred else cell.text:>{size}}"
            for cell, (size, starred) in zip(cells, columns, strict=True)
        )
        if display_width(name) > width:
            yield name
            yield (" " * width + numbers).rstrip()
        else:
            yield (pad(name, width) + numbers).rstrip()


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
