"""What a Python user calls."""

import gc
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import (
    Corpus,
    Document,
    Entity,
    EntityError,
    MismatchError,
    SettingsError,
    score,
    score_clusters,
)
from anascore.metrics.metric import NOTHING_COUNTED
from anascore.metrics.scores import ON_REQUEST, scores_of
from anascore.model.document import ResponseNote
from anascore.pairing.documents import leave_out_notes_on_responses
from support.paper import KEY, SYSTEMS


def test_the_garbage_collector_is_left_to_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> None:
        pytest.fail("the library touches the garbage collector")

    for name in ("disable", "enable", "freeze", "collect"):
        monkeypatch.setattr(gc, name, refuse)

    corpus = anascore.read(KEY)

    assert score(corpus, corpus, layers="all", by="all").conll == 1
    assert score_clusters([["a", "b"]], [["a", "b"]]).conll == 1


def test_score_takes_paths_and_corpora() -> None:
    paths = score(KEY, SYSTEMS[0])
    strings = score(str(KEY), str(SYSTEMS[0]))
    corpora = score(anascore.read(KEY), anascore.read(SYSTEMS[0]))

    assert paths.scores == strings.scores == corpora.scores
    assert {paths.name, strings.name, corpora.name} == {"system-A"}


def test_result_gives_scores_by_name() -> None:
    result = score(KEY, SYSTEMS[0])

    assert list(result.scores) == [name for name in scores_of("identity") if name not in ON_REQUEST]
    assert result["muc"] == result.scores["muc"] == (43 / 66, 8 / 9, result["muc"].f1)
    assert result.conll == result["conll"].f1
    assert result["conll"].recall is None
    assert result.split_only["muc"].recall == 5 / 14


def test_documents_without_sets_count_nothing_over_sets_alone() -> None:
    result = anascore.score_clusters([["a", "b"]], [["a", "b"]], metrics="muc,blanc")

    nothing = NOTHING_COUNTED
    assert result.total.split_only == {"muc": (nothing,), "blanc": (nothing, nothing)}
    assert result.split_only == {}


def test_result_gives_documents() -> None:
    result = score(KEY, SYSTEMS[0])

    assert list(result.documents) == ["example"]
    assert result.documents["example"].scores == result.scores
    assert result.documents["example"].split_only == result.split_only


def test_result_is_a_table_as_text() -> None:
    result = score(KEY, SYSTEMS[0])

    assert f"{result}\n" == result.table()
    assert "system-A  65.15  88.89  75.19" in result.table()


def test_result_is_a_plain_dict() -> None:
    result = score(KEY, SYSTEMS[0], metrics="muc,conll")

    plain = result.to_dict()

    assert list(plain) == ["anascore", "schema", "signature", "systems"]
    (system,) = plain["systems"]
    assert list(system) == ["name", "signature", "layers", "warnings", "exact"]
    layer = system["layers"]["identity"]
    assert list(layer) == ["counts", "matching", "scores", "split_only", "documents"]
    assert layer["scores"]["muc"]["recall"] == 43 / 66
    assert list(layer["scores"]["conll"]) == ["f1"]
    assert layer["documents"]["example"]["scores"] == layer["scores"]
    assert layer["counts"]["key"] == {
        "documents": 1,
        "mentions": 15,
        "entities": 7,
        "accommodated_sets": 3,
    }


@pytest.mark.parametrize("metrics", ["lea, muc", ["LEA", "muc"], ("muc", "lea")])
def test_metrics_can_be_chosen(metrics: object) -> None:
    result = score(KEY, SYSTEMS[0], metrics=metrics)  # type: ignore[arg-type]

    assert list(result.scores) == ["muc", "lea"]
    assert list(result.split_only) == ["muc", "lea"]


@pytest.mark.parametrize(
    ("written", "name"),
    [("CEAF_e", "ceafe"), ("ceaf", "ceafe"), ("BCUB", "b3"), ("LEA_2021", "lea-2021")],
)
def test_metrics_have_several_names(written: str, name: str) -> None:
    result = score(KEY, SYSTEMS[0], metrics=written)

    assert list(result.scores) == [name]


def test_the_conll_score_does_not_need_its_metrics_to_be_shown() -> None:
    result = score(KEY, SYSTEMS[0], metrics="conll")

    assert list(result.scores) == ["conll"]
    assert result.conll == score(KEY, SYSTEMS[0]).conll


@pytest.mark.parametrize(
    ("metrics", "message"),
    [
        ("muc,rouge,bleu", "no such metric: rouge, bleu; choose from muc, b3, ceafe, conll, ceafm"),
        ([5], "no such metric: 5; choose from muc"),
        ([], "no metric is given; choose from muc"),
        ("", "no metric is given; choose from muc"),
    ],
)
def test_unknown_metrics_are_all_named(metrics: str | list[str], message: str) -> None:
    with pytest.raises(SettingsError) as error:
        score(KEY, SYSTEMS[0], metrics=metrics)

    assert str(error.value).startswith(message)


def test_the_conll_score_must_be_asked_for() -> None:
    result = score(KEY, SYSTEMS[0], metrics="muc,b3")

    with pytest.raises(
        SettingsError, match="the score 'conll' was not requested; choose from muc, b3"
    ):
        _ = result.conll


def test_clusters_of_any_hashable_mentions() -> None:
    spans = score_clusters([[(0, 1), (5, 5)], [(7, 9)]], [[(0, 1), (5, 5)], [(7, 9)]])
    mixed = score_clusters(
        [[("a", 1), 2, b"x", frozenset({3})]], [{frozenset({3}), b"x", 2, ("a", 1)}]
    )
    mixed_tuples = score_clusters([[("a", 1), (2, "b")]], [[("a", 1), (2, "b")]])

    assert spans.conll == mixed.conll == mixed_tuples.conll == 1.0


def test_clusters_with_accommodated_sets() -> None:
    key: list[Entity[str] | set[str]] = [
        {"John", "he"},
        {"Mary"},
        Entity({"they"}, elements=[0, 1]),
    ]
    response = [{"John", "he"}, {"Mary"}, {"they"}]

    assert score_clusters(key, key).conll == 1.0
    assert score_clusters(key, response)["muc"] == (1 / 2, 1.0, 2 / 3)


def test_the_order_of_clusters_does_not_hang_on_hashing() -> None:
    """Sets tie here, so that the first mention decides; frozensets have no order of their own."""
    code = (
        "from anascore import Entity, score_clusters\n"
        "d, e, f = frozenset({'d', 'x'}), frozenset({'e', 'y'}), frozenset({'f'})\n"
        "atoms = [['a'], ['b'], ['c']]\n"
        "key = [*atoms, Entity([d], elements=[0, 1]), Entity([e, 'g'], elements=[0, 2])]\n"
        "print(score_clusters(key, [*atoms, Entity([f], elements=[0, 1, 2])])['b3'].recall)\n"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env=os.environ | {"PYTHONHASHSEED": str(seed)},
        ).stdout
        for seed in range(6)
    }

    assert found == {f"{7 / 16}\n"}


def test_clusters_take_settings() -> None:
    result = score_clusters([["a", "b"], ["c"]], [["a", "b"]], singletons=False, split=False)

    assert result["b3"].recall == 1.0
    assert result.signature.startswith("anascore:0.1.0|format:clusters|match:exact|singletons:no")


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (["ab"], "entity 0: 'ab' is not a list of mentions"),
        ([["a"], Entity("they")], "entity 1: 'they' is not a list of mentions"),
        (
            [["a"], Entity(["they"], [0], antecedents="a")],
            "antecedents of entity 1: 'a' is not a list of mentions",
        ),
        (
            [["a"], ["b"], Entity(["they"], [0], antecedents=["a", "b"])],
            "entity 2: its antecedent 'b' is not a mention of an element",
        ),
        ([5], "entity 0: 5 is not a list of mentions"),
        (None, "clusters: None is not a list of clusters"),
        ("ab", "clusters: 'ab' is not a list of clusters"),
        ([["a"], Entity(["b"], elements=[7])], "entity 1: its element 7 is not the position of"),
        ([["a"], Entity(["b"], elements="0")], "elements of entity 1: '0' is not a list of pos"),  # type: ignore[arg-type]
        ([["a"], Entity(["b"], elements=None)], "elements of entity 1: None is not a list of"),  # type: ignore[arg-type]
        ([Entity(["b"], elements=[0])], "an entity cannot be an element of itself, but entity"),
    ],
)
@pytest.mark.parametrize("split", [True, False])
def test_clusters_that_cannot_be_right(key: list[object], message: str, *, split: bool) -> None:
    with pytest.raises(EntityError) as error:
        score_clusters(key, [], split=split)

    assert str(error.value).startswith(f"key: {message}")


def test_warnings_count_mentions_in_several_entities() -> None:
    result = score_clusters([["a", "b"], ["b", "c"], ["a"]], [["a"], ["a"]], metrics="b3")

    assert result.warnings == (
        "key: mentions that are also in an earlier entity, counted only there: 2",
        "response: mentions that are also in an earlier entity, counted only there: 1",
    )


def test_warnings_say_what_means_leave_out() -> None:
    singletons = score_clusters([["a"], ["b"]], [["a"], ["b"]])
    one_entity = score_clusters([["a", "b"]], [["a", "b"]])

    assert singletons.warnings == (
        "CoNLL leaves out MUC, which is undefined",
        "BLANC leaves out coreference links, because neither side has any",
    )
    assert one_entity.warnings == (
        "BLANC leaves out non-coreference links, because neither side has any",
    )


def test_warnings_say_what_the_means_over_sets_leave_out() -> None:
    clusters = [["a"], ["b"], Entity(["c", "d"], elements=[0, 1])]

    result = score_clusters(clusters, clusters)

    assert result.warnings == (
        "accommodated sets only: BLANC leaves out coreference links, because neither side has any",
    )


def test_nothing_warns_of_what_is_not_reported() -> None:
    result = score_clusters([["a"], ["b"]], [["a"], ["b"]], metrics=["b3"])

    assert result.warnings == ()


def test_an_empty_comparison_is_undefined() -> None:
    result = score_clusters([], [])

    assert all(set(values) == {None} for values in result.scores.values())
    assert result.conll is None
    assert result.warnings == ()


def test_corpora_can_be_made_in_python() -> None:
    read = anascore.read(KEY)
    (document,) = read.documents.values()
    made = Corpus({"example": Document("example", list(document.words), document.entities)})

    assert score(read, made).conll == 1.0
    assert "format:ua/clusters" in score(read, made).signature


def test_a_corpus_without_documents_cannot_be_scored() -> None:
    with pytest.raises(MismatchError, match="the key: there are no documents to score"):
        score(Corpus({}), Corpus({}))


def test_all_that_is_exported_exists_and_is_sorted() -> None:
    assert sorted(anascore.__all__) == anascore.__all__
    assert all(hasattr(anascore, name) for name in anascore.__all__)


def test_heavy_libraries_are_not_loaded_for_nothing(tmp_path: Path) -> None:
    code = (
        "import sys, anascore\n"
        f"anascore.score({str(KEY)!r}, {str(SYSTEMS[0])!r})\n"
        "print(*(name for name in ('numpy', 'scipy') if name in sys.modules))\n"
    )

    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=tmp_path
    )

    assert done.stdout.strip() == ""


def test_equal_documents_have_equal_hashes() -> None:
    first, second = (next(iter(anascore.read(KEY).documents.values())) for _ in range(2))

    assert first == second
    assert hash(first) == hash(second)
    assert first != KEY


def test_equal_corpora_have_equal_hashes() -> None:
    first, second = (anascore.read(KEY) for _ in range(2))
    (document,) = first.documents.values()
    other = replace(document, name="other")
    both = [{d.name: d for d in order} for order in ((document, other), (other, document))]

    assert first == second
    assert len({first, second, anascore.read(SYSTEMS[0])}) == 2
    assert anascore.Corpus(both[0]) == anascore.Corpus(both[1])
    assert len({anascore.Corpus(documents) for documents in both}) == 1


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (Entity(["a", "b"]), Entity(("a", "b"))),
        (Entity({"a", "b"}), Entity(frozenset("ba"))),
        (Entity({"a": 1}.keys()), Entity({"a"})),
        (Entity("a", [0, 1]), Entity("a", (0, 1))),
        (Entity("a", {0, 1}), Entity("a", frozenset({1, 0}))),
        (Entity(["a"], name="1"), Entity(["a"], attributes=[{"etype": "person"}])),
    ],
)
def test_equal_entities_have_equal_hashes(first: Entity[Any], second: Entity[Any]) -> None:
    assert first == second
    assert len({first, second}) == 1


def test_different_entities() -> None:
    different = [
        Entity(["a", "b"]),
        Entity(["b", "a"]),
        Entity({"a", "b"}),
        Entity(["a", "b"], [0]),
        Entity(["a", "b"], [0], relation="result"),
        ("a", "b"),
    ]

    assert len(set(different)) == len(different)


def test_an_entity_can_be_hashed_if_its_mentions_can() -> None:
    with pytest.raises(TypeError, match="unhashable"):
        hash(Entity([["a"]]))  # type: ignore[type-var]


def test_scores_are_found_in_whatever_layer_has_them() -> None:
    result = score(KEY, SYSTEMS[0], layers="bridging,identity")

    assert result.conll == result.layers["identity"].scores["conll"].f1
    assert result["bridging-anaphors"] == (None, None, None)
    with pytest.raises(SettingsError, match="'non-referring' was not requested; choose from bridg"):
        result["non-referring"]


def test_result_is_gone_through_by_the_names_of_its_scores() -> None:
    result = score(KEY, SYSTEMS[0], layers="bridging,identity,discourse-deixis")

    assert list(result) == [
        *result.layers["bridging"].scores,
        *result.layers["identity"].scores,
    ]
    assert len(result) == len(list(result))
    assert "muc" in result
    assert "bridging-anaphors" in result
    assert "non-referring" not in result
    assert 0 not in result
    assert {name: result[name] for name in result} == {
        **result.layers["identity"].scores,
        **result.layers["bridging"].scores,
    }


@pytest.mark.parametrize(
    "settings",
    [{"match": "head"}, {"task": "crac23"}, {"layers": "bridging"}, {"task": "codicrac-dd"}],
)
def test_plain_mentions_match_exactly_or_not(settings: Any) -> None:
    with pytest.raises(SettingsError, match="plain mentions have no words"):
        score_clusters([["a", "b"]], [["a", "b"]], **settings)

    assert score_clusters([["a", "b"]], [["a", "b"]], task="conll12").conll == 1


def test_responses_are_compared_by_name_or_file() -> None:
    by_file = anascore.compare(KEY, SYSTEMS[:2], metrics="muc", paired="bootstrap", samples=10)
    by_name = anascore.compare(
        KEY, {"a": SYSTEMS[0], "b": anascore.read(SYSTEMS[1])}, metrics="muc", jobs=2
    )

    assert [result.name for result in by_file] == ["system-A", "system-B"]
    assert [result.name for result in by_name] == ["a", "b"]
    assert [result["muc"] for result in by_file] == [result["muc"] for result in by_name]
    assert "paired:bootstrap-holm-1|samples:10|seed:0" in by_file[0].signature


def test_responses_of_one_name() -> None:
    system = anascore.read(SYSTEMS[0])
    unnamed = replace(system, path="")

    for corpora in [system, system], [unnamed, unnamed]:
        with pytest.raises(SettingsError, match=r"two responses are named .*; pass a dictionary"):
            anascore.compare(KEY, corpora)


def test_a_score_is_explained() -> None:
    (document,) = anascore.explain(KEY, SYSTEMS[0], metrics="muc", entity="K3").documents

    assert [metric.metric for metric in document.metrics] == ["muc"]
    assert "K3" in {entity.label for entity in document.key}
    with pytest.raises(SettingsError, match="the key has no such document"):
        anascore.explain(KEY, SYSTEMS[0], document="none")


def test_errors_are_found() -> None:
    errors = anascore.find_errors(KEY, SYSTEMS[0])

    assert errors.system == "system-A"
    assert len(errors.analysis.errors["missing-mention"]) == 2


def test_a_report_is_written(tmp_path: Path) -> None:
    anascore.report(KEY, {"a": SYSTEMS[0]}, tmp_path / "one.html", samples=10)
    anascore.report(KEY, SYSTEMS[:2], tmp_path / "two.html", samples=10, documents="worst:1")

    assert "system-B" not in (tmp_path / "one.html").read_text(encoding="utf-8")
    assert "system-B" in (tmp_path / "two.html").read_text(encoding="utf-8")


@pytest.mark.parametrize("responses", [[], {}, ()])
def test_something_must_be_scored(responses: Any, tmp_path: Path) -> None:
    for call in (
        lambda: anascore.compare(KEY, responses),
        lambda: anascore.report(KEY, responses, tmp_path / "page.html"),
        lambda: anascore.stats(responses),
        lambda: anascore.validate(responses),
    ):
        with pytest.raises(SettingsError, match="no file or corpus is given; give one or more"):
            call()


def test_wrong_types_are_named() -> None:
    number: Any = 5

    with pytest.raises(SettingsError, match="5 is neither a path nor a corpus, such as"):
        score(KEY, number)
    with pytest.raises(SettingsError, match="5 is neither a path nor a corpus, such as"):
        score(number, KEY)
    with pytest.raises(EntityError, match="response: entity 0: 'a' is not a span"):
        score(KEY, [["a", "b"]])
    with pytest.raises(SettingsError, match="settings must be a Settings, not 5"):
        score(KEY, KEY, settings=number)


def test_one_response_can_be_compared() -> None:
    one: Any = SYSTEMS[0]

    assert anascore.compare(KEY, one).names == ["system-A"]


@pytest.mark.parametrize(
    ("mentions", "shift", "is_noted"),
    [(10, 2, True), (9, 2, False), (10, 0, False)],
)
def test_many_mentions_without_any_match_are_noted(
    mentions: int, shift: int, *, is_noted: bool
) -> None:
    key = [[(3 * n, 3 * n) for n in range(mentions)]]
    response = [[(start, end + shift) for start, end in entity] for entity in key]
    note = (
        f"response: none of its {mentions} mentions matches a mention of the key; check that word "
        "numbers and span ends mean the same in both"
    )

    assert anascore.score_clusters(key, response).notes == ((note,) if is_noted else ())


@pytest.mark.parametrize(("mentions", "is_noted"), [(10, True), (9, False)])
@pytest.mark.parametrize("side", ["key", "response"])
def test_a_side_without_mentions_is_noted(side: str, mentions: int, *, is_noted: bool) -> None:
    clusters = [[(3 * n, 3 * n) for n in range(mentions)]]
    sides = (clusters, []) if side == "response" else ([], clusters)
    other = {"key": "response", "response": "key"}[side]
    note = (
        f"the {side} has no mentions, but the {other} has {mentions}; check that its annotation is "
        "where its format has it"
    )

    assert anascore.score_clusters(*sides).notes == ((note,) if is_noted else ())


CLUSTERS = [[(4 * n, 4 * n + 1 + n % 2) for n in range(first, 40, 4)] for first in range(4)]
"""Clusters of 40 mentions."""


def with_ends(shift: int, same: int, other: int) -> list[list[tuple[int, int]]]:
    """Return the clusters with shifted ends, but for some first and some last mentions."""
    return [
        [
            (start, end + (start >= 4 * same) * shift + (start >= 4 * (40 - other)) * 9)
            for start, end in cluster
        ]
        for cluster in CLUSTERS
    ]


def score_shifted(response: list[list[tuple[int, int]]], kind: str) -> anascore.Result:
    """Score the clusters as Python objects, or as documents."""
    if kind in {"tuples", "lists"}:
        make: Any = list if kind == "lists" else tuple
        return anascore.score_clusters(
            CLUSTERS, [[make(mention) for mention in cluster] for cluster in response]
        )
    key, other = (
        Corpus.from_clusters(clusters, offsets="token", end="inclusive", words=["a"] * 200)
        for clusters in (CLUSTERS, response)
    )
    # Nested mentions are removed from documents that are normalised.
    return anascore.score(key, other, remove_nested=kind == "normalised")


@pytest.mark.parametrize(
    ("shift", "same", "other", "exactly", "shifted"),
    [
        (1, 0, 0, "0", "40"),
        (-1, 0, 0, "0", "40"),
        (1, 9, 0, "9", "31"),
        (1, 6, 14, "6", "20"),
        (1, 6, 15, "", ""),
        (1, 11, 0, "", ""),
        (0, 0, 0, "", ""),
    ],
)
@pytest.mark.parametrize("kind", ["tuples", "lists", "documents", "normalised"])
def test_shifted_ends_are_noted(  # noqa: PLR0917  the numbers of each case
    shift: int, same: int, other: int, exactly: str, shifted: str, kind: str
) -> None:
    result = score_shifted(with_ends(shift, same, other), kind)

    change = "less" if shift > 0 else "more"
    note = (
        f"only {exactly} of 40 response mentions match exactly, but at least {shifted} would if "
        f"their ends were one {change}; check the ends of spans in key and response; in Python, "
        'Corpus.from_clusters takes end="inclusive" or "exclusive"'
    )
    assert result.notes == ((note,) if shifted else ())
    assert anascore.Result.from_json(result.to_json()).notes == result.notes


def test_shifted_ends_of_other_clusters_are_not_noted() -> None:
    key = [[(start, f"{end}") for start, end in cluster] for cluster in CLUSTERS]
    response = [[(start, f"{end + 1}") for start, end in cluster] for cluster in CLUSTERS]

    (note,) = anascore.score_clusters(key, response).notes

    assert note.startswith("response: none of its 40 mentions matches")


def test_a_key_is_without_the_note_on_a_choice_of_fields() -> None:
    fields = ResponseNote("documents whose clusters are read (see --clusters-field)")
    choice: dict[str, int] = {fields: 1}
    documents = {
        "a": Document("a", ["w"], (), notes={"mentions left out": 2, **choice}),
        "b": Document("b", ["w"], (), notes={"mentions left out": 3}),
        "c": Document("c", ["w"], ()),
    }

    key = leave_out_notes_on_responses(Corpus(documents))

    assert {name: document.notes for name, document in key.documents.items()} == {
        "a": {"mentions left out": 2},
        "b": {"mentions left out": 3},
        "c": {},
    }
