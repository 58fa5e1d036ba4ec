"""Errors as tables, text and rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import TypeAlias

from anascore.analysis.errors import (
    ERROR_TYPES,
    EXAMPLES,
    Error,
    ErrorComparison,
    MentionRef,
    ResponseErrors,
    choose_types,
)
from anascore.metrics.scores import LABELS
from anascore.output.corpus import line_cell
from anascore.output.grid import (
    DECIMALS,
    Cell,
    Column,
    Grid,
    Head,
    SystemName,
    Value,
    long_grid,
    warning_grid,
)
from anascore.output.scores import SCORE_WIDTH, common_signature, count_cell, system_heads
from anascore.output.table import text_lines
from anascore.output.text import paragraphs_to_text
from anascore.output.view import group_warnings

MAX_MENTION_LENGTH = 60
"""Maximum number of characters that text shows of a mention."""

MAX_MENTIONS = 4
"""Maximum number of mentions that text shows of an entity."""

UNCHANGED, ALL_CORRECTED = "unchanged", "all corrected"
"""Names of the first and last row of the error table."""


Shown: TypeAlias = ResponseErrors | ErrorComparison
Types: TypeAlias = str | Iterable[str] | None


def _responses(shown: Shown) -> Sequence[ResponseErrors]:
    return [shown] if isinstance(shown, ResponseErrors) else shown


def _listed(
    shown: Shown, types: Types, examples: int | None
) -> Iterator[tuple[str, Sequence[Error], int]]:
    """Group errors by type and response; yield a label, those to list, and how many are left."""
    responses = _responses(shown)
    for name in choose_types(types):
        for errors in responses if examples != 0 else ():
            if found := errors.by_type[name]:
                listed = list(islice(found, examples))
                system = f", {errors.system}" if len(responses) > 1 else ""
                yield f"{ERROR_TYPES[name].label}{system}", listed, len(found) - len(listed)


def text(
    shown: Shown, *, types: Types = None, examples: int | None = EXAMPLES, decimals: int = DECIMALS
) -> str:
    """Print error counts, the scores after correcting each type, and examples."""
    paragraphs = [text_lines(grid, decimals) for grid in _numbers(shown)]
    for label, listed, more in _listed(shown, types, examples):
        paragraphs[-1] += ["", f"{label}: {len(listed) + more}"]
        paragraphs[-1] += [f"  {error_line(error)}" for error in listed]
        if more:
            paragraphs[-1].append(f"  and {more} more; --examples all shows them")
    is_one = isinstance(shown, ResponseErrors)
    paragraphs += [list(grid.notes) if is_one else text_lines(grid) for grid in _warnings(shown)]
    return paragraphs_to_text([*paragraphs, signatures(shown)])


def tables(shown: Shown, *, types: Types = None, examples: int | None = EXAMPLES) -> Iterator[Grid]:
    """Tabulate error counts, the scores after correcting each type, and examples."""
    yield from _numbers(shown)
    heads = [
        Head([Column("document", is_text=True), Column("words", is_text=True), Column("line")]),
        Head([Column("error", is_text=True)]),
    ]
    rows = [
        (
            label,
            [
                Cell(error.document),
                Cell(error.at.position),
                line_cell(error.at.line),
                Cell(description(error)),
            ],
        )
        for label, listed, _ in _listed(shown, types, examples)
        for error in listed
    ]
    if rows:
        title = "Errors" if examples is None else f"Errors, at most {examples} of each type"
        yield Grid("examples", title, heads, rows, corner="type")
    yield from _warnings(shown)


def signatures(shown: Shown) -> list[str]:
    """Return the common signature, or one signature per system if their formats differ."""
    return common_signature([(errors.system, errors.signature) for errors in _responses(shown)])


def _warnings(shown: Shown) -> Iterator[Grid]:
    if isinstance(shown, ResponseErrors):
        yield from warning_grid(shown.warnings)
    else:
        systems = [(errors.system, errors.warnings) for errors in shown]
        yield from warning_grid(group_warnings(systems))


def _numbers(shown: Shown) -> Iterator[Grid]:
    """Tabulate the errors of each type and the gain from correcting them."""
    if isinstance(shown, ResponseErrors):
        yield error_grid(shown)
        return
    counts = [errors.counts for errors in shown]
    types = [name for name in ERROR_TYPES if any(count[name] for count in counts)]
    rows = [
        ("all types", [sum(count.values()) for count in counts]),
        *((ERROR_TYPES[name].label, [count[name] for count in counts]) for name in types),
    ]
    heads = [
        Head(
            [
                Column(SystemName(errors.system), min_width=8),
                *([Column(f"{errors.system} change", "+/-", 8)] if number else ()),
            ]
        )
        for number, errors in enumerate(shown)
    ]
    title = f"Errors, and differences from {shown[0].system}"
    cells = [(label, list(_count_cells(numbers))) for label, numbers in rows]
    yield Grid("errors", title, heads, cells)
    yield _gain_grid(shown, types)


def _count_cells(numbers: Sequence[int]) -> Iterator[Cell]:
    """Make cells for the numbers of errors, all but the first with the change from the first."""
    for position, number in enumerate(numbers):
        yield Cell(number, "count", best=len(numbers) > 1 and number == min(numbers))
        if position:
            yield Cell(number - numbers[0], "change")


def _gain(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _gain_grid(comparison: ErrorComparison, types: Sequence[str]) -> Grid:
    """Tabulate how much a score gains if all errors of one type are corrected."""
    score = "conll"
    before = [errors.scores[score].f1 for errors in comparison]
    rows = [(UNCHANGED, [Cell(f1, "score") for f1 in before])]
    corrected = [errors.corrected for errors in comparison]
    for name in types:
        after = [scores[name][score].f1 for scores in corrected]
        gains = (_gain(*values) for values in zip(before, after, strict=True))
        rows.append((ERROR_TYPES[name].label, [Cell(gain, "difference") for gain in gains]))
    title = f"{LABELS[score]}, and its gain with all errors of one type corrected"
    return Grid("gains", title, system_heads(errors.system for errors in comparison), rows)


def error_grid(errors: ResponseErrors) -> Grid:
    """Tabulate the number of errors of each type and the F1 after correcting them.

    Types without errors are left out.
    """
    corrected = errors.corrected
    rows = [
        (UNCHANGED, len(errors), errors.scores),
        *(
            (ERROR_TYPES[name].label, number, corrected[name])
            for name, number in errors.counts.items()
            if number
        ),
        (ALL_CORRECTED, 0, errors.all_corrected),
    ]
    columns = [
        Column("errors", min_width=8),
        *(Column(name, LABELS[name], SCORE_WIDTH) for name in errors.scores),
    ]
    cells = [
        [count_cell(number), *(Cell(score.f1, "score") for score in scores.values())]
        for _, number, scores in rows
    ]
    return Grid(
        "errors",
        f"Errors of {errors.system}, and F1 with all errors of one type corrected",
        [Head([column]) for column in columns],
        list(zip((label for label, _, _ in rows), cells, strict=True)),
    )


def error_line(error: Error) -> str:
    """Describe an error, after its place."""
    line = "" if error.at.line is None else f" (line {error.at.line} of the {error.at.side})"
    return f"{error.document} {error.at.position}{line}: {description(error)}"


def description(error: Error) -> str:
    """Describe an error in words.

    Numbers in brackets are the word positions of mentions that are elsewhere in the text.
    """
    if error.type == "wrong-span" and error.key[0].place == error.response[0].place:
        return f"{_texts(error.key)} with another head"
    elsewhere = error.anaphor is not None
    return ERROR_TYPES[error.type].description.format(
        key=_texts(error.key, places=elsewhere),
        response=_texts(error.response, places=elsewhere),
        beside=error.beside and _quoted(error.beside, place=True),
        anaphor=error.anaphor and _quoted(error.anaphor),
    )


def _texts(mentions: Sequence[MentionRef], *, places: bool = False) -> str:
    shown = [_quoted(mention, place=places) for mention in mentions[:MAX_MENTIONS]]
    more = len(mentions) - len(shown)
    return ", ".join([*shown, *([f"{more} more"] if more else [])])


def cut(text: str) -> str:
    """Put a text on one line, and cut out the middle if it is long."""
    text = " ".join(text.split())
    if len(text) <= MAX_MENTION_LENGTH:
        return text
    return f"{text[: MAX_MENTION_LENGTH // 2]} … {text[-MAX_MENTION_LENGTH // 2 :]}"


def _quoted(mention: MentionRef, *, place: bool = False) -> str:
    return f"“{cut(mention.text)}”{f' ({mention.position})' if place else ''}"


COLUMNS = (
    *("type", "document", "words", "line", "key_entity", "response_entity"),
    *("key", "key_words", "key_line", "response", "response_words", "response_line"),
    *("beside", "anaphor", "signature", "system"),
)


def rows(shown: Shown, *, types: Types = None, examples: int | None = None) -> Grid:
    """List one error per row, system by system; " | " separates the mentions of an entity.

    `examples` has no effect: all errors of the requested types are listed.
    """
    del examples
    return long_grid(COLUMNS, _rows(shown, choose_types(types)))


def _rows(shown: Shown, types: Iterable[str]) -> Iterator[tuple[Value, ...]]:
    for errors in _responses(shown):
        for error in (error for name in types for error in errors.by_type[name]):
            yield (
                error.type,
                error.document,
                error.at.position,
                error.at.line,
                error.key_entity,
                error.response_entity,
                *_columns(error.key),
                *_columns(error.response),
                error.beside and error.beside.text,
                error.anaphor and error.anaphor.text,
                errors.signature,
                errors.system,
            )


def _columns(mentions: Sequence[MentionRef]) -> Iterator[Value]:
    """Yield the mentions' texts, their words counted from 1, and the line of the first mention."""
    yield " | ".join(mention.text for mention in mentions)
    yield " | ".join(mention.position for mention in mentions)
    yield mentions[0].line if mentions else None
