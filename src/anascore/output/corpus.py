"""Statistics and validation as text, JSON and CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import Any, Protocol

from anascore.corpus.scorable import ScoringSummary, Status
from anascore.corpus.stats import FileStatistics, Stats
from anascore.corpus.validate import Validation
from anascore.execution import escape_control_characters
from anascore.model.document import Corpus
from anascore.model.short import pluralise
from anascore.output.data import to_csv, to_json
from anascore.output.tables import (
    Column,
    Grid,
    GridCell,
    Head,
    line_width,
    paragraphs_to_text,
    text_lines,
)
from anascore.prepare.breakdown import ENTITY_SIZES
from anascore.results.exact import SCHEMA
from anascore.version import __version__

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

    def __call__(self, files: Sequence[FileStatistics], *, per_document: bool) -> str:
        """Return the counts of files, and optionally of each document."""


def render_stats(files: Sequence[FileStatistics], *, per_document: bool) -> str:
    """Render the counts of each file as text, one count per line."""
    return paragraphs_to_text(map(text_lines, stats_grids(files, per_document=per_document)))


def stats_grids(files: Iterable[FileStatistics], *, per_document: bool) -> Iterator[Grid]:
    """Yield the tables of counts of each file, and optionally of its documents."""
    for file in files:
        yield _file_grid(file)
        if per_document:
            yield _document_grid(file)


def _file_grid(file: FileStatistics) -> Grid:
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
                yield f"  with {pluralise(size, 'element')}", str(sets)
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


def _document_grid(file: FileStatistics) -> Grid:
    """Return a table of the most important counts of each document."""
    labels = {**DOCUMENT_COLUMNS, "words": file.unit}
    columns = [Column(label, max(len(label), 6) + 2) for label in labels.values()]
    rows = [
        (name, [GridCell(str(getattr(stats, field))) for field in labels])
        for name, stats in file.documents.items()
    ]
    return Grid(f"{file.path} by document", [Head(columns)], rows, full_width=True)


def stats_to_dict(files: Iterable[FileStatistics], *, per_document: bool) -> dict[str, Any]:
    """Return all counts as plain values."""
    return {
        "anascore": __version__,
        "schema": SCHEMA,
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


def numbers_of(stats: Stats) -> dict[str, float | None]:
    """Return the counts that are one number each, and the shares, by name."""
    return {name: getattr(stats, name) for name in (*COUNTS, *SHARES)}


def _plain(stats: Stats) -> dict[str, Any]:
    return {
        **numbers_of(stats),
        "chain_lengths": _by_number(stats.chain_lengths),
        "set_sizes": _by_number(stats.set_sizes),
        "left_out": dict(stats.left_out),
    }


def _by_number(counter: Counter[int]) -> dict[str, int]:
    return {str(number): count for number, count in sorted(counter.items())}


def stats_to_csv(files: Sequence[FileStatistics], *, per_document: bool) -> str:
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
    "json": lambda files, *, per_document: to_json(stats_to_dict(files, per_document=per_document)),
    "csv": stats_to_csv,
}
"""Registry of outputs: functions that render counts, by name."""


MAX_PROBLEMS = 100
"""Maximum number of problems of a file that text shows."""


def render_problems(validation: Validation) -> str:
    """Render one problem per line, with its place, and what can be scored as text."""
    lines: list[str] = []
    for file in validation:
        lines += [str(problem) for problem in file.problems[:MAX_PROBLEMS]]
        if len(file.problems) > MAX_PROBLEMS:
            more = len(file.problems) - MAX_PROBLEMS
            lines.append(f"{file.path}: and {more} more; --output json shows all")
    return paragraphs_to_text([[*lines, _summary(validation), *_scoring_lines(validation.scoring)]])


def problem_grids(validation: Validation) -> Iterator[Grid]:
    """Yield a table of problems, and what can be scored."""
    rows = [
        (
            problem.severity,
            [
                GridCell(problem.path),
                GridCell("" if problem.line is None else str(problem.line)),
                GridCell(problem.what),
            ],
        )
        for file in validation
        for problem in file.problems
    ]
    columns = [Column("file", is_text=True), Column("line"), Column("problem", is_text=True)]
    yield Grid(_summary(validation), [Head(columns)] if rows else [], rows)
    yield Grid(notes=[line for line in _scoring_lines(validation.scoring) if line])


def _summary(validation: Validation) -> str:
    """Return the numbers of problems and files."""
    errors = pluralise(len(validation.errors), "error")
    warnings = pluralise(len(validation.warnings), "warning")
    return f"{errors}, {warnings} in {pluralise(len(validation), 'file')}"


SCORING_TITLES: dict[Status, str] = {
    "yes": "anascore score can use these options",
    "empty": "These options have nothing to score",
    "no": "These options cannot be used",
}


def _scoring_lines(scoring: ScoringSummary) -> Iterator[str]:
    """Yield the options that work, and the others with what is missing for them."""
    if scoring.obstacle:
        yield scoring.obstacle
        return
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
                line_width(),
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


def problems_to_dict(validation: Validation) -> dict[str, Any]:
    """Return all problems of all files, and what can be scored, as plain values."""
    scoring = validation.scoring
    return {
        "anascore": __version__,
        "schema": SCHEMA,
        "errors": len(validation.errors),
        "warnings": len(validation.warnings),
        "files": [
            {
                "path": file.path,
                "format": file.format,
                "errors": len(file.errors),
                "warnings": len(file.warnings),
                "problems": [
                    {"line": line, "severity": severity, "what": message, "path": path}
                    for path, line, severity, message in file.problems
                ],
            }
            for file in validation
        ],
        "scoring": {
            "paths": list(scoring.paths),
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


VALIDATION_OUTPUTS: dict[str, Callable[[Validation], str]] = {
    "table": render_problems,
    "json": lambda validation: to_json(problems_to_dict(validation)),
}
"""Registry of outputs: functions that render problems, by name."""


ALWAYS_SHOWN = {"words", "characters", "mentions", "entities"}
"""Sizes that a table shows even if they are 0."""


def corpus_grid(corpus: Corpus) -> Grid:
    """Return a table of the sizes of a corpus and of its documents."""
    total = corpus.sizes
    names = [name for name, number in total.items() if number or name in ALWAYS_SHOWN]
    sizes = [("all documents", total)]
    sizes += [(name, document.sizes) for name, document in corpus.documents.items()]
    rows = [
        (name, [GridCell(str(numbers.get(column, 0))) for column in names])
        for name, numbers in sizes
    ]
    documents = pluralise(len(corpus.documents), "document")
    title = f"Corpus of {documents}: {corpus.path or 'in Python'} ({corpus.format})"
    return Grid(title, [Head([Column(name)]) for name in names], rows)


FORMAT_COLUMNS = {
    "write": "written",
    "sets": "sets",
    "zeros": "zeros",
    "gaps": "gaps",
    "bridging": "bridging",
    "deixis": "deixis",
    "nonreferring": "non-ref.",
    "minimum": "heads",
}
"""Labels of the properties of formats that text shows."""

FORMAT_NOTES = (
    "sets: split antecedents; gaps: discontinuous mentions",
    "non-ref.: non-referring mentions; heads: heads or minimum spans",
    "All formats can be read. --output json lists all that they can hold.",
)


def render_formats(formats: Mapping[str, Mapping[str, Any]]) -> str:
    """Render a table of formats, with the annotation that each can hold, as text."""
    columns = [Column(label, len(label) + 2) for label in FORMAT_COLUMNS.values()]
    rows = [
        (name, [GridCell("yes" if listed[field] else "-") for field in FORMAT_COLUMNS])
        for name, listed in formats.items()
    ]
    grid = Grid(heads=[Head(columns)], rows=rows, corner="format")
    return paragraphs_to_text([text_lines(grid), text_lines(Grid(notes=FORMAT_NOTES))])
