"""Accommodated sets drawn side by side, and the working behind scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from anascore.analysis.explain import AlignedSet, EntityDescription, Explanation, MetricExplanation
from anascore.metrics import METRICS
from anascore.model.document import RELATIONS
from anascore.model.ratio import Ratio
from anascore.output.html.markup import Markup, element, joined
from anascore.output.html.tables import head, table

SETS_WIDTH, SETS_STEP, BOX, LEFT, RIGHT = 640, 34, 26, 230, 380


class SetDrawing(NamedTuple):
    """An element of a set, and which side has it."""

    labels: tuple[str, ...]
    words: str
    sides: tuple[str, ...]
    found: str = ""
    """That it is missing or extra, or how many of its mentions are found, if not all."""

    @property
    def status(self) -> str:
        """Whether it is right, missing or extra."""
        if len(self.sides) > 1:
            return "right"
        return "missing" if "key" in self.sides else "extra"

    @property
    def text(self) -> str:
        """What is written on it: a sign, and what it means."""
        what = f" ({self.found})" if self.found else ""
        return f"{SIGNS[self.status]} {' '.join(self.labels)} {self.words}{what}"


SIGNS = {"right": "✓", "missing": "−", "extra": "+"}


def sets_of(explained: Explanation) -> Iterator[Markup]:
    """Draw the sets of the key with their partners, then those of the response without one."""
    key = {one.label: one for one in explained.key}
    response = {one.label: one for one in explained.response}
    partners = {
        label: _partner(explained.metrics, label) for label, one in key.items() if one.elements
    }
    for label, partner in partners.items():
        other = response[partner] if partner else None
        yield element(
            "figure",
            _drawing(key[label], other, explained),
            element("figcaption", _caption(key[label], other)),
            _credits(explained.metrics, label),
            class_="set",
        )
    taken = set(partners.values())
    for label, one in response.items():
        if one.elements and label not in taken:
            what = f"{_named(one)}: no {one.relation} of the key is aligned with it"
            yield element(
                "figure", _drawing(None, one, explained), element("figcaption", what), class_="set"
            )


def _partner(metrics: Sequence[MetricExplanation], label: str) -> str | None:
    """Return the response's set that most metrics align with a set of the key."""
    found = Counter(s.response for m in metrics for s in m.sets if s.key == label and s.response)
    return found.most_common(1)[0][0] if found else None


def _named(one: EntityDescription) -> str:
    notation = RELATIONS[one.relation].notation if one.relation else ""
    relation = f" ({notation})" if notation else ""
    return f"{one.label}{relation} “{one.mentions[0]}”"


def _caption(key: EntityDescription, response: EntityDescription | None) -> str:
    partner = (
        f"aligned with {_named(response)}"
        if response
        else f"no {key.relation} of the response is aligned with it"
    )
    return f"{_named(key)}: {partner}"


def _elements(
    key: EntityDescription | None, response: EntityDescription | None, explained: Explanation
) -> list[SetDrawing]:
    """Put elements together that have mentions in common."""
    mentions = {one.label: one.mentions for one in (*explained.key, *explained.response)}
    theirs = response.elements if response else ()
    drawn, found = [], set()
    for k in key.elements if key else ():
        same = [r for r in theirs if (k, r) in explained.shared]
        found.update(same)
        if same:
            shared, whole = sum(explained.shared[k, r] for r in same), len(mentions[k])
            part = "" if shared == whole else f"{shared} of {whole} mentions"
            drawn.append(SetDrawing((k, *same), mentions[k][0], ("key", "response"), part))
        else:
            drawn.append(SetDrawing((k,), mentions[k][0], ("key",), "missing"))
    extra = (r for r in theirs if r not in found)
    return drawn + [SetDrawing((r,), mentions[r][0], ("response",), "extra") for r in extra]


def _drawing(
    key: EntityDescription | None, response: EntityDescription | None, explained: Explanation
) -> Markup:
    """Draw lines from the anaphors to the elements: solid from the key's, dashed from the other."""
    drawn = _elements(key, response, explained)
    anaphors = [(side, one) for side, one in (("key", key), ("response", response)) if one]
    height = SETS_STEP * max(len(drawn), len(anaphors)) + 8
    parts, places = [], {}
    for rank, (side, one) in enumerate(anaphors):
        places[side] = y = height * (rank + 0.5) / len(anaphors)
        parts += [_box(4, y, LEFT - 4, side), _written(12, y, f"{side}: {_named(one)}", 30)]
    for rank, element_of in enumerate(drawn):
        y = height * (rank + 0.5) / len(drawn)
        parts += [_line(places[side], y, side) for side in element_of.sides]
        parts.append(_box(RIGHT, y, SETS_WIDTH - RIGHT - 4, element_of.status))
        parts.append(_written(RIGHT + 8, y, element_of.text, 34))
    told = [*(f"{side} {_named(one)}" for side, one in anaphors), *(found.text for found in drawn)]
    size = f"0 0 {SETS_WIDTH} {height}"
    return element(
        "svg", *parts, viewBox=size, class_="chart", role="img", aria_label="; ".join(told)
    )


def _line(start: float, end: float, side: str) -> Markup:
    curve = f"M{LEFT} {start:.0f}C{LEFT + 70} {start:.0f} {RIGHT - 70} {end:.0f} {RIGHT} {end:.0f}"
    return element("path", d=curve, class_=f"line {side}")


def _box(x: float, y: float, width: float, status: str) -> Markup:
    return element(
        "rect", x=x, y=f"{y - BOX / 2:.0f}", width=width, height=BOX, rx=5, class_=f"box {status}"
    )


def _written(x: float, y: float, text: str, most: int) -> Markup:
    shown = text if len(text) <= most else f"{text[: most - 1]}…"
    return element("text", shown, x=x, y=f"{y + 4:.0f}")


def _credits(metrics: Sequence[MetricExplanation], label: str) -> Markup:
    """Show what the metrics make of a set: its partner, and its credit."""
    rows = [
        element("tr", element("th", METRICS[metric.metric].label, scope="row"), *_cells(aligned))
        for metric in metrics
        for aligned in metric.sets
        if aligned.key == label
    ]
    labels = ("metric", "aligned with", "δ recall", "δ precision", "F1", "next best")
    penalties = " and ".join(metric.label for metric in METRICS.values() if metric.penalty)
    caption = (
        f"δ of {label} by each metric: the share of the set that is found (recall), and of its "
        f"partner that is right (precision); in {penalties} the penalty, 1 less that share, and 1 "
        f"if the two entities have no mention in common"
    )
    return table(caption, [head(*labels)], rows)


def _cells(aligned: AlignedSet) -> Iterator[Markup]:
    yield element("td", aligned.response or "nothing")
    for column in zip(*aligned.delta, strict=True):
        yield element("td", " and ".join(str(d) for d in column if d is not None), class_="n")
    yield element("td", str(aligned.f1), class_="n")
    following = aligned.next_best
    yield element("td", f"{following[0]}, F1 {following[1]}" if following else "")


def working(explained: Explanation, place: str) -> Markup:
    """Show what each entity adds to recall and precision; singletons add 1 of 1 or nothing."""
    return joined(
        _shares(explained, explained.key, "recall", place),
        _shares(explained, explained.response, "precision", place),
    )


MOST_SETS = 8
"""How many mentions of an entity are shown."""


def _shares(
    explained: Explanation, described: Sequence[EntityDescription], figure: str, place: str
) -> Markup:
    """Make the table of one direction."""
    rows = {}
    columns = [
        (METRICS[m.metric].label + (f", {row.links}" if row.links else ""), getattr(row, figure))
        for m in explained.metrics
        for row in m.rows
    ]
    shares = [{share.entity: share for share in direction.shares} for _, direction in columns]
    for one in described:
        if len(one.mentions) + bool(one.elements) > 1:
            cells = []
            for of_row in shares:
                share = of_row[one.label]
                cells.append(
                    element(
                        "td",
                        "" if share.part is None else f"{share.part} of {share.whole}",
                        class_="n",
                    )
                )
            partners = sorted({p for of_row in shares for p in of_row[one.label].partners})
            rows[one.label] = element(
                "tr",
                element("th", one.label, scope="row"),
                element("td", _made_of(one), dir="auto"),
                element("td", ", ".join(partners)),
                *cells,
                id=f"{place}{one.label}",
            )
    totals = [element("td", _total(direction.ratio), class_="n") for _, direction in columns]
    singles = len(described) - len(rows)
    rest = element("td", f"all, with {singles} of one mention", colspan=2)
    rows[""] = element("tr", element("th", "total", scope="row"), rest, *totals)
    side = "key" if figure == "recall" else "response"
    heads = head("entity", "mentions", "shares with", *(label for label, _ in columns))
    return table(f"What each entity of the {side} adds to {figure}", [heads], rows.values())


def _made_of(one: EntityDescription) -> str:
    more = len(one.mentions) - MOST_SETS
    mentions = [*one.mentions[:MOST_SETS], *([f"{more} more"] if more > 0 else [])]
    return one.with_mentions(mentions) if one.elements else ", ".join(mentions)


def _total(ratio: Ratio) -> str:
    part, whole, value = ratio.part, ratio.whole, ratio.value
    return "undefined" if value is None else f"{part} / {whole} = {100 * float(value):.2f}%"
