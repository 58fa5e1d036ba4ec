"""B³: for each mention, the share of its entity that is found with it."""

from __future__ import annotations

from anascore.metrics.overlap import Overlap
from anascore.model.ratio import Number, Ratio, total


def b_cubed(o: Overlap) -> Ratio:
    """B³ (Bagga and Baldwin 1998): the sum over k, r of (|k ∩ r| + credit)² / |k|, out of |k|."""
    own = o.own
    shares: list[tuple[Number, int]] = [(n * n, own[i]) for (i, _), n in o.shared.items()]
    for (i, j), credit in o.credits.items():
        # (n + credit)² without n², which is there already.
        shares.append((credit * (2 * o.shared.get((i, j), 0) + credit), own[i]))
    return Ratio(total(shares), mention_total(o))


def mention_total(o: Overlap) -> int:
    """Count the mentions of own entities."""
    return sum(o.own)
