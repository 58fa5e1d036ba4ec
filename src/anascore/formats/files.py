"""Input and output of text: files, folders and standard input, compressed or not."""

from __future__ import annotations

import codecs
import errno
import os
import re
import stat
import sys
import zlib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePath
from typing import IO, Any, BinaryIO, NamedTuple, TypeAlias, cast

from anascore.errors import ReadError, WriteError
from anascore.formats.remote import (
    is_remote,
    is_remote_file,
    open_remote,
    read_remote,
    remote_files,
    remote_size,
    write_remote,
)

STANDARD_INPUT = "-"
STANDARD_INPUT_NAME = "standard input"
"""Name of standard input in messages."""

GZIP_ENDING = ".gz"

NO_MEMORY = "not enough memory to read this; use a smaller file, or fewer --jobs"


class SidecarFiles(NamedTuple):
    """File endings that belong together, like x.ann and x.txt."""

    main: str
    """Ending of the annotation file, which is the one that users name."""

    text: str
    """Ending of the text file."""

    unread: tuple[str, ...] = ()
    """Endings of related files that are not read."""

    may_be_empty: bool = False
    """True if an annotation file may be empty."""

    def main_file(self, path: str) -> str | None:
        """Return the annotation file to which a file belongs; None for unrelated files."""
        plain = path.removesuffix(GZIP_ENDING)
        for ending in (self.text, *self.unread):
            if plain.endswith(ending):
                return plain.removesuffix(ending) + self.main
        return None


STANDOFF = SidecarFiles(".ann", ".txt", may_be_empty=True)
"""Files of brat and LitBank."""

BOOKNLP_FILES = SidecarFiles(
    ".entities", ".tokens", (".quotes", ".supersense", ".book", ".book.html")
)

SIDECAR_FILES = (STANDOFF, BOOKNLP_FILES)
"""All groups of files that belong together."""


@dataclass(frozen=True, slots=True)
class Source:
    """A file's content, or some of its documents."""

    path: str
    """Path of the file, as messages name it."""

    content: bytes
    """UTF-8 without a byte order mark, with LF line ends."""

    stem: str
    """File name without its ending; for a file from a folder, its path inside the folder."""

    in_folder: bool = False
    """True if the user named a folder that contains the file."""

    has_name: bool = True
    """False for standard input."""

    has_crlf: bool = False
    """True if the file uses CRLF line ends."""

    first_line: int = 1
    """Line number at which the content starts."""

    unnamed: int = 0
    """Number of unnamed documents before the content."""

    head: bytes = b""
    """Beginning of the file, if the content is only some of its documents."""

    @property
    def beginning(self) -> bytes:
        """Beginning of the file, which shows the layout; the whole file unless it is large."""
        return self.head or self.content

    def has(self, word: bytes) -> bool:
        """Search the content and the beginning of the file for a word."""
        return word in self.content or word in self.head

    @property
    def text(self) -> str:
        """Content as a string."""
        return self.content.decode()

    @property
    def lines(self) -> list[str]:
        """Lines of the content."""
        # Not splitlines(): that also splits at characters that a word may have, like U+2028.
        return self.text.split("\n")

    def companion(self, endings: SidecarFiles) -> Source:
        """Open this annotation file's text file, or raise ReadError."""
        main, text = endings.main, endings.text
        if not self.has_name:
            message = f"this needs the {text} file beside it; name the {main} file instead of -"
            raise ReadError(self.path, None, message)
        plain = self.path.removesuffix(GZIP_ENDING)
        own_ending = main if plain.endswith(main) else PurePath(plain).suffix
        expected = plain.removesuffix(own_ending) + text
        if expected == plain:
            message = f"the name ends in {text}, the ending of the text; this file needs another"
            raise ReadError(self.path, None, f"{message}, like {main}")
        for path in (expected, expected + GZIP_ENDING):
            if is_file(path):
                return File(path, self.stem, self.in_folder).open()
        message = f"{expected} is missing; it must be beside this file, since it holds the text"
        raise ReadError(self.path, None, message)

    def line_at(self, position: int) -> int:
        """Return the line number of a position in the content."""
        return self.content.count(b"\n", 0, position) + self.first_line

    def split_at(self, starts: Sequence[int]) -> list[tuple[int, bytes]]:
        """Split the content at some positions; return each piece with its first line number."""
        number, pieces = self.line_at(starts[0]) if starts else self.first_line, []
        for start, end in pairwise([*starts, len(self.content)]):
            pieces.append((number, self.content[start:end]))
            if end < len(self.content):
                number += self.content.count(b"\n", start, end)
        return pieces


TOKEN = re.compile(rb"^(?!#)[^\S\n]*\S", re.MULTILINE)
"""Start of a row of columns."""


def matching_lines(
    content: bytes, pattern: re.Pattern[bytes], word: bytes
) -> Iterator[re.Match[bytes]]:
    """Match a pattern at line starts, looking only at lines that contain the word."""
    # Searching for a word is many times faster than trying a pattern at each line.
    end = 0
    while (position := content.find(word, end)) >= 0:
        end = content.find(b"\n", position) % (len(content) + 1)
        if match := pattern.match(content, content.rfind(b"\n", 0, position) + 1):
            yield match


class File(NamedTuple):
    """A file that has not been opened yet."""

    path: str
    stem: str
    in_folder: bool = False
    may_be_empty: bool = False
    problem: str = ""
    """Reason why a folder's item cannot be read, because it is not a file."""

    @property
    def size(self) -> int | None:
        """Size in bytes; None if it is not a file on disk, like standard input or a pipe."""
        if self.path == STANDARD_INPUT:
            return None
        try:
            if is_remote(self.path):
                return remote_size(self.path)
            status = os.stat(self.path)  # noqa: PTH116  Path.stat raises other errors, too
        except (OSError, ValueError):
            return None
        return status.st_size if stat.S_ISREG(status.st_mode) else None

    def open_bytes(self) -> IO[bytes]:
        """Open a file on disk; decompress it if its name ends in .gz."""
        file = open_remote(self.path) if is_remote(self.path) else open(self.path, "rb")  # noqa: PTH123, SIM115  the caller closes it
        if not self.path.endswith(GZIP_ENDING):
            return file
        import gzip  # noqa: PLC0415  seldom needed

        opened: Any = gzip.GzipFile(fileobj=file)
        # The file is then closed with the decompressed one.
        opened.myfileobj = file
        return cast("IO[bytes]", opened)

    def open(self) -> Source:
        """Read the file; raise ReadError if it cannot be read or is not text."""
        if self.problem:
            raise ReadError(self.path, None, self.problem)
        name = self.stem if self.path == STANDARD_INPUT else self.path
        try:
            return self._open()
        except MemoryError:
            pass
        # The error is gone, and with it the memory that it held.
        raise ReadError(name, None, NO_MEMORY)

    def _open(self) -> Source:
        if self.path == STANDARD_INPUT:
            content = validate_text(self.stem, _standard_input())
            return Source(self.stem, content, self.stem, has_name=False)
        raw = _read_bytes(self.path)
        content = validate_text(self.path, raw, may_be_empty=self.may_be_empty)
        # A single byte is found many times faster than two.
        has_crlf = b"\r" in raw and b"\r\n" in raw
        return Source(self.path, content, self.stem, self.in_folder, has_crlf=has_crlf)


def files_at(path: str, companions: Collection[SidecarFiles] = ()) -> list[File]:
    """List a file, or all files below a folder in the order of their names.

    Files that merely accompany another file of the folder are left out. Items that are neither
    files nor folders are included; opening them raises an error.
    """
    may_be_empty = tuple(endings.main for endings in companions if endings.may_be_empty)

    def named(path: str, stem: str, *, in_folder: bool = False, problem: str = "") -> File:
        plain = path.removesuffix(GZIP_ENDING)
        return File(path, stem, in_folder, plain.endswith(may_be_empty), problem)

    if not path:
        raise ReadError("''", None, "this is not a file name")
    if path == STANDARD_INPUT:
        return [File(path, STANDARD_INPUT_NAME)]
    items = _remote_items(path) if is_remote(path) else _local_items(path)
    if items is None:
        return [named(path, _stem(PurePath(path).name))]
    files = [
        named(file, _stem(relative), in_folder=True, problem=problem)
        for file, relative, problem in items
    ]
    if not files:
        raise ReadError(path, None, "there are no files in this folder")
    names = {file.path.removesuffix(GZIP_ENDING) for file in files}
    return [
        file
        for file in files
        if not any(endings.main_file(file.path) in names for endings in companions)
    ]


_Items: TypeAlias = list[tuple[str, str, str]]
"""Items of a folder: path, path inside the folder, and the reason if one cannot be read."""


def _remote_items(path: str) -> _Items | None:
    """List a remote folder's files; None if the address is a file."""
    try:
        files = remote_files(path)
    except OSError as error:
        raise ReadError(path, None, f"the file cannot be read: {_reason(error)}") from None
    return None if files is None else [(file, relative, "") for file, relative in files]


def _local_items(path: str) -> _Items | None:
    """List a local folder's items; None if the path is a file."""
    folder = Path(path)
    if not _is_folder(folder):
        return None
    return [
        (str(file), file.relative_to(folder).as_posix(), problem)
        for file, problem in _visible_items(folder)
    ]


def is_file(path: str) -> bool:
    """Test for a file, on disk or at an address."""
    if is_remote(path):
        with suppress(OSError):
            return is_remote_file(path)
        return False
    return os.path.isfile(path)  # noqa: PTH113  Path.is_file raises if a name is too long


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False


def _visible_items(folder: Path) -> Iterator[tuple[Path, str]]:
    """Yield all files below a folder in order, and unreadable items with the reason.

    Symbolic links are followed. Names that start with a dot are skipped, with everything below
    them.
    """
    names: dict[tuple[int, int], Path] = {}
    remaining = [folder]
    while remaining:
        path = remaining.pop()
        try:
            status = path.stat()
            if not stat.S_ISDIR(status.st_mode):
                is_file = stat.S_ISREG(status.st_mode)
                yield path, "" if is_file else "this is neither a file nor a folder"
                continue
            # A folder below itself would be read forever, and others twice.
            first = names.setdefault((status.st_dev, status.st_ino), path)
            if first != path:
                yield path, f"this is the same folder as {first}, by a link; it can be read once"
                continue
            visible = (item for item in path.iterdir() if not item.name.startswith("."))
            remaining += sorted(visible, reverse=True)
        except FileNotFoundError:
            yield path, "this link does not lead to a file"
        except OSError as error:
            yield path, f"this cannot be read: {error.strerror}"


def _stem(name: str) -> str:
    """Remove a file name's ending; a leading dot does not start one.

    Bytes that are not UTF-8 are escaped, because outputs are UTF-8 and contain file names.
    """
    name = name.encode(errors="backslashreplace").decode().removesuffix(GZIP_ENDING)
    folders, slash, last = name.rpartition("/")
    return folders + slash + (last.rpartition(".")[0] or last)


def _standard_input() -> bytes:
    if sys.stdin is None:
        raise ReadError(STANDARD_INPUT_NAME, None, "it is closed; give a file name instead of -")
    try:
        return _read_stream(sys.stdin.buffer, STANDARD_INPUT_NAME)
    except OSError as error:
        message = f"it cannot be read: {_reason(error)}"
        raise ReadError(STANDARD_INPUT_NAME, None, message) from None


def _read_stream(stream: BinaryIO, path: str) -> bytes:
    """Read an open file; raise ReadError for a device, which may never end."""
    try:
        status = os.fstat(stream.fileno())
    except OSError:
        # A stream of Python, which is no file of the system.
        return stream.read()
    is_device = stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode)
    if is_device and not (stream.isatty() or status.st_rdev == Path(os.devnull).stat().st_rdev):
        message = "this is a device, which may have no end; give a file, a folder, a pipe or -"
        raise ReadError(path, None, message)
    return stream.read()


def _read_bytes(path: str) -> bytes:
    try:
        if is_remote(path):
            content = read_remote(path)
        else:
            with Path(path).open("rb") as file:
                content = _read_stream(file, path)
    except FileNotFoundError:
        raise ReadError(path, None, "no such file") from None
    except PermissionError:
        raise ReadError(path, None, "no permission to read this file") from None
    except (OSError, ValueError) as error:
        raise ReadError(path, None, f"the file cannot be read: {_reason(error)}") from None
    if not path.endswith(GZIP_ENDING):
        return content
    import gzip  # noqa: PLC0415  seldom needed

    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        message = f"the name ends in {GZIP_ENDING}, but the content cannot be decompressed: {error}"
        raise ReadError(path, None, message) from None


def validate_text(path: str, content: bytes, *, may_be_empty: bool = False) -> bytes:
    """Raise ReadError unless the content is UTF-8 text; remove the byte order mark and CRs."""
    content = content.removeprefix(codecs.BOM_UTF8)
    if b"\r" in content:
        content = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        # Most bytes of most files are ASCII, which is checked many times faster.
        if not content.isascii():
            content.decode()
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"byte {content[error.start]:#04x} is not UTF-8; the file must be UTF-8 text"
        raise ReadError(path, line, message) from None
    if b"\0" in content:
        line = content.count(b"\n", 0, content.index(b"\0")) + 1
        raise ReadError(path, line, "this is not a text file: it has a NUL character")
    if (not content or content.isspace()) and not may_be_empty:
        raise ReadError(path, None, "the file is empty")
    return content


_DESCRIPTOR = re.compile(r"/dev/(?:fd/([0-9]{1,9})|stdout|stderr)|/proc/self/fd/([0-9]{1,9})")


def _descriptor(path: str) -> int | None:
    """Return the file descriptor that a path like /dev/stdout or /dev/fd/3 names."""
    if not (match := _DESCRIPTOR.fullmatch(path)):
        return None
    standard = "2" if path.endswith("stderr") else "1"
    return int(match[1] or match[2] or standard)


def is_stream(path: str) -> bool:
    """Test for a pipe, a device or an open file like /dev/stdout."""
    return _descriptor(path) is not None or _is_pipe_or_device(path)


def _is_pipe_or_device(path: str) -> bool:
    # Functions of os.path return False where those of Path raise errors.
    return os.path.exists(path) and not (is_file(path) or os.path.isdir(path))  # noqa: PTH110, PTH112


def write_file(path: str, text: str) -> None:
    """Write a temporary file and rename it; compress it if the name ends in .gz.

    Pipes, devices and open files like /dev/stdout are written in place.
    """
    check_writable(path)
    try:
        content = text.encode()
        if path.endswith(GZIP_ENDING):
            import gzip  # noqa: PLC0415  seldom needed

            content = gzip.compress(content, mtime=0)
        if is_remote(path):
            write_remote(path, content)
        elif (descriptor := _descriptor(path)) is not None:
            # To open the path again would write over what is already in a file.
            with os.fdopen(os.dup(descriptor), "wb") as file:
                file.write(content)
        elif _is_pipe_or_device(path):
            Path(path).write_bytes(content)
        else:
            _replace(_writable_path(path), content)
    except (OSError, ValueError) as error:
        raise WriteError(path, f"the file cannot be written: {_reason(error)}") from error


def check_writable(path: str) -> None:
    """Raise WriteError early if a file visibly cannot be written."""
    if not path:
        raise WriteError("''", "this is not a file name")
    if os.path.isdir(path):  # noqa: PTH112  Path.is_dir raises if a name is too long
        raise WriteError(path, "this is a folder; give a file name")
    if is_remote(path) or is_stream(path):
        return
    try:
        _writable_path(path)
    except (OSError, ValueError) as error:
        problem = f"the file cannot be written: {_reason(error)}"
        folder = os.path.dirname(path)  # noqa: PTH120  as the user wrote it
        if folder and not os.path.lexists(folder) and isinstance(error, FileNotFoundError):
            problem = f"the folder {folder} does not exist"
        raise WriteError(path, problem) from error


def _writable_path(path: str) -> Path:
    """Follow links to the real file; raise OSError if it must not be written."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    folder = target.parent
    # The slash makes this an error if the folder is a file.
    os.stat(f"{folder}/")  # noqa: PTH116
    for place in (folder, target) if target.exists() else (folder,):
        if not os.access(place, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return target


def _reason(error: OSError | ValueError) -> str:
    """Word the reason why a file cannot be read or written."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, UnicodeEncodeError):
        return "a text or name with half a character (a lone surrogate)"
    return str(error)


def _temporary_path(folder: Path) -> Path:
    """Choose the path of a temporary file that a signal cannot leave behind.

    With `tempfile`, a signal can arrive after the file is created and before its name is known.
    """
    return folder / f".anascore-{os.urandom(8).hex()}"


def _replace(target: Path, content: bytes) -> None:
    """Create or replace a file in one step."""
    temporary = _temporary_path(target.parent)
    try:
        with open(temporary, "xb", opener=_open_private) as file:
            file.write(content)
        temporary.chmod(_permissions(target))
        temporary.replace(target)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _open_private(path: str, flags: int) -> int:
    """Open a file that only its owner can read."""
    return os.open(path, flags, 0o600)


def _permissions(target: Path) -> int:
    """Return the permissions of the existing file, or those that a new file would get."""
    return target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def write_folder(path: str, texts: Mapping[str, str]) -> None:
    """Write texts to the files of a folder, which must be new or empty."""
    if is_remote(path):
        raise WriteError(path, "a folder can only be written to a disk; give a path without ://")
    if path.endswith(GZIP_ENDING):
        raise WriteError(
            path, f"a folder of files cannot be compressed; give a name without {GZIP_ENDING}"
        )
    for name in texts:
        _check_name(path, name)
    try:
        target = Path(path)
        if os.path.lexists(path) and (not target.is_dir() or any(target.iterdir())):
            raise WriteError(path, "this already exists; choose a new folder")
        temporary = _temporary_path(target.parent)
        try:
            temporary.mkdir(0o700)
            for name, text in texts.items():
                file = temporary / name
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(text.encode())
            temporary.chmod(0o777 & ~_umask())
            temporary.replace(target)
        except BaseException:
            import shutil  # noqa: PLC0415  seldom needed

            shutil.rmtree(temporary, ignore_errors=True)
            raise
    except (OSError, ValueError) as error:
        raise WriteError(path, f"the folder cannot be written: {_reason(error)}") from error


def _check_name(path: str, name: str) -> None:
    """Raise WriteError if a name is invalid, leads out of the folder or hides the file."""
    parts = name.split("/")
    if "\0" in name or any(part in {"", ".", ".."} or part.startswith(".") for part in parts):
        message = f"document {name!r} needs a file of its own, but this is not a valid file name"
        raise WriteError(path, message)
