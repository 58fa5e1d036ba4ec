"""The table of scores.

Takes the `ComparedSides` of a document; returns the counts of each score, in integers and
fractions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from anascore.arguments import list_of
from anascore.errors import MAX_LISTED, AnascoreError, SettingsError, did_you_mean, shown
from anascore.metrics.b_cubed import b_cubed, mention_total
from anascore.metrics.blanc import blanc_coref, blanc_noncoref, coreference_links, other_links
from anascore.metrics.ceaf import ceaf_e, ceaf_m, entity_total, similarity_e, similarity_m
from anascore.metrics.earlier_lea import lea_2021, lea_rucoco
from anascore.metrics.earlier_links import RANKS, links, success
from anascore.metrics.earlier_zhou_choi import zhou_choi
from anascore.metrics.lea import lea, weighted_total
from anascore.metrics.mentions import decomposable, overlap_ratio
from anascore.metrics.metric import Component, Metric, MetricCounts, count_metric
from anascore.metrics.muc import link_total, muc, muc_of_elements
from anascore.metrics.overlap import ComparedSides, Count, Overlap
from anascore.metrics.shares import each_alone, each_with_partner, of_no_entity
from anascore.model.ratio import Components, Ratio, shared_score
from anascore.plugins import PlugIns, check_function, check_label
from anascore.settings import ENTITY_LAYERS, LayerName, Settings

ScoreFunction: TypeAlias = Callable[[ComparedSides, Settings], Mapping[str, MetricCounts]]
"""Counts scores in one document, by name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreSpec:
    """One score of the table: its label, the layers that report it, the function that counts it."""

    label: str
    aliases: tuple[str, ...] = ()
    """Other names that users may type."""

    layers: tuple[LayerName, ...] = ENTITY_LAYERS
    count: ScoreFunction | None = None
    """Counts the score, and possibly others of its group. None for means, and for scores that
    their layer counts."""

    metric: Metric | None = None
    """The metric, if the score can be explained entity by entity."""

    mean_of: tuple[str, ...] = ()
    """The scores whose F1 are averaged, for a mean."""

    group: str = ""
    """A name for several scores together, such as `zhou-choi`."""

    on_request: bool = False
    """Reported only if requested by name."""

    split_only: bool = False
    """Also computed over accommodated sets alone."""

    by_class: bool = False
    """Reported for every class of a breakdown."""

    ranked: bool = False
    """Scores ranked antecedents, which few formats can store."""


def _metric(
    name: str, metric: Metric, aliases: tuple[str, ...] = (), *, by_class: bool = False
) -> ScoreSpec:
    """Make a metric's entry in the table."""

    def count(sides: ComparedSides, settings: Settings) -> dict[str, MetricCounts]:
        return {name: count_metric(metric, sides.overlaps, settings)}

    return ScoreSpec(
        label=metric.label,
        aliases=aliases,
        count=count,
        metric=metric,
        split_only=True,
        by_class=by_class,
    )


def _plain(count: Callable[[ComparedSides], Mapping[str, Components]]) -> ScoreFunction:
    """Adapt a count that does not treat accommodated sets separately."""
    return lambda sides, _: {
        name: MetricCounts(components) for name, components in count(sides).items()
    }


def _mentions(c: ComparedSides) -> dict[str, Components]:
    """Count matched mentions (mention detection)."""
    sizes = len(c.key.unique_positions), len(c.response.unique_positions)
    return {"mentions": shared_score(len(c.matched), *sizes)}


def _mor(c: ComparedSides) -> dict[str, Components]:
    return {"mor": overlap_ratio(c.key.unique_mentions, c.response.unique_mentions)}


def _anaphors(c: ComparedSides) -> dict[str, Components]:
    return {"anaphors": decomposable(c.key, c.response, c.matched)}


def _lea_2021(c: ComparedSides, _: Settings) -> dict[str, MetricCounts]:
    return {"lea-2021": MetricCounts(*lea_2021(c))}


def _lea_rucoco(c: ComparedSides, settings: Settings) -> dict[str, MetricCounts]:
    return {"lea-rucoco": MetricCounts(lea_rucoco(c, settings))}


def _earlier(
    label: str, group: str, count: ScoreFunction, *, split_only: bool = False
) -> ScoreSpec:
    """Make the table entry of an earlier proposal for split antecedents."""
    return ScoreSpec(label=label, group=group, count=count, on_request=True, split_only=split_only)


_SUCCESS: dict[str, ScoreSpec] = {
    f"success@{n}": ScoreSpec(
        label=f"Success@{n}",
        layers=("discourse-deixis",),
        count=_plain(success),
        on_request=True,
        ranked=True,
    )
    for n in RANKS
}

ZERO_SCORES: dict[str, tuple[str, ...]] = {
    "zeros-arc": ("ARC",),
    "zeros-dep": ("ARC", "DEP"),
    "zeros-wo": ("ARC", "WO"),
    "zeros-dep-wo": ("ARC", "DEP", "WO"),
    "zeros-form": ("ARC", "FORM"),
    "zeros-lemma": ("ARC", "LEMMA"),
    "zeros-upos": ("ARC", "UPOS"),
    "zeros-xpos": ("ARC", "XPOS"),
    "zeros-feats": ("ARC", "FEATS"),
    "zeros-all": ("ARC", "DEP", "WO", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS"),
}
"""Scores of zeros themselves, and the features that must agree. ARC is the sentence and the
parent, DEP the relation to it, WO the word before."""

SCORES: dict[str, ScoreSpec] = {
    "muc": _metric(
        "muc",
        Metric(
            "MUC",
            (Component(muc, link_total, each_alone, muc_of_elements, symmetric=True),),
            penalty=True,
        ),
    ),
    "b3": _metric(
        "b3",
        Metric("B³", (Component(b_cubed, mention_total, each_alone),)),
        ("b³", "bcub", "bcubed", "b-cubed"),
        by_class=True,
    ),
    "ceafe": _metric(
        "ceafe",
        Metric(
            "CEAF-E",
            (
                Component(
                    ceaf_e,
                    entity_total,
                    each_with_partner(similarity_e, lambda _: 1),
                    same_both_ways=True,
                ),
            ),
            symmetric_in_ua=True,
        ),
        ("ceaf", "ceaf-e"),
    ),
    "conll": ScoreSpec(label="CoNLL", mean_of=("muc", "b3", "ceafe"), split_only=True),
    "ceafm": _metric(
        "ceafm",
        Metric(
            "CEAF-M",
            (
                Component(
                    ceaf_m,
                    mention_total,
                    each_with_partner(similarity_m, lambda size: size),
                    same_both_ways=True,
                ),
            ),
            symmetric_in_ua=True,
        ),
        ("ceaf-m",),
    ),
    "lea": _metric("lea", Metric("LEA", (Component(lea, weighted_total, each_alone),))),
    "blanc": _metric(
        "blanc",
        Metric(
            "BLANC",
            (
                Component(
                    blanc_coref,
                    coreference_links,
                    each_alone,
                    links="coreference links",
                    from_key=True,
                    symmetric=True,
                ),
                Component(
                    blanc_noncoref,
                    other_links,
                    of_no_entity,
                    links="non-coreference links",
                    from_key=True,
                    symmetric=True,
                ),
            ),
            symmetric_in_ua=True,
        ),
    ),
    "mentions": ScoreSpec(label="Mentions", count=_plain(_mentions), by_class=True),
    "mor": ScoreSpec(label="MOR", count=_plain(_mor)),
    "anaphors": ScoreSpec(
        label="Anaphors", count=_plain(_anaphors), on_request=True, by_class=True
    ),
    "links": _earlier("Links", "links", _plain(links)),
    "links-complete": _earlier("Links, complete", "links", _plain(links)),
    "zhou-choi-b3": _earlier("Zhou & Choi B³", "zhou-choi", _plain(zhou_choi)),
    "zhou-choi-ceafe": _earlier("Zhou & Choi CEAF-E", "zhou-choi", _plain(zhou_choi)),
    "zhou-choi-blanc": _earlier("Zhou & Choi BLANC", "zhou-choi", _plain(zhou_choi)),
    "lea-2021": _earlier("LEA 2021", "lea-2021", _lea_2021, split_only=True),
    "lea-rucoco": _earlier("LEA RuCoCo", "lea-rucoco", _lea_rucoco),
    **_SUCCESS,
    "bridging-anaphors": ScoreSpec(label="Anaphors", layers=("bridging",)),
    "bridging-mentions": ScoreSpec(label="Anchors, mentions", layers=("bridging",)),
    "bridging-entities": ScoreSpec(label="Anchors, entities", layers=("bridging",)),
    "non-referring": ScoreSpec(label="Mentions", layers=("non-referring",)),
    **{
        name: ScoreSpec(
            label=name.removeprefix("zeros-").upper().replace("-", "_"), layers=("zeros",)
        )
        for name in ZERO_SCORES
    },
}
"""All scores by name, in report order. To add a score, add an entry here."""

LABELS = {name: measure.label for name, measure in SCORES.items()}
METRICS = {name: measure.metric for name, measure in SCORES.items() if measure.metric}
MEANS = {name: measure.mean_of for name, measure in SCORES.items() if measure.mean_of}
ON_REQUEST = {name for name, measure in SCORES.items() if measure.on_request}
SPLIT_ONLY = {name for name, measure in SCORES.items() if measure.split_only}
BY_CLASS = tuple(name for name, measure in SCORES.items() if measure.by_class)
RANKED = {name for name, measure in SCORES.items() if measure.ranked}
GROUPS = {
    measure.group: tuple(name for name, other in SCORES.items() if other.group == measure.group)
    for measure in SCORES.values()
    if measure.group
}
"""Earlier proposals for split antecedents, each with its scores."""

ALIASES = {alias: name for name, measure in SCORES.items() for alias in measure.aliases}
"""Score names by the other names that users may type."""


def score_name(text: str) -> str:
    """Resolve a score name typed by a user, ignoring case and underscores.

    >>> score_name("CEAF_e"), score_name("bcub"), score_name("muc")
    ('ceafe', 'b3', 'muc')
    """
    name = text.strip().lower().replace("_", "-")
    return ALIASES.get(name, name)


def scores_of(layer: LayerName) -> list[str]:
    """List the scores that a layer can report."""
    return [name for name, measure in SCORES.items() if layer in measure.layers]


def values_of(name: str) -> tuple[str, ...]:
    """List a score's values: a mean of F1 has neither recall nor precision."""
    return ("f1",) if name in MEANS else ("recall", "precision", "f1")


def choose(names: str | Iterable[str]) -> list[str]:
    """Resolve a list or comma-separated string of scores; raise if one is unknown."""
    expected = "a string or a list of names"
    listed = names.split(",") if isinstance(names, str) else list_of("metrics", names, expected)
    chosen = [score_name(name if isinstance(name, str) else shown(name)) for name in listed]
    unknown = [name for name in chosen if not is_score(name) and name not in GROUPS]
    if unknown or not chosen:
        METRIC_PLUG_INS.scan()
        valid = list(dict.fromkeys((*SCORES, *GROUPS, *METRIC_PLUG_INS.names)))
        cause = "no metric is given"
        if any(unknown):
            hints = [
                f"{name}{did_you_mean(name, (*valid, *ALIASES))}" for name in unknown[:MAX_LISTED]
            ]
            more = [f"{len(unknown) - MAX_LISTED} more"] if len(unknown) > MAX_LISTED else []
            cause = f"no such metric: {', '.join(hints + more)}"
        message = f"{cause}; choose from {', '.join(valid)}"
        raise SettingsError(message)
    return [score for name in chosen for score in GROUPS.get(name, (name,))]


def is_score(name: str) -> bool:
    """Test whether a score has this name; a package may have to register it first."""
    return name in SCORES or METRIC_PLUG_INS.load(name)


def check_known(names: Iterable[str]) -> None:
    """Raise AnascoreError if a process lacks a metric, such as a worker or a reader of JSON."""
    for name in names:
        if not is_score(name):
            message = (
                f"the metric {name} is a plug-in that this process does not know; install the "
                f"package that offers it, or import the module that registers it"
            )
            raise AnascoreError(message)


METRIC_PLUG_INS = PlugIns("metric")
"""The metrics of other packages; those that are registered are in the tables above, too."""

_BUILT_IN = frozenset((*SCORES, *ALIASES, *GROUPS))


def register_metric(name: str, count: Count, *, label: str, version: str) -> None:
    """Register a metric, so that its name can be used like those of anascore.

    `metrics="NAME"` and `--metrics NAME` report the metric, and signatures name its version.
    Registering a name again replaces the metric. A package registers its metrics with entry points
    of the group `anascore.metrics`.

    Args:
        name: Name of the metric: lower-case letters and digits, which . and - can separate.
        count: Function that counts in one direction. It takes an `Overlap`, and returns a `Ratio`
            of integers or fractions, whose whole must depend on `own` and `importance` only. Recall
            is its value for the key, and precision that for the response.
        label: Label in tables.
        version: Version of the metric. Change it when scores change.

    Raises:
        SettingsError: The name or the label belongs to a metric of anascore, or an argument is
            invalid.

    Example:
        >>> def found(overlap: Overlap) -> Ratio:
        ...     return Ratio(len({i for i, _ in overlap.shared}), len(overlap.own))
        >>> register_metric("entities-found", found, label="Entities found", version="1.0")
    """
    METRIC_PLUG_INS.check(name, version, _BUILT_IN)
    check_function(count, "metric", name, "count")
    check_label(label, "metric", name, {text for other, text in LABELS.items() if other != name})
    checked = _checked(name, count)
    component = Component(checked, lambda overlap: checked(overlap).whole, of_no_entity)
    metric = Metric(label, (component,))
    # What a single entity adds to the count is not known, so the metric cannot be explained.
    SCORES[name] = replace(_metric(name, metric), metric=None, on_request=True)
    LABELS[name] = label
    ON_REQUEST.add(name)
    SPLIT_ONLY.add(name)
    METRIC_PLUG_INS.versions[name] = version


def _checked(name: str, count: Count) -> Count:
    """Make a plug-in's function raise AnascoreError if it fails, or returns no exact ratio."""

    def checked(overlap: Overlap) -> Ratio:
        try:
            ratio = count(overlap)
        except Exception as error:
            reason = f"{type(error).__name__}: {error}".rstrip(": ")
            message = f"the metric {name}, a plug-in, failed: {reason}"
            raise AnascoreError(message) from error
        if not isinstance(ratio, Ratio) or not all(isinstance(n, int | Fraction) for n in ratio):
            message = (
                f"the metric {name}, a plug-in, returned {shown(ratio)}; it must return a Ratio of "
                f"integers or fractions"
            )
            raise AnascoreError(message)
        return ratio

    return checked


def count_scores(
    sides: ComparedSides, reported: Collection[str], settings: Settings
) -> dict[str, MetricCounts]:
    """Count the scores to report, and those that enter means."""
    parts = {part for name, mean_of in MEANS.items() if name in reported for part in mean_of}
    counts: dict[str, MetricCounts] = {}
    for name, measure in SCORES.items():
        if name not in counts and measure.count and (name in reported or name in parts):
            counts |= measure.count(sides, settings)
    return counts
