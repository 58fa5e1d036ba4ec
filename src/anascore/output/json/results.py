"""The JSON of `anascore score` and `anascore merge`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, get_type_hints

import msgspec
from msgspec import UNSET, Struct, UnsetType, defstruct

from anascore.errors import Repair, RepairKind, SettingsError
from anascore.layers.counts import (
    CountsByScore,
    DocumentCounts,
    LayerCounts,
    SideNotes,
    ZeroCounts,
)
from anascore.layers.registry import LAYERS
from anascore.metrics.scores import check_known, values_of
from anascore.output.json.encoding import (
    Bounds,
    Count,
    ExactCounts,
    ExactNumber,
    Line,
    Output,
    ScoreName,
    ScoresByName,
    SideSizes,
    Signature,
    Sizes,
    SystemDifference,
    Warnings,
    about,
    counts_of,
    decode,
    encode,
    exact,
    number,
    restored_counts,
    scores_of,
    structure,
)
from anascore.output.view import ReportOptions, report_options, results_of
from anascore.pairing.documents import SkippedDocument
from anascore.results.comparison import Comparison
from anascore.results.result import (
    DocumentResult,
    Interval,
    Intervals,
    LayerResult,
    Result,
    Uncertainty,
)
from anascore.results.several_keys import CombinationRule, KeyCombination, human_ceiling
from anascore.settings import LayerName, Settings, setting_text, settings_from
from anascore.tasks import Request

SETTING_FIELDS = {
    setting.name: (
        setting.name,
        Annotated[get_type_hints(Settings)[setting.name], about(setting_text(setting))],
        setting.default,
    )
    for setting in fields(Settings)
}
"""Fields of structures with settings; their types and texts come from the settings themselves."""

if TYPE_CHECKING:
    SettingValues: TypeAlias = Struct
else:
    SettingValues = defstruct(
        "SettingValues",
        SETTING_FIELDS.values(),
        module=__name__,
        forbid_unknown_fields=True,
        namespace={"__doc__": "All settings by their names in Python."},
    )


Reported: TypeAlias = Annotated[
    Mapping[LayerName, tuple[ScoreName, ...]], about("reported scores by layer")
]


class MentionCounts(Struct, kw_only=True):
    """Numbers of mentions in both sides."""

    key: Count
    response: Count


class ClassScores(Struct, kw_only=True, omit_defaults=True):
    """One class of mentions."""

    mentions: MentionCounts | UnsetType = UNSET
    scores: ScoresByName


class DocumentScores(Struct, kw_only=True):
    """The scores of one document."""

    scores: ScoresByName
    split_only: ScoresByName
    warnings: Warnings


class ScoreBounds(Struct, kw_only=True, omit_defaults=True):
    """95% confidence intervals of one score. Means have F1 only."""

    recall: Bounds | UnsetType = UNSET
    precision: Bounds | UnsetType = UNSET
    f1: Bounds


class Total(Struct, kw_only=True):
    """Sizes and scores over all documents."""

    counts: SideSizes
    matching: Annotated[Sizes, about("numbers of mentions that match, are missing or spurious")]
    scores: Annotated[ScoresByName, about("scores over all entities; empty with --split-only")]
    split_only: Annotated[ScoresByName, about("scores of the accommodated sets alone")]


class Layer(Total, kw_only=True, omit_defaults=True):
    """Scores of one layer."""

    by_key: Annotated[dict[str, Total], about("scores against each of several keys, by name")] = {}
    human: Annotated[
        ScoresByName, about("human ceiling: mean scores of a key against all others")
    ] = {}
    leave_one_out: Annotated[
        ScoresByName, about("mean scores of the response against all keys but one")
    ] = {}
    within_documents: Annotated[
        ScoresByName, about("with --across: scores within single documents")
    ] = {}
    macro: Annotated[
        ScoresByName, about("with --macro: means of the scores of the documents where defined")
    ] = {}
    confidence: Annotated[
        dict[ScoreName, ScoreBounds], about("with --confidence: 95% intervals by score")
    ] = {}
    difference_to_first: Annotated[
        dict[ScoreName, SystemDifference],
        about("with --paired: differences in F1 from the first system"),
    ] = {}
    split_only_by_relation: Annotated[
        dict[str, ScoresByName], about("scores of accommodated objects by relation (set, result)")
    ] = {}
    classes: Annotated[
        dict[str, dict[str, ClassScores]],
        about(
            "scores by class: by relation (bridging), by type (non-referring mentions), and by "
            "each breakdown of --by"
        ),
    ] = {}
    documents: Annotated[
        dict[str, DocumentScores],
        about("with --per-document: scores of each document, in the order of the key"),
    ] = {}


class Skipped(Struct, kw_only=True):
    """A document with errors that was skipped."""

    side: Annotated[
        Literal["key", "response"], about("left out if in the key, empty if in the response")
    ]
    document: str
    path: str
    line: Line
    reason: Annotated[str, about("the first error")]


class RepairedPlace(Struct, kw_only=True):
    """A repair of the output of a language model."""

    document: str
    kind: RepairKind
    path: str
    line: Line
    what: str


class ZeroNumbers(Struct, kw_only=True):
    """Zeros of one side."""

    in_text: Count
    mentions: Annotated[Count, about("mentions with a zero, in entities")]


class SideZeros(Struct, kw_only=True):
    """Zeros of both sides."""

    key: ZeroNumbers
    response: ZeroNumbers


class ExactLayer(Struct, kw_only=True, omit_defaults=True):
    """Counts of one layer of a document; empty ones are omitted."""

    key: Sizes = {}
    response: Sizes = {}
    matching: Sizes = {}
    scores: ExactCounts = {}
    split_only: ExactCounts = {}
    split_only_by_relation: dict[str, ExactCounts] = {}
    classes: dict[str, dict[str, ExactCounts]] = {}
    shifted: Annotated[
        Sizes,
        about("response mentions that would match if all ends were one less or one more"),
    ] = {}
    notes: SideSizes | UnsetType = UNSET


class ExactDocument(Struct, kw_only=True, omit_defaults=True):
    """Exact counts of a document."""

    layers: dict[LayerName, ExactLayer]
    zeros: SideZeros
    repairs: list[RepairedPlace] = []


class SideFormats(Struct, kw_only=True):
    """Formats of key and response, several if a folder mixes them."""

    key: tuple[str, ...]
    response: tuple[str, ...]


class ExactKey(Struct, kw_only=True, omit_defaults=True):
    """Counts against one key."""

    formats: SideFormats
    skipped: list[Skipped] = []
    documents: Annotated[dict[str, ExactDocument], about("counts of each document")]
    within: Annotated[
        dict[str, ExactDocument], about("with --across: counts of each single document")
    ] = {}


class Combination(Struct, kw_only=True):
    """Rule for combining several keys."""

    rule: CombinationRule
    weights: Annotated[list[ExactNumber], about("weight of each key; they add up to 1")]


class ExactResult(ExactKey, kw_only=True, omit_defaults=True):
    """Everything that is needed to restore a result."""

    version: Annotated[str, about("version of anascore that computed the counts")]
    settings: SettingValues
    reported: Reported
    all_layers: Annotated[bool, about("true with --layers all")]
    resampling: Annotated[
        str, about("part of the signature about intervals and tests; may be empty")
    ]
    first: Annotated[
        str, about("with --confidence or --paired: system from which differences are taken")
    ] = ""
    combination: Combination | UnsetType = UNSET
    by_key: Annotated[dict[str, ExactKey], about("counts against each of several keys")] = {}
    human: Annotated[
        dict[str, ExactKey], about("with --human: counts of each key against all others")
    ] = {}
    plug_ins: Annotated[list[str], about("plug-ins with their versions, like pairs@1.2")] = []


class System(Struct, kw_only=True, omit_defaults=True):
    """Scores of one response."""

    name: str
    signature: Signature
    layers: Annotated[dict[LayerName, Layer], about("scores by layer, in the requested order")]
    warnings: Warnings
    skipped: Annotated[
        list[Skipped], about("with --bad-documents skip: documents with errors")
    ] = []
    repairs: Annotated[list[RepairedPlace], about("with --repair: repairs of the response")] = []
    exact: ExactResult


class ScoreOutput(Output, kw_only=True):
    """Output of anascore score."""

    signature: Annotated[str, about("signature of the first response")]
    systems: Annotated[list[System], about("responses in the order of the command", min_length=1)]


class MergeOutput(ScoreOutput, kw_only=True):
    """Output of anascore merge."""


def render_json(shown: Result | Sequence[Result], **view: Any) -> str:
    """Write all systems' scores as JSON: fractions of 1 at full precision."""
    results = results_of(shown)
    options = report_options(results[0], **view)
    systems = [System(**system_fields(result, options)) for result in results]
    return encode(ScoreOutput, signature=results[0].signature, systems=systems)


def system_fields(result: Result, options: ReportOptions) -> dict[str, Any]:
    """Fill the fields that describe a system, also as part of a suite."""
    return {
        "name": result.name,
        "signature": result.signature,
        "layers": {name: _layer(layer, options) for name, layer in result.layers.items()},
        "warnings": options.warnings(result),
        "skipped": _skipped(result),
        "repairs": [one for name, own in result.repairs.items() for one in _repairs(name, own)],
        "exact": _exact_result(result),
    }


def _skipped(result: Result) -> list[Skipped]:
    return [structure(Skipped, document) for document in result.skipped]


def _repairs(document: str, repairs: Sequence[Repair]) -> Iterator[RepairedPlace]:
    return (structure(RepairedPlace, repair, document=document) for repair in repairs)


def _total(layer: LayerResult, options: ReportOptions) -> dict[str, Any]:
    return {
        "counts": SideSizes(key=layer.total.key, response=layer.total.response),
        "matching": layer.total.matching,
        **_scores(layer, options),
    }


def _scores(scored: LayerResult | DocumentResult, options: ReportOptions) -> dict[str, Any]:
    return {
        "scores": {} if options.split_only else scores_of(scored.scores),
        "split_only": scores_of(scored.split_only),
    }


def _layer(layer: LayerResult, options: ReportOptions) -> Layer:
    differences = layer.uncertainty.differences
    return Layer(
        **_total(layer, options),
        by_key={name: Total(**_total(own, options)) for name, own in layer.by_key.items()},
        human=scores_of(layer.human),
        leave_one_out=scores_of(layer.leave_one_out),
        within_documents=scores_of(layer.within_documents),
        macro=scores_of(layer.macro) if options.macro else {},
        confidence=bounds_of(layer.uncertainty.intervals),
        difference_to_first={
            name: structure(SystemDifference, one) for name, one in differences.items()
        },
        split_only_by_relation={
            name: scores_of(scores) for name, scores in layer.by_relation.items()
        },
        classes=_classes(layer),
        documents={
            name: _document(layer.documents[name], options)
            for name in (options.documents_in_order(layer) if options.per_document else ())
        },
    )


def _document(document: DocumentResult, options: ReportOptions) -> DocumentScores:
    return DocumentScores(**_scores(document, options), warnings=list(document.notes))


def bounds_of(intervals: Mapping[str, Intervals]) -> dict[str, ScoreBounds]:
    """Convert confidence intervals to structures, by score."""
    return {
        name: ScoreBounds(**{column: getattr(own, column) for column in values_of(name)})
        for name, own in intervals.items()
    }


def restored_intervals(bounds: Mapping[str, ScoreBounds]) -> dict[str, Intervals]:
    """Read the confidence intervals that `bounds_of` wrote."""
    return {
        name: Intervals(
            *(
                Interval(None, None) if ends is UNSET else ends
                for ends in (own.recall, own.precision, own.f1)
            )
        )
        for name, own in bounds.items()
    }


def _classes(layer: LayerResult) -> dict[str, dict[str, ClassScores]]:
    of_layer = {name: ClassScores(scores=scores_of(own)) for name, own in layer.classes.items()}
    return {
        **({layer.class_name: of_layer} if of_layer else {}),
        **{
            by: {
                name: ClassScores(
                    mentions=structure(MentionCounts, own), scores=scores_of(own.scores)
                )
                for name, own in classes.items()
            }
            for by, classes in layer.breakdown.items()
        },
    }


def _exact_result(result: Result) -> ExactResult:
    request, combination = result.request, result.combination
    human = result.ceiling.human if result.ceiling else {}
    return ExactResult(
        **_exact_key(result),
        version=result.version,
        settings=setting_values(request.settings),
        reported=request.reported,
        all_layers=request.all_layers,
        resampling=result.resampling_signature,
        first=next((layer.first for layer in result.uncertainty.values()), ""),
        combination=Combination(
            rule=combination.rule, weights=list(map(exact, combination.weights))
        )
        if combination
        else UNSET,
        plug_ins=list(result.plug_ins or ()),
        by_key={name: ExactKey(**_exact_key(own)) for name, own in result.by_key.items()},
        human={name: ExactKey(**_exact_key(own)) for name, own in human.items()},
    )


def setting_values(settings: Settings) -> SettingValues:
    """Convert settings to a structure."""
    return msgspec.convert(settings, SettingValues, from_attributes=True)


def _exact_key(result: Result) -> dict[str, Any]:
    key, response = result.formats
    return {
        "formats": SideFormats(key=key, response=response),
        "skipped": _skipped(result),
        "documents": _exact_documents(result.counted),
        "within": _exact_documents(result.within),
    }


def _exact_documents(counted: Mapping[str, DocumentCounts]) -> dict[str, ExactDocument]:
    return {
        name: ExactDocument(
            layers={layer: _exact_layer(layer, own) for layer, own in counts.layers.items()},
            zeros=SideZeros(
                key=structure(ZeroNumbers, counts.key_zeros),
                response=structure(ZeroNumbers, counts.response_zeros),
            ),
            repairs=list(_repairs(name, counts.repairs)),
        )
        for name, counts in counted.items()
    }


def _exact_layer(layer: LayerName, counts: LayerCounts) -> ExactLayer:
    of_layer = {LAYERS[layer].classes: counts.classes} if counts.classes else {}
    return structure(
        ExactLayer,
        counts,
        scores=counts_of(counts.scores),
        split_only=counts_of(counts.split_only),
        split_only_by_relation=_exact_classes(counts.by_relation),
        classes={by: _exact_classes(own) for by, own in {**of_layer, **counts.breakdown}.items()},
        notes=structure(SideSizes, counts.notes) if any(counts.notes) else UNSET,
    )


def _exact_classes(classes: Mapping[str, CountsByScore]) -> dict[str, Any]:
    return {name: counts_of(own) for name, own in sorted(classes.items())}


def read_comparison(text: str, path: str = "JSON") -> Comparison:
    """Restore all systems' results; `path` is the place that errors name."""
    return decode(text, ScoreOutput, _restored_comparison, "score", path)


def read_result(text: str) -> Result:
    """Restore one system's result."""
    results = read_comparison(text)
    if len(results) != 1:
        message = f"the JSON has {len(results)} systems; Comparison.from_json reads several"
        raise SettingsError(message)
    return results[0]


def _restored_comparison(output: ScoreOutput) -> Comparison:
    results = Comparison(map(restored_result, output.systems))
    # Counts that do not fit together fail here.
    str(results)
    for layer in (layer for result in results for layer in result.layers.values()):
        _ = layer.documents
    return results


def restored_result(system: System) -> Result:
    """Convert a structure back to a system's result."""
    content = system.exact
    check_known(chain.from_iterable(content.reported.values()))
    combination = None
    if content.combination is not UNSET:
        weights = tuple(Fraction(number(weight)) for weight in content.combination.weights)
        combination = KeyCombination(content.combination.rule, weights)
    result = Result(
        **_restored_key(content),
        name=system.name,
        request=Request(
            settings_from(msgspec.structs.asdict(content.settings)),
            content.reported,
            content.all_layers,
        ),
        uncertainty={
            name: Uncertainty(
                restored_intervals(layer.confidence),
                {name: one.restored() for name, one in layer.difference_to_first.items()},
                content.first,
            )
            for name, layer in system.layers.items()
        }
        if content.resampling
        else {},
        resampling_signature=content.resampling,
        version=content.version,
        combination=combination,
        plug_ins=tuple(content.plug_ins),
    )
    return _with_keys(result, content, combination) if combination else result


def _with_keys(result: Result, content: ExactResult, combination: KeyCombination) -> Result:
    """Add the results against each of several keys."""
    own: dict[str, Any] = {
        "request": result.request,
        "version": result.version,
        "plug_ins": result.plug_ins,
    }
    by_key = {
        name: Result(name=result.name, **own, **_restored_key(key))
        for name, key in content.by_key.items()
    }
    human = {
        name: Result(name=name, **own, **_restored_key(key), combination=combination.without(n))
        for n, (name, key) in enumerate(content.human.items())
    }
    ceiling = human_ceiling(human, by_key, combination) if human else None
    return replace(result, by_key=by_key, ceiling=ceiling)


def _restored_key(content: ExactKey) -> dict[str, Any]:
    return {
        "formats": (content.formats.key, content.formats.response),
        "skipped": tuple(SkippedDocument(**msgspec.structs.asdict(one)) for one in content.skipped),
        "counted": _restored_documents(content.documents),
        "within": _restored_documents(content.within),
    }


def _restored_documents(content: Mapping[str, ExactDocument]) -> dict[str, DocumentCounts]:
    return {
        name: DocumentCounts(
            {layer: _restored_layer(layer, own) for layer, own in document.layers.items()},
            ZeroCounts(document.zeros.key.in_text, document.zeros.key.mentions),
            ZeroCounts(document.zeros.response.in_text, document.zeros.response.mentions),
            tuple(Repair(one.kind, one.path, one.line, one.what) for one in document.repairs),
        )
        for name, document in content.items()
    }


def _restored_layer(layer: LayerName, content: ExactLayer) -> LayerCounts:
    notes = content.notes
    breakdown = {by: _restored_classes(own) for by, own in content.classes.items()}
    return LayerCounts(
        key=content.key,
        response=content.response,
        matching=content.matching,
        scores=restored_counts(content.scores),
        split_only=restored_counts(content.split_only),
        by_relation=_restored_classes(content.split_only_by_relation),
        classes=breakdown.pop(LAYERS[layer].classes, {}),
        breakdown=breakdown,
        shifted=content.shifted,
        notes=SideNotes({}, {}) if notes is UNSET else SideNotes(notes.key, notes.response),
    )


def _restored_classes(classes: Mapping[str, ExactCounts]) -> dict[str, CountsByScore]:
    return {name: restored_counts(own) for name, own in classes.items()}
