"""The errors that users see, and the problems that readers report about a file."""

from __future__ import annotations

from typing import Literal, NamedTuple


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


class Problem(NamedTuple):
    """One thing that is wrong (an error) or suspicious (a warning)."""

    path: str
    line: int | None
    severity: Literal["error", "warning"]
    what: str

    def __str__(self) -> str:
        place = self.path if self.line is None else f"{self.path}:{self.line}"
        return f"{place}: {self.severity}: {self.what}"


LONGEST = 400
"""How many characters a message can have, which may quote what a file says."""


def _cut(what: str) -> str:
    """Take out the middle of a long message: its beginning and its end say what is wrong."""
    half = LONGEST // 2
    return what if len(what) <= LONGEST else f"{what[:half]} ... {what[-half:]}"


class Problems:
    """Takes note of warnings about a file; raises at the first error."""

    def __init__(self, path: str) -> None:
        """Start with none."""
        self.path = path
        self.found: list[Problem] = []

    @property
    def has_errors(self) -> bool:
        """Whether an error was found, and taken note of."""
        return any(problem.severity == "error" for problem in self.found)

    def error(self, line: int | None, what: str) -> None:
        """Say what is wrong at a line; whoever says it must be able to go on."""
        raise ReadError(self.path, line, _cut(what))

    def warning(self, line: int | None, what: str) -> None:
        """Say what is suspicious at a line."""
        self.found.append(Problem(self.path, line, "warning", _cut(what)))


class AllProblems(Problems):
    """Takes note of errors too, so that a file can be read to its end."""

    def error(self, line: int | None, what: str) -> None:
        """Take note of what is wrong."""
        self.found.append(Problem(self.path, line, "error", _cut(what)))
