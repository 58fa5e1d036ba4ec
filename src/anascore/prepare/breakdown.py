"""Breakdowns that `--by` selects: dimensions, their classes and bins."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from anascore.model.mention import Mention
from anascore.prepare.anaphor_classes import (
    PRONOUN_TAGS,
    EntityLayer,
    column_values,
    described_mentions,
)
from anascore.prepare.side import Side
from anascore.settings import Settings


class Bin(NamedTuple):
    """Whole numbers from the least to the most, or without an end."""

    low: int
    high: int | None

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
    """Make ranges that begin with these numbers, each ending before the next.

    >>> [str(found) for found in ranges(1, 2, 3, 6)]
    ['1', '2', '3 to 5', '6 or more']
    """
    ends = [start - 1 for start in starts[1:]]
    return tuple(Bin(*found) for found in zip(starts, [*ends, None], strict=True))


def bin_of(number: int, among: tuple[Bin, ...]) -> str:
    """Name the range that a number is in."""
    return next(str(found) for found in among if number in found)


ENTITY_SIZES = bins(1, 2, 3, 6, 11)
"""The numbers of mentions of entities that are counted together."""


Classify: TypeAlias = Callable[[Side, EntityLayer, EntityLayer, Settings], Iterable[str]]
"""Names the class of each mention of a side, given also the key's document; "" if unknown."""

SINGLETON = "singleton"
UNKNOWN = "unknown"
OTHER = "other"

FIRST, SPLIT, NEAR = "first mention", "split antecedents", "same sentence"
DISTANCES = bins(1, 2, 3, 6, 11)
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
"""What the tag of its head makes of a mention; the first column that says anything counts."""

ENTITY_TYPES = ("etype", "semtype")
"""How files call the types of entities."""


@dataclass(frozen=True, slots=True)
class Dimension:
    """Something that scores can be broken down by."""

    label: str
    classify: Classify
    classes: tuple[str, ...] = ()
    """The classes in the order in which they are shown; others come behind them."""

    of_documents: bool = False
    """Whether all mentions of a document are in one class."""

    said_in_key: bool = False
    """Whether the class of a response mention is that of its counterpart, if nothing else tells."""

    def in_order(self, classes: Iterable[str]) -> list[str]:
        """Put classes into the order in which they are shown."""
        order = {name: number for number, name in enumerate(self.classes)}
        last = {OTHER: 1, UNKNOWN: 2}
        return sorted(classes, key=lambda c: (order.get(c, len(order)), last.get(c, 0), c))


def dimension(asked: str) -> Dimension:
    """Return what scores are to be broken down by, given as in Settings.by."""
    name, _, pattern = asked.partition("=")
    if not pattern:
        return DIMENSIONS[name]
    return Dimension(name, _by_pattern(re.compile(pattern)), of_documents=True)


def classes_of(
    side: Side, own: EntityLayer, key: EntityLayer, settings: Settings
) -> dict[str, tuple[str, ...]]:
    """Name the classes of all mentions of a side."""
    return {
        asked: tuple(dimension(asked).classify(side, own, key, settings)) for asked in settings.by
    }


def _lengths(side: Side, *_: object) -> Iterator[str]:
    """Count the mentions of an entity, and its accommodated set as one more."""
    for entity in side.entities:
        length = len(entity.mentions) + bool(entity.elements)
        yield from [SINGLETON if length == 1 else bin_of(length, ENTITY_SIZES)] * len(
            entity.mentions
        )


def _mention_types(side: Side, own: EntityLayer, key: EntityLayer, _: Settings) -> Iterator[str]:
    """Go by the part of speech of a mention's head."""
    said = column_values(own.document, key.document, [*PARTS_OF_SPEECH])
    column = next((column for column in PARTS_OF_SPEECH if said[column]), "UPOS")
    for mention in side.mentions:
        if mention.is_zero:
            yield "zero"
        elif mention.head is None or mention.head not in said[column]:
            yield ""
        else:
            yield PARTS_OF_SPEECH[column].get(said[column][mention.head], OTHER)


def _entity_types(
    side: Side, own: EntityLayer, _: EntityLayer, settings: Settings
) -> Iterator[str]:
    """Go by the type that the file gives to a mention, or else to another of its entity."""
    described = list(described_mentions(own.entities, settings))
    found = {where: said for where, (_, said) in described}
    # Equal sets are one entity, and some of its mentions come from another.
    anywhere = {place: said for (_, place), (_, said) in described}
    for entity in side.entities:
        types = []
        for mention in entity.mentions:
            said = found.get((entity.name, mention.place), anywhere[mention.place])
            named = {name.lower(): value for name, value in said.items()}
            types.append(next((named[name] for name in ENTITY_TYPES if name in named), ""))
        otherwise = next(filter(None, types), "")
        yield from (found or otherwise for found in types)


def _distances(side: Side, own: EntityLayer, key: EntityLayer, _: Settings) -> Iterator[str]:
    """Count the sentences from the mention before it in the same entity."""
    sentences = key.document.sentences or own.document.sentences
    for entity in side.entities:
        yield SPLIT if entity.elements else FIRST
        places = [_sentence(mention, sentences) for mention in entity.mentions]
        for before, here in pairwise(places):
            yield _distance(here - before) if sentences else ""


def _distance(number: int) -> str:
    return bin_of(number, DISTANCES) if number > 0 else NEAR


def _sentence(mention: Mention, sentences: Sequence[int]) -> int:
    """Return the number of the sentence that a mention begins in.

    A zero between two sentences is taken to begin the second, as a subject left out would.
    """
    before, rank = mention.order[0]
    return bisect_right(sentences, before if rank else before - 1)


def _document_lengths(side: Side, _: EntityLayer, key: EntityLayer, __: Settings) -> list[str]:
    return [bin_of(key.document.number_of_words, DOCUMENT_LENGTHS)] * len(side.mentions)


def _by_pattern(pattern: re.Pattern[str]) -> Classify:
    """Name documents after what is found in their names: the first group, or all of it."""

    def classify(side: Side, _: EntityLayer, key: EntityLayer, __: Settings) -> list[str]:
        found = pattern.search(key.document.name)
        name = (found[1] if pattern.groups else found[0]) if found else None
        return [name or OTHER] * len(side.mentions)

    return classify


DIMENSIONS: dict[str, Dimension] = {
    "length": Dimension(
        "size of entity", _lengths, (SINGLETON, *(str(found) for found in ENTITY_SIZES[1:]))
    ),
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
        (FIRST, SPLIT, NEAR, *(str(found) for found in DISTANCES)),
    ),
    "document-length": Dimension(
        "words in the document",
        _document_lengths,
        tuple(str(found) for found in DOCUMENT_LENGTHS),
        of_documents=True,
    ),
}
"""What scores can be broken down by, besides patterns, by the names of settings.BREAKDOWNS."""
