"""Suite report: a heat map of datasets and systems, ranks, and differences."""

from __future__ import annotations

from collections.abc import Iterator

from anascore.metrics.scores import LABELS
from anascore.model.abbreviated import pluralise
from anascore.output import suite as suite_output
from anascore.output.grid import Cell, Grid, percent
from anascore.output.html.charts import MANY
from anascore.output.html.frame import choices, frame
from anascore.output.html.markup import Markup, element, joined
from anascore.output.html.overview import RANKS, shared_rank
from anascore.output.html.tables import (
    Card,
    Standing,
    cards,
    details,
    grid_table,
    matrix,
    section,
    system_head,
)
from anascore.results.suite import SuiteResult, SystemRank


def render_suite_page(suite: SuiteResult) -> str:
    """Build the HTML of a suite's report."""
    grids = {grid.id: grid for grid in suite_output.tables(suite) if grid.heads}
    sections = {
        "overview": ("Overview", _overview(suite, grids)),
        "variants": ("Tables", _tables(suite, grids)),
    }
    title = f"anascore suite: {' · '.join(suite.systems)}"
    return frame(title, sections, choices("Systems", suite.systems, texts=False))


def _overview(suite: SuiteResult, grids: dict[str, Grid]) -> Markup:
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
    signatures = (element("p", element("code", line)) for line in suite_output.signatures(suite))
    return section(
        "overview",
        None,
        element("h1", *_title(suite)),
        compared,
        *_first_screen(suite, grids),
        details(f"Warnings ({len(warnings)})", element("ul", *warnings)) if warnings else None,
        details("Signatures", *signatures),
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
    standing = None
    if suite.comparisons:
        best = suite.ranks[0].system
        to_best = None if rank.system == best else suite.compare(rank.system, best).overall
        standing = Standing(rank.rank, to_best)
    number = suite.systems.index(rank.system)
    name = system_head(number, rank.system, "span")
    return Card(name, f"macro {LABELS[suite.score]}", _macro(suite, rank.system), standing, number)


def _macro(suite: SuiteResult, system: str) -> Cell:
    """Make a cell for a system's macro-average and its confidence interval."""
    value = suite.macro(system)[suite.score].f1
    intervals = suite.intervals.get(suite.primary)
    interval = intervals[system][suite.score].f1 if intervals else None
    return Cell(value, "score", interval=interval)


def _heat_map(suite: SuiteResult, grid: Grid) -> Markup:
    """Shade the scores of all datasets (rows) and systems (columns), best system first."""
    bars = "; bars from 0 to 100" if len(suite.systems) > MANY else ""
    title = f"F1 of {LABELS[suite.score]} in per cent{bars}; the best of each dataset is bold"
    by_dataset = grid.transposed("dataset")
    # Ranks stand before the averages; the cards show them.
    first = [column.key for column in grid.columns].index("macro")
    (_, macro), *rows = by_dataset.rows[first:]
    averages = [
        cell._replace(interval=_macro(suite, rank.system).interval)
        for cell, rank in zip(macro, suite.ranks, strict=True)
    ]
    rows = [("macro-average", averages), *rows]
    return matrix(by_dataset._replace(title=title, rows=rows), suite.systems, main="macro-average")


BESIDE_HEAT_MAP = ("variants", "differences", "tests")
"""Ids of the tables next to the heat map."""


def _first_screen(suite: SuiteResult, grids: dict[str, Grid]) -> Iterator[Markup | None]:
    """Yield ranks and the heat map, and next to it differences, variants and tests."""
    best = cards([_card(suite, rank) for rank in suite.ranks])
    note = element("p", RANKS, class_="note wide") if suite.comparisons else None
    heat_map = _heat_map(suite, grids["datasets"])
    if "differences" in grids:
        grids = {**grids, "differences": grids["differences"].transposed("dataset")}
    tables = {
        name: element("div", grid_table(grids[name], suite.systems))
        for name in BESIDE_HEAT_MAP
        if name in grids
    }
    variants = tables.pop("variants", None)
    if len(suite.systems) > MANY:
        yield element("div", element("div", best), variants, class_="tables fill")
        yield joined(note, heat_map, element("div", *tables.values(), class_="tables"))
    else:
        differences = tables.pop("differences", None)
        others = element("div", variants, *tables.values())
        beside = element("div", differences, others, class_="tables")
        yield joined(best, note, element("div", element("div", heat_map), beside, class_="columns"))


def _tables(suite: SuiteResult, grids: dict[str, Grid]) -> Markup:
    """Show the remaining tables of the text output."""
    on_first_screen = {"datasets", *BESIDE_HEAT_MAP}
    others = (grid for name, grid in grids.items() if name not in on_first_screen)
    parts = (grid_table(grid, suite.systems) for grid in others)
    return section("variants", "Metrics and intervals", element("div", *parts, class_="tables"))
