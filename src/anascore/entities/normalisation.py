"""Normalisation: from a document's entities to a Side, the scored entities in document order.

The order of steps matters. Sets are flattened before anything is dropped, so that a set of sets
keeps its atomic elements. Equal sets are merged before mentions are made unique, because a mention
that two equal sets share is not a mistake, and again afterwards, because dropped elements can make
sets equal.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace
from graphlib import TopologicalSorter
from itertools import chain
from operator import lt
from typing import NamedTuple, TypeAlias

from anascore.entities.side import Side, dependencies_for
from anascore.errors import EntityError, shown
from anascore.formats.columns import ZeroDependencies
from anascore.model.document import RELATIONS, Document, Entity, RelationName, marked_mentions
from anascore.model.mention import (
    Mention,
    Place,
    are_plain,
    is_within,
    place_of,
    words_of,
)
from anascore.model.transform import atomic_elements, find_cycles
from anascore.settings import Settings

MentionsByEntity: TypeAlias = dict[int, tuple[Mention, ...]]
"""Mentions of each entity, by its position in the document. Dropped entities are missing."""

ElementsByEntity: TypeAlias = dict[int, frozenset[int]]
"""Elements of each entity with an accommodated set, by position in the document."""

Rank: TypeAlias = tuple[int, int]
"""An entity's depth above atomic ones, and its rank among entities of the same depth."""

Marks: TypeAlias = dict[int, tuple[Mention, ...]]
"""Mentions that sets mark as antecedents, by the set's position in the document."""

REPEATED = "mentions that are also in an earlier entity, counted only there"
ONLY_INSIDE = "non-referring elements of accommodated sets, counted inside the sets only"
REPEATED_IN_ALL = "mentions that are also in an earlier entity, counted in all of them"


class UnmergedEntities(NamedTuple):
    """A document's entities before equal sets are merged and mentions are made unique.

    Entities are identified by their positions in the document.
    """

    entities: Sequence[Entity[Mention]]
    """The annotated entities and, in the `ua` convention, their non-referring elements."""

    mentions: MentionsByEntity
    """Each entity's mentions, if any, without dropped zeros and nested mentions."""

    inside: MentionsByEntity
    """Mentions of non-referring elements, which are not entities."""

    atoms: ElementsByEntity
    """The atomic entities below each entity with elements."""

    sets: ElementsByEntity
    """The atomic elements of each accommodated set, if sets are scored."""


def unmerged(entities: Sequence[Entity[Mention]], settings: Settings) -> UnmergedEntities:
    """Flatten a document's sets, and drop mentions that are not scored."""
    hidden = range(0)
    if settings.convention == "ua" and settings.split and any(e.nonreferring for e in entities):
        entities, hidden = with_nonreferring(entities)
    atoms = flatten(entities)
    mentions = {number: in_order(entity.mentions) for number, entity in enumerate(entities)}
    if settings.zeros == "drop":
        mentions = {n: in_order(drop_zeros(own, settings)) for n, own in mentions.items()}
    if settings.remove_nested:
        mentions = {number: outermost(nested) for number, nested in mentions.items()}
    inside = without_repeated({n: mentions.pop(n) for n in hidden}, mentions) if hidden else {}
    mentions = {number: own for number, own in mentions.items() if own}
    return UnmergedEntities(entities, mentions, inside, atoms, atoms if settings.split else {})


def normalise(annotated: Sequence[Entity[Mention]], settings: Settings) -> Side:
    """Convert a document's entities to the form in which they are compared."""
    entities, mentions, inside, atoms, sets = unmerged(annotated, settings)
    relations = [entity.relation for entity in entities]
    marks: Marks = {}
    if settings.split and any(entity.antecedents for entity in entities):
        marks = flatten_marks(entities)
        if settings.zeros == "drop":
            marks = {n: tuple(drop_zeros(marked, settings)) for n, marked in marks.items()}
    mentions, nonempty = drop_empty(mentions, sets, inside)
    mentions, sets = merge_equal_sets(mentions, nonempty, relations)
    marks = merge_marks(marks, nonempty, sets, relations)
    places = [*map(place_of, chain.from_iterable(mentions.values()))]
    repeated = len(places) - len({*places})
    keeps_all = settings.repeated_mentions == "all"
    if repeated and not keeps_all:
        before = sum(map(len, mentions.values()))
        mentions, sets = keep_first(mentions, sets, relations, inside)
        repeated = before - sum(map(len, mentions.values()))
    mentions, nonempty = drop_empty(mentions, sets, inside)
    mentions, sets = merge_equal_sets(mentions, nonempty, relations)
    marks = merge_marks(marks, nonempty, sets, relations)
    if not settings.singletons:
        mentions = drop_singletons(mentions)
    order = sorted(mentions, key=lambda number: mentions[number][0].order)
    in_sets = frozenset().union(*sets.values())
    inner = sorted(in_sets & inside.keys(), key=lambda n: [m.order for m in inside[n]])
    numbers = [*order, *inner]
    position = {number: position for position, number in enumerate(numbers)}
    kept = mentions | inside if inside else mentions
    elements = _positions(sets, position)
    children = _positions(
        children_of(entities, atoms, {n: sets.get(n, frozenset()) for n in order}), position
    )
    return Side(
        tuple(
            normalised(
                entities[n],
                mentions[n],
                elements.get(n, ()),
                marked_among((kept[numbers[e]] for e in elements.get(n, ())), marks[n])
                if n in marks
                else (),
            )
            for n in order
        ),
        nonreferring=tuple(normalised(entities[n], inside[n], (), ()) for n in inner),
        file_order=tuple(order) if repeated and keeps_all else (),
        children=tuple(children.get(n, ()) for n in order),
        annotated=annotated,
        notes={REPEATED_IN_ALL if keeps_all else REPEATED: repeated, ONLY_INSIDE: len(inner)},
    )


def with_nonreferring(
    entities: Sequence[Entity[Mention]],
) -> tuple[Sequence[Entity[Mention]], range]:
    """Append non-referring elements as entities; also return their positions.

    Only the `ua` convention defines such elements. Elements with the same mentions are merged.
    """
    complete = [*entities]
    numbers: dict[frozenset[Place], int] = {}
    for position, entity in enumerate(entities):
        elements = [*entity.elements]
        for element in entity.nonreferring:
            elements += element.elements
            places = frozenset(map(place_of, element.mentions))
            if places and places not in numbers:
                numbers[places] = len(complete)
                complete.append(element)
            elements += [numbers[places]] if places else []
        complete[position] = replace(entity, elements=tuple(dict.fromkeys(elements)))
    return complete, range(len(entities), len(complete))


def without_repeated(hidden: MentionsByEntity, mentions: MentionsByEntity) -> MentionsByEntity:
    """Remove mentions from non-referring elements that entities or earlier elements contain."""
    seen = {*map(place_of, chain.from_iterable(mentions.values()))}
    kept: MentionsByEntity = {}
    for number, own in hidden.items():
        kept[number] = tuple(mention for mention in own if mention.place not in seen)
        seen.update(map(place_of, own))
    return {number: own for number, own in kept.items() if own}


def _positions(
    elements: Mapping[int, AbstractSet[int]], position: Mapping[int, int]
) -> dict[int, tuple[int, ...]]:
    """Replace elements by their sorted positions on the side."""
    return {n: tuple(sorted(position[e] for e in own)) for n, own in elements.items()}


def normalised(
    entity: Entity[Mention],
    mentions: tuple[Mention, ...],
    elements: tuple[int, ...],
    antecedents: tuple[Mention, ...],
) -> Entity[Mention]:
    """Rebuild an entity from its remaining mentions, elements and marked antecedents."""
    if entity.mentions is mentions and not entity.elements:
        return entity
    return Entity(mentions, elements, entity.name, (), entity.relation, antecedents=antecedents)


def flatten_marks(entities: Sequence[Entity[Mention]]) -> Marks:
    """Collect the mentions that each set marks.

    A marked mention of an element that is itself a set represents the mentions that this set marks.
    """
    marks: Marks = {}
    links = {number: entity.elements for number, entity in enumerate(entities) if entity.elements}
    for number in TopologicalSorter(links).static_order():
        unique: dict[Mention, None] = {}
        for element, marked in marked_mentions(entities[number], entities).items():
            atomic = marks[element] if marked and entities[element].is_set else marked
            unique |= dict.fromkeys(atomic)
        marks[number] = tuple(unique)
    return marks


def merge_marks(
    marks: Marks,
    before: ElementsByEntity,
    after: ElementsByEntity,
    relations: Sequence[RelationName],
) -> Marks:
    """Add the marks of merged sets to those of the surviving set."""
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
    """Find the mentions of elements at marked places."""
    places = {mention.place for mention in marks}
    return tuple(m for mentions in elements for m in mentions if m.place in places)


def children_of(
    entities: Sequence[Entity[Mention]],
    atoms: ElementsByEntity,
    elements: Mapping[int, frozenset[int]],
) -> dict[int, set[int]]:
    """Find each remaining entity's children: its atomic elements, and the sets in between.

    Entities with the same atomic elements are merged and represent each other.
    """
    equal: dict[tuple[int, frozenset[int]], list[int]] = defaultdict(list)
    identity = {
        number: (-1 if RELATIONS[entities[number].relation].merges_equal else number, atomic)
        for number, atomic in atoms.items()
    }
    for number, content in identity.items():
        equal[content].append(number)
    survivor = {
        content: next((number for number in numbers if number in elements), None)
        for content, numbers in equal.items()
    }
    children = {number: set(atomic) for number, atomic in elements.items() if atomic}
    for number, below in children.items():
        for twin in equal[identity[number]]:
            between = (survivor[identity[e]] for e in entities[twin].elements if e in identity)
            below.update(n for n in between if n is not None and n != number)
    return children


def flatten(entities: Sequence[Entity[Mention]]) -> ElementsByEntity:
    """Find each entity's atomic elements: a set among the elements is replaced by its own.

    Raise EntityError if an element is not the position of an entity, or if elements form a cycle.
    """
    elements = [entity.elements for entity in entities]
    for position, entity in enumerate(entities):
        for element in entity.elements:
            if not isinstance(element, int) or not 0 <= element < len(entities):
                message = (
                    f"{_named(entities, position)} has element {shown(element)}; elements are "
                    f"positions in the list of entities, here from 0 to {len(entities) - 1}"
                )
                raise EntityError(message)
    for cycle in find_cycles(elements):
        path = " in ".join(
            _named(entities, position) for position in [*cycle.entities, cycle.first]
        )
        message = f"an entity cannot be an element of itself, but here is {path}"
        raise EntityError(message)
    # A result is a thing of its own and is not replaced by its elements.
    atoms = atomic_elements([e.elements if e.is_set else () for e in entities])
    return {
        number: frozenset().union(*(atoms[element] or {element} for element in direct))
        for number, direct in enumerate(elements)
        if direct
    }


def _named(entities: Sequence[Entity[Mention]], position: int) -> str:
    return f"entity {entities[position].name or position}"


def without_zeros(mention: Mention, settings: Settings) -> Mention | None:
    """Remove a mention's zeros if zeros are dropped; None if nothing is left."""
    return mention if settings.zeros == "keep" else mention.without_zeros()


def drop_zeros(mentions: Collection[Mention], settings: Settings) -> Collection[Mention]:
    """Apply `without_zeros` to mentions, and drop those that lose everything."""
    return [kept for mention in mentions if (kept := without_zeros(mention, settings))]


def in_order(mentions: Collection[Mention]) -> tuple[Mention, ...]:
    """Sort mentions in document order, and keep one per place."""
    if len(mentions) == 1:
        return tuple(mentions)
    if are_plain(mentions):
        words = [*map(words_of, mentions)]
        if all(map(lt, words, words[1:])):
            # They are in order already, as in most files.
            return tuple(mentions)
        if len({*words}) == len(words):
            return tuple(sorted(mentions, key=words_of))
    once: dict[Place, Mention] = {}
    for mention in sorted(mentions, key=lambda mention: mention.full_order):
        once.setdefault(mention.place, mention)
    return tuple(once.values())


def outermost(mentions: tuple[Mention, ...]) -> tuple[Mention, ...]:
    """Drop mentions that lie within another one. Places must be unique."""
    parts = []
    with_gaps = []
    for position, mention in enumerate(mentions):
        whole = len(mention.words) == 1 and not mention.zeros
        parts += [(start, -end, whole, position) for start, end in mention.words]
        if not whole:
            with_gaps.append(position)
    nested = _nested_with_gaps(mentions, with_gaps)
    # Parts are sorted by start, longest first: a mention of one part can only lie within an earlier
    # part.
    furthest = 0
    for _, end, whole, position in sorted(parts):
        if whole and furthest >= -end:
            nested.add(position)
        furthest = max(furthest, -end)
    return tuple(mention for position, mention in enumerate(mentions) if position not in nested)


def _nested_with_gaps(mentions: Sequence[Mention], with_gaps: Collection[int]) -> set[int]:
    """Find mentions with gaps or zeros that lie within any other mention."""
    return {
        position
        for position in with_gaps
        for other, mention in enumerate(mentions)
        if other != position and is_within(mentions[position], mention)
    }


def drop_empty(
    mentions: MentionsByEntity, sets: ElementsByEntity, inside: Collection[int]
) -> tuple[MentionsByEntity, ElementsByEntity]:
    """Drop entities without mentions, from accommodated sets, too, and then empty sets.

    `inside` are elements that are kept although they are not entities.
    """
    mentions = {number: kept for number, kept in mentions.items() if kept}
    possible = mentions.keys() | inside if inside else mentions.keys()
    # Most sets lose nothing and are not copied.
    sets = {
        n: own if own <= possible else own.intersection(possible)
        for n, own in sets.items()
        if n in mentions
    }
    return mentions, {number: elements for number, elements in sets.items() if elements}


def merge_equal_sets(
    mentions: MentionsByEntity, sets: ElementsByEntity, relations: Sequence[RelationName]
) -> tuple[MentionsByEntity, ElementsByEntity]:
    """Merge entities that refer to the same accommodated set.

    Results of the same elements are not merged: the yolk and the white come from one egg.
    """
    equal: dict[tuple[int, frozenset[int]], list[int]] = {}
    for number, elements in sets.items():
        identity = -1 if RELATIONS[relations[number]].merges_equal else number
        equal.setdefault((identity, elements), []).append(number)
    merged = dict(mentions)
    for numbers in equal.values():
        if len(numbers) > 1:
            union = [mention for number in numbers for mention in merged.pop(number)]
            merged[numbers[0]] = in_order(union)
    return merged, {numbers[0]: elements for (_, elements), numbers in equal.items()}


def keep_first(
    mentions: MentionsByEntity,
    sets: ElementsByEntity,
    relations: Sequence[RelationName],
    inside: MentionsByEntity,
) -> tuple[MentionsByEntity, ElementsByEntity]:
    """Keep each mention only in its first entity.

    Entities with the same mentions and elements are merged where they are elements of others; the
    first one keeps the mentions. Elements that are not entities, `inside`, remain unchanged.
    """
    ranks = rank_by_content(mentions | inside, sets, relations)
    in_document_order = sorted(
        mentions,
        key=lambda number: (
            [mention.order for mention in mentions[number]],
            sorted(ranks[e] for e in sets.get(number, ())),
            ranks[number],
            [mention.full_order for mention in mentions[number]],
        ),
    )
    owner: dict[Place, int] = {}
    twins: dict[Rank, int] = {}
    survivor: dict[int, int] = {number: number for number in inside}
    kept: MentionsByEntity = {}
    for number in in_document_order:
        survivor[number] = twins.setdefault(ranks[number], number)
        kept[number] = tuple(
            m for m in mentions[number] if owner.setdefault(m.place, number) == number
        )
    sets = {n: frozenset(survivor[e] for e in elements) for n, elements in sets.items()}
    return kept, sets


def rank_by_content(
    mentions: MentionsByEntity, sets: ElementsByEntity, relations: Sequence[RelationName]
) -> dict[int, Rank]:
    """Rank entities by their mentions' places, then elements, then relation.

    Entities of equal rank have equal content. The order of entities in the file has no effect.
    """
    depths: dict[int, int] = {}
    for number in TopologicalSorter({n: sets.get(n, ()) for n in mentions}).static_order():
        depths[number] = max((depths[e] + 1 for e in sets.get(number, ())), default=0)
    by_depth: defaultdict[int, list[int]] = defaultdict(list)
    for number, depth in depths.items():
        by_depth[depth].append(number)
    ranks: dict[int, Rank] = {}
    for depth in sorted(by_depth):
        contents = {
            number: (
                tuple(mention.order for mention in mentions[number]),
                tuple(sorted({ranks[e] for e in sets.get(number, ())})),
                [*RELATIONS].index(relations[number]) if number in sets else 0,
            )
            for number in by_depth[depth]
        }
        position = {content: n for n, content in enumerate(sorted({*contents.values()}))}
        ranks |= {number: (depth, position[content]) for number, content in contents.items()}
    return ranks


def drop_singletons(mentions: MentionsByEntity) -> MentionsByEntity:
    """Drop entities with one mention; accommodated sets, which could need them, are gone by now."""
    return {number: kept for number, kept in mentions.items() if len(kept) > 1}


@dataclass(frozen=True, slots=True)
class AllMentions:
    """All mentions of a document, each place once, for matching."""

    mentions: Sequence[Mention] = ()
    dependencies: ZeroDependencies = field(default_factory=dict)
    """Dependencies of zeros, if zeros are matched by dependencies."""

    entity_of: Mapping[int, int] = field(default_factory=dict)
    """Entity of each mention that belongs to one, by the mention's position."""

    position: Mapping[Place, int] = field(default_factory=dict)
    """Position of the mention at each place."""


def all_mentions(document: Document, key: Document, settings: Settings) -> AllMentions:
    """Collect all mentions of a document, including those that entity scores ignore.

    `key` is the key's document, and may be the same one.
    """
    complete = replace(settings, singletons=True, split=False, remove_nested=False)
    entities = normalise(document.entities, complete)
    others = [mention for mention, _ in document.nonreferring]
    others += (mention for bridge in document.bridges for mention in bridge[:2])
    own = entities.unique_mentions
    places = {mention.place for mention in own}
    kept = (m for m in in_order(drop_zeros(others, settings)) if m.place not in places)
    mentions = (*own, *kept)
    return AllMentions(
        mentions,
        dependencies_for(document, key, settings),
        dict(enumerate(entities.entity_of[position] for position in entities.unique_positions)),
        {mention.place: position for position, mention in enumerate(mentions)},
    )
