"""LEA: the resolution score of each entity, weighted by its importance."""

from __future__ import annotations

from math import comb

from anascore.metrics.overlap import Overlap
from anascore.model.ratio import Ratio, total


def lea(o: Overlap) -> Ratio:
    """LEA (Moosavi and Strube 2016): sum over k, r of β|k| · links(k ∩ r) / links(k), out of β|k|.

    links(k) = C(|k|, 2), and links(k ∩ r) = C(n, 2) + credit · n with n shared mentions: the links
    among them, and their links to the accommodated set. A k of one mention has one link, to itself,
    which is found if r consists of that mention alone.
    """
    resolution = (
        (o.importance[i] * o.own[i] * (comb(n, 2) + credit * n), comb(o.own[i], 2))
        for i, _, n, credit in o.cells()
        if o.own[i] > 1
    )
    self_links = sum(1 for i, j, _, _ in o.cells() if o.own[i] == o.other[j] == 1)
    importance = sum(weight * size for weight, size in zip(o.importance, o.own, strict=True))
    return Ratio(total(resolution) + self_links, importance)
