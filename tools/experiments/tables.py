"""Results as tables of the paper's form, in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from anascore import Result
from anascore.model.ratio import Score


class Scored(NamedTuple):
    """The results of one system, with β = 1 and β = 10."""

    usual: Result
    heavy: Result


Rows: TypeAlias = Mapping[str, Scored]
Column: TypeAlias = tuple[str, Callable[[Scored], float | None]]


def _figure(name: str, figure: str, *, heavy: bool = False) -> Callable[[Scored], float | None]:
    def read(scored: Scored) -> float | None:
        values: Score[float | None] = (scored.heavy if heavy else scored.usual).scores[name]
        return getattr(values, figure)  # type: ignore[no-any-return]

    return read


def _three(label: str, name: str, *, heavy: bool = False) -> list[Column]:
    figures = {"R": "recall", "P": "precision", "F1": "f1"}
    return [(f"{label} {f}", _figure(name, figures[f], heavy=heavy)) for f in figures]


def _sets(label: str, name: str) -> Column:
    def read(scored: Scored) -> float | None:
        return scored.usual.split_only[name].f1 if scored.usual.split_only else None

    return label, read


def _f1(label: str, name: str) -> Column:
    return label, _figure(name, "f1")


CONLL: list[Column] = [
    *_three("MUC", "muc"),
    *_three("B³", "b3"),
    *_three("CEAF-E", "ceafe"),
    _f1("CoNLL", "conll"),
]
OTHERS: list[Column] = [
    *_three("CEAF-M", "ceafm"),
    *_three("BLANC", "blanc"),
    *_three("LEA β=1", "lea"),
    *_three("LEA β=10", "lea", heavy=True),
]
SETS: list[Column] = [
    *(_sets(label, name) for label, name in (("MUC", "muc"), ("B³", "b3"), ("CEAF-E", "ceafe"))),
    *(_sets(label, name) for label, name in (("CEAF-M", "ceafm"), ("BLANC", "blanc"))),
    _sets("LEA", "lea"),
    _sets("CoNLL", "conll"),
]
PROPOSALS: list[Column] = [
    _sets("LEA (sets)", "lea"),
    _sets("LEA 2021 (sets)", "lea-2021"),
    _f1("links", "links"),
    ("complete", _figure("links-complete", "recall")),
    _f1("LEA", "lea"),
    _f1("LEA 2021", "lea-2021"),
    _f1("LEA RuCoCo", "lea-rucoco"),
    _f1("B³", "b3"),
    _f1("Z&C B³", "zhou-choi-b3"),
    _f1("Z&C CEAF-E", "zhou-choi-ceafe"),
    _f1("Z&C BLANC", "zhou-choi-blanc"),
]


def table(runs: Sequence[Rows], columns: Sequence[Column]) -> str:
    """Write one table, in per cent with one decimal; a cell is the range over the seeds."""
    lines = [f"| | {' | '.join(label for label, _ in columns)} |"]
    lines.append("| --- |" + " ---: |" * len(columns))
    for name in runs[0]:
        cells = (_cell([read(rows[name]) for rows in runs]) for _, read in columns)
        lines.append(f"| {name} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _cell(values: Sequence[float | None]) -> str:
    """Write the lowest and the highest value, or one number if they look the same."""
    defined = [value for value in values if value is not None]
    ends = [f"{100 * value:.1f}" for value in (min(defined), max(defined))] if defined else ["-"]
    return "–".join(dict.fromkeys(ends))
