"""Krippendorff's α on chains: agreement on the entity of each mention, corrected for chance.

After Passonneau (2004, 2006) and Artstein and Poesio (2008, section 4.4). An item is a mention, and
the value that an annotator gives it is the set of items in its entity. An accommodated set is one
more member of a value, which can be shared in part.

Values that share no member are at distance 1. So expected disagreement is counted from the pairs of
entities that overlap, and what is left are pairs at distance 1: the cost grows with the overlap of
entities, not with the square of the number of items.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from math import lcm
from typing import Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from anascore.assignment import Cell, solve_exactly
from anascore.errors import SettingsError
from anascore.model.document import RelationName
from anascore.model.mention import Mention, Unit, place_of
from anascore.model.ratio import Number, total
from anascore.prepare.side import Side

DistanceName: TypeAlias = Literal["masi", "jaccard", "dice", "passonneau", "nominal"]
ItemChoice: TypeAlias = Literal["shared", "common"]
ChainChoice: TypeAlias = Literal["full", "preceding"]
ItselfChoice: TypeAlias = Literal["include", "exclude"]

Quotient: TypeAlias = tuple[int, int]
"""Numerator and denominator."""

Similarity: TypeAlias = Callable[[int, int, int], Quotient]
"""1 minus the distance of two different values that overlap, from the sizes of what they share and
of each. Sizes are integers in any unit."""


def _jaccard(shared: int, own: int, other: int) -> Quotient:
    return shared, own + other - shared


def _dice(shared: int, own: int, other: int) -> Quotient:
    return 2 * shared, own + other


def _passonneau(shared: int, own: int, other: int) -> Quotient:
    """Return 2/3 if one value contains the other, 1/3 if they only overlap."""
    return 2 if shared in {own, other} else 1, 3


def _masi(shared: int, own: int, other: int) -> Quotient:
    """Return the product of Jaccard's coefficient and Passonneau's similarity."""
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
    """Mentions that at least two annotators marked, or that all marked (common)."""

    chain: ChainChoice = "full"
    """Value of a mention: its whole entity, or what begins before it (preceding)."""

    itself: ItselfChoice = "include"
    """Include the mention in its own value, or exclude it."""

    def __post_init__(self) -> None:
        """Raise SettingsError for invalid values."""
        for name, choices in ALPHA_CHOICES.items():
            value = getattr(self, name)
            if value not in choices:
                *others, last = choices
                message = f"{name} must be {', '.join(others)} or {last}, not {value!r}"
                raise SettingsError(message)

    @property
    def signature(self) -> str:
        """The options in one line."""
        return f"distance:{self.distance}|items:{self.items}|chain:{self.chain}|self:{self.itself}"

    def similarity(self, shared: int, own: int, other: int) -> Quotient:
        """Return 1 minus the distance of two values, from the sizes of what they share and each."""
        if shared == own == other:
            return 1, 1
        return SIMILARITIES[self.distance](shared, own, other) if shared else (0, 1)


ALPHA_CHOICES: dict[str, tuple[str, ...]] = {
    "distance": get_args(DistanceName),
    "items": get_args(ItemChoice),
    "chain": get_args(ChainChoice),
    "itself": get_args(ItselfChoice),
}
"""Valid values of each option of α."""


class AlphaCounts(NamedTuple):
    """Observed and expected disagreement, as sums over values that add up over documents."""

    values: int = 0
    observed: Number = 0
    """Sum of the mean distances of each value to those of the other annotators."""

    expected: Number = 0
    """Sum of the mean distances of each value to all other values of its document."""

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
    """Number of values that are missing: an annotator did not mark the item."""

    chains: AlphaCounts
    """AlphaCounts on all items."""

    split_items: int
    split: AlphaCounts
    """AlphaCounts on the items that introduce an accommodated set for some annotator."""


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
    """Count the agreement of annotators on one document, from the entities of each."""
    items = _items(sides, len(sides) if options.items == "common" else 2)
    if not items:
        return ChainAgreement(0, 0, AlphaCounts(), 0, AlphaCounts())
    return _Values(_chains(sides, items), len(sides), items, options).agreement()


def _items(sides: Sequence[Side], annotators: int) -> list[Mention]:
    """Return the mentions that so many annotators marked, in the order of the text."""
    marked = Counter(mention.place for side in sides for mention in side.mentions)
    mentions = {mention.place: mention for side in sides for mention in side.mentions}
    chosen = [mention for place, mention in mentions.items() if marked[place] >= annotators]
    return sorted(chosen, key=lambda mention: mention.order)


class _Chain(NamedTuple):
    """An entity of one annotator, reduced to items."""

    annotator: int
    items: Sequence[int]
    """Numbers of its items, in the order of the text."""

    elements: Sequence[int]
    """Numbers of the chains of its accommodated set."""

    relation: RelationName
    introduction: int | None
    """The item that is its first mention of all; None if this is no item."""


def _chains(sides: Sequence[Side], items: Sequence[Mention]) -> list[_Chain]:
    """Return the entities of all annotators that have items."""
    number_of = {mention.place: number for number, mention in enumerate(items)}
    chains: list[_Chain] = []
    for annotator, side in enumerate(sides):
        places = [[*map(place_of, entity.mentions)] for entity in side.entities]
        numbers = [[number_of[p] for p in own if p in number_of] for own in places]
        kept = [position for position, own in enumerate(numbers) if own]
        chain_of = {position: len(chains) + n for n, position in enumerate(kept)}
        for position in kept:
            entity = side.entities[position]
            chains.append(
                _Chain(
                    annotator,
                    sorted(numbers[position]),
                    [chain_of[e] for e in entity.elements if e in chain_of],
                    entity.relation,
                    number_of.get(places[position][0]),
                )
            )
    return chains


Ints: TypeAlias = NDArray[np.int64]
CHUNK = 2_000_000
"""Maximum number of pairs of values in memory, unless a single value has more."""


class _ChainPairs:
    """The pairs of chains of a document that overlap, in both directions, each chain with itself.

    Pairs are sorted by their chains.
    """

    def __init__(self, chains: Sequence[_Chain], chain_of: Ints, begins: Ints) -> None:
        """Find the pairs of chains that share items, or elements of their sets do.

        Args:
            chains: The chains of all annotators.
            chain_of: The chain of each item (columns) by each annotator (rows); -1 for none.
            begins: Rank of the begin of each item in the text.
        """
        rows = []
        for own, other in product(chain_of, repeat=2):
            both = np.flatnonzero((own >= 0) & (other >= 0))
            rows.append(np.array([own[both] * len(chains) + other[both], both]))
        codes, items = np.concatenate(rows, axis=1)
        overlapping, counts = np.unique(codes, return_counts=True)
        shared = dict(zip(overlapping.tolist(), counts.tolist(), strict=True))
        of_sets = dict(_credits(chains, shared))
        sorted_codes = sorted({*shared, *of_sets})
        self.own, self.other = np.divmod(_array(sorted_codes), len(chains))
        self.shared = _array(shared.get(code, 0) for code in sorted_codes)
        """Number of items that the chains share."""

        self.credits = [*dict.fromkeys((Fraction(0), *of_sets.values()))]
        """The different credits of pairs of accommodated sets."""

        position = {credit: number for number, credit in enumerate(self.credits)}
        self.credit = _array(position[of_sets.get(code, Fraction(0))] for code in sorted_codes)
        """Position of each pair in `credits`."""

        self.pair = np.searchsorted(_array(sorted_codes), codes)
        self.item = items
        """A pair and an item that it shares, for all shared items of all pairs."""

        self._range = int(begins.max()) + 1
        self._keys = np.sort(self.pair * self._range + begins[items])
        self._first = np.searchsorted(self._keys, np.arange(len(sorted_codes)) * self._range)

    def shared_before(self, pairs: Ints, begins: Ints) -> Ints:
        """Return the number of items that pairs of chains share, and that begin earlier."""
        return np.searchsorted(self._keys, pairs * self._range + begins) - self._first[pairs]


def _credits(chains: Sequence[_Chain], shared: Mapping[int, int]) -> Iterator[tuple[int, Fraction]]:
    """Yield the pairs of chains whose accommodated sets overlap, each with its credit."""
    sets_with: dict[int, list[int]] = {}
    for number, chain in enumerate(chains):
        for element in chain.elements:
            sets_with.setdefault(element, []).append(number)
    similar: dict[Cell, dict[Cell, Fraction]] = {}
    for code in shared if sets_with else ():
        own, other = divmod(code, len(chains))
        if own in sets_with and other in sets_with:
            union = len(chains[own].items) + len(chains[other].items) - shared[code]
            for sets in product(sets_with[own], sets_with[other]):
                similar.setdefault(sets, {})[own, other] = Fraction(shared[code], union)
    for (own, other), jaccard in similar.items():
        if chains[own].relation == chains[other].relation:
            larger = max(len(chains[own].elements), len(chains[other].elements))
            yield own * len(chains) + other, _largest_sum(jaccard) / larger


def _largest_sum(weights: Mapping[Cell, Fraction]) -> Fraction:
    """Return the largest sum of weights of a one-to-one assignment."""
    common = lcm(*(weight.denominator for weight in weights.values()))
    scaled = {cell: int(weight * common) for cell, weight in weights.items()}
    return Fraction(sum(scaled[cell] for cell in solve_exactly(scaled).cells), common)


class _Values:
    """The values of all items by all annotators of a document, chain by chain."""

    def __init__(
        self,
        chains: Sequence[_Chain],
        annotators: int,
        items: Sequence[Mention],
        options: AlphaOptions,
    ) -> None:
        """Compute the sizes of values, and find the chains that overlap."""
        self._options = options
        self._length = _array(len(chain.items) for chain in chains)
        self._start = self._length.cumsum() - self._length
        self._chain = np.repeat(np.arange(len(chains)), self._length)
        self._annotator = _array(chain.annotator for chain in chains)
        self._item = _array(item for chain in chains for item in chain.items)
        begins = _array(_ranks([mention.order[0] for mention in items]))
        self._begin = begins[self._item]
        has_set = _array(bool(chain.elements) for chain in chains)
        self._size = self._members() + has_set[self._chain]
        self._chain_of = np.full((annotators, len(items)), -1)
        self._chain_of[self._annotator[self._chain], self._item] = self._chain
        self._value_of = np.zeros_like(self._chain_of)
        self._value_of[self._annotator[self._chain], self._item] = np.arange(len(self._item))
        self._marks = (self._chain_of >= 0).sum(axis=0)
        self._introduces = np.zeros(len(items), dtype=np.int64)
        for chain in chains:
            if chain.elements and chain.introduction is not None:
                self._introduces[chain.introduction] = 1
        self._in_split = self._introduces[self._item]
        self._pairs = _ChainPairs(chains, self._chain_of, begins)

    def _members(self) -> Ints:
        """Return the number of items in each value."""
        options = self._options
        if options.chain == "full":
            return self._length[self._chain] - int(options.itself == "exclude")
        keys = self._chain * (self._begin.max() + 1) + self._begin
        preceding: Ints = np.searchsorted(keys, keys) - self._start[self._chain]
        return preceding + int(options.itself == "include")

    def agreement(self) -> ChainAgreement:
        """Count agreement on all items, and on those that introduce an accommodated set."""
        observed, observed_of_split = self._observed()
        expected, expected_of_split = self._expected()
        values, split_values = len(self._item), int(self._in_split.sum())
        return ChainAgreement(
            len(self._marks),
            self._chain_of.size - values,
            AlphaCounts(values, observed, expected),
            int(self._introduces.sum()),
            AlphaCounts(split_values, observed_of_split, expected_of_split),
        )

    def _observed(self) -> tuple[Number, Number]:
        """Sum up the mean distances of values to those of the same item by other annotators.

        The second sum is over the items that introduce an accommodated set.
        """
        pairs = self._pairs
        annotators = self._annotator[np.array([pairs.own, pairs.other])][:, pairs.pair]
        differ = annotators[0] != annotators[1]
        pair, item = pairs.pair[differ], pairs.item[differ]
        own, other = self._value_of[annotators[:, differ], item]
        weights = np.ones_like(item), self._introduces[item]
        similar, similar_of_split = self._similarity(
            *(pair, own, other), weights, self._marks[item] - 1
        )
        return len(self._item) - similar, int(self._in_split.sum()) - similar_of_split

    def _expected(self) -> tuple[Number, Number]:
        """Sum up the mean distances of values to all other values of the document.

        The second sum is over the items that introduce an accommodated set.
        """
        others = len(self._item) - 1
        empty = self._size == 0
        # Empty values are equal to each other.
        equal = Fraction(int(empty.sum()) - 1, others)
        expected = len(self._item) - int(empty.sum()) * equal
        of_split = int(self._in_split.sum()) - int(self._in_split[empty].sum()) * equal
        for pair, own, other, weights in self._pairs_of_values():
            full = ~(empty[own] | empty[other])
            similar, similar_of_split = self._similarity(
                *(pair[full], own[full], other[full]),
                (weights[0][full], weights[1][full]),
                np.full_like(own[full], others),
            )
            expected -= similar
            of_split -= similar_of_split
        return expected, of_split

    def _pairs_of_values(self) -> Iterator[tuple[Ints, Ints, Ints, tuple[Ints, Ints]]]:
        """Yield the pairs of different values whose chains overlap.

        They come with the pair of chains, and with weights: the number of such pairs, and of those
        whose first value is of an item that introduces an accommodated set.
        """
        pairs = self._pairs
        if (self._options.chain, self._options.itself) == ("full", "include"):
            # All values of a chain are the same.
            own, other = self._start[pairs.own], self._start[pairs.other]
            lengths = self._length[pairs.other] - (pairs.own == pairs.other)
            split = np.bincount(self._chain, weights=self._in_split).astype(np.int64)
            weights = self._length[pairs.own] * lengths, split[pairs.own] * lengths
            yield np.arange(len(pairs.own)), own, other, weights
            return
        rows = _ranges(self._start[pairs.own], self._length[pairs.own])
        pair_of_row = np.repeat(np.arange(len(pairs.own)), self._length[pairs.own])
        lengths = self._length[pairs.other[pair_of_row]]
        chunk_of_row = (lengths.cumsum() - lengths) // CHUNK
        ends = np.searchsorted(chunk_of_row, np.unique(chunk_of_row), side="right")
        for chosen in map(slice, [0, *ends[:-1]], ends):
            pair = np.repeat(pair_of_row[chosen], lengths[chosen])
            own = np.repeat(rows[chosen], lengths[chosen])
            other = _ranges(self._start[pairs.other[pair_of_row[chosen]]], lengths[chosen])
            different = own != other
            pair, own, other = pair[different], own[different], other[different]
            yield pair, own, other, (np.ones_like(own), self._in_split[own])

    def _compared(self, pair: Ints, own: Ints, other: Ints) -> list[Ints]:
        """Return what similarity depends on: shared items, credit, and the sizes of both values."""
        pairs, options = self._pairs, self._options
        shared = pairs.shared[pair]
        if (options.chain, options.itself) != ("full", "include"):
            same = self._item[own] == self._item[other]
            in_other = self._is_in(own, pairs.other[pair])
            in_own = self._is_in(other, pairs.own[pair])
            if options.chain == "full":
                shared = shared - in_other - in_own + same
            else:
                begins = self._begin[own], self._begin[other]
                shared = pairs.shared_before(pair, np.minimum(*begins))
                if options.itself == "include":
                    shared += same + (in_other & (begins[0] < begins[1]))
                    shared += in_own & (begins[1] < begins[0])
        sizes = self._size[own], self._size[other]
        # Similarity is symmetric: values that differ in nothing else are counted together.
        return [shared, pairs.credit[pair], np.minimum(*sizes), np.maximum(*sizes)]

    def _is_in(self, values: Ints, chains: Ints) -> NDArray[np.bool_]:
        """Return True for each value whose item is in a chain."""
        in_chain: NDArray[np.bool_] = (
            self._chain_of[self._annotator[chains], self._item[values]] == chains
        )
        return in_chain

    def _similarity(
        self, pair: Ints, own: Ints, other: Ints, weights: tuple[Ints, Ints], divisors: Ints
    ) -> tuple[Number, Number]:
        """Return two weighted sums of the similarities of pairs of values, each divided."""
        parts: tuple[list[Quotient], list[Quotient]] = [], []
        for key, sums in _tally([divisors, *self._compared(pair, own, other)], weights):
            divisor, shared, credit, *sizes = key
            # In units of the credit's denominator, all sizes are integers.
            more = self._pairs.credits[credit]
            unit = more.denominator
            part, whole = self._options.similarity(
                shared * unit + more.numerator, sizes[0] * unit, sizes[1] * unit
            )
            for listed, weight in zip(parts, sums, strict=True):
                listed.append((weight * part, whole * divisor))
        return total(parts[0]), total(parts[1])


def _array(numbers: Iterable[int]) -> Ints:
    return np.fromiter(numbers, dtype=np.int64)


def _ranks(values: Sequence[Unit]) -> list[int]:
    """Return the rank of each value; equal values have the same."""
    rank = {value: number for number, value in enumerate(sorted({*values}))}
    return [rank[value] for value in values]


def _ranges(starts: Ints, lengths: Ints) -> Ints:
    """Return the numbers from each start on, so many as its length."""
    before = lengths.cumsum() - lengths
    return np.arange(lengths.sum()) + np.repeat(starts - before, lengths)


def _tally(keys: Sequence[Ints], weights: Sequence[Ints]) -> Iterator[tuple[list[int], list[int]]]:
    """Yield each different column of keys, with the sums of the weights of its columns."""
    table, numbers = np.array(keys), np.array(weights, dtype=np.int64)
    if not table.size:
        return
    order = np.lexsort(table)
    table, numbers = table[:, order], numbers[:, order]
    new = np.concatenate([[True], (table[:, 1:] != table[:, :-1]).any(axis=0)])
    starts = np.flatnonzero(new)
    sums = np.add.reduceat(numbers, starts, axis=1)
    yield from zip(table[:, starts].T.tolist(), sums.T.tolist(), strict=True)
