"""Plain clusters: lists of mentions without words, sets or repetitions, counted at once.

Nothing but the overlap of clusters is needed. It is the same overlap as that of documents made of
the clusters, and the same metrics count it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import chain, repeat
from typing import Any

from anascore.assignment import Cell, transposed
from anascore.formats.objects import FIELDS
from anascore.layers.counts import DocumentCounts, LayerCounts, ZeroCounts
from anascore.metrics import MEANS, METRICS
from anascore.metrics.compare import count_metric
from anascore.metrics.overlap import Overlap, Tables
from anascore.model.ratio import Components, shared_score
from anascore.tasks import Request

CLUSTER_TYPES = frozenset({list, tuple, set, frozenset})
OF_MENTIONS = ("mentions", "mor")
"""Scores of mentions, which are the same if mentions match exactly or not at all."""

PART_TYPES = frozenset({int, str})
"""Types of mentions, or of the parts of a mention that is a tuple, such as a span."""

NOWHERE = repeat(-1)
"""In place of the key's cluster, for mentions that the key does not have."""

SMALL = 12
"""Maximum number of cells in the overlap of a small document."""

MAX_SHAPES = 20_000
"""Maximum number of shapes whose counts are kept."""

NO_ZEROS = ZeroCounts(0, 0)


class PlainCounter:
    """Counts plain clusters, if a request asks for nothing but their overlap."""

    def __init__(self, request: Request) -> None:
        """Choose what is counted."""
        settings = request.settings
        reported = {*request.reported.get("identity", ()), "mentions"}
        parts = {part for name, mean_of in MEANS.items() if name in reported for part in mean_of}
        self.request = request
        self.settings = settings
        self.metrics = [name for name in METRICS if name in reported | parts]
        self.of_mentions = [name for name in OF_MENTIONS if name in reported]
        self.is_supported = (
            request.reported.keys() == {"identity"}
            and reported <= {*METRICS, *MEANS, *OF_MENTIONS}
            and settings.match == "exact"
            and settings.docs == "all"
            and not (settings.window or settings.across)
            and not (settings.by or settings.anaphors or settings.np_only)
        )

        self._counts_of_shapes: dict[tuple[int, ...], DocumentCounts] = {}
        """Counts of small documents by the shape of their overlap, which many have in common."""

    def count_documents(
        self, key: Any, response: Any, name: str
    ) -> dict[str, DocumentCounts] | None:
        """Count one document of clusters, or several by name; None if one of them is not plain."""
        if not self.is_supported:
            return None
        if not isinstance(key, Mapping):
            counts = self.count(key, response)
            return None if counts is None else {name: counts}
        if not isinstance(response, Mapping) or key.keys() != response.keys():
            return None
        if {*map(type, key)} != {str} or any(field in key for field in FIELDS):
            return None
        counted = {}
        for document, clusters in key.items():
            counts = self.count(clusters, response[document])
            if counts is None:
                return None
            counted[document] = counts
        return counted

    def count(self, key: Any, response: Any) -> DocumentCounts | None:
        """Count the clusters of one document; None if they are not plain."""
        if not (_are_clusters(key) and _are_clusters(response)):
            return None
        least = 1 if self.settings.singletons else 2
        own, other = ([c for c in side if len(c) >= least] for side in (key, response))
        try:
            owner = {mention: i for i, cluster in enumerate(own) for mention in cluster}
            mentions = {*chain.from_iterable(other)}
        except TypeError:
            # A mention cannot be hashed.
            return None
        sizes, other_sizes = [*map(len, own)], [*map(len, other)]
        if len(owner) < sum(sizes) or len(mentions) < sum(other_sizes):
            return None
        # Mentions that both sides have are among the key's.
        if not _are_plain(chain(owner, mentions.difference(owner))):
            return None
        back: dict[Cell, int] = {}
        for j, cluster in enumerate(other):
            in_common: dict[int, int] = {}
            for i in map(owner.get, cluster, NOWHERE):
                in_common[i] = in_common.get(i, 0) + 1
            in_common.pop(-1, None)
            for i, n in in_common.items():
                back[j, i] = n
        return self._count_overlap(sizes, other_sizes, back)

    def _count_overlap(
        self, own: list[int], other: list[int], back: dict[Cell, int]
    ) -> DocumentCounts:
        """Count clusters of these sizes, given their overlap from the response."""
        if len(back) > SMALL:
            return self._count(_tables(own, other, back))
        shape = (*own, 0, *other, 0, *chain.from_iterable(back), 0, *back.values())
        counts = self._counts_of_shapes.get(shape)
        if counts is None:
            counts = self._count(_tables(own, other, back))
            if len(self._counts_of_shapes) < MAX_SHAPES:
                self._counts_of_shapes[shape] = counts
        return counts

    def __reduce__(self) -> tuple[type[PlainCounter], tuple[Request]]:
        return PlainCounter, (self.request,)

    def _count(self, tables: Tables) -> DocumentCounts:
        """Count the scores to report; mention detection is always among them."""
        own, other = tables.from_key.own, tables.from_response.own
        mentions, other_mentions = sum(own), sum(other)
        matched = sum(tables.from_key.shared.values())
        counts = {name: count_metric(METRICS[name], tables, self.settings) for name in self.metrics}
        of_mentions = shared_score(matched, mentions, other_mentions)
        scores: dict[str, Components] = {name: count.scores for name, count in counts.items()}
        scores |= dict.fromkeys(self.of_mentions, of_mentions)
        layer = LayerCounts(
            key=_sizes(mentions, len(own)),
            response=_sizes(other_mentions, len(other)),
            matching={
                "exactly": matched,
                "partly": 0,
                "as_zeros": 0,
                "missing": mentions - matched,
                "spurious": other_mentions - matched,
            },
            scores=scores,
            split_only={
                name: count.split_only
                for name, count in counts.items()
                if count.split_only is not None
            },
        )
        return DocumentCounts({"identity": layer}, NO_ZEROS, NO_ZEROS)


def _are_clusters(value: Any) -> bool:
    """Return True if a value is a list of lists, or the like."""
    return type(value) in CLUSTER_TYPES and {*map(type, value)} <= CLUSTER_TYPES


def _are_plain(mentions: Iterable[Any]) -> bool:
    """Return True if mentions are all numbers, all strings, or all spans and the like."""
    listed = list(mentions)
    types = {*map(type, listed)}
    if types == {tuple}:
        return {*map(type, chain.from_iterable(listed))} <= PART_TYPES
    return len(types) < 2 and types <= PART_TYPES


def _tables(own: list[int], other: list[int], back: dict[Cell, int]) -> Tables:
    """Return the overlap of clusters from both sides, given that from the response."""
    return Tables(
        from_key=Overlap(own, [1] * len(own), other, transposed(back)),
        from_response=Overlap(other, [1] * len(other), own, back),
        key_sets={},
        response_sets={},
        key_relations={},
        response_relations={},
        pairs_of_sets={},
        response_first=False,
    )


def _sizes(mentions: int, entities: int) -> dict[str, int]:
    return {"documents": 1, "mentions": mentions, "entities": entities, "accommodated_sets": 0}
