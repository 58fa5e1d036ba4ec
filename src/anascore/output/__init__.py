"""Output of results: text, Markdown, LaTeX, JSON, CSV, and the HTML report.

Takes a `Result` for each system; gives text. Nothing here changes a number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib import import_module

from anascore.results import DocumentResult, LayerResult, Result
from anascore.results.uncertainty import warnings_on


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """What of the results is shown; nothing here changes a number."""

    per_document: bool = False
    """The scores of each document besides those of the corpus."""

    split_only: bool = False
    """The scores of the accommodated sets, and no others."""

    macro: bool = False
    """The means of the documents' scores besides the scores over all documents."""

    sort_by: str = ""
    """The score by whose F1 documents are sorted, the lowest first; as in the key if none."""

    def in_order(self, layer: LayerResult) -> list[tuple[str, DocumentResult]]:
        """Return documents as they are shown: what is undefined comes last."""
        documents = list(layer.documents.items())
        if self.sort_by not in layer.scores:
            return documents

        def rank(found: tuple[str, DocumentResult]) -> tuple[bool, float]:
            f1 = found[1].scores[self.sort_by].f1
            return f1 is None, f1 or 0

        return sorted(documents, key=rank)

    def warnings(self, result: Result) -> list[str]:
        """Return the warnings about what is shown, each once."""
        several = len(result.layers) > 1
        warnings = dict.fromkeys(result.notes)
        if result.resampling_signature:
            warnings |= dict.fromkeys(warnings_on(len(result.first.counted)))
        for name, layer in result.layers.items():
            said = self._layer_warnings(layer)
            warnings |= dict.fromkeys(f"{name}: {text}" if several else text for text in said)
        return list(warnings)

    def _layer_warnings(self, layer: LayerResult) -> Iterator[str]:
        """Give the warnings about the scores of a layer."""
        if not self.split_only:
            yield from layer.score_warnings
        yield from layer.split_only_warnings
        if self.per_document and not self.split_only:
            yield from layer.document_warnings


def _render(name: str) -> Callable[[Sequence[Result], ReportOptions], str]:
    """Make the function of one kind of output; its module is imported when it is called."""

    def render(results: Sequence[Result], view: ReportOptions) -> str:
        module = import_module(f"anascore.output.{MODULES[name]}")
        rendered: str = getattr(module, f"render_{name}")(results, view)
        return rendered

    return render


MODULES = {
    "table": "tables",
    "markdown": "tables",
    "latex": "tables",
    "json": "data",
    "csv": "data",
}
"""The modules of this folder that render each kind of output."""

OUTPUTS = {name: _render(name) for name in MODULES}
"""The kinds of output by name."""

__all__ = ["OUTPUTS", "View"]
