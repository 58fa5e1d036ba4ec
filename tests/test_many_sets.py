"""Documents with very many pairs of sets, counted as if there were few."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import anascore
from anascore import Corpus, Document, Settings
from anascore.assignment import Cell, many_ties
from anascore.assignment.large import Indices, candidates_in_matrix
from anascore.layers.pair import compare_sides
from anascore.metrics import METRICS, ceaf, many_sets, overlap
from anascore.metrics.blanc import blanc_coref
from anascore.metrics.compare import (
    MetricCounts,
    align_sets,
    count_elements,
    count_metric,
    mean_f1,
    similarity,
)
from anascore.metrics.lea import lea
from anascore.metrics.many_sets import ManySets
from anascore.metrics.overlap import Overlap, SidePair
from anascore.model.document import Entity, RelationName
from anascore.model.mention import Mention
from anascore.model.ratio import Ratio, Score, averaged
from anascore.prepare.normalise import normalise
from anascore.settings import Convention
from documents import document_of
from notation import corpora, document
from oracles import oracle, oracle_split_only
from strategies import Entities, random_tied_side


def random_entities(rng: random.Random) -> Entities:
    """Make entities of some of 24 words, and sets and results that share many elements."""
    words = rng.sample(range(24), 18)
    sizes = rng.choice([[1], [1], [2], [4], [1, 2], [1, 2, 3]])
    starts = [*accumulate(rng.choices(sizes, k=12), initial=0)]
    atoms = [words[a:b] for a, b in pairwise(starts) if b <= 12]
    entities: Entities = [Entity([_word(w) for w in sorted(own)]) for own in atoms]
    for anaphor in words[12:]:
        elements = rng.sample(range(len(atoms)), rng.randint(1, min(4, len(atoms))))
        relation: RelationName = rng.choice(["set", "set", "result"])
        entities.append(Entity([_word(anaphor)], sorted(elements), relation=relation))
    return entities


def _word(number: int) -> Mention:
    return Mention(((number, number + 1),))


def pairs() -> st.SearchStrategy[tuple[Entities, Entities]]:
    return st.randoms(use_true_random=False).map(random_pair)


def random_pair(rng: random.Random) -> tuple[Entities, Entities]:
    """Make two sides that are equal, that differ in elements, or that have little in common."""
    key = random_entities(rng)
    if rng.random() < 0.3:
        return key, random_entities(rng)
    response = [
        replace(e, elements=[x for x in e.elements if rng.random() < 0.8]) if e.elements else e
        for e in key
    ]
    return key, response


@contextmanager
def limits(*, many: int, small: int, chunk: int, sparse: float, bits: int) -> Iterator[None]:
    """Change the limits that decide how pairs of sets are counted."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(overlap, "MANY", many)
        patch.setattr(many_sets, "SMALL", small)
        patch.setattr(many_sets, "CHUNK", chunk)
        patch.setattr(many_sets, "SPARSE", sparse)
        patch.setattr(many_sets, "EXACT_BITS", bits)
        patch.setattr(many_sets, "LISTED", 0.5)
        patch.setattr(many_ties, "LISTED", 2)
        yield


def compare(
    key: Entities, response: Entities, *, doubled: Literal["first", "all"] = "first"
) -> SidePair:
    choices = Settings(doubled=doubled)
    sides = [normalise(entities, choices) for entities in (key, response)]
    return compare_sides(sides[0], sides[1], choices)


def counts(sides: SidePair) -> dict[tuple[str, str], MetricCounts]:
    return {
        (name, convention): count_metric(metric, sides.tables, Settings(convention=convention))
        for name, metric in METRICS.items()
        for convention in ("paper", "ua")
    }


@pytest.mark.parametrize("small", [0, 9])
@pytest.mark.parametrize(
    ("chunk", "sparse", "bits"), [(4_000_000, 0.01, 52), (1, 0.0, 4), (7, 2.0, 4)]
)
@settings(max_examples=40)
@given(pairs())
def test_many_pairs_of_sets_are_counted_as_few_are(
    small: int, chunk: int, sparse: float, bits: int, pair: tuple[Entities, Entities]
) -> None:
    slow = counts(compare(*pair))

    with limits(many=0, small=small, chunk=chunk, sparse=sparse, bits=bits):
        fast = counts(compare(*pair))

    assert fast == slow


def with_repetitions(rng: random.Random, entities: Entities) -> Entities:
    """Add mentions of entities to others, which may be elements of the same set."""
    repeated = list(entities)
    for _ in range(rng.randint(1, 3)):
        origin, target = rng.sample(range(len(entities)), 2)
        mention = rng.choice([*entities[origin].mentions])
        others = [m for m in repeated[target].mentions if m != mention]
        repeated[target] = replace(repeated[target], mentions=[*others, mention])
    return [*repeated, Entity([rng.choice([*entities[0].mentions])])]


@pytest.mark.parametrize("small", [0, 9])
@settings(max_examples=100)
@given(rng=st.randoms(use_true_random=False))
def test_many_pairs_of_sets_with_repeated_mentions_are_counted_as_few_are(
    small: int, rng: random.Random
) -> None:
    pair = random_pair(rng)
    key, response = with_repetitions(rng, pair[0]), with_repetitions(rng, pair[1])
    slow = counts(compare(key, response, doubled="all"))

    with limits(many=0, small=small, chunk=7, sparse=0.01, bits=52):
        fast = counts(compare(key, response, doubled="all"))

    assert fast == slow


@pytest.mark.parametrize(
    ("repeated", "many", "is_many"),
    [
        ((0, 1), 0, False),
        ((0, 2), 0, True),
        ((2, 3), 0, True),
        ((2, 3), 1, True),
        ((2, 3), 2, False),
    ],
)
def test_pairs_count_one_by_one_if_few_or_if_a_mention_is_in_two_elements_of_a_set(
    repeated: tuple[int, int], many: int, *, is_many: bool
) -> None:
    """Of the entities a, b, c and {a, b}, two have the last word in common."""
    mentions = [[_word(number)] for number in range(4)]
    for number in repeated:
        mentions[number].append(_word(4))
    entities: Entities = [*map(Entity, mentions[:3]), Entity(mentions[3], [0, 1])]

    with limits(many=many, small=0, chunk=9, sparse=0, bits=52):
        tables = compare(entities, entities, doubled="all").tables

    assert tables.intersections is not None
    assert (tables.many_sets is not None) == is_many
    assert (tables.intersections.many_sets is not None) == is_many


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("chunk", "sparse", "bits"), [(1, 0.0, 4), (7, 2.0, 52)])
def test_many_pairs_of_sets_in_a_document(seed: int, chunk: int, sparse: float, bits: int) -> None:
    """The same for single documents, which is fast enough for mutation testing."""
    pair = random_pair(random.Random(seed))
    slow = counts(compare(*pair))

    with limits(many=0, small=0, chunk=chunk, sparse=sparse, bits=bits):
        fast = counts(compare(*pair))

    assert fast == slow


@pytest.mark.parametrize("convention", ["paper", "ua"])
@pytest.mark.parametrize("seed", range(6))
def test_many_pairs_of_sets_that_tie_equal_the_oracle(seed: int, convention: Convention) -> None:
    rng = random.Random(seed)
    for _ in range(4):
        key, response = random_tied_side(rng), random_tied_side(rng)
        choices = Settings(convention=convention)
        sides = [normalise(document_of(side).entities, choices) for side in (key, response)]

        with limits(many=0, small=0, chunk=9, sparse=0.01, bits=52):
            tables = compare_sides(sides[0], sides[1], choices).tables
            many = {name: count_metric(METRICS[name], tables, choices) for name in METRICS}

        scores = {name: averaged(many[name].scores) for name in METRICS}
        assert scores == oracle(key, response, convention=convention), (key, response)
        sets = {name: averaged(many[name].split_only or ()) for name in METRICS}
        assert sets == oracle_split_only(key, response, convention=convention), (key, response)


ATOMS = "a b c d e f g h"

ALIGNMENTS: dict[str, tuple[str, str, str, dict[Cell, Fraction]]] = {
    "the key comes first, so its first set has the first partner that it can have": (
        "b3",
        f"{ATOMS} (ac)i (bd)j",
        f"{ATOMS} (dgh)m (cef)n (ab)o",
        {(8, 9): Fraction(2, 5), (9, 10): Fraction(1, 2)},
    ),
    "the response comes first, so its first set has a partner": (
        "b3",
        f"{ATOMS} (ac)p (bd)q",
        f"{ATOMS} (dgh)m (cef)n (ab)o",
        {(8, 10): Fraction(1, 2), (9, 8): Fraction(2, 5)},
    ),
    "sets without coreference links on both sides are compared by other links alone": (
        "blanc",
        "a b c de (ab)y (abc)z",
        "ae b c d (abc)w (bcd)x",
        {(4, 4): Fraction(1, 6), (5, 5): Fraction(1, 3)},
    ),
    "the same with the sides swapped": (
        "blanc",
        "ae b c d (abc)w (bcd)x",
        "a b c de (ab)y (abc)z",
        {(4, 4): Fraction(1, 6), (5, 5): Fraction(1, 3)},
    ),
    "of b, c and d, which are connected by mentions in common, both sides separate c and d": (
        "blanc",
        "ae bd c f (bc)x",
        "a bc d ef (abd)w",
        {(4, 4): Fraction(1, 7)},
    ),
    "mentions of two elements in one element of the other side: precision is lower than recall": (
        "b3",
        "ad be c f (bcf)x",
        "a bd c ef (ae)w (abc)z",
        {(4, 5): Fraction(3, 8)},
    ),
    "two sets of as many shared mentions, of which one pair has them all in one element": (
        "blanc",
        "ae bd c f (ac)ux (af)y",
        "ace b d f (bdf)v (adf)w (df)z",
        {(5, 5): Fraction(17, 36)},
    ),
    "elements that are the first entities of the key, and the last of the response": (
        "b3",
        "c d (cd)e",
        "a b c d (cd)e",
        {(2, 4): Fraction(1)},
    ),
    "sets of large elements that share little: F1 is 2/5 without g or h, and 1/3 with them": (
        "ceafe",
        "abmn cd g h (a)x (cg)y (ch)z",
        "abcdkl (a)w",
        {(4, 1): Fraction(2, 5)},
    ),
}
"""Metric, key, response, and the mean F1 of aligned sets."""


@pytest.mark.parametrize(("many", "small"), [(0, 0), (0, many_sets.SMALL), (overlap.MANY, 0)])
@pytest.mark.parametrize("case", ALIGNMENTS)
def test_alignment(case: str, many: int, small: int) -> None:
    metric, key, response, expected = ALIGNMENTS[case]
    sides = [[*document(text, words=26).entities] for text in (key, response)]

    with limits(many=many, small=small, chunk=9, sparse=0.01, bits=52):
        aligned = align_sets(METRICS[metric].rows, compare(sides[0], sides[1]).tables)

    assert {cell: mean_f1(pair.counted) for cell, pair in aligned.items()} == expected


@pytest.mark.parametrize("many", [0, overlap.MANY])
def test_sets_without_coreference_links_earn_the_credits_of_other_links(many: int) -> None:
    key, response = ([*document(text).entities] for text in ("a b c (abc)d", "a b c (ab)d"))

    with limits(many=many, small=0, chunk=9, sparse=0.01, bits=52):
        aligned = align_sets(METRICS["blanc"].rows, compare(key, response).tables)

    assert aligned[3, 3].credits == [Score(Fraction(1, 3), Fraction(1), Fraction(1, 2))] * 2


def test_very_many_pairs_are_not_counted_to_see_if_there_are_any(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(overlap, "MANY", 0)
    monkeypatch.setattr(ManySets, "__len__", lambda _: pytest.fail("counted"))
    entities = [*(Entity([_word(n)]) for n in range(3)), Entity([_word(3)], [0, 1])]
    sides = compare(entities, entities)

    aligned = align_sets(METRICS["b3"].rows, sides.tables)

    assert sides.tables.many_sets is not None
    assert [*aligned] == [(3, 3)]


def test_a_set_has_no_coreference_links_to_mentions_that_are_not_shared() -> None:
    overlap_of_entities = Overlap([2], [1], [2], {}, {(0, 0): Fraction(1, 2)})

    assert blanc_coref(overlap_of_entities) == Ratio(0, 1)
    assert lea(overlap_of_entities) == Ratio(0, 2)


def test_ceaf_aligns_by_parts_of_the_whole_where_sets_have_credit() -> None:
    similarity: ceaf.Similarity = {(0, 0): (Fraction(1, 2), 2), (0, 1): (Fraction(1, 2), 1)}

    assert ceaf.aligned(similarity) == {(0, 1): (Fraction(1, 2), 1)}


@pytest.mark.parametrize("chunk", [1, many_sets.CHUNK])
def test_the_most_similar_of_many_sets_is_found(chunk: int) -> None:
    """A set in the middle has both elements of the response's only set, all others have one."""
    elements: Entities = [Entity([_word(number)]) for number in range(140)]
    sets = [Entity([_word(200 + number)], [0, number]) for number in range(1, 140)]

    with limits(many=0, small=0, chunk=chunk, sparse=0.01, bits=52):
        tables = compare([*elements, *sets], [*elements, sets[69]]).tables
        aligned = align_sets(METRICS["b3"].rows, tables)

    assert {cell: mean_f1(pair.counted) for cell, pair in aligned.items()} == {(209, 140): 1}


def test_sums_of_large_integers_are_exact() -> None:
    """Each of three elements adds an integer with more digits than a floating-point number."""
    elements, shared = {0: (0, 1, 2)}, {(n, n): 1 for n in range(3)}
    alone = {0: Overlap((1, 1, 1), (1, 1, 1), (), {})}
    parts = many_sets._Parts.of(elements, elements, shared, (alone, alone))
    large = 2**120 - 1

    assert len(parts.kinds) == 1
    assert parts.exactly_at([large], np.array([0]), np.array([0])) == [3 * large]


@pytest.mark.parametrize(
    ("many", "small", "dense", "in_matrix"),
    [
        (2, 6, 50, False),
        (2, 5, 50, True),
        (2, 5, 2, True),
        (2, 5, 1.9, False),
        (2, 7, 2, False),
        (3, 5, 50, False),
    ],
)
def test_pairs_and_shared_elements_decide_about_the_matrix(
    monkeypatch: pytest.MonkeyPatch,
    many: int,
    small: int,
    dense: float,
    in_matrix: bool,  # noqa: FBT001
) -> None:
    """Two and three sets make six pairs, which share a once and c twice."""
    key, response = "a b c d (ab)e (bc)f", "a b c d (a)e (c)f (cd)g"
    solved: list[int] = []

    def solve(weights: many_sets.Floats) -> tuple[Indices, Indices]:
        solved.append(weights.size)
        return candidates_in_matrix(weights)

    monkeypatch.setattr(overlap, "MANY", many)
    monkeypatch.setattr(many_sets, "SMALL", small)
    monkeypatch.setattr(many_sets, "DENSE", dense)
    monkeypatch.setattr(many_sets, "candidates_in_matrix", solve)

    assert anascore.score(*corpora(key, response), metrics="b3")["b3"] == pytest.approx(
        (Fraction(25, 32), Fraction(4, 5), Fraction(200, 253))
    )
    assert solved == [6] * in_matrix


@pytest.mark.parametrize("seed", range(6))
def test_many_pairs_of_sets_are_explained_in_a_document(seed: int) -> None:
    """As the next test, but fast enough for mutation testing."""
    key, response = (corpus(entities) for entities in random_pair(random.Random(seed)))
    slow = anascore.explain(key, response).to_dict()

    with limits(many=0, small=0, chunk=9, sparse=0.01, bits=52):
        fast = anascore.explain(key, response).to_dict()

    assert fast == slow


@pytest.mark.parametrize("small", [0, 9])
@settings(max_examples=40)
@given(pairs())
def test_many_pairs_of_sets_are_explained_as_few_are(
    small: int, pair: tuple[Entities, Entities]
) -> None:
    key, response = (corpus(entities) for entities in pair)
    slow = anascore.explain(key, response).to_dict()

    with limits(many=0, small=small, chunk=9, sparse=0.01, bits=52):
        fast = anascore.explain(key, response).to_dict()

    assert fast == slow


@pytest.mark.parametrize("near", [many_sets.NEAR, 2])
@pytest.mark.parametrize("seed", range(8))
def test_the_most_similar_set_that_is_no_partner(
    monkeypatch: pytest.MonkeyPatch, seed: int, near: float
) -> None:
    """All pairs that are near the best one are compared exactly; the first of equal ones counts."""
    rng = random.Random(seed)
    pair = random_pair(rng)
    few = compare(*pair).tables.pairs_of_sets
    partners = {i: j for i, j in few if rng.random() < 0.3}
    monkeypatch.setattr(many_sets, "NEAR", near)

    for rows in (metric.rows for metric in METRICS.values()):
        best: dict[int, tuple[int, Fraction]] = {}
        for (i, j), overlaps in few.items():
            value = similarity(mean_f1(count_elements(rows, overlaps)), few, (i, j))
            if value > best.get(i, (0, 0))[1] and partners.get(i) != j:
                best[i] = j, value
        with limits(many=0, small=0, chunk=9, sparse=0.01, bits=52):
            tables = compare(*pair).tables
            assert tables.many_sets
            assert tables.many_sets.next_best(rows, partners) == best


def test_equal_sets_of_one_mention_are_most_similar_by_a_metric_that_finds_no_links() -> None:
    side = [*document("a b (a)c (ab)d").entities]

    with limits(many=0, small=0, chunk=9, sparse=0.01, bits=52):
        many = compare(side, side).tables.many_sets
        assert many
        similar = many.next_best(METRICS["blanc"].rows, {})

    assert similar == {2: (2, Fraction(1)), 3: (3, Fraction(1))}


def corpus(entities: Entities) -> Corpus:
    return Corpus({"d": Document("d", ["w"] * 24, entities)}, "test")


@given(pairs())
def test_many_pairs_of_sets_are_made_when_asked_for(pair: tuple[Entities, Entities]) -> None:
    few = compare(*pair).tables.pairs_of_sets

    with limits(many=0, small=0, chunk=9, sparse=0, bits=52):
        tables = compare(*pair).tables
    many = tables.pairs_of_sets

    assert list(many.items()) == list(few.items())
    assert len(many) == len(few)
    assert isinstance(many, ManySets) or not few
    assert tables.many_sets is (many if isinstance(many, ManySets) else None)
    for cell in ((i, j) for i in tables.key_sets for j in tables.response_sets):
        assert (cell in many) == (cell in few)
