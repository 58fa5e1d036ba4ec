"""The oracle of agreement against cases worked by hand, and against NLTK."""

from collections.abc import Callable
from fractions import Fraction
from itertools import combinations
from random import Random

import pytest
from nltk.metrics.agreement import AnnotationTask

from support.agreement_oracle import (
    DISTANCES,
    Accommodated,
    Annotation,
    Chain,
    Disagreement,
    DistanceName,
    Entity,
    Mention,
    Mentions,
    Row,
    Sums,
    Value,
    alpha,
    alpha_split,
    atoms,
    categories,
    cohen,
    confusion,
    credit,
    disagreement,
    disagreement_split,
    flatten,
    fleiss,
    items_of,
    nominal_alpha,
    percentage_agreement,
    random_annotations,
    random_nonreferring,
    rows_of,
    split_items,
    sums,
    values_of,
)

F = Fraction
NAMES: tuple[DistanceName, ...] = ("nominal", "passonneau", "jaccard", "dice", "masi")


def spans(*numbers: int) -> Mentions:
    """Mentions of one word each: number 7 is (7, 8)."""
    return frozenset((number, number + 1) for number in numbers)


def chain(*numbers: int, of: tuple[int, ...] = ()) -> Chain:
    return spans(*numbers), frozenset(of)


def accommodated(*elements: tuple[int, ...]) -> Accommodated:
    return frozenset(spans(*element) for element in elements)


def value(*numbers: int, of: Accommodated | None = None) -> Value:
    return Value(spans(*numbers), of)


def plain(entities: list[Entity]) -> list[tuple[list[int], list[list[int]] | None]]:
    """Entities as numbers, to compare them with what is written down in a table."""
    return [
        (
            sorted(start for start, _ in entity.mentions),
            None
            if entity.accommodated is None
            else sorted(sorted(start for start, _ in element) for element in entity.accommodated),
        )
        for entity in entities
    ]


# Flattening

FLATTENED = {
    "atomic": ([chain(2), chain(1, 3)], [([1, 3], None), ([2], None)]),
    "a set": (
        [chain(1), chain(2), chain(3, of=(0, 1))],
        [([1], None), ([2], None), ([3], [[1], [2]])],
    ),
    "nested": (
        [chain(1), chain(2), chain(3, of=(0, 1)), chain(4), chain(5, of=(2, 3))],
        [([1], None), ([2], None), ([3], [[1], [2]]), ([4], None), ([5], [[1], [2], [4]])],
    ),
    "equal sets": (
        [chain(1), chain(2), chain(3, of=(0, 1)), chain(4, of=(1, 0))],
        [([1], None), ([2], None), ([3, 4], [[1], [2]])],
    ),
    "equal after flattening": (
        [chain(1), chain(2), chain(3, of=(0, 1)), chain(4, of=(2,))],
        [([1], None), ([2], None), ([3, 4], [[1], [2]])],
    ),
    "a set without mentions passes its elements on": (
        [chain(1), chain(2), chain(of=(0, 1)), chain(4, of=(2,))],
        [([1], None), ([2], None), ([4], [[1], [2]])],
    ),
    "an element without mentions": (
        [chain(1), chain(), chain(3, of=(0, 1))],
        [([1], None), ([3], [[1]])],
    ),
    "equal without an element that has no mentions": (
        [chain(1), chain(), chain(3, of=(0, 1)), chain(4, of=(0,))],
        [([1], None), ([3, 4], [[1]])],
    ),
    "no element left": ([chain(), chain(3, of=(0,))], [([3], None)]),
    "equal sets with no element left": (
        [chain(), chain(3, of=(0,)), chain(4, of=(0,))],
        [([3], None), ([4], None)],
    ),
    "different sets with no element left": (
        [chain(), chain(), chain(3, of=(0,)), chain(4, of=(0, 1))],
        [([3], None), ([4], None)],
    ),
    "an element stays a set for others when it has lost its elements": (
        [chain(), chain(1), chain(3, of=(0,)), chain(4, of=(1, 2))],
        [([1], None), ([3], None), ([4], [[1]])],
    ),
}


@pytest.mark.parametrize("case", FLATTENED)
def test_sets_are_flattened_and_merged(case: str) -> None:
    annotation, entities = FLATTENED[case]

    assert plain(flatten(annotation)) == entities


# Distances

CREDITS = {
    "no set": (None, None, F(0)),
    "one set": (accommodated((1,)), None, F(0)),
    "equal": (accommodated((1, 5), (2,)), accommodated((2,), (1, 5)), F(1)),
    "disjoint": (accommodated((1,), (2,)), accommodated((3,), (4,)), F(0)),
    # One of two pairs: (1 + 0) / 2
    "one element of two": (accommodated((1,), (2,)), accommodated((1,)), F(1, 2)),
    # {1,5} and {2,3,4} with {2,4}: (1 + 2/3) / 2
    "part of an element": (
        accommodated((1, 5), (2, 3, 4)),
        accommodated((1, 5), (2, 4)),
        F(5, 6),
    ),
    # {1,2} with {1} or {2}: (1/2 + 1) / 3
    "an element divided": (accommodated((1, 2), (3,)), accommodated((1,), (2,), (3,)), F(1, 2)),
    # {1..5} with {1,2,3,6} is 3/6, and leaves 0 for {6} with {4,5};
    # {1..5} with {4,5} is 2/5, and leaves 1/4: (2/5 + 1/4) / 2
    "the best pair is not in the best assignment": (
        accommodated((1, 2, 3, 4, 5), (6,)),
        accommodated((1, 2, 3, 6), (4, 5)),
        F(13, 40),
    ),
}


@pytest.mark.parametrize("case", CREDITS)
def test_credit_of_two_sets(case: str) -> None:
    s, t, expected = CREDITS[case]

    assert credit(s, t) == expected
    assert credit(t, s) == expected


ONE, TWO = accommodated((1,)), accommodated((1,), (2,))

# The distances are in the order of NAMES.
DISTANCE_CASES = {
    "equal": (value(3, 4), value(3, 4), [F(0)] * 5),
    "empty": (value(), value(), [F(0)] * 5),
    "empty against items": (value(), value(3), [F(1)] * 5),
    "empty against a set": (value(), value(of=ONE), [F(1)] * 5),
    "disjoint": (value(3), value(4), [F(1)] * 5),
    # J = 2/4, Dice 4/6, M = 2/3
    "contained": (
        value(3, 4),
        value(3, 4, 5, 6),
        [F(1), F(1, 3), F(1, 2), F(1, 3), F(2, 3)],
    ),
    # J = 1/3, Dice 2/4, M = 1/3
    "overlapping": (value(3, 4), value(4, 5), [F(1), F(2, 3), F(2, 3), F(1, 2), F(8, 9)]),
    "equal sets": (value(3, of=TWO), value(3, of=TWO), [F(0)] * 5),
    "equal sets alone": (value(of=TWO), value(of=TWO), [F(0)] * 5),
    "items against a set": (value(3), value(of=TWO), [F(1)] * 5),
    # |A∩B| = 1, |A| = 1, |B| = 2: J = 1/2, Dice 2/3, M = 2/3
    "a set on one side": (
        value(3),
        value(3, of=TWO),
        [F(1), F(1, 3), F(1, 2), F(1, 3), F(2, 3)],
    ),
    # |A∩B| = 1 + 1/2, |A| = |B| = 2: J = 3/2 / 5/2, Dice 3/4, M = 1/3
    "half of a set": (
        value(3, of=ONE),
        value(3, of=TWO),
        [F(1), F(2, 3), F(2, 5), F(1, 4), F(4, 5)],
    ),
    # |A∩B| = 1/2, |A| = |B| = 1: J = 1/2 / 3/2, Dice 1/2, M = 1/3
    "half of a set alone": (
        value(of=ONE),
        value(of=TWO),
        [F(1), F(2, 3), F(2, 3), F(1, 2), F(8, 9)],
    ),
    # |A∩B| = 1 + 1, |A| = 2, |B| = 3: J = 2/3, Dice 4/5, M = 2/3
    "equal sets, items contained": (
        value(3, of=TWO),
        value(3, 4, of=TWO),
        [F(1), F(1, 3), F(1, 3), F(1, 5), F(5, 9)],
    ),
    # |A∩B| = 0 + 1, |A| = |B| = 2: J = 1/3, Dice 1/2, M = 1/3
    "equal sets, items disjoint": (
        value(3, of=TWO),
        value(4, of=TWO),
        [F(1), F(2, 3), F(2, 3), F(1, 2), F(8, 9)],
    ),
    "disjoint sets alone": (value(of=ONE), value(of=accommodated((2,))), [F(1)] * 5),
}


@pytest.mark.parametrize("case", DISTANCE_CASES)
def test_distances_of_two_values(case: str) -> None:
    a, b, expected = DISTANCE_CASES[case]

    assert [DISTANCES[name](a, b) for name in NAMES] == expected
    assert [DISTANCES[name](b, a) for name in NAMES] == expected


# Items and values


def test_items_are_marked_by_two_or_by_all() -> None:
    annotations = [[chain(1, 2), chain(4)], [chain(1), chain(2)], [chain(3), chain(1)]]

    assert items_of(annotations, "shared") == [(1, 2), (2, 3)]
    assert items_of(annotations, "common") == [(1, 2)]


def test_all_mentions_of_an_entity_have_its_set_and_elements_are_whole() -> None:
    annotation = [chain(1, 9), chain(2), chain(3, 4, of=(0, 1))]
    elements = accommodated((1, 9), (2,))

    values = values_of(annotation, spans(1, 2, 3, 4, 9))

    assert values == {
        (1, 2): value(1, 9),
        (9, 10): value(1, 9),
        (2, 3): value(2),
        (3, 4): value(3, 4, of=elements),
        (4, 5): value(3, 4, of=elements),
    }


def test_values_have_items_only() -> None:
    annotation = [chain(1, 9), chain(2), chain(3, 4, of=(0, 1)), chain(5, of=(1,))]

    values = values_of(annotation, spans(1, 4, 5))

    assert values == {
        (1, 2): value(1),
        (4, 5): value(4, of=accommodated((1,))),
        (5, 6): value(5),
    }


def test_sets_are_merged_before_they_are_restricted() -> None:
    annotation = [chain(1), chain(2), chain(3, of=(0,)), chain(4, of=(0, 1))]

    values = values_of(annotation, spans(1, 3, 4))

    # Both sets are {{1}} without mention 2, but they are two entities.
    assert values[3, 4] == value(3, of=ONE)
    assert values[4, 5] == value(4, of=ONE)


SPLIT = [chain(1), chain(2), chain(3, 4, of=(0, 1))]


@pytest.mark.parametrize(
    ("other", "items"),
    [
        ([chain(1), chain(2), chain(3), chain(4)], spans(3)),
        ([chain(1), chain(3)], spans(3)),
        # Mention 4 is an item, but not the first mention of the entity.
        ([chain(1), chain(2), chain(4)], spans()),
        # No element has an item.
        ([chain(3), chain(4)], spans()),
        ([chain(1), chain(2), chain(4, of=(0, 1)), chain(3)], spans(3, 4)),
        # Equal sets are one entity with one first mention.
        ([chain(1), chain(2), chain(3, of=(0, 1)), chain(4, of=(0, 1))], spans(3)),
    ],
)
def test_split_antecedent_items(other: Annotation, items: Mentions) -> None:
    annotations = [SPLIT, other]

    assert split_items(annotations, frozenset(items_of(annotations, "shared"))) == items


# α

DIVIDED = [[chain(1, 2, 3, 4)], [chain(1, 2), chain(3, 4)]]


@pytest.mark.parametrize(
    ("distance", "expected"),
    [
        # Values: A {1,2,3,4} four times; B {1,2} twice, {3,4} twice. With d = δ({1,2,3,4}, {1,2}):
        #   D_o = 4 · 2d / 8 = d
        #   D_e = (2·4·4·d + 2·2·2·1) / (8·7) = (4d + 1) / 7
        #   α = 1 - 7d / (4d + 1)
        ("nominal", F(-2, 5)),  # d = 1: 1 - 7/5
        ("passonneau", F(0)),  # d = 1/3: 1 - (7/3) / (7/3)
        ("jaccard", F(-1, 6)),  # d = 1 - 2/4: 1 - (7/2) / 3
        ("dice", F(0)),  # d = 1 - 4/6: as passonneau
        ("masi", F(-3, 11)),  # d = 1 - 1/2 · 2/3 = 2/3: 1 - (14/3) / (11/3)
    ],
)
def test_an_entity_divided(distance: DistanceName, expected: Fraction) -> None:
    assert alpha([DIVIDED], distance=distance) == expected


def test_an_entity_divided_into_singletons() -> None:
    annotations = [[chain(1, 2), chain(3, 4)], [chain(1, 2), chain(3), chain(4)]]

    # Items 3 and 4: δ({3,4}, {3}) = 1 - 1/2 · 2/3 = 2/3 in both orders. D_o = (8/3) / 8.
    # Pairs: {1,2} four times with four others, 16; {3,4} twice with {3} and {4}, 4 · 2/3;
    # {3} with {4}, 1.
    # D_e = 2 · (16 + 8/3 + 1) / (8·7) = 59/84.
    assert sums(annotations) == Sums(8, F(8, 3), F(118, 3), 0, F(0), F(0))
    assert disagreement([annotations]) == Disagreement(F(1, 3), F(59, 84))
    assert alpha([annotations]) == F(31, 59)


MISSING = [[chain(1, 2), chain(3, 4)], [chain(1, 2)], [chain(1), chain(3)]]
"""Mention 1 is marked by all, 2 by A and B, 3 by A and C, 4 by A alone."""


def test_missing_mentions_of_three_annotators() -> None:
    # Values: {1,2} four times (A and B), {3} twice (A and C), {1} once (C). n = 3 + 2 + 2 = 7.
    # Nominal: item 1 has 2 differing pairs of 3, in both orders 4 / (3 - 1) = 2. D_o = 2/7.
    #   4·2 + 4·1 + 2·1 = 14 pairs differ. D_e = 28 / 42. α = 1 - 3/7.
    assert sums(MISSING, distance="nominal")[:3] == (7, F(2), F(28))
    assert alpha([MISSING], distance="nominal") == F(4, 7)
    # MASI: δ({1,2}, {1}) = 2/3. D_o = 2 · 2/3 / 7 = 4/21.
    #   D_e = 2 · (8 + 4 · 2/3 + 2) / 42 = 38/63. α = 1 - 12/38.
    assert disagreement([MISSING]) == Disagreement(F(4, 21), F(38, 63))
    assert alpha([MISSING]) == F(13, 19)


def test_alpha_is_undefined_where_no_disagreement_is_expected() -> None:
    # Mention 1 is the only common item, and {1} is everyone's value.
    assert disagreement([MISSING], items="common") == Disagreement(F(0), F(0))
    assert alpha([MISSING], items="common") is None


@pytest.mark.parametrize("documents", [[], [[[chain(1)], [chain(2)]]], [[[], []]]])
def test_alpha_is_undefined_without_items(documents: list[list[Annotation]]) -> None:
    assert disagreement(documents) is None
    assert disagreement_split(documents) is None
    assert alpha(documents) is None
    assert alpha_split(documents) is None


def test_documents_are_weighted_by_their_values() -> None:
    # DIVIDED: n = 8, D_o = 2/3, D_e = 11/21. MISSING: n = 7, D_o = 4/21, D_e = 38/63.
    # D_o = (16/3 + 4/3) / 15 = 4/9. D_e = (88/21 + 38/9) / 15 = 106/189. α = 1 - 84/106.
    documents: list[list[Annotation]] = [DIVIDED, [[], []], MISSING]

    assert disagreement(documents) == Disagreement(F(4, 9), F(106, 189))
    assert alpha(documents) == F(11, 53)


HALF = [
    [chain(1), chain(2), chain(3, of=(0, 1))],
    [chain(1), chain(2), chain(3, of=(0,))],
]


@pytest.mark.parametrize(
    ("distance", "whole", "split"),
    [
        # The sets of item 3 have credit 1/2; d is the distance of "half of a set" above.
        # Values: {1} twice, {2} twice, two of item 3. n = 6.
        #   D_o = 2d / 6. Pairs: {1} with {2} 4, these with item 3 8, item 3 d.
        #   D_e = 2 · (12 + d) / 30. α = 1 - 5d / (12 + d)
        # Item 3 alone: D_o = 2d / 2. Each of its 2 values has 4 others at distance 1, one at d.
        #   D_e = 2 · (4 + d) / (2·5). α = 1 - 5d / (4 + d)
        ("nominal", F(8, 13), F(0)),  # d = 1
        ("passonneau", F(14, 19), F(2, 7)),  # d = 2/3
        ("jaccard", F(26, 31), F(6, 11)),  # d = 2/5
        ("dice", F(44, 49), F(12, 17)),  # d = 1/4
        ("masi", F(11, 16), F(1, 6)),  # d = 4/5
    ],
)
def test_half_of_a_split_antecedent(
    distance: DistanceName, whole: Fraction, split: Fraction
) -> None:
    assert alpha([HALF], distance=distance) == whole
    assert alpha_split([HALF], distance=distance) == split


def test_sums_of_split_antecedent_items() -> None:
    assert sums(HALF) == Sums(6, F(8, 5), F(128, 5), 2, F(8, 5), F(48, 5))


def test_split_antecedents_of_several_documents() -> None:
    # The second document: both annotators have the set; n = 6, values {1}, {2} and the set, twice.
    # Split-antecedent items: n 2 and 2, D_o 4/5 and 0, D_e 24/25 and (4 + 4) / (2·5) = 4/5.
    # D_o = 2/5, D_e = 22/25, α = 1 - 10/22. A document without sets changes nothing.
    documents = [HALF, [HALF[0], HALF[0]], DIVIDED]

    assert disagreement_split(documents) == Disagreement(F(2, 5), F(22, 25))
    assert alpha_split(documents) == F(6, 11)


def test_a_set_of_one_of_three_annotators() -> None:
    # A: {1}, {2}, {1}+{2} ⊕ {3}; B and C: {1}, {2}, {3}. n = 9.
    # Item 3 by MASI: δ({3}, {3} with a set) = 1 - 1/2 · 2/3 = 2/3; two of three pairs, in both
    # orders: 4 · 2/3 / 2 = 4/3. D_o = 4/27; for item 3 alone 4/9.
    # Pairs: {1} with {2} 9, these with item 3 18, inside item 3 2 · 2/3: 85/3.
    # D_e = 2 · 85/3 / 72 = 85/108. α = 1 - 16/85.
    # From item 3: 3 · 6 + 4 · 2/3 = 62/3. D_e = 62/3 / (3·8) = 31/36. α = 1 - 16/31.
    annotations = [HALF[0], [chain(1), chain(2), chain(3)], [chain(1), chain(2), chain(3)]]

    assert sums(annotations) == Sums(9, F(4, 3), F(170, 3), 3, F(4, 3), F(62, 3))
    assert alpha([annotations]) == F(69, 85)
    assert alpha_split([annotations]) == F(15, 31)


# Categories

A = categories([chain(1, 3), chain(2), chain(4, 5, of=(0, 1))], spans(6))
B = categories([chain(1, 3), chain(2), chain(4), chain(5), chain(6)])


def test_categories_of_mentions() -> None:
    by_number = {start: category for (start, _), category in A.items()}

    assert by_number == {1: "new", 2: "new", 3: "old", 4: "split", 5: "old", 6: "non-referring"}


def test_agreement_on_categories() -> None:
    rows = rows_of([A, B])

    # Mentions 1, 2, 3 agree: A_o = 3/6.
    assert percentage_agreement(rows, 0, 1) == F(1, 2)
    # A: 2 new, 2 old, 1 split, 1 non-referring; B: 5 new, 1 old. A_e = (2·5 + 2·1) / 36 = 1/3.
    assert cohen(rows, 0, 1) == F(1, 4)
    # Both: 7 new, 3 old, 1, 1. A_e = (49 + 9 + 1 + 1) / 144 = 5/12. κ = (1/12) / (7/12).
    assert fleiss(rows) == F(1, 7)
    # D_o = 1/2; D_e = 1 - (7·6 + 3·2) / (12·11) = 7/11. α = 1 - 11/14.
    assert nominal_alpha(rows) == F(3, 14)
    assert confusion(rows, 0, 1) == {
        ("new", "new"): 2,
        ("old", "old"): 1,
        ("split", "new"): 1,
        ("old", "new"): 1,
        ("non-referring", "new"): 1,
    }


def test_agreement_on_categories_with_missing_mentions() -> None:
    rows: list[Row] = [
        ("new", "new", "old"),
        ("old", None, "old"),
        ("split", "new", None),
        ("old", None, None),
    ]

    assert percentage_agreement(rows, 0, 1) == F(1, 2)
    assert percentage_agreement(rows, 1, 2) == F(0)
    assert fleiss(rows) is None
    # n = 3 + 2 + 2. Items: 4 / 2 = 2, 0, 2. D_o = 4/7.
    # 3 new, 3 old, 1 split: 2 · (9 + 3 + 3) = 30 of 42 pairs differ. α = 1 - 4/7 · 7/5.
    assert nominal_alpha(rows) == F(1, 5)


def test_items_of_categories_include_non_referring_mentions() -> None:
    tables = [categories([chain(1)], spans(2)), categories([chain(2)], spans(3)), categories([])]

    assert rows_of(tables) == [("non-referring", "new", None)]
    assert rows_of(tables, "common") == []


def test_a_mention_of_an_entity_is_not_non_referring() -> None:
    assert categories([chain(1)], spans(1)) == {(1, 2): "new"}


def test_agreement_on_categories_is_undefined_without_items_or_variation() -> None:
    same: list[Row] = [("new", "new"), ("new", "new")]

    assert percentage_agreement([], 0, 1) is None
    for rows in ([], same):
        assert cohen(rows, 0, 1) is None
        assert fleiss(rows) is None
        assert nominal_alpha(rows) is None


# NLTK

Label = frozenset[Mention]


def label_jaccard(a: Label, b: Label) -> Fraction:
    return 1 - F(len(a & b), len(a | b)) if a | b else F(0)


def label_dice(a: Label, b: Label) -> Fraction:
    return 1 - F(2 * len(a & b), len(a) + len(b)) if a | b else F(0)


def label_passonneau(a: Label, b: Label) -> Fraction:
    if a == b:
        return F(0)
    if not a & b:
        return F(1)
    return F(1, 3) if a < b or b < a else F(2, 3)


def label_masi(a: Label, b: Label) -> Fraction:
    return 1 - (1 - label_jaccard(a, b)) * (1 - label_passonneau(a, b))


LABEL_DISTANCES: dict[DistanceName, Callable[[Label, Label], Fraction]] = {
    "nominal": lambda a, b: F(int(a != b)),
    "passonneau": label_passonneau,
    "jaccard": label_jaccard,
    "dice": label_dice,
    "masi": label_masi,
}
SEEDS = range(60)


def close_to(value: Fraction | None) -> object:
    """The value, which must be defined, as NLTK computes it in floating point."""
    assert value is not None
    return pytest.approx(float(value), abs=1e-9)


@pytest.mark.parametrize("distance", NAMES)
def test_alpha_equals_that_of_nltk(distance: DistanceName) -> None:
    compared = 0
    for seed in SEEDS:
        annotations = random_annotations(Random(seed), 2 + seed % 3, sets=False)
        items = frozenset(items_of(annotations, "shared"))
        data = [
            (annotator, item, label.items)
            for annotator, annotation in enumerate(annotations)
            for item, label in values_of(annotation, items).items()
        ]

        ours = alpha([annotations], distance=distance)

        if ours is not None:
            theirs = AnnotationTask(data, LABEL_DISTANCES[distance]).alpha()
            assert theirs == close_to(ours)
            compared += 1
    assert compared > 40


def random_rows(seed: int, annotators: int) -> list[Row]:
    rng = Random(seed)
    annotations = random_annotations(rng, annotators)
    nonreferring = random_nonreferring(rng, annotations)
    return rows_of(
        [categories(*both) for both in zip(annotations, nonreferring, strict=True)], "common"
    )


def task_of(rows: list[Row]) -> AnnotationTask:
    return AnnotationTask(
        [
            (annotator, item, category)
            for item, row in enumerate(rows)
            for annotator, category in enumerate(row)
        ]
    )


def test_agreement_on_categories_equals_that_of_nltk() -> None:
    """NLTK has Fleiss' κ (1971) as multi-π; its multi-κ is that of Davies and Fleiss (1982)."""
    compared = 0
    for seed in SEEDS:
        rows = random_rows(seed, 2 + seed % 3)
        kappa = fleiss(rows)
        if kappa is None:
            continue
        task = task_of(rows)
        assert task.pi() == close_to(kappa)
        assert task.alpha() == close_to(nominal_alpha(rows))
        for a, b in combinations(range(len(rows[0])), 2):
            assert task.Ao(a, b) == close_to(percentage_agreement(rows, a, b))
            pair = cohen(rows, a, b)
            if pair is not None:
                assert task.kappa_pairwise(a, b) == close_to(pair)
        compared += 1
    assert compared > 30


def test_kappa_of_two_equals_that_of_nltk() -> None:
    compared = 0
    for seed in SEEDS:
        rows = random_rows(seed, 2)
        kappa = cohen(rows, 0, 1)
        if kappa is not None:
            assert task_of(rows).kappa() == close_to(kappa)
            assert task_of(rows).multi_kappa() == close_to(kappa)
            compared += 1
    assert compared > 30


# Random annotations


def is_nested(annotation: Annotation) -> bool:
    return any(annotation[element][1] for _, elements in annotation for element in elements)


def has_equal_sets(annotation: Annotation) -> bool:
    sets = [atoms(annotation, i) for i, (_, elements) in enumerate(annotation) if elements]
    return len(set(sets)) < len(sets)


def has_missing_mentions(annotations: list[Annotation]) -> bool:
    marked = [{m for mentions, _ in annotation for m in mentions} for annotation in annotations]
    return any(one != two for one, two in combinations(marked, 2))


FEATURES: dict[str, Callable[[list[Annotation]], bool]] = {
    "two annotators": lambda annotations: len(annotations) == 2,
    "four annotators": lambda annotations: len(annotations) == 4,
    "agreement": lambda annotations: alpha([annotations]) == 1,
    "disagreement": lambda annotations: (alpha([annotations]) or 0) < 0,
    "missing mentions": has_missing_mentions,
    "singletons": lambda annotations: any(
        len(mentions) == 1 for annotation in annotations for mentions, _ in annotation
    ),
    "entities without mentions": lambda annotations: any(
        not mentions for annotation in annotations for mentions, _ in annotation
    ),
    "nested sets": lambda annotations: any(is_nested(annotation) for annotation in annotations),
    "equal sets": lambda annotations: any(has_equal_sets(annotation) for annotation in annotations),
    "partial credit": lambda annotations: alpha_split([annotations]) not in {None, F(0), F(1)},
}


@pytest.mark.parametrize("feature", FEATURES)
def test_random_annotations_have_all_features(feature: str) -> None:
    drawn = [random_annotations(Random(seed)) for seed in SEEDS]

    assert sum(FEATURES[feature](annotations) for annotations in drawn) >= 5


@pytest.mark.parametrize("seed", SEEDS)
def test_random_annotations_are_valid(seed: int) -> None:
    annotations = random_annotations(Random(seed))

    assert annotations == random_annotations(Random(seed))
    assert 2 <= len(annotations) <= 4
    for annotation in annotations:
        mentions = [mention for chain, _ in annotation for mention in chain]
        assert len(set(mentions)) == len(mentions)
        assert sum(not chain and not elements for chain, elements in annotation) <= 1
        assert all(i not in elements for i, (_, elements) in enumerate(annotation))
        assert all(atoms(annotation, i) for i in range(len(annotation)))


def test_random_annotations_without_noise_agree() -> None:
    annotations = random_annotations(Random(1), 3, mentions=6, noise=0)

    assert has_missing_mentions(annotations) is False
    assert len(items_of(annotations, "common")) == 6
    assert sums(annotations).observed == 0


@pytest.mark.parametrize("seed", range(20))
def test_order_of_annotators_and_entities_does_not_matter(seed: int) -> None:
    rng = Random(seed)
    annotations = random_annotations(rng)
    mirrored = [
        [
            (mentions, frozenset(len(annotation) - 1 - element for element in elements))
            for mentions, elements in reversed(annotation)
        ]
        for annotation in reversed(annotations)
    ]

    assert sums(mirrored) == sums(annotations)
