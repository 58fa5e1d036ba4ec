"""Section 5 of the paper, on the example files that come with the package."""

from fractions import Fraction

import pytest

import anascore
from anascore.metrics.scores import METRICS
from support.paper import KEY, SYSTEMS
from support.paper_tables import PENALTIES, RECALLS, aligned_recalls, penalties
from support.paths import ROOT


@pytest.mark.parametrize(("metric", "letter", "k", "r"), RECALLS)
def test_credit_of_an_aligned_set(metric: str, letter: str, k: int, r: int) -> None:
    assert Fraction(RECALLS[metric, letter, k, r]) == aligned_recalls(metric, letter)[k, r]


@pytest.mark.parametrize(("letter", "k"), PENALTIES)
def test_penalty_of_muc(letter: str, k: int) -> None:
    assert Fraction(PENALTIES[letter, k]) == penalties(letter)[k]


@pytest.mark.parametrize("metric", METRICS)
def test_alignment_of_system_a(metric: str) -> None:
    """The paper says that this alignment is best by any metric."""
    assert {(3, 3), (7, 6)} == aligned_recalls(metric, "A").keys()


@pytest.mark.parametrize("metric", ["muc", "b3", "ceafm", "ceafe"])
def test_system_c_is_aligned_with_the_other_set(metric: str) -> None:
    assert {(3, 3), (6, 6)} == aligned_recalls(metric, "C").keys()


PAGE = ROOT / "docs/understand/reading-the-paper.md"


def test_the_page_states_the_effect_of_the_convention() -> None:
    paper, ua = (anascore.score(KEY, SYSTEMS[0], convention=name) for name in ("paper", "ua"))

    f1 = {name: [f"{100 * (one[name].f1 or 0):.2f}" for one in (paper, ua)] for name in METRICS}
    changed = {METRICS[name].label: both for name, both in f1.items() if both[0] != both[1]}

    page = PAGE.read_text(encoding="utf-8")
    assert changed.keys() == {"CEAF-M", "CEAF-E", "BLANC"}
    for label, (one, other) in changed.items():
        assert f"from {one} to {other} ({label})" in page
