"""CEAF: entities aligned one to one so that the sum of their similarities φ is largest."""

from __future__ import annotations

from typing import TypeAlias

from anascore.assignment import Cell, best_assignment
from anascore.metrics.b_cubed import mention_total
from anascore.metrics.overlap import Overlap
from anascore.model.ratio import Number, Ratio, total

Similarity: TypeAlias = dict[Cell, tuple[Number, int]]
"""φ for pairs of entities, each as numerator and denominator."""


def ceaf_m(o: Overlap) -> Ratio:
    """CEAF-M (Luo 2005): φ(k, r) = |k ∩ r| + credit, out of the sum of φ(k, k) = |k|."""
    return Ratio(total(aligned(similarity_m(o)).values()), mention_total(o))


def ceaf_e(o: Overlap) -> Ratio:
    """CEAF-E (Luo 2005): φ(k, r) = 2 (|k ∩ r| + credit) / (|k| + |r|), out of φ(k, k) = 1 each."""
    return Ratio(total(aligned(similarity_e(o)).values()), entity_total(o))


def entity_total(o: Overlap) -> int:
    """Count the own entities."""
    return len(o.own)


def similarity_m(o: Overlap) -> Similarity:
    """Compute φ of CEAF-M for all pairs of entities where it is above 0."""
    return {cell: (n + credit, 1) for cell, n, credit in o.cells()}


def similarity_e(o: Overlap) -> Similarity:
    """Compute φ of CEAF-E for all pairs of entities where it is above 0."""
    own, other = o.own, o.other
    return {
        cell: (2 * (n + credit), own[cell[0]] + other[cell[1]]) for cell, n, credit in o.cells()
    }


def aligned(similarity: Similarity) -> Similarity:
    """Align entities one to one so that the sum of φ is largest; return φ of the aligned pairs."""
    weights = {
        cell: part / whole if type(part) is int else float(part) / whole
        for cell, (part, whole) in similarity.items()
    }
    return {cell: similarity[cell] for cell in best_assignment(weights)}
