"""Stanza's CoNLL-U, with `coref_chains=` in MISC."""

from pathlib import Path

import pytest

import anascore
from anascore import Document, Mention
from support.reading import all_refusals, put, refusal
from support.tool_output import COREFUD_KEY, STANZA_KEY, STANZA_RESPONSE, Files, check_same_scores


def words(*chains: str) -> str:
    """Return a sentence whose words have these entries; an empty one stands for no attribute."""
    rows = (
        f"{number}\tw{number}" + "\t_" * 7 + f"\t{f'coref_chains={entries}' if entries else '_'}\n"
        for number, entries in enumerate(chains, 1)
    )
    return "".join(rows)


def document_of(path: Path) -> Document:
    (document,) = anascore.read(path).documents.values()
    return document


def spans(document: Document) -> dict[str, list[tuple[int, int]]]:
    return {e.name: [m.words[0] for m in e.mentions] for e in document.entities}


def test_a_file_is_read(tmp_path: Path) -> None:
    path = put(tmp_path, "f.conllu", STANZA_KEY)

    document = document_of(path)

    assert anascore.read(path).format == "stanza"
    assert (document.name, document.sentences) == ("story", (0, 7))
    assert spans(document) == {
        "id0": [(0, 1), (7, 8)],
        "id1": [(2, 3), (9, 10)],
        "id2": [(2, 6), (11, 12)],
        "id3": [(5, 6)],
    }


def test_scores_are_those_of_corefud(tmp_path: Path) -> None:
    check_same_scores(Files(STANZA_KEY), Files(STANZA_RESPONSE), tmp_path, "story.conllu")


@pytest.mark.parametrize(
    ("chains", "mentions"),
    [
        pytest.param(["start-id0", "middle-id0", "end-id0"], [(0, 3)], id="three words"),
        pytest.param(["start-id0", "end-id0,unit-id0"], [(0, 2), (1, 2)], id="nested"),
        pytest.param(
            ["start-id0", "middle-id0,start-id0", "end-id0,middle-id0", "end-id0"],
            [(0, 3), (1, 4)],
            id="crossing",
        ),
        pytest.param(
            ["start-id0", "middle-id0,start-id0", "middle-id0,end-id0", "end-id0"],
            [(1, 3), (0, 4)],
            id="nested, the outer first",
        ),
        pytest.param(
            ["start-id0", "start-id0,middle-id0", "end-id0,middle-id0", "end-id0"],
            [(1, 3), (0, 4)],
            id="nested, the inner first",
        ),
        pytest.param(["", "unit-repr-id0", ""], [(1, 2)], id="not at all words"),
    ],
)
def test_mentions_of_one_chain(
    tmp_path: Path, chains: list[str], mentions: list[tuple[int, int]]
) -> None:
    assert spans(document_of(put(tmp_path, "f", words(*chains)))) == {"id0": mentions}


def test_an_empty_node_is_a_zero(tmp_path: Path) -> None:
    text = words("unit-id0", "") + "2.1\t_" + "\t_" * 7 + "\tcoref_chains=unit-id0\n"

    document = document_of(put(tmp_path, "f", text))

    assert document.zeros == ((2, 1),)
    assert document.entities[0].mentions == (Mention(((0, 1),)), Mention((), ((2, 1),)))


def test_annotation_that_the_input_of_stanza_had_is_not_read(tmp_path: Path) -> None:
    text = COREFUD_KEY.replace("Entity=(e1)", "Entity=(e1)|coref_chains=unit-id0")

    assert list(spans(document_of(put(tmp_path, "f", text)))) == ["id0"]


def test_converted_files_have_the_new_annotation_alone(tmp_path: Path) -> None:
    corpus = anascore.read(put(tmp_path, "f", STANZA_KEY))

    anascore.write(corpus, tmp_path / "new.conllu")

    text = (tmp_path / "new.conllu").read_text()
    assert "coref_chains" not in text
    assert "start_char=0|end_char=3|ner=O|Entity=(id0--)" in text
    assert anascore.read(tmp_path / "new.conllu") == corpus


FORM = "is not of the form unit-id3, start-id3, middle-id3 or end-id3 (or unit-repr-id3 ...)"


@pytest.mark.parametrize(
    ("chains", "messages"),
    [
        (["unit-idx"], [f":1: 'unit-idx' in coref_chains=unit-idx {FORM}"]),
        (["id0"], [f":1: 'id0' in coref_chains=id0 {FORM}"]),
        (["unit-id0,"], [f":1: '' in coref_chains=unit-id0, {FORM}"]),
        (["", "end-id0"], [":2: end-id0, but no mention of id0 is open; start-id0 comes first"]),
        (["middle-id7"], [":1: middle-id7, but no mention of id7 is open; start-id7 comes first"]),
        (
            ["start-id0", "start-id1", "end-id1"],
            [":1: a mention of id0 starts here and never ends; end-id0 is missing"],
        ),
        (
            ["start-id0", "unit-id0", "end-id0"],
            [
                ":2: the mention of id0 from line 1 does not go on here; "
                "middle-id0 or end-id0 is missing",
                ":3: end-id0, but no mention of id0 is open; start-id0 comes first",
            ],
        ),
        (
            ["start-id0", "", "end-id0"],
            [
                ":3: end-id0 continues the mention that starts on line 1, "
                "but words between do not have id0"
            ],
        ),
        (
            ["start-id0", "start-id0,end-id0"],
            [":2: a mention of id0 starts here and never ends; end-id0 is missing"],
        ),
    ],
)
def test_what_is_wrong(tmp_path: Path, chains: list[str], messages: list[str]) -> None:
    path = put(tmp_path, "f", words(*chains))

    assert refusal(path, "stanza") == messages[0]
    assert all_refusals(path, "stanza") == messages


def test_a_zero_is_no_part_of_a_mention(tmp_path: Path) -> None:
    text = words("start-id0") + "1.1\t_" + "\t_" * 7 + "\tcoref_chains=middle-id0\n"
    path = put(tmp_path, "f", text)

    assert refusal(path) == (
        ":2: the empty node is a part of a longer mention of id0; it can only be unit-id0"
    )


@pytest.mark.parametrize(("column", "name"), [(4, "XPOS"), (5, "FEATS"), (8, "DEPS")])
def test_annotation_in_a_column_of_grammar(tmp_path: Path, column: int, name: str) -> None:
    row = ["2", "w2", *"_" * 8]
    row[column] = "coref_chains=unit-id0"
    path = put(tmp_path, "f", words("unit-id0") + "\t".join(row) + "\n")

    assert all_refusals(path, "stanza") == [
        f":2: 'coref_chains=unit-id0' is in column {name}, where coreference is not read; "
        "it belongs in MISC"
    ]
