"""Scores against several keys: combining each document's counts over keys; the human ceiling."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from numbers import Real
from typing import Any, Literal, NamedTuple, TypeAlias

from anascore.arguments import list_of
from anascore.errors import (
    MAX_SEED,
    MismatchError,
    SettingsError,
    shown,
)
from anascore.layers.counts import CountsByScore, DocumentCounts, LayerCounts, add_rows
from anascore.model.ratio import (
    EMPTY_RATIO,
    Components,
    Number,
    Ratio,
    RatioPair,
    averaged,
    total,
)
from anascore.results.result import Result, add_results

CombinationRule: TypeAlias = Literal["mean", "best"]


@dataclass(frozen=True, slots=True)
class KeyCombination:
    """How the counts of several keys are combined."""

    rule: CombinationRule
    weights: tuple[Fraction, ...]
    """Each key's weight; they add up to 1. Only the mean uses weights."""

    @property
    def signature(self) -> str:
        """The rule and the number of keys; weights, unless they are equal."""
        unequal = len({*self.weights}) > 1
        weights = f"({','.join(map(str, self.weights))})" if unequal else ""
        return f"keys:{self.rule}-{len(self.weights)}{weights}"

    def without(self, key: int) -> KeyCombination:
        """Leave out one key."""
        rest = [weight for number, weight in enumerate(self.weights) if number != key]
        return KeyCombination(self.rule, tuple(weight / sum(rest) for weight in rest))


def key_combination(
    rule: CombinationRule, keys: int, weights: Sequence[float | Fraction] | None = None
) -> KeyCombination:
    """Make a combination for `keys` keys; raise SettingsError if weights are invalid."""
    if weights is None:
        return KeyCombination(rule, (Fraction(1, keys),) * keys)
    if rule == "best":
        message = (
            "--key-weights (in Python key_weights) apply only to the mean over keys; remove them, "
            "or combine keys by mean"
        )
        raise SettingsError(message)
    name = "--key-weights (in Python key_weights)"
    expected = f"{keys} positive numbers, one for each key"
    listed = [weights] if isinstance(weights, str) else list_of(name, weights, expected)
    exact = [weight for value in listed if (weight := _weight(value))]
    if not len(exact) == len(listed) == keys:
        message = f"{name} must be {expected}, not {', '.join(map(shown, listed))}"
        raise SettingsError(message)
    return KeyCombination(rule, tuple(weight / sum(exact) for weight in exact))


def _weight(value: Any) -> Fraction | None:
    """Convert a weight exactly; None unless it is a positive number that can be printed."""
    is_number = isinstance(value, Real)
    if not (is_number and 0 < value < MAX_SEED):
        return None
    try:
        return Fraction(str(value))
    except ValueError:
        return None


def combine_keys(by_key: Mapping[str, Result], combination: KeyCombination) -> Result:
    """Combine a response's results against several keys, given by key name.

    A document that some keys lack is combined over the other keys. Sizes are the first key's.
    """
    results = list(by_key.values())
    first = results[0]
    formats = [part for result in results for part in result.formats[0]]
    return replace(
        first,
        formats=(tuple(dict.fromkeys(formats)), first.formats[1]),
        counted=_combine_documents([result.counted for result in results], combination),
        skipped=tuple(dict.fromkeys(skipped for result in results for skipped in result.skipped)),
        within=_combine_documents([result.within for result in results], combination),
        combination=combination,
        by_key=by_key,
        plug_ins=tuple(dict.fromkeys(one for result in results for one in result.plug_ins or ())),
    )


def _combine_documents(
    keys: Sequence[Mapping[str, DocumentCounts]], combination: KeyCombination
) -> dict[str, DocumentCounts]:
    """Combine the counts of each document over the keys that have it."""
    combine = _RULES[combination.rule]
    combined = {}
    for name in dict.fromkeys(name for counted in keys for name in counted):
        pairs = zip(keys, combination.weights, strict=True)
        present = [(counted[name], weight) for counted, weight in pairs if name in counted]
        whole = sum(weight for _, weight in present)
        first = present[0][0]
        layers = {
            layer: combine(
                [document.layers[layer] for document, _ in present],
                [weight / whole for _, weight in present],
            )
            for layer in first.layers
        }
        combined[name] = replace(first, layers=layers)
    return combined


def _combine_mean(layers: Sequence[LayerCounts], weights: Sequence[Fraction]) -> LayerCounts:
    """Average the counts of one document over keys."""

    def mean_of(counts: Sequence[CountsByScore]) -> CountsByScore:
        return {
            name: _weighted(
                [(row[name], w) for row, w in zip(counts, weights, strict=True) if name in row]
            )
            for name in dict.fromkeys(name for row in counts for name in row)
        }

    return _combine_counts(layers, mean_of)


def _weighted(parts: Sequence[tuple[Components, Fraction]]) -> Components:
    """Sum weighted counts, component by component."""

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
    """Take all of a metric's counts from the key against which its score is highest."""
    totals = [_totals(layer) for layer in layers]
    ranks = [{name: _rank(components) for name, components in of.items()} for of in totals]
    nothing = _rank(())
    best = {
        name: max(range(len(layers)), key=lambda key: (ranks[key].get(name, nothing), -key))
        for name in dict.fromkeys(name for of in totals for name in of)
    }

    def best_of(counts: Sequence[CountsByScore]) -> CountsByScore:
        # A class that only other keys have counts nothing.
        shapes = {name: len(components) for row in counts for name, components in row.items()}
        return {
            name: counts[best[name]].get(name, (EMPTY_PAIR,) * size)
            for name, size in shapes.items()
        }

    return _combine_counts(layers, best_of)


EMPTY_PAIR = RatioPair(EMPTY_RATIO, EMPTY_RATIO)
"""Empty counts."""


def _totals(layer: LayerCounts) -> CountsByScore:
    """Collect the counts of all scores, including those that only a breakdown has."""
    broken = next(iter(layer.breakdown.values()), {})
    return {**add_rows(broken.values()), **layer.scores}


def _rank(components: Components) -> tuple[bool, Fraction, Number]:
    """Rank counts by F1, where undefined is highest, then by denominators."""
    f1 = averaged(components).f1
    wholes = total((row.recall.whole + row.precision.whole, 1) for row in components)
    return f1 is None, f1 or Fraction(0), wholes


def _combine_counts(
    layers: Sequence[LayerCounts], combine: Callable[[Sequence[CountsByScore]], CountsByScore]
) -> LayerCounts:
    """Combine all counts of a layer; sizes and notes are the first key's."""

    def by_class(classes: Sequence[Mapping[str, CountsByScore]]) -> dict[str, CountsByScore]:
        names = dict.fromkeys(name for of in classes for name in of)
        return {name: combine([of.get(name, {}) for of in classes]) for name in names}

    first = layers[0]
    return replace(
        first,
        scores=combine([layer.scores for layer in layers]),
        split_only=combine([layer.split_only for layer in layers]),
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
    """Results of the keys against each other, and of a response in the same way.

    Scores are averaged over the keys that are left out.
    """

    human: Mapping[str, Result]
    """Each key's results against all others."""

    response: Mapping[str, Result]
    """The response's results against all keys but one, by that key's name."""


def human_ceiling(
    human: Mapping[str, Result], by_key: Mapping[str, Result], combination: KeyCombination
) -> HumanCeiling:
    """Compute the human ceiling, and the response's scores to compare with it.

    Args:
        human: Each key's results against all others.
        by_key: The response's results against each key.
        combination: The combination of all keys.
    """
    response = {}
    for number, (left_out, own) in enumerate(by_key.items()):
        others = {name: result for name, result in by_key.items() if name != left_out}
        response[left_out] = combine_others(others, combination.without(number), own.counted)
    return HumanCeiling(human, response)


def combine_others(
    others: Mapping[str, Result], combination: KeyCombination, documents: Collection[str]
) -> Result:
    """Combine results against all keys but one, over that key's documents.

    Args:
        others: Results by the other keys' names.
        combination: The combination of the other keys.
        documents: Document names of the key that is left out.
    """
    shared = {
        name: replace(
            result,
            counted={d: counts for d, counts in result.counted.items() if d in documents},
        )
        for name, result in others.items()
    }
    return replace(combine_keys(shared, combination), by_key={})


def add_results_of_keys(
    combined: Result, results: Sequence[Result], combination: KeyCombination
) -> Result:
    """Complete a sum of combined results with the sums of their results against each key.

    Raise MismatchError if they have different keys.
    """
    first = results[0]
    for result in results:
        if [*result.by_key] != [*first.by_key]:
            message = (
                f"results against different keys cannot be added: {', '.join(first.by_key)} and "
                f"{', '.join(result.by_key)}"
            )
            raise MismatchError(message)
    by_key = {name: add_results([one.by_key[name] for one in results]) for name in first.by_key}
    ceilings = [result.ceiling for result in results if result.ceiling]
    if ceilings and len(ceilings) < len(results):
        message = "results cannot be added if only some of them have the human ceiling"
        raise MismatchError(message)
    ceiling = None
    if ceilings:
        human = {name: add_results([one.human[name] for one in ceilings]) for name in by_key}
        ceiling = human_ceiling(human, by_key, combination)
    return replace(combined, combination=combination, by_key=by_key, ceiling=ceiling)
