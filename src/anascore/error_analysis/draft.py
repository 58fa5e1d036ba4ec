"""A response while it is being corrected."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from anascore.elements import find_cycles
from anascore.matching.pairs import Matched
from anascore.mention import Mention
from anascore.model import Entity, Relation
from anascore.normalise import normalise
from anascore.settings import Settings
from anascore.side import Side


@dataclass(frozen=True, slots=True)
class Draft:
    """A response while it is being corrected: mentions and entities by numbers that stay."""

    mentions: Mapping[int, Mention]
    counterpart: Mapping[int, int]
    """For the mentions that match one of the key, which."""

    meant: Mapping[int, int]
    """The same, and for mentions with a wrong span the one that they stand for."""

    entities: Mapping[int, tuple[int, ...]]
    """Their mentions."""

    elements: Mapping[int, tuple[int, ...]]
    """The elements of the entities that have an accommodated set."""

    relations: Mapping[int, Relation]

    def first(self, entity: int) -> Mention:
        """Return the first mention of an entity."""
        mentions = (self.mentions[number] for number in self.entities[entity])
        return min(mentions, key=lambda mention: mention.order)

    def in_order(self, entities: Iterable[int]) -> list[int]:
        """Put entities into the order of their first mentions."""
        return sorted(entities, key=lambda entity: self.first(entity).order)

    def with_sets(self, changed: Mapping[int, Iterable[int]]) -> Draft:
        """Give entities other elements; those that get none lose their sets."""
        elements = {**self.elements, **{e: tuple(dict.fromkeys(s)) for e, s in changed.items()}}
        return replace(self, elements={e: s for e, s in elements.items() if s})

    def with_entities(self, changed: Mapping[int, Iterable[int]]) -> Draft:
        """Give entities other mentions; those that get none disappear, from sets too."""
        entities = {**self.entities, **{e: tuple(found) for e, found in changed.items()}}
        entities = {e: found for e, found in entities.items() if found}
        elements = {
            e: tuple(element for element in found if element in entities and element != e)
            for e, found in self.elements.items()
            if e in entities
        }
        relations = {e: self.relations.get(e, "set") for e in entities}
        return replace(
            self,
            entities=entities,
            elements={e: found for e, found in elements.items() if found},
            relations=relations,
        )

    @property
    def new_entity(self) -> int:
        """The number for one more entity."""
        return max(self.entities, default=-1) + 1


def draft_of(response: Side, matched: Matched, spans: Matched) -> Draft:
    """Begin with the response as it is."""
    numbers: dict[int, list[int]] = {e: [] for e in range(len(response.entities))}
    for number, entity in enumerate(response.entity_of):
        numbers[entity].append(number)
    counterpart = {r: k for k, r in matched}
    return Draft(
        mentions=dict(enumerate(response.mentions)),
        counterpart=counterpart,
        meant={**counterpart, **{r: k for k, r in spans}},
        entities={e: tuple(found) for e, found in numbers.items()},
        elements={e: tuple(x.elements) for e, x in enumerate(response.entities) if x.elements},
        relations={e: entity.relation for e, entity in enumerate(response.entities)},
    )


def as_side(draft: Draft, settings: Settings) -> tuple[Side, Matched]:
    """Make of a draft what is compared with the key, and say which mentions match.

    Two mentions of a draft can be at one place, as when one is from the key and the other has a
    counterpart elsewhere. They are told apart while entities are normalised.
    """
    order = draft.in_order(draft.entities)
    position = {entity: number for number, entity in enumerate(order)}
    elements = [[position[x] for x in draft.elements.get(entity, ())] for entity in order]
    for cycle in find_cycles(elements):
        elements[cycle[0]] = []
    in_document = sorted(draft.mentions, key=lambda number: draft.mentions[number].order)
    ranked = {n: _RankedMention(draft.mentions[n], rank) for rank, n in enumerate(in_document)}
    entities = [
        Entity(
            [ranked[number] for number in draft.entities[entity]],
            elements[position[entity]],
            relation=draft.relations[entity],
        )
        for entity in order
    ]
    # What these settings drop was dropped before, from both sides.
    side = normalise(entities, replace(settings, zeros="keep", remove_nested=False))
    numbers = {mention.place: number for number, mention in ranked.items()}
    in_order = [numbers[mention.place] for mention in side.mentions]
    found = draft.counterpart
    return (
        replace(
            side,
            entities=tuple(
                replace(e, mentions=tuple(draft.mentions[numbers[m.place]] for m in e.mentions))
                for e in side.entities
            ),
        ),
        [(found[number], r) for r, number in enumerate(in_order) if number in found],
    )


class _RankedMention(Mention):
    """A mention with its rank in the draft, by which it differs from others at the same place.

    It covers the words and zeros of the mention that it stands for, and is seen by `normalise`
    only.
    """

    rank: int

    def __new__(cls, mention: Mention, rank: int) -> Self:
        """Add the rank, in document order, to a mention."""
        ranked = super().__new__(cls, *mention)
        ranked.rank = rank
        return ranked

    @property
    def place(self) -> Any:
        """The words and zeros covered, and the rank."""
        return self.words, self.zeros, self.rank

    @property
    def order(self) -> Any:
        """The rank, which is in document order."""
        return (self.rank,)
