"""The metrics by name: each counts, in one direction, how much of the own entities is found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from anascore.metrics.b_cubed import b_cubed
from anascore.metrics.blanc import blanc_coref, blanc_noncoref
from anascore.metrics.ceaf import ceaf_e, ceaf_m
from anascore.metrics.lea import lea
from anascore.metrics.muc import muc, muc_of_elements
from anascore.overlap import Overlap
from anascore.ratio import Ratio

Count: TypeAlias = Callable[[Overlap], Ratio]


@dataclass(frozen=True, slots=True)
class Half:
    """How a metric counts: all entities of a document, and the elements of an accommodated set."""

    count: Count
    count_elements: Count
    counted: str = ""
    """What is counted, where a metric has two halves."""


@dataclass(frozen=True, slots=True)
class Metric:
    """What a metric is called, what it counts, and how it credits accommodated sets."""

    label: str
    halves: tuple[Half, ...]
    """One, or two that are averaged when they have been divided."""

    symmetric_in_ua: bool = False
    """Whether the `ua` convention aligns sets half by half and credits F1 in both directions."""


METRICS: dict[str, Metric] = {
    "muc": Metric("MUC", (Half(muc, muc_of_elements),)),
    "b3": Metric("B³", (Half(b_cubed, b_cubed),)),
    "ceafe": Metric("CEAF-E", (Half(ceaf_e, ceaf_e),), symmetric_in_ua=True),
    "ceafm": Metric("CEAF-M", (Half(ceaf_m, ceaf_m),), symmetric_in_ua=True),
    "lea": Metric("LEA", (Half(lea, lea),)),
    "blanc": Metric(
        "BLANC",
        (
            Half(blanc_coref, blanc_coref, "coreference links"),
            Half(blanc_noncoref, blanc_noncoref, "non-coreference links"),
        ),
        symmetric_in_ua=True,
    ),
}
"""In the order in which they are reported."""

CONLL = ("muc", "b3", "ceafe")
"""The metrics whose F1 the CoNLL score is the mean of."""

LABELS: dict[str, str] = {
    **{name: METRICS[name].label for name in CONLL},
    "conll": "CoNLL",
    **{name: metric.label for name, metric in METRICS.items()},
    "mentions": "Mentions",
}
"""All that is reported, in its order: the metrics, the CoNLL score, mention detection."""


def figures(name: str) -> tuple[str, ...]:
    """Return what is reported under a name: a mean of F1 has no recall and no precision."""
    return ("f1",) if name == "conll" else ("recall", "precision", "f1")
