"""Where text comes from and goes to: files, folders, pipes, compressed or not."""

from __future__ import annotations

import codecs
import errno
import gzip
import os
import re
import shutil
import sys
import tempfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from anascore.errors import ReadError, WriteError

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


def write_file(path: str, text: str) -> None:
    """Write a file beside its place and move it there; compress it if the name says so.

    What is no file, like a pipe or a device, stays where it is and is written to.
    """
    target = Path(path).resolve()
    if target.is_dir():
        raise WriteError(path, "this is a folder; name a file")
    content = text.encode()
    if path.endswith(PACKED):
        content = gzip.compress(content, mtime=0)
    try:
        if target.exists() and not os.access(target, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        if target.exists() and not target.is_file():
            target.write_bytes(content)
        else:
            _replace(target, content)
    except OSError as error:
        raise WriteError(path, f"the file cannot be written: {error.strerror}") from None


def _replace(target: Path, content: bytes) -> None:
    """Put a new file in the place of an old one, or of none, in one step."""
    handle, name = tempfile.mkstemp(prefix=".anascore-", dir=target.parent)
    beside = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        beside.chmod(_mode(target))
        beside.replace(target)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise


def _mode(target: Path) -> int:
    """Return the rights of the file that is replaced, or those that new files get."""
    return target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_mask()


def _mask() -> int:
    """Return the rights that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_folder(path: str, texts: Mapping[str, str]) -> None:
    """Write files, by their names, into a folder that does not exist yet or is empty."""
    if path.endswith(PACKED):
        raise WriteError(path, f"a folder of files cannot be compressed; leave {PACKED} away")
    target = Path(path)
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise WriteError(path, "there is something already; name a new folder")
    for name in texts:
        _check_name(path, name)
    try:
        beside = Path(tempfile.mkdtemp(prefix=".anascore-", dir=target.parent))
        try:
            for name, text in texts.items():
                file = beside / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text.encode())
            beside.chmod(0o777 & ~_mask())
            beside.replace(target)
        except BaseException:
            shutil.rmtree(beside, ignore_errors=True)
            raise
    except OSError as error:
        raise WriteError(path, f"the folder cannot be written: {error.strerror}") from None


def _check_name(path: str, name: str) -> None:
    """Refuse names that lead out of a folder, that cannot be, or that hide a file."""
    parts = name.split("/")
    if "\0" in name or any(part in {"", ".", ".."} or part.startswith(".") for part in parts):
        what = f"document {name!r} cannot be the name of a file; each document is a file there"
        raise WriteError(path, what)
