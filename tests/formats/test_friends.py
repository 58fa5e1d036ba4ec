"""Reading Friends (character identification) JSON."""

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Document
from anascore.errors import INCLUSIVE_HINT
from support.reading import all_refusals, put, refusal
from support.shared import CORPORA

SIX = list("abcdef")
LOST = "characters without a mention of their own in the scene, left out of the sets"


def scene(*labelled: Any, name: Any = "s01", **fields: Any) -> dict[str, Any]:
    """Return a scene of one sentence of six words with these mentions."""
    utterance = {"tokens": [SIX], "character_entities": [list(labelled)], **fields}
    return {"scene_id": name, "utterances": [utterance]}


def season(*scenes: Any) -> str:
    return json.dumps({"season_id": "s", "episodes": [{"episode_id": "e", "scenes": scenes}]})


def read(folder: Path, text: str) -> dict[str, Document]:
    return anascore.read(put(folder, "test.json", text), "friends").documents


Spans = list[tuple[int, int]]


def described(document: Document) -> list[tuple[Spans, set[int]]]:
    """Return the mentions and the elements of each entity, in the order of first mentions."""
    return [
        ([span for mention in entity.mentions for span in mention.words], set(entity.elements))
        for entity in document.entities
    ]


@pytest.mark.parametrize(
    ("labelled", "expected"),
    [
        pytest.param([], [], id="no mentions"),
        pytest.param([[0, 1, "Ross"]], [([(0, 1)], set())], id="one"),
        pytest.param(
            [[0, 2, "Ross"], [3, 4, "Rachel"], [5, 6, "Ross"]],
            [([(0, 2), (5, 6)], set()), ([(3, 4)], set())],
            id="mentions of one character are one entity",
        ),
        pytest.param(
            [[0, 1, "Ross"], [1, 2, "Rachel"], [2, 3, "Ross", "Rachel"]],
            [([(0, 1)], set()), ([(1, 2)], set()), ([(2, 3)], {0, 1})],
            id="a set of two",
        ),
        pytest.param(
            [[0, 1, "Ross", "Rachel"], [1, 2, "Rachel"], [2, 3, "Ross"], [3, 4, "Rachel", "Ross"]],
            [([(0, 1), (3, 4)], {1, 2}), ([(1, 2)], set()), ([(2, 3)], set())],
            id="mentions of one set are one entity, whatever the order",
        ),
        pytest.param(
            [[0, 1, "Ross"], [1, 2, "Ross", "Ross"]],
            [([(0, 1), (1, 2)], set())],
            id="a character named twice is one",
        ),
        pytest.param(
            [[0, 1, "#GENERAL#"], [1, 2, "#OTHER#"], [2, 3, "#ALL#"], [3, 4, "#OTHER#"]],
            [([(0, 1)], set()), ([(1, 2), (3, 4)], set()), ([(2, 3)], set())],
            id="generic labels",
        ),
        pytest.param(
            [
                [0, 1, "Ross"],
                [1, 2, "Rachel"],
                [2, 3, "#OTHER#"],
                [3, 4, "Ross", "#OTHER#", "Rachel"],
            ],
            [([(0, 1)], set()), ([(1, 2)], set()), ([(2, 3)], set()), ([(3, 4)], {0, 1})],
            id="a generic label is never an element",
        ),
        pytest.param(
            [[0, 6, "Ross"], [2, 3, "Rachel"], [2, 5, "Ross"]],
            [([(0, 6), (2, 5)], set()), ([(2, 3)], set())],
            id="nested",
        ),
    ],
)
def test_characters_and_sets(
    tmp_path: Path, labelled: list[Any], expected: list[tuple[Spans, set[int]]]
) -> None:
    (document,) = read(tmp_path, season(scene(*labelled))).values()

    assert expected == described(document)
    assert document.notes == {}


@pytest.mark.parametrize(
    ("labelled", "expected", "lost"),
    [
        pytest.param(
            [[0, 1, "Ross"], [1, 2, "Ross", "Rachel"]],
            [([(0, 1)], set()), ([(1, 2)], {0})],
            1,
            id="one of two",
        ),
        pytest.param([[1, 2, "Ross", "Rachel"]], [([(1, 2)], set())], 2, id="no set is left"),
        pytest.param(
            [[0, 1, "Ross", "Rachel"], [1, 2, "Ross", "Rachel"]],
            [([(0, 1), (1, 2)], set())],
            2,
            id="counted once for a set",
        ),
    ],
)
def test_characters_that_no_single_mention_names_are_no_elements(
    tmp_path: Path, labelled: list[Any], expected: list[tuple[Spans, set[int]]], lost: int
) -> None:
    (document,) = read(tmp_path, season(scene(*labelled))).values()

    assert expected == described(document)
    assert document.notes == {LOST: lost}


def test_a_character_with_others_is_not_the_character(tmp_path: Path) -> None:
    (document,) = read(tmp_path, season(scene([0, 1, "Ross"], [1, 2, "Ross", "#OTHER#"]))).values()

    assert [mentions for mentions, _ in described(document)] == [[(0, 1)], [(1, 2)]]


def test_spans_count_words_inside_their_sentence(tmp_path: Path) -> None:
    utterances = [
        {"tokens": [["a", "b"], ["c"]], "character_entities": [[[1, 2, "A"]], [[0, 1, "A"]]]},
        {"tokens": [], "character_entities": []},
        {"tokens": [[], ["d", "e"]], "character_entities": [[], [[0, 2, "A"]]]},
    ]

    (document,) = read(tmp_path, json.dumps({"scene_id": "s", "utterances": utterances})).values()

    assert document.words == ("a", "b", "c", "d", "e")
    assert list(document.sentences) == [0, 2, 3]
    assert described(document) == [([(1, 2), (2, 3), (3, 5)], set())]


def test_each_scene_is_a_document_with_entities_of_its_own(tmp_path: Path) -> None:
    scenes = [scene([0, 1, "Ross"], name=name) for name in ("b", "a", "c")]

    documents = read(tmp_path, season(*scenes))

    assert list(documents) == ["b", "a", "c"]
    assert [described(document) for document in documents.values()] == [[([(0, 1)], set())]] * 3


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(scene(), id="scene"),
        pytest.param([scene()], id="list of scenes"),
        pytest.param({"scenes": [scene()]}, id="episode"),
        pytest.param([{"scenes": [scene()]}], id="list of episodes"),
        pytest.param({"episodes": [{"scenes": [scene()]}]}, id="season"),
        pytest.param([{"episodes": [{"scenes": [scene()]}]}], id="list of seasons"),
    ],
)
def test_any_part_of_the_series(tmp_path: Path, value: Any) -> None:
    assert list(read(tmp_path, json.dumps(value))) == ["s01"]


def test_scenes_without_names_are_told_apart(tmp_path: Path) -> None:
    nameless = [{"utterances": scene()["utterances"]} for _ in range(2)]

    assert list(read(tmp_path, season(*nameless))) == ["unnamed", "unnamed-2"]


def test_an_utterance_without_annotation(tmp_path: Path) -> None:
    (document,) = read(tmp_path, json.dumps({"utterances": [{"tokens": [["a"]]}]})).values()

    assert (document.words, document.entities) == (("a",), ())


AT = "episodes[0].scenes[0].utterances[0]"
MENTIONS = f"{AT}.character_entities[0]"


def not_a_span(value: str) -> str:
    end = "is not a span [start, and end, which is after the last] among 6, counted from 0"
    return f":1: {MENTIONS}[0]: {value} {end}"


BAD_FILES: dict[str, tuple[str, str]] = {
    "not JSON": (
        '{"episodes": [\n}',
        ":2: this is not JSON: Expecting value, at character 1 of the line",
    ),
    "out of range": (season(scene([5, 7, "Ross"])), not_a_span('[5, 7, "Ross"]')),
    "empty": (season(scene([5, 5, "Ross"])), f"""{not_a_span('[5, 5, "Ross"]')}{INCLUSIVE_HINT}"""),
    "negative": (season(scene([-1, 1, "Ross"])), not_a_span('[-1, 1, "Ross"]')),
    "booleans": (season(scene([False, True, "Ross"])), not_a_span('[false, true, "Ross"]')),
    "no span": (season(scene("Ross")), not_a_span('"Ross"')),
    "no character": (
        season(scene([0, 1])),
        f":1: {MENTIONS}[0]: [0, 1] is not a mention [start, end, character, ...]",
    ),
    "a character that is no text": (
        season(scene([0, 1, "Ross"], [1, 2, 7])),
        f":1: {MENTIONS}[1]: [1, 2, 7] is not a mention [start, end, character, ...]",
    ),
    "half a character": (
        season(scene([0, 1, "\ud800"])),
        f":1: {MENTIONS}[0]: a text with half a character (a lone surrogate)",
    ),
    "half a character in a word": (
        season(scene(tokens=[["\ud800"]])),
        f":1: {AT}.tokens[0]: a text with half a character (a lone surrogate)",
    ),
    "half a character in a name": (
        season(scene(name="\ud800")),
        ":1: episodes[0].scenes[0].scene_id: a text with half a character (a lone surrogate)",
    ),
    "a number as a name": (
        season(scene(name=7)),
        ":1: episodes[0].scenes[0].scene_id: 7 is not a name in quotes",
    ),
    "more sentences than annotation": (
        season(scene(tokens=[["a"], ["b"]])),
        f":1: {AT}.character_entities: it has 1 lists, but there are 2 sentences; each needs one",
    ),
    "less sentences than annotation": (
        season(scene(tokens=[])),
        f":1: {AT}.character_entities: it has 1 lists, but there are 0 sentences; each needs one",
    ),
    "tokens of text": (
        season(scene(tokens="a b")),
        f':1: {AT}.tokens: "a b" is not a list of sentences',
    ),
    "a sentence of text": (
        season(scene(tokens=["a b"])),
        f':1: {AT}.tokens[0]: "a b" is not a list of words',
    ),
    "mentions that are no list": (
        season(scene(character_entities=[7])),
        f":1: {MENTIONS}: 7 is not a list of mentions",
    ),
    "annotation that is no list": (
        season(scene(character_entities=7)),
        f":1: {AT}.character_entities: 7 is not a list for each sentence",
    ),
    "an utterance that is no object": (
        json.dumps({"utterances": ["Hi"]}),
        ':1: utterances[0]: "Hi" is not an utterance {...}',
    ),
    "utterances that are no list": (
        json.dumps({"utterances": {}}),
        ":1: utterances: {} is not a list of utterances",
    ),
    "scenes that are no list": (
        json.dumps({"scenes": 7}),
        ":1: scenes: 7 is not a list of scenes",
    ),
    "an episode that is no object": (
        json.dumps({"episodes": [7]}),
        ":1: episodes[0]: 7 is not a season, an episode or a scene {...}",
    ),
    "something else": (
        json.dumps({"scenes": [{"acts": []}]}),
        ":1: scenes[0]: this has neither episodes nor scenes nor utterances",
    ),
    "nothing in a scene": (
        season(scene(), {}),
        ":1: episodes[0].scenes[1]: this has neither episodes nor scenes nor utterances",
    ),
    "a scene twice": (
        season(scene(), scene()),
        ":1: duplicate document id 's01'; line 1 has it too",
    ),
    "no words": (season(), ": this file has no words when read as friends"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_file(tmp_path: Path, case: str) -> None:
    text, expected = BAD_FILES[case]
    path = put(tmp_path, "bad.json", text)

    assert refusal(path) == expected
    assert expected in all_refusals(path)


def test_messages_name_the_line_of_what_is_wrong(tmp_path: Path) -> None:
    text = (
        '{"episodes": [\n {"scenes": [\n  {"scene_id": "a:\\"[b",\n   "utterances": [\n'
        '    {"tokens": [["a"]],\n     "character_entities": [[\n'
        '      [0, 1, "Ross"],\n      [0, 2, "Ross"]]]}]}]}]}\n'
    )

    assert refusal(put(tmp_path, "bad.json", text)).startswith(f":8: {MENTIONS}[1]: ")


def test_messages_name_the_line_of_a_member(tmp_path: Path) -> None:
    text = (
        '{"episodes": [{\n"scenes": [{\n"scene_id": "a",\n"utterances": [{\n'
        '"tokens": 5,\n"character_entities": []\n}]\n}]\n}]}\n'
    )

    assert refusal(put(tmp_path, "bad.json", text)).startswith(f":5: {AT}.tokens: 5 ")


@pytest.mark.parametrize("depths", [range(10), range(900, 1000), [5000, 200_000]])
def test_deep_nesting_is_refused(tmp_path: Path, depths: list[int]) -> None:
    for depth in depths:
        text = "[" * depth + json.dumps({"scenes": 7}) + "]" * depth

        message = refusal(put(tmp_path, "bad.json", text), "friends")

        assert message.startswith(":1: ")


def counted(scenes: list[Any]) -> Counter[str]:
    """Count mentions, entities, sets and elements in the JSON."""
    count: Counter[str] = Counter()
    generic = {"#GENERAL#", "#OTHER#", "#ALL#"}
    for scene_fields in scenes:
        labels = [
            frozenset(mention[2:])
            for utterance in scene_fields["utterances"]
            for sentence in utterance["character_entities"]
            for mention in sentence
        ]
        single = {next(iter(characters)) for characters in labels if len(characters) == 1}
        plural = {characters - generic for characters in labels if len(characters) > 1}
        count["words"] += sum(len(s) for u in scene_fields["utterances"] for s in u["tokens"])
        count["mentions"] += len(labels)
        count["entities"] += len(single) + len(plural)
        count["sets"] += sum(bool(characters & single) for characters in plural)
        count["elements"] += sum(len(characters & single) for characters in plural)
        count["lost"] += sum(len(characters - single) for characters in plural)
    return count


def random_scene(number: int) -> dict[str, Any]:
    """Return a random scene whose mentions name one or more characters, or generic labels."""
    rng = random.Random(number)
    characters = ["Ross", "Rachel", "Monica", "Joey"]
    utterances = []
    for _ in range(rng.randint(1, 6)):
        sentences = [rng.choices(SIX, k=rng.randint(3, 9)) for _ in range(rng.randint(1, 3))]
        labelled = []
        for sentence in sentences:
            starts = sorted(rng.sample(range(len(sentence)), rng.randint(0, 3)))
            generic = rng.choice(["#GENERAL#", "#OTHER#", "#ALL#"])
            names = [*characters, generic]
            labels = [rng.sample(names, rng.choice([1, 1, 1, 2, 3])) for _ in starts]
            labelled.append([[s, s + 1, *own] for s, own in zip(starts, labels, strict=True)])
        utterances.append({"tokens": sentences, "character_entities": labelled})
    return {"scene_id": f"s{number}", "utterances": utterances}


def test_counts_on_a_generated_season(tmp_path: Path) -> None:
    check_counts(put(tmp_path, "season.json", season(*map(random_scene, range(60)))))


@pytest.mark.corpora
def test_counts_on_the_development_part() -> None:
    check_counts(CORPORA / "friends" / "dev.json")


def check_counts(path: Path) -> None:
    """Compare the corpus read with counts from the file."""
    episodes = json.loads(path.read_text(encoding="utf-8"))["episodes"]
    scenes = [scene_fields for episode in episodes for scene_fields in episode["scenes"]]

    documents = anascore.read(path).documents

    entities = [entity for document in documents.values() for entity in document.entities]
    assert list(documents) == [scene_fields["scene_id"] for scene_fields in scenes]
    assert counted(scenes) == {
        "words": sum(len(document.words) for document in documents.values()),
        "mentions": sum(len(entity.mentions) for entity in entities),
        "entities": len(entities),
        "sets": sum(bool(entity.elements) for entity in entities),
        "elements": sum(len(entity.elements) for entity in entities),
        "lost": sum(document.notes.get(LOST, 0) for document in documents.values()),
    }
