"""Results as grids of cells, which every kind of table is rendered from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from anascore.metrics import LABELS, SPLIT_ONLY, values_of
from anascore.output import ReportOptions
from anascore.prepare.breakdown import dimension
from anascore.results import Difference, Intervals, LayerResult, Result, Scores

FIGURES = {"recall": "R", "precision": "P", "f1": "F1"}


def percent(value: float | None) -> str:
    """Write a score in per cent; a dash if it is undefined."""
    return "-" if value is None else f"{100 * value:.2f}"


def difference(value: float | None) -> str:
    """Write the difference of two scores in points, with its sign."""
    return "-" if value is None else f"{100 * value:+.2f}"


def interval(intervals: Intervals) -> str:
    """Write the interval of F1."""
    low, high = intervals.f1
    return "-" if low is None or high is None else f"{percent(low)}-{percent(high)}"


def chance(value: float | None) -> str:
    """Write a p-value, which is never quite 0."""
    if value is None:
        return "-"
    return f"{value:.3f}" if value >= 0.0005 else "<0.001"


TITLES = {
    "identity": ("All entities", "Accommodated sets only"),
    "discourse-deixis": (
        "Discourse deixis: all entities",
        "Discourse deixis: accommodated sets only",
    ),
}
"""What is written above the scores of layers that have entities: all of these, and sets."""

Systems: TypeAlias = Sequence[tuple[str, LayerResult]]


@dataclass(frozen=True, slots=True)
class ScoreBlock:
    """Rows of scores."""

    title: str
    rows: Sequence[tuple[str, Scores]]
    marked: frozenset[tuple[str, str]] = frozenset()
    """The rows and scores that differ from the first row by more than chance."""

    compares: bool = False
    """Whether the rows are systems, of which one can be best."""

    def groups(self, most: int) -> Iterator[list[str]]:
        """Divide the scores that are there into groups with so many columns at most."""
        group: list[str] = []
        for name in LABELS:
            if not any(name in scores for _, scores in self.rows):
                continue
            if sum(len(values_of(member)) for member in [*group, name]) > most:
                yield group
                group = []
            group.append(name)
        yield group


@dataclass(frozen=True, slots=True)
class CountBlock:
    """Rows of numbers, which are called the same in all of them."""

    head: str
    rows: Sequence[tuple[str, Mapping[str, int]]]


@dataclass(frozen=True, slots=True)
class IntervalBlock:
    """Confidence intervals of F1."""

    title: str
    rows: Sequence[tuple[str, Mapping[str, Intervals]]]


@dataclass(frozen=True, slots=True)
class DifferenceBlock:
    """Differences of F1 to the first system."""

    title: str
    rows: Mapping[str, Difference]


@dataclass(frozen=True, slots=True)
class TextBlock:
    """Lines of text, each of which can be as long as it likes."""

    lines: Sequence[str]


Block: TypeAlias = ScoreBlock | CountBlock | IntervalBlock | DifferenceBlock | TextBlock


def blocks_of(results: Sequence[Result], view: ReportOptions) -> Iterator[Block]:
    """Give all that is shown: scores, counts, uncertainty, warnings; the signature at last."""
    for layer in results[0].layers:
        systems = [(result.name, result.layers[layer]) for result in results]
        yield from _layer(systems, view)
        yield from _uncertainty(systems)
    yield TextBlock([f"warning: {r.name}: {text}" for r in results for text in view.warnings(r)])


def signatures(results: Sequence[Result]) -> list[str]:
    """Return the signature, or those of all systems if their formats differ."""
    found = dict.fromkeys(result.signature for result in results)
    if len(found) == 1:
        return list(found)
    return [f"{result.name}: {result.signature}" for result in results]


def _layer(systems: Systems, view: ReportOptions) -> Iterator[Block]:
    """Show a layer: the scores of all systems, by classes, by documents; how much there is."""
    first = systems[0][1]
    title, sets_title = TITLES.get(first.layer, (first.label, ""))
    if view.split_only and SPLIT_ONLY.isdisjoint(first.reported):
        return
    if not any(layer.annotated for _, layer in systems):
        yield TextBlock([f"{first.label}: nothing is annotated, neither in key nor response."])
        return
    if not view.split_only:
        yield from _scores(title, systems, view)
    sets = [(name, layer.split_only) for name, layer in systems]
    if any(scores for _, scores in sets):
        yield ScoreBlock(sets_title, sets, compares=True)
        for name, layer in systems:
            yield from _classes(f"{sets_title} by relation: {name}", layer.by_relation)
    elif view.split_only:
        what = "there are no accommodated sets, neither in key nor response."
        yield TextBlock([f"{first.label}: {what}"])
    if view.per_document:
        for name, layer in systems:
            yield from _documents(name, layer, view)
    yield CountBlock("", [("key", first.total.key), *((n, s.total.response) for n, s in systems)])
    yield CountBlock("matched", [(name, layer.total.matching) for name, layer in systems])


def _scores(title: str, systems: Systems, view: ReportOptions) -> Iterator[Block]:
    """Show the scores of all entities, their means over documents, and those of classes."""
    marked = frozenset(
        (name, metric)
        for name, layer in systems
        for metric, difference in layer.uncertainty.differences.items()
        if difference.significant
    )
    scores = [(name, found.scores) for name, found in systems]
    yield ScoreBlock(title, scores, marked, compares=True)
    if view.macro:
        means = [(name, found.macro) for name, found in systems]
        yield ScoreBlock(f"{title}: mean over documents (macro)", means, compares=True)
    for name, found in systems:
        yield from _classes(f"{title} by {found.class_name}: {name}", found.classes)
        yield from _breakdown(f"{title} by", name, found)


def _classes(title: str, classes: Mapping[str, Scores]) -> Iterator[Block]:
    if classes:
        yield ScoreBlock(title, list(classes.items()))


def _breakdown(title: str, system: str, layer: LayerResult) -> Iterator[Block]:
    """Show the scores of classes of mentions, and how many mentions are in each."""
    for asked, classes in layer.breakdown.items():
        scores = [(name, found.scores) for name, found in classes.items()]
        yield ScoreBlock(f"{title} {dimension(asked).label}: {system}", scores)
        sizes = (
            (name, {"mentions of the key": found.key, "of the response": found.response})
            for name, found in classes.items()
        )
        yield CountBlock("", list(sizes))


def _documents(system: str, layer: LayerResult, view: ReportOptions) -> Iterator[Block]:
    """Show the scores of each document of a system."""
    title, sets_title = TITLES.get(layer.layer, (layer.label, ""))
    documents = view.in_order(layer)
    if not view.split_only:
        scores = [(name, document.scores) for name, document in documents]
        yield ScoreBlock(f"{title} by document: {system}", scores)
    if sets := [(name, document.split_only) for name, document in documents if document.split_only]:
        yield ScoreBlock(f"{sets_title} by document: {system}", sets)
    if notes := [f"{name}: {note}" for name, document in documents for note in document.notes]:
        yield TextBlock([f"Notes by document: {system}", *notes])


def _uncertainty(systems: Systems) -> Iterator[Block]:
    """Show the intervals of all systems, then the differences of each to the first."""
    intervals = [(name, layer.uncertainty.intervals) for name, layer in systems]
    if rows := [row for row in intervals if row[1]]:
        yield IntervalBlock("95% confidence intervals of F1", rows)
    for name, layer in systems:
        if differences := layer.uncertainty.differences:
            title = f"Differences of F1, {name} to {layer.uncertainty.first}"
            yield DifferenceBlock(title, differences)


MOST = 10
"""How many columns of numbers a table has at most."""


class GridCell(NamedTuple):
    """What stands in one place of a table."""

    text: str
    best: bool = False
    """Whether it is the best value of its column."""

    marked: bool = False
    """Whether it differs from the first row by more than chance."""


class Head(NamedTuple):
    """A heading over some columns, with what each of these is."""

    label: str
    columns: tuple[str, ...]


class Grid(NamedTuple):
    """A table."""

    title: str
    heads: tuple[Head, ...]
    rows: tuple[tuple[str, tuple[GridCell, ...]], ...]


def cells_of(block: Block) -> Iterator[Grid]:
    """Write a block as tables that are not too wide; text has none."""
    match block:
        case ScoreBlock():
            yield from (_group(block, names) for names in block.groups(MOST))
        case CountBlock():
            names = tuple(Head(name.replace("_", " "), ("",)) for name in block.rows[0][1])
            rows = (
                (row, tuple(GridCell(str(n)) for n in found.values())) for row, found in block.rows
            )
            yield Grid(block.head, names, tuple(rows))
        case IntervalBlock():
            names = tuple(Head(LABELS[name], ("",)) for name in block.rows[0][1])
            rows = (
                (row, tuple(GridCell(interval(found)) for found in intervals.values()))
                for row, intervals in block.rows
            )
            yield Grid(block.title, names, tuple(rows))
        case DifferenceBlock():
            yield _differences(block)
        case _:
            return


def _differences(block: DifferenceBlock) -> Grid:
    labels = ("difference", "p", "p (Holm)", "better", "worse", "equal")
    rows = []
    for name, found in block.rows.items():
        counts = (GridCell(str(number)) for number in (found.wins, found.losses, found.ties))
        chances = (GridCell(chance(p)) for p in (found.p, found.corrected))
        first = GridCell(difference(found.difference), marked=found.significant)
        rows.append((LABELS[name], (first, *chances, *counts)))
    return Grid(block.title, tuple(Head(label, ("",)) for label in labels), tuple(rows))


def _group(block: ScoreBlock, names: Sequence[str]) -> Grid:
    heads = tuple(Head(LABELS[name], tuple(FIGURES[f] for f in values_of(name))) for name in names)
    columns = [(name, figure) for name in names for figure in values_of(name)]
    values = [
        [getattr(scores[name], figure) if name in scores else None for name, figure in columns]
        for _, scores in block.rows
    ]
    highest = [
        max((v for v in column if v is not None), default=None)
        for column in zip(*values, strict=True)
    ]
    compares = block.compares and len(block.rows) > 1
    rows = []
    for (row, _), found in zip(block.rows, values, strict=True):
        cells = (
            GridCell(
                percent(value),
                compares and value is not None and value == best,
                figure == "f1" and (row, name) in block.marked,
            )
            for value, best, (name, figure) in zip(found, highest, columns, strict=True)
        )
        rows.append((row, tuple(cells)))
    return Grid(block.title, heads, tuple(rows))
