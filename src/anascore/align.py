"""Accommodated sets of key and response, one to one, by the metric that is being scored.

The alignment has the largest sum of F1. Of several such ones it is the one whose aligned entities
share the most mentions, and of several of those the first in document order, which means: of the
two sides take the one whose entities come first (at the first difference); let its sets choose, in
their order, the earliest partner that leaves the alignment one of the best.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import lcm

from anascore.assignment import Cell, best_assignment, components, possible


def align(
    f1: Mapping[Cell, Fraction], shared: Mapping[Cell, int], *, response_first: bool
) -> list[Cell]:
    """Align accommodated sets, given the F1 of pairs and the mentions that their entities share."""
    aligned: list[Cell] = []
    for group in components(cell for cell, value in f1.items() if value):
        for part in components(possible({cell: float(f1[cell]) for cell in group})):
            weights = _weights(part, f1, shared, response_first=response_first)
            aligned += best_assignment(weights, exact=True)
    return aligned


def _weights(
    group: list[Cell],
    f1: Mapping[Cell, Fraction],
    shared: Mapping[Cell, int],
    *,
    response_first: bool,
) -> dict[Cell, int]:
    """Write the three rules as one number, in which F1 counts most, then mentions, then order.

    Each is scaled up so far that no sum of what counts less makes up for it. Order is a number with
    a digit for each set that chooses, the higher the earlier its partner is; the first set to
    choose has the most significant digit.
    """
    scale = lcm(*(f1[cell].denominator for cell in group))
    above_mentions = 1 + sum(shared.get(cell, 0) for cell in group)
    chooser, chosen = (1, 0) if response_first else (0, 1)
    choosers, partners = (sorted({cell[side] for cell in group}) for side in (chooser, chosen))
    base = len(partners) + 1
    digit = {partner: base - rank for rank, partner in enumerate(partners, 1)}
    place = {entity: base**rank for rank, entity in enumerate(reversed(choosers))}
    return {
        cell: (
            (int(f1[cell] * scale) * above_mentions + shared.get(cell, 0)) * base ** len(choosers)
            + digit[cell[chosen]] * place[cell[chooser]]
        )
        for cell in group
    }
