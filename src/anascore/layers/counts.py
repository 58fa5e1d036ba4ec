"""Counts of documents, layer by layer, and their sums."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter, eq
from typing import NamedTuple, TypeAlias

from anascore.errors import Repair
from anascore.matching import Matched, MentionSource
from anascore.model.document import Document
from anascore.model.mention import Mention, Place, place_of
from anascore.model.ratio import Components, add_pairs
from anascore.settings import LayerName

Sizes: TypeAlias = dict[str, int]
"""Numbers of mentions, entities and the like, by name."""

CountsByScore: TypeAlias = Mapping[str, Components]
"""Counts by score name."""


class SideNotes(NamedTuple):
    """Notes on key and response about what can change a score, each with a number."""

    key: Mapping[str, int]
    response: Mapping[str, int]

    @property
    def texts(self) -> tuple[str, ...]:
        """The notes in words, the key's first."""
        sides = zip(self._fields, self, strict=True)
        return tuple(
            f"{side}: {note}: {number}" for side, notes in sides for note, number in notes.items()
        )


NO_NOTES = SideNotes({}, {})


@dataclass(frozen=True, slots=True)
class LayerCounts:
    """A layer's counts in one or more documents."""

    key: Sizes
    response: Sizes
    matching: Sizes
    """Numbers of mentions that match exactly, partly, as zeros, or not at all."""

    scores: CountsByScore
    split_only: CountsByScore = field(default_factory=dict)
    """Counts over accommodated sets alone."""

    by_relation: Mapping[str, CountsByScore] = field(default_factory=dict)
    """Counts by relation (set, result)."""

    classes: Mapping[str, CountsByScore] = field(default_factory=dict)
    """Counts by class: bridging relations, types of non-referring mentions."""

    breakdown: Mapping[str, Mapping[str, CountsByScore]] = field(default_factory=dict)
    """Counts by mention class, for each breakdown."""

    shifted: Sizes = field(default_factory=dict, compare=False)
    """Numbers of response mentions that would match if all ends were shifted, by name of the
    shift; counted only if few mentions match."""

    notes: SideNotes = field(default=NO_NOTES, compare=False)

    def __reduce__(self) -> tuple[type[LayerCounts], tuple[object, ...]]:
        # Far faster than the way in which data classes with slots are pickled.
        return LayerCounts, _LAYER_FIELDS(self)


_LAYER_FIELDS = attrgetter(*(one.name for one in fields(LayerCounts)))


class ZeroCounts(NamedTuple):
    """Zeros on one side of a document."""

    in_text: int
    mentions: int
    """Mentions with a zero, in entities."""


def count_zeros(document: Document | None) -> ZeroCounts:
    """Count a document's zeros, and the mentions that contain one."""
    if document is None or not document.zeros:
        return ZeroCounts(0, 0)
    mentions = (mention for entity in document.entities for mention in entity.mentions)
    return ZeroCounts(len(document.zeros), sum(bool(mention.zeros) for mention in mentions))


@dataclass(frozen=True, slots=True)
class DocumentCounts:
    """Counts of one document: everything that a result stores about it."""

    layers: Mapping[LayerName, LayerCounts]
    key_zeros: ZeroCounts
    response_zeros: ZeroCounts
    repairs: tuple[Repair, ...] = ()
    """Repairs of the response."""

    def __reduce__(self) -> tuple[type[DocumentCounts], tuple[object, ...]]:
        return DocumentCounts, (self.layers, self.key_zeros, self.response_zeros, self.repairs)


def count_matched(
    key: MentionSource,
    response: MentionSource,
    pairs: Matched,
    sizes: tuple[int, int],
    *,
    identical: bool = False,
) -> Sizes:
    """Count mentions by kind of match, given the number on each side.

    `identical` promises, without a check, that all pairs cover the same words and zeros.
    """
    ours, theirs = key.mentions, response.mentions
    zeros = []
    if any(mention.zeros for mention in ours):
        zeros = [(k, r) for k, r in pairs if ours[k].is_zero and theirs[r].is_zero]
    exactly = len(pairs) - len(zeros)
    if not identical:
        exactly = _count_identical(ours, theirs, pairs) - _count_identical(ours, theirs, zeros)
    return {
        "exactly": exactly,
        "partly": len(pairs) - exactly - len(zeros),
        "as_zeros": len(zeros),
        "missing": sizes[0] - len(pairs),
        "spurious": sizes[1] - len(pairs),
    }


def _count_identical(key: Sequence[Mention], response: Sequence[Mention], pairs: Matched) -> int:
    own = map(place_of, [key[k] for k, _ in pairs])
    other = map(place_of, [response[r] for _, r in pairs])
    return sum(map(eq, own, other))


SHIFTS = {"less": -1, "more": 1}
"""How span ends change if a writer uses another convention."""


def few_match(exactly: int, key: int, response: int) -> bool:
    """Test whether fewer than half of the smaller side's mentions match."""
    return 2 * exactly < min(key, response)


def count_shifted(key: Collection[Place], response: Collection[Place]) -> Sizes:
    """Count the response mentions that would match if all ends were one less or one more."""
    places = {*key}
    counts = {
        name: sum(_shifted(place, shift) in places for place in response)
        for name, shift in SHIFTS.items()
    }
    return {name: number for name, number in counts.items() if number}


def _shifted(place: Place, shift: int) -> Place:
    words, zeros = place
    return tuple((start, end + shift) for start, end in words), zeros


def add_sizes(sizes: Iterable[Mapping[str, int]]) -> Sizes:
    """Add up numbers by name."""
    total: Sizes = {}
    for size in sizes:
        for name, number in size.items():
            total[name] = total.get(name, 0) + number
    return total


def add_rows(counted: Iterable[CountsByScore]) -> dict[str, Components]:
    """Add up counts by score and component."""
    listed = list(counted)
    if len(listed) == 1:
        return {**listed[0]}
    rows: dict[str, list[Components]] = {}
    for scores in listed:
        for name, components in scores.items():
            rows.setdefault(name, []).append(components)
    return {
        name: tuple(add_pairs(component) for component in zip(*components, strict=True))
        for name, components in rows.items()
    }


def add_up(counted: Iterable[LayerCounts]) -> LayerCounts:
    """Add up the counts of several documents."""
    documents = list(counted)
    return LayerCounts(
        key=add_sizes(document.key for document in documents),
        response=add_sizes(document.response for document in documents),
        matching=add_sizes(document.matching for document in documents),
        scores=add_rows(document.scores for document in documents),
        split_only=add_rows(document.split_only for document in documents),
        by_relation=_add_classes([document.by_relation for document in documents]),
        classes=_add_classes([document.classes for document in documents]),
        breakdown={
            name: _add_classes([document.breakdown[name] for document in documents])
            for name in documents[0].breakdown
        },
        shifted=add_sizes(document.shifted for document in documents),
        notes=add_notes(document.notes for document in documents),
    )


def add_notes(notes: Iterable[SideNotes]) -> SideNotes:
    """Add up notes, side by side."""
    key, response = zip(*notes, strict=True)
    return SideNotes(add_sizes(key), add_sizes(response))


def _add_classes(counted: Sequence[Mapping[str, CountsByScore]]) -> dict[str, CountsByScore]:
    names = {name for classes in counted for name in classes}
    return {name: add_rows(of[name] for of in counted if name in of) for name in sorted(names)}


def add_zeros(zeros: Iterable[ZeroCounts]) -> ZeroCounts:
    """Add up the zeros of several documents."""
    return ZeroCounts(*map(sum, zip(*zeros, strict=True)))
