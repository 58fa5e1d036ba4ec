"""Windows: a document's entities, cut into pieces of a given number of words.

Normalisation and matching consider the whole document. A mention belongs to the window that
contains its first word, and a matched response mention to its partner's window. Entities are cut,
and each piece keeps those elements of its set that have a piece in the same window.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from anascore.entities.side import Side
from anascore.entities.word_numbers import word_numbers
from anascore.metrics.overlap import ComparedSides, overlaps_of
from anascore.model.document import Document, Entity
from anascore.model.mention import Mention, Place
from anascore.settings import Settings

LOST_SETS = "accommodated sets lost, as no window has both a mention and an element"

Pieces: TypeAlias = dict[int, list[int]]
"""Positions of each entity's mentions in one window."""


class Window(NamedTuple):
    """A window of a document."""

    first: int
    """Number of its first word, from 1."""

    sides: ComparedSides


class CutDocument(NamedTuple):
    """The non-empty windows of a document, at least one."""

    windows: list[Window]
    lost_sets: tuple[int, int] = (0, 0)
    """Numbers of accommodated sets in key and response that no window keeps."""


def cut_sides(sides: ComparedSides, document: Document, settings: Settings) -> CutDocument:
    """Cut the entities of key and response; `document` is the key's."""
    number = _window_numbers(document, settings.window)
    # Windows have only entities; the published scorer, which has other elements, has no windows.
    key, response = sides.key.without_nonreferring(), sides.response.without_nonreferring()
    pairs = [(key.mentions[k].place, response.mentions[r].place) for k, r in sides.matched]
    in_key = {mention.place: number(mention) for mention in key.mentions}
    in_response = {mention.place: number(mention) for mention in response.mentions}
    in_response |= {other: in_key[own] for own, other in pairs}
    names = sorted({*in_key.values(), *in_response.values()})
    if len(names) < 2:
        first = names[0] * settings.window if names else 0
        return CutDocument([Window(first + 1, sides)])
    own_pieces = _pieces(key, in_key, settings)
    other_pieces = _pieces(response, in_response, settings)
    pairs_of: dict[int, list[tuple[Place, Place]]] = {name: [] for name in names}
    for pair in pairs:
        pairs_of[in_key[pair[0]]].append(pair)
    candidates: dict[int, dict[Place, tuple[Place, ...]]] = {name: {} for name in names}
    for place, ranked in sides.candidates.items():
        # Anaphors of the key find their candidates by place.
        name = in_key.get(place, in_response.get(place, number(Mention(*place))))
        candidates.setdefault(name, {})[place] = tuple(ranked)
    windows: list[Window] = []
    for name in sorted({*names, *candidates}):
        own = _part(key, own_pieces.get(name, {}), first=not windows)
        other = _part(response, other_pieces.get(name, {}), first=not windows)
        matched = _matched(own, other, pairs_of.get(name, ()))
        overlaps = overlaps_of(own, other, matched, settings.lea_importance)
        window = ComparedSides(own, other, matched, overlaps, candidates.get(name, {}))
        windows.append(Window(name * settings.window + 1, window))
    lost = _lost_sets(key, own_pieces), _lost_sets(response, other_pieces)
    return CutDocument(windows, lost)


def _window_numbers(document: Document, size: int) -> Callable[[Mention], int]:
    """Make a function that numbers a mention's window, from 0.

    A zero belongs to the word after it. Everything after the last word is in the last window.
    """
    words, last = word_numbers(document), max(0, document.number_of_words - 1)
    return lambda mention: min(words(mention.order[0]), last) // size


def _pieces(side: Side, windows: Mapping[Place, int], settings: Settings) -> dict[int, Pieces]:
    """Return each piece's mentions, by window; leave out singletons if settings exclude them."""
    pieces: dict[int, Pieces] = {}
    for position, (mention, entity) in enumerate(zip(side.mentions, side.entity_of, strict=True)):
        in_window = pieces.setdefault(windows[mention.place], {})
        in_window.setdefault(entity, []).append(position)
    least = 1 if settings.singletons else 2
    return {
        window: {entity: own for entity, own in of_window.items() if len(own) >= least}
        for window, of_window in pieces.items()
    }


def _part(side: Side, pieces: Pieces, *, first: bool) -> Side:
    """Turn one window's pieces into a side; only the first window counts as a document."""
    mentions = side.mentions
    order = sorted(pieces, key=lambda entity: mentions[pieces[entity][0]].order)
    position = {entity: number for number, entity in enumerate(order)}
    places = {mentions[number].place for own in pieces.values() for number in own}

    def piece(entity: Entity[Mention], own: Iterable[int]) -> Entity[Mention]:
        return Entity(
            tuple(mentions[number] for number in own),
            tuple(sorted(position[element] for element in entity.elements if element in position)),
            entity.name,
            (),
            entity.relation,
            antecedents=tuple(m for m in entity.antecedents if m.place in places),
        )

    return replace(
        side,
        entities=tuple(piece(side.entities[entity], pieces[entity]) for entity in order),
        file_order=tuple(side.file_order[entity] for entity in order) if side.file_order else (),
        documents=side.documents if first else 0,
        children=(),
        classes={
            name: [values[number] for entity in order for number in pieces[entity]]
            for name, values in side.classes.items()
        },
    )


def _matched(
    key: Side, response: Side, pairs: Iterable[tuple[Place, Place]]
) -> list[tuple[int, int]]:
    """Keep the pairs whose mentions are both left, by their positions in the window."""
    own, other = (
        {side.mentions[position].place: position for position in side.unique_positions}
        for side in (key, response)
    )
    return [(own[k], other[r]) for k, r in pairs if k in own and r in other]


def _lost_sets(side: Side, pieces: Mapping[int, Pieces]) -> int:
    """Count the accommodated sets that have a mention and an element together in no window."""
    sets = {number for number, entity in enumerate(side.entities) if entity.elements}
    kept = {
        number
        for of_window in pieces.values()
        for number in of_window
        if any(element in of_window for element in side.entities[number].elements)
    }
    return len(sets - kept)
