"""Results as text in columns, 80 characters wide."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import astuple
from textwrap import wrap

from anascore.metrics import LABELS, figures
from anascore.report.view import View
from anascore.results import Result, Scores

WIDTH = 80
NUMBER = 7
"""The width of a score in per cent, with the blank before it."""

NAME = WIDTH - 6 * NUMBER
"""The widest name that stands beside its scores: there is room for two metrics then."""

FIGURES = {"recall": "R", "precision": "P", "f1": "F1"}
SIZES = ("documents", "mentions", "entities", "accommodated sets")


def render_table(results: Sequence[Result], view: View) -> str:
    """Show scores in per cent, a row for each system, then counts, warnings and the signature."""
    blocks: list[list[str]] = []
    if not view.split_only:
        blocks.append(_scores("All entities", [(r.name, r.scores) for r in results]))
    sets = [(result.name, result.split_only) for result in results]
    if any(scores for _, scores in sets):
        blocks.append(_scores("Accommodated sets only", sets))
    elif view.split_only:
        blocks.append(["There are no accommodated sets, neither in the key nor in a response."])
    if view.per_document:
        for result in results:
            blocks += _documents(result, view)
    blocks += [_sizes(results), _warnings(results, view), _signatures(results)]
    return "\n\n".join("\n".join(block) for block in blocks if block) + "\n"


def _signatures(results: Sequence[Result]) -> list[str]:
    """Show the signature, or those of all systems if their formats differ."""
    signatures = dict.fromkeys(result.signature for result in results)
    if len(signatures) == 1:
        return list(signatures)
    return [f"{result.name}: {result.signature}" for result in results]


def _documents(result: Result, view: View) -> Iterator[list[str]]:
    """Show the scores of each document of a system."""
    documents = result.documents.items()
    if not view.split_only:
        scores = [(name, document.scores) for name, document in documents]
        yield _scores(f"All entities by document: {result.name}", scores)
    if sets := [(name, document.split_only) for name, document in documents if document.split_only]:
        yield _scores(f"Accommodated sets only by document: {result.name}", sets)
    if notes := [f"{name}: {note}" for name, document in documents for note in document.notes]:
        yield [f"Notes by document: {result.name}", *(line for n in notes for line in _wrapped(n))]


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


def _sizes(results: Sequence[Result]) -> list[str]:
    """Show how much there is in the key and in the responses."""
    rows = [("key", results[0].total.key)]
    rows += [(result.name, result.total.response) for result in results]
    width = min(WIDTH - sum(len(name) + 2 for name in SIZES), max(len(row) for row, _ in rows))
    lines = [" " * width + "".join(f"  {name}" for name in SIZES)]
    for row, size in rows:
        counts = zip(SIZES, astuple(size), strict=True)
        numbers = "".join(f"{number:>{len(name) + 2}}" for name, number in counts)
        lines += _row(row, width, numbers)
    return lines


def _row(name: str, width: int, numbers: str) -> list[str]:
    """Set a name beside its numbers, or above them if it is too wide."""
    return [f"{name:{width}}{numbers}"] if len(name) <= width else [name, " " * width + numbers]


def _warnings(results: Sequence[Result], view: View) -> list[str]:
    warnings = (f"warning: {r.name}: {warning}" for r in results for warning in view.warnings(r))
    return [line for warning in warnings for line in _wrapped(warning)]


def _wrapped(text: str) -> list[str]:
    return wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
