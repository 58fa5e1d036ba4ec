"""The key against itself is perfect or undefined: every layer, format, matching, task, metric."""

from itertools import product
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import Corpus, Result, SettingsError
from anascore.formats.registry import FORMATS
from anascore.metrics import GROUPS, LABELS, RANKED, scores_of
from anascore.settings import CHOICES, LAYER_NAMES
from anascore.tasks import TASKS
from samples import SAMPLES
from shared import REAL, Lazy, beginning, each_corpus

WAYS: list[dict[str, Any]] = [
    {"match": match, "zeros": zeros, "zero_match": zero_match}
    for match, zeros, zero_match in product(
        CHOICES["match"], CHOICES["zeros"], CHOICES["zero_match"]
    )
    if (zeros, zero_match) != ("drop", "dependent")
]
OTHERS: list[dict[str, Any]] = [
    {"convention": "ua"},
    {"split": False},
    {"split": False, "singletons": False},
    {"remove_nested": True},
    {"metrics": ",".join(GROUPS)},
    {"np_only": True},
    {"anaphors": "zero", "zeros": "keep"},
    {"anaphors": "pronoun"},
    {"anaphors": "FORM=the"},
]
ASKED_FOR: list[dict[str, Any]] = [
    *({"layers": "all", **way} for way in WAYS),
    *({"layers": "all", **other} for other in OTHERS),
    *({"task": task} for task in TASKS),
]
KEYS = [name for name in SAMPLES if "key" in name]

each_request = pytest.mark.parametrize(
    "asked", ASKED_FOR, ids=lambda asked: "-".join(map(str, asked.values()))
)


def scored(corpus: Corpus, asked: dict[str, Any]) -> Result | None:
    """Score a corpus against itself, unless it lacks what was asked for."""
    try:
        return anascore.score(corpus, corpus, **asked)
    except SettingsError as error:
        assert "cannot hold the layer" in str(error) or " needs " in str(error), error  # noqa: PT017
        return None


def check(result: Result) -> set[str]:
    """Check that everything is perfect, and return the names of scores that are defined."""
    defined = set()
    for layer in result.layers.values():
        matching = layer.total.matching
        assert (matching["partly"], matching["missing"], matching["spurious"]) == (0, 0, 0)
        found = [layer.scores, layer.split_only, *layer.classes.values()]
        found += [s for d in layer.documents.values() for s in (d.scores, d.split_only)]
        for scores in found:
            for name, values in scores.items():
                assert {*values} <= {1.0, None}, (layer.layer, name)
                if values.f1 is not None:
                    defined.add(name)
    return defined


@pytest.mark.parametrize("name", FORMATS)
@each_request
def test_samples(name: str, asked: dict[str, Any], tmp_path: Path) -> None:
    for sample in KEYS:
        (tmp_path / sample).write_text(SAMPLES[sample], encoding="utf-8")
        anascore.write(anascore.read(tmp_path / sample), tmp_path / "written.json", name)

        result = scored(anascore.read(tmp_path / "written.json", name), asked)

        if result is not None:
            check(result)


def test_all_scores_are_among_them(tmp_path: Path) -> None:
    defined = set()
    for sample, asked in product(KEYS, ASKED_FOR):
        (tmp_path / sample).write_text(SAMPLES[sample], encoding="utf-8")
        result = scored(anascore.read(tmp_path / sample), asked)
        defined |= check(result) if result else set()

    assert set(LABELS) - RANKED == defined


@each_corpus(real_ones=REAL)
@each_request
def test_whole_corpora(corpus: Lazy[Corpus], asked: dict[str, Any]) -> None:
    result = scored(beginning(corpus()), asked)

    if result is not None:
        check(result)


def test_layers_have_all_scores() -> None:
    assert set(LABELS) == {name for layer in LAYER_NAMES for name in scores_of(layer)}
