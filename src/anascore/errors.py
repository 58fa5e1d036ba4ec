"""Exceptions of the package, and problems that readers report about a file."""

from __future__ import annotations

from typing import Literal, NamedTuple


class AnascoreError(Exception):
    """Base class of all errors that anascore raises."""


class ReadError(AnascoreError):
    """A file cannot be read, or has an error at a line."""

    def __init__(self, path: str, line: int | None, what: str) -> None:
        """Create an error about a line of a file, or about the whole file if `line` is None."""
        super().__init__(f"{path}: {what}" if line is None else f"{path}:{line}: {what}")
        self.path = path
        self.line = line
        self.what = what

    def __reduce__(self) -> tuple[type[ReadError], tuple[str, int | None, str]]:
        return ReadError, (self.path, self.line, self.what)


class WriteError(AnascoreError):
    """A file cannot be written."""

    def __init__(self, path: str, what: str) -> None:
        """Create an error about a file or folder."""
        super().__init__(f"{path}: {what}")
        self.path = path
        self.what = what

    def __reduce__(self) -> tuple[type[WriteError], tuple[str, str]]:
        return WriteError, (self.path, self.what)


class EntityError(AnascoreError):
    """Entities built in Python have invalid references to each other."""


class MismatchError(AnascoreError):
    """Key and response have different documents or different words."""


class SettingsError(AnascoreError):
    """A setting is unknown or invalid, or two settings contradict each other."""


class Problem(NamedTuple):
    """An error or a warning about a file."""

    path: str
    line: int | None
    severity: Literal["error", "warning"]
    what: str
    """Message, without the place."""

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.severity}: {self.what}"


LONGEST = 400
"""Maximum length of a message in characters. Messages quote text of files, which can be long."""


def _shorten(message: str) -> str:
    """Cut out the middle of a long message; its beginning and end explain the error."""
    half = LONGEST // 2
    return message if len(message) <= LONGEST else f"{message[:half]} ... {message[-half:]}"


class Problems:
    """Collector of warnings about a file. The first error is raised."""

    def __init__(self, path: str) -> None:
        """Create a collector for the file at `path`."""
        self.path = path
        self.found: list[Problem] = []

    @property
    def has_errors(self) -> bool:
        """True if an error was collected."""
        return any(problem.severity == "error" for problem in self.found)

    def error(self, line: int | None, message: str) -> None:
        """Report an error. May return, so callers must be able to continue."""
        raise ReadError(self.path, line, _shorten(message))

    def warning(self, line: int | None, message: str) -> None:
        """Report a warning."""
        self.found.append(Problem(self.path, line, "warning", _shorten(message)))


class AllProblems(Problems):
    """Collector of warnings and errors. Reading continues to the end of the file."""

    def error(self, line: int | None, message: str) -> None:
        """Collect an error."""
        self.found.append(Problem(self.path, line, "error", _shorten(message)))
