"""Krippendorff's α of chains: agreement on the entity of each mention, corrected for chance.

After Passonneau (2004, 2006) and Artstein and Poesio (2008, section 4.4). An item is a mention, and
the value that an annotator gives it is the set of items in its entity. An accommodated set is one
more member of a value, which two values can share in part.

Because values without a common member are at distance 1, expected disagreement is counted from
pairs of entities that overlap; all other pairs are at distance 1. The cost grows with the overlap
of entities, not with the square of the number of items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations, product
from math import lcm
from typing import Literal, NamedTuple, TypeAlias, get_args

from anascore.arguments import check_choice
from anascore.assignment import Cell, solve
from anascore.entities.side import Side
from anascore.model.document import RelationName
from anascore.model.mention import Mention, place_of
from anascore.model.ratio import Number, total

DistanceName: TypeAlias = Literal["masi", "jaccard", "dice", "passonneau", "nominal"]
ItemChoice: TypeAlias = Literal["shared", "common"]

Quotient: TypeAlias = tuple[int, int]
"""Numerator and denominator."""

Similarity: TypeAlias = Callable[[int, int, int], Quotient]
"""1 minus the distance of two different values that overlap, from the size of what they share
and their own sizes. Sizes are integers in any unit."""


def _jaccard(shared: int, own: int, other: int) -> Quotient:
    return shared, own + other - shared


def _dice(shared: int, own: int, other: int) -> Quotient:
    return 2 * shared, own + other


def _passonneau(shared: int, own: int, other: int) -> Quotient:
    """Return 2/3 if one value contains the other, 1/3 if they only overlap."""
    return 2 if shared in {own, other} else 1, 3


def _masi(shared: int, own: int, other: int) -> Quotient:
    """Multiply Jaccard's coefficient by Passonneau's similarity."""
    factor, divisor = _passonneau(shared, own, other)
    return factor * shared, divisor * (own + other - shared)


SIMILARITIES: dict[DistanceName, Similarity] = {
    "masi": _masi,
    "jaccard": _jaccard,
    "dice": _dice,
    "passonneau": _passonneau,
    "nominal": lambda *_: (0, 1),
}
"""Similarities of values by the name of the distance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AlphaOptions:
    """Options of Krippendorff's α on chains."""

    distance: DistanceName = "masi"
    """Distance of two values."""

    items: ItemChoice = "shared"
    """Mentions that at least two annotators marked (shared), or that all of them marked
    (common)."""

    def __post_init__(self) -> None:
        """Raise SettingsError for invalid values."""
        for name, choices in ALPHA_CHOICES.items():
            check_choice(name, getattr(self, name), choices)

    @property
    def signature(self) -> str:
        """The options in one line."""
        return f"distance:{self.distance}|items:{self.items}"

    def similarity(self, shared: int, own: int, other: int) -> Quotient:
        """Compute 1 minus the distance of two values that overlap; see `Similarity`."""
        if shared == own == other:
            return 1, 1
        return SIMILARITIES[self.distance](shared, own, other) if shared else (0, 1)


ALPHA_CHOICES: dict[str, tuple[str, ...]] = {
    "distance": get_args(DistanceName),
    "items": get_args(ItemChoice),
}
"""Valid values of each option of α."""


class AlphaCounts(NamedTuple):
    """Observed and expected disagreement, as sums over values that add up over documents."""

    values: int = 0
    observed: Number = 0
    """Sum of each value's mean distance to the other annotators' values."""

    expected: Number = 0
    """Sum of each value's mean distance to all other values in its document."""

    @property
    def alpha(self) -> Fraction | None:
        """Krippendorff's α; None if no disagreement is expected."""
        return 1 - Fraction(self.observed) / self.expected if self.expected else None

    @property
    def mean_observed(self) -> Fraction | None:
        """Observed disagreement per value; None if there are no values."""
        return Fraction(self.observed) / self.values if self.values else None

    @property
    def mean_expected(self) -> Fraction | None:
        """Expected disagreement per value; None if there are no values."""
        return Fraction(self.expected) / self.values if self.values else None


def add_alpha_counts(parts: Iterable[AlphaCounts]) -> AlphaCounts:
    """Add up the disagreement in several documents."""
    values, observed, expected = zip(AlphaCounts(), *parts, strict=True)
    return AlphaCounts(
        sum(values), total((n, 1) for n in observed), total((n, 1) for n in expected)
    )


class ChainAgreement(NamedTuple):
    """Agreement on the chains of one or more documents."""

    items: int
    missing: int
    """Number of missing values: an annotator did not mark the item."""

    chains: AlphaCounts
    """Disagreement on all items."""

    split_items: int
    split: AlphaCounts
    """Disagreement on items that introduce an accommodated set for some annotator."""


def add_agreements(documents: Sequence[ChainAgreement]) -> ChainAgreement:
    """Add up the agreement on several documents."""
    return ChainAgreement(
        sum(document.items for document in documents),
        sum(document.missing for document in documents),
        add_alpha_counts(document.chains for document in documents),
        sum(document.split_items for document in documents),
        add_alpha_counts(document.split for document in documents),
    )


def chain_agreement(sides: Sequence[Side], options: AlphaOptions) -> ChainAgreement:
    """Count the agreement of annotators on one document, from each one's entities."""
    items = _items(sides, len(sides) if options.items == "common" else 2)
    values = _Values(_chains(sides, items), len(items), options)
    return ChainAgreement(
        len(items),
        len(items) * len(sides) - sum(map(len, values.marks)),
        values.disagreement([1] * len(items)),
        sum(values.introduces),
        values.disagreement(values.introduces),
    )


def _items(sides: Sequence[Side], annotators: int) -> list[Mention]:
    """List the mentions that at least `annotators` annotators marked, in text order."""
    marked = Counter(mention.place for side in sides for mention in side.mentions)
    mentions = {mention.place: mention for side in sides for mention in side.mentions}
    chosen = [mention for place, mention in mentions.items() if marked[place] >= annotators]
    return sorted(chosen, key=lambda mention: mention.order)


class _Chain(NamedTuple):
    """One annotator's entity, reduced to items."""

    items: Sequence[int]
    """Numbers of its items, in text order."""

    elements: Sequence[int]
    """Numbers of the chains in its accommodated set."""

    relation: RelationName
    introduction: int | None
    """The item that is the first of all its mentions; None if that mention is not an item."""


def _chains(sides: Sequence[Side], items: Sequence[Mention]) -> list[_Chain]:
    """Collect the entities of all annotators that contain items."""
    number_of = {mention.place: number for number, mention in enumerate(items)}
    chains: list[_Chain] = []
    for side in sides:
        places = [[*map(place_of, entity.mentions)] for entity in side.entities]
        numbers = [[number_of[p] for p in own if p in number_of] for own in places]
        kept = [position for position, own in enumerate(numbers) if own]
        chain_of = {position: len(chains) + n for n, position in enumerate(kept)}
        for position in kept:
            entity = side.entities[position]
            chains.append(
                _Chain(
                    sorted(numbers[position]),
                    [chain_of[e] for e in entity.elements if e in chain_of],
                    entity.relation,
                    number_of.get(places[position][0]),
                )
            )
    return chains


Pair: TypeAlias = tuple[int, int]
"""Numbers of two chains."""


class _Values:
    """The values of all items in a document. An item's value is the chain that contains it."""

    def __init__(self, chains: Sequence[_Chain], items: int, options: AlphaOptions) -> None:
        """Find the chains that share items, or whose sets have elements that do."""
        self._chains, self._options = chains, options
        self._size = [len(chain.items) + bool(chain.elements) for chain in chains]
        self.marks: list[list[int]] = [[] for _ in range(items)]
        """The chains that contain each item, one for each annotator who marked it."""

        self.introduces = [0] * items
        """1 for each item that introduces an accommodated set."""

        for number, chain in enumerate(chains):
            for item in chain.items:
                self.marks[item].append(number)
            if chain.elements and chain.introduction is not None:
                self.introduces[chain.introduction] = 1
        self._shared: Counter[Pair] = Counter(
            (one, other) for own in self.marks for one in own for other in own
        )
        self._credits = dict(_credits(chains, self._shared))

    def disagreement(self, weights: Sequence[int]) -> AlphaCounts:
        """Count disagreement on the items with weight 1; other items have weight 0."""
        values = sum(weight * len(own) for weight, own in zip(weights, self.marks, strict=True))
        observed: Counter[tuple[Pair, int]] = Counter()
        for weight, own in zip(weights, self.marks, strict=True):
            for pair in permutations(own, 2):
                observed[pair, len(own) - 1] += weight
        others = sum(map(len, self.marks)) - 1
        number = [sum(weights[item] for item in chain.items) for chain in self._chains]
        expected = {
            ((own, other), others): number[own] * (len(self._chains[other].items) - (own == other))
            for own, other in {**self._shared, **self._credits}
        }
        return AlphaCounts(
            values, values - self._similarity(observed), values - self._similarity(expected)
        )

    def _similarity(self, pairs: Mapping[tuple[Pair, int], int]) -> Number:
        """Sum the similarities of pairs of chains, each with a divisor, times their numbers."""
        parts: Counter[Quotient] = Counter()
        for ((own, other), divisor), number in pairs.items():
            credit = self._credits.get((own, other), NO_CREDIT)
            # In units of the credit's denominator, all sizes are integers.
            unit = credit.denominator
            part, whole = self._options.similarity(
                self._shared[own, other] * unit + credit.numerator,
                *(self._size[own] * unit, self._size[other] * unit),
            )
            parts[part, whole * divisor] += number
        return total((number * part, whole) for (part, whole), number in parts.items())


NO_CREDIT = Fraction(0)


def _credits(
    chains: Sequence[_Chain], shared: Mapping[Pair, int]
) -> Iterator[tuple[Pair, Fraction]]:
    """Yield the pairs of chains whose accommodated sets overlap, with the credit of each pair."""
    sets_with: dict[int, list[int]] = {}
    for number, chain in enumerate(chains):
        for element in chain.elements:
            sets_with.setdefault(element, []).append(number)
    similar: dict[Pair, dict[Cell, Fraction]] = {}
    for (own, other), number in shared.items() if sets_with else ():
        if own in sets_with and other in sets_with:
            union = len(chains[own].items) + len(chains[other].items) - number
            for sets in product(sets_with[own], sets_with[other]):
                similar.setdefault(sets, {})[own, other] = Fraction(number, union)
    for (own, other), jaccard in similar.items():
        if chains[own].relation == chains[other].relation:
            larger = max(len(chains[own].elements), len(chains[other].elements))
            yield (own, other), _largest_sum(jaccard) / larger


def _largest_sum(weights: Mapping[Cell, Fraction]) -> Fraction:
    """Return the largest sum of weights in a one-to-one assignment."""
    common = lcm(*(weight.denominator for weight in weights.values()))
    scaled = {cell: int(weight * common) for cell, weight in weights.items()}
    return Fraction(sum(scaled[cell] for cell in solve(scaled).cells), common)
