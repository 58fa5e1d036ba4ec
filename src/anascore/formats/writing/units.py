"""Documents in words to documents in characters, and back."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from dataclasses import replace
from itertools import accumulate, pairwise

from anascore.formats.places import joined
from anascore.mapping import map_mentions
from anascore.mention import Mention, Span
from anascore.model import Document


def to_characters(document: Document, lost: Counter[str]) -> Document:
    """Join the words by blanks, and give mentions by the characters that they cover."""
    words = [word or "_" for word in document.words]
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    text = " ".join(words)

    def change(mention: Mention) -> Mention:
        words, minimum = (
            tuple((starts[start], starts[end] - 1) for start, end in spans)
            for spans in (mention.words, mention.minimum)
        )
        return mention._replace(words=words, minimum=minimum)

    lost["the division of a text into words"] += len(document.words)
    changed = map_mentions(document, change)
    sentences = [starts[first] for first in document.sentences]
    return replace(changed, words=text, lines=(), sentences=sentences, table=None)


_PIECES = re.compile(r"\w+|[^\w\s]")


def to_words(document: Document, lost: Counter[str]) -> Document:
    """Cut the text into words, also where a mention starts or ends inside of one."""
    text = "".join(document.words)
    layers = [*document.entities, *document.deixis]
    mentions = [m for entity in layers for m in entity.mentions]
    mentions += [found.mention for found in document.nonreferring]
    mentions += [m for found in document.candidates for m in (found.anaphor, *found.ranked)]
    borders = sorted({place for m in mentions for span in m.words for place in span})
    spans: list[Span] = []
    for piece in _PIECES.finditer(text):
        inside = borders[bisect_right(borders, piece.start()) : bisect_left(borders, piece.end())]
        places = [piece.start(), *inside, piece.end()]
        spans += pairwise(places)
    starts, ends = [start for start, _ in spans], [end for _, end in spans]

    def change(mention: Mention) -> Mention | None:
        found = ((bisect_left(starts, a), bisect_right(ends, b)) for a, b in mention.words)
        words = joined([(first, after) for first, after in found if first < after])
        return Mention(words) if words else None

    words = tuple(text[start:end] for start, end in spans)
    lost["texts as they are, without a division into words"] += 1
    return replace(map_mentions(document, change), words=words)
