"""JSON to plain values, and what is wrong with them, by the line of the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cached_property
from typing import Any, TypeAlias

from anascore.errors import Problems
from anascore.model.mention import Span


def dump_json(value: Any) -> str:
    """Write a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


Where: TypeAlias = tuple[str | int, ...]
"""The way to a value: keys of objects and positions in lists."""


class CheckedJson:
    """One JSON value, whose parts are asked for one by one, and checked."""

    def __init__(self, text: str, first: int, problems: Problems) -> None:
        """Parse a text that starts at a line of the file."""
        self._text = text
        self._first = first
        self._problems = problems
        self.value: Any = None
        self.is_json = False
        """Whether there is a value at all; if not, that has been said."""
        try:
            self.value = json.loads(text)
            self.is_json = True
        except json.JSONDecodeError as error:
            what = f"this is not JSON: {error.msg}, at character {error.colno} of the line"
            problems.error(first + error.lineno - 1, what)
        except RecursionError:
            problems.error(first, "this cannot be read as JSON: it is nested too deeply")
        except ValueError:
            problems.error(first, "this cannot be read as JSON: a number has too many digits")

    def error(self, where: Where, what: str) -> None:
        """Say what is wrong with a part of the value."""
        self._problems.error(self.line_of(where), f"{_shown(where)}{what}")

    def line_of(self, where: Where) -> int:
        """Return the line that a part of the value starts on."""
        if not self.is_json or "\n" not in self._text:
            return self._first
        parts = (where[:size] for size in range(len(where), -1, -1))
        return next((self._lines[part] for part in parts if part in self._lines), self._first)

    @cached_property
    def _lines(self) -> dict[Where, int]:
        return dict(_lines_of_values(self._text, self._first))

    def items(self, value: Any, where: Where, what: str) -> list[Any]:
        """Check that a part is a list."""
        if isinstance(value, list):
            return value
        self.error(where, f"{short(value)} is not {what}")
        return []

    def fields(self, value: Any, where: Where, what: str) -> dict[str, Any]:
        """Check that a part is an object."""
        if isinstance(value, dict) or not self.is_json:
            return value or {}
        self.error(where, f"{short(value)} is not {what}")
        return {}

    def strings(self, value: Any, where: Where, what: str) -> list[str]:
        """Check that a part is a list of strings that can be written again."""
        items = self.items(value, where, what)
        for position, item in enumerate(items):
            if not isinstance(item, str):
                self.error((*where, position), f"{short(item)} is not a word in quotes")
                return [item if isinstance(item, str) else "_" for item in items]
        return items if self.can_be_written("".join(items), where) else ["_"] * len(items)

    def can_be_written(self, text: str, where: Where) -> bool:
        """Check that a text has no halves of characters, which JSON can hold and UTF-8 cannot."""
        try:
            text.encode()
        except UnicodeEncodeError:
            self.error(where, "a text with half a character (a lone surrogate)")
            return False
        return True

    def name(self, value: Any, where: Where, names: Iterator[str]) -> str:
        """Check the name of a document; one without a name gets the next of the default names."""
        if value is None or value == "":
            return next(names)
        if not isinstance(value, str):
            self.error(where, f"{short(value)} is not a name in quotes")
        elif self.can_be_written(value, where):
            return value
        return next(names)

    def span(
        self, value: Any, where: Where, size: int, *, inclusive: bool, more: bool = False
    ) -> Span | None:
        """Check that a part is a pair of positions among so many; return them, end exclusive.

        With more, something else can follow them.
        """
        if isinstance(value, list) and (len(value) == 2 or (more and len(value) > 2)):
            start, last = value[0], value[1]
            if type(start) is int and type(last) is int:
                end = last + 1 if inclusive else last
                if 0 <= start < end <= size:
                    return start, end
        ends = "first and last position" if inclusive else "start, and end, which is after the last"
        what = f"{short(value)} is not a span [{ends}] among {size}, counted from 0"
        self.error(where, what)
        return None


# A string, a bracket, a comma, a colon or anything else up to one of them; and line ends.
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|\n|[^\s\[\]{},:"]+')


def _lines_of_values(text: str, line: int) -> Iterator[tuple[Where, int]]:
    """Yield the way to each value in a valid JSON text, and the line on which it starts."""
    # For each open bracket, the position in the list or the key in the object.
    way: list[str | int] = []
    previous = ""
    for piece in _PIECE.findall(text):
        if piece == "\n":
            line += 1
            continue
        if piece == ",":
            last = way[-1]
            way[-1] = last + 1 if isinstance(last, int) else ""
        elif piece in {"]", "}"}:
            way.pop()
        elif way and isinstance(way[-1], str) and previous in {"{", ","}:
            way[-1] = json.loads(piece)
        elif piece != ":":
            yield tuple(way), line
            if piece in {"[", "{"}:
                way.append(0 if piece == "[" else "")
        previous = piece


def _shown(where: Where) -> str:
    """Write the way to a value as one does in Python and JavaScript."""
    way = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in where)
    return f"{way.removeprefix('.')}: " if way else ""


SHORT = 60


def short(value: Any) -> str:
    """Show a value in a message, as JSON, cut if it is long."""
    try:
        text = json.dumps(value, ensure_ascii=True)
    except RecursionError:
        text = "something nested too deeply"
    return text if len(text) <= SHORT else f"{text[:SHORT]}..."
