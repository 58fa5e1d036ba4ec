"""Breakdowns that `--by` selects: dimensions, their classes and bins."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from anascore.entities.anaphor_classes import (
    PRONOUN_TAGS,
    EntityLayer,
    MentionAttributes,
    column_values,
    described_mentions,
)
from anascore.entities.normalisation import REPEATED, REPEATED_IN_ALL
from anascore.entities.side import Side
from anascore.entities.word_numbers import word_numbers
from anascore.model.document import Entity
from anascore.model.mention import Mention, Place, place_of
from anascore.settings import Settings


class Bin(NamedTuple):
    """A range of integers, including both ends."""

    low: int
    high: int | None
    """None if the range is open."""

    def __contains__(self, number: object) -> bool:
        return (
            isinstance(number, int)
            and self.low <= number
            and (self.high is None or number <= self.high)
        )

    def __str__(self) -> str:
        if self.high is None:
            return f"{self.low} or more"
        return str(self.low) if self.low == self.high else f"{self.low} to {self.high}"


def bins(*starts: int) -> tuple[Bin, ...]:
    """Make bins that start with these numbers; each ends before the next, and the last is open.

    >>> [str(bin) for bin in bins(1, 2, 3, 6)]
    ['1', '2', '3 to 5', '6 or more']
    """
    ends = [start - 1 for start in starts[1:]]
    return tuple(Bin(*limits) for limits in zip(starts, [*ends, None], strict=True))


@lru_cache(maxsize=1024)
def bin_of(number: int, choices: tuple[Bin, ...]) -> str:
    """Name the bin that contains a number."""
    return next(str(choice) for choice in choices if number in choice)


ENTITY_SIZES = bins(1, 2, 3, 6, 11)
"""Bins for entities by number of mentions."""


Classify: TypeAlias = Callable[[Side, EntityLayer, EntityLayer, Settings], Iterable[str]]
"""Returns the class of each mention of a side, given the own layer and the key's; "" if unknown."""

SINGLETON = "singleton"
UNKNOWN = "unknown"
OTHER = "other"

FIRST, SPLIT, NEAR = "first mention", "split antecedents", "same sentence"
DISTANCES = bins(1, 2, 3, 6, 11)
ALONE = "one mention"
RANGES = bins(0, 51, 201, 501, 1001, 5001, 20001)
DOCUMENT_LENGTHS = bins(0, 251, 501, 1001, 2001, 5001)

PARTS_OF_SPEECH = {
    "UPOS": {
        **dict.fromkeys(PRONOUN_TAGS["UPOS"], "pronoun"),
        "PROPN": "proper",
        "NOUN": "nominal",
    },
    "XPOS": {
        **dict.fromkeys(PRONOUN_TAGS["XPOS"], "pronoun"),
        **dict.fromkeys(("NNP", "NNPS"), "proper"),
        **dict.fromkeys(("NN", "NNS"), "nominal"),
    },
}
"""Mention type by the tag of the head. The first column with values is used."""

ENTITY_TYPES = ("etype", "semtype")
"""Attributes that contain an entity's type, in lower case."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """A dimension by which scores can be broken down."""

    label: str
    classify: Classify
    classes: tuple[str, ...] = ()
    """Classes in report order; all others follow."""

    of_documents: bool = False
    """True if all mentions of a document belong to the same class."""

    said_in_key: bool = False
    """True if a response mention of unknown class takes the class of its counterpart."""

    def in_order(self, classes: Iterable[str]) -> list[str]:
        """Sort classes for reports."""
        order = {name: number for number, name in enumerate(self.classes)}
        last = {OTHER: 1, UNKNOWN: 2}
        return sorted(classes, key=lambda c: (order.get(c, len(order)), last.get(c, 0), c))


def dimension(choice: str) -> Dimension:
    """Look up a choice in Settings.by: a name, or a name with a pattern."""
    name, _, pattern = choice.partition("=")
    if not pattern:
        return DIMENSIONS[name]
    return Dimension(name, _by_pattern(re.compile(pattern)), of_documents=True)


def classes_of(
    side: Side, own: EntityLayer, key: EntityLayer, settings: Settings
) -> dict[str, tuple[str, ...]]:
    """Classify all mentions of a side by every choice in Settings.by."""
    return {
        choice: tuple(dimension(choice).classify(side, own, key, settings))
        for choice in settings.by
    }


def _lengths(side: Side, *_: object) -> Iterator[str]:
    """Yield the size of each mention's entity; an accommodated set counts as one more mention."""
    for entity in side.entities:
        length = len(entity.mentions) + bool(entity.elements)
        name = SINGLETON if length == 1 else bin_of(length, ENTITY_SIZES)
        yield from [name] * len(entity.mentions)


def _mention_types(side: Side, own: EntityLayer, key: EntityLayer, _: Settings) -> Iterator[str]:
    """Yield each mention's type, according to the part of speech of its head."""
    for column in PARTS_OF_SPEECH:
        tags = column_values(own.document, key.document, [column], only_words=True)[column]
        if tags:
            break
    types = PARTS_OF_SPEECH[column]
    for mention in side.mentions:
        if mention.is_zero:
            yield "zero"
            continue
        head = mention.head
        tag = None if head is None else tags.get(head)
        yield "" if tag is None else types.get(tag, OTHER)


def _entity_types(
    side: Side, own: EntityLayer, _: EntityLayer, settings: Settings
) -> Iterator[str]:
    """Yield each mention's annotated type, or that of the first typed mention in its entity."""
    # Most mentions have attributes of the same names.
    holders: dict[tuple[str, ...], str | None] = {}
    attributes = _attributes_in_order(side, own, settings)
    for entity in side.entities:
        types = []
        for values in attributes(entity):
            names = (*values,)
            if names not in holders:
                holders[names] = _holder_of_type(names)
            holder = holders[names]
            types.append("" if holder is None else values[holder])
        default = next(filter(None, types), "")
        yield from (entity_type or default for entity_type in types)


def _attributes_in_order(
    side: Side, own: EntityLayer, settings: Settings
) -> Callable[[Entity[Mention]], Iterable[MentionAttributes]]:
    """Make a function that looks up the attributes of an entity's mentions."""
    named = {entity.name: entity for entity in own.entities}
    is_unique = len(named) == len(own.entities) and not any(
        side.notes.get(note) for note in (REPEATED, REPEATED_IN_ALL)
    )
    by_entity: dict[tuple[str, Place], MentionAttributes] = {}
    # Equal sets are merged, so some mentions come from an entity of another name.
    by_place: dict[Place, MentionAttributes] = {}

    def attributes(entity: Entity[Mention]) -> Iterable[MentionAttributes]:
        if is_unique and entity.attributes:
            return entity.attributes
        places = [*map(place_of, entity.mentions)]
        if is_unique:
            # Mentions have another order than in the file, or some of them are left out.
            original = named[entity.name]
            in_file = dict(zip(map(place_of, original.mentions), original.attributes, strict=False))
            if len(in_file) == len(original.mentions) and all(map(in_file.__contains__, places)):
                return map(in_file.__getitem__, places)
        if not by_place:
            described = described_mentions(own.entities, settings)
            by_entity.update((place, values) for place, (_, values) in described)
            by_place.update((place, values) for (_, place), (_, values) in described)
        return [by_entity.get((entity.name, place), by_place[place]) for place in places]

    return attributes


def _holder_of_type(names: Iterable[str]) -> str | None:
    """Find the attribute that contains an entity's type; the last one if several differ in case.

    None if no attribute does.
    """
    originals = {name.lower(): name for name in names}
    return next((originals[name] for name in ENTITY_TYPES if name in originals), None)


def _distances(side: Side, own: EntityLayer, key: EntityLayer, _: Settings) -> Iterator[str]:
    """Yield each mention's distance, in sentences, from the previous mention of its entity."""
    sentences = key.document.sentences or own.document.sentences
    for entity in side.entities:
        yield SPLIT if entity.elements else FIRST
        if len(entity.mentions) == 1:
            continue
        numbers = [_sentence(mention, sentences) for mention in entity.mentions]
        for previous, current in pairwise(numbers):
            yield _distance(current - previous) if sentences else ""


def _distance(number: int) -> str:
    return bin_of(number, DISTANCES) if number > 0 else NEAR


def _sentence(mention: Mention, sentences: Sequence[int]) -> int:
    """Return the number of the sentence in which a mention begins.

    A zero between two sentences belongs to the second one, like a dropped subject.
    """
    before, rank = mention.order[0]
    return bisect_right(sentences, before if rank else before - 1)


def _ranges(side: Side, own: EntityLayer, _: EntityLayer, __: Settings) -> Iterator[str]:
    """Yield the distance between the heads of each entity's first and last mention.

    The distance is counted in words and zeros. A mention without a head counts from its beginning.
    """
    words, zeros = word_numbers(own.document), own.document.zeros

    def number(mention: Mention) -> int:
        unit = mention.head or mention.order[0]
        return words(unit) + bisect_left(zeros, unit)

    for entity in side.entities:
        mentions = tuple(entity.mentions)
        if len(mentions) == 1:
            yield ALONE
            continue
        first, last = (number(mention) for mention in (mentions[0], mentions[-1]))
        yield from [bin_of(abs(last - first), RANGES)] * len(mentions)


def _document_lengths(side: Side, _: EntityLayer, key: EntityLayer, __: Settings) -> list[str]:
    return [bin_of(key.document.number_of_words, DOCUMENT_LENGTHS)] * len(side.mentions)


def _by_pattern(pattern: re.Pattern[str]) -> Classify:
    """Classify by document name: the first group of the pattern, or the whole match."""

    def classify(side: Side, _: EntityLayer, key: EntityLayer, __: Settings) -> list[str]:
        match = pattern.search(key.document.name)
        name = (match[1] if pattern.groups else match[0]) if match else None
        return [name or OTHER] * len(side.mentions)

    return classify


DIMENSIONS: dict[str, Dimension] = {
    "length": Dimension("size of entity", _lengths, (SINGLETON, *map(str, ENTITY_SIZES[1:]))),
    "mention-type": Dimension(
        "type of mention",
        _mention_types,
        ("pronoun", "proper", "nominal", "zero"),
        said_in_key=True,
    ),
    "entity-type": Dimension("type of entity", _entity_types, said_in_key=True),
    "distance": Dimension(
        "distance to the antecedent in sentences",
        _distances,
        (FIRST, SPLIT, NEAR, *map(str, DISTANCES)),
    ),
    "range": Dimension("range of the entity in words", _ranges, (ALONE, *map(str, RANGES))),
    "document-length": Dimension(
        "words in the document",
        _document_lengths,
        tuple(map(str, DOCUMENT_LENGTHS)),
        of_documents=True,
    ),
}
"""Dimensions by the names in settings.BREAKDOWNS; patterns define more."""
