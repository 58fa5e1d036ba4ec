"""Grids as CSV, safe in terminals and spreadsheets."""

from __future__ import annotations

import csv
import io
import re

from anascore.output.grid import Grid, Value
from anascore.terminal import escape_control_characters

FORMULA = re.compile("[' ]*[=+@＝＋－＠-]")
"""Beginning of a text that a spreadsheet takes for a formula, with apostrophes or without.

Text with apostrophes gets one more, so that removing one always restores the text.
"""


def render(grid: Grid) -> str:
    """Return a grid as CSV: a line of names, then the values of each row, numbers as they are.

    Control characters of texts are escaped, and an apostrophe stands before a text that begins like
    a formula. Undefined values are empty.
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
