"""A folder is a stage: it imports only from the folders and modules before it."""

import ast
from pathlib import Path

import pytest

import anascore
from support.paths import ROOT

PACKAGE = Path(anascore.__file__).parent

ORDER = [
    "version",
    "errors",
    "arguments",
    "plugins",
    "settings",
    "terminal",
    "parallel",
    "printing",
    "model",
    "formats",
    "pairing",
    "entities",
    "assignment",
    "matching",
    "metrics",
    "tasks",
    "layers",
    "requirements",
    "results",
    "comparison",
    "blocks",
    "several_keys",
    "suites",
    "analysis",
    "corpus",
    "output",
    "keywords",
    "api",
    "scorer",
    "compat",
    "integrations",
    "__init__",
    "example",
    "cli",
    "__main__",
]
"""The folders and modules of the top level, in the order in which data passes through them."""

LATER = {
    ("settings", "tasks"): "settings know the names of tasks, which are made of settings",
    ("model", "formats"): "Corpus.from_clusters and the like make a corpus of objects",
    ("printing", "output"): "results print themselves",
    ("results", "output"): "messages write percentages as tables do",
    ("analysis", "output"): "an error as text is its line in the list of errors",
    ("integrations", "cli"): "the scoring program of a competition runs like a command",
}
"""Imports from a later stage, inside functions, and why."""


def stages() -> dict[str, list[Path]]:
    """Return the modules of each folder, and of each module of the top level."""
    paths: dict[str, list[Path]] = {}
    for path in PACKAGE.rglob("*.py"):
        paths.setdefault(path.relative_to(PACKAGE).parts[0].removesuffix(".py"), []).append(path)
    return paths


STAGES = stages()


def imports(node: ast.AST) -> set[str]:
    """Return the stages of anascore that a statement imports from."""
    if isinstance(node, ast.Import):
        modules = [alias.name for alias in node.names]
    elif isinstance(node, ast.ImportFrom) and node.module == "anascore":
        modules = [f"anascore.{alias.name}" for alias in node.names]
    elif isinstance(node, ast.ImportFrom):
        assert node.level == 0
        modules = [str(node.module)]
    else:
        return set()
    parts = (module.split(".") for module in modules)
    return {part[1] if part[1:] else "__init__" for part in parts if part[0] == "anascore"}


def test_every_stage_is_listed() -> None:
    assert sorted(STAGES) == sorted(ORDER)


@pytest.mark.parametrize("stage", ORDER)
def test_a_stage_imports_from_earlier_ones(stage: str) -> None:
    earlier = {*ORDER[: ORDER.index(stage) + 1]}
    for path in STAGES[stage]:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        at_top = {name for node in tree.body for name in imports(node)}
        anywhere = {name for node in ast.walk(tree) for name in imports(node)}

        assert at_top <= earlier, path
        assert {name for name in anywhere - earlier if (stage, name) not in LATER} == set(), path


@pytest.mark.parametrize("stage", [name for name in ORDER if (PACKAGE / name).is_dir()])
def test_a_folder_says_what_it_takes_and_gives(stage: str) -> None:
    source = (PACKAGE / stage / "__init__.py").read_text(encoding="utf-8")
    text = ast.get_docstring(ast.parse(source))

    assert text is not None
    assert "\nTakes " in text


def test_the_tree_in_contributing_is_the_order() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    tree = text.partition("    src/anascore/\n")[2].partition("\n\n")[0]
    names = [line.split()[0].removesuffix("/").removesuffix(".py") for line in tree.splitlines()]

    assert names == ORDER


POSITIONAL = 5
"""The number of arguments of a class that can go without their names."""


@pytest.mark.parametrize("stage", ORDER)
def test_many_arguments_of_a_class_have_names(stage: str) -> None:
    calls = [
        f"{path.name}:{node.lineno}: {node.func.id} with {len(node.args)} arguments by position"
        for path in STAGES[stage]
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id.lstrip("_")[:1].isupper()
        and len(node.args) > POSITIONAL
    ]

    assert calls == []
