"""Layers of annotation: identity, discourse deixis, bridging, non-referring mentions.

Takes the documents of key and response; gives the counts of each layer.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from anascore.layers.bridging import Bridging, bridging_of, count_bridging
from anascore.layers.counts import MISSING, LayerCounts
from anascore.layers.entities import count_entities, deixis_of, identity_of
from anascore.layers.non_referring import (
    NonReferringMentions,
    count_non_referring,
    non_referring_of,
)
from anascore.model.document import Document
from anascore.prepare.side import Side
from anascore.settings import LayerName, Settings

S = TypeVar("S")


@dataclass(frozen=True, slots=True)
class Layer(Generic[S]):
    """One layer: how it is taken from a document, and how it is compared."""

    label: str
    take: Callable[[Document, Document, Settings], S]
    """Takes it from a document, given also the key's document, in the form that is compared."""

    missing: S
    """What stands for a document that is not there."""

    count: Callable[[S, S, Collection[str], Settings], LayerCounts]
    """Compares key and response by the scores that are to be reported."""

    classes: str = ""
    """What its scores are reported by besides, if anything."""


LAYERS: dict[LayerName, Layer[Any]] = {
    "identity": Layer("Identity", identity_of, Side(documents=0, notes=MISSING), count_entities),
    "discourse-deixis": Layer(
        "Discourse deixis", deixis_of, Side(documents=0, notes=MISSING), count_entities
    ),
    "bridging": Layer(
        "Bridging", bridging_of, Bridging(documents=0, notes=MISSING), count_bridging, "relation"
    ),
    "non-referring": Layer(
        "Non-referring mentions",
        non_referring_of,
        NonReferringMentions(documents=0, notes=MISSING),
        count_non_referring,
        "type",
    ),
}
"""The layers by name."""
