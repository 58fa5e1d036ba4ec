"""Entities of a document to a Side: the entities that are scored, in document order.

The order matters. Sets are flattened before anything is dropped, so that a set of sets keeps its
atomic elements; equal sets are merged before mentions are made unique, since a mention that two
equal sets share is no mistake, and once more afterwards, since dropping elements can make sets
equal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from graphlib import TopologicalSorter
from itertools import chain
from typing import TypeAlias

from anascore.errors import EntityError
from anascore.model.document import RELATIONS, Document, Entity, RelationName, marked_mentions
from anascore.model.mention import Mention, Place, are_plain, is_within, place_of
from anascore.model.transform import atomic_elements, find_cycles
from anascore.prepare.side import Side, ZeroDependencies, dependencies_for
from anascore.settings import Settings

MentionsByEntity: TypeAlias = dict[int, tuple[Mention, ...]]
"""The mentions of each entity, by a number that stays the same while others disappear."""

ElementsByEntity: TypeAlias = dict[int, frozenset[int]]
"""The elements of each entity that has an accommodated set, by the same numbers."""

Marks: TypeAlias = dict[int, tuple[Mention, ...]]
"""The mentions that sets mark as antecedents, by the same numbers."""

REPEATED = "mentions that an earlier entity has too, counted there only"


def normalise(entities: Sequence[Entity[Mention]], settings: Settings) -> Side:
    """Bring the entities of a document into the one form in which they are compared."""
    atoms = flatten(entities)
    sets = atoms if settings.split else {}
    mentions = {
        number: in_order(
            drop_zeros(entity.mentions) if settings.zeros == "drop" else entity.mentions
        )
        for number, entity in enumerate(entities)
    }
    if settings.remove_nested:
        mentions = {number: outermost(found) for number, found in mentions.items()}
    relations = [entity.relation for entity in entities]
    marks = flatten_marks(entities) if settings.split else {}
    if settings.zeros == "drop":
        marks = {number: tuple(drop_zeros(found)) for number, found in marks.items()}
    mentions, left = drop_empty(mentions, sets)
    mentions, sets = merge_equal_sets(mentions, left, relations)
    marks = merge_marks(marks, left, sets, relations)
    mentions, sets, repeated = keep_first(mentions, sets)
    mentions, left = drop_empty(mentions, sets)
    mentions, sets = merge_equal_sets(mentions, left, relations)
    marks = merge_marks(marks, left, sets, relations)
    if not settings.singletons:
        mentions = drop_singletons(mentions)
    order = sorted(mentions, key=lambda number: mentions[number][0].order)
    position = {number: position for position, number in enumerate(order)}
    elements = {n: tuple(sorted(position[e] for e in found)) for n, found in sets.items()}
    children = children_of(entities, atoms, {n: sets.get(n, frozenset()) for n in order})
    placed = {n: tuple(sorted(position[e] for e in found)) for n, found in children.items()}
    return Side(
        tuple(
            normalised(
                entities[n],
                mentions[n],
                elements.get(n, ()),
                marked_among((mentions[order[e]] for e in elements.get(n, ())), marks.get(n, ())),
            )
            for n in order
        ),
        children=tuple(placed.get(n, ()) for n in order),
        notes={REPEATED: repeated},
    )


def normalised(
    entity: Entity[Mention],
    mentions: tuple[Mention, ...],
    elements: tuple[int, ...],
    antecedents: tuple[Mention, ...],
) -> Entity[Mention]:
    """Give an entity the mentions, elements and marked antecedents that are left of it."""
    if entity.mentions is mentions and not entity.elements:
        return entity
    return Entity(mentions, elements, entity.name, (), entity.relation, antecedents=antecedents)


def flatten_marks(entities: Sequence[Entity[Mention]]) -> Marks:
    """Return the mentions that each set marks, where there are any.

    A marked mention of an element that is a set itself stands for those that this set marks.
    """
    if not any(entity.antecedents for entity in entities):
        return {}
    marks: Marks = {}
    links = {number: entity.elements for number, entity in enumerate(entities) if entity.elements}
    for number in TopologicalSorter(links).static_order():
        found: dict[Mention, None] = {}
        for element, marked in marked_mentions(entities[number], entities).items():
            below = marks[element] if marked and entities[element].is_set else marked
            found |= dict.fromkeys(below)
        marks[number] = tuple(found)
    return marks


def merge_marks(
    marks: Marks,
    before: ElementsByEntity,
    after: ElementsByEntity,
    relations: Sequence[RelationName],
) -> Marks:
    """Add the marks of sets that were merged to those of the set that is left."""
    if not marks or len(before) == len(after):
        return marks
    survivors = {
        elements: n for n, elements in after.items() if RELATIONS[relations[n]].merges_equal
    }
    merged = dict(marks)
    for number, elements in before.items():
        if number not in after:
            merged[survivors[elements]] += marks[number]
    return merged


def marked_among(
    elements: Iterable[Collection[Mention]], marks: Collection[Mention]
) -> tuple[Mention, ...]:
    """Return the mentions of elements that stand at marked places."""
    if not marks:
        return ()
    places = {mention.place for mention in marks}
    return tuple(m for mentions in elements for m in mentions if m.place in places)


def children_of(
    entities: Sequence[Entity[Mention]],
    atoms: ElementsByEntity,
    elements: Mapping[int, frozenset[int]],
) -> dict[int, set[int]]:
    """Return for each entity with elements that is left these, and those between it and them.

    Entities with the same atomic elements are one, and stand for each other.
    """
    alike: dict[tuple[int, frozenset[int]], list[int]] = defaultdict(list)
    made_of = {
        number: (-1 if RELATIONS[entities[number].relation].merges_equal else number, below)
        for number, below in atoms.items()
    }
    for number, below in made_of.items():
        alike[below].append(number)
    first = {
        below: next((number for number in numbers if number in elements), None)
        for below, numbers in alike.items()
    }
    children = {number: set(found) for number, found in elements.items() if found}
    for number, found in children.items():
        for like in alike[made_of[number]]:
            between = (first[made_of[e]] for e in entities[like].elements if e in made_of)
            found.update(n for n in between if n is not None and n != number)
    return children


def flatten(entities: Sequence[Entity[Mention]]) -> ElementsByEntity:
    """Replace elements that have an accommodated set themselves by the elements of that."""
    elements = [entity.elements for entity in entities]
    for position, entity in enumerate(entities):
        for element in entity.elements:
            if not isinstance(element, int) or not 0 <= element < len(entities):
                message = (
                    f"{_named(entities, position)} has element {element!r}; elements are positions "
                    f"in the list of entities, here from 0 to {len(entities) - 1}"
                )
                raise EntityError(message)
    for cycle in find_cycles(elements):
        path = " in ".join(_named(entities, position) for position in [*cycle, cycle[0]])
        message = f"an entity cannot be an element of itself, but here is {path}"
        raise EntityError(message)
    # A result is a thing of its own: what it was made from does not take its place.
    atoms = atomic_elements([e.elements if e.is_set else () for e in entities])
    return {
        number: frozenset().union(*(atoms[element] or {element} for element in found))
        for number, found in enumerate(elements)
        if found
    }


def _named(entities: Sequence[Entity[Mention]], position: int) -> str:
    return f"entity {entities[position].name or position}"


def drop_zeros(mentions: Iterable[Mention]) -> list[Mention]:
    """Drop the mentions that are zeros, and take zeros out of the others."""
    return [left for mention in mentions if (left := mention.without_zeros())]


def in_order(mentions: Collection[Mention]) -> tuple[Mention, ...]:
    """Put mentions in document order, each place once."""
    if len(mentions) == 1:
        return tuple(mentions)
    if are_plain(mentions) and len({*map(place_of, mentions)}) == len(mentions):
        return tuple(sorted(mentions, key=place_of))
    once: dict[Place, Mention] = {}
    for mention in sorted(mentions, key=lambda mention: mention.full_order):
        once.setdefault(mention.place, mention)
    return tuple(once.values())


def outermost(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """Drop the mentions that lie within another one, each place being there once."""
    nested: set[int] = set()
    parts = []
    for position, mention in enumerate(mentions):
        whole = len(mention.words) == 1 and not mention.zeros
        parts += [(start, -end, whole, position) for start, end in mention.words]
        if not whole:
            others = (other for other in mentions if other.place != mention.place)
            if any(is_within(mention, other) for other in others):
                nested.add(position)
    # A mention of one part lies within a part that comes before it, or within none.
    furthest = 0
    for _, end, whole, position in sorted(parts):
        if whole and furthest >= -end:
            nested.add(position)
        furthest = max(furthest, -end)
    return tuple(mention for position, mention in enumerate(mentions) if position not in nested)


def drop_empty(
    mentions: MentionsByEntity, sets: ElementsByEntity
) -> tuple[MentionsByEntity, ElementsByEntity]:
    """Drop entities without mentions, also from the accommodated sets that they are elements of."""
    mentions = {number: found for number, found in mentions.items() if found}
    left = {n: frozenset(e for e in sets[n] if e in mentions) for n in sets if n in mentions}
    return mentions, {number: elements for number, elements in left.items() if elements}


def merge_equal_sets(
    mentions: MentionsByEntity, sets: ElementsByEntity, relations: Sequence[RelationName]
) -> tuple[MentionsByEntity, ElementsByEntity]:
    """Make one entity of those that refer to the same accommodated set.

    Two results of the same elements can be two things, like the yolk and the white of an egg.
    """
    equal: dict[tuple[int, frozenset[int]], list[int]] = {}
    for number, elements in sets.items():
        alone = -1 if RELATIONS[relations[number]].merges_equal else number
        equal.setdefault((alone, elements), []).append(number)
    merged = dict(mentions)
    for numbers in equal.values():
        if len(numbers) > 1:
            together = [mention for number in numbers for mention in merged.pop(number)]
            merged[numbers[0]] = in_order(together)
    return merged, {numbers[0]: elements for (_, elements), numbers in equal.items()}


def keep_first(
    mentions: MentionsByEntity, sets: ElementsByEntity
) -> tuple[MentionsByEntity, ElementsByEntity, int]:
    """Keep a mention in the first entity that has it, and count those dropped from later ones.

    Two atomic entities with the same mentions are one, also where they are elements.
    """
    everywhere = [*map(place_of, chain.from_iterable(mentions.values()))]
    if len(set(everywhere)) == len(everywhere):
        return mentions, sets, 0

    # Entities that start alike are told apart by all their mentions, then by their elements'.
    orders = {number: [mention.order for mention in found] for number, found in mentions.items()}
    by_document = sorted(
        mentions,
        key=lambda number: (orders[number], sorted(orders[e] for e in sets.get(number, ()))),
    )
    owner: dict[Place, int] = {}
    twins: dict[tuple[Place, ...], int] = {}
    survivor: dict[int, int] = {}
    kept: MentionsByEntity = {}
    for number in by_document:
        places = tuple(mention.place for mention in mentions[number])
        if number not in sets:
            survivor[number] = twins.setdefault(places, number)
        kept[number] = tuple(
            m for m in mentions[number] if owner.setdefault(m.place, number) == number
        )
    sets = {n: frozenset(survivor.get(e, e) for e in elements) for n, elements in sets.items()}
    return kept, sets, len(everywhere) - len(owner)


def drop_singletons(mentions: MentionsByEntity) -> MentionsByEntity:
    """Drop entities of one mention; there are no accommodated sets here that could need them."""
    return {number: found for number, found in mentions.items() if len(found) > 1}


@dataclass(frozen=True, slots=True)
class AllMentions:
    """The mentions of a document, every place once, as they are matched with another's."""

    mentions: Sequence[Mention] = ()
    dependencies: ZeroDependencies = field(default_factory=dict)
    """What zeros depend on, if they are matched by that."""

    entity_of: Mapping[int, int] = field(default_factory=dict)
    """For the positions of mentions that have an entity, which."""

    position: Mapping[Place, int] = field(default_factory=dict)


def all_mentions(document: Document, settings: Settings) -> AllMentions:
    """Take all mentions, also those that are left out where entities are compared."""
    complete = replace(settings, singletons=True, split=False, remove_nested=False)
    entities = normalise(document.entities, complete)
    others = [found.mention for found in document.nonreferring]
    others += (mention for bridge in document.bridges for mention in bridge[:2])
    kept = (left for mention in others if (left := without_zeros(mention, settings)))
    places = {mention.place for mention in entities.mentions}
    mentions = (*entities.mentions, *(m for m in in_order(list(kept)) if m.place not in places))
    return AllMentions(
        mentions,
        dependencies_for(document, settings),
        dict(enumerate(entities.entity_of)),
        {mention.place: position for position, mention in enumerate(mentions)},
    )


def without_zeros(mention: Mention, settings: Settings) -> Mention | None:
    """Take zeros out of a mention if they are to be dropped."""
    return mention.without_zeros() if settings.zeros == "drop" else mention
