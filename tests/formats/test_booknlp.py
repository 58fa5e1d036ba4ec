"""BookNLP: a file of entities, and a file of tokens beside it."""

from pathlib import Path

import pytest

import anascore
from support.reading import all_refusals, put, refusal
from support.tool_output import (
    BOOKNLP_KEY,
    BOOKNLP_RESPONSE,
    BOOKNLP_TOKENS,
    Files,
    booknlp_tokens,
    check_same_scores,
)

HEADER = "COREF\tstart_token\tend_token\tprop\tcat\ttext\n"
KEY = Files(BOOKNLP_KEY, ".tokens", BOOKNLP_TOKENS)


def put_mentions(folder: Path, *mentions: str) -> Path:
    """Write mentions, columns separated by blanks, of the words Ann left Bob."""
    rows = ("\t".join(mention.split(" ", 5)) + "\n" for mention in mentions)
    tokens = booknlp_tokens(["Ann", "left", "Bob"], 9)
    return Files(HEADER + "".join(rows), ".tokens", tokens).put(folder, "book.entities")


def test_a_file_is_read(tmp_path: Path) -> None:
    corpus = anascore.read(KEY.put(tmp_path, "book.entities"))

    (document,) = corpus.documents.values()
    assert (corpus.format, document.name, document.sentences) == ("booknlp", "book", (0, 7))
    assert document.words[2:6] == ("Bob", "'s", "old", "dog")
    assert {e.name: [m.words[0] for m in e.mentions] for e in document.entities} == {
        "61": [(0, 1), (7, 8)],
        "62": [(2, 3), (9, 10)],
        "63": [(2, 6), (11, 12)],
        "64": [(5, 6)],
    }
    assert document.entities[2].attributes == (
        {"etype": "PER", "prop": "NOM"},
        {"etype": "PER", "prop": "PRON"},
    )


def test_scores_are_those_of_corefud(tmp_path: Path) -> None:
    response = Files(BOOKNLP_RESPONSE, ".tokens", BOOKNLP_TOKENS)

    check_same_scores(KEY, response, tmp_path, "story.entities")


def test_mentions_without_an_entity_are_singletons(tmp_path: Path) -> None:
    path = put_mentions(tmp_path, "-1 0 0 PROP PER Ann", "-1 2 2 PROP PER Bob")

    (document,) = anascore.read(path).documents.values()
    assert [len(entity.mentions) for entity in document.entities] == [1, 1]


def test_columns_are_found_by_their_names(tmp_path: Path) -> None:
    rows = "sentence_ID\tword\ttoken_ID_within_document\n\n0\tAnn\t0\n"
    path = Files("\n" + HEADER + "1\t0\t0\tPROP\tPER\tAnn", ".tokens", rows).put(tmp_path, "a.x")

    (document,) = anascore.read(path).documents.values()
    assert (document.words, len(document.entities)) == (("Ann",), 1)


RANGE = "they must be the first and last token of a mention, from 0 to 2"


@pytest.mark.parametrize(
    ("mention", "message"),
    [
        ("x 0 0 PROP PER Ann", "COREF is 'x'; it must be the number of an entity"),
        ("1 a 0 PROP PER Ann", f"start_token is 'a' and end_token '0'; {RANGE}"),
        ("1 0 3 PROP PER Ann left Bob .", f"start_token is '0' and end_token '3'; {RANGE}"),
        ("1 1 0 PROP PER Ann", f"start_token is '1' and end_token '0'; {RANGE}"),
        ("1 -1 0 PROP PER Ann", f"start_token is '-1' and end_token '0'; {RANGE}"),
        (
            "1 0 0 PROP",
            "this line has 4 columns, but the header has 6; columns are separated by tabs",
        ),
    ],
)
def test_what_is_wrong_with_a_mention(tmp_path: Path, mention: str, message: str) -> None:
    path = put_mentions(tmp_path, mention)

    assert refusal(path) == f":2: {message}"
    assert all_refusals(path) == [f":2: {message}"]


def test_another_text(tmp_path: Path) -> None:
    path = put_mentions(tmp_path, "1 0 1 PROP PER Ann Bob")

    tokens = tmp_path / "book.tokens"
    assert refusal(path) == f":2: text is 'Ann Bob', but tokens 0 to 1 of {tokens} are 'Ann left'"


def test_a_header_is_needed(tmp_path: Path) -> None:
    path = Files("1\t0\t0\tPROP\tPER\tAnn\n", ".tokens", BOOKNLP_TOKENS).put(tmp_path, "b.entities")

    columns = "COREF and no start_token and no end_token and no prop and no cat and no text"
    message = f":1: the header has no {columns}; the first line must name the columns, between tabs"
    assert all_refusals(path, "booknlp") == [message]


@pytest.mark.parametrize(
    ("tokens", "message"),
    [
        ("word\nAnn\n", ":1: the header has no sentence_ID and no token_ID_within_document; "),
        (BOOKNLP_TOKENS.replace("0\t0\t1\t1", "0\t0\t1\tx"), ":3: token_ID_within_document is 'x'"),
        (BOOKNLP_TOKENS.replace("\tdep\t0\tO\n", "\n", 1), ":2: this line has 10 columns, but the"),
        ("\n", ": the file is empty"),
    ],
)
def test_what_is_wrong_with_the_tokens(tmp_path: Path, tokens: str, message: str) -> None:
    path = put(tmp_path, "b.entities", HEADER)
    beside = put(tmp_path, "b.tokens", tokens)

    with pytest.raises(anascore.ReadError) as error:
        anascore.read(path)

    assert str(error.value).startswith(f"{beside}{message}")
    assert any(refused.startswith(message) for refused in all_refusals(path))
