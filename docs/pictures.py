"""Pictures of the documentation, drawn as SVG from real runs of the Python functions.

The example is that of section 5 of the paper: a key, and the response of its system A. A picture
has a light and a dark style, and takes that of the page.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from html import escape
from typing import Any

from anascore import Corpus, Entity, explain

TEXT = (
    "John met Mary after work and asked her to go see a play . "
    "She liked the idea but suggested him to have dinner first . "
    "On their way to the restaurant they met Bill and Jane . "
    "The two were very happy to see Bill , as they go way back . "
    "He introduced Jane and all four agreed to have dinner together to catch up ."
)
WORDS = TEXT.split()
JOHN, MARY, BILL, JANE = [0, 20], [2, 7, 14], [34, 45, 53], [36, 55]
THEIR, THEY, THE_TWO, THEY_TOO, ALL_FOUR = 27, 32, (38, 39), 48, (57, 58)
KEY = [
    JOHN,
    MARY,
    Entity([THEIR, THEY, THE_TWO], elements=[0, 1]),
    BILL,
    JANE,
    Entity([THEY_TOO], elements=[0, 1, 3]),
    Entity([ALL_FOUR], elements=[0, 1, 3, 4]),
]
RESPONSE = [
    JOHN,
    [2, 14],
    Entity([THEIR, THEY, THE_TWO, THEY_TOO], elements=[0, 1]),
    [34, 45],
    JANE,
    Entity([ALL_FOUR], elements=[0, 1, 4]),
]


def corpus(clusters: Sequence[Any]) -> Corpus:
    """Return the example as a corpus; a mention of one word is the number of the word."""

    def span(mention: Any) -> Any:
        return mention if isinstance(mention, tuple) else (mention, mention)

    entities = [
        Entity([*map(span, cluster.mentions)], elements=cluster.elements)
        if isinstance(cluster, Entity)
        else list(map(span, cluster))
        for cluster in clusters
    ]
    return Corpus.from_clusters(
        entities, offsets="token", end="inclusive", words=WORDS, name="example"
    )


def example() -> dict[str, Any]:
    """Return the working of all metrics on the example, as plain values."""
    (system,) = explain(corpus(KEY), corpus(RESPONSE)).to_dict()["systems"]
    (document,) = system["documents"].values()
    content: dict[str, Any] = document
    return content


STYLE = """
text { font-family: system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; font-size: 14px; }
.card { fill: #ffffff; } .panel { fill: #f3f6f9; }
.ink { fill: #1f2933; } .soft { fill: #5b6673; } .small { font-size: 12.5px; }
.bold { font-weight: 600; } .bar { fill-opacity: 0.6; }
.title { font-size: 16px; font-weight: 600; }
.key { fill: #0b5cad; } .response { fill: #8a5200; } .set { fill: #6b3fa0; } .bad { fill: #b42318; }
.bad-line { stroke: #b42318; stroke-dasharray: 4 3; } .line { fill: none; stroke-width: 1.5; }
.key-fill { fill: #dcebfa; } .response-fill { fill: #f8e8cf; } .set-fill { fill: #e9defa; }
@media (prefers-color-scheme: dark) {
.card { fill: #131a21; } .panel { fill: #1c2530; }
.ink { fill: #e6edf3; } .soft { fill: #a3b0bd; }
.key { fill: #8ab8e8; } .response { fill: #e5bb78; } .set { fill: #c8aef2; } .bad { fill: #ff9b8f; }
.bad-line { stroke: #ff9b8f; }
.key-fill { fill: #17324e; } .response-fill { fill: #47351a; } .set-fill { fill: #382755; }
}
"""

LETTER = 7.8
"""Mean width of a letter, in pixels."""


class Drawing:
    """A picture of a given size, to which shapes and texts are added."""

    def __init__(self, width: int, height: int, title: str) -> None:
        """Create a picture; the title is read to those who do not see it."""
        self.width, self.height, self.title = width, height, title
        self.parts: list[str] = []

    def text(self, x: float, y: float, content: str, style: str = "ink", at: str = "start") -> None:
        """Add a text; `at` says which part of it is at the place: start, middle or end."""
        self.parts.append(
            f'<text x="{x:g}" y="{y:g}" class="{style}" text-anchor="{at}">{escape(content)}</text>'
        )

    def box(self, x: float, y: float, width: float, height: float, style: str) -> None:
        """Add a rectangle with round corners."""
        self.parts.append(
            f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="7" '
            f'class="{style}"/>'
        )

    def pill(self, x: float, y: float, content: str, style: str) -> float:
        """Add a text in a frame, and return its width."""
        width = LETTER * len(content) + 16
        self.box(x, y, width, 24, style)
        self.text(x + width / 2, y + 17, content, at="middle")
        return width

    def svg(self) -> str:
        """Return the picture."""
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {self.height}" '
            f'width="{self.width}" height="{self.height}" role="img">\n'
            f"<title>{escape(self.title)}</title>\n<style>{STYLE}</style>\n"
            f'<rect width="{self.width}" height="{self.height}" rx="10" class="card"/>\n'
            + "\n".join(self.parts)
            + "\n</svg>\n"
        )


def entities() -> str:
    """Draw the entities of key and response: mentions, and elements of sets."""
    working = example()
    sides = {"key": working["key"], "response": working["response"]}
    drawing = Drawing(1000, 380, "Entities of key and response, with their mentions and elements")
    for column, (side, listed) in enumerate(sides.items()):
        left = 20 + 490 * column
        other = {text for entity in sides[_other(side)] for text in entity["mentions"]}
        drawing.text(left, 32, {"key": "Key", "response": "Response"}[side], f"title {side}")
        for row, entity in enumerate(listed):
            y = 48 + 46 * row
            drawing.box(left, y, 470, 38, "panel")
            drawing.text(left + 12, y + 24, entity["label"], f"bold {side}")
            x = left + 52.0
            if entity["elements"]:
                x += drawing.pill(x, y + 7, f"{{{', '.join(entity['elements'])}}}", "set-fill") + 8
                drawing.text(x, y + 24, "⊕", "soft")
                x += 20
            for mention in entity["mentions"]:
                lost = side == "key" and mention not in other
                frame = "card line bad-line" if lost else f"{side}-fill"
                x += drawing.pill(x, y + 7, mention, frame) + 6
    drawing.box(510, 336, 22, 22, "card line bad-line")
    drawing.text(540, 352, "mention of the key that the response lacks", "small soft")
    return drawing.svg()


def _other(side: str) -> str:
    return "response" if side == "key" else "key"


def alignment() -> str:
    """Draw the F1 of all pairs of sets by B³, and the pairs that are aligned."""
    working = example()
    aligned = {entry["key"]: entry["response"] for entry in working["metrics"]["b3"]["sets"]}
    rows = [number for number, entity in enumerate(working["key"]) if entity["elements"]]
    columns = [number for number, entity in enumerate(working["response"]) if entity["elements"]]
    drawing = Drawing(760, 250, "F1 by B³ of every pair of accommodated sets, and their alignment")
    for column, own in enumerate(columns):
        text = _set_text(working["response"][own])
        drawing.text(360 + 190 * column, 34, text, "bold response", "middle")
    best = Fraction(0)
    for row, own in enumerate(rows):
        y = 52 + 52 * row
        entity = working["key"][own]
        drawing.text(250, y + 27, _set_text(entity), "bold key", "end")
        for column, other in enumerate(columns):
            recall, precision = b_cubed_of_sets(own, other)
            f1 = 2 * recall * precision / (recall + precision)
            chosen = aligned[entity["label"]] == working["response"][other]["label"]
            best += f1 if chosen else 0
            x = 275 + 190 * column
            drawing.box(x, y, 170, 42, "set-fill" if chosen else "panel")
            text = f"{f1} = {float(f1):.3f}"
            drawing.text(x + 85, y + 27, text, "bold set" if chosen else "ink", "middle")
    text = f"Aligned pairs have the largest sum of F1: {best} = {float(best):.3f}"
    drawing.text(20, 232, text, "small soft")
    return drawing.svg()


def _set_text(entity: dict[str, Any]) -> str:
    return f"{entity['label']}: {{{', '.join(entity['elements'])}}}"


def elements_of(clusters: Sequence[Any], number: int) -> dict[int, Any]:
    """Return the elements of a cluster of the example, by their numbers."""
    return {element: clusters[element] for element in clusters[number].elements}


def b_cubed_of_sets(key: int, response: int) -> tuple[Fraction, Fraction]:
    """Return recall and precision by B³ of two sets, whose elements are scored as documents."""
    sides = (elements_of(KEY, key).values(), elements_of(RESPONSE, response).values())
    documents = [corpus(list(elements)) for elements in sides]
    (system,) = explain(*documents, metrics="b3").to_dict()["systems"]
    (document,) = system["documents"].values()
    (row,) = document["metrics"]["b3"]["rows"]
    return Fraction(row["recall"]["value"]), Fraction(row["precision"]["value"])


def credit() -> str:
    """Draw the credit of one aligned pair by B³, and the place where it enters the score."""
    working = example()
    key, response = 6, 5
    own, other = elements_of(KEY, key), elements_of(RESPONSE, response)
    recall, _ = b_cubed_of_sets(key, response)
    size = sum(map(len, own.values()))
    drawing = Drawing(1000, 400, "Credit of K7 with R6 by B³, and its use in the recall of K7")
    drawing.text(20, 32, "Elements of K7", "title key")
    drawing.text(400, 32, "Elements of R6", "title response")
    drawing.text(985, 32, "B³ recall", "title set", "end")
    shares = []
    for row, (number, mentions) in enumerate(own.items()):
        y = 48 + 46 * row
        drawing.box(20, y, 965, 38, "panel")
        _draw_entity(drawing, 32, y, working["key"][number], "key")
        shared = 0
        for candidate, others in other.items():
            if {*mentions} & {*others}:
                shared = len({*mentions} & {*others})
                _draw_entity(drawing, 412, y, working["response"][candidate], "response")
        if not shared:
            drawing.text(412, y + 24, "not an element of R6", "small bad")
        shares.append(Fraction(shared**2, len(mentions)))
        text = f"{shared}² / {len(mentions)} = {shares[-1]}"
        drawing.text(973, y + 24, text, "ink", "end")
    if sum(shares) / size != recall:
        message = f"the shares do not add up to {recall}"
        raise ValueError(message)
    y = 48 + 46 * len(own)
    total = f"({' + '.join(map(str, shares))}) / {size} mentions = {recall}"
    drawing.text(973, y + 22, total, "bold set", "end")
    drawing.text(20, y + 66, "K7 itself", "title key")
    drawing.box(20, y + 80, 965, 60, "panel")
    x = 32 + drawing.pill(32, y + 98, f"set: credit {recall}", "set-fill") + 8
    drawing.text(x, y + 115, "⊕", "soft")
    drawing.pill(x + 20, y + 98, "all four", "key-fill")
    (b3,) = working["metrics"]["b3"]["rows"]
    part = Fraction(b3["recall"]["shares"][key]["part"])
    text = f"(1 + {recall})² / 2 = {float(part):.3f} of 2"
    drawing.text(973, y + 115, text, "bold key", "end")
    return drawing.svg()


def _draw_entity(drawing: Drawing, x: float, y: float, entity: dict[str, Any], side: str) -> None:
    drawing.text(x, y + 24, entity["label"], f"bold {side}")
    x += 34
    for mention in entity["mentions"]:
        x += drawing.pill(x, y + 7, mention, f"{side}-fill") + 6


def credit_by_metric() -> str:
    """Draw the credit of the aligned pairs by each metric, as bars."""
    working = example()
    drawing = Drawing(860, 330, "Credit of the aligned sets by metric")
    labels = {"muc": "MUC", "b3": "B³", "ceafm": "CEAF-M", "ceafe": "CEAF-E", "lea": "LEA"}
    pairs = [("K3", "R3"), ("K7", "R6")]
    for column, pair in enumerate(pairs):
        drawing.text(110 + 380 * column, 32, f"{pair[0]} with {pair[1]}", "title set")
    for row, (metric, label) in enumerate(labels.items()):
        y = 48 + 50 * row
        drawing.text(20, y + 26, label, "bold ink")
        for column, pair in enumerate(pairs):
            (entry,) = (
                entry
                for entry in working["metrics"][metric]["sets"]
                if (entry["key"], entry["response"]) == pair
            )
            for number, (side, name) in enumerate((("key", "recall"), ("response", "precision"))):
                value = Fraction(entry["score"][0][name])
                x, top = 110 + 380 * column, y + 2 + 19 * number
                drawing.box(x, top, 240, 15, "panel")
                drawing.box(x, top, 240 * float(value), 15, f"{side} bar")
                drawing.text(x + 250, top + 12, f"{name} {value}", f"small {side}")
    drawing.text(
        20,
        316,
        "The F1 of the two values aligns the sets; recall and precision are the credit.",
        "small soft",
    )
    return drawing.svg()


PICTURES: dict[str, Callable[[], str]] = {
    "entities": entities,
    "alignment": alignment,
    "credit": credit,
    "credit-by-metric": credit_by_metric,
}
"""Functions that draw the pictures, by the names of their files in docs/images."""
