"""The JSON of `anascore explain`."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from msgspec import Meta, Struct

from anascore.analysis.explain import (
    AlignedSet,
    ComponentExplanation,
    Direction,
    Explanation,
    ResponseExplanation,
)
from anascore.model.document import RelationName
from anascore.model.ratio import Number
from anascore.output.grid import fraction
from anascore.output.json.encoding import (
    Count,
    Output,
    ScoreName,
    Signature,
    Warnings,
    about,
    encode,
    structure,
)

FRACTION = 'a number or a fraction like "43/66"; "≈0.65" if it is too long'
Fractional: TypeAlias = Annotated[str, Meta(description=FRACTION)]


class ExplainedEntity(Struct, kw_only=True):
    """An entity."""

    label: Annotated[str, about("K1, K2 and so on in the key, R1, R2 in the response")]
    name: Annotated[str, about("id in the file")]
    elements: Annotated[list[str], about("labels of the elements of its accommodated set")]
    mentions: list[str]
    relation: Annotated[RelationName | None, about("relation to its elements; null without any")]


class SharedMentions(Struct, kw_only=True):
    """Number of mentions that two entities have in common."""

    key: str
    response: str
    mentions: Count


class DeltaValues(Struct, kw_only=True):
    """δ of the paper in one component: a penalty in MUC, the credit in other metrics."""

    recall: Fractional
    precision: Annotated[str | None, about("null without a partner")]


class SetScore(Struct, kw_only=True):
    """The metric on the elements of two sets."""

    recall: Fractional
    precision: Fractional
    f1: Fractional


class NextBest(Struct, kw_only=True):
    """The next best partner of a set."""

    response: str
    f1: Fractional


class ExplainedSet(Struct, kw_only=True):
    """Alignment of an accommodated set of the key."""

    key: Annotated[str, about("label of the entity of the key")]
    response: Annotated[str | None, about("label of its partner; null without one")]
    delta: Annotated[list[DeltaValues], about("for each component")]
    score: Annotated[list[SetScore], about("for each component; empty without a partner")]
    f1: Annotated[str, about("value by which the sets were aligned")]
    next_best: NextBest | None


class EntityShare(Struct, kw_only=True):
    """Share of an entity in numerator and denominator."""

    entity: str
    partners: Annotated[
        list[str], about("labels of the entities of the other side that it shares something with")
    ]
    part: Fractional | None
    whole: Fractional | None


class ExplainedRatio(Struct, kw_only=True):
    """Recall or precision of one component."""

    part: Annotated[str, about("numerator")]
    whole: Annotated[str, about("denominator")]
    value: Annotated[str | None, about("null if it is undefined")]
    shares: Annotated[list[EntityShare], about("share of each entity")]


class ExplainedComponent(Struct, kw_only=True):
    """One component of a metric."""

    links: Annotated[str, about("its name, if the metric has two")]
    recall: ExplainedRatio
    precision: ExplainedRatio


class ExplainedMetric(Struct, kw_only=True):
    """The working of one metric."""

    sets: list[ExplainedSet]
    rows: Annotated[
        list[ExplainedComponent], about("components: two for BLANC, one for other metrics")
    ]


class ExplainedDocument(Struct, kw_only=True):
    """The working of one document."""

    key: Annotated[list[ExplainedEntity], about("entities of the key")]
    response: Annotated[
        list[ExplainedEntity], about("entities of the response; empty if it lacks the document")
    ]
    shared: list[SharedMentions]
    metrics: dict[ScoreName, ExplainedMetric]


class ExplainedSystem(Struct, kw_only=True):
    """The working of one response."""

    name: str
    signature: Signature
    documents: dict[str, ExplainedDocument]
    warnings: Warnings


class ExplanationOutput(Output, kw_only=True):
    """Output of anascore explain."""

    entity: Annotated[str | None, about("entity that --entity names")]
    systems: Annotated[list[ExplainedSystem], about("the response", min_length=1, max_length=1)]


def render_json(explanation: ResponseExplanation, *, full: bool = True) -> str:
    """Write each document's explanation as JSON."""
    del full
    system = structure(
        ExplainedSystem,
        explanation,
        name=explanation.system,
        documents={document.name: _document(document) for document in explanation},
    )
    return encode(ExplanationOutput, entity=explanation.entity or None, systems=[system])


def _document(document: Explanation) -> ExplainedDocument:
    return ExplainedDocument(
        key=[structure(ExplainedEntity, entity) for entity in document.key],
        response=[structure(ExplainedEntity, entity) for entity in document.response],
        shared=[
            SharedMentions(key=k, response=r, mentions=n) for (k, r), n in document.shared.items()
        ],
        metrics={
            metric.metric: ExplainedMetric(
                sets=list(map(_set, metric.sets)), rows=list(map(_component, metric.rows))
            )
            for metric in document.metrics
        },
    )


def _component(working: ComponentExplanation) -> ExplainedComponent:
    recall, precision = _ratio(working.recall), _ratio(working.precision)
    return structure(ExplainedComponent, working, recall=recall, precision=precision)


def _set(aligned: AlignedSet) -> ExplainedSet:
    best = aligned.next_best
    return structure(
        ExplainedSet,
        aligned,
        delta=[
            DeltaValues(recall=fraction(delta.recall), precision=_text(delta.precision))
            for delta in aligned.delta
        ],
        score=[
            SetScore(**{name: fraction(value) for name, value in own._asdict().items()})
            for own in aligned.credits
        ],
        f1=fraction(aligned.f1),
        next_best=NextBest(response=best[0], f1=fraction(best[1])) if best else None,
    )


def _ratio(direction: Direction) -> ExplainedRatio:
    return ExplainedRatio(
        part=fraction(direction.ratio.part),
        whole=fraction(direction.ratio.whole),
        value=_text(direction.ratio.value),
        shares=[
            structure(EntityShare, share, part=_text(share.part), whole=_text(share.whole))
            for share in direction.shares
        ],
    )


def _text(number: Number | None) -> str | None:
    return None if number is None else fraction(number)
