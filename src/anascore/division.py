"""What was counted to scores: everything is added up exactly, and divided last."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TypeAlias

from anascore.layers.counted import Counted, ScoreRows
from anascore.metrics import LABELS, MEANS, METRICS
from anascore.ratio import Values, averaged, mean

Scores: TypeAlias = dict[str, Values[float | None]]
"""Recall, precision and F1 as fractions of 1, None where undefined, by the names of LABELS."""


def sizes_of(counted: ScoreRows) -> tuple[int, int]:
    """Return how many mentions there are, in key and response."""
    (row,) = counted["mentions"]
    return int(row.recall.whole), int(row.precision.whole)


def divide(counted: ScoreRows, reported: Collection[str]) -> Scores:
    """Divide what was counted, and take the means: over rows, and over metrics."""
    exact = {name: averaged(rows) for name, rows in counted.items()}
    for name, of in MEANS.items():
        if name in reported:
            exact[name] = Values(None, None, mean(exact[part].f1 for part in of.of))
    return {
        name: Values(*(None if value is None else float(value) for value in exact[name]))
        for name in LABELS
        if name in reported and name in exact
    }


def divide_sets(counted: Counted, reported: Collection[str]) -> Scores:
    """Divide what was counted over accommodated sets, if there are any."""
    sets = counted.key.get("accommodated_sets") or counted.response.get("accommodated_sets")
    return divide(counted.split_only, reported) if sets else {}


def left_out(counted: ScoreRows, reported: Collection[str]) -> Iterator[str]:
    """Say what is undefined and so left out of a mean, unless the mean itself is undefined."""
    for name, mean_of in MEANS.items():
        if name in reported:
            parts = mean_of.of
            undefined = [METRICS[p].label for p in parts if averaged(counted[p]).f1 is None]
            if 0 < len(undefined) < len(parts):
                yield f"{mean_of.label} leaves out {' and '.join(undefined)}, which is undefined"
    for name, metric in METRICS.items():
        if name in reported and averaged(counted[name]).f1 is not None:
            for row, score in zip(metric.rows, counted[name], strict=True):
                if score.f1 is None:
                    yield f"{metric.label} leaves out {row.links}, none being on either side"
