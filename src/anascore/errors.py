"""Exceptions of the package, and problems that readers report about a file."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from reprlib import Repr
from typing import Any, Literal, NamedTuple, Self, TypeAlias

LONGEST_MESSAGE = 1_500
"""Maximum length of an error message in characters, apart from lists of errors in files."""


class AnascoreError(Exception):
    """Base class of all errors that anascore raises."""

    def __init__(self, message: str = "") -> None:
        """Create an error; the middle of a very long message is cut out."""
        super().__init__(_printable(message))

    @property
    def lines(self) -> tuple[str, ...]:
        """Lines of the message."""
        return (str(self),)


class ReadError(AnascoreError):
    """A file cannot be read, or has an error at a line.

    If several documents have errors, the message has a line for each; `path`, `line` and `what` are
    those of the first.
    """

    def __init__(
        self, path: str, line: int | None, what: str, further_lines: Sequence[str] = ()
    ) -> None:
        """Create an error about a line of a file, or about the whole file if `line` is None."""
        self.path = path
        self.line = line
        self.what = what
        self.further_lines = tuple(further_lines)
        Exception.__init__(self, "\n".join(self.lines))

    @property
    def lines(self) -> tuple[str, ...]:
        """Lines of the message: one for each document with errors."""
        first = f"{_place(self.path, self.line)}: {self.what}"
        return tuple(map(_printable, (first, *self.further_lines)))

    def __reduce__(
        self,
    ) -> tuple[type[ReadError], tuple[str, int | None, str, tuple[str, ...]]]:
        return ReadError, (self.path, self.line, self.what, self.further_lines)


def _printable(message: str) -> str:
    """Remove lone surrogates, which cannot be printed, and cut a very long message."""
    return _shorten(message.encode(errors="backslashreplace").decode(), LONGEST_MESSAGE)


def _place(path: str, line: int | None) -> str:
    return path if line is None else f"{path}:{line}"


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


LONGEST_VALUE = 120
"""Maximum length of a value in a message."""


class _Shown(Repr):
    """Writes the `repr` of any value, cut to a few items and characters."""

    def __init__(self) -> None:
        super().__init__()
        self.maxstring = self.maxother = LONGEST_VALUE

    def repr_int(self, x: int, level: int) -> str:
        # Python refuses to print numbers of thousands of digits.
        return super().repr_int(x, level) if abs(x) < MAX_SEED else f"<{x.bit_length()}-bit number>"

    def repr_Fraction(self, x: Fraction, level: int) -> str:  # noqa: N802  named after the class
        numerator, denominator = (self.repr1(part, level) for part in x.as_integer_ratio())
        return numerator if x.denominator == 1 else f"{numerator}/{denominator}"

    def repr_instance(self, x: Any, level: int) -> str:  # noqa: ARG002  a method of the base class
        try:
            text = " ".join(repr(x).split())
        except Exception:  # noqa: BLE001  the object is not ours
            return f"<{type(x).__name__} object>"
        return _shorten(text, self.maxother)


_SHOWN = _Shown()


def shown(value: object) -> str:
    """Write the `repr` of any value on one line, cut if it is long; never raise an error.

    >>> shown("a"), shown([10**5000])
    ("'a'", '[<16610-bit number>]')
    """
    try:
        return _shorten(_SHOWN.repr(value), LONGEST_VALUE)
    except Exception:  # noqa: BLE001  the object is not ours
        return f"<{type(value).__name__} object>"


MAX_NUMBER = 10**9
"""Maximum of numbers that a user sets."""

MAX_SEED = 2**128
"""Maximum of random seeds; NumPy draws its own seeds up to this number."""


def check_whole_number(name: str, value: object, least: int, largest: int) -> None:
    """Raise SettingsError unless a value is a whole number from `least` to `largest`."""
    if type(value) is int and least <= value <= largest:
        return
    too_large = type(value) is int and value > largest
    limit = f"at most {largest}" if too_large else f"at least {least}"
    message = f"{name} must be a whole number, {limit}, not {shown(value)}"
    raise SettingsError(message)


NEAR = 0.66
"""Minimum similarity of a misspelt name and the right one; difflib gives 0.67 for mcu and muc."""


def did_you_mean(name: object, known: Iterable[str]) -> str:
    """Ask whether the user meant the most similar known name; empty if none is similar.

    >>> did_you_mean("conl", ["muc", "conll"])
    " (did you mean 'conll'?)"
    """
    from difflib import get_close_matches  # noqa: PLC0415  only errors need it

    if not isinstance(name, str):
        return ""
    spellings = {spelling.lower(): spelling for spelling in known}
    matches = get_close_matches(name.lower()[:LONGEST], spellings, n=1, cutoff=NEAR)
    return f" (did you mean {spellings[matches[0]]!r}?)" if matches else ""


def check_output(name: object, outputs: Iterable[str]) -> None:
    """Raise SettingsError if an output does not exist."""
    names = list(outputs)
    if not (isinstance(name, str) and name in names):
        hint = did_you_mean(name, names)
        message = f"no such output: {shown(name)}{hint}; choose from {', '.join(names)}"
        raise SettingsError(message)


EXCLUSIVE_HINT = "; if your ends are exclusive, subtract 1 from each"
INCLUSIVE_HINT = "; if your ends are inclusive, add 1 to each"
"""Remedies for span ends in another convention, which messages append."""


class Problem(NamedTuple):
    """An error or a warning about a file."""

    path: str
    line: int | None
    severity: Literal["error", "warning"]
    what: str
    """Message, without the place."""

    @property
    def text(self) -> str:
        """Place and message."""
        return f"{_place(self.path, self.line)}: {self.what}"

    def __str__(self) -> str:
        return f"{_place(self.path, self.line)}: {self.severity}: {self.what}"


RepairKind: TypeAlias = Literal[
    "tag",
    "closing",
    "opening",
    "span",
    "element",
    "syntax",
    "fence",
    "preamble",
    "paragraph",
    "document",
]

REPAIRS: dict[RepairKind, str] = {
    "tag": "invalid tags, read as words or joined",
    "closing": "closing tags without an opening one, read as mentions of one word",
    "opening": "opening tags without a closing one, closed at the end of their sentence",
    "span": "invalid spans, left out",
    "element": "elements that cannot be in a set, left out",
    "syntax": "errors in JSON around documents or before brackets, ignored",
    "fence": "code fences, left out",
    "preamble": "text outside documents, left out",
    "paragraph": "lines of one document, joined",
    "document": "documents that cannot be read, scored as empty",
}
"""Repair kinds for a language model's output, with what was done."""


class Repair(NamedTuple):
    """A repair of a file, made while reading it or when its words were aligned with the key's."""

    kind: RepairKind
    path: str
    line: int | None
    what: str
    """What was wrong, without the place."""

    @property
    def text(self) -> str:
        """Place and message."""
        return f"{_place(self.path, self.line)}: {self.what}"


MAX_LISTED = 20
"""Maximum number of documents with errors that a message lists."""


def read_error(
    problems: Sequence[Problem], unit: str = "documents", closing: Sequence[str] = ()
) -> ReadError:
    """Make an error that lists one problem per unit, and ends with closing lines."""
    first, *others = problems
    lines = [problem.text for problem in others[: MAX_LISTED - 1]]
    if left := len(others) - len(lines):
        lines.append(f"and {left} more {unit}")
    return ReadError(first.path, first.line, first.what, [*lines, *closing])


LONGEST = 400
"""Maximum length of a message in characters. Messages quote text from files, which can be long."""


def _shorten(message: str, longest: int = LONGEST) -> str:
    """Cut out the middle of a long message, because its beginning and end explain the error."""
    half = longest // 2
    return message if len(message) <= longest else f"{message[:half]} ... {message[-half:]}"


class Problems:
    """Collector of errors and warnings about a file. Reading continues to the end of the file."""

    def __init__(self, path: str, *, repairing: bool = False) -> None:
        """Create a collector for the file at `path`; readers may be asked to repair it."""
        self.path = path
        self.found: list[Problem] = []
        self.repairing = repairing
        self.repairs: list[Repair] = []
        self.names: set[str] = set()
        """Names that a reader has seen in the file, such as JSON keys, known or not."""

    @property
    def has_errors(self) -> bool:
        """True if an error was collected."""
        return any(problem.severity == "error" for problem in self.found)

    def in_file(self, path: str) -> Self:
        """Make a collector for another file, whose problems are collected here, too."""
        other = type(self)(path, repairing=self.repairing)
        other.found, other.repairs = self.found, self.repairs
        return other

    def error(self, line: int | None, message: str) -> None:
        """Report an error."""
        self.found.append(Problem(self.path, line, "error", _shorten(message)))

    def repair(self, kind: RepairKind, line: int | None, message: str) -> None:
        """Report an error that the reader can repair: as a repair if repairs are wanted."""
        message = _shorten(message)
        if self.repairing:
            self.repairs.append(Repair(kind, self.path, line, message))
        else:
            self.found.append(Problem(self.path, line, "error", message))

    def warning(self, line: int | None, message: str) -> None:
        """Report a warning."""
        self.found.append(Problem(self.path, line, "warning", _shorten(message)))
