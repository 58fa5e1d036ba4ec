"""How scores are computed: entities, aligned accommodated sets, and each entity's share."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple, Unpack

from anascore.arguments import check_arguments
from anascore.entities.side import Side
from anascore.layers.document import DocumentComparison
from anascore.metrics.metric import (
    Component,
    ComponentCounts,
    Metric,
    mean_f1,
    score_components,
    similarity,
)
from anascore.metrics.overlap import Overlap, Overlaps
from anascore.metrics.scores import LABELS, MEANS, METRICS
from anascore.metrics.shares import (
    EntityShares,
    OwnEntities,
    Partners,
    of_no_entity,
)
from anascore.model.abbreviated import pluralise, quote
from anascore.model.document import RELATIONS, Document, RelationName
from anascore.model.ratio import Number, Ratio, RatioPair, Score, averaged, mean
from anascore.printing import LayoutKeywords, OutputName, Printable


class EntityDescription(NamedTuple):
    """An entity in the notation of the paper: K3 = {K1, K2} ⊕ {their, they}."""

    label: str
    name: str
    """Id of the entity in the file."""

    elements: tuple[str, ...]
    mentions: tuple[str, ...]
    relation: RelationName | None
    """Relation to the elements; None if there are none."""

    def __str__(self) -> str:
        return f"{self.label} = {self.with_mentions(self.mentions)}"

    def with_mentions(self, mentions: Sequence[str]) -> str:
        """Write the notation with other mentions instead of the entity's own."""
        written = f"{{{', '.join(mentions)}}}"
        if self.relation is None:
            return written
        return f"{accommodated(self.relation, self.elements, ', ')} ⊕ {written}"


def accommodated(relation: RelationName, elements: Sequence[str], separator: str) -> str:
    """Write the notation of an accommodated object: {K1, K2}, or result{K1, K2} for a result.

    Only objects with the same relation can be aligned.
    """
    return f"{RELATIONS[relation].notation}{{{separator.join(elements)}}}"


class Delta(NamedTuple):
    """δ of the paper in one component of a metric: a credit, or a penalty in MUC."""

    recall: Fraction
    precision: Fraction | None
    """None if no set of the response is aligned."""


class AlignedSet(NamedTuple):
    """Alignment of an accommodated set in the key."""

    key: str
    response: str | None
    """Response entity with the aligned set; None without a partner."""

    credits: tuple[Score[Fraction], ...]
    """Recall, precision and F1 of the elements, by component; empty without a partner."""

    delta: tuple[Delta, ...]
    """δ in each component of the metric."""

    f1: Fraction
    """Similarity of the two sets."""

    next_best: tuple[str, Fraction] | None
    """Next best partner and its similarity."""


class Share(NamedTuple):
    """An entity's share in the numerator and the denominator."""

    entity: str
    partners: tuple[str, ...]
    """Entities on the other side that share something with it, or are aligned with it."""

    part: Number | None
    """None if entities have no shares in the component, as in links between entities."""

    whole: Number | None


class Direction(NamedTuple):
    """Recall or precision of one component of a metric."""

    shares: tuple[Share, ...]
    ratio: Ratio


class ComponentExplanation(NamedTuple):
    """The explanation of one component of a metric."""

    links: str
    """Name of the component, if the metric has two."""

    recall: Direction
    precision: Direction


@dataclass(frozen=True, slots=True)
class MetricExplanation:
    """The explanation of one metric in one document."""

    metric: str
    sets: tuple[AlignedSet, ...]
    rows: tuple[ComponentExplanation, ...]

    @property
    def f1(self) -> Fraction | None:
        """F1 of the metric in the document."""
        return averaged(RatioPair(w.recall.ratio, w.precision.ratio) for w in self.rows).f1

    def __repr__(self) -> str:
        """Show the metric and the number of accommodated sets on one line."""
        return f"<MetricExplanation {self.metric}: {pluralise(len(self.sets), 'accommodated set')}>"


@dataclass(frozen=True, slots=True)
class Explanation:
    """The explanation of all metrics in one document."""

    name: str
    key: tuple[EntityDescription, ...]
    response: tuple[EntityDescription, ...]
    shared: Mapping[tuple[str, str], int]
    """Number of mentions that two entities share, by their labels."""

    metrics: tuple[MetricExplanation, ...]

    @property
    def main_score(self) -> tuple[str, Fraction | None]:
        """Label and value of a score: CoNLL if its metrics are explained, else the mean F1."""
        by_metric = {metric.metric: metric.f1 for metric in self.metrics}
        for name, parts in MEANS.items():
            if {*parts} <= {*by_metric}:
                return LABELS[name], mean(by_metric[part] for part in parts)
        label = "mean F1" if len(by_metric) > 1 else f"{LABELS[next(iter(by_metric))]} F1"
        return label, mean(by_metric.values())

    def __repr__(self) -> str:
        """Show the document's name and the numbers of entities on one line."""
        sizes = f"{len(self.key)} and {pluralise(len(self.response), 'entity', 'entities')}"
        return f"<Explanation {quote(self.name)}: {sizes}>"


@dataclass(frozen=True, slots=True)
class ResponseExplanation(Printable):
    """How the scores of a response are computed. Print it, or iterate over its documents."""

    signature: str
    documents: list[Explanation]
    warnings: tuple[str, ...]
    """Notes on the documents that can change a score."""

    system: str = ""
    """Name of the system."""

    entity: str = ""
    """Label or id of the explained entity; empty if all entities are explained."""

    @property
    def worst(self) -> Explanation:
        """The document with the lowest `main_score`; of several, the first."""

        def rank(document: Explanation) -> tuple[bool, Fraction]:
            _, value = document.main_score
            return value is None, value or Fraction(0)

        return min(self.documents, key=rank)

    def __iter__(self) -> Iterator[Explanation]:
        """Iterate over the documents."""
        return iter(self.documents)

    def __len__(self) -> int:
        """Return the number of documents."""
        return len(self.documents)

    @check_arguments
    def render(
        self, output: OutputName = "table", *, full: bool = False, **layout: Unpack[LayoutKeywords]
    ) -> str:
        """Return the explanation as text.

        Args:
            output: Output format, such as "markdown" or "json". JSON and CSV contain all
                documents and all entities.
            full: If True, show all documents, not only the one with the lowest score, and all
                entities, not only those that lose most.
            layout: `decimals=4` for that many decimals, and `tables="recall"` for only the tables
                with these ids.

        Returns:
            The text that `anascore explain` prints.

        Raises:
            SettingsError: The output is unknown.
        """
        return self._render(output, full=full, **layout)

    def __repr__(self) -> str:
        """Show the number of documents and the metrics on one line."""
        metrics = dict.fromkeys(one.metric for d in self.documents[:1] for one in d.metrics)
        documents = pluralise(len(self.documents), "document")
        return f"<ResponseExplanation: {documents}, metrics {', '.join(metrics) or '-'}>"


class ComponentShares(NamedTuple):
    """One component's counts, and the shares of all entities in them."""

    compared: ComponentCounts
    recall: EntityShares
    precision: EntityShares


@dataclass(frozen=True)
class DocumentExplanation:
    """How one document's scores are computed, by the positions of its entities.

    A document that the response lacks has no entities there.
    """

    pair: DocumentComparison
    metrics: Collection[str]
    shown: tuple[Sequence[int], Sequence[int]] | None = None
    """Entities of key and response whose shares are shown; None for all."""

    @property
    def shared(self) -> Mapping[tuple[int, int], int]:
        """The number of mentions that entities of key and response share."""
        overlaps = self.pair.identity.overlaps
        return (overlaps.by_membership or overlaps).from_key.shared

    @cached_property
    def rows(self) -> dict[str, list[ComponentShares]]:
        """Each metric's components."""
        return {name: list(self._rows(METRICS[name])) for name in self.metrics}

    def _rows(self, metric: Metric) -> Iterator[ComponentShares]:
        overlaps = metric.overlaps(self.pair.identity.overlaps)
        for found in score_components(metric, overlaps, self.pair.settings):
            row, share_back = found.row, found.row.shares
            if row.from_key and overlaps.by_membership:
                share_back = of_no_entity
            from_key, from_response = overlaps.from_key, overlaps.from_response
            if found.recall or found.precision:
                from_key = replace(from_key, credits=found.recall)
                from_response = replace(from_response, credits=found.precision)
            yield ComponentShares(
                found,
                row.shares(row.count, self._own_entities(from_key, 0)),
                share_back(row.count, self._own_entities(from_response, 1)),
            )

    def _own_entities(self, overlap: Overlap, side: int) -> OwnEntities:
        """Look up an overlap's own entities, which are listed once for all metrics."""
        chosen = None if self.shown is None else self.shown[side]
        return self._listed.setdefault(id(overlap), OwnEntities(overlap, chosen))

    @cached_property
    def _listed(self) -> dict[int, OwnEntities]:
        """Own entities by the identity of their overlap."""
        return {}

    @property
    def key(self) -> tuple[EntityDescription, ...]:
        """The key's entities with labels and texts."""
        side = self.pair.identity.key
        return tuple(
            _described(side, self.pair.key.text_document, "K", range(len(side.possible_elements)))
        )

    @property
    def response(self) -> tuple[EntityDescription, ...]:
        """The response's entities with labels and texts."""
        side, document = self.pair.identity.response, self.pair.response.text_document
        return tuple(_described(side, document, "R", range(len(side.possible_elements))))

    @property
    def in_sets(self) -> tuple[EntityDescription, ...]:
        """The entities on both sides that have sets or are elements of sets."""
        sides = (
            (self.pair.identity.key, self.pair.key.text_document, "K"),
            (self.pair.identity.response, self.pair.response.text_document, "R"),
        )
        return tuple(
            description
            for side, document, letter in sides
            for description in _described(side, document, letter, _entities_in_sets(side))
        )

    @cached_property
    def shared_by_label(self) -> dict[tuple[str, str], int]:
        """The number of mentions that entities share, by their labels."""
        return {(f"K{i + 1}", f"R{j + 1}"): n for (i, j), n in self.shared.items()}

    @cached_property
    def sets(self) -> dict[str, tuple[AlignedSet, ...]]:
        """How each metric aligns the key's sets."""
        overlaps = self.pair.identity.overlaps
        return {
            name: tuple(_sets(METRICS[name], METRICS[name].overlaps(overlaps), rows))
            for name, rows in self.rows.items()
        }

    @property
    def explanation(self) -> Explanation:
        """The whole explanation, with labels and texts."""
        labels = _Labels()
        metrics = (
            MetricExplanation(name, self.sets[name], tuple(map(labels.working, rows)))
            for name, rows in self.rows.items()
        )
        return Explanation(
            self.pair.name, self.key, self.response, self.shared_by_label, tuple(metrics)
        )


def explain_windows(
    pairs: Iterable[DocumentComparison], metrics: Sequence[str]
) -> list[Explanation]:
    """Explain the scores of documents, or of their windows if the settings cut them."""
    return [explain_document(window, metrics) for pair in pairs for window in pair.windows()]


def explain_document(pair: DocumentComparison, metrics: Collection[str]) -> Explanation:
    """Explain the scores of one document, with labels and texts."""
    return DocumentExplanation(pair, metrics).explanation


def _described(
    side: Side, document: Document, letter: str, numbers: Iterable[int]
) -> Iterator[EntityDescription]:
    """Label a side's entities, which are in the order of their first mentions."""
    for number in numbers:
        entity = side.possible_elements[number]
        yield EntityDescription(
            f"{letter}{number + 1}",
            entity.name,
            tuple(f"{letter}{element + 1}" for element in entity.elements),
            tuple(document.text_of(mention) for mention in entity.mentions),
            entity.relation if entity.elements else None,
        )


def _entities_in_sets(side: Side) -> list[int]:
    """List the entities that have sets or are elements of sets, in order."""
    sets = {number: entity.elements for number, entity in enumerate(side.entities)}
    owners = {number for number, elements in sets.items() if elements}
    return sorted(owners.union(*(sets[number] for number in owners)))


def _sets(
    metric: Metric, overlaps: Overlaps, rows: Sequence[ComponentShares]
) -> Iterator[AlignedSet]:
    """Describe how each set of the key is aligned, and its next best partner.

    A metric's components are aligned together, or each by itself.
    """
    compared = [row.compared for row in rows]
    for first in compared:
        if first.number == 0:
            yield from _aligned_sets(
                metric, overlaps, [c for c in compared if c.rows is first.rows]
            )


def _aligned_sets(
    metric: Metric, overlaps: Overlaps, compared: Sequence[ComponentCounts]
) -> Iterator[AlignedSet]:
    rows, aligned_sets = compared[0].rows, compared[0].aligned
    partner = dict(aligned_sets.keys())
    following = _next_best(rows, overlaps, partner)
    for i in overlaps.key_sets:
        best = partner.get(i)
        next_best = following.get(i)
        f1 = Fraction(0)
        if best is not None:
            counted = mean_f1(aligned_sets[i, best].counted)
            f1 = similarity(counted, overlaps.pairs_of_sets, (i, best))
        yield AlignedSet(
            f"K{i + 1}",
            None if best is None else f"R{best + 1}",
            () if best is None else tuple(aligned_sets[i, best].credits),
            tuple(_delta(metric, overlaps, row, i, best) for row in compared),
            f1=f1,
            next_best=None if next_best is None else (f"R{next_best[0] + 1}", next_best[1]),
        )


def _next_best(
    rows: Sequence[Component], overlaps: Overlaps, partner: Mapping[int, int]
) -> Mapping[int, tuple[int, Fraction]]:
    """Find the most similar set for each set of the key, except its partner; ties go to order."""
    following: dict[int, tuple[int, Fraction]] = {}
    pairs = overlaps.pairs_of_sets
    for (i, j), pair in pairs.items():
        f1 = similarity(mean_f1([row.count_pair(*pair) for row in rows]), pairs, (i, j))
        if partner.get(i) != j and f1 > (following[i][1] if i in following else 0):
            following[i] = j, f1
    return following


def _delta(
    metric: Metric, overlaps: Overlaps, row: ComponentCounts, i: int, j: int | None
) -> Delta:
    """Compute δ of a set of the key and of its partner, if it has one."""
    if j is None:
        return Delta(metric.delta(Fraction(0), 0), None)
    n = overlaps.from_key.shared.get((i, j), 0)
    return Delta(metric.delta(row.recall[i, j], n), metric.delta(row.precision[j, i], n))


class _Labels:
    """Labels of the entities in one document."""

    def __init__(self) -> None:
        self._labels: dict[str, dict[Partners, tuple[str, ...]]] = {"K": {}, "R": {}}
        """Labels of partners by letter and positions."""

    def working(self, row: ComponentShares) -> ComponentExplanation:
        """Label the shares in one component of a metric."""
        score = row.compared.score
        return ComponentExplanation(
            row.compared.row.links,
            Direction(self._shares(row.recall, "K", "R"), score.recall),
            Direction(self._shares(row.precision, "R", "K"), score.precision),
        )

    def _shares(self, shares: EntityShares, own: str, other: str) -> tuple[Share, ...]:
        """Label each own entity's share, and its partners."""
        labels = self._labels[other]
        for positions in shares.partners:
            if positions not in labels:
                labels[positions] = tuple([f"{other}{j + 1}" for j in positions])
        return tuple(
            map(
                Share,
                [f"{own}{i}" for i in range(1, len(shares.partners) + 1)],
                map(labels.__getitem__, shares.partners),
                [None if ratio is None else ratio.part for ratio in shares.ratios],
                [None if ratio is None else ratio.whole for ratio in shares.ratios],
            )
        )


def about(explained: Explanation, entity: str) -> Explanation:
    """Keep what concerns one entity, named by its label or by its id in the file."""
    described = (*explained.key, *explained.response)
    meant = {found.label for found in described if entity in {found.label, found.name}}
    related = meant | {label for pair in explained.shared if meant & {*pair} for label in pair}
    related |= {e for found in described if found.label in meant for e in found.elements}

    def kept(direction: Direction) -> Direction:
        shares = (s for s in direction.shares if s.entity in meant or meant & {*s.partners})
        return direction._replace(shares=tuple(shares))

    return Explanation(
        explained.name,
        tuple(found for found in explained.key if found.label in related),
        tuple(found for found in explained.response if found.label in related),
        {pair: n for pair, n in explained.shared.items() if meant & {*pair}},
        tuple(
            MetricExplanation(
                metric.metric,
                tuple(found for found in metric.sets if meant & {found.key, found.response}),
                tuple(
                    ComponentExplanation(w.links, kept(w.recall), kept(w.precision))
                    for w in metric.rows
                ),
            )
            for metric in explained.metrics
        ),
    )
