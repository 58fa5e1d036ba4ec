"""Results as comma-separated values, a line for each score."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from anascore.report.view import View
from anascore.results import DocumentResult, LayerResult, Result

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
            documents = layer.documents if view.per_document else {}
            scored: dict[str, LayerResult | DocumentResult] = {"": layer, **documents}
            for document, found in scored.items():
                for row in _rows(found, view):
                    writer.writerow([result.name, document, layer.layer, *row, result.signature])
    return text.getvalue()


def _rows(scored: LayerResult | DocumentResult, view: View) -> Iterator[tuple[object, ...]]:
    scopes = {"split_only": scored.split_only}
    if not view.split_only:
        scopes = {"scores": scored.scores, **scopes}
    if isinstance(scored, LayerResult):
        of_relations = scored.by_relation.items()
        scopes |= {f"split_only relation={value}": scores for value, scores in of_relations}
    if isinstance(scored, LayerResult) and not view.split_only:
        name = scored.class_name
        scopes |= {f"{name}={value}": scores for value, scores in scored.classes.items()}
    for scope, scores in scopes.items():
        for metric, values in scores.items():
            yield scope, metric, *values
