"""Scores against several keys: counts of documents combined over keys, and the human ceiling."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from statistics import fmean
from typing import Literal, NamedTuple, TypeAlias

from anascore.errors import SettingsError
from anascore.layers.counts import CountsByScore, DocumentCounts, LayerCounts
from anascore.model.ratio import Components, Number, Ratio, RatioPair, Score, averaged, total
from anascore.results import Result, Scores
from anascore.settings import LayerName

CombinationRule: TypeAlias = Literal["mean", "best"]


@dataclass(frozen=True, slots=True)
class KeyCombination:
    """The rule by which the counts of several keys are combined."""

    rule: CombinationRule
    weights: tuple[Fraction, ...]
    """Weight of each key; they add up to 1. Only the mean has weights."""

    @property
    def signature(self) -> str:
        """The rule and the number of keys; weights, unless they are equal."""
        unequal = len({*self.weights}) > 1
        weights = f"({','.join(map(str, self.weights))})" if unequal else ""
        return f"keys:{self.rule}-{len(self.weights)}{weights}"

    def without(self, key: int) -> KeyCombination:
        """Return the combination of all keys but one."""
        rest = [weight for number, weight in enumerate(self.weights) if number != key]
        return KeyCombination(self.rule, tuple(weight / sum(rest) for weight in rest))


def key_combination(
    rule: CombinationRule, keys: int, weights: Sequence[float] | None = None
) -> KeyCombination:
    """Return a combination of so many keys; raise SettingsError if weights do not fit."""
    if rule not in {"mean", "best"}:
        message = f"combine_keys must be mean or best, not {rule!r}"
        raise SettingsError(message)
    if weights is None:
        return KeyCombination(rule, (Fraction(1, keys),) * keys)
    if rule == "best":
        message = "weights of keys are for the mean over keys; remove them, or combine by mean"
        raise SettingsError(message)
    if len(weights) != keys or not all(weight > 0 for weight in weights):
        message = f"there are {keys} keys: weights must be {keys} positive numbers, not {weights}"
        raise SettingsError(message)
    exact = [Fraction(str(weight)) for weight in weights]
    return KeyCombination(rule, tuple(weight / sum(exact) for weight in exact))


def combine_keys(results: Sequence[Result], combination: KeyCombination) -> Result:
    """Combine the results of one response against several keys.

    The sizes of the key are those of the first key. `Result.by_key` has the result against each.
    A document that some keys lack is combined over the others.
    """
    first = results[0]
    rule = _RULES[combination.rule]
    counted: dict[str, DocumentCounts] = {}
    for name in dict.fromkeys(name for result in results for name in result.counted):
        present = [
            (result.counted[name], weight)
            for result, weight in zip(results, combination.weights, strict=True)
            if name in result.counted
        ]
        documents = [document for document, _ in present]
        whole = sum(weight for _, weight in present)
        weights = [weight / whole for _, weight in present]
        layers = {
            layer: rule([document.layers[layer] for document in documents], weights)
            for layer in documents[0].layers
        }
        counted[name] = replace(documents[0], layers=layers)
    formats = "+".join(
        dict.fromkeys(part for result in results for part in result.formats[0].split("+"))
    )
    return replace(
        first,
        formats=(formats, first.formats[1]),
        counted=counted,
        combination=combination,
        by_key=tuple(results),
    )


def _combine_mean(layers: Sequence[LayerCounts], weights: Sequence[Fraction]) -> LayerCounts:
    """Average the counts of one document over keys."""

    def mean_of(rows: Iterable[CountsByScore]) -> CountsByScore:
        counts = list(rows)
        names = dict.fromkeys(name for row in counts for name in row)
        return {
            name: _weighted(
                [(row[name], w) for row, w in zip(counts, weights, strict=True) if name in row]
            )
            for name in names
        }

    return _combine(layers, mean_of)


def _weighted(parts: Sequence[tuple[Components, Fraction]]) -> Components:
    """Return the weighted sum of counts, component by component."""

    def add(select: Callable[[RatioPair], Number], component: int) -> Number:
        number = total((select(row[component]) * weight, 1) for row, weight in parts)
        return number.numerator if number.denominator == 1 else number

    return tuple(
        RatioPair(
            Ratio(add(lambda p: p.recall.part, n), add(lambda p: p.recall.whole, n)),
            Ratio(add(lambda p: p.precision.part, n), add(lambda p: p.precision.whole, n)),
        )
        for n in range(len(parts[0][0]))
    )


def _combine_best(layers: Sequence[LayerCounts], _: Sequence[Fraction]) -> LayerCounts:
    """Take the counts of each metric from the key against which it is highest."""
    best = {
        name: max(range(len(layers)), key=lambda key: (_rank(layers[key].scores[name]), -key))
        for name in layers[0].scores
    }

    def best_of(rows: Iterable[CountsByScore]) -> CountsByScore:
        counts = list(rows)
        return {name: counts[key][name] for name, key in best.items() if name in counts[key]}

    return _combine(layers, best_of)


def _rank(components: Components) -> tuple[bool, Fraction, Number]:
    """Return the rank of counts: by F1, of which undefined is highest; then by denominators."""
    f1 = averaged(components).f1
    wholes = total((row.recall.whole + row.precision.whole, 1) for row in components)
    return f1 is None, f1 or Fraction(0), wholes


def _combine(
    layers: Sequence[LayerCounts], combine: Callable[[Iterable[CountsByScore]], CountsByScore]
) -> LayerCounts:
    """Combine all counts of a layer; sizes and notes are those of the first key."""

    def by_class(
        classes: Sequence[Mapping[str, CountsByScore]],
    ) -> dict[str, CountsByScore]:
        names = dict.fromkeys(name for of in classes for name in of)
        return {name: combine(of.get(name, {}) for of in classes) for name in names}

    first = layers[0]
    return replace(
        first,
        scores=combine(layer.scores for layer in layers),
        split_only=combine(layer.split_only for layer in layers),
        by_relation=by_class([layer.by_relation for layer in layers]),
        classes=by_class([layer.classes for layer in layers]),
        breakdown={
            name: by_class([layer.breakdown[name] for layer in layers]) for name in first.breakdown
        },
    )


_RULES: dict[
    CombinationRule, Callable[[Sequence[LayerCounts], Sequence[Fraction]], LayerCounts]
] = {"mean": _combine_mean, "best": _combine_best}


class HumanCeiling(NamedTuple):
    """Scores of annotators against each other, and of responses in the same way.

    Each key in turn is scored against all other keys, as a response is, and scores are averaged. A
    response is scored against the same keys, leaving out one at a time.
    """

    human: Mapping[LayerName, Scores]
    systems: Mapping[str, Mapping[LayerName, Scores]]
    """Scores of responses, by name."""


def leave_one_out(
    results: Sequence[Sequence[Result]], combination: KeyCombination
) -> dict[LayerName, Scores]:
    """Average scores over keys that are left out.

    Args:
        results: For each key that is left out, the results against the others.
        combination: The combination of all keys.
    """
    combined = [
        combine_keys(others, combination.without(number)) for number, others in enumerate(results)
    ]
    return {
        layer: {
            name: Score(
                *(
                    _mean(values)
                    for values in zip(
                        *(result.layers[layer].scores[name] for result in combined), strict=True
                    )
                )
            )
            for name in combined[0].layers[layer].scores
        }
        for layer in combined[0].layers
    }


def _mean(values: Iterable[float | None]) -> float | None:
    defined = [value for value in values if value is not None]
    return fmean(defined) if defined else None
