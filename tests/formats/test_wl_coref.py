"""Reading JSON lines of wl-coref."""

import json
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Document
from anascore.errors import INCLUSIVE_HINT
from support.reading import all_refusals, put, refusal, spans

NO_SPAN = "is not a span [start, and end, which is after the last] among 4, counted from 0"


def line(**fields: Any) -> str:
    """Write a document of four words; fields are added, or left out if they are None."""
    values: dict[str, Any] = {
        "document_id": "tc_d",
        "cased_words": ["Hi", "!", "Bye", "."],
        "sent_id": [0, 0, 1, 1],
        "word_clusters": [],
        "span_clusters": [],
        **fields,
    }
    return json.dumps({key: value for key, value in values.items() if value is not None}) + "\n"


def read(folder: Path, field: str = "clusters", **fields: Any) -> Document:
    corpus = anascore.read(put(folder, "f", line(**fields)), clusters_field=field)
    assert corpus.format == "wl-coref"
    (document,) = corpus.documents.values()
    return document


def test_ends_are_exclusive(tmp_path: Path) -> None:
    document = read(tmp_path, span_clusters=[[[0, 1], [2, 4]], [], [[0, 4]]])

    assert spans(document) == [[(0, 1), (2, 4)], [(0, 4)]]
    assert [entity.name for entity in document.entities] == ["0", "2"]
    assert document.words == ("Hi", "!", "Bye", ".")
    assert document.sentences == (0, 2)


@pytest.mark.parametrize(
    ("field", "fields", "expected"),
    [
        pytest.param("clusters", {"span_clusters": [[[0, 1]]]}, [[(0, 1)]], id="predicted"),
        pytest.param(
            "clusters",
            {"clusters": [[[1, 2]]], "span_clusters": [[[0, 1]]]},
            [[(1, 2)]],
            id="the key, which predict.py keeps",
        ),
        pytest.param(
            "span_clusters",
            {"clusters": [[[1, 2]]], "span_clusters": [[[0, 1]]]},
            [[(0, 1)]],
            id="predicted, beside the key",
        ),
        pytest.param("clusters", {"clusters": [], "span_clusters": None}, [], id="corpus"),
        pytest.param("mine", {"mine": [[[2, 3]]]}, [[(2, 3)]], id="another field"),
    ],
)
def test_the_field_with_the_clusters(
    tmp_path: Path, field: str, fields: Any, expected: Any
) -> None:
    assert spans(read(tmp_path, field, **fields)) == expected


def test_a_note_names_the_field_that_is_read(tmp_path: Path) -> None:
    document = read(tmp_path, clusters=[[[1, 2]]], span_clusters=[[[0, 1]]])

    choice = "documents whose clusters are read, not their span_clusters (see --clusters-field)"
    assert document.notes == {choice: 1}
    assert read(tmp_path, clusters=[[[1, 2]]], span_clusters=[[[1, 2]]]).notes == {}
    assert read(tmp_path, span_clusters=[[[1, 2]]]).notes == {}


@pytest.mark.parametrize(
    ("fields", "name"),
    [
        ({}, "tc_d"),
        ({"part_id": 0}, "tc_d"),
        ({"part_id": 12}, "tc_d; part 012"),
        ({"document_id": None}, "unnamed"),
    ],
)
def test_documents_are_named_as_in_conll_2012(tmp_path: Path, fields: Any, name: str) -> None:
    assert read(tmp_path, **fields).name == name


def test_sentences_can_be_missing(tmp_path: Path) -> None:
    assert read(tmp_path, sent_id=None).sentences == ()


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"span_clusters": [[[3, 5]]]}, f"span_clusters[0][0]: [3, 5] {NO_SPAN}"),
        ({"span_clusters": [[[3, 3]]]}, f"span_clusters[0][0]: [3, 3] {NO_SPAN}{INCLUSIVE_HINT}"),
        ({"span_clusters": [[], [0]]}, f"span_clusters[1][0]: 0 {NO_SPAN}"),
        ({"span_clusters": [3]}, "span_clusters[0]: 3 is not a list of spans"),
        ({"span_clusters": {}}, "span_clusters: {} is not a list of entities"),
        ({"span_clusters": None}, "a document needs span_clusters or clusters"),
        ({"cased_words": "Hi"}, 'cased_words: "Hi" is not a list of words'),
        ({"cased_words": [1]}, "cased_words[0]: 1 is not a word in quotes"),
        ({"cased_words": None}, "a document needs cased_words"),
        ({"sent_id": [0]}, "sent_id: it has 1 numbers, but there are 4 words; each needs one"),
        ({"sent_id": [0, 0, 1, "1"]}, 'sent_id[3]: "1" is not the number of a sentence'),
        ({"sent_id": 0}, "sent_id: 0 is not a list of numbers"),
        ({"part_id": [0, 0]}, "part_id: [0, 0] is not the number of a part"),
        ({"part_id": -1}, "part_id: -1 is not the number of a part"),
        ({"document_id": 7}, "document_id: 7 is not a name in quotes"),
        ({"document_id": "first"}, "duplicate document id 'first'; line 1 has it too"),
    ],
)
def test_errors_name_the_line_and_the_value(tmp_path: Path, fields: Any, message: str) -> None:
    path = put(tmp_path, "f", line(document_id="first") + line(**fields))

    assert refusal(path) == f":2: {message}"
    assert all_refusals(path)[0] == f":2: {message}"


def test_a_field_that_is_missing(tmp_path: Path) -> None:
    with pytest.raises(anascore.ReadError, match=r":1: a document needs mine$"):
        read(tmp_path, "mine")
