"""What is scored beside entities: mentions, classes of anaphors, bridging, non-referring ones."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linear_sum_assignment

import anascore
from anascore import Bridge, Document, Entity, Mention, NonReferring, assignment
from anascore.entities.document import PreparedDocument
from anascore.entities.side import Side
from anascore.layers.bridging import Link, compare_links
from anascore.layers.counts import LayerCounts
from anascore.layers.document import pair_of
from anascore.layers.non_referring import non_referring_types
from anascore.layers.registry import LAYERS
from anascore.metrics.mentions import (
    decomposable,
    most_shared,
    overlap_ratio,
)
from anascore.model.mention import shared_size
from anascore.model.ratio import Components, Score
from anascore.settings import LayerName, settings_from
from support.matching_oracles import Marked, bridging, mention_overlap
from support.matching_oracles import decomposable as literally_decomposable
from support.samples import LAYERS_KEY, LAYERS_RESPONSE

WORDS = 6
ZEROS = [(2, 1), (2, 2), (4, 1)]


def m(*words: int, zeros: Sequence[tuple[int, int]] = ()) -> Mention:
    """Make a mention of words that need not follow each other."""
    starts = [word for word in words if word - 1 not in words]
    ends = [word + 1 for word in words if word + 1 not in words]
    return Mention(tuple(zip(sorted(starts), sorted(ends), strict=True)), tuple(zeros))


def counts(rows: Components) -> tuple[Any, ...]:
    """Return what was found, of how much in the key, of how much in the response."""
    ((recall, precision),) = ((row.recall, row.precision) for row in rows)
    assert recall.part == precision.part
    return recall.part, recall.whole, precision.whole


def compared(layer: LayerName, key: Document, response: Document, **choices: Any) -> LayerCounts:
    """Compare one layer of two documents."""
    return LAYERS[layer].count(pair_of(key, response, settings_from(choices)), ())


units = st.frozensets(
    st.sampled_from([*((word + 1, 0) for word in range(WORDS)), *ZEROS]), min_size=1
)
sides = st.lists(units, max_size=5, unique=True)


@given(sides, sides)
def test_overlap_ratio_equals_the_oracle(key: Any, response: Any) -> None:
    ours = [
        [
            m(*(n - 1 for n, rank in place if not rank), zeros=sorted(u for u in place if u[1]))
            for place in side
        ]
        for side in (key, response)
    ]
    literal = [[Marked(place) for place in side] for side in (key, response)]

    assert counts(overlap_ratio(*ours)) == mention_overlap(*literal)


@st.composite
def crowds(draw: st.DrawFn) -> list[Mention]:
    """Draw many mentions that are nested or cross, some of them with gaps and zeros."""
    rng = draw(st.randoms(use_true_random=False))
    kind = draw(st.sampled_from(["nested", "crossing", "any"]))
    shift, step = draw(st.integers(0, 20)), draw(st.integers(1, 3))
    crowd = set()
    for number in range(draw(st.integers(1, 40))):
        start, end = sorted(rng.sample(range(140), 2))
        if kind == "nested":
            start, end = shift + step * number, 300 - step * number
        elif kind == "crossing":
            start, end = shift + step * number, shift + step * number + 60
        gap = rng.randrange(start, end) if rng.random() < 0.2 else end
        spans = [(a, b) for a, b in ((start, gap), (gap + 1, end)) if a < b]
        zeros = [zero for zero in ZEROS if rng.random() < 0.1]
        if spans or zeros:
            crowd.add(Mention(tuple(spans), tuple(zeros)))
    return sorted(crowd)


@pytest.mark.parametrize("small", [0, assignment.SMALL])
@given(crowds(), crowds())
def test_mentions_in_a_crowd_share_as_much_as_in_a_dense_table(
    small: int, key: list[Mention], response: list[Mention]
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(assignment, "SMALL", small)
        shared = most_shared(key, response)

    table = np.array([[shared_size(k, r) for r in response] for k in key])
    assert shared == table[linear_sum_assignment(table, maximize=True)].sum()


@pytest.mark.parametrize(
    ("key", "response", "shared"),
    [
        ([m(0, 1, 2)], [m(1, 2, 3)], 2),
        ([m(0, 1)], [m(1, 2)], 1),
        ([m(0, 1, 2), m(1)], [m(0, 1), m(2)], 2),
        ([m(0, 1, 2, 3)], [m(0), m(3)], 1),
        ([m(0, 2)], [m(1)], 0),
        ([m(0, 1, 2, 3, 4), m(1, 2)], [m(1, 2), m(0, 1)], 4),
    ],
)
def test_overlap_ratio(key: Any, response: Any, shared: int) -> None:
    assert counts(overlap_ratio(key, response))[0] == shared


NUMBERS = 8


@st.composite
def entities(draw: st.DrawFn) -> tuple[list[list[int]], set[int]]:
    """Draw entities over some numbers, and the numbers that belong to a class."""
    owner = draw(st.lists(st.integers(0, 3), min_size=NUMBERS, max_size=NUMBERS))
    found = [[n for n in range(NUMBERS) if owner[n] == entity] for entity in range(3)]
    return [entity for entity in found if entity], draw(st.sets(st.integers(0, NUMBERS - 1)))


def side_of(numbers: list[list[int]], of_class: set[int]) -> Side:
    ordered = sorted(numbers)
    return Side(
        tuple(Entity(tuple(m(n) for n in entity)) for entity in ordered),
        anaphors=frozenset(m(n).place for n in of_class),
    )


@given(entities(), entities(), st.sets(st.integers(0, NUMBERS - 1)))
def test_anaphors_equal_the_oracle(key: Any, response: Any, apart: set[int]) -> None:
    """Mentions with the same number match, but for those apart."""
    ours, theirs = side_of(*key), side_of(*response)
    place = {mention.place: position for position, mention in enumerate(theirs.mentions)}
    matched = [
        (k, place[mention.place])
        for k, mention in enumerate(ours.mentions)
        if mention.place in place and mention.words[0][0] not in apart
    ]

    rows = decomposable(ours, theirs, matched)

    numbers = {(ours.mentions[k].words[0][0], theirs.mentions[r].words[0][0]) for k, r in matched}
    in_entities = [{n for entity in side[0] for n in entity} for side in (key, response)]
    right, wrong, missed, spurious = literally_decomposable(
        key[0], response[0], numbers, key[1] & in_entities[0], response[1] & in_entities[1]
    )
    expected = right, right + wrong + missed, right + wrong + spurious
    assert counts(rows) == expected


links = st.sets(st.tuples(st.integers(0, 3), st.integers(0, 4)))
partners = st.permutations(range(5)).map(lambda order: list(enumerate(order)))


@given(links, links, partners, partners, st.dictionaries(st.integers(0, 4), st.integers(0, 1)))
def test_bridging_equals_the_oracle(
    key: Any, response: Any, anaphors: Any, anchors: Any, entity_of: Any
) -> None:
    """Some mentions have a partner; in the response they go by the partner's number."""
    of_anaphor, of_anchor = ({r: k for k, r in pairs if k < 4} for pairs in (anaphors, anchors))

    found = compare_links(
        [Link(a, b, "") for a, b in key],
        [Link(of_anaphor.get(a, ~a), of_anchor.get(b, ~b), "") for a, b in response],
        entity_of,
    )

    expected = bridging(
        key,
        response,
        {(k, r) for r, k in of_anaphor.items()},
        {(k, r) for r, k in of_anchor.items()},
        entity_of,
    )
    assert {name: counts(rows) for name, rows in found.items()} == expected


HOUSE, DOOR, ROOF, IT, OWNER = m(0, 1), m(3), m(5), m(7), m(9)
ENTITIES = [Entity([HOUSE, IT]), Entity([DOOR]), Entity([ROOF]), Entity([OWNER])]


def bridged(*bridges: Bridge) -> Document:
    return Document("d", ["w"] * 12, ENTITIES, bridges=bridges)


TWO = Bridge(DOOR, HOUSE, 0, "part"), Bridge(ROOF, HOUSE, 0, "part")


@pytest.mark.parametrize(
    ("response", "anaphors", "mentions", "in_entities"),
    [
        (TWO, (2, 2, 2), (2, 2, 2), (2, 2, 2)),
        # Another mention of the house.
        ((TWO[0], Bridge(ROOF, IT, 0)), (2, 2, 2), (1, 2, 2), (2, 2, 2)),
        # Another entity.
        ((TWO[0], Bridge(ROOF, OWNER, 3)), (2, 2, 2), (1, 2, 2), (1, 2, 2)),
        # An anaphor is missing, and one is spurious.
        ((TWO[0], Bridge(OWNER, HOUSE, 0)), (1, 2, 2), (1, 2, 2), (1, 2, 2)),
        # Two links where the key has one: both to the house, of which one is too many.
        ((*TWO, Bridge(ROOF, IT, 0)), (2, 2, 2), (2, 2, 3), (2, 2, 3)),
        # The same link twice is one link.
        ((*TWO, TWO[1]), (2, 2, 2), (2, 2, 2), (2, 2, 2)),
        ((), (0, 2, 0), (0, 2, 0), (0, 2, 0)),
    ],
)
def test_bridging(response: Any, anaphors: Any, mentions: Any, in_entities: Any) -> None:
    found = compared("bridging", bridged(*TWO), bridged(*response))

    expected = (anaphors, mentions, in_entities)
    assert tuple(counts(rows) for rows in found.scores.values()) == expected


def test_bridging_by_relation() -> None:
    response = (Bridge(DOOR, HOUSE, 0, "part"), Bridge(ROOF, HOUSE, 0, "owner"))

    classes = compared("bridging", bridged(*TWO), bridged(*response)).classes

    assert {name: counts(rows["bridging-mentions"]) for name, rows in classes.items()} == {
        "owner": (0, 0, 1),
        "part": (1, 2, 1),
    }


def test_an_anchor_that_refers_to_nothing_is_right_as_itself() -> None:
    document = bridged(Bridge(DOOR, m(11), None), Bridge(ROOF, m(10), None))
    other = bridged(Bridge(DOOR, m(11), None), Bridge(ROOF, m(11), None))

    found = compared("bridging", document, other).scores

    assert counts(found["bridging-entities"]) == counts(found["bridging-mentions"]) == (1, 2, 2)


def test_bridging_without_zeros_and_with_partial_matches() -> None:
    whole = Mention(((4, 7),), minimum=((5, 6),))
    entities = [Entity([HOUSE]), Entity([whole]), Entity([Mention((), ((8, 1),))])]
    bridges = [Bridge(whole, HOUSE, 0), Bridge(whole, Mention((), ((8, 1),)), 2)]
    key = Document("d", ["w"] * 9, entities, bridges=bridges, zeros=[(8, 1)])
    response = Document("d", ["w"] * 9, [*entities[:1], Entity([m(5, 6)])], bridges=[
        Bridge(m(5, 6), HOUSE, 0)
    ])  # fmt: skip

    found = compared("bridging", key, response, zeros="drop", match="partial")

    assert found.key == {"documents": 1, "anaphors": 1, "links": 1}
    assert found.matching["partly"] == 1
    assert counts(found.scores["bridging-mentions"]) == (1, 1, 1)


def test_non_referring_mentions() -> None:
    key = Document("d", ["w"] * 9, [], [NonReferring(m(0), "a"), NonReferring(m(2), "b"),
        NonReferring(m(2), "b"), NonReferring(m(4, 5))])  # fmt: skip
    response = Document("d", ["w"] * 9, [], [NonReferring(m(0), "a"), NonReferring(m(2), "a"),
        NonReferring(m(4), "b")])  # fmt: skip

    found = compared("non-referring", key, response)

    assert counts(found.scores["non-referring"]) == (2, 3, 3)
    assert {name: counts(rows["non-referring"]) for name, rows in found.classes.items()} == {
        "a": (1, 1, 2),
        "b": (0, 1, 1),
    }


def test_non_referring_zeros_can_be_dropped() -> None:
    settings = settings_from({"zeros": "drop"})
    zero, mixed = m(zeros=[(1, 1)]), m(0, zeros=[(1, 1)])
    document = Document("d", ["w"], [], [NonReferring(zero), NonReferring(mixed)], zeros=[(1, 1)])

    prepared = PreparedDocument(document, document, settings)

    assert [prepared.all_mentions.mentions[at] for at in non_referring_types(prepared)] == [m(0)]


def test_classes_are_told_only_if_both_sides_have_some(tmp_path: Path) -> None:
    (tmp_path / "key").write_text(LAYERS_KEY)
    texts = {"typed": LAYERS_RESPONSE, "bare": LAYERS_RESPONSE}
    texts["bare"] = texts["bare"].replace("Rel=", "X=").replace("SemType=", "X=")
    for name, text in texts.items():
        (tmp_path / name).write_text(text)

    typed, bare = (
        anascore.score(tmp_path / "key", tmp_path / name, layers="all") for name in texts
    )

    assert typed.layers["bridging"].classes.keys() == {"owner", "part"}
    assert typed.layers["non-referring"].classes.keys() == {"expletive", "idiom"}
    assert bare.layers["bridging"].classes == bare.layers["non-referring"].classes == {}
    assert bare.layers["bridging"].scores == typed.layers["bridging"].scores


def test_matched_mentions_are_counted_by_how_they_match() -> None:
    entities = [Entity([m(0), Mention(((2, 4),), minimum=((2, 3),)), m(zeros=[(5, 1)]), m(6)])]
    key = anascore.Corpus({"d": Document("d", ["w"] * 9, entities, zeros=[(5, 1)])})
    other = [Entity([m(0), m(2), m(zeros=[(5, 1)]), m(7), m(8)])]
    response = anascore.Corpus({"d": Document("d", ["w"] * 9, other, zeros=[(5, 1)])})

    result = anascore.score(key, response, match="partial")

    assert result.total.matching == {
        "exactly": 1,
        "partly": 1,
        "as_zeros": 1,
        "missing": 1,
        "spurious": 2,
    }
    assert result["mentions"] == Score(3 / 4, 3 / 5, 2 / 3)


ZERO = m(zeros=[(2, 1)])
IN_ZEROS = [Entity([HOUSE, ZERO]), Entity([DOOR]), Entity([m(zeros=[(8, 1)])])]


@pytest.mark.parametrize(
    ("bridge", "anaphors", "links"),
    [
        (Bridge(DOOR, ZERO, 0), 1, 1),  # the house is what is left of the entity
        (Bridge(DOOR, m(zeros=[(8, 1)]), 2), 1, 0),  # nothing is left of it
        (Bridge(m(zeros=[(8, 1)]), HOUSE, 0), 0, 0),
    ],
)
def test_bridging_to_zeros_that_are_dropped(bridge: Bridge, anaphors: int, links: int) -> None:
    key = Document("d", ["w"] * 12, IN_ZEROS, bridges=[bridge], zeros=[(2, 1), (8, 1)])
    response = Document(
        "d", ["w"] * 12, [Entity([HOUSE]), Entity([DOOR])], bridges=[Bridge(DOOR, HOUSE, 0)]
    )

    found = compared("bridging", key, response, zeros="drop")

    assert counts(found.scores["bridging-anaphors"]) == (anaphors, anaphors, 1)
    assert counts(found.scores["bridging-mentions"]) == (links, links, 1)
    assert found.key == {"documents": 1, "anaphors": anaphors, "links": links}


LONG, SHORT = Mention(((2, 5),), minimum=((3, 4),)), Mention(((3, 5),), minimum=((3, 4),))


def test_a_mention_has_the_same_partner_for_bridging_as_for_anything() -> None:
    """The response's long mention is the key's, so that its short one is not."""
    key = Document("d", ["w"] * 12, [Entity([HOUSE]), Entity([LONG])], bridges=[
        Bridge(LONG, HOUSE, 0)
    ])  # fmt: skip
    entities = [Entity([HOUSE]), Entity([LONG]), Entity([SHORT])]
    response = Document("d", ["w"] * 12, entities, bridges=[Bridge(SHORT, HOUSE, 0)])

    found = compared("bridging", key, response, match="head")

    assert counts(found.scores["bridging-anaphors"]) == (0, 1, 1)
    assert found.matching["missing"] == found.matching["spurious"] == 1


def test_a_mention_has_the_same_partner_whether_it_refers_or_not() -> None:
    key = Document("d", ["w"] * 12, [], [NonReferring(LONG)])
    referring = Document("d", ["w"] * 12, [Entity([LONG])], [NonReferring(SHORT)])
    other = Document("d", ["w"] * 12, [], [NonReferring(SHORT)])

    for response, right in (referring, 0), (other, 1):
        found = compared("non-referring", key, response, match="head")
        assert counts(found.scores["non-referring"]) == (right, 1, 1)
