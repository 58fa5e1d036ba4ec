"""The documents say what is true."""

import dataclasses
import doctest
import importlib
import json
import re
import shlex
from pathlib import Path

import pytest

import anascore
from anascore.cli import main
from anascore.datasets import CRAC_VARIANTS
from anascore.formats.format import Capacity
from anascore.formats.registry import FORMATS
from anascore.metrics import GROUPS, LABELS, METRICS, ON_REQUEST
from anascore.settings import CHOICES, LAYER_NAMES
from anascore.tasks import TASKS
from docs import tables
from paper import KEY, SYSTEMS

ROOT = Path(__file__).parents[1]


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_json_example_is_what_is_printed() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", text_of("docs/reference/json.md"), re.DOTALL)
    example = json.loads(block)["systems"][0]
    result = anascore.score(KEY, SYSTEMS[0], metrics="muc,conll").to_dict()

    for part in ("name", "counts", "scores", "split_only", "warnings"):
        assert example[part] == result[part]
    assert list(example) == list(result)
    assert example["documents"].keys() == result["documents"].keys()


def test_all_scores_are_described() -> None:
    pages = text_of("docs/reference/json.md") + text_of("docs/understand/metrics.md")
    for name in LABELS:
        assert f"`{name}`" in pages
        if name == "anaphors" or name not in ON_REQUEST:
            assert f"`{name}`" in text_of("README.md")
    for name in GROUPS:
        assert f"`{name}`" in text_of("README.md")
    for metric in METRICS.values():
        assert metric.label in text_of("docs/understand/metrics.md")


def test_the_files_that_the_metrics_page_names_exist() -> None:
    named = re.findall(r"`(metrics/\w+\.py)`", text_of("docs/understand/metrics.md"))

    there = {path.name for path in (ROOT / "src/anascore/metrics").glob("[!_]*.py")}
    shared = {"compare.py", "mentions.py", "many_sets.py", "overlap.py"}
    shared |= {"earlier.py", "shares.py"}
    assert {Path(name).name for name in named} == there - shared


def test_the_version_is_the_same_everywhere() -> None:
    version = anascore.__version__

    assert f"version: {version}" in text_of("CITATION.cff")
    assert f"## {version}" in text_of("CHANGELOG.md")
    assert f'"anascore": "{version}"' in text_of("docs/reference/json.md")


CAPACITY = {
    "accommodated sets": "sets",
    "results of elements": "results",
    "marked antecedents": "antecedents",
    "zeros": "zeros",
    "discontinuous mentions": "gaps",
    "crossing": "crossing",
    "non-referring mentions": "nonreferring",
    "bridging": "bridging",
    "discourse deixis": "deixis",
    "ranked antecedents": "candidates",
    "minimum spans and heads": "minimum",
    "attributes of mentions": "attributes",
    "sentences": "sentences",
    "names of documents": "names",
}
WORDS = {
    True: "yes",
    False: "-",
    "no": "-",
    "nested": "yes",
    "of-entities": "of entities only",
    "named": "yes",
    "numbered": "numbered types",
    "mentions": "to mentions",
    "entities": "to entities",
    "span": "without gaps",
    "words": "yes",
    frozenset(): "-",
    frozenset({"set"}): "of sets",
    frozenset({"set", "result"}): "yes",
}


def capacity_table() -> str:
    """Write down what each format can hold."""
    lines = [f"| format | {' | '.join(CAPACITY)} |", "| --- |" + " --- |" * len(CAPACITY)]
    for name, target in FORMATS.items():
        cells = (WORDS[getattr(target.holds, field)] for field in CAPACITY.values())
        lines.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(lines)


def test_what_formats_can_hold_is_told_as_it_is() -> None:
    told = {
        *CAPACITY.values(),
        "characters",
        "columns",
        "comments",
        "forbidden_in_words",
        "forbidden_in_labels",
    }

    assert {field.name for field in dataclasses.fields(Capacity)} == told
    assert capacity_table() in text_of("docs/reference/formats.md")


def test_all_formats_are_described() -> None:
    for name, target in FORMATS.items():
        endings = ", ".join(f"`{ending}`" for ending in target.endings)
        row = rf"^\| `{name}` \| .* \| {re.escape(endings)} ?\|$"
        assert re.search(row, text_of("docs/reference/formats.md"), re.MULTILINE), name


def test_the_example_of_json_lines_can_be_read(tmp_path: Path) -> None:
    (block,) = re.findall(r"```json\n(.*?)```", text_of("docs/reference/formats.md"), re.DOTALL)
    (tmp_path / "f").write_text(block.replace("\n", " "))

    (document,) = anascore.read(tmp_path / "f").documents.values()

    assert [entity.elements for entity in document.entities] == [(), (), (0, 1)]


@pytest.mark.parametrize(
    ("page", "number"),
    [
        ("howto/agreement.md", 9),
        ("reference/formats.md", 2),
        ("howto/integrations.md", 13),
        ("understand/metrics.md", 9),
        ("understand/uncertainty.md", 5),
        ("howto/python.md", 38),
        ("howto/several-keys.md", 19),
    ],
)
def test_the_examples_of_a_page(page: str, number: int) -> None:
    test = doctest.DocTestParser().get_doctest(text_of(f"docs/{page}"), {}, page, None, None)
    runner = doctest.DocTestRunner(verbose=False)

    runner.run(test)

    assert len(test.examples) == number
    assert runner.summarize().failed == 0


def test_the_example_of_the_page_on_suites(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    page = text_of("docs/howto/suite.md")
    (block,) = re.findall(r"```console\n(.*?)```", page, re.DOTALL)
    command, expected = block.split("\n", 1)

    test = doctest.DocTestParser().get_doctest(page, {}, "suite.md", None, None)
    runner = doctest.DocTestRunner(verbose=False)
    runner.run(test)
    assert len(test.examples) == 12
    assert runner.summarize().failed == 0
    capsys.readouterr()
    assert main(shlex.split(command.removeprefix("$ anascore "))) == 0
    assert capsys.readouterr().out == expected
    for name in CRAC_VARIANTS:
        assert f"| `{name}` |" in page


@pytest.mark.parametrize(
    "module",
    [
        *("anascore.api", "anascore.formats", "anascore.formats.objects", "anascore.model.ratio"),
        *("anascore.integrations.spacy", "anascore.model.document", "anascore.scorer"),
        *("anascore.model.short", "anascore.tasks", "anascore.analysis.errors"),
        *("anascore.corpus.baselines", "anascore.corpus.convert", "anascore.corpus.sources"),
        *("anascore.corpus.stats", "anascore.corpus.validate", "anascore.results.exact"),
        *("anascore.output.schema", "anascore.results.suite"),
    ],
)
def test_examples_in_docstrings(module: str) -> None:
    found = doctest.testmod(importlib.import_module(module))

    assert found.attempted > 0
    assert found.failed == 0


def test_tables_are_those_of_the_code() -> None:
    names = [path.name for path in tables.pages()]
    assert names == ["command-line.md", "settings.md"]
    for path in tables.pages():
        page = path.read_text(encoding="utf-8")
        assert tables.fill(page) == page, "run make pages"


def test_all_public_names_are_in_the_reference() -> None:
    directives = re.findall(
        r"^\.\. auto(?:function|class|exception):: (\w+)$",
        text_of("docs/reference/api.md"),
        re.MULTILINE,
    )

    assert sorted(directives) == sorted({*anascore.__all__} - {"__version__"})


def test_links_lead_somewhere() -> None:
    for path in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)\)", path.read_text(encoding="utf-8")):
            assert (path.parent / target).exists(), (path.name, target)


def test_matching_layers_and_tasks_are_described() -> None:
    page = text_of("docs/understand/matching.md")

    for way in CHOICES["match"]:
        assert f"| `{way}` |" in page
    for layer in LAYER_NAMES:
        assert f"| `{layer}` |" in page
    for name, task in TASKS.items():
        assert re.search(
            rf"^\| `{name}`.*\| `{task.format}` \|.*`{task.settings.match}`", page, re.MULTILINE
        )
        assert f"`{name}`" in text_of("README.md")
    for path in re.findall(r"`(matching/\w+\.py)`", page):
        assert (ROOT / "src/anascore" / path).exists()
