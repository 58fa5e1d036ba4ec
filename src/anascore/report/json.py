"""Results as one JSON object, documented in docs/json.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from anascore.division import Scores
from anascore.metrics import figures
from anascore.report.view import View
from anascore.results import DocumentResult, LayerResult, Result
from anascore.version import __version__


def render_json(results: Sequence[Result], view: View) -> str:
    """Write the scores of all systems, as fractions of 1 at full precision."""
    content = {
        "anascore": __version__,
        "signature": results[0].signature,
        "systems": [system_to_dict(result, view) for result in results],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def system_to_dict(result: Result, view: View) -> dict[str, Any]:
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


def _layer(layer: LayerResult, view: View) -> dict[str, Any]:
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
            name: {figure: list(getattr(interval, figure)) for figure in figures(name)}
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


def _scores(scored: LayerResult | DocumentResult, view: View) -> dict[str, Any]:
    return {
        "scores": {} if view.split_only else plain(scored.scores),
        "split_only": plain(scored.split_only),
    }


def plain(scores: Scores) -> dict[str, dict[str, float | None]]:
    """Return scores as plain values."""
    return {
        name: {figure: getattr(value, figure) for figure in figures(name)}
        for name, value in scores.items()
    }
