"""Statistics and validation as text, JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from anascore.corpus.stats import Stats
from anascore.corpus.validate import ValidationResult
from anascore.execution import display_width, escape_control_characters, pad
from anascore.prepare.breakdown import ENTITY_SIZES
from anascore.version import __version__


class FileStats(NamedTuple):
    """A file, its format, what its words are, and what there is in each of its documents."""

    path: str
    format: str
    unit: str
    documents: Mapping[str, Stats]

    @property
    def total(self) -> Stats:
        """What there is in all documents together."""
        return sum(self.documents.values(), Stats())


PLAIN = (
    *("documents", "words", "sentences", "mentions", "entities", "singletons"),
    *("generic_entities", "generic_mentions"),
    *("accommodated_sets", "nested_sets", "split_mentions", "results"),
    *("non_referring", "bridging_links"),
    *("deixis_entities", "deixis_mentions", "deixis_sets", "zeros", "zero_mentions"),
    *("discontinuous_mentions", "nested_mentions", "crossing_mentions"),
)
"""The names of what is one number each."""

RARE = {"generic_entities", "generic_mentions", "results"}
"""The names of numbers that tables leave out where they are 0."""

SHARES = (
    *("entity_share", "entity_share_generic_apart", "mention_share", "anaphor_share"),
    "mean_length",
)

STATS_LABELS = {
    "generic_entities": "entities with a generic label",
    "generic_mentions": "mentions with a generic label",
    "accommodated_sets": "entities with split antecedents (accommodated sets)",
    "nested_sets": "sets with a set among their elements",
    "split_mentions": "mentions with split antecedents",
    "results": "entities that are results of others",
    "non_referring": "non-referring mentions",
    "bridging_links": "bridging links",
    "deixis_entities": "discourse deixis: entities",
    "deixis_mentions": "discourse deixis: mentions",
    "deixis_sets": "discourse deixis: accommodated sets",
    "zero_mentions": "mentions that are zeros",
    "discontinuous_mentions": "discontinuous mentions",
    "nested_mentions": "nested mentions",
    "crossing_mentions": "crossing mentions",
}

STATS_WIDTH = 80
STATS_NUMBER = 10


class Render(Protocol):
    """Makes text of what there is in files."""

    def __call__(self, files: Sequence[FileStats], *, per_document: bool) -> str:
        """Return the text."""


def render_stats(files: Sequence[FileStats], *, per_document: bool) -> str:
    """Show what there is in each file, one thing per line."""
    blocks = []
    for file in files:
        blocks.append([f"{file.path} ({file.format})", *_rows(file.total, file.unit)])
        if per_document:
            blocks.append(_documents(file))
    return "\n\n".join("\n".join(block) for block in blocks) + "\n"


def _rows(stats: Stats, unit: str) -> Iterator[str]:
    for name in PLAIN:
        number = getattr(stats, name)
        if name in RARE and not number:
            continue
        label = unit if name == "words" else STATS_LABELS.get(name, name)
        yield _row(label, str(number))
        if name == "accommodated_sets":
            yield _row("  share of entities", _percent(stats.entity_share))
            if stats.generic_mentions:
                share = _percent(stats.entity_share_generic_apart)
                yield _row(
                    "  of several elements, each generic mention an entity of its own", share
                )
            for size, how_many in sorted(stats.set_sizes.items()):
                elements = "element" if size == 1 else "elements"
                yield _row(f"  with {size} {elements}", str(how_many))
        elif name == "split_mentions":
            yield _row("  share of mentions", _percent(stats.mention_share))
            first = _percent(stats.anaphor_share)
            yield _row("  share of mentions, the first of each entity only", first)
        elif name == "entities" and stats.entities:
            yield from _chains(stats)
    for note, number in stats.left_out.items():
        yield _row(note, str(number))


def _chains(stats: Stats) -> Iterator[str]:
    for lengths in ENTITY_SIZES:
        counted = sum(n for length, n in stats.chain_lengths.items() if length in lengths)
        mentions = "mention" if lengths.high == 1 else "mentions"
        yield _row(f"  with {lengths} {mentions}", str(counted))
    yield _row("  mean number of mentions", f"{stats.mentions / stats.entities:.2f}")
    yield _row("  most mentions", str(max(stats.chain_lengths)))


def _row(label: str, number: str) -> str:
    return f"  {label:{STATS_WIDTH - STATS_NUMBER - 2}}{number:>{STATS_NUMBER}}"


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}%"


SHOWN_STATS = {
    "words": "words",
    "mentions": "mentions",
    "entities": "entities",
    "singletons": "single",
    "accommodated_sets": "sets",
    "bridging_links": "bridging",
    "zero_mentions": "zeros",
}
"""What is shown of each document, under which heads."""


def _documents(file: FileStats) -> list[str]:
    """Show the most important numbers of each document."""
    heads = [file.unit if name == "words" else head for name, head in SHOWN_STATS.items()]
    widths = [max(len(head), 6) + 2 for head in heads]
    room = STATS_WIDTH - sum(widths)
    head = "".join(f"{head:>{width}}" for head, width in zip(heads, widths, strict=True))
    lines = [f"{file.path} by document", f"{'':{room}}{head}"]
    for name, stats in file.documents.items():
        numbers = "".join(
            f"{getattr(stats, field):>{width}}"
            for field, width in zip(SHOWN_STATS, widths, strict=True)
        )
        too_wide = display_width(name) >= room
        lines += [name, " " * room + numbers] if too_wide else [pad(name, room) + numbers]
    return lines


def stats_to_json(files: Sequence[FileStats], *, per_document: bool) -> str:
    """Write everything that was counted."""
    content = {
        "anascore": __version__,
        "files": [
            {
                "path": file.path,
                "format": file.format,
                "unit": file.unit,
                "total": _plain(file.total),
                **(
                    {"documents": {name: _plain(s) for name, s in file.documents.items()}}
                    if per_document
                    else {}
                ),
            }
            for file in files
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


def _plain(stats: Stats) -> dict[str, Any]:
    numbers = {name: getattr(stats, name) for name in (*PLAIN, *SHARES)}
    return {
        **numbers,
        "chain_lengths": _by_number(stats.chain_lengths),
        "set_sizes": _by_number(stats.set_sizes),
        "left_out": dict(stats.left_out),
    }


def _by_number(counted: Counter[int]) -> dict[str, int]:
    return {str(number): how_many for number, how_many in sorted(counted.items())}


def stats_to_csv(files: Sequence[FileStats], *, per_document: bool) -> str:
    """Write a line for each number; the document is empty where all are counted together."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(("file", "format", "document", "what", "value"))
    for file in files:
        documents = file.documents if per_document else {}
        for name, stats in {"": file.total, **documents}.items():
            for what, value in _plain(stats).items():
                values = value.items() if isinstance(value, dict) else [("", value)]
                for key, number in values:
                    full = f"{what}: {key}" if key else what
                    writer.writerow((file.path, file.format, name, full, number))
    return text.getvalue()


STATS_OUTPUTS: dict[str, Render] = {
    "table": render_stats,
    "json": stats_to_json,
    "csv": stats_to_csv,
}
"""The kinds of output by name."""


SHOWN_PROBLEMS = 100
"""How many problems of a file are shown to people."""


def render_problems(files: Sequence[ValidationResult]) -> str:
    """Show each problem on a line, with its place, and how many there are."""
    lines: list[str] = []
    for file in files:
        lines += [str(problem) for problem in file.problems[:SHOWN_PROBLEMS]]
        if len(file.problems) > SHOWN_PROBLEMS:
            more = len(file.problems) - SHOWN_PROBLEMS
            lines.append(f"{file.path}: and {more} more; --output json shows all")
    errors = _counted(sum(file.errors for file in files), "error")
    warnings = _counted(sum(file.warnings for file in files), "warning")
    lines.append(f"{errors}, {warnings} in {_counted(len(files), 'file')}")
    return "".join(f"{escape_control_characters(line)}\n" for line in lines)


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


def problems_to_json(files: Sequence[ValidationResult]) -> str:
    """Write all problems of all files."""
    content = {
        "anascore": __version__,
        "errors": sum(file.errors for file in files),
        "warnings": sum(file.warnings for file in files),
        "files": [
            {
                "path": file.path,
                "format": file.format,
                "errors": file.errors,
                "warnings": file.warnings,
                "problems": [
                    {"line": line, "severity": severity, "what": what}
                    for _, line, severity, what in file.problems
                ],
            }
            for file in files
        ],
    }
    return json.dumps(content, ensure_ascii=False, indent=2) + "\n"


VALIDATION_OUTPUTS: dict[str, Callable[[Sequence[ValidationResult]], str]] = {
    "table": render_problems,
    "json": problems_to_json,
}
"""The kinds of output by name."""
