"""Texts without white space: characters are numbered by rank among the visible ones."""

from __future__ import annotations

from bisect import bisect_left

from anascore.model.mention import Span


def without_spaces(text: str) -> str:
    """Remove all white space."""
    return "".join(text.split())


class VisibleText:
    """A text's visible characters, and their offsets."""

    def __init__(self, text: str) -> None:
        """Find the visible characters."""
        self.characters = without_spaces(text)
        self._offsets = [offset for offset, char in enumerate(text) if not char.isspace()]

    def ranks(self, span: Span) -> Span:
        """Return the ranks of the visible characters in a span."""
        start, end = span
        return bisect_left(self._offsets, start), bisect_left(self._offsets, end)

    def span(self, ranks: Span) -> Span:
        """Return the span from the first to the last of some visible characters."""
        first, after = ranks
        return self._offsets[first], self._offsets[after - 1] + 1
