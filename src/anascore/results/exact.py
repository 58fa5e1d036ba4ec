"""Results as plain values with exact counts, and results restored from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from fractions import Fraction
from typing import Any, TypeVar, get_args

from anascore.errors import REPAIRS, Repair, RepairKind
from anascore.layers.counts import (
    CountsByScore,
    DocumentCounts,
    LayerCounts,
    SideNotes,
    ZeroCounts,
)
from anascore.model.ratio import Components, Number, Ratio, RatioPair
from anascore.prepare.pairing import SkippedDocument
from anascore.results import Difference, Interval, Intervals, Result, Uncertainty
from anascore.results.combination import CombinationRule, KeyCombination, human_ceiling
from anascore.settings import settings_from
from anascore.tasks import Request

SCHEMA = 1
"""Version of the JSON output. It changes if a program that reads the output has to change."""

LARGEST_INTEGER = 2**53
"""Largest integer that all JSON readers keep exactly."""

_WHOLE = r"-?[0-9]+|-?0x[0-9a-f]+"
_NUMBER = re.compile(rf"({_WHOLE})(?:/({_WHOLE}))?")

T = TypeVar("T")


def exact_to_dict(result: Result) -> dict[str, Any]:
    """Return the settings and counts of a result, from which `restore_result` makes it again."""
    request = result.request
    return {
        "version": result.version,
        "formats": list(result.formats),
        "settings": {
            name: list(value) if isinstance(value, tuple) else value
            for name, value in asdict(request.settings).items()
        },
        "reported": {layer: list(names) for layer, names in request.reported.items()},
        "all_layers": request.all_layers,
        "resampling": result.resampling_signature,
        "documents": _documents(result.counted),
        **({"within": _documents(result.within)} if result.within else {}),
        **(_keys(result, result.combination) if result.combination else {}),
    }


def _keys(result: Result, combination: KeyCombination) -> dict[str, Any]:
    """Return the combination of several keys, and the counts against each."""
    human = result.ceiling.human if result.ceiling else {}
    return {
        "combination": {
            "rule": combination.rule,
            "weights": list(map(number_to_json, combination.weights)),
        },
        "by_key": {name: _counts_against(own) for name, own in result.by_key.items()},
        **({"human": {name: _counts_against(own) for name, own in human.items()}} if human else {}),
    }


def _counts_against(result: Result) -> dict[str, Any]:
    """Return the counts against one of several keys, or of a key against all others."""
    return {
        "formats": list(result.formats),
        "skipped": [document._asdict() for document in result.skipped],
        "documents": _documents(result.counted),
        **({"within": _documents(result.within)} if result.within else {}),
    }


def _documents(counted: Mapping[str, DocumentCounts]) -> dict[str, Any]:
    return {name: _document(counts) for name, counts in counted.items()}


def restore_result(system: Mapping[str, Any], first: str) -> Result:
    """Return the result of a system in the JSON output; `first` is the name of the first system.

    Raise KeyError, TypeError, ValueError or SettingsError if it is not one.
    """
    exact = system["exact"]
    layers = [(system["layer"], system), *system.get("layers", {}).items()]
    key, response = exact["formats"]
    reported = {layer: tuple(names) for layer, names in exact["reported"].items()}
    uncertainty = {layer: _restore_uncertainty(content, first) for layer, content in layers}
    result = Result(
        name=system["name"],
        request=Request(settings_from(exact["settings"]), reported, exact["all_layers"]),
        formats=(key, response),
        counted=_restore_documents(exact["documents"]),
        skipped=tuple(SkippedDocument(**document) for document in system.get("skipped", ())),
        uncertainty=uncertainty if exact["resampling"] else {},
        resampling_signature=exact["resampling"],
        version=exact["version"],
        within=_restore_documents(exact.get("within", {})),
    )
    return _restore_keys(result, exact) if "combination" in exact else result


def _restore_keys(result: Result, exact: Mapping[str, Any]) -> Result:
    """Return a result with the results against each of several keys."""
    weights = map(number_from_json, exact["combination"]["weights"])
    combination = KeyCombination(exact["combination"]["rule"], tuple(map(Fraction, weights)))
    if combination.rule not in get_args(CombinationRule):
        message = f"{combination.rule!r} is not a rule to combine keys"
        raise ValueError(message)
    by_key = {
        name: _restore_counts_against(result, result.name, content)
        for name, content in exact["by_key"].items()
    }
    human = {
        name: replace(
            _restore_counts_against(result, name, content),
            combination=combination.without(number),
        )
        for number, (name, content) in enumerate(exact.get("human", {}).items())
    }
    ceiling = human_ceiling(human, by_key, combination) if human else None
    return replace(result, combination=combination, by_key=by_key, ceiling=ceiling)


def _restore_counts_against(result: Result, name: str, content: Mapping[str, Any]) -> Result:
    key, response = content["formats"]
    return Result(
        name=name,
        request=result.request,
        formats=(key, response),
        counted=_restore_documents(content["documents"]),
        skipped=tuple(SkippedDocument(**document) for document in content["skipped"]),
        version=result.version,
        within=_restore_documents(content.get("within", {})),
    )


def _restore_documents(content: Mapping[str, Any]) -> dict[str, DocumentCounts]:
    return {name: _restore_document(counts) for name, counts in content.items()}


def _document(counts: DocumentCounts) -> dict[str, Any]:
    content: dict[str, Any] = {
        "layers": {name: _layer(layer) for name, layer in counts.layers.items()},
        "zeros": [list(counts.key_zeros), list(counts.response_zeros)],
    }
    if counts.repairs:
        content["repairs"] = list(map(list, counts.repairs))
    return content


def _restore_document(content: Mapping[str, Any]) -> DocumentCounts:
    key, response = (ZeroCounts(*zeros) for zeros in content["zeros"])
    layers = {name: _restore_layer(layer) for name, layer in content["layers"].items()}
    repairs = (_restore_repair(*repair) for repair in content.get("repairs", ()))
    return DocumentCounts(layers, key, response, tuple(repairs))


def _restore_repair(kind: RepairKind, path: str, line: int | None, what: str) -> Repair:
    if kind not in REPAIRS:
        message = f"{kind!r} is not a kind of repair"
        raise ValueError(message)
    return Repair(kind, path, line, what)


def _layer(counts: LayerCounts) -> dict[str, Any]:
    """Return the counts of a layer; what is empty is left out."""
    content = {
        "key": counts.key,
        "response": counts.response,
        "matching": counts.matching,
        "scores": counts_to_lists(counts.scores),
        "split_only": counts_to_lists(counts.split_only),
        "by_relation": _by_name(counts.by_relation, counts_to_lists),
        "classes": _by_name(counts.classes, counts_to_lists),
        "breakdown": {by: _by_name(of, counts_to_lists) for by, of in counts.breakdown.items()},
        "notes": list(map(dict, counts.notes)) if any(counts.notes) else [],
    }
    return {name: value for name, value in content.items() if value}


def _restore_layer(content: Mapping[str, Any]) -> LayerCounts:
    return LayerCounts(
        key=content.get("key", {}),
        response=content.get("response", {}),
        matching=content.get("matching", {}),
        scores=counts_from_lists(content.get("scores", {})),
        split_only=counts_from_lists(content.get("split_only", {})),
        by_relation=_by_name(content.get("by_relation", {}), counts_from_lists),
        classes=_by_name(content.get("classes", {}), counts_from_lists),
        breakdown={
            by: _by_name(of, counts_from_lists) for by, of in content.get("breakdown", {}).items()
        },
        notes=SideNotes(*content.get("notes", ({}, {}))),
    )


def _by_name(values: Mapping[str, Any], change: Callable[[Any], T]) -> dict[str, T]:
    return {name: change(values[name]) for name in sorted(values)}


def counts_to_lists(counts: CountsByScore) -> dict[str, list[list[int | str]]]:
    """Return counts by score: for each component, part and whole of recall and of precision."""
    return {
        name: [
            [
                number_to_json(number)
                for ratio in (row.recall, row.precision)
                for number in (ratio.part, ratio.whole)
            ]
            for row in rows
        ]
        for name, rows in counts.items()
    }


def counts_from_lists(content: Mapping[str, Sequence[Sequence[object]]]) -> dict[str, Components]:
    """Return the counts that `counts_to_lists` wrote; raise ValueError if they are none."""
    return {
        name: tuple(
            RatioPair(Ratio(a, b), Ratio(c, d))
            for a, b, c, d in (map(number_from_json, row) for row in rows)
        )
        for name, rows in content.items()
    }


def number_to_json(number: Number) -> int | str:
    """Return a number as JSON keeps it exactly: an integer, or text if it is large or a fraction.

    >>> number_to_json(13), number_to_json(Fraction(13, 2)), number_to_json(2**60)
    (13, '13/2', '0x1000000000000000')
    """
    # Python refuses to print numbers of thousands of digits in decimal.
    parts = [
        part if abs(part) <= LARGEST_INTEGER else f"{part:#x}"
        for part in (number.numerator, number.denominator)
    ]
    return parts[0] if number.denominator == 1 else f"{parts[0]}/{parts[1]}"


def number_from_json(value: object) -> Number:
    """Return the number of a value of JSON; a rounded one, which ≈ marks, as it is.

    Raise ValueError or an ArithmeticError if it is no number.

    >>> number_from_json(7), number_from_json("13/2"), number_from_json("≈0.25")
    (7, Fraction(13, 2), Fraction(1, 4))
    """
    if type(value) is int:
        return value
    text = value if isinstance(value, str) else ""
    if text.startswith("≈"):
        return Fraction(float(text[1:]))
    match = _NUMBER.fullmatch(text)
    if match is None:
        message = f"{value!r} is not a number"
        raise ValueError(message)
    above, below = match.groups()
    return _whole(above) if below is None else Fraction(_whole(above), _whole(below))


def _whole(text: str) -> int:
    return int(text, 16 if "x" in text else 10)


def restore_intervals(content: Mapping[str, Any]) -> dict[str, Intervals]:
    """Return confidence intervals by name of score, of which those of means have F1 only."""
    return {
        name: Intervals(*(Interval(*ends.get(part, (None, None))) for part in Intervals._fields))
        for name, ends in content.items()
    }


def _restore_uncertainty(content: Mapping[str, Any], first: str) -> Uncertainty:
    intervals = restore_intervals(content.get("confidence", {}))
    differences = {
        name: Difference(**difference)
        for name, difference in content.get("difference_to_first", {}).items()
    }
    return Uncertainty(intervals, differences, first)
