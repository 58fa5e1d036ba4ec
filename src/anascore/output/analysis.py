"""Errors and explanations as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from anascore.analysis.errors import ERROR_TYPES, Error, ErrorAnalysis, MentionRef
from anascore.analysis.explain import AlignedSet, Direction, Explanation, MetricExplanation
from anascore.metrics import LABELS, METRICS
from anascore.model.ratio import Number, Ratio
from anascore.output.data import plain
from anascore.output.grids import percent
from anascore.results import scores_from_counts
from anascore.version import __version__

NAME, NUMBER = 24, 7
"""The widths of columns: what a row is called, and a number with the blank before it."""

LONGEST = 60
"""How many characters of a mention are shown in the table."""


AS_IT_IS, ALL = "as it is", "all corrected"


class ErrorReport(NamedTuple):
    """The errors of a response, and what of them is shown."""

    system: str
    signature: str
    analysed: ErrorAnalysis
    reported: Collection[str]
    """The names of the scores."""

    types: Sequence[str]
    """The types of errors that are listed."""

    examples: int | None
    """How many errors of a type the table lists; None for all."""

    warnings: Sequence[str]
    """What was done to the documents before they were compared, and can change a score."""


def render_errors(report: ErrorReport) -> str:
    """Show how many errors there are, the scores without those of each type, and examples."""
    analysed = report.analysed
    scores = {
        name: scores_from_counts(rows, report.reported) for name, rows in _rows(analysed).items()
    }
    names = list(scores[AS_IT_IS])
    labels = "".join(f"{LABELS[name]:>{NUMBER}}" for name in names)
    lines = [
        f"Errors of {report.system}, and F1 with all errors of one type corrected",
        f"{'':{NAME}}{'errors':>{NUMBER}}{labels}",
    ]
    total = sum(map(len, analysed.errors.values()))
    counts = {AS_IT_IS: total, **{n: len(of) for n, of in analysed.errors.items()}, ALL: 0}
    for name, values in scores.items():
        label = ERROR_TYPES[name].label if name in ERROR_TYPES else name
        numbers = "".join(f"{percent(values[metric].f1):>{NUMBER}}" for metric in names)
        lines.append(f"{label:{NAME}}{counts[name]:>{NUMBER}}{numbers}")
    for name in report.types:
        if found := analysed.errors[name]:
            lines += ["", f"{ERROR_TYPES[name].label}: {len(found)}"]
            shown = found[: report.examples]
            lines += [f"  {_error_line(error)}" for error in shown]
            if len(shown) < len(found):
                lines.append(f"  and {len(found) - len(shown)} more; --examples all shows them")
    lines += (
        ["", *(f"warning: {warning}" for warning in report.warnings)] if report.warnings else []
    )
    return "\n".join([*lines, "", report.signature]) + "\n"


def _rows(analysed: ErrorAnalysis) -> dict[str, Any]:
    return {AS_IT_IS: analysed.as_it_is, **analysed.corrected, ALL: analysed.all_corrected}


WHAT = {
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
"""What is wrong, in words, by type of error."""


def _error_line(error: Error) -> str:
    """Say where to look, and what is wrong there."""
    line = "" if error.at.line is None else f" (line {error.at.line} of the {error.at.side})"
    return f"{error.document} {_words(error.at)}{line}: {description(error)}"


def description(error: Error) -> str:
    """Say what is wrong, in words; numbers in brackets are the words of what is elsewhere."""
    if error.type == "wrong-span" and error.key[0].place == error.response[0].place:
        return f"{_texts(error.key)} with another head"
    elsewhere = error.anaphor is not None
    return WHAT[error.type].format(
        key=_texts(error.key, places=elsewhere),
        response=_texts(error.response, places=elsewhere),
        beside=error.beside and _quoted(error.beside, place=True),
        anaphor=error.anaphor and _quoted(error.anaphor),
    )


MOST_LISTED = 4
"""How many mentions of an entity the table shows."""


def _texts(mentions: Sequence[MentionRef], *, places: bool = False) -> str:
    shown = [_quoted(mention, place=places) for mention in mentions[:MOST_LISTED]]
    more = len(mentions) - len(shown)
    return ", ".join([*shown, *([f"{more} more"] if more else [])])


def _quoted(mention: MentionRef, *, place: bool = False) -> str:
    text = " ".join(mention.text.split())
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]} … {text[-LONGEST // 2 :]}"
    return f"“{text}”{f' ({_words(mention)})' if place else ''}"


def errors_to_json(report: ErrorReport) -> str:
    """Write counts, scores as fractions of 1, and all errors of the types that were asked for."""
    analysed = report.analysed
    content = {
        "anascore": __version__,
        "signature": report.signature,
        "system": report.system,
        "scores": _plain(analysed.as_it_is, report),
        "types": {
            name: {
                "errors": len(analysed.errors[name]),
                "corrected": _plain(analysed.corrected[name], report),
            }
            for name in ERROR_TYPES
        },
        "all_corrected": _plain(analysed.all_corrected, report),
        "errors": [_error(error) for name in report.types for error in analysed.errors[name]],
        "warnings": list(report.warnings),
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _plain(rows: Any, report: ErrorReport) -> dict[str, Any]:
    return plain(scores_from_counts(rows, report.reported))


def _error(error: Error) -> dict[str, Any]:
    return {
        **error._asdict(),
        "at": error.at._asdict(),
        "key": [mention._asdict() for mention in error.key],
        "response": [mention._asdict() for mention in error.response],
        "beside": error.beside and error.beside._asdict(),
        "anaphor": error.anaphor and error.anaphor._asdict(),
    }


HEAD = (
    *("type", "document", "words", "line", "key_entity", "response_entity"),
    *("key", "key_words", "key_line", "response", "response_words", "response_line"),
    *("beside", "anaphor", "signature"),
)


def errors_to_csv(report: ErrorReport) -> str:
    """Write a line for each error; mentions of one entity are divided by " | "."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    for name in report.types:
        for error in report.analysed.errors[name]:
            writer.writerow(
                [
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
                ]
            )
    return text.getvalue()


def _columns(mentions: Sequence[MentionRef]) -> Iterator[object]:
    """Give texts, the words they cover from 1 up, and the line of the first."""
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
"""The kinds of output by name."""


FIGURES = ("recall", "precision")


def render_explanation(
    documents: Sequence[Explanation], signature: str, warnings: Sequence[str]
) -> str:
    """Write the working of each document, metric by metric, in the notation of the paper."""
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
    return "\n".join([*lines, signature]) + "\n"


def _metric(metric: MetricExplanation) -> Iterator[str]:
    yield METRICS[metric.metric].label
    if metric.sets:
        meaning = "; δ is a penalty" if METRICS[metric.metric].penalty else ""
        yield f"  accommodated sets, aligned by this metric{meaning}"
        yield from (f"    {_set(aligned)}" for aligned in metric.sets)
    for working in metric.rows:
        of = f" of {working.links}" if working.links else ""
        for figure, direction in zip(FIGURES, (working.recall, working.precision), strict=True):
            yield f"  {figure}{of}: {_ratio(direction.ratio)}"
            yield from (f"    {line}" for line in _shares(direction))


def _set(aligned: AlignedSet) -> str:
    best = aligned.next_best
    following = f"; next best {best[0]}, F1 {best[1]}" if best else ""
    if aligned.response is None:
        delta = " and ".join(f"δ {d.recall} of recall" for d in aligned.delta)
        return f"{aligned.key}: no partner, {delta}{following}"
    delta = " and ".join(
        f"δ {d.recall} of recall, {d.precision} of precision" for d in aligned.delta
    )
    return f"{aligned.key} with {aligned.response}: {delta}; F1 {aligned.f1}{following}"


def _shares(direction: Direction) -> Iterator[str]:
    for share in direction.shares:
        if share.part is not None:
            partners = f" ({', '.join(share.partners)})" if share.partners else ""
            yield f"{share.entity}: {share.part} of {share.whole}{partners}"


def _ratio(ratio: Ratio) -> str:
    value = ratio.value
    if value is None:
        return "undefined, 0 of 0"
    return f"{ratio.part} / {ratio.whole} = {value} = {100 * float(value):.2f}%"


def explanation_to_json(
    documents: Sequence[Explanation], signature: str, warnings: Sequence[str]
) -> str:
    """Write the same as one JSON object; fractions are text."""
    content = {
        "signature": signature,
        "documents": [_document(d) for d in documents],
        "warnings": list(warnings),
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


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
                    {"recall": str(d.recall), "precision": _text(d.precision)}
                    for d in aligned.delta
                ],
                "score": [
                    {"recall": str(w.recall), "precision": str(w.precision), "f1": str(w.f1)}
                    for w in aligned.credits
                ],
                "f1": str(aligned.f1),
                "next_best": aligned.next_best
                and {"response": aligned.next_best[0], "f1": str(aligned.next_best[1])},
            }
            for aligned in metric.sets
        ],
        "rows": [
            {
                "links": working.links,
                **{
                    figure: _direction(direction)
                    for figure, direction in zip(
                        FIGURES, (working.recall, working.precision), strict=True
                    )
                },
            }
            for working in metric.rows
        ],
    }


def _direction(direction: Direction) -> dict[str, Any]:
    return {
        "part": str(direction.ratio.part),
        "whole": str(direction.ratio.whole),
        "value": _text(direction.ratio.value),
        "shares": [
            {
                "entity": s.entity,
                "partners": s.partners,
                "part": _text(s.part),
                "whole": _text(s.whole),
            }
            for s in direction.shares
        ],
    }


def _text(number: Number | Fraction | None) -> str | None:
    return None if number is None else str(number)
