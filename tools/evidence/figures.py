"""Figures that the published scorers and the paper print, beside ours; no scorer is needed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import anascore
from support.cases import NO_METRICS, PUBLISHED, result_of
from support.conformance import ENDINGS, KEYS, SIDES, percent, settings_of
from support.paper_tables import PENALTIES, RECALLS, aligned_recalls, penalties
from support.shared import CORPORA, corpus_expectations, released_expectations


@dataclass(frozen=True)
class Figures:
    """Figures of one source that were compared with ours."""

    source: str
    number: int
    differ: int
    """Number of figures that are not the same to the digits that the source has."""

    largest: float
    """Largest difference: a share of 1 for suites, points for figures in per cent."""

    note: str = ""
    rerun: bool = True
    """False if the data were not at hand, and an earlier run is restated."""


def suite_figures() -> Iterator[Figures]:
    """Compare with the expected values of the test suites, which the tests restate."""
    for scorer in dict.fromkeys(case["scorer"] for case in PUBLISHED.values()):
        cases = [case for case in PUBLISHED.values() if case["scorer"] == scorer]
        differences = [d for case in cases for d in _differences(case)]
        name = f"test suite of {scorer}, {len(cases)} cases"
        wrong = sum(difference > 1e-12 for difference in differences)
        yield Figures(name, len(differences), wrong, max(differences), SUITE_NOTES.get(scorer, ""))


SUITE_NOTES = {
    "the CoNLL reference scorer": "BLANC as the UA scorer computes it: [no-links](#no-links)"
}
"""Notes on the expected values of a suite."""


def _differences(case: Mapping[str, Any]) -> Iterator[float]:
    """Yield the difference of each expected value; undefined is 0 in the published scorers."""
    result = result_of(case)
    for expected, scores in (
        (case, result.scores),
        (case.get("split_only", {}), result.split_only),
    ):
        for metric in expected.keys() - NO_METRICS:
            for value, own in zip(expected[metric], scores[metric], strict=False):
                yield abs((0 if value == "-" else float(Fraction(value))) - (own or 0))


def paper_figures() -> Figures:
    """Compare with the figures of the paper's section 5: credits of sets, and penalties of MUC."""
    pairs = [
        (Fraction(figure), aligned_recalls(metric, letter)[k, r])
        for (metric, letter, k, r), figure in RECALLS.items()
    ]
    pairs += [(Fraction(figure), penalties(letter)[k]) for (letter, k), figure in PENALTIES.items()]
    differences = [abs(float(own - figure)) for figure, own in pairs]
    wrong = sum(difference > 0 for difference in differences)
    note = "`tests/metrics/test_paper_example.py`"
    name = "Paun et al., worked example (section 5)"
    return Figures(name, len(pairs), wrong, max(differences), note)


def corpus_figures() -> Iterator[Figures]:
    """Compare with what the published scorers printed for real corpora, if these are at hand."""
    groups: dict[str, list[float]] = {}
    for row in corpus_expectations():
        ending = ENDINGS[row["format"]]
        folder = CORPORA / row["corpus"]
        key = folder / f"{KEYS.get(row['corpus'], 'key')}.{ending}"
        layers = "identity,bridging" if "bridging-anaphors" in row["expected"] else "identity"
        response = folder / f"{row['response']}.{ending}"
        name = f"{row['corpus']}, printed by {row['source']}"
        groups.setdefault(name, []).extend(_points(row, key, response, layers))
    for row in released_expectations():
        key, response = (CORPORA / "codicrac" / f"{row[side]}.conllua" for side in SIDES)
        own = _points(row, key, response, row["options"]["layer"])
        groups.setdefault("CODI-CRAC 2022, printed by UA scorer 1.0", []).extend(own)
    for name, differences in groups.items():
        wrong = sum(difference > 1e-9 for difference in differences)
        yield Figures(name, len(differences), wrong, max(differences), NOTES.get(name, ""))


NOTES = {
    "gerdracor, printed by coval": "[mentions across sentences](#sentences)",
    "gum, printed by UA scorer 1.0": "[a tie](#ties) in one document",
    "CODI-CRAC 2022, printed by UA scorer 1.0": "LEA and BLANC: [order](#order)",
}
"""Reasons for the figures that differ."""


def _points(row: Mapping[str, Any], key: Any, response: Any, layers: str) -> Iterator[float]:
    """Yield the difference of each figure, in points with two digits."""
    options = row["options"]
    result = anascore.score(key, response, layers=layers, **settings_of(options))
    scores: dict[str, Any] = {}
    for layer in result.layers.values():
        scores |= layer.split_only if options["split_only"] else layer.scores
    for metric, expected in row["expected"].items():
        if metric in {"lea", "blanc"} and "note" in row:
            continue  # the note says that these are computed by hand
        own = percent(scores, metric)
        pairs = [(expected, own)] if metric == "conll" else zip(expected, own, strict=True)
        yield from (round(abs(figure - value), 2) for figure, value in pairs)
