"""The Entity attribute of CorefUD: mentions that open and close along a document, by their ids.

`(e7-person-2-` opens a mention of e7, `e7)` closes the latest open one of e7, `(e7-person-1-)` is a
mention of one word; `(e5[1/2]-...` and `e5[2/2])` belong to the parts of a discontinuous mention.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from anascore.formats.places import Part, Position, joined, mention, mention_of, units_of
from anascore.model import Mention, Unit, Zero
from anascore.problems import Problems


class _Fields(NamedTuple):
    """What an opening bracket says besides the id."""

    given: Mapping[str, str]
    number: int | None
    """The one number that head or minspan has, 0 if neither is given, None if there are more."""


_Opened: TypeAlias = tuple[_Fields, int, Position]
"""A mention that has been opened: what its bracket says, its line, and where it starts."""


class _Divided(NamedTuple):
    """A discontinuous mention as far as it has been read."""

    opened: _Opened
    of: int
    """How many parts it must have."""

    parts: list[Part]


@dataclass(slots=True)
class Found:
    """The mentions of one entity, in the order in which they close."""

    mentions: list[Mention] = field(default_factory=list)
    attributes: list[Mapping[str, str]] = field(default_factory=list)
    """For each mention the fields of its opening bracket."""

    lines: list[int] = field(default_factory=list)
    """For each mention the line that it opens on."""


# What is opened and maybe closed at once, or what is closed, or what is wrong.
_BRACKET = re.compile(r"\(([^()]+)(\)?)|([^()]+)\)|(.+)")
_PART = re.compile(r"([^\[\]]+)\[(\d+)/(\d+)\]")


class Brackets:
    """Reads the Entity attributes of a document from top to bottom."""

    def __init__(self, zeros: Sequence[Zero], problems: Problems) -> None:
        """Start before the first word of a document, whose zeros so far are in a list."""
        self._zeros = zeros
        self._problems = problems
        self._open: dict[str, list[_Opened]] = {}
        self._divided: dict[str, list[_Divided]] = {}
        self._seen: dict[str, _Fields] = {}
        self.entities: dict[str, Found] = {}
        """In the order in which their first mentions open."""

    def read(
        self, text: str, names: Sequence[str], line: int, before: Position, after: Position
    ) -> None:
        """Read what is said at a word or zero, given what there is before and after it."""
        for opened, whole, closed, wrong in _BRACKET.findall(text):
            if closed:
                if stack := self._open.get(closed):
                    self._close(closed, stack.pop(), after)
                else:
                    here = ", ".join(sorted(label for label, found in self._open.items() if found))
                    what = f"'{closed})' closes no mention; open here: {here or 'nothing'}"
                    self._problems.error(line, what)
            elif opened:
                label, fields = self._fields(opened, names)
                found = fields, line, before
                if label not in self.entities:
                    self.entities.setdefault(label.partition("[")[0], Found())
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

    def _fields(self, opened: str, names: Sequence[str]) -> tuple[str, _Fields]:
        """Take the id and the other fields out of an opening bracket; many have the same."""
        if names[0] == "eid":
            label, _, rest = opened.partition("-")
            names = names[1:]
        else:
            values = opened.split("-", len(names) - 1)
            at = names.index("eid")
            label = values.pop(at) if at < len(values) else ""
            rest = "-".join(values)
            names = [*names[:at], *names[at + 1 :]]
        fields = self._seen.get(rest)
        if fields is None:
            given = dict(zip(names, rest.split("-", max(0, len(names) - 1)), strict=False))
            fields = self._seen[rest] = _Fields(given, _one_number(given))
        return label, fields

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
        if "[" in label or "]" in label:
            self._close_part(label, opened, end)
        else:
            fields, _, start = opened
            found = _usual_mention(start, end, fields.number)
            self._add(label, opened, found or self._mention(label, opened, [(start, end)]))

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
            waiting.append(_Divided(opened, of, []))
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
        of = self.entities[entity]
        of.mentions.append(found)
        of.attributes.append(opened[0].given)
        of.lines.append(opened[1])

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
        value = opened[0].given.get(name)
        if not value:
            return []
        units = units_of(bare)
        numbers = [int(n) if _is_number(n) else 0 for n in value.split(",")]
        if min(numbers) > 0 and max(numbers) <= len(units):
            return [units[number - 1] for number in numbers]
        what = f"{name} of a mention of {entity} is {value!r}; it must be"
        last = len(units)
        numbered = "1, the number of its word" if last == 1 else f"word numbers from 1 to {last}"
        self._problems.error(opened[1], f"{what} {numbered}")
        return []


DIGITS = 9
"""How many digits a number can have that is to be read at all."""


def _is_number(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) <= DIGITS


def _one_number(given: Mapping[str, str]) -> int | None:
    head, minimum = given.get("head"), given.get("minspan")
    if head and minimum:
        return None
    number = head or minimum
    if not number:
        return 0
    return (int(number) or None) if _is_number(number) else None


def _usual_mention(start: Position, end: Position, number: int | None) -> Mention | None:
    """Make a mention of words alone, whose head has a number, or leave that to others."""
    first, last = start[0], end[0]
    if number is None or start[1] != end[1] or number > last - first:
        return None
    if number == 0 or last == first + 1:
        return Mention(((first, last),))
    return Mention(((first, last),), (), ((first + number - 1, first + number),))
