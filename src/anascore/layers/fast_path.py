"""Plain entities, without accommodated sets and repetitions, counted at once.

They come as clusters of Python objects, or as the entities of two documents. Nothing but their
overlap is needed. It is the same overlap as that of normalised entities, and the same metrics count
it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import Any, TypeAlias, TypeVar

from anascore.assignment import Cell
from anascore.errors import MAX_NUMBER
from anascore.formats.objects import FIELDS, is_span
from anascore.layers.counts import (
    DocumentCounts,
    LayerCounts,
    SideNotes,
    ZeroCounts,
    count_shifted,
    count_zeros,
    few_match,
)
from anascore.metrics.mentions import overlap_ratio_of_others, overlap_ratio_of_places
from anascore.metrics.metric import count_plain
from anascore.metrics.overlap import Overlap, Overlaps, plain_overlaps, shared_from_response
from anascore.metrics.scores import MEANS, METRICS
from anascore.model.document import Document
from anascore.model.mention import Mention, Place, place_of
from anascore.model.ratio import Components, shared_score
from anascore.tasks import Request

T = TypeVar("T", bound=Hashable)

CLUSTER_TYPES = frozenset({list, tuple, set, frozenset})
PART_TYPES = frozenset({int, str})
"""Types of mentions, or of the parts of a mention that is a tuple, such as a span."""

SMALL = 12
"""Maximum number of cells in the overlap of a small document."""

MAX_SHAPES = 20_000
"""Maximum number of shapes whose counts are kept."""

Shape: TypeAlias = tuple[Hashable, ...]
"""Sizes of clusters and of their overlap, and the numbers of words if these are counted."""

NO_ZEROS = ZeroCounts(0, 0)


HARMLESS = frozenset(
    {
        *("task", "missing", "bad_documents", "repair", "words"),  # decided before the fast path
        *("split", "lea_importance", "convention"),  # only accommodated sets notice them
        *("repeated_mentions",),  # only such mentions do
        *("zeros", "zero_match"),  # only zeros do
        *("heads",),  # only matching by heads does
        *("singletons",),
    }
)
"""Settings that the fast path handles. Any other that differs from its default needs the general
path, and so do documents with what `can_count` refuses."""


class FastPath:
    """Counts plain entities, if a request asks for nothing but their overlap."""

    def __init__(self, request: Request, *, needs_spans: bool = False) -> None:
        """Choose what is counted; clusters of other mentions than spans can be refused."""
        settings = request.settings
        reported = {*request.reported.get("identity", ()), "mentions"}
        parts = {part for name, mean_of in MEANS.items() if name in reported for part in mean_of}
        self.request = request
        self.settings = settings
        self.metrics = [name for name in METRICS if name in reported | parts]
        self.has_mor = "mor" in reported
        self.needs_spans = needs_spans
        self.is_supported = (
            request.reported.keys() == {"identity"}
            and reported <= {*METRICS, *MEANS, "mentions", "mor"}
            and settings.changed().keys() <= HARMLESS
        )

        self._counts_of_shapes: dict[Shape, DocumentCounts] = {}
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
        key, response = _clusters(key), _clusters(response)
        if key is None or response is None:
            return None
        try:
            own, other = self._counted_clusters(key), self._counted_clusters(response)
            owner = {mention: i for i, cluster in enumerate(own) for mention in cluster}
            mentions = {*chain.from_iterable(other)}
        except Exception:  # noqa: BLE001  a mention cannot be hashed or compared
            return None
        sizes, other_sizes = [*map(len, own)], [*map(len, other)]
        if len(owner) < sum(sizes) or len(mentions) < sum(other_sizes):
            return None
        # Mentions that both sides have are among the key's.
        counted = [*owner, *mentions.difference(owner)]
        if not _are_plain(counted):
            return None
        # A singleton that is not counted shows what mentions are, too.
        singletons = () if self.settings.singletons else chain(*key, *response)
        spans = self.has_mor or self.needs_spans
        spans = spans and _are_spans(counted) and all(map(is_span, singletons))
        if self.needs_spans and not spans:
            return None
        mor = _overlap_ratio(owner.keys(), mentions) if self.has_mor and spans else None
        counts = self._count_overlap(sizes, other_sizes, shared_from_response(owner, other), mor)
        if _few_match(counts) and (spans or _are_spans(counted)):
            places = ([((mention,), ()) for mention in side] for side in (owner, mentions))
            counts = _with_shifted(counts, *places)
        return counts

    def count_pair(self, key: Document, response: Document | None) -> DocumentCounts | None:
        """Count a document of the key and that of a response; None if they are not plain."""
        if response is None or not (self.can_count(key) and self.can_count(response)):
            return None
        own, other = (
            self._counted_clusters([[*map(place_of, e)] for e in map(_MENTIONS, d.entities)])
            for d in (key, response)
        )
        owner = {mention: i for i, entity in enumerate(own) for mention in entity}
        mentions = {*chain.from_iterable(other)}
        sizes, other_sizes = [*map(len, own)], [*map(len, other)]
        if len(owner) < sum(sizes) or len(mentions) < sum(other_sizes):
            return None
        mor = overlap_ratio_of_places({*owner}, mentions) if self.has_mor else None
        counts = self._count_overlap(sizes, other_sizes, shared_from_response(owner, other), mor)
        if _few_match(counts):
            counts = _with_shifted(counts, owner.keys(), mentions)
        if not (key.notes or response.notes or key.zeros or response.zeros or response.repairs):
            return counts
        notes = ({name: n for name, n in d.notes.items() if n} for d in (key, response))
        layer = replace(counts.layers["identity"], notes=SideNotes(*notes))
        zeros = count_zeros(key), count_zeros(response)
        return DocumentCounts({"identity": layer}, *zeros, response.repairs)

    def can_count(self, document: Document) -> bool:
        """Return True if a document has no sets, and no mentions that are zeros or left out."""
        settings = self.settings
        if not self.is_supported:
            return False
        if any(map(_ELEMENTS, document.entities)) or (
            settings.convention == "ua" and any(map(_NONREFERRING, document.entities))
        ):
            return False
        return not document.zeros or (
            (settings.zeros, settings.zero_match) == ("keep", "linear")
            and not any(m.zeros and m.is_zero for e in document.entities for m in e.mentions)
        )

    def _counted_clusters(self, clusters: Collection[Collection[T]]) -> list[Collection[T]]:
        """Return the clusters that count: not those without mentions, and singletons if excluded.

        Clusters that repeat mentions are all returned.
        """
        if self.settings.singletons or len({*chain.from_iterable(clusters)}) < sum(
            map(len, clusters)
        ):
            return [cluster for cluster in clusters if cluster]
        return [cluster for cluster in clusters if len(cluster) > 1]

    def _count_overlap(
        self,
        own: list[int],
        other: list[int],
        back: dict[Cell, int],
        mor: Components | None,
    ) -> DocumentCounts:
        """Count clusters of these sizes, given their overlap from the response and perhaps MOR."""
        if len(back) > SMALL:
            counts = self._count(_overlaps(own, other, back))
            return _with_mor(counts, mor) if mor else counts
        shape = (*own, 0, *other, 0, *chain.from_iterable(back), 0, *back.values())
        counts = self._kept(shape, lambda: self._count(_overlaps(own, other, back)))
        if mor is None:
            return counts
        (pair,) = mor
        words = pair.recall.part, pair.recall.whole, pair.precision.whole
        return self._kept((shape, *words), lambda: _with_mor(counts, mor))

    def _kept(self, shape: Shape, count: Callable[[], DocumentCounts]) -> DocumentCounts:
        """Return the counts that are kept for a shape; else count, and keep the counts."""
        counts = self._counts_of_shapes.get(shape)
        if counts is None:
            counts = count()
            if len(self._counts_of_shapes) < MAX_SHAPES:
                self._counts_of_shapes[shape] = counts
        return counts

    def __reduce__(self) -> tuple[Callable[..., FastPath], tuple[Request]]:
        return partial(FastPath, needs_spans=self.needs_spans), (self.request,)

    def _count(self, overlaps: Overlaps) -> DocumentCounts:
        """Count the scores to report; mention detection is always among them."""
        own, other = overlaps.from_key.own, overlaps.from_response.own
        mentions, other_mentions = sum(own), sum(other)
        matched = sum(overlaps.from_key.shared.values())
        counts = {name: count_plain(METRICS[name], overlaps) for name in self.metrics}
        scores: dict[str, Components] = {name: count.scores for name, count in counts.items()}
        scores["mentions"] = shared_score(matched, mentions, other_mentions)
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


_ELEMENTS, _MENTIONS = attrgetter("elements"), attrgetter("mentions")
_NONREFERRING = attrgetter("nonreferring")


def _with_mor(counts: DocumentCounts, mor: Components) -> DocumentCounts:
    """Return counts with a mention overlap ratio."""
    layer = counts.layers["identity"]
    scores = {**layer.scores, "mor": mor}
    return replace(counts, layers={"identity": replace(layer, scores=scores)})


def _few_match(counts: DocumentCounts) -> bool:
    layer = counts.layers["identity"]
    return few_match(layer.matching["exactly"], layer.key["mentions"], layer.response["mentions"])


def _with_shifted(
    counts: DocumentCounts, key: Collection[Place], response: Collection[Place]
) -> DocumentCounts:
    """Return counts with those of mentions whose ends are shifted."""
    layer = replace(counts.layers["identity"], shifted=count_shifted(key, response))
    return replace(counts, layers={"identity": layer})


def without_mor(counts: DocumentCounts) -> DocumentCounts:
    """Return counts without mention overlap ratio."""
    layer = counts.layers["identity"]
    scores = {name: rows for name, rows in layer.scores.items() if name != "mor"}
    return replace(counts, layers={"identity": replace(layer, scores=scores)})


def _clusters(value: Any) -> Collection[Collection[Any]] | None:
    """Return a list of lists, or the like, whose mentions are no lists; None if it is another."""
    if type(value) not in CLUSTER_TYPES or not {*map(type, value)} <= CLUSTER_TYPES:
        return None
    has_lists = list in {*map(type, chain.from_iterable(value))}
    return _with_tuples(value) if has_lists else value


def _with_tuples(clusters: Collection[Collection[Any]]) -> list[list[Any]] | None:
    """Return clusters whose mentions are tuples instead of lists of numbers; None if others are."""
    mentions = [*chain.from_iterable(clusters)]
    lists = [mention for mention in mentions if type(mention) is list]
    are_numbers = {*map(type, chain.from_iterable(lists))} == {int} and min(map(len, lists)) > 1
    if not are_numbers or {*map(type, mentions)} - {list, tuple}:
        return None
    return [[*map(tuple, cluster)] for cluster in clusters]


def _are_plain(mentions: Collection[Any]) -> bool:
    """Return True if mentions are all numbers, all strings, or all spans and the like."""
    types = {*map(type, mentions)}
    if types == {tuple}:
        return {*map(type, chain.from_iterable(mentions))} <= PART_TYPES
    return len(types) < 2 and types <= PART_TYPES


def _are_spans(mentions: Collection[Any]) -> bool:
    """Return True if `is_span` does for all plain mentions."""
    if {*map(type, mentions)} != {tuple} or {*map(len, mentions)} != {2}:
        return not mentions
    if {*map(type, chain.from_iterable(mentions))} != {int}:
        return False
    return all(0 <= first <= last <= MAX_NUMBER for first, last in mentions)


def _overlap_ratio(key: AbstractSet[Any], response: AbstractSet[Any]) -> Components:
    """MOR of spans with inclusive ends, of which few differ."""
    identical = sum([last - first + 1 for first, last in key & response])
    key_only, response_only = (
        [Mention(((first, last + 1),)) for first, last in rest]
        for rest in (key - response, response - key)
    )
    return overlap_ratio_of_others(identical, key_only, response_only)


def _overlaps(own: list[int], other: list[int], back: dict[Cell, int]) -> Overlaps:
    """Return the overlap of clusters from both sides, given that from the response."""
    return plain_overlaps(Overlap(own, [1] * len(own), (), {}), other, back)


def _sizes(mentions: int, entities: int) -> dict[str, int]:
    return {"documents": 1, "mentions": mentions, "entities": entities, "accommodated_sets": 0}
