"""BLANC: links between nodes of one entity, and links between nodes of different entities.

Nodes are mentions and accommodated sets. A link on both sides earns the product of its two nodes'
credits: 1 for a matched mention, the score of the aligned pair for an accommodated set. Links are
counted by sums over entities, never one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from operator import mul

from anascore.metrics.overlap import Overlap
from anascore.model.ratio import Number, Ratio, add


def blanc_coref(o: Overlap) -> Ratio:
    """BLANC, coreference half (Luo et al. 2014): |C_k ∩ C_r| out of |C_k|, the sum of C(|k|, 2)."""
    links = _links_within(o.shared.values())
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
    cells = {cell: n + credit for cell, n, credit in o.cells()} if o.credits else o.shared
    for (i, j), nodes in cells.items():
        in_k[i] += nodes
        in_r[j] += nodes
    in_both = [*cells.values()]
    pairs = add(in_both) ** 2 + _sum_of_squares(in_both)
    pairs -= _sum_of_squares(in_k) + _sum_of_squares(in_r)
    return Ratio(Fraction(pairs, 2), other_links(o))


def _sum_of_squares(numbers: Sequence[Number]) -> Number:
    return add(map(mul, numbers, numbers))


def other_links(o: Overlap) -> int:
    """Count the links between nodes of different own entities."""
    nodes = sum(o.own)
    return nodes * (nodes - 1) // 2 - coreference_links(o)


def coreference_links(o: Overlap) -> int:
    """Count the links within own entities."""
    return _links_within(o.own)


def _links_within(sizes: Collection[int]) -> int:
    """Sum C(n, 2) over sizes n."""
    squares: int = sum(map(mul, sizes, sizes))
    return (squares - sum(sizes)) // 2
