"""Earlier proposals: LEA for split antecedents (Yu et al. 2021), and LEA of RuCoCo 2023."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from fractions import Fraction
from itertools import combinations
from math import comb
from typing import NamedTuple, TypeAlias

from anascore.assignment import Cell, first_best_assignment, transposed
from anascore.entities.normalisation import unmerged
from anascore.entities.side import Side
from anascore.metrics.lea import lea, weighted_total
from anascore.metrics.metric import Component, count_both_ways
from anascore.metrics.overlap import ComparedSides
from anascore.metrics.shares import each_alone
from anascore.model.document import RelationName, marked_mentions
from anascore.model.mention import Place, place_of
from anascore.model.ratio import Components, Ratio, RatioPair, total
from anascore.settings import Settings


def lea_2021(c: ComparedSides) -> tuple[Components, Components]:
    """Count LEA over all entities, and the antecedents of accommodated sets alone.

    Entities without a set are aligned first, by CEAF-E. Each set is then aligned with the set that
    has the most antecedents in common, even if another set is aligned with that one, and δ =
    |common| / |antecedents of the set|. The antecedents of an element are its marked mentions. An
    element without marked mentions counts as one antecedent.
    """
    from_key, from_response = antecedents_in_common(c)
    shared = c.overlaps.from_key.shared
    common = _largest(from_key, shared), _largest(from_response, transposed(shared))
    antecedents = _antecedents(c.key), _antecedents(c.response)
    recall, precision = (
        {(i, j): Fraction(number, whole[i]) for (i, j), number in part.items()}
        for part, whole in zip(common, antecedents, strict=True)
    )
    score = count_both_ways(
        Component(lea, weighted_total, each_alone), c.overlaps, recall, precision
    )
    split_only = (
        Ratio(sum(part.values()), sum(whole))
        for part, whole in zip(common, antecedents, strict=True)
    )
    return (score,), (RatioPair(*split_only),)


def antecedents_in_common(c: ComparedSides) -> tuple[dict[Cell, int], dict[Cell, int]]:
    """Count the antecedents that two sets have in common, for the key and for the response.

    Aligned elements have antecedents in common, one to one. If only one side marks mentions of an
    element, all of them are found in the other side's element.
    """
    entities = c.key.entities, c.response.entities
    similarity = {
        (i, j): Fraction(2 * n, len(entities[0][i].mentions) + len(entities[1][j].mentions))
        for (i, j), n in c.overlaps.from_key.shared.items()
        if not entities[0][i].is_set and not entities[1][j].is_set
    }
    aligned = dict(first_best_assignment(similarity))
    sets_with: dict[int, list[int]] = {}
    for j, entity in enumerate(c.response.entities):
        for element in entity.elements:
            sets_with.setdefault(element, []).append(j)
    key_marks, response_marks = _marked(c.key), _marked(c.response)
    from_key: dict[Cell, int] = {}
    from_response: dict[Cell, int] = {}
    for i, entity in enumerate(c.key.entities):
        for element in entity.elements:
            other = aligned.get(element, -1)
            for j in sets_with.get(other, ()):
                if entities[1][j].relation == entity.relation:
                    marked, other_marked = key_marks[i][element], response_marks[j][other]
                    both = min(marked, other_marked)
                    from_key[i, j] = from_key.get((i, j), 0) + (both or marked or 1)
                    from_response[j, i] = from_response.get((j, i), 0) + (both or other_marked or 1)
    return from_key, from_response


def _marked(side: Side) -> list[dict[int, int]]:
    """Count the marked mentions of each entity's elements."""
    return [
        {
            element: len(marked)
            for element, marked in marked_mentions(entity, side.possible_elements).items()
        }
        for entity in side.entities
    ]


def _antecedents(side: Side) -> list[int]:
    """Count each entity's antecedents: marked mentions, and elements without any."""
    return [sum(number or 1 for number in marked.values()) for marked in _marked(side)]


def _largest(common: Mapping[Cell, int], shared: Mapping[Cell, int]) -> dict[Cell, int]:
    """Choose, for each own set, the set with the most antecedents in common.

    Ties go to the pair whose entities share more mentions, then to the earlier pair.
    """
    best: dict[int, Cell] = {}
    for cell in sorted(common):
        previous = best.get(cell[0])
        rank = common[cell], shared.get(cell, 0)
        if previous is None or rank > (common[previous], shared.get(previous, 0)):
            best[cell[0]] = cell
    return {cell: common[cell] for cell in best.values()}


def lea_rucoco(c: ComparedSides, settings: Settings) -> Components:
    """Count LEA over entities of two or more mentions, plus one entity for each set.

    As in the shared task, entities with equal sets are not merged, and a mention of several
    entities counts in each of them.
    """
    pairs = [(c.key.mentions[k].place, c.response.mentions[r].place) for k, r in c.matched]
    key, response = (_UnmergedSide.of(side, settings) for side in (c.key, c.response))
    recall = _one_way(key, response, dict(pairs))
    precision = _one_way(response, key, {r: k for k, r in pairs})
    return (RatioPair(recall, precision),)


class _UnmergedSide(NamedTuple):
    """Entities as annotated, with the places of scored mentions."""

    places: Mapping[int, AbstractSet[Place]]
    children: Mapping[int, AbstractSet[int]]
    relations: Sequence[RelationName]

    @classmethod
    def of(cls, side: Side, settings: Settings) -> _UnmergedSide:
        scored = {*map(place_of, side.mentions)}
        entities, mentions, _, _, sets = unmerged(side.annotated, settings)
        places = {n: scored.intersection(map(place_of, own)) for n, own in mentions.items()}
        children = {n: {*own, *entities[n].elements} for n, own in sets.items()}
        return cls(places, children, [entity.relation for entity in entities])

    def child_places(self, entity: int) -> set[Place]:
        return {
            place for child in self.children.get(entity, ()) for place in self.places.get(child, ())
        }

    def sets_with_child(self) -> dict[int, set[int]]:
        """Map each entity to the entities whose child it is."""
        parents = defaultdict(set)
        for entity, children in self.children.items():
            for child in children:
                parents[child].add(entity)
        return parents


Holders: TypeAlias = AbstractSet[int]
"""The other side's entities that contain a mention."""


def _one_way(own: _UnmergedSide, other: _UnmergedSide, counterpart: Mapping[Place, Place]) -> Ratio:
    """Sum importance times resolution.

    An entity's importance is its number of mentions, its resolution the share of links found. A
    set's importance is its number of child mentions, its resolution the share of pairs (mention,
    child mention) that are also mention and child mention of an entity on the other side.
    """
    holders: dict[Place, set[int]] = defaultdict(set)
    for entity, places in other.places.items():
        for place in places:
            holders[place].add(entity)
    parents = other.sets_with_child()

    def held_by(places: Iterable[Place]) -> list[Holders]:
        return [frozenset(holders[counterpart[p]]) for p in places if p in counterpart]

    parts: list[tuple[int, int]] = []
    whole = 0
    for entity, places in own.places.items():
        size = len(places)
        mentions = held_by(places)
        if size > 1:
            parts.append((size * _links_held(mentions), comb(size, 2)))
            whole += size
        if places and (children := own.child_places(entity)):
            sets = Counter(
                frozenset(e for e in held if other.relations[e] == own.relations[entity])
                for held in mentions
            )
            below = Counter(
                frozenset().union(*(parents.get(e, ()) for e in held)) for held in held_by(children)
            )
            pairs = sum(m * n for a, m in sets.items() for b, n in below.items() if a & b)
            parts.append((pairs, size))
            whole += len(children)
    return Ratio(total(parts), whole)


def _links_held(mentions: Iterable[Holders]) -> int:
    """Count the pairs of mentions that share an entity; each mention comes with its entities."""
    counts = Counter(mentions)
    sizes: Counter[int] = Counter()
    for holders, number in counts.items():
        for entity in holders:
            sizes[entity] += number
    links = sum(comb(size, 2) for size in sizes.values())
    # A pair that several entities hold counts once.
    several = [(holders, number) for holders, number in counts.items() if len(holders) > 1]
    links -= sum((len(holders) - 1) * comb(number, 2) for holders, number in several)
    for (holders, number), (others, other_number) in combinations(several, 2):
        links -= max(len(holders & others) - 1, 0) * number * other_number
    return links
