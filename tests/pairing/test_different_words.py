"""Responses whose words differ from the key's."""

import json
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore import Corpus, Document, Entity, Mention, MismatchError
from anascore.cli.main import main
from anascore.pairing.documents import listing
from anascore.pairing.word_alignment import (
    DELETED,
    INSERTED,
    REPLACED,
    align_words,
    realign_response,
)
from support.report_page import Page


def distance(first: list[str], second: list[str]) -> int:
    """Return the edit distance, by the textbook."""
    row = list(range(len(second) + 1))
    for i, a in enumerate(first, 1):
        before, row[0] = row[0], i
        for j, b in enumerate(second, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (a != b))
    return row[-1]


WORDS = st.lists(st.sampled_from("abc"), max_size=8)


@given(WORDS, WORDS)
def test_words_are_aligned_by_edit_distance(key: list[str], response: list[str]) -> None:
    pairs, notes = align_words(key, response)

    assert sum(notes.values()) == distance(key, response)
    assert sum(key[k] != response[r] for r, k in pairs) == notes.get(REPLACED, 0)
    assert len(response) - len(pairs) == notes.get(INSERTED, 0)
    assert len(key) - len(pairs) == notes.get(DELETED, 0)
    assert pairs == sorted(pairs)
    for side in zip(*pairs, strict=True):
        assert len(set(side)) == len(side)


def carried(key: str, response: str, *spans: tuple[int, int]) -> list[tuple[tuple[int, int], ...]]:
    """Carry mentions of a response over to a key; words are separated by blanks."""
    entities = [Entity([Mention((span,))]) for span in spans]
    document = Document("r", response.split(), entities)
    result = realign_response(Document("k", key.split(), []), document)
    assert list(result.words) == key.split()
    assert result.name == "k"
    return [mention.words for entity in result.entities for mention in entity.mentions]


@pytest.mark.parametrize(
    ("key", "response", "span", "expected"),
    [
        pytest.param("a b c", "a b c", (1, 3), (1, 3), id="the same words"),
        pytest.param("a b c", "a x b c", (2, 4), (1, 3), id="a word inserted before"),
        pytest.param("a b c", "a b x c", (1, 4), (1, 3), id="a word inserted inside"),
        pytest.param("a b c", "a b c x", (1, 4), (1, 3), id="a word inserted at the end"),
        pytest.param("a b c d", "a d", (0, 2), (0, 4), id="words deleted inside"),
        pytest.param("a b c d", "a c d", (1, 3), (2, 4), id="a word deleted before"),
        pytest.param("a b c", "a x c", (1, 2), (1, 2), id="a word replaced"),
        pytest.param("a b c", "a b c x y", (3, 5), (6, 8), id="inserted altogether"),
    ],
)
def test_mentions_are_carried_over(
    key: str, response: str, span: tuple[int, int], expected: tuple[int, int]
) -> None:
    assert carried(key, response, span) == [(expected,)]


def test_mentions_that_are_inserted_stay_different() -> None:
    assert len(set(carried("a b", "x y z a b", (0, 1), (1, 2), (0, 2)))) == 3


@pytest.mark.parametrize(
    ("key", "response", "spans", "expected"),
    [
        pytest.param("a b", "x y a b", [(0, 2)], "x y", id="inserted before"),
        pytest.param("a b", "a x y b z", [(1, 3)], "x y", id="inserted inside"),
        pytest.param("a b", "a b x y", [(3, 4)], "y", id="inserted after"),
        pytest.param("", "x y", [(0, 2)], "x y", id="empty key"),
        pytest.param("a b", "a y b", [(0, 3)], "a b", id="inserted within a mention"),
        pytest.param("a b", "a x b", [(0, 1), (1, 2)], "a … x", id="a gap"),
        pytest.param("a b", "x a b", [(0, 1), (2, 3)], "b x", id="a gap that is closed"),
    ],
)
def test_mentions_without_aligned_words_keep_their_own(
    key: str, response: str, spans: list[tuple[int, int]], expected: str
) -> None:
    document = Document("r", response.split(), [Entity([Mention(tuple(spans))])])

    result = realign_response(Document("k", key.split(), []), document)

    (mention,) = result.entities[0].mentions
    assert result.text_of(mention) == expected
    assert list(result.words) == key.split()
    assert result.number_of_words == len(key.split())


def test_mentions_without_aligned_characters_keep_their_own() -> None:
    document = Document("r", "Ann or Bob left", [Entity([Mention(((4, 10),))])])

    result = realign_response(Document("k", "Ann left", []), document)

    (mention,) = result.entities[0].mentions
    assert result.text_of(mention) == "or Bob"


@pytest.fixture
def inserted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Write a key, and a response with two mentions of words that the key has not."""
    key = {"doc_key": "d", "tokens": ["Ann", "left"], "clusters": [[[0, 0]]]}
    (tmp_path / "key.jsonl").write_text(json.dumps(key))
    (tmp_path / "model.txt").write_text("Ann|[e1] left Grand|[e2 Hotel|e2] while|[e2]\n")
    monkeypatch.chdir(tmp_path)
    return ["key.jsonl", "model.txt"]


def test_explain_shows_the_words_of_the_response(
    inserted: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", *inserted]) == 0

    assert "R2 = {Grand Hotel, while}" in capsys.readouterr().out


def test_errors_show_the_words_of_the_response(
    inserted: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["errors", *inserted]) == 0

    output = capsys.readouterr().out
    assert "“Grand Hotel”" in output
    assert "“while”" in output
    assert "“”" not in output


def test_the_page_shows_the_words_of_the_response(inserted: list[str], tmp_path: Path) -> None:
    assert main(["report", *inserted, "-o", "page.html"]) == 0

    page = Page(tmp_path / "page.html")
    text = page.all_text()
    assert "“Grand Hotel”" in text
    assert "“while”" in text
    assert "“”" not in text
    key, response = page.data("d0-data")["columns"]
    assert key["units"] == "Ann left"
    assert "units" not in response  # the text is that of the key


def test_zeros_stay_behind_the_word_before_them() -> None:
    zeros = [(0, 1), (2, 1), (2, 2), (3, 1)]
    document = Document(
        "r", ["a", "x", "b"], [Entity([Mention((), (z,)) for z in zeros])], zeros=zeros
    )

    result = realign_response(Document("k", ["y", "a", "b"], []), document)

    moved = [mention.zeros[0] for mention in result.entities[0].mentions]
    assert moved == list(result.zeros)
    assert len(set(moved)) == 4


def test_a_realigned_response_has_the_text_of_the_key() -> None:
    key = Document("k", list("abcde"), [], sentences=[0, 3], lines=(1, 2, 3, 4, 5))
    zeros = [(0, 1), (1, 1), (2, 1)]
    entities = [Entity([Mention((), (zero,)) for zero in zeros])]
    response = Document("r", list("xbd"), entities, zeros=zeros, lines=(8, 9, 10))
    response = replace(response, notes={"already": 1})

    result = realign_response(key, response)

    assert (list(result.words), list(result.response_words)) == (list("abcde"), list("xbd"))
    assert (list(result.sentences), result.lines) == ([0, 3], ())
    assert result.zeros == ((0, 1), (1, 1), (2, 1))
    assert [m.zeros for m in result.entities[0].mentions] == [((n, 1),) for n in range(3)]
    assert result.notes == {"already": 1, INSERTED: 0, REPLACED: 1, DELETED: 2}


def test_edits_of_each_kind_are_added_up() -> None:
    edits = align_words(list("a1bc2d"), list("abxcydzz"))[1]

    assert edits == {INSERTED: 3, REPLACED: 1, DELETED: 1}
    assert align_words(list("1a2b3"), list("ab"))[1] == {INSERTED: 0, REPLACED: 0, DELETED: 3}
    assert align_words(list("ab"), list("1a2b3"))[1] == {INSERTED: 3, REPLACED: 0, DELETED: 0}


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["a"], "document 'a'"),
        (["a", "b"], "documents 'a', 'b'"),
        (["a", "b", "c"], "documents 'a', 'b', 'c'"),
        (["a", "b", "c", "d", "e"], "documents 'a', 'b', 'c' and 2 more"),
    ],
)
def test_documents_are_listed(names: list[str], text: str) -> None:
    assert listing(names) == text


def test_a_blank_in_a_form_is_an_underscore() -> None:
    assert align_words(["10 000", "b"], ["10_000", "b"]) == ([(0, 0), (1, 1)], {})


def corpora(
    key: str, response: str, *, unnamed: bool, rewritten: bool = False
) -> tuple[Corpus, Corpus]:
    """Make two corpora; a document is on each line, and its first word is a mention."""
    made = []
    for text, side in ((key, "k"), (response, "r")):
        documents = {
            f"{side}{number}": Document(
                f"{side}{number}",
                line.split(),
                [Entity([Mention(((0, 1),))], name="e")],
                rewritten=rewritten and side == "r",
            )
            for number, line in enumerate(text.split("\n"))
        }
        made.append(documents)
    return Corpus(made[0]), Corpus(made[1], ("llm-text",), unnamed=unnamed)


def test_documents_without_names_go_by_their_order() -> None:
    key, response = corpora("a b\nc d", "a x b\nc", unnamed=True, rewritten=True)

    result = anascore.score(key, response)

    assert result["mentions"].f1 == 1
    assert result.documents["k0"].notes == (f"response: {INSERTED}: 1",)
    assert result.documents["k1"].notes == (f"response: {DELETED}: 1",)
    assert result.notes == (f"response: {INSERTED}: 1", f"response: {DELETED}: 1")


def test_a_key_without_names_is_met_by_order_too() -> None:
    response, key = corpora("a b\nc d", "a b\nc d", unnamed=True)

    assert anascore.score(key, response)["mentions"].f1 == 1


def test_missing_documents_are_the_last_ones() -> None:
    key, response = corpora("a b\nc d", "a b", unnamed=True)

    with pytest.raises(MismatchError, match="it has 1 documents, identified by order only"):
        anascore.score(key, response)
    assert anascore.score(key, response, missing="empty")["mentions"].recall == 0.5


def test_there_can_be_too_many_documents() -> None:
    key, response = corpora("a b", "a b\nc d", unnamed=True)

    with pytest.raises(MismatchError, match="it has 2 documents, identified by order only"):
        anascore.score(key, response)


def test_other_formats_must_have_the_same_words() -> None:
    key, response = corpora("a b", "a x b", unnamed=True)

    with pytest.raises(MismatchError, match="word 2 of document 'k0' is 'x', but 'b' in the key"):
        anascore.score(key, response)


def test_words_can_be_ignored_instead_of_aligned() -> None:
    key, response = corpora("a b", "x a b", unnamed=True, rewritten=True)

    assert anascore.score(key, response)["mentions"].f1 == 0
    assert anascore.score(key, response, words="ignore")["mentions"].f1 == 1


@pytest.mark.parametrize(("first", "second"), list(product(["a b c", ""], ["", "c"])))
def test_empty_documents_are_aligned(first: str, second: str) -> None:
    pairs, notes = align_words(first.split(), second.split())

    assert len(pairs) + notes.get(DELETED, 0) == len(first.split())


def test_only_what_a_model_wrote_may_have_other_words(tmp_path: Path) -> None:
    key = tmp_path / "key.jsonl"
    texts = {"a": "Ann left", "b": "Bob ran"}
    line = '{{"doc_key": "{}", "tokens": {}, "clusters": [[[0, 0]]]}}\n'
    key.write_text("".join(line.format(n, json.dumps(t.split())) for n, t in texts.items()))
    folder = tmp_path / "response"
    folder.mkdir()
    (folder / "a.jsonl").write_text(line.format("a", '["Other", "words"]'))
    written = {"doc_id": "b", "tokens": ["Bob", "x"], "clusters_token_offsets": [[[0, 0]]]}
    (folder / "b.json").write_text(json.dumps([written]))

    with pytest.raises(MismatchError, match="word 1 of document 'a' is 'Other', but 'Ann'"):
        anascore.score(key, folder)


def test_files_without_names_go_by_their_order_or_by_the_names_of_files(tmp_path: Path) -> None:
    key, _ = corpora("a b\nc d", "", unnamed=True)
    for names in (("1.txt", "2.txt"), ("k0.txt", "k1.txt")):
        folder = tmp_path / names[0]
        folder.mkdir()
        for name, text in zip(names, ("a|[e1] b\n", "c|[e1] d\n"), strict=True):
            (folder / name).write_text(text)

        assert anascore.score(key, folder)["mentions"].f1 == 1


def test_characters_are_not_compared_with_words_of_another_text() -> None:
    words = Document("d", ["a", "b"], [Entity([Mention(((0, 1),))])])
    characters = Document("d", "a cd", [Entity([Mention(((0, 1),))])])
    key, response = (Corpus({"d": document}) for document in (characters, words))
    message = (
        "in Python: document 'd' is in words, but in characters in the key (in Python); the "
        "texts must be the same apart from white space, but it has 'b' where the key has 'cd'; "
        '--words align (in Python words="align") aligns words that differ'
    )

    with pytest.raises(MismatchError) as error:
        anascore.score(key, response, words="ignore")

    assert str(error.value) == message


ZERO = Entity([Mention((), ((1, 1),))])


@pytest.mark.parametrize("side", ["key", "response"])
def test_zeros_on_one_side_only_are_noted(side: str) -> None:
    with_zeros = Corpus({"d": Document("d", ["a"], [ZERO], zeros=[(1, 1)])})
    without = Corpus({"d": Document("d", ["a"], [Entity([Mention(((0, 1),))])])})
    key, response = (with_zeros, without) if side == "key" else (without, with_zeros)
    other = "response" if side == "key" else "key"

    assert anascore.score(key, response).notes == (
        f"{side}: mentions with zeros, but the {other} has none: 1; --zeros drop leaves zeros out",
    )
    assert anascore.score(key, response, zeros="drop").notes == ()
    assert anascore.score(with_zeros, with_zeros).notes == ()
