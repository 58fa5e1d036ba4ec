"""Overlap: what the entities of two sides share. All that metrics read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from anascore.assignment import Cell
from anascore.matching.methods import Matched
from anascore.model.document import Entity, RelationName
from anascore.model.mention import Mention
from anascore.model.ratio import Number, Ratio
from anascore.prepare.side import Side


@dataclass(frozen=True, slots=True)
class Overlap:
    """What own entities have in common with the entities of the other side.

    In the letters of the paper, for recall: own[i] is |K_i|, importance[i] is β_i, other[j] is
    |R_j|, shared[i, j] is n_ij, the number of regular mentions in K_i and R_j, and credits[i, j] is
    what R_j's accommodated set earns when it is aligned with K_i's. For precision swap the sides.
    """

    own: Sequence[int]
    importance: Sequence[int]
    other: Sequence[int]
    shared: Mapping[Cell, int]
    credits: Mapping[Cell, Number] = field(default_factory=dict)

    def cells(self) -> list[tuple[int, int, int, Number]]:
        """Return i, j, mentions shared and credit, for every cell that is not empty."""
        if not self.credits:
            return [(i, j, n, 0) for (i, j), n in self.shared.items()]
        found = [(*cell, n, self.credits.get(cell, 0)) for cell, n in self.shared.items()]
        alone = (cell for cell in self.credits if cell not in self.shared)
        return found + [(*cell, 0, self.credits[cell]) for cell in alone]


@dataclass(frozen=True, slots=True)
class Tables:
    """All that metrics need to know of a document, as seen from the key and from the response."""

    from_key: Overlap
    from_response: Overlap
    key_sets: dict[int, Overlap]
    """The elements of every accommodated set of the key, by its entity, against nothing."""

    response_sets: dict[int, Overlap]
    key_relations: dict[int, RelationName]
    """How the accommodated objects of the key are made of their elements, by their entities."""

    response_relations: dict[int, RelationName]
    pairs_of_sets: dict[Cell, tuple[Overlap, Overlap]]
    """The elements of a key set and a response set, from both, where these share a mention."""

    response_first: bool
    """Whether the response is the side that comes first, where that decides."""

    @property
    def relations(self) -> list[RelationName]:
        """The relations that there are, on either side."""
        return sorted({*self.key_relations.values(), *self.response_relations.values()})


def tables_of(key: Side, response: Side, matched: Matched, importance: int) -> Tables:
    """Count the mentions that entities share, and those that elements of their sets share."""
    of_key, of_response = key.entity_of, response.entity_of
    shared = Counter((of_key[k], of_response[r]) for k, r in matched)
    sizes = [_cardinality(entity) for entity in key.entities]
    other_sizes = [_cardinality(entity) for entity in response.entities]
    from_key = Overlap(sizes, _importance(key, importance), other_sizes, _in_order(shared))
    from_response = Overlap(
        other_sizes, _importance(response, importance), sizes, _in_order(_swapped(shared))
    )
    key_sets, response_sets = _sets(key), _sets(response)
    pairs = {}
    for (i, j), common in _pairs_of_sets(key, response, from_key.shared).items():
        k, r = key_sets[i], response_sets[j]
        pairs[i, j] = (
            Overlap(k.own, k.importance, r.own, common),
            Overlap(r.own, r.importance, k.own, _swapped(common)),
        )
    first = response.precedes(key)
    return Tables(
        from_key=from_key,
        from_response=from_response,
        key_sets=key_sets,
        response_sets=response_sets,
        key_relations={i: key.entities[i].relation for i in key_sets},
        response_relations={j: response.entities[j].relation for j in response_sets},
        pairs_of_sets=pairs,
        response_first=first,
    )


def _importance(side: Side, importance: int) -> list[int]:
    """Return how much the entities of a side weigh, those with accommodated sets being named."""
    return [importance if entity.elements else 1 for entity in side.entities]


def _in_order(shared: Mapping[Cell, int]) -> dict[Cell, int]:
    """Put cells in order, so that a table is the same whether its own side is key or response.

    A metric that meets near-ties then does the same in both cases.
    """
    return dict(sorted(shared.items()))


def _cardinality(entity: Entity[Mention]) -> int:
    """Count the mentions of an entity, and its accommodated set as one more."""
    return len(entity.mentions) + bool(entity.elements)


def _swapped(shared: Mapping[Cell, int]) -> dict[Cell, int]:
    return {(j, i): n for (i, j), n in shared.items()}


def _sets(side: Side) -> dict[int, Overlap]:
    """Make a table of the elements of each accommodated set against nothing.

    They count with their mentions alone; what a result was made from is not part of it there.
    """
    sizes = [len(entity.mentions) for entity in side.entities]
    return {
        i: Overlap([sizes[e] for e in entity.elements], [1] * len(entity.elements), (), {})
        for i, entity in enumerate(side.entities)
        if entity.elements
    }


def _pairs_of_sets(
    key: Side, response: Side, shared: Mapping[Cell, int]
) -> dict[Cell, dict[Cell, int]]:
    """Return what the elements of two sets share, for sets that a metric can give any credit.

    Elements are numbered within their sets.
    """
    in_key, in_response = _places_as_element(key), _places_as_element(response)
    pairs: dict[Cell, dict[Cell, int]] = defaultdict(dict)
    for (a, b), n in shared.items():
        if a in in_key and b in in_response:
            for i, k in in_key[a]:
                for j, r in in_response[b]:
                    if key.entities[i].relation == response.entities[j].relation:
                        pairs[i, j][k, r] = n
    return {cell: dict(sorted(pairs[cell].items())) for cell in sorted(pairs)}


def _places_as_element(side: Side) -> dict[int, list[tuple[int, int]]]:
    """Return for each element the entities whose sets it is in, and its number there."""
    places = defaultdict(list)
    for i, entity in enumerate(side.entities):
        for number, element in enumerate(entity.elements):
            places[element].append((i, number))
    return places


@dataclass(frozen=True, slots=True)
class Comparison:
    """Key and response of one document, with matched mentions and the tables of all metrics."""

    key: Side
    response: Side
    matched: Matched
    tables: Tables


Count: TypeAlias = Callable[[Overlap], Ratio]
