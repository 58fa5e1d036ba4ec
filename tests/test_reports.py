"""Tables in Markdown and LaTeX: names are text, whatever is in them."""

from dataclasses import replace

import pytest

import anascore
from anascore.clusters import corpora_from_clusters
from anascore.example import KEY, SYSTEMS
from anascore.report import OUTPUTS, View

ODD = r"a_b & 100% #1 $x$ {y} ~ ^ \ | *bold* `code` <b> [l](m)"


@pytest.mark.parametrize("output", ["markdown", "latex"])
def test_names_are_text(output: str) -> None:
    result = replace(anascore.score(KEY, SYSTEMS[0], metrics="muc"), name=ODD)

    rendered = OUTPUTS[output]([result], View())

    (row,) = [line for line in rendered.splitlines() if "65.15" in line]
    if output == "latex":
        assert row.startswith(
            r"a\_b \& 100\% \#1 \$x\$ \{y\} \textasciitilde{} \textasciicircum{} \textbackslash{}"
        )
    else:
        assert row.startswith(r"| a\_b & 100% \#1 $x$ \{y\} \~ ^ \\ \| \*bold\* \`code\` \<b\> ")


def test_the_best_is_bold_only_among_several() -> None:
    one, two = (anascore.score(KEY, system, metrics="muc") for system in SYSTEMS[:2])

    alone, both = (OUTPUTS["markdown"](found, View()) for found in ([one], [one, two]))

    assert "| system-A | 65.15 | 88.89 | 75.19 |" in alone
    assert "| system-A | 65.15 | **88.89** | 75.19 |" in both
    assert "| system-B | **66.67** | **88.89** | **76.19** |" in both


def test_means_over_documents_leave_out_what_is_undefined() -> None:
    clusters = {"a": [["x"], ["y"]], "b": [["x", "y"], ["z", "w"]]}
    documents = {}
    for name, found in clusters.items():
        (document,) = corpora_from_clusters(found, found)[0].documents.values()
        documents[name] = replace(document, name=name)
    key = anascore.Corpus(documents, "test")

    result = anascore.score(key, key)

    assert result.documents["a"].scores["muc"].f1 is None
    assert result.first.macro["muc"] == (1, 1, 1)
    assert result.first.macro["conll"] == (None, None, 1)
