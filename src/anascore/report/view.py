"""What of the results is shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from anascore.results import LayerResult, Result
from anascore.uncertainty import Uncertainty


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What of the results is shown; nothing here changes a number."""

    per_document: bool = False
    """The scores of each document besides those of the corpus."""

    split_only: bool = False
    """The scores of the accommodated sets, and no others."""

    uncertainty: Uncertainty = field(default_factory=dict)
    """Confidence intervals, and differences to the first system."""

    def warnings(self, result: Result) -> list[str]:
        """Return the warnings about what is shown, each once."""
        several = len(result.layers) > 1
        warnings = dict.fromkeys(result.notes)
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
