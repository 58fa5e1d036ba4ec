"""Scores by mention class: B³, mention detection and anaphors."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from anascore.assignment import Cell
from anascore.entities.breakdowns import UNKNOWN, dimension
from anascore.entities.side import Side
from anascore.layers.counts import CountsByScore
from anascore.metrics.mentions import resolved
from anascore.metrics.metric import score_components
from anascore.metrics.overlap import ComparedSides, Overlap
from anascore.metrics.scores import BY_CLASS, METRICS
from anascore.model.ratio import EMPTY_RATIO, Components, Number, Ratio, RatioPair, total
from anascore.settings import Settings


@dataclass(frozen=True, slots=True)
class OneWay:
    """One side's mentions, with everything that scores by class need."""

    side: Side
    other: Side
    partners: Mapping[int, int]
    """Matched mentions on the other side."""

    overlap: Overlap
    credits: Mapping[Cell, Number]
    """Credits of aligned accommodated sets."""

    right: frozenset[int]
    """Correctly resolved anaphors."""


class Contribution(NamedTuple):
    """What a mention adds to the scores of its class."""

    nodes: int
    """1 for the mention, plus 1 for an accommodated set whose first mention it is."""

    common: Number
    """Numerator of its share in B³: mentions and credits that its entity shares with others."""

    size: int
    """Denominator of its share in B³: its entity's size."""

    mentions: int
    """1, or 0 for a mention that counts in another entity."""

    matched: int
    anaphors: int
    right: int
    """1 for a correctly resolved anaphor."""


class Contributions(NamedTuple):
    """The contributions of a side's mentions, most of which are equal."""

    distinct: Sequence[Contribution]
    of_mentions: Sequence[int]
    """Each mention's position in `distinct`."""


def break_down(
    sides: ComparedSides, scores: CountsByScore, settings: Settings
) -> dict[str, dict[str, CountsByScore]]:
    """Count each class: recall over its mentions in the key, precision over those in the response.

    Classes of documents get all other scores, too.
    """
    recall, precision = _both_ways(sides, settings)
    back = precision.partners
    contributions = [_contributions(way) for way in (recall, precision)]
    broken: dict[str, dict[str, CountsByScore]] = {}
    for name in settings.by:
        by = dimension(name)
        in_key = [found or UNKNOWN for found in sides.key.classes.get(name, ())]
        in_response = [
            found or (in_key[back[r]] if by.said_in_key and r in back else UNKNOWN)
            for r, found in enumerate(sides.response.classes.get(name, ()))
        ]
        both = [*map(_count, contributions, (in_key, in_response))]
        of_document = scores if by.of_documents else {}
        broken[name] = {
            class_name: {
                **of_document,
                **{
                    score: _row(
                        *(counted.get((class_name, score), EMPTY_RATIO) for counted in both)
                    )
                    for score in BY_CLASS
                },
            }
            for class_name in {*in_key, *in_response}
        }
    return broken


def _both_ways(sides: ComparedSides, settings: Settings) -> tuple[OneWay, OneWay]:
    key, response, matched = sides.key, sides.response, sides.matched
    (b3,) = score_components(METRICS["b3"], sides.overlaps, settings)
    right = frozenset(k for k, is_right in resolved(key, response, matched) if is_right)
    there = key.counterparts(matched)
    back = response.counterparts((r, k) for k, r in matched)
    found = frozenset(there[k] for k in right)
    return (
        OneWay(
            side=key,
            other=response,
            partners=there,
            overlap=sides.overlaps.from_key,
            credits=b3.recall,
            right=right,
        ),
        OneWay(
            side=response,
            other=key,
            partners=back,
            overlap=sides.overlaps.from_response,
            credits=b3.precision,
            right=found,
        ),
    )


def _row(recall: Ratio, precision: Ratio) -> Components:
    return (RatioPair(recall, precision),)


def _contributions(way: OneWay) -> Contributions:
    own, other, shared, credit = way.side, way.other.entity_of, way.overlap.shared, way.credits
    sizes, right, partners = way.overlap.own, way.right, way.partners
    distinct, later_mentions = set(own.unique_positions), own.later_mentions
    sets = {i for i, entity in enumerate(own.entities) if entity.elements}
    aligned = {i: (j, value) for (i, j), value in credit.items()}
    numbers: dict[tuple[int, Number, int, int, int, int, int], int] = {}
    of_mentions = []
    for number, i in enumerate(own.entity_of):
        partner = partners.get(number)
        common: Number = 0
        if partner is not None:
            cell = i, other[partner]
            common = shared.get(cell, 0) + credit.get(cell, 0)
        is_distinct, is_later = number in distinct, number in later_mentions
        nodes = 1
        if i in sets and not is_later:
            nodes = 2
            if i in aligned:
                j, value = aligned[i]
                common += value * (shared.get((i, j), 0) + value)
        is_anaphor = is_distinct and is_later
        contribution = (
            nodes,
            common,
            sizes[i],
            is_distinct,
            is_distinct and partner is not None,
            is_anaphor,
            is_anaphor and number in right,
        )
        of_mentions.append(numbers.setdefault(contribution, len(numbers)))
    return Contributions([*map(Contribution._make, numbers)], of_mentions)


def _count(contributions: Contributions, classes: Sequence[str]) -> dict[tuple[str, str], Ratio]:
    """Count a class's mentions and correct mentions, by class and score name."""
    sums: dict[str, list[int]] = defaultdict(lambda: [0] * 5)
    shares: dict[str, list[tuple[Number, int]]] = defaultdict(list)
    distinct, of_mentions = contributions
    for (name, number), n in Counter(zip(classes, of_mentions, strict=True)).items():
        nodes, common, size, mentions, matched, anaphors, right = distinct[number]
        of_class = sums[name]
        of_class[0] += n * nodes
        of_class[1] += n * mentions
        of_class[2] += n * matched
        of_class[3] += n * anaphors
        of_class[4] += n * right
        if common:
            shares[name].append((n * common, size))
    counted = {}
    for name, (nodes, mentions, matched, anaphors, right) in sums.items():
        counted[name, "b3"] = Ratio(total(shares[name]), nodes)
        counted[name, "mentions"] = Ratio(matched, mentions)
        counted[name, "anaphors"] = Ratio(right, anaphors)
    return counted
