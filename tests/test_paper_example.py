"""Section 5 of the paper, on the example files that come with the package."""

from fractions import Fraction
from pathlib import Path

import pytest

import anascore
from anascore.entities.normalisation import normalise
from anascore.entities.side import Side
from anascore.matching import match_mentions
from anascore.metrics.compare import align_sets
from anascore.metrics.overlap import Overlaps, overlaps_of
from anascore.metrics.scores import METRICS
from anascore.settings import Settings
from paper import KEY, SYSTEMS

# The recalls of aligned accommodated sets that the paper prints: by metric, system, and the
# numbers of the key entity and the response entity there.
RECALLS = {
    ("muc", "A", 3, 3): "2/3",
    ("muc", "A", 7, 6): "1/2",
    ("muc", "B", 7, 6): "2/3",
    ("muc", "D", 7, 6): "1/2",
    ("b3", "A", 3, 3): "2/3",
    ("b3", "A", 7, 6): "8/15",
    ("b3", "B", 7, 6): "2/3",
    ("b3", "C", 6, 6): "7/12",
    ("b3", "D", 7, 6): "7/15",
    ("ceafm", "A", 3, 3): "4/5",
    ("ceafm", "A", 7, 6): "3/5",
    ("ceafm", "B", 7, 6): "4/5",
    ("ceafm", "C", 6, 6): "3/4",
    ("ceafm", "D", 7, 6): "3/5",
    ("ceafe", "A", 3, 3): "9/10",
    ("ceafe", "A", 7, 6): "7/10",
    ("ceafe", "B", 7, 6): "9/10",
    ("ceafe", "C", 6, 6): "13/15",
    ("ceafe", "D", 7, 6): "13/20",
}

# δ of MUC that the paper prints, by system and key entity.
PENALTIES = {
    ("A", 3): "1/3",
    ("A", 6): "1",
    ("A", 7): "1/2",
    ("B", 7): "1/3",
    ("C", 6): "1",
    ("C", 7): "1",
    ("D", 7): "1/2",
}


def read_side(letter: str) -> Side:
    path = KEY if letter == "key" else SYSTEMS["ABCD".index(letter)]
    (document,) = anascore.read(path).documents.values()
    return normalise(document.entities, Settings())


def tables(key: Side, response: Side) -> Overlaps:
    return overlaps_of(key, response, match_mentions(key, response, Settings()), 1)


def aligned_recalls(metric: str, letter: str) -> dict[tuple[int, int], Fraction]:
    """Return recall by the entities' numbers in the paper, which are their ids in the files."""
    key, response = read_side("key"), read_side(letter)
    return {
        (int(key.entities[i].name), int(response.entities[j].name)): pair.credits[0].recall
        for (i, j), pair in align_sets(METRICS[metric].rows, tables(key, response)).items()
    }


def penalties(letter: str) -> dict[int, Fraction]:
    """Return δ of MUC by the number of the key entity: 1, or less if a link to the set is found."""
    key, found_in = read_side("key"), tables(read_side("key"), read_side(letter))
    found = {
        i: pair.credits[0].recall
        for (i, j), pair in align_sets(METRICS["muc"].rows, found_in).items()
        if (i, j) in found_in.from_key.shared
    }
    return {int(key.entities[i].name): 1 - found.get(i, Fraction(0)) for i in found_in.key_sets}


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


PAGE = Path(__file__).parents[1] / "docs/understand/reading-the-paper.md"


def test_the_page_states_the_effect_of_the_convention() -> None:
    paper, ua = (anascore.score(KEY, SYSTEMS[0], convention=name) for name in ("paper", "ua"))

    f1 = {name: [f"{100 * (one[name].f1 or 0):.2f}" for one in (paper, ua)] for name in METRICS}
    changed = {METRICS[name].label: both for name, both in f1.items() if both[0] != both[1]}

    page = PAGE.read_text(encoding="utf-8")
    assert changed.keys() == {"CEAF-M", "CEAF-E", "BLANC"}
    for label, (one, other) in changed.items():
        assert f"from {one} to {other} ({label})" in page
