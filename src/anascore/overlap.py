"""Two Sides with matched mentions to the tables that every metric reads."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from anascore.assignment import Cell
from anascore.match import Matched
from anascore.model import Entity, Mention
from anascore.ratio import Number
from anascore.side import Side


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

    def cells(self) -> Iterator[tuple[int, int, int, Number]]:
        """Yield i, j, mentions shared and credit, for every cell that is not empty."""
        for (i, j), n in self.shared.items():
            yield i, j, n, self.credits.get((i, j), 0)
        for (i, j), credit in self.credits.items():
            if (i, j) not in self.shared:
                yield i, j, 0, credit


@dataclass(frozen=True, slots=True)
class Overlaps:
    """All that metrics need to know of a document, as seen from the key and from the response."""

    from_key: Overlap
    from_response: Overlap
    key_sets: dict[int, Overlap]
    """The elements of every accommodated set of the key, by its entity, against nothing."""

    response_sets: dict[int, Overlap]
    pairs_of_sets: dict[Cell, tuple[Overlap, Overlap]]
    """The elements of a key set and a response set, from both, where these share a mention."""

    response_first: bool
    """Whether the response is the side that comes first, for ties."""


def overlaps(key: Side, response: Side, matched: Matched, importance: int) -> Overlaps:
    """Make the tables of a document."""
    shared = Counter((key.entity_of[ours], response.entity_of[theirs]) for ours, theirs in matched)
    swapped = {(j, i): n for (i, j), n in shared.items()}
    from_key = overlap(key, response, shared, importance)
    from_response = overlap(response, key, swapped, importance)
    key_sets = {i: e.elements for i, e in enumerate(key.entities) if e.elements}
    response_sets = {j: e.elements for j, e in enumerate(response.entities) if e.elements}
    pairs = {
        (i, j): (
            within(from_key, key_sets[i], response_sets[j]),
            within(from_response, response_sets[j], key_sets[i]),
        )
        for i, j in _pairs_of_sets(key_sets, response_sets, from_key)
    }
    return Overlaps(
        from_key,
        from_response,
        {i: within(from_key, elements, ()) for i, elements in key_sets.items()},
        {j: within(from_response, elements, ()) for j, elements in response_sets.items()},
        pairs,
        response.comes_before(key),
    )


def overlap(own: Side, other: Side, shared: Mapping[Cell, int], importance: int) -> Overlap:
    """Make the table of one direction; the cells are in order, whatever order they come in."""
    return Overlap(
        [_cardinality(entity) for entity in own.entities],
        [importance if entity.elements else 1 for entity in own.entities],
        [_cardinality(entity) for entity in other.entities],
        dict(sorted(shared.items())),
    )


def _cardinality(entity: Entity[Mention]) -> int:
    """Count the mentions of an entity, and its accommodated set as one more."""
    return len(entity.mentions) + bool(entity.elements)


def within(whole: Overlap, own: Collection[int], other: Collection[int]) -> Overlap:
    """Return the part of the table that two accommodated sets make up, as a table of its own.

    own and other are the positions of their elements, which are atomic entities.
    """
    shared = {
        (i, j): whole.shared[a, b]
        for i, a in enumerate(own)
        for j, b in enumerate(other)
        if (a, b) in whole.shared
    }
    sizes = [whole.own[a] for a in own], [whole.other[b] for b in other]
    return Overlap(sizes[0], [1] * len(own), sizes[1], shared)


def _pairs_of_sets(
    own_sets: dict[int, Collection[int]], other_sets: dict[int, Collection[int]], o: Overlap
) -> list[Cell]:
    """Find the sets with elements that share a mention; no metric gives any credit to others."""
    own_by_element, other_by_element = _by_element(own_sets), _by_element(other_sets)
    found = {
        (i, j)
        for a, b in o.shared
        if a in own_by_element and b in other_by_element
        for i in own_by_element[a]
        for j in other_by_element[b]
    }
    return sorted(found)


def _by_element(sets: dict[int, Collection[int]]) -> dict[int, list[int]]:
    by_element = defaultdict(list)
    for entity, elements in sets.items():
        for element in elements:
            by_element[element].append(entity)
    return by_element
