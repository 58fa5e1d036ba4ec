"""From a document to the side that is scored."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from anascore import Document, Entity, EntityError, Mention, Settings
from anascore.entities.document import PreparedDocument
from anascore.entities.normalisation import (
    REPEATED,
    AllMentions,
    all_mentions,
    normalise,
    outermost,
)
from anascore.entities.side import Side
from anascore.model.mention import is_within, joined
from anascore.model.transform import find_cycles
from anascore.pairing.joining import MISSING

ORDERS_OF_3 = list(itertools.permutations(range(3)))
ORDERS_OF_4 = list(itertools.permutations(range(4)))


def word(position: int) -> Mention:
    return Mention(((position, position + 1),))


def zero(after: int, rank: int = 1) -> Mention:
    return Mention((), ((after, rank),))


def entity(*mentions: Mention, of: Sequence[int] = ()) -> Entity[Mention]:
    return Entity(mentions, tuple(of))


def side_of(*given: Entity[Mention], **choices: object) -> Side:
    entities = [replace(found, name=str(number)) for number, found in enumerate(given)]
    return normalise(entities, Settings(**choices))  # type: ignore[arg-type]


def repeated(side: Side) -> int:
    return side.notes[REPEATED]


def content(side: Side) -> list[Entity[Mention]]:
    return list(side.entities)


def renumbered(given: Sequence[Entity[Mention]], order: Sequence[int]) -> list[Entity[Mention]]:
    """Put entities in another order, and change the numbers of the elements with them."""
    place = {old: new for new, old in enumerate(order)}
    return [replace(given[old], elements=[place[e] for e in given[old].elements]) for old in order]


def test_entities_and_mentions_come_in_document_order() -> None:
    side = side_of(entity(word(7), word(2)), entity(word(1)), entity(word(9), of=[0, 1]))

    assert [entity(word(1)), entity(word(2), word(7)), entity(word(9), of=[0, 1])] == content(side)


def test_mentions_are_ordered_by_first_word_then_last_word_then_number_of_words() -> None:
    ordered = (
        Mention(((0, 1),)),
        Mention(((0, 1), (2, 3))),
        Mention(((0, 3),)),
        Mention(((0, 4),)),
        Mention(((0, 4),), ((4, 1),)),
        Mention(((1, 2),)),
        zero(2),
        zero(2, 2),
        Mention(((2, 3),), ((2, 2),)),
        Mention(((2, 3),)),
    )

    side = side_of(entity(*reversed(ordered)))

    assert ordered == side.entities[0].mentions


def test_elements_with_sets_are_replaced_by_their_elements() -> None:
    a, b, c = entity(word(0)), entity(word(1)), entity(word(2))

    side = side_of(
        a, b, c, entity(word(3), of=[0, 1]), entity(word(4), of=[3, 2]), entity(word(5), of=[4, 3])
    )

    elements = [entity.elements for entity in side.entities]
    # The last two are the same set, so they are one entity.
    assert elements == [(), (), (), (0, 1), (0, 1, 2)]
    assert (word(4), word(5)) == side.entities[-1].mentions


def test_an_element_named_twice_counts_once() -> None:
    side = side_of(entity(word(0)), entity(word(1), of=[0, 0]))

    assert side.entities[1].elements == (0,)


def test_equal_sets_are_one_entity() -> None:
    a, b = entity(word(0)), entity(word(1))

    side = side_of(a, b, entity(word(5), of=[0, 1]), entity(word(3), of=[1, 0]))

    assert [entity(word(0)), entity(word(1)), entity(word(3), word(5), of=[0, 1])] == content(side)
    assert repeated(side) == 0


def test_a_mention_that_equal_sets_share_is_no_repetition() -> None:
    a, b = entity(word(0)), entity(word(1))

    side = side_of(a, b, entity(word(5), of=[0, 1]), entity(word(5), word(6), of=[0, 1]))

    assert [word(5), word(6)] == list(side.entities[2].mentions)
    assert repeated(side) == 0


def test_a_mention_repeated_in_an_entity_counts_once() -> None:
    side = side_of(entity(word(0), word(0), word(1)))

    assert [entity(word(0), word(1))] == content(side)
    assert repeated(side) == 0


def test_a_mention_in_two_entities_stays_in_the_first() -> None:
    later, first = entity(word(5), word(3)), entity(word(1), word(3))

    side = side_of(later, first)

    assert [entity(word(1), word(3)), entity(word(5))] == content(side)
    assert repeated(side) == 1


def test_an_entity_left_empty_disappears_also_as_an_element() -> None:
    a, b = entity(word(0), word(1)), entity(word(1))

    side = side_of(a, b, entity(word(5), of=[0, 1]), entity(word(6), of=[1]))

    # The second set had no other element.
    assert [entity(word(0), word(1)), entity(word(5), of=[0]), entity(word(6))] == content(side)


def test_sets_that_become_equal_are_merged() -> None:
    a, b = entity(word(0), word(1)), entity(word(1))

    side = side_of(a, b, entity(word(5), of=[0, 1]), entity(word(6), of=[0]))

    assert [entity(word(0), word(1)), entity(word(5), word(6), of=[0])] == content(side)


@pytest.mark.parametrize("order", ORDERS_OF_4)
def test_repeated_mentions_do_not_depend_on_the_order_of_entities(order: tuple[int, ...]) -> None:
    """Two entities with the same mentions are one, whichever of them is an element."""
    given = [
        entity(word(0), word(4)),
        entity(word(0), word(4)),
        entity(word(8), of=[0]),
        entity(word(9), of=[1]),
    ]

    side = side_of(*renumbered(given, order))

    assert [entity(word(0), word(4)), entity(word(8), word(9), of=[0])] == content(side)
    assert repeated(side) == 2


@pytest.mark.parametrize("order", ORDERS_OF_3)
def test_of_entities_that_start_alike_the_shorter_comes_first(order: tuple[int, ...]) -> None:
    given = [entity(word(0)), entity(word(0), word(4)), entity(word(0), word(4), word(5))]

    side = side_of(*(given[old] for old in order))

    assert [entity(word(0)), entity(word(4)), entity(word(5))] == content(side)


@pytest.mark.parametrize("order", ORDERS_OF_4)
def test_of_entities_with_the_same_mentions_the_atomic_one_comes_first(
    order: tuple[int, ...],
) -> None:
    given = [entity(word(0)), entity(word(1)), entity(word(5), of=[0]), entity(word(5), of=[0, 1])]

    side = side_of(*renumbered(given, order), entity(word(5)))

    assert [entity(word(0)), entity(word(1)), entity(word(5))] == content(side)


def result(*mentions: Mention, of: Sequence[int] = ()) -> Entity[Mention]:
    return Entity(mentions, tuple(of), relation="result")


def test_of_sets_with_the_same_mention_the_one_with_the_first_element_keeps_it() -> None:
    """The other set comes first by the depth of its elements, of which none is a result."""
    atoms = [entity(word(position)) for position in range(3)]
    dough = result(word(3), of=[1, 2])

    side = side_of(*atoms, dough, entity(word(5), of=[1, 2]), entity(word(5), of=[0, 3]))

    assert content(side) == [*atoms, dough, entity(word(5), of=[0, 3])]


def test_results_of_different_elements_do_not_stand_for_each_other() -> None:
    atoms = [entity(word(position)) for position in range(5)]
    first, second = result(word(5), of=[0, 1]), result(word(5), of=[2, 3])

    side = side_of(*atoms, first, second, entity(word(6), of=[4, 6]))

    assert content(side) == [*atoms, first, entity(word(6), of=[4])]


def test_the_relation_to_no_elements_does_not_matter() -> None:
    side = side_of(entity(word(0)), result(word(0)), entity(word(1)), entity(word(2), of=[1, 2]))

    assert [e.elements for e in side.entities] == [(), (), (0, 1)]


def test_zeros_can_be_dropped() -> None:
    given = (
        entity(zero(1), word(3)),
        entity(zero(2)),
        entity(Mention(((4, 6),), ((5, 1),)), of=[0, 1]),
        entity(zero(9), of=[0, 1]),
    )

    assert len(side_of(*given).mentions) == 5
    assert [entity(word(3)), entity(Mention(((4, 6),)), of=[0])] == content(
        side_of(*given, zeros="drop")
    )


def test_mentions_that_differ_in_zeros_only_are_one_without_them() -> None:
    given = entity(Mention(((4, 6),), ((5, 1),)), Mention(((4, 6),)))

    assert len(side_of(given).mentions) == 2
    assert [entity(Mention(((4, 6),)))] == content(side_of(given, zeros="drop"))


def test_a_set_of_sets_keeps_its_atoms_when_the_inner_set_is_a_zero() -> None:
    a, b = entity(word(0)), entity(word(1))

    side = side_of(a, b, entity(zero(5), of=[0, 1]), entity(word(6), of=[2]), zeros="drop")

    assert [entity(word(0)), entity(word(1)), entity(word(6), of=[0, 1])] == content(side)


def test_without_split_antecedents_entities_are_their_mentions() -> None:
    a, b = entity(word(0)), entity(word(1))

    side = side_of(a, b, entity(word(5), of=[0, 1]), entity(word(6), of=[0, 1]), split=False)

    assert [entity(word(i)) for i in (0, 1, 5, 6)] == content(side)


def test_singletons_can_be_dropped_and_zeros_go_before_them() -> None:
    given = entity(word(0), zero(2)), entity(word(1), word(3)), entity(word(5))

    side = side_of(*given, split=False, singletons=False, zeros="drop")

    assert [entity(word(1), word(3))] == content(side)


def test_entities_without_mentions_are_dropped() -> None:
    side = side_of(entity(), entity(word(1)), entity(of=[1]), entity(word(2), of=[0, 2]))

    assert [entity(word(1)), entity(word(2), of=[0])] == content(side)


@pytest.mark.parametrize("element", [-1, 2, "0", None])
def test_elements_must_exist(element: int) -> None:
    with pytest.raises(EntityError, match=f"entity 1 has element {element!r}; elements are posit"):
        side_of(entity(word(0)), entity(word(1), of=[element]))


def test_a_cycle_is_an_error_that_names_the_entities() -> None:
    with pytest.raises(EntityError) as error:
        side_of(entity(word(0), of=[2]), entity(word(1), of=[0]), entity(word(2), of=[1]))

    assert "an entity cannot be an element of itself" in str(error.value)
    assert any(
        path in str(error.value)
        for path in ("entity 0 in entity 1 in entity 2", "entity 1 in entity 2 in entity 0")
    )


def test_sides_are_compared_by_their_first_difference() -> None:
    a, ab = side_of(entity(word(0))), side_of(entity(word(0)), entity(word(1)))

    assert a.precedes(ab)
    assert not ab.precedes(a)
    assert not a.precedes(a)
    assert ab.precedes(side_of(entity(word(0)), entity(word(2))))
    assert ab.precedes(side_of(entity(word(0)), entity(word(1), of=[0])))


@given(st.lists(st.sets(st.integers(0, 7), max_size=3), min_size=8, max_size=8))
def test_without_the_links_that_close_cycles_there_are_none(sets: list[set[int]]) -> None:
    cycles = list(find_cycles(sets))

    left = [set(elements) for elements in sets]
    for cycle in cycles:
        path = [*cycle.entities, cycle.first]
        assert all(a in sets[b] for a, b in itertools.pairwise(path))
        assert (cycle.length, cycle.last) == (len(cycle.entities), cycle.entities[-1])
        left[cycle.first].discard(cycle.last)
    assert list(find_cycles(left)) == []
    assert list(find_cycles(sets, 2)) == [c._replace(entities=c.entities[:2]) for c in cycles]
    assert bool(cycles) == (left != sets)


@given(st.lists(st.frozensets(st.integers(0, 6), min_size=1), unique=True, max_size=8))
def test_nested_mentions_can_be_left_out(places: list[frozenset[int]]) -> None:
    """Words are numbers; the number 6 stands for a zero."""

    def mention(words: frozenset[int]) -> Mention:
        starts = [word for word in sorted(words) if word - 1 not in words and word < 6]
        ends = [word + 1 for word in sorted(words) if word + 1 not in words - {6} and word < 6]
        return Mention(tuple(zip(starts, ends, strict=True)), ((3, 1),) if 6 in words else ())

    found = outermost(tuple(mention(words) for words in places))

    kept = [words for words in places if not any(words < other for other in places)]
    assert set(found) == {mention(words) for words in kept}


@given(
    places=st.lists(
        st.tuples(
            st.lists(st.integers(0, 12), max_size=6), st.frozensets(st.integers(1, 3), max_size=2)
        ).filter(any),
        unique_by=lambda place: (frozenset(place[0]), place[1]),
        max_size=12,
    )
)
def test_mentions_with_gaps_within_others_can_be_left_out(
    places: list[tuple[list[int], frozenset[int]]],
) -> None:
    mentions = tuple(
        Mention(joined([(w, w + 1) for w in words]), tuple((z, 1) for z in sorted(zeros)))
        for words, zeros in places
    )

    kept = outermost(mentions)

    assert kept == tuple(
        mention
        for mention in mentions
        if not any(is_within(mention, other) for other in mentions if other is not mention)
    )


def test_nested_mentions_are_left_out_before_singletons() -> None:
    entities = [Entity([Mention(((0, 4),)), Mention(((1, 2),))]), Entity([Mention(((1, 3),))])]
    settings = Settings(remove_nested=True, singletons=False, split=False)

    assert normalise(entities, replace(settings, singletons=True)).sizes["mentions"] == 2
    assert normalise(entities, settings).entities == ()


def test_of_two_mentions_at_a_place_the_one_with_a_minimum_span_stays() -> None:
    bare, marked = Mention(((0, 3),)), Mention(((0, 3),), minimum=((1, 2),))

    for order in [bare, marked], [marked, bare]:
        (entity,) = normalise([Entity(order)], Settings()).entities
        assert entity.mentions == (marked,)


def marking(*mentions: Mention, of: Sequence[int], marks: Sequence[Mention]) -> Entity[Mention]:
    return replace(entity(*mentions, of=of), antecedents=tuple(marks))


def marks_of(side: Side) -> list[tuple[Mention, ...]]:
    return [tuple(one.antecedents) for one in side.entities if one.elements]


def test_marked_antecedents_are_those_of_nested_sets() -> None:
    """A mark on a set stands for what that set marks; without a mark nothing is marked below."""
    atoms = entity(word(0), word(1)), entity(word(2)), entity(word(3))
    inner = marking(word(4), of=[0, 1], marks=[word(1), word(2)])

    nested = side_of(*atoms, inner, marking(word(5), of=[2, 3], marks=[word(3), word(4)]))
    unmarked = side_of(*atoms, inner, marking(word(5), of=[2, 3], marks=[word(3)]))

    assert marks_of(nested) == [(word(1), word(2)), (word(1), word(2), word(3))]
    assert marks_of(unmarked) == [(word(1), word(2)), (word(3),)]


def test_a_mark_on_a_result_stays_there() -> None:
    dough = replace(marking(word(2), of=[0, 1], marks=[word(0)]), relation="result")
    both = marking(word(3), of=[1, 2], marks=[word(1), word(2)])

    side = side_of(entity(word(0)), entity(word(1)), dough, both)

    assert marks_of(side) == [(word(0),), (word(1), word(2))]


def test_equal_sets_have_the_marks_of_all() -> None:
    """A result of the same elements is another entity, and keeps its own."""
    atoms = entity(word(0), word(1)), entity(word(2))
    result = replace(marking(word(3), of=[0, 1], marks=[word(0)]), relation="result")
    sets = [
        marking(word(4), of=[0, 1], marks=[word(0)]),
        marking(word(5), of=[0, 1], marks=[word(1), word(2)]),
        entity(word(6), of=[0, 1]),
    ]

    side = side_of(*atoms, result, *sets)

    assert marks_of(side) == [(word(0),), (word(0), word(1), word(2))]


def test_marks_follow_the_mentions_that_are_left() -> None:
    """Zeros, nested mentions and repeated ones go, and their marks go with them."""
    long = Mention(((0, 2),))
    atoms = entity(word(0), long, zero(3)), entity(word(2), long)
    they = marking(word(5), of=[0, 1], marks=[word(0), long, zero(3), word(2)])

    assert marks_of(side_of(*atoms, they)) == [(word(0), long, zero(3), word(2))]
    assert marks_of(side_of(*atoms, they, zeros="drop")) == [(word(0), long, word(2))]
    assert marks_of(side_of(*atoms, they, remove_nested=True)) == [(long, word(2), zero(3))]
    assert marks_of(side_of(*atoms, they, split=False)) == []


def test_a_marked_mention_can_lose_its_zeros() -> None:
    with_zero = Mention(((0, 1),), ((1, 1),))
    they = marking(word(5), of=[0], marks=[with_zero])

    assert marks_of(side_of(entity(with_zero), they, zeros="drop")) == [(word(0),)]


def test_a_missing_document_is_empty_in_every_layer() -> None:
    key = Document("d", ["a"], [entity(word(0))], deixis=[entity(word(0))])

    missing = PreparedDocument(None, key, Settings())

    empty = Side(documents=0, notes=MISSING)
    assert missing.identity == missing.discourse_deixis == empty
    assert (missing.count, missing.notes, missing.text_document) == (0, MISSING, key)
    assert missing.all_mentions == AllMentions()


def test_marks_go_with_split_antecedents() -> None:
    entities = [
        entity(word(0)),
        entity(word(1)),
        replace(entity(word(2), of=[0, 1]), antecedents=(word(0),)),
    ]

    assert [e.antecedents for e in side_of(*entities).entities] == [(), (), (word(0),)]
    assert [e.antecedents for e in side_of(*entities, split=False).entities] == [(), (), ()]


def test_children_are_elements_and_the_atomic_ones_below_them() -> None:
    side = side_of(
        entity(word(0)),
        entity(word(1)),
        entity(word(2), of=[0, 1]),
        entity(word(3)),
        entity(word(4), of=[2, 3]),
    )

    assert side.children == ((), (), (0, 1), (), (0, 1, 2, 3))
    assert [e.attributes for e in side.entities] == [()] * 5


def test_merged_sets_are_one_child() -> None:
    side = side_of(
        entity(word(0)),
        entity(word(1)),
        entity(word(2), of=[0, 1]),
        entity(word(3), of=[0, 1]),
        entity(word(4)),
        entity(word(5), of=[3, 4]),
    )

    assert side.children == ((), (), (0, 1), (), (0, 1, 2, 3))


@pytest.mark.parametrize(
    ("white", "children"),
    [(result(word(2), of=[0]), (2, 3)), (entity(word(2), of=[0]), (0, 2, 3))],
)
def test_results_of_the_same_elements_are_different_children(
    white: Entity[Mention], children: tuple[int, ...]
) -> None:
    egg, yolk, sugar = entity(word(0)), result(word(1), of=[0]), entity(word(3))

    side = side_of(egg, yolk, white, sugar, entity(word(4), of=[2, 3]))

    assert side.children == ((), (0,), (0,), (), children)


def test_the_file_order_is_kept_if_a_mention_is_in_two_entities() -> None:
    second_first = [entity(word(3), word(4)), entity(word(1), word(3))]

    side = side_of(*second_first, repeated_mentions="all")

    assert side.file_order == (1, 0)
    assert side.repeated == {1: [2, 1]}
    assert side.unique_positions == [0, 1, 3]
    assert side_of(*second_first).file_order == ()
    assert side_of(entity(word(1)), repeated_mentions="all").file_order == ()


def test_sets_that_become_equal_have_the_marks_of_both() -> None:
    side = side_of(
        entity(word(0)),
        entity(word(1)),
        entity(word(1)),
        replace(entity(word(2), of=[0, 1]), antecedents=(word(0),)),
        replace(entity(word(3), of=[0, 2]), antecedents=(word(1),)),
    )

    assert [e.mentions for e in side.entities][2:] == [(word(2), word(3))]
    assert side.entities[2].antecedents == (word(0), word(1))


@pytest.mark.parametrize(
    "settings",
    [Settings(), Settings(singletons=False, split=False), Settings(remove_nested=True)],
)
def test_all_mentions_include_those_that_entity_scores_leave_out(settings: Settings) -> None:
    outer = Mention(((0, 3),))
    entities = [entity(outer, word(1)), entity(word(4)), entity(word(5), of=[0, 1])]
    entities += [entity(word(6), of=[0, 1])]

    document = Document("d", list("abcdefg"), entities)

    found = all_mentions(document, document, settings)

    assert found.mentions == (outer, word(1), word(4), word(5), word(6))
    assert found.entity_of == {0: 0, 1: 0, 2: 1, 3: 2, 4: 3}
    assert found.position == {mention.place: n for n, mention in enumerate(found.mentions)}
