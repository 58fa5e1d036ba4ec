"""Texts in a report: words and zeros in lines, the places of mentions, links to them."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from anascore.analysis.explain import accommodated
from anascore.entities.side import Side
from anascore.model.document import Document, Entity
from anascore.model.mention import Mention, Place, Unit, Zero
from anascore.output.html.markup import Markup, element, start_tag, visible_text

WORDS_PER_LINE = 25
"""Number of words per line if a document has no sentences."""


def line_starts(document: Document) -> list[int]:
    """Return the first word of each line.

    A line is a sentence, or a paragraph of a character-based text, or else 25 words.
    """
    words = document.words
    positions: Iterable[int]
    if document.sentences:
        positions = document.sentences
    elif isinstance(words, str):
        positions = (i + 1 for i, character in enumerate(words) if character == "\n")
    else:
        positions = range(0, len(words), WORDS_PER_LINE)
    return sorted({0, *positions})


def document_link(name: str, number: int | None) -> Markup:
    """Print a document's name, as a link if its text is shown."""
    label = element("bdi", name)
    return label if number is None else element("a", label, href=f"#d{number}")


def line_of(starts: Sequence[int], place: Place) -> int:
    """Return the number of the line that contains a mention, given the lines' first words."""
    words, zeros = place
    word = words[0][0] if words else zeros[0][0]
    return max(0, bisect_right(starts, word) - 1)


MAX_QUOTED = 40
"""Maximum number of characters of a mention that is quoted apart from its text."""


def shorten(words: str) -> str:
    """Cut the end of a long mention."""
    return words if len(words) <= MAX_QUOTED else f"{words[: MAX_QUOTED - 1]}…"


class TextMark(NamedTuple):
    """A mention's mark in a text."""

    mention: Mention
    label: str
    """Label of the entity and, at its first mention, of its set's elements."""

    entity: int = 0
    """Position of the entity."""


class Notation(NamedTuple):
    """How a text and its marks are written."""

    start: Callable[[TextMark, str, int], str]
    """Writes the start of a mark with a label, inside a number of others."""

    end: str
    text: Callable[[str], str]
    """Writes units of the text, and escapes them."""


def entity_marks(entities: Iterable[Entity[Mention]], letter: str) -> Iterator[TextMark]:
    """Yield the marks of all mentions; entity labels start with `letter`."""
    for number, entity in enumerate(entities):
        elements = [f"{letter}{member + 1}" for member in entity.elements]
        label = f"{letter}{number + 1}"
        with_set = f"{label}={accommodated(entity.relation, elements, ',')}" if elements else label
        for rank, mention in enumerate(entity.mentions):
            yield TextMark(mention, label if rank else with_set, number)


def marked_text(document: Document, side: Side, letter: str, place: str) -> Markup:
    """Mark one side's mentions in a text, for readers without scripts.

    Entity labels start with `letter`, and line ids with `place`.
    """
    marks = list(entity_marks(side.entities, letter))
    column = TextColumn(document, line_starts(document))
    rows = (
        element("p", Markup(line), id=f"{place}l{number}", dir="auto")
        for number, line in enumerate(lines(column, marks))
    )
    return element("div", *rows, class_="characters" if document.in_characters else None)


class TextInterval(NamedTuple):
    """Contiguous part of a mention within a line, from unit `start` up to but excluding `end`."""

    start: int
    end: int
    number: int
    """Index of the mention's mark."""

    again: bool
    """True if the mention has an earlier part."""


class TextColumn:
    """One side's text: its units, its lines, and the places of mentions among them.

    Units are words and zeros; more zeros than the document contains can be added.
    """

    def __init__(
        self, document: Document, starts: Sequence[int], zeros: Iterable[Zero] = ()
    ) -> None:
        """Compute where lines end, given the first word of each."""
        self.document = document
        self.zeros = {*document.zeros, *zeros}
        self.units = [visible_text(word) for word in document.words]
        size = len(self.units)
        self.borders = sorted({0, *(start for start in starts if start < size), size})
        self._position: dict[Unit, int] = {}
        if self.zeros:
            words = ((number, 0) for number in range(1, size + 1))
            units = sorted([*words, *self.zeros])
            self.units = [self.units[number - 1] if not rank else ZERO for number, rank in units]
            self._position = {unit: number for number, unit in enumerate(units)}
            firsts = (self._position[start + 1, 0] for start in self.borders[:-1])
            borders = {0, *(_before_zeros(units, first) for first in firsts), len(units)}
            self.borders = sorted(borders)

    def has_text_of(self, document: Document, zeros: Iterable[Zero] = ()) -> bool:
        """Test whether a document, with some added zeros, has the same words and zeros."""
        same_zeros = self.zeros == {*document.zeros, *zeros}
        return same_zeros and self.document.words == document.words

    def place(self, mention: Mention) -> list[int]:
        """Return the first unit of each part of a mention, and the unit after its last."""
        if self.zeros or mention.zeros:
            return self._place_among_zeros(mention)
        size = len(self.units)
        return [min(border, size) for span in mention.words if span[0] < size for border in span]

    def _place_among_zeros(self, mention: Mention) -> list[int]:
        if len(mention.words) == 1 and not mention.zeros:
            start, end = mention.words[0]
            first, last = self._position.get((start + 1, 0)), self._position.get((end, 0))
            if first is not None and last is not None and last - first == end - start - 1:
                # Fast path: there is no zero between the words of most mentions.
                return [first, last + 1]
        return [border for span in _spans(mention, self._position) for border in span]

    def text(self, start: int, end: int) -> str:
        """Join the units from `start` up to but excluding `end`."""
        separator = "" if self.document.in_characters else " "
        return separator.join(self.units[start:end])


ZERO = "∅"


def _before_zeros(units: Sequence[Unit], number: int) -> int:
    """Move a line start before the zeros that precede its first word."""
    while number and units[number - 1][1]:
        number -= 1
    return number


def _spans(mention: Mention, position: Mapping[Unit, int]) -> Iterator[tuple[int, int]]:
    """Split a mention into contiguous parts; a zero that it does not cover is a gap."""
    units = [*mention.zeros, *((w + 1, 0) for s, e in mention.words for w in range(s, e))]
    positions = sorted(position[unit] for unit in units if unit in position)
    start = 0
    for i, last in enumerate(positions):
        if i + 1 == len(positions) or positions[i + 1] != last + 1:
            yield positions[start], last + 1
            start = i + 1


def _start_in_page(_: TextMark, label: str, __: int) -> Markup:
    return start_tag("mark", data_e=label)


IN_PAGE = Notation(_start_in_page, "</mark>", escape)
"""Elements whose labels the style sheet of a page shows."""


def lines(
    column: TextColumn, marks: Sequence[TextMark], notation: Notation = IN_PAGE
) -> Iterator[str]:
    """Print a text line by line, with its marks."""
    borders = column.borders
    intervals: dict[int, list[TextInterval]] = defaultdict(list)
    for number, mark in enumerate(marks):
        again = False
        place = column.place(mark.mention)
        for start, end in zip(place[::2], place[1::2], strict=True):
            for line, stop in _stops(borders, start, end):
                interval = TextInterval(max(start, borders[line]), stop, number, again)
                intervals[line].append(interval)
                again = True
    for line, span in enumerate(pairwise(borders)):
        yield "".join(_nested(column, span, intervals[line], marks, notation))


def _stops(borders: Sequence[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Split a span at line borders; yield each line, and where the span ends in it."""
    line = bisect_right(borders, start) - 1
    while borders[line] < end:
        yield line, min(end, borders[line + 1])
        line += 1


def _nested(
    column: TextColumn,
    span: tuple[int, int],
    intervals: Sequence[TextInterval],
    marks: Sequence[TextMark],
    notation: Notation,
) -> Iterator[str]:
    """Print a line's units with elements around mentions.

    Elements cannot cross: where mentions do, the inner one is closed and reopened.
    """
    start, end = span
    opening: dict[int, list[TextInterval]] = defaultdict(list)
    for interval in intervals:
        opening[interval.start].append(interval)
    stack: list[TextInterval] = []
    borders = {start, end, *opening, *(interval.end for interval in intervals)}
    for at, following in pairwise(sorted(borders)):
        reopened = (yield from _close(stack, at, notation)) if stack else []
        if at > start and not column.document.in_characters:
            yield " "
        for interval in sorted(
            [*reopened, *opening[at]], key=lambda interval: (-interval.end, interval.number)
        ):
            mark = marks[interval.number]
            label = f"…{mark.label.partition('=')[0]}" if interval.again else mark.label
            yield notation.start(mark, label, len(stack))
            stack.append(interval)
        yield notation.text(column.text(at, following))
    yield from _close(stack, end, notation)


def _close(
    stack: list[TextInterval], at: int, notation: Notation
) -> Generator[str, None, list[TextInterval]]:
    """Close the intervals that end here and those inside them; return those that continue."""
    ending = sum(interval.end == at for interval in stack)
    continuing = []
    while ending:
        top = stack.pop()
        yield notation.end
        if top.end == at:
            ending -= 1
        else:
            continuing.append(top._replace(again=True))
    return continuing
