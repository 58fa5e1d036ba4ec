"""Brackets of one CoNLL-UA column.

`(EntityID=1|MarkableID=m3|Min=7,8|ElementOf=4,9` opens a mention. `)` closes the one that was
opened last, `m3)` the one of that name, so that mentions may cross. A MarkableID that opens again
is a further part of the same mention. The column of bridging has the same brackets.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from typing import Generic, NamedTuple, TypeAlias, TypeVar

from anascore.errors import Problems
from anascore.formats.build import ReadingNotes, SetLinks, unmatched_bracket
from anascore.model.document import Entity, NonReferring
from anascore.model.mention import (
    Mention,
    Part,
    Position,
    Span,
    Zero,
    covers_ends,
    mention_from_parts,
)

PSEUDO = ("-Pseudo", "_Pseudo")
"""Endings of the EntityID of a non-referring mention."""

KEYS = {
    key: key.lower()
    for key in (
        *("EntityID", "MarkableID", "Min", "SemType", "ElementOf", "ResultOf"),
        *("Rel", "MentionAnchor", "EntityAnchor"),
    )
}
"""Usual attributes, by their usual spelling; keys are case-insensitive."""

_KNOWN = frozenset(KEYS.values())

_SCANNED_KEYS = {key: KEYS[key] for key in ("EntityID", "MarkableID", "Min", "SemType")}
"""Attributes that the scanner reads; brackets with others are read here."""

PSEUDO_ELEMENTS = "non-referring mentions with ElementOf, which are not elements"
OUTER_MINIMA = "minimum spans outside of their mentions, not used"
REOPENED = "reopened MarkableIDs, read as parts of discontinuous mentions"


class _Markable(NamedTuple):
    """Mention while it is read; the entity is empty if it could not be read."""

    name: str
    entity: str
    line: int
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


T = TypeVar("T")


class _OpenBrackets(Generic[T]):
    """Brackets that have been opened and not closed, each with an item."""

    def __init__(self) -> None:
        """Start without brackets."""
        self._items: dict[int, tuple[str, T]] = {}
        self._by_name: dict[str, list[int]] = {}
        self._opened = 0

    def open(self, name: str, item: T) -> None:
        """Open a bracket for a MarkableID, which may be empty."""
        self._opened += 1
        self._items[self._opened] = name, item
        self._by_name.setdefault(name, []).append(self._opened)

    def close(self, name: str) -> T | None:
        """Remove and return the item that was opened last, of all or of one MarkableID."""
        if not name and self._items:
            _, (own_name, item) = self._items.popitem()
            self._by_name[own_name].pop()
            return item
        numbers = self._by_name.get(name)
        return self._items.pop(numbers.pop())[1] if numbers else None

    def __iter__(self) -> Iterator[T]:
        return (item for _, item in self._items.values())

    def __reversed__(self) -> Iterator[T]:
        return (item for _, item in reversed(self._items.values()))


# An opening bracket with attributes, maybe closed at once; a closing bracket, maybe with a
# MarkableID; or an error.
_BRACKET = re.compile(r"(\([^()@]*)(\)?)|([^()@]*\))|@|(.+)")


class ColumnReader:
    """Reader of a column, from top to bottom; `finish` returns its content."""

    def __init__(self, problems: Problems, notes: ReadingNotes) -> None:
        """Start before the first word of a document."""
        self._problems = problems
        self._notes = notes
        self._markables: list[_Markable] = []
        self._by_name: dict[str, _Markable] = {}
        self._open = _OpenBrackets[_OpenPart]()
        self._links = SetLinks(problems)
        self._marked: dict[str, list[_Markable]] = {}
        self._linked: set[tuple[str, str]] = set()
        self._further_parts: dict[int, tuple[_Markable, int]] = {}

    @property
    def state(self) -> tuple[object, ...]:
        """Lists, dictionaries, functions and classes for the scanner."""
        # It is not kept: methods of this object would be a reference cycle.
        return (
            *(self._markables, self._by_name, self._open.open, self._close_mention, _Markable),
            *(_SCANNED_KEYS, "entityid", "markableid", "min"),
        )

    def read(self, cell: str, line: int, before: Position, after: Position) -> None:
        """Read the cell of the word or zero between two positions."""
        for opening, closed, closing, wrong in _BRACKET.findall(cell):
            if opening:
                markable = self._markable(opening[1:], line)
                if closed:
                    markable.parts.append((before, after))
                else:
                    self._open.open(markable.name, (markable, line, before))
            elif closing:
                self._close_mention(closing[:-1], line, after)
            elif wrong:
                message = f"{wrong!r} is neither '(EntityID=...' nor ')' nor '_'"
                self._problems.error(line, message)

    def finish(
        self, zeros: Sequence[Zero], sentences: Sequence[int], document: str
    ) -> ColumnContent:
        """Return the entities in the order of the file, and the non-referring mentions.

        zeros are those of the document, sentences the positions of their first words, in order.
        """
        for markable, line, _ in self._open:
            message = f"{_describe(markable)} is opened here and never closed; a ')' is missing"
            self._problems.error(line, message)
        for markable, line in self._further_parts.values():
            # A discontinuous mention has its parts in one sentence.
            if len({bisect_right(sentences, start[0]) for start, _ in markable.parts}) > 1:
                self._notes.add(REOPENED, line)
        mentions: dict[str, list[Mention]] = {}
        attributes: dict[str, list[Mapping[str, str]]] = {}
        nonreferring = []
        by_name = {}
        by_markable: dict[int, Mention] = {}
        for markable in self._markables:
            name, entity, line, minimum, own_attributes, parts = markable
            if not (parts and entity):
                continue
            mention = mention_from_parts(parts, zeros, minimum)
            if minimum and not covers_ends(mention.words, minimum[0]):
                self._notes.add(OUTER_MINIMA, line)
                mention = mention._replace(minimum=())
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
                    for markable in self._marked[name]
                    if id(markable) in by_markable
                )
                if name in self._marked
                else (),
            )
            for position, (name, entity_mentions) in enumerate(mentions.items())
        )
        return ColumnContent(entities, tuple(nonreferring), by_name)

    def _markable(self, text: str, line: int) -> _Markable:
        """Return the mention that a bracket opens; report errors in its attributes."""
        attributes = read_attributes(text, line, self._problems)
        entity, name = attributes.get("entityid", ""), attributes.get("markableid", "")
        if not entity and attributes:
            self._problems.error(line, f"EntityID is missing in '({text}'")
        markable = self._by_name.get(name)
        if markable is None:
            minimum = self._minimum(attributes["min"], line) if "min" in attributes else ()
            markable = _Markable(
                name=name,
                entity=entity,
                line=line,
                minimum=minimum,
                attributes=attributes,
                parts=[],
            )
            self._markables.append(markable)
            if name:
                self._by_name[name] = markable
        elif markable.entity != entity:
            message = (
                f"MarkableID {name} is in entity {entity} here and in {markable.entity} above; "
                f"a mention is in one entity"
            )
            self._problems.error(line, message)
        elif not _is_further_part(attributes, markable.attributes):
            self._notes.add(REOPENED, line)
        else:
            self._further_parts.setdefault(id(markable), (markable, line))
        if "elementof" in attributes:
            self._add_links(markable, attributes["elementof"], line)
        for element in attributes["resultof"].split(",") if "resultof" in attributes else ():
            text = f"ResultOf={attributes['resultof']}"
            self._links.add(element.strip(), entity, line, text, "result")
        return markable

    def _close_mention(self, name: str, line: int, after: Position) -> None:
        part = self._open.close(name)
        if part is None:
            opened = (_describe(markable) for markable, _, _ in reversed(self._open))
            self._problems.error(line, unmatched_bracket(f"{name})", opened))
        else:
            markable, _, start = part
            markable.parts.append((start, after))

    def _minimum(self, value: str, line: int) -> tuple[Span, ...]:
        """Parse a minimum span: the numbers of its first and last word, from 1."""
        if " " in value:
            value = value.replace(" ", "")
        first, comma, last = value.partition(",")
        # int() would accept more: 1_0, digits of other scripts, more digits than any text has.
        is_number = value.isascii() and first.isdecimal() and len(value) < MAX_LENGTH
        if is_number and (last.isdecimal() or not comma):
            start, end = int(first) - 1, int(last or first)
            if 0 <= start < end:
                return ((start, end),)
        message = f"Min={value} is not one word number, or two with a comma between"
        self._problems.error(line, message)
        return ()

    def _add_links(self, markable: _Markable, sets: str, line: int) -> None:
        """Link the entity of a mention to its sets, and mark the mention as an antecedent."""
        entity = markable.entity
        if entity.endswith(PSEUDO):
            self._notes.add(PSEUDO_ELEMENTS, line)
            return
        for name in map(str.strip, sets.split(",")):
            self._marked.setdefault(name, []).append(markable)
            # Several mentions of an element can be marked; that makes one link.
            if (entity, name) not in self._linked:
                self._linked.add((entity, name))
                self._links.add(entity, name, line, f"ElementOf={sets}")


MAX_LENGTH = 40
"""Length that the text of a minimum span must not reach."""

_IDS = {"entityid", "markableid"}


def _is_further_part(attributes: Mapping[str, str], first: Mapping[str, str]) -> bool:
    """Return True if a MarkableID that opens again may well be a further part of its mention.

    The first part has the attributes of the mention, like Min, and further parts have none.
    """
    return attributes.keys() <= _IDS and not first.keys() <= _IDS


class BridgingEntry(NamedTuple):
    """Opening bracket in the column of bridging."""

    text: str
    line: int
    attributes: Mapping[str, str]


class BridgingReader:
    """Reader of the column of bridging, from top to bottom.

    A bracket closes on the word that it opens on, or on the last word of the anaphor.
    """

    def __init__(self, problems: Problems) -> None:
        """Start before the first word of a document."""
        self._problems = problems
        self._open = _OpenBrackets[BridgingEntry]()
        self._entries: list[BridgingEntry] = []

    def read(self, cell: str, line: int) -> None:
        """Read the cell of a word or zero."""
        for opening, closed, closing, wrong in _BRACKET.findall(cell):
            if opening:
                attributes = read_attributes(opening[1:], line, self._problems)
                entry = BridgingEntry(f"{opening})", line, attributes)
                self._entries.append(entry)
                if not closed:
                    self._open.open(attributes.get("markableid", ""), entry)
            elif closing and self._open.close(closing[:-1]) is None:
                opened = (f"'{entry.text}'" for entry in reversed(self._open))
                self._problems.error(line, unmatched_bracket(closing, opened, "bridging entry"))
            elif wrong:
                message = f"{wrong!r} is not of the form '(MarkableID=...|MentionAnchor=...)'"
                self._problems.error(line, message)

    def finish(self) -> list[BridgingEntry]:
        """Return the entries in the order of the file."""
        for entry in self._open:
            message = f"bridging entry '{entry.text}' is opened here and never closed"
            self._problems.error(entry.line, f"{message}; a ')' is missing")
        return self._entries


def read_attributes(text: str, line: int, problems: Problems) -> dict[str, str]:
    """Parse `key=value|key=value`; keys become lower case."""
    attributes: dict[str, str] = {}
    for attribute in text.split("|"):
        name, sign, value = attribute.partition("=")
        key = KEYS.get(name)
        if key is None:
            key = name.strip().lower()
            if key not in _KNOWN:
                problems.names.add(name.strip())
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
