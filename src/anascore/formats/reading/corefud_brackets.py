"""The Entity attribute of CorefUD: mentions that open and close along a document, by their ids.

`(e7-person-2-` opens a mention of e7, `e7)` closes the latest open one of e7, `(e7-person-1-)` is a
mention of one word; `(e5[1/2]-...` and `e5[2/2])` belong to the parts of a discontinuous mention.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from anascore.formats.places import Part, Position, joined, mention, mention_of, units_of
from anascore.model import Mention, Unit, Zero
from anascore.problems import Problems


class _Opened(NamedTuple):
    """A mention that has been opened: its id, the fields of the bracket, and where it starts."""

    entity: str
    fields: Mapping[str, str]
    line: int
    start: Position


class _Divided(NamedTuple):
    """A discontinuous mention as far as it has been read."""

    opened: _Opened
    of: int
    """How many parts it must have."""

    parts: list[Part]


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
        self.mentions: dict[str, list[Mention]] = {}
        """The mentions of each entity, in the order in which they close."""

        self.attributes: dict[str, list[Mapping[str, str]]] = {}
        """For each of these mentions the fields of its opening bracket."""

        self.at_line: dict[tuple[str, int], Mention] = {}
        """The latest mention of an entity that was opened on a line."""

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
                fields = dict(zip(names, opened.split("-", len(names) - 1), strict=False))
                label = fields.get("eid", "")
                found = _Opened(label, fields, line, before)
                self.mentions.setdefault(label.partition("[")[0], [])
                if whole:
                    self._close(label, found, after)
                else:
                    self._open.setdefault(label, []).append(found)
            else:
                what = f"{wrong!r} is neither '(e1-...' nor 'e1)', where e1 is the id of an entity"
                self._problems.error(line, what)

    def finish(self) -> None:
        """Find what was opened and not closed."""
        for label, stack in self._open.items():
            for opened in stack:
                what = (
                    f"a mention of {label} is opened here and never closed; '{label})' is missing"
                )
                self._problems.error(opened.line, what)
        for entity, waiting in self._divided.items():
            for opened, of, parts in waiting:
                what = f"{entity}[1/{of}] is here, but {len(parts)} of its {of} parts are closed"
                self._problems.error(opened.line, what)

    def _close(self, label: str, opened: _Opened, end: Position) -> None:
        """Add a mention, or a part of one."""
        if label[-1:] == "]":
            self._close_part(label, opened, end)
        elif label:
            self._add(opened, [(opened.start, end)])
        else:
            self._problems.error(opened.line, "'(' without the id of an entity, like '(e1-...'")

    def _close_part(self, label: str, opened: _Opened, end: Position) -> None:
        """Add a part of a discontinuous mention, and the mention when all parts are there."""
        part = _PART.fullmatch(label)
        number, of = (int(part[2]), int(part[3])) if part else (0, 0)
        if part is None or not 1 <= number <= of:
            what = f"{label!r} is neither the id of an entity, like e1, nor a part, like e1[1/2]"
            self._problems.error(opened.line, what)
            return
        entity = part[1]
        waiting = self._divided.setdefault(entity, [])
        if number == 1:
            waiting.append(_Divided(opened._replace(entity=entity), of, []))
        for position in reversed(range(len(waiting))):
            divided = waiting[position]
            if divided.of == of and len(divided.parts) == number - 1:
                divided.parts.append((opened.start, end))
                if number == of:
                    del waiting[position]
                    self._add(divided.opened, divided.parts)
                return
        what = f"{label} is here, but part {number - 1} of that mention is not closed before it"
        self._problems.error(opened.line, what)

    def _add(self, opened: _Opened, parts: list[Part]) -> None:
        """Add a mention, with its head and minimum span, which count from 1 inside it."""
        entity, fields, line, _ = opened
        found = mention_of(parts, self._zeros)
        head, minimum = fields.get("head"), fields.get("minspan")
        if head or minimum:
            heads = self._units(opened, "head", head, found)
            minima = self._units(opened, "minspan", minimum, found)
            spans = joined([(word - 1, word) for word, rank in minima if not rank])
            marked = heads or minima
            found = mention(found.words, found.zeros, spans, marked[0] if marked else None)
        self.mentions[entity].append(found)
        self.attributes.setdefault(entity, []).append(fields)
        self.at_line[entity, line] = found

    def _units(self, opened: _Opened, name: str, value: str | None, found: Mention) -> list[Unit]:
        """Find the words and zeros that a field names by numbers, with commas between."""
        if not value:
            return []
        try:
            numbers = [int(number) for number in value.split(",")]
        except ValueError:
            numbers = [0]
        size = found.size
        if min(numbers) > 0 and max(numbers) <= size:
            if found.zeros or len(found.words) > 1:
                units = units_of(found)
                return [units[number - 1] for number in numbers]
            start = found.words[0][0]
            return [(start + number, 0) for number in numbers]
        what = f"{name} of a mention of {opened.entity} is {value!r}; it must be"
        numbered = "1, the number of its word" if size == 1 else f"word numbers from 1 to {size}"
        self._problems.error(opened.line, f"{what} {numbered}")
        return []
