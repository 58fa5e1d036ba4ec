"""Text of a document with its mentions marked."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from anascore.analysis.explain import accommodated
from anascore.model.document import Document
from anascore.model.mention import Mention, Unit
from anascore.output.html.data import DocumentView, PageData
from anascore.output.html.markup import Markup, element, joined, running_text, text
from anascore.prepare.side import Side


def key_marks(page: PageData, name: str, i: int) -> list[TextMark]:
    """Return the marks of the key: status, and the systems that resolve a mention correctly."""
    view = page.systems[i].looked[name]
    side = view.sides[0]
    systems = [(system.name, system.looked[name].right) for system in page.systems]
    statuses = _statuses(view, 0)
    marks = []
    for k, (mention, label) in enumerate(_labelled(side, "K")):
        right = [system for system, mentions in systems if k in mentions]
        differs = ", ".join(right) if 0 < len(right) < len(systems) else ""
        marks.append(TextMark(mention, f"K{side.entity_of[k] + 1}", statuses[k], label, differs))
    return [*marks, *_other_layers(page.key.documents[name])]


def response_marks(page: PageData, name: str, i: int) -> list[TextMark]:
    """Return the marks of a response: status, and the systems without a spurious mention."""
    view = page.systems[i].looked[name]
    side = view.sides[1]
    others = [(s.name, s.looked[name].extra) for s in page.systems if s is not page.systems[i]]
    statuses = _statuses(view, 1)
    marks = []
    for r, (mention, label) in enumerate(_labelled(side, "R")):
        without = [other for other, extra in others if mention.place not in extra]
        differs = ", ".join(without) if statuses[r] == "x" else ""
        marks.append(
            TextMark(mention, f"R{side.entity_of[r] + 1}", f"{statuses[r]} r", label, differs)
        )
    return [*marks, *_other_layers(view.response)]


def _labelled(side: Side, letter: str) -> Iterator[tuple[Mention, str]]:
    """Yield the mentions of a side with their labels.

    Only the first mention of an entity with a set has a label: the set's elements.
    """
    for number, entity in enumerate(side.entities, 1):
        elements = [f"{letter}{element + 1}" for element in entity.elements]
        label = f"{letter}{number}={accommodated(entity.relation, elements, ',')}"
        for rank, mention in enumerate(entity.mentions):
            yield mention, label if elements and not rank else ""


def _statuses(view: DocumentView, side: int) -> list[str]:
    """Return the status of each mention of a side."""
    key, response = view.sides
    own = view.sides[side]
    statuses = ["x"] * len(own.mentions)
    for pair in view.spans:
        statuses[pair[side]] = "s"
    for k, r in view.matched:
        of_key, of_response = key.mentions[k], response.mentions[r]
        both_zero = of_key.is_zero and of_response.is_zero
        whole = both_zero or of_key.place == of_response.place
        statuses[(k, r)[side]] = ("m" if whole else "p") if k in view.right else "w"
    return statuses


def _other_layers(document: Document) -> Iterator[TextMark]:
    """Yield the marks of discourse deixis and bridging, which are hidden by default."""
    for n, entity in enumerate(document.deixis, 1):
        for mention in entity.mentions:
            yield TextMark(mention, f"D{n}", "d")
    for bridge in document.bridges:
        relation = f" ({bridge.relation})" if bridge.relation else ""
        anchor = f" → “{_short(document, bridge.anchor)}”{relation}"
        yield TextMark(bridge.anaphor, "B", "b", suffix=anchor)


def _short(document: Document, mention: Mention) -> str:
    words = document.text_of(mention)
    return words if len(words) <= 40 else f"{words[:39]}…"


class TextMark(NamedTuple):
    """Mark of a mention in a text."""

    mention: Mention
    entity: str
    """Label of the entity, shown in front of the mention."""

    status: str
    """CSS classes.

    m: resolved correctly; p: resolved correctly, partial match; w: matched, but resolved
    incorrectly; s: wrong span; x: no counterpart; d: discourse deixis; b: bridging. Mentions of
    the response also have r.
    """

    label: str = ""
    """Text in front of the mention, if not the label of its entity."""

    right: str = ""
    """Systems that are correct here, if not all systems agree."""

    suffix: str = ""
    """Text after the mention, hidden by default."""


class TextInterval(NamedTuple):
    """Contiguous part of a mention within a line, from unit `start` up to but excluding `end`."""

    start: int
    end: int
    number: int
    """Index of the mention's mark."""

    again: bool
    """True if an earlier part of the same mention exists."""


NO_TEXT = Markup("")


def lines(document: Document, starts: Sequence[int], marks: Sequence[TextMark]) -> Iterator[Markup]:
    """Yield the lines of a document; `starts` has the position of the first word of each line."""
    units = _units(document)
    position = {unit: number for number, unit in enumerate(units)}
    first_units = (position[start + 1, 0] for start in starts if (start + 1, 0) in position)
    borders = sorted({0, *(_before_zeros(units, number) for number in first_units), len(units)})
    intervals: dict[int, list[TextInterval]] = defaultdict(list)
    for number, mark in enumerate(marks):
        again = False
        for start, end in _spans(mark.mention, position):
            for line, stop in _stops(borders, start, end):
                interval = TextInterval(max(start, borders[line]), stop, number, again)
                intervals[line].append(interval)
                again = True
    for line, span in enumerate(pairwise(borders)):
        yield joined(*_nested(document, units, span, intervals[line], marks))


def _stops(borders: Sequence[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield the lines that a span covers, and its end in each."""
    line = bisect_right(borders, start) - 1
    while borders[line] < end:
        yield line, min(end, borders[line + 1])
        line += 1


def _units(document: Document) -> list[Unit]:
    """Return the words and zeros in order."""
    words = [(number, 0) for number in range(1, len(document.words) + 1)]
    return sorted([*words, *document.zeros]) if document.zeros else words


def _before_zeros(units: Sequence[Unit], number: int) -> int:
    """Return the start of a line that includes the zeros in front of its first word."""
    while number and units[number - 1][1]:
        number -= 1
    return number


def _spans(mention: Mention, position: Mapping[Unit, int]) -> Iterator[tuple[int, int]]:
    """Yield the contiguous parts of a mention; a zero that it does not cover is a gap."""
    units = [*mention.zeros, *((w + 1, 0) for s, e in mention.words for w in range(s, e))]
    positions = sorted(position[unit] for unit in units if unit in position)
    start = 0
    for i, last in enumerate(positions):
        if i + 1 == len(positions) or positions[i + 1] != last + 1:
            yield positions[start], last + 1
            start = i + 1


def _nested(
    document: Document,
    units: Sequence[Unit],
    span: tuple[int, int],
    intervals: Iterable[TextInterval],
    marks: Sequence[TextMark],
) -> Iterator[Markup]:
    """Yield the units of a line with elements around mentions.

    Elements cannot cross: where mentions do, the inner one is closed and reopened.
    """
    start, end = span
    opening: dict[int, list[TextInterval]] = defaultdict(list)
    for interval in intervals:
        opening[interval.start].append(interval)
    stack: list[TextInterval] = []
    for at in range(start, end):
        reopened = (yield from _close(stack, at, marks)) if stack else []
        if at > start and not document.in_characters:
            yield Markup(" ")
        if reopened or at in opening:
            for interval in sorted(
                [*reopened, *opening[at]], key=lambda interval: (-interval.end, interval.number)
            ):
                stack.append(interval)
                yield _open(marks[interval.number], again=interval.again)
        yield _unit(document, units[at])
    yield from _close(stack, end, marks)


def _close(
    stack: list[TextInterval], at: int, marks: Sequence[TextMark]
) -> Generator[Markup, None, list[TextInterval]]:
    """Close the intervals that end here and those inside them; return those that continue."""
    ending = sum(interval.end == at for interval in stack)
    continuing = []
    while ending:
        top = stack.pop()
        yield Markup("</mark>")
        if top.end == at:
            ending -= 1
            yield _suffix(marks[top.number])
        else:
            continuing.append(top._replace(again=True))
    return continuing


def _open(mark: TextMark, *, again: bool = False) -> Markup:
    status = f"{mark.status} again" if again else mark.status
    label = None if again else mark.label or None
    start_tag = element(
        "mark", class_=status, data_e=mark.entity, data_l=label, data_ok=mark.right or None
    )
    return Markup(start_tag.removesuffix("</mark>"))


def _suffix(mark: TextMark) -> Markup:
    return element("span", mark.suffix, class_="behind") if mark.suffix else NO_TEXT


def _unit(document: Document, unit: Unit) -> Markup:
    number, rank = unit
    return text("∅") if rank else running_text(document.words[number - 1])
