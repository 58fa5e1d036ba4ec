"""A response whose words differ from the key's: where its mentions stand in the key's words.

A language model that is asked to mark mentions writes the whole text again, and seldom without a
slip. Its words are aligned with the key's by edit distance.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from itertools import count

from anascore.formats.places import joined, next_zero
from anascore.mapping import map_mentions
from anascore.mention import Mention, Span, Zero
from anascore.model import Document

INSERTED = "words inserted that the key has not"
REPLACED = "words replaced by others than the key has"
DELETED = "words deleted that the key has"


def carry_over(key: Document, response: Document) -> Document:
    """Give a response the words of the key, and move its mentions to where they stand there.

    A mention goes from the first to the last of its words that the key has, too. One that has no
    such words stands behind the text, where it matches nothing; its words are among the document's
    own words.
    """
    pairs, notes = align_words(key.words, response.words)
    own = [position for position, _ in pairs]
    theirs = [position for _, position in pairs]
    size = len(key.words)

    def moved(span: Span) -> Span:
        first, after = bisect_left(own, span[0]), bisect_left(own, span[1])
        if first == after:
            return size + span[0], size + span[1]
        return theirs[first], theirs[after - 1] + 1

    zeros: dict[Zero, Zero] = {}
    placed: list[Zero] = []
    for zero in response.zeros:
        before = bisect_left(own, zero[0])
        placed.append(next_zero(theirs[before - 1] + 1 if before else 0, placed))
        zeros[zero] = placed[-1]

    def change(mention: Mention) -> Mention:
        words = joined([moved(span) for span in mention.words])
        return Mention(words, tuple(zeros[zero] for zero in mention.zeros))

    carried = map_mentions(response, change)
    return replace(
        carried,
        name=key.name,
        words=key.words,
        zeros=tuple(placed),
        lines=(),
        sentences=key.sentences,
        notes={**response.notes, **notes},
        own_words=response.words,
    )


def align_words(
    key: Sequence[str], response: Sequence[str]
) -> tuple[list[tuple[int, int]], dict[str, int]]:
    """Pair the positions of the response's words with the key's; count what has no equal partner.

    Words that replace each other are paired, too.
    """
    # A form with a blank in it has _ instead in these formats.
    numbers: dict[str, int] = {}
    ours, theirs = (
        [numbers.setdefault(word.replace(" ", "_"), len(numbers)) for word in words]
        for words in (response, key)
    )
    if ours == theirs:
        return [(i, i) for i in range(len(ours))], {}
    from rapidfuzz.distance import Levenshtein  # noqa: PLC0415  only where words differ

    pairs: list[tuple[int, int]] = []
    notes = dict.fromkeys((INSERTED, REPLACED, DELETED), 0)
    for edit in Levenshtein.opcodes(ours, theirs):
        size = edit.src_end - edit.src_start
        if edit.tag == "delete":
            notes[INSERTED] += size
        elif edit.tag == "insert":
            notes[DELETED] += edit.dest_end - edit.dest_start
        else:
            pairs += zip(range(edit.src_start, edit.src_end), count(edit.dest_start), strict=False)
            notes[REPLACED] += size if edit.tag == "replace" else 0
    return pairs, notes
