"""Results as JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import Any

from anascore.metrics import values_of
from anascore.output import ReportOptions
from anascore.results import DocumentResult, LayerResult, Result, Scores, Uncertainty
from anascore.version import __version__


def render_json(results: Sequence[Result], view: ReportOptions) -> str:
    """Write the scores of all systems, as fractions of 1 at full precision."""
    content = {
        "anascore": __version__,
        "signature": results[0].signature,
        "systems": [system_to_dict(result, view) for result in results],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def system_to_dict(result: Result, view: ReportOptions) -> dict[str, Any]:
    """Return the scores of one system as plain values: the first layer, then the others."""
    first, *others = result.layers.values()
    system = {
        "name": result.name,
        "signature": result.signature,
        "layer": first.layer,
        **_layer(first, view),
    }
    if others:
        system["layers"] = {layer.layer: _layer(layer, view) for layer in others}
    return {**system, "warnings": view.warnings(result)}


def _layer(layer: LayerResult, view: ReportOptions) -> dict[str, Any]:
    """Return what is reported of a layer."""
    content: dict[str, Any] = {
        "counts": {"key": layer.total.key, "response": layer.total.response},
        "matching": layer.total.matching,
        **_scores(layer, view),
    }
    if view.macro:
        content["macro"] = plain(layer.macro)
    if layer.uncertainty.intervals:
        content["confidence"] = {
            name: {figure: list(getattr(interval, figure)) for figure in values_of(name)}
            for name, interval in layer.uncertainty.intervals.items()
        }
    if layer.uncertainty.differences:
        content["difference_to_first"] = {
            name: difference._asdict() for name, difference in layer.uncertainty.differences.items()
        }
    if layer.by_relation:
        by_relation = {name: plain(scores) for name, scores in layer.by_relation.items()}
        content["split_only_by_relation"] = by_relation
    if layer.classes:
        by_class = {name: plain(scores) for name, scores in layer.classes.items()}
        content[f"by_{layer.class_name}"] = by_class
    if layer.breakdown:
        content["breakdown"] = {
            asked: {
                name: {
                    "mentions": {"key": found.key, "response": found.response},
                    "scores": plain(found.scores),
                }
                for name, found in classes.items()
            }
            for asked, classes in layer.breakdown.items()
        }
    if view.per_document:
        content["documents"] = {
            name: {**_scores(document, view), "warnings": list(document.notes)}
            for name, document in view.in_order(layer)
        }
    return content


def _scores(scored: LayerResult | DocumentResult, view: ReportOptions) -> dict[str, Any]:
    return {
        "scores": {} if view.split_only else plain(scored.scores),
        "split_only": plain(scored.split_only),
    }


def plain(scores: Scores) -> dict[str, dict[str, float | None]]:
    """Return scores as plain values."""
    return {
        name: {figure: getattr(value, figure) for figure in values_of(name)}
        for name, value in scores.items()
    }


HEAD = (
    *("system", "document", "layer", "scope", "metric"),
    *("recall", "precision", "f1", "signature"),
)


def render_csv(results: Sequence[Result], view: ReportOptions) -> str:
    """Write fractions of 1 at full precision, and nothing where a value is undefined.

    In the lines for all documents together the document is empty. The scope is what JSON calls
    scores or split_only, or a class, as in relation=part.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(HEAD)
    for result in results:
        for layer in result.layers.values():
            documents = dict(view.in_order(layer)) if view.per_document else {}
            scored: dict[str, LayerResult | DocumentResult] = {"": layer, **documents}
            for document, found in scored.items():
                for row in _rows(found, view):
                    writer.writerow([result.name, document, layer.layer, *row, result.signature])
            for row in _uncertainty_rows(layer.uncertainty):
                writer.writerow([result.name, "", layer.layer, *row, result.signature])
    return text.getvalue()


def _uncertainty_rows(uncertainty: Uncertainty) -> Iterator[tuple[object, ...]]:
    """Give the ends of intervals; and of differences to the first system, which are of F1 only."""
    for metric, intervals in uncertainty.intervals.items():
        yield "confidence low", metric, *(interval.low for interval in intervals)
        yield "confidence high", metric, *(interval.high for interval in intervals)
    for metric, found in uncertainty.differences.items():
        yield "difference to first", metric, None, None, found.difference
        yield "p", metric, None, None, found.p
        yield "p corrected", metric, None, None, found.corrected


def _rows(
    scored: LayerResult | DocumentResult, view: ReportOptions
) -> Iterator[tuple[object, ...]]:
    scopes = {"split_only": scored.split_only}
    if not view.split_only:
        scopes = {"scores": scored.scores, **scopes}
    if isinstance(scored, LayerResult):
        of_relations = scored.by_relation.items()
        scopes |= {f"split_only relation={value}": scores for value, scores in of_relations}
    if isinstance(scored, LayerResult) and view.macro:
        scopes["macro"] = scored.macro
    if isinstance(scored, LayerResult) and not view.split_only:
        name = scored.class_name
        scopes |= {f"{name}={value}": scores for value, scores in scored.classes.items()}
        for asked, classes in scored.breakdown.items():
            by = asked.partition("=")[0]
            scopes |= {f"{by}={value}": found.scores for value, found in classes.items()}
    for scope, scores in scopes.items():
        for metric, values in scores.items():
            yield scope, metric, *values
