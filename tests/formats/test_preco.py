"""Reading PreCo JSON lines."""

import json
from pathlib import Path
from typing import Any

import pytest

import anascore
from support.reading import all_refusals, put, refusal, spans


def line(**fields: Any) -> str:
    """Write a document of four words; fields are added, or left out if they are None."""
    values: dict[str, Any] = {
        "id": "d",
        "sentences": [["Hi", "!"], [], [" "], ["Bye"]],
        "mention_clusters": [],
        **fields,
    }
    return json.dumps({key: value for key, value in values.items() if value is not None}) + "\n"


def test_spans_count_words_of_a_sentence(tmp_path: Path) -> None:
    clusters = [[[0, 0, 1], [3, 0, 1]], [], [[0, 0, 2]]]

    corpus = anascore.read(put(tmp_path, "f", line(mention_clusters=clusters)))

    document = corpus.documents["d"]
    assert corpus.format == "preco"
    assert document.words == ("Hi", "!", " ", "Bye")
    assert document.sentences == (0, 2, 3)
    assert spans(document) == [[(0, 1), (3, 4)], [(0, 2)]]
    assert [entity.name for entity in document.entities] == ["0", "2"]


NO_SENTENCE = "is not [sentence, start, end], with a sentence among 4"
NO_SPAN = "is not a span [start, and end, which is after the last] among"


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"mention_clusters": [[[0, 1, 3]]]}, f"[1, 3] {NO_SPAN} 2, counted from 0"),
        (
            {"mention_clusters": [[[0, 1, 1]]]},
            f"[1, 1] {NO_SPAN} 2, counted from 0; if your ends are inclusive, add 1 to each",
        ),
        ({"mention_clusters": [[[1, 0, 1]]]}, f"[0, 1] {NO_SPAN} 0, counted from 0"),
        ({"mention_clusters": [[[0, "0", 1]]]}, f'["0", 1] {NO_SPAN} 2, counted from 0'),
        ({"mention_clusters": [[[4, 0, 1]]]}, f"[4, 0, 1] {NO_SENTENCE}"),
        ({"mention_clusters": [[[-1, 0, 1]]]}, f"[-1, 0, 1] {NO_SENTENCE}"),
        ({"mention_clusters": [[[0, 1]]]}, f"[0, 1] {NO_SENTENCE}"),
        ({"mention_clusters": [[None]]}, f"null {NO_SENTENCE}"),
        ({"mention_clusters": [[["0", 0, 1]]]}, f'["0", 0, 1] {NO_SENTENCE}'),
    ],
)
def test_errors_in_mentions(tmp_path: Path, fields: Any, message: str) -> None:
    path = put(tmp_path, "f", line(id="first") + line(**fields))

    assert refusal(path) == f":2: mention_clusters[0][0]: {message}"
    assert all_refusals(path) == [f":2: mention_clusters[0][0]: {message}"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"mention_clusters": [[0, 0, 1]]}, f"mention_clusters[0][0]: 0 {NO_SENTENCE}"),
        ({"mention_clusters": [0]}, "mention_clusters[0]: 0 is not a list of spans"),
        ({"mention_clusters": "x"}, 'mention_clusters: "x" is not a list of entities'),
        ({"mention_clusters": None}, "a document needs mention_clusters"),
        ({"sentences": None}, "a document needs sentences"),
        ({"sentences": ["Hi"]}, 'sentences[0]: "Hi" is not a list of words'),
        ({"sentences": [[1]]}, "sentences[0][0]: 1 is not a word in quotes"),
        ({"id": 3}, "id: 3 is not a name in quotes"),
        ({"id": "first"}, "duplicate document id 'first'; line 1 has it too"),
    ],
)
def test_errors_name_the_line_and_the_value(tmp_path: Path, fields: Any, message: str) -> None:
    path = put(tmp_path, "f", line(id="first") + line(**fields))

    assert refusal(path, "preco") == f":2: {message}"
    assert all_refusals(path, "preco")[0] == f":2: {message}"


def test_documents_without_a_name(tmp_path: Path) -> None:
    path = put(tmp_path, "f", line(id=None) + line(id=""))

    assert list(anascore.read(path).documents) == ["unnamed", "unnamed-2"]
