"""Scores by mention class in a report."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from anascore.analysis.report import PageData
from anascore.entities.breakdowns import UNKNOWN, dimension
from anascore.metrics.scores import BY_CLASS, LABELS, values_of
from anascore.output.grid import Cell, Column, Grid, Head, SystemName
from anascore.output.html.charts import MANY, ChartRow, dots, legend
from anascore.output.html.markup import Markup, element
from anascore.output.html.tables import chart_value, details, grid_table, matrix, section
from anascore.output.scores import count_cell, score_cells, score_head, system_heads
from anascore.results.result import ClassResult

CLASS_SCORE = "b3"
"""Score of the charts; B³ suits them because it counts each mention's contribution."""


class DimensionScores(NamedTuple):
    """Scores by class for one dimension."""

    by: str
    label: str
    names: Sequence[str]
    systems: Sequence[Mapping[str, ClassResult]]
    """Each system's results by class."""


def classes(page: PageData) -> Markup | None:
    """Draw the section on scores by class; None if there is no breakdown."""
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
    panels = []
    for one in annotated:
        grid = _grid(page, one)
        drawn = matrix(grid, page.names) if is_many else _dots(grid)
        panels.append(element("div", element("h3", f"By {one.label}"), drawn, class_="panel"))
    tables = [
        grid_table(_all_scores(page, one), page.names, name=f"classes-{number}")
        for number, one in enumerate(annotated)
    ]
    return section(
        "classes",
        "Scores by class",
        element("p", rule),
        None if is_many else legend(page.names),
        element("div", *panels, class_="panels one" if is_many else "panels flow"),
        element("p", f"The files have no annotation for: {missing}.", class_="note")
        if missing
        else None,
        details("Recall, precision and F1 by class", *tables) if tables else None,
    )


def _dimension(page: PageData, by: str) -> DimensionScores:
    systems = [system.result.first.breakdown[by] for system in page.systems]
    names = dimension(by).in_order({name for of in systems for name in of})
    return DimensionScores(by, dimension(by).label, names, systems)


def _grid(page: PageData, of: DimensionScores) -> Grid:
    """Tabulate F1 and its interval by class and system; skip classes that have nothing to show."""
    intervals = [page.class_intervals(n, of.by, CLASS_SCORE) for n in range(len(page.systems))]
    rows = []
    for name in of.names:
        values = score_cells([_f1(results.get(name)) for results in of.systems], compared=True)
        cells = [
            cell._replace(interval=ends.get(name))
            for cell, ends in zip(values, intervals, strict=True)
        ]
        size = max((results[name].key for results in of.systems if name in results), default=0)
        if size or any(cell.value is not None for cell in cells):
            rows.append((name, [*cells, count_cell(size)]))
    title = f"F1 of {LABELS[CLASS_SCORE]} by {of.label}"
    return Grid(of.by, title, [*system_heads(page.names), Head([Column("n")])], rows, "class")


def _f1(result: ClassResult | None) -> float | None:
    score = result.scores[CLASS_SCORE] if result else None
    if score is None or score.recall is None or score.precision is None:
        return None  # F1 is 0 if one of them is undefined, which is no failure
    return score.f1


def _dots(grid: Grid) -> Markup:
    systems = [column.key for column in grid.columns[:-1]]
    rows = [
        ChartRow(name, list(map(chart_value, systems, cells)), size.text())
        for name, (*cells, size) in grid.rows
    ]
    return dots(rows, grid.title)


def _all_scores(page: PageData, of: DimensionScores) -> Grid:
    """Tabulate recall, precision and F1 of all scores by class and system."""
    scores = [name for name in LABELS if name in BY_CLASS]
    rows = [
        (
            name,
            [
                Cell(SystemName(system.name)),
                *map(count_cell, (results[name].key, results[name].response)),
                *(
                    Cell(getattr(results[name].scores[score], value), "score")
                    for score in scores
                    for value in values_of(score)
                ),
            ],
        )
        for name in of.names
        for system, results in zip(page.systems, of.systems, strict=True)
        if name in results
    ]
    heads = [
        Head([Column("system", is_text=True), Column("in the key"), Column("in the response")]),
        *map(score_head, scores),
    ]
    return Grid(of.by, f"Scores by {of.label}, in per cent", heads, rows, "class")
