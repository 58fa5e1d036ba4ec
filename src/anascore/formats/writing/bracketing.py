"""Which brackets stand at which words, for formats that mark mentions by brackets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from anascore.formats.places import Run
from anascore.mention import Unit

T = TypeVar("T")


class Brackets(NamedTuple, Generic[T]):
    """What closes at a word or zero, what opens there, and what does both."""

    closing: list[T]
    """Inner ones first."""

    opening: list[T]
    """Outer ones first."""

    whole: list[T]


def brackets_at(runs: Iterable[tuple[Run, T]]) -> Iterator[tuple[Unit, Brackets[T]]]:
    """Give, in the order of the text, the words and zeros with brackets, and these."""
    found: dict[Unit, Brackets[tuple[Run, T]]] = {}
    for run, what in runs:
        first, last = run
        if first == last:
            found.setdefault(first, Brackets([], [], [])).whole.append((run, what))
        else:
            found.setdefault(first, Brackets([], [], [])).opening.append((run, what))
            found.setdefault(last, Brackets([], [], [])).closing.append((run, what))
    for unit in sorted(found):
        closing, opening, whole = found[unit]
        # What is closed in the reverse order of its opening nests.
        closing.sort(key=lambda item: item[0][0], reverse=True)
        opening.sort(key=lambda item: item[0][1], reverse=True)
        lists = ([what for _, what in items] for items in (closing, opening, whole))
        yield unit, Brackets(*lists)
