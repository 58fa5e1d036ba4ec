"""Command line: `python -m tools.mutants [file or folder below src/anascore ...]`."""

from __future__ import annotations

import argparse
import sys
import tomllib
from collections import Counter
from pathlib import Path

from tools.mutants.mutations import SOURCES, Mutant, mutants_of
from tools.mutants.runner import run_tests

FOLDERS = ("metrics", "assignment.py", "matching.py", "pairing", "entities")
EQUIVALENT = Path("tools/mutants/equivalent.toml")
LEAST = 0.95
"""Share of mutants of each folder that tests must kill, apart from equivalent ones."""


def main(arguments: list[str]) -> int:
    """Test mutants; return 1 if any is left, or if the list of equivalent ones is wrong."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("paths", nargs="*", default=FOLDERS, help="default: %(default)s")
    parser.add_argument("--workers", type=int, default=2, help="number of processes")
    parser.add_argument(
        "--left",
        action="store_true",
        help="skip mutants of unchanged modules that are known to be killed",
    )
    options = parser.parse_args(arguments)
    files = [file for path in options.paths for file in _files(path)]
    mutants = [mutant for file in files for mutant in mutants_of(file)]
    return report(run_tests(mutants, options.workers, left=options.left), files)


def _files(path: str) -> list[str]:
    paths = [SOURCES / path] if path.endswith(".py") else sorted((SOURCES / path).glob("*.py"))
    return [str(path.relative_to(SOURCES)) for path in paths]


def report(outcomes: dict[Mutant, str], files: list[str]) -> int:
    """Print survivors and a table; return the exit status."""
    reasons = {
        (entry["file"], entry["function"], diff.strip()): entry["reason"]
        for entry in tomllib.loads(EQUIVALENT.read_text(encoding="utf-8")).get("mutants", [])
        for diff in entry["diffs"]
        if entry["file"] in files
    }
    table: dict[str, Counter[str]] = {}
    left, listed = [], set()
    for mutant, outcome in outcomes.items():
        identity = mutant.file, mutant.function, mutant.diff
        folder = table.setdefault(mutant.file.partition("/")[0], Counter())
        if outcome == "survived" and identity in reasons:
            listed.add(identity)
            folder["equivalent"] += 1
        else:
            folder[outcome] += 1
            left += [identity] if outcome == "survived" else []
    _print("Survivors", left)
    wrong = sorted(reasons.keys() - listed)
    _print(f"Listed in {EQUIVALENT}, but killed or gone", wrong)
    headings = "mutants  killed  timeout  equivalent  survived  killed of others"
    sys.stdout.write(f"\nfolder      {headings}\n")
    shares = []
    for name, n in table.items():
        others = n.total() - n["equivalent"]
        shares.append((n["killed"] + n["timeout"]) / max(1, others))
        sys.stdout.write(
            f"{name:10}{n.total():9}{n['killed']:8}{n['timeout']:9}{n['equivalent']:12}"
            f"{n['survived']:10}{shares[-1]:18.1%}\n"
        )
    return int(bool(wrong) or min(shares) < LEAST)


def _print(heading: str, identities: list[tuple[str, str, str]]) -> None:
    if identities:
        sys.stdout.write(f"\n{heading}:\n")
    for file, function, diff in identities:
        sys.stdout.write(f"\n{file} {function}\n{diff}\n")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
