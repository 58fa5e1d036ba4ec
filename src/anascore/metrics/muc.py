"""MUC: the links that are needed at least to hold an entity together."""

from __future__ import annotations

from anascore.metrics.overlap import Overlap
from anascore.model.ratio import Ratio, add


def muc(o: Overlap) -> Ratio:
    """MUC (Vilain et al. 1995): for each k the sum of |k| - |partition of k| - δ, out of |k| - 1.

    Mentions of k in no r are parts of their own. So each r that shares n mentions with k saves
    n - 1 parts, and the credit, 1 - δ, where such an r has the aligned accommodated set.
    """
    found = add(n - 1 + credit for _, _, n, credit in o.cells() if n)
    return Ratio(found, sum(o.own) - len(o.own))


def muc_of_elements(o: Overlap) -> Ratio:
    """MUC inside an accommodated set, where an element of one mention has one link, to itself.

    It is found in an element of exactly that mention. Without it MUC could not score such sets.
    """
    links = muc(o)
    itself = sum(1 for i, j, _, _ in o.cells() if o.own[i] == o.other[j] == 1)
    return Ratio(links.part + itself, links.whole + o.own.count(1))
