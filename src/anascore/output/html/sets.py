"""Drawings of accommodated sets, and tables of the working behind scores."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from anascore.analysis.explain import AlignedSet, EntityDescription, Explanation, MetricExplanation
from anascore.metrics import METRICS
from anascore.model.document import RELATIONS
from anascore.model.ratio import Ratio
from anascore.output.grids import fraction
from anascore.output.html.markup import Markup, element, joined
from anascore.output.html.tables import head, table

SETS_WIDTH, SETS_STEP, BOX, LEFT, RIGHT = 640, 34, 26, 230, 380


class DrawnElement(NamedTuple):
    """Element of a set in a drawing, with the sides that have it."""

    labels: tuple[str, ...]
    words: str
    sides: tuple[str, ...]
    remark: str = ""
    """'missing', 'extra', or the number of mentions found if not all are."""

    @property
    def status(self) -> str:
        """CSS class: right, missing or extra."""
        if len(self.sides) > 1:
            return "right"
        return "missing" if "key" in self.sides else "extra"

    @property
    def text(self) -> str:
        """Text in the box: sign, labels, first mention, and remark."""
        remark = f" ({self.remark})" if self.remark else ""
        return f"{SIGNS[self.status]} {' '.join(self.labels)} {self.words}{remark}"


SIGNS = {"right": "✓", "missing": "−", "extra": "+"}


def draw_sets(explanation: Explanation) -> Iterator[Markup]:
    """Draw the sets of the key with their partners, then those of the response without one."""
    key = {entity.label: entity for entity in explanation.key}
    response = {entity.label: entity for entity in explanation.response}
    partners = {
        label: _partner(explanation.metrics, label)
        for label, entity in key.items()
        if entity.elements
    }
    for label, partner in partners.items():
        other = response[partner] if partner else None
        yield element(
            "figure",
            _drawing(key[label], other, explanation),
            element("figcaption", _caption(key[label], other)),
            _credits(explanation.metrics, label),
            class_="set",
        )
    aligned = set(partners.values())
    for label, entity in response.items():
        if entity.elements and label not in aligned:
            caption = f"{_named(entity)}: not aligned with any {entity.relation} of the key"
            yield element(
                "figure",
                _drawing(None, entity, explanation),
                element("figcaption", caption),
                class_="set",
            )


def _partner(metrics: Sequence[MetricExplanation], label: str) -> str | None:
    """Return the response's set that most metrics align with a set of the key."""
    votes = Counter(s.response for m in metrics for s in m.sets if s.key == label and s.response)
    return votes.most_common(1)[0][0] if votes else None


def _named(entity: EntityDescription) -> str:
    notation = RELATIONS[entity.relation].notation if entity.relation else ""
    relation = f" ({notation})" if notation else ""
    return f"{entity.label}{relation} “{entity.mentions[0]}”"


def _caption(key: EntityDescription, response: EntityDescription | None) -> str:
    partner = (
        f"aligned with {_named(response)}"
        if response
        else f"not aligned with any {key.relation} of the response"
    )
    return f"{_named(key)}: {partner}"


def _elements(
    key: EntityDescription | None, response: EntityDescription | None, explanation: Explanation
) -> list[DrawnElement]:
    """Merge the elements of key and response that share mentions."""
    entities = (*explanation.key, *explanation.response)
    mentions = {entity.label: entity.mentions for entity in entities}
    candidates = response.elements if response else ()
    drawn, merged = [], set()
    for k in key.elements if key else ():
        same = [r for r in candidates if (k, r) in explanation.shared]
        merged.update(same)
        if same:
            shared, whole = sum(explanation.shared[k, r] for r in same), len(mentions[k])
            remark = "" if shared == whole else f"{shared} of {whole} mentions"
            drawn.append(DrawnElement((k, *same), mentions[k][0], ("key", "response"), remark))
        else:
            drawn.append(DrawnElement((k,), mentions[k][0], ("key",), "missing"))
    extra = (r for r in candidates if r not in merged)
    return drawn + [DrawnElement((r,), mentions[r][0], ("response",), "extra") for r in extra]


def _drawing(
    key: EntityDescription | None, response: EntityDescription | None, explanation: Explanation
) -> Markup:
    """Draw lines from anaphors to elements: solid for the key, dashed for the response."""
    drawn = _elements(key, response, explanation)
    sides = (("key", key), ("response", response))
    anaphors = [(side, entity) for side, entity in sides if entity]
    height = SETS_STEP * max(len(drawn), len(anaphors)) + 8
    parts, heights = [], {}
    for rank, (side, entity) in enumerate(anaphors):
        heights[side] = y = height * (rank + 0.5) / len(anaphors)
        parts += [_box(4, y, LEFT - 4, side), _label(12, y, f"{side}: {_named(entity)}", 30)]
    for rank, member in enumerate(drawn):
        y = height * (rank + 0.5) / len(drawn)
        parts += [_line(heights[side], y, side) for side in member.sides]
        parts.append(_box(RIGHT, y, SETS_WIDTH - RIGHT - 4, member.status))
        parts.append(_label(RIGHT + 8, y, member.text, 34))
    labels = [f"{side} {_named(entity)}" for side, entity in anaphors]
    labels += [member.text for member in drawn]
    size = f"0 0 {SETS_WIDTH} {height}"
    return element(
        "svg", *parts, viewBox=size, class_="chart", role="img", aria_label="; ".join(labels)
    )


def _line(start: float, end: float, side: str) -> Markup:
    curve = f"M{LEFT} {start:.0f}C{LEFT + 70} {start:.0f} {RIGHT - 70} {end:.0f} {RIGHT} {end:.0f}"
    return element("path", d=curve, class_=f"line {side}")


def _box(x: float, y: float, width: float, status: str) -> Markup:
    return element(
        "rect", x=x, y=f"{y - BOX / 2:.0f}", width=width, height=BOX, rx=5, class_=f"box {status}"
    )


def _label(x: float, y: float, text: str, most: int) -> Markup:
    shown = text if len(text) <= most else f"{text[: most - 1]}…"
    return element("text", shown, x=x, y=f"{y + 4:.0f}")


def _credits(metrics: Sequence[MetricExplanation], label: str) -> Markup:
    """Return the table of a set's partner and credit in each metric."""
    rows = [
        element("tr", element("th", METRICS[metric.metric].label, scope="row"), *_cells(aligned))
        for metric in metrics
        for aligned in metric.sets
        if aligned.key == label
    ]
    labels = ("metric", "aligned with", "δ recall", "δ precision", "F1", "next best")
    penalties = " and ".join(metric.label for metric in METRICS.values() if metric.penalty)
    caption = (
        f"δ of {label} in each metric: the share of the set that is found (recall), and the share "
        f"of its partner that is correct (precision). In {penalties} it is the penalty: 1 minus "
        f"that share, or 1 if the two entities share no mention"
    )
    return table(caption, [head(*labels)], rows)


def _cells(aligned: AlignedSet) -> Iterator[Markup]:
    yield element("td", aligned.response or "nothing")
    for column in zip(*aligned.delta, strict=True):
        yield element("td", " and ".join(fraction(d) for d in column if d is not None), class_="n")
    yield element("td", fraction(aligned.f1), class_="n")
    runner_up = aligned.next_best
    yield element("td", f"{runner_up[0]}, F1 {fraction(runner_up[1])}" if runner_up else "")


def working(explanation: Explanation, prefix: str) -> Markup:
    """Return tables of each entity's contribution to recall and precision.

    Singletons, which contribute 1 of 1 or nothing, are only counted. Ids of rows have the prefix.
    """
    return joined(
        _shares(explanation, explanation.key, "recall", prefix),
        _shares(explanation, explanation.response, "precision", prefix),
    )


MOST_MENTIONS = 8
"""Maximum number of mentions listed for an entity."""


def _shares(
    explanation: Explanation, entities: Sequence[EntityDescription], figure: str, prefix: str
) -> Markup:
    """Return the table of one direction."""
    rows = {}
    columns = [
        (METRICS[m.metric].label + (f", {row.links}" if row.links else ""), getattr(row, figure))
        for m in explanation.metrics
        for row in m.rows
    ]
    shares = [{share.entity: share for share in direction.shares} for _, direction in columns]
    for entity in entities:
        if len(entity.mentions) + bool(entity.elements) > 1:
            cells = []
            for column in shares:
                share = column[entity.label]
                cells.append(
                    element(
                        "td",
                        ""
                        if share.part is None
                        else f"{fraction(share.part)} of {fraction(share.whole)}",
                        class_="n",
                    )
                )
            partners = sorted({p for column in shares for p in column[entity.label].partners})
            rows[entity.label] = element(
                "tr",
                element("th", entity.label, scope="row"),
                element("td", _content(entity), dir="auto"),
                element("td", ", ".join(partners)),
                *cells,
                id=f"{prefix}{entity.label}",
            )
    totals = [element("td", _total(direction.ratio), class_="n") for _, direction in columns]
    singletons = len(entities) - len(rows)
    rest = element("td", f"all, with {singletons} of one mention", colspan=2)
    rows[""] = element("tr", element("th", "total", scope="row"), rest, *totals)
    side = "key" if figure == "recall" else "response"
    heads = head("entity", "mentions", "shares with", *(label for label, _ in columns))
    return table(f"Contribution of each entity of the {side} to {figure}", [heads], rows.values())


def _content(entity: EntityDescription) -> str:
    more = len(entity.mentions) - MOST_MENTIONS
    mentions = [*entity.mentions[:MOST_MENTIONS], *([f"{more} more"] if more > 0 else [])]
    return entity.with_mentions(mentions) if entity.elements else ", ".join(mentions)


def _total(ratio: Ratio) -> str:
    part, whole, value = fraction(ratio.part), fraction(ratio.whole), ratio.value
    return "undefined" if value is None else f"{part} / {whole} = {100 * float(value):.2f}%"
