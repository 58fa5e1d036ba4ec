"""Write the page on agreement with other scorers: `python -m tools.evidence [--peers FOLDER]`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from anascore.formats.files import write_file
from tools.evidence.comparisons import COMPARISONS, REAL, Row, live_rows
from tools.evidence.disagreements import DISAGREEMENTS, our_scores, peer_scores
from tools.evidence.figures import Figures, corpus_figures, paper_figures, suite_figures
from tools.evidence.page import Evidence, render
from tools.evidence.peers import PEERS, is_at_hand, version_of

RECORDED = Path(__file__).with_name("recorded.json")
PAGE = Path(__file__).parents[2] / "docs" / "reference" / "agreement-with-other-scorers.md"


def read_recorded() -> Evidence:
    """Return the results of the last run."""
    return Evidence.from_dict(json.loads(RECORDED.read_text(encoding="utf-8")))


def gather(peers: Path, recorded: Evidence) -> Evidence:
    """Run all comparisons; take from an earlier run what cannot be repeated."""
    at_hand = {name: peers / peer.folder for name, peer in PEERS.items() if is_at_hand(name, peers)}
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        rows: list[Row] = []
        for comparison in COMPARISONS:
            if comparison.peer in at_hand:
                for row in live_rows(comparison, peers, folder):
                    rows.append(row)
                    sys.stderr.write(f"{row}\n")
        printed = {}
        for name in DISAGREEMENTS:
            printed[name] = our_scores(name)
            for response, scores in printed[name].items():
                earlier = recorded.disagreements.get(name, {}).get(response, {})
                own = peer_scores(name, peers, folder).get(response, {})
                printed[name][response] = {**earlier, **scores, **own}
    return Evidence(
        {**recorded.peers, **{name: version_of(folder) for name, folder in at_hand.items()}},
        [name for name in PEERS if name not in at_hand],
        restate(rows, recorded.rows),
        restate_figures([*suite_figures(), paper_figures(), *corpus_figures()], recorded.figures),
        printed,
    )


def restate(rows: Sequence[Row], recorded: Sequence[Row]) -> list[Row]:
    """Return the rows of this run, and those of an earlier one that it lacks, in a fixed order."""
    found = {(row.peer, row.label, row.source): row for row in rows}
    earlier = {(row.peer, row.label, row.source): replace(row, rerun=False) for row in recorded}
    sources = [*REAL]

    def rank(row: Row) -> tuple[int, int, str]:
        labels = [(c.peer, c.label) for c in COMPARISONS]
        position = labels.index((row.peer, row.label))
        return position, sources.index(row.source) if row.source in sources else -1, row.source

    return sorted({**earlier, **found}.values(), key=rank)


def restate_figures(rows: Sequence[Figures], recorded: Sequence[Figures]) -> list[Figures]:
    """Return the figures of this run, and those of an earlier one that it lacks."""
    earlier = {row.source: replace(row, rerun=False) for row in recorded}
    return [*{**earlier, **{row.source: row for row in rows}}.values()]


def main(arguments: Sequence[str]) -> int:
    """Run the comparisons, record the results, and write the page."""
    parser = argparse.ArgumentParser(prog="python -m tools.evidence", description=__doc__)
    parser.add_argument("--peers", type=Path, default=Path("peers"), help="folder of clones")
    options = parser.parse_args(arguments)
    recorded = read_recorded() if RECORDED.exists() else Evidence({}, [])
    evidence = gather(options.peers, recorded)
    write_file(str(RECORDED), json.dumps(evidence.to_dict(), indent=1) + "\n")
    PAGE.parent.mkdir(exist_ok=True)
    write_file(str(PAGE), render(evidence))
    return int(any(row.unexplained for row in evidence.rows))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
