"""Documents in characters, scored against documents in words of the same text."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

import anascore
from anascore import Corpus, Document, Entity, Mention
from anascore.formats.registry import FORMATS
from anascore.model.mention import Span
from anascore.model.visible_text import VisibleText, without_spaces
from anascore.pairing.characters import EXTENDED, in_units_of
from anascore.settings import Words

TEXT = " New  York's mayor\nleft . "
WORDS = ["New York", "'s", "mayor", "left", "."]
SPANS = [(1, 10), (10, 12), (13, 18), (19, 23), (24, 25)]
"""Places of the words in the text."""


def document(words: Sequence[str], *mentions: Sequence[Span]) -> Document:
    """Make a document with an entity for each mention."""
    entities = tuple(Entity((Mention(tuple(spans)),)) for spans in mentions)
    return Document("d", words, entities)


def spans(document: Document) -> list[tuple[Span, ...]]:
    """Return the spans of all mentions."""
    return [mention.words for entity in document.entities for mention in entity.mentions]


def moved(key: Document, response: Document) -> list[tuple[Span, ...]]:
    return spans(in_units_of(key, response))


@pytest.mark.parametrize("first", range(len(WORDS)))
@pytest.mark.parametrize("last", range(len(WORDS)))
def test_words_have_places_in_the_text(first: int, last: int) -> None:
    if first > last:
        return
    in_words = document(WORDS, [(first, last + 1)])
    in_characters = document(TEXT, [(SPANS[first][0], SPANS[last][1])])

    assert moved(in_characters, in_words) == [((SPANS[first][0], SPANS[last][1]),)]
    assert moved(in_words, in_characters) == [((first, last + 1),)]
    assert in_units_of(in_words, in_characters).notes == {}


def test_mentions_with_gaps() -> None:
    in_words, in_characters = document(WORDS, [(0, 1), (3, 4)]), document(TEXT, [(1, 10), (19, 23)])

    assert moved(in_characters, in_words) == [((1, 10), (19, 23))]
    assert moved(in_words, in_characters) == [((0, 1), (3, 4))]


def test_mentions_inside_of_words_are_extended_and_counted() -> None:
    response = document(TEXT, [(1, 4)], [(6, 12)], [(13, 19)], [(14, 15), (19, 23)])

    aligned = in_units_of(document(WORDS), response)

    assert spans(aligned) == [((0, 1),), ((0, 2),), ((2, 3),), ((2, 4),)]
    assert aligned.notes == {EXTENDED: 3}


def test_the_extended_mentions_are_in_the_warnings() -> None:
    key = Corpus({"d": document(WORDS, [(0, 1)])})
    response = Corpus({"d": document(TEXT, [(1, 4)])})

    result = anascore.score(key, response)

    assert result["mentions"].f1 == 1
    assert result.notes == (f"response: {EXTENDED}: 1",)


def test_mentions_without_visible_characters_match_nothing() -> None:
    words = ["a", "\u00a0", "b"]

    assert moved(document("a b"), document(words, [(1, 2)])) == [((4, 5),)]
    assert moved(document("a b"), document(words, [(0, 2)])) == [((0, 1),)]
    assert moved(document("a b"), document(words, [(1, 3)])) == [((2, 3),)]
    assert moved(document(words), document("a b", [(1, 2)])) == [((4, 5),)]
    assert in_units_of(document("a b"), document(words)).response_words == words


def test_zeros_minimum_spans_and_heads_become_characters() -> None:
    zeros = ((0, 1), (1, 1), (3, 1))
    response = Document(
        "d",
        WORDS,
        (
            Entity((Mention(((0, 3),), (), ((2, 3),)), Mention((), (zeros[0],)))),
            Entity((Mention(((2, 3),), (zeros[2],), (), zeros[2]),)),
            Entity((Mention(((0, 3),), (), ((0, 1),), (3, 0)),)),
        ),
        zeros=zeros,
    )

    aligned = in_units_of(document(TEXT), response)

    assert aligned.zeros == ((0, 1), (10, 1), (18, 1))
    assert [entity.mentions for entity in aligned.entities] == [
        (Mention(((1, 18),), (), ((13, 18),)), Mention((), ((0, 1),))),
        (Mention(((13, 18),), ((18, 1),), (), (18, 1)),),
        (Mention(((1, 18),), (), ((1, 10),)),),
    ]


@pytest.mark.parametrize("words", ["check", "ignore"])
def test_words_and_characters_score_alike(words: Words) -> None:
    in_words = Corpus({"d": document(WORDS, [(0, 1)], [(0, 3)])})
    in_characters = Corpus({"d": document(TEXT, [(1, 10)], [(1, 18)])})

    for key, response in ((in_words, in_characters), (in_characters, in_words)):
        scores = anascore.score(key, response, words=words).scores
        assert {score.f1 for score in scores.values()} <= {1.0, None}


def test_the_response_has_the_text_of_the_key(tmp_path: Path) -> None:
    path = tmp_path / "response.conllu"
    path.write_text("".join(f"{n + 1}\t{w}" + "\t_" * 8 + "\n" for n, w in enumerate("ab")) + "\n")
    (response,) = anascore.read(path).documents.values()
    key = replace(document(" a b"), sentences=(1, 3))

    aligned = in_units_of(key, response)

    assert response.table is not None
    assert response.lines
    assert (aligned.words, aligned.sentences) == (" a b", (1, 3))
    assert (aligned.lines, aligned.table, list(aligned.response_words)) == ((), None, ["a", "b"])


def test_white_space_is_what_python_takes_for_it() -> None:
    text = "".join(map(chr, range(0x3100)))

    assert without_spaces(text) == "".join(char for char in text if not char.isspace())
    assert VisibleText(" a b").span((0, 2)) == (1, 4)


def test_formats_in_characters() -> None:
    assert [name for name in FORMATS if FORMATS[name].holds.characters] == [
        *("rucoco", "fastcoref", "brat")
    ]
