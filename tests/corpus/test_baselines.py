"""The baselines of the paper: sets that are added to responses with single antecedents only."""

import random
from collections.abc import Collection
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore import (
    Corpus,
    Document,
    Entity,
    Mention,
    MismatchError,
    NonReferring,
    ReadError,
    SettingsError,
)
from anascore.cli.main import main
from anascore.corpus.baselines import add_sets
from anascore.corpus.validate import validate, validate_path
from anascore.formats.registry import FORMATS, WRITABLE
from anascore.model.transform import atomic_elements, find_cycles
from support.documents import document_of
from support.reading import put, standard_input
from support.samples import LAYERS_KEY
from support.shared import Lazy, each_corpus
from support.strategies import sides

METHODS = ["random", "recent-2", "recent-4", "single"]

#        0   1   2   3 4    5   6   7 8   9   10  11   12   13
STORY = "Ann met Bob . They saw Cem . She and Dan left them ."
LEFT = ["0 8", "2", "4", "6", "10", "12"]
"""Ann, Bob, They, Cem, Dan, them."""


def document(words: str | list[str], entities: list[str], name: str = "d") -> Document:
    """Make a document; an entity is written as its mentions, "0" or "0-3" for words 0 to 3."""
    text = words.split() if isinstance(words, str) else words
    found = [Entity([mention(place) for place in entity.split()]) for entity in entities]
    return Document(name, text, found)


def mention(place: str) -> Mention:
    first, _, last = place.partition("-")
    return Mention(((int(first), int(last or first) + 1),))


def corpus(*documents: Document, unnamed: bool = False) -> Corpus:
    return Corpus({found.name: found for found in documents}, ("jsonl",), unnamed=unnamed)


def with_sets(found: Document, sets: dict[int, Collection[int]]) -> Document:
    entities = [
        replace(entity, elements=tuple(sets.get(position, ())))
        for position, entity in enumerate(found.entities)
    ]
    return replace(found, entities=entities)


def sets_of(found: Document) -> dict[int, set[int]]:
    """Return the elements of each set."""
    return {
        position: set(entity.elements)
        for position, entity in enumerate(found.entities)
        if entity.elements
    }


def added(found: Document, method: str, **choices: Any) -> dict[int, set[int]]:
    """Add sets to one document, and return them."""
    return sets_of(add_sets(corpus(found), method, **choices).documents[found.name])


def refusal(method: str, **choices: Any) -> str:
    with pytest.raises(SettingsError) as raised:
        added(document(STORY, LEFT), method, **choices)
    return str(raised.value)


@pytest.mark.parametrize(
    ("method", "expected"),
    [
        ("single", {}),
        ("recent-2", {2: {0, 1}, 5: {0, 4}}),
        ("recent-3", {2: {0, 1}, 5: {0, 3, 4}}),
        ("recent-4", {2: {0, 1}, 5: {0, 1, 3, 4}}),
        ("recent-999999999", {2: {0, 1}, 5: {0, 1, 3, 4}}),
    ],
)
def test_nearest_entities(method: str, expected: dict[int, set[int]]) -> None:
    assert added(document(STORY, LEFT), method) == expected


@pytest.mark.parametrize(
    ("words", "entities", "expected"),
    [
        pytest.param("a b they", ["0", "1", "2"], {2: {0, 1}}, id="a pronoun"),
        pytest.param("a b THEY", ["0", "1", "2"], {2: {0, 1}}, id="whatever the case"),
        pytest.param("a b dogs", ["0", "1", "2"], {}, id="no pronoun"),
        pytest.param("a b they", ["0", "1", "1-2"], {}, id="a pronoun is only part of it"),
        pytest.param("a b they", ["0", "1"], {}, id="no mention"),
        pytest.param("a b they", ["0", "1 2"], {}, id="resolved already"),
        pytest.param("a b they them", ["0", "1", "3 2"], {2: {0, 1}}, id="the first mention"),
        pytest.param("a they", ["0", "1"], {}, id="one entity is no set"),
        pytest.param("they", ["0"], {}, id="none is no set"),
        pytest.param("a they b", ["0", "1", "2"], {}, id="entities before it only"),
        pytest.param("a b they a", ["0", "1", "2", "3"], {2: {0, 1}}, id="none behind it"),
        pytest.param("a b c they", ["1", "2", "0", "3"], {3: {0, 1}}, id="in any order"),
        pytest.param("a b c they a", ["0 4", "1", "2", "3"], {3: {1, 2}}, id="mentioned again"),
        pytest.param("a b c a they", ["0 3", "1", "2", "4"], {3: {0, 2}}, id="before it"),
        pytest.param("a b we they", ["0", "1", "2", "3"], {2: {0, 1}, 3: {0, 1}}, id="no plural"),
        pytest.param("a b c they us", ["0", "1", "2 4", "3"], {3: {0, 1}}, id="plural later"),
        pytest.param("a b a they x", ["0", "1", "2-4", "3"], {3: {0, 1}}, id="goes on around it"),
        pytest.param("a b they x", ["0", "1", "2-3", "2"], {3: {0, 1}}, id="begins with it"),
    ],
)
def test_candidates(words: str, entities: list[str], expected: dict[int, set[int]]) -> None:
    assert added(document(words, entities), "recent-2") == expected


def test_the_list_of_pronouns_can_be_another() -> None:
    found = document(STORY, [*LEFT, "9 11"])

    assert added(found, "recent-2", pronouns=["Them"]) == {5: {4, 6}}
    assert added(found, "recent-2", pronouns=["and"]) == {6: {0, 3}}


def test_pronouns_can_be_of_several_words() -> None:
    found = document("a b all of them", ["0", "1", "2-4"])

    assert added(found, "recent-2") == {}
    assert added(found, "recent-2", pronouns=["All  of them"]) == {2: {0, 1}}


def test_texts_in_characters() -> None:
    found = replace(document([], ["0", "2", "4-7"]), words="a b They")

    assert added(found, "recent-2") == {2: {0, 1}}
    assert added(found, "recent-2", pronouns=["hey"]) == {}


def test_mentions_with_gaps_and_zeros() -> None:
    zeros = [Entity([Mention((), ((0, 1),))]), Entity([Mention((), ((1, 1),))])]
    gap = Entity([Mention(((1, 2), (3, 4)))])
    words = ["x", "all", "x", "three"]
    found = Document("d", words, [*zeros, gap], zeros=[(0, 1), (1, 1)])

    assert added(found, "recent-2", pronouns=["all three"]) == {2: {0, 1}}


def test_entities_without_mentions_are_left_alone() -> None:
    found = document("a b they", ["", "0", "1", "2", ""])

    assert added(found, "recent-3") == {3: {1, 2}}
    assert added(found, "oracle", key=corpus(found)) == {}


def test_random_takes_two_to_five() -> None:
    words = [*map(str, range(20)), "they"]
    found = document(words, [str(i) for i in range(21)])
    drawn = [added(found, "random", seed=seed)[20] for seed in range(200)]

    assert {len(elements) for elements in drawn} == {2, 3, 4, 5}
    assert set.union(*drawn) == set(range(20))


def test_random_takes_fewer_where_there_are_fewer() -> None:
    found = document("a b they a", ["0", "1", "2", "3"])

    assert all(added(found, "random", seed=seed) == {2: {0, 1}} for seed in range(20))
    assert added(document("a they", ["0", "1"]), "random") == {}


def many(name: str) -> Document:
    words = ["x", *("they" if i % 3 == 2 else "x" for i in range(30))]
    return document(words, [str(i) for i in range(31)], name)


def test_random_is_repeatable() -> None:
    assert added(many("d"), "random") == added(many("d"), "random", seed=0)
    assert added(many("d"), "random", seed=1) == added(many("d"), "random", seed=1)
    assert added(many("d"), "random", seed=1) != added(many("d"), "random", seed=2)
    assert added(many("d"), "random") != added(many("e"), "random")


def test_random_draws_what_it_has_always_drawn() -> None:
    assert added(document(STORY, LEFT), "random", seed=4) == {2: {0, 1}, 5: {1, 4}}


def test_other_documents_change_nothing() -> None:
    a, b, c = many("a"), many("b"), many("c")

    alone = {name: added(many(name), "random", seed=3) for name in "abc"}
    for order in [(a, b, c), (c, a, b), (b, a)]:
        together = add_sets(corpus(*order), "random", seed=3)
        assert list(together.documents) == [found.name for found in order]
        for name, found in together.documents.items():
            assert sets_of(found) == alone[name]


def test_a_name_can_be_anything() -> None:
    assert added(many("\udcff\ud800"), "random")


KEY = with_sets(document(STORY, LEFT), {2: (0, 1), 5: (1, 3)})


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        pytest.param(LEFT, {2: {0, 1}, 5: {1, 3}}, id="the same entities"),
        pytest.param(LEFT[::-1], {3: {4, 5}, 0: {2, 4}}, id="in any order"),
        pytest.param(["0", "2", "4", "6", "12"], {2: {0, 1}, 4: {1, 3}}, id="in part"),
        pytest.param(["8", "2", "4", "6", "12"], {2: {0, 1}, 4: {1, 3}}, id="a later mention"),
        pytest.param(["8", "0", "2", "4"], {3: {1, 2}}, id="equal parts: the earliest"),
        pytest.param(["0", "2", "6", "12"], {3: {1, 2}}, id="no anaphor"),
        pytest.param(["0", "4", "6", "12"], {1: {0}, 3: {2}}, id="an element less"),
        pytest.param(["4", "12"], {}, id="no element"),
        pytest.param(["0 2", "4", "6", "12"], {1: {0}, 3: {0, 2}}, id="elements are one"),
        pytest.param(["0 2 4", "6", "12"], {2: {0, 1}}, id="it is its only element"),
        pytest.param(["0 4", "2", "6", "12"], {0: {1}, 3: {1, 2}}, id="it is an element"),
        pytest.param(["0", "2 12", "4", "6"], {2: {0, 1}}, id="an element gets no set"),
        pytest.param(["0", "4 6", "2", "12"], {1: {0, 2}, 3: {2}}, id="a set is no element"),
        pytest.param(["0", "2", "4 12", "6"], {2: {0, 1}}, id="the first set"),
        pytest.param(["0", "2", "3-4", "12", "6"], {3: {1, 4}}, id="the same place"),
    ],
)
def test_oracle(response: list[str], expected: dict[int, set[int]]) -> None:
    assert added(document(STORY, response), "oracle", key=corpus(KEY)) == expected


def test_oracle_shares_the_most_mentions() -> None:
    words = "a a a b they"
    key = with_sets(document(words, ["0 1 2", "3", "4"]), {2: (0, 1)})

    assert added(document(words, ["0", "1 2", "3", "4"]), "oracle", key=corpus(key)) == {3: {1, 2}}


def test_oracle_tries_other_mentions_of_the_anaphor() -> None:
    words = "a b they them we"
    key = with_sets(document(words, ["0", "1", "4 2 3"]), {2: (0, 1)})

    found = added(document(words, ["0", "1", "4", "3"]), "oracle", key=corpus(key))

    assert found == {3: {0, 1}}


def test_oracle_goes_down_to_atomic_elements() -> None:
    words = "a b they c we"
    entities = ["0", "1", "2", "3", "4"]
    key = with_sets(document(words, entities), {2: (0, 1), 4: (2, 3)})

    found = added(document(words, entities), "oracle", key=corpus(key))

    assert found == {2: {0, 1}, 4: {0, 1, 3}}


def test_oracle_takes_the_first_set_that_there_is() -> None:
    """The first of two sets has no element that the response knows."""
    words = "a b they them c d"
    key = with_sets(document(words, ["0", "1", "3", "2", "4"]), {2: (0, 1), 3: (4,)})

    assert added(document(words, ["0", "1", "2 3"]), "oracle", key=corpus(key)) == {2: {0, 1}}


def test_oracle_needs_no_pronouns() -> None:
    words = "a b people"
    key = with_sets(document(words, ["0", "1", "2"]), {2: (0, 1)})

    assert added(document(words, ["0", "1", "2"]), "oracle", key=corpus(key)) == {2: {0, 1}}


def test_oracle_needs_only_the_documents_of_the_response() -> None:
    single = corpus(document(STORY, LEFT))

    found = add_sets(single, "oracle", key=corpus(many("other"), KEY))

    assert found == corpus(KEY)


def test_documents_without_names_are_told_by_their_order() -> None:
    first, second = document(STORY, LEFT, "1"), document(STORY, LEFT[:3], "2")
    single = corpus(first, second, unnamed=True)
    key = corpus(replace(KEY, name="x"), replace(KEY, name="y"))

    found = add_sets(single, "oracle", key=key).documents

    assert {name: sets_of(d) for name, d in found.items()} == {
        "1": {2: {0, 1}, 5: {1, 3}},
        "2": {2: {0, 1}},
    }
    assert [d.name for d in found.values()] == ["1", "2"]


def test_a_response_that_was_rewritten_keeps_its_words() -> None:
    words = ["So", "Ann", "met", "Bob", ".", "They", "saw"]
    single = replace(document(words, ["1", "3", "5"]), rewritten=True)

    found = add_sets(corpus(single), "oracle", key=corpus(KEY)).documents["d"]

    assert found.words == words
    assert sets_of(found) == {2: {0, 1}}


@pytest.mark.parametrize(
    ("single", "message"),
    [
        (document(STORY.replace("Cem", "Kim"), LEFT), "word 7 of document 'd' is 'Kim', but 'Cem'"),
        (document(STORY, LEFT, "e"), "has no document 'e'; key and response must have the same"),
        (replace(document([], []), words="Ann"), "document 'd' is in characters, but in words"),
    ],
)
def test_oracle_needs_the_same_words(single: Document, message: str) -> None:
    with pytest.raises(MismatchError) as raised:
        add_sets(corpus(single), "oracle", key=corpus(KEY))

    assert message in str(raised.value)
    assert "--" not in str(raised.value)


@pytest.mark.parametrize("method", [*METHODS, "oracle"])
def test_sets_that_are_there_already_are_refused(method: str) -> None:
    with pytest.raises(ReadError) as raised:
        add_sets(corpus(KEY), method, key=corpus(KEY))

    assert str(raised.value) == (
        "in Python: entity 2 of document 'd' already has an accommodated set; baselines need a "
        "response without sets"
    )


@pytest.mark.parametrize(
    "method", ["", "recent", "recent-", "recent-1", "recent-0", "recent-x", "recent--2", "best"]
)
def test_methods_that_do_not_exist(method: Any) -> None:
    assert refusal(method) == (
        f"method must be random, recent-N with N of at least 2 (such as recent-2), single, or "
        f"oracle, not {method!r}"
    )


@pytest.mark.parametrize("seed", [-1, 1.0, "1", None, True])
def test_seeds_that_are_none(seed: Any) -> None:
    message = f"seed must be a whole number, at least 0, not {seed!r}"
    assert refusal("random", seed=seed) == message


@pytest.mark.parametrize("pronouns", [[], (), "they", [""], ["they", " "], [1]])
def test_pronouns_that_are_none(pronouns: Any) -> None:
    message = f"pronouns must be one or more words, none of them empty, not {pronouns!r}"
    assert refusal("random", pronouns=pronouns) == message


def test_oracle_without_a_key() -> None:
    assert refusal("oracle") == ("the method oracle needs the key; pass it as key=...")


def test_everything_else_is_kept_as_in_a_conversion(tmp_path: Path) -> None:
    text = LAYERS_KEY.replace("this\tPRON\t_", "they\tPRON\t(EntityID=9|MarkableID=m9)")
    given_file = str(put(tmp_path, "in.conllua", text))
    converted, out = tmp_path / "converted.conllua", tmp_path / "out.conllua"

    assert main(["convert", given_file, str(converted)]) == 0
    assert main(["baseline", "k", given_file, "--method", "recent-2", "-o", str(out)]) == 0

    written = out.read_text()
    assert written.count("|ElementOf=9") == 2
    assert written.replace("|ElementOf=9", "") == converted.read_text()


def test_discourse_deixis_may_have_sets() -> None:
    layer = KEY.entities
    found = add_sets(corpus(replace(document(STORY, LEFT), deixis=layer)), "recent-2")

    assert found.documents["d"].deixis == layer


def test_nonreferring_mentions_are_neither_candidates_nor_elements() -> None:
    found = replace(
        document("a b it they", ["0", "1"]), nonreferring=[NonReferring(mention("2"), "x")]
    )

    assert added(found, "recent-2", pronouns=["they", "it"]) == {}


@pytest.mark.parametrize("method", [*METHODS, "oracle"])
@pytest.mark.parametrize("name", WRITABLE)
def test_every_format(
    name: str, method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    key, single, out = (put(tmp_path, f"{side}/d.json", "") for side in ("key", "single", "out"))
    anascore.write(corpus(KEY), key, "rucoco" if name == "rucoco" else "jsonl")
    anascore.write(corpus(document(STORY, LEFT)), single, name)
    if method != "oracle":
        key.unlink()

    status = main(["baseline", str(key), str(single), "--method", method, "-o", str(out)])

    holds = FORMATS[name].holds.sets != "no"
    if not holds and method != "single":
        assert status == 2
        assert "cannot hold accommodated sets, which" in capsys.readouterr().err
        assert out.read_text() == ""
        return
    assert status == 0
    (validated,) = validate(str(out), None)
    assert (validated.format, validated.errors) == (name, [])
    (found,) = anascore.read(out).documents.values()
    assert len(sets_of(found)) == (0 if method == "single" else 2)


def test_the_ending_tells_the_format(tmp_path: Path) -> None:
    anascore.write(corpus(document(STORY, LEFT)), tmp_path / "d.jsonl")
    arguments = ["baseline", "nowhere", str(tmp_path / "d.jsonl"), "--method", "recent-2"]

    for ending, options in {".conllua": [], ".conll": ["--to", "ua"], ".x": []}.items():
        assert main([*arguments, "-o", str(tmp_path / f"out{ending}"), *options]) == 0

    assert [anascore.read(path).format for path in sorted(tmp_path.glob("out*"))] == [
        *("ua", "ua", "jsonl")
    ]


def test_files_of_several_formats_need_a_format_to_write(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    anascore.write(corpus(document(STORY, LEFT, "a")), put(tmp_path, "in/a.jsonl", ""))
    anascore.write(corpus(document(STORY, LEFT, "b")), tmp_path / "in/b.conllua")

    assert main(["baseline", "-", str(tmp_path / "in"), "--method", "single", "-o", "-"]) == 2

    assert (
        "cannot tell the output format from this name; choose one with --to"
        in capsys.readouterr().err
    )


def test_the_key_is_left_alone_where_it_is_not_needed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Standard input is read once, as the response, though the key is called the same."""
    anascore.write(corpus(document(STORY, LEFT)), tmp_path / "d.jsonl")
    standard_input(monkeypatch, (tmp_path / "d.jsonl").read_bytes())

    assert main(["baseline", "-", "-", "--method", "recent-2", "-o", "-"]) == 0

    assert '"split_antecedents"' in capsys.readouterr().out


def test_errors_leave_no_file_behind(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    anascore.write(corpus(KEY), tmp_path / "d.conllua")
    path, out = tmp_path / "d.conllua", tmp_path / "out.conllua"

    assert main(["baseline", "k", str(path), "--method", "single", "-o", str(out)]) == 2

    assert f"{path}:9: entity 3 of document" in capsys.readouterr().err
    assert not out.exists()


WORDS = ["Ann", "Bob", "Cem", "They", "them", "our"]


def _entity(mentions: list[Mention]) -> Entity[Mention]:
    return Entity(mentions)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Draw a document of many pronouns, with mentions that may be nested, crossing or the same."""
    words = draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=20))
    starts = st.integers(0, len(words) - 1)
    spans = st.tuples(starts, st.sampled_from([1, 1, 1, 2, 3]))
    mentions = spans.map(lambda span: Mention(((span[0], min(sum(span), len(words))),)))
    entities = st.lists(mentions, min_size=1, max_size=3).map(_entity)
    return Document("d", words, draw(st.lists(entities, max_size=12)))


@given(
    documents(), st.sampled_from(["random", "recent-2", "recent-3", "recent-7"]), st.integers(0, 9)
)
def test_sets_are_what_they_should_be(found: Document, method: str, seed: int) -> None:
    after = add_sets(corpus(found), method, seed=seed).documents["d"]

    first = [min(mention.order for mention in entity.mentions) for entity in after.entities]
    sets = sets_of(after)
    assert not list(find_cycles([entity.elements for entity in after.entities]))
    for position, elements in sets.items():
        assert position not in elements
        assert not elements & sets.keys()
        assert 2 <= len(elements) <= (5 if method == "random" else int(method[-1]))
        assert all(first[element] < first[position] for element in elements)
    assert with_sets(after, {}) == found


@given(documents(), documents(), st.randoms(use_true_random=False))
def test_sets_of_the_oracle(key: Document, single: Document, rng: random.Random) -> None:
    words = [*WORDS * 5][:30]
    sets: dict[int, Collection[int]] = {
        position: rng.sample(range(position), min(position, rng.randint(1, 3)))
        for position in range(len(key.entities))
        if rng.random() < 0.5
    }
    given_key = with_sets(replace(key, words=words), sets)

    after = add_sets(corpus(replace(single, words=words)), "oracle", key=corpus(given_key))

    found = sets_of(after.documents["d"])
    for position, elements in found.items():
        assert position not in elements
        assert not elements & found.keys()


@given(sides())
def test_the_oracle_knows_all_sets(side: list[tuple[frozenset[int], frozenset[int]]]) -> None:
    key = document_of(side)
    atomic = atomic_elements([elements for _, elements in side])

    found = added(with_sets(key, {}), "oracle", key=corpus(key))

    assert found == {position: set(atoms) for position, atoms in enumerate(atomic) if atoms}


@each_corpus("ua", "corefud", "friends", real_ones=["gum-ua", "gum-corefud", "friends"])
@pytest.mark.parametrize("method", ["random", "recent-2", "oracle"])
def test_whole_corpora(corpus: Lazy[Corpus], method: str, tmp_path: Path) -> None:
    key = corpus()
    documents = {found: with_sets(d, {}) for found, d in key.documents.items()}
    single = replace(key, documents=documents)

    found = add_sets(single, method, key=key)

    assert any(sets_of(d) for d in found.documents.values())
    anascore.write(found, tmp_path / "out", key.format)
    ((validated, _),) = validate_path(str(tmp_path / "out"), key.format)
    assert validated.errors == []
    if method == "oracle":
        scores = anascore.score(key, found).split_only
        assert {scores[metric].f1 for metric in ("muc", "lea")} == {1.0}


@pytest.mark.parametrize(
    ("arguments", "choices"),
    [
        ((None, "random"), {}),
        (("key.conllua", "random"), {}),
        ((corpus(document(STORY, LEFT)), "oracle"), {"key": "key.conllua"}),
        ((corpus(document(STORY, LEFT)), ["random"]), {}),
        ((corpus(document(STORY, LEFT)), "random"), {"pronouns": 5}),
    ],
)
def test_wrong_types(arguments: Any, choices: Any) -> None:
    with pytest.raises(SettingsError):
        add_sets(*arguments, **choices)


def test_pronouns_can_come_one_by_one() -> None:
    single = corpus(document(STORY, LEFT))

    one_by_one: Any = (word for word in ("they", "them"))
    drawn = add_sets(single, "recent-2", pronouns=one_by_one)

    assert drawn == add_sets(single, "recent-2", pronouns=["they", "them"])
    assert drawn != single
