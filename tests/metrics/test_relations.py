"""Accommodated objects that are not sets: the paper's dough."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Entity, EntityError, ReadError, score_clusters
from anascore.cli.main import main
from anascore.corpus.baselines import add_sets
from anascore.metrics.scores import METRICS
from anascore.settings import Convention
from support.samples import DOUGH, SAMPLES

WATER, FLOUR = ["water"], ["flour"]


def made(mentions: list[str], elements: list[int], relation: Any = "result") -> Entity[str]:
    return Entity(mentions, elements, relation=relation)


KEY = [WATER, FLOUR, made(["dough", "it"], [0, 1])]


@pytest.mark.parametrize("metric", METRICS)
@pytest.mark.parametrize("convention", ["paper", "ua"])
def test_results_are_scored_like_sets(metric: str, convention: Convention) -> None:
    response = [WATER, FLOUR, made(["dough"], [1])]
    sets: list[Any] = [
        [WATER, FLOUR, made(["dough", "it"], [0, 1], "set")],
        [WATER, FLOUR, made(["dough"], [1], "set")],
    ]

    as_results = score_clusters(KEY, response, convention=convention)
    as_sets = score_clusters(*sets, convention=convention)

    assert as_results.scores[metric] == as_sets.scores[metric]
    assert as_results.split_only[metric] == as_sets.split_only[metric]
    assert as_results.first.by_relation == {}


@pytest.mark.parametrize("metric", METRICS)
def test_a_result_is_not_a_set(metric: str) -> None:
    response = [WATER, FLOUR, made(["dough", "it"], [0, 1], "set")]

    result = score_clusters(KEY, response, metrics=f"{metric},lea-2021,lea-rucoco,links")

    assert {value or 0 for value in result.split_only[metric]} == {0}
    assert list(result.first.by_relation) == ["result", "set"]
    assert result.first.by_relation["result"][metric].precision is None
    assert result.first.by_relation["set"][metric].recall is None
    assert result["links"][:2] == (0, None)
    assert result.split_only["lea-2021"][:2] == (0, 0)


def test_a_set_and_a_result_of_the_same_are_two_entities() -> None:
    key = [WATER, FLOUR, made(["dough"], [0, 1]), made(["both"], [0, 1], "set")]

    result = score_clusters(key, key)

    assert result.total.key["entities"] == 4
    assert result["muc"].f1 == result.split_only["muc"].f1 == 1
    assert result.first.by_relation["set"]["muc"].f1 == 1


def test_relations_add_up() -> None:
    key = [WATER, FLOUR, made(["dough"], [0, 1]), made(["both"], [0, 1], "set")]
    response = [WATER, FLOUR, made(["dough"], [0]), made(["both"], [1], "set")]

    total = score_clusters(key, response).total

    for name in METRICS:
        of = (total.by_relation[relation][name] for relation in ("set", "result"))
        rows = zip(*of, strict=True)
        assert tuple(a + b for a, b in rows) == total.split_only[name]


@pytest.mark.parametrize("name", ["ua", "jsonl"])
def test_files(name: str, tmp_path: Path) -> None:
    (tmp_path / "dough.conllua").write_text(DOUGH)
    corpus = anascore.read(tmp_path / "dough.conllua")
    (document,) = corpus.documents.values()

    anascore.write(corpus, tmp_path / "written", name)

    assert [(e.elements, e.relation) for e in document.entities][2] == ((0, 1), "result")
    (read,) = anascore.read(tmp_path / "written", name).documents.values()
    assert [(e.elements, e.relation) for e in read.entities][2] == ((0, 1), "result")


def test_formats_without_results_lose_them(tmp_path: Path) -> None:
    (tmp_path / "dough.conllua").write_text(DOUGH)

    lost = anascore.write(anascore.read(tmp_path / "dough.conllua"), tmp_path / "d.conllu")

    assert lost["accommodated objects that are results, and not sets"] == 1


def test_an_entity_is_a_set_or_a_result(tmp_path: Path) -> None:
    text = DOUGH.replace("EntityID=water", "EntityID=water|ElementOf=dough")
    (tmp_path / "d.conllua").write_text(text)

    with pytest.raises(ReadError, match="dough is a set in some links and a result in others"):
        anascore.read(tmp_path / "d.conllua")
    with pytest.raises(EntityError, match="its relation is 'mix'; it can be set or result"):
        score_clusters([WATER, made(["dough"], [0], "mix")], [WATER])


def test_a_result_in_a_file_is_scored_by_relation(tmp_path: Path) -> None:
    for name in ("dough.conllua", "dough-set.conllua"):
        (tmp_path / name).write_text(SAMPLES[name])

    result = anascore.score(tmp_path / "dough.conllua", tmp_path / "dough-set.conllua")

    layer = result.to_dict()["systems"][0]["layers"]["identity"]
    assert layer["split_only_by_relation"].keys() == {"set", "result"}
    assert result["muc"][:2] == (1 / 2, 1 / 2)


EGG = ["egg"]


def test_two_results_of_the_same_are_two_things() -> None:
    key = [EGG, made(["the yolk", "it"], [0]), made(["the white", "this"], [0])]
    one = [EGG, made(["the yolk", "it", "the white", "this"], [0])]

    itself, wrong = score_clusters(key, key), score_clusters(key, one)

    assert itself.total.key["entities"] == 3
    assert itself.total.key["accommodated_sets"] == 2
    for metric in METRICS:
        assert itself[metric].f1 == 1
        assert (wrong[metric].f1 or 0) < 1


@pytest.mark.parametrize("metric", METRICS)
def test_a_result_is_not_what_it_was_made_from(metric: str) -> None:
    """Bread is made from dough, and a set can have dough as an element."""
    key = [WATER, FLOUR, made(["dough", "it"], [0, 1]), made(["bread"], [2]), ["sugar"],
           made(["they"], [2, 4], "set")]  # fmt: skip
    bread = [WATER, FLOUR, made(["dough", "it", "bread"], [0, 1]), ["sugar"],
             made(["they"], [2, 3], "set")]  # fmt: skip
    raw = [*key[:3], made(["bread"], [0, 1]), *key[4:]]

    assert score_clusters(key, key)[metric].f1 == 1
    assert score_clusters(key, key).split_only[metric].f1 == 1
    assert (score_clusters(key, bread)[metric].f1 or 0) < 1
    assert (score_clusters(key, raw).split_only[metric].f1 or 0) < 1


def test_proposals_see_results_as_things() -> None:
    key = [WATER, FLOUR, made(["dough", "it"], [0, 1]), ["sugar"], made(["they"], [2, 3], "set")]

    result = score_clusters(key, key, metrics="links,zhou-choi,lea-2021,lea-rucoco")

    assert {value.f1 for value in result.scores.values()} == {1}


def test_the_oracle_takes_sets_only() -> None:
    clusters = [
        [(0, 1)],
        [(1, 2)],
        Entity([(2, 3)], elements=[0, 1], relation="result"),
        Entity([(3, 4)], elements=[0, 1]),
    ]
    made_here = anascore.Corpus.from_clusters(clusters, offsets="token", end="exclusive")
    document = made_here.documents["document"]
    key = anascore.Corpus({"document": document})
    entities = [Entity(entity.mentions) for entity in document.entities]
    single = anascore.Corpus({"document": replace(document, entities=entities)})

    (found,) = add_sets(single, "oracle", key=key).documents.values()

    assert [tuple(entity.elements) for entity in found.entities] == [(), (), (), (0, 1)]


def test_validate_goes_on_after_an_entity_that_is_both(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = DOUGH.replace("EntityID=water", "EntityID=water|ElementOf=dough")
    (tmp_path / "d.conllua").write_text(text)

    assert main(["validate", str(tmp_path / "d.conllua")]) == 1
    assert "dough is a set in some links and a result in others" in capsys.readouterr().out
