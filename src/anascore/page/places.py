"""Where things are on the page: names of places, and the lines that texts are divided into."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from anascore.error_analysis.listed import Listed
from anascore.model import Document
from anascore.page.gathered import Gathered


def starts(document: Document) -> Sequence[int]:
    """Return the positions of the words that lines begin with: sentences, or paragraphs."""
    if document.sentences:
        return document.sentences
    words = document.words
    if isinstance(words, str):
        return [0, *(place + 1 for place, letter in enumerate(words) if letter == "\n")]
    return range(0, max(1, len(words)), 25)


def document_place(number: int) -> str:
    """Name the place of a document."""
    return f"d{number}"


def line_place(number: int, system: int, line: int) -> str:
    """Name the place of a line of a document."""
    return f"d{number}s{system}l{line}"


def entity_place(number: int, system: int, entity: str) -> str:
    """Name the place where an entity is explained."""
    return f"d{number}s{system}{entity}"


def place_of(page: Gathered, system: int, document: str, error: Listed) -> str:
    """Name the place of an error."""
    at = error.at
    word = at.words[0][0] if at.words else at.zeros[0][0]
    line = bisect_right(starts(page.key.documents[document]), word) - 1
    return line_place(page.number(document), system, max(0, line))
