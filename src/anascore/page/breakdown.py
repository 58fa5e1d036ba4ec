"""Scores by classes of mentions, with charts."""

from __future__ import annotations

from collections.abc import Iterator

from anascore.breakdown import UNKNOWN, dimension
from anascore.layers.breakdown import BROKEN_DOWN
from anascore.metrics import LABELS
from anascore.page.charts import Row, Value, intervals, legend
from anascore.page.gathered import Gathered
from anascore.page.markup import Markup, element
from anascore.page.overview import path
from anascore.page.tables import (
    count,
    folded,
    score_cells,
    score_heads,
    section,
    system_head,
    table,
)
from anascore.report.numbers import percent
from anascore.results import ClassResult


def breakdown(page: Gathered) -> Markup | None:
    """Show the scores of classes, by all that they are broken down by."""
    asked = page.systems[0].result.first.breakdown
    if not asked:
        return None
    rule = (
        "Recall is over the key's mentions in a class, precision over the response's. B³ is what "
        "each mention contributes; anaphors are mentions that are not the first of their entity."
    )
    parts = (part for number, by in enumerate(asked) for part in _dimension(page, by, number))
    return section("breakdown", "Scores by class", element("p", rule), *parts)


def _dimension(page: Gathered, asked: str, number: int) -> Iterator[Markup]:
    systems = [system.result.first.breakdown[asked] for system in page.systems]
    by = dimension(asked)
    names = by.in_order({name for classes in systems for name in classes})
    yield element("h3", f"By {by.label}")
    if names in ([], [UNKNOWN]):
        yield element("p", "Nothing in the files tells these classes.")
        return
    yield legend([system.name for system in page.systems])
    rows = [Row(name, [_value(classes.get(name)) for classes in systems]) for name in names]
    yield intervals(rows, f"F1 of {LABELS['b3']} by {by.label}")
    yield folded("Numbers", _table(page, asked, names, number))


def _value(found: ClassResult | None) -> Value:
    f1 = found.scores["b3"].f1 if found else None
    return Value(f1, text=percent(f1))


def _table(page: Gathered, asked: str, names: list[str], number: int) -> Markup:
    rows = []
    scores = [name for name in LABELS if name in BROKEN_DOWN]
    for name in names:
        for n, system in enumerate(page.systems):
            found = system.result.first.breakdown[asked].get(name)
            if found:
                at = (*path(page, n, system.result.first), "breakdown", asked, name)
                cells = [
                    count(found.key, *at, "mentions", "key"),
                    count(found.response, *at, "mentions", "response"),
                    *score_cells(found.scores, scores, *at, "scores"),
                ]
                head = element("th", element("bdi", name), scope="row")
                rows.append(element("tr", head, system_head(n, system.name), *cells))
    heads = score_heads(scores, "class", "system", "in the key", "in the response")
    caption = f"Scores by {dimension(asked).label}, in per cent"
    return table(caption, heads, rows, f"breakdown-{number}")
