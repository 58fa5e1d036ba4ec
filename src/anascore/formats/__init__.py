"""Text to Corpus, for every format."""

from __future__ import annotations

from collections.abc import Callable
from os import PathLike, fspath

from anascore.formats.text import read_lines
from anascore.formats.ua import read_ua
from anascore.model import Corpus

FORMATS: dict[str, Callable[[str, list[str]], Corpus]] = {"ua": read_ua}
"""For each format the function from a path, for messages, and the file's lines to a Corpus."""


def read(path: str | PathLike[str]) -> Corpus:
    """Read the documents of a CoNLL-UA file."""
    path = fspath(path)
    return FORMATS["ua"](path, read_lines(path))
