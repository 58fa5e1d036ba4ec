"""Output of results: text, Markdown, LaTeX, JSON, CSV, and the HTML report.

Takes the `Result` of each system; gives text. Nothing here changes a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from anascore.errors import SettingsError, check_output
from anascore.results import DocumentResult, LayerResult, Result
from anascore.results.uncertainty import warnings_on


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """Selection of the results that are shown. No option changes a number."""

    per_document: bool = False
    """True to show the scores of each document, too."""

    split_only: bool = False
    """True to show the scores of accommodated sets only."""

    macro: bool = False
    """True to show macro-averages, too."""

    sort_by: str = ""
    """Score by whose F1 documents are sorted, lowest first (default: the order of the key)."""

    def in_order(self, layer: LayerResult) -> list[tuple[str, DocumentResult]]:
        """Return the documents in the order of output; undefined scores come last."""
        documents = list(layer.documents.items())
        if self.sort_by not in layer.scores:
            return documents

        def rank(item: tuple[str, DocumentResult]) -> tuple[bool, float]:
            f1 = item[1].scores[self.sort_by].f1
            return f1 is None, f1 or 0

        return sorted(documents, key=rank)

    def warnings(self, result: Result) -> list[str]:
        """Return the warnings about the scores that are shown, each once."""
        several = len(result.layers) > 1
        warnings = dict.fromkeys(result.notes)
        if result.resampling_signature:
            warnings |= dict.fromkeys(warnings_on(len(result.first.counted)))
        for name, layer in result.layers.items():
            messages = self._layer_warnings(layer)
            warnings |= dict.fromkeys(f"{name}: {text}" if several else text for text in messages)
        return list(warnings)

    def _layer_warnings(self, layer: LayerResult) -> Iterator[str]:
        """Yield the warnings about the scores of a layer."""
        if not self.split_only:
            yield from layer.score_warnings
        yield from layer.split_only_warnings
        if self.per_document and not self.split_only:
            yield from layer.document_warnings


def _render(name: str) -> Callable[[Sequence[Result], ReportOptions], str]:
    """Return the function that renders an output; it imports its module when it is called."""

    def render(results: Sequence[Result], options: ReportOptions) -> str:
        module = import_module(f"anascore.output.{OUTPUT_MODULES[name]}")
        text: str = getattr(module, f"render_{name}")(results, options)
        return text

    return render


OUTPUT_MODULES = {
    "table": "grids",
    "markdown": "grids",
    "latex": "grids",
    "json": "data",
    "csv": "data",
}
"""Modules of this folder that render each output."""

OUTPUTS = {name: _render(name) for name in OUTPUT_MODULES}
"""Registry of outputs: functions that render results, by name."""


def render(results: Sequence[Result], output: str = "table", **view: Any) -> str:
    """Return results as text in the named output; the view is made of ReportOptions."""
    check_output(output, OUTPUTS)
    if not results:
        message = "there are no results to show"
        raise SettingsError(message)
    return OUTPUTS[output](results, ReportOptions(**view))
