"""Overlap: the mentions and credits that two sides' entities share. Metrics read nothing else."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, product, repeat
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, TypeVar

from anascore.assignment import Cell, transposed
from anascore.entities.side import Side
from anascore.matching import Matched
from anascore.model.document import RelationName
from anascore.model.mention import Place
from anascore.model.ratio import Number, Ratio

if TYPE_CHECKING:
    from anascore.metrics.metric import ComponentCounts

T = TypeVar("T", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Overlap:
    """Sizes of own and other entities, with the mentions and credits they share.

    In the notation of the paper, for recall: `own[i]` is `|K_i|`, `importance[i]` is `β_i`,
    `other[j]` is `|R_j|`, `shared[i, j]` is `n_ij`, the number of regular mentions in both `K_i`
    and `R_j`, and `credits[i, j]` is the credit of the accommodated set of `R_j` if it is aligned
    with that of `K_i`. For precision, the sides are swapped.
    """

    own: Sequence[int]
    importance: Sequence[int]
    other: Sequence[int]
    shared: Mapping[Cell, int]
    credits: Mapping[Cell, Number] = field(default_factory=dict)

    def cells(self) -> Iterable[tuple[Cell, int, Number]]:
        """Yield every non-empty cell (i, j), with the mentions shared and the credit."""
        if not self.credits:
            return zip(self.shared.keys(), self.shared.values(), repeat(0), strict=False)
        cells = [(cell, n, self.credits.get(cell, 0)) for cell, n in self.shared.items()]
        credit_only = (cell for cell in self.credits if cell not in self.shared)
        return cells + [(cell, 0, self.credits[cell]) for cell in credit_only]


PairsOfSets: TypeAlias = Mapping[Cell, tuple[Overlap, Overlap]]
"""Overlaps of two accommodated sets' elements, from both sides, by key and response set."""


@dataclass(frozen=True, slots=True)
class Overlaps:
    """A document's overlaps, seen from the key and from the response."""

    from_key: Overlap
    from_response: Overlap
    key_sets: Mapping[int, Overlap]
    """Element sizes of each accommodated set of the key."""

    response_sets: Mapping[int, Overlap]
    key_relations: Mapping[int, RelationName]
    """How the key's accommodated objects relate to their elements, by entity."""

    response_relations: Mapping[int, RelationName]
    pairs_of_sets: PairsOfSets
    """Elements of a key set and a response set that share a mention, from both sides."""

    response_first: bool
    """True if the response comes first in document order, which decides ties."""

    by_membership: Overlaps | None = None
    """Overlaps that count every mention in all its entities, for metrics that compare entities
    as sets. None if no mention belongs to two entities."""

    compared: dict[tuple[str, bool], Sequence[ComponentCounts]] = field(
        init=False, default_factory=dict, repr=False, compare=False
    )
    """Counts made by `score_components`, by metric."""

    @property
    def relations(self) -> list[RelationName]:
        """The relations that occur on either side."""
        return sorted({*self.key_relations.values(), *self.response_relations.values()})


class SharedMentions(NamedTuple):
    """Numbers of mentions shared by entities, and by the elements of their sets."""

    from_key: Mapping[Cell, int]
    """By key and response entity."""

    from_response: Mapping[Cell, int]
    """By response and key entity."""

    sets_from_key: Mapping[Cell, Mapping[Cell, int]]
    """By key and response set, each with its elements. Elements are numbered within their sets."""

    sets_from_response: Mapping[Cell, Mapping[Cell, int]]
    """By response and key set, each with its elements, the response's first."""


def overlaps_of(key: Side, response: Side, matched: Matched, importance: int) -> Overlaps:
    """Count the mentions shared by entities, and by the elements of their sets."""
    if key.repeated or response.repeated:
        return _overlaps_with_repeated(key, response, matched, importance)
    key_entity, response_entity = key.entity_of, response.entity_of
    own = map(key_entity.__getitem__, [k for k, _ in matched])
    other = map(response_entity.__getitem__, [r for _, r in matched])
    shared = common = Counter(zip(own, other, strict=True))
    if key.nonreferring or response.nonreferring:
        pairs = _matches_of_nonreferring(key, response)
        common = shared | Counter(chain.from_iterable(product(*pair) for pair in pairs))
    sets = _shared_by_sets(key, response, common)
    counts = SharedMentions(
        shared, transposed(shared), sets, {pair: transposed(cells) for pair, cells in sets.items()}
    )
    return _overlaps(key, response, counts, importance)


def plain_overlaps(
    own: Overlap,
    other: Sequence[int],
    back: Mapping[Cell, int],
    key_sets: Mapping[int, Overlap] = MappingProxyType({}),
    key_relations: Mapping[int, RelationName] = MappingProxyType({}),
) -> Overlaps:
    """Complete the overlaps of a key with a response that has no accommodated sets.

    `own` contains the sizes of the key's entities, `other` those of the response's, and `back` the
    mentions shared, seen from the response.
    """
    return Overlaps(
        from_key=Overlap(own.own, own.importance, other, transposed(back)),
        from_response=Overlap(other, [1] * len(other), own.own, back),
        key_sets=key_sets,
        response_sets={},
        key_relations=key_relations,
        response_relations={},
        pairs_of_sets={},
        response_first=False,
    )


NOWHERE = repeat(-1)
"""Replaces the key's entity for mentions that the key lacks."""


def shared_from_response(owner: Mapping[T, int], other: Iterable[Collection[T]]) -> dict[Cell, int]:
    """Count the mentions that response entities share with key entities.

    `owner` maps each mention to its key entity.
    """
    back: dict[Cell, int] = {}
    for j, mentions in enumerate(other):
        in_common: dict[int, int] = {}
        for i in map(owner.get, mentions, NOWHERE):
            in_common[i] = in_common.get(i, 0) + 1
        in_common.pop(-1, None)
        for i, n in in_common.items():
            back[j, i] = n
    return back


def _overlaps_with_repeated(
    key: Side, response: Side, matched: Matched, importance: int
) -> Overlaps:
    """Count shared mentions if a mention can belong to several entities."""
    there, back, shared = _count_copies(key, response, matched)
    by_counterpart, by_membership = _count_copies_in_sets(
        key, response, matched, (there, back, shared)
    )
    overlaps = _overlaps(key, response, by_counterpart, importance)
    return replace(overlaps, by_membership=_overlaps(key, response, by_membership, importance))


def _matches_of_nonreferring(
    key: Side, response: Side
) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Yield the elements of both sides that contain the same mention, if one is non-referring.

    Elements that contain a mention are in file order.
    """
    own, other = (_elements_by_place(side) for side in (key, response))
    for place in own:
        if place in other and (
            own[place][0] >= len(key.entities) or other[place][0] >= len(response.entities)
        ):
            yield own[place], other[place]


def _elements_by_place(side: Side) -> dict[Place, list[int]]:
    """List the possible elements that have a mention at each place, in file order."""
    numbers: dict[Place, list[int]] = {}
    for number, entity in enumerate(side.possible_elements):
        for mention in entity.mentions:
            numbers.setdefault(mention.place, []).append(number)
    if side.file_order:
        for copies in numbers.values():
            if len(copies) > 1:
                copies.sort(key=side.file_order.__getitem__)
    return numbers


def _overlaps(key: Side, response: Side, counts: SharedMentions, importance: int) -> Overlaps:
    """Build the overlaps of entities, and of the elements of sets."""
    # An accommodated set counts as one more mention.
    sizes, other_sizes = (
        [len(entity.mentions) + bool(entity.elements) for entity in side.entities]
        for side in (key, response)
    )
    importances, other_importances = (
        [importance if entity.elements else 1 for entity in side.entities]
        for side in (key, response)
    )
    key_sets, response_sets = _sets(key), _sets(response)
    pairs = {}
    for (i, j), common in counts.sets_from_key.items():
        k, r = key_sets[i], response_sets[j]
        pairs[i, j] = (
            Overlap(k.own, k.importance, r.own, common),
            Overlap(r.own, r.importance, k.own, counts.sets_from_response[i, j]),
        )
    return Overlaps(
        from_key=Overlap(sizes, importances, other_sizes, _in_order(counts.from_key)),
        from_response=Overlap(
            other_sizes, other_importances, sizes, _in_order(counts.from_response)
        ),
        key_sets=key_sets,
        response_sets=response_sets,
        key_relations={i: key.entities[i].relation for i in key_sets},
        response_relations={j: response.entities[j].relation for j in response_sets},
        pairs_of_sets=pairs,
        response_first=response.precedes(key),
    )


def _count_copies(
    key: Side, response: Side, matched: Matched
) -> tuple[Counter[Cell], Counter[Cell], Counter[Cell]]:
    """Count shared mentions where a mention can be in several entities.

    A mention's counterpart belongs to the last entity of the other side, in file order, that
    contains it. By membership, all pairs of entities that contain a mention share it. Returns the
    counts by counterpart from the key's and from the response's side, and those by membership.
    """
    there, back, shared = (Counter[Cell]() for _ in range(3))
    for own, other in _entities_of_copies(key, response, matched):
        there.update((i, other[-1]) for i in own)
        back.update((j, own[-1]) for j in other)
        shared.update(product(own, other))
    return there, back, shared


def _count_copies_in_sets(
    key: Side,
    response: Side,
    matched: Matched,
    counted: tuple[Counter[Cell], Counter[Cell], Counter[Cell]],
) -> tuple[SharedMentions, SharedMentions]:
    """Add the mentions shared by elements of sets, by counterpart and by membership.

    Within a pair of accommodated sets, a mention's counterpart belongs to the other set's last
    element that contains it.
    """
    in_sets: defaultdict[Cell, tuple[Counter[Cell], ...]] = defaultdict(
        lambda: (Counter(), Counter(), Counter())
    )
    in_key, in_response = _memberships(key), _memberships(response)
    hidden = key.nonreferring or response.nonreferring
    for own, other in chain(
        _entities_of_copies(key, response, matched),
        _matches_of_nonreferring(key, response) if hidden else (),
    ):
        own_elements, other_elements = _elements(own, in_key), _elements(other, in_response)
        for (i, own_numbers), (j, other_numbers) in product(own_elements, other_elements):
            if key.entities[i].relation == response.entities[j].relation:
                set_there, set_back, set_shared = in_sets[i, j]
                set_there.update((number, other_numbers[-1]) for number in own_numbers)
                set_back.update((number, own_numbers[-1]) for number in other_numbers)
                set_shared.update(product(own_numbers, other_numbers))
    pairs = sorted(in_sets)
    sets_there, sets_back, sets_shared = (
        {pair: _in_order(in_sets[pair][table]) for pair in pairs} for table in range(3)
    )
    back_again = {pair: transposed(cells) for pair, cells in sets_shared.items()}
    there, back, shared = counted
    return (
        SharedMentions(there, back, sets_there, sets_back),
        SharedMentions(shared, transposed(shared), sets_shared, back_again),
    )


def _entities_of_copies(
    key: Side, response: Side, matched: Matched
) -> Iterator[tuple[Sequence[int], Sequence[int]]]:
    """Yield the entities that contain each matched mention, on both sides, in file order."""
    for k, r in matched:
        yield (
            [key.entity_of[copy] for copy in key.repeated.get(k, (k,))],
            [response.entity_of[copy] for copy in response.repeated.get(r, (r,))],
        )


def _elements(
    entities: Sequence[int], memberships: Mapping[int, Sequence[tuple[int, int]]]
) -> list[tuple[int, list[int]]]:
    """Return the sets with any of these entities as elements, and the elements' numbers."""
    numbers: dict[int, list[int]] = {}
    for entity in entities:
        for owner, number in memberships.get(entity, ()):
            numbers.setdefault(owner, []).append(number)
    return [*numbers.items()]


def _in_order(shared: Mapping[Cell, int]) -> dict[Cell, int]:
    """Sort cells, so that a table does not depend on which side is the key.

    Metrics then resolve near-ties in the same way in both directions.
    """
    return dict(sorted(shared.items()))


def _sets(side: Side) -> dict[int, Overlap]:
    """Return the element sizes of each accommodated set.

    An element's size is its number of mentions, even if it is a result of other elements.
    """
    sizes = [len(entity.mentions) for entity in side.possible_elements]
    return {
        i: Overlap([sizes[e] for e in entity.elements], [1] * len(entity.elements), (), {})
        for i, entity in enumerate(side.entities)
        if entity.elements
    }


def _shared_by_sets(
    key: Side, response: Side, shared: Mapping[Cell, int]
) -> dict[Cell, dict[Cell, int]]:
    """Count the mentions that two sets' elements share, for pairs of sets that can earn credit.

    `shared` are those of entities. Elements are numbered within their sets.
    """
    in_key, in_response = _memberships(key), _memberships(response)
    pairs: dict[Cell, dict[Cell, int]] = defaultdict(dict)
    for (a, b), n in shared.items():
        for (i, k), (j, r) in product(in_key.get(a, ()), in_response.get(b, ())):
            if key.entities[i].relation == response.entities[j].relation:
                pairs[i, j][k, r] = n
    return {cell: dict(sorted(pairs[cell].items())) for cell in sorted(pairs)}


def _memberships(side: Side) -> dict[int, list[tuple[int, int]]]:
    """Map each element to its sets, with its number there."""
    memberships = defaultdict(list)
    for i, entity in enumerate(side.entities):
        for number, element in enumerate(entity.elements):
            memberships[element].append((i, number))
    return memberships


@dataclass(frozen=True, slots=True)
class ComparedSides:
    """Key and response of one document, with matched mentions and overlaps."""

    key: Side
    response: Side
    matched: Matched
    overlaps: Overlaps
    candidates: Mapping[Place, Sequence[Place]] = field(default_factory=dict)
    """Ranked antecedents of discourse deixis in the response, by the anaphor's place."""


Count: TypeAlias = Callable[[Overlap], Ratio]
"""Count of a metric in one direction."""
