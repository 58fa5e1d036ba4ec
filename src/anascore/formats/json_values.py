"""JSON with checks: errors name the line in the file and the path to the value."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

from anascore.errors import EXCLUSIVE_HINT, INCLUSIVE_HINT, Problems
from anascore.formats.files import Source
from anascore.formats.format import DocumentStarts
from anascore.formats.near_names import NameKind
from anascore.model.document import Document
from anascore.model.mention import Mention, Span


def dump_json(value: Any) -> str:
    """Write a value as JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def json_keys(*known: str, others: Collection[str] = ()) -> tuple[NameKind, ...]:
    """Describe the keys of a JSON format, to find misspelt ones.

    Args:
        known: Keys that the reader reads.
        others: Keys from other tools that resemble known ones.
    """
    keys = frozenset(known)
    return (
        NameKind(label="JSON key", known=keys, others=frozenset(others), place=r'"{}"[ \t\n]*:'),
    )


JsonPath: TypeAlias = tuple[str | int, ...]
"""Path to a value: keys of objects, and positions in lists."""


MAX_NESTING = 100
"""Maximum nesting of lists and objects. The deepest format uses about ten levels."""

_USUAL_NESTING = 10
_BRACKETS = bytes.maketrans(b"{}", b"[]")
_NO_BRACKETS = bytes({*range(256)} - {*b'[]{}"'})
_STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]++|\\.)*+"?|[\[\]{}]', re.DOTALL)


def position_too_deep(text: str) -> int | None:
    """Return the position of the first bracket that is nested too deeply, or None.

    Python's own limit differs between versions, and does not protect memory.
    """
    # Nearly all texts need only some passes over bytes, which are far faster than parsing.
    content = text.encode(errors="surrogatepass")
    if b"\\" in content:
        content = content.replace(b"\\\\", b"").replace(b'\\"', b"")
    content = content.translate(_BRACKETS, _NO_BRACKETS).replace(b'""', b"")
    content = b"".join(content.split(b'"')[::2])
    for _ in range(_USUAL_NESTING):
        content = content.replace(b"[]", b"")
    if len(content) <= MAX_NESTING - _USUAL_NESTING:
        return None
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        if match[0] in {"[", "{"}:
            depth += 1
            if depth > MAX_NESTING:
                return match.start()
        elif match[0] in {"]", "}"}:
            depth -= 1
    return None


_LONG_NUMBER = re.compile(r"(?<![0-9])[0-9]{600}")
"""Number that Python may refuse: its limit is 4,300 digits, and cannot be set below 640."""


class CheckedJson:
    """One JSON value; its parts are checked when they are read."""

    def __init__(self, text: str, first: int, problems: Problems) -> None:
        """Parse a text; `first` is its first line number in the file."""
        self._text = text
        self._first = first
        self._problems = problems
        self.file = problems.path
        """Path of the file."""
        self.value: Any = None
        self.is_json = False
        """False if the text is not JSON; the error has been reported."""
        if (position := position_too_deep(text)) is not None:
            line = first + text.count("\n", 0, position)
            message = f"this is nested more than {MAX_NESTING} levels deep, which no format needs"
            problems.error(line, message)
            return
        repeats_key = False

        def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
            nonlocal repeats_key
            fields = dict(pairs)
            problems.names.update(fields)
            repeats_key = repeats_key or len(fields) < len(pairs)
            return fields

        try:
            self.value = json.loads(text, object_pairs_hook=read_object)
            self.is_json = True
        except json.JSONDecodeError as error:
            message = f"this is not JSON: {error.msg}, at character {error.colno} of the line"
            problems.error(first + error.lineno - 1, message)
        except ValueError:
            position = next((number.start() for number in _LONG_NUMBER.finditer(text)), 0)
            line = first + text.count("\n", 0, position)
            problems.error(line, "this cannot be read as JSON: a number has too many digits")
        if self.is_json and repeats_key:
            self._report_repeated_keys()

    def _report_repeated_keys(self) -> None:
        first_lines: dict[JsonPath, int] = {}
        for path, line in self._places.repeated:
            first_lines.setdefault(path, line)
        for path, line in first_lines.items():
            message = "this key occurs more than once in its object; keys must be unique"
            self._problems.error(line, f"{_path_prefix(path)}{message}")

    def error(self, path: JsonPath, message: str) -> None:
        """Report an error at a path."""
        self._problems.error(self.line_of(path), f"{_path_prefix(path)}{message}")

    def line_of(self, path: JsonPath) -> int:
        """Return the line on which the value at a path starts."""
        if not self.is_json or "\n" not in self._text:
            return self._first
        lines, children, _ = self._places
        number = 0
        for part in path:
            if (number, part) not in children:
                break
            number = children[number, part]
        return lines[number]

    @cached_property
    def _places(self) -> _Places:
        return _find_places(self._text, self._first)

    def items(self, value: Any, path: JsonPath, expected: str) -> list[Any]:
        """Require a list; report an error and return [] for anything else."""
        if isinstance(value, list):
            return value
        self.error(path, f"{shorten(value)} is not {expected}")
        return []

    def fields(self, value: Any, path: JsonPath, expected: str) -> dict[str, Any]:
        """Require an object; report an error and return {} for anything else."""
        if isinstance(value, dict) or not self.is_json:
            return value or {}
        self.error(path, f"{shorten(value)} is not {expected}")
        return {}

    def strings(self, value: Any, path: JsonPath, expected: str) -> list[str]:
        """Require a list of strings; invalid strings become _."""
        items = self.items(value, path, expected)
        for position, item in enumerate(items):
            if not isinstance(item, str):
                self.error((*path, position), f"{shorten(item)} is not a word in quotes")
                return [item if isinstance(item, str) else "_" for item in items]
        return items if self.is_encodable("".join(items), path) else ["_"] * len(items)

    def string(self, value: Any, path: JsonPath) -> str:
        """Require a string; it becomes _ if it cannot be encoded as UTF-8."""
        if not isinstance(value, str):
            self.error(path, f"{shorten(value)} is not a text in quotes")
            return ""
        return value if self.is_encodable(value, path) else "_" * len(value)

    def is_encodable(self, text: str, path: JsonPath) -> bool:
        """Report lone surrogates, which JSON allows and UTF-8 does not."""
        try:
            text.encode()
        except UnicodeEncodeError:
            self.error(path, "a text with half a character (a lone surrogate)")
            return False
        return True

    def name(self, value: Any, path: JsonPath, names: Iterator[str]) -> str:
        """Return a document's name, or a default one if it is missing or invalid."""
        if value is None or value == "":
            return next(names)
        if not isinstance(value, str):
            self.error(path, f"{shorten(value)} is not a name in quotes")
        elif self.is_encodable(value, path):
            return value
        return next(names)

    def span(  # noqa: PLR0913  every choice is a keyword
        self,
        value: Any,
        path: JsonPath,
        size: int,
        *,
        inclusive: bool,
        more: bool = False,
        unit: str = "words",
    ) -> Span | None:
        """Require a span within `size`; return it with an exclusive end.

        Report an error and return None for anything else. With `more`, other items may follow the
        ends.
        """
        limits = f" among {size}, counted from 0"
        if isinstance(value, list) and (len(value) == 2 or (more and len(value) > 2)):
            start, last = value[0], value[1]
            if type(start) is int and type(last) is int:
                end = last + 1 if inclusive else last
                if 0 <= start < end <= size:
                    return start, end
                if inclusive and last >= size > 0:
                    positions = f"positions go from 0 to {size - 1}"
                    limits = f"; the document has {size} {unit}, so {positions}"
                    limits += EXCLUSIVE_HINT if start < last == size else ""
                elif not inclusive and 0 <= start == last < size:
                    limits += INCLUSIVE_HINT
        ends = "first and last position" if inclusive else "start, and end, which is after the last"
        self.error(path, f"{shorten(value)} is not a span [{ends}]{limits}")
        return None

    def clusters(
        self, value: Any, path: JsonPath, mention_of: Callable[[Any, JsonPath], Mention | None]
    ) -> list[list[Mention]]:
        """Read each entity's mentions, and skip those for which mention_of returns None."""
        clusters = []
        for position, cluster in enumerate(self.items(value, path, "a list of entities")):
            cluster_path = (*path, position)
            values = self.items(cluster, cluster_path, "a list of spans")
            mentions = (mention_of(span, (*cluster_path, n)) for n, span in enumerate(values))
            clusters.append([mention for mention in mentions if mention])
        return clusters


def documents_on_lines(
    source: Source,
    problems: Problems,
    read_document: Callable[[CheckedJson, dict[str, Any]], Document],
) -> Iterator[Document | None]:
    """Read each object of a JSON lines file; yield None for any other value.

    A file that consists of one indented object counts as one line. Objects can share a line.
    """
    for number, value in _numbered_values(source):
        text = CheckedJson(value, number, problems)
        fields = text.fields(text.value, (), "a document {...}, one on each line")
        yield read_document(text, fields) if isinstance(text.value, dict) else None


def starts_at_lines(name_of: Callable[[dict[str, Any]], object]) -> DocumentStarts:
    """Make a finder of document starts in JSON lines; `name_of` returns a document's name."""

    def starts(content: bytes, _: bool) -> Iterator[tuple[int, str]]:  # noqa: FBT001  see DocumentStarts
        position = 0
        for line in content.split(b"\n"):
            with suppress(ValueError, RecursionError):
                fields = json.loads(line)
                if isinstance(fields, dict):
                    yield position, _encodable(name_of(fields))
            position += len(line) + 1

    return starts


def _encodable(name: object) -> str:
    """Return a name, or an empty string for anything but text."""
    try:
        return name.encode().decode() if isinstance(name, str) else ""
    except UnicodeEncodeError:
        return ""


_INDENTED = {b"{\n", b"[\n"}
"""Beginnings of files that consist of one indented value."""


def _numbered_values(source: Source) -> Iterator[tuple[int, str]]:
    """Yield the text of each value in a file, and its first line number."""
    if source.content.lstrip()[:2] in _INDENTED:
        yield 1, source.text
        return
    for number, line in enumerate(source.lines, source.first_line):
        if "}{" in line:
            for value in _split_objects(line):
                yield number, value
        elif line.strip():
            yield number, line


def _split_objects(line: str) -> Iterator[str]:
    """Split a line into objects, which nothing or spaces separate."""
    decoder = json.JSONDecoder()
    line = line.rstrip()
    start = 0
    while start < len(line):
        if line[start].isspace():
            start += 1
            continue
        try:
            _, end = decoder.raw_decode(line, start)
        except (ValueError, RecursionError):
            # The blanks keep the columns that messages name.
            yield " " * start + line[start:]
            return
        yield line[start:end]
        start = end


# A string; a bracket, comma or colon; a line end; or any other text up to one of these.
_PIECE = re.compile(r'"(?:[^"\\]|\\.)*"|[\[\]{},:]|\n|[^\s\[\]{},:"]+')


class _Places(NamedTuple):
    """Places of the values in a JSON text. Values are numbered; the whole text is value 0.

    Memory grows linearly with the text, which it would not if each value stored its path.
    """

    lines: list[int]
    """Line on which each value starts."""

    children: dict[tuple[int, str | int], int]
    """Numbers of values, by the number of the list or object around them, and their position or key
    in it."""

    repeated: list[tuple[JsonPath, int]]
    """Paths and lines of values whose key occurred before in the same object."""


def _find_places(text: str, line: int) -> _Places:
    """Locate every value of a valid JSON text; `line` is its first line number."""
    lines: list[int] = []
    children: dict[tuple[int, str | int], int] = {}
    repeated: list[tuple[JsonPath, int]] = []
    # For each open bracket, its number, and the position in the list or the key in the object.
    numbers: list[int] = []
    path: list[str | int] = []
    previous = ""
    for piece in _PIECE.findall(text):
        if piece == "\n":
            line += 1
            continue
        if piece == ",":
            last = path[-1]
            path[-1] = last + 1 if isinstance(last, int) else ""
        elif piece in {"]", "}"}:
            path.pop()
            numbers.pop()
        elif path and isinstance(path[-1], str) and previous in {"{", ","}:
            path[-1] = json.loads(piece)
        elif piece != ":":
            if path:
                if (numbers[-1], path[-1]) in children:
                    repeated.append((tuple(path), line))
                children[numbers[-1], path[-1]] = len(lines)
            if piece in {"[", "{"}:
                numbers.append(len(lines))
                path.append(0 if piece == "[" else "")
            lines.append(line)
        previous = piece
    return _Places(lines, children, repeated)


def _path_prefix(path: JsonPath) -> str:
    """Write a path as in JavaScript, followed by a colon; the whole value has an empty prefix."""
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path)
    return f"{text.removeprefix('.')}: " if text else ""


MAX_LENGTH = 60


def shorten(value: Any) -> str:
    """Write a value as JSON for a message, cut if it is long."""
    text = json.dumps(value, ensure_ascii=True)
    return text if len(text) <= MAX_LENGTH else f"{text[:MAX_LENGTH]}..."
