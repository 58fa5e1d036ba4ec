"""The evaluator that resolvers copy from each other, written anew from the formulas.

It takes clusters as lists of tuples and computes MUC, B³ and CEAF-E, document by document. CEAF-E
fills a dense matrix and calls SciPy, as the copies do. Singletons count in B³ and CEAF-E.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from typing import TypeAlias

import numpy as np
from scipy.optimize import linear_sum_assignment

Cluster: TypeAlias = tuple[Hashable, ...]
Owners: TypeAlias = dict[Hashable, Cluster]
Metric: TypeAlias = Callable[[Sequence[Cluster], Owners], tuple[float, float]]


class CopiedEvaluator:
    """Sums of one metric over documents."""

    def __init__(self) -> None:
        """Begin with no documents."""
        self.sums = {name: [0.0, 0.0, 0.0, 0.0] for name in ("muc", "b3", "ceafe")}

    def update(self, predicted: Sequence[Cluster], gold: Sequence[Cluster]) -> None:
        """Add a document."""
        gold_of = {mention: cluster for cluster in gold for mention in cluster}
        predicted_of = {mention: cluster for cluster in predicted for mention in cluster}
        for name, metric in (("muc", muc), ("b3", b_cubed)):
            precision = metric(predicted, gold_of)
            recall = metric(gold, predicted_of)
            for position, number in enumerate((*recall, *precision)):
                self.sums[name][position] += number
        similarity = ceaf_e(predicted, gold)
        for position, number in enumerate((similarity, len(gold), similarity, len(predicted))):
            self.sums["ceafe"][position] += number

    def conll(self) -> float:
        """Return the mean F1."""
        return sum(map(_f1, self.sums.values())) / len(self.sums)


def _f1(sums: Sequence[float]) -> float:
    recall = sums[0] / sums[1] if sums[1] else 0.0
    precision = sums[2] / sums[3] if sums[3] else 0.0
    return 2 * recall * precision / (recall + precision) if recall + precision else 0.0


def muc(clusters: Sequence[Cluster], other_of: Owners) -> tuple[float, float]:
    """Return the links found and all links of clusters."""
    found, links = 0, 0
    for cluster in clusters:
        parts = set()
        alone = 0
        for mention in cluster:
            if mention in other_of:
                parts.add(other_of[mention])
            else:
                alone += 1
        found += len(cluster) - len(parts) - alone
        links += len(cluster) - 1
    return found, links


def b_cubed(clusters: Sequence[Cluster], other_of: Owners) -> tuple[float, float]:
    """Return the sum of shares found, and the number of mentions."""
    found, mentions = 0.0, 0
    for cluster in clusters:
        others: Counter[Cluster] = Counter()
        for mention in cluster:
            if mention in other_of:
                others[other_of[mention]] += 1
        found += sum(count * count for count in others.values()) / len(cluster)
        mentions += len(cluster)
    return found, mentions


def ceaf_e(clusters: Sequence[Cluster], gold: Sequence[Cluster]) -> float:
    """Return the largest sum of similarities of clusters that are aligned one to one."""
    scores = np.zeros((len(gold), len(clusters)))
    for i, own in enumerate(gold):
        for j, other in enumerate(clusters):
            common = len([mention for mention in own if mention in other])
            scores[i, j] = 2 * common / (len(own) + len(other))
    rows, columns = linear_sum_assignment(-scores)
    return float(scores[rows, columns].sum())
