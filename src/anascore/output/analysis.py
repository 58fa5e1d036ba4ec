"""Errors and explanations as text, JSON and CSV."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from anascore.analysis.errors import ERROR_TYPES, Error, ErrorAnalysis, MentionRef
from anascore.analysis.explain import AlignedSet, Direction, Explanation, MetricExplanation
from anascore.layers.counts import CountsByScore
from anascore.metrics import LABELS, METRICS
from anascore.model.ratio import Number, Ratio
from anascore.output.data import plain, to_csv, to_json
from anascore.output.grids import SCORE_WIDTH, fraction, percent
from anascore.output.tables import Column, Grid, GridCell, Head, paragraphs_to_text, text_lines
from anascore.results import scores_from_counts
from anascore.version import __version__

MAX_MENTION_LENGTH = 60
"""Maximum number of characters of a mention that text shows."""

MAX_MENTIONS = 4
"""Maximum number of mentions of an entity that text shows."""

UNCHANGED, ALL_CORRECTED = "unchanged", "all corrected"
"""Names of the first and the last row of the table of errors."""


class ErrorReport(NamedTuple):
    """Errors of a response, and the options of their output."""

    system: str
    signature: str
    analysed: ErrorAnalysis
    reported: Collection[str]
    """Names of the scores to report."""

    types: Sequence[str]
    """Types of errors to list."""

    examples: int | None
    """Maximum number of errors of a type that text lists; None for all."""

    warnings: Sequence[str]
    """Changes to the documents before the comparison that can change a score."""


def render_errors(report: ErrorReport) -> str:
    """Render counts of errors, the scores after correction of each type, and examples as text."""
    lines = text_lines(_error_grid(report))
    for name in report.types:
        if errors := report.analysed.errors[name]:
            examples = errors[: report.examples]
            more = len(errors) - len(examples)
            lines += ["", f"{ERROR_TYPES[name].label}: {len(errors)}"]
            lines += [f"  {_error_line(error)}" for error in examples]
            lines += [f"  and {more} more; --examples all shows them"] if more else []
    if report.warnings:
        lines += ["", *(f"warning: {warning}" for warning in report.warnings)]
    return paragraphs_to_text([lines, [report.signature]])


def _error_grid(report: ErrorReport) -> Grid:
    """Return a table with the number of errors and the F1 after correction of each type."""
    analysed = report.analysed
    rows = [
        (UNCHANGED, sum(map(len, analysed.errors.values())), analysed.as_it_is),
        *(
            (error_type.label, len(analysed.errors[name]), analysed.corrected[name])
            for name, error_type in ERROR_TYPES.items()
        ),
        (ALL_CORRECTED, 0, analysed.all_corrected),
    ]
    scores = [scores_from_counts(counts, report.reported) for _, _, counts in rows]
    columns = [Column("errors", 8), *(Column(LABELS[name], SCORE_WIDTH) for name in scores[0])]
    cells = [
        [GridCell(str(number)), *(GridCell(percent(score.f1)) for score in row.values())]
        for (_, number, _), row in zip(rows, scores, strict=True)
    ]
    return Grid(
        f"Errors of {report.system}, and F1 with all errors of one type corrected",
        [Head([column]) for column in columns],
        list(zip((label for label, _, _ in rows), cells, strict=True)),
    )


DESCRIPTIONS = {
    "wrong-span": "{response} instead of {key}",
    "extra-mention": "{response}",
    "extra-entity": "{response}",
    "missing-mention": "{key}",
    "missing-entity": "{key}",
    "conflated-entity": "{response} with {beside}",
    "divided-entity": "{response} apart from {beside}",
    "wrong-anaphor": "{response} instead of {key}",
    "wrong-element": "{anaphor}: {response} instead of {key}",
    "missing-element": "{anaphor}: without {key}",
    "extra-element": "{anaphor}: with {response}",
    "spurious-set": "{anaphor}: {{{response}}}",
    "set-as-entity": "{anaphor}: {{{key}}}, taken for {response}",
    "missed-set": "{anaphor}: {{{key}}}",
}
"""Templates of the description of an error, by type."""


def _error_line(error: Error) -> str:
    """Return the place and the description of an error."""
    line = "" if error.at.line is None else f" (line {error.at.line} of the {error.at.side})"
    return f"{error.document} {_words(error.at)}{line}: {description(error)}"


def description(error: Error) -> str:
    """Return the description of an error.

    Numbers in brackets are the words of mentions that stand elsewhere.
    """
    if error.type == "wrong-span" and error.key[0].place == error.response[0].place:
        return f"{_texts(error.key)} with another head"
    elsewhere = error.anaphor is not None
    return DESCRIPTIONS[error.type].format(
        key=_texts(error.key, places=elsewhere),
        response=_texts(error.response, places=elsewhere),
        beside=error.beside and _quoted(error.beside, place=True),
        anaphor=error.anaphor and _quoted(error.anaphor),
    )


def _texts(mentions: Sequence[MentionRef], *, places: bool = False) -> str:
    shown = [_quoted(mention, place=places) for mention in mentions[:MAX_MENTIONS]]
    more = len(mentions) - len(shown)
    return ", ".join([*shown, *([f"{more} more"] if more else [])])


def _quoted(mention: MentionRef, *, place: bool = False) -> str:
    text = " ".join(mention.text.split())
    if len(text) > MAX_MENTION_LENGTH:
        text = f"{text[: MAX_MENTION_LENGTH // 2]} … {text[-MAX_MENTION_LENGTH // 2 :]}"
    return f"“{text}”{f' ({_words(mention)})' if place else ''}"


def errors_to_json(report: ErrorReport) -> str:
    """Return counts, scores as fractions of 1, and all errors of the chosen types as JSON."""
    analysed = report.analysed
    content = {
        "anascore": __version__,
        "signature": report.signature,
        "system": report.system,
        "scores": _plain_scores(analysed.as_it_is, report),
        "types": {
            name: {
                "errors": len(analysed.errors[name]),
                "corrected": _plain_scores(analysed.corrected[name], report),
            }
            for name in ERROR_TYPES
        },
        "all_corrected": _plain_scores(analysed.all_corrected, report),
        "errors": [_error(error) for name in report.types for error in analysed.errors[name]],
        "warnings": list(report.warnings),
    }
    return to_json(content)


def _plain_scores(counts: CountsByScore, report: ErrorReport) -> dict[str, Any]:
    return plain(scores_from_counts(counts, report.reported))


def _error(error: Error) -> dict[str, Any]:
    return {
        **error._asdict(),
        "at": error.at._asdict(),
        "key": [mention._asdict() for mention in error.key],
        "response": [mention._asdict() for mention in error.response],
        "beside": error.beside and error.beside._asdict(),
        "anaphor": error.anaphor and error.anaphor._asdict(),
    }


ERROR_CSV_COLUMNS = (
    *("type", "document", "words", "line", "key_entity", "response_entity"),
    *("key", "key_words", "key_line", "response", "response_words", "response_line"),
    *("beside", "anaphor", "signature"),
)


def errors_to_csv(report: ErrorReport) -> str:
    """Return one line of CSV per error; " | " separates the mentions of an entity."""
    rows = (
        (
            error.type,
            error.document,
            _words(error.at),
            error.at.line,
            error.key_entity,
            error.response_entity,
            *_columns(error.key),
            *_columns(error.response),
            error.beside and error.beside.text,
            error.anaphor and error.anaphor.text,
            report.signature,
        )
        for name in report.types
        for error in report.analysed.errors[name]
    )
    return to_csv([ERROR_CSV_COLUMNS, *rows])


def _columns(mentions: Sequence[MentionRef]) -> Iterator[object]:
    """Yield the texts of mentions, their words counted from 1, and the line of the first."""
    yield " | ".join(mention.text for mention in mentions)
    yield " | ".join(_words(mention) for mention in mentions)
    yield mentions[0].line if mentions else None


def _words(mention: MentionRef) -> str:
    spans = [f"{start + 1}-{end}" if end > start + 1 else str(end) for start, end in mention.words]
    return ",".join([*spans, *(f"{before}.{rank}" for before, rank in mention.zeros)])


ERROR_OUTPUTS: dict[str, Callable[[ErrorReport], str]] = {
    "table": render_errors,
    "json": errors_to_json,
    "csv": errors_to_csv,
}
"""Registry of outputs: functions that render errors, by name."""


def render_explanation(
    documents: Sequence[Explanation], signature: str, warnings: Sequence[str]
) -> str:
    """Render the working of each document as text: metric by metric, in the paper's notation."""
    lines: list[str] = []
    for document in documents:
        lines += [f"Document {document.name}", ""]
        for title, entities in (("key", document.key), ("response", document.response)):
            lines += [title, *(f"  {entity}  (id {entity.name})" for entity in entities), ""]
        shared = (f"|{k} ∩ {r}| = {n}" for (k, r), n in document.shared.items())
        lines += ["mentions in common", *(f"  {text}" for text in shared), ""]
        for metric in document.metrics:
            lines += [*_metric(metric), ""]
    if warnings:
        lines += [*(f"warning: {warning}" for warning in warnings), ""]
    return paragraphs_to_text([[*lines, signature]])


def _metric(metric: MetricExplanation) -> Iterator[str]:
    yield METRICS[metric.metric].label
    if metric.sets:
        meaning = "; δ is a penalty" if METRICS[metric.metric].penalty else ""
        yield f"  accommodated sets, aligned by this metric{meaning}"
        yield from (f"    {_set(aligned)}" for aligned in metric.sets)
    for working in metric.rows:
        links = f" of {working.links}" if working.links else ""
        for name, direction in (("recall", working.recall), ("precision", working.precision)):
            yield f"  {name}{links}: {_ratio(direction.ratio)}"
            yield from (f"    {line}" for line in _shares(direction))


def _set(aligned: AlignedSet) -> str:
    best = aligned.next_best
    following = f"; next best {best[0]}, F1 {fraction(best[1])}" if best else ""
    if aligned.response is None:
        delta = " and ".join(f"δ {fraction(d.recall)} of recall" for d in aligned.delta)
        return f"{aligned.key}: no partner, {delta}{following}"
    delta = " and ".join(
        f"δ {fraction(d.recall)} of recall, {fraction(d.precision)} of precision"
        for d in aligned.delta
    )
    return f"{aligned.key} with {aligned.response}: {delta}; F1 {fraction(aligned.f1)}{following}"


def _shares(direction: Direction) -> Iterator[str]:
    for share in direction.shares:
        if share.part is not None:
            partners = f" ({', '.join(share.partners)})" if share.partners else ""
            yield f"{share.entity}: {fraction(share.part)} of {fraction(share.whole)}{partners}"


def _ratio(ratio: Ratio) -> str:
    value = ratio.value
    if value is None:
        return "undefined, 0 of 0"
    division = f"{fraction(ratio.part)} / {fraction(ratio.whole)}"
    return f"{division} = {fraction(value)} = {100 * float(value):.2f}%"


def explanation_to_json(
    documents: Sequence[Explanation], signature: str, warnings: Sequence[str]
) -> str:
    """Return the working of each document as JSON; fractions are strings."""
    content = {
        "signature": signature,
        "documents": [_document(d) for d in documents],
        "warnings": list(warnings),
    }
    return to_json(content)


def _document(document: Explanation) -> dict[str, Any]:
    return {
        "name": document.name,
        "key": [entity._asdict() for entity in document.key],
        "response": [entity._asdict() for entity in document.response],
        "shared": [
            {"key": k, "response": r, "mentions": n} for (k, r), n in document.shared.items()
        ],
        "metrics": {metric.metric: _metric_dict(metric) for metric in document.metrics},
    }


def _metric_dict(metric: MetricExplanation) -> dict[str, Any]:
    return {
        "sets": [
            {
                "key": aligned.key,
                "response": aligned.response,
                "delta": [
                    {"recall": fraction(d.recall), "precision": _string(d.precision)}
                    for d in aligned.delta
                ],
                "score": [
                    {name: fraction(value) for name, value in w._asdict().items()}
                    for w in aligned.credits
                ],
                "f1": fraction(aligned.f1),
                "next_best": aligned.next_best
                and {"response": aligned.next_best[0], "f1": fraction(aligned.next_best[1])},
            }
            for aligned in metric.sets
        ],
        "rows": [
            {
                "links": working.links,
                "recall": _direction(working.recall),
                "precision": _direction(working.precision),
            }
            for working in metric.rows
        ],
    }


def _direction(direction: Direction) -> dict[str, Any]:
    return {
        "part": fraction(direction.ratio.part),
        "whole": fraction(direction.ratio.whole),
        "value": _string(direction.ratio.value),
        "shares": [
            {
                "entity": s.entity,
                "partners": s.partners,
                "part": _string(s.part),
                "whole": _string(s.whole),
            }
            for s in direction.shares
        ],
    }


def _string(number: Number | Fraction | None) -> str | None:
    return None if number is None else fraction(number)
