"""The documents say what is true."""

import dataclasses
import doctest
import importlib
import json
import os
import re
from pathlib import Path

import pytest

import anascore
from anascore.errors import SettingsError
from anascore.example import KEY, SYSTEMS, copy_example
from anascore.formats.format import Capacity
from anascore.formats.registry import FORMATS
from anascore.metrics.scores import GROUPS, LABELS, METRICS, ON_REQUEST
from anascore.settings import CHOICES, LAYER_NAMES
from anascore.suites import CRAC_VARIANTS
from anascore.tasks import TASKS
from docs.generated import files
from support.code_blocks import FENCE, Page, is_shown
from support.paths import ROOT


def text_of(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_the_json_example_is_what_is_printed() -> None:
    (block,) = re.findall(r"```json\n(.*?)```", text_of("docs/reference/json.md"), re.DOTALL)
    example = json.loads(block)["systems"][0]
    (result,) = anascore.score(KEY, SYSTEMS[0], metrics="muc,conll").to_dict()["systems"]
    (shown,), (layer,) = example["layers"].values(), result["layers"].values()

    assert list(example) == list(result)
    for part in ("name", "signature", "warnings"):
        assert example[part] == result[part]
    assert list(shown) == list(layer)
    for part in ("counts", "matching", "scores", "split_only"):
        assert shown[part] == layer[part]
    assert shown["documents"].keys() <= layer["documents"].keys()


def test_all_scores_are_described() -> None:
    pages = text_of("docs/reference/json.md") + text_of("docs/understand/metrics.md")
    for name in LABELS:
        assert f"`{name}`" in pages
    options = text_of("docs/reference/command-line.md")
    for name in (*GROUPS, *(name for name in LABELS if name not in ON_REQUEST), "anaphors"):
        assert re.search(rf"\b{name}\b", options), name
    for metric in METRICS.values():
        assert metric.label in text_of("docs/understand/metrics.md")


def test_the_files_that_the_metrics_page_names_exist() -> None:
    named = re.findall(r"`(metrics/\w+\.py)`", text_of("docs/understand/metrics.md"))

    there = {path.name for path in (ROOT / "src/anascore/metrics").glob("[!_]*.py")}
    shared = {"mentions.py", "metric.py", "overlap.py", "scores.py"}
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


PAGES = [
    path.relative_to(ROOT).as_posix()
    for path in (ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")))
    if "_build" not in path.parts
]

NOT_RUN = {
    "docs/howto/integrations.md": 3,  # spaCy, pandas and evaluate, on files of the reader
    "docs/howto/logging.md": 4,  # wandb, TensorBoard, Lightning, transformers: test_recipes.py
    "docs/reference/output.md": 1,  # a data frame of the reader
}
"""Numbers of Python blocks that are compiled and not run."""


@pytest.mark.parametrize("name", PAGES)
def test_code_blocks(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    page = Page(text_of(name), name)
    if "$ anascore demo --files example" not in page.text:
        copy_example("example")

    page.execute()

    if os.environ.get("UPDATE_GOLDEN"):
        (ROOT / name).write_text(page.updated(), encoding="utf-8")
    assert list(page.wrong()) == []
    assert len(page.not_run) == NOT_RUN.get(name, 0)


@pytest.mark.parametrize(
    ("output", "shown", "same"),
    [
        ("a\nb\nc\n", "a\nb\nc\n", True),
        ("a\nb\nc\n", "a\n...\nc\n", True),
        ("a\nb\nc\n", "a\n...\n", True),
        ("a\nb\nc\n", "...\nb\nc\n", True),
        ("a\nb\nc\n", "a\n...\nb\n", False),
        ("a\nb\nc\n", "a\nb\n", False),
        ("a\nb\nc\n", "", False),
    ],
)
def test_lines_of_an_output_can_be_left_out(output: str, shown: str, *, same: bool) -> None:
    assert is_shown(output, shown) is same


@pytest.mark.parametrize(
    ("page", "message"),
    [
        ("```python\n>>> 1 + 1\n3\n\n```\n", "Expected:\n    3"),
        ("```python\n1 +\n```\n", "invalid syntax"),
        ("```sh\nanascore score a b --matches exact\n```\n", "--matches"),
        ("```sh\nmake coffee\n```\n", "make coffee"),
        ("```sh\npip install 'anascore[cake]'\n```\n", "cake"),
        ("```sh\nrm example\n```\n", "rm example"),
        ("```cobol\nSTOP RUN.\n```\n", "cobol"),
    ],
)
def test_wrong_blocks_are_noticed(page: str, message: str) -> None:
    with pytest.raises((AssertionError, SyntaxError, SettingsError)) as error:
        Page(page, "page").execute()

    assert message in str(error.value)


def test_wrong_outputs_are_noticed_and_updated() -> None:
    page = Page("```console\n$ anascore --version\n```\n", "page")
    with pytest.raises(SystemExit):
        page.execute()
    page = Page("```console\n$ anascore score a\n```\n", "page")

    page.execute()

    assert len(list(page.wrong())) == 1
    assert "arguments are required: RESPONSE" in page.updated()


def test_every_variant_of_crac_is_described() -> None:
    for name in CRAC_VARIANTS:
        assert f"| `{name}` |" in text_of("docs/howto/suite.md")


WITH_EXAMPLES = [
    ".".join(path.relative_to(ROOT / "src").with_suffix("").parts).removesuffix(".__init__")
    for path in sorted((ROOT / "src").rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("module", WITH_EXAMPLES)
def test_examples_in_docstrings(module: str) -> None:
    found = doctest.testmod(importlib.import_module(module))

    assert found.attempted > 0
    assert found.failed == 0


def test_generated_files_are_those_of_the_code() -> None:
    generated = files()

    assert {path.suffix for path in generated} == {".md", ".json", ".svg"}
    for path, text in generated.items():
        assert path.read_text(encoding="utf-8") == text, f"{path.name}: run make pages"
    for path in [*(ROOT / "docs/reference/schema").iterdir(), *(ROOT / "docs").rglob("*.svg")]:
        assert path in generated or "_build" in path.parts


def test_all_public_names_are_in_the_reference() -> None:
    directives = re.findall(
        r"^\.\. auto(?:function|class|exception):: (\w+)$",
        text_of("docs/reference/api.md"),
        re.MULTILINE,
    )

    assert sorted(directives) == sorted({*anascore.__all__} - {"__version__"})


OTHER_PAGES = ["CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"]


@pytest.mark.parametrize("name", [*PAGES, *OTHER_PAGES])
def test_links_lead_somewhere(name: str) -> None:
    folder = (ROOT / name).parent
    for link in re.findall(r"\]\(([^)\s]+)\)", prose_of(name)):
        if re.match(r"[a-z]+:", link):
            assert re.fullmatch(r"https://[a-z0-9.-]+\.[a-z]+(/[\w./#?=%@~+-]*)?", link), link
            continue
        target, _, anchor = link.partition("#")
        path = folder / target if target else ROOT / name
        assert path.exists(), link
        if anchor:
            assert anchor in anchors_of(path.read_text(encoding="utf-8")), link


def prose_of(name: str) -> str:
    """Return a page without its code."""
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", text_of(name)))


def anchors_of(page: str) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub and MyST make them."""
    titles = re.findall(r"^#+ (.+)$", FENCE.sub("", page), re.MULTILINE)
    return {
        re.sub(r"[^\w\- ]", "", re.sub(r"\[(.*?)\]\(.*?\)", r"\1", title).lower()).replace(" ", "-")
        for title in titles
    }


@pytest.mark.parametrize("name", PAGES)
def test_no_sentence_has_a_clause_as_its_subject(name: str) -> None:
    text = re.sub(r"[*_|#>]|^\s*(?:-|[0-9]+\.) ", "\n\n", prose_of(name), flags=re.MULTILINE)
    sentences = re.split(r"\n\s*\n|(?<=[.!?:])\s+", text)
    clauses = [
        sentence
        for sentence in map(str.strip, sentences)
        if re.match(r"(What|Whether|Which)\b", sentence) and not sentence.endswith("?")
    ]

    assert clauses == []


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
        assert re.search(rf"[ `]{name}`", text_of("docs/howto/shared-tasks.md"))
