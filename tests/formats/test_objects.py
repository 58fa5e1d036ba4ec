"""Corpora from clusters, from lists of spans, and from the output of other libraries."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import anascore
from anascore import Corpus, Entity, EntityError, Mention, MismatchError, SettingsError
from anascore.formats.objects import NAMED_NESTING, NESTING, PAIRS
from anascore.model.document import End
from support.clusters import both

WORDS = ["Ann", "says", "that", "she", "left"]
TEXT = "Ann says that she left"
MENTIONS = [Mention(((0, 1),)), Mention(((3, 4),))]


def only(corpus: Corpus) -> anascore.Document:
    (document,) = corpus.documents.values()
    return document


@pytest.mark.parametrize(
    ("end", "spans"), [("inclusive", [(0, 0), (3, 3)]), ("exclusive", [[0, 1], [3, 4]])]
)
def test_the_convention_of_token_offsets_is_declared(end: End, spans: list[Any]) -> None:
    document = only(Corpus.from_clusters([spans], offsets="token", end=end, words=WORDS))

    assert list(document.entities[0].mentions) == MENTIONS
    assert list(document.words) == WORDS


@pytest.mark.parametrize(
    ("end", "spans"), [("inclusive", [(0, 2), (14, 16)]), ("exclusive", [(0, 3), (14, 17)])]
)
def test_character_offsets_are_checked_against_texts(end: End, spans: list[Any]) -> None:
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
        "entity 1: its antecedent Mention(((1, 2),))",
    ),
}


@pytest.mark.parametrize(
    ("span", "end", "other"),
    [
        ((3, 5), "inclusive", 'inclusive; if it is exclusive, pass end="exclusive"'),
        ((3, 6), "inclusive", "inclusive"),
        ((5, 5), "inclusive", "inclusive"),
        ((3, 3), "exclusive", 'exclusive; if it is inclusive, pass end="inclusive"'),
        ((3, 2), "exclusive", "exclusive"),
        ((-1, -1), "exclusive", "exclusive"),
    ],
)
def test_spans_with_the_ends_of_the_other_convention(
    span: tuple[int, int], end: Any, other: str
) -> None:
    with pytest.raises(EntityError) as error:
        Corpus.from_clusters([[span]], offsets="token", end=end, words=WORDS)

    assert str(error.value) == (
        f"entity 0: {span} is not a span (start, end) among 5, in token offsets from 0 with its "
        f"end {other}"
    )


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


def test_spans_are_tokens_with_inclusive_ends() -> None:
    declared = Corpus.from_clusters([[(0, 0)]], offsets="token", end="inclusive")

    assert Corpus.from_clusters([[(0, 0)]]) == declared


def test_documents_are_kept_apart() -> None:
    """Mentions with the same ids in different documents are different mentions."""
    key = {"a": [[1, 2], [3]], "b": [[1], [2, 3]]}
    response = {"b": [[1], [2, 3]], "a": [[1, 2, 3]]}

    several = anascore.score_clusters(key, response)
    single = [anascore.score_clusters(key[name], response[name]) for name in key]

    assert list(several.documents) == ["a", "b"]
    assert [d.scores for d in several.documents.values()] == [d.scores for d in single]
    assert several["muc"] == (1, 2 / 3, 4 / 5)


def test_the_only_document_has_a_name() -> None:
    assert [[*corpus.documents] for corpus in both([], []).corpora] == [["document"]] * 2
    assert [[*c.documents] for c in both([], [], name="x").corpora] == [["x"]] * 2


EQUAL_CLUSTERS: dict[str, tuple[Any, Any]] = {
    "lists for tuples": ([[[0, 1], [3, 4]]], [[(0, 1), (3, 4)]]),
    "lists inside of tuples": ([[("a", [0, 1])]], [[("a", (0, 1))]]),
    "numbers of NumPy": ([[(np.int64(0), np.int64(1))]], [[(0, 1)]]),
    "numbers of NumPy as ids": ([np.array([1, 2])], [[1, 2]]),
    "generators": (((i for i in cluster) for cluster in [[1, 2], [3]]), [[1, 2], [3]]),
    "sets": ([{1, 2}, frozenset({3})], [[1, 2], [3]]),
    "elements of NumPy": (
        [["a"], Entity(["b"], elements=np.array([0]))],
        [["a"], Entity(["b"], elements=[0])],
    ),
    "antecedents as lists": (
        [[[0, 1]], Entity([[3, 4]], [0], antecedents=[[0, 1]])],
        [[(0, 1)], Entity([(3, 4)], [0], antecedents=[(0, 1)])],
    ),
    "mentions with gaps": ([[frozenset({(0, 1), (3, 4)})]], [[frozenset({(3, 4), (0, 1)})]]),
}


@pytest.mark.parametrize("name", EQUAL_CLUSTERS)
def test_equal_clusters(name: str) -> None:
    key, response = (only(corpus) for corpus in both(*EQUAL_CLUSTERS[name]).corpora)

    assert key == response
    assert len(key.entities) > 0


WITH_LINKS: dict[str, dict[str, Any]] = {
    "a set": {
        "clusters": [[[0, 0]], [[1, 1]], [[2, 2], [3, 3]]],
        "split_antecedents": [[[2, 2], [0, 0]], [[3, 3], [1, 1]]],
    },
    "a result": {
        "clusters": [[[0, 0]], [[1, 1]], [[2, 2]]],
        "result_antecedents": [[[2, 2], [0, 0]], [[2, 2], [1, 1]]],
    },
    "a set and a result": {
        "clusters": [[[0, 0]], [[1, 1]], [[2, 2]], [[3, 3]]],
        "split_antecedents": [[[2, 2], [0, 0]], [[2, 2], [1, 1]]],
        "result_antecedents": [[[3, 3], [0, 0]], [[3, 3], [1, 1]]],
    },
    "mentions in no cluster": {
        "clusters": [[[0, 0]]],
        "split_antecedents": [[[2, 2], [0, 0]], [[2, 2], [1, 1]]],
    },
    "a mention in two clusters": {
        "clusters": [[[1, 1]], [[0, 0], [1, 1]], [[2, 2]], [[3, 3]]],
        "split_antecedents": [[[3, 3], [1, 1]], [[3, 3], [2, 2]]],
    },
}


@pytest.mark.parametrize("name", WITH_LINKS)
def test_split_antecedents_beside_clusters_are_those_of_json_lines(
    name: str, tmp_path: Path
) -> None:
    fields = WITH_LINKS[name]
    spans = {tuple(span) for group in fields.values() for part in group for span in part}
    tokens = [str(number) for number in range(max(last for _, last in spans) + 1)]
    (tmp_path / "f.jsonl").write_text(
        json.dumps({"doc_key": "d", "tokens": tokens, **fields}), encoding="utf-8"
    )

    expected = only(anascore.read(tmp_path / "f.jsonl"))
    document = only(both({"d": fields}, {}).corpora[0])

    assert document == expected
    assert [{*entity.antecedents} for entity in document.entities] == [
        {*entity.antecedents} for entity in expected.entities
    ]
    assert any(entity.elements for entity in document.entities)


def test_links_add_to_elements() -> None:
    key = {
        "clusters": [["a"], ["b"], Entity(["c"], elements=[0], antecedents=["a"])],
        "split_antecedents": [("c", "b"), ["c", 4]],
    }

    document = only(both({"d": key}, {"d": {}}).corpora[0])

    assert [entity.elements for entity in document.entities] == [(), (), (0, 1, 3), ()]
    assert [document.text_of(m) for m in document.entities[2].antecedents] == ["a", "b", "4"]


def test_documents_that_only_one_side_has() -> None:
    key: dict[str, Any] = {"a": [[1, 2]], "b": [[1, 2]]}

    with pytest.raises(MismatchError, match="the response: document 'b' is missing"):
        anascore.score_clusters(key, {"a": [[1, 2]]})
    with pytest.raises(MismatchError, match="has no document 'b'"):
        anascore.score_clusters({"a": [[1, 2]]}, key)

    result = anascore.score_clusters(key, {"a": [[1, 2]]}, missing="empty")
    assert result["b3"].recall == 1 / 2


class Tensor:
    """Stub of a tensor of PyTorch, which is hashed by its identity."""

    def __array__(self) -> None: ...

    def __repr__(self) -> str:
        return "tensor(1)"


CYCLE: list[Any] = [1]
CYCLE.append(CYCLE)

DEEP: tuple[Any, ...] = ("a",)
for _ in range(5000):
    DEEP = ("a", DEEP)

ARRAYS = "is made of arrays or tensors: convert them with tolist()"

BAD_NESTING: dict[str, tuple[Any, str]] = {
    "a number": (5, f"key: clusters: 5 is not a list of clusters; {NESTING}"),
    "nothing": (None, f"key: clusters: None is not a list of clusters; {NESTING}"),
    "a string": ("John", f"key: clusters: 'John' is not a list of clusters; {NESTING}"),
    "a list of mentions": (
        ["John", "he"],
        f"key: entity 0: 'John' is not a list of mentions; {NESTING}",
    ),
    "a list of numbers": ([1, 2], f"key: entity 0: 1 is not a list of mentions; {NESTING}"),
    "a tensor without dimensions": (
        [[1], np.array(5)],
        f"key: entity 1: array(5) is not a list of mentions; {NESTING}",
    ),
    "a cluster that is a dictionary": (
        [{"a": 1}],
        f"key: entity 0: {{'a': 1}} is not a list of mentions; {NESTING}",
    ),
    "a list of documents": (
        [[[(0, 0), (3, 3)], [(5, 6)]]],
        f"key: entity 0: [(0, 0), (3, 3)] is a list of mentions, not a mention; {NESTING}; "
        f"{NAMED_NESTING}",
    ),
    "a list of documents of tuples": (
        [[((0, 0), (3, 3)), ((5, 6),)]],
        f"key: entity 0: ((0, 0), (3, 3)) is a list of mentions, not a mention; {NESTING}; "
        f"{NAMED_NESTING}",
    ),
    "a list of documents of strings": (
        [[["John", "he"]], [["Mary"]]],
        f"key: entity 0: ['John', 'he'] is a list of mentions, not a mention; {NESTING}; "
        f"{NAMED_NESTING}",
    ),
    "a list of documents of numbers": (
        [[[1, 2], [5]]],
        f"key: entity 0: [5] is a list of mentions, not a mention; {NESTING}; {NAMED_NESTING}",
    ),
    "a mention that is nothing": ([["a", None]], f"key: entity 0: None is no mention; {NESTING}"),
    "a mention that is a dictionary": (
        [["a"], [{"start": 0}]],
        "key: entity 1: the mention {'start': 0} cannot be hashed: use a tuple or a frozenset; "
        f"{NESTING}",
    ),
    "a mention that is a set": (
        [[{1}]],
        f"key: entity 0: the mention {{1}} cannot be hashed: use a tuple or a frozenset; {NESTING}",
    ),
    "mentions that are tensors": ([[Tensor()]], f"key: entity 0: tensor(1) {ARRAYS}; {NESTING}"),
    "spans of tensors": (
        [[(0, 1)], [(0, Tensor())]],
        f"key: entity 1: (0, tensor(1)) {ARRAYS}; {NESTING}",
    ),
    "numbers beside spans": (
        [[(0, 1), 3]],
        "key: entity 0: 3 is a number, and key: entity 0: (0, 1) is a span; "
        f"mentions are either numbers or spans; {NESTING}",
    ),
    "a span beside clusters": (
        [[(0, 1), (3, 3)], (5, 6)],
        "key: entity 1: 5 is a number, and key: entity 0: (0, 1) is a span; "
        f"mentions are either numbers or spans; {NESTING}",
    ),
    "a mention that contains itself": (
        [[CYCLE]],
        f"mentions are nested too deeply; {NESTING}",
    ),
    "a mention of many levels": ([[DEEP]], f"mentions are nested too deeply; {NESTING}"),
    "an element that is not there": (
        [["a"], Entity(["b"], elements=[2])],
        "key: entity 1: its element 2 is not the position of an entity, from 0 to 1",
    ),
    "an element that is a truth value": (
        [["a"], Entity(["b"], elements=[False])],
        "key: entity 1: its element False is not the position of an entity, from 0 to 1",
    ),
    "elements in a circle": (
        [Entity(["a"], elements=[1]), Entity(["b"], elements=[0])],
        "key: an entity cannot be an element of itself, but entity 1 is",
    ),
}


@pytest.mark.parametrize("name", BAD_NESTING)
def test_bad_nesting(name: str) -> None:
    key, expected = BAD_NESTING[name]

    with pytest.raises(EntityError) as error:
        anascore.score_clusters(key, [])

    assert str(error.value) == expected


BAD_DOCUMENTS: dict[str, tuple[Any, Any, str]] = {
    "one and several": (
        [["a"]],
        {"a": [["a"]]},
        f"the response is a dictionary of documents, but the key is one document; {NAMED_NESTING}",
    ),
    "several and one": (
        {"a": [["a"]]},
        [["a"]],
        f"the key is a dictionary of documents, but the response is one document; {NAMED_NESTING}",
    ),
    "clusters without a name": (
        {"clusters": [["a"]], "split_antecedents": []},
        {},
        "key: clusters must be in a document with a name: "
        '{"a": {"clusters": ..., "split_antecedents": ...}}',
    ),
    "split antecedents without a name": (
        {},
        {"split_antecedents": []},
        "response: split_antecedents must be in a document with a name: "
        '{"a": {"clusters": ..., "split_antecedents": ...}}',
    ),
    "a name that is a number": (
        {1: [["a"]]},
        {},
        f"key: the name of a document must be a string, not 1; {NAMED_NESTING}",
    ),
    "a document that is a string": (
        {"a": "John"},
        {},
        f"key: document 'a': clusters: 'John' is not a list of clusters; {NESTING}",
    ),
    "numbers on one side, spans on the other": (
        {"a": [[(0, 1), (5, 6)]]},
        {"a": [(0, 1), (5, 6)]},
        "response: document 'a': entity 0: 0 is a number, and key: document 'a': entity 0: (0, 1) "
        f"is a span; mentions are either numbers or spans; {NESTING}",
    ),
    "an unknown field": (
        {"a": {"clusters": [], "predicted_clusters": []}},
        {},
        "key: document 'a': a document has no 'predicted_clusters'; it can have clusters, "
        "split_antecedents, result_antecedents",
    ),
    "antecedents that are no list": (
        {"a": {"split_antecedents": 5}},
        {},
        f"key: document 'a': split_antecedents: 5 is not a list of {PAIRS}",
    ),
    "a link that is no list": (
        {"a": {"split_antecedents": [["a", "b"], "ab"]}},
        {},
        f"key: document 'a': split_antecedents[1]: 'ab' is not one of {PAIRS}",
    ),
    "a link of three": (
        {"a": {"split_antecedents": [["a", "b", "c"]]}},
        {},
        f"key: document 'a': split_antecedents[0]: ['a', 'b', 'c'] is not one of {PAIRS}",
    ),
    "a link of nothing": (
        {"a": {"split_antecedents": [["a", None]]}},
        {},
        f"key: document 'a': split_antecedents[0]: None is no mention; {NESTING}",
    ),
    "a set that is a result": (
        {"a": {"split_antecedents": [["a", "b"]], "result_antecedents": [["a", "c"]]}},
        {},
        "key: document 'a': result_antecedents: entity 0 has elements as a set already; "
        "it can be a set or a result, not both",
    ),
    "links in a circle": (
        {"a": {"split_antecedents": [["a", "b"], ["b", "a"]]}},
        {},
        "key: document 'a': an entity cannot be an element of itself, but entity 1 is",
    ),
}


@pytest.mark.parametrize("name", BAD_DOCUMENTS)
def test_bad_documents(name: str) -> None:
    key, response, expected = BAD_DOCUMENTS[name]

    with pytest.raises(EntityError) as error:
        anascore.score_clusters(key, response)

    assert str(error.value) == expected


def test_messages_are_short() -> None:
    with pytest.raises(EntityError) as error:
        anascore.score_clusters([[1], [{"a": "x" * 100_000}]], [])

    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("elements", "message"),
    [
        ([7], "entity 1 has element 7; elements are positions in the list of entities"),
        ([1], "an entity cannot be an element of itself, but here is entity 1 in entity 1"),
    ],
)
def test_documents_made_by_hand_are_checked(elements: list[int], message: str) -> None:
    entities = [Entity([MENTIONS[0]]), Entity([MENTIONS[1]], elements=elements)]
    corpus = Corpus({"d": anascore.Document("d", WORDS, entities)})

    with pytest.raises(EntityError, match=message):
        anascore.score(corpus, corpus)


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
    """Stub of a result of fastcoref: a text or a list of words, and spans of these."""

    text: str | list[str]
    spans: list[list[tuple[int, int] | None]]

    def get_clusters(self, *, as_strings: bool) -> list[Any]:
        if not as_strings:
            return self.spans
        return [[self.text[s[0] : s[1]] for s in spans if s] for spans in self.spans]


def test_fastcoref() -> None:
    result = Result(TEXT, [[(0, 3), (14, 17)]])

    single, several = Corpus.from_fastcoref(result), Corpus.from_fastcoref([result, result])

    assert only(single).words == TEXT
    assert [mention.words for mention in only(single).entities[0].mentions] == [
        ((0, 3),),
        ((14, 17),),
    ]
    assert only(single).notes == {}
    assert list(several.documents) == ["document", "document-2"]


def test_fastcoref_with_words() -> None:
    document = only(Corpus.from_fastcoref(Result(WORDS, [[(0, 1), (3, 4)]])))

    assert list(document.words) == WORDS
    assert [list(entity.mentions) for entity in document.entities] == [MENTIONS]


def test_mentions_without_a_place_in_fastcoref_are_counted() -> None:
    document = only(Corpus.from_fastcoref(Result(TEXT, [[None], [(0, 3), None, (14, 17)]])))

    assert [len(entity.mentions) for entity in document.entities] == [2]
    assert document.notes == {"mentions that fastcoref has no place for, left out": 2}


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


STANZA = """\
# newdoc id = x
# sent_id = 0
1\tAnn\t_\t_\t_\t_\t2\tnsubj\t_\tcoref_chains=unit-repr-id0
2\tsays\t_\t_\t_\t_\t0\troot\t_\tcoref_chains=start-repr-id1
3\tthat\t_\t_\t_\t_\t5\tmark\t_\tcoref_chains=end-repr-id1
4\tshe\t_\t_\t_\t_\t5\tnsubj\t_\tcoref_chains=unit-id0
5\tleft\t_\t_\t_\t_\t2\tccomp\t_\t_
5.1\t_\t_\t_\t_\t_\t_\t_\t_\tcoref_chains=unit-id1"""


@dataclass
class StanzaDocument:
    """Stub of a Document of Stanza, which its format C turns into CoNLL-U."""

    conllu: str

    @property
    def sentences(self) -> list[str]:
        return [part for part in self.conllu.split("\n\n") if part]

    def __format__(self, code: str) -> str:
        return {"C": self.conllu}[code]


def test_stanza(tmp_path: Path) -> None:
    (tmp_path / "f.conllu").write_text(f"{STANZA}\n\n", encoding="utf-8")

    corpus = Corpus.from_stanza(StanzaDocument(STANZA))

    assert corpus == anascore.read(tmp_path / "f.conllu")
    assert corpus.format == "stanza"
    assert list(only(corpus).words) == WORDS
    assert [list(entity.mentions) for entity in only(corpus).entities] == [
        MENTIONS,
        [Mention(((1, 3),)), Mention((), ((5, 1),))],
    ]
    assert only(corpus).table == only(anascore.read(tmp_path / "f.conllu")).table


def test_zeros_that_stanza_numbers_by_sentence() -> None:
    """Stanza's 5.2 is the second zero of the sentence, whatever word the first one follows."""
    corpus = Corpus.from_stanza(StanzaDocument(STANZA.replace("5.1", "5.2")))

    assert corpus == Corpus.from_stanza(StanzaDocument(STANZA))


def test_names_of_stanza() -> None:
    unnamed = StanzaDocument(STANZA.partition("\n")[2])

    assert list(Corpus.from_stanza(StanzaDocument(STANZA)).documents) == ["x"]
    assert list(Corpus.from_stanza({"y": StanzaDocument(STANZA)}).documents) == ["y"]
    assert list(Corpus.from_stanza([unnamed, unnamed]).documents) == ["document", "document-2"]
    with pytest.raises(EntityError, match="two documents are named 'x'; pass a dict"):
        Corpus.from_stanza([StanzaDocument(STANZA)] * 2)


def test_an_empty_document_of_stanza() -> None:
    assert only(Corpus.from_stanza(StanzaDocument(""))).words == ()


def test_chains_of_stanza_that_are_broken() -> None:
    doc = StanzaDocument(STANZA.replace("end-repr-id1", "end-repr-id7"))

    with pytest.raises(EntityError) as error:
        Corpus.from_stanza({"{y}": doc})

    assert str(error.value) == (
        "line 4 of the CoNLL-U of document '{y}': end-id7, but no mention of id7 is open; "
        "start-id7 comes first"
    )


TOKENS = [{"sentence_ID": 0, "token_ID_within_document": i, "word": w} for i, w in enumerate(WORDS)]
ROWS: list[dict[str, Any]] = [
    {"COREF": 7, "start_token": 0, "end_token": 0, "prop": "PROP", "cat": "PER", "text": "Ann"},
    {"COREF": 7, "start_token": 3, "end_token": 3, "prop": "PRON", "cat": "PER", "text": "she"},
]


class Frame:
    """Stub of a DataFrame of pandas."""

    def __init__(self, rows: list[dict[str, Any]]) -> None:
        self.rows = rows

    def to_dict(self, orient: str) -> list[dict[str, Any]]:
        return {"records": self.rows}[orient]


@pytest.mark.parametrize("table", [list, Frame])
def test_booknlp(table: Any, tmp_path: Path) -> None:
    for ending, rows in (("entities", ROWS), ("tokens", TOKENS)):
        lines = [rows[0].keys(), *(row.values() for row in rows)]
        text = "".join("\t".join(map(str, line)) + "\n" for line in lines)
        (tmp_path / f"book.{ending}").write_text(text, encoding="utf-8")

    corpus = Corpus.from_booknlp(table(ROWS), table(TOKENS), name="book")

    assert corpus == anascore.read(tmp_path / "book.entities")
    assert only(corpus).sentences == (0,)
    assert [list(entity.mentions) for entity in only(corpus).entities] == [MENTIONS]
    assert only(corpus).entities[0].attributes[0] == {"etype": "PER", "prop": "PROP"}


READ_TABLE = (
    'read the table with pandas.read_csv(path, sep="\\t", quoting=csv.QUOTE_NONE, '
    "keep_default_na=False)"
)

BAD_TABLES: dict[str, tuple[Any, Any, str]] = {
    "a missing column": (
        [{"COREF": 7}],
        TOKENS,
        "row 0 of entities has no start_token; it needs COREF, start_token, end_token, prop, cat, "
        "text",
    ),
    "a word that pandas takes as missing": (
        ROWS,
        [TOKENS[0], TOKENS[1] | {"word": float("nan")}],
        f"row 1 of tokens: word is nan; {READ_TABLE}",
    ),
    "a text that is nothing": (
        [ROWS[0] | {"text": None}],
        TOKENS,
        f"row 0 of entities: text is None; {READ_TABLE}",
    ),
    "a token that is missing": (
        ROWS,
        [TOKENS[0], TOKENS[2]],
        "row 1 of tokens: token_ID_within_document is '2'; it must be 1, the number of tokens "
        "before",
    ),
    "another text": (
        [ROWS[0], ROWS[1] | {"text": "he"}],
        TOKENS,
        "row 1 of entities: text is 'he', but tokens 3 to 3 of the table of tokens are 'she'",
    ),
    "no table": (
        5,
        TOKENS,
        "this is not a table of BookNLP: TypeError(\"'int' object is not iterable\")",
    ),
}


@pytest.mark.parametrize("name", BAD_TABLES)
def test_bad_tables_of_booknlp(name: str) -> None:
    entities, tokens, expected = BAD_TABLES[name]

    with pytest.raises(EntityError) as error:
        Corpus.from_booknlp(entities, tokens)

    assert str(error.value) == expected


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
    "no clusters": ({"clusters": None}, "clusters: None is not a list of lists of spans"),
    "clusters that are a string": (
        {"clusters": "ab"},
        "clusters: 'ab' is not a list of lists of spans",
    ),
    "clusters that are a dictionary": (
        {"clusters": {"a": [(0, 0)]}},
        "document 'a': entity 0: 0 is not a span (start, end)",
    ),
    "elements that are no list": (
        {"clusters": [Entity([(0, 0)], elements=None)]},  # type: ignore[arg-type]
        "elements of entity 0: None is not a list of positions",
    ),
    "words that are a number": ({"words": 5}, "words: 5 is not made of strings"),
    "texts that are a number": (
        {"words": WORDS, "texts": 5},
        "texts: 5 is not a list of lists of strings",
    ),
    "a text that is a list": (
        {"offsets": "character", "text": ["Ann"]},
        "text: ['Ann'] is not a string",
    ),
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
        (Corpus.from_stanza, [5], r"a Document that Stanza's pipeline made \(anascore.read reads"),
    ],
)
def test_objects_of_other_libraries_that_are_not(adapt: Any, value: Any, expected: str) -> None:
    with pytest.raises(EntityError, match=f"this is not {expected}"):
        adapt(value)


def test_a_corpus_that_is_scored_again_is_not_checked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    corpus = Corpus.from_clusters([[(0, 0), (3, 3)]], offsets="token", end="inclusive", words=WORDS)
    first = anascore.score(corpus, corpus)
    monkeypatch.setattr("anascore.formats.objects._problems_of", lambda *_: ["checked again"])

    assert anascore.score(corpus, corpus).conll == first.conll
    with pytest.raises(EntityError, match="checked again"):
        anascore.score(corpus, Corpus({"document": replace(only(corpus))}))
