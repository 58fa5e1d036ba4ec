"""Repairs of a language model's output that need the key: ends of mentions, preambles."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import replace

from anascore.errors import Repair
from anascore.model.document import Document
from anascore.model.mention import Mention, Zero
from anascore.model.transform import map_mentions

MAX_WORDS = 5
"""Maximum number of words that a message quotes."""

Pairs = Sequence[tuple[int, int]]
"""Aligned words: positions in the response and in the key, in order."""


def close_with_sentences(response: Document, key: Document, pairs: Pairs) -> Document:
    """End mentions that were never closed where the key's sentences end."""
    if not response.unclosed or not key.sentences:
        return response
    own, other = [position for position, _ in pairs], [position for _, position in pairs]
    starts = [*key.sentences, len(key.words)]

    def close(mention: Mention) -> Mention:
        first = mention.order[0]
        start = first[0] if first[1] else first[0] - 1
        aligned = bisect_left(own, start)
        if aligned == len(own):
            return mention
        end_of_sentence = starts[bisect_right(starts, other[aligned])]
        end = own[bisect_left(other, end_of_sentence) - 1] + 1
        between = slice(bisect_left(response.zeros, first), bisect_left(response.zeros, (end, 0)))
        return Mention(((start, end),), tuple(response.zeros[between]))

    mentions = [[*entity.mentions] for entity in response.entities]
    for position, number in response.unclosed:
        mentions[position][number] = close(mentions[position][number])
    entities = tuple(
        replace(entity, mentions=tuple(closed))
        for entity, closed in zip(response.entities, mentions, strict=True)
    )
    return replace(response, entities=entities, unclosed=())


def without_preamble(response: Document, pairs: Pairs) -> Document:
    """Remove the words before the first one that is aligned with the key, and their mentions."""
    number = pairs[0][0] if pairs else 0
    if number == 0:
        return response

    def change(mention: Mention) -> Mention | None:
        spans = ((max(start, number), end) for start, end in mention.words if end > number)
        words = tuple((start - number, end - number) for start, end in spans)
        zeros = tuple(moved(zero) for zero in mention.zeros if zero[0] >= number)
        return Mention(words, zeros) if words or zeros else None

    def moved(zero: Zero) -> Zero:
        return zero[0] - number, zero[1]

    beginning = " ".join(response.words[: min(number, MAX_WORDS)])
    more = " ..." if number > MAX_WORDS else ""
    message = f"the first {number} words, {beginning + more!r}, are not of the text"
    repair = Repair("preamble", response.path, response.line, message)
    return replace(
        map_mentions(response, change),
        words=tuple(response.words[number:]),
        zeros=tuple(moved(zero) for zero in response.zeros if zero[0] >= number),
        repairs=(*response.repairs, repair),
    )
