"""Errors by type as text: for people, as JSON and as comma-separated values."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any, NamedTuple

from anascore.division import divide
from anascore.error_analysis import ERROR_TYPES, Analysed
from anascore.error_analysis.listed import Listed, Located
from anascore.metrics import LABELS
from anascore.report.json import plain
from anascore.report.numbers import percent
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
    analysed: Analysed
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
    scores = {name: divide(rows, report.reported) for name, rows in _rows(analysed).items()}
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


def _rows(analysed: Analysed) -> dict[str, Any]:
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


def _error_line(error: Listed) -> str:
    """Say where to look, and what is wrong there."""
    line = "" if error.at.line is None else f" (line {error.at.line} of the {error.at.side})"
    return f"{error.document} {_words(error.at)}{line}: {description(error)}"


def description(error: Listed) -> str:
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


MOST = 4
"""How many mentions of an entity the table shows."""


def _texts(mentions: Sequence[Located], *, places: bool = False) -> str:
    shown = [_quoted(mention, place=places) for mention in mentions[:MOST]]
    more = len(mentions) - len(shown)
    return ", ".join([*shown, *([f"{more} more"] if more else [])])


def _quoted(mention: Located, *, place: bool = False) -> str:
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
    return plain(divide(rows, report.reported))


def _error(error: Listed) -> dict[str, Any]:
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


def _columns(mentions: Sequence[Located]) -> Iterator[object]:
    """Give texts, the words they cover from 1 up, and the line of the first."""
    yield " | ".join(mention.text for mention in mentions)
    yield " | ".join(_words(mention) for mention in mentions)
    yield mentions[0].line if mentions else None


def _words(mention: Located) -> str:
    spans = [f"{start + 1}-{end}" if end > start + 1 else str(end) for start, end in mention.words]
    return ",".join([*spans, *(f"{before}.{rank}" for before, rank in mention.zeros)])


ERROR_OUTPUTS: dict[str, Callable[[ErrorReport], str]] = {
    "table": render_errors,
    "json": errors_to_json,
    "csv": errors_to_csv,
}
"""The kinds of output by name."""
