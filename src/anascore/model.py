"""What is annotated: words, mentions, entities, documents, corpora. Values only."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Generic, NamedTuple, TypeVar

M_co = TypeVar("M_co", bound=Hashable, covariant=True)

Span = tuple[int, int]
"""Word positions from the first to before the second, counted from 0 through the document."""

Zero = tuple[int, int]
"""A zero: the number of words before it in the document, its rank from 1 among zeros there."""

Place = tuple[tuple[Span, ...], tuple[Zero, ...]]
"""Where a mention stands: the words and the zeros that it covers."""


class Mention(NamedTuple):
    """A set of words and zeros that stands for something; it may have gaps.

    Two mentions are equal when all fields are; which mentions *match* is decided in match.py.
    """

    words: tuple[Span, ...]
    """In order, without overlap, not touching each other: one span unless the mention has gaps."""

    zeros: tuple[Zero, ...] = ()
    """In order."""

    minimum: Span | None = None
    """The words that a partial match must hold at least, where the annotation names them."""

    @property
    def place(self) -> Place:
        """The words and zeros covered, which is all that exact matching looks at."""
        return self.words, self.zeros

    @property
    def order(self) -> tuple[Zero, Zero, int, Place]:
        """Sorts mentions as they come in the document: first word, last word, number of words."""
        # The word at position w counts as (w + 1, 0), so that the zeros (w + 1, rank) follow it.
        if not self.zeros:
            first, last = (self.words[0][0] + 1, 0), (self.words[-1][1], 0)
        elif not self.words:
            first, last = self.zeros[0], self.zeros[-1]
        else:
            first = min((self.words[0][0] + 1, 0), self.zeros[0])
            last = max((self.words[-1][1], 0), self.zeros[-1])
        size = len(self.zeros)
        for start, end in self.words:
            size += end - start
        return first, last, size, self.place


@dataclass(frozen=True, slots=True)
class Entity(Generic[M_co]):
    """What a set of mentions refers to.

    An entity that a split-antecedent anaphor refers to has an accommodated set besides: its
    elements are given as the positions of other entities in the same list of entities.
    """

    mentions: Collection[M_co]
    elements: Collection[int] = ()
    name: str = field(default="", compare=False)
    """The id that the file gives it."""


@dataclass(frozen=True, slots=True)
class Document:
    """One text with one annotation of it, as a file holds it."""

    name: str
    words: Sequence[str]
    entities: Sequence[Entity[Mention]]
    nonreferring: Sequence[Mention] = ()
    path: str = field(default="", compare=False)
    lines: Sequence[int] = field(default=(), compare=False, repr=False)
    """For each word the line of the file that it stands on."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents by name, in the order of the file."""

    documents: dict[str, Document]
    format: str
    path: str = field(default="", compare=False)

    @property
    def name(self) -> str:
        """What a system is called: its file, without ending."""
        return PurePath(self.path).stem or "response"
