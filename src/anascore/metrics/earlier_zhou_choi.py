"""Earlier proposals: standard metrics over overlapping clusters (Zhou and Choi 2018).

Each mention of an entity with an accommodated set is added to the clusters of all elements, and the
set is dropped. Clusters can overlap, so a mention can be in several.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import chain
from math import comb
from typing import NamedTuple, TypeAlias

from anascore.assignment import Cell, transposed
from anascore.entities.side import Side
from anascore.metrics.ceaf import ceaf_e
from anascore.metrics.overlap import ComparedSides, Overlap
from anascore.model.ratio import Components, Ratio, RatioPair, total

ClusterSet: TypeAlias = frozenset[int]


class Group(NamedTuple):
    """The clusters that some mentions share, by side; empty if a side lacks the mentions."""

    key: ClusterSet
    response: ClusterSet


def zhou_choi(c: ComparedSides) -> dict[str, Components]:
    """Count B³, CEAF-E and BLANC over overlapping clusters."""
    groups = _groups(c)
    return {
        "zhou-choi-b3": _b_cubed(groups),
        "zhou-choi-ceafe": _ceaf_e(groups),
        "zhou-choi-blanc": _blanc(groups),
    }


def _groups(c: ComparedSides) -> dict[Group, int]:
    """Count mentions by the clusters that contain them."""
    none: ClusterSet = frozenset()
    key, response = _clusters(c.key), _clusters(c.response)
    counterpart = dict(c.matched)
    matched = set(counterpart.values())
    groups = Counter(
        Group(clusters, response[counterpart[k]] if k in counterpart else none)
        for k, clusters in enumerate(key)
    )
    groups.update(Group(none, clusters) for r, clusters in enumerate(response) if r not in matched)
    return dict(groups)


def _clusters(side: Side) -> list[ClusterSet]:
    """List each mention's clusters: its own entity, or all elements of its set."""
    return [
        frozenset(entity.elements) if entity.is_set else frozenset({i})
        for i, entity in enumerate(side.entities)
        for _ in entity.mentions
    ]


class _Clusters:
    """One side's clusters, with their groups."""

    def __init__(self, groups: dict[Group, int], side: int) -> None:
        self._groups = groups
        self._side = side
        self.groups_of: dict[int, list[Group]] = defaultdict(list)
        for group in groups:
            for cluster in group[side]:
                self.groups_of[cluster].append(group)
        self.sizes = {c: sum(groups[g] for g in members) for c, members in self.groups_of.items()}

    def neighbours(self, group: Group) -> set[Group]:
        """Return the groups that share a cluster with a group, including the group itself."""
        return set(chain.from_iterable(self.groups_of[cluster] for cluster in group[self._side]))

    def size(self, group: Group) -> int:
        clusters = group[self._side]
        if len(clusters) == 1:
            return self.sizes[next(iter(clusters))]
        return sum(self._groups[other] for other in self.neighbours(group))


def _is_simple(group: Group) -> bool:
    """Test whether a group is in at most one cluster per side, as most are."""
    return len(group.key) <= 1 and len(group.response) <= 1


def _shared(groups: dict[Group, int]) -> Counter[Cell]:
    """Count the mentions that two clusters, one of each side, have in common."""
    shared: Counter[Cell] = Counter()
    for group, number in groups.items():
        for k in group.key:
            for r in group.response:
                shared[k, r] += number
    return shared


def _b_cubed(groups: dict[Group, int]) -> Components:
    """Count B³; a mention's cluster is the union of all its clusters."""
    key, response = (_Clusters(groups, side) for side in (0, 1))
    shared = _shared(groups)
    recall, precision = [], []
    for group, number in groups.items():
        if not (group.key and group.response):
            continue
        if _is_simple(group):
            common = shared[next(iter(group.key)), next(iter(group.response))]
        else:
            common = sum(
                groups[other] for other in key.neighbours(group) & response.neighbours(group)
            )
        recall.append((number * common, key.size(group)))
        precision.append((number * common, response.size(group)))
    sizes = (sum(n for group, n in groups.items() if group[side]) for side in (0, 1))
    return (
        RatioPair(*(Ratio(total(p), n) for p, n in zip((recall, precision), sizes, strict=True))),
    )


def _ceaf_e(groups: dict[Group, int]) -> Components:
    """Count CEAF-E; a mention counts in each of its clusters."""
    shared = _shared(groups)
    sizes = tuple(_Clusters(groups, side).sizes for side in (0, 1))
    key, response = ({cluster: i for i, cluster in enumerate(sorted(size))} for size in sizes)
    own, other = ([size[cluster] for cluster in sorted(size)] for size in sizes)
    cells = {(key[k], response[r]): n for (k, r), n in sorted(shared.items())}
    recall = ceaf_e(Overlap(own, [1] * len(own), other, cells))
    precision = ceaf_e(Overlap(other, [1] * len(other), own, transposed(cells)))
    return (RatioPair(recall, precision),)


def _blanc(groups: dict[Group, int]) -> Components:
    """Count BLANC; a link is a coreference link if any cluster contains it."""
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
    """Count pairs of mentions that share a cluster on all of these sides.

    Mentions in one cluster per side are counted by cluster, the few others one by one.
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
            around = set.intersection(*(side.neighbours(group) for side in clusters))
            links += number * sum(groups[other] for other in around if _is_simple(other))
            others = sum(groups[other] for other in around if not _is_simple(other))
            twice += number * (others - 1)
    return links + twice // 2
