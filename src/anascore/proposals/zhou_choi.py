"""Split antecedents by the standard metrics (Zhou and Choi 2018).

Every mention of an entity with an accommodated set is put into the clusters of all elements, and
the set is dropped. So clusters overlap, and a mention can be in several.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from itertools import chain
from math import comb
from typing import NamedTuple, TypeAlias

from anascore.metrics.ceaf import ceaf_e
from anascore.overlap import Overlap
from anascore.proposals.comparison import Comparison
from anascore.ratio import Ratio, Rows, Score, total
from anascore.side import Side

Clusters: TypeAlias = frozenset[int]


class Group(NamedTuple):
    """Mentions that are in the same clusters; in none if one side does not have them."""

    key: Clusters
    response: Clusters


def zhou_choi(c: Comparison) -> dict[str, Rows]:
    """Count B³, CEAF-E and BLANC over clusters that overlap."""
    groups = _groups(c)
    return {
        "zhou-choi-b3": _b_cubed(groups),
        "zhou-choi-ceafe": _ceaf_e(groups),
        "zhou-choi-blanc": _blanc(groups),
    }


def _groups(c: Comparison) -> dict[Group, int]:
    """Count mentions by the clusters that they are in."""
    none: Clusters = frozenset()
    key, response = _clusters(c.key), _clusters(c.response)
    counterpart = dict(c.matched)
    met = set(counterpart.values())
    groups = Counter(
        Group(clusters, response[counterpart[k]] if k in counterpart else none)
        for k, clusters in enumerate(key)
    )
    groups.update(Group(none, clusters) for r, clusters in enumerate(response) if r not in met)
    return dict(groups)


def _clusters(side: Side) -> list[Clusters]:
    """Return for each mention the clusters it is in: its own, or those of the elements."""
    return [
        frozenset(entity.elements) if entity.elements else frozenset({i})
        for i, entity in enumerate(side.entities)
        for _ in entity.mentions
    ]


class _Neighbours:
    """Finds the groups that have a cluster in common with a group, on one side."""

    def __init__(self, groups: Iterable[Group], side: int) -> None:
        """Index groups by their clusters."""
        self._side = side
        self._with: dict[int, set[Group]] = defaultdict(set)
        for group in groups:
            for cluster in group[side]:
                self._with[cluster].add(group)

    def of(self, group: Group) -> set[Group]:
        """Return those groups, the group itself among them unless it has no clusters."""
        return set(chain.from_iterable(self._with[cluster] for cluster in group[self._side]))


def _b_cubed(groups: dict[Group, int]) -> Rows:
    """Count B³, the cluster of a mention being the union of those that it is in."""
    in_key, in_response = (_Neighbours(groups, side) for side in (0, 1))
    recall, precision = [], []
    for group, number in groups.items():
        key, response = in_key.of(group), in_response.of(group)
        both = number * sum(groups[other] for other in key & response)
        if key and response:
            recall.append((both, sum(groups[other] for other in key)))
            precision.append((both, sum(groups[other] for other in response)))
    sizes = (sum(n for group, n in groups.items() if group[side]) for side in (0, 1))
    return (Score(*(Ratio(total(p), n) for p, n in zip((recall, precision), sizes, strict=True))),)


def _ceaf_e(groups: dict[Group, int]) -> Rows:
    """Align clusters one to one, whatever mentions they share."""
    shared: Counter[tuple[int, int]] = Counter()
    sizes: tuple[Counter[int], Counter[int]] = (Counter(), Counter())
    for group, number in groups.items():
        for side in (0, 1):
            for cluster in group[side]:
                sizes[side][cluster] += number
        for k in group.key:
            for r in group.response:
                shared[k, r] += number
    key, response = ({cluster: at for at, cluster in enumerate(sorted(size))} for size in sizes)
    own, other = ([size[cluster] for cluster in sorted(size)] for size in sizes)
    there = {(key[k], response[r]): n for (k, r), n in sorted(shared.items())}
    back = {(j, i): n for (i, j), n in there.items()}
    recall = ceaf_e(Overlap(own, [1] * len(own), other, there))
    precision = ceaf_e(Overlap(other, [1] * len(other), own, back))
    return (Score(recall, precision),)


def _blanc(groups: dict[Group, int]) -> Rows:
    """Count BLANC, a link being a coreference link if any cluster has it."""
    in_key, in_response = (_Neighbours(groups, side) for side in (0, 1))
    mentions = [sum(n for group, n in groups.items() if group[side]) for side in (0, 1)]
    common = {group: n for group, n in groups.items() if group.key and group.response}
    coreferent, within_common, both = [0, 0], [0, 0], 0
    for group, number in groups.items():
        found = in_key.of(group), in_response.of(group)
        for side in (0, 1):
            coreferent[side] += _pairs(group, number, found[side], groups)
            if group in common:
                within_common[side] += _pairs(group, number, found[side], common)
        both += _pairs(group, number, found[0] & found[1], groups)
    # Pairs of different groups were met from both ends.
    coreferent, within_common = ([n // 2 for n in ns] for ns in (coreferent, within_common))
    both //= 2
    apart = [comb(n, 2) - c for n, c in zip(mentions, coreferent, strict=True)]
    both_apart = comb(sum(common.values()), 2) - sum(within_common) + both
    return (
        Score(*(Ratio(both, n) for n in coreferent)),
        Score(*(Ratio(both_apart, n) for n in apart)),
    )


def _pairs(group: Group, number: int, others: set[Group], among: dict[Group, int]) -> int:
    """Count ordered pairs of a mention of a group with another mention of some groups."""
    pairs = number * sum(among.get(other, 0) for other in others)
    return pairs - number if group in others else pairs
