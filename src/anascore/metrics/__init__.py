"""The metrics by name: each counts, in one direction, how much of the own entities is found."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from anascore.errors import SettingsError
from anascore.metrics.b_cubed import b_cubed
from anascore.metrics.blanc import blanc_coref, blanc_noncoref
from anascore.metrics.ceaf import Similarity, aligned, ceaf_e, ceaf_m, similarity_e, similarity_m
from anascore.metrics.lea import lea
from anascore.metrics.muc import muc, muc_of_elements
from anascore.overlap import Overlap
from anascore.ratio import Number, Ratio
from anascore.settings import LayerName

Count: TypeAlias = Callable[[Overlap], Ratio]


class EntityShare(NamedTuple):
    """The part of a count that an own entity adds."""

    partners: list[int]
    """The other entities that it is found in."""

    ratio: Ratio | None
    """None where the count does not belong to single entities."""


Shares: TypeAlias = Callable[[Count, Overlap], list[EntityShare]]
"""Divides a count among the own entities, in their order."""


def each_alone(count: Count, o: Overlap) -> list[EntityShare]:
    """Count each own entity by itself, for metrics that are sums over own entities."""
    return [
        EntityShare([j for j, _, _ in cells], count(_alone(o, i, cells)))
        for i, cells in enumerate(_cells_of_own(o))
    ]


def each_with_partner(similarity: Callable[[Overlap], Similarity]) -> Shares:
    """Return the rule for metrics that align entities: an entity adds φ to its partner."""

    def shares(count: Count, o: Overlap) -> list[EntityShare]:
        partners = {i: (j, phi) for (i, j), phi in aligned(similarity(o)).items()}
        found = []
        for i in range(len(o.own)):
            whole = count(_alone(o, i, [])).whole
            if i in partners:
                j, (numerator, denominator) = partners[i]
                found.append(EntityShare([j], Ratio(Fraction(numerator, denominator), whole)))
            else:
                found.append(EntityShare([], Ratio(0, whole)))
        return found

    return shares


def of_no_entity(_: Count, o: Overlap) -> list[EntityShare]:
    """Give no shares, for counts of links between entities."""
    return [EntityShare([j for j, _, _ in cells], None) for cells in _cells_of_own(o)]


def _cells_of_own(o: Overlap) -> list[list[tuple[int, int, Number]]]:
    """Return for each own entity the other entities, shared mentions and credits of its cells."""
    cells: list[list[tuple[int, int, Number]]] = [[] for _ in o.own]
    for i, j, n, credit in o.cells():
        cells[i].append((j, n, credit))
    return cells


def _alone(o: Overlap, i: int, cells: Sequence[tuple[int, int, Number]]) -> Overlap:
    """Keep one own entity, with these cells."""
    return Overlap(
        [o.own[i]],
        [o.importance[i]],
        o.other,
        {(0, j): n for j, n, _ in cells if n},
        {(0, j): credit for j, _, credit in cells if credit},
    )


@dataclass(frozen=True, slots=True)
class Row:
    """What a metric counts, in one direction."""

    count: Count
    shares: Shares
    """The rule by which the count is divided among entities, when it is explained."""

    count_elements: Count | None = None
    """How it counts the elements of an accommodated set, if not in the same way."""

    links: str = ""
    """What is counted, where a metric has two rows."""

    mutual: bool = False
    """Whether as much is found in one direction as in the other, if the credits are the same."""

    def within_set(self, o: Overlap) -> Ratio:
        """Count the elements of an accommodated set."""
        return (self.count_elements or self.count)(o)


@dataclass(frozen=True, slots=True)
class Metric:
    """What a metric is called, what it counts, and how it credits accommodated sets."""

    label: str
    rows: tuple[Row, ...]
    """One, or two that are averaged when they have been divided."""

    symmetric_in_ua: bool = False
    """Whether the `ua` convention aligns sets row by row and credits F1 in both directions."""

    penalty: bool = False
    """Whether δ of the paper is a penalty, 1 - credit, which is taken off; else it is the credit.

    A penalty is 1 where nothing is credited: without an aligned set, or without shared mentions.
    """

    def delta(self, credit: Fraction, n: int) -> Fraction:
        """Return δ of an entity whose set earns a credit and that shares n mentions."""
        if not self.penalty:
            return credit
        return 1 - credit if n else Fraction(1)


@dataclass(frozen=True, slots=True)
class Mean:
    """A score that is the mean of the F1 of several metrics."""

    label: str
    of: tuple[str, ...]


METRICS: dict[str, Metric] = {
    "muc": Metric("MUC", (Row(muc, each_alone, muc_of_elements),), penalty=True),
    "b3": Metric("B³", (Row(b_cubed, each_alone),)),
    "ceafe": Metric(
        "CEAF-E",
        (Row(ceaf_e, each_with_partner(similarity_e), mutual=True),),
        symmetric_in_ua=True,
    ),
    "ceafm": Metric(
        "CEAF-M",
        (Row(ceaf_m, each_with_partner(similarity_m), mutual=True),),
        symmetric_in_ua=True,
    ),
    "lea": Metric("LEA", (Row(lea, each_alone),)),
    "blanc": Metric(
        "BLANC",
        (
            Row(blanc_coref, each_alone, links="coreference links"),
            Row(blanc_noncoref, of_no_entity, links="non-coreference links"),
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
