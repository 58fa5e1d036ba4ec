"""The data behind a report: scores, errors and comparisons of all systems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import attrgetter
from typing import NamedTuple, TypeAlias

from anascore.analysis.error_alignment import SetAlignment, start_correction, wrong_spans
from anascore.analysis.errors import (
    ERROR_TYPES,
    IN_FIRST,
    Error,
    ErrorAnalysis,
    ResponseErrors,
    analyse,
    analysed_settings,
    together,
)
from anascore.analysis.explain import DocumentExplanation
from anascore.comparison import Key, count
from anascore.entities.side import Side
from anascore.errors import SettingsError
from anascore.layers.counts import CountsByScore
from anascore.layers.document import DocumentComparison
from anascore.matching import Matched
from anascore.metrics.mentions import resolved
from anascore.metrics.scores import MEANS, METRICS
from anascore.model.document import Corpus, Document
from anascore.model.mention import place_of
from anascore.pairing.documents import listing
from anascore.results.result import Result, mean_of_defined
from anascore.results.suite import SuiteResult, compare_systems
from anascore.results.uncertainty import ResamplingOptions, resample
from anascore.tasks import Request
from anascore.terminal import track

Ends: TypeAlias = tuple[float | None, float | None]

RIGHT, PARTIAL, WRONG, SPAN, UNMATCHED = "mpwsx"
"""Status of a mention: resolved correctly; resolved correctly with a partial match; resolved
incorrectly; unmatched, but found with another span; unmatched."""


def corrected_scores(score: str) -> tuple[str, ...]:
    """Choose the scores to show after corrections: the main score and its parts."""
    main = score if score in METRICS or score in MEANS else "conll"
    return (*MEANS.get(main, ()), main)


class DocumentView(NamedTuple):
    """One document of one response, as the page shows it."""

    response: Document
    sides: tuple[Side, Side]
    matched: Matched
    spans: Matched
    """Mentions with a wrong span, paired with those for which they stand."""

    right: frozenset[int]
    """Key mentions that are found and resolved correctly: to the same antecedents, or none."""

    working: DocumentExplanation

    @property
    def has_sets(self) -> bool:
        """True if the key or the response has an accommodated set."""
        return any(side.has_sets for side in self.sides)


@dataclass(frozen=True)
class SystemData:
    """Everything that a page shows about one response."""

    result: Result
    errors: Mapping[str, ErrorAnalysis]
    """Errors by document."""

    views: Mapping[str, DocumentView]
    """The documents whose texts are shown."""

    corrected: tuple[str, ...]
    """The scores to show after corrections; the last one is the main score."""

    @property
    def name(self) -> str:
        """Name of the system."""
        return self.result.name

    @cached_property
    def all_errors(self) -> ResponseErrors:
        """The errors of all documents."""
        found = together(list(self.errors.values()))
        return ResponseErrors(self.name, self.result.signature, found, self.corrected, ())


class ErrorCost(NamedTuple):
    """What an error type costs: the gain in F1 if all errors of the type were corrected."""

    type: str
    label: str
    points: float
    errors: int


@dataclass(frozen=True)
class PageData:
    """Everything that a page shows."""

    key: Corpus
    systems: Sequence[SystemData]
    score: str
    """The score with which documents are compared."""

    command: str = ""
    """The command that produces the same page."""

    note_on_errors: str = ""
    """How the settings of errors differ from those of the scores."""

    resampling: ResamplingOptions = field(default_factory=ResamplingOptions)

    @property
    def names(self) -> list[str]:
        """System names."""
        return [system.name for system in self.systems]

    @cached_property
    def ranking(self) -> SuiteResult:
        """The systems compared with each other in the score that ranks them."""
        systems = {system.name: {"": system.result} for system in self.systems}
        return compare_systems({"": systems}, replace(self.resampling, confidence=False))

    @property
    def error_score(self) -> str:
        """The score that measures what errors cost."""
        return self.systems[0].corrected[-1]

    def costs(self, n: int) -> dict[str, ErrorCost]:
        """Compute what each type of error costs a system, in the order of types.

        Costs are gains of the main score; if it is undefined, it counts as 0.
        """
        errors, score = self.systems[n].all_errors, self.error_score
        before, corrected, numbers = errors.scores[score].f1 or 0.0, errors.corrected, errors.counts
        return {
            name: ErrorCost(
                name, kind.label, (corrected[name][score].f1 or 0.0) - before, numbers[name]
            )
            for name, kind in ERROR_TYPES.items()
            if numbers[name]
        }

    def costliest(self, n: int, most: int) -> list[ErrorCost]:
        """Return the error types that cost a system most."""
        costs = self.costs(n).values()
        return sorted(costs, key=attrgetter("points"), reverse=True)[:most]

    def numbered_errors(self, n: int, document: str) -> Iterator[tuple[int, Error]]:
        """Yield a system's errors in a document with their numbers, which links use."""
        by_type = self.systems[n].errors[document].errors
        yield from enumerate(error for kind in ERROR_TYPES for error in by_type[kind])

    def class_intervals(self, n: int, by: str, score: str) -> Mapping[str, Ends]:
        """Compute confidence intervals for the F1 of a score by mention class."""
        layer = self.systems[n].result.first
        if len(layer.counted) < 2:
            return {}
        from anascore.results.resampling import class_intervals  # noqa: PLC0415  NumPy is slow

        return class_intervals(layer, by, score, self.resampling.samples, self.resampling.seed)

    @cached_property
    def document_means(self) -> dict[str, float]:
        """The systems' mean F1 on each document where it is defined, by document name."""
        means = {}
        for name in self.key.documents:
            values = (s.result.first.documents[name].scores[self.score].f1 for s in self.systems)
            if (mean := mean_of_defined(values)) is not None:
                means[name] = mean
        return means

    @cached_property
    def shown(self) -> list[str]:
        """Names of the documents whose texts are shown."""
        return list(self.systems[0].views)

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Document numbers, which links use."""
        return {name: number for number, name in enumerate(self.key.documents)}

    def link_number(self, name: str) -> int | None:
        """Return a document's number; None if its text is not shown."""
        return self.numbers[name] if name in self.systems[0].views else None


def page_data(
    key: Corpus,
    responses: Sequence[tuple[str, Corpus]],
    request: Request,
    resampling: ResamplingOptions,
    documents: str,
) -> PageData:
    """Score all responses and analyse their errors.

    `documents` selects the documents whose texts are shown. Each document is compared once, for its
    scores, its errors and its view.
    """
    prepared = Key.of(key, request)
    responses_compared = [prepared.compare(name, response) for name, response in responses]
    compared = [list(response) for response in responses_compared]
    counted = [
        count(response, pairs) for response, pairs in zip(responses_compared, compared, strict=True)
    ]
    results = resample(counted, resampling)
    shown = chosen(documents, results)
    corrected = corrected_scores(compared_by(results))
    systems = [
        _system(result, dict(zip(prepared.documents, pairs, strict=True)), shown, corrected)
        for result, pairs in zip(results, compared, strict=True)
    ]
    same = analysed_settings(request.settings) is request.settings
    note = "" if same else f"{IN_FIRST[0].upper()}{IN_FIRST[1:]}."
    return PageData(
        prepared.scored,
        systems,
        compared_by(results),
        note_on_errors=note,
        resampling=resampling,
    )


MAX_DIGITS = 100
"""Maximum number of digits in a document count that is converted."""


def chosen(documents: str, results: Sequence[Result]) -> list[str]:
    """Select documents: all, the first N, the N worst, or those named."""
    names = list(results[0].first.counted)
    first, _, number = documents.rpartition(":")
    if documents == "all":
        return names
    if number.isdecimal() and first in {"", "worst"}:
        if first:
            names.sort(key=lambda name: _worst(results, name))
        # A number of more digits is larger than any number of documents.
        return names if len(number) > MAX_DIGITS else names[: int(number)]
    listed = [name.strip() for name in documents.split(",")]
    unknown = [name for name in listed if name not in names]
    if unknown:
        message = (
            f"--documents {documents}: the key has no {listing(unknown)}; give a number, worst:N, "
            f"or names with commas between; it has {listing(names)}"
        )
        raise SettingsError(message)
    return [name for name in names if name in listed]


def compared_by(results: Sequence[Result]) -> str:
    """Choose the score with which documents are compared: CoNLL, or the first one reported."""
    scores = list(results[0].first.scores)
    return "conll" if "conll" in scores else scores[0]


def _worst(results: Sequence[Result], name: str) -> float:
    score = compared_by(results)
    found = (result.first.documents[name].scores[score].f1 for result in results)
    return min((f1 for f1 in found if f1 is not None), default=2.0)


def _system(
    result: Result,
    pairs: Mapping[str, DocumentComparison],
    shown: Sequence[str],
    corrected: tuple[str, ...],
) -> SystemData:
    """Analyse one response's errors, and view the documents that are shown."""
    spans: dict[str, Matched] = {}
    errors = {}
    for name, pair in track(pairs.items(), f"{result.name}: errors of document"):
        spans[name] = mentions_with_wrong_span(pair)
        if analysed_settings(pair.settings) is pair.settings:
            counts = _counts_of(result.first.counted[name].scores, corrected)
            errors[name] = analyse(pair, corrected, counts=counts, spans=spans[name])
        else:
            errors[name] = analyse(pair, corrected)
    views = {
        name: view_document(pairs[name], spans[name])
        for name in track(shown, f"{result.name}: working of document")
    }
    return SystemData(result, errors, views, corrected)


def _counts_of(counts: CountsByScore, scores: Sequence[str]) -> CountsByScore | None:
    """Select the counts of the metrics among some scores; None if one is missing."""
    metrics = [name for name in METRICS if name in scores]
    return {name: counts[name] for name in metrics} if {*metrics} <= counts.keys() else None


def mentions_with_wrong_span(pair: DocumentComparison) -> Matched:
    """Pair mentions with a wrong span with those for which they stand."""
    sides = pair.identity
    matched = _with_copies(sides.key, sides.response, sides.matched)
    return wrong_spans(sides.key, sides.response, matched)


def view_document(pair: DocumentComparison, spans: Matched) -> DocumentView:
    """Collect what is shown of one document of one response."""
    key, comparison = pair.key.key, pair.identity
    missing = replace(key, entities=(), deixis=(), bridges=(), nonreferring=())
    sides, matched = (comparison.key, comparison.response), comparison.matched
    wrong = _wrong_sets(sides, matched)
    matched = _with_copies(*sides, matched)
    anaphors = [side.later_mentions for side in sides]
    right = {k for k, is_right in resolved(*sides, matched) if is_right}
    right |= {k for k, r in matched if k not in anaphors[0] and r not in anaphors[1]}
    right -= {k for k, r in matched if k in wrong[0] or r in wrong[1]}
    return DocumentView(
        response=pair.response.document or missing,
        sides=sides,
        matched=matched,
        spans=spans,
        right=frozenset(right),
        working=DocumentExplanation(pair, METRICS, (_with_links(sides[0]), _with_links(sides[1]))),
    )


def statuses(view: DocumentView) -> tuple[list[str], list[str]]:
    """Return the status of each mention of the key, and of each mention of the response."""
    mentions, others = (side.mentions for side in view.sides)
    of_key, of_response = [UNMATCHED] * len(mentions), [UNMATCHED] * len(others)
    for k, r in view.spans:
        of_key[k] = of_response[r] = SPAN
    for k, r in view.matched:
        status = WRONG
        if k in view.right:
            mention, other = mentions[k], others[r]
            both_zero = mention.is_zero and other.is_zero
            status = RIGHT if both_zero or place_of(mention) == place_of(other) else PARTIAL
        of_key[k] = of_response[r] = status
    return of_key, of_response


def _with_links(side: Side) -> list[int]:
    """List the entities with more than one mention, or with a mention and a set."""
    return [n for n, e in enumerate(side.entities) if len(e.mentions) + bool(e.elements) > 1]


def _with_copies(key: Side, response: Side, matched: Matched) -> Matched:
    """Match mentions in all entities that contain them; the matches that count come last."""
    if not (key.repeated or response.repeated):
        return matched
    in_key = [(copy, r) for k, r in matched for copy in key.repeated.get(k, ())[:-1]]
    in_response = [(k, copy) for k, r in matched for copy in response.repeated.get(r, ())[:-1]]
    return [*in_key, *in_response, *matched]


def _wrong_sets(sides: tuple[Side, Side], matched: Matched) -> tuple[set[int], set[int]]:
    """Find the first mentions of entities whose set is missing or different on the other side."""
    key, response = sides
    if not (key.has_sets or response.has_sets):
        return set(), set()
    key, response = key.without_nonreferring(), response.without_nonreferring()
    alignment = SetAlignment(key, start_correction(response, matched, []))
    right = {
        e: k for e, k in alignment.same_anaphor.items() if not any(alignment.wrong_elements(e, k))
    }
    in_key = {alignment.mentions_of_key[k][0] for k in alignment.in_key if k not in right.values()}
    entities = alignment.draft.entities
    return in_key, {entities[e][0] for e in alignment.draft.elements if e not in right}
