"""Run the experiments, and write what comes out: `python -m tools.experiments [FILE]`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import anascore
from anascore.formats.files import write_file
from anascore.metrics.scores import GROUPS, METRICS
from tools.experiments.corpora import CORPORA, Data, with_split_antecedents
from tools.experiments.findings import Runs
from tools.experiments.noise import Noise, single_antecedents
from tools.experiments.report import report
from tools.experiments.systems import systems
from tools.experiments.tables import Rows, Scored

SEEDS = (1, 2, 3, 4, 5)
PAGE = Path(__file__).parents[2] / "docs" / "experiments.md"


def run(data: Data, seeds: Sequence[int]) -> Runs:
    """Score all systems on one corpus, with each seed."""
    key = with_split_antecedents(data)
    return [_run(data, key, seed) for seed in seeds]


def _run(data: Data, key: anascore.Corpus, seed: int) -> Rows:
    single = single_antecedents(key, Noise(), seed)
    metrics = [*METRICS, "conll", *GROUPS]
    rows = {}
    for name, response in systems(key, single, data.pronouns, seed):
        rows[name] = Scored(
            anascore.score(key, response, metrics=metrics),
            anascore.score(key, response, metrics="lea", lea_importance=10),
        )
        sys.stderr.write(f"{data.name}, seed {seed}: {name}\n")
    return rows


def main(arguments: list[str]) -> int:
    """Write the page, or say what is missing."""
    missing = [data.name for data in CORPORA if not data.path.exists()]
    if missing:
        sys.stderr.write(f"experiments: the data of {', '.join(missing)} are not there\n")
        return 2
    results = {data.name: run(data, SEEDS) for data in CORPORA}
    target = arguments[0] if arguments else str(PAGE)
    write_file(target, report(results, Noise(), SEEDS))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
