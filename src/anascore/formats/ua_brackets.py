"""The brackets of one CoNLL-UA column: mentions that open and close along a document.

`(EntityID=1|MarkableID=m3|Min=7,8|ElementOf=4,9` opens a mention, `)` closes the one opened last,
`m3)` the one of that name, so that mentions may cross. A MarkableID that opens again is a further
part of the same mention.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from anascore.errors import Problems
from anascore.formats.build import SetLinks, unmatched_bracket
from anascore.model.document import Entity, NonReferring
from anascore.model.mention import Mention, Part, Position, Span, Zero, mention_of

PSEUDO = ("-Pseudo", "_Pseudo")
"""How the EntityID of a non-referring mention ends."""

KEYS = {
    key: key.lower()
    for key in ("EntityID", "MarkableID", "Min", "SemType", "ElementOf", "ResultOf")
}
"""The usual attributes, which are read in any case."""


class _MentionDraft(NamedTuple):
    """A mention as far as it has been read; its entity is empty if that could not be read."""

    name: str
    entity: str
    minimum: tuple[Span, ...]
    attributes: Mapping[str, str]
    parts: list[Part]


_Open: TypeAlias = tuple[_MentionDraft, int, Position]
"""A part of a mention that has not been closed: the mention, its line, and where it starts."""


class Column(NamedTuple):
    """What a column says, when all of it has been read."""

    entities: tuple[Entity[Mention], ...]
    nonreferring: tuple[NonReferring, ...]
    named: dict[str, tuple[Mention, str]]
    """The mentions by their MarkableIDs, each with its EntityID."""


# An opening bracket with its attributes, a closing one with the name of what it closes, or what is
# wrong from there on.
_BRACKET = re.compile(r"(\([^()@]*)|([^()@]*\))|@|(.+)")


class ColumnBrackets:
    """Reads a column from top to bottom; `finish` tells what it says."""

    def __init__(self, problems: Problems) -> None:
        """Start before the first word of a document."""
        self._problems = problems
        self._annotated: list[_MentionDraft] = []
        self._named: dict[str, _MentionDraft] = {}
        self._open: dict[int, _Open] = {}
        self._open_by_name: dict[str, list[int]] = {}
        self._opened = 0
        self._links = SetLinks(problems)
        self._marked: dict[str, list[_MentionDraft]] = {}
        self._linked: set[tuple[str, str]] = set()

    def read(self, cell: str, line: int, before: Position, after: Position) -> None:
        """Read what the column holds at a word or zero, given what there is before and after it."""
        for opening, closing, wrong in _BRACKET.findall(cell):
            if opening:
                self._open_mention(opening[1:], line, before)
            elif closing:
                self._close_mention(closing[:-1], line, after)
            elif wrong:
                what = f"{wrong!r} is neither '(EntityID=...' nor ')' nor '_'"
                self._problems.error(line, what)

    def finish(self, zeros: Sequence[Zero], document: str) -> Column:
        """Return the entities in the order of the file, and the non-referring mentions.

        zeros are those of the document, in order.
        """
        for annotated, line, _ in self._open.values():
            what = f"{_described(annotated)} is opened here and never closed; a ')' is missing"
            self._problems.error(line, what)
        mentions: dict[str, list[Mention]] = {}
        attributes: dict[str, list[Mapping[str, str]]] = {}
        nonreferring = []
        named = {}
        by_annotation: dict[int, Mention] = {}
        for annotated in self._annotated:
            name, entity, minimum, given, parts = annotated
            if not (parts and entity):
                continue
            mention = mention_of(parts, zeros, minimum)
            by_annotation[id(annotated)] = mention
            named[name] = mention, entity
            if entity.endswith(PSEUDO):
                nonreferring.append(NonReferring(mention, given.get("semtype", "")))
            else:
                mentions.setdefault(entity, []).append(mention)
                attributes.setdefault(entity, []).append(given)
        elements = self._links.resolve(list(mentions), document)
        entities = tuple(
            Entity(
                tuple(found),
                tuple(elements[position]),
                name,
                tuple(attributes[name]),
                self._links.relations.get(name, "set"),
                antecedents=tuple(
                    by_annotation[id(annotated)]
                    for annotated in self._marked.get(name, ())
                    if id(annotated) in by_annotation
                ),
            )
            for position, (name, found) in enumerate(mentions.items())
        )
        return Column(entities, tuple(nonreferring), named)

    def _open_mention(self, text: str, line: int, before: Position) -> None:
        given = read_attributes(text, line, self._problems)
        entity, name = given.get("entityid", ""), given.get("markableid", "")
        if not entity and given:
            self._problems.error(line, f"EntityID is missing in '({text}'")
        annotated = self._named.get(name)
        if annotated is None:
            minimum = self._minimum(given["min"], line) if "min" in given else ()
            annotated = _MentionDraft(name, entity, minimum, given, [])
            self._annotated.append(annotated)
            if name:
                self._named[name] = annotated
        elif annotated.entity != entity:
            what = (
                f"MarkableID {name} is in entity {entity} here and in {annotated.entity} above; "
                f"a mention is in one entity"
            )
            self._problems.error(line, what)
        if "elementof" in given:
            self._add_links(annotated, given["elementof"], line)
        for element in given["resultof"].split(",") if "resultof" in given else ():
            text = f"ResultOf={given['resultof']}"
            self._links.add(element.strip(), entity, line, text, "result")
        self._opened += 1
        self._open[self._opened] = annotated, line, before
        self._open_by_name.setdefault(name, []).append(self._opened)

    def _close_mention(self, name: str, line: int, after: Position) -> None:
        part = self._take_open(name)
        if part is None:
            opened = (_described(annotated) for annotated, _, _ in reversed(self._open.values()))
            self._problems.error(line, unmatched_bracket(f"{name})", opened))
        else:
            annotated, _, start = part
            annotated.parts.append((start, after))

    def _take_open(self, name: str) -> _Open | None:
        """Take the part that was opened last, of all or of a name, from what is open."""
        if not name and self._open:
            _, part = self._open.popitem()
            self._open_by_name[part[0].name].pop()
            return part
        numbers = self._open_by_name.get(name)
        return self._open.pop(numbers.pop()) if numbers else None

    def _minimum(self, value: str, line: int) -> tuple[Span, ...]:
        """Read the first and last word of a minimum span, which count from 1."""
        first, _, last = value.partition(",")
        try:
            span = int(first) - 1, int(last or first)
        except ValueError:
            span = -1, -1
        if 0 <= span[0] < span[1]:
            return (span,)
        what = f"Min={value} is not one word number, or two with a comma between"
        self._problems.error(line, what)
        return ()

    def _add_links(self, annotated: _MentionDraft, sets: str, line: int) -> None:
        """Note that the entity of a mention is an element of the sets named, and marked there."""
        entity = annotated.entity
        if entity.endswith(PSEUDO):
            what = f"a non-referring mention ({entity}) cannot be an element (ElementOf={sets})"
            self._problems.error(line, what)
            return
        for name in map(str.strip, sets.split(",")):
            self._marked.setdefault(name, []).append(annotated)
            # Several mentions of an element can be marked; they say once that it is an element.
            if (entity, name) not in self._linked:
                self._linked.add((entity, name))
                self._links.add(entity, name, line, f"ElementOf={sets}")


def read_attributes(text: str, line: int, problems: Problems) -> dict[str, str]:
    """Read `key=value|key=value`, with keys in any case, which become lower case."""
    given: dict[str, str] = {}
    for attribute in text.split("|"):
        name, sign, value = attribute.partition("=")
        key = KEYS.get(name) or name.strip().lower()
        if not sign:
            what = f"'({text}' is not of the form '(EntityID=...|MarkableID=...'"
            problems.error(line, what)
        elif key in given:
            what = f"'({text}' has {name} twice; several ids are joined by commas"
            problems.error(line, what)
        else:
            given[key] = value.strip()
    return given


def _described(annotated: _MentionDraft) -> str:
    """Name a mention for a message."""
    mention = f"mention {annotated.name}" if annotated.name else "a mention"
    return f"{mention} of entity {annotated.entity}"
