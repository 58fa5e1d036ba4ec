"""Pairing of documents without names: in order, by the words that they share."""

import json
from collections.abc import Sequence
from dataclasses import replace
from math import log
from pathlib import Path

import pytest

import anascore
from anascore import Corpus, Document, MismatchError, Settings
from anascore.pairing import unnamed
from anascore.pairing.documents import rename_to_key
from anascore.pairing.unnamed import Mismatch, SharedWords
from support.reading import put

TEXTS = {
    "a": "the cat sat on the mat .",
    "b": "a dog ran through the park .",
    "c": "rain fell over the hills .",
    "d": "we ate bread with the soup .",
}


def key_corpus(names: Sequence[str] = "abcd") -> Corpus:
    documents = {name: Document(name, TEXTS[name].split(), ()) for name in names}
    return Corpus(documents)


def response(folder: Path, *texts: str) -> Path:
    return put(folder, "r.txt", "".join(f"{text}\n" for text in texts))


@pytest.mark.parametrize(
    ("documents", "positions"),
    [
        ("abcd", [0, 1, 2, 3]),
        ("abc", [0, 1, 2]),
        ("bcd", [1, 2, 3]),
        ("acd", [0, 2, 3]),
        ("ad", [0, 3]),
        ("c", [2]),
        ("", []),
    ],
)
def test_the_best_pairing_in_order(documents: str, positions: list[int]) -> None:
    shared = SharedWords([text.split() for text in TEXTS.values()])

    found = shared.pair([TEXTS[name].split() for name in documents])

    assert found == positions


def test_equal_documents_come_first() -> None:
    shared = SharedWords([["x"], ["x"], ["y"]])

    assert shared.pair([["x"], ["y"]]) == [0, 2]
    assert shared.pair([[], ["y"]]) == [0, 2]


def test_of_pairings_with_the_same_shares_in_another_order_the_first_is_chosen() -> None:
    shared = SharedWords([["c", "f", "e"], ["b", "e", "f"], ["f", "e", "d"]])

    assert shared.pair([["e", "y", "b"], ["e", "y", "b"]]) == [0, 1]


def test_of_pairings_of_three_documents_with_equal_sums_the_first_is_chosen() -> None:
    shared = SharedWords([["a"], ["a", "b"], ["a", "b"], ["a"]])

    assert shared.pair([["a", "b", "x"], ["b", "x", "y"], ["a", "b", "x"]]) == [0, 1, 2]


@pytest.mark.parametrize(
    ("text", "position", "doubt"),
    [
        pytest.param(TEXTS["a"], 0, None, id="the same"),
        pytest.param("the dog sat on a mat .", 0, None, id="altered"),
        pytest.param("rain", 2, None, id="cut"),
        pytest.param("", 0, None, id="empty"),
        pytest.param(TEXTS["b"], 0, Mismatch(1), id="of another place"),
        pytest.param("I cannot help you with that", 0, Mismatch(None), id="a refusal"),
        pytest.param("cat x y z u v w", 0, None, id="one of the words"),
    ],
)
def test_doubt(text: str, position: int, doubt: Mismatch | None) -> None:
    shared = SharedWords([text.split() for text in TEXTS.values()])

    assert shared.doubt(text.split(), position) == doubt


EQUAL_WEIGHTS = SharedWords([["a", "b"], ["k", "l", "m", "n", "o"]])
"""A key of which no word is in two documents, so that all words weigh the same."""


@pytest.mark.parametrize(
    ("text", "doubt"),
    [
        pytest.param("a x1 x2 x3 x4 x5 x6 x7 x8", None, id="more than a tenth"),
        pytest.param("a x1 x2 x3 x4 x5 x6 x7 x8 x9 x10", Mismatch(None), id="less than a tenth"),
        pytest.param("k x1 x2 x3", Mismatch(1), id="clear"),
        pytest.param("k x1 x2 x3 x4 x5", Mismatch(None), id="not clear"),
        pytest.param("a b k l m n x", None, id="twice as much"),
        pytest.param("a b k l m n o x", Mismatch(1), id="more than twice as much"),
    ],
)
def test_doubt_begins_with_certain_shares(text: str, doubt: Mismatch | None) -> None:
    assert EQUAL_WEIGHTS.doubt(text.split(), 0) == doubt


@pytest.mark.parametrize(
    ("name", "text", "doubt"),
    [
        ("MIN_OVERLAP", "a x1 x2 x3 x4 x5 x6 x7 x8", None),
        ("CLEAR_OVERLAP", "k x1 x2 x3", Mismatch(1)),
    ],
)
def test_the_smallest_share_is_large_enough(
    monkeypatch: pytest.MonkeyPatch, name: str, text: str, doubt: Mismatch | None
) -> None:
    monkeypatch.setattr(unnamed, name, EQUAL_WEIGHTS.best_share(text.split()))

    assert EQUAL_WEIGHTS.doubt(text.split(), 0) == doubt


def test_rare_words_weigh_more() -> None:
    shared = SharedWords([["a", "b"], ["a", "c"]])

    assert shared.best_share(["b", "x"]) == 1 / 2
    assert shared.best_share(["a", "x"]) == pytest.approx(log(2) / (log(2) + log(3)))


def test_the_share_of_a_key_without_words() -> None:
    assert SharedWords([[]]).doubt(["a"], 0) == Mismatch(None)
    assert SharedWords([]).best_share(["a"]) == 0.0


def test_forms_with_blanks_are_the_same_word() -> None:
    assert SharedWords([["New York"]]).doubt(["New_York"], 0) is None


def test_missing_documents_are_named_in_a_note(tmp_path: Path) -> None:
    path = response(tmp_path, "the|[e1] cat sat on the mat .", TEXTS["d"])

    result = anascore.score(key_corpus(), path, missing="empty")

    assert [n for n, counts in result.first.counted.items() if counts.response["documents"]] == [
        *"ad"
    ]
    assert "response: missing: documents 'b', 'c'" in result.notes
    assert result.documents["a"].notes == ()
    for analysis in (anascore.find_errors, anascore.explain):
        warnings = analysis(key_corpus(), path, missing="empty").warnings
        assert "response: missing: documents 'b', 'c'" in warnings


def test_missing_documents_are_an_error_unless_they_are_allowed(tmp_path: Path) -> None:
    path = response(tmp_path, "the|[e1] cat sat on the mat .", TEXTS["c"], TEXTS["d"])

    with pytest.raises(MismatchError) as error:
        anascore.score(key_corpus(), path)

    assert str(error.value).startswith(f"{path}: document 'b' is missing, which the key has")


ORDER = "documents without names must be in the order of the key"


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        pytest.param(
            [TEXTS["b"], TEXTS["c"], TEXTS["d"], "the|[e1] end"],
            ":1: by its place this is the document 'a' of the key, but it shares few words with "
            f"it, and most with 'b'; {ORDER}",
            id="shifted",
        ),
        pytest.param(
            [TEXTS["a"], TEXTS["b"], "Sorry|[e1] , I cannot help with that", TEXTS["d"]],
            ":3: by its place this is the document 'c' of the key, but it shares almost no words "
            f"with it; {ORDER}",
            id="another text",
        ),
        pytest.param(
            [TEXTS["d"], TEXTS["c"], "the|[e1] cat sat"],
            ":1: by its place this is the document 'a' of the key, but it shares few words with "
            f"it, and most with 'd'; {ORDER}",
            id="fewer, and in another order",
        ),
        pytest.param(
            [*TEXTS.values(), "a|[e1]"],
            ": it has 5 documents, identified by order only, but the key has 4; the numbers must "
            "be equal; --repair (in Python repair=True) joins the paragraphs of a document and "
            "drops lines that are not of a document",
            id="too many",
        ),
        pytest.param(
            ["Sure !", *TEXTS.values(), "a|[e1]"],
            ": it has 6 documents, identified by order only, but the key has 4; the numbers must "
            "be equal; --repair (in Python repair=True) joins the paragraphs of a document and "
            "drops lines that are not of a document",
            id="a line that is no document",
        ),
    ],
)
def test_no_other_pairing_is_scored(tmp_path: Path, texts: list[str], message: str) -> None:
    path = response(tmp_path, *texts)

    with pytest.raises(MismatchError) as error:
        anascore.score(key_corpus(), path, missing="empty")

    assert str(error.value) == f"{path}{message}"


def test_words_that_are_ignored_are_not_looked_at(tmp_path: Path) -> None:
    path = response(tmp_path, TEXTS["b"], TEXTS["a"], TEXTS["d"], "x|[e1]")

    result = anascore.score(key_corpus(), path, words="ignore")

    assert len(result.documents) == 4


def test_a_key_without_names_is_paired_in_the_same_way(tmp_path: Path) -> None:
    key = put(tmp_path, "key.txt", "".join(f"{text} x|[e1]\n" for text in TEXTS.values()))
    path = response(tmp_path, f"{TEXTS['b']} x|[e1]", f"{TEXTS['d']} x|[e1]")

    result = anascore.score(key, path, missing="empty")

    assert result["mentions"].recall == 1 / 2
    assert result["mentions"].precision == 1.0
    assert "response: missing: documents 'unnamed', 'unnamed-3'" in result.notes


def test_names_of_files_in_a_folder_are_names(tmp_path: Path) -> None:
    for side, texts in (("key", ("a", "a", "b")), ("response", ("", "a", "b"))):
        for number, text in enumerate(texts):
            if text:
                put(tmp_path / side, f"{number}.txt", f"{TEXTS[text]} x|[e1]\n")

    result = anascore.score(tmp_path / "key", tmp_path / "response", missing="empty")

    assert "response: missing: document '0'" in result.notes


def test_files_of_the_same_names_belong_together_whatever_their_words(tmp_path: Path) -> None:
    for side, texts in (("key", "ab"), ("response", "ba")):
        for number, text in enumerate(texts):
            put(tmp_path / side, f"{number}.txt", f"{TEXTS[text]} x|[e1]\n")

    result = anascore.score(tmp_path / "key", tmp_path / "response")

    assert list(result.documents) == ["0", "1"]


def test_the_names_of_the_key_are_names_in_any_order() -> None:
    key = replace(key_corpus("ab"), unnamed=True)
    swapped = key_corpus("ba")

    assert rename_to_key(key, swapped, Settings()) is swapped


def test_documents_that_are_paired_get_the_names_of_the_key(tmp_path: Path) -> None:
    path = response(tmp_path, f"{TEXTS['b']} x|[e1]", TEXTS["d"])

    named = rename_to_key(key_corpus(), anascore.read(path), Settings(missing="empty"))

    assert {name: one.name for name, one in named.documents.items()} == {"b": "b", "d": "d"}
    assert named.unnamed is False


def test_a_key_in_characters(tmp_path: Path) -> None:
    documents = {name: Document(name, f"Ann left, {TEXTS[name]}", ()) for name in "abcd"}
    key = Corpus(documents)
    lines = [f"Ann|[e1] left , {text}" for text in TEXTS.values()]

    assert len(anascore.score(key, response(tmp_path, *lines)).documents) == 4
    with pytest.raises(MismatchError, match="it shares few words with it, and most with 'd'"):
        anascore.score(key, response(tmp_path, *reversed(lines)))


@pytest.mark.parametrize("jobs", [1, 2])
def test_aligned_words_pair_documents_without_names(
    tmp_path: Path, jobs: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("anascore.blocks.PARALLEL_SIZE", 1)

    def lines(names: str) -> Path:
        texts = [f"{TEXTS[name]} too" for name in names]
        documents = [{"text": text, "clusters": [], "clusters_strings": []} for text in texts]
        return put(tmp_path, names, "".join(f"{json.dumps(one)}\n" for one in documents))

    with pytest.raises(MismatchError, match="and most with 'b'; documents without names must be"):
        anascore.score(key_corpus(), lines("bacd"), words="align", jobs=jobs)
    result = anascore.score(key_corpus(), lines("abcd"), words="align", jobs=jobs)
    assert list(result.documents) == list("abcd")
