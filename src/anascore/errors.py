"""What can go wrong, as one tree.

AnascoreError
├── ReadError       a file cannot be read, or what it says cannot be right
├── WriteError      a file cannot be written
├── EntityError     entities made in Python refer to each other in a way that cannot be right
├── MismatchError   key and response do not belong together
└── SettingsError   a setting is unknown, or two of them contradict each other

The library raises these and prints nothing; the command line prints them and exits with status 2.
"""

from __future__ import annotations


class AnascoreError(Exception):
    """Anything that keeps anascore from giving a right number: what a caller catches."""


class ReadError(AnascoreError):
    """A file cannot be read, or is wrong at a certain line."""

    def __init__(self, path: str, line: int | None, what: str) -> None:
        """Say what is wrong at a line of a file, or with the file as a whole."""
        super().__init__(f"{path}: {what}" if line is None else f"{path}:{line}: {what}")
        self.path = path
        self.line = line
        self.what = what

    def __reduce__(self) -> tuple[type[ReadError], tuple[str, int | None, str]]:
        return ReadError, (self.path, self.line, self.what)


class WriteError(AnascoreError):
    """A file cannot be written."""

    def __init__(self, path: str, what: str) -> None:
        """Say what is wrong with a file or folder."""
        super().__init__(f"{path}: {what}")
        self.path = path
        self.what = what

    def __reduce__(self) -> tuple[type[WriteError], tuple[str, str]]:
        return WriteError, (self.path, self.what)


class EntityError(AnascoreError):
    """Entities made in Python refer to each other in a way that cannot be right."""


class MismatchError(AnascoreError):
    """Key and response do not hold the same documents or the same words."""


class SettingsError(AnascoreError):
    """A setting is unknown or out of range, or two settings contradict each other."""
