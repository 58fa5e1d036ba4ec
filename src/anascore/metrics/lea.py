"""LEA: the resolution score of each entity, weighted by its importance."""

from __future__ import annotations

from operator import mul

from anascore.metrics.overlap import Overlap
from anascore.model.ratio import Number, Ratio, total


def lea(o: Overlap) -> Ratio:
    """LEA (Moosavi and Strube 2016): sum over k, r of β|k| · links(k ∩ r) / links(k), out of β|k|.

    links(k) = C(|k|, 2), and links(k ∩ r) = C(n, 2) + credit · n with n shared mentions: the links
    among them, and their links to the accommodated set. A k of one mention has one link, to itself,
    which is found if r consists of that mention alone.
    """
    own, other, weights = o.own, o.other, o.importance
    # |k| / links(k) is 2 / (|k| - 1).
    resolution: list[tuple[Number, int]] = [
        (weights[i] * n * (n - 1), own[i] - 1) for (i, _), n in o.shared.items() if n > 1
    ]
    for (i, j), credit in o.credits.items():
        # An entity with a set has a mention, too, so that |k| is above 1.
        resolution.append((weights[i] * 2 * credit * o.shared.get((i, j), 0), own[i] - 1))
    self_links = sum(1 for i, j in o.shared if own[i] == 1 == other[j])
    return Ratio(total(resolution) + self_links, weighted_total(o))


def weighted_total(o: Overlap) -> int:
    """Count the mentions of own entities, weighted by importance."""
    return sum(map(mul, o.importance, o.own))
