"""Agreement on categories (new, old, split antecedent or non-referring), with kappa and alpha."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias, TypeVar, get_args

from anascore.entities.side import Side
from anascore.model.mention import Mention, Place

Category: TypeAlias = Literal["new", "old", "split", "non-referring"]
CATEGORIES: tuple[Category, ...] = get_args(Category)
"""`new`: the first mention of an entity; `old`: a later one; `split`: the first mention of an
entity with split antecedents; `non-referring`: a mention that refers to nothing."""

T = TypeVar("T")


class CategoryAgreement(NamedTuple):
    """Categories of the items in one or more documents, as counts that add up."""

    annotators: int
    items: Counter[tuple[int, ...]]
    """Number of items by how many annotators chose each of `CATEGORIES`."""

    confusions: Mapping[tuple[int, int], Counter[tuple[Category, Category]]]
    """Each pair's confusion table."""

    @property
    def agreement(self) -> Fraction | None:
        """Share of annotator pairs who agree, over all items; None if there are no items."""
        pairs = sum(number * _pairs(sum(counts)) for counts, number in self.items.items())
        return Fraction(self._agreeing, pairs) if pairs else None

    @property
    def _agreeing(self) -> int:
        """Number of ordered annotator pairs who agree on an item."""
        return sum(number * sum(map(_pairs, counts)) for counts, number in self.items.items())

    @property
    def is_complete(self) -> bool:
        """True if all annotators marked all items, as Fleiss' kappa needs."""
        return all(sum(counts) == self.annotators for counts in self.items)

    @property
    def _totals(self) -> list[int]:
        """Number of values in each category."""
        return [
            sum(number * counts[position] for counts, number in self.items.items())
            for position in range(len(CATEGORIES))
        ]

    @property
    def fleiss(self) -> Fraction | None:
        """Fleiss' kappa; None if a value is missing, or all values are in one category."""
        agreement, values = self.agreement, sum(self._totals)
        if agreement is None or not self.is_complete:
            return None
        return _kappa(agreement, Fraction(sum(n * n for n in self._totals), values**2))

    @property
    def alpha(self) -> Fraction | None:
        """Krippendorff's nominal alpha; None if all values are in one category."""
        values = sum(self._totals)
        expected = sum(n * (values - n) for n in self._totals)
        if not expected:
            return None
        observed = Fraction()
        for counts, number in self.items.items():
            marks = sum(counts)
            observed += number * Fraction(_pairs(marks) - sum(map(_pairs, counts)), marks - 1)
        return 1 - observed * (values - 1) / expected

    def pair_agreement(self, pair: tuple[int, int]) -> Fraction | None:
        """Return the share of items on which two annotators agree."""
        confusion = self.confusions[pair]
        agreeing = sum(number for (a, b), number in confusion.items() if a == b)
        return Fraction(agreeing, confusion.total()) if confusion else None

    def cohen(self, pair: tuple[int, int]) -> Fraction | None:
        """Compute Cohen's kappa of two annotators, over the items that both marked."""
        confusion = self.confusions[pair]
        agreement, number = self.pair_agreement(pair), confusion.total()
        if agreement is None:
            return None
        margins: tuple[Counter[Category], Counter[Category]] = Counter(), Counter()
        for cell, items in confusion.items():
            for margin, category in zip(margins, cell, strict=True):
                margin[category] += items
        same = sum(margins[0][category] * margins[1][category] for category in CATEGORIES)
        return _kappa(agreement, Fraction(same, number * number))


def _pairs(number: int) -> int:
    """Count the ordered pairs among a number of things."""
    return number * (number - 1)


def _kappa(observed: Fraction, expected: Fraction) -> Fraction | None:
    return None if expected == 1 else (observed - expected) / (1 - expected)


def add_categories(documents: Sequence[CategoryAgreement]) -> CategoryAgreement:
    """Add up the categories of several documents with the same annotators."""
    first = documents[0]
    return CategoryAgreement(
        first.annotators,
        _add(document.items for document in documents),
        {
            pair: _add(document.confusions[pair] for document in documents)
            for pair in first.confusions
        },
    )


def _add(counters: Iterable[Counter[T]]) -> Counter[T]:
    total: Counter[T] = Counter()
    for counter in counters:
        total.update(counter)
    return total


def category_agreement(
    sides: Sequence[Side], nonreferring: Sequence[Iterable[Mention]], annotators: int
) -> CategoryAgreement:
    """Count the categories in one document.

    Args:
        sides: Each annotator's entities.
        nonreferring: Each annotator's non-referring mentions.
        annotators: Number of annotators who must have marked an item.
    """
    categories = [
        dict(_categories(side, mentions))
        for side, mentions in zip(sides, nonreferring, strict=True)
    ]
    marked = Counter(place for own in categories for place in own)
    items = [place for place, number in marked.items() if number >= annotators]
    values = [[own.get(place) for own in categories] for place in items]
    return CategoryAgreement(
        len(sides),
        Counter(tuple(own.count(category) for category in CATEGORIES) for own in values),
        {
            (i, j): Counter((a, b) for own in values if (a := own[i]) and (b := own[j]))
            for i, j in combinations(range(len(sides)), 2)
        },
    )


def _categories(side: Side, nonreferring: Iterable[Mention]) -> Iterator[tuple[Place, Category]]:
    """Yield an annotator's mentions with their categories; entities come last, and override."""
    for mention in nonreferring:
        yield mention.place, "non-referring"
    for entity in side.entities:
        first, *others = entity.mentions
        yield first.place, "split" if entity.elements else "new"
        for mention in others:
            yield mention.place, "old"
