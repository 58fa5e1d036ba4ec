"""Repairs of the output of language models: while reading, and with the words of the key."""

import json
import random
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Corpus, Document, Mention, MismatchError, ReadError, Result, Settings
from anascore.errors import Repair
from anascore.formats.writing import to_text
from anascore.model.document import Entity
from anascore.pairing.documents import pair_documents
from anascore.pairing.repairs import close_with_sentences, without_preamble
from support.paper import KEY
from support.reading import put
from support.samples import SAMPLES
from tools.fuzzing.mutation import SIMPLE_MUTATIONS, Mutation
from tools.fuzzing.samples import tidy_corpus, written


def read_repaired(folder: Path, text: str, form: str = "llm-text") -> Corpus:
    return anascore.read(put(folder, "bad.txt", text), form, repair=True)


def spans(document: Document) -> dict[str, list[tuple[int, int]]]:
    """Return the spans of the mentions of each entity; mentions must be without zeros."""
    return {
        entity.name: [span for mention in entity.mentions for span in mention.words]
        for entity in document.entities
    }


def kinds(repairs: Sequence[Repair]) -> list[str]:
    return [repair.kind for repair in repairs]


TEXTS: dict[str, tuple[str, str, dict[str, list[tuple[int, int]]], str]] = {
    "a tag that is none": ("a|[e1] b|[] c", "a b|[] c", {"e1": [(0, 1)]}, "tag"),
    "nothing opened": ("a b|e1] c", "a b c", {"e1": [(1, 2)]}, "closing"),
    "nothing closed": ("a b|[e1 c . d", "a b c . d", {"e1": [(1, 4)]}, "opening"),
    "nothing closed, no end": ("a b|[e1 c d", "a b c d", {"e1": [(1, 4)]}, "opening"),
    "nothing closed, a quotation": ('b|[e1 c." d', 'b c." d', {"e1": [(0, 2)]}, "opening"),
    "two not closed": ("a|[e1,[e1 b", "a b", {"e1": [(0, 2), (0, 2)]}, "opening opening"),
    "closed twice": ("a|[e1 b|e1],e1]", "a b", {"e1": [(0, 2), (1, 2)]}, "closing"),
    "an element without mentions": ("a|[e1=e2] b", "a b", {"e1": [(0, 1)]}, "element"),
    "an element of itself": ("a|[e1=e1] b", "a b", {"e1": [(0, 1)]}, "element"),
    "blanks between tags": ("a|[e1], [e2 b|e2]", "a b", {"e1": [(0, 1)], "e2": [(0, 2)]}, "tag"),
    "a blank before": ("a |[e1],[e2] b", "a b", {"e1": [(0, 1)], "e2": [(0, 1)]}, "tag"),
    "a blank after": ("a|[e1] b| [e2]", "a b", {"e1": [(0, 1)], "e2": [(1, 2)]}, "tag"),
    "blanks around a comma": ("a|[e1] , [e2] b", "a b", {"e1": [(0, 1)], "e2": [(0, 1)]}, "tag"),
    "blanks after all bars": ("a | [1] b", "a b", {"1": [(0, 1)]}, "tag"),
    "a blank in a tag": ("a|[ e1 b|e1]", "a b", {"e1": [(0, 2)]}, "tag"),
    "a blank before the end of a tag": ("a|[e1 b|e1 ] c", "a b c", {"e1": [(0, 2)]}, "tag"),
    "a blank before the end of a whole tag": ("a|[e1 ] b", "a b", {"e1": [(0, 1)]}, "tag"),
    "a blank before the end of one of two tags": (
        "a|[e1,[e2=e1 ] b|e1] c", "a b c", {"e1": [(0, 2)], "e2": [(0, 1)]}, "tag"
    ),
    "blanks before the ends of two tags": (
        "a|[e1 b|[e2 ],e1 ] c", "a b c", {"e1": [(0, 2)], "e2": [(1, 2)]}, "tag"
    ),
    "blanks around an id": ("a|[ e1 ] b", "a b", {"e1": [(0, 1)]}, "tag"),
    "a reference behind tags": (
        "a|[e1] [e2] [ 3 ]", "a [ 3 ]", {"e1": [(0, 1)], "e2": [(0, 1)]}, "tag"
    ),
    "no comma between tags": ("a|[e1 b|[e2] e1]", "a b", {"e1": [(0, 2)], "e2": [(1, 2)]}, "tag"),
    "a bar between tags": ("a|[e1]|[e2] b", "a b", {"e1": [(0, 1)], "e2": [(0, 1)]}, "tag"),
    "a tag without a word": ("|[e1] a|[e2]", "|[e1] a", {"e2": [(1, 2)]}, "tag"),
    "a fence before": ("```text\na|[e1]\n", "a", {"e1": [(0, 1)]}, "fence"),
    "fences around": ("~~~\na|[e1]\n~~~", "a", {"e1": [(0, 1)]}, "fence fence"),
    "fences on the line": ("```text a|[e1] b ```", "a b", {"e1": [(0, 1)]}, "fence"),
    "Markdown, nothing opened": ("a](#e1) [b](#e1)", "a b", {"e1": [(0, 1), (1, 2)]}, "closing"),
    "Markdown, nothing before": ("](#e1) [b](#e2)", "b", {"e2": [(0, 1)]}, "closing"),
    "Markdown, no id": ("[a](#) [b](#e2)", "[a](#) b", {"e2": [(1, 2)]}, "tag"),
    "Markdown, no words": ("[](#e1) [b](#e2)", "b", {"e2": [(0, 1)]}, "span"),
    "XML, nothing opened": ("a b</e1> <e1>c</e1>", "a b c", {"e1": [(1, 2), (2, 3)]}, "closing"),
    "XML, nothing closed": ("<e1>a <e1>b</e1> . c", "a b . c", {"e1": [(1, 2), (0, 3)]}, "opening"),
    "XML, no tag": ("<e1 a <e2>b</e2>", "<e1 a b", {"e2": [(2, 3)]}, "tag"),
    "XML, opened at the end": ("<e2>b</e2> <e1>", "b", {"e2": [(0, 1)]}, "opening"),
}  # fmt: skip
"""A text, its words, the spans of entities, and the kinds of repairs."""


@pytest.mark.parametrize("case", TEXTS)
def test_text(tmp_path: Path, case: str) -> None:
    text, words, expected, repaired = TEXTS[case]

    (document,) = read_repaired(tmp_path, f"{text}\n").documents.values()

    assert " ".join(document.words) == words
    assert spans(document) == expected
    assert kinds(document.repairs) == repaired.split()


@pytest.mark.parametrize("case", [case for case in TEXTS if "fence" not in case])
def test_what_is_repaired_is_an_error_otherwise(tmp_path: Path, case: str) -> None:
    text, *_, repaired = TEXTS[case]
    path = put(tmp_path, "bad.txt", f"{text}\n")

    with pytest.raises(ReadError) as error:
        anascore.read(path, "llm-text")

    assert len(error.value.lines) == len({*repaired.split()})


@pytest.mark.parametrize(
    ("text", "words"),
    [
        pytest.param("a|[e1 ] b|e1]", "a ] b", id="a mention that begins before a bracket"),
        pytest.param("a|[e1] [ 1 ] b|c ]", "a [ 1 ] b|c ]", id="references"),
        pytest.param("a|[1 [ 1 ] b|1] | [ 1 ]", "a [ 1 ] b | [ 1 ]", id="a bar and numbers"),
    ],
)
def test_brackets_that_are_words(tmp_path: Path, text: str, words: str) -> None:
    (document,) = anascore.read(put(tmp_path, "a", f"{text}\n"), "llm-text").documents.values()

    assert " ".join(document.words) == words


def test_ids_of_other_lines_show_what_a_tag_is(tmp_path: Path) -> None:
    text = "a|[e1] b\nc| [e2 [ 3| [e3] ] d| e2]\n"

    first, second = read_repaired(tmp_path, text).documents.values()

    assert (spans(first), spans(second)) == ({"e1": [(0, 1)]}, {"e2": [(0, 5)], "e3": [(2, 3)]})
    assert " ".join(second.words) == "c [ 3 ] d"
    assert kinds(second.repairs) == ["tag", "tag", "tag"]


def test_repairs_name_their_places(tmp_path: Path) -> None:
    corpus = read_repaired(tmp_path, "x|[e1]\na b|e1] c|[e2\n")

    first, second = corpus.documents.values()
    path = str(tmp_path / "bad.txt")
    assert first.repairs == ()
    assert [repair.text for repair in second.repairs] == [
        f"{path}:2: word 2, 'b|e1]': 'e1]' closes no mention; open here: nothing",
        f"{path}:2: word 3, 'c': a mention of e2 is opened here and never closed; 'e2]' is missing",
    ]


def llm(name: str, **fields: Any) -> dict[str, Any]:
    spans = [[[0, 0], [2, 2]]]
    return {"doc_id": name, "tokens": list("abc"), "clusters_token_offsets": spans, **fields}


GOOD = {"0": [(0, 1), (2, 3)]}
BAD_JSON: dict[str, tuple[str, dict[str, dict[str, list[tuple[int, int]]]], str]] = {
    "text around it": (
        f"Here it is:\n```json\n{json.dumps([llm('x')])}\n```\nAnything else?\n",
        {"x": GOOD},
        "preamble fence fence preamble",
    ),
    "several blocks": (
        f"```\n{json.dumps(llm('x'))}\n```\n{json.dumps(llm('y'))}",
        {"x": GOOD, "y": GOOD},
        "fence fence",
    ),
    "cut": (json.dumps([llm("x"), llm("y")])[:-20], {"x": GOOD, "y": {}}, "document"),
    "cut before a name": (f'[{json.dumps(llm("x"))}, {{"doc_id": ', {"x": GOOD}, "document"),
    "broken in the middle": (
        json.dumps([llm("x"), llm("y")]).replace("]]]", "]]", 1),
        {"x": {}, "y": GOOD},
        "document",
    ),
    "a span out of range": (
        json.dumps([llm("x", clusters_token_offsets=[[[0, 0], [2, 3]]])]),
        {"x": {"0": [(0, 1)]}},
        "span",
    ),
    "no tokens": (json.dumps([llm("x", tokens=5), llm("y")]), {"x": {}, "y": GOOD}, "document"),
    "no document": (json.dumps([llm("x"), 7]), {"x": GOOD, "unnamed": {}}, "document"),
    "an element of itself": (
        json.dumps([llm("x", split_antecedents=[[[0, 0], [2, 2]]])]),
        {"x": GOOD},
        "element",
    ),
    "commas before brackets": (
        json.dumps([llm("x, ]"), llm("y")]).replace("]]]", "]],]").replace("}]", "},\n]"),
        {"x, ]": GOOD, "y": GOOD},
        "syntax syntax syntax",
    ),
    "an object on each line": (
        f"{json.dumps(llm('x'))}\n{json.dumps(llm('y'))}",
        {"x": GOOD, "y": GOOD},
        "syntax",
    ),
    "no brackets": (
        f"{json.dumps(llm('x'))}, {json.dumps(llm('y'))},",
        {"x": GOOD, "y": GOOD},
        "syntax",
    ),
    "a number of many digits": (
        f'x [{json.dumps(llm("x"))}, {{"doc_id": "y", "tokens": [{"9" * 5000}]}}]',
        {"x": GOOD, "y": {}},
        "preamble document",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", BAD_JSON)
def test_json(tmp_path: Path, case: str) -> None:
    text, expected, repaired = BAD_JSON[case]

    corpus = read_repaired(tmp_path, text, "llm-json")

    assert {name: spans(document) for name, document in corpus.documents.items()} == expected
    found = [repair for document in corpus.documents.values() for repair in document.repairs]
    assert kinds(found) == repaired.split()


def test_json_that_is_nested_too_deeply_stays_an_error(tmp_path: Path) -> None:
    with pytest.raises(ReadError, match="nested more than 100 levels"):
        read_repaired(tmp_path, "[" * 200, "llm-json")


def test_fenced_json_is_recognised(tmp_path: Path) -> None:
    text = f"Here:\n```json\n{json.dumps([llm('x')])}\n```\n"

    path = put(tmp_path, "a", text)
    assert anascore.read(path, repair=True).format == "llm-json"
    with pytest.raises(ReadError, match=r"text stands before the LLM JSON in this file$"):
        anascore.read(path)
    with pytest.raises(ReadError, match=r"in this file\n--repair .* repairs a response"):
        anascore.score(KEY, path)


def test_commas_before_brackets_are_repairs_of_their_documents(tmp_path: Path) -> None:
    good = json.dumps(llm("x"))
    bad = json.dumps(llm("y")).replace("]]]", "],\n]]")
    text = f"[{good},\n{bad},\n{good.replace('x', 'z')},\n]\n"

    x, y, z = read_repaired(tmp_path, text, "llm-json").documents.values()

    assert x.repairs == ()
    assert [repair.line for repair in y.repairs] == [2]
    assert [repair.line for repair in z.repairs] == [4]
    assert {*kinds((*y.repairs, *z.repairs))} == {"syntax"}


def test_a_missing_document_may_be_in_text_that_was_left_out(tmp_path: Path) -> None:
    text = f"[{json.dumps(llm('d'))},\n{{\u201cdoc_id\u201c: 1}}]"
    response = put(tmp_path, "r.json", text)
    key = Corpus({"d": key_document(), "e": replace(key_document(), name="e")})

    with pytest.raises(
        MismatchError, match=r"'e' is missing.*text that was left out: .*r\.json:2:"
    ):
        anascore.score(key, response, repair=True)


@pytest.mark.parametrize("text", ["Here:\n[1, 2]\n", "nothing at all\n"])
def test_text_with_no_such_json_is_not_recognised(tmp_path: Path, text: str) -> None:
    with pytest.raises(ReadError, match="cannot detect the format"):
        anascore.read(put(tmp_path, "a", text), repair=True)


def test_other_formats_are_not_repaired(tmp_path: Path) -> None:
    text = SAMPLES["zeros-key.conllu"].replace("Entity=e2)", "_")

    with pytest.raises(ReadError, match="never closed"):
        anascore.read(put(tmp_path, "a.conllu", text), repair=True)
    maverick = json.dumps(
        {**llm("x", clusters_token_offsets=[[[0, 9]]]), "clusters_token_text": []}
    )
    with pytest.raises(ReadError, match="is not a span"):
        anascore.read(put(tmp_path, "a.json", maverick), repair=True)


def test_errors_are_all_named_with_the_remedy(tmp_path: Path) -> None:
    response = put(tmp_path, "r.txt", "John|[e1 met Mary|e2]\n")

    with pytest.raises(ReadError) as error:
        anascore.score(KEY, response)

    assert error.value.lines == (
        f"{response}:1: word 3, 'Mary|e2]': 'e2]' closes no mention; open here: e1",
        f"{response}:1: word 1, 'John': a mention of e1 is opened here and never closed; "
        f"'e1]' is missing",
        "--repair (in Python repair=True) repairs a response as far as possible",
    )


@pytest.mark.parametrize(
    ("text", "problem", "remedy"),
    [
        (
            json.dumps([llm("d")])[:-1] + ",]",
            "r:1: this is not JSON: Expecting value",
            "\n--repair (in Python repair=True) repairs a response as far as possible",
        ),
        (
            "a|[e1] b\nc d\n",
            "r: it has 2 documents, identified by order only, but the key has 1",
            "; --repair (in Python repair=True) joins the paragraphs of a document and drops lines "
            "that are not of a document",
        ),
    ],
)
def test_an_error_of_the_whole_file_names_the_remedy(
    tmp_path: Path, text: str, problem: str, remedy: str
) -> None:
    response = put(tmp_path, "r", text)

    with pytest.raises((ReadError, MismatchError)) as error:
        anascore.score(Corpus({"d": key_document()}), response)

    assert problem in str(error.value)
    assert str(error.value).endswith(remedy)


def test_the_key_is_not_repaired(tmp_path: Path) -> None:
    key = put(tmp_path, "k.txt", "John|[e1 met Mary\n")

    with pytest.raises(ReadError, match="never closed"):
        anascore.score(key, key, repair=True)


KEY_WORDS = ("a", "b", ".", "c", "d", ".")


def key_document(sentences: Sequence[int] = (0, 3)) -> Document:
    return Document("d", KEY_WORDS, (), sentences=sentences)


def opened(words: str, *mentions: Mention, zeros: Sequence[tuple[int, int]] = ()) -> Document:
    """Make a document with an entity of mentions, the last of which was never closed."""
    entity = Entity(mentions, name="e1")
    unclosed = ((0, len(mentions) - 1),)
    return Document("d", tuple(words.split()), (entity,), zeros=zeros, unclosed=unclosed)


SAME = [(n, n) for n in range(6)]
Pairs = list[tuple[int, int]]


@pytest.mark.parametrize(
    ("document", "pairs", "expected"),
    [
        pytest.param(
            opened("a b . c d .", Mention(((1, 2),))), SAME, Mention(((1, 3),)), id="same"
        ),
        pytest.param(
            opened("a b . c d .", Mention(((3, 6),))), SAME, Mention(((3, 6),)), id="the last one"
        ),
        pytest.param(
            opened("a x b . c", Mention(((1, 2),))),
            [(0, 0), (2, 1), (3, 2), (4, 3)],
            Mention(((1, 4),)),
            id="after an inserted word",
        ),
        pytest.param(
            opened("a b x", Mention(((2, 3),))), [(0, 0), (1, 1)], Mention(((2, 3),)), id="no word"
        ),
        pytest.param(
            opened("a b c", Mention(((1, 3),))),
            [(0, 0), (1, 1), (2, 3)],
            Mention(((1, 2),)),
            id="the end is not in the response",
        ),
        pytest.param(
            opened("a b . c", Mention((), ((1, 1),)), zeros=((1, 1), (2, 1), (3, 1))),
            [(0, 0), (1, 1), (2, 2), (3, 3)],
            Mention(((1, 3),), ((1, 1), (2, 1))),
            id="a zero first",
        ),
        pytest.param(
            opened("a b . c", Mention(((1, 2),)), zeros=((1, 1), (2, 1), (3, 1))),
            [(0, 0), (1, 1), (2, 2), (3, 3)],
            Mention(((1, 3),), ((2, 1),)),
            id="a zero before",
        ),
        pytest.param(
            opened("a b .", Mention((), ((3, 1),)), zeros=((3, 1),)),
            [(0, 0), (1, 1), (2, 2)],
            Mention((), ((3, 1),)),
            id="a zero at the end",
        ),
    ],
)
def test_mentions_end_with_the_sentences_of_the_key(
    document: Document, pairs: Pairs, expected: Mention
) -> None:
    closed = close_with_sentences(document, key_document(), pairs)

    assert [entity.mentions for entity in closed.entities] == [(expected,)]
    assert closed.unclosed == ()


def test_other_mentions_stay_as_they_are() -> None:
    document = opened("a b . c d .", Mention(((0, 1),)), Mention(((0, 1),)))

    (entity,) = close_with_sentences(document, key_document(), SAME).entities

    assert entity.mentions == (Mention(((0, 1),)), Mention(((0, 3),)))


def test_without_sentences_in_the_key_the_reader_decides() -> None:
    document = opened("a b . c d .", Mention(((0, 1),)))

    assert close_with_sentences(document, key_document(()), SAME) is document


def test_a_preamble_is_left_out_with_its_mentions() -> None:
    entities = (
        Entity((Mention(((0, 1),)), Mention(((1, 3),)))),
        Entity((Mention(((1, 4),), ((1, 1), (3, 1))), Mention((), ((1, 1),)))),
    )
    zeros = ((1, 1), (3, 1))
    document = Document("d", ("In", "JSON", ":", "a", "b"), entities, zeros=zeros, path="f", line=1)

    repaired = without_preamble(document, [(3, 0), (4, 1)])

    assert repaired.words == ("a", "b")
    assert repaired.zeros == ((0, 1),)
    assert [entity.mentions for entity in repaired.entities] == [(Mention(((0, 1),), ((0, 1),)),)]
    message = "the first 3 words, 'In JSON :', are not of the text"
    assert repaired.repairs == (Repair("preamble", "f", 1, message),)


@pytest.mark.parametrize(("number", "words"), [(5, "0 1 2 3 4"), (6, "0 1 2 3 4 ...")])
def test_a_long_preamble_is_quoted_in_part(number: int, words: str) -> None:
    document = Document("d", (*map(str, range(number)), "a"), ())

    (repair,) = without_preamble(document, [(number, 0)]).repairs

    assert repair.what == f"the first {number} words, {words!r}, are not of the text"


@pytest.mark.parametrize("pairs", [[], [(0, 0)], [(0, 2), (1, 3)]])
def test_no_preamble(pairs: Pairs) -> None:
    document = Document("d", ("a", "b"), ())

    assert without_preamble(document, pairs) is document


def example_text() -> str:
    return to_text(anascore.read(KEY), "llm-text")[0]


def test_a_broken_response_is_scored_and_says_what_was_repaired(tmp_path: Path) -> None:
    text = example_text().replace("She|[2]", "She|2]").replace("The|[3 two|3]", "The|[3 two")
    response = put(tmp_path, "r.txt", f"Here is the text:\n```\n{text}```\n")

    result = anascore.score(KEY, response, repair=True)

    # The mention "The two" ends with its sentence, and the next one is as it was.
    assert result["mentions"].recall == 14 / 15
    assert result.signature.endswith("|lea:1|repaired:1")
    total = next(note for note in result.notes if "repairs" in note)
    assert total == (
        "response: 5 repairs in 1 document: closing tags without an opening one, read as mentions "
        "of one word: 1; opening tags without a closing one, closed at the end of their sentence: "
        "1; code fences, left out: 2; text outside documents, left out: 1"
    )
    assert [note for note in result.notes if note.startswith("repaired: ")] == [
        f"repaired: {response}:1: this line, 'Here is the text:', is not of a document",
        f"repaired: {response}:2: '```' is a code fence",
        f"repaired: {response}:3: word 15, 'She|2]': '2]' closes no mention; open here: nothing",
        f"repaired: {response}:3: word 39, 'The': a mention of 3 is opened here and never closed; "
        f"'3]' is missing",
        f"repaired: {response}:4: '```' is a code fence",
    ]


def test_json_output_lists_repairs(tmp_path: Path) -> None:
    response = put(tmp_path, "r.txt", example_text().replace("She|[2]", "She|2]"))

    result = anascore.score(KEY, response, repair=True)

    message = "word 15, 'She|2]': '2]' closes no mention; open here: nothing"
    repair = {"kind": "closing", "path": str(response), "line": 1, "what": message}
    (system,) = result.to_dict()["systems"]
    assert system["repairs"] == [{"document": "example", **repair}]
    assert Result.from_json(result.to_json()) == result
    with pytest.raises(ReadError, match=r"this is not the output.*'other'.*repairs\[0\]\.kind"):
        Result.from_json(result.to_json().replace('"kind": "closing"', '"kind": "other"'))


def test_merged_results_keep_repairs(tmp_path: Path) -> None:
    texts = {"x": "a|e1] b|[e1]\n", "y": "c|[e2] d|[e2\n", "z": "e|[e3] f|[e3]\n"}
    parts = []
    for name, text in texts.items():
        words = [word.partition("|")[0] for word in text.split()]
        key = Corpus({name: Document(name, words, (), sentences=(0,))})
        parts.append(anascore.score(key, put(tmp_path, name, text), repair=True))

    merged = sum(parts[1:], parts[0])

    assert [*merged.repairs] == ["x", "y"]
    assert merged.signature.endswith("|repaired:2")


def test_many_repairs_are_not_all_listed(tmp_path: Path) -> None:
    response = put(tmp_path, "r.txt", example_text().rstrip() + " a|e9]" * 30)

    result = anascore.score(KEY, response, repair=True)

    assert len([note for note in result.notes if note.startswith("repaired: ")]) == 20
    assert "10 more repairs, which --output json lists" in result.notes


def test_analyses_say_what_was_repaired(tmp_path: Path) -> None:
    response = put(tmp_path, "r.txt", example_text().replace("She|[2]", "She|2]"))

    for analysis in (
        anascore.find_errors(KEY, response, repair=True),
        anascore.explain(KEY, response, repair=True),
    ):
        assert "repaired:1" in analysis.signature
        assert any(warning.startswith("repaired: ") for warning in analysis.warnings)


def test_a_preamble_on_the_line_of_the_document(tmp_path: Path) -> None:
    response = put(tmp_path, "r.txt", f"Sure|[1] ! Here it is : {example_text()}")

    result = anascore.score(KEY, response, repair=True)

    assert {score.f1 for score in result.scores.values()} == {1.0}
    ((repair,),) = result.repairs.values()
    assert repair.what == "the first 6 words, 'Sure ! Here it is ...', are not of the text"


def test_words_are_not_aligned_where_they_are_ignored(tmp_path: Path) -> None:
    key = Corpus({"d": Document("d", list("ab.cd."), (), sentences=(0, 3))})
    response = put(tmp_path, "r.txt", "x y|[e1 z u|[e2] v w\n")

    result = anascore.score(key, response, repair=True, words="ignore")

    assert kinds(result.repairs["d"]) == ["opening"]
    corpus = anascore.read(response, repair=True)
    (document,) = corpus.documents.values()
    assert spans(document) == {"e1": [(1, 6)], "e2": [(3, 4)]}


def paired(key: Document, response: Corpus, **choices: Any) -> Document:
    """Return the only document of a response, repaired with the words of a key."""
    (own,) = response.documents.values()
    named = replace(response, documents={"d": replace(own, name="d")}, unnamed=False)
    settings = Settings(repair=True, **choices)
    document = pair_documents(Corpus({"d": key}), named, settings)["d"]
    assert document
    return document


@pytest.mark.parametrize(
    ("text", "words", "span"),
    [
        pytest.param("a b|[e1 x c d .", "check", (1, 3), id="the same beginning"),
        pytest.param("b|[e1 . c d . x", "check", (1, 3), id="aligned"),
        pytest.param("b|[e1 . c d . x", "ignore", (0, 3), id="by position"),
        pytest.param("x a b|[e1 . c d .", "ignore", (2, 3), id="by position, after another word"),
    ],
)
def test_a_response_is_closed_with_the_words_that_are_compared(
    tmp_path: Path, text: str, words: str, span: tuple[int, int]
) -> None:
    response = read_repaired(tmp_path, f"{text}\n")

    document = paired(key_document(), response, words=words)

    assert spans(document) == {"e1": [span]}
    assert kinds(document.repairs) == ["opening"]


def test_text_that_begins_as_the_key_has_no_preamble(tmp_path: Path) -> None:
    response = read_repaired(tmp_path, "a x a|[e1] b . c d .\n")

    assert paired(key_document(), response).repairs == ()


def test_a_key_in_characters_tells_no_preamble(tmp_path: Path) -> None:
    response = read_repaired(tmp_path, "x a|[e1] b c\n")

    document = paired(Document("d", "abc", ()), response, words="align")

    assert document.repairs == ()


def test_a_corpus_of_several_formats_is_repaired_where_it_was_rewritten(tmp_path: Path) -> None:
    corpus = read_repaired(tmp_path, "Sure : a|[e1] b . c d .\n")
    mixed = replace(corpus, formats=("jsonl", "llm-text"))

    assert kinds(paired(key_document(), mixed).repairs) == ["preamble"]

    exact = {name: replace(one, rewritten=False) for name, one in mixed.documents.items()}
    with pytest.raises(MismatchError, match="word 1 of document 'd' is 'Sure', but 'a' in the key"):
        paired(key_document(), replace(mixed, documents=exact))


def test_nothing_is_repaired_where_nothing_is_broken(tmp_path: Path) -> None:
    response = put(tmp_path, "r.txt", example_text())

    result = anascore.score(KEY, response, repair=True)

    assert result.repairs == {}
    assert result.scores == anascore.score(KEY, response).scores
    assert "repair" not in result.signature
    assert "repairs" not in result.to_dict()


def two(first: str, second: str) -> Corpus:
    texts = {"x": first, "y": second}
    return Corpus({n: Document(n, t.split(), (), sentences=(0,)) for n, t in texts.items()})


TWO = two("one two three four five", "six seven eight nine ten")


@pytest.mark.parametrize(
    ("text", "repaired"),
    [
        pytest.param("one two three|[e1]\nI cannot do that\n", {"y": ["document"]}, id="refusal"),
        pytest.param("Sorry !\none|[e1] two\nsix\n", {"x": ["preamble"]}, id="a line before"),
        pytest.param("one|[e1] two\nsix\nBye !\n", {"y": ["preamble"]}, id="a line behind"),
        pytest.param("one|[e1] two\n\nsix\n", {"y": ["preamble"]}, id="an empty line"),
        pytest.param("one|[e1] two\n\n", {}, id="an empty document"),
        pytest.param("```\nHi !\none|[e1]\nsix\n", {"x": ["fence", "preamble"]}, id="fence, too"),
        pytest.param("Hi !\n\nsix|[e1]\n", {"x": ["preamble"]}, id="an empty document, too"),
        pytest.param(
            "Hi !\none|[e1]\n\nsix\n", {"x": ["preamble"], "y": ["preamble"]}, id="both kinds"
        ),
    ],
)
def test_lines_that_are_no_documents(
    tmp_path: Path, text: str, repaired: dict[str, list[str]]
) -> None:
    response = put(tmp_path, "r.txt", text)

    result = anascore.score(TWO, response, response_format="llm-text", repair=True, missing="empty")

    assert {name: kinds(repairs) for name, repairs in result.repairs.items()} == repaired


def test_a_document_that_is_emptied_is_named_in_the_repair(tmp_path: Path) -> None:
    response = put(tmp_path, "r.txt", "one two three|[e1]\nI cannot do that\n")

    result = anascore.score(TWO, response, repair=True)

    message = (
        "by its place this is the document 'y' of the key, but it shares almost no words with it; "
        "documents without names must be in the order of the key"
    )
    assert result.repairs == {"y": (Repair("document", str(response), 2, message),)}


def test_lines_are_not_looked_at_where_words_are_ignored(tmp_path: Path) -> None:
    response = put(tmp_path, "r.txt", "Sorry !\none|[e1] two\n")

    result = anascore.score(TWO, response, repair=True, words="ignore")

    assert result.repairs == {}


def test_empty_lines_are_named_in_a_repair(tmp_path: Path) -> None:
    response = put(tmp_path, "r.txt", "one|[e1] two\n\nsix\n")

    result = anascore.score(TWO, response, repair=True)

    assert result.repairs == {"y": (Repair("preamble", str(response), 2, "this line is empty"),)}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("one|[e1]\nsix\nsomething|[e2] else\n", "3 documents", id="with mentions"),
        pytest.param("Hi !\none|[e1]\nsix\nno|[e2]\n", "4 documents", id="some with mentions"),
        pytest.param(
            "six|[e1] seven eight nine\none two three\n", "most with 'y'", id="the other order"
        ),
        pytest.param("no|[e1]\nnone|[e1]\nnothing|[e1]\n", "3 documents", id="other lines only"),
        pytest.param("Hi !\nno\nnothing\n", "3 documents", id="no mentions at all"),
    ],
)
def test_lines_that_cannot_be_repaired(tmp_path: Path, text: str, message: str) -> None:
    response = put(tmp_path, "r.txt", text)

    with pytest.raises(MismatchError, match=message) as error:
        anascore.score(TWO, response, response_format="llm-text", repair=True, missing="empty")

    assert "--repair" not in str(error.value)


def test_the_output_of_maverick_is_aligned_and_not_repaired(tmp_path: Path) -> None:
    outputs = [{**llm("x"), "clusters_token_text": []}, {**llm("y"), "clusters_token_text": []}]
    for output in outputs:
        del output["doc_id"]
    outputs[0]["tokens"] = ["more", "a", "b", "c"]
    key = two("a b c", "a b c")

    result = anascore.score(key, put(tmp_path, "r.json", json.dumps(outputs)), repair=True)

    assert result.repairs == {}
    assert "response: words inserted that are not in the key: 1" in result.notes


def test_a_corpus_that_was_read_with_repairs(tmp_path: Path) -> None:
    corpus = anascore.read(
        put(tmp_path, "r.txt", example_text().replace("She|[2]", "She|2]")), repair=True
    )

    result = anascore.score(KEY, corpus)

    assert result.signature.endswith("|repaired:1")


@pytest.mark.parametrize("name", ["llm-text", "llm-json"])
@pytest.mark.parametrize("mutate", SIMPLE_MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_damaged_files_are_scored_or_refused(tmp_path: Path, name: str, mutate: Mutation) -> None:
    rng = random.Random(1)
    path = tmp_path / "r"
    messages: list[str] = []
    for _ in range(20):
        content = written(tidy_corpus(), name)
        for _ in range(rng.randrange(1, 4)):
            content = mutate(content, rng)
        path.write_bytes(content)
        choices: dict[str, Any] = {"response_format": name, "missing": "empty", "repair": True}
        try:
            result = anascore.score(tidy_corpus(), path, **choices)
        except anascore.AnascoreError as error:
            messages.append(str(error))
        else:
            assert Result.from_json(result.to_json()) == result
    assert all(str(path) in message for message in messages)


PARAGRAPHS = """one|[e1] two|[e2=e3],[e3]
three|[e1] four

five|[e3]

six|[e1] seven
eight nine ten|[e1]
I hope this helps .
"""


def test_lines_of_one_document_are_joined(tmp_path: Path) -> None:
    response = read_repaired(tmp_path, PARAGRAPHS)

    paired = pair_documents(TWO, response, Settings(repair=True))

    first, second = paired.values()
    assert first
    assert second
    assert (first.words, spans(first)) == (
        TWO.documents["x"].words,
        {"e1": [(0, 1), (2, 3)], "e2": [(1, 2)], "e3": [(1, 2), (4, 5)]},
    )
    assert [entity.elements for entity in first.entities] == [(), (2,), ()]
    assert not any(first.notes.values())
    assert kinds(first.repairs) == ["paragraph", "preamble"]
    assert first.repairs[0].what == "this line and the next 2 are one document"
    assert spans(second) == {"e1": [(0, 1), (4, 5)]}
    assert kinds(second.repairs) == ["preamble", "paragraph", "preamble"]


LONG = two("I see this one . We hope you two helps me .", "I do . I see that six hope .")


def test_a_closing_sentence_has_words_of_long_documents(tmp_path: Path) -> None:
    text = "I|[e1] see this one . We hope you two helps me .\nI|[e1] do . I see that six hope .\n"
    response = put(tmp_path, "r.txt", f"{text}I hope this helps .\n")

    result = anascore.score(LONG, response, repair=True)

    (repair,) = result.repairs["y"]
    assert repair.what == "this line, 'I hope this helps .', is not of a document"
    with pytest.raises(MismatchError, match="it has 3 documents"):
        anascore.score(LONG, response)


@pytest.mark.parametrize(
    ("one", "two"),
    [
        ("one|[e1] two|[e2] three|[e3=e1+e2]", "one|[e1] two|[e2]\n\nthree|[e3=e1+e2]"),
        ("one|[e1 two|[e2] three|e1]", "one|[e1 two|[e2]\nthree|e1]"),
        ("one|[e1 two three|[e2],e1]", "```\none|[e1\ntwo\nthree|[e2],e1]\n```"),
        ("[one](#e1) two [three](#e2=e1)", "[one](#e1) two\n[three](#e2=e1)"),
        ("<e1>one two</e1> three", "<e1>one\ntwo</e1> three"),
    ],
)
def test_paragraphs_of_one_document_belong_together(tmp_path: Path, one: str, two: str) -> None:
    as_one, as_two = (
        pair_documents(
            TWO, read_repaired(tmp_path, f"{text} four five\nsix\n"), Settings(repair=True)
        )
        for text in (one, two)
    )

    assert as_one == as_two
    assert as_two["x"]
    assert {*kinds(as_two["x"].repairs)} <= {"paragraph", "preamble", "fence"}


def test_lines_are_not_joined_if_nothing_is_repaired_or_words_are_ignored(tmp_path: Path) -> None:
    response = read_repaired(tmp_path, PARAGRAPHS)

    for settings in (Settings(), Settings(repair=True, words="ignore")):
        with pytest.raises(MismatchError, match="it has 8 documents, identified by order only"):
            pair_documents(TWO, response, settings)


def test_lines_without_their_text_are_not_joined(tmp_path: Path) -> None:
    response = read_repaired(tmp_path, PARAGRAPHS)
    documents = {n: replace(d, raw_text="") for n, d in response.documents.items()}

    with pytest.raises(MismatchError, match="it has 8 documents"):
        pair_documents(TWO, replace(response, documents=documents), Settings(repair=True))
