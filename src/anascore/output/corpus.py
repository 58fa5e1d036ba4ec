"""Statistics and validation as text, JSON and CSV."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from textwrap import wrap
from typing import Any

from anascore.corpus.scorable import ScoringSummary, Status
from anascore.corpus.stats import FileStatistics, Statistics, Stats
from anascore.corpus.validate import Validation
from anascore.entities.breakdowns import ENTITY_SIZES
from anascore.errors import Problem
from anascore.model.abbreviated import pluralise
from anascore.model.document import Corpus
from anascore.output.grid import DECIMALS, Cell, Column, Grid, Head, long_grid
from anascore.output.scores import count_cell
from anascore.output.table import text_lines
from anascore.output.text import line_width, paragraphs_to_text
from anascore.terminal import escape_control_characters

COUNTS = tuple(count.name for count in fields(Stats) if isinstance(count.default, int))
"""Counts that are single numbers."""

HIDDEN_IF_ZERO = {"generic_entities", "generic_mentions", "results"}
"""Counts that text omits if they are 0."""

SHARES = (
    *("entity_share", "entity_share_generic_apart", "mention_share", "anaphor_share"),
    "mean_length",
)
"""Shares and means that JSON and CSV contain in addition to the counts."""

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
"""Labels of counts in text, where they differ from the names."""

COUNT_WIDTH = 10
"""Width of a count in text, including the spaces before it."""

DOCUMENT_COLUMNS = {
    "words": "words",
    "mentions": "mentions",
    "entities": "entities",
    "singletons": "single",
    "accommodated_sets": "sets",
    "bridging_links": "bridging",
    "zero_mentions": "zeros",
}
"""Labels of the counts that text shows for each document."""


def statistics_tables(statistics: Statistics, *, per_document: bool = False) -> Iterator[Grid]:
    """Tabulate the counts of each file, and optionally of its documents."""
    for file in statistics:
        yield _file_grid(file)
        if per_document:
            yield _document_grid(file)


def _file_grid(file: FileStatistics) -> Grid:
    rows = [(f"  {label}", [cell]) for label, cell in _count_rows(file.total, file.unit)]
    head = Head([Column("value", "", COUNT_WIDTH)])
    return Grid("counts", f"{file.path} ({file.format})", [head], rows, full_width=True)


def _count_rows(stats: Stats, unit: str) -> Iterator[tuple[str, Cell]]:
    """Yield labels and numbers; details are indented below the count to which they belong."""
    for name in COUNTS:
        number = getattr(stats, name)
        if name in HIDDEN_IF_ZERO and not number:
            continue
        yield unit if name == "words" else STATS_LABELS.get(name, name), count_cell(number)
        if name == "accommodated_sets":
            yield "  share of entities", _share(stats.entity_share)
            if stats.generic_mentions:
                label = "  of several elements, each generic mention an entity of its own"
                yield label, _share(stats.entity_share_generic_apart)
            for size, sets in sorted(stats.set_sizes.items()):
                yield f"  with {pluralise(size, 'element')}", count_cell(sets)
        elif name == "split_mentions":
            yield "  share of mentions", _share(stats.mention_share)
            label = "  share of mentions, the first of each entity only"
            yield label, _share(stats.anaphor_share)
        elif name == "entities" and stats.entities:
            yield from _chain_rows(stats)
    for note, number in stats.left_out.items():
        yield note, count_cell(number)


def _chain_rows(stats: Stats) -> Iterator[tuple[str, Cell]]:
    for lengths in ENTITY_SIZES:
        entities = sum(n for length, n in stats.chain_lengths.items() if length in lengths)
        mentions = "mention" if lengths.high == 1 else "mentions"
        yield f"  with {lengths} {mentions}", count_cell(entities)
    yield "  mean number of mentions", Cell(stats.mentions / stats.entities, "mean")
    yield "  most mentions", count_cell(max(stats.chain_lengths))


def _share(share: float | None) -> Cell:
    return Cell(share, "share")


def _document_grid(file: FileStatistics) -> Grid:
    labels = {**DOCUMENT_COLUMNS, "words": file.unit}
    columns = [Column(name, label, max(len(label), 6) + 2) for name, label in labels.items()]
    rows = [
        (name, [count_cell(getattr(stats, field)) for field in labels])
        for name, stats in file.documents.items()
    ]
    title = f"{file.path} by document"
    return Grid("documents", title, [Head(columns)], rows, full_width=True, requested=True)


def numbers_of(stats: Stats) -> dict[str, float | None]:
    """Collect the counts that are single numbers, and the shares."""
    return {name: getattr(stats, name) for name in (*COUNTS, *SHARES)}


def statistics_rows(statistics: Statistics, *, per_document: bool = False) -> Grid:
    """List one number per row; in rows about the whole file, the document is empty."""
    rows = (
        (file.path, file.format, name, *labelled)
        for file in statistics
        for name, stats in [("", file.total), *(file.documents.items() if per_document else ())]
        for labelled in _labelled_numbers(stats)
    )
    return long_grid(("file", "format", "document", "what", "value"), rows)


def document_rows(statistics: Statistics, *, per_document: bool = True) -> Grid:
    """List one document per row, with all its numbers."""
    del per_document
    rows = (
        (file.path, file.format, file.unit, name, *numbers_of(stats).values())
        for file in statistics
        for name, stats in file.documents.items()
    )
    return long_grid(("file", "format", "unit", "document", *COUNTS, *SHARES), rows)


def _labelled_numbers(stats: Stats) -> Iterator[tuple[str, float | None]]:
    yield from numbers_of(stats).items()
    for name, counter in (("chain_lengths", stats.chain_lengths), ("set_sizes", stats.set_sizes)):
        yield from ((f"{name}: {size}", number) for size, number in sorted(counter.items()))
    yield from ((f"left_out: {note}", number) for note, number in stats.left_out.items())


MAX_PROBLEMS = 100
"""Maximum number of problems per file that text shows."""


def problem_text(validation: Validation, *, decimals: int = DECIMALS) -> str:
    """Print one problem per line, with its place, and what can be scored."""
    del decimals
    lines: list[str] = []
    for file in validation:
        lines += [str(problem) for problem in file.problems[:MAX_PROBLEMS]]
        if len(file.problems) > MAX_PROBLEMS:
            more = len(file.problems) - MAX_PROBLEMS
            lines.append(f"{file.path}: and {more} more; --output json shows all")
    return paragraphs_to_text([[*lines, _summary(validation), *_scoring_text(validation.scoring)]])


def problem_tables(validation: Validation) -> Iterator[Grid]:
    """Tabulate the problems, and what can be scored."""
    rows = [
        (
            problem.severity,
            [
                Cell(problem.path),
                line_cell(problem.line),
                Cell(problem.what),
            ],
        )
        for file in validation
        for problem in file.problems
    ]
    columns = [Column("file", is_text=True), Column("line"), Column("problem", is_text=True)]
    yield Grid("problems", _summary(validation), [Head(columns)] if rows else [], rows)
    scoring = validation.scoring
    yield Grid(notes=[scoring.obstacle] if scoring.obstacle else [])
    for title, lines in _usable_options(scoring):
        yield Grid(title=title, notes=lines)


def problem_rows(validation: Validation) -> Grid:
    """List one problem per row."""
    rows = (problem for file in validation for problem in file.problems)
    return long_grid(Problem._fields, rows)


def line_cell(line: int | None) -> Cell:
    """Make a cell for a line number, empty if there is none."""
    return Cell("") if line is None else count_cell(line)


def _summary(validation: Validation) -> str:
    errors = pluralise(len(validation.errors), "error")
    warnings = pluralise(len(validation.warnings), "warning")
    return f"{errors}, {warnings} in {pluralise(len(validation), 'file')}"


SCORING_TITLES: dict[Status, str] = {
    "yes": "anascore score can use these options",
    "empty": "These options have nothing to score",
    "no": "These options cannot be used",
}


def _scoring_text(scoring: ScoringSummary) -> Iterator[str]:
    if scoring.obstacle:
        yield scoring.obstacle
    for title, lines in _usable_options(scoring):
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


def _usable_options(scoring: ScoringSummary) -> Iterator[tuple[str, list[str]]]:
    """Yield titles with options: first those that work, then the others with what they lack."""
    by_reason: dict[tuple[Status, str], list[str]] = {}
    for option, status, missing in () if scoring.obstacle else scoring.options:
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
            yield title, lines


def _with_values(options: Iterable[str]) -> list[str]:
    """Merge the values of each option."""
    values: dict[str, list[str]] = {}
    for option in options:
        name, *value = option.split()
        values.setdefault(name, []).extend(value)
    return [f"{name} {', '.join(own)}".strip() for name, own in values.items()]


def _files(paths: Sequence[str]) -> str:
    return paths[0] if len(paths) == 1 else f"{paths[0]} and {len(paths) - 1} more"


ALWAYS_SHOWN = {"words", "characters", "mentions", "entities"}
"""Sizes that a table shows even if they are 0."""


def size_tables(corpus: Corpus) -> Iterator[Grid]:
    """Tabulate the sizes of a corpus and of its documents."""
    total = corpus.sizes
    names = [name for name, number in total.items() if number or name in ALWAYS_SHOWN]
    sizes = [("all documents", total)]
    sizes += [(name, document.sizes) for name, document in corpus.documents.items()]
    rows = [
        (name, [count_cell(numbers.get(column, 0)) for column in names]) for name, numbers in sizes
    ]
    documents = pluralise(len(corpus.documents), "document")
    title = f"Corpus of {documents}: {corpus.path or 'in Python'} ({corpus.format})"
    yield Grid("sizes", title, [Head([Column(name)]) for name in names], rows)


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
"""Labels of the format properties that text shows."""

FORMAT_NOTES = (
    "sets: split antecedents; gaps: discontinuous mentions",
    "non-ref.: non-referring mentions; heads: heads or minimum spans",
    "All formats can be read. --output json lists all that they can hold.",
)


def format_text(formats: Mapping[str, Mapping[str, Any]]) -> str:
    """Tabulate the formats, with the annotation that each can store."""
    columns = [Column(name, label, len(label) + 2) for name, label in FORMAT_COLUMNS.items()]
    rows = [
        (name, [Cell("yes" if listed[field] else None) for field in FORMAT_COLUMNS])
        for name, listed in formats.items()
    ]
    grid = Grid("formats", heads=[Head(columns)], rows=rows, corner="format")
    return paragraphs_to_text([text_lines(grid), text_lines(Grid(notes=FORMAT_NOTES))])
