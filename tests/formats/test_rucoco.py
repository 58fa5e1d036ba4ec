"""Reading RuCoCo JSON."""

import gzip
import io
import json
import random
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Document
from anascore.errors import INCLUSIVE_HINT
from support.reading import all_refusals, put, refusal
from support.shared import CORPORA

TEXT = "Анна и Пётр ушли."
"""17 characters."""


def text_of(**fields: Any) -> str:
    """Write a document; fields are added, or left out if they are None."""
    values: dict[str, Any] = {"text": TEXT, "entities": [], "includes": [], **fields}
    return json.dumps({key: value for key, value in values.items() if value is not None})


def read(folder: Path, text: str, name: str = "test.json") -> dict[str, Document]:
    return anascore.read(put(folder, name, text), "rucoco").documents


def described(document: Document) -> list[tuple[list[tuple[int, int]], set[int]]]:
    """Return the mentions and the elements of each entity."""
    return [
        ([span for mention in entity.mentions for span in mention.words], set(entity.elements))
        for entity in document.entities
    ]


THREE = [[[0, 4]], [[7, 11]], [[0, 11], [12, 16]]]


@pytest.mark.parametrize(
    ("entities", "includes", "expected"),
    [
        pytest.param([], [], [], id="no entities"),
        pytest.param([[[0, 4], [7, 11]]], [[]], [([(0, 4), (7, 11)], set())], id="one entity"),
        pytest.param([[[0, 17]]], [[]], [([(0, 17)], set())], id="the whole text"),
        pytest.param(
            [[[0, 5]], [[3, 8]]], None, [([(0, 5)], set()), ([(3, 8)], set())], id="cross"
        ),
        pytest.param(
            THREE,
            [[], [], [0, 1]],
            [([(0, 4)], set()), ([(7, 11)], set()), ([(0, 11), (12, 16)], {0, 1})],
            id="a set",
        ),
        pytest.param(
            THREE,
            [[1, 2], [], []],
            [([(0, 4)], {1, 2}), ([(7, 11)], set()), ([(0, 11), (12, 16)], set())],
            id="a set before its elements",
        ),
        pytest.param(
            THREE,
            [[], [0], [0, 1]],
            [([(0, 4)], set()), ([(7, 11)], {0}), ([(0, 11), (12, 16)], {0, 1})],
            id="nested sets",
        ),
    ],
)
def test_entities_and_sets(tmp_path: Path, entities: Any, includes: Any, expected: Any) -> None:
    text = text_of(entities=entities, includes=includes)

    (document,) = read(tmp_path, text).values()

    assert expected == described(document)


@pytest.mark.parametrize("text", ["a b\tc\n\nd", "a\r\nb", "😀é e\u0301", "\u2028 \xa0"])
@pytest.mark.parametrize("escaped", [True, False])
def test_the_units_are_the_characters_of_the_text(
    tmp_path: Path, text: str, *, escaped: bool
) -> None:
    content = {"text": text, "entities": [[[0, len(text)]]], "includes": [[]]}

    (document,) = read(tmp_path, json.dumps(content, ensure_ascii=escaped)).values()

    assert "".join(document.words) == text
    assert len(document.words) == len(text)
    assert document.in_characters
    assert described(document) == [([(0, len(text))], set())]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("2000_sport.json", "2000_sport"),
        ("a.b.json", "a.b"),
        ("Россия.json", "Россия"),
        ("noending", "noending"),
    ],
)
def test_a_document_is_named_after_its_file(tmp_path: Path, name: str, expected: str) -> None:
    assert list(read(tmp_path, text_of(), name)) == [expected]


def test_the_ending_of_a_compressed_file_is_not_part_of_the_name(tmp_path: Path) -> None:
    path = put(tmp_path, "a.json.gz", gzip.compress(text_of().encode()))

    assert list(anascore.read(path).documents) == ["a"]


def test_an_entity_without_mentions_is_none_and_the_others_keep_their_elements(
    tmp_path: Path,
) -> None:
    text = text_of(entities=[[], *THREE], includes=[[], [], [], [1, 2]])

    (document,) = read(tmp_path, text).values()

    assert described(document)[2] == ([(0, 11), (12, 16)], {0, 1})
    assert [entity.name for entity in document.entities] == ["1", "2", "3"]


def test_an_element_without_mentions_is_left_out_and_counted(tmp_path: Path) -> None:
    text = text_of(entities=[[], *THREE], includes=[[], [], [], [0, 1, 2]])

    (document,) = read(tmp_path, text).values()

    assert described(document)[2] == ([(0, 11), (12, 16)], {0, 1})
    assert sum(document.notes.values()) == 1


def test_inclusive_ends_are_noted(tmp_path: Path) -> None:
    def text(shift: int) -> str:
        spans = [[[2 * n, 2 * n + 2 + shift]] for n in range(12)]
        return json.dumps({"text": "a" * 40, "entities": spans, "includes": [[]] * 12})

    key, response = put(tmp_path, "key/d.json", text(0)), put(tmp_path, "response/d.json", text(-1))

    (note,) = anascore.score(key, response).notes
    assert note.endswith(
        "at least 12 would if their ends were one more; check the ends of spans in key and "
        "response; RuCoCo JSON needs exclusive ends, [first, last + 1], so add 1 if they are "
        "inclusive"
    )


def not_a_span(value: str) -> str:
    end = "is not a span [start, and end, which is after the last] among 17, counted from 0"
    return f":1: entities[0][0]: {value} {end}"


BAD_FILES: dict[str, tuple[str, str]] = {
    "not JSON": (
        '{"text": "a",\n "entities": [[0 1]]}',
        ":2: this is not JSON: Expecting ',' delimiter, at character 18 of the line",
    ),
    "a text that is a list": (text_of(text=["a"]), ':1: text: ["a"] is not a text in quotes'),
    "no text": (text_of(text=None, entities=[[[0, 4]]]), ":1: a document needs text"),
    "no entities": (text_of(entities=None, includes=None), ":1: a document needs entities"),
    "half a character": (
        text_of(text="\ud800"),
        ":1: text: a text with half a character (a lone surrogate)",
    ),
    "out of range": (text_of(entities=[[[0, 18]]]), not_a_span("[0, 18]")),
    "empty span": (text_of(entities=[[[4, 4]]]), not_a_span("[4, 4]") + INCLUSIVE_HINT),
    "backwards": (text_of(entities=[[[4, 3]]]), not_a_span("[4, 3]")),
    "negative": (text_of(entities=[[[-1, 3]]]), not_a_span("[-1, 3]")),
    "booleans": (text_of(entities=[[[False, True]]]), not_a_span("[false, true]")),
    "fractions": (text_of(entities=[[[0.0, 1.0]]]), not_a_span("[0.0, 1.0]")),
    "one number": (text_of(entities=[[[0]]]), not_a_span("[0]")),
    "three numbers": (text_of(entities=[[[0, 4, 9]]], includes=[[]]), not_a_span("[0, 4, 9]")),
    "no spans": (text_of(entities=[[0, 4]]), not_a_span("0")),
    "entities that are no list": (
        text_of(entities={}),
        ":1: entities: {} is not a list of entities",
    ),
    "an entity that is no list": (
        text_of(entities=[7]),
        ":1: entities[0]: 7 is not a list of spans",
    ),
    "includes that are no list": (
        text_of(includes={}),
        ":1: includes: {} is not a list of lists",
    ),
    "too few includes": (
        text_of(entities=THREE, includes=[[]]),
        ":1: includes: it has 1 lists, but there are 3 entities; each needs one",
    ),
    "too many includes": (
        text_of(includes=[[]]),
        ":1: includes: it has 1 lists, but there are 0 entities; each needs one",
    ),
    "an include that is no list": (
        text_of(entities=THREE, includes=[[], 0, []]),
        ":1: includes[1]: 0 is not a list of entities",
    ),
    "no such element": (
        text_of(entities=THREE, includes=[[], [], [0, 3]]),
        ":1: includes[2][1]: 3 is not the number of an entity, from 0 to 2",
    ),
    "a negative element": (
        text_of(entities=THREE, includes=[[], [], [-1]]),
        ":1: includes[2][0]: -1 is not the number of an entity, from 0 to 2",
    ),
    "an element in quotes": (
        text_of(entities=THREE, includes=[[], [], ["0"]]),
        ':1: includes[2][0]: "0" is not the number of an entity, from 0 to 2',
    ),
    "a boolean as an element": (
        text_of(entities=THREE, includes=[[], [], [True]]),
        ":1: includes[2][0]: true is not the number of an entity, from 0 to 2",
    ),
    "an element of itself": (
        text_of(entities=THREE, includes=[[], [1], []]),
        ":1: an entity cannot be an element of itself: 1 is an element of 1",
    ),
    "no document": (
        json.dumps([{"text": "a", "entities": [[[0, 1]]]}]),
        ':1: [{"text": "a", "entities": [[[0, 1]]]}] is not a document {...}',
    ),
    "an empty text": (text_of(text=""), ": this file has no words when read as rucoco"),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_file(tmp_path: Path, case: str) -> None:
    text, expected = BAD_FILES[case]
    path = put(tmp_path, "bad.json", text)

    assert refusal(path) == expected
    assert expected in all_refusals(path)


@pytest.mark.parametrize(
    "text", ['{"text": "a",\n "entities": [[0 1]]}', '{"text":\n', '{"text": ["a": "b",\n"c"]}']
)
def test_what_is_not_json_is_one_mistake(tmp_path: Path, text: str) -> None:
    (message,) = all_refusals(put(tmp_path, "bad.json", text))

    assert ": this is not JSON: " in message


def test_half_a_character_is_one_mistake(tmp_path: Path) -> None:
    path = put(tmp_path, "bad.json", text_of(text="a\ud800"))

    assert not any("must be in quotes" in message for message in all_refusals(path))


def test_a_cycle_of_sets_is_refused(tmp_path: Path) -> None:
    path = put(tmp_path, "bad.json", text_of(entities=THREE, includes=[[2], [0], [1]]))

    message = refusal(path)

    assert message.startswith(":1: an entity cannot be an element of itself: ")
    for step in ("2 is an element of 0", "0 is an element of 1", "1 is an element of 2"):
        assert step in message


def test_messages_name_the_line_of_what_is_wrong(tmp_path: Path) -> None:
    text = '{\n"text": "a: [\\"b\\", {c",\n"entities": [\n[[0, 1]],\n[[1, 2],\n [1, 99]]],\n'
    bad = put(tmp_path, "bad.json", text + '"includes": [[], []]}')

    assert refusal(bad).startswith(":6: entities[1][1]: [1, 99] is not a span ")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param('{\n"text": 5,\n"entities": []\n}', ":2: text: 5 ", id="first member"),
        pytest.param('{\n"text": "a",\n"entities":\n5}', ":4: entities: 5 ", id="last member"),
        pytest.param('{\n"entities": [],\n"text"\n:\n5\n}', ":5: text: 5 ", id="key above"),
        pytest.param('{"te\\u0078t":\n5,\n"entities": []}', ":2: text: 5 ", id="escaped key"),
        pytest.param('{"text":\n"a",\n"entities": {}}', ":3: entities: {} ", id="empty object"),
        pytest.param(
            '{"a": {\n"text": 1,\n"b": "text"},\n"text": 5,\n"entities": []}',
            ":4: text: 5 ",
            id="key of an object inside",
        ),
    ],
)
def test_messages_name_the_line_of_a_member(tmp_path: Path, text: str, expected: str) -> None:
    assert refusal(put(tmp_path, "bad.json", text), "rucoco").startswith(expected)


def random_text(number: int) -> str:
    """Write a document of random entities, some of which are sets of others or have no mention."""
    rng = random.Random(number)
    text = "".join(rng.choices("абвг д.", k=200))
    places = rng.sample(range(190), 40)
    spans = [[start, start + rng.randint(1, 9)] for start in places]
    size = rng.randint(1, 5)
    entities = [spans[start : start + size] for start in range(0, len(spans), size)]
    includes = [
        rng.sample(range(i), 2) if i > 2 and rng.random() < 0.3 else []
        for i in range(len(entities))
    ]
    return text_of(text=text, entities=[*entities, []], includes=[*includes, []])


def test_generated_texts_are_read_as_they_are_written(tmp_path: Path) -> None:
    for number in range(30):
        put(tmp_path, f"{number}.json", random_text(number))

    check_texts(tmp_path)


def check_texts(folder: Path) -> None:
    """Compare the corpus read with the JSON of the files."""
    documents = anascore.read(folder).documents

    for path in sorted(folder.glob("*.json")):
        content = json.loads(path.read_text(encoding="utf-8"))
        document = documents[path.stem]
        assert document.words == content["text"]
        spans = [[list(span) for span in mentions] for mentions, _ in described(document)]
        assert spans == [entity for entity in content["entities"] if entity]
        if all(content["entities"][:-1]):
            # No position has changed.
            sets = [sorted(elements) for _, elements in described(document)]
            assert sets == [sorted(elements) for elements in content["includes"]][: len(sets)]


@pytest.mark.corpora
def test_counts_on_the_corpus() -> None:
    documents = anascore.read(CORPORA / "rucoco").documents

    layers = [document.entities for document in documents.values()]
    entities = [entity for layer in layers for entity in layer]
    assert len(documents) == 200
    assert sum(len(entity.mentions) for entity in entities) == 11_480
    assert len(entities) == 2_891
    assert sum(bool(entity.elements) for entity in entities) == 289
    nested = (
        any(layer[i].elements for i in entity.elements) for layer in layers for entity in layer
    )
    assert sum(nested) == 26


@pytest.mark.corpora
def test_the_corpus_is_read_as_it_is_written() -> None:
    check_texts(CORPORA / "rucoco")


def test_standard_input_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = put(tmp_path, "key.json", text_of(text="Ann", entities=[[[0, 3]]], includes=[[]]))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(key.read_bytes())))

    assert anascore.score(key, "-")["mentions"].f1 == 1
