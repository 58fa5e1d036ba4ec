"""Word counts in a document, even if its mentions are given by character offsets."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable

from anascore.model.document import Document
from anascore.model.mention import Unit


def word_numbers(document: Document) -> Callable[[Unit], int]:
    """Make a function that counts the words before a word or zero.

    In a document in characters, a unit is a character; the words before its word are counted.
    """
    if not isinstance(document.words, str):
        return lambda unit: unit[0] - (unit[1] == 0)
    starts = [match.start() for match in re.finditer(r"\S+", document.words)]

    def number(unit: Unit) -> int:
        if unit[1]:
            return bisect_left(starts, unit[0])
        return max(0, bisect_right(starts, unit[0] - 1) - 1)

    return number
