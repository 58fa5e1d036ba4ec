"""Results as tables in LaTeX, with booktabs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anascore.report.blocks import Block, TextBlock, blocks_of, signatures
from anascore.report.cells import Cell, Cells, cells_of
from anascore.report.view import View
from anascore.results import Result

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


def render_latex(results: Sequence[Result], view: View) -> str:
    """Show scores in per cent; the best of several systems is bold, a star marks significance."""
    parts = ["% needs \\usepackage{booktabs}"]
    parts += [part for block in blocks_of(results, view) for part in _parts(block)]
    parts += [f"% {_comment(signature)}" for signature in signatures(results)]
    return "\n\n".join(parts) + "\n"


def _parts(block: Block) -> Iterator[str]:
    if isinstance(block, TextBlock):
        yield from (f"% {_comment(line)}" for line in block.lines)
    for table in cells_of(block):
        title = [f"% {_comment(table.title)}"] if table.title else []
        yield "\n".join([*title, *_table(table)])


def _table(table: Cells) -> Iterator[str]:
    columns = [column for head in table.heads for column in head.columns]
    yield f"\\begin{{tabular}}{{l{'r' * len(columns)}}}"
    yield r"\toprule"
    if any(columns):
        heads = (
            f"\\multicolumn{{{len(head.columns)}}}{{c}}{{{_escaped(head.label)}}}"
            for head in table.heads
        )
        yield f" & {' & '.join(heads)} \\\\"
        yield f" & {' & '.join(columns)} \\\\"
    else:
        yield f" & {' & '.join(_escaped(head.label) for head in table.heads)} \\\\"
    yield r"\midrule"
    for name, cells in table.rows:
        yield f"{_escaped(name)} & {' & '.join(map(_cell, cells))} \\\\"
    yield r"\bottomrule"
    yield r"\end{tabular}"


def _cell(cell: Cell) -> str:
    text = _typeset(cell.text)
    text = f"\\textbf{{{text}}}" if cell.best else text
    return f"{text}$^*$" if cell.marked else text


def _typeset(text: str) -> str:
    """Write a minus sign before a number, and a dash between two or for an undefined value."""
    negative = text.startswith("-") and text != "-"
    return f"$-${text[1:]}" if negative else text.replace("-", "--").replace("<", "$<$")


def _escaped(text: str) -> str:
    """Keep names from becoming commands."""
    return "".join(SPECIAL.get(character, character) for character in text.replace("\n", " "))


def _comment(text: str) -> str:
    return text.replace("\n", " ")
