"""The view of results: what is shown, in which order, and with which warnings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, fields, replace
from typing import Any, TypeVar

from anascore.arguments import check_argument
from anascore.errors import SettingsError, did_you_mean
from anascore.metrics.scores import BY_CLASS, score_name
from anascore.results.result import LayerResult, Result
from anascore.results.uncertainty import warnings_on

T = TypeVar("T")


def _option(default: T, text: str, metavar: str | None = None) -> T:
    """Declare a field of ReportOptions, with its option's help text."""
    option: T = field(default=default, metadata={"help": text, "metavar": metavar})
    return option


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportOptions:
    """Selection of the results to show. No option changes a number."""

    split_only: bool = _option(
        default=False, text="report only the scores of split antecedents (accommodated sets)"
    )
    per_document: bool = _option(
        default=False, text="also report one score for each document; csv and json have all scores"
    )
    score: str = _option(
        "",
        "score shown in the tables by class and by document (default: conll, or b3 where there is "
        "no conll), by --score-only and by eval-results (default: conll, or the first score)",
        "NAME",
    )
    sort_by: str = _option(
        "",
        "sort by the F1 of this score: systems best first, documents worst first",
        "NAME",
    )
    macro: bool = _option(
        default=False,
        text="also report macro-averages over documents (the default is the micro-average)",
    )
    dataset_id: str = _option(
        "", "id of the scored dataset on the Hugging Face Hub, for eval-results", "ID"
    )
    task_id: str = _option("", "id of the task of this dataset, for eval-results", "ID")

    def score_of(self, result: Result) -> str:
        """Choose the score for an output with room for only one."""
        return self.score or ("conll" if "conll" in result else next(iter(result)))

    def systems_in_order(self, results: Sequence[Result]) -> list[Result]:
        """Sort the systems if the user asks for an order; undefined scores come last."""
        if not self.sort_by:
            return list(results)

        def rank(result: Result) -> tuple[bool, float]:
            f1 = result[self.sort_by].f1
            return f1 is None, -(f1 or 0)

        return sorted(results, key=rank)

    def documents_in_order(self, *layers: LayerResult) -> list[str]:
        """Sort the documents by their mean score over systems, if the user asks for an order.

        Documents whose scores are undefined come last.
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
        """List the warnings about the scores that are shown, each once."""
        several = len(result.layers) > 1
        warnings = dict.fromkeys(result.notes)
        if result.resampling_signature:
            warnings |= dict.fromkeys(warnings_on(len(result.first.counted)))
        for name, layer in result.layers.items():
            messages = self._layer_warnings(layer)
            warnings |= dict.fromkeys(f"{name}: {text}" if several else text for text in messages)
        return list(warnings)

    def _layer_warnings(self, layer: LayerResult) -> Iterator[str]:
        if not self.split_only:
            yield from layer.score_warnings
        yield from layer.split_only_warnings
        if self.per_document and not self.split_only:
            yield from layer.document_warnings


ALL_SYSTEMS = "all systems"
"""Replaces the system names in a warning that concerns all of several systems."""


def joint_warnings(results: Sequence[Result], options: ReportOptions) -> list[str]:
    """List all systems' warnings, each once, after the names of its systems."""
    return group_warnings([(result.name, options.warnings(result)) for result in results])


def group_warnings(systems: Sequence[tuple[str, Iterable[str]]]) -> list[str]:
    """List systems' warnings, each once, after the names of its systems."""
    concerned: dict[str, list[str]] = {}
    for system, warnings in systems:
        for warning in warnings:
            concerned.setdefault(warning, []).append(system)
    return [
        f"{ALL_SYSTEMS if 1 < len(systems) == len(names) else ', '.join(names)}: {warning}"
        for warning, names in concerned.items()
    ]


def report_options(reported: Iterable[str], **view: Any) -> ReportOptions:
    """Make the options of a view; raise SettingsError if one is invalid or not reported."""
    for option in fields(ReportOptions):
        check_argument(option.name, view.get(option.name, option.default), option.type)
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
    """Resolve a score name typed by a user; raise SettingsError if the score is not reported."""
    name, scores = score_name(text), list(reported)
    if name not in scores:
        hint = did_you_mean(name, scores)
        message = f"{option} {text}: it is not reported{hint}; choose from {', '.join(scores)}"
        raise SettingsError(message)
    return name


def results_of(shown: Result | Sequence[Result]) -> Sequence[Result]:
    """Wrap a single result in a list."""
    return [shown] if isinstance(shown, Result) else shown


def check_view(shown: Result | Sequence[Result], output: str, **view: Any) -> None:
    """Raise SettingsError if an output cannot show a view."""
    results = results_of(shown)
    if not results:
        message = "there are no results to show"
        raise SettingsError(message)
    check_hub_ids(output, report_options(results[0], **view))
