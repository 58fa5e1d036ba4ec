"""MUC: the fewest links that connect all mentions of an entity."""

from __future__ import annotations

from anascore.metrics.overlap import Overlap
from anascore.model.ratio import Ratio, add


def muc(o: Overlap) -> Ratio:
    """MUC (Vilain et al. 1995): the sum over k of |k| - |partition of k| - δ, out of |k| - 1.

    A mention of k in no r is a part of its own. So each r that shares n mentions with k saves
    n - 1 parts, plus the credit 1 - δ if r has the aligned accommodated set.
    """
    credit = add(credit for cell, credit in o.credits.items() if cell in o.shared)
    return Ratio(sum(o.shared.values()) - len(o.shared) + credit, link_total(o))


def link_total(o: Overlap) -> int:
    """Count the fewest links that connect the mentions of every own entity."""
    return sum(o.own) - len(o.own)


def muc_of_elements(o: Overlap) -> Ratio:
    """MUC inside an accommodated set, where an element with one mention has a link to itself.

    The link is found if the other side has an element with exactly that mention. Without such
    links, MUC could not score sets of singletons.
    """
    counted = muc(o)
    self_links = sum(1 for (i, j), _, _ in o.cells() if o.own[i] == o.other[j] == 1)
    return Ratio(counted.part + self_links, counted.whole + o.own.count(1))
