"""Lines of text for terminals: their width, and protection against control characters."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress

from anascore.terminal import escape_control_characters, is_text_for_file

LINE_WIDTH = 80
"""Width of text in columns, unless the terminal or the variable COLUMNS says otherwise."""

MIN_LINE_WIDTH = 60
"""Minimum text width, even if the terminal or COLUMNS is narrower."""


def line_width() -> int:
    """Return the text width: the variable COLUMNS, else the terminal's width, else 80."""
    # As shutil.get_terminal_size, which loads slowly.
    width = 0
    with suppress(KeyError, ValueError):
        width = int(os.environ["COLUMNS"])
    if width <= 0 and sys.__stdout__ is not None and not is_text_for_file():
        with suppress(ValueError, OSError):
            width = os.get_terminal_size(sys.__stdout__.fileno()).columns
    return max(MIN_LINE_WIDTH, width if width > 0 else LINE_WIDTH)


class SafeLine(str):
    """A line of text without control characters, except those for styles."""

    __slots__ = ()


def paragraphs_to_text(paragraphs: Iterable[Iterable[str]]) -> str:
    """Join lines to paragraphs and paragraphs to text, and escape control characters.

    All text output passes through here, so no control character from a file reaches a terminal.
    """
    joined = ("\n".join(map(_escape_line, lines)) for lines in paragraphs)
    return "\n\n".join(joined) + "\n"


def _escape_line(line: str) -> str:
    return line if isinstance(line, SafeLine) else escape_control_characters(line)
