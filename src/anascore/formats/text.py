"""The lines of a text file, whatever marks their ends, or what is wrong with the file."""

from __future__ import annotations

from pathlib import Path

from anascore.errors import ReadError


def read_lines(path: str) -> list[str]:
    """Read a UTF-8 file, with or without a byte order mark, with LF, CRLF or CR."""
    if not path:
        raise ReadError("''", None, "this is not the name of a file")
    try:
        content = Path(path).read_bytes()
    except FileNotFoundError:
        raise ReadError(path, None, "there is no such file") from None
    except IsADirectoryError:
        raise ReadError(path, None, "this is a directory; name a file in it") from None
    except PermissionError:
        raise ReadError(path, None, "there is no permission to read this file") from None
    except (OSError, ValueError) as error:
        what = error.strerror if isinstance(error, OSError) else error
        raise ReadError(path, None, f"the file cannot be read: {what}") from None
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        what = f"byte {content[error.start]:#04x} is not UTF-8; the file must be UTF-8 text"
        raise ReadError(path, line, what) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise ReadError(path, line, "this is not a text file: it has a NUL character")
    if not text.strip():
        raise ReadError(path, None, "the file is empty")
    # Not splitlines(): that also splits at characters that may stand inside a word, like U+2028.
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
