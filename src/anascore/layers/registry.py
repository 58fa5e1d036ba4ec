"""Layers of annotation: identity, discourse deixis, bridging, non-referring mentions; zeros.

Takes a document of key and response; returns the counts of each layer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass

from anascore.entities.document import PreparedDocument
from anascore.layers.bridging import count_bridging
from anascore.layers.counts import LayerCounts
from anascore.layers.document import DocumentComparison
from anascore.layers.entities import count_deixis, count_identity
from anascore.layers.non_referring import count_non_referring
from anascore.layers.zeros import count_zero_layer, notes_on_parents
from anascore.settings import LayerName


@dataclass(frozen=True, slots=True)
class Layer:
    """One layer of annotation."""

    label: str
    count: Callable[[DocumentComparison, Collection[str]], LayerCounts]
    """Counts the scores to report in one document."""

    notes: Callable[[PreparedDocument], Mapping[str, int]]
    """Returns notes on a document about what can change a score, each with a number."""

    classes: str = ""
    """Kind of class for which scores are reported, too: `relation` or `type`."""


LAYERS: dict[LayerName, Layer] = {
    "identity": Layer("Identity", count_identity, lambda document: document.identity.notes),
    "discourse-deixis": Layer(
        "Discourse deixis", count_deixis, lambda document: document.discourse_deixis.notes
    ),
    "bridging": Layer("Bridging", count_bridging, lambda document: document.notes, "relation"),
    "non-referring": Layer(
        "Non-referring mentions", count_non_referring, lambda document: document.notes, "type"
    ),
    "zeros": Layer("Zeros", count_zero_layer, notes_on_parents),
}
"""The layers by name."""
