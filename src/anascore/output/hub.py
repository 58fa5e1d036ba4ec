"""A model's result for the Hugging Face Hub: a file in `.eval_results` of its repository."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from anascore.errors import SettingsError
from anascore.metrics.scores import LABELS, SCORES
from anascore.output.view import report_options, results_of
from anascore.results.result import Result


def render(shown: Result | Sequence[Result], **view: Any) -> str:
    """Write the YAML of one result."""
    results = results_of(shown)
    options = report_options(results[0], **view)
    if len(results) > 1:
        message = f"eval-results describe one model; give one response, not {len(results)}"
        raise SettingsError(message)
    (result,) = results
    name = options.score_of(result)
    if (f1 := result[name].f1) is None:
        message = f"eval-results need a number, but {name} is undefined; choose another --score"
        raise SettingsError(message)
    notes = f"{_full_label(name)} F1, {result.signature}"
    return (
        "- dataset:\n"
        f"    id: {yaml_text(options.dataset_id)}\n"
        f"    task_id: {yaml_text(options.task_id)}\n"
        f"  value: {round(100 * f1, 2)}\n"
        f"  notes: {yaml_text(notes)}\n"
    )


def yaml_text(text: str) -> str:
    """Quote a text for YAML, whose double quotes use the escapes of JSON.

    >>> print(yaml_text("no: 1"))
    "no: 1"
    """
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(c if c.isprintable() else f"\\U{ord(c):08x}" for c in quoted)


def _full_label(name: str) -> str:
    """Label a score, and add its layer if no other layer has this score."""
    layers = SCORES[name].layers
    return f"{layers[0]}: {LABELS[name]}" if len(layers) == 1 else LABELS[name]
