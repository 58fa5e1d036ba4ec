"""B³: the share of its entity that is found with each mention."""

from __future__ import annotations

from anascore.metrics.overlap import Overlap
from anascore.model.ratio import Ratio, total


def b_cubed(o: Overlap) -> Ratio:
    """B³ (Bagga and Baldwin 1998): the sum over k, r of (|k ∩ r| + credit)² / |k|, out of |k|."""
    return Ratio(total(((n + credit) ** 2, o.own[i]) for i, _, n, credit in o.cells()), sum(o.own))
