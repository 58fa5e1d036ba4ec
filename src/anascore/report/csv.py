"""Results as comma-separated values, a line for each score."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from anascore.report.view import View
from anascore.results import DocumentResult, LayerResult, Result, Uncertainty

HEAD = (
    *("system", "document", "layer", "scope", "metric"),
    *("recall", "precision", "f1", "signature"),
)


def render_csv(results: Sequence[Result], view: View) -> str:
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


def _rows(scored: LayerResult | DocumentResult, view: View) -> Iterator[tuple[object, ...]]:
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
