"""The text of a document with mentions marked."""

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
from anascore.output.html.markup import Markup, element, joined, text
from anascore.prepare.side import Side


def key_marks(page: PageData, name: str, i: int) -> list[TextMark]:
    """Mark the key's mentions: how they match, and which systems have them right."""
    looked = page.systems[i].looked[name]
    side = looked.sides[0]
    systems = [(system.name, system.looked[name].right) for system in page.systems]
    statuses = _statuses(looked, 0)
    found = []
    for k, (mention, label) in enumerate(_labelled(side, "K")):
        right = [system for system, of_system in systems if k in of_system]
        differs = ", ".join(right) if 0 < len(right) < len(systems) else ""
        found.append(TextMark(mention, f"K{side.entity_of[k] + 1}", statuses[k], label, differs))
    return [*found, *_other_layers(page.key.documents[name])]


def response_marks(page: PageData, name: str, i: int) -> list[TextMark]:
    """Mark the response's mentions: how they match, and which systems have not those too many."""
    looked = page.systems[i].looked[name]
    side = looked.sides[1]
    others = [(s.name, s.looked[name].extra) for s in page.systems if s is not page.systems[i]]
    statuses = _statuses(looked, 1)
    found = []
    for r, (mention, label) in enumerate(_labelled(side, "R")):
        without = [other for other, extra in others if mention.place not in extra]
        differs = ", ".join(without) if statuses[r] == "x" else ""
        found.append(
            TextMark(mention, f"R{side.entity_of[r] + 1}", f"{statuses[r]} r", label, differs)
        )
    return [*found, *_other_layers(looked.response)]


def _labelled(side: Side, letter: str) -> Iterator[tuple[Mention, str]]:
    """Give the mentions; the first of an entity with a set is labelled with its elements."""
    for number, entity in enumerate(side.entities, 1):
        elements = [f"{letter}{element + 1}" for element in entity.elements]
        label = f"{letter}{number}={accommodated(entity.relation, elements, ',')}"
        for rank, mention in enumerate(entity.mentions):
            yield mention, label if elements and not rank else ""


def _statuses(looked: DocumentView, side: int) -> list[str]:
    """Say how each mention of a side matches."""
    key, response = looked.sides
    own = looked.sides[side]
    statuses = ["x"] * len(own.mentions)
    for pair in looked.spans:
        statuses[pair[side]] = "s"
    for k, r in looked.matched:
        ours, theirs = key.mentions[k], response.mentions[r]
        whole = ours.place == theirs.place or (ours.is_zero and theirs.is_zero)
        statuses[(k, r)[side]] = ("m" if whole else "p") if k in looked.right else "w"
    return statuses


def _other_layers(document: Document) -> Iterator[TextMark]:
    """Mark discourse deixis and bridging, which are seen when they are switched on."""
    for n, entity in enumerate(document.deixis, 1):
        for mention in entity.mentions:
            yield TextMark(mention, f"D{n}", "d")
    for bridge in document.bridges:
        relation = f" ({bridge.relation})" if bridge.relation else ""
        to = f" → “{_short(document, bridge.anchor)}”{relation}"
        yield TextMark(bridge.anaphor, "B", "b", behind=to)


def _short(document: Document, mention: Mention) -> str:
    words = document.text_of(mention)
    return words if len(words) <= 40 else f"{words[:39]}…"


class TextMark(NamedTuple):
    """A mention to be marked, and how."""

    mention: Mention
    entity: str
    """The label of its entity, which is shown in front of it."""

    status: str
    """m if it is right, p if it is and matches partly, w if it matches and is resolved wrongly, s
    if it has a wrong span, x if it has no counterpart; r in the response besides. d is for
    discourse deixis and b for bridging."""

    label: str = ""
    """What is shown in front of it, if not the label of its entity."""

    right: str = ""
    """In which systems it is right, where that differs."""

    behind: str = ""
    """What is written behind it, if that is switched on."""


class TextInterval(NamedTuple):
    """A part of a mention without gaps, from one unit up to before another, in one sentence."""

    start: int
    end: int
    number: int
    """Which mention it is a part of."""

    again: bool
    """Whether another part comes before it."""


NO_TEXT = Markup("")


def lines(
    document: Document, starts: Sequence[int], marked: Sequence[TextMark]
) -> Iterator[Markup]:
    """Write a document line by line, each beginning with one of the words at these positions."""
    units = _units(document)
    position = {unit: number for number, unit in enumerate(units)}
    begun = (position[start + 1, 0] for start in starts if (start + 1, 0) in position)
    borders = sorted({0, *(_before_zeros(units, number) for number in begun), len(units)})
    found: dict[int, list[TextInterval]] = defaultdict(list)
    for number, one in enumerate(marked):
        again = False
        for start, end in _spans(one.mention, position):
            for line, stop in _stops(borders, start, end):
                found[line].append(TextInterval(max(start, borders[line]), stop, number, again))
                again = True
    for line, place in enumerate(pairwise(borders)):
        yield joined(*_nested(document, units, place, found[line], marked))


def _stops(borders: Sequence[int], start: int, end: int) -> Iterator[tuple[int, int]]:
    """Give the lines that something goes through, and where it ends in each."""
    line = bisect_right(borders, start) - 1
    while borders[line] < end:
        yield line, min(end, borders[line + 1])
        line += 1


def _units(document: Document) -> list[Unit]:
    """Return the words and zeros in order."""
    words = [(number, 0) for number in range(1, len(document.words) + 1)]
    return sorted([*words, *document.zeros]) if document.zeros else words


def _before_zeros(units: Sequence[Unit], number: int) -> int:
    """Begin a line with the zeros in front of its first word."""
    while number and units[number - 1][1]:
        number -= 1
    return number


def _spans(mention: Mention, position: Mapping[Unit, int]) -> Iterator[tuple[int, int]]:
    """Give the parts of a mention that have no gaps, also none of zeros."""
    units = [*mention.zeros, *((w + 1, 0) for s, e in mention.words for w in range(s, e))]
    places = sorted(position[unit] for unit in units if unit in position)
    start = 0
    for i, place in enumerate(places):
        if i + 1 == len(places) or places[i + 1] != place + 1:
            yield places[start], place + 1
            start = i + 1


def _nested(
    document: Document,
    units: Sequence[Unit],
    place: tuple[int, int],
    intervals: Iterable[TextInterval],
    marked: Sequence[TextMark],
) -> Iterator[Markup]:
    """Write the units of a line with elements around mentions.

    Elements cannot cross: where mentions do, the inner one is closed and opened again.
    """
    start, end = place
    opening: dict[int, list[TextInterval]] = defaultdict(list)
    for interval in intervals:
        opening[interval.start].append(interval)
    stack: list[TextInterval] = []
    for at in range(start, end):
        again = yield from _closed(stack, at, marked)
        if at > start and not document.in_characters:
            yield Markup(" ")
        for interval in sorted(
            [*again, *opening[at]], key=lambda found: (-found.end, found.number)
        ):
            stack.append(interval)
            yield _opened(marked[interval.number], again=interval.again)
        yield _unit(document, units[at])
    yield from _closed(stack, end, marked)


def _closed(
    stack: list[TextInterval], at: int, marked: Sequence[TextMark]
) -> Generator[Markup, None, list[TextInterval]]:
    """Close what ends here, and what is inside of it; return what goes on."""
    ending = sum(interval.end == at for interval in stack)
    again = []
    while ending:
        top = stack.pop()
        yield Markup("</mark>")
        if top.end == at:
            ending -= 1
            yield _behind(marked[top.number])
        else:
            again.append(top._replace(again=True))
    return again


def _opened(one: TextMark, *, again: bool = False) -> Markup:
    status = f"{one.status} again" if again else one.status
    label = None if again else one.label or None
    opened = element(
        "mark", class_=status, data_e=one.entity, data_l=label, data_ok=one.right or None
    )
    return Markup(opened.removesuffix("</mark>"))


def _behind(one: TextMark) -> Markup:
    return element("span", one.behind, class_="behind") if one.behind else NO_TEXT


def _unit(document: Document, unit: Unit) -> Markup:
    number, rank = unit
    return text("∅") if rank else text(document.words[number - 1])
