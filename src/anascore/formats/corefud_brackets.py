"""CorefUD brackets: `Entity=(e1-person-1-` opens a mention, `e1)` closes it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache, partial
from typing import NamedTuple, TypeAlias

from anascore.errors import Problems
from anascore.formats.building import LazyAttributes, ReadingNotes, unmatched_bracket
from anascore.model.document import Entity
from anascore.model.mention import (
    Mention,
    Part,
    Position,
    Unit,
    Zero,
    joined,
    make_mention,
    mention_from_parts,
    new_mention,
    units_of,
)


def _split_fields(names: tuple[str, ...], text: str) -> dict[str, str]:
    return dict(zip(names, text.split("-", len(names) - 1), strict=False))


DIGITS = 9
"""Maximum number of digits in a word number."""


def is_number(text: str) -> bool:
    """Test whether a text can be a word number."""
    return text.isdecimal() and text.isascii() and len(text) <= DIGITS


@lru_cache(maxsize=1000)
def parse_numbers(head: str, minimum: str) -> tuple[int, ...] | None:
    """Parse the head or the minimum span; None if the text needs checks."""
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


NumbersByFields: TypeAlias = dict[str, tuple[int, ...] | None]
"""Cache: fields of an opening bracket without the id, to word numbers of the head or the minimum
span; None if they need checks."""

SHIFTED = "mentions without a head and with a number in the field before; a - may be missing"

HEADLESS = "mentions of several words without a head, where others in the document have one"

_Opening: TypeAlias = tuple[str, int, Position]
"""Opening bracket: its fields without the id, its line, and where the mention starts."""


class _DiscontinuousMention(NamedTuple):
    """Discontinuous mention that is still waiting for parts."""

    opening: _Opening
    size: int
    """Number of parts that the bracket announces."""

    parts: list[Part]
    """Parts that have been closed."""


class EntityMentions(NamedTuple):
    """An entity's mentions, in the order in which they close."""

    mentions: list[Mention]
    fields: list[str]
    """Each mention's opening bracket without the id."""

    lines: list[int]
    """Line on which each mention opens."""


def make_entities(
    entities: dict[str, EntityMentions], names: tuple[str, ...]
) -> tuple[Entity[Mention], ...]:
    """Make entities, still without elements, and leave out those without mentions."""
    split = partial(_split_fields, names)
    return tuple(
        Entity(tuple(mentions), (), name, LazyAttributes(split, fields))
        for name, (mentions, fields, _) in entities.items()
        if mentions
    )


# An opening bracket, maybe closed at once; a closing bracket; or an error.
_BRACKET = re.compile(r"\(([^()]+)(\)?)|([^()]+)\)|(.+)")
_ID = re.compile(r"[\[\]]")

_PART = re.compile(r"([^\[\]]+)\[([0-9]{1,9})/([0-9]{1,9})\]")


class EntityReader:
    """Reader of a document's Entity attributes, from top to bottom."""

    def __init__(
        self,
        names: Sequence[str],
        zeros: Sequence[Zero],
        problems: Problems,
        notes: ReadingNotes,
        numbers: NumbersByFields,
    ) -> None:
        """Start before a document's first word.

        names are the fields of an opening bracket. zeros lists the zeros read so far; the caller
        extends it. numbers is the cache that documents with the same field names share.
        """
        self._id_at = names.index("eid")
        self._last = len(names) - 1
        self.names = tuple(name for name in names if name != "eid")
        """Fields of an opening bracket without the id."""

        # Positions of head and minspan; behind the last field if there is no such field.
        self._marks = [[*self.names, name].index(name) for name in ("head", "minspan")]
        self._empty = [""] * len(names)
        self._zeros = zeros
        self._problems = problems
        self._notes = notes
        self._open: dict[str, list[_Opening]] = {}
        self._incomplete: dict[str, list[_DiscontinuousMention]] = {}
        self._numbers = numbers
        self._headless: list[int] = []
        self.entities: dict[str, EntityMentions] = {}
        """Entities by id, in the order in which their first mentions open."""

    def read(self, text: str, line: int, before: Position, after: Position) -> None:
        """Read an Entity attribute; its word or zero lies between the two positions."""
        for opened, whole, closed, wrong in _BRACKET.findall(text):
            if closed:
                stack = self._open.get(closed)
                if stack is None:
                    self._problems.error(
                        line, unmatched_bracket(f"{closed})", reversed(self._open))
                    )
                    continue
                label, opening = closed, stack.pop()
                if not stack:
                    del self._open[closed]
            elif opened:
                label, fields = self._label(opened)
                opening = fields, line, before
                if label not in self.entities:
                    is_part = "[" in label or "]" in label
                    entity = _ID.split(label, 1)[0] if is_part else label
                    self.entities.setdefault(entity, EntityMentions([], [], []))
                if not label:
                    message = f"'({opened}' without the id of an entity, like '(e1-...'"
                    self._problems.error(line, message)
                    continue
                if not whole:
                    self._open.setdefault(label, []).append(opening)
                    continue
            else:
                message = f"{wrong!r} is neither '(e1-...' nor 'e1)', where e1 is an entity id"
                self._problems.error(line, message)
                continue
            self._close(label, opening, after)

    def _label(self, opened: str) -> tuple[str, str]:
        if self._id_at == 0:
            label, _, fields = opened.partition("-")
            return label, fields
        values = opened.split("-", self._last)
        label = values.pop(self._id_at) if self._id_at < len(values) else ""
        return label, "-".join(values)

    def finish(self) -> None:
        """Report mentions and parts that were never closed."""
        for label, stack in self._open.items():
            for _, line, _ in stack:
                message = f"a mention of {label} is opened here and never closed"
                self._problems.error(line, f"{message}; '{label})' is missing")
        for entity, incomplete in self._incomplete.items():
            for (_, line, _), size, parts in incomplete:
                closed = f"{len(parts)} of its {size} parts are closed"
                self._problems.error(line, f"{entity}[1/{size}] is here, but {closed}")
        if self._headless and self._has_heads():
            for line in self._headless:
                self._notes.add(HEADLESS, line)

    def _has_heads(self) -> bool:
        """Test whether any mention of several words has a head."""
        mentions = (mention for entity in self.entities.values() for mention in entity.mentions)
        return any(mention.minimum or mention.marked_head for mention in mentions)

    def _close(self, label: str, opening: _Opening, end: Position) -> None:
        entity = self.entities.get(label)
        if entity is None:
            self._close_part(label, opening, end)
            return
        fields, line, start = opening
        if fields not in self._numbers:
            self._numbers[fields] = self._read_numbers(fields)
        mentions, fields_of_mentions, lines = entity
        mentions.append(
            _plain_mention(start, end, self._numbers[fields])
            or self._mention(label, opening, [(start, end)])
        )
        fields_of_mentions.append(fields)
        lines.append(line)

    def _read_numbers(self, fields: str) -> tuple[int, ...] | None:
        """Parse the head or the minimum span; None if the text needs checks."""
        values = self._values(fields)
        head_at, minimum_at = self._marks
        numbers = parse_numbers(values[head_at], values[minimum_at])
        return None if self._lacks_head(values) else numbers

    def _values(self, fields: str) -> list[str]:
        return fields.split("-", max(0, self._last - 1)) + self._empty

    def _lacks_head(self, values: Sequence[str]) -> bool:
        """Test whether the head field is declared, but empty."""
        head_at, _ = self._marks
        return head_at < self._last and not values[head_at]

    def _close_part(self, label: str, opening: _Opening, end: Position) -> None:
        """Add a part of a discontinuous mention; after its last part, add the mention."""
        part = _PART.fullmatch(label)
        number, size = (int(part[2]), int(part[3])) if part else (0, 0)
        if part is None or not 1 <= number <= size:
            message = f"{label!r} is neither the id of an entity, like e1, nor a part, like e1[1/2]"
            self._problems.error(opening[1], message)
            return
        entity = part[1]
        incomplete = self._incomplete.setdefault(entity, [])
        if number == 1:
            incomplete.append(_DiscontinuousMention(opening, size, []))
        for position in reversed(range(len(incomplete))):
            candidate = incomplete[position]
            if candidate.size == size and len(candidate.parts) == number - 1:
                candidate.parts.append((opening[2], end))
                if number == size:
                    del incomplete[position]
                    mention = self._mention(entity, candidate.opening, candidate.parts)
                    self._add(entity, candidate.opening, mention)
                return
        message = f"{label} is here, but part {number - 1} of that mention is not closed before it"
        self._problems.error(opening[1], message)

    def _add(self, entity: str, opening: _Opening, mention: Mention) -> None:
        mentions, fields, lines = self.entities[entity]
        mentions.append(mention)
        fields.append(opening[0])
        lines.append(opening[1])

    def _mention(self, entity: str, opening: _Opening, parts: list[Part]) -> Mention:
        """Make a mention with its head and minimum span, whose numbers count words from 1."""
        bare = mention_from_parts(parts, self._zeros)
        values, (head_at, minimum_at) = self._values(opening[0]), self._marks
        if self._lacks_head(values):
            if head_at > 0 and is_number(values[head_at - 1]):
                self._notes.add(SHIFTED, opening[1])
            elif bare.size > 1 and not values[minimum_at]:
                self._headless.append(opening[1])
        heads = self._units(entity, opening, "head", bare)
        minima = self._units(entity, opening, "minspan", bare)
        spans = joined([(word - 1, word) for word, rank in minima if not rank])
        marked = heads or minima
        return make_mention(bare.words, bare.zeros, spans, marked[0] if marked else None)

    def _units(self, entity: str, opening: _Opening, name: str, bare: Mention) -> list[Unit]:
        """Look up the words and zeros in a comma-separated list of numbers."""
        value = _split_fields(self.names, opening[0]).get(name)
        if not value:
            return []
        units = units_of(bare)
        numbers = [int(n) if is_number(n) else 0 for n in value.split(",")]
        if min(numbers) > 0 and max(numbers) <= len(units):
            return [units[number - 1] for number in numbers]
        last = len(units)
        expected = "1, the number of its word" if last == 1 else f"word numbers from 1 to {last}"
        message = f"{name} of a mention of {entity} is {value!r}; it must be {expected}"
        self._problems.error(opening[1], message)
        return []


def _plain_mention(
    start: Position, end: Position, numbers: tuple[int, ...] | None
) -> Mention | None:
    """Fast path for continuous mentions of words; None if there are zeros or errors."""
    first, zeros = start
    last, zeros_before_end = end
    if numbers is None or zeros != zeros_before_end or (numbers and numbers[-1] > last - first):
        return None
    words = ((first, last),)
    if not numbers or last == first + 1:
        return new_mention((words, (), (), None))
    if len(numbers) == 1:
        word = first + numbers[0]
        return new_mention((words, (), ((word - 1, word),), None))
    return Mention(words, (), joined([(first + n - 1, first + n) for n in numbers]))
