"""Grids as HTML for notebooks: tables without scripts, in the notebook's colours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from anascore.model.abbreviated import pluralise
from anascore.output.grid import DECIMALS, Cell, Column, Grid, number_of_columns
from anascore.output.html.markup import Markup, element, joined

MAX_COLUMNS = 13
"""Maximum number of columns; a wider table is split into parts below each other."""

MAX_ROWS = 50
"""Maximum number of rows of a table."""

MAX_NOTES = 20
"""Maximum number of lines below a table."""

# Notebooks typeset text between dollar signs, except in elements of these classes.
NO_FORMULAS = "tex2jax_ignore mathjax_ignore"

TABLE = (
    "font-size:90%;border-collapse:collapse;font-variant-numeric:tabular-nums;margin:.4em 0 .8em"
)
CAPTION = "caption-side:top;text-align:left;color:inherit;font-weight:600;padding:.2em 0"
RULE = "border-bottom:1px solid"
LEFT, CENTRE, RIGHT = ("text-align:left", "text-align:center", "text-align:right")
ROW_HEAD = f"{LEFT};font-weight:normal;white-space:pre-wrap"
QUIET = "opacity:.75;margin:.2em 0;font-size:90%;white-space:pre-wrap"
CODE = "font-size:85%;background:none;color:inherit;white-space:pre-wrap;overflow-wrap:anywhere"


def render(grids: Iterable[Grid], signatures: Sequence[str] = (), decimals: int = DECIMALS) -> str:
    """Render grids as HTML. The best value is bold; a star marks significance.

    All text is escaped. The colours are the notebook's, light or dark.
    """
    parts = [
        part for grid in grids for part in _parts(grid.with_interval_columns().escaped(), decimals)
    ]
    codes = (element("code", signature, style=CODE) for signature in signatures)
    lines = (element("div", code, style=QUIET) for code in codes)
    return str(element("div", *parts, *lines, class_=NO_FORMULAS, style="overflow-x:auto"))


def _parts(grid: Grid, decimals: int) -> Iterator[Markup]:
    """Render a grid as one table, or several if it is wide, and its notes."""
    title = element("caption", grid.title, style=CAPTION) if grid.title else None
    if grid.heads:
        for part in grid.split(MAX_COLUMNS, number_of_columns):
            yield element(
                "table", title, _head(part), _body(part, decimals), cellpadding=4, style=TABLE
            )
            title = None
    elif title:
        yield element("div", grid.title, style="font-weight:600")
    notes = list(grid.notes[:MAX_NOTES])
    rows, lines = len(grid.rows) - MAX_ROWS, len(grid.notes) - MAX_NOTES
    notes += [f"and {pluralise(rows, 'more row')}"] if rows > 0 else []
    notes += [f"and {pluralise(lines, 'more line')}"] if lines > 0 else []
    yield from (element("div", note, style=QUIET, dir="auto") for note in notes)


def _head(grid: Grid) -> Markup | None:
    """Build the header rows, if any column has a label."""
    rows = []
    if any(head.label for head in grid.heads):
        groups = (
            element("th", head.label, scope="colgroup", colspan=len(head.columns), style=CENTRE)
            for head in grid.heads
        )
        rows.append(element("tr", element("td"), *groups))
    if any(column.heading for column in grid.columns):
        labels = (
            element("th", column.heading, scope="col", style=_alignment(column))
            for column in grid.columns
        )
        rows.append(element("tr", element("th", grid.corner, scope="col", style=LEFT), *labels))
    return element("thead", *rows, style=RULE) if rows else None


def _body(grid: Grid, decimals: int) -> Markup:
    columns = grid.columns
    return element(
        "tbody",
        *(
            element(
                "tr",
                element("th", element("bdi", name), scope="row", style=ROW_HEAD),
                *(_cell(*place, decimals) for place in zip(cells, columns, strict=True)),
            )
            for name, cells in grid.rows[:MAX_ROWS]
        ),
    )


def _cell(cell: Cell, column: Column, decimals: int) -> Markup:
    text = cell.text(decimals)
    content = element("strong", text) if cell.best else text
    return element(
        "td",
        joined(content, "*") if cell.is_significant else content,
        style=_alignment(column),
        dir="auto" if column.is_text else None,
    )


def _alignment(column: Column) -> str:
    return LEFT if column.is_text else RIGHT
