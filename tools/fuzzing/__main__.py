"""Commands: `python -m tools.fuzzing run`, `repeat SEED NUMBER`, `readers`, `labels`, `page`."""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from anascore.formats import scanner
from anascore.formats.files import write_file
from tools.fuzzing.campaign import FAILURES, IN_MEMORY, run_campaign, try_input
from tools.fuzzing.damage import KINDS, KNOWN, damaged_outcome, outcome_elsewhere
from tools.fuzzing.inputs import make_input
from tools.fuzzing.kinds import LABELS
from tools.fuzzing.page import PAGE, page
from tools.fuzzing.readers import compare_readers, starts

SCANNED_INPUTS = 2000
"""Default number of inputs that are read with and without the scanner."""


def main(arguments: list[str]) -> int:
    """Run a command; return 1 if there are failures."""
    parser = argparse.ArgumentParser(prog="python -m tools.fuzzing", description=__doc__)
    commands = parser.add_subparsers(required=True)
    run = commands.add_parser("run", help="check the labels, then try random inputs")
    run.add_argument("--seconds", type=float, default=60)
    run.add_argument("--seed", type=int, default=None, help="random seed (default: the time)")
    run.add_argument("--start", type=int, default=0, help="number of the first input")
    run.add_argument("--workers", type=int, default=2, help="number of processes")
    run.add_argument(
        "--scanned", type=int, default=SCANNED_INPUTS, help="inputs that compare the readers"
    )
    run.add_argument("--failures", type=Path, default=FAILURES, help="folder for inputs that fail")
    run.set_defaults(run=_run)
    repeat = commands.add_parser("repeat", help="try one input again")
    repeat.add_argument("seed", type=int)
    repeat.add_argument("number", type=int)
    repeat.set_defaults(run=_repeat)
    readers = commands.add_parser(
        "readers", help="compare the compiled scanner with the readers in Python"
    )
    readers.add_argument("paths", nargs="*", type=Path, help="files or folders to mutate, too")
    readers.add_argument("--inputs", type=int, default=SCANNED_INPUTS, help="number of inputs")
    readers.add_argument("--seed", type=int, default=0, help="random seed")
    readers.add_argument("--start", type=int, default=0, help="number of the first input")
    readers.add_argument("--workers", type=int, default=2, help="number of processes")
    readers.add_argument("--failures", type=Path, default=FAILURES, help="folder for differences")
    readers.set_defaults(run=_compare_readers)
    labels = commands.add_parser("labels", help="check all labels of damage")
    labels.add_argument("--seed", type=int, default=0, help="random seed of the places")
    labels.set_defaults(run=lambda options: _check_labels(options.seed))
    write = commands.add_parser("page", help="write the table of kinds and formats")
    write.add_argument("path", nargs="?", default=str(PAGE))
    write.set_defaults(run=_write_page)
    options = parser.parse_args(arguments)
    status: int = options.run(options)
    return status


def _run(options: argparse.Namespace) -> int:
    seed = int(time.time()) if options.seed is None else options.seed
    wrong = _check_labels(seed)
    different = _count_differences(range(options.scanned), seed, options)
    summary = run_campaign(
        options.seconds,
        seed,
        options.workers,
        start=options.start,
        failures=options.failures,
    )
    for kind, number in summary.kinds.most_common():
        sys.stdout.write(f"{number:6} {kind}\n")
    sys.stdout.write(f"{summary.line}\n")
    return 1 if wrong or different or summary.kinds else 0


def _repeat(options: argparse.Namespace) -> int:
    trial = make_input(options.seed, options.number)
    with tempfile.TemporaryDirectory() as folder:
        failure = try_input(trial, options.seed, options.number, Path(folder) / "input")
    sys.stdout.write(f"{failure.kind}\n{failure.details}" if failure else "no failure\n")
    return 1 if failure else 0


def _compare_readers(options: argparse.Namespace) -> int:
    numbers = range(options.start, options.start + options.inputs)
    return _count_differences(numbers, options.seed, options, options.paths)


def _count_differences(
    numbers: range, seed: int, options: argparse.Namespace, paths: Sequence[Path] = ()
) -> int:
    """Print how many inputs the scanner reads differently; return 1 if there are any."""
    if scanner.scan is None:
        sys.stdout.write("the scanner is not compiled: there is nothing to compare\n")
        return 0
    files = starts(paths)
    different = compare_readers(numbers, seed, options.workers, files, options.failures)
    message = f"{len(numbers):,} CoNLL files read with and without the scanner, seed {seed}"
    sys.stdout.write(f"{message}: {different} differences\n")
    return 1 if different else 0


def _check_labels(seed: int) -> int:
    """Print the files that are not treated as their labels say; return 1 if there are any.

    Each file is damaged at the first place, which its label is about, and at a random place.
    """
    rng = random.Random(seed)  # noqa: S311  nothing to keep secret
    status = 0
    for kind in KINDS.values():
        for format_name, label in kind.labels.items():
            is_known = (kind.name, format_name) in KNOWN
            with tempfile.TemporaryDirectory(dir=IN_MEMORY) as folder:
                outcome = damaged_outcome(kind, format_name, Path(folder) / "first")
                elsewhere = outcome_elsewhere(kind, format_name, Path(folder) / "second", rng)
            if (outcome == label) == is_known:
                status = _report(kind.name, format_name, f"{outcome}; the label is {label}")
            if elsewhere not in LABELS and not is_known:
                status = _report(kind.name, format_name, f"{elsewhere} at another place")
    return status


def _report(kind: str, format_name: str, message: str) -> int:
    sys.stdout.write(f"{kind}, {format_name}: {message}\n")
    return 1


def _write_page(options: argparse.Namespace) -> int:
    write_file(options.path, page())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
