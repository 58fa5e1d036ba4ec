"""Scores of a report by class of mention."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from anascore.metrics import BY_CLASS, LABELS
from anascore.output.grids import percent
from anascore.output.html.charts import MANY, ChartRow, ChartValue, dots, legend
from anascore.output.html.data import PageData
from anascore.output.html.markup import Markup, element
from anascore.output.html.tables import (
    count,
    folded,
    level_cell,
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


class DimensionScores(NamedTuple):
    """Scores of the classes of one dimension."""

    by: str
    label: str
    names: Sequence[str]
    systems: Sequence[Mapping[str, ClassResult]]
    """Results by class, for each system."""


def classes(page: PageData) -> Markup | None:
    """Return the section of scores by class, None if there is no breakdown."""
    dimensions = [_dimension(page, by) for by in page.systems[0].result.first.breakdown]
    if not dimensions:
        return None
    annotated = [one for one in dimensions if one.names not in ([], [UNKNOWN])]
    missing = ", ".join(one.label for one in dimensions if one not in annotated)
    rule = (
        f"F1 of {LABELS[CLASS_SCORE]} in per cent, with 95% confidence intervals; n is the number "
        "of mentions in the key. Recall is over the key's mentions of a class, precision over "
        "those of the response; where one of them is undefined, nothing is drawn."
    )
    is_many = len(page.systems) > MANY
    if is_many:
        rule += " Bars are from 0 to 100; the best of each class is bold."
    draw = _levels if is_many else _dots
    panels = [
        element("div", element("h3", f"By {one.label}"), draw(page, one), class_="panel")
        for one in annotated
    ]
    tables = [_table(page, one, number) for number, one in enumerate(annotated)]
    return section(
        "classes",
        "Scores by class",
        element("p", rule),
        None if is_many else legend([system.name for system in page.systems]),
        element("div", *panels, class_="panels one" if is_many else "panels flow"),
        element("p", f"The files have no annotation for: {missing}.", class_="note")
        if missing
        else None,
        folded("Recall, precision and F1 by class", *tables) if tables else None,
    )


def _dimension(page: PageData, by: str) -> DimensionScores:
    systems = [system.result.first.breakdown[by] for system in page.systems]
    names = dimension(by).in_order({name for of in systems for name in of})
    return DimensionScores(by, dimension(by).label, names, systems)


def _rows(page: PageData, of: DimensionScores) -> Iterator[ChartRow]:
    """Yield the rows of a chart; a class without mentions and scores has none."""
    intervals = [_intervals(page, system.result.first, of.by) for system in page.systems]
    for name in of.names:
        values = [
            _value(system.name, results.get(name), ends.get(name, (None, None)))
            for system, results, ends in zip(page.systems, of.systems, intervals, strict=True)
        ]
        size = max((results[name].key for results in of.systems if name in results), default=0)
        if size or any(value.value is not None for value in values):
            yield ChartRow(name, values, size)


def _dots(page: PageData, of: DimensionScores) -> Markup:
    """Draw a chart in which each system is a mark."""
    return dots(list(_rows(page, of)), f"F1 of {LABELS[CLASS_SCORE]} by {of.label}")


def _levels(page: PageData, of: DimensionScores) -> Markup:
    """Return a table in which each system is a column of bars from 0 to 100."""
    rows = []
    for row in _rows(page, of):
        values = [value.value for value in row.values]
        best = max((value for value in values if value is not None), default=None)
        cells = (
            level_cell(
                value.value,
                value,
                *(
                    *path(page, n, page.systems[n].result.first),
                    *("breakdown", of.by, row.label, "scores", CLASS_SCORE, "f1"),
                )
                if value.value is not None
                else (),
                system=n,
                is_best=value.value == best is not None,
            )
            for n, value in enumerate(row.values)
        )
        heading = element("th", element("bdi", row.label), scope="row")
        rows.append(element("tr", heading, *cells, element("td", f"{row.size:,}", class_="n size")))
    systems = (
        element("th", system_head(n, system.name, "span"), scope="col", data_s=n)
        for n, system in enumerate(page.systems)
    )
    heads = element(
        "tr",
        element("th", "class", scope="col"),
        *systems,
        element("th", "n", scope="col", class_="size"),
    )
    caption = f"F1 of {LABELS[CLASS_SCORE]} by {of.label}"
    return table(caption, [heads], rows, class_="matrix levels")


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
    low, high = ends
    interval = "" if low is None or high is None else f" ({percent(low)}–{percent(high)})"
    return ChartValue(score.f1, low, high, f"{system}: {percent(score.f1)}{interval}")


def _table(page: PageData, of: DimensionScores, number: int) -> Markup:
    rows = []
    scores = [name for name in LABELS if name in BY_CLASS]
    for name in of.names:
        for n, system in enumerate(page.systems):
            result = of.systems[n].get(name)
            if result:
                at = (*path(page, n, system.result.first), "breakdown", of.by, name)
                cells = [
                    count(result.key, *at, "mentions", "key"),
                    count(result.response, *at, "mentions", "response"),
                    *score_cells(result.scores, scores, *at, "scores"),
                ]
                head = element("th", element("bdi", name), scope="row")
                rows.append(element("tr", head, system_head(n, system.name), *cells, data_s=n))
    heads = score_heads(scores, "class", "system", "in the key", "in the response", texts=2)
    return table(f"Scores by {of.label}, in per cent", heads, rows, f"classes-{number}")
