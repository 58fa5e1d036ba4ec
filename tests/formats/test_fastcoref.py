"""Reading JSON lines of fastcoref."""

import json
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import MismatchError
from anascore.errors import INCLUSIVE_HINT
from support.reading import all_refusals, put, refusal, spans
from support.resolvers import (
    KEY,
    KEY_COREFUD,
    RESPONSE,
    RESPONSE_COREFUD,
    TEXT,
    WORDS,
    corefud,
    fastcoref,
    fastcoref_words,
)


def line(**fields: Any) -> str:
    """Write a document of eight characters; fields are added, or left out if they are None."""
    values: dict[str, Any] = {"text": "Ann left", "clusters": [], "clusters_strings": [], **fields}
    return json.dumps({key: value for key, value in values.items() if value is not None}) + "\n"


def test_offsets_are_characters(tmp_path: Path) -> None:
    (document,) = anascore.read(put(tmp_path, "f", fastcoref(KEY))).documents.values()

    assert document.words == TEXT
    assert spans(document) == [[(0, 11), (24, 27)], [(0, 15), (35, 37), (43, 45)]]


def test_offsets_are_words_where_words_were_given(tmp_path: Path) -> None:
    (document,) = anascore.read(put(tmp_path, "f", fastcoref_words(KEY))).documents.values()

    assert document.words == tuple(WORDS)
    assert spans(document) == KEY


def test_words_and_characters_give_the_same_scores(tmp_path: Path) -> None:
    key = put(tmp_path, "key", corefud(KEY_COREFUD))
    other = put(tmp_path, "response", corefud(RESPONSE_COREFUD))
    expected = anascore.score(key, other).scores

    for write in (fastcoref, fastcoref_words):
        assert anascore.score(key, put(tmp_path, "f", write(RESPONSE))).scores == expected


def test_documents_are_paired_by_their_order(tmp_path: Path) -> None:
    corpus = anascore.read(put(tmp_path, "f", line() + line(text="Bob ran")))
    rest = "\t_" * 8
    words = [("Ann", "left"), ("Bob", "ran")]
    sentences = [f"1\t{first}{rest}\n2\t{second}{rest}\n" for first, second in words]
    text = f"# newdoc id = a\n{sentences[0]}\n# newdoc id = b\n{sentences[1]}"
    key = put(tmp_path, "key", f"# global.Entity = eid\n{text}")

    assert corpus.unnamed
    assert list(corpus.documents) == ["unnamed", "unnamed-2"]
    assert list(anascore.score(key, corpus, metrics=["muc"]).layers["identity"].documents) == [
        *("a", "b")
    ]


def test_mentions_without_a_place_are_left_out(tmp_path: Path) -> None:
    path = put(
        tmp_path, "f", line(clusters=[[[0, 3], None], [None]], clusters_strings=[["Ann"], []])
    )

    (document,) = anascore.read(path).documents.values()

    assert spans(document) == [[(0, 3)]]
    assert document.notes == {"mentions that fastcoref has no place for, left out": 2}


def test_other_texts_than_the_key(tmp_path: Path) -> None:
    key = put(tmp_path, "key", corefud(KEY_COREFUD))
    response = put(tmp_path, "f", line())

    with pytest.raises(MismatchError) as error:
        anascore.score(key, response)

    assert str(error.value) == (
        f"{response}:1: document 'd' is in characters, but in words in the key ({key}:3); the "
        f"texts must be the same apart from white space, but it has 'left' where the key has "
        f'"Smith\'sdogbarked.She"; --words align (in Python words="align") aligns words that differ'
    )


NO_SPAN = "is not a span [start, and end, which is after the last] among"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"clusters": [[[0, 9]]]}, f"clusters[0][0]: [0, 9] {NO_SPAN} 8, counted from 0"),
        (
            {"clusters": [[[3, 3]]]},
            f"clusters[0][0]: [3, 3] {NO_SPAN} 8, counted from 0{INCLUSIVE_HINT}",
        ),
        (
            {"text": ["Ann"], "clusters": [[[0, 3]]]},
            f"clusters[0][0]: [0, 3] {NO_SPAN} 1, counted from 0",
        ),
        ({"clusters": [[0, 3]]}, f"clusters[0][0]: 0 {NO_SPAN} 8, counted from 0"),
        ({"clusters": [None]}, "clusters[0]: null is not a list of spans"),
        ({"clusters": 1}, "clusters: 1 is not a list of entities"),
        ({"clusters": None}, "a document needs clusters"),
        ({"text": None}, "a document needs text"),
        ({"text": 1}, "text: 1 is not a text in quotes or a list of words"),
        ({"text": [1]}, "text[0]: 1 is not a word in quotes"),
        ({"text": "\ud800"}, "text: a text with half a character (a lone surrogate)"),
    ],
)
def test_errors_name_the_line_and_the_value(tmp_path: Path, fields: Any, message: str) -> None:
    path = put(tmp_path, "f", line() + line(**fields))

    assert refusal(path) == f":2: {message}"
    assert all_refusals(path)[0] == f":2: {message}"


def test_strings_are_not_needed(tmp_path: Path) -> None:
    path = put(tmp_path, "f", line(clusters_strings=None, clusters=[[[4, 8]]]))

    (document,) = anascore.read(path, "fastcoref").documents.values()

    assert spans(document) == [[(4, 8)]]
