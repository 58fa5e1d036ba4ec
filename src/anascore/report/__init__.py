"""Results to text, for people and for programs: numbers are formatted here, and none is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from anascore.report.csv import render_csv
from anascore.report.json import render_json, system_to_dict
from anascore.report.latex import render_latex
from anascore.report.markdown import render_markdown
from anascore.report.table import render_table
from anascore.report.view import View
from anascore.results import Result

OUTPUTS: dict[str, Callable[[Sequence[Result], View], str]] = {
    "table": render_table,
    "markdown": render_markdown,
    "latex": render_latex,
    "json": render_json,
    "csv": render_csv,
}
"""The kinds of output by name."""

__all__ = ["OUTPUTS", "View", "render_csv", "render_json", "render_table", "system_to_dict"]
