"""Alignment of words that differ: mentions of a response are moved to the words of the key."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from anascore.model.document import Document
from anascore.model.mention import Mention, Span, Zero, joined, next_zero
from anascore.model.transform import map_mentions

INSERTED = "words inserted that are not in the key"
REPLACED = "words of the key replaced by others"
DELETED = "words of the key deleted"


def realign_response(key: Document, response: Document) -> Document:
    """Return a response with the words of the key and its mentions moved to these words.

    A mention extends from its first to its last word that is also in the key. A mention without
    such words is placed after the text, where it matches nothing; see `Document.own_words`.
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
        own_words=response.words,
    )


def align_words(
    key: Sequence[str], response: Sequence[str]
) -> tuple[list[tuple[int, int]], dict[str, int]]:
    """Align the response's words with the key's: return pairs of positions, and counts of edits.

    Words that replace each other are also paired.
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
            notes[INSERTED] += size
        elif edit.tag == "insert":
            notes[DELETED] += edit.dest_end - edit.dest_start
        else:
            pairs += zip(range(edit.src_start, edit.src_end), count(edit.dest_start), strict=False)
            notes[REPLACED] += size if edit.tag == "replace" else 0
    return pairs, notes
