"""Split antecedents by the standard metrics (Zhou and Choi 2018).

Every mention of an entity with an accommodated set is put into the clusters of all elements, and
the set is dropped. So clusters overlap, and a mention can be in several.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain
from math import comb
from typing import NamedTuple, TypeAlias

from anascore.metrics.ceaf import ceaf_e
from anascore.metrics.overlap import Comparison, Overlap
from anascore.model.ratio import Components, Ratio, RatioPair, total
from anascore.prepare.side import Side

ClusterSet: TypeAlias = frozenset[int]


class Group(NamedTuple):
    """Mentions that are in the same clusters; in none if one side does not have them."""

    key: ClusterSet
    response: ClusterSet


def zhou_choi(c: Comparison) -> dict[str, Components]:
    """Count B³, CEAF-E and BLANC over clusters that overlap."""
    groups = _groups(c)
    return {
        "zhou-choi-b3": _b_cubed(groups),
        "zhou-choi-ceafe": _ceaf_e(groups),
        "zhou-choi-blanc": _blanc(groups),
    }


def _groups(c: Comparison) -> dict[Group, int]:
    """Count mentions by the clusters that they are in."""
    none: ClusterSet = frozenset()
    key, response = _clusters(c.key), _clusters(c.response)
    counterpart = dict(c.matched)
    met = set(counterpart.values())
    groups = Counter(
        Group(clusters, response[counterpart[k]] if k in counterpart else none)
        for k, clusters in enumerate(key)
    )
    groups.update(Group(none, clusters) for r, clusters in enumerate(response) if r not in met)
    return dict(groups)


def _clusters(side: Side) -> list[ClusterSet]:
    """Return for each mention the clusters it is in: its own, or those of the elements."""
    return [
        frozenset(entity.elements) if entity.is_set else frozenset({i})
        for i, entity in enumerate(side.entities)
        for _ in entity.mentions
    ]


class _Clusters:
    """The clusters of one side, with the groups that are in them."""

    def __init__(self, groups: dict[Group, int], side: int) -> None:
        """Index groups by their clusters."""
        self._groups = groups
        self._side = side
        self.having: dict[int, list[Group]] = defaultdict(list)
        for group in groups:
            for cluster in group[side]:
                self.having[cluster].append(group)
        self.sizes = {c: sum(groups[g] for g in found) for c, found in self.having.items()}

    def around(self, group: Group) -> set[Group]:
        """Return the groups that have a cluster in common with a group, itself among them."""
        return set(chain.from_iterable(self.having[cluster] for cluster in group[self._side]))

    def size(self, group: Group) -> int:
        """Count the mentions of all clusters of a group together."""
        clusters = group[self._side]
        if len(clusters) == 1:
            return self.sizes[next(iter(clusters))]
        return sum(self._groups[other] for other in self.around(group))


def _is_simple(group: Group) -> bool:
    """Tell whether a group is in one cluster at most on each side, as most are."""
    return len(group.key) <= 1 and len(group.response) <= 1


def _shared(groups: dict[Group, int]) -> Counter[tuple[int, int]]:
    """Count the mentions that a cluster of the key and one of the response have in common."""
    shared: Counter[tuple[int, int]] = Counter()
    for group, number in groups.items():
        for k in group.key:
            for r in group.response:
                shared[k, r] += number
    return shared


def _b_cubed(groups: dict[Group, int]) -> Components:
    """Count B³, the cluster of a mention being the union of those that it is in."""
    key, response = (_Clusters(groups, side) for side in (0, 1))
    shared = _shared(groups)
    recall, precision = [], []
    for group, number in groups.items():
        if not (group.key and group.response):
            continue
        if _is_simple(group):
            both = shared[next(iter(group.key)), next(iter(group.response))]
        else:
            both = sum(groups[other] for other in key.around(group) & response.around(group))
        recall.append((number * both, key.size(group)))
        precision.append((number * both, response.size(group)))
    sizes = (sum(n for group, n in groups.items() if group[side]) for side in (0, 1))
    return (
        RatioPair(*(Ratio(total(p), n) for p, n in zip((recall, precision), sizes, strict=True))),
    )


def _ceaf_e(groups: dict[Group, int]) -> Components:
    """Align clusters one to one, whatever mentions they share."""
    shared = _shared(groups)
    sizes = tuple(_Clusters(groups, side).sizes for side in (0, 1))
    key, response = ({cluster: at for at, cluster in enumerate(sorted(size))} for size in sizes)
    own, other = ([size[cluster] for cluster in sorted(size)] for size in sizes)
    there = {(key[k], response[r]): n for (k, r), n in sorted(shared.items())}
    back = {(j, i): n for (i, j), n in there.items()}
    recall = ceaf_e(Overlap(own, [1] * len(own), other, there))
    precision = ceaf_e(Overlap(other, [1] * len(other), own, back))
    return (RatioPair(recall, precision),)


def _blanc(groups: dict[Group, int]) -> Components:
    """Count BLANC, a link being a coreference link if any cluster has it."""
    common = {group: n for group, n in groups.items() if group.key and group.response}
    mentions = [sum(n for group, n in groups.items() if group[side]) for side in (0, 1)]
    coreferent = [_links(groups, (side,)) for side in (0, 1)]
    both = _links(common, (0, 1))
    apart = [comb(n, 2) - c for n, c in zip(mentions, coreferent, strict=True)]
    within_common = sum(_links(common, (side,)) for side in (0, 1))
    both_apart = comb(sum(common.values()), 2) - within_common + both
    return (
        RatioPair(*(Ratio(both, n) for n in coreferent)),
        RatioPair(*(Ratio(both_apart, n) for n in apart)),
    )


def _links(groups: dict[Group, int], sides: tuple[int, ...]) -> int:
    """Count pairs of mentions that have a cluster in common on all of these sides.

    Mentions that are in one cluster a side are counted by clusters, the few others one by one.
    """
    simple: Counter[tuple[ClusterSet, ...]] = Counter()
    for group, number in groups.items():
        if _is_simple(group) and all(group[side] for side in sides):
            simple[tuple(group[side] for side in sides)] += number
    links = sum(comb(number, 2) for number in simple.values())
    clusters = [_Clusters(groups, side) for side in sides]
    twice = 0
    for group, number in groups.items():
        if not _is_simple(group) and all(group[side] for side in sides):
            around = set.intersection(*(found.around(group) for found in clusters))
            links += number * sum(groups[other] for other in around if _is_simple(other))
            others = sum(groups[other] for other in around if not _is_simple(other))
            twice += number * (others - 1)
    return links + twice // 2
