"""BLANC: links between the nodes of one entity, and links between nodes of different entities.

Nodes are mentions and accommodated sets. A link that both sides have earns the product of the
credits of its two nodes: 1 for a matched mention, the score of the aligned pair for an accommodated
set. Links are counted by sums over entities, never one by one.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import comb

from anascore.metrics.overlap import Overlap
from anascore.model.ratio import Number, Ratio, add


def blanc_coref(o: Overlap) -> Ratio:
    """BLANC, coreference half (Luo et al. 2014): |C_k ∩ C_r| out of |C_k|, the sum of C(|k|, 2)."""
    links = add(comb(n, 2) + credit * n for _, _, n, credit in o.cells() if n > 1 or credit)
    return Ratio(links, _coreference_links(o))


def blanc_noncoref(o: Overlap) -> Ratio:
    """BLANC, non-coreference half (Luo et al. 2014): |N_k ∩ N_r| out of |N_k|, all other links.

    The squared sum of credits is the credit of all ordered pairs of nodes. By inclusion-exclusion,
    pairs in different entities on both sides are all pairs, minus those within one k, minus those
    within one r, plus those within both. A link is two ordered pairs.
    """
    in_k: defaultdict[int, Number] = defaultdict(int)
    in_r: defaultdict[int, Number] = defaultdict(int)
    in_both: list[Number] = []
    for i, j, n, credit in o.cells():
        nodes = n + credit
        in_k[i] += nodes
        in_r[j] += nodes
        in_both.append(nodes)
    pairs = (
        add(in_both) ** 2
        - add(nodes**2 for nodes in in_k.values())
        - add(nodes**2 for nodes in in_r.values())
        + add(nodes**2 for nodes in in_both)
    )
    return Ratio(Fraction(pairs, 2), comb(sum(o.own), 2) - _coreference_links(o))


def _coreference_links(o: Overlap) -> int:
    """Count the coreference links of own entities."""
    return sum(comb(size, 2) for size in o.own if size > 1)
