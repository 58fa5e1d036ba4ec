"""The working behind scores, as text and as JSON: fractions as they are."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

from anascore.explanation import AlignedSet, Direction, Explained, MetricExplained
from anascore.metrics import METRICS
from anascore.ratio import Number, Ratio

FIGURES = ("recall", "precision")


def render_explanation(
    documents: Sequence[Explained], signature: str, warnings: Sequence[str]
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


def _metric(metric: MetricExplained) -> Iterator[str]:
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
    documents: Sequence[Explained], signature: str, warnings: Sequence[str]
) -> str:
    """Write the same as one JSON object; fractions are text."""
    content = {
        "signature": signature,
        "documents": [_document(d) for d in documents],
        "warnings": list(warnings),
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _document(document: Explained) -> dict[str, Any]:
    return {
        "name": document.name,
        "key": [entity._asdict() for entity in document.key],
        "response": [entity._asdict() for entity in document.response],
        "shared": [
            {"key": k, "response": r, "mentions": n} for (k, r), n in document.shared.items()
        ],
        "metrics": {metric.metric: _metric_dict(metric) for metric in document.metrics},
    }


def _metric_dict(metric: MetricExplained) -> dict[str, Any]:
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
                    for w in aligned.worth
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
