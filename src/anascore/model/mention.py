"""Mentions: sets of words and zeros in a text."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import partial
from operator import itemgetter
from typing import NamedTuple, TypeAlias

Span = tuple[int, int]
"""Start and end of a run of words: positions in the document from 0, end exclusive."""

Zero = tuple[int, int]
"""A zero: the number of words before it in the document, and its rank from 1 among the zeros
there."""

Unit = tuple[int, int]
"""A word or a zero. The word at position w is (w + 1, 0); the zeros (w + 1, rank) follow it."""

Place = tuple[tuple[Span, ...], tuple[Zero, ...]]
"""The words and zeros that a mention covers."""


class Mention(NamedTuple):
    """A set of words and zeros that refers to something; it may have gaps.

    Two mentions are equal if all fields are equal. For matching, see `matching`.
    """

    words: tuple[Span, ...]
    """Spans in order that neither overlap nor touch: only one unless the mention has gaps."""

    zeros: tuple[Zero, ...] = ()
    """Zeros in order."""

    minimum: tuple[Span, ...] = ()
    """Minimum span: words that a partial match must contain; empty if not annotated."""

    marked_head: Unit | None = None
    """Head, if the annotation marks another word than the first one of the minimum span."""

    def __repr__(self) -> str:
        """Show the call that makes the mention, without fields that have their default values."""
        others = zip(self._fields[1:], self[1:], strict=True)
        named = (f", {name}={value!r}" for name, value in others if value not in {(), None})
        return f"Mention({self.words!r}{''.join(named)})"

    @property
    def place(self) -> Place:
        """Words and zeros covered; exact matching compares nothing else."""
        return self.words, self.zeros

    @property
    def size(self) -> int:
        """Number of words and zeros."""
        size = len(self.zeros)
        for start, end in self.words:
            size += end - start
        return size

    @property
    def head(self) -> Unit | None:
        """Head: the marked one, else the first word of the minimum span, else the only word."""
        if self.marked_head is not None:
            return self.marked_head
        if self.minimum:
            return self.minimum[0][0] + 1, 0
        if self.size > 1:
            return None
        return self.zeros[0] if self.zeros else (self.words[0][0] + 1, 0)

    @property
    def required_part(self) -> Mention | None:
        """Part that a partial match must contain: the minimum span, or the head if it is a zero."""
        if self.minimum:
            return Mention(self.minimum)
        if self.marked_head is not None and self.marked_head[1] > 0:
            return Mention((), (self.marked_head,))
        return None

    def minimum_within(self, size: int) -> tuple[Span, ...]:
        """Return the minimum span, or no span if it ends beyond a text of `size` words."""
        return () if self.minimum and self.minimum[-1][1] > size else self.minimum

    def without_zeros(self) -> Mention | None:
        """Return the mention without its zeros; None if no word is left."""
        return None if self.is_zero else self._replace(zeros=())

    @property
    def is_zero(self) -> bool:
        """True if the head is a zero, or no word is covered."""
        return not self.words or (self.marked_head is not None and self.marked_head[1] > 0)

    @property
    def order(self) -> tuple[Unit, Unit, int, Place]:
        """Sort key for document order: first word, last word, number of words."""
        if not self.zeros and len(self.words) == 1:
            # Fast path: nearly all mentions are one span without zeros.
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
        """Sort key that also orders mentions of the same words, the most specific first."""
        head = self.marked_head or ()
        return self.order, not self.minimum, self.minimum, not head, head


place_of: Callable[[Mention], Place] = itemgetter(0, 1)
"""A mention's `place`, faster than the property in `map`."""


words_of: Callable[[Mention], tuple[Span, ...]] = itemgetter(0)
"""A mention's words, which identify it if no mention has a zero."""


new_mention: Callable[[tuple[object, ...]], Mention] = partial(tuple.__new__, Mention)
"""Make a mention of all its fields; faster than the call of the class."""


def are_plain(mentions: Collection[Mention]) -> bool:
    """Test whether each mention is a single span without zeros, as most are."""
    return {*map(len, map(words_of, mentions))} == {1} and not any(map(itemgetter(1), mentions))


def shared_size(a: Mention, b: Mention) -> int:
    """Count the words and zeros that two mentions share."""
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
    """Test whether the second mention covers all words and zeros of the first."""
    return shared_size(a, b) == a.size


Position: TypeAlias = tuple[int, int]
"""Position between words: the numbers of words and of zeros before it."""

Part: TypeAlias = tuple[Position, Position]
"""Start and end of a mention or of one of its parts."""


def mention_from_parts(
    parts: Sequence[Part],
    zeros: Sequence[Zero],
    minimum: tuple[Span, ...] = (),
    head: Unit | None = None,
) -> Mention:
    """Make a mention from its parts; `zeros` are all zeros of the document, in order."""
    if len(parts) == 1:
        (start, first_zero), (end, last_zero) = parts[0]
        if first_zero == last_zero and start < end and head is None:
            # Nearly all mentions are one span without zeros.
            return new_mention((((start, end),), (), minimum if end - start > 1 else (), None))
        words: tuple[Span, ...] = ((start, end),) if start < end else ()
        covered = tuple(zeros[first_zero:last_zero])
    else:
        words = joined([(start, end) for (start, _), (end, _) in parts if start < end])
        covered = tuple(sorted({zero for (_, a), (_, b) in parts for zero in zeros[a:b]}))
    return make_mention(words, covered, minimum, head)


def make_mention(
    words: tuple[Span, ...],
    zeros: tuple[Zero, ...] = (),
    minimum: tuple[Span, ...] = (),
    head: Unit | None = None,
) -> Mention:
    """Make a mention in normal form, so that all formats store minimum span and head alike.

    A head is a minimum span of one word, the first word of a minimum span is the head, and a
    mention of one word is its own head.
    """
    if not (minimum or head) or _is_single_unit(words, zeros):
        return Mention(words, zeros)
    if head is not None and not minimum and head[1] == 0:
        return Mention(words, zeros, ((head[0] - 1, head[0]),))
    if minimum and head == (minimum[0][0] + 1, 0):
        head = None
    return Mention(words, zeros, minimum, head)


def _is_single_unit(words: tuple[Span, ...], zeros: tuple[Zero, ...]) -> bool:
    if zeros:
        return len(zeros) == 1 and not words
    return len(words) == 1 and words[0][1] - words[0][0] == 1


def joined(spans: list[Span]) -> tuple[Span, ...]:
    """Sort spans and join those that touch or overlap, to make equal sets of words equal."""
    if len(spans) < 2:
        return tuple(spans)
    merged: list[Span] = []
    for start, end in sorted(spans):
        if merged and start <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((start, end))
    return tuple(merged)


def covers_ends(spans: Sequence[Span], span: Span) -> bool:
    """Test whether the spans contain the first and last word of a span."""
    first, end = span
    if spans and spans[0][0] <= first and end <= spans[0][1]:
        return True
    return all(any(a <= word < b for a, b in spans) for word in (first, end - 1))


def units_of(mention: Mention) -> list[Unit]:
    """List a mention's words and zeros in text order."""
    words = [(word + 1, 0) for start, end in mention.words for word in range(start, end)]
    return sorted([*words, *mention.zeros]) if mention.zeros else words


Run: TypeAlias = tuple[Unit, Unit]
"""First and last of consecutive words and zeros."""


def runs_of(mention: Mention, zeros: Collection[Zero]) -> list[Run]:
    """Split a mention at its gaps, which are words or zeros that it does not cover.

    `zeros` are those of the document.
    """
    if not zeros:
        return [((start + 1, 0), (end, 0)) for start, end in mention.words]
    runs: list[Run] = []
    for unit in units_of(mention):
        if runs and unit == _next_unit(runs[-1][1], zeros):
            runs[-1] = runs[-1][0], unit
        else:
            runs.append((unit, unit))
    return runs


def _next_unit(unit: Unit, zeros: Collection[Zero]) -> Unit:
    zero = unit[0], unit[1] + 1
    return zero if zero in zeros else (unit[0] + 1, 0)


def next_zero(before: int, zeros: list[Zero]) -> Zero:
    """Make a zero that follows some words and the zeros so far."""
    last = zeros[-1] if zeros else (-1, 0)
    return before, last[1] + 1 if last[0] == before else 1


def unit_of(word: int) -> Unit:
    """Convert a word position."""
    return word + 1, 0
