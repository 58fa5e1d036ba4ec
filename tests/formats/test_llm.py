"""Reading the text and JSON formats of language models."""

import json
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Corpus, Mention
from anascore.corpus.validate import validate
from anascore.formats.llm_text import DAMAGED_TAGS
from anascore.formats.writing import to_text
from support.reading import all_refusals, put, refusal


def read_text(folder: Path, text: str) -> Corpus:
    return anascore.read(put(folder, "test.txt", text), "llm-text")


def read_json(folder: Path, *documents: Any) -> Corpus:
    return anascore.read(put(folder, "test.json", json.dumps(documents)), "llm-json")


def mentions(corpus: Corpus) -> list[dict[str, list[Mention]]]:
    """Return the mentions of each entity of each document, in the order of the text."""
    return [
        {
            entity.name: sorted(entity.mentions, key=lambda mention: mention.order)
            for entity in document.entities
        }
        for document in corpus.documents.values()
    ]


def words(*spans: tuple[int, int]) -> Mention:
    return Mention(spans)


@pytest.mark.parametrize(
    ("text", "expected_words", "expected"),
    [
        pytest.param("a b c", "a b c", {}, id="no mentions"),
        pytest.param("a|[e1] b", "a b", {"e1": [words((0, 1))]}, id="one word"),
        pytest.param("a|[e1 b c|e1]", "a b c", {"e1": [words((0, 3))]}, id="three words"),
        pytest.param(
            "RCD|[e1 Espanyol|[e2],e1] won",
            "RCD Espanyol won",
            {"e1": [words((0, 2))], "e2": [words((1, 2))]},
            id="nested at the last word",
        ),
        pytest.param(
            "a|[e1,[e2] b|e1]",
            "a b",
            {"e1": [words((0, 2))], "e2": [words((0, 1))]},
            id="nested at the first word",
        ),
        pytest.param(
            "a|[e1 b|e1],[e2 c|e2]",
            "a b c",
            {"e1": [words((0, 2))], "e2": [words((1, 3))]},
            id="closing and opening",
        ),
        pytest.param(
            "a|[e1 b|[e2 c|e1] d|e2]",
            "a b c d",
            {"e1": [words((0, 3))], "e2": [words((1, 4))]},
            id="crossing",
        ),
        pytest.param(
            "a|[e1 b|[e1 c|e1] d|e1] e|[e1]",
            "a b c d e",
            {"e1": [words((0, 4)), words((1, 3)), words((4, 5))]},
            id="nested in the same entity",
        ),
        pytest.param("a|[x_7-y]", "a", {"x_7-y": [words((0, 1))]}, id="another id"),
        pytest.param("a|b|[e1]", "a|b", {"e1": [words((0, 1))]}, id="a bar in a word"),
        pytest.param("||[e1] | a|b", "| | a|b", {"e1": [words((0, 1))]}, id="a bar as a word"),
        pytest.param("[ ] , [e1] e1]", "[ ] , [e1] e1]", {}, id="brackets that are words"),
        pytest.param("[|[e1]", "[", {"e1": [words((0, 1))]}, id="a bracket in a mention"),
        pytest.param(
            "New_York|[e1]", "New_York", {"e1": [words((0, 1))]}, id="a form with a blank"
        ),
        pytest.param("  a|[e1]   b ", "a b", {"e1": [words((0, 1))]}, id="several blanks"),
    ],
)
def test_text(
    tmp_path: Path, text: str, expected_words: str, expected: dict[str, list[Mention]]
) -> None:
    corpus = read_text(tmp_path, text + "\n")

    assert [" ".join(document.words) for document in corpus.documents.values()] == [expected_words]
    assert mentions(corpus) == [expected]


@pytest.mark.parametrize("character", ["\xa0", "\u2028", "\u3000", "\u202f"])
def test_only_blanks_separate_words(tmp_path: Path, character: str) -> None:
    corpus = read_text(tmp_path, f"10{character}000|[e1] a\n")

    (document,) = corpus.documents.values()
    assert document.words == (f"10{character}000", "a")
    assert mentions(corpus) == [{"e1": [words((0, 1))]}]


ZERO_CASES = [
    pytest.param([(1, 1)], Mention((), ((1, 1),)), id="alone"),
    pytest.param([(0, 2)], Mention(((0, 2),), ((1, 1),)), id="inside"),
    pytest.param([(1, 2)], Mention(((1, 2),), ((1, 1),)), id="first"),
    pytest.param([(0, 1)], Mention(((0, 1),), ((1, 1),)), id="last"),
]


@pytest.mark.parametrize(("spans", "expected"), ZERO_CASES)
@pytest.mark.parametrize("zero", ["##", "##_", "##él"])
def test_zeros_in_text(
    tmp_path: Path, zero: str, spans: list[tuple[int, int]], expected: Mention
) -> None:
    tokens = ["dijo", zero, "vino"]
    ((first, last),) = spans
    if first == last:
        tokens[first] += "|[e1]"
    else:
        tokens[first] += "|[e1"
        tokens[last] += "|e1]"

    corpus = read_text(tmp_path, " ".join(tokens) + "\n")

    (document,) = corpus.documents.values()
    assert (document.words, list(document.zeros)) == (("dijo", "vino"), [(1, 1)])
    assert mentions(corpus) == [{"e1": [expected]}]


@pytest.mark.parametrize(("spans", "expected"), ZERO_CASES)
def test_zeros_in_json(tmp_path: Path, spans: list[tuple[int, int]], expected: Mention) -> None:
    corpus = read_json(
        tmp_path, {"tokens": ["dijo", "##_", "vino"], "clusters_token_offsets": [spans]}
    )

    (document,) = corpus.documents.values()
    assert (document.words, list(document.zeros)) == (("dijo", "vino"), [(1, 1)])
    assert mentions(corpus) == [{"0": [expected]}]


def test_several_zeros_in_one_place_have_ranks(tmp_path: Path) -> None:
    corpus = read_text(tmp_path, "##a ##b|[e1] x ##c|[e1]\n")

    (document,) = corpus.documents.values()
    assert list(document.zeros) == [(0, 1), (0, 2), (1, 1)]
    assert mentions(corpus) == [{"e1": [Mention((), ((0, 2),)), Mention((), ((1, 1),))]}]


def test_each_line_of_text_is_a_document_with_entities_of_its_own(tmp_path: Path) -> None:
    corpus = read_text(tmp_path, "a|[e1]\n\nb|[e1] c|[e1]\n")

    assert [document.words for document in corpus.documents.values()] == [("a",), (), ("b", "c")]
    assert mentions(corpus) == [
        {"e1": [words((0, 1))]},
        {},
        {"e1": [words((0, 1)), words((1, 2))]},
    ]
    assert [document.line for document in corpus.documents.values()] == [1, 2, 3]
    assert corpus.unnamed


@pytest.mark.parametrize(
    ("clusters", "expected"),
    [
        pytest.param([], {}, id="none"),
        pytest.param([[[0, 0]]], {"0": [words((0, 1))]}, id="one word"),
        pytest.param(
            [[[0, 2], [1, 1]], [[2, 3]]],
            {"0": [words((0, 3)), words((1, 2))], "1": [words((2, 4))]},
            id="nested and crossing",
        ),
    ],
)
def test_json(tmp_path: Path, clusters: Any, expected: dict[str, list[Mention]]) -> None:
    corpus = read_json(
        tmp_path, {"doc_id": "x", "tokens": list("abcd"), "clusters_token_offsets": clusters}
    )

    assert list(corpus.documents) == ["x"]
    assert mentions(corpus) == [expected]
    assert not corpus.unnamed


def test_documents_of_json_are_in_the_order_of_the_file_and_may_lack_names(tmp_path: Path) -> None:
    nothing: dict[str, Any] = {"tokens": ["a"], "clusters_token_offsets": []}

    corpus = read_json(tmp_path, {"doc_id": "z", **nothing}, nothing, nothing)

    assert list(corpus.documents) == ["z", "unnamed", "unnamed-2"]


def test_one_document_of_json_need_not_be_in_a_list(tmp_path: Path) -> None:
    text = json.dumps({"doc_id": "x", "tokens": ["a"], "clusters_token_offsets": [[[0, 0]]]})

    assert list(anascore.read(put(tmp_path, "test.json", text)).documents) == ["x"]


def test_words_of_both_may_differ_from_the_key(tmp_path: Path) -> None:
    nothing = {"tokens": ["a"], "clusters_token_offsets": []}

    assert all(d.rewritten for d in read_text(tmp_path, "a|[e1]\n").documents.values())
    assert all(d.rewritten for d in read_json(tmp_path, nothing).documents.values())


NONE_OF = "is not one of '[e1', 'e1]' and '[e1]', joined by commas"

BAD_TEXTS: dict[str, tuple[str, str]] = {
    "unclosed": (
        "a b|[e1 c\n",
        ":1: word 2, 'b': a mention of e1 is opened here and never closed; 'e1]' is missing",
    ),
    "unclosed at the end of its line": (
        "x|[e1]\na|[e1\nb|e1]\n",
        ":2: word 1, 'a': a mention of e1 is opened here and never closed; 'e1]' is missing",
    ),
    "closes nothing": (
        "a b|e1]\n",
        ":1: word 2, 'b|e1]': 'e1]' closes no mention; open here: nothing",
    ),
    "closes another": (
        "a|[e3,[e2 b|e1] c|e2],e3]\n",
        ":1: word 2, 'b|e1]': 'e1]' closes no mention; open here: e3, e2",
    ),
    "closes twice": (
        "a|[e1 b|e1],e1]\n",
        ":1: word 2, 'b|e1],e1]': 'e1]' closes no mention; open here: nothing",
    ),
    "no id": ("x|[e1] a|[]\n", f":1: word 2, 'a|[]': '[]' {NONE_OF}"),
    "a bracket alone": ("x|[e1] a|[\n", f":1: word 2, 'a|[': '[' {NONE_OF}"),
    "a comma too much": ("x|[e1] a|[e1],\n", f":1: word 2, 'a|[e1],': '[e1],' {NONE_OF}"),
    "two commas": ("x|[e1] a|[e1],,[e2]\n", f":1: word 2, 'a|[e1],,[e2]': '[e1],,[e2]' {NONE_OF}"),
    "no comma": ("x|[e1] a|[e1][e2]\n", ":1: the tags '|[e1][e2]' must be written '|[e1],[e2]'"),
    "a bar between tags": (
        "x|[e1] a|[e1]|[e2]\n",
        ":1: the tags '|[e1]|[e2]' must be written '|[e1],[e2]'",
    ),
    "blanks around tags": (
        "x|[e1]\na |[e1], [e2]\n",
        ":2: the tags ' |[e1], [e2]' must be written '|[e1],[e2]'",
    ),
    "no word before a tag": (
        "x|[e1]\n|[e1] a\n",
        ":2: word 1, '|[e1]': there is no word before this tag",
    ),
    "one without bracket": ("x|[e1] a|[e1],e2\n", f":1: word 2, 'a|[e1],e2': '[e1],e2' {NONE_OF}"),
    "no words": ("##_|[e1]\n", ": this file has no words when read as llm-text"),
}


@pytest.mark.parametrize("case", BAD_TEXTS)
def test_bad_text(tmp_path: Path, case: str) -> None:
    text, expected = BAD_TEXTS[case]
    path = put(tmp_path, "bad.txt", text)

    assert refusal(path, "llm-text") == expected
    assert expected in all_refusals(path, "llm-text")


def test_all_that_is_wrong_in_a_text_is_found(tmp_path: Path) -> None:
    path = put(tmp_path, "bad.txt", "a|e1] b|[] c|[e2\nd|e2]\n")

    assert all_refusals(path) == [
        ":1: word 1, 'a|e1]': 'e1]' closes no mention; open here: nothing",
        f":1: word 2, 'b|[]': '[]' {NONE_OF}",
        ":1: word 3, 'c': a mention of e2 is opened here and never closed; 'e2]' is missing",
        ":2: word 1, 'd|e2]': 'e2]' closes no mention; open here: nothing",
    ]


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("a|[e1] b[e3] c", 1),
        ("a|[e1] b[e1] c", 1),
        ("a|[e1] b|e3 c", 1),
        ("a|[e1] b[e3|[e2] c", 1),
        ("a|[e1] b[e3,e2] c|e2", 2),
        ("a|[e1] ##|[e2]| c", 1),
        ("a|[e1] ##[e2] c", 1),
        ("a|[e1] ##|(e2) b|{e2} c|(e2", 3),
        ("a|[e1] b|(x) c|() d|(", 0),
        ("a|[Ann] b[Ann] c[Bob]", 1),
        ("a|[e1] b[0] [12] c|x | || [ ] [CLS] e1 e1]", 0),
        ("a|[1] b[2] c|3", 0),
        ("a b[e3] c", 0),
    ],
)
def test_tags_that_lost_a_sign(tmp_path: Path, text: str, number: int) -> None:
    path = put(tmp_path, "f.txt", f"x|[e1]\n{text}\n")

    (result,) = validate(str(path), "llm-text")

    assert [(problem.line, problem.what) for problem in result.problems] == (
        [(2, f"{DAMAGED_TAGS}: {number}")] if number else []
    )
    notes = [d.notes for d in anascore.read(path, "llm-text").documents.values()]
    assert notes == [{}, {DAMAGED_TAGS: number} if number else {}]


def document(**fields: Any) -> dict[str, Any]:
    """Make a document of three words; fields are added, or left out if they are None."""
    values = {"doc_id": "d", "tokens": list("abc"), "clusters_token_offsets": [], **fields}
    return {key: value for key, value in values.items() if value is not None}


def offsets(value: Any) -> str:
    return json.dumps([document(clusters_token_offsets=value)])


def not_a_span(value: str) -> str:
    end = "is not a span [first and last position] among 3, counted from 0"
    return f":1: [0].clusters_token_offsets[0][0]: {value} {end}"


OUT_OF_RANGE = not_a_span("[2, 3]").replace(
    " among 3, counted from 0",
    "; the document has 3 words, so positions go from 0 to 2; if your ends are exclusive, subtract "
    "1 from each",
)


HALF = "a text with half a character (a lone surrogate)"

BAD_JSON: dict[str, tuple[str, str]] = {
    "not JSON": (
        '[{"tokens": ["a"], "clusters_token_offsets":\n]',
        ":2: this is not JSON: Expecting value, at character 1 of the line",
    ),
    "a colon in a list": (
        '[{"clusters_token_offsets": [], "tokens": ["a": "b",\n"c"]}]',
        ":1: this is not JSON: Expecting ',' delimiter, at character 47 of the line",
    ),
    "no tokens": (json.dumps([document(tokens=None)]), ":1: [0]: a document needs tokens"),
    "no offsets": (
        json.dumps([document(), document(doc_id="e", clusters_token_offsets=None)]),
        ":1: [1]: a document needs clusters_token_offsets",
    ),
    "an empty document": (json.dumps([document(), {}]), ":1: [1]: a document needs tokens"),
    "a list in the list": (json.dumps([document(), []]), ":1: [1]: [] is not a document {...}"),
    "tokens of text": (
        json.dumps([document(tokens="a b")]),
        ':1: [0].tokens: "a b" is not a list of words',
    ),
    "a number as a word": (
        json.dumps([document(tokens=["a", 1])]),
        ":1: [0].tokens[1]: 1 is not a word in quotes",
    ),
    "half a character": (json.dumps([document(tokens=["\ud800"])]), f":1: [0].tokens: {HALF}"),
    "half a character in a name": (
        json.dumps([document(doc_id="\ud800")]),
        f":1: [0].doc_id: {HALF}",
    ),
    "a number as a name": (
        json.dumps([document(doc_id=7)]),
        ":1: [0].doc_id: 7 is not a name in quotes",
    ),
    "offsets that are no list": (
        offsets({}),
        ":1: [0].clusters_token_offsets: {} is not a list of entities",
    ),
    "an entity that is no list": (
        offsets([7]),
        ":1: [0].clusters_token_offsets[0]: 7 is not a list of spans",
    ),
    "out of range": (offsets([[[2, 3]]]), OUT_OF_RANGE),
    "negative": (offsets([[[-1, 0]]]), not_a_span("[-1, 0]")),
    "backwards": (offsets([[[1, 0]]]), not_a_span("[1, 0]")),
    "booleans": (offsets([[[False, True]]]), not_a_span("[false, true]")),
    "one number": (offsets([[[0]]]), not_a_span("[0]")),
    "three numbers": (offsets([[[0, 1, 2]]]), not_a_span("[0, 1, 2]")),
    "no spans": (offsets([[0, 1]]), not_a_span("0")),
    "a document twice": (
        json.dumps([document(), document()]),
        ":1: duplicate document id 'd'; line 1 has it too",
    ),
    "no words": (
        json.dumps([document(tokens=[])]),
        ": this file has no words when read as llm-json",
    ),
}


@pytest.mark.parametrize("case", BAD_JSON)
def test_bad_json(tmp_path: Path, case: str) -> None:
    text, expected = BAD_JSON[case]
    path = put(tmp_path, "bad.json", text)

    assert refusal(path) == expected
    assert expected in all_refusals(path)


def test_messages_name_the_line_of_what_is_wrong(tmp_path: Path) -> None:
    text = json.dumps([document(), document(doc_id="e", tokens=[1])], indent=1)

    line = text.splitlines().index("   1") + 1

    assert refusal(put(tmp_path, "bad.json", text)).startswith(f":{line}: [1].tokens[0]: ")


@pytest.mark.parametrize("field", ["doc_id", "tokens", "clusters_token_offsets"])
def test_messages_name_the_line_of_a_member(tmp_path: Path, field: str) -> None:
    text = json.dumps([document(), document(**{"doc_id": "e", field: 5})], indent=1)

    lines = [line.strip(" ,") for line in text.splitlines()]
    line = lines.index(f'"{field}": 5') + 1

    assert refusal(put(tmp_path, "bad.json", text)).startswith(f":{line}: [1].{field}: 5 ")


def test_a_text_that_is_not_json_is_refused_once(tmp_path: Path) -> None:
    path = put(tmp_path, "bad.json", '\n[\n{"tokens": ["a"],\n"clusters_token_offsets"}]\n')

    assert [message[:3] for message in all_refusals(path)] == [":4:"]


@pytest.mark.parametrize("depths", [range(3, 10), range(850, 1000), [5000, 200_000]])
def test_deep_nesting_is_refused(tmp_path: Path, depths: list[int]) -> None:
    for depth in depths:
        deep = "[" * depth + "]" * depth
        text = f'[{{"tokens": ["a"], "clusters_token_offsets": [{deep}]}}]'

        assert refusal(put(tmp_path, "bad.json", text)).startswith(":1: ")


@pytest.mark.parametrize(
    ("text", "elements"),
    [
        pytest.param("a|[e1] b|[e2] c|[e3=e1+e2]", {"e3": {"e1", "e2"}}, id="one word"),
        pytest.param("a|[e1] b|[e2=e1 c|e2]", {"e2": {"e1"}}, id="two words"),
        pytest.param("c|[e2=e1] a|[e1]", {"e2": {"e1"}}, id="before its element"),
        pytest.param(
            "a|[e1] b|[e2] c|[e3=e1],[e4] d|[e3=e2]", {"e3": {"e1", "e2"}}, id="named in two places"
        ),
        pytest.param("a|[e1] b|[e2=e1] c|[e3=e2]", {"e2": {"e1"}, "e3": {"e2"}}, id="nested"),
        pytest.param("[a](#e1) [b](#e2) [c](#e3=e1+e2)", {"e3": {"e1", "e2"}}, id="Markdown"),
        pytest.param("<e1>a</e1> <e2=e1>b c</e2>", {"e2": {"e1"}}, id="XML"),
    ],
)
def test_elements_are_named_in_opening_tags(
    tmp_path: Path, text: str, elements: dict[str, set[str]]
) -> None:
    (document,) = read_text(tmp_path, f"{text}\n").documents.values()

    names = [entity.name for entity in document.entities]
    sets = {e.name: {names[n] for n in e.elements} for e in document.entities if e.elements}
    assert sets == elements


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a|[e1=e9]", "[e1=e9]: document 'unnamed' has no entity e9; an element and its set need "),
        ("a|[e1=e1]", "an entity cannot be an element of itself: e1 is an element of e1"),
        ("x|[e1] a|[e2=]", f"word 2, 'a|[e2=]': '[e2=]' {NONE_OF}"),
        ("x|[e1] a|[e2=e1+]", f"word 2, 'a|[e2=e1+]': '[e2=e1+]' {NONE_OF}"),
        ("x|[e1] a|e1=e2]", f"word 2, 'a|e1=e2]': 'e1=e2]' {NONE_OF}"),
    ],
)
def test_bad_elements(tmp_path: Path, text: str, message: str) -> None:
    assert refusal(put(tmp_path, "a.txt", text), "llm-text").startswith(f":1: {message}")


def test_split_antecedents_of_json(tmp_path: Path) -> None:
    corpus = read_json(
        tmp_path,
        {
            "tokens": ["a", "##", "b", "c"],
            "clusters_token_offsets": [[[0, 0]], [[1, 1]], [[2, 3]]],
            "split_antecedents": [[[2, 3], [0, 0]], [[2, 3], [1, 1]]],
        },
    )

    (document,) = corpus.documents.values()
    assert [tuple(entity.elements) for entity in document.entities] == [(), (), (0, 1)]
    assert document.notes == {}
    text, lost = to_text(corpus, "llm-json")
    assert not lost
    assert json.loads(text)[0]["split_antecedents"] == [[[2, 3], [0, 0]], [[2, 3], [1, 1]]]


def test_split_antecedents_in_no_cluster_are_noted(tmp_path: Path) -> None:
    corpus = read_json(
        tmp_path,
        {
            "tokens": ["a", "b"],
            "clusters_token_offsets": [[[1, 1]]],
            "split_antecedents": [[[1, 1], [0, 0]]],
        },
    )

    (document,) = corpus.documents.values()
    note = "mentions of split antecedents in no cluster, read as entities of their own"
    assert document.notes == {note: 1}
    assert len(document.entities) == 2


@pytest.mark.parametrize(
    ("text", "expected_words", "expected"),
    [
        pytest.param("[a b](#e1) c", "a b c", {"e1": [words((0, 2))]}, id="Markdown"),
        pytest.param(
            "[[a](#e1)'s b](#e2)",
            "a 's b",
            {"e1": [words((0, 1))], "e2": [words((0, 3))]},
            id="Markdown, nested",
        ),
        pytest.param(
            "x [sic] [a](#e1) \\[b] [ c ] \\ d [",
            "x [sic] a [b] [ c ] \\ d [",
            {"e1": [words((2, 3))]},
            id="Markdown, other brackets",
        ),
        pytest.param("<e1>a b</e1> c", "a b c", {"e1": [words((0, 2))]}, id="XML"),
        pytest.param(
            "<e1>a <e2>b</e1>c</e2>.",
            "a b c .",
            {"e1": [words((0, 2))], "e2": [words((1, 3))]},
            id="XML, crossing",
        ),
        pytest.param(
            "<b>x</b> <3 < <e1>a</e1> a<b",
            "<b>x</b> <3 < a a<b",
            {"e1": [words((3, 4))]},
            id="XML, other tags",
        ),
        pytest.param(
            "a|[e1] [b](#e2) <e3>c</e3>",
            "a [b](#e2) <e3>c</e3>",
            {"e1": [words((0, 1))]},
            id="brackets come first",
        ),
    ],
)
def test_other_notations(
    tmp_path: Path, text: str, expected_words: str, expected: dict[str, list[Mention]]
) -> None:
    path = put(tmp_path, "a.txt", f"{text}\n")

    corpus = anascore.read(path)

    assert corpus.format == "llm-text"
    assert [" ".join(document.words) for document in corpus.documents.values()] == [expected_words]
    assert mentions(corpus) == [expected]


def test_zeros_in_other_notations(tmp_path: Path) -> None:
    corpus = read_text(tmp_path, "vino [##](#e1) . ##él\n")

    (document,) = corpus.documents.values()
    assert list(document.zeros) == [(1, 1), (2, 1)]
    assert mentions(corpus) == [{"e1": [Mention((), ((1, 1),))]}]


@pytest.mark.parametrize(
    "text", ["<e1" * 50_000, "<" + "1" * 100_000, "[" * 100_000, "](#e" * 50_000]
)
def test_other_notations_are_read_in_time(tmp_path: Path, text: str) -> None:
    path = put(tmp_path, "a.txt", f"<e1>a</e1> {text}\n[a](#e1) {text}\n")

    assert all_refusals(path, "llm-text") is not None


@pytest.mark.parametrize(
    "text",
    [
        "w|[e1" + ",[e2 ]" * 50_000,
        "w|[e1 " * 100_000,
        "w|[e1] " + "[e2] " * 50_000 + "[3]",
        "w|[3] " + "|[e2 [4" * 50_000,
        "w|" + "[ " * 100_000,
        "w|[e1" + " " * 100_000 + "]",
    ],
)
def test_blanks_in_tags_are_read_in_time(tmp_path: Path, text: str) -> None:
    path = put(tmp_path, "a.txt", f"a|[e1] {text}\n")

    assert all_refusals(path, "llm-text") is not None
