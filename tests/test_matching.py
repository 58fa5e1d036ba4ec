"""Which mentions match: against an oracle that tries everything, and properties of all ways."""

import random
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore import Corpus, Document, Entity, Mention, Settings
from anascore.entities.normalisation import AllMentions
from anascore.entities.side import dependencies_for
from anascore.formats.columns import Dependencies
from anascore.matching import match_mentions, match_partly, match_zeros, only_identical_match
from anascore.model.mention import Place, Unit, Zero, is_within, shared_size
from anascore.settings import Convention, Match
from support.matching_oracles import Marked, match
from support.metric_oracles import Side
from support.notation import document
from support.strategies import pairs_of_sides

WAYS = [
    (way, zero_match)
    for way in ("exact", "partial", "head", "craft")
    for zero_match in ("linear", "dependent")
]
LENGTH = 6
UNITS: list[Unit] = [
    *((word + 1, 0) for word in range(LENGTH)),
    *((before, rank) for before in (2, 4) for rank in (1, 2)),
]
SENTENCE = 3
"""The position of the word that begins the second sentence."""

PARENTS: list[Unit | None] = [None, (1, 0), (4, 0), (2, 1)]


@st.composite
def mentions(draw: st.DrawFn) -> Marked:
    """Draw a mention over a few words and zeros, most often without gaps."""
    if draw(st.booleans()):
        first, last = sorted(draw(st.tuples(*[st.integers(1, LENGTH)] * 2)))
        units = frozenset((word, 0) for word in range(first, last + 1))
    else:
        units = draw(st.frozensets(st.sampled_from(UNITS), min_size=1, max_size=4))
    words = sorted(unit for unit in units if not unit[1])
    head = draw(st.sampled_from([None, *sorted(units)]))
    if len(units) == 1:
        (head,) = units
    if head is None or head[1]:
        minimum: frozenset[Unit] = frozenset({head} if head else ())
    elif draw(st.booleans()):
        minimum = frozenset({head})
    else:
        others = st.frozensets(st.sampled_from(words))
        minimum = draw(others) | {head}
    return Marked(units, minimum if len(units) > 1 else frozenset(), head)


def with_dependencies(side: Sequence[Marked], of: dict[Zero, Dependencies]) -> list[Marked]:
    """Give mentions that are zeros what their heads depend on."""
    found = []
    for mention in side:
        head = mention.head or min((u for u in mention.units if u[1]), default=None)
        said = of.get(head) if mention.is_zero and head else None
        found.append(
            mention._replace(sentence=said.sentence, dependencies=said.links) if said else mention
        )
    return found


def as_mention(marked: Marked) -> Mention:
    """Write a mention of the oracle as one of ours."""
    minimum = spans(marked.minimum)
    first = (minimum[0][0] + 1, 0) if minimum else None
    only = len(marked.units) == 1
    head = None if only or marked.head == first else marked.head
    zeros = tuple(sorted(unit for unit in marked.units if unit[1]))
    return Mention(spans(marked.units), zeros, minimum, head)


def spans(units: frozenset[Unit]) -> tuple[tuple[int, int], ...]:
    words = sorted(unit[0] - 1 for unit in units if not unit[1])
    starts = [word for word in words if word - 1 not in words]
    ends = [word + 1 for word in words if word + 1 not in words]
    return tuple(zip(starts, ends, strict=True))


# By first word, last word and number of words the spec puts mentions in order, and no further.
sides = st.lists(mentions(), max_size=5, unique_by=lambda marked: marked.order[:3])
dependencies = st.fixed_dictionaries(
    {},
    optional={
        unit: st.builds(
            Dependencies,
            st.just(0 if unit[0] < SENTENCE else SENTENCE),
            st.frozensets(
                st.tuples(st.sampled_from(PARENTS), st.sampled_from(["nsubj", "obj"])),
                min_size=1,
                max_size=3,
            ),
        )
        for unit in UNITS
        if unit[1]
    },
)


def matched(
    key: Sequence[Mention],
    response: Sequence[Mention],
    way: str,
    zero_match: str,
    *of: dict[Zero, Dependencies],
) -> list[tuple[int, int]]:
    settings: Any = {"match": way, "zero_match": zero_match}
    of_key, of_response = of or ({}, {})
    return match_mentions(
        AllMentions(key, of_key), AllMentions(response, of_response), Settings(**settings)
    )


@pytest.mark.parametrize(("way", "zero_match"), WAYS)
@given(key=sides, response=sides, of_key=dependencies, of_response=dependencies)
def test_oracle(
    *, way: str, zero_match: str, key: Any, response: Any, of_key: Any, of_response: Any
) -> None:
    expected = match(
        with_dependencies(key, of_key), with_dependencies(response, of_response), way, zero_match
    )

    ours = [as_mention(marked) for marked in key], [as_mention(marked) for marked in response]
    found = matched(*ours, way, zero_match, of_key, of_response)

    assert expected == set(found)


@pytest.mark.parametrize(
    ("key", "response", "is_matched"),
    [
        ("1-2+4:2", "1-2", True),
        ("1-2+4:2", "1-2+4", True),
        ("1-2+4:2", "2+4", True),
        ("1-2+4:2", "1+4", False),
        ("1-2+4:2", "2-3", False),
        ("1-2+4:2", "2+4.1", False),
        ("1-2+4-6:2+4", "2+4", True),
        ("1-2+4-6:2+4", "1+4", False),
        ("1-2+2.1:2", "1-2", True),
        ("1-4:2.1", "1-3", False),
    ],
)
def test_a_mention_with_gaps_or_zeros_is_matched_partly(
    key: str,
    response: str,
    is_matched: bool,  # noqa: FBT001
) -> None:
    """The response must have the words or the zero after the colon, and no more than the key."""
    own, other = ([*document(text).entities[0].mentions] for text in (key, response))

    assert matched(own, other, "partial", "linear") == [(0, 0)] * is_matched


@pytest.mark.parametrize(("way", "zero_match"), WAYS)
@given(key=sides, response=sides, of=dependencies, rng=st.randoms())
def test_one_to_one_in_any_order(
    *, way: str, zero_match: str, key: Any, response: Any, of: Any, rng: random.Random
) -> None:
    def pairs(key: list[Mention], response: list[Mention]) -> set[tuple[Place, Place]]:
        found = matched(key, response, way, zero_match, of, of)
        for side in (0, 1):
            assert len({pair[side] for pair in found}) == len(found)
        return {(key[k].place, response[r].place) for k, r in found}

    ours = [as_mention(marked) for marked in key], [as_mention(marked) for marked in response]

    assert pairs(*ours) == pairs(*(rng.sample(side, len(side)) for side in ours))


@pytest.mark.parametrize(("way", "zero_match"), WAYS)
@given(side=sides, of=dependencies)
def test_all_mentions_match_themselves(way: str, zero_match: str, side: Any, of: Any) -> None:
    ours = [as_mention(marked) for marked in side]

    found = matched(ours, ours, way, zero_match, of, of)

    assert sorted(found) == [(position, position) for position in range(len(ours))]


def test_what_mentions_share() -> None:
    a, b = Mention(((0, 3), (5, 9)), ((3, 1),)), Mention(((2, 6), (8, 10)), ((3, 1), (3, 2)))

    assert shared_size(a, b) == shared_size(b, a) == 1 + 1 + 1 + 1
    assert is_within(Mention(((6, 8),), ((3, 1),)), a)
    assert not is_within(Mention(((6, 8),), ((3, 2),)), a)


@pytest.mark.parametrize("way", ["partial", "head", "craft"])
def test_a_crowd_of_mentions_that_overlap_is_matched(way: str) -> None:
    rng = random.Random(7)
    places = list(product(range(2_000), (2, 3, 4)))
    key = [
        Mention(((start, start + size),), minimum=((start + 1, start + 2),))
        for start, size in rng.sample(places, 3_000)
    ]
    response = [
        Mention(
            ((start + rng.randint(0, 1), max(start + 2, end - rng.randint(0, 1))),),
            minimum=mention.minimum,
        )
        for mention in key
        for start, end in mention.words
    ]
    response = list({mention.place: mention for mention in response}.values())

    found = matched(key, response, way, "linear")

    assert len(found) > 2_000


def spread(side: Side, rng: random.Random | None, *, leads: bool) -> Corpus:
    """Write numbers as mentions of three words, of which a response may lose the outer ones.

    A side that leads has a mention before all others, of an entity of its own.
    """

    def place(number: int) -> Mention:
        cut, until = (rng.randint(0, 1), rng.randint(0, 1)) if rng else (0, 0)
        start, end = 3 * number + 3 + cut, 3 * number + 6 - until
        return Mention(((start, end),), minimum=((3 * number + 4, 3 * number + 5),))

    entities = [
        Entity([place(number) for number in sorted(mentions)], tuple(elements))
        for mentions, elements in side
    ]
    entities += [Entity([Mention(((0, 1),))])] if leads else []
    return Corpus({"d": Document("d", ["w"] * 60, entities)})


# The side that comes first in the text decides ties between alignments of sets. Mentions that lose
# words could change which one that is, so one side leads by a mention that loses none.
@pytest.mark.parametrize("way", ["partial", "head", "craft"])
@pytest.mark.parametrize("convention", ["paper", "ua"])
@given(pair=pairs_of_sides(), key_leads=st.booleans(), rng=st.randoms(use_true_random=False))
def test_metrics_and_sets_see_only_which_mentions_match(
    *,
    way: Match,
    convention: Convention,
    pair: tuple[Side, Side],
    key_leads: bool,
    rng: random.Random,
) -> None:
    key, response = spread(pair[0], None, leads=key_leads), pair[1]
    whole = spread(response, None, leads=not key_leads)
    cut = spread(response, rng, leads=not key_leads)

    exact = anascore.score(key, whole, convention=convention)
    result = anascore.score(key, cut, convention=convention, match=way)

    assert {**exact.scores, "mor": result["mor"]} == result.scores
    assert exact.split_only == result.split_only


def test_the_smaller_of_two_mentions_is_matched_partly() -> None:
    key = {0: Mention(((0, 5),), minimum=((2, 3),)), 1: Mention(((1, 4),), minimum=((2, 3),))}

    assert match_partly(key, {7: Mention(((2, 3),))}) == [(1, 7)]


def test_zeros_match_by_the_dependencies_of_their_heads() -> None:
    first, second = (1, 1), (1, 2)
    dependencies = {
        first: Dependencies(0, frozenset({((1, 0), "nsubj")})),
        second: Dependencies(0, frozenset({((2, 0), "obj")})),
    }
    single = {0: Mention((), (second,)), 1: Mention((), (first,))}
    without_head, with_head = Mention((), (first, second)), Mention((), (first, second), (), second)

    assert match_zeros({0: without_head}, single, dependencies, dependencies) == [(0, 1)]
    assert match_zeros({0: with_head}, single, dependencies, dependencies) == [(0, 0)]


def test_zeros_of_a_language_model_depend_on_the_same_words_as_those_of_the_key() -> None:
    key = document("1.1,2.1 3", deps={"1.1": "1:nsubj", "2.1": "3:obj"})
    own = {
        (1, 1): Dependencies(0, frozenset({((1, 0), "nsubj")})),
        (2, 1): Dependencies(0, frozenset({((3, 0), "obj")})),
    }
    without_table = Document("d", key.words, (), zeros=[(1, 1), (3, 1)])
    rewritten = replace(without_table, rewritten=True)
    settings = Settings(zero_match="dependent")

    assert dependencies_for(key, key, settings) == own
    assert dependencies_for(rewritten, key, settings) == {(1, 1): own[1, 1]}
    assert dependencies_for(without_table, key, settings) == {}
    assert dependencies_for(replace(key, rewritten=True), without_table, settings) == own
    assert dependencies_for(key, key, Settings()) == {}


@pytest.mark.parametrize(("way", "zero_match"), WAYS)
def test_mentions_match_others_by_ways_or_by_dependencies(way: Any, zero_match: Any) -> None:
    settings = Settings(match=way, zero_match=zero_match)

    assert only_identical_match(settings) == ((way, zero_match) == ("exact", "linear"))
