"""Tables as text, Markdown and LaTeX."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from anascore.execution import display_width, pad
from anascore.metrics import LABELS, values_of
from anascore.output import ReportOptions
from anascore.output.grids import (
    FIGURES,
    Block,
    CountBlock,
    DifferenceBlock,
    Grid,
    GridCell,
    IntervalBlock,
    ScoreBlock,
    TextBlock,
    blocks_of,
    cells_of,
    chance,
    difference,
    interval,
    percent,
    signatures,
)
from anascore.results import Result, Scores

LINE_WIDTH = 80
NUMBER = 7
"""The width of a score in per cent, with the blank before it."""

NAME = LINE_WIDTH - 6 * NUMBER
"""The widest name that stands beside its scores: there is room for two metrics then."""


def render_table(results: Sequence[Result], view: ReportOptions) -> str:
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
    for names in block.groups((LINE_WIDTH - width) // NUMBER):
        lines.append((" " * width + "".join(map(_centred, names))).rstrip())
        lines.append(" " * width + "".join(map(_heads, names)))
        for row, scores in block.rows:
            numbers = "".join(_numbers(name, scores) for name in names)
            lines += _row(row, width, numbers)
        lines.append("")
    return lines[:-1]


def _centred(name: str) -> str:
    return f"{LABELS[name]:^{len(values_of(name)) * NUMBER}}"


def _heads(name: str) -> str:
    return "".join(f"{FIGURES[figure]:>{NUMBER}}" for figure in values_of(name))


def _numbers(name: str, scores: Scores) -> str:
    values = (getattr(scores[name], f) if name in scores else None for f in values_of(name))
    return "".join(f"{percent(value):>{NUMBER}}" for value in values)


def _counts(head: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> list[str]:
    """Show rows of numbers, which are called the same in all of them."""
    names = [name.replace("_", " ") for name in rows[0][1]]
    widest = max(len(head), *(display_width(row) for row, _ in rows))
    width = min(LINE_WIDTH - sum(len(name) + 2 for name in names), widest)
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
    return wrap(text, LINE_WIDTH, subsequent_indent="  ", break_on_hyphens=False)


INTERVAL_WIDTH = 80
CELL = 15
"""The width of an interval, with the blanks before it."""


def interval_lines(block: IntervalBlock) -> list[str]:
    """Show the intervals of F1, with the scores below each other that do not fit into a line."""
    width = min(INTERVAL_WIDTH - CELL, max(display_width(row) for row, _ in block.rows))
    number = (INTERVAL_WIDTH - width) // CELL
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


def render_markdown(results: Sequence[Result], view: ReportOptions) -> str:
    """Show scores in per cent; the best of several systems is bold, a star marks significance."""
    parts = [part for block in blocks_of(results, view) for part in _markdown_parts(block)]
    parts += [f"`{_escaped_code(signature)}`" for signature in signatures(results)]
    return "\n\n".join(parts) + "\n"


def _markdown_parts(block: Block) -> Iterator[str]:
    if isinstance(block, TextBlock):
        yield from (_escape_markdown(line) for line in block.lines)
        return
    title = ""
    for table in cells_of(block):
        if table.title and table.title != title:
            title = table.title
            yield f"**{_escape_markdown(title)}**"
        yield "\n".join(_markdown_table(table))


def _markdown_table(table: Grid) -> Iterator[str]:
    labels = [f"{head.label} {column}".strip() for head in table.heads for column in head.columns]
    yield f"| | {' | '.join(labels)} |"
    yield "| --- |" + " ---: |" * len(labels)
    for name, cells in table.rows:
        yield f"| {_escape_markdown(name)} | {' | '.join(map(_markdown_cell, cells))} |"


def _markdown_cell(cell: GridCell) -> str:
    text = f"**{cell.text}**" if cell.best else cell.text
    return f"{text}\\*" if cell.marked else text


def _escape_markdown(text: str) -> str:
    """Keep names from becoming markup."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]<>#|~" else c for c in text.replace("\n", " "))


def _escaped_code(text: str) -> str:
    return text.replace("`", "'")


SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "³": "$^3$",
    "β": r"$\beta$",
    "<": "$<$",
    ">": "$>$",
    **{character: f"\\{character}" for character in "&%$#_{}"},
}


def render_latex(results: Sequence[Result], view: ReportOptions) -> str:
    """Show scores in per cent; the best of several systems is bold, a star marks significance."""
    parts = ["% needs \\usepackage{booktabs}"]
    parts += [part for block in blocks_of(results, view) for part in _latex_parts(block)]
    parts += [f"% {_comment(signature)}" for signature in signatures(results)]
    return "\n\n".join(parts) + "\n"


def _latex_parts(block: Block) -> Iterator[str]:
    if isinstance(block, TextBlock):
        yield from (f"% {_comment(line)}" for line in block.lines)
    for table in cells_of(block):
        title = [f"% {_comment(table.title)}"] if table.title else []
        yield "\n".join([*title, *_latex_table(table)])


def _latex_table(table: Grid) -> Iterator[str]:
    columns = [column for head in table.heads for column in head.columns]
    yield f"\\begin{{tabular}}{{l{'r' * len(columns)}}}"
    yield r"\toprule"
    if any(columns):
        heads = (
            f"\\multicolumn{{{len(head.columns)}}}{{c}}{{{_escape_latex(head.label)}}}"
            for head in table.heads
        )
        yield f" & {' & '.join(heads)} \\\\"
        yield f" & {' & '.join(columns)} \\\\"
    else:
        yield f" & {' & '.join(_escape_latex(head.label) for head in table.heads)} \\\\"
    yield r"\midrule"
    for name, cells in table.rows:
        yield f"{_escape_latex(name)} & {' & '.join(map(_latex_cell, cells))} \\\\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _latex_cell(cell: GridCell) -> str:
    text = _typeset(cell.text)
    text = f"\\textbf{{{text}}}" if cell.best else text
    return f"{text}$^*$" if cell.marked else text


def _typeset(text: str) -> str:
    """Write a minus sign before a number, and a dash between two or for an undefined value."""
    negative = text.startswith("-") and text != "-"
    return f"$-${text[1:]}" if negative else text.replace("-", "--").replace("<", "$<$")


def _escape_latex(text: str) -> str:
    """Keep names from becoming commands."""
    return "".join(SPECIAL.get(character, character) for character in text.replace("\n", " "))


def _comment(text: str) -> str:
    return text.replace("\n", " ")
