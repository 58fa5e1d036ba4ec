"""Output of results: text, Markdown, LaTeX, JSON, CSV, YAML, and the HTML report.

Takes the `Result` of each system; gives text. Nothing here changes a number.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from importlib import import_module
from typing import Any

from anascore.errors import SettingsError, check_output, did_you_mean
from anascore.metrics import BY_CLASS, score_name
from anascore.results import LayerResult, Result
from anascore.results.uncertainty import warnings_on


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """Selection of the results that are shown. No option changes a number."""

    per_document: bool = False
    """True to show the scores of each document, too."""

    split_only: bool = False
    """True to show the scores of accommodated sets only."""

    macro: bool = False
    """True to show macro-averages, too."""

    sort_by: str = ""
    """Score by whose F1 systems are sorted, highest first, and documents, lowest first (default:
    the order in which they are given)."""

    score: str = ""
    """Score of the tables by class and by document (default: CoNLL, or else B³), and of results
    for the Hugging Face Hub (default: CoNLL, or else the first)."""

    dataset_id: str = ""
    """Dataset on the Hugging Face Hub that was scored, for its results there."""

    task_id: str = ""
    """Task of this dataset."""

    def systems_in_order(self, results: Sequence[Result]) -> list[Result]:
        """Return the systems in the order of output; undefined scores come last."""
        if not self.sort_by:
            return list(results)

        def rank(result: Result) -> tuple[bool, float]:
            f1 = result[self.sort_by].f1
            return f1 is None, -(f1 or 0)

        return sorted(results, key=rank)

    def documents_in_order(self, *layers: LayerResult) -> list[str]:
        """Return the documents in the order of output, by the mean over systems of their scores.

        Those whose scores are undefined come last.
        """
        names = list(layers[0].documents)
        if self.sort_by not in layers[0].scores:
            return names

        def rank(name: str) -> tuple[bool, float]:
            values = (layer.documents[name].scores[self.sort_by].f1 for layer in layers)
            defined = [value for value in values if value is not None]
            return not defined, sum(defined) / len(defined) if defined else 0

        return sorted(names, key=rank)

    def warnings(self, result: Result) -> list[str]:
        """Return the warnings about the scores that are shown, each once."""
        several = len(result.layers) > 1
        warnings = dict.fromkeys(result.notes)
        if result.resampling_signature:
            warnings |= dict.fromkeys(warnings_on(len(result.first.counted)))
        for name, layer in result.layers.items():
            messages = self._layer_warnings(layer)
            warnings |= dict.fromkeys(f"{name}: {text}" if several else text for text in messages)
        return list(warnings)

    def _layer_warnings(self, layer: LayerResult) -> Iterator[str]:
        """Yield the warnings about the scores of a layer."""
        if not self.split_only:
            yield from layer.score_warnings
        yield from layer.split_only_warnings
        if self.per_document and not self.split_only:
            yield from layer.document_warnings


ALL_SYSTEMS = "all systems"
"""Stands for the names of systems in a warning that concerns all of several."""


def joint_warnings(results: Sequence[Result], options: ReportOptions) -> list[str]:
    """Return the warnings of all systems, each once, after the names of its systems."""
    return group_warnings([(result.name, options.warnings(result)) for result in results])


def group_warnings(systems: Sequence[tuple[str, Iterable[str]]]) -> list[str]:
    """Return the warnings of systems, each once, after the names of its systems."""
    concerned: dict[str, list[str]] = {}
    for system, warnings in systems:
        for warning in warnings:
            concerned.setdefault(warning, []).append(system)
    return [
        f"{ALL_SYSTEMS if 1 < len(systems) == len(names) else ', '.join(names)}: {warning}"
        for warning, names in concerned.items()
    ]


def report_options(reported: Iterable[str], **view: Any) -> ReportOptions:
    """Return the options of a view; raise SettingsError if one is unknown or not reported."""
    valid = [field.name for field in fields(ReportOptions)]
    for name in view:
        if name not in valid:
            hint = did_you_mean(name, valid)
            message = f"no such option of output: {name}{hint}; choose from {', '.join(valid)}"
            raise SettingsError(message)
    options, scores = ReportOptions(**view), list(reported)
    # Documents have the reported scores, and classes have some more.
    shown = scores if options.per_document else dict.fromkeys((*scores, *BY_CLASS))
    return replace(
        options,
        sort_by=options.sort_by and reported_score(options.sort_by, scores, "--sort-by"),
        score=options.score and reported_score(options.score, shown, "--score"),
    )


def check_hub_ids(output: str, options: ReportOptions) -> None:
    """Raise SettingsError if results for the Hugging Face Hub lack an id, or others have one."""
    ids = {"dataset_id": options.dataset_id, "task_id": options.task_id}
    if output != "eval-results":
        for name in (name for name, value in ids.items() if value):
            option = f"--{name.replace('_', '-')} (in Python {name})"
            message = (
                f"{option} applies only to the output eval-results; choose it, or remove the option"
            )
            raise SettingsError(message)
    elif missing := [name for name, value in ids.items() if not value]:
        names = " and ".join(f"--{name.replace('_', '-')}" for name in missing)
        message = (
            f"the output eval-results needs {names} (in Python {' and '.join(missing)}), as the "
            f"Hugging Face Hub has {'it' if len(missing) == 1 else 'them'}"
        )
        raise SettingsError(message)
    elif options.split_only:
        message = (
            "the output eval-results has one score of all mentions, which --split-only leaves out; "
            "remove --split-only"
        )
        raise SettingsError(message)
    if options.dataset_id and not re.fullmatch(r"[\w.-]+(?:/[\w.-]+)?", options.dataset_id):
        message = (
            f"--dataset-id {options.dataset_id}: this is not the id of a dataset on the Hugging "
            f"Face Hub, like organisation/name"
        )
        raise SettingsError(message)


def reported_score(text: str, reported: Iterable[str], option: str) -> str:
    """Return the name of a score that a user wrote; raise SettingsError if it is not reported."""
    name, scores = score_name(text), list(reported)
    if name not in scores:
        hint = did_you_mean(name, scores)
        message = f"{option} {text}: it is not reported{hint}; choose from {', '.join(scores)}"
        raise SettingsError(message)
    return name


def _render(name: str) -> Callable[[Sequence[Result], ReportOptions], str]:
    """Return the function that renders an output; it imports its module when it is called."""

    def render(results: Sequence[Result], options: ReportOptions) -> str:
        module = import_module(f"anascore.output.{OUTPUT_MODULES[name]}")
        text: str = getattr(module, f"render_{name.replace('-', '_')}")(results, options)
        return text

    return render


OUTPUT_MODULES = {
    "table": "grids",
    "markdown": "grids",
    "latex": "grids",
    "json": "data",
    "csv": "data",
    "eval-results": "data",
}
"""Modules of this folder that render each output."""

OUTPUTS = {name: _render(name) for name in OUTPUT_MODULES}
"""Registry of outputs: functions that render results, by name."""


def render(results: Sequence[Result], output: str = "table", **view: Any) -> str:
    """Return results as text in the named output; the view is made of ReportOptions."""
    check_output(output, OUTPUTS)
    if not results:
        message = "there are no results to show"
        raise SettingsError(message)
    options = report_options(results[0], **view)
    check_hub_ids(output, options)
    return OUTPUTS[output](results, options)
