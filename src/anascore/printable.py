"""Text from files of strangers, for a terminal."""

from __future__ import annotations


def printable(line: str) -> str:
    """Write characters that control a terminal, or a line end, by their numbers."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in line)
