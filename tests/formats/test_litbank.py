"""LitBank: `.ann` files with MENTION and COREF, and `.txt` files beside them."""

from pathlib import Path

import pytest

import anascore
from anascore import Document
from anascore.corpus.validate import validate
from anascore.formats.litbank import CUT_NAMES
from support.reading import all_refusals, put, refusal
from support.tool_output import (
    LITBANK_KEY,
    LITBANK_RESPONSE,
    LITBANK_TEXT,
    Files,
    check_same_scores,
)

KEY = Files(LITBANK_KEY, ".txt", LITBANK_TEXT)
MENTION = "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\tPROP\n"


def put_lines(folder: Path, text: str) -> Path:
    """Write the annotation of two sentences with an empty line between."""
    return Files(text, ".txt", "Ann left\n\nShe ran\n").put(folder, "d.ann")


def document_of(path: Path) -> Document:
    (document,) = anascore.read(path).documents.values()
    return document


def test_a_file_is_read(tmp_path: Path) -> None:
    path = KEY.put(tmp_path, "book.ann")

    document = document_of(path)

    assert (anascore.read(path).format, document.name) == ("litbank", "book")
    assert (document.sentences, document.words[2:6]) == ((0, 7), ("Bob", "'s", "old", "dog"))
    assert {e.name: [m.words[0] for m in e.mentions] for e in document.entities} == {
        "Ann-0": [(0, 1), (7, 8)],
        "Bob-1": [(2, 3), (9, 10)],
        "dog-2": [(2, 6), (11, 12)],
        "": [(5, 6)],
    }
    assert document.entities[0].attributes[1] == {"etype": "PER", "prop": "PRON"}


def test_scores_are_those_of_corefud(tmp_path: Path) -> None:
    response = Files(LITBANK_RESPONSE, ".txt", LITBANK_TEXT)

    check_same_scores(KEY, response, tmp_path, "story.ann")


def test_sentences_are_lines_and_lines_can_be_in_any_order(tmp_path: Path) -> None:
    path = put_lines(tmp_path, "COREF\tT1\tx-0\n\nMENTION\tT1\t0\t1\t2\t0\tleft She\tPER\tNOM\n")

    document = document_of(path)

    assert document.sentences == (0, 2)
    assert [(e.name, [m.words for m in e.mentions]) for e in document.entities] == [
        ("x-0", [((1, 3),)])
    ]


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (
            "MENTION\tT1\t0\t0\t0\t0\tAnn\tPER\n",
            "1: this line has 8 columns; MENTION needs 9, between tabs",
        ),
        (MENTION + "COREF\tT1\n", "2: this line has 2 columns; COREF needs 3, between tabs"),
        (
            MENTION + "IDENT\tT1\tT1\n",
            "2: 'IDENT' is not MENTION, COREF, COP, APPOS, which a line of LitBank starts with",
        ),
        (MENTION * 2, "2: T1 is also a mention on line 1; names must be unique"),
        (MENTION + "COREF\tT2\tx-0\n", "2: there is no mention T2; a MENTION line must define it"),
        (MENTION + "COP\tT1\tT2\n", "2: there is no mention T2; a MENTION line must define it"),
        (
            MENTION + "COREF\tT1\tx-0\nCOREF\tT1\ty-1\n",
            "3: T1 is in entity x-0 on line 2; it can be in one only",
        ),
    ],
)
def test_what_is_wrong(tmp_path: Path, lines: str, message: str) -> None:
    path = put_lines(tmp_path, lines)

    assert refusal(path, "litbank") == f":{message}"
    assert all_refusals(path, "litbank") == [f":{message}"]


@pytest.mark.parametrize(
    "numbers", ["0 0 0 2", "0 1 0 0", "1 0 1 0", "9 0 9 0", "0 x 0 0", "-1 0 0 0"]
)
def test_tokens_outside_of_the_text(tmp_path: Path, numbers: str) -> None:
    columns = numbers.split()
    path = put_lines(tmp_path, MENTION.replace("0\t0\t0\t0", "\t".join(columns)))

    message = (
        f":1: T1 is from token {columns[1]} of sentence {columns[0]} to token {columns[3]} of "
        f"sentence {columns[2]}; {tmp_path / 'd.txt'} has no such tokens, counted from 0"
    )
    assert refusal(path) == message
    assert all_refusals(path) == [message]


def test_another_text(tmp_path: Path) -> None:
    path = put_lines(tmp_path, MENTION.replace("Ann", "Bob"))

    assert refusal(path) == f":1: the text of T1 is 'Bob', but 'Ann' in {tmp_path / 'd.txt'}"


CUT = "{} may be {}, truncated: the names begin alike"


@pytest.mark.parametrize(
    ("names", "warnings", "number"),
    [
        ("Ann Ann-0", ["3: entity " + CUT.format("Ann", "Ann-0")], 1),
        ("Ann-12 Ann-", ["4: entity " + CUT.format("Ann-", "Ann-12")], 1),
        ("Ann-1 Ann-12", ["3: entity " + CUT.format("Ann-1", "Ann-12")], 0),
        ("Ann Bob", [], 0),
        ("Ann-0 Bob-0", [], 0),
    ],
)
def test_names_that_are_cut(tmp_path: Path, names: str, warnings: list[str], number: int) -> None:
    first, second = names.split()
    mentions = MENTION + MENTION.replace("T1\t0\t0\t0\t0\tAnn", "T2\t2\t0\t2\t0\tShe")
    path = put_lines(tmp_path, f"{mentions}COREF\tT1\t{first}\nCOREF\tT2\t{second}\n")

    (result,) = validate(str(path))

    assert [f"{problem.line}: {problem.what}" for problem in result.problems] == warnings
    assert document_of(path).notes == ({CUT_NAMES: number} if number else {})


def test_the_text_is_needed(tmp_path: Path) -> None:
    path = put(tmp_path, "d.ann", MENTION)

    assert all_refusals(path) == [
        f": {tmp_path / 'd.txt'} is missing; it must be beside this file, since it holds the text"
    ]
