"""Settings and their signature."""

import re
from dataclasses import fields
from typing import Any

import pytest

from anascore import Settings, SettingsError, score_clusters
from anascore.settings import BREAKDOWNS, settings_from


def signature(**choices: Any) -> str:
    return Settings(**choices).signature(("ua",), ("ua",))


def test_signature_names_version_and_settings() -> None:
    expected = "anascore:0.1.0|format:ua|match:exact|singletons:yes|split:paper|zeros:yes|lea:1"

    assert expected == signature()


def test_signature_names_both_formats_where_they_differ() -> None:
    assert "|format:ua/clusters|" in Settings().signature(("ua",), ("clusters",))


OTHERS: dict[str, dict[str, Any]] = {
    "none": {},
    "match": {"match": "head"},
    "heads": {"heads": "key"},
    "singletons": {"singletons": False, "split": False},
    "split": {"split": False},
    "convention": {"convention": "ua"},
    "repeated_mentions": {"repeated_mentions": "all"},
    "zeros": {"zeros": "drop"},
    "zero_match": {"zero_match": "dependent"},
    "task": {"task": "crac23"},
    "layers": {"layers": ("identity", "bridging")},
    "np_only": {"np_only": True},
    "remove_nested": {"remove_nested": True},
    "anaphors": {"anaphors": "pronoun"},
    "lea_importance": {"lea_importance": 10},
    "missing": {"missing": "empty"},
    "words": {"words": "ignore"},
    "docs": {"docs": "split"},
    "window": {"window": 1500},
    "across": {"across": "all"},
}
SILENT = {"by", "bad_documents", "repair"}
"""The first adds scores of classes and changes none; of the others the number of documents that
were skipped or repaired is named, if there are any."""


def test_every_setting_is_listed_here() -> None:
    assert {field.name for field in fields(Settings)} - SILENT == OTHERS.keys() - {"none"}


def test_every_setting_changes_the_signature() -> None:
    signatures = [signature(**choices) for choices in OTHERS.values()]

    assert len(set(signatures)) == len(OTHERS)


WINDOW = "--window (in Python window) must be a whole number, at least 0, not"
IMPORTANCE = "--lea-importance (in Python lea_importance) must be a whole number, at least 1, not"


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"convention": "conll"}, "convention must be paper or ua, not 'conll'"),
        ({"zeros": True}, "zeros must be keep or drop, not True"),
        ({"singletons": "no"}, "singletons must be True or False, not 'no'"),
        ({"split": 0}, "split must be True or False, not 0"),
        ({"lea_importance": 0}, f"{IMPORTANCE} 0"),
        ({"lea_importance": 1.5}, f"{IMPORTANCE} 1.5"),
        ({"window": -1}, f"{WINDOW} -1"),
        ({"window": "all"}, f"{WINDOW} 'all'"),
        ({"window": True}, f"{WINDOW} True"),
        (
            {"window": 9, "layers": ("bridging",)},
            "--window needs a layer with entities; add identity or discourse-deixis to --layers, "
            "or remove --window",
        ),
    ],
)
def test_values_that_do_not_exist(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as error:
        Settings(**choices)

    assert message == str(error.value)


def test_singletons_cannot_be_left_out_with_split_antecedents() -> None:
    with pytest.raises(SettingsError, match="elements of accommodated sets are often singletons"):
        Settings(singletons=False)


def test_unknown_settings_are_named_with_the_valid_ones() -> None:
    with pytest.raises(SettingsError) as error:
        settings_from({"singleton": False, "split": False, "lea": 3})

    assert str(error.value).startswith(
        "no such setting: singleton (did you mean 'singletons'?), lea; choose from task, layers"
    )


def test_importance_counts_in_lea_alone() -> None:
    from support.notation import entities

    key, response = entities("ab c (ac)de"), entities("ab c (a)de")

    one, ten = (score_clusters(key, response, lea_importance=n) for n in (1, 10))

    changed = [name for name in one.scores if one.scores[name] != ten.scores[name]]
    assert changed == ["lea"]


def test_help_describes_every_setting() -> None:
    lines = (Settings.__doc__ or "").splitlines()

    described = dict(
        re.findall(r"^    (\w+) \(default: .*?\): (.+)", line)[0] for line in lines[3:]
    )

    assert {field.name: described[field.name] for field in fields(Settings)} == described
    assert described["singletons"].startswith("if False, exclude singletons")
    assert described["np_only"].startswith("if True, exclude mentions")
    assert all(name in described["by"] for name in BREAKDOWNS)
