"""Report of a suite: a heat map of datasets and systems, ranks, and differences."""

from __future__ import annotations

from collections.abc import Iterator

from anascore.metrics import LABELS
from anascore.model.short import pluralise
from anascore.output.grids import percent
from anascore.output.html.charts import MANY, ChartValue, level, profile, profile_scale
from anascore.output.html.frame import choices, frame
from anascore.output.html.markup import Markup, element, joined
from anascore.output.html.overview import RANKS, shared_rank
from anascore.output.html.tables import (
    Card,
    Standing,
    cards,
    folded,
    grid_table,
    heat,
    pointer,
    section,
    system_head,
    table,
    transposed,
)
from anascore.output.suite import suite_grids, suite_signatures
from anascore.output.tables import Grid
from anascore.results.suite import SuiteResult, SystemRank


def render_suite_page(suite: SuiteResult) -> str:
    """Return the HTML of the report of a suite."""
    sections = {
        "overview": ("Overview", _overview(suite)),
        "variants": ("Tables", _tables(suite)),
    }
    title = f"anascore suite: {' · '.join(suite.systems)}"
    return frame(title, sections, choices("Systems", suite.systems, texts=False))


def _number(suite: SuiteResult, system: str) -> int:
    return suite.systems.index(system)


def _overview(suite: SuiteResult) -> Markup:
    datasets = pluralise(len(suite.datasets), "dataset")
    several = f" (of {len(suite.variants)})" if len(suite.variants) > 1 else ""
    ranked = "ranked by macro-average, " if suite.systems[1:] else ""
    variants = f"{ranked}variant {suite.primary}{several}"
    compared = element(
        "p",
        f"{datasets} · {pluralise(len(suite.systems), 'system')} · {variants}",
        class_="compared",
    )
    warnings = [element("li", warning) for warning in suite.warnings]
    signatures = (element("p", element("code", line)) for line in suite_signatures(suite))
    return section(
        "overview",
        None,
        element("h1", *_title(suite)),
        compared,
        *_first_screen(suite),
        folded(f"Warnings ({len(warnings)})", element("ul", *warnings)) if warnings else None,
        folded("Signatures", *signatures),
    )


def _title(suite: SuiteResult) -> Iterator[Markup]:
    label = f"macro {LABELS[suite.score]}"
    best = [rank.system for rank in suite.ranks if rank.rank == 1]
    value = percent(suite.macro(best[0])[suite.score].f1)
    if not suite.systems[1:]:
        yield joined(element("bdi", best[0]), f": {label} {value}")
    elif len(best) == 1:
        yield joined(element("bdi", best[0]), f" ranks first: {label} {value}")
    else:
        yield shared_rank({name: suite.macro(name)[suite.score].f1 for name in best}, label)


def _card(suite: SuiteResult, rank: SystemRank) -> Card:
    at = ("macro", suite.primary, rank.system, suite.score, "f1")
    value = percent(suite.macro(rank.system)[suite.score].f1)
    best = suite.ranks[0].system
    standing = None
    if suite.comparisons:
        is_best = rank.system == best
        to_best = None if is_best else suite.compare(rank.system, best).overall
        standing = Standing(rank.rank, to_best)
    interval = _interval(suite, rank.system)
    number = _number(suite, rank.system)
    return Card(
        system_head(number, rank.system, "span"),
        f"macro {LABELS[suite.score]}",
        element("strong", value, data_k=pointer(*at)),
        "–".join(map(percent, interval)) if interval else None,
        standing,
        system=number,
        chart=_chart_value(suite, rank.system, None),
    )


def _interval(suite: SuiteResult, system: str) -> tuple[float, float] | None:
    if not suite.intervals:
        return None
    low, high = suite.intervals[suite.primary][system][suite.score].f1
    return None if low is None or high is None else (low, high)


def _heat_map(suite: SuiteResult) -> Markup:
    """Return the scores of all datasets (rows) and systems (columns), best system first."""
    systems = [rank.system for rank in suite.ranks]
    rows = [_row(suite, systems, "macro-average", None)]
    rows += [_row(suite, systems, dataset, dataset) for dataset in suite.datasets]
    numbers = ((_number(suite, system), system) for system in systems)
    columns = (
        element("th", system_head(n, system, "span"), scope="col", data_s=n)
        for n, system in numbers
    )
    is_many = len(systems) > MANY
    heads = element(
        "tr",
        element("th", "dataset", scope="col"),
        *columns,
        None if is_many else element("th", profile_scale(), scope="col"),
    )
    bars = "; bars from 0 to 100" if is_many else ""
    caption = f"F1 of {LABELS[suite.score]} in per cent{bars}; the best of each dataset is bold"
    return table(caption, [heads], rows, class_="matrix levels" if is_many else "matrix")


def _row(suite: SuiteResult, systems: list[str], label: str, dataset: str | None) -> Markup:
    values = {
        system: suite.macro(system)[suite.score].f1
        if dataset is None
        else suite.value(system, dataset)
        for system in systems
    }
    best = max((value for value in values.values() if value is not None), default=None)
    is_many = len(systems) > MANY
    cells = []
    for system, value in values.items():
        shown = element("span", percent(value), data_k=_pointer(suite, system, dataset, value))
        is_best = len(systems) > 1 and value == best is not None
        cells.append(
            element(
                "td",
                element("strong", shown) if is_best else shown,
                level(_chart_value(suite, system, dataset)) if is_many else None,
                class_="n" if is_many else f"n {heat(value)}",
                data_s=_number(suite, system),
            )
        )
    if not is_many:
        charts = [_chart_value(suite, system, dataset) for system in suite.systems]
        chart = profile(charts, f"{label}: F1 from 0 to 100")
        cells.append(element("td", chart, class_="chart"))
    heading = element("th", element("bdi", label), scope="row")
    return element("tr", heading, *cells, class_="main" if dataset is None else None)


def _chart_value(suite: SuiteResult, system: str, dataset: str | None) -> ChartValue:
    """Return a score on a dataset, or the macro-average with its confidence interval."""
    if dataset is not None:
        value = suite.value(system, dataset)
        return ChartValue(value, text=f"{system}: {percent(value)}")
    value = suite.macro(system)[suite.score].f1
    low, high = _interval(suite, system) or (None, None)
    ends = "" if low is None else f" ({percent(low)}–{percent(high)})"
    return ChartValue(value, low, high, f"{system}: {percent(value)}{ends}")


def _pointer(
    suite: SuiteResult, system: str, dataset: str | None, value: float | None
) -> str | None:
    """Return the place of a score in the JSON output; None if it is undefined for all systems."""
    if dataset is None:
        return pointer("macro", suite.primary, system, suite.score, "f1")
    if value is None:
        return None
    # Runs are ordered by variant, system and dataset, and the primary variant comes first.
    number = _number(suite, system) * len(suite.datasets) + suite.datasets.index(dataset)
    return pointer("runs", number, "scores", suite.score, "f1")


def _first_screen(suite: SuiteResult) -> Iterator[Markup | None]:
    """Yield ranks, the heat map, and beside them differences, variants and tests."""
    best = cards([_card(suite, rank) for rank in suite.ranks])
    note = element("p", RANKS, class_="note wide") if suite.comparisons else None
    by_title = {grid.title.partition(" ")[0]: grid for grid in _grids(suite, first=True)}
    if "Differences" in by_title:
        by_title["Differences"] = transposed(by_title["Differences"], "dataset")
    tables = {
        word: element("div", grid_table(grid, shaded=_is_shaded(grid)))
        for word, grid in by_title.items()
    }
    variants = tables.pop("Macro-averages", None)
    if len(suite.systems) > MANY:
        yield element("div", element("div", best), variants, class_="tables fill")
        yield joined(note, _heat_map(suite), element("div", *tables.values(), class_="tables"))
    else:
        heat_map = element("div", _heat_map(suite))
        differences = tables.pop("Differences", None)
        others = element("div", variants, *tables.values())
        beside = element("div", differences, others, class_="tables")
        yield joined(best, note, element("div", heat_map, beside, class_="columns"))


def _tables(suite: SuiteResult) -> Markup:
    """Return the other tables of the text output."""
    parts = (grid_table(grid, shaded=_is_shaded(grid)) for grid in _grids(suite, first=False))
    return section("variants", "Metrics and intervals", element("div", *parts, class_="tables"))


FIRST_TABLES = ("Differences ", "Macro-averages of ", "Tests ")
"""Beginnings of the titles of tables that stand beside the heat map."""


def _grids(suite: SuiteResult, *, first: bool) -> list[Grid]:
    """Return the tables of the text output without that of datasets, which is the heat map."""
    _, *grids = suite_grids(suite)
    return [grid for grid in grids if grid.heads and grid.title.startswith(FIRST_TABLES) is first]


def _is_shaded(grid: Grid) -> bool:
    return grid.title.startswith("Macro-averages")
