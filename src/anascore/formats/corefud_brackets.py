"""The brackets of CorefUD: `Entity=(e1-person-1-` opens, `e1)` closes a mention."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple, TypeAlias, overload

from anascore.errors import Problems
from anascore.formats.build import unmatched_bracket
from anascore.model.mention import (
    Mention,
    Part,
    Position,
    Unit,
    Zero,
    joined,
    mention,
    mention_of,
    units_of,
)


class LazyAttributes(Sequence[Mapping[str, str]]):
    """The fields of opening brackets, which are taken apart only when somebody asks for them."""

    __slots__ = ("_names", "_texts")

    def __init__(self, names: Sequence[str], texts: Sequence[str]) -> None:
        """Take the names of the fields, and their values joined by hyphens."""
        self._names = names
        self._texts = texts

    @overload
    def __getitem__(self, index: int) -> Mapping[str, str]: ...
    @overload
    def __getitem__(self, index: slice) -> LazyAttributes: ...
    def __getitem__(self, index: int | slice) -> Mapping[str, str] | LazyAttributes:
        if isinstance(index, slice):
            return LazyAttributes(self._names, self._texts[index])
        values = self._texts[index].split("-", len(self._names) - 1)
        return dict(zip(self._names, values, strict=False))

    def __len__(self) -> int:
        return len(self._texts)


DIGITS = 9
"""How many digits a number can have that is to be read at all."""


def is_number(text: str) -> bool:
    """Tell whether a text is the number of a word."""
    return text.isdecimal() and text.isascii() and len(text) <= DIGITS


@lru_cache(maxsize=1000)
def usual_numbers(head: str, minimum: str) -> tuple[int, ...] | None:
    """Read the number of the head, or the numbers of the minimum span, if that is simple."""
    if head and minimum:
        return None
    if not (head or minimum):
        return ()
    texts = minimum.split(",") if minimum else [head]
    if not all(map(is_number, texts)):
        return None
    numbers = tuple(map(int, texts))
    if len(numbers) == 1:
        return numbers if numbers[0] else None
    return numbers if 0 not in numbers and list(numbers) == sorted(numbers) else None


_Opened: TypeAlias = tuple[str, int, Position]
"""A mention that has been opened: its fields but the id, its line, and where it starts."""


class _SplitMention(NamedTuple):
    """A discontinuous mention as far as it has been read."""

    opened: _Opened
    of: int
    """How many parts it must have."""

    parts: list[Part]


ClosedMentions: TypeAlias = tuple[list[Mention], list[str], list[int]]
"""The mentions of one entity in the order in which they close; for each of them the fields of its
opening bracket but the id, and the line that it opens on."""


# What is opened and maybe closed at once, or what is closed, or what is wrong.
_BRACKET = re.compile(r"\(([^()]+)(\)?)|([^()]+)\)|(.+)")
_ID = re.compile(r"[\[\]]")
"""What cannot be in the id of an entity: it ends there."""

_PART = re.compile(r"([^\[\]]+)\[([0-9]{1,9})/([0-9]{1,9})\]")


class EntityBrackets:
    """Reads the Entity attributes of a document from top to bottom."""

    def __init__(self, names: Sequence[str], zeros: Sequence[Zero], problems: Problems) -> None:
        """Start before the first word of a document, whose zeros so far are in a list.

        names are those of the fields of an opening bracket.
        """
        self._id_at = names.index("eid")
        self._last = len(names) - 1
        self.names = [name for name in names if name != "eid"]
        """The fields but the id."""

        # Where head and minspan stand, or behind the last field.
        self._marks = [[*self.names, name].index(name) for name in ("head", "minspan")]
        self._nothing = [""] * len(names)
        self._zeros = zeros
        self._problems = problems
        self._open: dict[str, list[_Opened]] = {}
        self._divided: dict[str, list[_SplitMention]] = {}
        self._numbers: dict[str, tuple[int, ...] | None] = {}
        self.entities: dict[str, ClosedMentions] = {}
        """In the order in which their first mentions open."""

    def read(self, text: str, line: int, before: Position, after: Position) -> None:
        """Read what is said at a word or zero, given what there is before and after it."""
        for opened, whole, closed, wrong in _BRACKET.findall(text):
            if closed:
                stack = self._open.get(closed)
                if stack is None:
                    self._problems.error(
                        line, unmatched_bracket(f"{closed})", reversed(self._open))
                    )
                    continue
                self._close(closed, stack.pop(), after)
                if not stack:
                    del self._open[closed]
            elif opened:
                label, fields = self._label(opened)
                found = fields, line, before
                if label not in self.entities:
                    self.entities.setdefault(_ID.split(label, 1)[0], ([], [], []))
                if not label:
                    what = f"'({opened}' without the id of an entity, like '(e1-...'"
                    self._problems.error(line, what)
                elif whole:
                    self._close(label, found, after)
                else:
                    self._open.setdefault(label, []).append(found)
            else:
                what = f"{wrong!r} is neither '(e1-...' nor 'e1)', where e1 is the id of an entity"
                self._problems.error(line, what)

    def _label(self, opened: str) -> tuple[str, str]:
        """Take the id out of an opening bracket."""
        if self._id_at == 0:
            label, _, fields = opened.partition("-")
            return label, fields
        values = opened.split("-", self._last)
        label = values.pop(self._id_at) if self._id_at < len(values) else ""
        return label, "-".join(values)

    def finish(self) -> None:
        """Find what was opened and not closed."""
        for label, stack in self._open.items():
            for _, line, _ in stack:
                what = f"a mention of {label} is opened here and never closed"
                self._problems.error(line, f"{what}; '{label})' is missing")
        for entity, waiting in self._divided.items():
            for (_, line, _), of, parts in waiting:
                what = f"{entity}[1/{of}] is here, but {len(parts)} of its {of} parts are closed"
                self._problems.error(line, what)

    def _close(self, label: str, opened: _Opened, end: Position) -> None:
        """Add a mention, or a part of one."""
        if label not in self.entities:
            self._close_part(label, opened, end)
            return
        fields, _, start = opened
        if fields not in self._numbers:
            values = fields.split("-", max(0, self._last - 1)) + self._nothing
            head_at, minimum_at = self._marks
            self._numbers[fields] = usual_numbers(values[head_at], values[minimum_at])
        found = _usual_mention(start, end, self._numbers[fields])
        self._add(label, opened, found or self._mention(label, opened, [(start, end)]))

    def _given(self, fields: str) -> Mapping[str, str]:
        return LazyAttributes(self.names, [fields])[0]

    def _close_part(self, label: str, opened: _Opened, end: Position) -> None:
        """Add a part of a discontinuous mention, and the mention when all parts are there."""
        part = _PART.fullmatch(label)
        number, of = (int(part[2]), int(part[3])) if part else (0, 0)
        if part is None or not 1 <= number <= of:
            what = f"{label!r} is neither the id of an entity, like e1, nor a part, like e1[1/2]"
            self._problems.error(opened[1], what)
            return
        entity = part[1]
        waiting = self._divided.setdefault(entity, [])
        if number == 1:
            waiting.append(_SplitMention(opened, of, []))
        for position in reversed(range(len(waiting))):
            divided = waiting[position]
            if divided.of == of and len(divided.parts) == number - 1:
                divided.parts.append((opened[2], end))
                if number == of:
                    del waiting[position]
                    whole = self._mention(entity, divided.opened, divided.parts)
                    self._add(entity, divided.opened, whole)
                return
        what = f"{label} is here, but part {number - 1} of that mention is not closed before it"
        self._problems.error(opened[1], what)

    def _add(self, entity: str, opened: _Opened, found: Mention) -> None:
        mentions, fields, lines = self.entities[entity]
        mentions.append(found)
        fields.append(opened[0])
        lines.append(opened[1])

    def _mention(self, entity: str, opened: _Opened, parts: list[Part]) -> Mention:
        """Make a mention, with its head and minimum span, which count from 1 inside it."""
        bare = mention_of(parts, self._zeros)
        heads = self._units(entity, opened, "head", bare)
        minima = self._units(entity, opened, "minspan", bare)
        spans = joined([(word - 1, word) for word, rank in minima if not rank])
        marked = heads or minima
        return mention(bare.words, bare.zeros, spans, marked[0] if marked else None)

    def _units(self, entity: str, opened: _Opened, name: str, bare: Mention) -> list[Unit]:
        """Find the words and zeros that a field names by numbers, with commas between."""
        value = self._given(opened[0]).get(name)
        if not value:
            return []
        units = units_of(bare)
        numbers = [int(n) if is_number(n) else 0 for n in value.split(",")]
        if min(numbers) > 0 and max(numbers) <= len(units):
            return [units[number - 1] for number in numbers]
        what = f"{name} of a mention of {entity} is {value!r}; it must be"
        last = len(units)
        numbered = "1, the number of its word" if last == 1 else f"word numbers from 1 to {last}"
        self._problems.error(opened[1], f"{what} {numbered}")
        return []


def _usual_mention(
    start: Position, end: Position, numbers: tuple[int, ...] | None
) -> Mention | None:
    """Make a mention of words alone, with its minimum span, or leave that to others."""
    first, last = start[0], end[0]
    if numbers is None or start[1] != end[1] or (numbers and numbers[-1] > last - first):
        return None
    words = ((first, last),)
    if not numbers or last == first + 1:
        return Mention(words)
    if len(numbers) == 1:
        word = first + numbers[0]
        return Mention(words, (), ((word - 1, word),))
    return Mention(words, (), joined([(first + n - 1, first + n) for n in numbers]))
