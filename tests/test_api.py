"""What a Python user calls."""

import subprocess
import sys
from pathlib import Path

import pytest

import anascore
from anascore import Entity, EntityError, SettingsError, score, score_clusters
from anascore.example import KEY, SYSTEMS
from anascore.metrics import LABELS


def test_score_takes_paths_and_corpora() -> None:
    paths = score(KEY, SYSTEMS[0])
    strings = score(str(KEY), str(SYSTEMS[0]))
    corpora = score(anascore.read(KEY), anascore.read(SYSTEMS[0]))

    assert paths.scores == strings.scores == corpora.scores
    assert {paths.name, strings.name, corpora.name} == {"system-A"}


def test_result_gives_scores_by_name() -> None:
    result = score(KEY, SYSTEMS[0])

    assert list(LABELS) == list(result.scores)
    assert result["muc"] == result.scores["muc"] == (43 / 66, 8 / 9, result["muc"].f1)
    assert result.conll == result["conll"].f1
    assert result["conll"].recall is None
    assert result.split_only["muc"].recall == 5 / 14


def test_result_gives_documents() -> None:
    result = score(KEY, SYSTEMS[0])

    assert list(result.documents) == ["example"]
    assert result.documents["example"].scores == result.scores
    assert result.documents["example"].split_only == result.split_only


def test_result_is_a_table_as_text() -> None:
    result = score(KEY, SYSTEMS[0])

    assert str(result) == result.table()
    assert "system-A  65.15  88.89  75.19" in result.table()


def test_result_is_a_plain_dict() -> None:
    result = score(KEY, SYSTEMS[0], metrics="muc,conll")

    plain = result.to_dict()

    assert list(plain) == ["name", "counts", "scores", "split_only", "documents", "warnings"]
    assert plain["scores"]["muc"]["recall"] == 43 / 66
    assert list(plain["scores"]["conll"]) == ["f1"]
    assert plain["documents"]["example"]["scores"] == plain["scores"]
    assert plain["counts"]["key"] == {
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


def test_the_conll_score_does_not_need_its_metrics_to_be_shown() -> None:
    result = score(KEY, SYSTEMS[0], metrics="conll")

    assert list(result.scores) == ["conll"]
    assert result.conll == score(KEY, SYSTEMS[0]).conll


@pytest.mark.parametrize(("metrics", "unknown"), [("muc,ceaf,bleu", "ceaf, bleu"), ([], "")])
def test_unknown_metrics_are_all_named(metrics: str | list[str], unknown: str) -> None:
    with pytest.raises(SettingsError) as error:
        score(KEY, SYSTEMS[0], metrics=metrics)

    expected = f"no such metric: {unknown}; there are muc, b3, ceafe, conll, ceafm, lea, blanc"
    assert str(error.value).startswith(expected)


def test_clusters_of_any_hashable_mentions() -> None:
    spans = score_clusters([[(0, 1), (5, 5)], [(7, 9)]], [[(0, 1), (5, 5)], [(7, 9)]])
    mixed = score_clusters([[("a", 1), 2, frozenset({3})]], [{frozenset({3}), 2, ("a", 1)}])
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


def test_clusters_take_settings() -> None:
    result = score_clusters([["a", "b"], ["c"]], [["a", "b"]], singletons=False, split=False)

    assert result["b3"].recall == 1.0
    assert result.signature.startswith("anascore:0.1.0|format:clusters|match:exact|singletons:no")


@pytest.mark.parametrize(
    ("key", "message"),
    [
        (["ab"], "entity 0 is the string 'ab'; an entity is a list of mentions, like ['ab']"),
        ([[[0, 3]]], "entity 0 has the mention [0, 3], which cannot be hashed; use a tuple"),
        ([["a"], Entity(["b"], elements=[7])], "entity 1 has element 7; elements are positions"),
        ([Entity(["b"], elements=[0])], "an entity cannot be an element of itself, but here is"),
    ],
)
def test_clusters_that_cannot_be_right(key: list[object], message: str) -> None:
    with pytest.raises(EntityError) as error:
        score_clusters(key, [])  # type: ignore[arg-type]

    assert str(error.value).startswith(message)


def test_warnings_count_mentions_in_several_entities() -> None:
    result = score_clusters([["a", "b"], ["b", "c"], ["a"]], [["a"], ["a"]], metrics="b3")

    assert result.warnings == (
        "2 mentions are in several entities of the key, and counted in the first only",
        "1 mention is in several entities of the response, and counted in the first only",
    )


def test_warnings_say_what_means_leave_out() -> None:
    singletons = score_clusters([["a"], ["b"]], [["a"], ["b"]])
    one_entity = score_clusters([["a", "b"]], [["a", "b"]])

    assert singletons.warnings == (
        "the CoNLL score leaves out MUC, undefined here",
        "BLANC leaves out coreference links: there are none on either side",
    )
    assert one_entity.warnings == (
        "BLANC leaves out non-coreference links: there are none on either side",
    )


def test_nothing_warns_of_what_is_not_reported() -> None:
    result = score_clusters([["a"], ["b"]], [["a"], ["b"]], metrics=["b3"])

    assert result.warnings == ()


def test_an_empty_comparison_is_undefined() -> None:
    result = score_clusters([], [])

    assert all(set(values) == {None} for values in result.scores.values())
    assert result.conll is None
    assert result.warnings == ()


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
