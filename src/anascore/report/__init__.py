"""Results to text, for people and for programs: numbers are formatted here, and none is made."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module

from anascore.report.view import View
from anascore.results import Result


def _render(name: str) -> Callable[[Sequence[Result], View], str]:
    """Make the function of one kind of output; its module is imported when it is called."""

    def render(results: Sequence[Result], view: View) -> str:
        module = import_module(f"anascore.report.{name}")
        rendered: str = getattr(module, f"render_{name}")(results, view)
        return rendered

    return render


OUTPUTS = {name: _render(name) for name in ("table", "markdown", "latex", "json", "csv")}
"""The kinds of output by name."""

__all__ = ["OUTPUTS", "View"]
