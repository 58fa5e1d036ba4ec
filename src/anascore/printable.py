"""Text from files of strangers, for a terminal."""

from __future__ import annotations

from unicodedata import category, east_asian_width, normalize


def printable(line: str) -> str:
    """Write characters that control a terminal, or a line end, by their numbers."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)


def display_width(text: str) -> int:
    """Return the number of columns that a text takes on a terminal.

    Wide characters, such as Chinese ones, take two columns. Combining marks and joiners take none.
    """
    if text.isascii():
        return len(text)
    # Composed first, since the letters of a decomposed Hangul syllable are no combining marks.
    return sum(map(_columns, normalize("NFC", text)))


def _columns(character: str) -> int:
    if category(character) in {"Mn", "Me", "Cf"}:
        return 0
    return 2 if east_asian_width(character) in "WF" else 1


def pad(text: str, width: int) -> str:
    """Fill a text with blanks up to a number of columns."""
    return text + " " * (width - display_width(text))
