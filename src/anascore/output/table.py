"""Tables as text in columns, for terminals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os.path import commonprefix

from anascore.output.grid import DECIMALS, MIN_NAME_WIDTH, Cell, Column, Grid, Kind
from anascore.output.text import LINE_WIDTH, SafeLine, line_width, paragraphs_to_text
from anascore.terminal import BOLD, DIM, display_width, pad, shorten_middle, styled

ROOM_FOR_NUMBERS = 42
"""Terminal columns that long names leave for numbers: enough for six scores."""


def render(grids: Iterable[Grid], signatures: Sequence[str], decimals: int = DECIMALS) -> str:
    """Render grids as wide as the terminal, and split wider tables into parts.

    If the terminal allows styles, the best values are bold, and columns of zeros are dim.
    """
    paragraphs = [*(text_lines(grid, decimals) for grid in grids), signatures]
    return paragraphs_to_text(filter(None, paragraphs))


def text_lines(grid: Grid, decimals: int = DECIMALS) -> list[str]:
    """Lay out one grid in lines of text."""
    grid, line = _widened(grid.with_interval_columns().escaped(), decimals), line_width()
    lines = [grid.title] if grid.title else []
    indent = ""
    if grid.heads:
        width = _name_width(grid, line)
        grid = _with_short_names(grid, line - width)
        for part in grid.split(line - width, lambda head: head.width):
            lines += [*_text_table(part, width, decimals), ""]
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


DIGITS_OF: dict[Kind, int] = {"score": 1, "difference": 1, "interval": 2}
"""Number of values per cell whose decimals the user chooses, by kind."""


def _widened(grid: Grid, decimals: int) -> Grid:
    """Widen columns to fit their cells, except a last text column, and heads to fit labels."""
    columns = grid.columns
    widths = [
        max((_needed_width(column, cells[n], decimals) for _, cells in grid.rows), default=0)
        for n, column in enumerate(columns)
    ]
    if columns and columns[-1].is_text:
        widths[-1] = 0
    needed = iter(widths)
    heads = []
    for head in grid.heads:
        first, *others = (
            column._replace(min_width=max(column.min_width, next(needed)))
            for column in head.columns
        )
        room = display_width(head.label) + 1 - sum(column.width for column in (first, *others))
        first = first._replace(min_width=first.width + max(0, room)) if head.label else first
        heads.append(head._replace(columns=[first, *others]))
    return grid._replace(heads=heads)


def _needed_width(column: Column, cell: Cell, decimals: int) -> int:
    """Compute the width that a cell needs; more decimals than usual keep the same spacing."""
    blanks = 2 if cell.kind == "text" else 1
    more = max(0, decimals - DECIMALS) * DIGITS_OF.get(cell.kind, 0)
    shown = _starred(cell, decimals) if column.starred else cell.text(decimals)
    return max(column.min_width + more, display_width(shown) + blanks)


def _name_width(grid: Grid, line: int) -> int:
    widths = [head.min_width for head in grid.heads]
    limit = line - min(sum(widths), max(ROOM_FOR_NUMBERS, *widths))
    if grid.full_width:
        return min(limit, LINE_WIDTH - sum(widths))
    return min(limit, max(map(display_width, (grid.corner, *(name for name, _ in grid.rows)))))


def _with_short_names(grid: Grid, room: int) -> Grid:
    """Shorten the names above columns so that as many columns as possible fit on a line."""
    names = [column.heading for column in grid.columns if column.is_system]
    if not names:
        return grid
    others = sum(column.width for column in grid.columns if not column.is_system)
    width = max(MIN_NAME_WIDTH, (room - others) // len(names) - 2)
    short = _short_names(names, width)
    heads = [
        head._replace(
            columns=[
                column._replace(label=short[column.heading]) if column.is_system else column
                for column in head.columns
            ]
        )
        for head in grid.heads
    ]
    return grid._replace(heads=heads)


def _short_names(names: Iterable[str], width: int) -> Mapping[str, str]:
    """Cut out the middle of long names.

    Names that would look alike show the part in which they differ instead, or stay whole.
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
    """Find the part of a name in which it differs from the others, with some text around it."""
    start = len(commonprefix(names))  # noqa: RUF071  names, not paths
    ends = [other[start:][::-1] for other in names]
    end = len(name) - len(commonprefix(ends))  # noqa: RUF071
    around = max(0, width - 2 - (end - start))
    start, end = max(0, start - (around + 1) // 2), end + around // 2
    before, after = "…" if start else "", "…" if end < len(name) else ""
    return shorten_middle(f"{before}{name[start:end]}{after}", width)


def _text_table(grid: Grid, width: int, decimals: int) -> Iterator[str]:
    columns = grid.columns
    dim = [
        bool(grid.rows) and all(cells[number].is_nothing for _, cells in grid.rows)
        for number in range(len(columns))
    ]
    if any(head.label for head in grid.heads):
        labels = "".join(f"{head.label:^{head.width}}" for head in grid.heads)
        yield (" " * width + labels).rstrip()
    if any(column.heading for column in columns):
        labels = "".join(
            _in_column(column.heading, column, style=DIM if is_dim else "")
            for column, is_dim in zip(columns, dim, strict=True)
        )
        yield pad(grid.corner, width) + labels
    short = _short_names((name for name, _ in grid.rows), width)
    for name, cells in grid.rows:
        numbers = "".join(
            _in_column(
                _starred(cell, decimals) if column.starred else cell.text(decimals),
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
    """Align a number to the right, and a text to the left."""
    styled_text = styled(text, style) if style else text
    blanks = " " * (column.width - display_width(text))
    if column.is_text:
        return f"  {styled_text}{blanks[2:]}"
    return blanks + styled_text


def _starred(cell: Cell, decimals: int) -> str:
    return cell.text(decimals) + ("*" if cell.is_significant else " ")
