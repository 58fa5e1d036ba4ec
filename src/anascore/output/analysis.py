"""Errors and explanations as text, JSON and CSV."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from textwrap import wrap
from typing import Any, Literal, NamedTuple, Protocol

from anascore.analysis.errors import (
    ERROR_TYPES,
    EXAMPLES,
    Error,
    ErrorComparison,
    MentionRef,
    ResponseErrors,
)
from anascore.analysis.explain import (
    AlignedSet,
    Direction,
    EntityDescription,
    Explanation,
    MetricExplanation,
    ResponseExplanation,
    Share,
)
from anascore.analysis.find_errors import SideName
from anascore.execution import escape_control_characters, shorten_middle
from anascore.metrics import LABELS, METRICS
from anascore.model.ratio import Number, Ratio
from anascore.model.short import pluralise
from anascore.output import group_warnings
from anascore.output.data import OneLine, plain, to_csv, to_json
from anascore.output.grids import (
    SCORE_WIDTH,
    common_signature,
    difference,
    fraction,
    percent,
)
from anascore.output.tables import (
    Column,
    Grid,
    GridCell,
    Head,
    line_width,
    paragraphs_to_text,
    text_lines,
)
from anascore.results.exact import SCHEMA, counts_to_lists
from anascore.version import __version__

MAX_MENTION_LENGTH = 60
"""Maximum number of characters of a mention that text shows."""

MAX_MENTIONS = 4
"""Maximum number of mentions of an entity that text shows."""

UNCHANGED, ALL_CORRECTED = "unchanged", "all corrected"
"""Names of the first and the last row of the table of errors."""


def render_errors(errors: ResponseErrors, types: Iterable[str], examples: int | None) -> str:
    """Render counts of errors, the scores after correction of each type, and examples as text."""
    lines = [*text_lines(_error_grid(errors)), *_example_lines([errors], types, examples)]
    if errors.warnings:
        lines += ["", *_warning_lines(errors.warnings)]
    return paragraphs_to_text([lines, [errors.signature]])


def _example_lines(
    responses: Sequence[ResponseErrors], types: Iterable[str], examples: int | None
) -> Iterator[str]:
    """Yield some errors of each type, for each response."""
    for name in types:
        for errors in responses if examples != 0 else ():
            if listed := errors.by_type[name]:
                shown = listed[:examples]
                more = len(listed) - len(shown)
                system = f", {errors.system}" if len(responses) > 1 else ""
                yield from ("", f"{ERROR_TYPES[name].label}{system}: {len(listed)}")
                yield from (f"  {error_line(error)}" for error in shown)
                if more:
                    yield f"  and {more} more; --examples all shows them"


def render_error_comparison(
    comparison: ErrorComparison, types: Iterable[str], examples: int | None
) -> str:
    """Render counts of errors by type and system, the gain of correction, and examples as text."""
    counts, gains, *warnings = map(text_lines, error_comparison_grids(comparison))
    lines = [*gains, *_example_lines(comparison, types, examples)]
    return paragraphs_to_text([counts, lines, *warnings, error_signatures(comparison)])


def error_signatures(comparison: ErrorComparison) -> list[str]:
    """Return the common signature, or one signature per system if their formats differ."""
    return common_signature([(errors.system, errors.signature) for errors in comparison])


def error_comparison_grids(comparison: ErrorComparison) -> Iterator[Grid]:
    """Yield the errors of each type and system, the gain of correction, and the warnings."""
    counts = [errors.counts for errors in comparison]
    types = [name for name in ERROR_TYPES if any(count[name] for count in counts)]
    rows = [
        ("all types", [sum(count.values()) for count in counts]),
        *((ERROR_TYPES[name].label, [count[name] for count in counts]) for name in types),
    ]
    differences = [Column("+/-", 8)]
    heads = [
        Head([Column(errors.system, 8, is_name=True), *(differences if number else ())])
        for number, errors in enumerate(comparison)
    ]
    title = f"Errors, and differences from {comparison[0].system}"
    yield Grid(title, heads, [(label, list(_count_cells(numbers))) for label, numbers in rows])
    yield _gain_grid(comparison, types)
    if warnings := group_warnings([(errors.system, errors.warnings) for errors in comparison]):
        yield Grid(notes=_warning_lines(warnings))


def _count_cells(numbers: Sequence[int]) -> Iterator[GridCell]:
    """Yield the numbers of errors, each but the first with its difference to the first."""
    for position, number in enumerate(numbers):
        yield GridCell(str(number), best=len(numbers) > 1 and number == min(numbers))
        if position:
            yield GridCell(f"{number - numbers[0]:+d}")


def _gain(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else after - before


def _gain_grid(comparison: ErrorComparison, types: Sequence[str]) -> Grid:
    """Return a table of what correcting all errors of one type adds to a score."""
    score = "conll"
    before = [errors.scores[score].f1 for errors in comparison]
    heads = [Head([Column(errors.system, SCORE_WIDTH + 1, is_name=True)]) for errors in comparison]
    rows = [(UNCHANGED, [GridCell(percent(f1)) for f1 in before])]
    corrected = [errors.corrected for errors in comparison]
    for name in types:
        after = [scores[name][score].f1 for scores in corrected]
        gains = (_gain(*values) for values in zip(before, after, strict=True))
        rows.append((ERROR_TYPES[name].label, [GridCell(difference(gain)) for gain in gains]))
    title = f"{LABELS[score]}, and its gain with all errors of one type corrected"
    return Grid(title, heads, rows)


def _warning_lines(warnings: Iterable[str]) -> list[str]:
    return [f"warning: {warning}" for warning in warnings]


def error_grids(errors: ResponseErrors) -> Iterator[Grid]:
    """Yield the table of errors, and one of the first errors of each type."""
    yield _error_grid(errors)
    examples = [error for listed in errors.by_type.values() for error in listed[:EXAMPLES]]
    heads = [
        Head([Column("document", is_text=True), Column("words", is_text=True), Column("line")]),
        Head([Column("error", is_text=True)]),
    ]
    rows = [
        (
            ERROR_TYPES[error.type].label,
            [
                GridCell(error.document),
                GridCell(error.at.position),
                GridCell("" if error.at.line is None else str(error.at.line)),
                GridCell(description(error)),
            ],
        )
        for error in examples
    ]
    if rows:
        title = f"Errors, at most {EXAMPLES} of each type"
        yield Grid(title, heads, rows, corner="type")
    if errors.warnings:
        yield Grid(notes=_warning_lines(errors.warnings))


def _error_grid(errors: ResponseErrors) -> Grid:
    """Return a table with the number of errors and the F1 after correction of each type.

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
        Column("errors", 8),
        *(Column(LABELS[name], SCORE_WIDTH) for name in errors.scores),
    ]
    cells = [
        [GridCell(str(number)), *(GridCell(percent(score.f1)) for score in scores.values())]
        for _, number, scores in rows
    ]
    return Grid(
        f"Errors of {errors.system}, and F1 with all errors of one type corrected",
        [Head([column]) for column in columns],
        list(zip((label for label, _, _ in rows), cells, strict=True)),
    )


DESCRIPTIONS = {
    "wrong-span": "{response} instead of {key}",
    "extra-mention": "{response}",
    "extra-entity": "{response}",
    "missing-mention": "{key}",
    "missing-entity": "{key}",
    "conflated-entity": "{response} with {beside}",
    "divided-entity": "{response} apart from {beside}",
    "wrong-anaphor": "{response} instead of {key}",
    "wrong-element": "{anaphor}: {response} instead of {key}",
    "missing-element": "{anaphor}: without {key}",
    "extra-element": "{anaphor}: with {response}",
    "spurious-set": "{anaphor}: {{{response}}}",
    "set-as-entity": "{anaphor}: {{{key}}}, taken for {response}",
    "missed-set": "{anaphor}: {{{key}}}",
}
"""Templates of the description of an error, by type."""


def error_line(error: Error) -> str:
    """Return the place and the description of an error."""
    line = "" if error.at.line is None else f" (line {error.at.line} of the {error.at.side})"
    return f"{error.document} {error.at.position}{line}: {description(error)}"


def description(error: Error) -> str:
    """Return the description of an error.

    Numbers in brackets are the words of mentions that stand elsewhere.
    """
    if error.type == "wrong-span" and error.key[0].place == error.response[0].place:
        return f"{_texts(error.key)} with another head"
    elsewhere = error.anaphor is not None
    return DESCRIPTIONS[error.type].format(
        key=_texts(error.key, places=elsewhere),
        response=_texts(error.response, places=elsewhere),
        beside=error.beside and _quoted(error.beside, place=True),
        anaphor=error.anaphor and _quoted(error.anaphor),
    )


def _texts(mentions: Sequence[MentionRef], *, places: bool = False) -> str:
    shown = [_quoted(mention, place=places) for mention in mentions[:MAX_MENTIONS]]
    more = len(mentions) - len(shown)
    return ", ".join([*shown, *([f"{more} more"] if more else [])])


def _cut(text: str) -> str:
    """Return a text on one line, without its middle if it is long."""
    text = " ".join(text.split())
    if len(text) <= MAX_MENTION_LENGTH:
        return text
    return f"{text[: MAX_MENTION_LENGTH // 2]} … {text[-MAX_MENTION_LENGTH // 2 :]}"


def _quoted(mention: MentionRef, *, place: bool = False) -> str:
    return f"“{_cut(mention.text)}”{f' ({mention.position})' if place else ''}"


def errors_to_dict(errors: ResponseErrors, types: Iterable[str]) -> dict[str, Any]:
    """Return counts, scores as fractions of 1, and all errors of some types as plain values."""
    analysis, numbers = errors.analysis, errors.counts
    corrected = {name: plain(scores) for name, scores in errors.corrected.items()}
    return {
        "anascore": __version__,
        "schema": SCHEMA,
        "signature": errors.signature,
        "system": errors.system,
        "scores": plain(errors.scores),
        "types": {
            name: {"errors": numbers[name], "corrected": corrected[name]} for name in ERROR_TYPES
        },
        "all_corrected": plain(errors.all_corrected),
        "errors": [_error(error) for name in types for error in errors.by_type[name]],
        "warnings": list(errors.warnings),
        "metrics": list(errors.reported),
        "exact": {
            "scores": counts_to_lists(analysis.as_it_is),
            # The counts of a type without errors are those of the response as it is.
            "types": {
                name: counts_to_lists(counts)
                for name, counts in analysis.corrected.items()
                if numbers[name]
            },
            "all_corrected": counts_to_lists(analysis.all_corrected),
        },
    }


def _error(error: Error) -> dict[str, Any]:
    return {
        **error._asdict(),
        "at": error.at._asdict(),
        "key": [mention._asdict() for mention in error.key],
        "response": [mention._asdict() for mention in error.response],
        "beside": error.beside and error.beside._asdict(),
        "anaphor": error.anaphor and error.anaphor._asdict(),
    }


ERROR_CSV_COLUMNS = (
    *("type", "document", "words", "line", "key_entity", "response_entity"),
    *("key", "key_words", "key_line", "response", "response_words", "response_line"),
    *("beside", "anaphor", "signature", "system"),
)


def errors_to_csv(errors: ResponseErrors, types: Iterable[str]) -> str:
    """Return one line of CSV per error; " | " separates the mentions of an entity."""
    return to_csv([ERROR_CSV_COLUMNS, *error_rows(errors, types)])


def error_rows(errors: ResponseErrors, types: Iterable[str]) -> Iterator[tuple[object, ...]]:
    """Yield the values of ERROR_CSV_COLUMNS for each error."""
    for name in types:
        for error in errors.by_type[name]:
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


def error_comparison_to_csv(comparison: ErrorComparison, types: Sequence[str]) -> str:
    """Return one line of CSV per error, system by system."""
    rows = (row for errors in comparison for row in error_rows(errors, types))
    return to_csv([ERROR_CSV_COLUMNS, *rows])


def _columns(mentions: Sequence[MentionRef]) -> Iterator[object]:
    """Yield the texts of mentions, their words counted from 1, and the line of the first."""
    yield " | ".join(mention.text for mention in mentions)
    yield " | ".join(mention.position for mention in mentions)
    yield mentions[0].line if mentions else None


def error_comparison_to_dict(comparison: ErrorComparison, types: Iterable[str]) -> dict[str, Any]:
    """Return the errors of all systems as plain values."""
    listed = list(types)
    return {
        "anascore": __version__,
        "schema": SCHEMA,
        "systems": [errors_to_dict(errors, listed) for errors in comparison],
    }


def errors_to_json(errors: ResponseErrors, types: Iterable[str]) -> str:
    """Render errors as JSON, with the exact counts of a type on one line."""
    return to_json(_exact_on_lines(errors_to_dict(errors, types)))


def error_comparison_to_json(comparison: ErrorComparison, types: Iterable[str]) -> str:
    """Render the errors of all systems as JSON, likewise."""
    content = error_comparison_to_dict(comparison, types)
    return to_json({**content, "systems": list(map(_exact_on_lines, content["systems"]))})


def _exact_on_lines(content: dict[str, Any]) -> dict[str, Any]:
    """Put the exact counts of a type on one line of JSON."""
    exact = content["exact"]
    exact["types"] = {name: OneLine(counts) for name, counts in exact["types"].items()}
    exact |= {name: OneLine(exact[name]) for name in ("scores", "all_corrected")}
    return content


ERROR_OUTPUTS: dict[str, Callable[[ResponseErrors, list[str], int | None], str]] = {
    "table": render_errors,
    "json": lambda errors, types, _: errors_to_json(errors, types),
    "csv": lambda errors, types, _: errors_to_csv(errors, types),
}
"""Registry of outputs: functions that render errors of some types, by name.

The last argument is the maximum number of examples that text lists."""

ERROR_COMPARISON_OUTPUTS: dict[str, Callable[[ErrorComparison, list[str], int | None], str]] = {
    "table": render_error_comparison,
    "json": lambda comparison, types, _: error_comparison_to_json(comparison, types),
    "csv": lambda comparison, types, _: error_comparison_to_csv(comparison, types),
}
"""The same for the errors of several responses."""


MAX_ENTITIES = 8
"""Maximum number of entities of a side that text explains, unless all are requested."""

MAX_SETS = 3
"""Maximum number of accommodated sets that text explains, likewise."""


def render_explanation(explanation: ResponseExplanation, *, full: bool) -> str:
    """Render the working of the document with the lowest score, or of all documents, as text.

    Entities that score fully are counted. Of the others, those that lose most are explained.
    """
    several = len(explanation.documents) > 1
    paragraphs: list[list[str]] = []
    for document in explanation.documents if full or not several else [explanation.worst]:
        title = f"Document {document.name}"
        title += f" of {explanation.system}" if explanation.system else ""
        if several and not full:
            label, value = document.main_score
            number = len(explanation.documents)
            title += (
                f": the lowest {label} of {number} documents, "
                f"{percent(None if value is None else float(value))}; --doc chooses another"
            )
        paragraphs += [text_lines(Grid(notes=[title])), text_lines(_total_grid(document))]
        everything = full or bool(explanation.entity)
        if sets := list(_set_lines(document, full=everything)):
            paragraphs.append(sets)
        for side in SIDES:
            paragraphs += _side_paragraphs(document, side, full=everything)
    if explanation.warnings:
        paragraphs.append(_warning_lines(explanation.warnings))
    return paragraphs_to_text([*paragraphs, [explanation.signature]])


class ExplainedSide(NamedTuple):
    """A side of a document, whose entities share in one of the two values of a metric."""

    side: SideName
    measure: Literal["recall", "precision"]


SIDES = (ExplainedSide("key", "recall"), ExplainedSide("response", "precision"))


def _components(
    document: Explanation, measure: Literal["recall", "precision"]
) -> list[tuple[str, Direction]]:
    """Return recall or precision of all components of metrics, with the label of each."""
    return [
        (
            ", ".join(filter(None, [LABELS[metric.metric], working.links.removesuffix(" links")])),
            getattr(working, measure),
        )
        for metric in document.metrics
        for working in metric.rows
    ]


def _total_grid(document: Explanation) -> Grid:
    """Return the table of recall and precision of the document."""
    recall, precision = (_components(document, measure) for _, measure in SIDES)
    rows = [
        (label, [GridCell(_ratio(own.ratio)), GridCell(_ratio(other.ratio))])
        for (label, own), (_, other) in zip(recall, precision, strict=True)
    ]
    return _text_grid(rows, ["recall", "precision"])


def _text_grid(rows: Sequence[tuple[str, Sequence[GridCell]]], labels: Sequence[str]) -> Grid:
    """Return a table whose columns are as wide as their texts."""
    heads = [
        Head([Column(label, 2 + max(len(cells[number].text) for _, cells in rows))])
        for number, label in enumerate(labels)
    ]
    return Grid(heads=heads, rows=rows)


def _set_lines(document: Explanation, *, full: bool) -> Iterator[str]:
    """Yield the alignment of accommodated sets by each metric, except those that are equal."""
    names = dict.fromkeys(aligned.key for metric in document.metrics for aligned in metric.sets)
    if not names:
        return
    equal = {
        name
        for name in names
        if not full
        and all(s.f1 == 1 for metric in document.metrics for s in metric.sets if s.key == name)
    }
    listed = [name for name in names if name not in equal][: None if full else MAX_SETS]
    title = "Accommodated sets of the key, with δ of recall and precision"
    yield f"{title}; {len(equal)} of {len(names)} are found" if equal else title
    for metric in document.metrics:
        penalty = " (penalty)" if METRICS[metric.metric].penalty else ""
        for aligned in metric.sets:
            if aligned.key in listed:
                line = f"  {METRICS[metric.metric].label:7} {_set(aligned, penalty)}"
                yield from wrap(line, line_width(), subsequent_indent=" " * 12)
    if more := len(names) - len(equal) - len(listed):
        yield f"  and {pluralise(more, 'more set')}; --all shows all"


def _set(aligned: AlignedSet, penalty: str) -> str:
    best = aligned.next_best
    following = f"; next best {best[0]}, F1 {_term(best[1])}" if best else ""
    deltas = (
        f"{_term(d.recall)}{'' if d.precision is None else f' and {_term(d.precision)}'}"
        for d in aligned.delta
    )
    delta = f"δ{penalty} {', '.join(deltas)}"
    if aligned.response is None:
        return f"{aligned.key}: no partner, {delta}{following}"
    f1 = f"F1 {_term(aligned.f1)} ({100 * float(aligned.f1):.0f}%)"
    return f"{aligned.key} with {aligned.response}: {f1}, {delta}{following}"


def _side_paragraphs(
    document: Explanation, explained: ExplainedSide, *, full: bool
) -> Iterator[list[str]]:
    """Yield the entities of one side that lose something, and a table of their shares."""
    side, measure = explained
    entities = document.key if side == "key" else document.response
    components = [
        (label.partition(",")[0], {s.entity: s for s in direction.shares}, direction.ratio.whole)
        for label, direction in _components(document, measure)
        if any(share.part is not None for share in direction.shares)
    ]
    losses = {
        entity.label: sum(
            _loss(shares.get(entity.label, NO_SHARE), whole) for _, shares, whole in components
        )
        for entity in entities
    }
    losing = [entity for entity in entities if losses[entity.label]]
    listed = list(entities)
    if not full:
        losing.sort(key=lambda entity: -losses[entity.label])
        listed = losing[:MAX_ENTITIES]
    title = _side_title(explained, len(entities), len(losing), full=full)
    lines = [_entity_line(entity, document, side, full=full) for entity in listed]
    yield [*text_lines(Grid(notes=[title])), *lines]
    rows = [
        (
            entity.label,
            [GridCell(_share(shares.get(entity.label, NO_SHARE))) for _, shares, _ in components],
        )
        for entity in listed
        if any(entity.label in shares for _, shares, _ in components)
    ]
    if rows:
        yield text_lines(_text_grid(rows, [label for label, _, _ in components]))


def _side_title(explained: ExplainedSide, entities: int, losing: int, *, full: bool) -> str:
    """Return the number of entities that score fully, and of those that are listed."""
    title = f"{explained.side.capitalize()}, {explained.measure}"
    if full:
        return title
    number = pluralise(entities, "entity", "entities")
    title += f": {entities - losing} of {number} score fully"
    if losing > MAX_ENTITIES:
        title += f"; of the others, the {MAX_ENTITIES} that lose most (--all lists all)"
    return title


def _loss(share: Share, whole: Number) -> Fraction:
    """Return the part of the whole that an entity loses."""
    if share.part is None or share.whole is None or not whole:
        return Fraction(0)
    return Fraction(share.whole - share.part) / whole


def _share(share: Share) -> str:
    """Return the share of an entity with its percentage."""
    if share.part is None or share.whole is None or not share.whole:
        return "-"
    part, whole = (_amount(number) for number in (share.part, share.whole))
    return f"{part}/{whole} {100 * float(share.part / share.whole):.0f}%"


def _amount(number: Number) -> str:
    """Return a number in few digits."""
    return fraction(number) if number.denominator == 1 else f"{float(number):.3g}"


def _entity_line(
    entity: EntityDescription, document: Explanation, side: SideName, *, full: bool
) -> str:
    """Return an entity with the mentions that it shares with entities of the other side."""
    own, other = (0, 1) if side == "key" else (1, 0)
    shared = [
        f"{pair[other]} {n}" for pair, n in document.shared.items() if pair[own] == entity.label
    ]
    partners = f"; shares {', '.join(shared)}" if shared else ""
    notation = str(entity) if full else f"{entity.label} = {_shortened(entity)}"
    line = escape_control_characters(f"  {notation}  (id {entity.name}{partners})")
    return line if full else shorten_middle(line, line_width())


MAX_TERM = 1000
"""Numerators and denominators below are shown; fractions of larger ones become decimals."""


def _term(number: Number) -> str:
    """Return a fraction of small terms, or a decimal number."""
    if max(abs(number.numerator), number.denominator) < MAX_TERM or number.denominator == 1:
        return fraction(number)
    return f"{float(number):.2f}"


def _ratio(ratio: Ratio) -> str:
    value = ratio.value
    if value is None:
        return "undefined, 0 of 0"
    return f"{_term(ratio.part)} of {_term(ratio.whole)} = {100 * float(value):.2f}%"


def explanation_grids(explanation: ResponseExplanation) -> Iterator[Grid]:
    """Yield the tables of the document with the lowest score: entities, sets, and shares."""
    for document in [explanation.worst] if explanation.documents else []:
        yield _entity_grid(document)
        yield from _set_grids(document)
        yield from _share_grids(document)
    notes = _warning_lines(explanation.warnings)
    if (more := len(explanation.documents) - 1) > 0:
        notes.append(f"and {pluralise(more, 'more document')}; print the explanation to see all")
    if notes:
        yield Grid(notes=notes)


def _entity_grid(document: Explanation) -> Grid:
    rows = [
        (entity.label, [GridCell(_shortened(entity)), GridCell(entity.name)])
        for entity in (*document.key, *document.response)
    ]
    heads = [Head([Column("mentions", is_text=True), Column("id", is_text=True)])]
    return Grid(f"Document {document.name}", heads, rows, corner="entity")


def _shortened(entity: EntityDescription) -> str:
    """Return the notation of an entity with its first mentions."""
    more = len(entity.mentions) - MAX_MENTIONS
    shown = [_cut(mention) for mention in entity.mentions[:MAX_MENTIONS]]
    return entity.with_mentions([*shown, f"… {more} more"] if more > 0 else shown)


def _set_grids(document: Explanation) -> Iterator[Grid]:
    """Yield the table of aligned accommodated sets for each metric, if there are any."""
    labels = ("aligned with", "δ recall", "δ precision", "F1", "next best", "F1 of it")
    for metric in document.metrics:
        if metric.sets:
            title = f"Accommodated sets, aligned by {METRICS[metric.metric].label}"
            penalty = "; δ is a penalty" if METRICS[metric.metric].penalty else ""
            rows = [(aligned.key, list(_set_cells(aligned))) for aligned in metric.sets]
            heads = [Head([Column(label)]) for label in labels]
            yield Grid(f"{title}{penalty}", heads, rows, corner="set of")


def _set_cells(aligned: AlignedSet) -> Iterator[GridCell]:
    best = aligned.next_best
    yield GridCell(aligned.response or "-")
    yield GridCell(", ".join(_short_fraction(delta.recall) for delta in aligned.delta))
    yield GridCell(", ".join(_short_fraction(delta.precision) for delta in aligned.delta))
    yield GridCell(_short_fraction(aligned.f1))
    yield GridCell(best[0] if best else "-")
    yield GridCell(_short_fraction(best[1]) if best else "-")


def _share_grids(document: Explanation) -> Iterator[Grid]:
    """Yield the shares of entities in recall, then in precision, for all metrics."""
    rows = [(metric.metric, row) for metric in document.metrics for row in metric.rows]
    sides = (("recall", "key", document.key), ("precision", "response", document.response))
    for name, side, entities in sides:
        directions: list[Direction] = [getattr(working, name) for _, working in rows]
        shares = [{share.entity: share for share in one.shares} for one in directions]
        cells = [
            (
                entity.label,
                [
                    GridCell(_short_fraction(number))
                    for own in shares
                    if (share := own.get(entity.label, NO_SHARE))
                    for number in (share.part, share.whole)
                ],
            )
            for entity in entities
        ]
        totals = [
            GridCell(_short_fraction(number), best=True)
            for one in directions
            for number in (one.ratio.part, one.ratio.whole)
        ]
        heads = [
            Head([Column("part"), Column("of")], f"{LABELS[metric]} {working.links}".strip())
            for metric, working in rows
        ]
        title = f"{name.capitalize()}: the share of each entity of the {side}"
        values = ", ".join(
            f"{head.label} {percent(None if one.ratio.value is None else float(one.ratio.value))}"
            for head, one in zip(heads, directions, strict=True)
        )
        yield Grid(
            title, heads, [("total", totals), *cells], "entity", [f"{name} in per cent: {values}"]
        )


NO_SHARE = Share("", (), None, None)
"""Share of an entity that a component does not count."""

MAX_FRACTION = 12
"""Maximum length of a fraction in HTML; a longer one is rounded."""


def _short_fraction(number: Number | None) -> str:
    if number is None:
        return "-"
    text = fraction(number)
    return text if len(text) <= MAX_FRACTION else f"≈{float(number):.4g}"


def explanation_to_dict(explanation: ResponseExplanation) -> dict[str, Any]:
    """Return the working of each document as plain values; fractions are strings."""
    return {
        "anascore": __version__,
        "schema": SCHEMA,
        "signature": explanation.signature,
        "system": explanation.system,
        "entity": explanation.entity or None,
        "documents": [_document(document) for document in explanation.documents],
        "warnings": list(explanation.warnings),
    }


class ExplanationRenderer(Protocol):
    """Function that renders an explanation."""

    def __call__(self, explanation: ResponseExplanation, *, full: bool) -> str:
        """Return the working of one document and its entities that lose most, or of all."""


EXPLANATION_OUTPUTS: dict[str, ExplanationRenderer] = {
    "table": render_explanation,
    "json": lambda explanation, *, full: to_json(explanation_to_dict(explanation)),  # noqa: ARG005  all
}
"""Registry of outputs: functions that render explanations, by name."""


def _document(document: Explanation) -> dict[str, Any]:
    return {
        "name": document.name,
        "key": [entity._asdict() for entity in document.key],
        "response": [entity._asdict() for entity in document.response],
        "shared": [
            {"key": k, "response": r, "mentions": n} for (k, r), n in document.shared.items()
        ],
        "metrics": {metric.metric: _metric_dict(metric) for metric in document.metrics},
    }


def _metric_dict(metric: MetricExplanation) -> dict[str, Any]:
    return {
        "sets": [
            {
                "key": aligned.key,
                "response": aligned.response,
                "delta": [
                    {"recall": fraction(d.recall), "precision": _string(d.precision)}
                    for d in aligned.delta
                ],
                "score": [
                    {name: fraction(value) for name, value in w._asdict().items()}
                    for w in aligned.credits
                ],
                "f1": fraction(aligned.f1),
                "next_best": aligned.next_best
                and {"response": aligned.next_best[0], "f1": fraction(aligned.next_best[1])},
            }
            for aligned in metric.sets
        ],
        "rows": [
            {
                "links": working.links,
                "recall": _direction(working.recall),
                "precision": _direction(working.precision),
            }
            for working in metric.rows
        ],
    }


def _direction(direction: Direction) -> dict[str, Any]:
    return {
        "part": fraction(direction.ratio.part),
        "whole": fraction(direction.ratio.whole),
        "value": _string(direction.ratio.value),
        "shares": [
            {
                "entity": s.entity,
                "partners": s.partners,
                "part": _string(s.part),
                "whole": _string(s.whole),
            }
            for s in direction.shares
        ],
    }


def _string(number: Number | Fraction | None) -> str | None:
    return None if number is None else fraction(number)
