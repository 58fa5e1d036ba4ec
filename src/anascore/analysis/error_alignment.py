"""Alignment of a response with the key for error analysis: mentions, entities, sets."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from typing import NamedTuple

from anascore.assignment import Cell
from anascore.entities.normalisation import REPEATED, normalise
from anascore.entities.side import Side
from anascore.matching import Matched
from anascore.model.document import RELATIONS, Entity, RelationName
from anascore.model.mention import Mention, is_within, shared_size
from anascore.model.transform import find_cycles
from anascore.settings import Settings


@dataclass(frozen=True)
class CorrectedResponse:
    """A response during correction. Mentions and entities keep their numbers."""

    mentions: Mapping[int, Mention]
    counterpart: Mapping[int, int]
    """Matched mentions of the response, each with its position in the key."""

    meant: Mapping[int, int]
    """Matched mentions, plus mentions with a wrong span."""

    entities: Mapping[int, tuple[int, ...]]
    """Mentions of each entity."""

    elements: Mapping[int, tuple[int, ...]]
    """Elements of the entities that have an accommodated set."""

    relations: Mapping[int, RelationName]
    orders: Mapping[int, tuple[object, ...]]
    """Each mention's sort key in document order."""

    @cached_property
    def first_orders(self) -> dict[int, tuple[object, ...]]:
        """The sort key of each entity's first mention."""
        orders = self.orders
        return {
            entity: min([orders[number] for number in numbers])
            for entity, numbers in self.entities.items()
        }

    def first(self, entity: int) -> Mention:
        """Return the first mention of an entity."""
        return self.mentions[min(self.entities[entity], key=self.orders.__getitem__)]

    def in_order(self, entities: Iterable[int]) -> list[int]:
        """Sort entities by their first mentions."""
        return sorted(entities, key=self.first_orders.__getitem__)

    def with_mentions(self, meant: Mapping[int, int], key: Side) -> CorrectedResponse:
        """Add key mentions, by their positions there, or put them in the place of others."""
        mentions = {number: key.mentions[position] for number, position in meant.items()}
        orders = {number: mention.order for number, mention in mentions.items()}
        return replace(
            self,
            mentions={**self.mentions, **mentions},
            counterpart={**self.counterpart, **meant},
            meant={**self.meant, **meant},
            orders={**self.orders, **orders},
        )

    def with_sets(self, changed: Mapping[int, Iterable[int]]) -> CorrectedResponse:
        """Replace the elements of entities; an entity without elements loses its set."""
        elements = {**self.elements, **{e: tuple(dict.fromkeys(s)) for e, s in changed.items()}}
        return replace(self, elements={e: s for e, s in elements.items() if s})

    def with_entities(self, changed: Mapping[int, Iterable[int]]) -> CorrectedResponse:
        """Replace the mentions of entities; one without mentions disappears, even as an element."""
        entities = {**self.entities, **{e: tuple(found) for e, found in changed.items()}}
        relations: dict[int, RelationName] = {**dict.fromkeys(changed, "set"), **self.relations}
        for e in changed:
            if not entities[e]:
                del entities[e], relations[e]
        elements = {
            e: tuple(element for element in found if element in entities and element != e)
            for e, found in self.elements.items()
            if e in entities
        }
        return replace(
            self,
            entities=entities,
            elements={e: found for e, found in elements.items() if found},
            relations=relations,
        )

    @property
    def new_entity(self) -> int:
        """Number for a new entity."""
        return max(self.entities, default=-1) + 1


def start_correction(response: Side, matched: Matched, spans: Matched) -> CorrectedResponse:
    """Start with the uncorrected response."""
    numbers: dict[int, list[int]] = {e: [] for e in range(len(response.entities))}
    for number, entity in enumerate(response.entity_of):
        numbers[entity].append(number)
    counterpart = {r: k for k, r in matched}
    return CorrectedResponse(
        mentions=dict(enumerate(response.mentions)),
        counterpart=counterpart,
        meant={**counterpart, **{r: k for k, r in spans}},
        entities={e: tuple(found) for e, found in numbers.items()},
        elements={e: tuple(x.elements) for e, x in enumerate(response.entities) if x.elements},
        relations={e: entity.relation for e, entity in enumerate(response.entities)},
        orders={number: mention.order for number, mention in enumerate(response.mentions)},
    )


def equals_key(key: Side, draft: CorrectedResponse) -> bool:
    """Test whether a draft has the key's entities and sets, with all mentions matched."""
    if len(draft.entities) != len(key.entities):
        return False
    entity_of, counterpart = key.entity_of, draft.counterpart
    same: dict[int, int] = {}
    for e, numbers in draft.entities.items():
        positions = {counterpart[number] for number in numbers if number in counterpart}
        entities = {entity_of[position] for position in positions}
        if len(entities) != 1 or len(positions) != len(numbers):
            return False
        (same[e],) = entities
        if len(numbers) != len(key.entities[same[e]].mentions):
            return False
    sets = {
        same[e]: ({same[x] for x in elements}, draft.relations[e])
        for e, elements in draft.elements.items()
    }
    return len({*same.values()}) == len(same) and sets == {
        k: ({*entity.elements}, entity.relation)
        for k, entity in enumerate(key.entities)
        if entity.elements
    }


def as_side(draft: CorrectedResponse, settings: Settings) -> tuple[Side, Matched]:
    """Turn a draft into a side to compare with the key, and its matches.

    Two mentions of a draft can be at one place, for example if one comes from the key and the other
    has a counterpart elsewhere. The one with the lower number comes first.
    """
    linked = {*draft.elements, *chain.from_iterable(draft.elements.values())}
    least = 1 if settings.singletons else 2
    ordered = [
        _OrderedEntity(_in_order(draft, numbers))
        for e, numbers in draft.entities.items()
        if e not in linked and len(numbers) >= least
    ]
    sets = _normalised(draft, linked, settings) if linked else []
    entities = sorted([*ordered, *sets], key=lambda entity: entity.numbers[0])
    entities.sort(key=lambda entity: draft.orders[entity.numbers[0]])
    ids = {id(entity): position for position, entity in enumerate(entities)}
    position = [ids[id(entity)] for entity in sets]
    side = Side(
        tuple(
            Entity(
                tuple([draft.mentions[number] for number in entity.numbers]),
                tuple([position[element] for element in entity.elements]),
                relation=entity.relation,
            )
            for entity in entities
        ),
        children=tuple(
            tuple([position[child] for child in entity.children]) for entity in entities
        ),
        notes={REPEATED: 0},
    )
    numbers = chain.from_iterable(entity.numbers for entity in entities)
    found = draft.counterpart
    return side, [(found[number], r) for r, number in enumerate(numbers) if number in found]


class _OrderedEntity(NamedTuple):
    """A draft's entity, with its mentions in document order."""

    numbers: Sequence[int]
    elements: Sequence[int] = ()
    """Elements and children, by their positions among the entities involved in sets."""

    children: Sequence[int] = ()
    relation: RelationName = "set"


def _in_order(draft: CorrectedResponse, numbers: Sequence[int]) -> Sequence[int]:
    """Sort mentions in document order, and those at one place by their numbers."""
    if len(numbers) == 1:
        return numbers
    return sorted(sorted(numbers), key=draft.orders.__getitem__)


def _normalised(
    draft: CorrectedResponse, linked: Collection[int], settings: Settings
) -> list[_OrderedEntity]:
    """Normalise those entities of a draft that have elements or are elements."""
    in_document = _in_order(draft, [n for entity in linked for n in draft.entities[entity]])
    # Each mention is normalised as a word of its own, which tells mentions at one place apart.
    words = {number: Mention(((rank, rank + 1),)) for rank, number in enumerate(in_document)}
    order = sorted(linked, key=lambda entity: min(words[n] for n in draft.entities[entity]))
    position = {entity: number for number, entity in enumerate(order)}
    elements = [[position[x] for x in draft.elements.get(entity, ())] for entity in order]
    for cycle in find_cycles(elements, 1):
        elements[cycle.first] = []
    entities = [
        Entity(
            tuple([words[number] for number in draft.entities[entity]]),
            tuple(elements[position[entity]]),
            relation=draft.relations[entity],
        )
        for entity in order
    ]
    # Zeros and nested mentions were dropped before, from both sides.
    side = normalise(entities, replace(settings, zeros="keep", remove_nested=False))
    return [
        _OrderedEntity(
            [in_document[mention.words[0][0]] for mention in entity.mentions],
            [*entity.elements],
            children,
            entity.relation,
        )
        for entity, children in zip(side.entities, side.children, strict=True)
    ]


@dataclass(frozen=True)
class EntityAlignment:
    """Alignment of a draft's entities with the key's."""

    key: Side
    draft: CorrectedResponse

    @cached_property
    def parts(self) -> dict[int, dict[int, int]]:
        """How many mentions of each key entity are in each response entity."""
        entity_of = self.key.entity_of
        entity_meant = {number: entity_of[k] for number, k in self.draft.meant.items()}
        parts: dict[int, dict[int, int]] = {}
        for e, numbers in self.draft.entities.items():
            own: dict[int, int] = {}
            parts[e] = own
            for number in numbers:
                if number in entity_meant:
                    k = entity_meant[number]
                    own[k] = own.get(k, 0) + 1
        return parts

    @cached_property
    def main(self) -> dict[int, int]:
        """For each response entity, the key entity to which most of its mentions belong."""
        return {
            e: min(parts, key=lambda k: (-parts[k], k)) for e, parts in self.parts.items() if parts
        }

    @cached_property
    def homes(self) -> dict[int, list[int]]:
        """Response entities that contain a key entity's mentions, those with most of them first."""
        homes: dict[int, list[int]] = {}
        for e in self.draft.in_order(self.draft.entities):
            for k in self.parts[e]:
                homes.setdefault(k, []).append(e)
        return {k: sorted(found, key=lambda e: -self.parts[e][k]) for k, found in homes.items()}

    def home(self, k: int) -> int | None:
        """Return the response entity that contains most mentions of a key entity."""
        found = self.homes.get(k)
        return found[0] if found else None

    def part(self, e: int, k: int) -> list[int]:
        """List the mentions of a response entity that belong to a key entity."""
        return self._mentions_of_parts[e].get(k, [])

    @cached_property
    def _mentions_of_parts(self) -> dict[int, dict[int, list[int]]]:
        entity_of, meant = self.key.entity_of, self.draft.meant
        found: dict[int, dict[int, list[int]]] = {}
        for e, numbers in self.draft.entities.items():
            parts = found.setdefault(e, {})
            for n in numbers:
                if n in meant:
                    parts.setdefault(entity_of[meant[n]], []).append(n)
        return found

    @cached_property
    def mentions_of_key(self) -> list[list[int]]:
        """Positions of the mentions of each key entity."""
        found: list[list[int]] = [[] for _ in self.key.entities]
        for position, entity in enumerate(self.key.entity_of):
            found[entity].append(position)
        return found


class SetAlignment(EntityAlignment):
    """Alignment of a draft's accommodated sets with the key's."""

    @cached_property
    def in_key(self) -> list[int]:
        """Key entities with a set."""
        return [k for k, entity in enumerate(self.key.entities) if entity.elements]

    @cached_property
    def same_anaphor(self) -> dict[int, int]:
        """Response sets that share an anaphor with a key set; similar pairs are aligned first."""
        draft = self.draft
        pairs = sorted(
            (sum(map(len, self.wrong_elements(e, k))), -n, draft.first_orders[e], e, k)
            for e in draft.elements
            for k, n in self.parts[e].items()
            if self._alike(e, k)
        )
        found: dict[int, int] = {}
        taken: set[int] = set()
        for *_, e, k in pairs:
            if e not in found and k not in taken:
                found[e] = k
                taken.add(k)
        return found

    @cached_property
    def other_anaphor(self) -> dict[int, int]:
        """Response sets with the elements of a key set, but none of its anaphors."""
        left: dict[tuple[RelationName, frozenset[int | None]], list[int]] = {}
        aligned = {*self.same_anaphor.values()}
        for k in reversed(self.in_key):
            entity = self.key.entities[k]
            if k not in aligned:
                left.setdefault((entity.relation, frozenset(entity.elements)), []).append(k)
        found: dict[int, int] = {}
        for e in self.draft.in_order(self.draft.elements.keys() - self.same_anaphor.keys()):
            elements = [self.main.get(x) for x in self.draft.elements[e]]
            same = left.get((self.draft.relations[e], frozenset(elements)))
            if same and len({*elements}) == len(elements):
                found[e] = same.pop()
        return found

    def _alike(self, e: int, k: int) -> bool:
        entity = self.key.entities[k]
        return bool(entity.elements) and entity.relation == self.draft.relations[e]

    def wrong_elements(self, e: int, k: int) -> tuple[list[int], list[int]]:
        """Compare two sets: missing elements of the key's, extra elements of the response's.

        An element stands for the key entity to which most of its mentions belong, and for every key
        entity most of whose mentions it contains.
        """
        wanted = {*self.key.entities[k].elements}
        meant = {x: self.stands_for(x, wanted) for x in self.draft.elements[e]}
        there = {found for of_element in meant.values() for found in of_element}
        extra = [x for x, of_element in meant.items() if not of_element]
        return sorted(wanted - there), self.draft.in_order(extra)

    def stands_for(self, x: int, wanted: AbstractSet[int]) -> list[int]:
        """List the wanted key entities for which a response entity stands."""
        parts = self.parts[x].keys() & wanted
        return sorted(k for k in parts if self.main[x] == k or self.home(k) == x)

    def missed(self) -> Iterator[tuple[int, int | None]]:
        """Yield the key sets that the response lacks, each with the entity that has the anaphor."""
        aligned = {*self.same_anaphor.values(), *self.other_anaphor.values()}
        for k in self.in_key:
            if k not in aligned:
                yield k, self.home(k)

    def has_same_set(self, e: int, k: int) -> bool:
        """Test whether a response entity has the set that a key set would become in the response.

        This happens if elements of two key sets are conflated. Anaphors with equal sets are one
        entity, so there is no other entity to split off.
        """
        entity, relation = self.key.entities[k], self.draft.relations[e]
        merged = entity.relation == relation and RELATIONS[relation].merges_equal
        return merged and {*map(self.home, entity.elements)} == {*self.draft.elements.get(e, ())}

    def first_of(self, k: int) -> Mention:
        """Return a key entity's first mention."""
        return next(iter(self.key.entities[k].mentions))

    def elements_of_key(self, k: int) -> tuple[Mention, ...]:
        """List the first mentions of a key set's elements."""
        return tuple(self.first_of(x) for x in self.key.entities[k].elements)


def wrong_spans(key: Side, response: Side, matched: Matched) -> Matched:
    """Pair unmatched mentions one to one, those that share most words first.

    Two mentions count as the same one with another span if they have the same head or, where a head
    is unknown, if one lies within the other.
    """
    matched_key, matched_response = ({pair[side] for pair in matched} for side in (0, 1))
    ours = {k: m for k, m in enumerate(key.mentions) if k not in matched_key}
    theirs = {r: m for r, m in enumerate(response.mentions) if r not in matched_response}
    candidates = []
    for k, r in _possible_pairs(ours, theirs):
        mention, other = ours[k], theirs[r]
        size = shared_size(mention, other)
        if size and _same_with_another_span(mention, other):
            sizes = mention.size + other.size
            candidates.append((-size, sizes, mention.order, other.order, k, r))
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for *_, k, r in sorted(candidates):
        if k not in pairs and r not in taken:
            pairs[k] = r
            taken.add(r)
    return list(pairs.items())


def _same_with_another_span(k: Mention, r: Mention) -> bool:
    if k.place == r.place:
        return True
    if k.head is not None and r.head is not None:
        return k.head == r.head
    return is_within(k, r) or is_within(r, k)


def _possible_pairs(key: Mapping[int, Mention], response: Mapping[int, Mention]) -> Iterator[Cell]:
    """Yield pairs with the same words or head and, if a head is missing, nested extents.

    Some pairs are yielded more than once.
    """
    same: dict[object, list[int]] = defaultdict(list)
    for r, mention in response.items():
        same[mention.place].append(r)
        if mention.head is not None:
            same[mention.head].append(r)
    for k, mention in key.items():
        yield from ((k, r) for r in same.get(mention.place, ()))
        yield from ((k, r) for r in same.get(mention.head, ()))
    with_head, without = (
        [
            {n: m for n, m in side.items() if (m.head is None) == is_missing}
            for side in (key, response)
        ]
        for is_missing in (False, True)
    )
    yield from _nested_extents(without[0], response)
    yield from _nested_extents(with_head[0], without[1])
    yield from ((k, r) for r, k in _nested_extents(without[1], key))
    yield from ((k, r) for r, k in _nested_extents(with_head[1], without[0]))


def _nested_extents(outer: Mapping[int, Mention], inner: Mapping[int, Mention]) -> Iterator[Cell]:
    """Yield the pairs (outer, inner) whose inner mention begins and ends within the outer one."""
    in_order = sorted((mention.order[:2], number) for number, mention in inner.items())
    starts = [first for (first, _), _ in in_order]
    for number, mention in outer.items():
        first, last, *_ = mention.order
        for (_, end), other in in_order[bisect_left(starts, first) : bisect_right(starts, last)]:
            if end <= last:
                yield number, other
