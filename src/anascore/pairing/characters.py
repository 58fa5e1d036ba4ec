"""Comparison of a document in characters with a document in words over the same text."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from dataclasses import replace
from itertools import accumulate, zip_longest

from anascore.model.document import Document
from anascore.model.mention import Mention, Span, Unit, joined
from anascore.model.transform import map_mentions
from anascore.model.visible_text import VisibleText, without_spaces

EXTENDED = "mentions extended to whole words of the key"

SHOWN_CHARACTERS = 20
"""Number of characters to show where two texts differ."""


def first_difference(key: Document, response: Document) -> tuple[str, str] | None:
    """Return the first difference (key, response), ignoring white space; None if equal."""
    texts = [without_spaces("".join(document.words)) for document in (key, response)]
    if texts[0] == texts[1]:
        return None
    start = next(i for i, (a, b) in enumerate(zip_longest(*texts)) if a != b)
    expected, actual = (text[start : start + SHOWN_CHARACTERS] for text in texts)
    return expected, actual


def in_units_of(key: Document, response: Document) -> Document:
    """Give a response the key's words, or its characters if the key has no words.

    Both must have the same visible characters, and one of them must be in characters.
    """
    return _in_characters(key, response) if key.in_characters else _in_words(key, response)


def _starts(document: Document) -> list[int]:
    """Count the visible characters before each word, and in the whole text."""
    return [0, *accumulate(len(without_spaces(word)) for word in document.words)]


def _in_words(key: Document, response: Document) -> Document:
    """Extend a response's mentions in characters to whole key words.

    A mention of white space alone is placed after the text; see `Document.response_words`.
    """
    text, starts, size = VisibleText("".join(response.words)), _starts(key), len(key.words)
    extended: set[Mention] = set()

    def change(mention: Mention) -> Mention:
        words = []
        for span in mention.words:
            start, end = text.ranks(span)
            first, after = bisect_right(starts, start) - 1, bisect_left(starts, end)
            if start == end:
                first, after = size + span[0], size + span[1]
            elif starts[first] < start or starts[after] > end:
                extended.add(mention)
            words.append((first, after))
        return Mention(joined(words))

    changed = map_mentions(response, change)
    notes = {EXTENDED: len(extended)} if extended else {}
    return _with_text_of(key, replace(changed, notes={**response.notes, **notes}))


def _in_characters(key: Document, response: Document) -> Document:
    """Turn a response's mentions in words into spans of the key's characters.

    A mention without visible characters is placed after the text; see `Document.response_words`.
    """
    text, starts, size = VisibleText("".join(key.words)), _starts(response), len(key.words)

    def move(span: Span) -> Span:
        first, after = starts[span[0]], starts[span[1]]
        return text.span((first, after)) if first < after else (size + span[0], size + span[1])

    def move_zero(zero: Unit) -> Unit:
        words, rank = zero
        return move((0, words))[1] if words else 0, rank

    def change(mention: Mention) -> Mention:
        inside = mention.minimum_within(len(response.words))
        words, minimum = (joined([*map(move, spans)]) for spans in (mention.words, inside))
        head = mention.marked_head
        return Mention(
            words,
            tuple(map(move_zero, mention.zeros)),
            minimum,
            move_zero(head) if head and head[1] else None,
        )

    changed = map_mentions(response, change)
    return _with_text_of(key, replace(changed, zeros=tuple(map(move_zero, response.zeros))))


def _with_text_of(key: Document, response: Document) -> Document:
    return replace(
        response,
        words=key.words,
        lines=(),
        sentences=key.sentences,
        table=None,
        response_words=response.words,
    )
