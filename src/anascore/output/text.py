"""Lines of text for terminals: their width, and what no file may put into them."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from contextlib import suppress

from anascore.terminal import escape_control_characters, is_text_for_file

LINE_WIDTH = 80
"""Width of text in columns, unless the terminal or the variable COLUMNS says another."""

MIN_LINE_WIDTH = 60
"""Minimum width of text, whatever they say."""


def line_width() -> int:
    """Return the width of text: the variable COLUMNS, else that of the terminal, else 80."""
    # As shutil.get_terminal_size, which loads slowly.
    width = 0
    with suppress(KeyError, ValueError):
        width = int(os.environ["COLUMNS"])
    if width <= 0 and sys.__stdout__ is not None and not is_text_for_file():
        with suppress(ValueError, OSError):
            width = os.get_terminal_size(sys.__stdout__.fileno()).columns
    return max(MIN_LINE_WIDTH, width if width > 0 else LINE_WIDTH)


class SafeLine(str):
    """A line of text without control characters but those of styles."""

    __slots__ = ()


def paragraphs_to_text(paragraphs: Iterable[Iterable[str]]) -> str:
    """Join lines to paragraphs and paragraphs to text, with control characters escaped.

    All text output is made here, so that no control character of a file reaches a terminal.
    """
    joined = ("\n".join(map(_escape_line, lines)) for lines in paragraphs)
    return "\n\n".join(joined) + "\n"


def _escape_line(line: str) -> str:
    return line if isinstance(line, SafeLine) else escape_control_characters(line)
