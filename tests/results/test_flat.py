"""All values of a result in one dictionary."""

import math

import pytest

import anascore
from anascore.example import KEY, SYSTEMS
from anascore.results.result import LayerResult

GOLD, PREDICTED = [["a", "b"], ["c", "d"]], [["a", "b", "c"]]


def test_names_and_values() -> None:
    result = anascore.score_clusters(GOLD, PREDICTED, metrics="muc,b3,conll")

    assert result.flat() == {
        "muc_recall": result["muc"].recall,
        "muc_precision": result["muc"].precision,
        "muc_f1": result["muc"].f1,
        "b3_recall": result["b3"].recall,
        "b3_precision": result["b3"].precision,
        "b3_f1": result["b3"].f1,
        "conll_f1": result.conll,
    }


def test_prefix_and_per_cent() -> None:
    result = anascore.score_clusters(GOLD, PREDICTED, metrics="muc")

    assert result.flat("dev/", percent=True) == {
        "dev/muc_recall": 50,
        "dev/muc_precision": 50,
        "dev/muc_f1": 50,
    }


def test_undefined_scores_are_left_out_unless_they_get_a_value() -> None:
    result = anascore.score_clusters([["a"], ["b", "c"]], [["a"]], metrics="muc")

    assert result.flat() == {"muc_recall": 0, "muc_f1": 0}
    assert math.isnan(result.flat(undefined=math.nan)["muc_precision"])
    assert result.flat(percent=True, undefined=-1)["muc_precision"] == -1


def test_several_layers() -> None:
    result = anascore.score(
        KEY, SYSTEMS[0], layers=["bridging", "identity"], metrics="muc,bridging-anaphors"
    )
    first, second = result.layers

    assert [*result.flat("x/")] == [
        *(f"x/{name}" for name in names_of(result.layers[first])),
        *(f"x/{second}/{name}" for name in names_of(result.layers[second])),
    ]


def names_of(layer: LayerResult) -> list[str]:
    return [f"{name}_{value}" for name in layer.scores for value in ("recall", "precision", "f1")]


def test_arguments() -> None:
    result = anascore.score_clusters(GOLD, PREDICTED, metrics="muc")

    with pytest.raises(anascore.SettingsError, match="prefix"):
        result.flat(1)  # type: ignore[arg-type]
