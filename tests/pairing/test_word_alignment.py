"""Words that differ: mentions of the response are moved to the words of the key."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore import Corpus, Document, Entity, Mention, MismatchError
from anascore.model.transform import map_mentions
from anascore.pairing.word_alignment import (
    ALIGNED,
    NO_HEAD,
    NO_MENTION,
    NO_WORD,
    NO_WORD_IN_RESPONSE,
    OTHER_MENTIONS,
    OTHER_WORDS,
    align_response,
    realign_response,
)
from support.generated_corpora import rich_corpus

Span = tuple[int, int]


def moved(key: str, response: str, *mentions: Mention, **fields: Any) -> list[Mention]:
    """Move mentions of a response to a key; words are separated by blanks."""
    return list(aligned(key, response, *mentions, **fields).entities[0].mentions)


def aligned(key: str, response: str, *mentions: Mention, **fields: Any) -> Document:
    document = Document("d", response.split(), [Entity(mentions)], **fields)
    result = align_response(Document("d", key.split(), []), document)
    assert list(result.words) == key.split()
    return result


def span(*spans: Span) -> Mention:
    return Mention(spans)


@pytest.mark.parametrize(
    ("key", "response", "words", "expected"),
    [
        pytest.param("I do n't go", "I don't go", (1, 2), (1, 3), id="split in the key"),
        pytest.param("I don't go", "I do n't go", (1, 3), (1, 2), id="joined in the key"),
        pytest.param("I don't go", "I do n't go", (2, 3), (1, 2), id="a part of a word"),
        pytest.param("a bc de f", "ab cd ef", (1, 2), (1, 3), id="crossing"),
        pytest.param("a bc de f", "ab cd ef", (0, 2), (0, 3), id="crossing twice"),
        pytest.param("a b c", "a c", (0, 2), (0, 3), id="a word less"),
        pytest.param("a b", "a x b", (0, 2), (0, 1), id="a word more at the end"),
        pytest.param("a x b do n't c", "a y b don't c", (3, 4), (3, 5), id="split among others"),
        pytest.param("a do n't b y", "a don't b x y", (1, 2), (1, 3), id="split beside others"),
        pytest.param("do n't a x", "don't a y", (0, 1), (0, 2), id="split at the beginning"),
        pytest.param("a do n't b c d", "a y b c d", (1, 2), (2, 3), id="replaced by another"),
        pytest.param("a b", "a x b", (1, 2), (3, 4), id="no counterpart"),
    ],
)
def test_words_by_hand(key: str, response: str, words: Span, expected: Span) -> None:
    assert [mention.words for mention in moved(key, response, span(words))] == [(expected,)]


def test_parts_of_mentions_are_moved_by_themselves() -> None:
    (mention,) = moved("a b c d e f", "ab c d ef", span((0, 1), (3, 4)))

    assert mention == span((0, 2), (4, 6))


def test_parts_without_a_gap_in_the_key_are_joined() -> None:
    result = aligned("a b", "a x b", span((0, 1), (2, 3)))

    assert list(result.entities[0].mentions) == [span((0, 2))]
    assert OTHER_MENTIONS not in result.notes


@pytest.mark.parametrize(
    ("key", "response", "mention", "expected"),
    [
        pytest.param(
            "the do g s", "the dogs", Mention(((0, 2),), (), ((1, 2),)), (2, 0), id="first of many"
        ),
        pytest.param(
            "the dogs", "the do gs", Mention(((0, 3),), (), ((2, 3),)), (2, 0), id="a part"
        ),
        pytest.param("do g s x", "dogs x", span((0, 1)), (1, 0), id="one word is its own head"),
        pytest.param("dogs x", "do gs x", Mention(((0, 2),)), (1, 0), id="becomes one word"),
        pytest.param("a b c x", "a y c", Mention(((0, 3),)), None, id="no head"),
        pytest.param(
            "a c", "a x c", Mention(((0, 3),), (), ((1, 2),)), None, id="without a counterpart"
        ),
        pytest.param(
            "a c d e",
            "a x c d",
            Mention(((0, 4),), (), ((1, 3),)),
            (2, 0),
            id="what is left of a minimum span",
        ),
        pytest.param(
            "ab c d",
            "a b c d",
            Mention(((0, 4),), (), ((0, 1),), (3, 0)),
            (2, 0),
            id="a head beside a minimum span",
        ),
        pytest.param(
            "ab c", "a b c", Mention(((0, 2),), ((2, 1),), (), (2, 1)), (1, 1), id="a zero"
        ),
    ],
)
def test_heads(key: str, response: str, mention: Mention, expected: Span | None) -> None:
    (found,) = moved(key, response, mention, zeros=mention.zeros)

    assert found.head == expected


def test_minimum_spans_are_moved() -> None:
    mention = Mention(((0, 4),), (), ((1, 2), (3, 4)))

    assert moved("a b c d e f", "a bc d ef", mention)[0].minimum == ((1, 3), (4, 6))
    behind = Mention(((0, 1),), (), ((7, 9),))
    assert moved("ab c", "a b c", replace_words(behind, (0, 2)))[0].minimum == ()


def replace_words(mention: Mention, words: Span) -> Mention:
    return mention._replace(words=(words,))


@pytest.mark.parametrize(
    ("key", "response", "zeros", "expected"),
    [
        ("a b c", "ab c", [(0, 1), (1, 1), (2, 1)], [(0, 1), (2, 1), (3, 1)]),
        ("ab c", "a b c", [(1, 1), (2, 1), (2, 2), (3, 1)], [(1, 1), (1, 2), (1, 3), (2, 1)]),
        ("x a b", "a y b", [(0, 1), (1, 1), (2, 1), (3, 1)], [(0, 1), (2, 1), (2, 2), (3, 1)]),
    ],
)
def test_zeros_are_moved(key: str, response: str, zeros: list[Span], expected: list[Span]) -> None:
    result = aligned(key, response, *(Mention((), (zero,)) for zero in zeros), zeros=zeros)

    assert list(result.zeros) == expected
    assert [m.zeros for m in result.entities[0].mentions] == [(zero,) for zero in expected]


def test_a_mention_without_a_counterpart_keeps_its_zeros() -> None:
    mention = Mention(((1, 2),), ((2, 1),))

    assert moved("a b", "a x b", mention, zeros=mention.zeros) == [Mention(((3, 4),), ((1, 1),))]


def test_the_text_is_that_of_the_key() -> None:
    mentions = [span((2, 3)), span((1, 2))]
    response = Document(
        "2", ["a", "x", "b"], [Entity(mentions)], line=1, lines=(2, 3, 4), sentences=(0, 2)
    )
    key = Document("d", ["a", "b"], [], lines=(12, 13), sentences=(0, 1))

    result = align_response(key, response)

    assert (result.name, result.words, result.sentences) == ("d", key.words, (0, 1))
    matching, extra = result.entities[0].mentions
    assert (result.text_of(matching), result.text_of(extra)) == ("b", "x")
    assert result.line_of(matching) == 1


def test_notes_count_what_changed() -> None:
    mentions = [span((0, 1)), span((1, 2)), span((3, 4)), Mention(((0, 4),), (), ((3, 4),))]
    mentions.append(Mention(((2, 4),), (), ((3, 4),)))

    result = aligned("I do n't go . now z", "I don't go xx . now", *mentions, notes={"already": 1})

    assert result.notes == {
        "already": 1,
        ALIGNED: 1,
        OTHER_WORDS: 1,
        NO_WORD: 1,
        NO_WORD_IN_RESPONSE: 1,
        OTHER_MENTIONS: 2,
        NO_MENTION: 1,
        NO_HEAD: 2,
    }


def test_a_split_word_is_no_other_text() -> None:
    result = aligned("I do n't go", "I don't go", span((1, 2)))

    assert result.notes == {ALIGNED: 1, OTHER_WORDS: 1}
    assert aligned("I don't go", "I do n't go", span((2, 3))).notes[OTHER_MENTIONS] == 1


def test_the_same_words_are_left_alone() -> None:
    document = Document("d", ["a", "b"], [Entity([span((0, 1))])], lines=(1, 2))

    assert align_response(Document("d", ("a", "b"), []), document) is document


def oracle(key: list[str], response: list[str], words: Span) -> set[int]:
    """Return the words of the key that share a character with some of the response."""
    owners = [
        [number for number, word in enumerate(side) for _ in "".join(word.split())]
        for side in (key, response)
    ]
    return {k for k, r in zip(*owners, strict=True) if words[0] <= r < words[1]}


def cut(text: str, rng: random.Random) -> list[str]:
    """Cut a text into words, of which some are blank."""
    words, start = [], 0
    while start < len(text):
        size = rng.randint(1, 4)
        words.append(text[start : start + size])
        if rng.random() < 0.1:
            words.append(" ")
        start += size
    return words


@given(st.text("ab c\u00a0", min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_the_same_characters_decide(text: str, rng: random.Random) -> None:
    key, response = cut(text, rng), cut(text, rng)
    start = rng.randrange(len(response))
    words = start, rng.randint(start + 1, len(response))
    document = Document("d", response, [Entity([span(words)])])

    result = align_response(Document("d", key, []), document)

    (mention,) = result.entities[0].mentions
    expected = oracle(key, response, words)
    if key == response:
        assert mention == span(words)
    elif expected:
        assert mention.words == ((min(expected), max(expected) + 1),)
    else:
        assert mention.words[0][0] >= len(key)


WORDS = st.lists(st.sampled_from("abc"), max_size=8)


@given(WORDS, WORDS, st.integers(0, 7), st.integers(1, 8))
def test_other_words_are_aligned_as_those_of_language_models(
    key: list[str], response: list[str], start: int, end: int
) -> None:
    if not start < end <= len(response) or "".join(key) == "".join(response):
        return
    zeros = [(start, 1), (end, 1)]
    mentions = [span((start, end)), Mention((), ((start, 1),)), Mention((), ((end, 1),))]
    document = Document("d", response, [Entity(mentions)], zeros=zeros)
    of_key = Document("d", key, [])

    one, other = align_response(of_key, document), realign_response(of_key, document)

    places = [[m.place for e in d.entities for m in e.mentions] for d in (one, other)]
    assert places[0] == places[1]
    assert one.zeros == other.zeros


# Documents in characters


@pytest.mark.parametrize(
    ("key", "response", "words", "expected"),
    [
        pytest.param("Ann  met Bob", "Ann met Bob", (4, 7), (5, 8), id="other white space"),
        pytest.param("Ann met Bob", " Ann\nmet Bob", (1, 8), (0, 7), id="lines"),
        pytest.param("Ann met Bob", "Ann met  Bob", (7, 9), (18, 20), id="white space only"),
        pytest.param("Ann met Bob.", "Ann saw Bob!", (8, 11), (8, 11), id="another word"),
        pytest.param("Ann met Bob.", "Yes, Ann met Bob", (5, 8), (0, 3), id="a word more"),
        pytest.param("Ann met Bob.", "Yes, Ann met Bob", (6, 8), (0, 3), id="a part of a word"),
        pytest.param("Ann met Bob.", "Ann saw Bob!", (9, 11), (8, 11), id="a part of the last"),
        pytest.param("Ann met Bob.", "Yes, Ann met Bob", (3, 5), (15, 17), id="no counterpart"),
    ],
)
def test_characters_by_hand(key: str, response: str, words: Span, expected: Span) -> None:
    document = Document("d", response, [Entity([span(words)])])

    result = align_response(Document("d", key, []), document)

    assert [m.words for m in result.entities[0].mentions] == [(expected,)]


def test_zeros_in_characters_are_moved() -> None:
    for key, response, last, expected in (
        ("Ann met", "Ann  met", 4, ((0, 1), (3, 1))),
        ("I  met", "I met", 1, ((0, 1), (1, 1))),
        ("Yes Ann met", "Ann  met", 4, ((0, 1), (7, 1))),
    ):
        zeros = [(0, 1), (last, 1)]
        document = Document("d", response, [Entity([Mention((), (zeros[1],))])], zeros=zeros)
        result = align_response(Document("d", key, []), document)
        assert result.zeros == expected


def corpus(document: Document) -> Corpus:
    return Corpus({document.name: document})


@pytest.mark.parametrize("in_key", [True, False])
def test_characters_are_aligned_with_words(in_key: bool) -> None:  # noqa: FBT001  parametrised
    text = Document("d", "Ann saw Bob.", [Entity([span((0, 3)), span((8, 11))])])
    words = Document("d", ["Ann", "met", "Bob", "!"], [Entity([span((0, 1)), span((2, 3))])])
    sides = [corpus(one) for one in ((text, words) if in_key else (words, text))]

    with pytest.raises(MismatchError, match=r"--words align \(in Python words=\"align\"\) aligns"):
        anascore.score(*sides)
    assert anascore.score(*sides, words="align")["b3"].f1 == 1


# Columns

ROWS = """\
# newdoc id = d
# global.Entity = eid-etype-head-other
1\tDijo\tdecir\tVERB\tv\tA=B\t0\troot\t0:root\tEntity=(e1--1)
1.1\t_\tél\tPRON\tp\t_\t_\t_\t1:nsubj|3:x\tEntity=(e2--1)
2\tque\tque\tSCONJ\t_\t_\t3\tmark\t3:mark\t_
3\tquiere\tquerer\tVERB\t_\t_\t1\tccomp\t1:ccomp\t_
3.1\t_\tyo\tPRON\tp\t_\t_\t_\t3.2:dep\t_
3.2\t_\ttú\tPRON\tp\t_\t_\t_\t0:root\t_

0.1\t_\tella\tPRON\tp\t_\t_\t_\t2:nsubj\tEntity=(e2--1)
1\tNo\tno\tADV\tr\t_\t2\tadvmod\t2:advmod\t_
2\tva\tir\tVERB\tv\t_\t0\troot\t0:root\tEntity=(e1--1)

"""


def read(folder: Path, text: str, name: str = "d.conllu") -> Corpus:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return anascore.read(path)


def test_columns_of_other_words_are_dropped(tmp_path: Path) -> None:
    (response,) = read(tmp_path, ROWS).documents.values()
    key = Document("d", ["Di", "jo", "que", "quiere", "Nova"], [], sentences=[0, 4])

    result = align_response(key, response)

    assert result.table is None
    assert result.zeros == ((2, 1), (4, 1), (4, 2), (4, 3))


@pytest.mark.parametrize(
    "choices", [{"zero_match": "dependent"}, {"layers": ["identity", "zeros"]}]
)
def test_zeros_of_other_words_have_no_parents(tmp_path: Path, choices: dict[str, Any]) -> None:
    key = read(tmp_path, ROWS)
    response = read(tmp_path, ROWS.replace("Dijo", "Dije"), "r.conllu")

    message = "r.conllu: the words of document 'd' differ from the key's, so its zeros have no"
    with pytest.raises(MismatchError, match=message):
        anascore.score(key, response, words="align", **choices)
    assert anascore.score(key, key, words="align", **choices)["b3"].f1 == 1


def test_a_key_in_characters_has_no_columns(tmp_path: Path) -> None:
    (response,) = read(tmp_path, ROWS).documents.values()

    result = align_response(Document("d", "Dijo que no", []), response)

    assert result.table is None
    assert [zero[0] for zero in result.zeros] == [4, 11, 11, 11]


# Scores


def retokenised(document: Document, rng: random.Random) -> Document:
    """Cut some words of a document in two; all annotation stays where it is."""
    starts, words = [], list[str]()
    for word in document.words:
        starts.append(len(words))
        cut_at = rng.randint(1, len(word) - 1) if len(word) > 1 and rng.random() < 0.3 else 0
        words += [word[:cut_at], word[cut_at:]] if cut_at else [word]
    starts.append(len(words))

    def unit(old: Span | None) -> Span | None:
        if old is None:
            return None
        return (starts[old[0]], old[1]) if old[1] else (starts[old[0] - 1] + 1, 0)

    def change(mention: Mention) -> Mention:
        return Mention(
            tuple((starts[a], starts[b]) for a, b in mention.words),
            tuple((starts[a], rank) for a, rank in mention.zeros),
            tuple((starts[a], starts[b]) for a, b in mention.minimum),
            unit(mention.marked_head or mention.head),
        )

    changed = map_mentions(document, change)
    return replace(
        changed,
        words=words,
        zeros=[(starts[a], rank) for a, rank in document.zeros],
        sentences=[starts[a] for a in document.sentences],
    )


@pytest.mark.parametrize("match", ["exact", "head", "partial"])
@pytest.mark.parametrize("response", [0, 1])
def test_other_tokens_change_no_score(match: Any, response: int) -> None:
    key, same = rich_corpus(), rich_corpus(response)
    rng = random.Random(3)
    other = replace(
        same, documents={name: retokenised(d, rng) for name, d in same.documents.items()}
    )

    expected = anascore.score(key, same, match=match, layers="all")
    result = anascore.score(key, other, match=match, layers="all", words="align")

    for name, layer in expected.layers.items():
        assert result.layers[name].scores == layer.scores
        assert result.layers[name].total.matching == layer.total.matching
    assert f"response: {ALIGNED}: {len(key.documents)}" in result.notes
    assert result.signature == f"{expected.signature}|words:align"
    with pytest.raises(MismatchError, match="--words align"):
        anascore.score(key, other, match=match)


def test_equal_words_change_nothing() -> None:
    key, response = rich_corpus(), rich_corpus(1)

    expected = anascore.score(key, response)
    result = anascore.score(key, response, words="align")

    assert result.counted == expected.counted
    assert result.notes == expected.notes


def test_every_format_is_aligned(tmp_path: Path) -> None:
    line = {"doc_key": "d", "tokens": ["Ann", "didn't", "say", "who", "she", "was"]}
    key = tmp_path / "key.jsonl"
    key.write_text(json.dumps({**line, "clusters": [[[0, 0], [4, 4]]]}))
    line["tokens"] = ["Ann", "did", "n't", "say", "who", "she", "was"]
    response = tmp_path / "response.jsonl"
    response.write_text(json.dumps({**line, "clusters": [[[0, 0], [5, 5]]]}))
    text = tmp_path / "model.txt"
    text.write_text("Ann|[e1] did n't say who she|[e1] was\n")

    for source in (response, text):
        result = anascore.score(key, source, words="align", task="conll12")
        assert result["conll"].f1 == 1
        assert f"response: {ALIGNED}: 1" in result.notes
    explained = anascore.explain(key, response, metrics="muc", words="align")
    assert explained.documents[0].response[0].mentions == ("Ann", "she")
    assert len(anascore.find_errors(key, response, words="align")) == 0
    anascore.report(key, [response], tmp_path / "page.html", words="align", samples=5)
    assert ALIGNED in (tmp_path / "page.html").read_text(encoding="utf-8")
