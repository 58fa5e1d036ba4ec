"""Reading JSON lines of coref-hoi: subtokens are mapped to words."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Document
from anascore.cli.main import main
from support.reading import all_refusals, put, refusal
from support.resolvers import KEY, RESPONSE, coref_hoi

SEGMENTS = [["[CLS]", "Jo", "##hn", "saw", "[SEP]"], ["[CLS]", "the", "dog", "##s", "[SEP]"]]
MAP = [0, 0, 0, 1, 1, 1, 2, 3, 3, 3]

NO_SPAN = "is not a span [first and last position] among 10, counted from 0"


def line(**fields: Any) -> str:
    """Write a document of four words; fields are added, or left out if they are None."""
    values: dict[str, Any] = {
        "doc_key": "d",
        "sentences": SEGMENTS,
        "clusters": [],
        "subtoken_map": MAP,
        **fields,
    }
    return json.dumps({key: value for key, value in values.items() if value is not None}) + "\n"


def read(folder: Path, **fields: Any) -> Document:
    corpus = anascore.read(put(folder, "f", line(**fields)))
    assert corpus.format == "coref-hoi"
    return corpus.documents["d"]


@pytest.mark.parametrize(
    ("span", "words"),
    [
        pytest.param([1, 2], (0, 1), id="all subtokens of a word"),
        pytest.param([1, 1], (0, 1), id="the first subtoken of a word"),
        pytest.param([8, 8], (3, 4), id="the last subtoken of a word"),
        pytest.param([2, 3], (0, 2), id="two words"),
        pytest.param([3, 6], (1, 3), id="across segments"),
        pytest.param([0, 3], (0, 2), id="a special token first"),
        pytest.param([6, 9], (2, 4), id="a special token last"),
        pytest.param([5, 6], (2, 3), id="a special token that the map counts to another word"),
        pytest.param([0, 9], (0, 4), id="all"),
    ],
)
def test_a_mention_is_the_words_of_its_subtokens(
    tmp_path: Path, span: list[int], words: tuple[int, int]
) -> None:
    document = read(tmp_path, clusters=[[span]])

    assert [m.words for entity in document.entities for m in entity.mentions] == [(words,)]


def test_words_are_the_tokens(tmp_path: Path) -> None:
    assert read(tmp_path, tokens=["John", "SAW", "the", "dogs"]).words[1] == "SAW"


@pytest.mark.parametrize(
    ("parts", "numbers", "words"),
    [
        pytest.param(["[CLS]", "Jo", "##hn", "[SEP]"], [0, 0, 0, 0], ["John"], id="WordPiece"),
        pytest.param(["<s>", "\u0120Jo", "hn", "</s>"], [0, 0, 0, 0], ["John"], id="BPE"),
        pytest.param(["\u2581Jo", "hn", "\u2581a"], [0, 0, 1], ["John", "a"], id="SentencePiece"),
        pytest.param(["##", "a"], [0, 1], ["##", "a"], id="a word of two signs"),
        pytest.param(["[CLS]", "a", "b"], [None, 0, 1], ["a", "b"], id="null"),
        pytest.param(["x", "a", "b"], [None, 0, 1], ["a", "b"], id="null for an unknown token"),
        pytest.param(["a", "b", "c"], [0, 2, 2], ["a", "_", "bc"], id="a word without subtokens"),
    ],
)
def test_words_are_joined_subtokens_where_there_are_no_tokens(
    tmp_path: Path, parts: list[str], numbers: list[int | None], words: list[str]
) -> None:
    document = read(tmp_path, sentences=[parts], subtoken_map=numbers)

    assert list(document.words) == words


@pytest.mark.parametrize(
    ("sentence_map", "starts"),
    [
        pytest.param([0] * 10, [0], id="one"),
        pytest.param([0, 0, 0, 0, 1, 1, 1, 1, 1, 1], [0, 2], id="at a segment"),
        pytest.param([0, 0, 0, 1, 1, 1, 1, 1, 1, 1], [0, 1], id="inside of a segment"),
        pytest.param([0, 0, 1, 1, 1, 1, 1, 1, 1, 1], [0], id="inside of a word"),
        pytest.param(None, [], id="no map"),
    ],
)
def test_sentences(tmp_path: Path, sentence_map: Any, starts: list[int]) -> None:
    assert list(read(tmp_path, sentence_map=sentence_map).sentences) == starts


def test_split_antecedents_count_subtokens_too(tmp_path: Path) -> None:
    document = read(
        tmp_path,
        clusters=[[[1, 2]], [[6, 6]], [[7, 8]]],
        split_antecedents=[[[7, 7], [1, 1]], [[7, 8], [6, 6]]],
    )

    assert [set(entity.elements) for entity in document.entities] == [set(), set(), {0, 1}]


def test_clusters_of_key_and_response_in_one_file(tmp_path: Path) -> None:
    predicted = json.loads(coref_hoi(RESPONSE))["clusters"]
    both = put(tmp_path, "both", coref_hoi(KEY, predicted_clusters=predicted))
    key, response = (put(tmp_path, str(n), coref_hoi(c)) for n, c in enumerate((KEY, RESPONSE)))

    own = anascore.read(both, clusters_field="predicted_clusters")

    result = anascore.score(both, own)

    assert result.scores == anascore.score(key, response).scores
    assert result.scores["muc"].f1 == pytest.approx(2 / 3)


def test_the_field_of_the_response_on_the_command_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    clusters = {"clusters": [[[1, 2], [6, 6]]], "predicted_clusters": [[[1, 1], [7, 8]]]}
    path = str(put(tmp_path, "f", line(**clusters)))
    options = ["--clusters-field", "predicted_clusters", "--metrics", "mentions"]

    assert main(["score", path, path, *options]) == 0

    assert re.search(r"^f +50\.00 +50\.00 +50\.00$", capsys.readouterr().out, re.MULTILINE)


def test_several_documents_without_line_ends(tmp_path: Path) -> None:
    text = line(doc_key="a").strip() + line(doc_key="b").strip()

    assert list(anascore.read(put(tmp_path, "f", text)).documents) == ["a", "b"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"clusters": [[[0, 10]]]},
            "clusters[0][0]: [0, 10] is not a span [first and last position]; the document has 10 "
            "tokens, so positions go from 0 to 9; if your ends are exclusive, subtract 1 from each",
        ),
        (
            {"clusters": [[[2, 1]]]},
            f"clusters[0][0]: [2, 1] {NO_SPAN}",
        ),
        (
            {"clusters": [[0, 1]]},
            f"clusters[0][0]: 0 {NO_SPAN}",
        ),
        ({"clusters": [[[4, 5]]]}, "clusters[0][0]: [4, 5] has special tokens only, and no words"),
        ({"clusters": [[[0, 0]]]}, "clusters[0][0]: [0, 0] has special tokens only, and no words"),
        ({"clusters": None}, "a document needs clusters"),
        ({"sentences": None}, "a document needs sentences, which are lists of subtokens"),
        ({"sentences": ["a"]}, 'sentences[0]: "a" is not a list of words'),
        ({"tokens": 1}, "tokens: 1 is not a list of words"),
        (
            {"tokens": ["John", "saw"]},
            "subtoken_map[6]: 2 is not a number from 1 to 1; numbers must not fall",
        ),
        (
            {"subtoken_map": MAP[1:]},
            "subtoken_map: it has 9 numbers, but there are 10 subtokens; each needs one",
        ),
        ({"subtoken_map": {}}, "subtoken_map: {} is not a list of numbers"),
        (
            {"subtoken_map": [0, 0, 0, 1, 1, 1, 0, 3, 3, 3]},
            "subtoken_map[6]: 0 is not a number from 1 to 9; numbers must not fall",
        ),
        (
            {"subtoken_map": [0, -1, *MAP[2:]]},
            "subtoken_map[1]: -1 is not a number from 0 to 9; numbers must not fall",
        ),
        (
            {"subtoken_map": [0, "0", *MAP[2:]]},
            'subtoken_map[1]: "0" is not a number from 0 to 9; numbers must not fall',
        ),
        (
            {"subtoken_map": [0, 10**20, *MAP[2:]]},
            f"subtoken_map[1]: {10**20} is not a number from 0 to 9; numbers must not fall",
        ),
        (
            {"sentence_map": [0]},
            "sentence_map: it has 1 numbers, but there are 10 subtokens; each needs one",
        ),
        (
            {"sentence_map": [0, 1.5, *MAP[2:]]},
            "sentence_map[1]: 1.5 is not a number from 0 to 9; numbers must not fall",
        ),
    ],
)
def test_errors_name_the_line_and_the_value(tmp_path: Path, fields: Any, message: str) -> None:
    path = put(tmp_path, "f", line(doc_key="first") + line(**fields))

    assert refusal(path) == f":2: {message}"
    assert all_refusals(path)[0] == f":2: {message}"


def test_a_missing_map(tmp_path: Path) -> None:
    path = put(tmp_path, "f", line(subtoken_map=None, clusters=[[[1, 2]]]))

    assert all_refusals(path, "coref-hoi") == [":1: a document needs subtoken_map"]


def test_duplicate_names(tmp_path: Path) -> None:
    path = put(tmp_path, "f", line() + line())

    assert refusal(path) == ":2: duplicate document id 'd'; line 1 has it too"
