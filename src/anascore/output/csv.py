"""Grids as CSV that is safe to open in terminals and spreadsheets."""

from __future__ import annotations

import csv
import io
import re

from anascore.output.grid import Grid, Value
from anascore.terminal import escape_control_characters

FORMULA = re.compile("[' ]*[=+@＝＋－＠-]")
"""Beginning of a text that a spreadsheet would evaluate as a formula, after any apostrophes.

Another apostrophe is added in front, so that removing one always restores the text.
"""


def render(grid: Grid) -> str:
    """Render a grid as CSV: a line of names, then the unrounded values of each row.

    Control characters in texts are escaped, and a text that starts like a formula gets a leading
    apostrophe. Undefined values are empty.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(grid.names)
    writer.writerows(map(_cell, row) for row in grid.values)
    return text.getvalue()


def _cell(value: Value) -> Value:
    if not isinstance(value, str):
        return value
    text = escape_control_characters(value)
    return f"'{text}" if FORMULA.match(text) else text
