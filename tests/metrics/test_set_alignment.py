"""Alignment of accommodated sets that share elements."""

import random
from fractions import Fraction

import pytest

from anascore import Settings
from anascore.assignment import Cell
from anascore.entities.normalisation import normalise
from anascore.layers.document import compare_sides
from anascore.metrics import ceaf
from anascore.metrics.blanc import blanc_coref
from anascore.metrics.lea import lea
from anascore.metrics.metric import align_sets, count_metric, mean_f1
from anascore.metrics.overlap import ComparedSides, Overlap
from anascore.metrics.scores import METRICS
from anascore.model.document import Entity
from anascore.model.mention import Mention
from anascore.model.ratio import Ratio, Score, averaged
from anascore.settings import Convention
from support.documents import document_of
from support.metric_oracles import oracle, oracle_split_only
from support.notation import document
from support.strategies import Entities, random_tied_side


def _word(number: int) -> Mention:
    return Mention(((number, number + 1),))


def compare(key: Entities, response: Entities) -> ComparedSides:
    sides = [normalise(entities, Settings()) for entities in (key, response)]
    return compare_sides(sides[0], sides[1], Settings())


@pytest.mark.parametrize("convention", ["paper", "ua"])
@pytest.mark.parametrize("seed", range(6))
def test_pairs_of_sets_that_tie_equal_the_oracle(seed: int, convention: Convention) -> None:
    rng = random.Random(seed)
    for _ in range(4):
        key, response = random_tied_side(rng), random_tied_side(rng)
        choices = Settings(convention=convention)
        sides = [normalise(document_of(side).entities, choices) for side in (key, response)]

        tables = compare_sides(sides[0], sides[1], choices).overlaps
        counted = {name: count_metric(METRICS[name], tables, choices) for name in METRICS}

        scores = {name: averaged(counted[name].scores) for name in METRICS}
        assert scores == oracle(key, response, convention=convention), (key, response)
        sets = {name: averaged(counted[name].split_only or ()) for name in METRICS}
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


@pytest.mark.parametrize("case", ALIGNMENTS)
def test_alignment(case: str) -> None:
    metric, key, response, expected = ALIGNMENTS[case]
    sides = [[*document(text, words=26).entities] for text in (key, response)]

    aligned = align_sets(METRICS[metric].rows, compare(sides[0], sides[1]).overlaps)

    assert {cell: mean_f1(pair.counted) for cell, pair in aligned.items()} == expected


def test_sets_without_coreference_links_earn_the_credits_of_other_links() -> None:
    key, response = ([*document(text).entities] for text in ("a b c (abc)d", "a b c (ab)d"))

    aligned = align_sets(METRICS["blanc"].rows, compare(key, response).overlaps)

    assert aligned[3, 3].credits == [Score(Fraction(1, 3), Fraction(1), Fraction(1, 2))] * 2


def test_a_set_has_no_coreference_links_to_mentions_that_are_not_shared() -> None:
    overlap_of_entities = Overlap([2], [1], [2], {}, {(0, 0): Fraction(1, 2)})

    assert blanc_coref(overlap_of_entities) == Ratio(0, 1)
    assert lea(overlap_of_entities) == Ratio(0, 2)


def test_ceaf_aligns_by_parts_of_the_whole_where_sets_have_credit() -> None:
    similarity: ceaf.Similarity = {(0, 0): (Fraction(1, 2), 2), (0, 1): (Fraction(1, 2), 1)}

    assert ceaf.aligned(similarity) == {(0, 1): (Fraction(1, 2), 1)}


def test_the_most_similar_of_many_sets_is_found() -> None:
    """A set in the middle has both elements of the response's only set, all others have one."""
    elements: Entities = [Entity([_word(number)]) for number in range(140)]
    sets = [Entity([_word(200 + number)], [0, number]) for number in range(1, 140)]

    tables = compare([*elements, *sets], [*elements, sets[69]]).overlaps
    aligned = align_sets(METRICS["b3"].rows, tables)

    assert {cell: mean_f1(pair.counted) for cell, pair in aligned.items()} == {(209, 140): 1}
