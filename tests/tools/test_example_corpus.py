"""The example corpus: its files, its notation, and what it promises."""

import re
from pathlib import Path

import pytest

import anascore
from anascore.example import ENDINGS, FOLDER, KEY, NAMES, SYSTEMS
from anascore.formats.writing import fit_to_format
from tools.example_corpus.__main__ import TEXTS, build, files, main
from tools.example_corpus.notation import Text, add_errors, make_document, read_text


def test_the_files_are_those_of_the_source() -> None:
    there = {path.name for path in FOLDER.iterdir() if path.suffix != ".py" and path.is_file()}

    written = files()

    assert there == written.keys()
    for name, content in written.items():
        assert (FOLDER / name).read_text(encoding="utf-8") == content, f"{name}: run make examples"


def test_the_files_are_written(tmp_path: Path) -> None:
    assert main([str(tmp_path)]) == 0

    assert {path.name for path in tmp_path.iterdir()} == {*files()}


@pytest.mark.parametrize("name", NAMES)
def test_the_files_hold_what_their_format_can(name: str) -> None:
    corpus = build()[name]

    assert anascore.read(FOLDER / f"{name}.conllua") == corpus
    for format_name, ending in ENDINGS.items():
        found = anascore.read(FOLDER / f"{name}{ending}")
        assert found.format == format_name
        assert [*found.documents] == [*corpus.documents]
        assert found.sizes["words"] == corpus.sizes["words"]


def test_scores_are_the_same_in_formats_that_hold_everything() -> None:
    for system in SYSTEMS:
        plain = anascore.score(KEY, system).scores
        corefud = (path.with_suffix(ENDINGS["corefud"]) for path in (KEY, system))
        assert anascore.score(*corefud).scores == plain
        lines = (path.with_suffix(ENDINGS["jsonl"]) for path in (KEY, system))
        # JSON lines hold neither zeros nor the one discontinuous mention.
        fitted = (fit_to_format(anascore.read(p), "jsonl")[0] for p in (KEY, system))
        assert anascore.score(*lines).scores == anascore.score(*fitted).scores


@pytest.mark.parametrize("name", NAMES)
def test_other_scorers_can_read_the_ids_in_conll2012(name: str) -> None:
    corpus = anascore.read(FOLDER / f"{name}.conll")

    entities = [entity for document in corpus.documents.values() for entity in document.entities]
    assert all(entity.name.isdecimal() for entity in entities)


def test_systems_are_of_different_quality() -> None:
    comparison = anascore.compare(KEY, SYSTEMS, metrics="conll", paired="bootstrap")

    assert [round(result.conll or 0, 3) for result in comparison] == [0.826, 0.578, 0.346]
    split = [result.split_only["conll"].f1 or 0 for result in comparison]
    assert [round(value, 3) for value in split] == [0.716, 0.194, 0]
    for result in comparison[1:]:
        assert result.first.uncertainty.differences["conll"].significant


def test_the_key_has_what_there_is_to_show() -> None:
    corpus = anascore.read(KEY)
    assert len(corpus.documents) == len(TEXTS) == 10
    for document in corpus.documents.values():
        assert 4 <= len(document.sentences) <= 8
        assert any(entity.is_set for entity in document.entities), document.name
    (file,) = anascore.stats(KEY).to_dict()["files"]
    kinds = [
        *("singletons", "accommodated_sets", "nested_sets", "non_referring", "bridging_links"),
        *("deixis_entities", "zeros", "discontinuous_mentions", "nested_mentions"),
    ]
    assert all(file["total"][kind] > 0 for kind in kinds)
    assert anascore.validate(KEY).warnings == []


SENTENCES = """\
[ann:person Ann] met [ben:person the *brother of [cem Cem]] .
[both=ann+ben~1 We] saw [house a house] , [both~1 all] , with [door<house/part no door] .
[ann ∅] Stop ! {stop Stop} {stop this} , [!expletive it] said .

"""


def text_with(errors: str = "") -> Text:
    text, _ = read_text("t", SENTENCES)
    add_errors(text, errors)
    return text


def shown(errors: str = "") -> dict[str, list[str]]:
    """Return the mentions and elements of entities by name."""
    document = make_document(text_with(errors))
    names = [entity.name for entity in document.entities]
    return {
        entity.name: [*map(document.text_of, entity.mentions), *(names[e] for e in entity.elements)]
        for entity in document.entities
    }


def test_notation_of_a_text() -> None:
    document = make_document(text_with())

    assert shown() == {
        "ann": ["Ann", "∅"],
        "ben": ["the brother of Cem"],
        "cem": ["Cem"],
        "both": ["We … all", "ann", "ben"],
        "house": ["a house"],
        "door": ["no door"],
    }
    assert [mention.head for mention in document.entities[1].mentions] == [(4, 0)]
    assert document.entities[0].attributes == [{"etype": "person"}] * 2
    (bridge,) = document.bridges
    assert (bridge.entity, bridge.relation) == (4, "part")
    assert [item.type for item in document.nonreferring] == ["expletive"]
    assert [[*map(document.text_of, e.mentions)] for e in document.deixis] == [["Stop", "this"]]
    assert document.sentences == [0, 7, 18]


@pytest.mark.parametrize(
    ("errors", "changed"),
    [
        ("- cem.1", {"cem": None}),
        ("ann.2 > ben", {"ann": ["Ann"], "ben": ["the brother of Cem", "∅"]}),
        ("house.1 > new", {"house": None, "new": ["a house"]}),
        ("ben.1 : brother of", {"ben": ["brother of"]}),
        ("both = cem", {"both": ["We … all", "cem"]}),
        ("both = ; - door", {"both": ["We … all"], "door": None}),
        (
            "ann > cem\nboth = cem",
            {"ann": None, "cem": ["Ann", "Cem", "∅"], "both": ["We … all", "cem"]},
        ),
    ],
)
def test_notation_of_errors(errors: str, changed: dict[str, list[str] | None]) -> None:
    expected = {**shown(), **changed}

    assert shown(errors) == {name: texts for name, texts in expected.items() if texts is not None}


@pytest.mark.parametrize(("errors", "anchors"), [("door.1 <", []), ("door.1 < ann", [0])])
def test_notation_of_anchors(errors: str, anchors: list[int]) -> None:
    assert [bridge.entity for bridge in make_document(text_with(errors)).bridges] == anchors


@pytest.mark.parametrize(
    ("errors", "message"),
    [
        ("dan.1 > ann", "t: 'dan.1 > ann' is not an error that a system can have"),
        ("ann ? ben", "t: 'ann ? ben' is not an error that a system can have"),
        ("ben.1 : a house", "t: 'a house' does not overlap with ben"),
    ],
)
def test_mistakes_in_errors(errors: str, message: str) -> None:
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        text_with(errors)


def test_mistakes_in_labels() -> None:
    with pytest.raises(ValueError, match=r"^t: 'ann<' is not the label of a mention$"):
        read_text("t", "[ann< Ann]\n\n")
