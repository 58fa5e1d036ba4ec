"""Where mentions stand: what a file says of it to the one form that a Mention has."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TypeAlias

from anascore.mention import Mention, Span, Unit, Zero

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
