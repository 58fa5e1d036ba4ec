"""LaTeX tables that are ready for a paper: caption, label, and booktabs rules."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from anascore.output.grid import DECIMALS, Cell, Column, Grid, number_of_columns
from anascore.output.text import paragraphs_to_text
from anascore.terminal import escape_control_characters

MAX_COLUMNS = 10
"""Maximum number of columns side by side; a wider table is split into parts below each other."""

MAX_TEXT = 40
"""Maximum number of characters of a text on one line."""

MAX_FLOATS = 15
"""Number of tables after which a page ends, because LaTeX keeps at most 18 tables that have no
place yet."""

LEVELS = (0.05, 0.01, 0.001)
"""A difference gets a star for each level that its p-value is below."""

# After \\ and \midrule, LaTeX takes a bracket or a star for an argument.
ESCAPES = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "³": "$^3$",
    "α": r"$\alpha$",
    "β": r"$\beta$",
    "δ": r"$\delta$",
    "≈": r"$\approx$",
    "⊕": r"$\oplus$",
    "∅": r"$\emptyset$",
    "…": r"\dots{}",
    "<": "$<$",
    ">": "$>$",
    "|": r"\textbar{}",
    "[": "{[}",
    "*": "{*}",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def render(grids: Iterable[Grid], signatures: Sequence[str], decimals: int = DECIMALS) -> str:
    """Render grids in LaTeX. The best value is bold; stars mark significance."""
    numbers: Counter[str] = Counter()
    parts: list[Iterable[str]] = [["% needs \\usepackage{booktabs}"]]
    for grid in grids:
        if grid.heads:
            if numbers.total() and numbers.total() % MAX_FLOATS == 0:
                parts.append([r"\clearpage"])
            numbers[grid.id] += 1
            parts.append(_table(grid, numbers[grid.id], decimals))
        elif grid.title:
            parts.append([_comment(grid.escaped().title)])
        parts += ([_comment(note)] for note in grid.escaped().notes)
    return paragraphs_to_text([*parts, *([_comment(signature)] for signature in signatures)])


def _table(grid: Grid, number: int, decimals: int) -> Iterator[str]:
    """Yield a table's lines; `number` tells it from other tables with the same id."""
    label = re.sub("[^a-z0-9]+", "-", grid.id.lower()).strip("-")
    yield r"\begin{table}"
    yield r"\centering\small\setlength{\tabcolsep}{3pt}"
    yield f"\\caption{{{_caption(grid)}}}"
    yield f"\\label{{tab:{label}{f'-{number}' if number > 1 else ''}}}"
    shown = grid.with_interval_columns().escaped()
    for position, part in enumerate(shown.split(MAX_COLUMNS, number_of_columns)):
        if position:
            yield r"\par\medskip"
        yield from _tabular(part, decimals)
    yield r"\end{table}"


def _caption(grid: Grid) -> str:
    """Add to the title what bold values and stars mean."""
    cells = [cell for _, cells in grid.rows for cell in cells]
    title = escape_control_characters(grid.title or grid.caption)
    caption = f"{_escape(title.strip())}."
    if any(cell.best for cell in cells):
        caption += " The best values are bold."
    if any(cell.is_significant for cell in cells):
        *levels, last = (f"{'*' * n} $p < {level}$" for n, level in enumerate(LEVELS, 1))
        caption += f" {', '.join(levels)} and {last} (Holm-corrected)."
    return caption


def _tabular(grid: Grid, decimals: int) -> Iterator[str]:
    columns = zip(*(cells for _, cells in grid.rows), strict=True)
    alignment = "".join(map(_alignment, grid.columns, columns))
    yield f"\\begin{{tabular}}{{l{alignment}}}"
    yield r"\toprule"
    if any(head.label for head in grid.heads):
        heads = (
            f"\\multicolumn{{{len(head.columns)}}}{{c}}{{{_escape(head.label)}}}"
            for head in grid.heads
        )
        yield f" & {' & '.join(heads)} \\\\"
        ends = [*accumulate((len(head.columns) for head in grid.heads), initial=1)]
        yield "".join(
            f"\\cmidrule(lr){{{start + 1}-{end}}}"
            for head, start, end in zip(grid.heads, ends, ends[1:], strict=False)
            if head.label
        )
    if grid.corner or any(column.heading for column in grid.columns):
        headings = (_escape(column.heading) for column in grid.columns)
        yield f"{_escape(grid.corner)} & {' & '.join(headings)} \\\\"
        yield r"\midrule"
    for name, cells in grid.rows:
        texts = (_cell(cell, decimals) for cell in cells)
        level = (len(name) - len(name.lstrip(" "))) // 2
        heading = r"\quad " * level + _escape(name[2 * level :])
        yield f"{heading} & {' & '.join(texts)} \\\\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _alignment(column: Column, cells: Iterable[Cell]) -> str:
    """Choose a column's alignment; long texts wrap."""
    if not column.is_text:
        return "r"
    return r"p{0.45\linewidth}" if any(len(cell.text()) > MAX_TEXT for cell in cells) else "l"


def _cell(cell: Cell, decimals: int) -> str:
    text = cell.text(decimals)
    text = _escape(text) if cell.kind == "text" and cell.value is not None else _typeset(text)
    text = f"\\textbf{{{text}}}" if cell.best else text
    stars = "*" * sum(cell.p is not None and cell.p < level for level in LEVELS)
    return f"{text}$^{{{stars}}}$" if stars else text


def _typeset(number: str) -> str:
    """Set a minus before a negative number; a dash in ranges and for undefined values."""
    if number.startswith("-") and number != "-":
        return f"$-${number[1:]}"
    return _escaped(number).replace("-", "--")


def _escape(text: str) -> str:
    """Escape characters with a special meaning in LaTeX."""
    return re.sub("-(?=-)", "-{}", _escaped(text))  # two hyphens would become a dash


def _escaped(text: str) -> str:
    return "".join(ESCAPES.get(character, character) for character in text)


def _comment(text: str) -> str:
    return f"% {text}"
