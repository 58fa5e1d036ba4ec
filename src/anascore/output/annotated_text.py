"""Texts with their entities: as HTML without scripts for notebooks, and as text for terminals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import islice
from typing import NamedTuple

from anascore.analysis.annotated_text import AnnotatedText, Outcome, OutcomeName, ResponseOutcomes
from anascore.formats.objects import are_unknown
from anascore.model.abbreviated import pluralise
from anascore.model.document import Document, Entity
from anascore.model.mention import Mention
from anascore.output.grid import percent
from anascore.output.html.markup import Markup, element, joined, start_tag, visible_text
from anascore.output.html.text import (
    Notation,
    TextColumn,
    TextMark,
    entity_marks,
    line_of,
    line_starts,
    lines,
    shorten,
)
from anascore.output.notebook import NO_FORMULAS
from anascore.terminal import escape_control_characters

MAX_LINES = 40
"""Maximum number of sentences in HTML; of a longer document, the first ones are shown."""


class Sign(NamedTuple):
    """The sign of an outcome."""

    character: str
    colour: str
    """A colour that is legible on light and on dark ground."""


SIGNS: dict[OutcomeName, Sign] = {
    "right": Sign("✓", "#22a05a"),
    "wrong entity": Sign("✗", "#d07010"),
    "wrong span": Sign("◇", "#1593b5"),
    "missing": Sign("○", "#ea4a48"),
    "extra": Sign("+", "#9168f8"),
}

COLOURS = (
    *("37,99,235", "217,119,6", "5,150,105", "147,51,234"),
    *("219,39,119", "8,145,178", "101,163,13", "120,113,108"),
)
"""Tints of entities, as red, green and blue; labels tell entities apart that share one."""

DEEPEST = 2
"""Depth of nesting up to which each mention has its own underline."""

QUIET = "opacity:.85;font-size:12px;line-height:1.5"
TITLE = "font-weight:600"
LINE = "line-height:2.1"
IN_CHARACTERS = ";white-space:pre-wrap"
LIST = "margin:.3em 0;padding-inline-start:2.6em"
ITEM = "margin-bottom:.5em"
LABEL = "font-size:11px;font-weight:600;opacity:.85;margin:0 .2em"

NOTHING = "(no words)"


def document_html(document: Document) -> str:
    """Draw a document with its entities as annotated."""
    drawing = _Drawing(document, document.entities, "e")
    mentions = sum(len(entity.mentions) for entity in document.entities)
    unit = "character" if document.in_characters else "word"
    sizes = (
        pluralise(len(document.words), unit),
        pluralise(mentions, "mention"),
        pluralise(len(document.entities), "entity", "entities"),
    )
    return drawing.html([", ".join(sizes)], [], "")


def html(shown: AnnotatedText) -> str:
    """Draw a document with the outcomes of its mentions."""
    drawing = _Drawing(shown.document, shown.entities, "K")
    return drawing.html(
        [joined(element("bdi", name), score) for name, score in _scores(shown)],
        shown.responses,
        "; print(…) shows all",
    )


def text(shown: AnnotatedText) -> str:
    """Write a document with the outcomes of its mentions as text."""
    drawing = _Drawing(shown.document, shown.entities, "K")
    scores = (f"{name}{score}" for name, score in _scores(shown))
    return "\n".join(map(escape_control_characters, drawing.text(scores, shown.responses)))


def _scores(shown: AnnotatedText) -> Iterator[tuple[str, str]]:
    """Yield each response's name and score."""
    for response in shown.responses:
        yield response.name, f": {shown.score} {percent(response.f1)}"


def _bracket(mark: TextMark, label: str, depth: int) -> str:  # noqa: ARG001  other notations use it
    return f"[{label} "


IN_TERMINAL = Notation(_bracket, "]", str)


def _start(mark: TextMark, label: str, depth: int, *, singletons: frozenset[int]) -> Markup:
    """Start a mark: underlined in the entity's tint, below the lines of those around it."""
    tint = COLOURS[mark.entity % len(COLOURS)]
    line = f"2px solid rgb({tint})"
    ground = f"rgba({tint},.13)"
    if mark.entity in singletons:
        line, ground = "1px dotted", "none"
    style = (
        f"color:inherit;background:{ground};border-bottom:{line};"
        f"padding:0 0 {3 * min(depth, DEEPEST)}px"
    )
    return joined(start_tag("mark", style=style), element("bdi", label, style=LABEL))


class _Drawing:
    """A document's lines with marks, and what is written around them."""

    def __init__(
        self, document: Document, entities: Sequence[Entity[Mention]], letter: str
    ) -> None:
        self.document = document
        self.entities = entities
        self.letter = letter
        self.starts = line_starts(document)
        self.column = TextColumn(document, self.starts)
        self.marks = list(entity_marks(entities, letter))

    def html(
        self, heads: Sequence[str], responses: Sequence[ResponseOutcomes], where_all: str
    ) -> str:
        """Draw the first lines; `where_all` says where to find the others."""
        singletons = (
            n
            for n, entity in enumerate(self.entities)
            if len(entity.mentions) < 2 and not entity.elements
        )
        start = partial(_start, singletons=frozenset(singletons))
        notation = Notation(start, "</mark>", escape)
        by_line = [self._by_line(response.outcomes) for response in responses]
        style = f"{LINE}{IN_CHARACTERS}" if self.document.in_characters else LINE
        items = []
        for number, line in enumerate(islice(self._lines(notation), MAX_LINES)):
            rows = (
                element("div", element("bdi", response.name), ": ", self._html(found), style=QUIET)
                for response, outcomes in zip(responses, by_line, strict=True)
                if (found := outcomes.get(number))
            )
            content = element("div", Markup(line), dir="auto", style=style)
            items.append(element("li", content, *rows, style=ITEM))
        more = len(self.column.borders) - 1 - MAX_LINES
        left_out = f"… and {self._number_of_lines(more)}{where_all}" if more > 0 else None
        return str(
            element(
                "div",
                element("div", element("bdi", self.document.name), style=TITLE),
                *(element("div", head, style=QUIET) for head in heads),
                element("ol", *items, style=LIST),
                element("div", left_out) if left_out else None,
                *(element("div", note, style=QUIET) for note in self._notes(responses)),
                class_=NO_FORMULAS,
            )
        )

    def text(self, heads: Iterable[str], responses: Sequence[ResponseOutcomes]) -> Iterator[str]:
        """Write all lines, with brackets around mentions."""
        yield self.document.name
        yield from heads
        yield ""
        by_line = [self._by_line(response.outcomes) for response in responses]
        margin = len(str(len(self.column.borders))) + 2
        for number, line in enumerate(self._lines(IN_TERMINAL)):
            yield f"{number + 1:<{margin}}{line.rstrip()}"
            for response, outcomes in zip(responses, by_line, strict=True):
                if found := outcomes.get(number):
                    yield f"{'':{margin}}{response.name}: {self._text(found)}"
        yield ""
        yield from map(str, self._notes(responses, with_style=False))

    def _lines(self, notation: Notation) -> Iterator[str]:
        if self.column.units:
            return lines(self.column, self.marks, notation)
        return iter([NOTHING])

    def _number_of_lines(self, number: int) -> str:
        return pluralise(number, "more sentence" if self.document.sentences else "more line")

    def _by_line(self, outcomes: Iterable[Outcome]) -> Mapping[int, Sequence[Outcome]]:
        """Group outcomes by the number of their line."""
        last = max(0, len(self.column.borders) - 2)
        found: dict[int, list[Outcome]] = defaultdict(list)
        for outcome in sorted(outcomes, key=lambda outcome: outcome.mention.order):
            found[min(last, line_of(self.starts, outcome.mention.place))].append(outcome)
        return found

    def _html(self, outcomes: Sequence[Outcome]) -> Markup:
        """List the outcomes of a line: the number of right ones, and each other one."""
        right, others = _divided(outcomes)
        items = [joined(_sign("right"), f" {right}")] if right else []
        for outcome in others:
            words, instead = (
                element("bdi", Markup(escape(visible_text(shorten(words)))))
                for words in (outcome.words, outcome.instead)
            )
            items.append(
                joined(
                    _sign(outcome.name),
                    f" {self._label(outcome)}“",
                    words,
                    *(("” marked as “", instead) if outcome.instead else ()),
                    "”",
                )
            )
        return Markup("&ensp; ".join(items))

    def _text(self, outcomes: Sequence[Outcome]) -> str:
        right, others = _divided(outcomes)
        items = [f"{SIGNS['right'].character} {right}"] if right else []
        for outcome in others:
            instead = f" marked as “{shorten(outcome.instead)}”" if outcome.instead else ""
            sign = SIGNS[outcome.name].character
            items.append(f"{sign} {self._label(outcome)}“{shorten(outcome.words)}”{instead}")
        return "  ".join(items)

    def _label(self, outcome: Outcome) -> str:
        return "" if outcome.entity is None else f"{self.letter}{outcome.entity + 1} "

    def _notes(
        self, responses: Sequence[ResponseOutcomes], *, with_style: bool = True
    ) -> Iterator[str]:
        """Explain the signs and labels that occur."""
        names = {outcome.name for response in responses for outcome in response.outcomes}
        with_set = next((mark.label for mark in self.marks if "=" in mark.label), "")
        labels = {name: str(name) for name in SIGNS if name in names}
        if with_set and "wrong entity" in labels:
            labels["wrong entity"] = "wrong entity or set"
        signs = (
            joined(_sign(name), f" {label}") if with_style else f"{SIGNS[name].character} {label}"
            for name, label in labels.items()
        )
        if labels:
            yield Markup("&ensp; ".join(signs)) if with_style else "  ".join(signs)
        notes = []
        if with_set:
            entity, _, elements = with_set.partition("=")
            notes.append(f"{with_set}: {entity} stands for {elements}")
        if any(len(self.column.place(mark.mention)) > 2 for mark in self.marks):
            notes.append(f"…{self.letter}: a further part of a mention")
        if self.column.zeros:
            notes.append("∅: a zero")
        if are_unknown(self.document.words):
            notes.append("the words are unknown: numbers are their positions")
        if notes:
            yield "; ".join(notes)


def _divided(outcomes: Sequence[Outcome]) -> tuple[int, Sequence[Outcome]]:
    """Count the right outcomes, and list the others."""
    others = [outcome for outcome in outcomes if outcome.name != "right"]
    return len(outcomes) - len(others), others


def _sign(name: OutcomeName) -> Markup:
    character, colour = SIGNS[name]
    return element("b", character, role="img", aria_label=name, title=name, style=f"color:{colour}")
