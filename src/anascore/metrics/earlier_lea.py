"""Earlier proposals: LEA for split antecedents (Yu et al. 2021) and of RuCoCo 2023."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb

from anascore.assignment import Cell
from anascore.assignment.ties import first_best_assignment
from anascore.metrics.compare import Component, count_both_ways
from anascore.metrics.lea import lea
from anascore.metrics.overlap import Comparison
from anascore.metrics.shares import each_alone
from anascore.model.document import marked_mentions
from anascore.model.ratio import Components, Ratio, RatioPair, total
from anascore.prepare.side import Side


def lea_2021(c: Comparison) -> tuple[Components, Components]:
    """Count LEA, and the antecedents of accommodated sets alone.

    Entities without a set are aligned first, by CEAF-E. A set is then aligned with the one that
    has the most antecedents in common, whether or not another is aligned with it, too, and
    δ = |common| / |antecedents of the set|. The antecedents of an element are its marked mentions.
    An element without any counts as one antecedent.
    """
    from_key, from_response = antecedents_in_common(c)
    shared = c.tables.from_key.shared
    recall_sets = _largest(from_key, shared)
    precision_sets = _largest(from_response, _swapped(shared))
    wholes = _antecedents(c.key), _antecedents(c.response)
    recall, precision = (
        {(i, j): Fraction(number, whole[i]) for (i, j), number in found.items()}
        for whole, found in zip(wholes, (recall_sets, precision_sets), strict=True)
    )
    score = count_both_ways(Component(lea, each_alone), c.tables, recall, precision)
    alone = (
        Ratio(sum(found.values()), sum(whole))
        for whole, found in zip(wholes, (recall_sets, precision_sets), strict=True)
    )
    return (score,), (RatioPair(*alone),)


def antecedents_in_common(c: Comparison) -> tuple[dict[Cell, int], dict[Cell, int]]:
    """Count for each pair of sets the antecedents in common, of the key and of the response.

    Antecedents are in common one to one if their elements are aligned. Where only one side marks
    mentions of an element, all of them are found in the element of the other side.
    """
    entities = c.key.entities, c.response.entities
    similarity = {
        (i, j): Fraction(2 * n, len(entities[0][i].mentions) + len(entities[1][j].mentions))
        for (i, j), n in c.tables.from_key.shared.items()
        if not entities[0][i].is_set and not entities[1][j].is_set
    }
    aligned = dict(first_best_assignment(similarity))
    holding: dict[int, list[int]] = {}
    for j, entity in enumerate(c.response.entities):
        for element in entity.elements:
            holding.setdefault(element, []).append(j)
    key_marks, response_marks = _marked(c.key), _marked(c.response)
    from_key: dict[Cell, int] = {}
    from_response: dict[Cell, int] = {}
    for i, entity in enumerate(c.key.entities):
        for element in entity.elements:
            other = aligned.get(element, -1)
            for j in holding.get(other, ()):
                if entities[1][j].relation == entity.relation:
                    own, theirs = key_marks[i][element], response_marks[j][other]
                    both = min(own, theirs)
                    from_key[i, j] = from_key.get((i, j), 0) + (both or own or 1)
                    from_response[j, i] = from_response.get((j, i), 0) + (both or theirs or 1)
    return from_key, from_response


def _marked(side: Side) -> list[dict[int, int]]:
    """Count for each entity the marked mentions of its elements."""
    return [
        {element: len(marked) for element, marked in marked_mentions(entity, side.entities).items()}
        for entity in side.entities
    ]


def _antecedents(side: Side) -> list[int]:
    """Count for each entity its antecedents: marked mentions, and elements without any."""
    return [sum(number or 1 for number in marked.values()) for marked in _marked(side)]


def _largest(common: Mapping[Cell, int], shared: Mapping[Cell, int]) -> dict[Cell, int]:
    """Choose for each own set the other one with the most in common.

    Of several it is the one whose entity shares more mentions, then the earlier.
    """
    best: dict[int, Cell] = {}
    for cell in sorted(common):
        other = best.get(cell[0])
        rank = common[cell], shared.get(cell, 0)
        if other is None or rank > (common[other], shared.get(other, 0)):
            best[cell[0]] = cell
    return {cell: common[cell] for cell in best.values()}


def _swapped(cells: Mapping[Cell, int]) -> dict[Cell, int]:
    return {(j, i): number for (i, j), number in cells.items()}


def lea_rucoco(c: Comparison) -> Components:
    """Count LEA over entities of two or more mentions, and one more row for each set."""
    shared = dict(c.tables.from_key.shared)
    swapped = {(j, i): n for (i, j), n in shared.items()}
    return (RatioPair(_one_way(c.key, c.response, shared), _one_way(c.response, c.key, swapped)),)


def _one_way(own: Side, other: Side, shared: dict[Cell, int]) -> Ratio:
    """Add up importance times resolution.

    An entity is as important as it has mentions, and resolved by the share of its links. Its set is
    as important as it has child mentions, and resolved by the share of pairs of mention and child
    that an entity of the other side has as mention and child.
    """
    sizes = [len(entity.mentions) for entity in own.entities]
    parts = []
    for (i, _), n in shared.items():
        if sizes[i] > 1:
            parts.append((sizes[i] * comb(n, 2), comb(sizes[i], 2)))
    children = [sum(sizes[child] for child in of) for of in own.children]
    for (i, j), n in shared.items():
        alike = own.entities[i].relation == other.entities[j].relation
        if alike and own.children[i] and other.children[j]:
            both = sum(shared.get((a, b), 0) for a in own.children[i] for b in other.children[j])
            parts.append((n * both, sizes[i]))
    whole = sum(size for size in sizes if size > 1) + sum(children)
    return Ratio(total(parts), whole)
