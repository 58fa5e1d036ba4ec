"""Errors by type, and the scores without them."""

import csv
import io
import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore import Corpus, Document, Entity, Mention, SettingsError
from anascore.analysis.error_alignment import (
    CorrectedResponse,
    SetAlignment,
    as_side,
    equals_key,
    start_correction,
    wrong_spans,
)
from anascore.analysis.errors import ERROR_TYPES, ErrorAnalysis, analyse, together
from anascore.cli.main import main
from anascore.entities.normalisation import REPEATED, normalise
from anascore.entities.side import Side
from anascore.layers.document import pair_of
from anascore.matching import match_mentions
from anascore.metrics.overlap import (
    ComparedSides,
    overlaps_of,
    plain_overlaps,
    shared_from_response,
)
from anascore.metrics.scores import MEANS, METRICS, count_scores
from anascore.model.document import RelationName
from anascore.model.mention import Zero, joined, shared_size
from anascore.model.ratio import averaged
from anascore.output.errors import description
from anascore.results.result import scores_from_counts
from anascore.settings import Settings
from support.clusters import both
from support.documents import document_of
from support.notation import document, entities
from support.paper import KEY, SYSTEMS
from support.shared import Lazy, each_pair
from support.strategies import pairs_of_sides, random_rich_entities

REPORTED = (*METRICS, *MEANS)

CASES: dict[str, tuple[str, str, dict[str, int]]] = {
    "nothing": ("ab c (ac)t", "ab c (ac)t", {}),
    "extra mention": ("ab", "abx", {"extra-mention": 1}),
    "extra mentions": ("ab cd", "abx cdyz", {"extra-mention": 3}),
    "extra entity": ("ab", "ab xy", {"extra-entity": 1}),
    "extra element": ("a b t", "a b t x", {"extra-entity": 1}),
    "missing mention": ("abc", "ab", {"missing-mention": 1}),
    "missing entity": ("ab cd", "ab", {"missing-entity": 1}),
    "conflated": ("ab cd", "abcd", {"conflated-entity": 1}),
    "three conflated": ("ab cd ef", "abcdef", {"conflated-entity": 2}),
    "divided": ("abcd", "ab cd", {"divided-entity": 1}),
    "divided in three": ("abcdef", "ab cd ef", {"divided-entity": 2}),
    "moved": ("ab cd", "a bcd", {"divided-entity": 1, "conflated-entity": 1}),
    "missed set": ("a b (ab)t", "a b t", {"missed-set": 1}),
    "missed set and anaphor": ("a b (ab)t", "a b", {"missed-set": 1, "missing-entity": 1}),
    "spurious set": ("a b t", "a b (ab)t", {"spurious-set": 1}),
    "missing element": ("a b c (abc)t", "a b c (ab)t", {"missing-element": 1}),
    "missing elements": ("a b c (abc)t", "a b c (a)t", {"missing-element": 2}),
    "extra element of a set": ("a b c (ab)t", "a b c (abc)t", {"extra-element": 1}),
    "wrong element": ("a b c (ab)t", "a b c (ac)t", {"wrong-element": 1}),
    "wrong and missing element": (
        "a b c d (abc)t",
        "a b c d (ad)t",
        {"wrong-element": 1, "missing-element": 1},
    ),
    "wrong and extra element": (
        "a b c d (ab)t",
        "a b c d (acd)t",
        {"wrong-element": 1, "extra-element": 1},
    ),
    "wrong anaphor": ("a b (ab)t u", "a b t (ab)u", {"wrong-anaphor": 1}),
    "anaphor that is no mention": (
        "a b (ab)t",
        "a b (ab)x",
        {"wrong-anaphor": 1, "extra-entity": 1, "missing-entity": 1},
    ),
    "wrong anaphor, and the right one is in an element": (
        "ab c (ac)t u",
        "abt c (ac)u",
        {"wrong-anaphor": 1, "conflated-entity": 1},
    ),
    "another set on another anaphor": (
        "a b c (ab)t u",
        "a b c t (bc)u",
        {"spurious-set": 1, "missed-set": 1},
    ),
    "set taken for one of its elements": (
        "ac b (ab)t",
        "act b",
        {"set-as-entity": 1, "conflated-entity": 1},
    ),
    "set taken for something else": (
        "a b cd (ab)t",
        "a b cdt",
        {"set-as-entity": 1, "conflated-entity": 1},
    ),
    "element that is missing": (
        "a b (ab)t",
        "a (a)t",
        {"missing-entity": 1, "missing-element": 1},
    ),
    "element that is extra": ("a (a)t", "a x (ax)t", {"extra-entity": 1, "extra-element": 1}),
    "element that is conflated": ("a b (ab)t", "ab (a)t", {"conflated-entity": 1}),
    "element that is divided": ("ab c (ac)t", "a b c (abc)t", {"divided-entity": 1}),
    "an element that a stray mention belongs to": (
        "abcd ef ghi (ae)t",
        "abc ef ghid (ge)t",
        {"wrong-element": 1, "divided-entity": 1, "conflated-entity": 1},
    ),
    "two sets in one": (
        "a b c (ab)t (bc)u",
        "a b c (ab)tu",
        {"conflated-entity": 1, "set-as-entity": 1},
    ),
    "two sets in one, and their elements": (
        "a b (a)t (b)u",
        "ab (a)tu",
        {"conflated-entity": 2},
    ),
    "two sets in one, and elements of others": (
        "a b c (ac)t (b)u",
        "ab c (ac)tu",
        {"conflated-entity": 2, "set-as-entity": 1},
    ),
}


def analysed(key: str, response: str, **choices: Any) -> ErrorAnalysis:
    """Analyse a document in set notation."""
    sides = both(entities(key), entities(response)).corpora
    (ours,), (theirs,) = (corpus.documents.values() for corpus in sides)
    return analyse(pair_of(ours, theirs, Settings(**choices)), REPORTED)


def counts(found: ErrorAnalysis) -> dict[str, int]:
    return {name: len(errors) for name, errors in found.errors.items() if errors}


def is_perfect(rows: Any) -> bool:
    return all(averaged(of).f1 in {None, Fraction(1)} for of in rows.values())


@pytest.mark.parametrize("name", CASES)
def test_each_type_on_cases_made_for_it(name: str) -> None:
    key, response, expected = CASES[name]

    found = analysed(key, response)

    assert counts(found) == expected
    assert is_perfect(found.all_corrected)
    assert is_perfect(found.as_it_is) == (not expected)
    for kind in ERROR_TYPES:
        assert is_perfect(found.corrected[kind]) or {*expected} != {kind}
        assert (found.corrected[kind] == found.as_it_is) == (kind not in expected)


def test_every_type_has_a_case_of_its_own() -> None:
    alone = {kind for *_, expected in CASES.values() for kind in expected if len(expected) == 1}

    assert {*ERROR_TYPES} - alone == {"wrong-span", "set-as-entity"}


def test_scores_without_errors_of_one_type() -> None:
    """Key {a, b, c}, {d, e}; response {a, b, d, e}: c is missing, and two entities are one.

    MUC recall is (1 + 1) of 3, precision 2 of 3. With c added it is 3 of 3 and 3 of 4; with the
    entities split it is 2 of 3 and 2 of 2.
    """
    found = analysed("abc de", "abde")

    def muc(rows: Any) -> tuple[Any, ...]:
        ((score),) = rows["muc"]
        return score.recall.part, score.recall.whole, score.precision.part, score.precision.whole

    assert counts(found) == {"missing-mention": 1, "conflated-entity": 1}
    assert muc(found.as_it_is) == (2, 3, 2, 3)
    assert muc(found.corrected["missing-mention"]) == (3, 3, 3, 4)
    assert muc(found.corrected["conflated-entity"]) == (2, 3, 2, 2)


def draft(key: Document, response: Document, settings: Settings) -> tuple[Side, CorrectedResponse]:
    """Begin to correct a response."""
    pair = pair_of(key, response, settings)
    ours, theirs = pair.key.identity, pair.response.identity
    matched = match_mentions(ours, theirs, settings)
    return ours, start_correction(theirs, matched, wrong_spans(ours, theirs, matched))


def correct_all(key: Side, draft: CorrectedResponse) -> CorrectedResponse:
    """Correct the errors of all types, one type after the other.

    Correcting the elements of one set can move an error to another set, so the types of sets
    are repeated until no error is left.
    """
    open_errors = True
    types = [*ERROR_TYPES]
    while open_errors:
        open_errors = False
        for name in types:
            mistakes, corrected = ERROR_TYPES[name].find(SetAlignment(key, draft))
            if mistakes:
                draft, open_errors = corrected, True
        types = [name for name, kind in ERROR_TYPES.items() if kind.of_sets]
    return draft


def content(side: Side) -> list[Any]:
    return [
        ([m.place for m in e.mentions], e.elements, e.relation if e.elements else "")
        for e in side.entities
    ]


def check(key: Document, response: Document) -> None:
    """All corrections together lead to the key, and each does something if there are errors."""
    settings = Settings()
    side, begun = draft(key, response, settings)
    before, matched = as_side(begun, settings)
    after, all_matched = as_side(correct_all(side, begun), settings)

    everything = [(k, k) for k in range(len(side.mentions))]
    assert content(after) == content(side)
    assert sorted(all_matched) == everything
    assert equals_key(side, correct_all(side, begun))
    assert equals_key(side, begun) == (
        content(before) == content(side) and sorted(matched) == everything
    )
    for kind in ERROR_TYPES.values():
        mistakes, corrected = kind.find(SetAlignment(side, begun))
        changed, now_matched = as_side(corrected, settings)
        same = content(changed) == content(before) and sorted(now_matched) == sorted(matched)
        assert same == (not mistakes)


def test_mentions_at_one_place_are_told_apart_without_zeros_that_no_text_has(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    zero, word, last = Mention((), ((1, 1),)), Mention(((1, 2),)), Mention(((2, 3),))
    mentions = {0: word, 1: zero, 2: word, 3: zero, 4: last, 5: last}
    begun = CorrectedResponse(
        mentions,
        {2: 7, 3: 8},
        {},
        {0: (0, 1), 1: (2, 3, 4, 5)},
        {1: (0,)},
        {0: "set", 1: "set"},
        {number: mention.order for number, mention in mentions.items()},
    )
    zeros: set[Zero] = set()

    def normalise_seen(entities: list[Entity[Mention]], settings: Settings) -> Side:
        zeros.update(zero for e in entities for mention in e.mentions for zero in mention.zeros)
        return normalise(entities, settings)

    monkeypatch.setattr("anascore.analysis.error_alignment.normalise", normalise_seen)

    side, matched = as_side(begun, Settings())

    assert zeros == set()
    assert [[*e.mentions] for e in side.entities] == [[zero, word], [zero, word, last, last]]
    assert {type(mention) for mention in side.mentions} == {Mention}
    assert side.notes == {REPEATED: 0}
    assert matched == [(8, 2), (7, 3)]
    plain, same = as_side(replace(begun, elements={}), Settings())
    assert [[*e.mentions] for e in plain.entities] == [[*e.mentions] for e in side.entities]
    assert (plain.notes, same) == (side.notes, matched)


@pytest.mark.parametrize("name", CASES)
def test_counts_agree_with_corrections_of_cases(name: str) -> None:
    key, response, _ = CASES[name]

    check(document(key), document(response))


@given(pairs_of_sides())
def test_counts_agree_with_corrections(pair: tuple[Any, Any]) -> None:
    check(*(document_of(side) for side in pair))


@given(st.randoms(use_true_random=False))
def test_counts_agree_with_corrections_of_mentions_of_all_shapes(rng: random.Random) -> None:
    zeros = [(before, rank) for before in range(9) for rank in (1, 2)]
    check(*(Document("d", ["w"] * 9, random_rich_entities(rng), zeros=zeros) for _ in range(2)))


MATCHES: list[dict[str, Any]] = [
    {"match": "head"},
    {"match": "partial"},
    {"match": "craft"},
    {"match": "head", "split": False, "singletons": False},
    {"zeros": "drop", "remove_nested": True},
]


def with_heads(entities: list[Entity[Mention]], rng: random.Random) -> list[Entity[Mention]]:
    """Mark a word of each mention as its head, which it shares with others or not."""
    return [
        Entity(
            [
                mention._replace(minimum=((word := rng.choice(mention.words)[0], word + 1),))
                if mention.words
                else mention
                for mention in entity.mentions
            ],
            entity.elements,
        )
        for entity in entities
    ]


@pytest.mark.parametrize("choices", MATCHES)
@given(rng=st.randoms(use_true_random=False))
def test_all_corrected_is_perfect_however_mentions_match(
    choices: dict[str, Any], rng: random.Random
) -> None:
    zeros = [(before, rank) for before in range(9) for rank in (1, 2)]
    key, response = (
        Document("d", ["w"] * 9, with_heads(random_rich_entities(rng), rng), zeros=zeros)
        for _ in range(2)
    )

    settings = Settings(**choices)
    side, begun = draft(key, response, settings)

    analysis = analyse(pair_of(key, response, settings), REPORTED)

    corrected, matched = as_side(correct_all(side, begun), settings)
    tables = overlaps_of(side, corrected, matched, settings.lea_importance)
    counted = count_scores(ComparedSides(side, corrected, matched, tables), REPORTED, settings)
    assert {name: count.scores for name, count in counted.items()} == analysis.all_corrected
    assert is_perfect(analysis.all_corrected)


@pytest.mark.parametrize("choices", [{}, *MATCHES, {"convention": "ua"}, {"lea_importance": 3}])
@given(rng=st.randoms(use_true_random=False))
def test_a_response_that_is_the_key_is_counted_as_perfect_without_tables(
    choices: dict[str, Any], rng: random.Random
) -> None:
    zeros = [(before, rank) for before in range(9) for rank in (1, 2)]
    key = Document("d", ["w"] * 9, with_heads(random_rich_entities(rng), rng), zeros=zeros)
    settings = Settings(**choices)
    pair = pair_of(key, key, settings)

    analysis = analyse(pair, REPORTED)

    counted = count_scores(pair.identity, REPORTED, settings)
    assert {name: count.scores for name, count in counted.items()} == analysis.all_corrected


@pytest.mark.parametrize("choices", [{}, *MATCHES])
@given(rng=st.randoms(use_true_random=False))
def test_a_draft_has_the_counts_of_its_side(choices: dict[str, Any], rng: random.Random) -> None:
    zeros = [(before, rank) for before in range(9) for rank in (1, 2)]
    key, response = (
        Document("d", ["w"] * 9, with_heads(random_rich_entities(rng), rng), zeros=zeros)
        for _ in range(2)
    )
    settings = Settings(**choices)
    side, begun = draft(key, response, settings)

    analysis = analyse(pair_of(key, response, settings), REPORTED)

    for name, kind in ERROR_TYPES.items():
        corrected, matched = as_side(kind.find(SetAlignment(side, begun)).corrected, settings)
        tables = overlaps_of(side, corrected, matched, settings.lea_importance)
        counted = count_scores(ComparedSides(side, corrected, matched, tables), REPORTED, settings)
        assert {n: count.scores for n, count in counted.items()} == analysis.corrected[name]


def test_tables_of_a_response_without_sets_follow_from_its_sizes_and_shared_mentions() -> None:
    key, response = (normalise(document(t).entities, Settings()) for t in ("a bc (ab)d", "abx c"))
    expected = overlaps_of(key, response, match_mentions(key, response, Settings()), 10)

    tables = plain_overlaps(
        expected.from_key,
        [3, 1],
        shared_from_response({"a": 0, "b": 1, "c": 1, "d": 2}, ["abx", "c"]),
        expected.key_sets,
        expected.key_relations,
    )

    assert tables == expected


def test_a_set_of_another_relation_is_not_the_key() -> None:
    side, begun = draft(document("a b (ab)t"), document("a b (ab)t"), Settings())

    assert equals_key(side, begun)
    assert not equals_key(side, replace(begun, relations={**begun.relations, 2: "result"}))
    assert not equals_key(side, replace(begun, counterpart={0: 0, 1: 0, 2: 2}))


def test_zeros_that_match_by_what_they_depend_on(tmp_path: Path) -> None:
    """The response's only zero stands at the place of the first, and is the second."""
    line = "{id}\t{form}\t_\t_\t_\t_\t{head}\t_\t{deps}\t{entity}\n"
    head = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n# sent_id = 1\n"
    word = [line.format(id=n, form="w", head=0, deps="0:root", entity="_") for n in (1, 2, 3)]

    def zero(rank: int, parent: int, entity: str) -> str:
        deps, mention = f"{parent}:nsubj", f"Entity=({entity}--1)"
        return line.format(id=f"1.{rank}", form="_", head="_", deps=deps, entity=mention)

    rest = "".join(word[1:]) + "\n"
    (tmp_path / "k").write_text(head + word[0] + zero(1, 2, "e1") + zero(2, 3, "e2") + rest)
    (tmp_path / "r").write_text(head + word[0] + zero(1, 3, "e2") + rest)
    documents = [next(iter(anascore.read(tmp_path / n).documents.values())) for n in "kr"]

    found = analyse(pair_of(documents[0], documents[1], Settings(zero_match="dependent")), REPORTED)

    assert counts(found) == {"missing-entity": 1}
    assert is_perfect(found.all_corrected)


def test_an_error_that_another_correction_brings_about_is_corrected_too() -> None:
    """With its set corrected, the third word leaves the fourth's set on the second."""
    words = [[m(word, word + 1)] for word in range(4)]
    key = [
        Entity(words[0]),
        Entity(words[1]),
        Entity(words[2], [1], relation="result"),
        Entity(words[3], [0], relation="result"),
    ]
    response = [
        Entity(words[0]),
        Entity(words[1], [0, 2], relation="result"),
        Entity(words[2], [3], relation="result"),
        Entity(words[3]),
    ]

    check(*(Document("d", ["w"] * 4, entities) for entities in (key, response)))


def test_an_element_whose_last_mentions_are_split_off_stays_an_element() -> None:
    words = [[m(word, word + 1)] for word in range(5)]
    key = [
        Entity(words[0], [3], relation="result"),
        Entity(words[1], [0, 2], relation="result"),
        Entity(words[2], [0, 3], relation="result"),
        Entity(words[3]),
    ]
    response = [Entity([*words[0], *words[1], *words[2]], [1]), Entity(words[4])]

    check(*(Document("d", ["w"] * 5, entities) for entities in (key, response)))


@given(st.randoms(use_true_random=False))
def test_counts_agree_with_corrections_of_results(rng: random.Random) -> None:
    check(*(Document("d", ["w"] * 12, random_results(rng)) for _ in range(2)))


def random_results(rng: random.Random) -> list[Entity[Mention]]:
    """Make entities of single words, some of which are results or sets of earlier ones."""
    found: list[Entity[Mention]] = []
    for word in rng.sample(range(6), rng.randint(2, 6)):
        elements = rng.sample(range(len(found)), min(len(found), rng.choice([0, 1, 2])))
        relation: RelationName = rng.choice(["set", "result"])
        found.append(Entity([m(word, word + 1)], elements, relation=relation))
    return found


@given(pairs_of_sides())
def test_what_is_missing_is_extra_from_the_other_side(pair: tuple[Any, Any]) -> None:
    key, response = (document_of(side) for side in pair)
    there, back = (
        {
            name: len(errors)
            for name, errors in analyse(pair_of(*p, Settings()), ["muc"]).errors.items()
        }
        for p in ((key, response), (response, key))
    )

    for name, other in (
        ("missing-mention", "extra-mention"),
        ("missing-entity", "extra-entity"),
        ("divided-entity", "conflated-entity"),
    ):
        assert (there[name], there[other]) == (back[other], back[name])


@given(pairs_of_sides())
def test_scores_as_they_are_and_the_key_against_itself(pair: tuple[Any, Any]) -> None:
    key, response = (document_of(side) for side in pair)
    found = analyse(pair_of(key, response, Settings()), REPORTED)
    corpora = [anascore.Corpus({document.name: document}) for document in (key, response)]

    assert (
        scores_from_counts(found.as_it_is, REPORTED)
        == anascore.score(*corpora, metrics=REPORTED).scores
    )
    assert not counts(analyse(pair_of(key, key, Settings()), REPORTED))


def m(start: int, end: int, head: int | None = None) -> Mention:
    return Mention(((start, end),), minimum=() if head is None else ((head, head + 1),))


@pytest.mark.parametrize(
    ("key", "response", "wrong"),
    [
        ([m(0, 3)], [m(1, 3)], [(0, 0)]),
        ([m(0, 3)], [m(3, 4)], []),
        ([m(0, 3, 1)], [m(1, 3, 2)], []),
        ([m(0, 3, 2)], [m(1, 4, 2)], [(0, 0)]),
        ([m(0, 3)], [m(2, 5)], []),
        ([m(0, 4), m(0, 2)], [m(1, 4)], [(0, 0)]),
        ([m(0, 4)], [m(1, 2), m(1, 4)], [(0, 1)]),
        ([m(0, 4)], [m(0, 3), m(1, 4)], [(0, 0)]),
    ],
)
def test_wrong_spans(key: list[Mention], response: list[Mention], wrong: list[Any]) -> None:
    sides = [Side(tuple(Entity((mention,)) for mention in found)) for found in (key, response)]

    assert wrong_spans(sides[0], sides[1], []) == wrong


mentions_with_or_without_head = st.builds(
    lambda ends, gap, head: Mention(
        joined([(w, w + 1) for w in range(*sorted(ends)) if w != gap] or [(20, 21)]),
        ((3, 1),) if head == 3 else (),
        minimum=((head, head + 1),) if head in {1, 2} else (),
    ),
    st.tuples(st.integers(0, 9), st.integers(0, 9)),
    st.integers(0, 9),
    st.integers(0, 4),
)
crowds = st.lists(mentions_with_or_without_head, max_size=12, unique_by=lambda m: m.place)


@given(crowds, crowds)
def test_wrong_spans_are_looked_for_among_all_pairs(
    key: list[Mention], response: list[Mention]
) -> None:
    sides = [Side(tuple(Entity((mention,)) for mention in side)) for side in (key, response)]

    def is_same(k: Mention, r: Mention) -> bool:
        if k.place == r.place:
            return True
        if k.head and r.head:
            return k.head == r.head
        return shared_size(k, r) in {k.size, r.size}

    candidates = sorted(
        (-shared_size(k, r), k.size + r.size, k.order, r.order, i, j)
        for i, k in enumerate(key)
        for j, r in enumerate(response)
        if shared_size(k, r) and is_same(k, r)
    )
    pairs: dict[int, int] = {}
    for *_, i, j in candidates:
        if i not in pairs and j not in pairs.values():
            pairs[i] = j
    assert wrong_spans(sides[0], sides[1], []) == list(pairs.items())


def test_a_mention_that_matches_partly_has_no_wrong_span() -> None:
    key = Document("d", list("abcd"), [Entity([m(0, 3, 2)])])
    response = Document("d", list("abcd"), [Entity([m(1, 3)])])

    exact, partial = (
        counts(analyse(pair_of(key, response, Settings(match=match)), REPORTED))
        for match in ("exact", "partial")
    )

    assert exact == {"wrong-span": 1}
    assert partial == {}


def test_heads_that_differ_are_wrong_spans_where_heads_count() -> None:
    key, response = (Document("d", list("ab"), [Entity([m(0, 2, head)])]) for head in (0, 1))
    found = analyse(pair_of(key, response, Settings(match="head")), REPORTED)

    assert counts(found) == {"wrong-span": 1}
    assert is_perfect(found.all_corrected)


def test_sets_and_results_are_not_the_same() -> None:
    elements = [Entity([m(0, 1)]), Entity([m(1, 2)])]
    key, response = (
        Document("d", list("abc"), [*elements, Entity([m(2, 3)], [0, 1], relation=relation)])
        for relation in ("set", "result")
    )
    found = analyse(pair_of(key, response, Settings()), REPORTED)

    assert counts(found) == {"spurious-set": 1, "missed-set": 1}
    assert is_perfect(found.all_corrected)


def test_a_correction_that_would_make_a_set_its_own_element() -> None:
    """The key's set is made of two entities, one of which the response takes for its result."""
    a, b, t = (m(word, word + 1) for word in range(3))
    key = Document("d", list("abt"), [Entity([a]), Entity([b]), Entity([t], [0, 1])])
    made_of_it = Entity([b], [1], relation="result")
    response = Document("d", list("abt"), [Entity([a]), Entity([t]), made_of_it])

    found = analyse(pair_of(key, response, Settings()), REPORTED)

    assert counts(found) == {"spurious-set": 1, "missed-set": 1}
    assert is_perfect(found.all_corrected)


def test_parts_that_are_made_of_each_other() -> None:
    """The response has an entity in two parts, of which one is made of something that the other is
    made of."""
    a, b, c = (m(word, word + 1) for word in range(3))
    key = Document("d", list("abc"), [Entity([a, c]), Entity([b])])
    between = Entity([b], [0], relation="result")
    response = Document(
        "d", list("abc"), [Entity([c]), between, Entity([a], [1], relation="result")]
    )

    found = analyse(pair_of(key, response, Settings()), REPORTED)

    assert counts(found) == {"divided-entity": 1, "spurious-set": 2}
    assert is_perfect(found.all_corrected)


def test_a_missing_document_lacks_everything() -> None:
    key = Document("d", list("ab"), [Entity([m(0, 1)]), Entity([m(1, 2)], [0])])

    found = together([analyse(pair_of(key, None, Settings()), REPORTED)])

    assert counts(found) == {"missing-entity": 2, "missed-set": 1}
    assert is_perfect(found.all_corrected)


FILES = {
    "key.jsonl": """\
{"doc_key": "d", "sentences": [["Ann", "met", "a", "big", "dog", "."], ["They", "slept", "."]], \
"clusters": [[[0, 0]], [[2, 4]], [[6, 6]]], \
"split_antecedents": [[[6, 6], [0, 0]], [[6, 6], [2, 4]]]}
""",
    "response.jsonl": """\
{"doc_key": "d", "sentences": [["Ann", "met", "a", "big", "dog", "."], ["They", "slept", "."]], \
"clusters": [[[0, 0]], [[3, 4]], [[6, 6]]], "split_antecedents": [[[6, 6], [0, 0]]]}
""",
}


@pytest.fixture
def paths(tmp_path: Path) -> list[str]:
    for name, text in FILES.items():
        (tmp_path / name).write_text(text)
    return [str(tmp_path / name) for name in FILES]


def test_table(paths: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["errors", *paths]) == 0

    out = capsys.readouterr().out
    assert "d 4-5 (line 1 of the response): “big dog” instead of “a big dog”" in out
    assert "d 7 (line 1 of the response): “They”: without “a big dog”" in out


def test_a_set_taken_for_an_entity_names_that_entity() -> None:
    (error,) = analysed("cd ef (ce)a", "acd ef").errors["set-as-entity"]

    assert [mention.text for mention in error.response] == ["c"]


def test_heads_that_differ_are_told() -> None:
    key, response = (Document("d", list("ab"), [Entity([m(0, 2, head)])]) for head in (0, 1))
    (error,) = analyse(pair_of(key, response, Settings(match="head")), REPORTED).errors[
        "wrong-span"
    ]

    assert description(error) == "“a b” with another head"


def test_long_mentions_are_cut_in_the_middle() -> None:
    words = [f"w{number:03}" for number in range(100)]
    key, response = (Document("d", words, [Entity([m(0, end)])]) for end in (99, 100))
    (error,) = analyse(pair_of(key, response, Settings()), REPORTED).errors["wrong-span"]

    assert description(error) == (
        "“w000 w001 w002 w003 w004 w005  …  w094 w095 w096 w097 w098 w099” instead of "
        "“w000 w001 w002 w003 w004 w005  …  w093 w094 w095 w096 w097 w098”"
    )


@pytest.mark.parametrize("command", ["errors", "explain"])
@pytest.mark.parametrize("output", ["table", "json"])
def test_warnings_are_those_of_score(
    command: str, output: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "twice.jsonl"
    path.write_text(
        '{"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[0, 0]], [[0, 0], [1, 1]]]}'
    )

    assert main([command, str(path), str(path), "--output", output]) == 0

    assert "response: mentions that are also in an earlier entity" in capsys.readouterr().out


def test_warnings_beside_csv(paths: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    text = Path(paths[0]).read_text() + '{"doc_key": "e", "tokens": ["a"], "clusters": [[[0, 0]]]}'
    Path(paths[0]).write_text(text)

    assert main(["errors", *paths, "--missing", "empty", "--output", "csv"]) == 0

    assert "documents that are missing, scored as empty: 1" in capsys.readouterr().err


def test_json_and_csv_list_the_same(paths: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    main(["errors", *paths, "--output", "json"])
    (found,) = json.loads(capsys.readouterr().out)["systems"]
    main(["errors", *paths, "--output", "csv"])
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    main(["score", *paths, "--output", "json"])
    scores = json.loads(capsys.readouterr().out)["systems"][0]["layers"]["identity"]["scores"]

    assert found["scores"] == {name: scores[name] for name in found["scores"]}
    assert {n: of["errors"] for n, of in found["types"].items() if of["errors"]} == {
        "wrong-span": 1,
        "missing-element": 1,
    }
    assert [error["type"] for error in found["errors"]] == [row["type"] for row in rows]
    assert found["errors"][1]["anaphor"]["text"] == rows[1]["anaphor"] == "They"
    assert found["errors"][0]["key"] == [
        {"side": "key", "text": "a big dog", "words": [[2, 5]], "zeros": [], "line": 1}
    ]
    assert (rows[0]["key"], rows[0]["key_words"]) == ("a big dog", "3-5")


@each_pair(real_ones=["noisy-a", "noisy-b", "xrenner"])
def test_whole_corpora(pair: Lazy[tuple[Corpus, Corpus]]) -> None:
    key, theirs = pair()
    documents = [
        analyse(pair_of(document, theirs.documents[name], Settings()), REPORTED)
        for name, document in key.documents.items()
    ]
    found = together(documents)

    assert is_perfect(found.all_corrected)
    for kind in ERROR_TYPES:
        # A right element whose mentions all have wrong spans earns nothing yet.
        assert found.corrected[kind] != found.as_it_is or len(found.errors[kind]) < 2
        assert found.corrected[kind] == found.as_it_is or found.errors[kind]


# several responses


def test_several_responses_are_analysed_one_by_one() -> None:
    comparison = anascore.find_errors(KEY, {"A": SYSTEMS[0], "B": anascore.read(SYSTEMS[1])})

    assert comparison.names == ["A", "B"]
    assert [len(errors) for errors in comparison] == [5, 4]
    alone = anascore.find_errors(KEY, SYSTEMS[1])
    assert comparison["B"] == comparison[1] == replace(alone, system="B")
    assert comparison[:1].names == ["A"]
    assert comparison == anascore.ErrorComparison(comparison)
    assert comparison != anascore.ErrorComparison(comparison[:1])
    assert hash(comparison) == hash(anascore.ErrorComparison(comparison))
    assert anascore.find_errors(KEY, SYSTEMS[:1]).names == ["system-A"]
    with pytest.raises(SettingsError, match=r"no system 'C'; choose from A, B"):
        comparison["C"]


def test_a_comparison_of_errors_prints_itself() -> None:
    comparison = anascore.find_errors(KEY, SYSTEMS[:2])

    assert repr(comparison) == "<ErrorComparison: 'system-A' 5, 'system-B' 4>"
    assert repr(comparison[:0]) == "<ErrorComparison: no systems>"
    many = anascore.ErrorComparison([comparison[0]] * 10)
    assert repr(many).endswith("'system-A' 5, … 2 more>")
    assert f"{comparison}\n" == comparison.render("table")
    assert "system-B" in comparison._repr_html_()
    assert "example 8 (line 12 of the key)" in comparison.table(examples=None)
    assert "example 8" not in comparison.table()
    with pytest.raises(SettingsError, match="no such output: 'html'"):
        comparison.render("html")  # type: ignore[arg-type]


def test_json_of_a_comparison_of_errors_is_that_of_each_system() -> None:
    comparison = anascore.find_errors(KEY, SYSTEMS[:2])

    content, *alone = (errors.to_dict() for errors in (comparison, *comparison))

    assert content["systems"] == [system for one in alone for system in one["systems"]]
    assert [system["name"] for system in content["systems"]] == ["system-A", "system-B"]
    assert [len(system["errors"]) for system in content["systems"]] == [5, 4]


def test_a_comparison_of_errors_as_a_frame() -> None:
    pytest.importorskip("pandas")
    frame = anascore.find_errors(KEY, SYSTEMS[:2]).to_frame()

    assert frame["system"].value_counts().to_dict() == {"system-A": 5, "system-B": 4}


def test_counts_gains_and_differences() -> None:
    comparison = anascore.find_errors(KEY, SYSTEMS[:2])

    lines = [line.split("  ") for line in str(comparison).splitlines()]
    rows = [[cell.strip() for cell in line if cell] for line in lines]

    assert rows[1] == ["system-A", "system-B", "+/-"]
    assert rows[2] == ["all types", "5", "4", "-1"]
    first, second = comparison
    for name, label in (("missing-mention", "missing mention"), ("missing-element", "missing ele")):
        counts, gains = (row[1:] for row in rows if row and row[0].startswith(label))
        assert counts[:2] == [str(errors.counts[name]) for errors in comparison]
        assert counts[2] == f"{second.counts[name] - first.counts[name]:+d}"
        for errors, gain in zip(comparison, gains, strict=True):
            before, after = errors.scores["conll"].f1, errors.corrected[name]["conll"].f1
            assert before is not None
            assert after is not None
            assert gain == f"{100 * (after - before):+.2f}"


def test_types_without_errors_are_left_out_of_tables() -> None:
    text = str(anascore.find_errors(KEY, SYSTEMS[0]))

    assert "missing mention " in text
    assert "extra mention" not in text
    assert "extra-mention" in anascore.find_errors(KEY, SYSTEMS[0]).to_json()


def test_gains_of_undefined_scores_are_undefined() -> None:
    none, one = both([], [["a", "b"]]).corpora

    text = str(anascore.find_errors(none, {"x": none, "y": one}))

    assert "unchanged          -    0.00\n" in text
    assert "extra entity       -       -\n" in text
