"""Scores of classes of mentions: B³ mention by mention, and anaphors, each in its class."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from anascore.assignment import Cell
from anascore.layers.counts import CountsByScore
from anascore.metrics import BY_CLASS, METRICS
from anascore.metrics.compare import compare_rows
from anascore.metrics.mentions import later, resolved
from anascore.metrics.overlap import Comparison, Overlap
from anascore.model.ratio import EMPTY_RATIO, Components, Number, Ratio, RatioPair, total
from anascore.prepare.breakdown import UNKNOWN, dimension
from anascore.prepare.side import Side
from anascore.settings import Settings


@dataclass(frozen=True, slots=True)
class OneWay:
    """What is known of one side's mentions when they are scored class by class."""

    side: Side
    other: Side
    partners: Mapping[int, int]
    """The other side's counterparts."""

    overlap: Overlap
    credits: Mapping[Cell, Number]
    """What aligned accommodated sets are credited with."""

    right: frozenset[int]
    """The anaphors that are resolved rightly."""


def break_down(
    compared: Comparison, scores: CountsByScore, settings: Settings
) -> dict[str, dict[str, CountsByScore]]:
    """Score each class by itself: recall over the key's mentions in it, precision the response's.

    The classes of documents have all the other scores besides.
    """
    if not settings.by:
        return {}
    recall, precision = _both_ways(compared, settings)
    back = precision.partners
    broken: dict[str, dict[str, CountsByScore]] = {}
    for asked in settings.by:
        by = dimension(asked)
        in_key = [found or UNKNOWN for found in compared.key.classes.get(asked, ())]
        in_response = [
            found or (in_key[back[r]] if by.said_in_key and r in back else UNKNOWN)
            for r, found in enumerate(compared.response.classes.get(asked, ()))
        ]
        both = [_count(recall, in_key), _count(precision, in_response)]
        of_document = scores if by.of_documents else {}
        broken[asked] = {
            name: {
                **of_document,
                **{
                    score: _row(*(counted.get((name, score), EMPTY_RATIO) for counted in both))
                    for score in BY_CLASS
                },
            }
            for name in {*in_key, *in_response}
        }
    return broken


def _both_ways(compared: Comparison, settings: Settings) -> tuple[OneWay, OneWay]:
    """Bring together what is known of the mentions of both sides."""
    key, response, matched = compared.key, compared.response, compared.matched
    (b3,) = compare_rows(METRICS["b3"], compared.tables, settings)
    right = frozenset(k for k, is_right in resolved(key, response, matched) if is_right)
    there, back = dict(matched), {r: k for k, r in matched}
    found = frozenset(there[k] for k in right)
    return (
        OneWay(
            side=key,
            other=response,
            partners=there,
            overlap=compared.tables.from_key,
            credits=b3.recall,
            right=right,
        ),
        OneWay(
            side=response,
            other=key,
            partners=back,
            overlap=compared.tables.from_response,
            credits=b3.precision,
            right=found,
        ),
    )


def _row(recall: Ratio, precision: Ratio) -> Components:
    return (RatioPair(recall, precision),)


def _count(way: OneWay, classes: Sequence[str]) -> dict[tuple[str, str], Ratio]:
    """Count the mentions of each class that are found, by class and name of a score."""
    sizes: Counter[str] = Counter()
    matched: Counter[str] = Counter()
    shares: dict[str, list[tuple[Number, int]]] = defaultdict(list)
    for (name, i, j), n in Counter(_places(way, classes)).items():
        sizes[name] += n
        if j is not None:
            matched[name] += n
            shares[name].append((n * _common(way, i, j), way.overlap.own[i]))
    nodes = Counter(sizes)
    aligned = {i: (j, credit) for (i, j), credit in way.credits.items()}
    for number, i in _firsts(way.side):
        nodes[classes[number]] += 1
        if i in aligned:
            j, credit = aligned[i]
            shares[classes[number]].append((credit * _common(way, i, j), way.overlap.own[i]))
    anaphors, right = (
        Counter(classes[number] for number in numbers) for numbers in (later(way.side), way.right)
    )
    return {
        **{(name, "b3"): Ratio(total(shares[name]), nodes[name]) for name in sizes},
        **{(name, "mentions"): Ratio(matched[name], size) for name, size in sizes.items()},
        **{(name, "anaphors"): Ratio(right[name], number) for name, number in anaphors.items()},
    }


def _places(way: OneWay, classes: Sequence[str]) -> Iterable[tuple[str, int, int | None]]:
    """Give for each mention its class, its entity, and the entity of its counterpart."""
    for number, (name, i) in enumerate(zip(classes, way.side.entity_of, strict=True)):
        partner = way.partners.get(number)
        yield name, i, None if partner is None else way.other.entity_of[partner]


def _common(way: OneWay, i: int, j: int) -> Number:
    """Return what B³ counts as common to two entities: shared mentions and credit."""
    return way.overlap.shared.get((i, j), 0) + way.credits.get((i, j), 0)


def _firsts(side: Side) -> Iterable[tuple[int, int]]:
    """Give the first mentions of entities with accommodated sets, which count as one more there."""
    anaphors = later(side)
    for number, i in enumerate(side.entity_of):
        if number not in anaphors and side.entities[i].elements:
            yield number, i
