"""Files at addresses like s3://bucket/key.conllu, through fsspec if it is installed.

All functions raise OSError for every kind of failure.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import IO, Any, cast


def is_remote(path: str) -> bool:
    """Tell an address from a local path."""
    return "://" in path


@contextmanager
def _file_system(path: str) -> Iterator[tuple[Any, str]]:
    """Yield an address's file system and the path in it; turn every error into OSError."""
    try:
        fsspec: Any = import_module("fsspec.core")
    except ImportError:
        message = "a path with :// needs the package fsspec: pip install 'anascore[fsspec]'"
        raise OSError(message) from None
    try:
        yield fsspec.url_to_fs(path)
    except OSError:
        raise
    except Exception as error:  # noqa: BLE001  each file system has errors of its own
        raise OSError(str(error) or type(error).__name__) from None


def remote_size(path: str) -> int | None:
    """Return the size in bytes; None if unknown."""
    with _file_system(path) as (system, name):
        information = system.info(name)
        # Some servers cannot send a part of a file.
        known = information["type"] == "file" and information.get("partial", True)
        return information["size"] if known else None


def is_remote_file(path: str) -> bool:
    """Test whether an address is that of a file."""
    with _file_system(path) as (system, name):
        return bool(system.isfile(name))


def remote_files(path: str) -> list[tuple[str, str]] | None:
    """List the addresses of all files below a folder, and their paths in it; None for a file.

    Names that start with a dot are skipped, with everything below them.
    """
    with _file_system(path) as (system, name):
        if not system.isdir(name):
            return None
        start = name.rstrip("/") + "/"
        inside = [(file, file.removeprefix(start)) for file in sorted(system.find(name))]
        return [
            (system.unstrip_protocol(file), relative)
            for file, relative in inside
            if not any(part.startswith(".") for part in relative.split("/"))
        ]


def open_remote(path: str) -> IO[bytes]:
    """Open a file for reading."""
    with _file_system(path) as (system, name):
        return cast("IO[bytes]", system.open(name, "rb"))


def read_remote(path: str) -> bytes:
    """Return the content of a file."""
    with _file_system(path) as (system, name):
        return bytes(system.cat_file(name))


def write_remote(path: str, content: bytes) -> None:
    """Write a file."""
    with _file_system(path) as (system, name):
        system.pipe_file(name, content)
