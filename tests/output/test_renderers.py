"""Tables as text, in Markdown and in LaTeX."""

from dataclasses import replace

import pytest

import anascore
from anascore.corpus.stats import FileStatistics, Statistics, Stats
from anascore.output import latex as latex_output
from anascore.output.grid import Cell, Column, Grid, Head
from anascore.output.renderers import render_tables
from anascore.results.result import Difference, Result, Uncertainty
from anascore.results.uncertainty import ResamplingOptions, resample
from anascore.terminal import display_width, pad
from support.clusters import both
from support.paper import KEY, SYSTEMS

ODD = r"a_b & 100% #1 $x$ {y} ~ ^ \ | *bold* `code` <b> [l](m)"


@pytest.mark.parametrize("output", ["markdown", "latex"])
def test_names_are_text(output: str) -> None:
    result = replace(anascore.score(KEY, SYSTEMS[0], metrics="muc"), name=ODD)

    rendered = result.render(output)

    (row,) = [line for line in rendered.splitlines() if "65.15" in line]
    if output == "latex":
        assert row.startswith(
            r"a\_b \& 100\% \#1 \$x\$ \{y\} \textasciitilde{} \textasciicircum{} \textbackslash{}"
        )
    else:
        assert row.startswith(
            r"| a\_b & 100% \#1 \$x\$ \{y\} \~ ^ \\ \| \*bold\* \`code\` \<b\> \[l\](m) |"
        )


def test_the_best_is_bold_only_among_several() -> None:
    one, two = (anascore.score(KEY, system, metrics="muc") for system in SYSTEMS[:2])

    alone, both = (anascore.Comparison(found).render("markdown") for found in ([one], [one, two]))

    assert "| system-A | 65.15 | 88.89 | 75.19 |" in alone
    assert "| system-A | 65.15 | **88.89** | 75.19 |" in both
    assert "| system-B | **66.67** | **88.89** | **76.19** |" in both


def test_means_over_documents_leave_out_what_is_undefined() -> None:
    clusters = {"a": [["x"], ["y"]], "b": [["x", "y"], ["z", "w"]]}
    documents = {}
    for name, found in clusters.items():
        (document,) = both(found, found).corpora[0].documents.values()
        documents[name] = replace(document, name=name)
    key = anascore.Corpus(documents)

    result = anascore.score(key, key)

    assert result.documents["a"].scores["muc"].f1 is None
    assert result.first.macro["muc"] == (1, 1, 1)
    assert result.first.macro["conll"] == (None, None, 1)


WIDTHS = {
    "": 0,
    "system-A": 8,
    "naïve": 5,
    "nai\u0308ve": 5,
    "系统": 4,
    "システム2": 9,
    "ｗｉｄｅ": 8,
    "한국": 4,
    "\u1112\u1161\u11ab\u1100\u116e\u11a8": 4,
    "a\u200db": 2,
}


@pytest.mark.parametrize(("text", "width"), WIDTHS.items(), ids=map(ascii, WIDTHS))
def test_width_in_columns(text: str, width: int) -> None:
    assert display_width(text) == width
    assert display_width(pad(text, 12)) == 12


NAMES = ("plain", "系统一号", "nai\u0308ve", "x" * 79, "統" * 40)


def test_columns_of_scores_align_whatever_the_script_of_names() -> None:
    result = anascore.score(KEY, SYSTEMS[0], metrics="muc")
    named = [replace(result, name=name) for name in NAMES]
    sampled = resample(named, ResamplingOptions(confidence=True, samples=5))

    lines = str(anascore.Comparison(sampled)).splitlines()

    for text in (" 65.15", " 1        13", " 13        2", " -"):
        columns = [display_width(line[: line.index(text)]) for line in lines if text in line]
        assert len(columns) == len(NAMES)
        assert len({*columns}) == 1


def test_columns_of_stats_align_whatever_the_script_of_names() -> None:
    file = FileStatistics("key", "ua", "words", dict.fromkeys(NAMES, Stats(words=12345)))

    lines = Statistics((file,)).table(per_document=True).splitlines()

    columns = [display_width(line[: line.index("12345")]) for line in lines[1:] if "12345" in line]
    assert len(columns) == len(NAMES)
    assert len({*columns}) == 1


WIDE = Grid(
    "table",
    "Title",
    [
        Head([Column("x", min_width=30), Column("y", min_width=30)], "A"),
        Head([Column("z", min_width=30)], "B_C"),
    ],
    [("r", [Cell("1"), Cell("2"), Cell("3")])],
    corner="name",
    notes=["note <1>"],
)


def test_a_wide_grid_is_split_between_heads() -> None:
    lines = render_tables("table", [WIDE], ["signature"]).splitlines()

    assert [line.split() for line in lines] == [
        *(["Title"], ["A"], ["name", "x", "y"], ["r", "1", "2"], []),
        *(["B_C"], ["name", "z"], ["r", "3"], ["note", "<1>"], [], ["signature"]),
    ]
    assert lines[2] == f"name{'x':>30}{'y':>30}"
    assert lines[8] == "      note <1>"


def test_a_grid_in_markdown_and_latex() -> None:
    assert render_tables("markdown", [WIDE], ["`s`"]).splitlines() == [
        *("**Title**", ""),
        *(r"| name | A x | A y | B\_C z |", "| --- | ---: | ---: | ---: |"),
        *("| r | 1 | 2 | 3 |", "", r"note \<1\>", "", "`'s'`"),
    ]
    assert render_tables("latex", [WIDE], ["s"]).splitlines()[2:] == [
        *(r"\begin{table}", r"\centering\small\setlength{\tabcolsep}{3pt}"),
        *(r"\caption{Title.}", r"\label{tab:table}"),
        *(r"\begin{tabular}{lrrr}", r"\toprule"),
        r" & \multicolumn{2}{c}{A} & \multicolumn{1}{c}{B\_C} \\",
        r"\cmidrule(lr){2-3}\cmidrule(lr){4-4}",
        *(r"name & x & y & z \\", r"\midrule", r"r & 1 & 2 & 3 \\", r"\bottomrule"),
        *(r"\end{tabular}", r"\end{table}", "", "% note <1>", "", "% s"),
    ]


def test_a_grid_without_heads_is_text() -> None:
    grid = Grid("table", "Title", notes=["one", "x " * 45])

    assert render_tables("table", [grid], []).split() == ["Title", "one", *["x"] * 45]
    assert max(map(len, render_tables("table", [grid], []).splitlines())) <= 80
    assert render_tables("markdown", [grid], []).startswith("**Title**\n\none\n\nx x")
    assert "\n\n% Title\n\n% one\n\n% x x" in render_tables("latex", [grid], [])


def test_labels_of_columns_never_run_together() -> None:
    labels = ("Links, complete", "Zhou & Choi CEAF-E", "Zhou & Choi BLANC")
    heads = [Head([Column(label, min_width=15)]) for label in labels]
    grid = Grid("table", "", heads, [("a", [Cell("-")] * 3)])

    assert render_tables("table", [grid], []).splitlines()[0] == f"  {' '.join(labels)}"


def with_differences(result: Result, differences: dict[str, Difference]) -> Result:
    return replace(result, uncertainty={"identity": Uncertainty({}, differences)})


def latex(result: Result) -> str:
    return result.render("latex", tables="all")


def test_latex_tells_undefined_from_negative() -> None:
    undefined = anascore.score_clusters([["a"]], [["a"]], metrics="muc")
    differences = {
        "muc": Difference(-0.012, 0.2, None, 0, 1, 2),
        "b3": Difference(None, None, None, 0, 0, 3),
    }

    rows = latex(with_differences(undefined, differences)).splitlines()

    assert r"response & -- & -- & -- \\" in rows
    assert r"MUC & $-$1.20 & 0.200 & -- & 0 & 1 & 2 \\" in rows
    assert r"B$^3$ & -- & -- & -- & 0 & 0 & 3 \\" in rows


def test_latex_writes_less_and_greater_in_math_mode() -> None:
    result = replace(anascore.score(KEY, SYSTEMS[0], metrics="muc"), name="<b>")
    differences = {"muc": Difference(0.1, 0.0001, 0.0002, 3, 0, 0)}

    rows = latex(with_differences(result, differences)).splitlines()

    assert r"$<$b$>$ & 65.15 & 88.89 & 75.19$^{***}$ \\" in rows
    assert r"MUC & +10.00$^{***}$ & $<$0.001 & $<$0.001 & 3 & 0 & 0 \\" in rows


def test_latex_of_many_tables_begins_new_pages() -> None:
    grids = [Grid(f"g{n}", "t", [Head([Column("n")])], [("a", [Cell("1")])]) for n in range(40)]

    assert r"\clearpage" in latex_output.render(grids, [])
