"""Scores of a report by class of mention."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anascore.metrics import BY_CLASS, LABELS
from anascore.output.grids import percent
from anascore.output.html.charts import ChartRow, ChartValue, dots, legend
from anascore.output.html.data import PageData
from anascore.output.html.markup import Markup, element
from anascore.output.html.tables import (
    count,
    folded,
    path,
    score_cells,
    score_heads,
    section,
    system_head,
    table,
)
from anascore.prepare.breakdown import UNKNOWN, dimension
from anascore.results import ClassResult, LayerResult

CLASS_SCORE = "b3"
"""The score of the charts: it counts what each mention contributes."""


def classes(page: PageData) -> Markup | None:
    """Return the section of scores by class, None if there is no breakdown."""
    dimensions = page.systems[0].result.first.breakdown
    if not dimensions:
        return None
    rule = (
        f"F1 of {LABELS[CLASS_SCORE]} in per cent, with 95% confidence intervals; n is the number "
        "of mentions in the key. Recall is over the key's mentions of a class, precision over "
        "those of the response; where one of them is undefined, nothing is drawn."
    )
    panels = (_panel(page, by, number) for number, by in enumerate(dimensions))
    return section(
        "classes",
        "Scores by class",
        element("p", rule),
        legend([system.name for system in page.systems]),
        element("div", *panels, class_="panels"),
    )


def _panel(page: PageData, by: str, number: int) -> Markup:
    return element("div", *_dimension(page, by, number), class_="panel")


def _dimension(page: PageData, by: str, number: int) -> Iterator[Markup]:
    systems = [system.result.first.breakdown[by] for system in page.systems]
    label = dimension(by).label
    names = dimension(by).in_order({name for of in systems for name in of})
    yield element("h3", f"By {label}")
    if names in ([], [UNKNOWN]):
        yield element("p", "The files have no annotation for these classes.")
        return
    intervals = [_intervals(page, system.result.first, by) for system in page.systems]
    rows = [
        ChartRow(
            name,
            [
                _value(system.name, of.get(name), ends.get(name, (None, None)))
                for system, of, ends in zip(page.systems, systems, intervals, strict=True)
            ],
            max((of[name].key for of in systems if name in of), default=0),
        )
        for name in names
    ]
    yield dots(rows, f"F1 of {LABELS[CLASS_SCORE]} by {label}")
    yield folded("Numbers", _table(page, by, names, number))


def _intervals(
    page: PageData, layer: LayerResult, by: str
) -> Mapping[str, tuple[float | None, float | None]]:
    if len(layer.counted) < 2:
        return {}
    from anascore.results.resampling import class_intervals  # noqa: PLC0415  NumPy loads slowly

    how = page.resampling
    return class_intervals(layer, by, CLASS_SCORE, how.samples, how.seed)


def _value(
    system: str, result: ClassResult | None, ends: tuple[float | None, float | None]
) -> ChartValue:
    score = result.scores[CLASS_SCORE] if result else None
    if score is None or score.recall is None or score.precision is None:
        return ChartValue(None)  # F1 is 0 if one of them is undefined, which is no failure
    return ChartValue(score.f1, *ends, text=f"{system}: {percent(score.f1)}")


def _table(page: PageData, by: str, names: list[str], number: int) -> Markup:
    rows = []
    scores = [name for name in LABELS if name in BY_CLASS]
    for name in names:
        for n, system in enumerate(page.systems):
            result = system.result.first.breakdown[by].get(name)
            if result:
                at = (*path(page, n, system.result.first), "breakdown", by, name)
                cells = [
                    count(result.key, *at, "mentions", "key"),
                    count(result.response, *at, "mentions", "response"),
                    *score_cells(result.scores, scores, *at, "scores"),
                ]
                head = element("th", element("bdi", name), scope="row")
                rows.append(element("tr", head, system_head(n, system.name), *cells, data_s=n))
    heads = score_heads(scores, "class", "system", "in the key", "in the response")
    caption = f"Scores by {dimension(by).label}, in per cent"
    return table(caption, heads, rows, f"classes-{number}")
