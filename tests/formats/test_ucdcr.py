"""Reading uCDCR JSON: mentions of several documents, in chains across them."""

import json
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Document, MismatchError
from support.reading import all_refusals, put, refusal, spans
from support.resolvers import KEY, KEY_COREFUD, RESPONSE, corefud, ucdcr


def mention(chain: str = "C", *tokens: int, **fields: Any) -> dict[str, Any]:
    """Make a mention in a context of three words; fields that are None are left out."""
    values: dict[str, Any] = {
        "coref_chain": chain,
        "mention_context": ["a", "b", "c"],
        "context_start_end_global_id": [0, 2],
        "tokens_number_context": list(tokens or (0,)),
        "conll_doc_key": "t/s/d",
        **fields,
    }
    return {key: value for key, value in values.items() if value is not None}


def read(folder: Path, *mentions: dict[str, Any]) -> Document:
    corpus = anascore.read(put(folder, "f", json.dumps(mentions)))
    assert (corpus.format, corpus.unnamed) == ("ucdcr", True)
    (document,) = corpus.documents.values()
    return document


def test_mentions_of_a_chain_are_an_entity(tmp_path: Path) -> None:
    document = read(tmp_path, mention("C", 0), mention("D", 1, 2), mention("C", 2))

    assert document.words == ("a", "b", "c")
    assert [entity.name for entity in document.entities] == ["C", "D"]
    assert spans(document) == [[(0, 1), (2, 3)], [(1, 3)]]


def test_a_mention_can_have_gaps(tmp_path: Path) -> None:
    document = read(tmp_path, mention("C", 2, 0))

    assert spans(document) == [[(0, 1), (2, 3)]]
    assert len(document.entities[0].mentions) == 1


def test_contexts_are_parts_of_their_documents(tmp_path: Path) -> None:
    later = mention("C", 1, context_start_end_global_id=[2, 3], mention_context=["c", "d"])

    document = read(tmp_path, later, mention("C", 1))

    assert document.words == ("a", "b", "c", "d")
    assert spans(document) == [[(3, 4), (1, 2)]]


def test_words_between_contexts_are_unknown(tmp_path: Path) -> None:
    later = mention("C", 0, context_start_end_global_id=[100, 100], mention_context=["z"])

    document = read(tmp_path, later, mention("C", 1))

    assert document.words == ("a", "b", "c", "z")
    assert spans(document) == [[(3, 4), (1, 2)]]


def test_chains_cross_documents(tmp_path: Path) -> None:
    """The documents are joined in the order of their keys, whatever that of the mentions."""
    other = mention("C", 0, conll_doc_key="t/s/e", mention_context=["x", "y", "z"])

    for mentions in ([other, mention("C", 1)], [mention("C", 1), other]):
        document = read(tmp_path, *mentions)

        assert document.words == ("a", "b", "c", "x", "y", "z")
        assert sorted(*spans(document)) == [(1, 2), (3, 4)]


def test_links_across_documents_count(tmp_path: Path) -> None:
    def text(*chains: str) -> str:
        documents = (f"t/s/{number}" for number in range(len(chains)))
        return json.dumps(
            [mention(c, conll_doc_key=d) for c, d in zip(chains, documents, strict=True)]
        )

    key = put(tmp_path, "key", text("C", "C", "C", "D"))
    response = put(tmp_path, "response", text("x", "x", "y", "y"))

    result = anascore.score(key, response)

    assert tuple(result["muc"]) == (1 / 2, 1 / 2, 1 / 2)
    assert result["mentions"].f1 == 1


def test_the_order_of_mentions_does_not_matter(tmp_path: Path) -> None:
    mentions = json.loads(ucdcr(RESPONSE))
    key = put(tmp_path, "key", corefud(KEY_COREFUD))
    responses = [put(tmp_path, "f", json.dumps(m)) for m in (mentions, mentions[::-1])]

    first, second = (anascore.score(key, response).scores for response in responses)

    assert first == second


def test_entities_and_events_of_a_folder(tmp_path: Path) -> None:
    for name in ("entity_mentions", "event_mentions"):
        put(tmp_path, f"test/{name}.json", ucdcr(KEY))

    corpus = anascore.read(tmp_path / "test")

    assert list(corpus.documents) == ["entity_mentions", "event_mentions"]


def test_other_contexts_than_the_key(tmp_path: Path) -> None:
    key = put(tmp_path, "key", json.dumps([mention(), mention(conll_doc_key="t/s/e")]))
    response = put(tmp_path, "response", json.dumps([mention()]))

    with pytest.raises(MismatchError, match="ends before word 4, 'a' in the key"):
        anascore.score(key, response)


WORDS = "words of the context, counted from 0"


@pytest.mark.parametrize(
    ("fields", "path", "message"),
    [
        ({"coref_chain": None}, "", "a mention needs coref_chain"),
        (
            {"conll_doc_key": None, "mention_context": None},
            "",
            "a mention needs conll_doc_key, mention_context",
        ),
        ({"coref_chain": 1}, ".coref_chain", "1 is not a name in quotes"),
        ({"coref_chain": ""}, ".coref_chain", '"" is not a name in quotes'),
        (
            {"coref_chain": "\ud800"},
            ".coref_chain",
            "a text with half a character (a lone surrogate)",
        ),
        ({"conll_doc_key": []}, ".conll_doc_key", "[] is not a name in quotes"),
        ({"mention_context": "a"}, ".mention_context", '"a" is not a list of words'),
        ({"mention_context": ["a", 1, "c"]}, ".mention_context[1]", "1 is not a word in quotes"),
        (
            {"mention_context": ["a", "x", "c"]},
            ".mention_context[1]",
            '"x" is "b" in another context of \'t/s/d\'',
        ),
        (
            {"context_start_end_global_id": [0, 3]},
            ".context_start_end_global_id",
            "[0, 3] is not [first, last] of 3 words of the document, counted from 0",
        ),
        (
            {"context_start_end_global_id": [-1, 1]},
            ".context_start_end_global_id",
            "[-1, 1] is not [first, last] of 3 words of the document, counted from 0",
        ),
        (
            {"context_start_end_global_id": [0, 2.0]},
            ".context_start_end_global_id",
            "[0, 2.0] is not [first, last] of 3 words of the document, counted from 0",
        ),
        (
            {"context_start_end_global_id": 0},
            ".context_start_end_global_id",
            "0 is not [first, last] of 3 words of the document, counted from 0",
        ),
        (
            {"tokens_number_context": [0, 3]},
            ".tokens_number_context[1]",
            f"3 is not a position among 3 {WORDS}",
        ),
        (
            {"tokens_number_context": [-1]},
            ".tokens_number_context[0]",
            f"-1 is not a position among 3 {WORDS}",
        ),
        (
            {"tokens_number_context": [True]},
            ".tokens_number_context[0]",
            f"true is not a position among 3 {WORDS}",
        ),
        ({"tokens_number_context": []}, ".tokens_number_context", "a mention needs words"),
        (
            {"tokens_number_context": 1},
            ".tokens_number_context",
            "1 is not a list of positions in the context",
        ),
    ],
)
def test_errors_name_the_line_and_the_value(
    tmp_path: Path, fields: Any, path: str, message: str
) -> None:
    mentions = [json.dumps(mention()), json.dumps(mention(**fields))]
    file = put(tmp_path, "f", "[\n" + ",\n".join(mentions) + "]")

    assert refusal(file) == f":3: [1]{path}: {message}"
    assert all_refusals(file)[0] == f":3: [1]{path}: {message}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", ":1: {} is not a list of mentions"),
        ("[1]", ":1: [0]: 1 is not a mention {...}"),
        ("[", ":1: this is not JSON: Expecting value, at character 2 of the line"),
        ("[]", ": this file has no words when read as ucdcr"),
    ],
)
def test_files_that_are_something_else(tmp_path: Path, text: str, message: str) -> None:
    assert all_refusals(put(tmp_path, "f", text), "ucdcr") == [message]
