"""Results as text in columns, 80 characters wide."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap

from anascore.metrics import LABELS, figures
from anascore.report.uncertainty import render_uncertainty
from anascore.report.view import View
from anascore.results import LayerResult, Result, Scores

WIDTH = 80
NUMBER = 7
"""The width of a score in per cent, with the blank before it."""

NAME = WIDTH - 6 * NUMBER
"""The widest name that stands beside its scores: there is room for two metrics then."""

FIGURES = {"recall": "R", "precision": "P", "f1": "F1"}
TITLES = {
    "identity": ("All entities", "Accommodated sets only"),
    "discourse-deixis": (
        "Discourse deixis: all entities",
        "Discourse deixis: accommodated sets only",
    ),
}
"""What is written above the scores of layers that have entities: all of these, and sets."""


def render_table(results: Sequence[Result], view: View) -> str:
    """Show scores in per cent, a row for each system, then counts, warnings and the signature."""
    blocks: list[list[str]] = []
    for layer in results[0].layers:
        blocks += _layer([(result.name, result.layers[layer]) for result in results], view)
        blocks += render_uncertainty([result.name for result in results], layer, view)
    blocks += [_warnings(results, view), _signatures(results)]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _layer(systems: Sequence[tuple[str, LayerResult]], view: View) -> Iterator[list[str]]:
    """Show a layer: the scores of all systems, by classes, by documents; how much there is."""
    first = systems[0][1]
    title, sets_title = TITLES.get(first.layer, (first.label, ""))
    if view.split_only and not sets_title:
        return
    if not any(layer.annotated for _, layer in systems):
        yield [f"{first.label}: nothing is annotated, neither in key nor response."]
        return
    if not view.split_only:
        yield _scores(title, [(name, layer.scores) for name, layer in systems])
        for name, layer in systems:
            yield _classes(f"{title} by {layer.class_name}: {name}", layer.classes)
    sets = [(name, layer.split_only) for name, layer in systems]
    if any(scores for _, scores in sets):
        yield _scores(sets_title, sets)
        for name, layer in systems:
            yield _classes(f"{sets_title} by relation: {name}", layer.by_relation)
    elif view.split_only:
        yield [f"{first.label}: there are no accommodated sets, neither in key nor response."]
    if view.per_document:
        for name, layer in systems:
            yield from _documents(name, layer, view)
    yield _sizes(systems)
    yield _counts("matched", [(name, layer.total.matching) for name, layer in systems])


def _classes(title: str, classes: Mapping[str, Scores]) -> list[str]:
    """Show the scores of classes, if there are any."""
    return _scores(title, list(classes.items())) if classes else []


def _signatures(results: Sequence[Result]) -> list[str]:
    """Show the signature, or those of all systems if their formats differ."""
    signatures = dict.fromkeys(result.signature for result in results)
    if len(signatures) == 1:
        return list(signatures)
    return [f"{result.name}: {result.signature}" for result in results]


def _documents(system: str, layer: LayerResult, view: View) -> Iterator[list[str]]:
    """Show the scores of each document of a system."""
    title, sets_title = TITLES.get(layer.layer, (layer.label, ""))
    documents = layer.documents.items()
    if not view.split_only:
        scores = [(name, document.scores) for name, document in documents]
        yield _scores(f"{title} by document: {system}", scores)
    if sets := [(name, document.split_only) for name, document in documents if document.split_only]:
        yield _scores(f"{sets_title} by document: {system}", sets)
    if notes := [f"{name}: {note}" for name, document in documents for note in document.notes]:
        yield [f"Notes by document: {system}", *(line for n in notes for line in _wrapped(n))]


def _scores(title: str, rows: Sequence[tuple[str, Scores]]) -> list[str]:
    """Show rows of scores, with the metrics below each other that do not fit into one line."""
    width = min(NAME, max(len(row) for row, _ in rows))
    present = [name for name in LABELS if any(name in scores for _, scores in rows)]
    lines = [title]
    for names in _fitting(present, WIDTH - width):
        lines.append((" " * width + "".join(map(_centred, names))).rstrip())
        lines.append(" " * width + "".join(map(_heads, names)))
        for row, scores in rows:
            numbers = "".join(_numbers(name, scores) for name in names)
            lines += _row(row, width, numbers)
        lines.append("")
    return lines[:-1]


def _fitting(names: list[str], width: int) -> Iterator[list[str]]:
    """Divide metrics into groups that fit into a width."""
    group: list[str] = []
    for name in names:
        if sum(len(figures(member)) for member in [*group, name]) * NUMBER > width:
            yield group
            group = []
        group.append(name)
    yield group


def _centred(name: str) -> str:
    return f"{LABELS[name]:^{len(figures(name)) * NUMBER}}"


def _heads(name: str) -> str:
    return "".join(f"{FIGURES[figure]:>{NUMBER}}" for figure in figures(name))


def _numbers(name: str, scores: Scores) -> str:
    values = (getattr(scores[name], f) if name in scores else None for f in figures(name))
    return "".join(f"{'-' if v is None else f'{100 * v:.2f}':>{NUMBER}}" for v in values)


def _sizes(systems: Sequence[tuple[str, LayerResult]]) -> list[str]:
    """Show how much there is in the key and in the responses."""
    rows = [("key", systems[0][1].total.key)]
    return _counts("", [*rows, *((name, layer.total.response) for name, layer in systems)])


def _counts(head: str, rows: Sequence[tuple[str, Mapping[str, int]]]) -> list[str]:
    """Show rows of numbers, which are called the same in all of them."""
    names = [name.replace("_", " ") for name in rows[0][1]]
    widest = max(len(head), *(len(row) for row, _ in rows))
    width = min(WIDTH - sum(len(name) + 2 for name in names), widest)
    lines = [f"{head:{width}}" + "".join(f"  {name}" for name in names)]
    for row, counts in rows:
        numbers = zip(names, counts.values(), strict=True)
        shown = "".join(f"{number:>{len(name) + 2}}" for name, number in numbers)
        lines += _row(row, width, shown)
    return lines


def _row(name: str, width: int, numbers: str) -> list[str]:
    """Set a name beside its numbers, or above them if it is too wide."""
    return [f"{name:{width}}{numbers}"] if len(name) <= width else [name, " " * width + numbers]


def _warnings(results: Sequence[Result], view: View) -> list[str]:
    warnings = (f"warning: {r.name}: {warning}" for r in results for warning in view.warnings(r))
    return [line for warning in warnings for line in _wrapped(warning)]


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
