"""Earlier proposals for scoring split antecedents, beside the generalised metrics."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from anascore.metrics import PROPOSALS
from anascore.metrics.earlier_lea import lea_2021, lea_rucoco
from anascore.metrics.earlier_links import links
from anascore.metrics.earlier_zhou_choi import zhou_choi
from anascore.metrics.overlap import Comparison
from anascore.model.ratio import Components


class Proposed(NamedTuple):
    """What the proposals count that were asked for."""

    scores: dict[str, Components]
    split_only: dict[str, Components]
    """Over the accommodated sets alone; only one of them has that."""


def count_proposals(compared: Comparison, reported: Collection[str]) -> Proposed:
    """Count by those proposals of which a score is to be reported."""
    asked = {name for name, scores in PROPOSALS.items() if not {*scores}.isdisjoint(reported)}
    found = Proposed({}, {})
    if "links" in asked:
        found.scores.update(links(compared))
    if "zhou-choi" in asked:
        found.scores.update(zhou_choi(compared))
    if "lea-2021" in asked:
        found.scores["lea-2021"], found.split_only["lea-2021"] = lea_2021(compared)
    if "lea-rucoco" in asked:
        found.scores["lea-rucoco"] = lea_rucoco(compared)
    return found
