"""Report of a suite: a heat map of datasets and systems, ranks, and differences."""

from __future__ import annotations

from collections.abc import Iterator

from anascore.metrics import LABELS
from anascore.model.short import pluralise
from anascore.output.grids import percent
from anascore.output.html.charts import ChartValue, legend, profile, profile_scale
from anascore.output.html.frame import choices, frame
from anascore.output.html.markup import Markup, element, joined
from anascore.output.html.overview import standing
from anascore.output.html.tables import (
    Card,
    cards,
    folded,
    grid_table,
    heat,
    pointer,
    section,
    system_head,
    table,
)
from anascore.output.suite import suite_grids, suite_signatures
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
    variants = f"ranked by {suite.primary}, one of {pluralise(len(suite.variants), 'variant')}"
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
        cards([_card(suite, rank) for rank in suite.ranks]),
        _heat_map(suite),
        folded(f"Warnings ({len(warnings)})", element("ul", *warnings)) if warnings else None,
        folded("Signatures", *signatures),
    )


def _title(suite: SuiteResult) -> Iterator[Markup]:
    label = f"macro {LABELS[suite.score]}"
    best = [rank.system for rank in suite.ranks if rank.rank == 1]
    value = percent(suite.macro(best[0])[suite.score].f1)
    yield element("bdi", best[0])
    if not suite.systems[1:]:
        yield joined(f": {label} {value}")
    elif len(best) == 1:
        yield joined(f" ranks first: {label} {value}")
    else:
        others = pluralise(len(best) - 1, "other")
        yield joined(f" and {others} share the first rank: {label} {value}")


def _card(suite: SuiteResult, rank: SystemRank) -> Card:
    at = ("macro", suite.primary, rank.system, suite.score, "f1")
    value = percent(suite.macro(rank.system)[suite.score].f1)
    best = suite.ranks[0].system
    remark = None
    if suite.comparisons:
        remark = f"rank {rank.rank}"
        if rank.system != best:
            remark = standing(rank.rank, suite.compare(rank.system, best).overall)
    interval = _interval(suite, rank.system)
    number = _number(suite, rank.system)
    return Card(
        system_head(number, rank.system, "span"),
        f"macro {LABELS[suite.score]}",
        element("strong", value, data_k=pointer(*at)),
        "–".join(map(percent, interval)) if interval else None,
        remark,
        system=number,
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
    columns = (
        element("th", system_head(_number(suite, system), system, "span"), scope="col")
        for system in systems
    )
    heads = element(
        "tr",
        element("th", "dataset", scope="col"),
        *columns,
        element("th", profile_scale(), scope="col"),
    )
    caption = f"F1 of {LABELS[suite.score]} in per cent; the best of each dataset is bold"
    return joined(legend(suite.systems), table(caption, [heads], rows, class_="matrix"))


def _row(suite: SuiteResult, systems: list[str], label: str, dataset: str | None) -> Markup:
    values = {
        system: suite.macro(system)[suite.score].f1
        if dataset is None
        else suite.value(system, dataset)
        for system in systems
    }
    best = max((value for value in values.values() if value is not None), default=None)
    cells = []
    for system, value in values.items():
        shown = element("span", percent(value), data_k=_pointer(suite, system, dataset, value))
        is_best = len(systems) > 1 and value == best is not None
        cells.append(
            element(
                "td",
                element("strong", shown) if is_best else shown,
                class_=f"n {heat(value)}",
                data_s=_number(suite, system),
            )
        )
    chart = profile(
        [ChartValue(values[s], text=f"{s}: {percent(values[s])}") for s in suite.systems],
        f"{label}: F1 from 0 to 100",
    )
    heading = element("th", element("bdi", label), scope="row")
    return element("tr", heading, *cells, element("td", chart, class_="chart"))


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


def _tables(suite: SuiteResult) -> Markup:
    """Return the other tables of the text output."""
    _, *grids = suite_grids(suite)
    shaded = ("Macro-averages",)
    parts = (grid_table(grid, shaded=grid.title.startswith(shaded)) for grid in grids if grid.heads)
    return section("variants", "Variants, metrics and tests", *parts)
