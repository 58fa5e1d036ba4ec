"""Mentions: sets of words and zeros, and their places in a text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from operator import itemgetter
from typing import NamedTuple, TypeAlias

Span = tuple[int, int]
"""Word positions from the first to before the second, counted from 0 through the document."""

Zero = tuple[int, int]
"""A zero: the number of words before it in the document, its rank from 1 among zeros there."""

Unit = tuple[int, int]
"""A word or a zero. The word at position w is (w + 1, 0): the zeros (w + 1, rank) follow it."""

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

    minimum: tuple[Span, ...] = ()
    """The words that a partial match must hold at least, where the annotation names them."""

    marked_head: Unit | None = None
    """The head, where the annotation marks another than the first word of the minimum span."""

    @property
    def place(self) -> Place:
        """The words and zeros covered, which is all that exact matching looks at."""
        return self.words, self.zeros

    @property
    def size(self) -> int:
        """The number of words and zeros."""
        size = len(self.zeros)
        for start, end in self.words:
            size += end - start
        return size

    @property
    def head(self) -> Unit | None:
        """The head: as marked, else the first word of the minimum span, or the only word."""
        if self.marked_head is not None:
            return self.marked_head
        if self.minimum:
            return self.minimum[0][0] + 1, 0
        if self.size > 1:
            return None
        return self.zeros[0] if self.zeros else (self.words[0][0] + 1, 0)

    @property
    def required_part(self) -> Mention | None:
        """What a partial match must hold at least: the minimum span, or the zero that is head."""
        if self.minimum:
            return Mention(self.minimum)
        if self.marked_head is not None and self.marked_head[1] > 0:
            return Mention((), (self.marked_head,))
        return None

    def without_zeros(self) -> Mention | None:
        """Take zeros out of a mention; nothing is left of one that is a zero."""
        return None if self.is_zero else self._replace(zeros=())

    @property
    def is_zero(self) -> bool:
        """Whether the head is a zero, or no word is covered at all."""
        return not self.words or (self.marked_head is not None and self.marked_head[1] > 0)

    @property
    def order(self) -> tuple[Unit, Unit, int, Place]:
        """Sorts mentions as they come in the document: first word, last word, number of words."""
        if not self.zeros and len(self.words) == 1:
            # Nearly all mentions are like this, and sorting them asks for nothing else.
            start, end = self.words[0]
            return (start + 1, 0), (end, 0), end - start, (self.words, ())
        if not self.zeros:
            first, last = (self.words[0][0] + 1, 0), (self.words[-1][1], 0)
        elif not self.words:
            first, last = self.zeros[0], self.zeros[-1]
        else:
            first = min((self.words[0][0] + 1, 0), self.zeros[0])
            last = max((self.words[-1][1], 0), self.zeros[-1])
        return first, last, self.size, self.place

    @property
    def full_order(self) -> tuple[object, ...]:
        """Sorts mentions that stand at the same place, too: those that say more come first."""
        head = self.marked_head or ()
        return self.order, not self.minimum, self.minimum, not head, head


place_of: Callable[[Mention], Place] = itemgetter(0, 1)
"""The same as `place`, for all mentions of a document at once."""


def are_plain(mentions: Collection[Mention]) -> bool:
    """Tell whether all mentions are of one span each, without zeros, as most are."""
    return {*map(len, map(itemgetter(0), mentions))} == {1} and not any(
        map(itemgetter(1), mentions)
    )


def shared_size(a: Mention, b: Mention) -> int:
    """Count the words and zeros that two mentions have in common."""
    size = len(set(a.zeros).intersection(b.zeros)) if a.zeros and b.zeros else 0
    i = j = 0
    while i < len(a.words) and j < len(b.words):
        start, end = a.words[i]
        other_start, other_end = b.words[j]
        size += max(0, min(end, other_end) - max(start, other_start))
        if end <= other_end:
            i += 1
        else:
            j += 1
    return size


def is_within(a: Mention, b: Mention) -> bool:
    """Tell whether all words and zeros of the first mention are in the second."""
    return shared_size(a, b) == a.size


Position: TypeAlias = tuple[int, int]
"""A place between words: how many words and how many zeros of the document come before it."""

Part: TypeAlias = tuple[Position, Position]
"""From where to where a mention goes, or one part of it."""


def mention_of(
    parts: Sequence[Part],
    zeros: Sequence[Zero],
    minimum: tuple[Span, ...] = (),
    head: Unit | None = None,
) -> Mention:
    """Make a mention of its parts; zeros are those of the document, in order."""
    if len(parts) == 1:
        (start, first_zero), (end, last_zero) = parts[0]
        words: tuple[Span, ...] = ((start, end),) if start < end else ()
        covered = tuple(zeros[first_zero:last_zero])
    else:
        words = joined([(start, end) for (start, _), (end, _) in parts if start < end])
        covered = tuple(sorted({zero for (_, a), (_, b) in parts for zero in zeros[a:b]}))
    return mention(words, covered, minimum, head)


def mention(
    words: tuple[Span, ...],
    zeros: tuple[Zero, ...] = (),
    minimum: tuple[Span, ...] = (),
    head: Unit | None = None,
) -> Mention:
    """Make a mention whose minimum span and head are kept once, in the same way for all formats.

    A head is a minimum span of one word, the first word of a minimum span is the head, and a
    mention of one word is its own head.
    """
    if not (minimum or head) or _is_one(words, zeros):
        return Mention(words, zeros)
    if head is not None and not minimum and head[1] == 0:
        return Mention(words, zeros, ((head[0] - 1, head[0]),))
    if minimum and head == (minimum[0][0] + 1, 0):
        head = None
    return Mention(words, zeros, minimum, head)


def _is_one(words: tuple[Span, ...], zeros: tuple[Zero, ...]) -> bool:
    if zeros:
        return len(zeros) == 1 and not words
    return len(words) == 1 and words[0][1] - words[0][0] == 1


def joined(spans: list[Span]) -> tuple[Span, ...]:
    """Sort spans and join those that touch or overlap, so that equal sets of words are equal."""
    if len(spans) < 2:
        return tuple(spans)
    together: list[Span] = []
    for first, after in sorted(spans):
        if together and first <= together[-1][1]:
            together[-1] = together[-1][0], max(after, together[-1][1])
        else:
            together.append((first, after))
    return tuple(together)


def units_of(mention: Mention) -> list[Unit]:
    """List the words and zeros of a mention in the order of the text."""
    words = [(word + 1, 0) for start, end in mention.words for word in range(start, end)]
    return sorted([*words, *mention.zeros]) if mention.zeros else words


Run: TypeAlias = tuple[Unit, Unit]
"""The first and the last of words and zeros that follow each other."""


def runs_of(mention: Mention, zeros: Collection[Zero]) -> list[Run]:
    """Divide a mention where words or zeros of the document that are not in it come between.

    zeros are those of the document.
    """
    if not zeros:
        return [((start + 1, 0), (end, 0)) for start, end in mention.words]
    runs: list[Run] = []
    for unit in units_of(mention):
        if runs and unit == _following(runs[-1][1], zeros):
            runs[-1] = runs[-1][0], unit
        else:
            runs.append((unit, unit))
    return runs


def _following(unit: Unit, zeros: Collection[Zero]) -> Unit:
    zero = unit[0], unit[1] + 1
    return zero if zero in zeros else (unit[0] + 1, 0)


def next_zero(before: int, zeros: list[Zero]) -> Zero:
    """Return the zero that comes after so many words and after these zeros."""
    last = zeros[-1] if zeros else (-1, 0)
    return before, last[1] + 1 if last[0] == before else 1
