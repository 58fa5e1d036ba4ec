"""Reading what maverick's predict returns."""

import json
from pathlib import Path
from typing import Any

import pytest

import anascore
from support.reading import all_refusals, put, refusal, spans
from support.resolvers import KEY, KEY_COREFUD, RESPONSE, WORDS, corefud, maverick


def output(**fields: Any) -> dict[str, Any]:
    """Make an output of three words; fields are added, or left out if they are None."""
    values: dict[str, Any] = {
        "tokens": ["##x", "a", "b"],
        "clusters_token_offsets": [],
        "clusters_token_text": [],
        **fields,
    }
    return {key: value for key, value in values.items() if value is not None}


FORMS = {
    "one": maverick(KEY),
    "one, indented": json.dumps(json.loads(maverick(KEY)), indent=2),
    "a list": f"[{maverick(KEY)}]",
    "a list, indented": json.dumps([json.loads(maverick(KEY))], indent=2),
    "a line": f"{maverick(KEY)}\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_a_file(tmp_path: Path, form: str) -> None:
    corpus = anascore.read(put(tmp_path, "f", FORMS[form]))

    (document,) = corpus.documents.values()
    assert (corpus.format, corpus.unnamed, document.name) == ("maverick", True, "unnamed")
    assert document.words == tuple(WORDS)
    assert spans(document) == KEY


@pytest.mark.parametrize("text", [f"[{maverick(KEY)}, {maverick(RESPONSE)}]", None])
def test_several_outputs(tmp_path: Path, text: str | None) -> None:
    path = put(tmp_path, "f", text or f"{maverick(KEY)}\n{maverick(RESPONSE)}\n")

    documents = anascore.read(path).documents

    assert list(documents) == ["unnamed", "unnamed-2"]
    assert [spans(document) for document in documents.values()] == [KEY, RESPONSE]


def test_names_that_were_added(tmp_path: Path) -> None:
    corpus = anascore.read(put(tmp_path, "f", maverick(KEY, doc_id="d")))

    assert list(corpus.documents) == ["d"]
    assert not corpus.unnamed


def test_every_token_is_a_word(tmp_path: Path) -> None:
    path = put(tmp_path, "f", json.dumps(output(clusters_token_offsets=[[[0, 0], [1, 2]], []])))

    (document,) = anascore.read(path).documents.values()

    assert document.words == ("##x", "a", "b")
    assert document.zeros == ()
    assert spans(document) == [[(0, 1), (1, 3)]]


def test_words_may_differ_from_the_key(tmp_path: Path) -> None:
    key = put(tmp_path, "key", corefud(KEY_COREFUD))
    tokens = [word.replace("barked", "ran") for word in WORDS]
    response = put(tmp_path, "f", maverick(KEY, tokens=tokens))

    result = anascore.score(key, response)

    assert result["conll"].f1 == 1
    assert any("words of the key replaced by others: 1" in note for note in result.notes)


NO_SPAN = "is not a span [first and last position] among 3, counted from 0"


@pytest.mark.parametrize(
    ("fields", "path", "message"),
    [
        (
            {"clusters_token_offsets": [[[0, 3]]]},
            ".clusters_token_offsets[0][0]",
            "[0, 3] is not a span [first and last position]; the document has 3 words, so "
            "positions go from 0 to 2; if your ends are exclusive, subtract 1 from each",
        ),
        ({"clusters_token_offsets": [[0]]}, ".clusters_token_offsets[0][0]", f"0 {NO_SPAN}"),
        ({"clusters_token_offsets": [1]}, ".clusters_token_offsets[0]", "1 is not a list of spans"),
        ({"clusters_token_offsets": None}, "", "a document needs clusters_token_offsets"),
        ({"tokens": "a"}, ".tokens", '"a" is not a list of words'),
        ({"tokens": None}, "", "a document needs tokens"),
        ({"doc_id": 1}, ".doc_id", "1 is not a name in quotes"),
    ],
)
def test_errors_name_the_line_and_the_value(
    tmp_path: Path, fields: Any, path: str, message: str
) -> None:
    dumped = [json.dumps(output()), json.dumps(output(**fields))]
    lines = put(tmp_path, "lines", "\n".join(dumped))
    listed = put(tmp_path, "list", "[\n" + ",\n".join(dumped) + "]")
    place = f"{path.removeprefix('.')}: " if path else ""

    assert refusal(lines) == f":2: {place}{message}"
    assert all_refusals(lines)[0] == f":2: {place}{message}"
    assert refusal(listed) == f":3: [1]{path}: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[1]", ":1: [0]: 1 is not a document {...}"),
        ("[", ":1: this is not JSON: Expecting value, at character 2 of the line"),
        ("[]", ": this file has no words when read as maverick"),
        ("1", ":1: 1 is not a document {...}, one on each line"),
    ],
)
def test_files_that_are_something_else(tmp_path: Path, text: str, message: str) -> None:
    assert refusal(put(tmp_path, "f", text), "maverick") == message


def test_duplicate_names(tmp_path: Path) -> None:
    path = put(tmp_path, "f", "\n".join([maverick(KEY, doc_id="d")] * 2))

    assert refusal(path) == ":2: duplicate document id 'd'; line 1 has it too"
