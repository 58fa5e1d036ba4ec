"""The formulas of e2e-coref's evaluator, which AllenNLP shares, and of coval's, faults included.

Written anew in their most literal form, and as slow as that is: every one-to-one map of clusters is
tried out. They share nothing with the library.
"""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import permutations

Cluster = tuple[Hashable, ...]
Side = Sequence[Cluster]
Counts = tuple[Fraction, Fraction, Fraction, Fraction]
"""Numerator and denominator of precision, then those of recall."""

Metric = Callable[[Side, Side], Counts]


def cluster_of(side: Side) -> dict[Hashable, Cluster]:
    """The cluster of each mention: the last one, if there are several."""
    return {mention: cluster for cluster in side for mention in cluster}


def both_ways(count: Callable[[Side, Side], tuple[Fraction, Fraction]]) -> Metric:
    return lambda predicted, gold: (*count(predicted, gold), *count(gold, predicted))


def links(own: Side, other: Side) -> tuple[Fraction, Fraction]:
    """MUC: the links that are left when each cluster is partitioned by the other side."""
    right = total = 0
    owner = cluster_of(other)
    for cluster in own:
        parts = {owner[mention] for mention in cluster if mention in owner}
        alone = sum(mention not in owner for mention in cluster)
        right += len(cluster) - len(parts) - alone
        total += len(cluster) - 1
    return Fraction(right), Fraction(total)


def squares(own: Side, other: Side) -> tuple[Fraction, Fraction]:
    """B³ over all clusters, as in coval."""
    right, total = Fraction(0), 0
    owner = cluster_of(other)
    for cluster in own:
        owners = [owner[mention] for mention in cluster if mention in owner]
        right += Fraction(sum(owners.count(one) ** 2 for one in {*owners}), len(cluster))
        total += len(cluster)
    return right, Fraction(total)


def squares_without_singletons(own: Side, other: Side) -> tuple[Fraction, Fraction]:
    """B³ of e2e-coref: clusters of length 1 are skipped, and earn nothing on the other side."""
    right, total = Fraction(0), 0
    owner = cluster_of(other)
    for cluster in own:
        if len(cluster) == 1:
            continue
        owners = [owner[mention] for mention in cluster if mention in owner]
        counted = {one for one in owners if len(one) != 1}
        right += Fraction(sum(owners.count(one) ** 2 for one in counted), len(cluster))
        total += len(cluster)
    return right, Fraction(total)


def entity_links(own: Side, other: Side) -> tuple[Fraction, Fraction]:
    """LEA of coval: the share of a cluster's links, times its size; singletons have one."""
    right, total = Fraction(0), 0
    owner = cluster_of(other)
    for cluster in own:
        total += len(cluster)
        if len(cluster) == 1:
            right += len(owner.get(cluster[0], ())) == 1
            continue
        found = sum(
            a in owner and b in owner and owner[a] == owner[b]
            for position, a in enumerate(cluster)
            for b in cluster[position + 1 :]
        )
        right += Fraction(len(cluster) * found * 2, len(cluster) * (len(cluster) - 1))
    return right, Fraction(total)


def mentions(predicted: Side, gold: Side) -> Counts:
    """Mentions that both sides have, as sets."""
    sides = {*cluster_of(predicted)}, {*cluster_of(gold)}
    right = Fraction(len(sides[0] & sides[1]))
    return right, Fraction(len(sides[0])), right, Fraction(len(sides[1]))


def best_sum(
    predicted: Side, gold: Side, similarity: Callable[[Cluster, Cluster], Fraction]
) -> Fraction:
    """The largest sum of similarities of gold and predicted clusters over all one-to-one maps."""
    empty: list[Cluster] = [()] * max(len(gold), len(predicted))
    sides = [*gold, *empty][: len(empty)], [*predicted, *empty][: len(empty)]
    table = [[similarity(a, b) if a and b else Fraction(0) for b in sides[1]] for a in sides[0]]
    return max(
        sum((row[column] for row, column in zip(table, columns, strict=True)), Fraction(0))
        for columns in permutations(range(len(empty)))
    )


def phi4(gold: Cluster, predicted: Cluster) -> Fraction:
    """Mentions of a gold cluster that are predicted, by length: a repeated one counts again."""
    common = sum(mention in predicted for mention in gold)
    return Fraction(2 * common, len(gold) + len(predicted))


def ceafe(predicted: Side, gold: Side) -> Counts:
    """CEAF-E over all clusters, as in coval."""
    right = best_sum(predicted, gold, phi4)
    return right, Fraction(len(predicted)), right, Fraction(len(gold))


def ceafe_without_predicted_singletons(predicted: Side, gold: Side) -> Counts:
    """CEAF-E of e2e-coref: clusters of length 1 are left out of one side only."""
    return ceafe([cluster for cluster in predicted if len(cluster) != 1], gold)


def ceafm(predicted: Side, gold: Side) -> Counts:
    right = best_sum(predicted, gold, lambda a, b: Fraction(len({*a} & {*b})))
    return right, Fraction(sum(map(len, predicted))), right, Fraction(sum(map(len, gold)))


E2E: dict[str, Metric] = {
    "muc": both_ways(links),
    "b3": both_ways(squares_without_singletons),
    "ceafe": ceafe_without_predicted_singletons,
}
COVAL: dict[str, Metric] = {
    "mentions": mentions,
    "muc": both_ways(links),
    "b_cubed": both_ways(squares),
    "ceafe": ceafe,
    "ceafm": ceafm,
    "lea": both_ways(entity_links),
}


class CopiedMetric:
    """Sums of one metric over documents; undefined values are 0."""

    def __init__(self, metric: Metric, beta: float = 1) -> None:
        self.metric = metric
        self.beta = beta
        self.counts = [Fraction(0)] * 4

    def update(self, predicted: Side, gold: Side) -> None:
        added = self.metric(predicted, gold)
        self.counts = [a + b for a, b in zip(self.counts, added, strict=True)]

    def prf(self) -> tuple[float, float, float]:
        right, of_predicted, found, of_gold = map(float, self.counts)
        precision = right / of_predicted if of_predicted else 0.0
        recall = found / of_gold if of_gold else 0.0
        if precision + recall == 0:
            return precision, recall, 0.0
        weight = self.beta * self.beta
        f_score = (1 + weight) * precision * recall / (weight * precision + recall)
        return precision, recall, f_score


class CopiedEvaluator:
    """The means of MUC, B³ and CEAF-E of e2e-coref."""

    def __init__(self) -> None:
        self.metrics = [CopiedMetric(metric) for metric in E2E.values()]

    def update(self, predicted: Side, gold: Side) -> None:
        for metric in self.metrics:
            metric.update(predicted, gold)

    def prf(self) -> tuple[float, ...]:
        columns = zip(*(metric.prf() for metric in self.metrics), strict=True)
        return tuple(sum(column) / 3 for column in columns)


def linked_spans(
    spans: Sequence[Hashable], antecedents: Sequence[int | None]
) -> list[list[Hashable]]:
    """Clusters of AllenNLP: a span joins its antecedent, twice if it is its own."""
    clusters: list[list[Hashable]] = []
    for position, antecedent in enumerate(antecedents):
        if antecedent is None:
            continue
        for cluster in clusters:
            if spans[antecedent] in cluster:
                break
        else:
            cluster = [spans[antecedent]]
            clusters.append(cluster)
        cluster.append(spans[position])
    return clusters
