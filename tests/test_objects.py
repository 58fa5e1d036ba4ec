"""Corpora from lists of spans and from the output of other libraries."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

import anascore
from anascore import Corpus, Entity, EntityError, Mention, SettingsError

WORDS = ["Ann", "says", "that", "she", "left"]
TEXT = "Ann says that she left"
MENTIONS = [Mention(((0, 1),)), Mention(((3, 4),))]


def only(corpus: Corpus) -> anascore.Document:
    (document,) = corpus.documents.values()
    return document


@pytest.mark.parametrize(
    ("end", "spans"), [("inclusive", [(0, 0), (3, 3)]), ("exclusive", [[0, 1], [3, 4]])]
)
def test_the_convention_of_token_offsets_is_declared(end: str, spans: list[Any]) -> None:
    document = only(Corpus.from_clusters([spans], offsets="token", end=end, words=WORDS))

    assert list(document.entities[0].mentions) == MENTIONS
    assert list(document.words) == WORDS


@pytest.mark.parametrize(
    ("end", "spans"), [("inclusive", [(0, 2), (14, 16)]), ("exclusive", [(0, 3), (14, 17)])]
)
def test_character_offsets_are_checked_against_texts(end: str, spans: list[Any]) -> None:
    document = only(
        Corpus.from_clusters(
            [spans], offsets="character", end=end, text=TEXT, texts=[["Ann", "she"]]
        )
    )

    assert document.in_characters
    assert [mention.words for mention in document.entities[0].mentions] == [((0, 3),), ((14, 17),)]


def test_a_wrong_convention_is_found_by_the_texts() -> None:
    message = (
        r"entity 0: \(0, 2\) with its end exclusive covers 'An', and not 'Ann'; "
        r"is it character offsets with the end exclusive\?"
    )
    with pytest.raises(EntityError, match=message):
        Corpus.from_clusters(
            [[(0, 2)]], offsets="character", end="exclusive", text=TEXT, texts=[["Ann"]]
        )


def test_an_entity_can_have_elements() -> None:
    clusters = [[(0, 0)], [(1, 1)], Entity([(3, 3)], elements=[0, 1])]

    document = only(Corpus.from_clusters(clusters, offsets="token", end="inclusive", name="d"))

    assert document.name == "d"
    assert document.entities[2].elements == (0, 1)
    assert len(document.words) == 4


def test_a_text_of_unknown_length_ends_with_its_last_mention() -> None:
    corpus = Corpus.from_clusters([[(0, 3), (7, 9)]], offsets="character", end="exclusive")

    assert only(corpus).words == "_" * 9


def test_no_entities() -> None:
    corpus = Corpus.from_clusters([], offsets="token", end="inclusive", words=WORDS)

    assert only(corpus).entities == ()


BAD_CLUSTERS: dict[str, tuple[list[Any], str]] = {
    "out of range": ([[(0, 5)]], "entity 0: (0, 5) is not a span (start, end) among 5, in token "),
    "backwards": ([[(3, 2)]], "entity 0: (3, 2) is not a span"),
    "before the start": ([[(-1, 2)]], "entity 0: (-1, 2) is not a span"),
    "one number": ([[(3,)]], "entity 0: (3,) is not a span"),
    "three numbers": ([[(1, 2, 3)]], "entity 0: (1, 2, 3) is not a span"),
    "no numbers": ([["ab"]], "entity 0: 'ab' is not a span"),
    "fractions": ([[(0.5, 2)]], "entity 0: (0.5, 2) is not a span"),
    "a span instead of a list": ([(0, 1)], "entity 0: 0 is not a span"),
    "a number instead of a list": ([3], "entity 0: 3 is not a list of spans"),
    "a string instead of a list": (["ab"], "entity 0: 'ab' is not a list of spans"),
    "an element that is not there": (
        [Entity([(0, 0)], elements=[4])],
        "entity 0: its element 4 is not the position of an entity",
    ),
    "antecedents that are no list": (
        [[(0, 0)], Entity([(1, 1)], elements=[0], antecedents="ab")],
        "entity 1: 'ab' is not a list of spans",
    ),
    "an antecedent that is no mention of an element": (
        [[(0, 0)], Entity([(1, 1)], elements=[0], antecedents=[(1, 1)])],
        "entity 1: its antecedent Mention(words=((1, 2),)",
    ),
}


@pytest.mark.parametrize("name", BAD_CLUSTERS)
def test_bad_clusters(name: str) -> None:
    clusters, expected = BAD_CLUSTERS[name]

    with pytest.raises(EntityError) as error:
        Corpus.from_clusters(clusters, offsets="token", end="inclusive", words=WORDS)

    assert str(error.value).startswith(expected)


BAD_SETTINGS: dict[str, tuple[dict[str, Any], str]] = {
    "unknown offsets": (
        {"offsets": "word", "end": "inclusive"},
        "offsets must be token or character, not 'word'",
    ),
    "unknown end": (
        {"offsets": "token", "end": "open"},
        "end must be inclusive or exclusive, not 'open'",
    ),
    "a text for tokens": (
        {"offsets": "token", "end": "inclusive", "text": TEXT},
        'offsets="token" needs words, not text',
    ),
    "words for characters": (
        {"offsets": "character", "end": "inclusive", "words": WORDS},
        'offsets="character" needs text, not words',
    ),
    "texts without a text": (
        {"offsets": "character", "end": "inclusive", "texts": [["Ann"]]},
        'texts of mentions with offsets="character" can only be checked with text',
    ),
}


@pytest.mark.parametrize("name", BAD_SETTINGS)
def test_bad_convention(name: str) -> None:
    convention, expected = BAD_SETTINGS[name]

    with pytest.raises(SettingsError) as error:
        Corpus.from_clusters([[(0, 0)]], **convention)

    assert str(error.value) == expected


def test_texts_for_other_mentions() -> None:
    with pytest.raises(EntityError, match="texts must have a text for each mention"):
        Corpus.from_clusters(
            [[(0, 0)]], offsets="token", end="inclusive", words=WORDS, texts=[["Ann", "she"]]
        )


def test_the_convention_must_be_declared() -> None:
    with pytest.raises(TypeError):
        Corpus.from_clusters([[(0, 0)]])


@dataclass
class Token:
    text: str


@dataclass
class Span:
    start: int
    end: int


@dataclass
class Doc:
    """Stub of a spaCy Doc."""

    words: list[str]
    spans: dict[str, list[Span]] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Token]:
        return (Token(word) for word in self.words)


SPANS = {
    "coref_clusters_10": [Span(4, 5)],
    "coref_clusters_2": [Span(0, 1), Span(3, 4)],
    "ruler": [Span(1, 2)],
}


def test_spacy() -> None:
    document = only(Corpus.from_spacy(Doc(WORDS, SPANS)))

    assert list(document.words) == WORDS
    assert [list(entity.mentions) for entity in document.entities] == [
        MENTIONS,
        [Mention(((4, 5),))],
    ]


def test_spacy_with_names_and_another_prefix() -> None:
    corpus = Corpus.from_spacy({"a": Doc(WORDS, SPANS), "b": Doc(WORDS)}, prefix="ruler")

    assert [len(document.entities) for document in corpus.documents.values()] == [1, 0]
    assert list(corpus.documents) == ["a", "b"]


@dataclass
class Result:
    """Stub of a result of fastcoref."""

    text: str
    spans: list[list[tuple[int, int] | None]]

    def get_clusters(self, *, as_strings: bool) -> list[Any]:
        if not as_strings:
            return self.spans
        return [[self.text[s[0] : s[1]] for s in spans if s] for spans in self.spans]


def test_fastcoref() -> None:
    result = Result(TEXT, [[(0, 3), None, (14, 17)]])

    single, several = Corpus.from_fastcoref(result), Corpus.from_fastcoref([result, result])

    assert only(single).words == TEXT
    assert [mention.words for mention in only(single).entities[0].mentions] == [
        ((0, 3),),
        ((14, 17),),
    ]
    assert list(several.documents) == ["document", "document-2"]


OUTPUT = {
    "tokens": WORDS,
    "clusters_token_offsets": [((0, 0), (3, 3))],
    "clusters_token_text": [["Ann", "she"]],
}


def test_maverick() -> None:
    single, several = Corpus.from_maverick(OUTPUT), Corpus.from_maverick({"x": OUTPUT, "y": OUTPUT})

    assert list(only(single).entities[0].mentions) == MENTIONS
    assert list(several.documents) == ["x", "y"]


def test_maverick_without_texts() -> None:
    output = {name: value for name, value in OUTPUT.items() if name != "clusters_token_text"}

    assert Corpus.from_maverick([output]) == Corpus.from_maverick([OUTPUT])


def test_what_was_made_can_be_scored() -> None:
    key = Corpus.from_maverick(OUTPUT)
    response = Corpus.from_spacy(Doc(WORDS, SPANS))

    assert anascore.score(key, key)["b3"].f1 == 1
    assert anascore.score(key, response)["mentions"].precision == 2 / 3


BAD_OBJECTS: dict[str, tuple[dict[str, Any], str]] = {
    "words that are one string": (
        {"words": "Ann says"},
        "words: 'Ann says' is not made of strings",
    ),
    "words that are numbers": ({"words": [1, 2]}, "words: [1, 2] is not made of strings"),
    "a name that is a number": ({"name": 5}, "name: (5,) is not made of strings"),
    "texts that are nothing": (
        {"words": WORDS, "texts": [[None]]},
        "texts: [None] is not made of strings",
    ),
    "no clusters": ({"clusters": None}, "None is not a list of entities"),
    "clusters that are a string": ({"clusters": "ab"}, "'ab' is not a list of entities"),
    "a set that contains itself": (
        {"clusters": [Entity([(0, 0)], elements=[1]), Entity([(1, 1)], elements=[0])]},
        "an entity cannot be an element of itself, but entity 1 is",
    ),
}


@pytest.mark.parametrize("name", BAD_OBJECTS)
def test_bad_objects(name: str) -> None:
    arguments, expected = BAD_OBJECTS[name]

    with pytest.raises(EntityError) as error:
        Corpus.from_clusters(
            **{"clusters": [[(0, 0)]], "offsets": "token", "end": "inclusive", **arguments}
        )

    assert str(error.value).startswith(expected)


def test_antecedents_are_kept() -> None:
    clusters = [[(0, 0), (2, 2)], Entity([(1, 1)], elements=[0], antecedents=[(2, 2)])]

    document = only(Corpus.from_clusters(clusters, offsets="token", end="inclusive"))

    assert document.entities[1].antecedents == (Mention(((2, 3),)),)


def test_an_element_counts_once() -> None:
    clusters = [[(0, 0)], Entity([(1, 1)], elements=[0, 0])]

    document = only(Corpus.from_clusters(clusters, offsets="token", end="inclusive"))

    assert document.entities[1].elements == (0,)


@pytest.mark.parametrize(
    ("adapt", "value", "expected"),
    [
        (Corpus.from_spacy, 5, "spaCy Docs"),
        (Corpus.from_fastcoref, "x", "output of fastcoref"),
        (Corpus.from_maverick, {"tokens": []}, "output of maverick"),
    ],
)
def test_objects_of_other_libraries_that_are_not(adapt: Any, value: Any, expected: str) -> None:
    with pytest.raises(EntityError, match=f"this is not {expected}: "):
        adapt(value)
