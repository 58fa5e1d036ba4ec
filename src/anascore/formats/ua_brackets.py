"""The brackets of one CoNLL-UA column: mentions that open and close along a document.

`(EntityID=1|MarkableID=m3|Min=7,8|ElementOf=4,9` opens a mention, `)` closes the one opened last,
`m3)` the one of that name, so that mentions may cross. A MarkableID that opens again is a further
part of the same mention.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from anascore.elements import find_cycle
from anascore.errors import ReadError
from anascore.model import Entity, Mention, Span, Zero

PSEUDO = ("-Pseudo", "_Pseudo")
"""How the EntityID of a non-referring mention ends."""


class _Annotated(NamedTuple):
    """A mention as far as it has been read."""

    name: str
    entity: str
    minimum: Span | None
    parts: list[_Part]


class _Part(NamedTuple):
    """From where to where a mention goes, in words of the document and in its zeros."""

    first_word: int
    first_zero: int
    end_word: int
    end_zero: int


class _Open(NamedTuple):
    """A part of a mention that has not been closed, and how much came before it."""

    annotated: _Annotated
    line: int
    words: int
    zeros: int


# An opening bracket with its attributes, or a closing one with the name of what it closes.
_BRACKET = re.compile(r"\((?P<attributes>[^()@]*)|(?P<name>[^()@]*)\)|@")


class Brackets:
    """Reads a column from top to bottom; `finish` gives the entities and non-referring mentions."""

    def __init__(self, path: str, document: str) -> None:
        """Start before the first word of a document."""
        self._path = path
        self._document = document
        self._words = 0
        self._zeros: list[Zero] = []
        self._before: tuple[int, int] = (0, 0)
        self._open: list[_Open] = []
        self._annotated: list[_Annotated] = []
        self._named: dict[str, _Annotated] = {}
        self._element_of: dict[tuple[str, str], int] = {}

    def add_word(self) -> None:
        """Step to the next word."""
        self._before = self._words, len(self._zeros)
        self._words += 1

    def add_zero(self) -> None:
        """Step to the next zero."""
        self._before = self._words, len(self._zeros)
        here = self._zeros and self._zeros[-1][0] == self._words
        self._zeros.append((self._words, self._zeros[-1][1] + 1 if here else 1))

    def read(self, cell: str, line: int) -> None:
        """Read what the column holds at the present word or zero."""
        end = 0
        for bracket in _BRACKET.finditer(cell):
            if bracket.start() != end:
                break
            end = bracket.end()
            if (attributes := bracket["attributes"]) is not None:
                self._open_mention(attributes, line)
            elif (name := bracket["name"]) is not None:
                self._close_mention(name, line)
        if end != len(cell):
            what = f"{cell[end:]!r} is neither '(EntityID=...' nor ')' nor '_'"
            raise ReadError(self._path, line, what)

    def finish(self) -> tuple[tuple[Entity[Mention], ...], tuple[Mention, ...]]:
        """Return the entities in the order of the file, and the non-referring mentions."""
        if self._open:
            part = self._open[0]
            what = f"{_described(part.annotated)} is opened here and never closed; a ')' is missing"
            raise ReadError(self._path, part.line, what)
        mentions: dict[str, list[Mention]] = {}
        nonreferring = []
        for annotated in self._annotated:
            mention = self._mention(annotated)
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

    def _open_mention(self, attributes: str, line: int) -> None:
        pairs = [attribute.split("=", 1) for attribute in attributes.split("|")]
        try:
            given = {key.lower(): value for key, value in pairs}
        except ValueError:
            what = f"'({attributes}' is not of the form '(EntityID=...|MarkableID=...'"
            raise ReadError(self._path, line, what) from None
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
        self._open.append(_Open(annotated, line, *self._before))

    def _close_mention(self, name: str, line: int) -> None:
        position = len(self._open) - 1
        while name and position >= 0 and self._open[position].annotated.name != name:
            position -= 1
        if position < 0:
            opened = ", ".join(_described(part.annotated) for part in self._open) or "nothing"
            what = f"'{name})' closes no mention; open here: {opened}"
            raise ReadError(self._path, line, what)
        part = self._open.pop(position)
        here = self._words, len(self._zeros)
        part.annotated.parts.append(_Part(part.words, part.zeros, *here))

    def _mention(self, annotated: _Annotated) -> Mention:
        """Make a mention of its parts."""
        words = [(p.first_word, p.end_word) for p in annotated.parts if p.first_word < p.end_word]
        zeros = {zero for p in annotated.parts for zero in self._zeros[p.first_zero : p.end_zero]}
        return Mention(_joined(words), tuple(sorted(zeros)), annotated.minimum)

    def _minimum(self, value: str, line: int) -> Span:
        """Read the first and last word of a minimum span, which count from 1."""
        first, _, last = value.partition(",")
        try:
            span = int(first) - 1, int(last or first)
        except ValueError:
            span = -1, -1
        if not 0 <= span[0] < span[1]:
            what = f"Min={value} is no span; it is one word number, or two with a comma between"
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
            steps = ", ".join(f"{element} is an element of {owner}" for element, owner in links)
            line = self._element_of[links[0]]
            raise ReadError(self._path, line, f"an entity cannot be an element of itself: {steps}")
        return elements


def _described(annotated: _Annotated) -> str:
    """Name a mention for a message."""
    mention = f"mention {annotated.name}" if annotated.name else "a mention"
    return f"{mention} of entity {annotated.entity}"


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
