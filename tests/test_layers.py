"""A module imports only from modules that stand before it on the way of the data."""

import ast
from pathlib import Path

import pytest

import anascore

ROOT = Path(anascore.__file__).parent

ORDER = [
    "anascore.version",
    "anascore.errors",
    "anascore.problems",
    "anascore.garbage",
    "anascore.printable",
    "anascore.progress",
    "anascore.jobs",
    "anascore.settings",
    "anascore.mention",
    "anascore.model",
    "anascore.elements",
    "anascore.mapping",
    "anascore.anchors",
    "anascore.formats.source",
    "anascore.formats.places",
    "anascore.formats.reading",
    "anascore.formats.reading.opened",
    "anascore.formats.reading.links",
    "anascore.formats.reading.assembly",
    "anascore.formats.reading.conllu",
    "anascore.formats.columns",
    "anascore.formats.reading.ua_brackets",
    "anascore.formats.reading.ua",
    "anascore.formats.reading.corefud_fields",
    "anascore.formats.reading.corefud_brackets",
    "anascore.formats.reading.corefud",
    "anascore.formats.reading.conll2012",
    "anascore.formats.reading.json_text",
    "anascore.formats.reading.jsonl",
    "anascore.formats.reading.friends",
    "anascore.formats.reading.rucoco",
    "anascore.formats.reading.llm",
    "anascore.formats.recognition",
    "anascore.formats.writing",
    "anascore.formats.writing.units",
    "anascore.formats.writing.capacity",
    "anascore.formats.writing.attributes",
    "anascore.formats.writing.columns",
    "anascore.formats.writing.relations",
    "anascore.formats.writing.fitting",
    "anascore.formats.writing.naming",
    "anascore.formats.writing.friends_fitting",
    "anascore.formats.writing.bracketing",
    "anascore.formats.writing.rows",
    "anascore.formats.writing.ua",
    "anascore.formats.writing.corefud",
    "anascore.formats.writing.conll2012",
    "anascore.formats.writing.llm",
    "anascore.formats.writing.json",
    "anascore.formats.registry",
    "anascore.formats",
    "anascore.files",
    "anascore.conversion",
    "anascore.validation",
    "anascore.ranges",
    "anascore.ratio",
    "anascore.assignment",
    "anascore.assignment_scipy",
    "anascore.choice",
    "anascore.matching.pairs",
    "anascore.matching.zeros",
    "anascore.matching.minimum",
    "anascore.matching.head",
    "anascore.matching.craft",
    "anascore.matching",
    "anascore.dependencies",
    "anascore.trees",
    "anascore.side",
    "anascore.normalise",
    "anascore.stats",
    "anascore.classes",
    "anascore.breakdown",
    "anascore.rewriting",
    "anascore.pairing",
    "anascore.baselines",
    "anascore.overlap",
    "anascore.tables",
    "anascore.comparison",
    "anascore.align",
    "anascore.metrics.muc",
    "anascore.metrics.b_cubed",
    "anascore.metrics.ceaf",
    "anascore.metrics.lea",
    "anascore.metrics.blanc",
    "anascore.metrics",
    "anascore.scoring",
    "anascore.proposals.links",
    "anascore.proposals.zhou_choi",
    "anascore.proposals.lea_2021",
    "anascore.proposals.lea_rucoco",
    "anascore.proposals",
    "anascore.proposals.success",
    "anascore.tasks",
    "anascore.request",
    "anascore.requirements",
    "anascore.layers.counted",
    "anascore.layers.everything",
    "anascore.layers.mentions",
    "anascore.layers.anaphors",
    "anascore.layers.breakdown",
    "anascore.layers.entities",
    "anascore.layers.non_referring",
    "anascore.layers.bridging",
    "anascore.layers",
    "anascore.error_analysis.spans",
    "anascore.error_analysis.draft",
    "anascore.error_analysis.mistake",
    "anascore.error_analysis.judged",
    "anascore.error_analysis.aligned",
    "anascore.error_analysis.bench",
    "anascore.error_analysis.entities",
    "anascore.error_analysis.sets",
    "anascore.error_analysis.listed",
    "anascore.error_analysis",
    "anascore.division",
    "anascore.results",
    "anascore.resampling",
    "anascore.uncertainty",
    "anascore.report.view",
    "anascore.report.blocks",
    "anascore.report.numbers",
    "anascore.report.uncertainty",
    "anascore.report.cells",
    "anascore.report.markdown",
    "anascore.report.latex",
    "anascore.report.table",
    "anascore.report.json",
    "anascore.report.csv",
    "anascore.report",
    "anascore.report.validation",
    "anascore.report.stats",
    "anascore.explanation",
    "anascore.report.explanation",
    "anascore.report.errors",
    "anascore.pipeline",
    "anascore.clusters",
    "anascore.objects",
    "anascore.adapters",
    "anascore.api",
    "anascore",
    "anascore.example",
    "anascore.page.markup",
    "anascore.page.charts",
    "anascore.page.gathered",
    "anascore.page.tables",
    "anascore.page.places",
    "anascore.page.text",
    "anascore.page.marks",
    "anascore.page.sets",
    "anascore.page.working",
    "anascore.page.overview",
    "anascore.page.breakdown",
    "anascore.page.errors",
    "anascore.page.document",
    "anascore.page.documents",
    "anascore.page",
    "anascore.commands.outcome",
    "anascore.commands.options",
    "anascore.commands.compared",
    "anascore.commands.setting_options",
    "anascore.commands.written",
    "anascore.commands.score",
    "anascore.commands.pair",
    "anascore.commands.explain",
    "anascore.commands.errors",
    "anascore.commands.report",
    "anascore.commands.demo",
    "anascore.commands.convert",
    "anascore.commands.baseline",
    "anascore.commands.validate",
    "anascore.commands.stats",
    "anascore.commands.tasks",
    "anascore.commands",
    "anascore.cli",
    "anascore.__main__",
]


def name_of(path: Path) -> str:
    parts = path.relative_to(ROOT.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {name_of(path): path for path in ROOT.rglob("*.py")}


def test_every_module_is_listed() -> None:
    assert sorted(MODULES) == sorted(ORDER)


LATER = {
    (
        "anascore.assignment",
        "anascore.assignment_scipy",
    ): "SciPy loads slowly, and is seldom needed",
    ("anascore.model", "anascore.objects"): "a corpus can be made of objects; these need the model",
    ("anascore.model", "anascore.adapters"): "the same",
    ("anascore.results", "anascore.report"): "a result can show itself; reports need results",
    ("anascore.results", "anascore.report.json"): "the same",
}
"""Imports from below, inside functions, and why."""


@pytest.mark.parametrize("name", ORDER)
def test_imports_come_from_above(name: str) -> None:
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    imported = {
        module
        for node in ast.walk(tree)
        for module in imported_by(node)
        if module.startswith("anascore") and (name, module) not in LATER
    }

    assert imported <= set(ORDER[: ORDER.index(name)])


def imported_by(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        names = [f"{node.module}.{alias.name}" for alias in node.names]
        return [full if full in ORDER else node.module for full in names]
    return []


POSITIONAL = 5
"""The number of arguments of a class that can go without their names."""


@pytest.mark.parametrize("name", ORDER)
def test_many_arguments_of_a_class_have_names(name: str) -> None:
    tree = ast.parse(MODULES[name].read_text(encoding="utf-8"))
    calls = [
        f"line {node.lineno}: {node.func.id} with {len(node.args)} arguments by position"
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id.lstrip("_")[:1].isupper()
        and len(node.args) > POSITIONAL
    ]

    assert calls == []
