"""Brackets of one CoNLL-UA column.

`(EntityID=1|MarkableID=m3|Min=7,8|ElementOf=4,9` opens a mention. `)` closes the one that was
opened last, `m3)` the one of that name, so that mentions may cross. A MarkableID that opens again
is a further part of the same mention. The column of bridging has the same brackets.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple, TypeVar

from anascore.errors import Problems
from anascore.formats.building import LazyAttributes, ReadingNotes, SetLinks, unmatched_bracket
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
_WITH_IDS = _KNOWN - {"min", "semtype", "rel"}
"""Attributes whose values are ids, which have no = in them."""

PSEUDO_ELEMENTS = "non-referring mentions with ElementOf, which are not elements"
PSEUDO_SETS = "mentions with ElementOf of a non-referring mention, which is not a set"
NO_SET = "non-referring mentions whose ElementOf names no entity, left out"
OUTER_MINIMA = "minimum spans outside of their mentions, not used"
REOPENED = "reopened MarkableIDs, read as parts of discontinuous mentions"


class _Markable(NamedTuple):
    """Mention while it is read; the entity is empty if it could not be read."""

    name: str
    entity: str
    line: int
    minimum: tuple[Span, ...]
    text: str
    """Its attributes, which `split_attributes` splits."""

    parts: list[Part]
    """Parts that have been closed."""


class ColumnContent(NamedTuple):
    """Annotation of a column for one document."""

    entities: tuple[Entity[Mention], ...]
    nonreferring: tuple[NonReferring, ...]
    mentions: Sequence[tuple[_Markable, Mention | None]]
    """Mentions of the markables; None for those that could not be read."""

    def by_name(self) -> dict[str, tuple[Mention, str]]:
        """Return the mentions by MarkableID, each with its EntityID."""
        return {
            markable.name: (mention, markable.entity)
            for markable, mention in self.mentions
            if mention is not None
        }


T = TypeVar("T")


def _close(stack: list[tuple[str, T]], name: str) -> T | None:
    """Remove and return the item that was opened last, of all or of one MarkableID."""
    for position in reversed(range(len(stack))):
        if not name or stack[position][0] == name:
            return stack.pop(position)[1]
    return None


# An opening bracket with attributes, maybe closed at once; a closing bracket, maybe with a
# MarkableID; or an error. @ stands between brackets. Nearly all mentions have the same attributes,
# of which nothing but the minimum span needs a check.
_BRACKET = re.compile(
    r"(\((?:EntityID=([^()@=|\s]+)\|MarkableID=([^()@=|\s]+)(?:\|Min=([^()@=|\s]+))?"
    r"(?:\|SemType=[^()@=|\s]*)?(?![^()@])|[^()@]*))(\)?)|([^()@]*\))|(\A@+\Z|[^@].*)|@"
)


class ColumnReader:
    """Reader of a column, from top to bottom; `finish` returns its content."""

    def __init__(self, problems: Problems, notes: ReadingNotes) -> None:
        """Start before the first word of a document."""
        self._problems = problems
        self._notes = notes
        self._markables: list[_Markable] = []
        self._by_name: dict[str, _Markable] = {}
        self._open: list[tuple[str, tuple[_Markable, int, Position]]] = []
        """Open parts, with the MarkableIDs of their mentions, their lines, and their starts."""

        self._links = SetLinks(problems)
        self._pseudo_links: dict[tuple[str, str], int] = {}
        """First lines of links from or to a non-referring element, by element and set."""

        self._marked: dict[str, list[_Markable]] = {}
        self._linked: set[tuple[str, str]] = set()
        self._further_parts: dict[int, tuple[_Markable, int]] = {}

    def read(self, cell: str, line: int, before: Position, after: Position) -> None:
        """Read the cell of the word or zero between two positions."""
        for opening, entity, name, number, closed, closing, wrong in _BRACKET.findall(cell):
            if opening:
                minimum = _minimum_span(number)
                if entity and name not in self._by_name and bool(minimum) == bool(number):
                    markable = _Markable(name, entity, line, minimum, text=opening[1:], parts=[])
                    self._markables.append(markable)
                    self._by_name[name] = markable
                else:
                    markable = self._markable(opening[1:], line)
                if closed:
                    markable.parts.append((before, after))
                else:
                    self._open.append((markable.name, (markable, line, before)))
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
        for _, (markable, line, _) in self._open:
            message = f"{_describe(markable)} is opened here and never closed; a ')' is missing"
            self._problems.error(line, message)
        for markable, line in self._further_parts.values():
            # A discontinuous mention has its parts in one sentence.
            if len({bisect_right(sentences, start[0]) for start, _ in markable.parts}) > 1:
                self._notes.add(REOPENED, line)
        mentions: list[Mention | None] = []
        grouped: dict[str, tuple[list[Mention], list[str]]] = {}
        nonreferring = []
        pseudo: dict[str, list[Mention]] = {}
        for markable in self._markables:
            mention = self._mention(markable, zeros)
            mentions.append(mention)
            if mention is None:
                continue
            entity = markable.entity
            if entity.endswith(PSEUDO):
                kind = split_attributes(markable.text).get("semtype", "")
                nonreferring.append(NonReferring(mention, kind))
                pseudo.setdefault(entity, []).append(mention)
            else:
                group = grouped.get(entity)
                if group is None:
                    group = grouped[entity] = [], []
                group[0].append(mention)
                group[1].append(markable.text)
        pairs = [*zip(self._markables, mentions, strict=True)]
        made = tuple(
            Entity(tuple(own_mentions), (), name, LazyAttributes(split_attributes, texts))
            for name, (own_mentions, texts) in grouped.items()
        )
        entities = self._link(made, pairs, document)
        entities = self._add_nonreferring(entities, pseudo)
        return ColumnContent(entities, tuple(nonreferring), pairs)

    def _mention(self, markable: _Markable, zeros: Sequence[Zero]) -> Mention | None:
        """Return the mention of a markable; None if the markable could not be read."""
        _, entity, line, minimum, _, parts = markable
        if not (parts and entity):
            return None
        mention = mention_from_parts(parts, zeros, minimum)
        if minimum and minimum != mention.words and not covers_ends(mention.words, minimum[0]):
            self._notes.add(OUTER_MINIMA, line)
            return mention._replace(minimum=())
        return mention

    def _link(
        self,
        entities: tuple[Entity[Mention], ...],
        mentions: Sequence[tuple[_Markable, Mention | None]],
        document: str,
    ) -> tuple[Entity[Mention], ...]:
        """Return entities with their elements, and with the mentions that are marked as those."""
        if not self._links:
            return entities
        elements = self._links.resolve([entity.name for entity in entities], document)
        by_markable = {id(markable): mention for markable, mention in mentions}
        return tuple(
            replace(
                entity,
                elements=tuple(own_elements),
                relation=self._links.relations[entity.name],
                antecedents=tuple(
                    mention
                    for markable in self._marked.get(entity.name, ())
                    if (mention := by_markable[id(markable)]) is not None
                ),
            )
            if entity.name in self._links.relations
            else entity
            for entity, own_elements in zip(entities, elements, strict=True)
        )

    def _add_nonreferring(
        self, entities: tuple[Entity[Mention], ...], pseudo: Mapping[str, Sequence[Mention]]
    ) -> tuple[Entity[Mention], ...]:
        """Add non-referring elements to their sets; one that is itself a set is unpacked."""
        if not self._pseudo_links:
            return entities
        positions = {entity.name: position for position, entity in enumerate(entities)}
        elements: dict[str, list[str]] = {}
        for (element, owner), line in self._pseudo_links.items():
            elements.setdefault(owner, []).append(element)
            kind = PSEUDO_SETS if owner in pseudo else PSEUDO_ELEMENTS
            self._notes.add(kind if owner in positions or owner in pseudo else NO_SET, line)

        def atoms(owner: str) -> Iterator[Entity[Mention]]:
            sets, reached = [owner], {owner}
            while sets:
                for name in elements[sets.pop()]:
                    if name in reached:
                        continue
                    reached.add(name)
                    if name in positions:
                        yield Entity((), (positions[name],))
                    elif name in elements:
                        sets.append(name)
                    elif name in pseudo:
                        yield Entity(tuple(pseudo[name]), (), name)

        return tuple(
            replace(entity, nonreferring=tuple(atoms(entity.name)))
            if entity.name in elements
            else entity
            for entity in entities
        )

    def _markable(self, text: str, line: int) -> _Markable:
        """Return the mention that a bracket opens; report errors in its attributes."""
        attributes = read_attributes(text, line, self._problems)
        entity, name = attributes.get("entityid", ""), attributes.get("markableid", "")
        if not entity and attributes:
            self._problems.error(line, f"EntityID is missing in '({text}'")
        markable = self._by_name.get(name)
        if markable is None:
            minimum: tuple[Span, ...] = ()
            if "min" in attributes and not (minimum := _minimum_span(attributes["min"])):
                expected = "one word number, or two with a comma between"
                self._problems.error(line, f"Min={attributes['min']} is not {expected}")
            text = "|".join(map("=".join, attributes.items()))
            markable = _Markable(name, entity, line, minimum, text=text, parts=[])
            self._markables.append(markable)
            if name:
                self._by_name[name] = markable
        elif markable.entity != entity:
            message = (
                f"MarkableID {name} is in entity {entity} here and in {markable.entity} above; "
                f"a mention is in one entity"
            )
            self._problems.error(line, message)
        elif not _is_further_part(attributes, split_attributes(markable.text)):
            self._notes.add(REOPENED, line)
        else:
            self._further_parts.setdefault(id(markable), (markable, line))
        if "elementof" in attributes:
            self._add_links(markable, attributes["elementof"], line)
        if "resultof" in attributes:
            results = attributes["resultof"]
            for element in results.split(","):
                self._links.add(element.strip(), entity, line, f"ResultOf={results}", "result")
        return markable

    def _close_mention(self, name: str, line: int, after: Position) -> None:
        part = _close(self._open, name)
        if part is None:
            opened = (_describe(markable) for _, (markable, _, _) in reversed(self._open))
            self._problems.error(line, unmatched_bracket(f"{name})", opened))
        else:
            markable, _, start = part
            markable.parts.append((start, after))

    def _add_links(self, markable: _Markable, sets: str, line: int) -> None:
        """Link the entity of a mention to its sets, and mark the mention as an antecedent."""
        entity = markable.entity
        for name in map(str.strip, sets.split(",")):
            if entity.endswith(PSEUDO) or name.endswith(PSEUDO):
                self._pseudo_links.setdefault((entity, name), line)
                continue
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


_ANCHORS = ("mentionanchor", "entityanchor")


class BridgingReader:
    """Reader of the column of bridging, from top to bottom.

    A bracket closes on the word that it opens on, or on the last word of the anaphor.
    """

    def __init__(self, problems: Problems) -> None:
        """Start before the first word of a document."""
        self._problems = problems
        self._open: list[tuple[str, BridgingEntry]] = []
        self._entries: list[BridgingEntry] = []

    def read(self, cell: str, line: int, *_: Position) -> None:
        """Read the cell of a word or zero."""
        for opening, _, _, _, closed, closing, wrong in _BRACKET.findall(cell):
            if opening:
                attributes = read_attributes(opening[1:], line, self._problems)
                entry = BridgingEntry(f"{opening})", line, attributes)
                self._check_column(entry)
                self._entries.append(entry)
                if not closed:
                    self._open.append((attributes.get("markableid", ""), entry))
            elif closing and _close(self._open, closing[:-1]) is None:
                opened = (f"'{entry.text}'" for _, entry in reversed(self._open))
                self._problems.error(line, unmatched_bracket(closing, opened, "bridging entry"))
            elif wrong:
                message = f"{wrong!r} is not of the form '(MarkableID=...|MentionAnchor=...)'"
                self._problems.error(line, message)

    def _check_column(self, entry: BridgingEntry) -> None:
        """Report attributes that are read in other columns only."""
        for name in ("EntityID", "ElementOf"):
            is_link = name == "EntityID" and not entry.attributes.keys().isdisjoint(_ANCHORS)
            if name.lower() in entry.attributes and not is_link:
                message = f"'{entry.text}' has {name} in column BRIDGING, where it is not read"
                right = "it belongs in IDENTITY or DISCOURSE_DEIXIS"
                self._problems.error(entry.line, f"{message}; {right}")

    def finish(self) -> list[BridgingEntry]:
        """Return the entries in the order of the file."""
        for _, entry in self._open:
            message = f"bridging entry '{entry.text}' is opened here and never closed"
            self._problems.error(entry.line, f"{message}; a ')' is missing")
        return self._entries


@lru_cache(maxsize=1024)
def _minimum_span(value: str) -> tuple[Span, ...]:
    """Parse the numbers of the first and last word, from 1; return no span if they are wrong."""
    value = value.replace(" ", "")
    first, comma, last = value.partition(",")
    # int() would accept more: 1_0, digits of other scripts, more digits than any text has.
    is_number = value.isascii() and first.isdecimal() and len(value) < MAX_LENGTH
    if is_number and (last.isdecimal() or not comma):
        start, end = int(first) - 1, int(last or first)
        if 0 <= start < end:
            return ((start, end),)
    return ()


def split_attributes(text: str) -> dict[str, str]:
    """Split attributes that have been read; keys become lower case."""
    fields = (field.partition("=") for field in text.split("|"))
    return {KEYS.get(name, name): value for name, _, value in fields}


def read_attributes(text: str, line: int, problems: Problems) -> dict[str, str]:
    """Parse `key=value|key=value`, and report errors; keys become lower case."""
    attributes: dict[str, str] = {}
    for field in text.split("|"):
        name, sign, value = field.partition("=")
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
        elif "=" in value and key in _WITH_IDS:
            message = f"{field!r} has more than one '='; a '|' may be missing in it"
            problems.error(line, message)
        else:
            attributes[key] = value.strip()
    return attributes


def _describe(markable: _Markable) -> str:
    """Return the description of a mention for a message."""
    mention = f"mention {markable.name}" if markable.name else "a mention"
    return f"{mention} of entity {markable.entity}"
