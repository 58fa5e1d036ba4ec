"""Drawings of accommodated sets: two rows of elements, with lines between aligned ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TypeAlias

from anascore.analysis.explain import AlignedSet, DocumentExplanation, EntityDescription
from anascore.metrics.scores import METRICS
from anascore.model.document import RELATIONS
from anascore.output.grid import fraction, percent
from anascore.output.html.markup import Markup, element
from anascore.output.html.tables import head, table

SETS_WIDTH, SETS_HEIGHT = 600, 116
"""Size of a drawing."""

ANAPHOR_WIDTH, CHIP_HEIGHT, CHIP_GAP, MAX_CHIP = 160, 30, 10, 190
AlignedSets: TypeAlias = Mapping[str, Sequence[AlignedSet]]
"""The key's aligned sets by metric."""

ROWS = {"key": 20, "response": 96}
"""Vertical centre of each row."""


def draw_sets(working: DocumentExplanation, system: str) -> Iterator[Markup]:
    """Draw the key's sets with their partners, then the response's sets without one."""
    entities = {entity.label: entity for entity in working.in_sets}
    sets = {label: entity for label, entity in entities.items() if entity.elements}
    partners = {label: _partner(working.sets, label) for label in sets if label.startswith("K")}
    for label, partner in partners.items():
        own, other = sets[label], sets[partner] if partner else None
        yield element(
            "figure",
            element("figcaption", element("bdi", system), f": {_caption(own, other)}"),
            _drawing(own, other, entities, working),
            _credits(working.sets, label),
            class_="set",
        )
    aligned = set(partners.values())
    for label, entity in sets.items():
        if label.startswith("R") and label not in aligned:
            caption = f": {_named(entity)}: not aligned with any {entity.relation} of the key"
            yield element(
                "figure",
                element("figcaption", element("bdi", system), caption),
                _drawing(None, entity, entities, working),
                class_="set",
            )


def _partner(sets: AlignedSets, label: str) -> str | None:
    """Return the response's set that most metrics align with a set of the key."""
    votes = Counter(
        aligned.response
        for of_metric in sets.values()
        for aligned in of_metric
        if aligned.key == label and aligned.response
    )
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


def _drawing(
    key: EntityDescription | None,
    response: EntityDescription | None,
    entities: Mapping[str, EntityDescription],
    working: DocumentExplanation,
) -> Markup:
    """Draw each set as a row, the anaphor before its elements; lines join what shares mentions."""
    elements = {
        "key": key.elements if key else (),
        "response": response.elements if response else (),
    }
    shared = {
        (k, r): working.shared_by_label[k, r]
        for k in elements["key"]
        for r in elements["response"]
        if (k, r) in working.shared_by_label
    }
    found = {label for pair in shared for label in pair}
    parts: list[Markup] = []
    middles: dict[str, float] = {}
    texts: list[str] = []
    for side, entity in (("key", key), ("response", response)):
        if entity is None:
            continue
        y = ROWS[side]
        parts += _chip(0, y, ANAPHOR_WIDTH, f"{side}: {_named(entity)}", "anaphor")
        texts.append(f"{side} {_named(entity)}")
        room = SETS_WIDTH - ANAPHOR_WIDTH - CHIP_GAP - 2  # for the border of the last one
        width = min(MAX_CHIP, room / max(1, len(entity.elements)) - CHIP_GAP)
        for rank, label in enumerate(entity.elements):
            x = ANAPHOR_WIDTH + 2 * CHIP_GAP + rank * (width + CHIP_GAP)
            status = "right" if label in found else "missing" if side == "key" else "extra"
            words = f"{SIGNS[status]} {label} {entities[label].mentions[0]}"
            parts += _chip(x, y, width, words, status)
            texts.append(words)
            middles[label] = x + width / 2
    lines = [
        _line(middles[k], middles[r], n, len(entities[k].mentions)) for (k, r), n in shared.items()
    ]
    top, height = 0, SETS_HEIGHT
    if key is None or response is None:
        top, height = (0 if response is None else ROWS["response"] - ROWS["key"]), 2 * ROWS["key"]
    return element(
        "svg",
        *(part for line in lines for part in line),
        *parts,
        viewBox=f"0 {top} {SETS_WIDTH} {height}",
        class_="chart set",
        role="img",
        aria_label="; ".join(texts),
    )


SIGNS = {"right": "✓", "missing": "−", "extra": "+"}


def _line(start: float, end: float, shared: int, size: int) -> Iterator[Markup]:
    """Draw the line between two elements, with the number of mentions that they share."""
    top, bottom = ROWS["key"] + CHIP_HEIGHT / 2, ROWS["response"] - CHIP_HEIGHT / 2
    yield element(
        "line",
        x1=f"{start:.0f}",
        x2=f"{end:.0f}",
        y1=top,
        y2=bottom,
        class_="line" if shared == size else "line part",
    )
    middle = f"{(start + end) / 2 + 6:.0f}"
    yield element("text", f"{shared} of {size}", x=middle, y=(top + bottom) / 2 + 4)


def _chip(x: float, y: float, width: float, text: str, status: str) -> Iterator[Markup]:
    most = max(3, int(width / 7.2))
    shown = text if len(text) <= most else f"{text[: most - 1]}…"
    yield element(
        "rect",
        x=f"{x:.0f}",
        y=y - CHIP_HEIGHT / 2,
        width=f"{width:.0f}",
        height=CHIP_HEIGHT,
        rx=15,
        class_=f"box {status}",
    )
    yield element("text", element("title", text), shown, x=f"{x + 10:.0f}", y=y + 4)


def _credits(sets: AlignedSets, label: str) -> Markup:
    """Tabulate a set's partner and credit for each metric."""
    rows = [
        element("tr", element("th", METRICS[metric].label, scope="row"), *_cells(aligned))
        for metric, of_metric in sets.items()
        for aligned in of_metric
        if aligned.key == label
    ]
    labels = ("metric", "aligned with", "δ recall", "δ precision", "F1", "next best")
    return table(f"Credit δ of {label}, in per cent", [head(*labels)], rows)


def explain_credit() -> str:
    """State in a sentence how sets earn credit."""
    penalties = " and ".join(metric.label for metric in METRICS.values() if metric.penalty)
    return (
        f"The credit δ is the share of the set that is found (recall), and the share of its "
        f"partner that is correct (precision). In {penalties} δ is the penalty: 100 minus that "
        f"share, or 100 if the two entities share no mention."
    )


def _cells(aligned: AlignedSet) -> Iterator[Markup]:
    yield element("td", aligned.response or "nothing")
    for column in zip(*aligned.delta, strict=True):
        yield _credit([delta for delta in column if delta is not None])
    yield _credit([aligned.f1])
    runner_up = aligned.next_best
    yield element("td", f"{runner_up[0]}, F1 {percent(float(runner_up[1]))}" if runner_up else "")


def _credit(values: Sequence[Fraction]) -> Markup:
    """Show values in per cent, and as fractions on demand."""
    shown = " and ".join(percent(float(value)) for value in values)
    exact = " and ".join(map(fraction, values))
    return element("td", shown, element("small", exact, class_="fr"), class_="n")
