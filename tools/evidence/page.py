"""The page on agreement with other scorers, from the results of a run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from tools.evidence.comparisons import EQUAL, Row
from tools.evidence.disagreements import DISAGREEMENTS, Printed
from tools.evidence.figures import Figures
from tools.evidence.peers import PEERS


@dataclass(frozen=True)
class Evidence:
    """Results of a run, as they are recorded."""

    peers: dict[str, str]
    """Versions of the peers, by name."""

    absent: list[str]
    """Peers that were not at hand; their results are those of an earlier run."""

    rows: list[Row] = field(default_factory=list)
    figures: list[Figures] = field(default_factory=list)
    disagreements: dict[str, Printed] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain values."""
        return asdict(self)

    @staticmethod
    def from_dict(values: dict[str, Any]) -> Evidence:
        """Return the results from plain values."""
        rows = [Row(**row) for row in values["rows"]]
        figures = [Figures(**row) for row in values["figures"]]
        return Evidence(values["peers"], values["absent"], rows, figures, values["disagreements"])


INTRODUCTION = """\
# Agreement with other scorers

anascore computes the same scores as the published scorers, up to floating-point rounding, except for the disagreements listed below. This page has the evidence: {scores:,} scores
of {pairs:,} pairs of files, computed by the published scorers and by anascore, of which {differ:,} differ; {figures:,} figures from test suites, papers and earlier runs; and every known disagreement.

`make evidence PEERS=folder` writes this page. The folder has clones of the scorers. If a clone is missing, its results come from the last run that had it.
"""

SCORES = """\
## Scored by both

Each row compares the scores of a published scorer and anascore for the same files: recall, precision and F1 of each metric that both have. The comparison calls the functions behind the commands, since commands
round to two digits; for the CoNLL reference scorer, recall and precision are compared as fractions.
*Largest difference* is over scores that are equal up to rounding errors (below {equal:g}). All others are counted as *differ*, with the [disagreement](#known-disagreements) to which they are attributed: by metric and settings
(order, no-links), by mentions of the file (doubled), or by the corpus (sentences, ties, gaps). They were not traced one by one. *Not scored* are pairs that one of the two cannot read or score.
Random documents have nested mentions, singletons, wrong spans and, if the scorer supports them, split antecedents.
"""

FIGURES = """\
## Figures compared

These figures were printed by other scorers or published, and are compared at their published precision. Differences are shares of 1 for suites and the paper, and points of 100 for corpora. The corpora are not part of the repository.
"""

OTHERS = """\
Three more comparisons were made once, and are not repeated by `make evidence`. With `--repeated-mentions all`, all six metrics agree with the UA scorer on 3,000 random pairs of overlapping entities. `lea-rucoco` differs from the
script of RuCoCo 2023 by at most 2e-16 on 3,479 noisy copies of 200 texts. Krippendorff's α and κ are compared with NLTK's by the tests (`tests/analysis/test_agreement.py`).
"""

DISAGREEMENT = """\
## Known disagreements

Each disagreement has a folder in `docs/examples/disagreements`, where the commands can be run. Tables have F1 in per cent.
"""


def render(evidence: Evidence) -> str:
    """Return the page in Markdown."""
    live = evidence.rows
    introduction = INTRODUCTION.format(
        scores=sum(row.scores for row in live),
        differ=sum(row.unexplained + sum(row.explained.values()) for row in live),
        pairs=sum(row.pairs - row.not_scored for row in live),
        figures=sum(row.number for row in evidence.figures),
    )
    blocks = [
        introduction,
        "## Versions\n",
        _table(("scorer", "repository", "version", "in the last run"), _peer_rows(evidence)),
        SCORES.format(equal=EQUAL),
        _table(
            ("scorer", "settings", "source", "pairs", "scores", "largest difference", "differ"),
            map(_score_cells, live),
        ),
        FIGURES,
        _table(
            ("source", "figures", "differ", "largest difference", "see"),
            map(_figure_cells, evidence.figures),
        ),
        OTHERS,
        DISAGREEMENT,
        *(_disagreement(name, evidence) for name in DISAGREEMENTS),
    ]
    return "\n".join(blocks)


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(cells)} |\n" for cells in lines)


def _peer_rows(evidence: Evidence) -> Iterator[Sequence[str]]:
    for name, peer in PEERS.items():
        version = evidence.peers.get(name, "never run")
        link = f"[{peer.repository}](https://github.com/{peer.repository})"
        here = "not at hand; results of an earlier run" if name in evidence.absent else "yes"
        yield peer.label, link, version, here


def _score_cells(row: Row) -> Sequence[str]:
    differ = [f"{number:,} [{name}](#{name})" for name, number in row.explained.items()]
    differ += [f"**{row.unexplained:,} unexplained**"] if row.unexplained else []
    refused = f" ({row.not_scored} not scored)" if row.not_scored else ""
    source = row.source if row.rerun else f"{row.source} (earlier run)"
    return (
        PEERS[row.peer].label,
        row.label,
        source,
        f"{row.pairs:,}{refused}",
        f"{row.scores:,}",
        _difference(row.largest),
        ", ".join(differ) or "0",
    )


def _figure_cells(row: Figures) -> Sequence[str]:
    source = row.source if row.rerun else f"{row.source} (earlier run)"
    return source, f"{row.number:,}", f"{row.differ}", _difference(row.largest), row.note


def _difference(value: float) -> str:
    return f"{value:.0e}" if 0 < value < 1e-6 else f"{value:g}"


def _disagreement(name: str, evidence: Evidence) -> str:
    """Return the section on one disagreement."""
    case = DISAGREEMENTS[name]
    printed = evidence.disagreements[name]
    head = ["response", "score", "anascore", *(PEERS[peer].label for peer in case.peers)]
    rows = [
        [
            f"`{response}`",
            metric,
            *(
                scores.get(peer, {}).get(metric, "not at hand")
                for peer in ("anascore", *case.peers)
            ),
        ]
        for response, scores in printed.items()
        for metric in case.metrics
    ]
    commands = "".join(
        f"    anascore score {name}/{key} {name}/{response} {case.options}".rstrip() + "\n"
        for key, response in case.pairs
    )
    return f"### {name}\n\n**{case.title}.** {case.text}\n\n{commands}\n{_table(head, rows)}"
