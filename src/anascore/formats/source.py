"""Paths to lines of text: files, compressed files, folders and standard input, always UTF-8."""

from __future__ import annotations

import codecs
import gzip
import re
import sys
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from anascore.errors import ReadError

STANDARD_INPUT = "-"
PIPED = "standard input"
"""How standard input is called in messages."""

PACKED = ".gz"


@dataclass(frozen=True, slots=True)
class Source:
    """The content of one file."""

    path: str
    """As messages name it."""

    content: bytes
    """UTF-8 without a byte order mark, with LF at the ends of lines."""

    stem: str
    """The name of the file without its ending; below a folder, with the folders in between."""

    in_folder: bool = False
    """Whether a folder was named and not the file itself."""

    has_name: bool = True
    """Whether it is a file, and not standard input."""

    @property
    def text(self) -> str:
        """The whole content."""
        return self.content.decode()

    @property
    def lines(self) -> list[str]:
        """The lines of the file."""
        # Not splitlines(): that also splits at characters that may stand in a word, like U+2028.
        return self.text.split("\n")

    def comments(self, pattern: re.Pattern[bytes], word: bytes) -> Iterator[re.Match[bytes]]:
        """Find the lines that a pattern matches from their start, all of which have a word."""
        return lines_with(self.content, pattern, word)

    def line_at(self, position: int) -> int:
        """Return the number of the line at a position in the content, from 1."""
        return self.content.count(b"\n", 0, position) + 1

    def cut(self, starts: Sequence[int]) -> list[tuple[int, bytes]]:
        """Cut the content at some places; give the number of the first line of each piece, too."""
        number, pieces = self.line_at(starts[0]) if starts else 1, []
        for start, end in pairwise([*starts, len(self.content)]):
            pieces.append((number, self.content[start:end]))
            number += self.content.count(b"\n", start, end)
        return pieces


def lines_with(
    content: bytes, pattern: re.Pattern[bytes], word: bytes
) -> Iterator[re.Match[bytes]]:
    """Find the lines that a pattern matches from their start, all of which have a word."""
    # Looking for a word is many times faster than trying a pattern at each line.
    end = 0
    while (place := content.find(word, end)) >= 0:
        end = content.find(b"\n", place) % (len(content) + 1)
        if found := pattern.match(content, content.rfind(b"\n", 0, place) + 1):
            yield found


class File(NamedTuple):
    """A file that is to be opened: its path, and what Source says of it."""

    path: str
    stem: str
    in_folder: bool = False

    def open(self) -> Source:
        """Read the file, or say why that is not possible."""
        if self.path == STANDARD_INPUT:
            content = _checked(self.stem, _standard_input())
            return Source(self.stem, content, self.stem, has_name=False)
        content = _checked(self.path, _content(self.path))
        return Source(self.path, content, self.stem, self.in_folder)


def files_at(path: str) -> list[File]:
    """Name a file, or those of a folder and the folders in it, in the order of their names."""
    if not path:
        raise ReadError("''", None, "this is not the name of a file")
    if path == STANDARD_INPUT:
        return [File(path, PIPED)]
    folder = Path(path)
    if not _is_folder(folder):
        return [File(path, _stem(folder.name))]
    inside = ((file, file.relative_to(folder)) for file in sorted(folder.rglob("*")))
    files = [
        File(str(file), _stem(relative.as_posix()), in_folder=True)
        for file, relative in inside
        if _is_data(relative, file)
    ]
    if not files:
        raise ReadError(path, None, "there are no files in this folder")
    return files


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _is_data(inside: Path, file: Path) -> bool:
    """Leave out folders themselves, and what a system hides by a dot."""
    return not any(part.startswith(".") for part in inside.parts) and file.is_file()


def _stem(name: str) -> str:
    """Take the ending off the name of a file: what follows the last dot, but no dot in front."""
    name = name.removesuffix(PACKED)
    folders, slash, last = name.rpartition("/")
    return folders + slash + (last.rpartition(".")[0] or last)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise ReadError(PIPED, None, "it is closed; name a file instead of -")
    return sys.stdin.buffer.read()


def _content(path: str) -> bytes:
    """Read the bytes of a file, or say why that is not possible."""
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        raise ReadError(path, None, "there is no such file") from None
    except PermissionError:
        raise ReadError(path, None, "there is no permission to read this file") from None
    except (OSError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) else error
        raise ReadError(path, None, f"the file cannot be read: {what}") from None
    if not path.endswith(PACKED):
        return content
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        what = f"the name ends in {PACKED}, but the content cannot be decompressed: {error}"
        raise ReadError(path, None, what) from None


def _checked(path: str, content: bytes) -> bytes:
    """Refuse what is not UTF-8 text; take away a byte order mark, and CR at the ends of lines."""
    content = content.removeprefix(codecs.BOM_UTF8)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        what = f"byte {content[error.start]:#04x} is not UTF-8; the file must be UTF-8 text"
        raise ReadError(path, line, what) from None
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise ReadError(path, line, "this is not a text file: it has a NUL character")
    if not content or content.isspace():
        raise ReadError(path, None, "the file is empty")
    return content
