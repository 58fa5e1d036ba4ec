"""The documents say what is true."""

import doctest
import importlib
import json
import re
from pathlib import Path

import pytest

import anascore
from anascore.example import KEY, SYSTEMS
from anascore.metrics import LABELS, METRICS

ROOT = Path(__file__).parents[1]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_json_example_is_what_is_printed() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", text_of("docs/json.md"), re.DOTALL)
    example = json.loads(block)["systems"][0]
    result = anascore.score(KEY, SYSTEMS[0], metrics="muc,conll").to_dict()

    for part in ("name", "counts", "scores", "split_only", "warnings"):
        assert example[part] == result[part]
    assert list(example) == list(result)
    assert example["documents"].keys() == result["documents"].keys()


def test_all_scores_are_described() -> None:
    for name in LABELS:
        assert f"`{name}`" in text_of("docs/json.md")
        assert f"`{name}`" in text_of("README.md")
    for metric in METRICS.values():
        assert metric.label in text_of("docs/metrics.md")


def test_the_files_that_the_metrics_page_names_exist() -> None:
    named = re.findall(r"`(metrics/\w+\.py)`", text_of("docs/metrics.md"))

    assert {path.name for path in (ROOT / "src/anascore/metrics").glob("[!_]*.py")} == {
        Path(name).name for name in named
    }


def test_the_version_is_the_same_everywhere() -> None:
    version = anascore.__version__

    assert f"version: {version}" in text_of("CITATION.cff")
    assert f"## {version}" in text_of("CHANGELOG.md")
    assert f'"anascore": "{version}"' in text_of("docs/json.md")


@pytest.mark.parametrize("module", ["anascore.api", "anascore.ratio"])
def test_examples_in_docstrings(module: str) -> None:
    found = doctest.testmod(importlib.import_module(module))

    assert found.attempted > 0
    assert found.failed == 0


def test_links_lead_somewhere() -> None:
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), (path.name, target)
