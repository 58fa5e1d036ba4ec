"""BLANC: links between the nodes of one entity, and links between nodes of different entities.

Nodes are mentions and accommodated sets. A link that both sides have earns the product of the
credits of its two nodes: 1 for a matched mention, the score of the aligned pair for an accommodated
set. Links are counted by sums over entities, never one by one.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction

from anascore.metrics.overlap import Overlap
from anascore.model.ratio import Number, Ratio, add


def blanc_coref(o: Overlap) -> Ratio:
    """BLANC, coreference half (Luo et al. 2014): |C_k ∩ C_r| out of |C_k|, the sum of C(|k|, 2)."""
    links = sum(n * (n - 1) for n in o.shared.values()) // 2
    to_sets = add(credit * o.shared.get(cell, 0) for cell, credit in o.credits.items())
    return Ratio(links + to_sets, coreference_links(o))


def blanc_noncoref(o: Overlap) -> Ratio:
    """BLANC, non-coreference half (Luo et al. 2014): |N_k ∩ N_r| out of |N_k|, all other links.

    The squared sum of credits is the credit of all ordered pairs of nodes. By inclusion-exclusion,
    pairs in different entities on both sides are all pairs, minus those within one k, minus those
    within one r, plus those within both. A link is two ordered pairs.
    """
    in_k: list[Number] = [0] * len(o.own)
    in_r: list[Number] = [0] * len(o.other)
    in_both: list[Number] = []
    for (i, j), n, credit in o.cells():
        nodes = n + credit
        in_k[i] += nodes
        in_r[j] += nodes
        in_both.append(nodes)
    pairs = add(in_both) ** 2 + _sum_of_squares(in_both)
    pairs -= _sum_of_squares(in_k) + _sum_of_squares(in_r)
    return Ratio(Fraction(pairs, 2), other_links(o))


def _sum_of_squares(numbers: Iterable[Number]) -> Number:
    return add([number * number for number in numbers])


def other_links(o: Overlap) -> int:
    """Return the number of links between nodes of different own entities."""
    nodes = sum(o.own)
    return nodes * (nodes - 1) // 2 - coreference_links(o)


def coreference_links(o: Overlap) -> int:
    """Return the number of links within own entities."""
    return sum(size * (size - 1) for size in o.own) // 2
