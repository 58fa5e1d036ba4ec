"""The table of scores.

Takes the `Comparison` of a document; gives the counts of each score, in integers and fractions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from anascore.errors import SettingsError
from anascore.metrics.b_cubed import b_cubed
from anascore.metrics.blanc import blanc_coref, blanc_noncoref
from anascore.metrics.ceaf import Similarity as Similarity
from anascore.metrics.ceaf import aligned as aligned
from anascore.metrics.ceaf import ceaf_e, ceaf_m, similarity_e, similarity_m
from anascore.metrics.compare import Component, Metric
from anascore.metrics.lea import lea
from anascore.metrics.muc import muc, muc_of_elements
from anascore.metrics.overlap import Overlap as Overlap
from anascore.metrics.shares import each_alone, each_with_partner, of_no_entity
from anascore.model.ratio import Number as Number
from anascore.model.ratio import Ratio as Ratio
from anascore.settings import LayerName


@dataclass(frozen=True, slots=True)
class Mean:
    """A score that is the mean of the F1 of several metrics."""

    label: str
    of: tuple[str, ...]


METRICS: dict[str, Metric] = {
    "muc": Metric("MUC", (Component(muc, each_alone, muc_of_elements),), penalty=True),
    "b3": Metric("B³", (Component(b_cubed, each_alone),)),
    "ceafe": Metric(
        "CEAF-E",
        (Component(ceaf_e, each_with_partner(similarity_e), mutual=True),),
        symmetric_in_ua=True,
    ),
    "ceafm": Metric(
        "CEAF-M",
        (Component(ceaf_m, each_with_partner(similarity_m), mutual=True),),
        symmetric_in_ua=True,
    ),
    "lea": Metric("LEA", (Component(lea, each_alone),)),
    "blanc": Metric(
        "BLANC",
        (
            Component(blanc_coref, each_alone, links="coreference links"),
            Component(blanc_noncoref, of_no_entity, links="non-coreference links"),
        ),
        symmetric_in_ua=True,
    ),
}

MEANS: dict[str, Mean] = {"conll": Mean("CoNLL", ("muc", "b3", "ceafe"))}

PROPOSALS: dict[str, tuple[str, ...]] = {
    "links": ("links", "links-complete"),
    "zhou-choi": ("zhou-choi-b3", "zhou-choi-ceafe", "zhou-choi-blanc"),
    "lea-2021": ("lea-2021",),
    "lea-rucoco": ("lea-rucoco",),
}
"""Earlier proposals for split antecedents, and the scores that each of them has."""

ENTITY_LABELS: dict[str, str] = {
    "muc": METRICS["muc"].label,
    "b3": METRICS["b3"].label,
    "ceafe": METRICS["ceafe"].label,
    "conll": MEANS["conll"].label,
    "ceafm": METRICS["ceafm"].label,
    "lea": METRICS["lea"].label,
    "blanc": METRICS["blanc"].label,
    "mentions": "Mentions",
    "mor": "MOR",
    "anaphors": "Anaphors",
    "links": "Links",
    "links-complete": "Links, complete",
    "zhou-choi-b3": "Zhou & Choi B³",
    "zhou-choi-ceafe": "Zhou & Choi CEAF-E",
    "zhou-choi-blanc": "Zhou & Choi BLANC",
    "lea-2021": "LEA 2021",
    "lea-rucoco": "LEA RuCoCo",
}
"""What is reported of entities, in its order: metrics, the CoNLL score, scores of mentions, and
earlier proposals."""


SUCCESS: dict[str, str] = {f"success@{n}": f"Success@{n}" for n in range(1, 11)}
"""Ranked antecedents of discourse deixis (Kolhatkar et al. 2013)."""

LABELS_OF: dict[LayerName, dict[str, str]] = {
    "identity": ENTITY_LABELS,
    "discourse-deixis": {**ENTITY_LABELS, **SUCCESS},
    "bridging": {
        "bridging-anaphors": "Anaphors",
        "bridging-mentions": "Anchors, mentions",
        "bridging-entities": "Anchors, entities",
    },
    "non-referring": {"non-referring": "Mentions"},
}
"""All that is reported, layer by layer."""

LABELS: dict[str, str] = {
    name: label for labels in LABELS_OF.values() for name, label in labels.items()
}
"""The same, whatever the layer."""

ON_REQUEST = {"anaphors", *(name for names in PROPOSALS.values() for name in names), *SUCCESS}
"""What is reported only if it is asked for."""


SPLIT_ONLY = {*METRICS, *MEANS, "lea-2021"}
"""The scores that accommodated sets alone have, too."""


def figures(name: str) -> tuple[str, ...]:
    """Return what is reported under a name: a mean of F1 has no recall and no precision."""
    return ("f1",) if name in MEANS else ("recall", "precision", "f1")


def choose(names: str | Iterable[str]) -> list[str]:
    """Check the names of scores to report, given as a list or with commas between them."""
    if not isinstance(names, Iterable):
        message = f"metrics are {names!r}; give names, as a list or with commas between them"
        raise SettingsError(message)
    listed = names.split(",") if isinstance(names, str) else names
    chosen = [str(name).strip().lower() for name in listed]
    unknown = [name for name in chosen if name not in LABELS and name not in PROPOSALS]
    if unknown or not chosen:
        what = f"no such metric: {', '.join(unknown)}" if any(unknown) else "no metric is named"
        message = f"{what}; there are {', '.join(dict.fromkeys((*LABELS, *PROPOSALS)))}"
        raise SettingsError(message)
    return [score for name in chosen for score in PROPOSALS.get(name, (name,))]


def needed(reported: Collection[str]) -> list[str]:
    """Return the metrics that must be counted for the scores to report."""
    parts = {part for name, mean in MEANS.items() if name in reported for part in mean.of}
    return [name for name in METRICS if name in reported or name in parts]
