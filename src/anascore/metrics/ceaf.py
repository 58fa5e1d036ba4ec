"""CEAF: entities aligned one to one, so that the sum of their similarities φ is largest."""

from __future__ import annotations

from anascore.assignment import Cell, best_assignment
from anascore.overlap import Overlap
from anascore.ratio import Number, Ratio, total


def ceaf_m(o: Overlap) -> Ratio:
    """CEAF-M (Luo 2005): φ(k, r) = |k ∩ r| + credit, out of the sum of φ(k, k) = |k|."""
    return Ratio(_largest({(i, j): (n + credit, 1) for i, j, n, credit in o.cells()}), sum(o.own))


def ceaf_e(o: Overlap) -> Ratio:
    """CEAF-E (Luo 2005): φ(k, r) = 2 (|k ∩ r| + credit) / (|k| + |r|), out of φ(k, k) = 1 each."""
    similarity = {
        (i, j): (2 * (n + credit), o.own[i] + o.other[j]) for i, j, n, credit in o.cells()
    }
    return Ratio(_largest(similarity), len(o.own))


def _largest(similarity: dict[Cell, tuple[Number, int]]) -> Number:
    """Align entities one to one and add up similarities, given as numerator and denominator."""
    weights = {cell: float(part) / whole for cell, (part, whole) in similarity.items()}
    return total(similarity[cell] for cell in best_assignment(weights))
