"""The brackets of one CoNLL-UA column: mentions that open and close along a document.

`(EntityID=1|MarkableID=m3|Min=7,8|ElementOf=4,9` opens a mention, `)` closes the one opened last,
`m3)` the one of that name, so that mentions may cross. A MarkableID that opens again is a further
part of the same mention.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from anascore.elements import find_cycle
from anascore.errors import ReadError
from anascore.model import Entity, Mention, Span, Zero

PSEUDO = ("-Pseudo", "_Pseudo")
"""How the EntityID of a non-referring mention ends."""


Position: TypeAlias = tuple[int, int]
"""A place between words: how many words and how many zeros of the document come before it."""


class _Annotated(NamedTuple):
    """A mention as far as it has been read."""

    name: str
    entity: str
    minimum: Span | None
    parts: list[_Part]


class _Part(NamedTuple):
    """From where to where a mention goes."""

    start: Position
    end: Position


class _Open(NamedTuple):
    """A part of a mention that has not been closed."""

    annotated: _Annotated
    line: int
    start: Position


# An opening bracket with its attributes, or a closing one with the name of what it closes.
_BRACKET = re.compile(r"\((?P<attributes>[^()@]*)|(?P<name>[^()@]*)\)|@")

SHOWN = 3
"""How many open mentions a message names, of those opened last."""

LONG = 10
"""How many steps of a cycle a message names."""


class Brackets:
    """Reads a column from top to bottom; `finish` gives the entities and non-referring mentions."""

    def __init__(self, path: str, document: str) -> None:
        """Start before the first word of a document."""
        self._path = path
        self._document = document
        self._annotated: list[_Annotated] = []
        self._named: dict[str, _Annotated] = {}
        self._open: dict[int, _Open] = {}
        self._open_by_name: dict[str, list[int]] = {}
        self._opened = 0
        self._element_of: dict[tuple[str, str], int] = {}

    def read(self, cell: str, line: int, before: Position, after: Position) -> None:
        """Read what the column holds at a word or zero, given what there is before and after it."""
        end = 0
        while end < len(cell):
            bracket = _BRACKET.match(cell, end)
            if bracket is None:
                what = f"{cell[end:]!r} is neither '(EntityID=...' nor ')' nor '_'"
                raise ReadError(self._path, line, what)
            end = bracket.end()
            if (attributes := bracket["attributes"]) is not None:
                self._open_mention(attributes, line, before)
            elif (name := bracket["name"]) is not None:
                self._close_mention(name, line, after)

    def finish(
        self, zeros: Sequence[Zero]
    ) -> tuple[tuple[Entity[Mention], ...], tuple[Mention, ...]]:
        """Return the entities in the order of the file, and the non-referring mentions.

        zeros are those of the document, in order.
        """
        if self._open:
            part = next(iter(self._open.values()))
            what = f"{_described(part.annotated)} is opened here and never closed; a ')' is missing"
            raise ReadError(self._path, part.line, what)
        mentions: dict[str, list[Mention]] = {}
        nonreferring = []
        for annotated in self._annotated:
            mention = _mention(annotated, zeros)
            if annotated.entity.endswith(PSEUDO):
                nonreferring.append(mention)
            else:
                mentions.setdefault(annotated.entity, []).append(mention)
        elements = self._elements(list(mentions))
        entities = tuple(
            Entity(tuple(found), tuple(elements[position]), name)
            for position, (name, found) in enumerate(mentions.items())
        )
        return entities, tuple(nonreferring)

    def _open_mention(self, attributes: str, line: int, before: Position) -> None:
        given = self._attributes(attributes, line)
        entity = given.get("entityid", "")
        if not entity:
            raise ReadError(self._path, line, f"EntityID is missing in '({attributes}'")
        name = given.get("markableid", "")
        annotated = self._named.get(name)
        if annotated is None:
            minimum = self._minimum(given["min"], line) if "min" in given else None
            annotated = _Annotated(name, entity, minimum, [])
            self._annotated.append(annotated)
            if name:
                self._named[name] = annotated
        elif annotated.entity != entity:
            what = (
                f"MarkableID {name} is in entity {entity} here and in {annotated.entity} above; "
                f"a mention is in one entity"
            )
            raise ReadError(self._path, line, what)
        if "elementof" in given:
            self._add_links(entity, given["elementof"], line)
        self._opened += 1
        self._open[self._opened] = _Open(annotated, line, before)
        self._open_by_name.setdefault(name, []).append(self._opened)

    def _attributes(self, attributes: str, line: int) -> dict[str, str]:
        """Read `key=value|key=value`, with keys in any case."""
        given = {}
        for attribute in attributes.split("|"):
            key, sign, value = attribute.partition("=")
            key = key.strip().lower()
            if not sign:
                what = f"'({attributes}' is not of the form '(EntityID=...|MarkableID=...'"
                raise ReadError(self._path, line, what)
            if key in given:
                what = f"'({attributes}' has {key} twice; several ids are joined by commas"
                raise ReadError(self._path, line, what)
            given[key] = value.strip()
        return given

    def _close_mention(self, name: str, line: int, after: Position) -> None:
        part = self._take_open(name)
        if part is None:
            latest = [_described(part.annotated) for part in list(self._open.values())[-SHOWN:]]
            what = f"'{name})' closes no mention; open here: {', '.join(latest) or 'nothing'}"
            raise ReadError(self._path, line, what)
        part.annotated.parts.append(_Part(part.start, after))

    def _take_open(self, name: str) -> _Open | None:
        """Take the part that was opened last, of all or of a name, from what is open."""
        if not name and self._open:
            _, part = self._open.popitem()
            self._open_by_name[part.annotated.name].pop()
            return part
        numbers = self._open_by_name.get(name)
        return self._open.pop(numbers.pop()) if numbers else None

    def _minimum(self, value: str, line: int) -> Span:
        """Read the first and last word of a minimum span, which count from 1."""
        first, _, last = value.partition(",")
        try:
            span = int(first) - 1, int(last or first)
        except ValueError:
            span = -1, -1
        if not 0 <= span[0] < span[1]:
            what = f"Min={value} is not one word number, or two with a comma between"
            raise ReadError(self._path, line, what)
        return span

    def _add_links(self, entity: str, sets: str, line: int) -> None:
        """Note that the entity is an element of the sets named."""
        if entity.endswith(PSEUDO):
            what = f"a non-referring mention ({entity}) cannot be an element (ElementOf={sets})"
            raise ReadError(self._path, line, what)
        for name in sets.split(","):
            self._element_of.setdefault((entity, name.strip()), line)

    def _elements(self, names: list[str]) -> list[list[int]]:
        """Give each entity the positions of its elements."""
        positions = {name: position for position, name in enumerate(names)}
        elements: list[list[int]] = [[] for _ in names]
        for (element, owner), line in self._element_of.items():
            if owner not in positions:
                what = (
                    f"ElementOf={owner} names no entity of document {self._document!r}, so no set "
                    f"of which {element} could be an element"
                )
                raise ReadError(self._path, line, what)
            elements[positions[owner]].append(positions[element])
        if cycle := [names[position] for position in find_cycle(elements)]:
            links = list(zip(cycle, cycle[1:] + cycle[:1], strict=True))
            steps = [f"{element} is an element of {owner}" for element, owner in links]
            more = [f"and so on through {len(steps)} entities"] if len(steps) > LONG else []
            what = f"an entity cannot be an element of itself: {', '.join(steps[:LONG] + more)}"
            raise ReadError(self._path, self._element_of[links[0]], what)
        return elements


def _described(annotated: _Annotated) -> str:
    """Name a mention for a message."""
    mention = f"mention {annotated.name}" if annotated.name else "a mention"
    return f"{mention} of entity {annotated.entity}"


def _mention(annotated: _Annotated, zeros: Sequence[Zero]) -> Mention:
    """Make a mention of its parts."""
    spans = [(start[0], end[0]) for start, end in annotated.parts if start[0] < end[0]]
    covered = {zero for start, end in annotated.parts for zero in zeros[start[1] : end[1]]}
    return Mention(_joined(spans), tuple(sorted(covered)), annotated.minimum)


def _joined(spans: list[Span]) -> tuple[Span, ...]:
    """Sort spans and join those that touch or overlap, so that equal sets of words are equal."""
    if len(spans) == 1:
        return (spans[0],)
    joined: list[Span] = []
    for first, after in sorted(spans):
        if joined and first <= joined[-1][1]:
            joined[-1] = joined[-1][0], max(after, joined[-1][1])
        else:
            joined.append((first, after))
    return tuple(joined)
