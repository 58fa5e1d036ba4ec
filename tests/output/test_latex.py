"""LaTeX as a paper needs it: one table, stars by level, and a document that compiles."""

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

import anascore
from anascore.cli.main import main
from anascore.example import KEY, SYSTEMS
from anascore.output.grid import Cell, Column, Grid, Head
from anascore.output.renderers import render_tables

NEURAL, RULES, *_ = SYSTEMS
KEY_AND_TWO = [str(KEY), str(NEURAL), str(RULES)]


def latex_of(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Return what a command prints as LaTeX."""
    assert main([*arguments, "--output", "latex"]) == 0
    return capsys.readouterr().out


def test_one_table_has_a_caption_and_a_label(capsys: pytest.CaptureFixture[str]) -> None:
    text = latex_of(capsys, "score", *KEY_AND_TWO, "--paired", "bootstrap")

    assert text.count(r"\begin{table}") == 1
    assert r"\caption{All entities. The best values are bold. * $p < 0.05$, " in text
    assert r"\label{tab:scores}" in text
    assert r"\cmidrule(lr){2-4}" in text


def test_tables_that_options_ask_for_are_there(capsys: pytest.CaptureFixture[str]) -> None:
    text = latex_of(capsys, "score", *KEY_AND_TWO, "--by", "length", "--macro", "--per-document")

    assert re.findall(r"\\label\{tab:(.*)\}", text) == [
        *("scores", "macro", "by-length", "by-document", "sets-by-document")
    ]


def test_tables_are_chosen_by_id(capsys: pytest.CaptureFixture[str]) -> None:
    text = latex_of(capsys, "score", *KEY_AND_TWO, "--tables", "sets,sizes")

    assert re.findall(r"\\label\{tab:(.*)\}", text) == ["sets", "sizes"]


def test_tables_with_the_same_id_have_different_labels(capsys: pytest.CaptureFixture[str]) -> None:
    text = latex_of(capsys, "score", *KEY_AND_TWO, "--layers", "all", "--tables", "all")

    labels = re.findall(r"\\label\{tab:(.*)\}", text)
    assert len(labels) == len({*labels}) > 5
    assert {"scores", "scores-2"} <= {*labels}


@pytest.mark.parametrize(
    ("p", "stars"),
    [(None, ""), (0.05, ""), (0.049, "$^{*}$"), (0.009, "$^{**}$"), (0.0009, "$^{***}$")],
)
def test_stars_stand_for_levels(p: float | None, stars: str) -> None:
    grid = Grid("t", "T", [Head([Column("x")])], [("a", [Cell(-0.125, "difference", p=p)])])

    assert rf"a & $-$12.50{stars} \\" in render_tables("latex", [grid]).splitlines()


def test_long_texts_are_broken_into_lines() -> None:
    heads = [Head([Column("x", is_text=True), Column("y", is_text=True), Column("z")])]
    rows = [("a", [Cell("short"), Cell("long " * 20), Cell(1, "count")])]

    text = render_tables("latex", [Grid("t", "T", heads, rows)])

    assert r"\begin{tabular}{llp{0.45\linewidth}r}" in text


UNKIND = r"a_b & 100% #1 $x$ {y} ~ ^ \ | *bold* [l] -- <b>"


TABLES: dict[str, Callable[[], str]] = {
    "score": lambda: anascore.compare(
        KEY, {UNKIND: NEURAL, "rules": RULES}, by="length", confidence=True, paired="bootstrap"
    ).render("latex", tables="all", per_document=True, macro=True),
    "layers": lambda: anascore.compare(KEY, SYSTEMS[:2], layers="all").render(
        "latex", tables="all"
    ),
    "agreement": lambda: anascore.agreement(
        {UNKIND: KEY, "B": NEURAL, "C": RULES}, confidence=True, samples=5
    ).render("latex", tables="all", per_document=True),
    "disagreements": lambda: anascore.agreement(
        {UNKIND: KEY, "B": NEURAL}, disagreements=True
    ).render_disagreements("latex", tables="all"),
    "errors": lambda: anascore.find_errors(KEY, NEURAL).render("latex", tables="all"),
    "errors of several": lambda: anascore.find_errors(KEY, {UNKIND: NEURAL, "rules": RULES}).render(
        "latex", tables="all"
    ),
    "explain": lambda: anascore.explain(KEY, NEURAL).render("latex", tables="all"),
    "explain everything": lambda: anascore.explain(KEY, NEURAL).render(
        "latex", tables="all", full=True
    ),
    "stats": lambda: anascore.stats(KEY).render("latex", tables="all", per_document=True),
    "validate": lambda: anascore.validate([KEY, NEURAL]).render("latex", tables="all"),
}


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs LaTeX: make latex")
@pytest.mark.parametrize("name", TABLES)
def test_all_tables_compile(name: str, tmp_path: Path) -> None:
    tables = TABLES[name]()
    document = tmp_path / "paper.tex"
    preamble = "\\documentclass{article}\n\\usepackage[T1]{fontenc}\n\\usepackage{booktabs}\n"
    document.write_text(f"{preamble}\\begin{{document}}\n{tables}\\end{{document}}\n", "utf-8")

    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", document.name]
    run = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)

    output = run.stdout.decode("utf-8", "replace")
    assert run.returncode == 0, output[-2000:]
    # A table can lack where there is nothing to list.
    assert tables.count(r"\begin{table}") == tables.count(r"\caption{")
    assert tables.count(r"\begin{table}") > 0 or name == "validate"
