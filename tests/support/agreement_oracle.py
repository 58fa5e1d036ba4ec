"""A slow, literal oracle of agreement among annotators, to test the library against.

Written from the spec alone, in exact fractions: values are listed one by one, pairs of values are
all compared, one-to-one pairs of elements are all tried out. Nothing here is shared with the
library. Meant for up to about ten mentions and five elements of a set.

Choices where the spec is silent:

- Elements without mentions are left out before equal sets are merged. Sets that lose all elements
  are not merged for that.
- An entity without mentions does not count. A set without mentions still passes its elements on.
- Mentions are in the order of their starts, then of their ends. The first mention of an entity is
  the first of all that the annotator has there, whether it is an item or not, both for the
  split-antecedent items and for categories.
- A split-antecedent item needs a set that still has an element with items. A category does not.
- For split-antecedent items, documents are weighted by the number of values of these items, and
  each ordered pair of the expected disagreement starts with a value of such an item.
- Under `preceding`, an item that begins where item i begins is not a member of i's value.
- Categories mean the same in all documents, so that items of all documents are pooled.
- A mention that an annotator has in an entity is not non-referring for that annotator.
- Percentage agreement, Cohen's κ and the confusion table of a pair are over the items of both.
- Fleiss' κ is that of Fleiss (1971); it is undefined if a category is missing.
- A coefficient is undefined without items, and where its expected disagreement is 0.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Literal, NamedTuple, TypedDict, Unpack

Mention = tuple[int, int]
Mentions = frozenset[Mention]
Chain = tuple[Mentions, frozenset[int]]
"""The mentions of an entity, and the indices of its elements in the annotator's list."""
Annotation = list[Chain]
"""The entities of one annotator in one document."""

Accommodated = frozenset[Mentions]
Items = Literal["shared", "common"]
DistanceName = Literal["nominal", "passonneau", "jaccard", "dice", "masi"]


class Options(TypedDict, total=False):
    """The options of `sums`; the defaults are there."""

    distance: DistanceName
    items: Items


class Entity(NamedTuple):
    """An entity after flattening: the elements of its accommodated set are mention sets."""

    mentions: Mentions
    accommodated: Accommodated | None = None


class Value(NamedTuple):
    """The value of an item by one annotator: items, and at most one accommodated set of items."""

    items: Mentions
    accommodated: Accommodated | None = None

    @property
    def size(self) -> int:
        """The cardinality, in which an accommodated set counts 1."""
        return len(self.items) + (self.accommodated is not None)


# Flattening and merging


def atoms(annotation: Annotation, i: int) -> frozenset[int]:
    """The atomic entities that entity i stands for, through any nesting."""
    _, elements = annotation[i]
    if not elements:
        return frozenset({i})
    return frozenset().union(*(atoms(annotation, element) for element in elements))


def flatten(annotation: Annotation) -> list[Entity]:
    """The entities with mentions, their sets flattened and equal ones merged, in text order."""
    plain = [Entity(mentions) for mentions, elements in annotation if not elements]
    merged: dict[Accommodated, Mentions] = {}
    for i, (mentions, elements) in enumerate(annotation):
        atomic = atoms(annotation, i) if elements else frozenset()
        with_mentions = frozenset(annotation[j][0] for j in atomic if annotation[j][0])
        if with_mentions:
            merged[with_mentions] = merged.get(with_mentions, frozenset()) | mentions
        elif elements:
            plain.append(Entity(mentions))

    sets = [Entity(mentions, elements) for elements, mentions in merged.items()]
    return sorted(
        (entity for entity in plain + sets if entity.mentions),
        key=lambda entity: sorted(entity.mentions),
    )


# Distances


def overlap(a: Mentions, b: Mentions) -> Fraction:
    """The Jaccard coefficient of two sets of items that are not both empty."""
    return Fraction(len(a & b), len(a | b))


def credit(s: Accommodated | None, t: Accommodated | None) -> Fraction:
    """The largest sum of Jaccard coefficients of one-to-one pairs, over the larger size."""
    if s is None or t is None:
        return Fraction(0)
    smaller, larger = sorted((list(s), list(t)), key=len)
    best = max(
        sum((overlap(a, b) for a, b in zip(smaller, chosen, strict=True)), Fraction(0))
        for chosen in permutations(larger, len(smaller))
    )
    return best / len(larger)


def intersection(a: Value, b: Value) -> Fraction:
    """|A∩B|: the shared items, and the credit of the accommodated sets."""
    return len(a.items & b.items) + credit(a.accommodated, b.accommodated)


def equal(a: Value, b: Value) -> bool:
    """Whether the items are equal, and the sets have full credit or are absent on both sides."""
    if a.items != b.items:
        return False
    if a.accommodated is None and b.accommodated is None:
        return True
    return credit(a.accommodated, b.accommodated) == 1


def contains(a: Value, b: Value) -> bool:
    """Whether one of two values contains the other."""
    return intersection(a, b) == min(a.size, b.size)


def jaccard_coefficient(a: Value, b: Value) -> Fraction:
    """|A∩B| / |A∪B|, where |A∪B| = |A| + |B| - |A∩B|."""
    shared = intersection(a, b)
    return shared / (a.size + b.size - shared)


def monotonicity(a: Value, b: Value) -> Fraction:
    """The factor M of MASI for two values that are not equal."""
    if contains(a, b):
        return Fraction(2, 3)
    return Fraction(1, 3) if intersection(a, b) else Fraction(0)


def nominal(a: Value, b: Value) -> Fraction:
    """0 for equal values, else 1."""
    return Fraction(0) if equal(a, b) else Fraction(1)


def is_trivial(a: Value, b: Value) -> bool:
    """Whether every distance is the nominal one: the values are equal, or one of them is empty."""
    return equal(a, b) or a.size == 0 or b.size == 0


def passonneau(a: Value, b: Value) -> Fraction:
    """1/3 if one contains the other, 2/3 if they only overlap, 1 if they are disjoint."""
    if is_trivial(a, b):
        return nominal(a, b)
    if contains(a, b):
        return Fraction(1, 3)
    return Fraction(2, 3) if intersection(a, b) else Fraction(1)


def jaccard(a: Value, b: Value) -> Fraction:
    """1 - |A∩B| / |A∪B|."""
    return nominal(a, b) if is_trivial(a, b) else 1 - jaccard_coefficient(a, b)


def dice(a: Value, b: Value) -> Fraction:
    """1 - 2|A∩B| / (|A| + |B|)."""
    return nominal(a, b) if is_trivial(a, b) else 1 - 2 * intersection(a, b) / (a.size + b.size)


def masi(a: Value, b: Value) -> Fraction:
    """1 - J·M."""
    if is_trivial(a, b):
        return nominal(a, b)
    return 1 - jaccard_coefficient(a, b) * monotonicity(a, b)


DISTANCES: dict[DistanceName, Callable[[Value, Value], Fraction]] = {
    "nominal": nominal,
    "passonneau": passonneau,
    "jaccard": jaccard,
    "dice": dice,
    "masi": masi,
}


# Items and values


def choose_items(marked: Iterable[Iterable[Mention]], which: Items) -> list[Mention]:
    """The mentions that at least two annotators marked, or that all marked, in text order."""
    by_annotator = [set(mentions) for mentions in marked]
    needed = 2 if which == "shared" else len(by_annotator)
    everything: set[Mention] = set().union(*by_annotator)
    return sorted(m for m in everything if sum(m in marks for marks in by_annotator) >= needed)


def items_of(annotations: list[Annotation], which: Items) -> list[Mention]:
    """The items of a document, in text order."""
    return choose_items(
        (
            [mention for mentions, _ in annotation for mention in mentions]
            for annotation in annotations
        ),
        which,
    )


def restrict(accommodated: Accommodated | None, items: Mentions) -> Accommodated | None:
    """The accommodated set with items only; elements without items are left out."""
    elements = frozenset(element & items for element in accommodated or () if element & items)
    return elements or None


def values_of(annotation: Annotation, items: Mentions) -> dict[Mention, Value]:
    """The value of each item that the annotator marked: the items of its entity."""
    return {
        item: Value(entity.mentions & items, restrict(entity.accommodated, items))
        for entity in flatten(annotation)
        for item in entity.mentions & items
    }


def split_items(annotations: list[Annotation], items: Mentions) -> Mentions:
    """The items that some annotator has as the first mention of an entity with a set."""
    return frozenset(
        min(entity.mentions)
        for annotation in annotations
        for entity in flatten(annotation)
        if restrict(entity.accommodated, items) and min(entity.mentions) in items
    )


# Krippendorff's α of chains


class Sums(NamedTuple):
    """The sums of one document, over all items and over the split-antecedent items."""

    n: int
    """Number of values."""
    observed: Fraction
    """Σ_i Σ_{c≠c'} δ(L_c(i), L_c'(i)) / (m_i - 1)."""
    expected: Fraction
    """Σ δ over ordered pairs of two different values."""
    n_split: int
    observed_split: Fraction
    expected_split: Fraction
    """Σ δ over ordered pairs of a value of a split-antecedent item and any other value."""


def sums(
    annotations: list[Annotation],
    *,
    distance: DistanceName = "masi",
    items: Items = "shared",
) -> Sums:
    """Add up the distances of one document."""
    delta = DISTANCES[distance]
    chosen = frozenset(items_of(annotations, items))
    split = split_items(annotations, chosen)
    values = [
        (annotator, item, value)
        for annotator, annotation in enumerate(annotations)
        for item, value in values_of(annotation, chosen).items()
    ]
    m = Counter(item for _, item, _ in values)

    n = n_split = 0
    observed = expected = observed_split = expected_split = Fraction(0)
    for annotator, item, value in values:
        n += 1
        n_split += item in split
        for other_annotator, other_item, other_value in values:
            if (annotator, item) == (other_annotator, other_item):
                continue
            difference = delta(value, other_value)
            expected += difference
            if item in split:
                expected_split += difference
            if item == other_item:
                observed += difference / (m[item] - 1)
                if item in split:
                    observed_split += difference / (m[item] - 1)
    return Sums(n, observed, expected, n_split, observed_split, expected_split)


class Disagreement(NamedTuple):
    """D_o and D_e of a corpus."""

    observed: Fraction
    expected: Fraction

    @property
    def alpha(self) -> Fraction | None:
        """1 - D_o / D_e, undefined where D_e is 0."""
        return 1 - self.observed / self.expected if self.expected else None


class DocumentDisagreement(NamedTuple):
    """The number of values of a document, which is its weight, and its D_o and D_e."""

    n: int
    observed: Fraction
    expected: Fraction


def average(documents: list[DocumentDisagreement]) -> Disagreement | None:
    """The means of D_o and D_e over documents, weighted by n; undefined without values."""
    total = sum(document.n for document in documents)
    if not total:
        return None
    return Disagreement(
        sum((document.n * document.observed for document in documents), Fraction(0)) / total,
        sum((document.n * document.expected for document in documents), Fraction(0)) / total,
    )


def disagreement(
    documents: list[list[Annotation]], **options: Unpack[Options]
) -> Disagreement | None:
    """D_o and D_e of a corpus over all items; undefined without items."""
    parts = [sums(annotations, **options) for annotations in documents]
    return average(
        [
            DocumentDisagreement(d.n, d.observed / d.n, d.expected / (d.n * (d.n - 1)))
            for d in parts
            if d.n
        ]
    )


def disagreement_split(
    documents: list[list[Annotation]], **options: Unpack[Options]
) -> Disagreement | None:
    """D_o and D_e of a corpus over the split-antecedent items; undefined without such items."""
    parts = [sums(annotations, **options) for annotations in documents]
    return average(
        [
            DocumentDisagreement(
                d.n_split,
                d.observed_split / d.n_split,
                d.expected_split / (d.n_split * (d.n - 1)),
            )
            for d in parts
            if d.n_split
        ]
    )


def alpha(documents: list[list[Annotation]], **options: Unpack[Options]) -> Fraction | None:
    """Krippendorff's α of a corpus over all items."""
    means = disagreement(documents, **options)
    return means.alpha if means else None


def alpha_split(documents: list[list[Annotation]], **options: Unpack[Options]) -> Fraction | None:
    """Krippendorff's α of a corpus over the split-antecedent items."""
    means = disagreement_split(documents, **options)
    return means.alpha if means else None


# Categories

Category = Literal["new", "old", "split", "non-referring"]
Row = tuple[Category | None, ...]
"""The categories of one item, one per annotator; None if the annotator did not mark it."""
CategoryPair = tuple[Category, Category]


def categories(
    annotation: Annotation, nonreferring: Mentions = frozenset()
) -> dict[Mention, Category]:
    """The category of each mention of an annotator."""
    table: dict[Mention, Category] = dict.fromkeys(nonreferring, "non-referring")
    for entity in flatten(annotation):
        for mention in entity.mentions:
            if mention != min(entity.mentions):
                table[mention] = "old"
            else:
                table[mention] = "new" if entity.accommodated is None else "split"
    return table


def rows_of(tables: Sequence[Mapping[Mention, Category]], which: Items = "shared") -> list[Row]:
    """The rows of the items of one document, in text order; add up those of a corpus."""
    return [tuple(table.get(item) for table in tables) for item in choose_items(tables, which)]


def pairs_of(rows: list[Row], a: int, b: int) -> list[CategoryPair]:
    """The categories of annotators a and b for the items that both have."""
    pairs = []
    for row in rows:
        first, second = row[a], row[b]
        if first is not None and second is not None:
            pairs.append((first, second))
    return pairs


def confusion(rows: list[Row], a: int, b: int) -> dict[CategoryPair, int]:
    """The number of items of each pair of categories that occurs."""
    return dict(Counter(pairs_of(rows, a, b)))


def percentage_agreement(rows: list[Row], a: int, b: int) -> Fraction | None:
    """The share of the items of a pair that have the same category; 1 is 100 %."""
    pairs = pairs_of(rows, a, b)
    return Fraction(sum(x == y for x, y in pairs), len(pairs)) if pairs else None


def correct_for_chance(observed: Fraction, expected: Fraction) -> Fraction | None:
    """(A_o - A_e) / (1 - A_e), undefined where A_e is 1."""
    return (observed - expected) / (1 - expected) if expected != 1 else None


def cohen(rows: list[Row], a: int, b: int) -> Fraction | None:
    """Cohen's κ of a pair: A_e = Σ_k P_a(k) P_b(k)."""
    pairs = pairs_of(rows, a, b)
    observed = percentage_agreement(rows, a, b)
    if observed is None:
        return None
    chance = sum(x == y for x, _ in pairs for _, y in pairs)
    return correct_for_chance(observed, Fraction(chance, len(pairs) ** 2))


def fleiss(rows: list[Row]) -> Fraction | None:
    """Fleiss' κ: A_o is the mean over items of agreeing pairs of annotators, A_e = Σ_k P(k)²."""
    if not rows or any(None in row for row in rows):
        return None
    m = len(rows[0])
    agreeing = sum(row[a] == row[b] for row in rows for a in range(m) for b in range(m) if a != b)
    everything = [category for row in rows for category in row]
    chance = sum(x == y for x in everything for y in everything)
    return correct_for_chance(
        Fraction(agreeing, len(rows) * m * (m - 1)), Fraction(chance, len(everything) ** 2)
    )


def nominal_alpha(rows: list[Row]) -> Fraction | None:
    """Krippendorff's α of categories; items of one annotator only do not count."""
    present = [[category for category in row if category is not None] for row in rows]
    units = [unit for unit in present if len(unit) >= 2]
    n = sum(len(unit) for unit in units)
    if not n:
        return None
    observed = sum(
        (Fraction(sum(x != y for x in unit for y in unit), len(unit) - 1) for unit in units),
        Fraction(0),
    )
    everything = [category for unit in units for category in unit]
    expected = Fraction(sum(x != y for x in everything for y in everything), n * (n - 1))
    return Disagreement(observed / n, expected).alpha


# Random annotations


def random_annotations(
    rng: Random,
    annotators: int | None = None,
    *,
    mentions: int | None = None,
    noise: float | None = None,
    sets: bool = True,
) -> list[Annotation]:
    """Draw annotations of one small text.

    All annotators start from one annotation and change parts of it: they leave mentions out, move
    them to other entities, and change elements. At most one entity of an annotator has neither
    mentions nor elements.

    Args:
        rng: Source of randomness.
        annotators: Number of annotators; drawn from 2 to 4 if it is None.
        mentions: Number of mentions in the text; drawn from 1 to 8 if it is None.
        noise: Probability of each change, from 0 (the same annotation from everyone) to 1; drawn if
            it is None.
        sets: Whether entities may have accommodated sets.
    """
    size = rng.randint(1, 8) if mentions is None else mentions
    degree = rng.choice([0.0, 0.1, 0.3, 0.6, 1.0]) if noise is None else noise
    starts = range(size + 1)
    spans = rng.sample([(s, s + length) for s in starts for length in (1, 2, 3)], size)
    labels = rng.randint(1, size)
    entity_of = {span: rng.randrange(labels) for span in spans}
    elements_of = [_random_elements(rng, label) for label in range(labels)]

    annotations = []
    for _ in range(rng.randint(2, 4) if annotators is None else annotators):
        chains: list[set[Mention]] = [set() for _ in range(labels + 2)]
        for span in spans:
            if rng.random() < degree / 3:
                continue
            moved = rng.random() < degree / 2
            chains[rng.randrange(labels + 2) if moved else entity_of[span]].add(span)
        elements = [
            _random_elements(rng, label)
            if label >= labels or rng.random() < degree / 2
            else elements_of[label]
            for label in range(labels + 2)
        ]
        if not sets:
            elements = [frozenset()] * (labels + 2)
        annotations.append(_arrange(rng, chains, elements))
    return annotations


def _random_elements(rng: Random, label: int) -> frozenset[int]:
    """Draw elements among the entities before this one, so that there is no cycle."""
    if not label or rng.random() < 0.6:
        return frozenset()
    return frozenset(rng.sample(range(label), min(label, rng.choice([1, 2, 2, 2, 3]))))


def _arrange(
    rng: Random, chains: list[set[Mention]], elements_of: list[frozenset[int]]
) -> Annotation:
    """Put the entities in random order; leave out those that have neither mentions nor elements."""
    spare = rng.random() < 0.3
    kept: list[int] = []
    elements: dict[int, frozenset[int]] = {}
    for label, mentions in enumerate(chains):
        elements[label] = elements_of[label] & frozenset(kept)
        if mentions or elements[label]:
            kept.append(label)
        elif spare:
            kept.append(label)
            spare = False
    rng.shuffle(kept)
    index = {label: i for i, label in enumerate(kept)}
    return [
        (frozenset(chains[label]), frozenset(index[element] for element in elements[label]))
        for label in kept
    ]


def random_nonreferring(rng: Random, annotations: list[Annotation]) -> list[Mentions]:
    """Draw, for each annotator, non-referring mentions among those that only others refer with."""
    marked = [{m for mentions, _ in annotation for m in mentions} for annotation in annotations]
    everything: set[Mention] = set().union(*marked)
    return [frozenset(m for m in sorted(everything - own) if rng.random() < 0.5) for own in marked]
