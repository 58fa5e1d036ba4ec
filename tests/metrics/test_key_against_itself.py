"""The key against itself is perfect or undefined: every layer, format, matching, task, metric.

Requests that need annotation that a corpus lacks raise an error that names it.
"""

import re
from functools import cache
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

import anascore
from anascore import Corpus, Result, SettingsError
from anascore.formats.registry import FORMATS, WRITABLE
from anascore.metrics.scores import GROUPS, LABELS, RANKED, scores_of
from anascore.settings import CHOICES, LAYER_NAMES
from anascore.tasks import TASKS
from support.generated_corpora import FORMATS as GENERATED
from support.generated_corpora import generated
from support.samples import SAMPLES
from support.shared import REAL, beginning, real

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
REQUESTS: list[dict[str, Any]] = [
    *({"layers": "all", **way} for way in WAYS),
    *({"layers": "all", **other} for other in OTHERS),
    {"layers": "zeros"},
    {"layers": "all", "across": "all"},
    {"layers": "all", "across": "all", "match": "head", "window": 50},
    {"layers": "all", "window": 7},
    {"layers": "all", "window": 7, "metrics": ",".join(GROUPS)},
    {"layers": "all", "window": 7, "split": False, "singletons": False},
    {"layers": "identity,zeros", "match": "head"},
    *({"task": task} for task in TASKS),
]
KEYS = [name for name in SAMPLES if "key" in name]

each_request = pytest.mark.parametrize(
    "choices", REQUESTS, ids=lambda choices: "-".join(map(str, choices.values()))
)

NEEDS: dict[str, tuple[str, str, str]] = {
    "heads": ("match", "head", "--match head"),
    "dependencies": ("zero_match", "dependent", "--zero-match dependent"),
    "minimum spans": ("match", "partial", "--match partial"),
    "parses": ("np_only", "True", "--np-only"),
    "tags": ("anaphors", "pronoun", "--anaphors pronoun"),
}
"""The setting that needs an annotation, and its name in the error; in the order of the checks."""

LAYERS_MISSING = {
    "ua": set[str](),
    "corefud": {"non-referring", "discourse-deixis"},
    "jsonl": {"bridging", "discourse-deixis"},
}
"""The layers that a format cannot hold; other formats hold identity only."""

BARE = {"heads", "minimum spans", "parses", "tags"}
MISSING = {
    "ua layers-key.conllua": {"parses"},
    "ua zeros-key.conllu": {"parses"},
    "ua parsed-key.conll": {"heads", "minimum spans", "parses"},
    "corefud layers-key.conllua": {"parses"},
    "corefud zeros-key.conllu": {"parses"},
    "corefud parsed-key.conll": {"heads", "minimum spans", "parses"},
    "conll2012 parsed-key.conll": {"heads"},
    "llm-text zeros-key.conllu": {"dependencies", *BARE},
    "llm-json zeros-key.conllu": {"dependencies", *BARE},
    "generated-ua": {"dependencies", "parses", "tags"},
    "generated-corefud": {"dependencies", "parses", "tags"},
    "codicrac-light": {"parses", "tags"},
    "codicrac-persuasion": {"parses", "tags"},
    "gum-ua": {"parses"},
    "gum-corefud": {"parses"},
    "gum-conll2012": {"heads", "minimum spans", "parses"},
    "gum-original": {"parses"},
    "ancora": {"parses"},
}
"""The annotation that a corpus lacks, though a setting needs it; all others are bare."""


def refusal(name: str, corpus: Corpus, choices: dict[str, Any]) -> str | None:
    """Return the pattern of the error that a request must raise, None if it must be scored."""
    if choices.get("across") and any(
        (document.entities or document.deixis) and not document.global_ids
        for document in corpus.documents.values()
    ):
        return "--across joins entities by their ids"
    task = TASKS.get(choices.get("task", ""))
    held_back = LAYERS_MISSING.get(corpus.format, {"non-referring", "bridging", "discourse-deixis"})
    for layer in task.settings.layers if task else ():
        if layer in held_back:
            return f"{FORMATS[corpus.format].label} .* layer {layer}$"
    of_zeros = "zeros" in choices.get("layers", "")
    if of_zeros and not FORMATS[corpus.format].holds.zeros:
        return f"{FORMATS[corpus.format].label} .* layer zeros$"
    for annotation, (setting, value, option) in NEEDS.items():
        chosen = getattr(task.settings, setting) if task else choices.get(setting)
        if str(chosen) == value and annotation in MISSING.get(name, BARE):
            of_task = f"--task {choices['task']} \\({option}\\)" if task else option
            return f"{of_task} needs .*{annotation}"
    if of_zeros and "dependencies" in MISSING.get(name, BARE):
        return "the layer zeros needs .*dependencies"
    return None


def check(name: str, corpus: Corpus, choices: dict[str, Any]) -> set[str]:
    """Check that the corpus scores perfectly or is refused; return the scores that are defined."""
    pattern = refusal(name, corpus, choices)
    if pattern is not None:
        with pytest.raises(SettingsError, match=f"^{re.escape(corpus.path)}: {pattern}"):
            anascore.score(corpus, corpus, **choices)
        return set()
    return check_perfect(anascore.score(corpus, corpus, **choices))


def check_perfect(result: Result) -> set[str]:
    """Check that all scores are 1 or undefined; return the names of those that are defined."""
    defined = set()
    for layer in result.layers.values():
        matching = layer.total.matching
        assert (matching["partly"], matching["missing"], matching["spurious"]) == (0, 0, 0)
        tables = [layer.scores, layer.split_only, *layer.classes.values()]
        tables += [s for d in layer.documents.values() for s in (d.scores, d.split_only)]
        for scores in tables:
            for name, values in scores.items():
                assert {*values} <= {1.0, None}, (layer.layer, name)
                if values.f1 is not None:
                    defined.add(name)
    return defined


@cache
def converted(sample: str, name: str) -> Corpus:
    """Return a sample as it is read from a file in a format."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / sample
        path.write_text(SAMPLES[sample], encoding="utf-8")
        written = Path(folder) / "written.json"
        anascore.write(anascore.read(path), written, name)
        return anascore.read(written, name)


@pytest.mark.parametrize("name", WRITABLE)
@each_request
def test_samples(name: str, choices: dict[str, Any]) -> None:
    for sample in KEYS:
        check(f"{name} {sample}", converted(sample, name), choices)


def test_all_scores_are_among_them() -> None:
    defined = set()
    for sample, choices in product(KEYS, REQUESTS):
        own_format = {"conllua": "ua", "conllu": "corefud", "conll": "conll2012"}
        name = own_format[sample.partition(".")[2]]
        defined |= check(f"{name} {sample}", converted(sample, name), choices)

    assert set(LABELS) - RANKED == defined


@pytest.mark.parametrize("name", [f"generated-{name}" for name in GENERATED])
@each_request
def test_generated_corpora(name: str, choices: dict[str, Any]) -> None:
    check(name, beginning(generated(name.removeprefix("generated-"))), choices)


@pytest.mark.corpora
@pytest.mark.parametrize("name", REAL)
@each_request
def test_real_corpora(name: str, choices: dict[str, Any]) -> None:
    check(name, beginning(real(REAL[name])), choices)


def test_layers_have_all_scores() -> None:
    assert set(LABELS) == {name for layer in LAYER_NAMES for name in scores_of(layer)}
