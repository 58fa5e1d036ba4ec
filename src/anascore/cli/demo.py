"""The command `demo`."""

from __future__ import annotations

import argparse
import shlex
import sys
import webbrowser
from fractions import Fraction
from pathlib import Path

from anascore.api import compare, explain, report
from anascore.cli.main import CommandResult
from anascore.example import KEY, SYSTEMS, copy_example
from anascore.metrics.scores import LABELS
from anascore.output.grid import Cell, Column, Grid, Head, interval_column, percent
from anascore.output.table import text_lines
from anascore.output.text import paragraphs_to_text
from anascore.results.comparison import Comparison

DEMO_DESCRIPTION = (
    "Show what anascore does on its example corpus: ten short texts, a key and three systems."
)

PAGE = "anascore-demo.html"
"""Default file of the report."""

METRICS = ("muc", "b3", "ceafe", "conll", "lea")
DOCUMENT, ANAPHOR = "story_lighthouse", "family"
"""The document and the split-antecedent entity to explain."""


def describe_demo(command: argparse.ArgumentParser) -> None:
    """Describe the arguments."""
    group = command.add_mutually_exclusive_group()
    group.add_argument(
        "--report",
        metavar="FILE",
        nargs="?",
        const=PAGE,
        help=f"write the example report (default: {PAGE}), and open it in a browser",
    )
    group.add_argument("--files", metavar="DIR", help="only copy the example files to DIR")


def run_demo(options: argparse.Namespace) -> CommandResult:
    """Show the example, write its report, or copy its files."""
    if options.files is not None:
        return CommandResult(_copy_files(options.files))
    if options.report is not None:
        return CommandResult(_write_report(options.report))
    comparison = compare(KEY, SYSTEMS, metrics=METRICS, confidence=True, paired="bootstrap")
    blocks = [_scores(comparison), _differences(comparison), _split_antecedents(), NEXT_STEPS]
    return CommandResult(paragraphs_to_text(blocks))


def _copy_files(folder: str) -> str:
    """Copy the files, and return a command to try."""
    key, neural, rules, *_ = copy_example(folder)
    command = shlex.join(["anascore", "score", key, neural, rules])
    return paragraphs_to_text([[f"Now try: {command}"]])


def _write_report(target: str) -> str:
    """Write the report, and open it if a person is there to look at it."""
    command = shlex.join(["anascore", "demo", "--report", target])
    report(KEY, SYSTEMS, target, command=command)
    if sys.stdout.isatty() and webbrowser.open(Path(target).resolve().as_uri()):
        return paragraphs_to_text([[f"{target} is open in a browser."]])
    return paragraphs_to_text([[f"Now open {target} in a browser."]])


def _scores(comparison: Comparison) -> list[str]:
    """Print the score table."""
    columns = [Column(name, LABELS[name], 8) for name in METRICS]
    heads = [
        Head(columns, "F1"),
        Head([interval_column("interval")], "CoNLL"),
        Head([Column("split", "CoNLL", 18)], "split antecedents"),
    ]
    rows = []
    for result in comparison:
        intervals = result.first.uncertainty.intervals["conll"]
        cells = [Cell(result[name].f1, "score") for name in METRICS]
        cells.append(Cell(None, "score", interval=intervals.f1).interval_cell)
        cells.append(Cell(result.split_only["conll"].f1, "score"))
        rows.append((result.name, cells))
    return text_lines(Grid("scores", "Three systems, scored on ten short texts", heads, rows))


def _differences(comparison: Comparison) -> list[str]:
    """Print the differences from the best system, with p-values."""
    lines = ["Differences in CoNLL from neural, by a paired bootstrap test"]
    for result in comparison[1:]:
        tested = result.first.uncertainty.differences["conll"]
        lines.append(
            f"{result.name:8} {percent(tested.difference):>8}  p = {tested.corrected:.3f} "
            f"(Holm)  worse in {tested.losses} of {len(result.documents)} texts"
        )
    return lines


def _split_antecedents() -> list[str]:
    """Show the credit that one split-antecedent anaphor earns."""
    (explained,) = explain(KEY, SYSTEMS[0], metrics="b3", document=DOCUMENT, entity=ANAPHOR)
    lines = ["Split antecedents: “Ida … woke her brother Tom … He … invited all three to tea.”"]
    for name, side in (("key", explained.key), ("neural", explained.response)):
        texts = {entity.label: entity.mentions[0] for entity in side}
        elements = next(entity.elements for entity in side if entity.name == ANAPHOR)
        lines.append(f"{name:8} all three = {{{', '.join(texts[label] for label in elements)}}}")
    (credit,) = explained.metrics[0].sets[0].credits
    shares = f"recall {_fraction(credit.recall)}, precision {_fraction(credit.precision)}"
    return [*lines, f"B³ gives this set {shares}"]


def _fraction(value: Fraction) -> str:
    return f"{value} ({float(value):.0%})"


NEXT_STEPS = (
    "Next steps",
    "anascore demo --report         also shows errors and texts, in a browser",
    "anascore demo --files example  copies the files into a folder; then try",
    "anascore score example/key.conllua example/neural.conllua example/rules.conllua",
    "anascore explain example/key.conllua example/neural.conllua --entity family",
    "anascore errors example/key.conllua example/neural.conllua",
)
