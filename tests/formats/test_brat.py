"""brat standoff: `.ann` files with offsets into the `.txt` files beside them."""

from pathlib import Path

import pytest

import anascore
from anascore import Document
from anascore.corpus.validate import validate
from anascore.formats.brat import OTHER_RELATIONS, REVERSED_LINKS
from anascore.model.mention import Span
from support.reading import all_refusals, put, refusal
from support.tool_output import (
    BRAT_KEY,
    BRAT_LINKS,
    BRAT_MENTIONS,
    BRAT_RESPONSE,
    BRAT_TEXT,
    Files,
    check_same_scores,
)

TEXT = "Ann met José Díaz\nand 𝒜 .\n"
ANN = "T1\tPerson 0 3\tAnn\n"
AND = "T2\tWord 18 21\tand\n"


def put_lines(folder: Path, lines: str, text: str = TEXT) -> Path:
    return Files(lines, ".txt", text).put(folder, "d.ann")


def document_of(path: Path) -> Document:
    (document,) = anascore.read(path).documents.values()
    return document


def texts(document: Document) -> list[list[str]]:
    """Return the texts of the mentions of each entity."""
    return [[document.text_of(mention) for mention in e.mentions] for e in document.entities]


def spans(document: Document) -> list[tuple[Span, ...]]:
    """Return the spans of all mentions."""
    return [mention.words for entity in document.entities for mention in entity.mentions]


STORY = [["Ann", "She"], ["Bob", "him"], ["Bob's old dog", "it"], ["dog"]]


@pytest.mark.parametrize("links", BRAT_LINKS)
def test_entities_in_all_ways(tmp_path: Path, links: str) -> None:
    path = put_lines(tmp_path, BRAT_MENTIONS + BRAT_LINKS[links], BRAT_TEXT)

    document = document_of(path)

    assert (anascore.read(path).format, document.name) == ("brat", "d")
    assert (document.in_characters, document.words) == (True, BRAT_TEXT)
    assert texts(document) == STORY
    assert document.entities[2].attributes == ({"etype": "Animal"}, {"etype": "Animal"})


def test_entities_have_the_names_of_the_file(tmp_path: Path) -> None:
    names = {
        links: [
            entity.name
            for entity in document_of(
                put_lines(tmp_path, BRAT_MENTIONS + BRAT_LINKS[links], BRAT_TEXT)
            ).entities
        ]
        for links in ("relations", "notes", "types")
    }

    assert names == {
        "relations": ["T5", "T6", "T7", "T4"],
        "notes": ["a", "b", "c", "T4"],
        "types": ["Ann-0", "Bob-1", "Bob_s_dog-2", "T4"],
    }


def test_scores_are_those_of_corefud(tmp_path: Path) -> None:
    key, response = (Files(text, ".txt", BRAT_TEXT) for text in (BRAT_KEY, BRAT_RESPONSE))

    check_same_scores(key, response, tmp_path, "story.ann")


def test_offsets_are_characters_and_parts_on_two_lines_are_one(tmp_path: Path) -> None:
    lines = "T1\tX 8 17;18 21\tJosé Díaz and\nT2\tX 0 3;22 23\tAnn 𝒜\nT3\tX 16 22\tz and \n"

    document = document_of(put_lines(tmp_path, lines))

    assert spans(document) == [
        ((8, 21),),
        ((0, 3), (22, 23)),
        ((16, 21),),
    ]


@pytest.mark.parametrize("shift", [0, 1])
def test_crlf_is_one_character_or_two(tmp_path: Path, shift: int) -> None:
    lines = f"{ANN}T2\tWord {18 + shift} {21 + shift}\tand\n"
    path = put_lines(tmp_path, lines, TEXT.replace("\n", "\r\n"))

    document = document_of(path)

    assert (document.words, spans(document)) == (TEXT, [((0, 3),), ((18, 21),)])


def test_crlf_and_another_text(tmp_path: Path) -> None:
    path = put_lines(tmp_path, "T1\tWord 20 23\tand\n", TEXT.replace("\n", "\r\n"))

    expected = f":1: the text of T1 is 'and', but at 20 {tmp_path / 'd.txt'} has 'd 𝒜'"
    assert all_refusals(path) == [expected]


@pytest.mark.parametrize("text", ["Ann and", "Annand"])
def test_the_text_of_parts_with_or_without_a_blank(tmp_path: Path, text: str) -> None:
    document = document_of(put_lines(tmp_path, f"T1\tX 0 3;18 21\t{text}\n"))

    assert spans(document) == [((0, 3), (18, 21))]


@pytest.mark.parametrize(
    ("lines", "entities"),
    [
        pytest.param(
            "#1\tAnnotatorNotes T2\tT1\n", [["Ann", "and"], ["met"]], id="a note with a label"
        ),
        pytest.param(
            "*\tEquiv T1 T2\n#1\tAnnotatorNotes T1\tsure?\n#2\tAnnotatorNotes T3\tsure?\n",
            [["Ann", "and"], ["met"]],
            id="notes that are comments",
        ),
        pytest.param(
            "#1\tLemma T1\tx\n#2\tLemma T2\tx\n", [["Ann"], ["and"], ["met"]], id="lemmas"
        ),
        pytest.param(
            "#1\tCoref T1\tx\n#2\tCoref T2\tx\n*\tEquiv T2 T3\n", [["Ann", "and", "met"]], id="both"
        ),
        pytest.param(
            "A1\tEntity_Type T1 x\nM1\tNegated T2\n", [["Ann"], ["and"], ["met"]], id="other"
        ),
        pytest.param(
            "A1\tCoref R1 x\n#1\tAnnotatorNotes R1\tx\n", [["Ann"], ["and"], ["met"]], id="R"
        ),
        pytest.param("#1\tAnnotatorNotes T1\n", [["Ann"], ["and"], ["met"]], id="an empty note"),
        pytest.param(
            "E1\tMeet:T1 Theme:T2\nE2\tMeet:T3\nR1\tCoref Arg1:E1 Arg2:E2\n",
            [["Ann", "met"], ["and"]],
            id="events",
        ),
        pytest.param("N1\tReference T1 Wikipedia:1\tAnn\n", [["Ann"], ["and"], ["met"]], id="N"),
        pytest.param("R1\tCoref Arg1:T1 Arg2:T1\n", [["Ann"], ["and"], ["met"]], id="itself"),
        pytest.param("R1\tSplit Arg1:T1 Arg2:T1\n", [["Ann"], ["and"], ["met"]], id="own element"),
        pytest.param(
            "*\tEquiv T1 T2\n*\tEquiv T3 T2\n*\tEquiv T1 T3\n",
            [["Ann", "and", "met"]],
            id="a circle",
        ),
    ],
)
def test_links(tmp_path: Path, lines: str, entities: list[list[str]]) -> None:
    path = put_lines(tmp_path, ANN + AND + "T3\tX 4 7\tmet\n" + lines)

    assert sorted(map(sorted, texts(document_of(path)))) == sorted(map(sorted, entities))


def test_a_type_that_looks_like_a_name_is_a_type(tmp_path: Path) -> None:
    path = put_lines(tmp_path, "T1\tType-1 0 3\tAnn\nT2\tType-1 18 21\tand\n")

    assert texts(document_of(path)) == [["Ann"], ["and"]]


def test_two_names_at_one_place(tmp_path: Path) -> None:
    lines = ANN + AND + "T3\ta-0 0 3\tAnn\nT4\tb-1 0 3\tAnn\nT5\tb-1 18 21\tand\n"

    document = document_of(put_lines(tmp_path, lines))

    assert [(e.name, len(e.mentions)) for e in document.entities] == [("a-0", 1), ("b-1", 2)]


def test_other_relations_are_noted(tmp_path: Path) -> None:
    path = put_lines(tmp_path, f"{ANN}{AND}R1\tPartOf Arg1:T1 Arg2:T2\n")

    assert document_of(path).notes == {OTHER_RELATIONS: 1}


MET = "T3\tX 4 7\tmet\n"


@pytest.mark.parametrize("kind", ["Split_antecedent", "bridge:aggr", "elementOf", "Gruppe"])
@pytest.mark.parametrize("ends", ["Arg1:T2 Arg2:{}", "Arg1:{} Arg2:T2"])
def test_split_antecedents(tmp_path: Path, kind: str, ends: str) -> None:
    links = (f"R{i}\t{kind} {ends.format(end)}\n" for i, end in enumerate(("T1", "T3")))

    document = document_of(put_lines(tmp_path, ANN + AND + MET + "".join(links)))

    assert [(e.name, e.elements) for e in document.entities] == [
        ("T1", ()),
        ("T2", (0, 2)),
        ("T3", ()),
    ]
    assert document.notes == {}


def test_the_anaphor_of_a_split_antecedent_is_in_a_chain(tmp_path: Path) -> None:
    lines = ANN + AND + MET + "*\tEquiv T2 T3\nR1\tSplit_antecedent Arg1:T2 Arg2:T1\n"

    document = document_of(put_lines(tmp_path, lines))

    assert texts(document) == [["Ann"], ["and", "met"]]
    assert [e.elements for e in document.entities] == [(), (0,)]


def test_most_split_antecedents_decide_on_their_direction(tmp_path: Path) -> None:
    links = ("T2 Arg2:T1", "T2 Arg2:T3", "T1 Arg2:T4")
    lines = (f"R{i}\tSplit_antecedent Arg1:{link}\n" for i, link in enumerate(links))
    mentions = ANN + AND + MET + "T4\tX 8 12\tJosé\n"

    document = document_of(put_lines(tmp_path, mentions + "".join(lines)))

    assert {e.name: e.elements for e in document.entities} == {
        "T1": (3,),
        "T2": (0, 2),
        "T3": (),
        "T4": (),
    }
    assert document.notes == {REVERSED_LINKS: 1}


@pytest.mark.parametrize("ends", ["Arg1:T1 Arg2:{}", "Arg1:{} Arg2:T1"])
def test_a_set_that_comes_before_its_elements(tmp_path: Path, ends: str) -> None:
    # One annotation with several links is the set, wherever it is.
    lines = (f"R{i}\tSplit_antecedent {ends.format(end)}\n" for i, end in enumerate(("T2", "T3")))

    document = document_of(put_lines(tmp_path, ANN + AND + MET + "".join(lines)))

    assert [entity.elements for entity in document.entities] == [(1, 2), (), ()]
    assert document.notes == {}


def test_each_type_of_relation_has_a_direction(tmp_path: Path) -> None:
    lines = (
        "R1\tSplit_antecedent Arg1:T3 Arg2:T1\n",
        "R2\tSplit_antecedent Arg1:T3 Arg2:T2\n",
        "R3\telementOf Arg1:T1 Arg2:T4\n",
        "R4\tELEMENTOF Arg1:T3 Arg2:T4\n",
    )

    document = document_of(
        put_lines(tmp_path, ANN + AND + MET + "T4\tX 8 12\tJosé\n" + "".join(lines))
    )

    assert {e.name: [document.entities[n].name for n in e.elements] for e in document.entities} == {
        "T1": [],
        "T2": [],
        "T3": ["T1", "T2"],
        "T4": ["T1", "T3"],
    }
    assert document.notes == {}


@pytest.mark.parametrize("content", ["", "\n"])
def test_a_file_without_annotation_is_a_document_without_mentions(
    tmp_path: Path, content: str
) -> None:
    put_lines(tmp_path, content)

    assert [document_of(path).entities for path in (tmp_path, tmp_path / "d.ann")] == [(), ()]
    assert anascore.read(tmp_path).format == "brat"


def test_a_folder_of_pairs(tmp_path: Path) -> None:
    put_lines(tmp_path, BRAT_KEY, BRAT_TEXT)
    put(tmp_path, "llm.txt", "John|[e1] left\n")

    assert list(anascore.read(tmp_path).documents) == ["d", "llm"]


def test_the_text_names_the_file_to_name(tmp_path: Path) -> None:
    path = put_lines(tmp_path, BRAT_KEY, BRAT_TEXT)

    assert refusal(tmp_path / "d.txt") == f": this file belongs to {path}; give that file instead"


def test_a_text_of_another_format_is_read(tmp_path: Path) -> None:
    put_lines(tmp_path, BRAT_KEY, "John|[e1] left\n")

    assert anascore.read(tmp_path / "d.txt").format == "llm-text"


THREE = (
    "T1 needs three columns between tabs, "
    "like T1, Person 0 3, Ann, or T1, Person 0 3;8 12, Ann Dunn"
)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        ("T1\tPerson 0 3\n", f"1: {THREE}"),
        ("T1\tPerson 0 x\tAnn\n", f"1: {THREE}"),
        ("T1\tPerson 0\tAnn\n", f"1: {THREE}"),
        ("T1\tPerson\t0\t3\tAnn\n", f"1: {THREE}"),
        (ANN + ANN, "2: T1 is also on line 1; ids must be unique"),
        (
            "Ann\n",
            "1: 'Ann' is not the start of a line, like T1, R1, E1, A1, M1, N1, #1 or * and a tab",
        ),
        (
            "X1\ta\n",
            "1: 'X1' is not the start of a line, like T1, R1, E1, A1, M1, N1, #1 or * and a tab",
        ),
        ("R1\tCoref Arg1:T1\n", "1: R1 must have two arguments, like Coref Arg1:T1 Arg2:T2"),
        ("R1\tCoref T1 T2\n", "1: R1 must have two arguments, like Coref Arg1:T1 Arg2:T2"),
        (
            ANN + "R1\tCoref Arg1:T1 Arg2:T9\n",
            "2: this line refers to annotation T9, which does not exist",
        ),
        (ANN + "*\tEquiv T9 T1\n", "2: this line refers to annotation T9, which does not exist"),
        (
            ANN + "*\tEquiv T1\n",
            "2: an equivalence needs a type and two annotations or more, like Equiv T1 T2",
        ),
        ("A1\tCoref T9 x\n", "1: this line refers to annotation T9, which does not exist"),
        (
            "#1\tAnnotatorNotes T9\tx\n",
            "1: this line refers to annotation T9, which does not exist",
        ),
        ("A1\tCoref\n", "1: A1 must have a type and an annotation, like Coref T1 e5"),
        (
            "#1\tAnnotatorNotes\tx\n",
            "1: #1 must have a type and an annotation, like AnnotatorNotes T1",
        ),
        ("E1\tMeet\n", "1: E1 must start with its type and trigger, like Meeting:T1"),
        ("E1\t \n", "1: E1 must start with its type and trigger, like Meeting:T1"),
        (
            ANN + "E1\tMeet:T9\n*\tEquiv T1 E1\n",
            "3: this line refers to annotation T9, which does not exist",
        ),
        ("T1\tX 17 18\t \n", "1: T1 is white space; a mention needs characters"),
    ],
)
def test_what_is_wrong(tmp_path: Path, lines: str, message: str) -> None:
    path = put_lines(tmp_path, lines)

    assert refusal(path, "brat") == f":{message}"
    assert all_refusals(path, "brat") == [f":{message}"]


@pytest.mark.parametrize("offsets", ["20 99", "3 3", "3 0", "0 3;20 99"])
def test_offsets_outside_of_the_text(tmp_path: Path, offsets: str) -> None:
    path = put_lines(tmp_path, f"T1\tPerson {offsets}\tAnn\n*\tEquiv T1 T1\n")

    start, end = offsets.rsplit(";", maxsplit=1)[-1].split()
    message = f":1: T1 is from {start} to {end}, which is outside of {tmp_path / 'd.txt'}"
    assert all_refusals(path) == [f"{message}; it has 26 characters"]


@pytest.mark.parametrize(
    ("line", "actual"), [("0 3\tBob", "'Ann'"), ("0 17\tAnn", "'Ann '"), ("1 4\tAnn", "'nn '")]
)
def test_another_text(tmp_path: Path, line: str, actual: str) -> None:
    path = put_lines(tmp_path, f"T1\tPerson {line}\n")

    start, text = line.split(maxsplit=1)[0], line.partition("\t")[2]
    expected = f":1: the text of T1 is {text!r}, but at {start} {tmp_path / 'd.txt'} has {actual}"
    assert all_refusals(path) == [expected]


def test_relations_without_anything(tmp_path: Path) -> None:
    assert document_of(put_lines(tmp_path, ANN + "R1\t\n")).notes == {OTHER_RELATIONS: 1}


@pytest.mark.parametrize(
    ("links", "right", "wrong", "label", "line"),
    [
        ("relations", "Coref", "Corref", "relation", 8),
        ("roles", "Coreference", "Correference", "relation", 8),
        ("attributes", "EntityID", "EntytyID", "attribute", 8),
    ],
)
def test_a_misspelt_type(
    tmp_path: Path, *, links: str, right: str, wrong: str, label: str, line: int
) -> None:
    text = BRAT_LINKS[links].replace(right, wrong)
    path = put_lines(tmp_path, BRAT_MENTIONS + text, BRAT_TEXT)
    message = f"unknown type of {label} {wrong!r}, not read (did you mean {right!r}?)"

    (result,) = validate(str(path))

    number = text.count(wrong)
    assert [str(problem) for problem in result.problems] == [
        f"{path}:{line}: warning: {message}: {number}"
    ]
    assert document_of(path).notes[message] == number


def test_types_that_are_read_are_not_misspelt(tmp_path: Path) -> None:
    lines = ANN + AND + "R1\tcoref Arg1:T1 Arg2:T2\nR2\tsame_as Arg1:T1 Arg2:T2\n"
    lines += "A1\tentity_id T1 e\n"

    (result,) = validate(str(put_lines(tmp_path, lines)))

    assert result.problems == ()


def test_the_text_is_needed(tmp_path: Path) -> None:
    path = put(tmp_path, "d.ann", ANN)

    assert all_refusals(path) == [
        f": {tmp_path / 'd.txt'} is missing; it must be beside this file, since it holds the text"
    ]
