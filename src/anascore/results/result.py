"""Results: counts are added up exactly, and divided last.

Takes the counts of each document; returns scores, averages and warnings.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from anascore.arguments import check_arguments, is_string
from anascore.entities.breakdowns import dimension
from anascore.errors import (
    MismatchError,
    Repair,
    SettingsError,
    did_you_mean,
    shown,
)
from anascore.formats.registry import FORMAT_PLUG_INS
from anascore.layers.counts import CountsByScore, DocumentCounts, LayerCounts, add_up, add_zeros
from anascore.layers.registry import LAYERS
from anascore.metrics.scores import (
    BY_CLASS,
    LABELS,
    MEANS,
    METRIC_PLUG_INS,
    METRICS,
    values_of,
)
from anascore.model.abbreviated import pluralise, quote
from anascore.model.document import Formats
from anascore.model.ratio import Score, as_float, averaged, mean
from anascore.pairing.documents import SkippedDocument
from anascore.printing import Restorable
from anascore.results.notes import (
    notes_by_key,
    notes_on_documents,
    notes_on_formats,
    notes_on_heads,
    notes_on_keys,
    notes_on_matches,
    notes_on_missing,
    notes_on_repairs,
    notes_on_sets,
    notes_on_zeros,
)
from anascore.settings import DocumentNumbers, LayerName
from anascore.tasks import Request
from anascore.version import __version__

if TYPE_CHECKING:
    from anascore.results.several_keys import HumanCeiling, KeyCombination

Scores: TypeAlias = dict[str, Score[float | None]]
"""Recall, precision and F1 as fractions of 1, None where undefined, by the names of LABELS."""


def sizes_of(counted: CountsByScore) -> tuple[int, int]:
    """Read the numbers of mentions in key and response; a mean over keys is rounded."""
    (row,) = counted["mentions"]
    return round(row.recall.whole), round(row.precision.whole)


def scores_from_counts(counted: CountsByScore, reported: Collection[str]) -> Scores:
    """Divide counts, then average over components and over metrics."""
    scores: Scores = {}
    for name in LABELS:
        if name not in reported:
            continue
        if name in counted:
            rows = counted[name]
            scores[name] = (
                rows[0].rounded() if len(rows) == 1 else Score(*map(as_float, averaged(rows)))
            )
        elif name in MEANS:
            f1 = mean(mean(row.f1 for row in counted[part]) for part in MEANS[name])
            scores[name] = Score(None, None, as_float(f1))
    return scores


def set_scores_from_counts(counted: LayerCounts, reported: Collection[str]) -> Scores:
    """Divide the counts over accommodated sets; empty if there are none."""
    sets = counted.key.get("accommodated_sets") or counted.response.get("accommodated_sets")
    # The sizes are those of the first key; another one may have sets.
    rows = (row for rows in counted.split_only.values() for row in rows)
    if not sets and not any(row.recall.whole or row.precision.whole for row in rows):
        return {}
    return scores_from_counts(counted.split_only, reported)


def left_out(counted: CountsByScore, reported: Collection[str]) -> Iterator[str]:
    """Warn about each undefined value that a defined mean leaves out."""
    for name, parts in MEANS.items():
        if name in reported:
            undefined = [METRICS[p].label for p in parts if averaged(counted[p]).f1 is None]
            if 0 < len(undefined) < len(parts):
                yield f"{LABELS[name]} leaves out {' and '.join(undefined)}, which is undefined"
    for name, metric in METRICS.items():
        if name in reported and averaged(counted[name]).f1 is not None:
            for row, score in zip(metric.rows, counted[name], strict=True):
                if score.f1 is None:
                    yield f"{metric.label} leaves out {row.links}, because neither side has any"


def main_score(scores: Scores) -> str:
    """Show the CoNLL score, or else the F1 of the first score, with its label, for `repr`."""
    from anascore.output.grid import percent  # noqa: PLC0415  outputs need results

    name = "conll" if "conll" in scores else next(iter(scores), "")
    return f"{LABELS[name]} {percent(scores[name].f1)}" if name else "no scores"


SIGNIFICANT = 0.05


@dataclass(frozen=True, slots=True)
class DocumentResult:
    """Scores of one document."""

    scores: Scores
    split_only: Scores
    notes: tuple[str, ...]
    """Notes on the document that can change a score."""

    def __repr__(self) -> str:
        """Show the main score on one line."""
        return f"<DocumentResult: {main_score(self.scores)}>"


class ClassResult(NamedTuple):
    """Scores of one class of mentions."""

    key: int
    """Number of its mentions in the key."""

    response: int
    scores: Scores


class Interval(NamedTuple):
    """Lower and upper end of a 95% confidence interval; undefined if all samples are."""

    low: float | None
    high: float | None


class Intervals(NamedTuple):
    """Confidence intervals of one score."""

    recall: Interval
    precision: Interval
    f1: Interval


class Difference(NamedTuple):
    """Difference between a system and the first one, in the F1 of one score."""

    difference: float | None
    p: float | None
    """p-value of the difference; None if one of the scores is undefined."""

    corrected: float | None
    """p-value corrected for the number of systems (Holm)."""

    wins: int
    losses: int
    ties: int
    """Documents in which the system is better, worse, or equal."""

    @property
    def significant(self) -> bool:
        """True if the corrected p-value is below 0.05."""
        return self.corrected is not None and self.corrected < SIGNIFICANT


@dataclass(frozen=True, slots=True)
class Uncertainty:
    """Uncertainty of one layer of one system, by resampling."""

    intervals: Mapping[str, Intervals] = field(default_factory=dict)
    """Intervals by name of score; empty if none were requested."""

    differences: Mapping[str, Difference] = field(default_factory=dict)
    """Differences from the first system; empty for the first system itself."""

    first: str = ""
    """Name of the first system."""


@dataclass(frozen=True)
class LayerResult:
    """Scores of one layer: `scores`, `split_only`, `classes`, `breakdown`, `documents`."""

    layer: LayerName
    reported: Collection[str]
    """Names of the scores to report."""

    counted: Mapping[str, LayerCounts]
    """Counts of each document, in key order."""

    uncertainty: Uncertainty = field(default_factory=Uncertainty)
    """Confidence intervals and differences from the first system, if documents were resampled."""

    counted_within: Mapping[str, LayerCounts] = field(default_factory=dict)
    """Counts of each single document, if documents are joined."""

    by_key: Mapping[str, LayerResult] = field(default_factory=dict)
    """Results against each of several keys, by name."""

    human: Scores = field(default_factory=dict)
    """The human ceiling: the mean score of a key against all others, if it was requested."""

    leave_one_out: Scores = field(default_factory=dict)
    """The mean score of the response against all keys but one, if the ceiling was requested."""

    def __repr__(self) -> str:
        """Show the layer, its main score and the number of documents on one line."""
        documents = pluralise(len(self.counted), "document")
        return f"<LayerResult {self.layer}: {main_score(self.scores)}, {documents}>"

    @property
    def label(self) -> str:
        """Label of the layer."""
        return LAYERS[self.layer].label

    @property
    def class_name(self) -> str:
        """Kind of `classes`: `relation` or `type`."""
        return LAYERS[self.layer].classes

    @cached_property
    def total(self) -> LayerCounts:
        """Counts over all documents."""
        return add_up(self.counted.values())

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the documents that can change a score."""
        return self.total.notes.texts

    @property
    def annotated(self) -> bool:
        """True if the key or the response has anything to score."""
        if self.by_key:
            return any(layer.annotated for layer in self.by_key.values())
        sizes = (self.total.key, self.total.response)
        return any(n for size in sizes for what, n in size.items() if what != "documents")

    @cached_property
    def scores(self) -> Scores:
        """The scores over all documents (micro-average), by name."""
        return scores_from_counts(self.total.scores, self.reported)

    @cached_property
    def within_documents(self) -> Scores:
        """The scores within single documents, if documents are joined; else empty."""
        if not self.counted_within:
            return {}
        return scores_from_counts(add_up(self.counted_within.values()).scores, self.reported)

    @cached_property
    def split_only(self) -> Scores:
        """The scores of the accommodated sets alone; empty if neither side has any."""
        return set_scores_from_counts(self.total, self.reported)

    @cached_property
    def by_relation(self) -> dict[str, Scores]:
        """The scores of accommodated objects by relation; empty if there is only one relation."""
        divided = {
            name: scores_from_counts(of, self.reported)
            for name, of in self.total.by_relation.items()
        }
        return divided if len(divided) > 1 and any(divided.values()) else {}

    @cached_property
    def classes(self) -> dict[str, Scores]:
        """The scores of each class (see `class_name`); empty unless both sides name classes."""
        counted = self.total.classes
        rows = [row for of in counted.values() for rows in of.values() for row in rows]
        if not any(row.recall.whole for row in rows) or not any(
            row.precision.whole for row in rows
        ):
            return {}
        return {name: scores_from_counts(of, self.reported) for name, of in counted.items()}

    @cached_property
    def breakdown(self) -> dict[str, dict[str, ClassResult]]:
        """The scores of each class of mentions, for each breakdown of the settings."""
        broken = {}
        for breakdown_name, counted in self.total.breakdown.items():
            by = dimension(breakdown_name)
            reported = {*BY_CLASS, *(self.reported if by.of_documents else ())}
            broken[breakdown_name] = {
                name: ClassResult(
                    *sizes_of(counted[name]), scores_from_counts(counted[name], reported)
                )
                for name in by.in_order(counted)
            }
        return broken

    @cached_property
    def documents(self) -> dict[str, DocumentResult]:
        """The scores of each document, by its name."""
        return {
            name: DocumentResult(
                scores_from_counts(counted.scores, self.reported),
                set_scores_from_counts(counted, self.reported),
                counted.notes.texts,
            )
            for name, counted in self.counted.items()
        }

    @cached_property
    def macro(self) -> Scores:
        """The macro-average: means of the documents' recall, precision and F1 where defined."""
        return mean_scores([document.scores for document in self.documents.values()])

    @cached_property
    def score_warnings(self) -> tuple[str, ...]:
        """Warnings about values that means leave out."""
        return tuple(left_out(self.total.scores, self.reported))

    @cached_property
    def split_only_warnings(self) -> tuple[str, ...]:
        """Warnings about values that means over accommodated sets leave out."""
        if not self.split_only:
            return ()
        found = left_out(self.total.split_only, self.reported)
        return tuple(f"accommodated sets only: {warning}" for warning in found)

    @cached_property
    def document_warnings(self) -> tuple[str, ...]:
        """Warnings about values that means leave out in single documents, counted by document."""
        found = Counter(
            warning
            for counted in self.counted.values()
            for warning in left_out(counted.scores, self.reported)
        )
        return tuple(f"{warning} (documents: {number})" for warning, number in found.items())


@dataclass(frozen=True)
class Result(Restorable):
    """Scores of one response: `scores`, `split_only`, `documents`, `conll`. Print it for a table.

    These are the scores of the first requested layer; `layers` has all of them. `result["muc"]` and
    `"muc" in result` look up a score by name in all layers; iteration yields the names.
    """

    name: str
    request: Request
    """Settings, and the scores to report."""

    formats: tuple[Formats, Formats]
    """Formats of key and response."""

    counted: Mapping[str, DocumentCounts]
    """Counts of each document, in the order of the key."""

    skipped: tuple[SkippedDocument, ...] = ()
    """Documents with errors: left out if in the key, and empty if in the response."""

    uncertainty: Mapping[LayerName, Uncertainty] = field(default_factory=dict)
    """Confidence intervals and differences from the first system, if documents were resampled."""

    resampling_signature: str = ""
    """Options of resampling, if documents were resampled."""

    version: str = __version__
    """Version of anascore that computed the counts."""

    within: Mapping[str, DocumentCounts] = field(default_factory=dict)
    """Counts of each single document, if documents are joined."""

    combination: KeyCombination | None = None
    """Rule for combining the keys, if there are several."""

    by_key: Mapping[str, Result] = field(default_factory=dict)
    """Results against each of several keys, by name."""

    ceiling: HumanCeiling | None = None
    """Results of keys against each other, and of the response in the same way, if requested."""

    plug_ins: tuple[str, ...] | None = None
    """The plug-ins that the result depends on, with their versions, like `pairs@1.2`; by default,
    those of its formats and scores that are registered when the result is made."""

    def __post_init__(self) -> None:
        """Fill in the plug-ins: their versions may change later."""
        if self.plug_ins is None:
            metrics = METRIC_PLUG_INS.used(chain.from_iterable(self.request.reported.values()))
            formats = FORMAT_PLUG_INS.used(chain.from_iterable(self.formats))
            object.__setattr__(self, "plug_ins", tuple(dict.fromkeys((*metrics, *formats))))

    @cached_property
    def layers(self) -> dict[LayerName, LayerResult]:
        """The scores of each requested layer."""
        return {
            layer: LayerResult(
                layer,
                _counted_in_all(reported, layer, self.counted.values()),
                {name: document.layers[layer] for name, document in self.counted.items()},
                self.uncertainty.get(layer, Uncertainty()),
                {name: document.layers[layer] for name, document in self.within.items()},
                by_key={name: result.layers[layer] for name, result in self.by_key.items()},
                human=_mean_of_layer(self.ceiling.human, layer) if self.ceiling else {},
                leave_one_out=_mean_of_layer(self.ceiling.response, layer) if self.ceiling else {},
            )
            for layer, reported in self.request.reported.items()
        }

    @property
    def signature(self) -> str:
        """The version and every setting that can change a number, in one line."""
        return "|".join(filter(None, (self.settings_signature, self.resampling_signature)))

    @property
    def settings_signature(self) -> str:
        """The signature without the options of resampling."""
        signature = self.request.settings.signature(
            *self.formats,
            DocumentNumbers(len(self.within or self.counted), len(self.skipped), len(self.repairs)),
            version=self.version,
            plug_ins=self.plug_ins or (),
        )
        return f"{signature}|{self.combination.signature}" if self.combination else signature

    @property
    def repairs(self) -> dict[str, tuple[Repair, ...]]:
        """Repairs of the response, by the names of the documents that have any."""
        return {name: counts.repairs for name, counts in self.counted.items() if counts.repairs}

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """Notes on the corpora and all layers that can change a score."""
        if self.by_key:
            own = {key: result.notes for key, result in self.by_key.items()}
            documents = {key: {*(r.within or r.counted)} for key, r in self.by_key.items()}
            return (*notes_on_keys(documents), *notes_by_key(own))
        of_layers = (note for layer in self.layers.values() for note in layer.notes)
        of_documents = (document.note for document in self.skipped)
        of_repairs = notes_on_repairs(self.repairs)
        return tuple(dict.fromkeys((*of_layers, *self._corpus_notes(), *of_documents, *of_repairs)))

    def _corpus_notes(self) -> Iterator[str]:
        """Yield the notes about whole corpora."""
        settings = self.request.settings
        key, response = (
            add_zeros(document.key_zeros for document in self.counted.values()),
            add_zeros(document.response_zeros for document in self.counted.values()),
        )
        yield from notes_on_documents(len(self.within or self.counted), settings)
        yield from notes_on_zeros(key, response, settings)
        if "identity" in self.layers:
            identity = self.layers["identity"].total
            sets = (side.get("accommodated_sets", 0) for side in (identity.key, identity.response))
            yield from notes_on_sets(self.formats, sets, settings)
            yield from notes_on_matches(identity, self.formats)
        yield from notes_on_heads(*self.formats, settings)
        yield from notes_on_missing(
            name for name, of in self.first.counted.items() if not of.response.get("documents", 1)
        )
        for name, layer in self.layers.items():
            if layer.annotated:
                yield from notes_on_formats(*self.formats, name, layer.reported)
        for name, layer in self.layers.items():
            row = layer.total.scores.get("anaphors")
            if row and row[0].f1 is None:
                kind = settings.anaphors
                anaphor = f"an anaphor with {kind}" if "=" in kind else f"a {kind} anaphor"
                yield f"{name}: neither key nor response has {anaphor}"

    @property
    def first(self) -> LayerResult:
        """The first of the requested layers."""
        return next(iter(self.layers.values()))

    @property
    def total(self) -> LayerCounts:
        """Counts over all documents."""
        return self.first.total

    @property
    def scores(self) -> Scores:
        """The scores over all documents (micro-average), by name."""
        return self.first.scores

    @property
    def split_only(self) -> Scores:
        """The scores of the accommodated sets alone; empty if neither side has any."""
        return self.first.split_only

    @property
    def documents(self) -> dict[str, DocumentResult]:
        """The scores of each document, by its name."""
        return self.first.documents

    @property
    def human(self) -> Scores:
        """The human ceiling: the mean score of a key against all others, if it was requested."""
        return self.first.human

    @property
    def leave_one_out(self) -> Scores:
        """The mean score against all keys but one, for comparison with the human ceiling."""
        return self.first.leave_one_out

    @property
    def conll(self) -> float | None:
        """The CoNLL score: the mean of the F1 of MUC, B³ and CEAF-E."""
        return self["conll"].f1

    @property
    def warnings(self) -> tuple[str, ...]:
        """Warnings that a reader of the scores should see."""
        from anascore.output.view import ReportOptions  # noqa: PLC0415  reports need results

        return tuple(ReportOptions().warnings(self))

    @check_arguments
    def flat(
        self, prefix: str = "", *, percent: bool = False, undefined: float | None = None
    ) -> dict[str, float]:
        """Return all values in one dictionary, for Weights & Biases, TensorBoard and the like.

        Names end in `_recall`, `_precision` and `_f1`. Means such as `conll` only have `_f1`. If
        there are several layers, names of all but the first begin with the layer and a slash.

        Args:
            prefix: Beginning of all names, such as "dev/".
            percent: If True, values are between 0 and 100.
            undefined: Value of undefined scores, such as nan. The default leaves them out.

        Example:
            >>> from anascore import score_clusters
            >>> result = score_clusters([["a", "b"]], [["a", "b"]], metrics="muc,conll")
            >>> [*result.flat("dev/", percent=True).items()][-2:]
            [('dev/muc_f1', 100.0), ('dev/conll_f1', 100.0)]
        """
        scale = 100 if percent else 1
        flat = {}
        for layer in self.layers.values():
            start = prefix if layer is self.first else f"{prefix}{layer.layer}/"
            for name, score in layer.scores.items():
                for kind in values_of(name):
                    value = getattr(score, kind)
                    if value is not None:
                        flat[f"{start}{name}_{kind}"] = scale * value
                    elif undefined is not None:
                        flat[f"{start}{name}_{kind}"] = undefined
        return flat

    def render(self, output: str = "table", **view: Any) -> str:
        """Return the scores as text.

        Args:
            output: Output format, such as "markdown" or "json"; also "eval-results".
            view: Selection of the results to show: `per_document=True`, `split_only=True`,
                `macro=True`, `sort_by="muc"`, `score="b3"` (the score of tables by class and by
                document, and of eval-results); `dataset_id` and `task_id` of eval-results;
                `decimals=4` for tables with that many decimals, and `tables="scores,sizes"` for
                only the tables with these ids.
        """
        return self._render(output, **view)

    def __add__(self, other: object) -> Result:
        """Add the same system's result on other documents."""
        return add_results([self, other]) if isinstance(other, Result) else NotImplemented

    def __radd__(self, other: object) -> Result:
        """Return the result itself for 0, the start value of `sum`."""
        return self if type(other) is int and other == 0 else NotImplemented

    def __repr__(self) -> str:
        """Show the name, the main score and the number of documents on one line."""
        documents = pluralise(len(self.counted), "document")
        return f"<Result {quote(self.name)}: {main_score(self.scores)}, {documents}>"

    def __getitem__(self, name: str) -> Score[float | None]:
        """Look up a score by name, in the first layer that has it."""
        for layer in self.layers.values() if is_string(name) else ():
            if name in layer.scores:
                return layer.scores[name]
            if name == "mor" and name in self.request.reported[layer.layer]:
                message = (
                    "there is no score 'mor', which compares the words of mentions, because not "
                    "all mentions are spans (first, last)"
                )
                raise SettingsError(message)
        if is_string(name) and name in {"recall", "precision", "f1"}:
            message = f'{name!r} is a value of a score; write result["{next(iter(self))}"].{name}'
            raise SettingsError(message)
        hint = did_you_mean(name, self)
        message = f"the score {shown(name)} was not requested{hint}; choose from {', '.join(self)}"
        raise SettingsError(message)

    if not TYPE_CHECKING:  # pragma: no branch  type checkers would allow every attribute

        def __getattr__(self, name: str) -> Any:
            """Say how a score is looked up."""
            message = f"{type(self).__name__!r} object has no attribute {name!r}"
            if name in LABELS:
                message += f'; write result["{name}"], or result["{name}"].f1'
            raise AttributeError(message, name=name, obj=self)

    def __contains__(self, name: object) -> bool:
        """Test whether any layer has a score of this name."""
        return any(name in layer.scores for layer in self.layers.values())

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the scores of all layers."""
        return iter(dict.fromkeys(name for layer in self.layers.values() for name in layer.scores))

    def __len__(self) -> int:
        """Count the scores of all layers."""
        return sum(1 for _ in self)


def _counted_in_all(
    reported: Sequence[str], layer: LayerName, documents: Iterable[DocumentCounts]
) -> list[str]:
    """Keep the scores that all documents have; MOR is missing where mentions have no size."""
    lacking = {*reported}.difference(MEANS)
    lacking -= lacking.intersection(*(document.layers[layer].scores for document in documents))
    return [name for name in reported if name not in lacking]


def add_results(results: Sequence[Result], name: str | None = None) -> Result:
    """Add up results over different documents, such as those of the shards of a corpus.

    Args:
        results: The results. All must have the same settings.
        name: Name of the sum (default: that of the first result).

    Raises:
        MismatchError: Results have a document in common, or differ in settings or version.
    """
    first = results[0]
    counted: dict[str, DocumentCounts] = {}
    within: dict[str, DocumentCounts] = {}
    skipped: dict[str, list[SkippedDocument]] = {}
    for result in results:
        if _conditions(result) != _conditions(first):
            message = (
                f"results with different settings cannot be added: {first.settings_signature} and "
                f"{result.settings_signature}"
            )
            raise MismatchError(message)
        for document in (*result.counted, *(d.document for d in result.skipped if d.side == "key")):
            if document in counted or document in skipped:
                message = f"results with a document in common cannot be added: {document!r}"
                raise MismatchError(message)
        counted.update(result.counted)
        within.update(result.within)
        for one in result.skipped:
            skipped.setdefault(one.document, []).append(one)
    formats = zip(*(result.formats for result in results), strict=True)
    key, response = (tuple(dict.fromkeys(chain.from_iterable(side))) for side in formats)
    added = Result(
        name or first.name,
        first.request,
        (key, response),
        counted,
        tuple(one for of_document in skipped.values() for one in of_document),
        version=first.version,
        within=within,
        plug_ins=tuple(dict.fromkeys(chain.from_iterable(r.plug_ins or () for r in results))),
    )
    if first.combination is None:
        return added
    from anascore.results.several_keys import add_results_of_keys  # noqa: PLC0415  needs results

    return add_results_of_keys(added, results, first.combination)


def _conditions(result: Result) -> tuple[object, ...]:
    """Collect everything that results must have in common to be added."""
    reported = {*chain.from_iterable(result.request.reported.values())}
    metrics = {one for one in result.plug_ins or () if one.partition("@")[0] in reported}
    return result.request, result.version, result.combination, metrics


def mean_scores(listed: Sequence[Scores]) -> Scores:
    """Average recall, precision and F1 where they are defined."""
    return {
        name: Score(*map(mean_of_defined, zip(*(scores[name] for scores in listed), strict=True)))
        for name in listed[0]
    }


def _mean_of_layer(results: Mapping[str, Result], layer: LayerName) -> Scores:
    return mean_scores([result.layers[layer].scores for result in results.values()])


def mean_of_defined(values: Iterable[float | None]) -> float | None:
    """Average the defined values; None if there are none."""
    from statistics import fmean  # noqa: PLC0415  only macro-averages need it

    defined = [value for value in values if value is not None]
    return fmean(defined) if defined else None
