"""Confidence intervals of scores, and paired tests of differences between systems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias, get_args

from anascore.arguments import check_choice
from anascore.errors import MAX_NUMBER, MAX_SEED, check_whole_number
from anascore.results.result import (
    Difference,
    Interval,
    Intervals,
    LayerResult,
    Result,
    Scores,
    Uncertainty,
)
from anascore.settings import LayerName
from anascore.terminal import status, track

Paired: TypeAlias = Literal["bootstrap", "randomisation"]
FEW = 30
"""Intervals and tests are rough if there are fewer documents than this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResamplingOptions:
    """Resampling options."""

    samples: int = 1000
    seed: int = 0
    confidence: bool = False
    """Compute confidence intervals."""

    paired: Paired | None = None
    """Paired test of each system against the first one; None for no test."""

    def __post_init__(self) -> None:
        """Raise if a number is out of range, or a test does not exist."""
        check_whole_number("--samples", self.samples, 1, MAX_NUMBER)
        check_whole_number("--seed", self.seed, 0, MAX_SEED)
        if self.paired is not None:
            check_choice("paired", self.paired, get_args(Paired))

    def signature(self, tests: int) -> str:
        """Write these options and the number of tests for the signature."""
        parts = []
        if self.confidence:
            parts.append("confidence:bootstrap-95")
        if self.paired and tests:
            parts.append(f"paired:{self.paired}-holm-{tests}")
        if parts:
            parts += [f"samples:{self.samples}", f"seed:{self.seed}"]
        return "|".join(parts)


def resample(results: Sequence[Result], how: ResamplingOptions) -> list[Result]:
    """Resample the documents of all systems, layer by layer.

    The returned results contain their layers' uncertainty, and a signature that says how documents
    were resampled. If the options ask for nothing, the results are returned unchanged.
    """
    signature = how.signature(len(results) - 1)
    if not signature:
        return list(results)
    uncertainties: list[dict[LayerName, Uncertainty]] = [{} for _ in results]
    for layer in results[0].layers:
        systems = [result.layers[layer] for result in results]
        intervals = [_intervals(system, how) if how.confidence else {} for system in systems]
        differences = _differences(systems, how) if how.paired else [{} for _ in systems]
        for number, uncertainty in enumerate(uncertainties):
            uncertainty[layer] = Uncertainty(
                intervals[number], differences[number], results[0].name
            )
    return [
        replace(result, uncertainty=uncertainty, resampling_signature=signature)
        for result, uncertainty in zip(results, uncertainties, strict=True)
    ]


def warnings_on(documents: int) -> Iterator[str]:
    """Warn if there are too few documents to resample."""
    if documents < 2:
        yield "confidence intervals and tests resample documents, but there is only one"
    elif documents < FEW:
        yield f"confidence intervals and tests are imprecise with few documents: {documents}"


def _intervals(layer: LayerResult, how: ResamplingOptions) -> dict[str, Intervals]:
    """Compute the middle 95% of bootstrap samples; undefined for a single document."""
    if len(layer.counted) < 2:
        return dict.fromkeys(layer.scores, Intervals(*[Interval(None, None)] * 3))
    from anascore.results import resampling  # noqa: PLC0415  NumPy loads slowly

    status(f"drawing {how.samples} samples for confidence intervals")
    counts = resampling.counts_of(layer)
    sampled = resampling.resampled(counts, how.samples, how.seed)
    return {
        name: Intervals(
            *(Interval(*resampling.percentile_interval(values)) for values in sampled[name])
        )
        for name in layer.scores
    }


def _differences(
    systems: Sequence[LayerResult], how: ResamplingOptions
) -> list[dict[str, Difference]]:
    """Test each system against the first."""
    from anascore.results import resampling  # noqa: PLC0415  NumPy loads slowly

    first, *others = systems
    names = [name for name in first.scores if all(name in other.scores for other in others)]
    counts = [resampling.counts_of(system, names) for system in systems]
    test = resampling.TESTS[how.paired or "bootstrap"]
    compared = track(counts[1:], f"drawing {how.samples} samples for comparison")
    chance = [
        resampling.paired_test(test, counts[0], other, how.samples, how.seed)
        if len(first.counted) > 1
        else dict.fromkeys(names)
        for other in compared
    ]
    found: list[dict[str, Difference]] = [{}, *({} for _ in others)]
    for name in names:
        corrected = holm([p[name] for p in chance])
        for number, other in enumerate(others):
            found[number + 1][name] = Difference(
                difference_of(first.scores, other.scores, name),
                chance[number][name],
                corrected[number],
                *count_wins(first, other, name),
            )
    return found


def difference_of(first: Scores, other: Scores, name: str) -> float | None:
    """Subtract the first system's F1 from the other's; None if either is undefined."""
    a, b = first[name].f1, other[name].f1
    return None if a is None or b is None else b - a


def count_wins(first: LayerResult, other: LayerResult, name: str) -> tuple[int, int, int]:
    """Count the documents in which the other system is better, worse, or equal."""
    return count_signs(
        difference_of(document.scores, other.documents[key].scores, name)
        for key, document in first.documents.items()
    )


def count_signs(differences: Iterable[float | None]) -> tuple[int, int, int]:
    """Count the differences above, below and equal to 0; undefined ones are left out."""
    defined = [difference for difference in differences if difference is not None]
    wins, losses = (sum(sign * d > 0 for d in defined) for sign in (1, -1))
    return wins, losses, len(defined) - wins - losses


def holm(chances: Sequence[float | None]) -> list[float | None]:
    """Correct p-values for multiple comparisons (Holm).

    >>> holm([0.03, 0.01, None])
    [0.03, 0.02, None]
    """
    ranked = sorted((p, number) for number, p in enumerate(chances) if p is not None)
    corrected: list[float | None] = [None] * len(chances)
    highest = 0.0
    for rank, (p, number) in enumerate(ranked):
        highest = max(highest, min(1.0, p * (len(ranked) - rank)))
        corrected[number] = highest
    return corrected
