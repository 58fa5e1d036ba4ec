"""Results as one JSON object, documented in docs/json.md."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from anascore.metrics import figures
from anascore.report.view import View
from anascore.results import DocumentResult, Result, Scores
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
    """Return the scores of one system as plain values."""
    system = {
        "name": result.name,
        "signature": result.signature,
        "counts": {"key": asdict(result.total.key), "response": asdict(result.total.response)},
        **_scores(result, view),
    }
    if view.per_document:
        system["documents"] = {
            name: {**_scores(document, view), "warnings": list(document.notes)}
            for name, document in result.documents.items()
        }
    return {**system, "warnings": view.warnings(result)}


def _scores(scored: Result | DocumentResult, view: View) -> dict[str, Any]:
    return {
        "scores": {} if view.split_only else _plain(scored.scores),
        "split_only": _plain(scored.split_only),
    }


def _plain(scores: Scores) -> dict[str, dict[str, float | None]]:
    return {
        name: {figure: getattr(value, figure) for figure in figures(name)}
        for name, value in scores.items()
    }
