"""Results as tables in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from anascore.report.blocks import Block, TextBlock, blocks_of, signatures
from anascore.report.cells import Cell, Cells, cells_of
from anascore.report.view import View
from anascore.results import Result


def render_markdown(results: Sequence[Result], view: View) -> str:
    """Show scores in per cent; the best of several systems is bold, a star marks significance."""
    parts = [part for block in blocks_of(results, view) for part in _parts(block)]
    parts += [f"`{_escaped_code(signature)}`" for signature in signatures(results)]
    return "\n\n".join(parts) + "\n"


def _parts(block: Block) -> Iterator[str]:
    if isinstance(block, TextBlock):
        yield from (_escaped(line) for line in block.lines)
        return
    title = ""
    for table in cells_of(block):
        if table.title and table.title != title:
            title = table.title
            yield f"**{_escaped(title)}**"
        yield "\n".join(_table(table))


def _table(table: Cells) -> Iterator[str]:
    labels = [f"{head.label} {column}".strip() for head in table.heads for column in head.columns]
    yield f"| | {' | '.join(labels)} |"
    yield "| --- |" + " ---: |" * len(labels)
    for name, cells in table.rows:
        yield f"| {_escaped(name)} | {' | '.join(map(_cell, cells))} |"


def _cell(cell: Cell) -> str:
    text = f"**{cell.text}**" if cell.best else cell.text
    return f"{text}\\*" if cell.marked else text


def _escaped(text: str) -> str:
    """Keep names from becoming markup."""
    return "".join(f"\\{c}" if c in r"\`*_{}[]<>#|~" else c for c in text.replace("\n", " "))


def _escaped_code(text: str) -> str:
    return text.replace("`", "'")
