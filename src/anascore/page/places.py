"""Where things are on the page: names of places, and the lines that texts are divided into."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable

from anascore.error_analysis.listed import Listed
from anascore.model import Document
from anascore.page.gathered import Gathered


def starts(document: Document) -> list[int]:
    """Return the positions of the words that lines begin with: sentences, or paragraphs."""
    words = document.words
    begun: Iterable[int]
    if document.sentences:
        begun = document.sentences
    elif isinstance(words, str):
        begun = (place + 1 for place, letter in enumerate(words) if letter == "\n")
    else:
        begun = range(0, len(words), WORDS)
    return sorted({0, *begun})


WORDS = 25
"""How many words make a line where there are no sentences."""


def document_place(number: int) -> str:
    """Name the place of a document."""
    return f"d{number}"


def line_place(number: int, system: int, line: int) -> str:
    """Name the place of a line of a document."""
    return f"d{number}s{system}l{line}"


def place_of(page: Gathered, system: int, document: str, error: Listed) -> str:
    """Name the place of an error."""
    at = error.at
    word = at.words[0][0] if at.words else at.zeros[0][0]
    line = bisect_right(starts(page.key.documents[document]), word) - 1
    return line_place(page.numbers[document], system, max(0, line))
