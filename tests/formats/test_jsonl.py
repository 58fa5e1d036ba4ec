"""Reading JSON lines."""

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Document, Mention, MismatchError, NonReferring, ReadError, SettingsError
from anascore.corpus.validate import validate
from anascore.formats.jsonl import UNLIKE_OTHERS, UNLISTED
from support.reading import Spans, all_refusals, put, refusal, spans

WORDS = list("abcdef")


def line(**fields: Any) -> str:
    """Write a document of six words; fields are added, or left out if they are None."""
    values: dict[str, Any] = {"doc_key": "d", "sentences": [WORDS], "clusters": [], **fields}
    return json.dumps({key: value for key, value in values.items() if value is not None}) + "\n"


def read(folder: Path, text: str, field: str = "clusters") -> dict[str, Document]:
    return anascore.read(put(folder, "test.jsonl", text), "jsonl", clusters_field=field).documents


def sets(document: Document) -> dict[int, set[int]]:
    """Return the elements of each set."""
    return {
        position: set(entity.elements)
        for position, entity in enumerate(document.entities)
        if entity.elements
    }


@pytest.mark.parametrize(
    ("clusters", "expected"),
    [
        pytest.param([], [], id="none"),
        pytest.param([[[0, 0]]], [[(0, 1)]], id="one word"),
        pytest.param([[[0, 1], [3, 5]], [[2, 2]]], [[(0, 2), (3, 6)], [(2, 3)]], id="two"),
        pytest.param([[[0, 3]], [[2, 5]]], [[(0, 4)], [(2, 6)]], id="crossing"),
        pytest.param([[[0, 5], [1, 2]]], [[(0, 6), (1, 3)]], id="nested"),
        pytest.param([[[3, 3], [0, 0]]], [[(3, 4), (0, 1)]], id="in any order"),
        pytest.param([[], [[0, 0]]], [[(0, 1)]], id="an entity without mentions is none"),
        pytest.param([[[0, 0, 0]], [[1, 1, -1]]], [[(0, 1)], [(1, 2)]], id="no type"),
    ],
)
def test_clusters(tmp_path: Path, clusters: Any, expected: Spans) -> None:
    (document,) = read(tmp_path, line(clusters=clusters)).values()

    assert expected == spans(document)


def test_spans_count_words_through_the_document(tmp_path: Path) -> None:
    text = line(sentences=[["a", "b"], [], ["c"], ["d"]], clusters=[[[1, 2], [3, 3]]])

    (document,) = read(tmp_path, text).values()

    assert document.words == ("a", "b", "c", "d")
    assert list(document.sentences) == [0, 2, 3]
    assert spans(document) == [[(1, 3), (3, 4)]]


def test_tokens_instead_of_sentences(tmp_path: Path) -> None:
    text = line(sentences=None, tokens=["a", "b", "c"], clusters=[[[1, 2]]])

    (document,) = read(tmp_path, text).values()

    assert document.words == ("a", "b", "c")
    assert spans(document) == [[(1, 3)]]


@pytest.mark.parametrize(
    "word", ["", " ", "New York", "a\tb", "a\nb", "\u2028", "😀", "##", "\x00"]
)
def test_words_can_be_anything(tmp_path: Path, word: str) -> None:
    text = line(sentences=[["a", word]])
    plain = json.dumps(json.loads(text), ensure_ascii=False)

    for written in (text, plain):
        (document,) = read(tmp_path, written).values()

        assert document.words == ("a", word)


def test_a_positive_third_number_marks_a_non_referring_mention(tmp_path: Path) -> None:
    text = line(clusters=[[[0, 0, 2]], [[1, 2, 0], [4, 4]], [[5, 5, 1], [3, 3, 0]]])

    (document,) = read(tmp_path, text).values()

    assert spans(document) == [[(1, 3), (4, 5)], [(3, 4)]]
    assert list(document.nonreferring) == [
        NonReferring(Mention(((0, 1),)), "2"),
        NonReferring(Mention(((5, 6),)), "1"),
    ]


@pytest.mark.parametrize(
    ("clusters", "number"),
    [
        ([[[0, 0], [1, 1, 0]], [[2, 2]]], 1),
        ([[[0, 0, -1], [1, 1, -1]], [[2, 2, 0]]], 1),
        ([[[0, 0, 0], [1, 1]], [[2, 2, 0]], [[3, 3, 2]]], 1),
        ([[[0, 0]], [[1, 1]], [[2, 2, -3]], [[3, 3, 0]]], 2),
        ([[[0, 0, 0], [1, 1, 0]], [[3, 3, 2]]], 0),
        ([[[0, 0, -1], [1, 1, -1]], [[3, 3, 2]]], 0),
        ([[[0, 0]], [[3, 3, 2]], [[4, 4, 1]]], 0),
        ([[[3, 3, 2]]], 0),
    ],
)
def test_a_third_number_that_others_do_not_have(tmp_path: Path, clusters: Any, number: int) -> None:
    path = put(tmp_path, "f.jsonl", line(doc_key="c") + line(clusters=clusters))

    (result,) = validate(str(path), "jsonl")

    assert [(problem.line, problem.what) for problem in result.problems] == (
        [(2, f"{UNLIKE_OTHERS}: {number}")] if number else []
    )
    notes = anascore.read(path, "jsonl").documents["d"].notes
    assert notes == ({UNLIKE_OTHERS: number} if number else {})


@pytest.mark.parametrize(
    ("clusters", "pairs", "expected_spans", "expected_sets"),
    [
        pytest.param(
            [[[0, 0]], [[1, 1]], [[2, 2]]],
            [[[2, 2], [0, 0]], [[2, 2], [1, 1]]],
            [[(0, 1)], [(1, 2)], [(2, 3)]],
            {2: {0, 1}},
            id="a set of two",
        ),
        pytest.param(
            [[[0, 0], [3, 3]], [[1, 1]], [[2, 2], [4, 4]]],
            [[[2, 2], [0, 0]], [[4, 4], [1, 1]], [[4, 4], [3, 3]]],
            [[(0, 1), (3, 4)], [(1, 2)], [(2, 3), (4, 5)]],
            {2: {0, 1}},
            id="all anaphors of an entity make one set",
        ),
        pytest.param(
            [[[2, 2]], [[0, 0]], [[1, 1]]],
            [[[2, 2], [0, 0]], [[2, 2], [1, 1]]],
            [[(2, 3)], [(0, 1)], [(1, 2)]],
            {0: {1, 2}},
            id="in any order",
        ),
        pytest.param(
            [[[0, 0]], [[1, 1]]],
            [[[2, 2], [0, 0]], [[2, 2], [1, 1]]],
            [[(0, 1)], [(1, 2)], [(2, 3)]],
            {2: {0, 1}},
            id="an anaphor in no cluster",
        ),
        pytest.param(
            [[[0, 0]], [[2, 2]]],
            [[[2, 2], [0, 0]], [[2, 2], [1, 1]]],
            [[(0, 1)], [(2, 3)], [(1, 2)]],
            {1: {0, 2}},
            id="an antecedent in no cluster",
        ),
        pytest.param(
            [],
            [[[4, 5], [0, 0]], [[4, 5], [1, 2]]],
            [[(4, 6)], [(0, 1)], [(1, 3)]],
            {0: {1, 2}},
            id="no clusters at all",
        ),
        pytest.param(
            [[[0, 0]], [[1, 1]], [[2, 2]], [[3, 3]]],
            [[[2, 2], [0, 0]], [[2, 2], [1, 1]], [[3, 3], [2, 2]], [[3, 3], [0, 0]]],
            [[(0, 1)], [(1, 2)], [(2, 3)], [(3, 4)]],
            {2: {0, 1}, 3: {0, 2}},
            id="nested",
        ),
        pytest.param(
            [[[0, 0]], [[1, 1]]],
            [[[0, 0], [1, 1]]],
            [[(0, 1)], [(1, 2)]],
            {0: {1}},
            id="cataphoric",
        ),
        pytest.param([[[0, 0]]], [], [[(0, 1)]], {}, id="none"),
    ],
)
def test_split_antecedents(
    tmp_path: Path,
    clusters: Any,
    pairs: Any,
    expected_spans: Spans,
    expected_sets: dict[int, set[int]],
) -> None:
    text = line(clusters=clusters, split_antecedents=pairs)

    (document,) = read(tmp_path, text).values()

    assert expected_spans == spans(document)
    assert expected_sets == sets(document)


PREDICTED = [[[3, 3]], [[4, 4]], [[5, 5]]]
LINKS = [[[2, 2], [0, 0]], [[2, 2], [1, 1]]]
PREDICTED_LINKS = [[[5, 5], [3, 3]], [[5, 5], [4, 4]]]
BOTH = {"clusters": [[[0, 0]], [[1, 1]], [[2, 2]]], "predicted_clusters": PREDICTED}


CHOICE = "documents whose clusters are read, not their predicted_clusters (see --clusters-field)"


def test_a_note_names_the_field_that_is_read(tmp_path: Path) -> None:
    path = put(tmp_path, "both", line(**BOTH))
    same = put(tmp_path, "same", line(**{**BOTH, "predicted_clusters": BOTH["clusters"]}))
    both, predicted = (
        anascore.read(path),
        anascore.read(path, clusters_field="predicted_clusters"),
    )

    assert anascore.score(both, both).notes == (f"response: {CHOICE}: 1",)
    assert anascore.score(both, predicted).notes == ()
    assert anascore.score(path, same).notes == ()
    assert [result.problems for result in validate(str(path))] == [()]


@pytest.mark.parametrize(
    ("clusters", "pairs", "number"),
    [
        ([[[0, 0]], [[1, 1]], [[2, 2]]], LINKS, 0),
        ([[[0, 0]], [[1, 1]]], LINKS, 1),
        ([[[0, 0]], [[2, 2]]], LINKS, 1),
        ([], LINKS, 3),
    ],
)
def test_mentions_of_links_in_no_cluster_are_noted(
    tmp_path: Path, clusters: Any, pairs: Any, number: int
) -> None:
    path = put(tmp_path, "f", line(clusters=clusters, split_antecedents=pairs))

    (result,) = validate(str(path), "jsonl")

    expected = [f"{path}:1: warning: {UNLISTED}: {number}"] if number else []
    assert [str(problem) for problem in result.problems] == expected
    (document,) = anascore.read(path, "jsonl").documents.values()
    assert document.notes == ({UNLISTED: number} if number else {})


def test_the_field_with_the_entities_can_be_chosen(tmp_path: Path) -> None:
    (document,) = read(tmp_path, line(**BOTH), "predicted_clusters").values()

    assert spans(document) == [[(3, 4)], [(4, 5)], [(5, 6)]]


def test_each_field_of_entities_has_split_antecedents_of_its_own(tmp_path: Path) -> None:
    text = line(**BOTH, split_antecedents=LINKS, predicted_split_antecedents=PREDICTED_LINKS)

    for field, expected in [("clusters", [(0, 1), (1, 2), (2, 3)]), ("predicted_clusters", [])]:
        (document,) = read(tmp_path, text, field).values()

        assert sets(document) == {2: {0, 1}}
        assert [span for (span,) in spans(document)] == (expected or [(3, 4), (4, 5), (5, 6)])
        assert document.notes == ({CHOICE: 1} if field == "clusters" else {})


def test_split_antecedents_of_other_clusters_are_left_out_and_counted(tmp_path: Path) -> None:
    text = line(**BOTH, split_antecedents=LINKS)

    (document,) = read(tmp_path, text, "predicted_clusters").values()

    assert sets(document) == {}
    assert document.notes == {
        "split antecedents that belong to other clusters than those read, left out": 2
    }


def test_split_antecedents_beside_predicted_clusters_alone(tmp_path: Path) -> None:
    text = line(clusters=None, predicted_clusters=PREDICTED, split_antecedents=PREDICTED_LINKS)

    (document,) = read(tmp_path, text, "predicted_clusters").values()

    assert sets(document) == {2: {0, 1}}


def test_documents_are_in_the_order_of_the_file_and_may_lack_names(tmp_path: Path) -> None:
    text = line(doc_key="z") + "\n" + line(doc_key=None) + line(doc_key="") + line(doc_key="a")

    documents = read(tmp_path, text)

    assert list(documents) == ["z", "unnamed", "unnamed-2", "a"]
    assert [document.line for document in documents.values()] == [1, 3, 4, 5]


def test_other_fields_are_passed_over(tmp_path: Path) -> None:
    text = line(speakers=[["A"] * 6], genre="bn", ner=None, text="a", entities=[[[0, 1]]])

    assert list(read(tmp_path, text)) == ["d"]


def not_a_span(value: str) -> str:
    return f"{value} is not a span [first and last position] among 6, counted from 0"


def out_of_range(value: str) -> str:
    ends = "[first and last position]"
    return f"{value} is not a span {ends}; the document has 6 words, so positions go from 0 to 5"


@pytest.mark.parametrize(("change", "side"), [(1, "response"), (-1, "key")])
def test_exclusive_ends_are_noted(tmp_path: Path, change: int, side: str) -> None:
    def text(shift: int) -> str:
        spans = [[[2 * n, 2 * n + 1 + shift]] for n in range(12)]
        return line(sentences=[["a"] * 30], clusters=spans)

    wrong, right = put(tmp_path, "wrong.jsonl", text(1)), put(tmp_path, "right.jsonl", text(0))
    key, response = (right, wrong) if side == "response" else (wrong, right)

    assert anascore.score(key, response).notes == (
        f"only 0 of 12 response mentions match exactly, but at least 12 would if their ends were "
        f"one {'less' if change > 0 else 'more'}; check the ends of spans in key and response; "
        "JSON lines needs inclusive ends, [first, last], so subtract 1 if they are exclusive",
    )


def test_skipping_documents_is_no_remedy_for_exclusive_ends(tmp_path: Path) -> None:
    bad = {"sentences": [["a", "b"]], "clusters": [[[1, 2]]]}
    path = put(
        tmp_path, "f.jsonl", line(doc_key="a", clusters=[[[0, 1]]]) + line(doc_key="b", **bad)
    )

    with pytest.raises(ReadError) as error:
        anascore.score(path, path)

    assert error.value.lines[-1] == "1 of 2 documents have errors"
    assert error.value.lines[0].endswith("; if your ends are exclusive, subtract 1 from each")


HALF = "a text with half a character (a lone surrogate)"
THIRD = "is not [first, last] or [first, last, number of a type]"

BAD_FILES: dict[str, tuple[str, str]] = {
    "not JSON": (
        '{"tokens": [}\n',
        ":1: this is not JSON: Expecting value, at character 13 of the line",
    ),
    "not JSON in the second line": (
        line() + '{"tokens": ["a"], "clusters": x}\n',
        ":2: this is not JSON: Expecting value, at character 31 of the line",
    ),
    "cut": (
        line() + '{"tokens": ["a"',
        ":2: this is not JSON: Expecting ',' delimiter, at character 16 of the line",
    ),
    "a list": (line() + "[1]\n", ":2: [1] is not a document {...}, one on each line"),
    "a number": (line() + "1\n", ":2: 1 is not a document {...}, one on each line"),
    "nothing": (line() + "null\n", ":2: null is not a document {...}, one on each line"),
    "an empty object": (
        line() + "{}\n",
        ":2: a document needs its words, as sentences or tokens",
    ),
    "no words": (line(sentences=None), ":1: a document needs its words, as sentences or tokens"),
    "no clusters": (line(clusters=None), ":1: a document needs clusters"),
    "other clusters": (
        line(clusters=None, predicted_clusters=[], my_clusters=[]),
        ":1: a document needs clusters; it has predicted_clusters, my_clusters: "
        "try --clusters-field predicted_clusters",
    ),
    "sentences of text": (line(sentences="a b c"), ':1: sentences: "a b c" is not a list'),
    "a sentence of text": (
        line(sentences=[["a"], "b c"]),
        ':1: sentences[1]: "b c" is not a list of words',
    ),
    "tokens of text": (
        line(sentences=None, tokens="a b"),
        ':1: tokens: "a b" is not a list of words',
    ),
    "a number as a word": (
        line(sentences=[["a"], ["b", 1]]),
        ":1: sentences[1][1]: 1 is not a word in quotes",
    ),
    "half a character": (line(sentences=[["a"], ["\ud800"]]), f":1: sentences[1]: {HALF}"),
    "half a character in tokens": (
        line(sentences=None, tokens=["\udc00"]),
        f":1: tokens: {HALF}",
    ),
    "halves of one character in two words": (
        line(sentences=[["\ud83d", "\ude00"]]),
        f":1: sentences[0]: {HALF}",
    ),
    "half a character in a name": (line(doc_key="\ud800"), f":1: doc_key: {HALF}"),
    "a number as a name": (
        line(doc_key=7),
        ":1: doc_key: 7 is not a name in quotes",
    ),
    "clusters that are no list": (
        line(clusters={"0": [[0, 0]]}),
        ':1: clusters: {"0": [[0, 0]]} is not a list of entities',
    ),
    "a cluster that is no list": (
        line(clusters=[[[0, 0]], 7]),
        ":1: clusters[1]: 7 is not a list of spans",
    ),
    "spans not in clusters": (line(clusters=[[0, 0]]), f":1: clusters[0][0]: {not_a_span('0')}"),
    "a span of one number": (
        line(clusters=[[[0, 0], [3]]]),
        f":1: clusters[0][1]: {not_a_span('[3]')}",
    ),
    "a span of four numbers": (
        line(clusters=[[[0, 0, 1, 1]]]),
        f":1: clusters[0][0]: [0, 0, 1, 1] {THIRD}",
    ),
    "out of range": (line(clusters=[[[5, 7]]]), f":1: clusters[0][0]: {out_of_range('[5, 7]')}"),
    "exclusive": (
        line(clusters=[[[5, 6]]]),
        f":1: clusters[0][0]: {out_of_range('[5, 6]')}; if your ends are exclusive, subtract 1 "
        "from each",
    ),
    "negative": (line(clusters=[[[-1, 0]]]), f":1: clusters[0][0]: {not_a_span('[-1, 0]')}"),
    "backwards": (line(clusters=[[[3, 2]]]), f":1: clusters[0][0]: {not_a_span('[3, 2]')}"),
    "fractions": (line(clusters=[[[0.0, 1.5]]]), f":1: clusters[0][0]: {not_a_span('[0.0, 1.5]')}"),
    "numbers in quotes": (
        line(clusters=[[["0", "1"]]]),
        f""":1: clusters[0][0]: {not_a_span('["0", "1"]')}""",
    ),
    "booleans": (
        line(clusters=[[[False, True]]]),
        f":1: clusters[0][0]: {not_a_span('[false, true]')}",
    ),
    "a boolean as a type": (
        line(clusters=[[[0, 0, True]]]),
        f":1: clusters[0][0]: [0, 0, true] {THIRD}",
    ),
    "a name as a type": (
        line(clusters=[[[0, 0, "expletive"]]]),
        f':1: clusters[0][0]: [0, 0, "expletive"] {THIRD}',
    ),
    "a type that is no number": (
        line(clusters=[[[0, 0, float("nan")]]]),
        f":1: clusters[0][0]: [0, 0, NaN] {THIRD}",
    ),
    "split antecedents that are no list": (
        line(split_antecedents={}),
        ":1: split_antecedents: {} is not a list of pairs of spans",
    ),
    "a split antecedent that is no list": (
        line(split_antecedents=[7]),
        ":1: split_antecedents[0]: 7 is not a pair [anaphor, antecedent] of spans",
    ),
    "a split antecedent alone": (
        line(split_antecedents=[[[2, 2]]]),
        ":1: split_antecedents[0]: this is not a pair [anaphor, antecedent]",
    ),
    "three of them": (
        line(split_antecedents=[[[2, 2], [0, 0], [1, 1]]]),
        ":1: split_antecedents[0]: this is not a pair [anaphor, antecedent]",
    ),
    "a split antecedent out of range": (
        line(split_antecedents=[[[2, 2], [9, 9]]]),
        f":1: split_antecedents[0][1]: {out_of_range('[9, 9]')}",
    ),
    "a split antecedent that refers to nothing": (
        line(clusters=[[[0, 0, 1]]], split_antecedents=[[[2, 2], [0, 0]]]),
        ":1: split_antecedents[0]: a non-referring mention is neither anaphor nor antecedent",
    ),
    "an anaphor as its own antecedent": (
        line(clusters=[[[0, 0], [2, 2]]], split_antecedents=[[[2, 2], [0, 0]]]),
        ":1: an entity cannot be an element of itself: 0 is an element of 0",
    ),
    "a document twice": (
        line() + "\n" + line(),
        ":3: duplicate document id 'd'; line 1 has it too",
    ),
    "only empty documents": (
        line(sentences=[]),
        ": this file has no words when read as jsonl",
    ),
}


@pytest.mark.parametrize("case", BAD_FILES)
def test_bad_file(tmp_path: Path, case: str) -> None:
    text, expected = BAD_FILES[case]
    path = put(tmp_path, "bad.jsonl", text)

    assert refusal(path) == expected
    assert expected in all_refusals(path)


def test_all_that_is_wrong_is_found(tmp_path: Path) -> None:
    path = put(
        tmp_path, "bad.jsonl", line(clusters=[[[9, 9]], [[0, 0], 7]]) + line(doc_key=7) + "x\n"
    )

    assert all_refusals(path) == [
        f":1: clusters[0][0]: {out_of_range('[9, 9]')}",
        f":1: clusters[1][1]: {not_a_span('7')}",
        ":2: doc_key: 7 is not a name in quotes",
        ":3: this is not JSON: Expecting value, at character 1 of the line",
    ]


@pytest.mark.parametrize("depths", [range(5, 10), range(850, 1000), [5000, 200_000]])
@pytest.mark.parametrize("place", ["clusters", "tokens", "doc_key", "split_antecedents"])
def test_deep_nesting_is_refused(tmp_path: Path, place: str, depths: list[int]) -> None:
    for depth in depths:
        deep = "[" * depth + "]" * depth
        fields = {"doc_key": '"d"', "tokens": '["a"]', "clusters": "[]", place: deep}
        text = "{" + ", ".join(f'"{name}": {value}' for name, value in fields.items()) + "}\n"

        message = refusal(put(tmp_path, "bad.jsonl", text))

        assert message.startswith(":1: ")
        assert len(message) < 300


def test_very_deep_nesting_says_so(tmp_path: Path) -> None:
    path = put(tmp_path, "bad.jsonl", '{"tokens": ["a"], "clusters": ' + "[" * 200_000)

    assert refusal(path) == ":1: this is nested more than 100 levels deep, which no format needs"


def test_a_number_of_very_many_digits_is_not_called_deep_nesting(tmp_path: Path) -> None:
    text = '{"tokens": ["a"], "clusters": [[[0, ' + "1" * 5000 + "]]]}\n"

    message = refusal(put(tmp_path, "bad.jsonl", text))

    assert message.startswith(":1: ")
    assert "nested" not in message
    assert len(message) < 300


def test_a_missing_field_of_entities_is_named(tmp_path: Path) -> None:
    path = put(tmp_path, "bad.jsonl", line())

    with pytest.raises(ReadError) as error:
        anascore.read(path, clusters_field="predicted_clusters")

    assert str(error.value) == (
        f"{path}:1: a document needs predicted_clusters; it has clusters: "
        f"try --clusters-field clusters"
    )


def test_a_misspelt_field_of_entities_is_corrected(tmp_path: Path) -> None:
    path = put(tmp_path, "bad.jsonl", line(predicted_clusters=[]))

    with pytest.raises(ReadError) as error:
        anascore.read(path, clusters_field="predicted_cluster")

    assert str(error.value) == (
        f"{path}:1: a document needs predicted_cluster (did you mean 'predicted_clusters'?)"
    )


def test_documents_without_a_name_are_explained(tmp_path: Path) -> None:
    key = put(tmp_path, "key.jsonl", line() + line(doc_key="e"))
    response = put(tmp_path, "response.jsonl", line() + line(doc_key=None))

    with pytest.raises(MismatchError) as error:
        anascore.score(key, response)

    assert str(error.value) == (
        f"{response}:2: the key {key} has no document 'unnamed'; key and response must have the "
        f"same documents, and the key has documents 'd', 'e'; a document without a name (doc_key "
        f"in JSON lines) is called 'unnamed'"
    )


def test_an_id_is_the_position_in_the_list_of_clusters(tmp_path: Path) -> None:
    clusters = [[], [[0, 0]], [[1, 1, 7]], [[2, 2], [3, 3]]]
    links = [[[2, 2], [0, 0]], [[2, 2], [4, 4]]]

    (document,) = read(tmp_path, line(clusters=clusters, split_antecedents=links)).values()

    assert [entity.name for entity in document.entities] == ["1", "3", "4"]
    assert sets(document) == {1: {0, 2}}


def test_the_relation_of_an_object_is_kept_after_an_empty_cluster(tmp_path: Path) -> None:
    clusters = [[], [[0, 0]], [[1, 1]]]

    (document,) = read(
        tmp_path, line(clusters=clusters, result_antecedents=[[[1, 1], [0, 0]]])
    ).values()

    assert [entity.relation for entity in document.entities] == ["set", "result"]


def test_messages_name_entities_by_their_ids(tmp_path: Path) -> None:
    links = [[[0, 0], [1, 1]], [[1, 1], [0, 0]]]

    message = refusal(
        put(tmp_path, "bad.jsonl", line(clusters=[[], [[0, 0]], [[1, 1]]], split_antecedents=links))
    )

    assert "2 is an element of 1" in message
    assert "1 is an element of 2" in message


def test_several_documents_can_stand_on_one_line(tmp_path: Path) -> None:
    text = f" {line(doc_key='a}{').strip()}{line(doc_key='b').strip()} {line(doc_key='c')}"

    documents = read(tmp_path, text + line(doc_key="d"))

    assert [(d.name, d.line) for d in documents.values()] == [
        *(("a}{", 1), ("b", 1), ("c", 1), ("d", 2)),
    ]


def test_an_error_in_a_line_of_several_documents_names_its_column(tmp_path: Path) -> None:
    text = f"{line(doc_key='a').strip()}{line(doc_key='b').strip()}"
    path = put(tmp_path, "f", text[:-1])
    place = f"at character {len(text)} of the line"

    assert refusal(path, "jsonl") == f":1: this is not JSON: Expecting ',' delimiter, {place}"
    assert all_refusals(path, "jsonl") == [refusal(path, "jsonl")]


def test_one_document_can_stand_on_several_lines(tmp_path: Path) -> None:
    text = json.dumps({"doc_key": "x", "tokens": ["a"], "clusters": [[[0, 0]]]}, indent=1)

    assert list(anascore.read(put(tmp_path, "f", text)).documents) == ["x"]


def test_messages_name_the_line_of_a_member(tmp_path: Path) -> None:
    text = (
        '{\n"doc_key": 7,\n"tokens": ["a"],\n"clusters": 8,\n"deixis_candidates": [{\n'
        '"anaphor": 9,\n"ranked": []}]\n}\n'
    )

    messages = all_refusals(put(tmp_path, "bad.jsonl", text))

    places = sorted(message.partition(" is not ")[0] for message in messages)
    assert places == [":2: doc_key: 7", ":4: clusters: 8", ":6: deixis_candidates[0].anaphor: 9"]


def test_a_list_of_documents_is_no_document(tmp_path: Path) -> None:
    text = json.dumps([{"doc_key": "x", "tokens": ["a"], "clusters": []}], indent=1)

    ((line, message),) = [
        (problem.line, problem.what)
        for validated in validate(str(put(tmp_path, "f", text)), None)
        for problem in validated.problems
    ]

    assert line == 1
    assert message.endswith("is not a document {...}, one on each line")


def test_a_field_of_clusters_is_in_json_lines_only(tmp_path: Path) -> None:
    path = put(tmp_path, "f.conll", "#begin document (d); part 000\nw (1)\n#end document\n")

    with pytest.raises(
        SettingsError, match="is CoNLL-2012; --clusters-field is only for JSON lines"
    ):
        anascore.read(path, clusters_field="predicted_clusters")


def test_antecedents_in_two_clusters_do_not_depend_on_the_order_of_clusters(tmp_path: Path) -> None:
    clusters = [[[0, 0], [5, 5]], [[5, 5], [7, 7]], [[2, 2]], [[9, 9]]]
    links = [[[9, 9], [5, 5]], [[9, 9], [2, 2]]]
    paths = []
    for number, order in enumerate(permutations(clusters)):
        fields = {"doc_key": "d", "tokens": [*"abcdefghij"], "clusters": order}
        text = json.dumps({**fields, "split_antecedents": links})
        paths.append(put(tmp_path, f"{number}.jsonl", text))

    for path in paths:
        result = anascore.score(paths[0], path)

        for name, values in (*result.scores.items(), *result.split_only.items()):
            assert set(values) <= {1.0, None}, name
