"""Names and words of files can hold anything: no output lets them control a terminal,
a spreadsheet, LaTeX or Markdown."""

import csv
import io
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple, get_args
from unicodedata import category

import pytest
from hypothesis import given
from hypothesis import strategies as st

import anascore
from anascore.cli.main import main
from anascore.corpus.stats import FileStatistics, Statistics
from anascore.model.document import Corpus
from anascore.output import csv as csv_output
from anascore.output.grid import Grid, Value, long_grid
from anascore.output.html.markup import element, visible_text
from anascore.output.json.text import to_json
from anascore.output.kinds import SCORES
from anascore.output.renderers import render_tables
from anascore.printing import OutputName
from anascore.terminal import cut, display_width, escape_control_characters
from support.clusters import both
from support.paths import ROOT

OUTPUTS = [form for form in SCORES.outputs if form != "eval-results"]


class Cells(NamedTuple):
    """A name as each output shows it; "" if it is as in text."""

    text: str
    markdown: str = ""
    latex: str = ""
    csv: str = ""


def escaped(text: str) -> Cells:
    r"""Return the cells of a name whose text has no markup but the backslash of escapes."""
    return Cells(text, text.replace("\\", "\\\\"), text.replace("\\", r"\textbackslash{}"))


NAMES = {
    "a\x1b[2Jb": Cells(r"a\x1b[2Jb", r"a\\x1b\[2Jb", r"a\textbackslash{}x1b{[}2Jb", r"a\x1b[2Jb"),
    "a\x07b": escaped(r"a\x07b"),
    "a\x00b": escaped(r"a\x00b"),
    "a\rb": escaped(r"a\rb"),
    "a\r\nb": escaped(r"a\r\nb"),
    "a\tb": escaped(r"a\tb"),
    "a\x7fb": escaped(r"a\x7fb"),
    "a\x9b31mb": escaped(r"a\x9b31mb"),
    "a\x85b": escaped(r"a\x85b"),
    "a\ud800b": escaped(r"a\ud800b"),
    "a\u202eb": escaped(r"a\u202eb"),
    "a\u2066b\u2069": escaped(r"a\u2066b\u2069"),
    "a\u200bb": escaped(r"a\u200bb"),
    "a\u2028b\u2029": escaped(r"a\u2028b\u2029"),
    "\ufeffab": escaped(r"\ufeffab"),
    "a\U000e0041b": escaped(r"a\U000e0041b"),
    "a\xa0b": escaped(r"a\xa0b"),
    "a b": Cells("a b"),
    "统一 é": Cells("统一 é"),
    "a\U0001fae8": Cells("a\U0001fae8"),
    "=1+1": Cells("=1+1", csv="'=1+1"),
    "+1": Cells("+1", csv="'+1"),
    "-1": Cells("-1", csv="'-1"),
    "@SUM(1)": Cells("@SUM(1)", csv="'@SUM(1)"),
    "＝1": Cells("＝1", csv="'＝1"),
    " =1": Cells(" =1", csv="' =1"),
    "'=1": Cells("'=1", csv="''=1"),
    "'s": Cells("'s"),
    "1-2": Cells("1-2"),
    "\t=1": escaped(r"\t=1"),
    "\r=1": escaped(r"\r=1"),
    "[chapter 1]": Cells("[chapter 1]", r"\[chapter 1\]", "{[}chapter 1]"),
    "*star": Cells("*star", r"\*star", "{*}star"),
    "50%": Cells("50%", "", r"50\%"),
    "\\": Cells("\\", r"\\", r"\textbackslash{}"),
    r"\input{x}": Cells(r"\input{x}", r"\\input\{x\}", r"\textbackslash{}input\{x\}"),
    "^^5c": Cells("^^5c", "", r"\textasciicircum{}\textasciicircum{}5c"),
    "~": Cells("~", r"\~", r"\textasciitilde{}"),
    "AT&T & Co": Cells("AT&T & Co", r"AT\&T & Co", r"AT\&T \& Co"),
    "&lt;": Cells("&lt;", r"\&lt;", r"\&lt;"),
    "&#60;": Cells("&#60;", r"\&\#60;", r"\&\#60;"),
    "#1": Cells("#1", r"\#1", r"\#1"),
    "$x$": Cells("$x$", r"\$x\$", r"\$x\$"),
    "a_b": Cells("a_b", r"a\_b", r"a\_b"),
    "a|b": Cells("a|b", r"a\|b", r"a\textbar{}b"),
    "a\\|b": Cells("a\\|b", r"a\\\|b", r"a\textbackslash{}\textbar{}b"),
    "`a`": Cells("`a`", r"\`a\`"),
    "<script>": Cells("<script>", r"\<script\>", "$<$script$>$"),
    "a---b": Cells("a---b", "", "a-{}-{}-b"),
}
"""Names with their cells in every output."""

UNSAFE = {"Cc", "Cf", "Cs", "Zl", "Zp"}
"""Categories of characters that no text output may have."""


def unsafe(text: str) -> list[str]:
    """Return the characters of a text that could control a terminal, line ends excepted."""
    return [character for character in text if character != "\n" and category(character) in UNSAFE]


def corpora(names: list[str], words: str = "") -> tuple[Corpus, Corpus]:
    """Return a key and a response with documents of these names; all mentions are these words."""
    text = [f"{words}{n}" for n in range(4)]
    key, response = (
        Corpus({name: replace(document, name=name) for name in names})
        for corpus in both([text[:2], text[2:]], [text[:3], text[3:]]).corpora
        for document in corpus.documents.values()
    )
    return key, response


@pytest.mark.parametrize(("name", "cells"), NAMES.items(), ids=map(ascii, NAMES))
def test_cells_of_names(name: str, cells: Cells) -> None:
    result = replace(anascore.score(*corpora(["d"]), metrics="muc"), name=name)
    rendered = {form: result.render(form) for form in OUTPUTS}

    table = rendered["table"].splitlines()
    assert table[3] == f"{cells.text}  50.00  50.00  50.00"
    assert table[1].index("MUC") - table[2].index("R") == 3
    assert f"\n| {cells.markdown or cells.text} | 50.00 |" in rendered["markdown"]
    assert f"\n{cells.latex or cells.text} & 50.00 &" in rendered["latex"]
    rows = list(csv.DictReader(io.StringIO(rendered["csv"])))
    assert rows[0]["system"] == (cells.csv or cells.text)
    assert rendered["csv"].count("\n") == len(rows) + 1
    assert json.loads(rendered["json"])["systems"][0]["name"] == name
    assert not any(map(unsafe, rendered.values()))


@pytest.mark.parametrize("name", NAMES, ids=map(ascii, NAMES))
def test_columns_align_with_escaped_names(name: str) -> None:
    result = anascore.score(*corpora([name, "plain"]), metrics="muc")

    lines = result.table(per_document=True).splitlines()

    (start,) = (n for n, line in enumerate(lines) if line.startswith("All entities by document"))
    head, first, second = lines[start + 2 : start + 5]
    assert display_width(first) == display_width(second) == len(head)


MARKDOWN_LINES = {
    "- a": r"\- a",
    "+ a": r"\+ a",
    "=== ": r"\===",
    "1. a": r"1\. a",
    "12) a": r"12\) a",
    "    code": "code",
    "# a": r"\# a",
    "> a": r"\> a",
    "``` a": r"\`\`\` a",
    "a - b. c": "a - b. c",
}


@pytest.mark.parametrize(("note", "line"), MARKDOWN_LINES.items(), ids=MARKDOWN_LINES)
def test_a_note_is_a_paragraph_in_markdown(note: str, line: str) -> None:
    assert render_tables("markdown", [Grid(notes=[note])], ["s"]) == f"{line}\n\n`s`\n"


def test_notes_and_signatures_are_one_line_each() -> None:
    grids = [Grid("table", "title\n ", notes=["a\nb"])]

    assert render_tables("markdown", grids, ["s\n`t"]) == "**title\\\\n**\n\na\\\\nb\n\n`s\\n't`\n"
    assert render_tables("latex", grids, ["s\rt"]).splitlines() == [
        *("% needs \\usepackage{booktabs}", "", "% title\\n ", "", "% a\\nb", "", "% s\\rt")
    ]
    assert (
        render_tables("latex", [Grid(notes=["a"])], []) == "% needs \\usepackage{booktabs}\n\n% a\n"
    )


CSV_CELLS = {
    "=": "'=",
    -1: "-1",
    -0.5: "-0.5",
    None: "",
    "": "",
    "a\nb": r"a\nb",
    'a,"b"': 'a,"b"',
}


@pytest.mark.parametrize(("value", "cell"), CSV_CELLS.items(), ids=map(ascii, CSV_CELLS))
def test_cells_of_csv(value: Value, cell: str) -> None:
    text = csv_output.render(long_grid(["a", "b"], [["x", value]]))

    assert list(csv.reader(io.StringIO(text))) == [["a", "b"], ["x", cell]]


def test_json_keeps_content_and_escapes_control_characters() -> None:
    content = {"\x9b": "\x00\n\t\x7f\u202e\u2028\ud800\U000e0041é系\\"}

    text = to_json(content)

    assert text == (
        '{"\\u009b": "\\u0000\\n\\t\\u007f\\u202e\\u2028\\ud800\\udb40\\udc41é系\\\\"}\n'
    )
    assert json.loads(text) == content


def test_names_in_the_page_are_escaped_but_texts_keep_their_characters() -> None:
    assert element("bdi", "<\x1b\n\u202e>") == r"<bdi>&lt;\x1b\n\u202e&gt;</bdi>"
    assert visible_text("<\x1b\n\u202eक\u200d\u2028>") == "<␛\n\u202eक\u200d\u2028>"


@pytest.mark.parametrize(
    ("text", "width", "shown"),
    [("abc", 3, "abc"), ("abc", 2, "ab"), ("系统", 3, "系"), ("系统", 4, "系统"), ("", 1, "")],
)
def test_a_text_is_cut_to_columns(text: str, width: int, shown: str) -> None:
    assert cut(text, width) == shown


HOSTILE = "".join(map(chr, (*range(0x20), *range(0x7F, 0xA0), 0x202E, 0x2066, 0x200B, 0xFEFF)))
"""Characters of files that no output may show as they are."""

FILE_NAME = HOSTILE.replace("\0", "") + "\udcff"
"""Name of a file; Python reads the byte 0xFF, which is not UTF-8, as half a character."""

COMMANDS = {
    **{
        f"score {form}": ["score", "KEY", "RESPONSE", "--per-document", f"--output={form}"]
        for form in OUTPUTS
    },
    "score eval-results": [
        *("score", "KEY", "RESPONSE", "--output=eval-results"),
        *("--dataset-id=a/b", f"--task-id={HOSTILE}"),
    ],
    **{
        f"errors {form}": ["errors", "KEY", "RESPONSE", f"--output={form}"]
        for form in get_args(OutputName)
    },
    "explain table": ["explain", "KEY", "RESPONSE"],
    "explain json": ["explain", "KEY", "RESPONSE", "--output=json"],
    **{
        f"stats {form}": ["stats", "KEY", "--per-document", f"--output={form}"]
        for form in get_args(OutputName)
    },
    "validate table": ["validate", "KEY", "RESPONSE", "OTHER"],
    "validate json": ["validate", "KEY", "RESPONSE", "OTHER", "--output=json"],
    "report": ["report", "KEY", "RESPONSE", "-o", "PAGE", "--samples=2"],
    "demo": ["demo", "--files", "COPY"],
    "convert": ["convert", "KEY", "CONLL"],
}

FAILURES = {
    "no file": ["score", "KEY", "MISSING"],
    "bad file": ["score", "KEY", "BAD"],
    "no document": ["explain", "KEY", "RESPONSE", "--doc", f"{HOSTILE}"],
    "other words": ["score", "KEY", "OTHER"],
    "bad option": ["score", "KEY", "RESPONSE", f"--match={HOSTILE}"],
    "unknown command": [HOSTILE],
    "no format": ["convert", "KEY", "MISSING"],
}


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """Write files in which all names and words are hostile, their own names, too."""
    clusters = {"KEY": [[[0, 0], [2, 2]], [[1, 1]]], "RESPONSE": [[[0, 0], [1, 1]], [[3, 3]]]}
    paths = {
        name: tmp_path / f"{name}{FILE_NAME}{ending}"
        for name, ending in {
            **dict.fromkeys(("KEY", "RESPONSE", "OTHER", "BAD"), ".jsonl"),
            "PAGE": ".html",
            "COPY": "",
            "CONLL": ".conll",
            "MISSING": "",
        }.items()
    }
    for name, path in paths.items():
        words = [f"{HOSTILE}{n}" for n in range(4)]
        if name == "OTHER":
            words[0] = "another word"
        document = {
            "doc_key": f"=d{HOSTILE}",
            "sentences": [words],
            "clusters": clusters.get(name, []),
        }
        if name in {"KEY", "RESPONSE", "OTHER"}:
            path.write_text(json.dumps(document) + "\n")
        elif name == "BAD":
            path.write_text(json.dumps({**document, "clusters": HOSTILE, HOSTILE: 1}))
    return {name: str(path) for name, path in paths.items()}


def arguments(words: list[str], files: dict[str, str]) -> list[str]:
    return [files.get(word, word) for word in words]


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_no_command_prints_control_characters(
    command: list[str],
    files: dict[str, str],
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "3000")  # names are not shortened

    status = main(arguments(command, files))

    output = capsys.readouterr()
    escapes = (r"\x1b", r"\u001b", r"\textbackslash{}x1b")
    assert status == 0
    assert any(escape in output.out + output.err for escape in escapes)
    assert not unsafe(output.out + output.err)


@pytest.mark.parametrize("command", FAILURES.values(), ids=FAILURES)
def test_no_error_prints_control_characters(
    command: list[str], files: dict[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    status = main(arguments(command, files))

    output = capsys.readouterr()
    assert (status, output.out) == (2, "")
    assert r"\x1b" in output.err
    assert not unsafe(output.err)


def test_the_page_isolates_texts(files: dict[str, str]) -> None:
    main(arguments(COMMANDS["report"], files))

    page = Path(files["PAGE"]).read_text()
    isolated = re.compile(r'<(td|p)[^>]* dir="auto">.*?</\1>', re.DOTALL)
    other = isolated.sub("", page)
    assert any("\u202e" in match[0] for match in isolated.finditer(page))
    assert not {*unsafe(other)} - {"\t"}
    assert "[dir], .cell { unicode-bidi: isolate; }" in page
    assert r"=d\x00\x01\x02" in other


LATEX_DOCUMENT = r"""\documentclass{article}
\usepackage{booktabs}
\begin{document}
%s
\end{document}
"""


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdfLaTeX is not installed")
def test_latex_compiles(tmp_path: Path) -> None:
    names = [name for name, cells in NAMES.items() if (cells.latex or cells.text).isascii()]
    result = anascore.score(*corpora(names), metrics="muc")
    named = [replace(result, name=name) for name in ("[1ex]", *names)]
    table = anascore.Comparison(named).render("latex", tables="all", per_document=True)
    (tmp_path / "table.tex").write_text(LATEX_DOCUMENT % table)

    run = subprocess.run(
        ["pdflatex", "-halt-on-error", "-interaction=nonstopmode", "table.tex"],
        cwd=tmp_path,
        capture_output=True,
        check=False,
    )

    assert run.returncode == 0, run.stdout.decode(errors="replace")[-2000:]
    assert len(names) > 30


hostile_text = st.text(
    st.one_of(st.sampled_from(HOSTILE + "=+-@'\\|[*#%&<`$ \ud800"), st.characters()), max_size=8
)


NEUTRALISED = "^'(?=[' ]*[=+@＝＋－＠-])"
"""Apostrophe before a text that begins like a formula."""


def test_the_documentation_says_how_to_undo_it() -> None:
    page = ROOT / "docs" / "reference" / "output.md"

    assert f'r"{NEUTRALISED}", "", regex=True' in page.read_text(encoding="utf-8")


def undone(cell: str) -> str:
    """Undo what CSV does to a text that begins like a formula."""
    return re.sub(NEUTRALISED, "", cell)


def outputs(key: Corpus, response: Corpus, system: str) -> Iterator[tuple[str, str]]:
    """Yield all text outputs, with the names of their formats."""
    result = replace(anascore.score(key, response, metrics="muc"), name=system)
    for form in OUTPUTS:
        yield form, result.render(form, per_document=True)
    errors = anascore.find_errors(key, response)
    errors = replace(errors, system=system, warnings=(f"{system}: warning",))
    for form in get_args(OutputName):
        yield form, errors.render(form)
    explained = anascore.explain(key, response, metrics="muc")
    explained = replace(explained, signature=system, warnings=(system,))
    yield "table", explained.table()
    (counts,) = (file.documents for file in anascore.stats(key))
    file = FileStatistics(system, "ua", "words", counts)
    for form in get_args(OutputName):
        yield form, Statistics((file,)).render(form, per_document=True)


@given(st.lists(hostile_text.filter(bool), min_size=1, max_size=3, unique=True), hostile_text)
def test_no_output_has_control_characters(names: list[str], words: str) -> None:
    key, response = corpora(names, words)

    for form, text in outputs(key, response, names[0]):
        assert not unsafe(text)
        if form == "json":
            assert json.dumps(names[0])[1:-1] in json.dumps(json.loads(text))
        if form == "csv":
            rows = list(csv.DictReader(io.StringIO(text)))
            cells = {row["document"] for row in rows} - {""}
            assert {undone(cell) for cell in cells} <= {*map(escape_control_characters, names)}
            assert not any(cell.lstrip(" ")[:1] in {*"=+-@"} for cell in cells)
