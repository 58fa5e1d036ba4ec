"""BLANC: links between the nodes of one entity, and links between nodes of different entities.

Nodes are mentions and accommodated sets. A link that both sides have earns the product of its two
nodes' credits: 1 for a matched mention, the aligned pair's score for an accommodated set. Links
are counted from sums over entities, never one by one.
"""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import comb

from anascore.metrics.overlap import Overlap
from anascore.model.ratio import Number, Ratio, add


def blanc_coref(o: Overlap) -> Ratio:
    """BLANC, coreference half (Luo et al. 2014): |C_k ∩ C_r| out of |C_k|, the sum of C(|k|, 2)."""
    found = add(comb(n, 2) + credit * n for _, _, n, credit in o.cells() if n > 1 or credit)
    return Ratio(found, _coreference_links(o))


def blanc_noncoref(o: Overlap) -> Ratio:
    """BLANC, non-coreference half (Luo et al. 2014): |N_k ∩ N_r| out of |N_k|, all other links.

    A square of summed credits is the credit of all ordered pairs of nodes. Pairs of different
    entities on both sides are all pairs, without those of one k, without those of one r, and with
    those of one k and one r, which were taken off twice. A link is two ordered pairs.
    """
    of_k: defaultdict[int, Number] = defaultdict(int)
    of_r: defaultdict[int, Number] = defaultdict(int)
    of_both: list[Number] = []
    for i, j, n, credit in o.cells():
        nodes = n + credit
        of_k[i] += nodes
        of_r[j] += nodes
        of_both.append(nodes)
    pairs = (
        add(of_both) ** 2
        - add(nodes**2 for nodes in of_k.values())
        - add(nodes**2 for nodes in of_r.values())
        + add(nodes**2 for nodes in of_both)
    )
    return Ratio(Fraction(pairs, 2), comb(sum(o.own), 2) - _coreference_links(o))


def _coreference_links(o: Overlap) -> int:
    return sum(comb(size, 2) for size in o.own if size > 1)
