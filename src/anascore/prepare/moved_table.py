"""Columns of a response whose words differ from the key's, written for the words of the key."""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise, takewhile
from typing import NamedTuple

from anascore.formats.conllu import NO_VALUE, Cells
from anascore.model.document import Document, Table
from anascore.model.mention import Span, Unit, Zero
from anascore.prepare.side import zero_dependencies

LEFT_OUT = ("PARSE", "HEAD")
"""Columns that are left out: they describe the words of a sentence together."""


class _Place(NamedTuple):
    """Sentence of a word or zero, and its ID there."""

    sentence: int
    id: str


def moved_table(
    key: Document,
    response: Document,
    move: Callable[[Span], Span | None],
    zeros: Mapping[Zero, Zero],
) -> tuple[Table | None, int]:
    """Return the columns of a response for the words of the key, in the sentences of the key.

    A word has the values of the first word of the response that is moved to it. Zeros keep theirs,
    with their dependencies moved as well.

    Returns:
        The table, None if there is none, and the number of dependencies without a counterpart.

    """
    table = response.table
    if table is None or key.in_characters:
        return None, 0
    names = [name for name in dict.fromkeys(table.columns) if name not in LEFT_OUT]
    cells = table.cached(Cells)
    cells.load(names)
    values = {name: cells.column(name) for name in names}
    sentences = [0, *(start for start in key.sentences if start > 0), len(key.words)]
    rows = {unit: row for row, unit in enumerate(cells.units())}
    places = dict(_places(cells, rows, sentences, zeros))
    dependencies, lost = _moved_dependencies(response, places, sentences, move)
    first: dict[int, int] = {}
    for word in range(len(response.words)):
        for moved in range(*(move((word, word + 1)) or (0, 0))):
            first.setdefault(moved, word)
    at: dict[tuple[int, int], list[Zero]] = defaultdict(list)
    for zero, place in places.items():
        at[place.sentence, zeros[zero][0] - sentences[place.sentence]].append(zero)

    def line(values_of: Mapping[str, str]) -> str:
        return "\t".join(values_of.get(name) or NO_VALUE for name in names)

    def zero_lines(sentence: int, before: int) -> Iterator[str]:
        for zero in at[sentence, before]:
            own = {name: values[name][rows[zero]] for name in names}
            yield line({**own, "ID": places[zero].id, "DEPS": dependencies[zero]})

    lines: list[str] = []
    for sentence, (start, end) in enumerate(pairwise(sentences)):
        lines += zero_lines(sentence, 0)
        for number, word in enumerate(range(start, end), 1):
            row = rows[first[word] + 1, 0] if word in first else None
            own = {} if row is None else {name: values[name][row] for name in names}
            lines.append(line({**own, "ID": str(number), "FORM": NO_VALUE, "DEPS": NO_VALUE}))
            lines += zero_lines(sentence, number)
        lines.append("")
    return Table(tuple(names), "\t", "\n".join(lines).encode()), lost


def _places(
    cells: Cells, rows: Mapping[Unit, int], sentences: list[int], zeros: Mapping[Zero, Zero]
) -> Iterator[tuple[Zero, _Place]]:
    """Yield the place of each zero.

    Between two sentences it is in the second one if it began its sentence in the response.
    """
    beginning = set(_first_rows(cells, len(rows)))
    before = _Place(0, "")
    rank = 0
    for zero, (words, _) in zeros.items():
        sentence = min(bisect_right(sentences, words), len(sentences) - 1) - 1
        if words == sentences[sentence] and rows[zero] not in beginning:
            # Zeros stay in order: none goes back behind one that began its sentence.
            sentence = max(before.sentence, sentence - 1)
        number = words - sentences[sentence]
        same = (before.sentence, before.id.partition(".")[0]) == (sentence, str(number))
        rank = rank + 1 if same else 1
        before = _Place(sentence, f"{number}.{rank}")
        yield zero, before


def _first_rows(cells: Cells, size: int) -> Iterator[int]:
    """Yield the rows of zeros before the first word of their sentence."""
    for start, end in pairwise([*cells.sentences, size]):
        yield from takewhile(cells.zeros.__contains__, range(start, end))


def _moved_dependencies(
    response: Document,
    places: Mapping[Zero, _Place],
    sentences: list[int],
    move: Callable[[Span], Span | None],
) -> tuple[dict[Zero, str], int]:
    """Return the cell DEPS of each zero; and the number of parents that are not in its sentence."""
    dependencies = zero_dependencies(response)
    moved: dict[Zero, str] = {}
    lost = 0

    def parent_in(sentence: int, parent: Unit | None) -> str | None:
        if parent is None:
            return "0"
        if parent[1]:
            place = places[parent]
            return place.id if place.sentence == sentence else None
        span = move((parent[0] - 1, parent[0]))
        start, end = sentences[sentence], sentences[sentence + 1]
        return str(span[0] - start + 1) if span and start <= span[0] < end else None

    for zero, place in places.items():
        links = sorted(dependencies[zero].links, key=str) if zero in dependencies else []
        parents = [(parent_in(place.sentence, parent), relation) for parent, relation in links]
        kept = [f"{parent}:{relation}" for parent, relation in parents if parent is not None]
        lost += len(parents) - len(kept)
        moved[zero] = "|".join(kept) or NO_VALUE
    return moved, lost
