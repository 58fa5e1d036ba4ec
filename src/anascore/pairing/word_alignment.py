"""Alignment of different words: a response's mentions are moved to the key's words."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate, count, pairwise
from typing import NamedTuple, TypeAlias

from anascore.model.document import Document
from anascore.model.mention import Mention, Span, Unit, Zero, joined, make_mention, next_zero
from anascore.model.transform import map_mentions
from anascore.model.visible_text import VisibleText, without_spaces
from anascore.pairing.joining import BORDER

INSERTED = "words inserted that are not in the key"
REPLACED = "words of the key replaced by others"
DELETED = "words of the key deleted"


def realign_response(key: Document, response: Document) -> Document:
    """Give a response the key's words, and move its mentions to these words.

    A mention extends from its first to its last word that also occurs in the key. A mention without
    such words is placed after the text, where it matches nothing; see `Document.response_words`.
    """
    pairs, notes = align_words(key.words, response.words)
    own = [position for position, _ in pairs]
    other = [position for _, position in pairs]
    size = len(key.words)

    def move(span: Span) -> Span:
        first, after = bisect_left(own, span[0]), bisect_left(own, span[1])
        if first == after:
            return size + span[0], size + span[1]
        return other[first], other[after - 1] + 1

    zeros: list[Zero] = []
    moved: dict[Zero, Zero] = {}
    for zero in response.zeros:
        before = bisect_left(own, zero[0])
        zeros.append(next_zero(other[before - 1] + 1 if before else 0, zeros))
        moved[zero] = zeros[-1]

    def change(mention: Mention) -> Mention:
        words = joined([move(span) for span in mention.words])
        return Mention(words, tuple(moved[zero] for zero in mention.zeros))

    return replace(
        map_mentions(response, change),
        name=key.name,
        words=key.words,
        zeros=tuple(zeros),
        lines=(),
        sentences=key.sentences,
        notes={**response.notes, **notes},
        response_words=response.words,
    )


def align_words(
    key: Sequence[str], response: Sequence[str]
) -> tuple[list[tuple[int, int]], dict[str, int]]:
    """Align the response's words with the key's: return pairs of positions, and counts of edits.

    Words that replace each other are paired, too.
    """
    # In these formats, a form with a blank is written with an underscore.
    numbers: dict[str, int] = {}
    own, other = (
        [numbers.setdefault(word.replace(" ", "_"), len(numbers)) for word in words]
        for words in (response, key)
    )
    if own == other:
        return [(i, i) for i in range(len(own))], {}
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415  only where words differ

    pairs: list[tuple[int, int]] = []
    notes = dict.fromkeys((INSERTED, REPLACED, DELETED), 0)
    for edit in Levenshtein.opcodes(own, other):
        size = edit.src_end - edit.src_start
        if edit.tag == "delete":
            inserted = response[edit.src_start : edit.src_end]
            notes[INSERTED] += size - list(inserted).count(BORDER)
        elif edit.tag == "insert":
            notes[DELETED] += edit.dest_end - edit.dest_start
        else:
            pairs += zip(range(edit.src_start, edit.src_end), count(edit.dest_start), strict=False)
            notes[REPLACED] += size if edit.tag == "replace" else 0
    return pairs, notes


ALIGNED = "documents whose words differ from the key, aligned with it"
OTHER_WORDS = "words aligned with different words of the key"
NO_WORD = "words without a counterpart in the key"
NO_WORD_IN_RESPONSE = "words of the key without a counterpart"
OTHER_MENTIONS = "mentions moved to other words of the key"
NO_MENTION = "mentions without a counterpart in the key, which match nothing"
NO_HEAD = "heads without a counterpart in the key, left out"

Move: TypeAlias = Callable[[Span], Span | None]
"""Returns the key's words for words of the response; None if there are none."""


class Alignment(NamedTuple):
    """Maps the response's words to the key's."""

    move: Move
    before: Callable[[int], int]
    """Returns the number of key words before a zero, given the number of response words."""

    notes: Mapping[str, int] = {}


def align_response(key: Document, response: Document) -> Document:
    """Give a response the key's words, and move its mentions to these words.

    If both have the same visible characters, a mention covers every key word with which it shares
    one. Otherwise words are aligned by edit distance, and by characters between words that are the
    same; a mention extends from its first to its last word with a counterpart.

    A mention without a counterpart is placed after the text, where it matches nothing; see
    `Document.response_words`. The response's columns describe other words and are dropped.
    """
    if tuple(key.words) == tuple(response.words):
        return response
    alignment = _align_characters(key, response) or _align_tokens(key, response)
    zeros: list[Zero] = []
    moved: dict[Zero, Zero] = {}
    for zero in response.zeros:
        zeros.append(next_zero(alignment.before(zero[0]), zeros))
        moved[zero] = zeros[-1]
    mover = _MentionMover(key, response, alignment.move, moved)
    changed = map_mentions(response, mover.change)
    notes = {ALIGNED: 1, **alignment.notes, **mover.notes}
    return replace(
        changed,
        name=key.name,
        words=key.words,
        zeros=tuple(zeros),
        lines=(),
        sentences=key.sentences,
        table=None,
        notes={**response.notes, **{note: number for note, number in notes.items() if number}},
        response_words=response.words,
    )


class _MentionMover:
    """Moves a response's mentions, and counts those that change."""

    def __init__(
        self, key: Document, response: Document, move: Move, zeros: Mapping[Zero, Zero]
    ) -> None:
        self._key = key
        self._response = response
        self._move = move
        self._zeros = zeros
        self._key_words, self._own_words = (
            words if isinstance(words, str) else tuple(words)
            for words in (key.words, response.words)
        )
        self._changed: dict[Mention, str] = {}
        self._without_head: set[Mention] = set()

    @property
    def notes(self) -> dict[str, int]:
        """Numbers of mentions that cover other words, or lack something in the key."""
        kinds = list(self._changed.values())
        return {
            OTHER_MENTIONS: kinds.count(OTHER_MENTIONS),
            NO_MENTION: kinds.count(NO_MENTION),
            NO_HEAD: len(self._without_head),
        }

    def change(self, mention: Mention) -> Mention:
        """Move a mention with its zeros, head and minimum span."""
        size = len(self._key.words)
        zeros = tuple(self._zeros[zero] for zero in mention.zeros)
        spans = [(span, self._move(span)) for span in mention.words]
        words = joined([new or (size + old[0], size + old[1]) for old, new in spans])
        if spans and not any(new for _, new in spans):
            self._changed[mention] = NO_MENTION
            return Mention(words, zeros)
        inside = mention.minimum_within(len(self._response.words))
        minimum = joined([new for old in inside if (new := self._move(old))])
        head = self._head(mention)
        if mention.head is not None and head is None:
            self._without_head.add(mention)
        moved = make_mention(words, zeros, minimum, head)
        if self._has_other_words(mention, moved):
            self._changed[mention] = OTHER_MENTIONS
        return moved

    def _head(self, mention: Mention) -> Unit | None:
        """Find the key word for a mention's head; of several, the first."""
        head = mention.head
        if head is None:
            return None
        if head[1]:
            return self._zeros[head]
        new = self._move((head[0] - 1, head[0]))
        return None if new is None else (new[0] + 1, 0)

    def _has_other_words(self, mention: Mention, moved: Mention) -> bool:
        """Test whether a mention covers other visible characters in the key."""
        sides = (self._own_words, mention.words), (self._key_words, moved.words)
        before, after = ([words[start:end] for start, end in spans] for words, spans in sides)
        return before != after and _characters(before) != _characters(after)


def _characters(parts: Iterable[Sequence[str]]) -> str:
    return without_spaces("".join("".join(part) for part in parts))


def _align_characters(key: Document, response: Document) -> Alignment | None:
    """Align two documents in characters; None if either is in words, or the characters differ."""
    if not (isinstance(key.words, str) and isinstance(response.words, str)):
        return None
    own, other = VisibleText(key.words), VisibleText(response.words)
    if own.characters != other.characters:
        return None

    def move(span: Span) -> Span | None:
        start, end = other.ranks(span)
        return own.span((start, end)) if start < end else None

    def before(characters: int) -> int:
        span = move((0, characters))
        return span[1] if span else 0

    return Alignment(move, before)


TOKEN = re.compile(r"\w+|[^\w\s]")
"""Words of a document in characters."""


class _Tokens(NamedTuple):
    """A document's words, with their places."""

    texts: Sequence[str]
    spans: Sequence[Span]

    @classmethod
    def of(cls, document: Document) -> _Tokens:
        if isinstance(document.words, str):
            matches = [*TOKEN.finditer(document.words)]
            return cls([match[0] for match in matches], [match.span() for match in matches])
        return cls(document.words, [(word, word + 1) for word in range(len(document.words))])

    def before(self, position: int) -> int:
        """Count the words that begin before a position in the document."""
        return bisect_left(self.spans, (position, 0))

    def within(self, span: Span) -> Span:
        """Return the words that a span of the document touches."""
        first = self.before(span[0])
        if first and self.spans[first - 1][1] > span[0]:
            first -= 1
        return first, self.before(span[1])


def _align_tokens(key: Document, response: Document) -> Alignment:
    """Align two documents' words; documents in characters are split into words first."""
    own, other = _Tokens.of(key), _Tokens.of(response)
    partners = _partners(own.texts, other.texts)
    size = len(other.texts)
    preceding, following = [-1] * (size + 1), [size] * (size + 1)
    for word in range(size):
        preceding[word + 1] = word if word in partners else preceding[word]
    for word in reversed(range(size)):
        following[word] = word if word in partners else following[word + 1]

    def move(span: Span) -> Span | None:
        start, end = other.within(span)
        first, last = following[start], preceding[end]
        if first > last:
            return None
        return own.spans[partners[first][0]][0], own.spans[partners[last][1] - 1][1]

    def before(position: int) -> int:
        last = preceding[other.before(position)]
        return own.spans[partners[last][1] - 1][1] if last >= 0 else 0

    covered = {word for span in partners.values() for word in range(*span)}
    same = sum(
        end == start + 1 and own.texts[start] == other.texts[word]
        for word, (start, end) in partners.items()
    )
    notes = {
        OTHER_WORDS: len(partners) - same,
        NO_WORD: len(other.texts) - len(partners),
        NO_WORD_IN_RESPONSE: len(own.texts) - len(covered),
    }
    return Alignment(move, before, notes)


def _partners(key: Sequence[str], response: Sequence[str]) -> dict[int, Span]:
    """Return the key words for each response word that has any."""
    whole = (0, len(response)), (0, len(key))
    if _have_same_characters(key, response):
        return dict(_share_characters(key, response, *whole))
    pairs, _ = align_words(key, response)
    partners = {r: (k, k + 1) for r, k in pairs}
    same = [(-1, -1), *((r, k) for r, k in pairs if key[k] == response[r])]
    for (r, k), (next_r, next_k) in pairwise([*same, (len(response), len(key))]):
        block = (r + 1, next_r), (k + 1, next_k)
        if _have_same_characters(key[k + 1 : next_k], response[r + 1 : next_r]):
            partners |= dict(_share_characters(key, response, *block))
    return partners


def _have_same_characters(key: Sequence[str], response: Sequence[str]) -> bool:
    return _characters([key]) == _characters([response])


def _share_characters(
    key: Sequence[str], response: Sequence[str], words: Span, key_words: Span
) -> Iterator[tuple[int, Span]]:
    """Pair the words of a passage with the key words that share visible characters with them.

    The key's passage must consist of the same characters.
    """
    ends = [0, *accumulate(len(without_spaces(word)) for word in key[slice(*key_words)])]
    start = 0
    for word in range(*words):
        end = start + len(without_spaces(response[word]))
        if start < end:
            first, after = bisect_right(ends, start) - 1, bisect_left(ends, end)
            yield word, (key_words[0] + first, key_words[0] + after)
        start = end
