"""The layout of tables: width, names, styles, columns, and the choice of rows and scores."""

import contextlib
import fcntl
import io
import os
import pty
import re
import struct
import termios
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import anascore
from anascore import SettingsError
from anascore.cli.main import main
from anascore.output.grid import Cell, Column, Grid, Head, SystemName
from anascore.output.renderers import render_tables
from anascore.output.scores import table_score
from anascore.output.text import line_width
from anascore.output.view import ReportOptions, joint_warnings, report_options
from anascore.results.result import Result
from anascore.terminal import BOLD, DIM, PLAIN, allow_styles, display_width, shorten_middle, styled
from support.paper import KEY, SYSTEMS
from support.samples import SAMPLES


def grid_of(names: Sequence[str], *, rows: tuple[str, ...] = ("a",)) -> Grid:
    heads = [Head([Column(name, min_width=8)]) for name in names]
    return Grid("table", "", heads, [(row, [Cell("1.00")] * len(names)) for row in rows])


def lines_of(grid: Grid) -> list[str]:
    return render_tables("table", [grid], []).rstrip().splitlines()


# width


@pytest.mark.parametrize(
    ("columns", "width"), [("80", 80), ("132", 132), ("20", 60), ("0", 80), ("x", 80)]
)
def test_the_width_is_that_of_the_environment(
    columns: str, width: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    monkeypatch.setattr("sys.__stdout__", io.StringIO())  # no terminal

    assert line_width() == width


@pytest.mark.parametrize("columns", ["", "0", "wide", None])
def test_text_is_as_wide_as_the_terminal(
    columns: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    if columns is None:
        monkeypatch.delenv("COLUMNS")
    else:
        monkeypatch.setenv("COLUMNS", columns)
    _, terminal = pty.openpty()
    with os.fdopen(terminal, "w") as opened:
        monkeypatch.setattr("sys.__stdout__", opened)
        for number, width in {100: 100, 20: 60, 0: 80}.items():
            fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, number, 0, 0))

            assert line_width() == width


@pytest.mark.parametrize("stream", [None, io.StringIO()])
def test_text_has_80_columns_without_a_terminal(
    stream: io.StringIO | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLUMNS")
    monkeypatch.setattr("sys.__stdout__", stream)

    assert line_width() == 80


@pytest.mark.parametrize("width", [60, 80, 100, 200])
def test_tables_are_as_wide_as_the_terminal(width: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    results = anascore.compare(KEY, SYSTEMS, confidence=True, paired="bootstrap", samples=9)

    text = results.render(per_document=True)
    *tables, _signature = text.split("\n\n")

    widths = [len(line) for table in tables for line in table.splitlines()]
    assert max(widths) <= width
    assert len(tables) > 5 or width > 100


# names


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("abcdef", 6, "abcdef"),
        ("abcdefg", 6, "abc…fg"),
        ("abcdefg", 5, "ab…fg"),
        ("統統統統", 8, "統統統統"),
        ("統統統統統", 8, "統統…統"),
        ("", 3, ""),
    ],
)
def test_long_texts_lose_their_middle(text: str, width: int, expected: str) -> None:
    assert shorten_middle(text, width) == expected
    assert display_width(shorten_middle(text, width)) <= width


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["short", "also short"], ["short", "also short"]),
        (["x" * 70], ["x" * 70]),
        ([f"{n}-{'x' * 40}-{n}" for n in range(6)], [f"{n}-xxxx…xxx-{n}" for n in range(6)]),
        (
            [f"{'x' * 40}-{n}-{'y' * 40}" for n in range(6)],
            [f"…xxxx-{n}-yyy…" for n in range(6)],
        ),
        (
            [f"{'x' * 20}{n}{'y' * 20}{m}{'z' * 20}" for n in range(3) for m in range(2)],
            [f"…{n}yyyy…yyy{m}…" for n in range(3) for m in range(2)],
        ),
    ],
)
def test_names_above_columns_stay_different(names: list[str], expected: list[str]) -> None:
    lines = lines_of(grid_of([*map(SystemName, names)]))
    labels = [line for line in lines if line and not line.startswith("a ")]

    assert " ".join(" ".join(labels).split()) == " ".join(expected)


def rows_of(*names: str) -> list[str]:
    """Return the names of rows beside six columns of numbers."""
    lines = lines_of(grid_of(["n"] * 6, rows=names))
    return [line.partition(" ")[0] for line in lines[1 : lines.index("")] if line[0] != " "]


def test_names_of_rows_stay_different() -> None:
    differ = [f"{'x' * 40}{n}{'x' * 40}" for n in "12"]
    twice = [f"-{n}{'x' * 60}{m}-" for n in "ab" for m in "cd"]
    hopeless = [f"{n}{'x' * 60}{m}{'x' * 60}{k}" for n in "ab" for m in "cd" for k in "ef"]

    assert rows_of(*differ, "y" * 60, "short") == [
        f"…{'x' * 18}1{'x' * 17}…",
        f"…{'x' * 18}2{'x' * 17}…",
        f"{'y' * 19}…{'y' * 18}",
        "short",
    ]
    assert rows_of(*twice) == [f"-{n}{'x' * 17}…{'x' * 16}{m}-" for n in "ab" for m in "cd"]
    assert rows_of(*hopeless) == hopeless


def test_blanks_separate_wide_cells_and_labels() -> None:
    heads = [
        Head([Column("part"), Column("of")], "a label, wider than both cells"),
        Head([Column("x", starred=True)], "than its columns"),
    ]
    cells = [Cell("458081/12500"), Cell("11/21, 2/9"), Cell(123.4567, "difference", p=0.01)]
    grid = Grid("table", "", heads, [("a", cells), ("b", [Cell(1, "count")] * 3)])

    assert lines_of(grid) == [
        " a label, wider than both cells than its columns",
        "                part          of                x",
        "a       458081/12500  11/21, 2/9       +12345.67*",
        "b                  1           1               1",
    ]


def test_labels_and_cells_are_escaped() -> None:
    head = Head([Column(SystemName("a\x1b"))], "b\x1b")

    text = render_tables("table", [Grid("table", "", [head], [("r", [Cell("c\x1b")])])], [])

    assert text.split() == [r"b\x1b", r"a\x1b", "r", r"c\x1b"]


# styles


@pytest.fixture
def terminal() -> Iterator[tuple[int, io.TextIOWrapper]]:
    """Open a terminal: its reading end, and a stream that writes to it."""
    master, slave = pty.openpty()
    with os.fdopen(slave, "w") as stream:
        yield master, stream
    os.close(master)


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")


STYLED = Grid(
    "table",
    "",
    [Head([Column("x", min_width=5), Column("y", min_width=5)])],
    [
        ("a", [Cell(1, "count", best=True), Cell(0, "count")]),
        ("b", [Cell(0, "count"), Cell(None, "count")]),
    ],
)


def test_the_best_is_bold_and_columns_of_zeros_are_dim(
    terminal: tuple[int, io.TextIOWrapper],
) -> None:
    with allow_styles(terminal[1]):
        lines = lines_of(STYLED)

    assert lines == [
        f"     x    {DIM}y{PLAIN}",
        f"a    {BOLD}1{PLAIN}    {DIM}0{PLAIN}",
        f"b    0    {DIM}-{PLAIN}",
    ]
    assert lines_of(STYLED) == ["     x    y", "a    1    0", "b    0    -"]


@pytest.mark.parametrize(
    ("variable", "value", "expected"),
    [("NO_COLOR", "1", "x"), ("NO_COLOR", "", f"{BOLD}x{PLAIN}"), ("TERM", "dumb", "x")],
)
def test_styles_can_be_switched_off(
    variable: str,
    value: str,
    expected: str,
    terminal: tuple[int, io.TextIOWrapper],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv(variable, value)

    with allow_styles(terminal[1]):
        assert styled("x", BOLD) == expected


@pytest.mark.parametrize("stream", [None, io.StringIO()])
def test_there_are_no_styles_elsewhere(stream: io.StringIO | None) -> None:
    with allow_styles(stream):
        assert styled("x", BOLD) == "x"


def test_the_command_line_has_styles_on_a_terminal_only(
    terminal: tuple[int, io.TextIOWrapper], capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["score", str(KEY), str(SYSTEMS[0]), str(SYSTEMS[1]), "--metrics", "b3"]

    assert main(arguments) == 0
    plain = capsys.readouterr().out
    with contextlib.redirect_stdout(terminal[1]):
        assert main(arguments) == 0
    on_terminal = os.read(terminal[0], 100_000).decode().replace("\r\n", "\n")

    assert f"{BOLD}76.05{PLAIN}" in on_terminal
    assert f"{DIM}spurious{PLAIN}" in on_terminal
    assert re.sub(r"\x1b\[[0-9]+m", "", on_terminal) == plain
    assert "\x1b" not in plain


# columns that say nothing


def counts_of(text: str, first: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if line.split()[:1] == [first]]
    return re.split("  +", line.strip())


def test_columns_that_say_nothing_are_left_out(tmp_path: Path) -> None:
    for name, text in SAMPLES.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    zeros = (tmp_path / "zeros-key.conllu", tmp_path / "zeros.conllu")

    with_sets, without = str(anascore.score(KEY, SYSTEMS[0])), str(anascore.score(*zeros))
    by_head = str(anascore.score(*zeros, match="head", zeros="drop"))

    assert counts_of(with_sets, "documents")[-1] == "accommodated sets"
    assert counts_of(with_sets, "matched") == ["matched", "exactly", "missing", "spurious"]
    assert counts_of(without, "documents")[-1] == "entities"
    assert counts_of(without, "matched")[1:] == ["exactly", "as zeros", "missing", "spurious"]
    assert counts_of(by_head, "matched")[1:] == ["exactly", "partly", "missing", "spurious"]


# one warning


def test_a_warning_is_shown_once_with_its_systems() -> None:
    singletons = anascore.score_clusters([["a"], ["b"]], [["a"], ["b"]])
    pairs = anascore.score_clusters([["a", "b"], ["c", "d"]], [["a", "b"], ["c", "d"]])
    x, y, z = (replace(singletons, name=name) for name in "xyz")
    options, warning = ReportOptions(), "CoNLL leaves out MUC, which is undefined"

    def first(*results: Result) -> list[str]:
        return joint_warnings(results, options)[:1]

    assert first(x) == [f"x: {warning}"]
    assert first(x, pairs, y) == [f"x, y: {warning}"]
    assert first(x, y, z) == [f"all systems: {warning}"]
    assert first(pairs) == []
    assert str(anascore.Comparison([x, y])).count("leaves out MUC") == 1


# order, and one score


def test_systems_are_sorted_best_first_but_not_in_json() -> None:
    undefined = replace(anascore.score_clusters([["a"]], [["a"]]), name="undefined")
    results = anascore.Comparison([undefined, *anascore.compare(KEY, SYSTEMS[:2])])

    def order(output: str) -> list[str]:
        text = results.render(output, sort_by="MUC")
        return list(dict.fromkeys(re.findall("undefined|system-[AB]", text)))

    assert order("table") == order("csv") == ["system-B", "system-A", "undefined"]
    assert order("json") == ["undefined", "system-A", "system-B"]


def test_documents_are_sorted_by_the_mean_over_systems() -> None:
    right, wrong = [["a", "b"]], [["a"], ["b"]]
    key = dict.fromkeys("vwxyz", right)
    key["v"] = wrong
    one = anascore.score_clusters(key, {**key, "w": wrong, "x": wrong, "y": wrong}, metrics="muc")
    two = anascore.score_clusters(key, {**key, "w": wrong, "y": wrong}, metrics="muc")
    options = ReportOptions(sort_by="muc")

    assert options.documents_in_order(one.first) == ["w", "x", "y", "z", "v"]
    assert options.documents_in_order(one.first, two.first) == ["w", "y", "x", "z", "v"]
    assert ReportOptions().documents_in_order(one.first) == ["v", "w", "x", "y", "z"]
    assert ReportOptions(sort_by="lea").documents_in_order(one.first) == ["v", "w", "x", "y", "z"]


@pytest.mark.parametrize(
    ("available", "reported", "view", "expected"),
    [
        (["muc", "b3", "conll"], ["muc", "b3", "conll"], {}, "conll"),
        (["muc", "b3", "conll"], ["muc", "b3"], {}, "b3"),
        (["muc", "b3", "conll"], ["muc"], {}, "muc"),
        (["b3", "mentions"], ["muc", "conll"], {}, "b3"),
        (["b3", "mentions"], ["mentions"], {}, "mentions"),
        (["b3", "mentions"], ["muc"], {"score": "mentions"}, "mentions"),
        (["b3", "mentions"], ["muc", "b3"], {"score": "muc"}, "b3"),
        (["muc", "b3", "conll"], ["muc", "b3"], {"sort_by": "muc"}, "muc"),
        (["muc", "b3", "conll"], ["muc", "b3"], {"sort_by": "muc", "score": "b3"}, "b3"),
        (
            ["bridging-anaphors", "bridging-entities"],
            ["bridging-anaphors"],
            {},
            "bridging-anaphors",
        ),
        (["links", "lea-2021"], ["lea-2021"], {}, "lea-2021"),
    ],
)
def test_a_table_by_class_has_a_score_that_was_requested(
    available: list[str], reported: list[str], view: dict[str, Any], expected: str
) -> None:
    assert table_score(available, reported, ReportOptions(**view)) == expected


@pytest.mark.parametrize(
    ("view", "message"),
    [
        ({"sort_by": "leaa"}, "--sort-by leaa: it is not reported (did you mean 'lea'?); choose"),
        ({"sort_by": "anaphors"}, "--sort-by anaphors: it is not reported; choose from muc, lea"),
        ({"per_doc": True}, "no such option of output: per_doc (did you mean 'per_document'?); "),
        (
            {"sort": "muc"},
            "no such option of output: sort (did you mean 'sort_by'?); choose from split_only, ",
        ),
        (
            {"score": "anaphors", "per_document": True},
            "--score anaphors: it is not reported; choose from muc, lea",
        ),
        ({"score": "b4"}, "--score b4: it is not reported; choose from muc, lea, b3, mentions, an"),
    ],
)
def test_a_view_must_be_possible(view: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError) as raised:
        anascore.score(KEY, SYSTEMS[0], metrics="muc,lea").render(**view)

    assert str(raised.value).startswith(message)


def test_aliases_are_scores_of_a_view() -> None:
    options = report_options(["b3", "ceafe"], sort_by="BCUB", score="ceaf")

    assert (options.sort_by, options.score) == ("b3", "ceafe")


def test_tables_by_class_have_the_scores_of_each_system() -> None:
    results = anascore.compare(KEY, SYSTEMS[:2], by="length")

    text = results.render(per_document=True)
    table = text[text.index("All entities by size") :].split("\n\n")[0].splitlines()

    assert table[0] == "All entities by size of entity: B³ F1"
    assert table[2].split() == ["key", "system-A", "system-B"]
    for line in table[3:]:
        name, *numbers = re.split("  +", line)
        classes = [result.first.breakdown["length"].get(name) for result in results]
        assert int(numbers[0]) == max(one.key for one in classes if one)
        assert numbers[1:] == [
            "-" if one is None else f"{100 * (one.scores['b3'].f1 or 0):.2f}" for one in classes
        ]
    assert "All entities by document: CoNLL F1\n" in text
