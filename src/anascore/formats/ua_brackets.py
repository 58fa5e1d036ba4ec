"""Brackets of one CoNLL-UA column.

`(EntityID=1|MarkableID=m3|Min=7,8|ElementOf=4,9` opens a mention. `)` closes the one that was
opened last, `m3)` the one of that name, so that mentions may cross. A MarkableID that opens again
is a further part of the same mention.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from anascore.errors import Problems
from anascore.formats.build import SetLinks, unmatched_bracket
from anascore.model.document import Entity, NonReferring
from anascore.model.mention import Mention, Part, Position, Span, Zero, mention_from_parts

PSEUDO = ("-Pseudo", "_Pseudo")
"""Endings of the EntityID of a non-referring mention."""

KEYS = {
    key: key.lower()
    for key in ("EntityID", "MarkableID", "Min", "SemType", "ElementOf", "ResultOf")
}
"""Usual attributes, by their usual spelling; keys are case-insensitive."""


class _Markable(NamedTuple):
    """Mention while it is read; the entity is empty if it could not be read."""

    name: str
    entity: str
    minimum: tuple[Span, ...]
    attributes: Mapping[str, str]
    parts: list[Part]
    """Parts that have been closed."""


_OpenPart: TypeAlias = tuple[_Markable, int, Position]
"""Part of a markable that has not been closed: the markable, the line, and the start."""


class ColumnContent(NamedTuple):
    """Annotation of a column for one document."""

    entities: tuple[Entity[Mention], ...]
    nonreferring: tuple[NonReferring, ...]
    markables: dict[str, tuple[Mention, str]]
    """Mentions by MarkableID, each with its EntityID."""


# An opening bracket with attributes; a closing bracket, maybe with a MarkableID; or an error.
_BRACKET = re.compile(r"(\([^()@]*)|([^()@]*\))|@|(.+)")


class ColumnReader:
    """Reader of a column, from top to bottom; `finish` returns its content."""

    def __init__(self, problems: Problems) -> None:
        """Start before the first word of a document."""
        self._problems = problems
        self._markables: list[_Markable] = []
        self._by_name: dict[str, _Markable] = {}
        self._open: dict[int, _OpenPart] = {}
        self._open_by_name: dict[str, list[int]] = {}
        self._opened = 0
        self._links = SetLinks(problems)
        self._marked: dict[str, list[_Markable]] = {}
        self._linked: set[tuple[str, str]] = set()

    def read(self, cell: str, line: int, before: Position, after: Position) -> None:
        """Read the cell of the word or zero between two positions."""
        for opening, closing, wrong in _BRACKET.findall(cell):
            if opening:
                self._open_mention(opening[1:], line, before)
            elif closing:
                self._close_mention(closing[:-1], line, after)
            elif wrong:
                message = f"{wrong!r} is neither '(EntityID=...' nor ')' nor '_'"
                self._problems.error(line, message)

    def finish(self, zeros: Sequence[Zero], document: str) -> ColumnContent:
        """Return the entities in the order of the file, and the non-referring mentions.

        zeros are those of the document, in order.
        """
        for markable, line, _ in self._open.values():
            message = f"{_describe(markable)} is opened here and never closed; a ')' is missing"
            self._problems.error(line, message)
        mentions: dict[str, list[Mention]] = {}
        attributes: dict[str, list[Mapping[str, str]]] = {}
        nonreferring = []
        by_name = {}
        by_markable: dict[int, Mention] = {}
        for markable in self._markables:
            name, entity, minimum, own_attributes, parts = markable
            if not (parts and entity):
                continue
            mention = mention_from_parts(parts, zeros, minimum)
            by_markable[id(markable)] = mention
            by_name[name] = mention, entity
            if entity.endswith(PSEUDO):
                nonreferring.append(NonReferring(mention, own_attributes.get("semtype", "")))
            else:
                mentions.setdefault(entity, []).append(mention)
                attributes.setdefault(entity, []).append(own_attributes)
        elements = self._links.resolve(list(mentions), document)
        entities = tuple(
            Entity(
                tuple(entity_mentions),
                tuple(elements[position]),
                name,
                tuple(attributes[name]),
                self._links.relations.get(name, "set"),
                antecedents=tuple(
                    by_markable[id(markable)]
                    for markable in self._marked.get(name, ())
                    if id(markable) in by_markable
                ),
            )
            for position, (name, entity_mentions) in enumerate(mentions.items())
        )
        return ColumnContent(entities, tuple(nonreferring), by_name)

    def _open_mention(self, text: str, line: int, before: Position) -> None:
        attributes = read_attributes(text, line, self._problems)
        entity, name = attributes.get("entityid", ""), attributes.get("markableid", "")
        if not entity and attributes:
            self._problems.error(line, f"EntityID is missing in '({text}'")
        markable = self._by_name.get(name)
        if markable is None:
            minimum = self._minimum(attributes["min"], line) if "min" in attributes else ()
            markable = _Markable(name, entity, minimum, attributes, [])
            self._markables.append(markable)
            if name:
                self._by_name[name] = markable
        elif markable.entity != entity:
            message = (
                f"MarkableID {name} is in entity {entity} here and in {markable.entity} above; "
                f"a mention is in one entity"
            )
            self._problems.error(line, message)
        if "elementof" in attributes:
            self._add_links(markable, attributes["elementof"], line)
        for element in attributes["resultof"].split(",") if "resultof" in attributes else ():
            text = f"ResultOf={attributes['resultof']}"
            self._links.add(element.strip(), entity, line, text, "result")
        self._opened += 1
        self._open[self._opened] = markable, line, before
        self._open_by_name.setdefault(name, []).append(self._opened)

    def _close_mention(self, name: str, line: int, after: Position) -> None:
        part = self._take_open(name)
        if part is None:
            opened = (_describe(markable) for markable, _, _ in reversed(self._open.values()))
            self._problems.error(line, unmatched_bracket(f"{name})", opened))
        else:
            markable, _, start = part
            markable.parts.append((start, after))

    def _take_open(self, name: str) -> _OpenPart | None:
        """Remove and return the part that was opened last, of all or of one MarkableID."""
        if not name and self._open:
            _, part = self._open.popitem()
            self._open_by_name[part[0].name].pop()
            return part
        numbers = self._open_by_name.get(name)
        return self._open.pop(numbers.pop()) if numbers else None

    def _minimum(self, value: str, line: int) -> tuple[Span, ...]:
        """Parse a minimum span: the numbers of its first and last word, from 1."""
        first, _, last = value.partition(",")
        try:
            span = int(first) - 1, int(last or first)
        except ValueError:
            span = -1, -1
        if 0 <= span[0] < span[1]:
            return (span,)
        message = f"Min={value} is not one word number, or two with a comma between"
        self._problems.error(line, message)
        return ()

    def _add_links(self, markable: _Markable, sets: str, line: int) -> None:
        """Link the entity of a mention to its sets, and mark the mention as an antecedent."""
        entity = markable.entity
        if entity.endswith(PSEUDO):
            message = f"a non-referring mention ({entity}) cannot be an element (ElementOf={sets})"
            self._problems.error(line, message)
            return
        for name in map(str.strip, sets.split(",")):
            self._marked.setdefault(name, []).append(markable)
            # Several mentions of an element can be marked; that makes one link.
            if (entity, name) not in self._linked:
                self._linked.add((entity, name))
                self._links.add(entity, name, line, f"ElementOf={sets}")


def read_attributes(text: str, line: int, problems: Problems) -> dict[str, str]:
    """Parse `key=value|key=value`; keys become lower case."""
    attributes: dict[str, str] = {}
    for attribute in text.split("|"):
        name, sign, value = attribute.partition("=")
        key = KEYS.get(name) or name.strip().lower()
        if not sign:
            message = f"'({text}' is not of the form '(EntityID=...|MarkableID=...'"
            problems.error(line, message)
        elif key in attributes:
            message = f"'({text}' has {name} twice; several ids are joined by commas"
            problems.error(line, message)
        else:
            attributes[key] = value.strip()
    return attributes


def _describe(markable: _Markable) -> str:
    """Return the description of a mention for a message."""
    mention = f"mention {markable.name}" if markable.name else "a mention"
    return f"{mention} of entity {markable.entity}"
