"""Measure everything in one go: `make bench`, or `python -m tools.benchmarks`."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.benchmarks import ratios
from tools.benchmarks.generated import CORPORA, MANY
from tools.benchmarks.measured import ANASCORE, PYTHON, run, score, side_by_side
from tools.benchmarks.peers import Peers
from tools.benchmarks.ratios import Pair
from tools.benchmarks.report import Run, heading, table_of_ratios, table_of_runs

ROOT = Path(__file__).parents[2]
GUM = ROOT.parent / "shared" / "corpora" / "gum"
GUM_FORMATS = {
    "GUM, CorefUD": (".conllu", 2.2),
    "GUM, CoNLL-UA": (".conllua", 2.2),
    "GUM, CoNLL-2012": (".conll", 2.6),
}
"""Formats of GUM: the ending of its files, and the limit for a whole run."""

SAVED = ROOT / "tools" / "benchmarks" / "results" / "latest.txt"
OTHERS = {
    "In memory": ("tools.benchmarks.in_memory",),
    "Reading": ("tools.benchmarks.reading",),
    "Matching": ("tools.benchmarks.matching",),
    "Uncertainty": ("tools.benchmarks.uncertainty", "100"),
    "Attacks": ("tools.benchmarks.attacks",),
}
"""What is measured for itself, and not against a limit of time: modules and their arguments."""

LARGE = 30_000
"""From so many mentions in one document up, other scorers are not tried."""


def main() -> None:
    """Generate, measure, print and save."""
    parser = argparse.ArgumentParser(prog="python -m tools.benchmarks", description=__doc__)
    parser.add_argument("--coval", type=Path, metavar="DIR", help="where coval is")
    parser.add_argument("--corefud-scorer", type=Path, metavar="DIR", help="where that is")
    parser.add_argument("--save", type=Path, metavar="FILE", default=SAVED, help="%(default)s")
    options = parser.parse_args()
    lines = []
    with TemporaryDirectory() as folder:
        everything = report(Path(folder), Peers(options.coval, options.corefud_scorer))
        for line in everything:
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()
            lines.append(line)
    options.save.parent.mkdir(parents=True, exist_ok=True)
    options.save.write_text("\n".join([*lines, ""]), encoding="utf-8")


def report(folder: Path, peers: Peers) -> Iterator[str]:
    """Measure, line by line of the report."""
    yield heading()
    run((*PYTHON, "-m", "tools.benchmarks.generated", str(folder)))
    pairs = {
        name: Pair(folder / f"{name}-key.conllu", folder / f"{name}-response.conllu")
        for name in CORPORA
    }
    gum = {
        name: Pair(GUM / f"key{ending}", GUM / f"noisy-a{ending}")
        for name, (ending, _) in GUM_FORMATS.items()
        if (GUM / f"key{ending}").is_file()
    }
    absent = ", ".join([*peers.missing, *([] if gum else ["GUM in ../shared"])])
    yield f"not found, so not measured: {absent or 'nothing'}"
    many = pairs.pop(MANY)
    runs = [one_run(name, pair, folder, peers) for name, pair in {**gum, **pairs}.items()]
    yield from ("", *table_of_runs(runs), "")
    name, corpus = next(iter({**gum, "300 documents": pairs["news"]}.items()))
    measured = chain(
        *(ratios.whole_run(one, pair, GUM_FORMATS[one][1]) for one, pair in gum.items()),
        ratios.many_documents(many),
        ratios.startup(pairs["tiny-file"]),
        ratios.growth(pairs["tiny-file"], pairs["10000"], pairs["100000"]),
        ratios.many_responses(name, corpus),
        ratios.books(pairs),
        ratios.random_entities(folder),
        ratios.analyses(name, corpus, folder),
        ratios.repeated(name, corpus, folder),
    )
    yield from table_of_ratios(measured)
    for title, arguments in OTHERS.items():
        done = subprocess.run(
            (*PYTHON, "-m", *arguments), cwd=ROOT, capture_output=True, text=True, check=False
        )
        yield from ("", title, *(done.stdout or done.stderr).splitlines())


def one_run(name: str, files: Pair, folder: Path, peers: Peers) -> Run:
    """Measure a whole run with all six metrics, and other scorers on the same files."""
    shown = subprocess.run(
        (*ANASCORE, "stats", *map(str, files), "--output", "json"), capture_output=True, check=True
    )
    counted = [of["total"] for of in json.loads(shown.stdout)["files"]]
    mentions = [of["mentions"] for of in counted]
    small = mentions[0] < LARGE or counted[0]["documents"] > 1
    return Run(
        name,
        counted[0]["documents"],
        sum(mentions),
        side_by_side({"run": score(*files)}, runs=3 if small else 1)["run"],
        peers.seconds(files, folder) if small else {},
    )


if __name__ == "__main__":
    main()
