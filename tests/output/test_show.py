"""Texts with their entities: documents in notebooks, and the outcomes of responses."""

import re
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest

import anascore
from anascore import Corpus, Document, Entity, Mention, SettingsError
from anascore.example import KEY, SYSTEMS
from anascore.output.annotated_text import MAX_LINES

HOSTILE = "<script>alert(1)</script>\"'&amp;\x1b[31m"

ITS_SIGNS = {"✓", "✗", "◇", "○", "+"}


def m(*words: int, zeros: tuple[tuple[int, int], ...] = ()) -> Mention:
    spans: list[tuple[int, int]] = []
    for word in words:
        if spans and spans[-1][1] == word:
            spans[-1] = spans[-1][0], word + 1
        else:
            spans.append((word, word + 1))
    return Mention(tuple(spans), zeros)


def corpus(*documents: Document) -> Corpus:
    return Corpus({document.name: document for document in documents})


def drawn(html: str) -> str:
    """Return HTML as text, with brackets around marks."""
    assert html.startswith('<div class="tex2jax_ignore mathjax_ignore">')
    assert html.count("<div") == html.count("</div>")
    marked = re.sub(r"<mark [^>]*><bdi[^>]*>(.*?)</bdi>", r"[\1 ", html)
    lines = re.sub("</div>|</ol>", "\n", marked.replace("</mark>", "]"))
    return unescape(re.sub("<.*?>", "", lines)).strip()


FOUR = Document("d", list("abcd"), [Entity([m(0), m(2)]), Entity([m(1, 2)])], sentences=(0, 3))


def test_a_document_draws_itself() -> None:
    html = FOUR._repr_html_()

    assert drawn(html).split("\n") == [
        *("d", "4 words, 3 mentions, 2 entities"),
        *("[e1 a] [e2 b [e1 c]]", "d"),
    ]
    assert html.count("<li") == 2
    assert html.count("1px dotted") == 1
    assert 'dir="auto"' in html


def test_sets_zeros_and_gaps_are_explained() -> None:
    entities = [Entity([m(0)]), Entity([m(1, 3)]), Entity([m(zeros=((2, 1),)), m(2)], [0, 1])]
    document = Document("d", list("abcd"), entities, zeros=[(2, 1)])

    assert drawn(document._repr_html_()).split("\n")[2:] == [
        *("[e1 a] [e2 b] [e3={e1,e2} ∅] [e3 c] […e2 d]", ""),
        "e3={e1,e2}: e3 stands for {e1,e2}; …e: a further part of a mention; ∅: a zero",
    ]


def test_characters() -> None:
    document = Document("d", "王小姐说她\n来了。", [Entity([m(0, 1, 2), m(4)])])
    html = document._repr_html_()

    assert "9 characters" in html
    assert "white-space:pre-wrap" in html
    assert str(anascore.show(corpus(document))).split("\n")[2:4] == [
        *("1  [K1 王小姐]说[K1 她]", "2  来了。"),
    ]


def test_of_a_long_document_the_first_sentences_are_shown() -> None:
    words = ["w"] * (MAX_LINES + 2)
    long = Document("d", words, [], sentences=range(len(words)))

    assert "… and 2 more sentences\n" in drawn(long._repr_html_()) + "\n"
    assert long._repr_html_().count("<li") == MAX_LINES
    shown = anascore.show(corpus(long))
    assert "… and 2 more sentences; print(…) shows all" in drawn(shown._repr_html_())
    assert str(shown).count(" w\n") == len(words)
    without = replace(long, sentences=(), words=["w"] * (25 * MAX_LINES + 1))
    assert "… and 1 more line" in without._repr_html_()


def test_a_document_without_words() -> None:
    empty = Document("d", [], [])

    assert "(no words)" in empty._repr_html_()
    response = Document("d", [], [])
    assert "1  (no words)" in str(anascore.show(corpus(empty), corpus(response)))


def test_everything_is_escaped() -> None:
    words = [HOSTILE, "b"]
    key = Document(HOSTILE, words, [Entity([m(0), m(1)])])
    response = Document(HOSTILE, words, [Entity([m(0, 1)])])
    shown = anascore.show(corpus(key), {HOSTILE: corpus(response)})

    for html in (key._repr_html_(), shown._repr_html_()):
        assert "<script" not in html
        assert "\x1b" not in html
        assert "<script>alert(1)" in drawn(html)
    assert "\x1b" not in str(shown)


def test_right_to_left() -> None:
    words = ["הילדה", "ראתה", "את", "האריה"]
    key = Document("ערבית", words, [Entity([m(0)]), Entity([m(2, 3)])])

    html = anascore.show(corpus(key), corpus(replace(key, entities=())))._repr_html_()

    assert '<div dir="auto"' in html
    assert "<bdi>את האריה</bdi>" in html


RESPONSE = replace(FOUR, entities=[Entity([m(0), m(3)]), Entity([m(1)])])

OUTCOMES = """\
d
response: CoNLL {}

1  [K1 a] [K2 b [K1 c]]
   response: ✓ 1  ◇ K2 “b c” marked as “b”  ○ K1 “c”
2  d
   response: + “d”

✓ right  ◇ wrong span  ○ missing  + extra"""


def test_outcomes_of_one_response() -> None:
    shown = anascore.show(corpus(FOUR), corpus(RESPONSE))
    conll = anascore.score(corpus(FOUR), corpus(RESPONSE)).conll

    assert conll is not None
    assert str(shown) == OUTCOMES.format(f"{conll:.2%}".rstrip("%"))
    lines = drawn(shown._repr_html_()).replace("\u2002", "").split("\n")
    assert lines[2:6] == [
        *("[K1 a] [K2 b [K1 c]]", "response: ✓ 1 ◇ K2 “b c” marked as “b” ○ K1 “c”"),
        *("d", "response: + “d”"),
    ]
    assert 'role="img" aria-label="wrong span" title="wrong span"' in shown._repr_html_()
    assert repr(shown) == "<AnnotatedText 'd': 1 response>"


def test_outcomes_of_several_responses_and_of_sets() -> None:
    shown = anascore.show(KEY, {"A": SYSTEMS[0], "B": SYSTEMS[1]}, document="story_lighthouse")

    assert [response.name for response in shown.responses] == ["A", "B"]
    for text in (str(shown), drawn(shown._repr_html_())):
        assert "A: CoNLL 86.21" in text
        assert "wrong entity or set" in text
        assert "K4={K1,K3}: K4 stands for {K1,K3}" in text
        assert {sign for sign in ITS_SIGNS if sign in text} == ITS_SIGNS - {"+"}


def test_a_missing_document_has_missing_mentions_only() -> None:
    other = replace(FOUR, name="e")
    shown = anascore.show(corpus(FOUR, other), corpus(FOUR), missing="empty")

    assert shown.document.name == "e"
    assert {outcome.name for outcome in shown.responses[0].outcomes} == {"missing"}


def test_the_document_with_the_lowest_score() -> None:
    scores = anascore.score(KEY, SYSTEMS[1]).documents
    lowest = min(scores, key=lambda name: scores[name].scores["conll"].f1 or 0)

    assert anascore.show(KEY, [SYSTEMS[1], SYSTEMS[0]]).document.name == lowest
    assert anascore.show(KEY).document.name == next(iter(scores))
    empty = corpus(Document("x", ["w"], []), Document("y", ["w"], []))
    assert anascore.show(empty, empty).document.name == "x"


def test_clusters_in_memory() -> None:
    key = {"a": [[(0, 0), (2, 2)]], "b": [[(0, 0), (1, 1)]]}
    shown = anascore.show(key, {"a": key["a"], "b": [[(0, 0)]]})

    assert shown.document.name == "b"
    assert "the words are unknown: numbers are their positions" in str(shown)
    several = anascore.show(key["a"], {"A": key["a"], "B": [[(0, 0), (1, 1)]]})
    assert [response.name for response in several.responses] == ["A", "B"]
    words = Corpus.from_clusters(key["a"], words=["Ann", "and", "she"])
    assert "1  [K1 Ann] and [K1 she]\n" in str(anascore.show(words, key["a"]))


def test_paths(tmp_path: Path) -> None:
    anascore.write(corpus(FOUR), tmp_path / "key.jsonl")

    shown = anascore.show(str(tmp_path / "key.jsonl"), tmp_path / "key.jsonl", key_format="jsonl")

    assert "key: CoNLL 100.00" in str(shown)


@pytest.mark.parametrize("responses", [None, SYSTEMS[0]])
def test_a_misspelt_document_gets_a_suggestion(responses: Path | None) -> None:
    with pytest.raises(SettingsError, match="did you mean 'story_lighthouse'"):
        anascore.show(KEY, responses, document="story_lighthose")


def test_settings() -> None:
    shown = anascore.show(corpus(FOUR), singletons=False, split=False)
    assert [*shown.entities] == FOUR.entities[:1]
    with pytest.raises(SettingsError, match="a shown text needs whole documents"):
        anascore.show(KEY, window=5)
    with pytest.raises(SettingsError, match="show works on the layer identity"):
        anascore.show(KEY, task="codicrac-br")
    with pytest.raises(SettingsError, match="did you mean 'match'"):
        anascore.show(KEY, mach="head")  # type: ignore[call-arg]
