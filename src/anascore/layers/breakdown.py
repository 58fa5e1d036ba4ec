"""Scores by class of mentions: B³, mention detection and anaphors."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from anascore.assignment import Cell
from anascore.layers.counts import CountsByScore
from anascore.metrics import BY_CLASS, METRICS
from anascore.metrics.compare import compare_rows
from anascore.metrics.mentions import anaphors, later, resolved
from anascore.metrics.overlap import Overlap, SidePair
from anascore.model.ratio import EMPTY_RATIO, Components, Number, Ratio, RatioPair, total
from anascore.prepare.breakdown import UNKNOWN, dimension
from anascore.prepare.side import Side
from anascore.settings import Settings


@dataclass(frozen=True, slots=True)
class OneWay:
    """Mentions of one side, with all that scores by class need."""

    side: Side
    other: Side
    partners: Mapping[int, int]
    """Matched mentions of the other side."""

    overlap: Overlap
    credits: Mapping[Cell, Number]
    """Credits of aligned accommodated sets."""

    right: frozenset[int]
    """Anaphors that are resolved correctly."""


def break_down(
    sides: SidePair, scores: CountsByScore, settings: Settings
) -> dict[str, dict[str, CountsByScore]]:
    """Count each class: recall over its mentions in the key, precision over those in the response.

    The classes of documents have all the other scores besides.
    """
    if not settings.by:
        return {}
    recall, precision = _both_ways(sides, settings)
    back = precision.partners
    broken: dict[str, dict[str, CountsByScore]] = {}
    for name in settings.by:
        by = dimension(name)
        in_key = [found or UNKNOWN for found in sides.key.classes.get(name, ())]
        in_response = [
            found or (in_key[back[r]] if by.said_in_key and r in back else UNKNOWN)
            for r, found in enumerate(sides.response.classes.get(name, ()))
        ]
        both = [_count(recall, in_key), _count(precision, in_response)]
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


def _both_ways(sides: SidePair, settings: Settings) -> tuple[OneWay, OneWay]:
    """Return the mentions of the key and those of the response."""
    key, response, matched = sides.key, sides.response, sides.matched
    (b3,) = compare_rows(METRICS["b3"], sides.tables, settings)
    right = frozenset(k for k, is_right in resolved(key, response, matched) if is_right)
    there = key.counterparts(matched)
    back = response.counterparts((r, k) for k, r in matched)
    found = frozenset(there[k] for k in right)
    return (
        OneWay(
            side=key,
            other=response,
            partners=there,
            overlap=sides.tables.from_key,
            credits=b3.recall,
            right=right,
        ),
        OneWay(
            side=response,
            other=key,
            partners=back,
            overlap=sides.tables.from_response,
            credits=b3.precision,
            right=found,
        ),
    )


def _row(recall: Ratio, precision: Ratio) -> Components:
    return (RatioPair(recall, precision),)


def _count(way: OneWay, classes: Sequence[str]) -> dict[tuple[str, str], Ratio]:
    """Count the mentions of each class that are found, by class and name of a score."""
    sizes = Counter(classes[number] for number in way.side.distinct)
    matched = Counter(classes[number] for number in way.side.distinct if number in way.partners)
    nodes: Counter[str] = Counter()
    shares: dict[str, list[tuple[Number, int]]] = defaultdict(list)
    for (name, i, j), n in Counter(_places(way, classes)).items():
        nodes[name] += n
        if j is not None:
            shares[name].append((n * _common(way, i, j), way.overlap.own[i]))
    aligned = {i: (j, credit) for (i, j), credit in way.credits.items()}
    for number, i in _firsts(way.side):
        nodes[classes[number]] += 1
        if i in aligned:
            j, credit = aligned[i]
            shares[classes[number]].append((credit * _common(way, i, j), way.overlap.own[i]))
    numbers = anaphors(way.side)
    listed, right = (Counter(classes[n] for n in some) for some in (numbers, numbers & way.right))
    return {
        **{(name, "b3"): Ratio(total(shares[name]), number) for name, number in nodes.items()},
        **{(name, "mentions"): Ratio(matched[name], size) for name, size in sizes.items()},
        **{(name, "anaphors"): Ratio(right[name], number) for name, number in listed.items()},
    }


def _places(way: OneWay, classes: Sequence[str]) -> Iterable[tuple[str, int, int | None]]:
    """Yield for each mention its class, its entity, and the entity of its match."""
    for number, (name, i) in enumerate(zip(classes, way.side.entity_of, strict=True)):
        partner = way.partners.get(number)
        yield name, i, None if partner is None else way.other.entity_of[partner]


def _common(way: OneWay, i: int, j: int) -> Number:
    """Return what B³ counts as common to two entities: shared mentions and credit."""
    return way.overlap.shared.get((i, j), 0) + way.credits.get((i, j), 0)


def _firsts(side: Side) -> Iterable[tuple[int, int]]:
    """Yield the first mentions of entities with accommodated sets, which count for the set, too."""
    not_first = later(side)
    for number, i in enumerate(side.entity_of):
        if number not in not_first and side.entities[i].elements:
            yield number, i
