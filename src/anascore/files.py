"""Texts to files that appear whole or not at all."""

from __future__ import annotations

import errno
import gzip
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from anascore.errors import WriteError
from anascore.formats.source import PACKED


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
