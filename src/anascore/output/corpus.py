"""Statistics and validation as text, JSON and CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any, NamedTuple, Protocol

from anascore.corpus.scorable import ScoringSummary, Status
from anascore.corpus.stats import Stats
from anascore.corpus.validate import ValidationResult
from anascore.execution import escape_control_characters
from anascore.output.data import to_csv, to_json
from anascore.output.tables import (
    LINE_WIDTH,
    Column,
    Grid,
    GridCell,
    Head,
    paragraphs_to_text,
    text_lines,
)
from anascore.prepare.breakdown import ENTITY_SIZES
from anascore.version import __version__


class FileStats(NamedTuple):
    """Counts of each document of a file."""

    path: str
    format: str
    unit: str
    """Name of the units of the text: words or characters."""

    documents: Mapping[str, Stats]

    @property
    def total(self) -> Stats:
        """Counts of all documents together."""
        return sum(self.documents.values(), Stats())


COUNTS = (
    *("documents", "words", "sentences", "mentions", "entities", "singletons"),
    *("generic_entities", "generic_mentions"),
    *("accommodated_sets", "nested_sets", "split_mentions", "results"),
    *("non_referring", "bridging_links"),
    *("deixis_entities", "deixis_mentions", "deixis_sets", "zeros", "zero_mentions"),
    *("discontinuous_mentions", "nested_mentions", "crossing_mentions"),
)
"""Names of counts that are one number each."""

HIDDEN_IF_ZERO = {"generic_entities", "generic_mentions", "results"}
"""Names of counts that text leaves out if they are 0."""

SHARES = (
    *("entity_share", "entity_share_generic_apart", "mention_share", "anaphor_share"),
    "mean_length",
)
"""Names of shares and means, which JSON and CSV have besides the counts."""

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
"""Labels of counts in text, where they differ from their names."""

COUNT_WIDTH = 10
"""Width of a count in text, including the blanks before it."""

DOCUMENT_COLUMNS = {
    "words": "words",
    "mentions": "mentions",
    "entities": "entities",
    "singletons": "single",
    "accommodated_sets": "sets",
    "bridging_links": "bridging",
    "zero_mentions": "zeros",
}
"""Labels of the counts that text shows of each document."""


class StatsRenderer(Protocol):
    """Function that renders the counts of files."""

    def __call__(self, files: Sequence[FileStats], *, per_document: bool) -> str:
        """Return the counts of files, and optionally of each document."""


def render_stats(files: Sequence[FileStats], *, per_document: bool) -> str:
    """Render the counts of each file as text, one count per line."""
    grids = []
    for file in files:
        grids.append(_file_grid(file))
        if per_document:
            grids.append(_document_grid(file))
    return paragraphs_to_text(map(text_lines, grids))


def _file_grid(file: FileStats) -> Grid:
    rows = [(f"  {label}", [GridCell(text)]) for label, text in _count_rows(file.total, file.unit)]
    head = Head([Column(min_width=COUNT_WIDTH)])
    return Grid(f"{file.path} ({file.format})", [head], rows, full_width=True)


def _count_rows(stats: Stats, unit: str) -> Iterator[tuple[str, str]]:
    """Yield labels and numbers; details are indented below the count that they belong to."""
    for name in COUNTS:
        number = getattr(stats, name)
        if name in HIDDEN_IF_ZERO and not number:
            continue
        yield unit if name == "words" else STATS_LABELS.get(name, name), str(number)
        if name == "accommodated_sets":
            yield "  share of entities", _percent(stats.entity_share)
            if stats.generic_mentions:
                label = "  of several elements, each generic mention an entity of its own"
                yield label, _percent(stats.entity_share_generic_apart)
            for size, sets in sorted(stats.set_sizes.items()):
                yield f"  with {_counted(size, 'element')}", str(sets)
        elif name == "split_mentions":
            yield "  share of mentions", _percent(stats.mention_share)
            label = "  share of mentions, the first of each entity only"
            yield label, _percent(stats.anaphor_share)
        elif name == "entities" and stats.entities:
            yield from _chain_rows(stats)
    for note, number in stats.left_out.items():
        yield note, str(number)


def _chain_rows(stats: Stats) -> Iterator[tuple[str, str]]:
    """Yield the distribution of the lengths of chains."""
    for lengths in ENTITY_SIZES:
        entities = sum(n for length, n in stats.chain_lengths.items() if length in lengths)
        mentions = "mention" if lengths.high == 1 else "mentions"
        yield f"  with {lengths} {mentions}", str(entities)
    yield "  mean number of mentions", f"{stats.mentions / stats.entities:.2f}"
    yield "  most mentions", str(max(stats.chain_lengths))


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.2f}%"


def _document_grid(file: FileStats) -> Grid:
    """Return a table of the most important counts of each document."""
    labels = {**DOCUMENT_COLUMNS, "words": file.unit}
    columns = [Column(label, max(len(label), 6) + 2) for label in labels.values()]
    rows = [
        (name, [GridCell(str(getattr(stats, field))) for field in labels])
        for name, stats in file.documents.items()
    ]
    return Grid(f"{file.path} by document", [Head(columns)], rows, full_width=True)


def stats_to_json(files: Sequence[FileStats], *, per_document: bool) -> str:
    """Return all counts as JSON."""
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
    return to_json(content)


def _plain(stats: Stats) -> dict[str, Any]:
    numbers = {name: getattr(stats, name) for name in (*COUNTS, *SHARES)}
    return {
        **numbers,
        "chain_lengths": _by_number(stats.chain_lengths),
        "set_sizes": _by_number(stats.set_sizes),
        "left_out": dict(stats.left_out),
    }


def _by_number(counter: Counter[int]) -> dict[str, int]:
    return {str(number): count for number, count in sorted(counter.items())}


def stats_to_csv(files: Sequence[FileStats], *, per_document: bool) -> str:
    """Return one line of CSV per number; the document is empty in lines for the whole file."""
    rows = (
        (file.path, file.format, name, *labelled)
        for file in files
        for name, stats in [("", file.total), *(file.documents.items() if per_document else ())]
        for labelled in _labelled_numbers(stats)
    )
    return to_csv([("file", "format", "document", "what", "value"), *rows])


def _labelled_numbers(stats: Stats) -> Iterator[tuple[str, float | None]]:
    for field, value in _plain(stats).items():
        if isinstance(value, dict):
            yield from ((f"{field}: {key}", number) for key, number in value.items())
        else:
            yield field, value


STATS_OUTPUTS: dict[str, StatsRenderer] = {
    "table": render_stats,
    "json": stats_to_json,
    "csv": stats_to_csv,
}
"""Registry of outputs: functions that render counts, by name."""


MAX_PROBLEMS = 100
"""Maximum number of problems of a file that text shows."""


def render_problems(files: Sequence[ValidationResult], scoring: ScoringSummary) -> str:
    """Render one problem per line, with its place, and what can be scored as text."""
    lines: list[str] = []
    for file in files:
        lines += [str(problem) for problem in file.problems[:MAX_PROBLEMS]]
        if len(file.problems) > MAX_PROBLEMS:
            more = len(file.problems) - MAX_PROBLEMS
            lines.append(f"{file.path}: and {more} more; --output json shows all")
    errors = _counted(sum(file.errors for file in files), "error")
    warnings = _counted(sum(file.warnings for file in files), "warning")
    lines.append(f"{errors}, {warnings} in {_counted(len(files), 'file')}")
    lines += [scoring.obstacle] if scoring.obstacle else _scoring_lines(scoring)
    return paragraphs_to_text([lines])


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


SCORING_TITLES: dict[Status, str] = {
    "yes": "anascore score can use these options",
    "empty": "These options have nothing to score",
    "no": "These options cannot be used",
}


def _scoring_lines(scoring: ScoringSummary) -> Iterator[str]:
    """Yield the options that work, and the others with what is missing for them."""
    by_reason: dict[tuple[Status, str], list[str]] = {}
    for option, status, missing in scoring.options:
        if not missing:
            by_reason.setdefault((status, ""), []).append(option)
        for annotation, paths in missing.items():
            place = f" in {_files(paths)}" if len(paths) < len(scoring.paths) else ""
            by_reason.setdefault((status, f": no {annotation}{place}"), []).append(option)
    for status, title in SCORING_TITLES.items():
        lines: list[str] = []
        for (own_status, reason), options in by_reason.items():
            if own_status == status:
                listed = _with_values(options)
                lines += [f"{'; '.join(listed)}{reason}"] if reason else listed
        if lines:
            yield from ("", title)
        for line in lines:
            yield from wrap(
                escape_control_characters(line),
                LINE_WIDTH,
                initial_indent="  ",
                subsequent_indent=" " * 6,
                break_long_words=False,
                break_on_hyphens=False,
            )


def _with_values(options: Iterable[str]) -> list[str]:
    """Return each option once, with all its values."""
    values: dict[str, list[str]] = {}
    for option in options:
        name, *value = option.split()
        values.setdefault(name, []).extend(value)
    return [f"{name} {', '.join(own)}".strip() for name, own in values.items()]


def _files(paths: Sequence[str]) -> str:
    return paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"


def problems_to_json(files: Sequence[ValidationResult], scoring: ScoringSummary) -> str:
    """Return all problems of all files, and what can be scored, as JSON."""
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
                    {"line": line, "severity": severity, "what": message}
                    for _, line, severity, message in file.problems
                ],
            }
            for file in files
        ],
        "scoring": {
            "obstacle": scoring.obstacle or None,
            "options": [
                {
                    "option": option,
                    "status": status,
                    "missing": [
                        {"annotation": annotation, "paths": list(paths)}
                        for annotation, paths in missing.items()
                    ],
                }
                for option, status, missing in scoring.options
            ],
        },
    }
    return to_json(content)


VALIDATION_OUTPUTS: dict[str, Callable[[Sequence[ValidationResult], ScoringSummary], str]] = {
    "table": render_problems,
    "json": problems_to_json,
}
"""Registry of outputs: functions that render problems, by name."""
