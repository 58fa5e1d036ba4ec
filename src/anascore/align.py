"""Accommodated sets of key and response, one to one, by the metric that is being scored.

The alignment has the largest sum of F1. Of several such ones it is the one whose aligned entities
share the most mentions, and of several of those the first in document order, which means: of the
two sides take the one whose entities come first (at the first difference); let its sets choose, in
their order, the earliest partner that leaves the alignment one of the best.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from anascore.assignment import Cell
from anascore.choice import first_of_the_best


def align(
    f1: Mapping[Cell, Fraction], shared: Mapping[Cell, int], *, response_first: bool
) -> list[Cell]:
    """Align accommodated sets, given the F1 of pairs and the mentions that their entities share."""
    pairs = {cell: value for cell, value in f1.items() if value}
    return first_of_the_best(pairs, then=shared, columns_choose=response_first)
