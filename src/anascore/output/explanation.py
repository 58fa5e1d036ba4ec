"""Explanations of scores as tables, text and rows."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from textwrap import wrap
from typing import Literal, NamedTuple

from anascore.analysis.error_finders import SideName
from anascore.analysis.explain import (
    AlignedSet,
    Direction,
    EntityDescription,
    Explanation,
    ResponseExplanation,
    Share,
)
from anascore.metrics.scores import LABELS, METRICS
from anascore.model.abbreviated import pluralise
from anascore.model.ratio import Number, Ratio, as_float
from anascore.output.errors import MAX_MENTIONS, cut
from anascore.output.grid import (
    DECIMALS,
    Cell,
    Column,
    Grid,
    Head,
    Value,
    fraction,
    long_grid,
    percent,
    warning_grid,
)
from anascore.output.table import text_lines
from anascore.output.text import line_width, paragraphs_to_text
from anascore.terminal import escape_control_characters, shorten_middle

MAX_ENTITIES = 8
"""Maximum number of entities per side that text explains, unless the user requests all."""

MAX_SETS = 3
"""Maximum number of accommodated sets that text explains, unless the user requests all."""


def signatures(explanation: ResponseExplanation) -> list[str]:
    """List the explanation's one signature, as other kinds of results do."""
    return [explanation.signature]


def text(explanation: ResponseExplanation, *, full: bool = False, decimals: int = DECIMALS) -> str:
    """Explain the document with the lowest score, or all documents.

    Entities that score 100% are only counted. Of the others, those that lose most are explained.
    """
    several = len(explanation.documents) > 1
    paragraphs: list[list[str]] = []
    for document in explanation.documents if full or not several else [explanation.worst]:
        title = f"Document {document.name}"
        title += f" of {explanation.system}" if explanation.system else ""
        if several and not full:
            label, value = document.main_score
            lowest = percent(as_float(value), decimals)
            number = len(explanation.documents)
            title += f": the lowest {label} of {number} documents, {lowest}; --doc chooses another"
        paragraphs += [text_lines(Grid(notes=[title])), text_lines(_total_grid(document, decimals))]
        everything = full or bool(explanation.entity)
        if sets := list(_set_lines(document, full=everything)):
            paragraphs.append(sets)
        for side in SIDES:
            paragraphs += _side_paragraphs(document, side, full=everything)
    paragraphs += [list(grid.notes) for grid in warning_grid(explanation.warnings)]
    return paragraphs_to_text([*paragraphs, [explanation.signature]])


class ExplainedSide(NamedTuple):
    """Key or response of a document, whose entities share in recall or precision."""

    side: SideName
    measure: Literal["recall", "precision"]


SIDES = (ExplainedSide("key", "recall"), ExplainedSide("response", "precision"))


def _components(
    document: Explanation, measure: Literal["recall", "precision"]
) -> list[tuple[str, Direction]]:
    """List recall or precision of all metric components, with labels."""
    return [
        (
            ", ".join(filter(None, [LABELS[metric.metric], working.links.removesuffix(" links")])),
            getattr(working, measure),
        )
        for metric in document.metrics
        for working in metric.rows
    ]


def _total_grid(document: Explanation, decimals: int) -> Grid:
    recall, precision = (_components(document, measure) for _, measure in SIDES)
    rows = [
        (label, [Cell(_ratio(one.ratio, decimals)) for one in (own, other)])
        for (label, own), (_, other) in zip(recall, precision, strict=True)
    ]
    return Grid("scores", heads=[Head([Column(measure) for _, measure in SIDES])], rows=rows)


def _set_lines(document: Explanation, *, full: bool) -> Iterator[str]:
    """Yield the alignment of accommodated sets for each metric, unless it equals an earlier one."""
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
            [Cell(_share(shares.get(entity.label, NO_SHARE))) for _, shares, _ in components],
        )
        for entity in listed
        if any(entity.label in shares for _, shares, _ in components)
    ]
    if rows:
        heads = [Head([Column(label)]) for label, _, _ in components]
        yield text_lines(Grid("shares", heads=heads, rows=rows))


def _side_title(explained: ExplainedSide, entities: int, losing: int, *, full: bool) -> str:
    """Count the entities that score 100%, and those that are listed."""
    title = f"{explained.side.capitalize()}, {explained.measure}"
    if full:
        return title
    number = pluralise(entities, "entity", "entities")
    title += f": {entities - losing} of {number} score fully"
    if losing > MAX_ENTITIES:
        title += f"; of the others, the {MAX_ENTITIES} that lose most (--all lists all)"
    return title


def _loss(share: Share, whole: Number) -> Fraction:
    """Compute which part of the whole an entity loses."""
    if share.part is None or share.whole is None or not whole:
        return Fraction(0)
    return Fraction(share.whole - share.part) / whole


def _share(share: Share) -> str:
    if share.part is None or share.whole is None or not share.whole:
        return "-"
    part, whole = (_amount(number) for number in (share.part, share.whole))
    return f"{part}/{whole} {100 * float(share.part / share.whole):.0f}%"


def _amount(number: Number) -> str:
    return fraction(number) if number.denominator == 1 else f"{float(number):.3g}"


def _entity_line(
    entity: EntityDescription, document: Explanation, side: SideName, *, full: bool
) -> str:
    """Print an entity with the mentions that it shares with entities on the other side."""
    own, other = (0, 1) if side == "key" else (1, 0)
    shared = [
        f"{pair[other]} {n}" for pair, n in document.shared.items() if pair[own] == entity.label
    ]
    partners = f"; shares {', '.join(shared)}" if shared else ""
    notation = str(entity) if full else f"{entity.label} = {_shortened(entity)}"
    line = escape_control_characters(f"  {notation}  (id {entity.name}{partners})")
    return line if full else shorten_middle(line, line_width())


MAX_TERM = 1000
"""Fractions print as decimals once numerator or denominator reaches this limit."""


def _term(number: Number) -> str:
    """Write a fraction with small terms as it is, any other as a decimal."""
    if max(abs(number.numerator), number.denominator) < MAX_TERM or number.denominator == 1:
        return fraction(number)
    return f"{float(number):.2f}"


def _ratio(ratio: Ratio, decimals: int) -> str:
    value = ratio.value
    if value is None:
        return "undefined, 0 of 0"
    return f"{_term(ratio.part)} of {_term(ratio.whole)} = {percent(float(value), decimals)}%"


def tables(explanation: ResponseExplanation, *, full: bool = False) -> Iterator[Grid]:
    """Tabulate entities, sets and shares of the document with the lowest score, or of all."""
    documents = explanation.documents
    for document in documents if full or not documents else [explanation.worst]:
        yield _entity_grid(document)
        yield from _set_grids(document)
        yield from _share_grids(document)
    notes = [note for grid in warning_grid(explanation.warnings) for note in grid.notes]
    if not full and (more := len(documents) - 1) > 0:
        notes.append(
            f"and {pluralise(more, 'more document')}; to show all, add --all (in Python full=True)"
        )
    if notes:
        yield Grid(notes=notes)


def _entity_grid(document: Explanation) -> Grid:
    rows = [
        (entity.label, [Cell(_shortened(entity)), Cell(entity.name)])
        for entity in (*document.key, *document.response)
    ]
    heads = [Head([Column("mentions", is_text=True), Column("id", is_text=True)])]
    return Grid("entities", f"Document {document.name}", heads, rows, corner="entity")


def _shortened(entity: EntityDescription) -> str:
    """Cut an entity's notation after its first mentions."""
    more = len(entity.mentions) - MAX_MENTIONS
    shown = [cut(mention) for mention in entity.mentions[:MAX_MENTIONS]]
    return entity.with_mentions([*shown, f"… {more} more"] if more > 0 else shown)


def _set_grids(document: Explanation) -> Iterator[Grid]:
    labels = ("aligned with", "δ recall", "δ precision", "F1", "next best", "F1 of it")
    for metric in document.metrics:
        if metric.sets:
            title = f"Accommodated sets, aligned by {METRICS[metric.metric].label}"
            penalty = "; δ is a penalty" if METRICS[metric.metric].penalty else ""
            rows = [(aligned.key, list(_set_cells(aligned))) for aligned in metric.sets]
            heads = [Head([Column(label)]) for label in labels]
            yield Grid("sets", f"{title}{penalty}", heads, rows, corner="set of")


def _set_cells(aligned: AlignedSet) -> Iterator[Cell]:
    best = aligned.next_best
    yield Cell(aligned.response)
    yield Cell(", ".join(_short_fraction(delta.recall) for delta in aligned.delta))
    yield Cell(", ".join(_short_fraction(delta.precision) for delta in aligned.delta))
    yield Cell(_short_fraction(aligned.f1))
    yield Cell(best[0] if best else None)
    yield Cell(_short_fraction(best[1]) if best else None)


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
                    Cell(_short_fraction(number))
                    for own in shares
                    if (share := own.get(entity.label, NO_SHARE))
                    for number in (share.part, share.whole)
                ],
            )
            for entity in entities
        ]
        totals = [
            Cell(_short_fraction(number))
            for one in directions
            for number in (one.ratio.part, one.ratio.whole)
        ]
        heads = [
            Head(
                [Column(f"{metric}.part", "part"), Column(f"{metric}.whole", "of")],
                f"{LABELS[metric]} {working.links}".strip(),
            )
            for metric, working in rows
        ]
        title = f"{name.capitalize()}: the share of each entity of the {side}"
        values = [
            cell
            for one in directions
            for cell in (Cell(as_float(one.ratio.value), "score"), Cell("of 100"))
        ]
        cells[:0] = [(name, values), ("total", totals)]
        yield Grid(name, title, heads, cells, corner="entity")


NO_SHARE = Share("", (), None, None)
"""Share of an entity that a component does not count."""

MAX_FRACTION = 12
"""Maximum length of a fraction in HTML; longer ones are rounded."""


def _short_fraction(number: Number | None) -> str:
    if number is None:
        return "-"
    text = fraction(number)
    return text if len(text) <= MAX_FRACTION else f"≈{float(number):.4g}"


COLUMNS = (
    *("document", "metric", "links", "measure", "side", "entity", "id", "partners"),
    *("part", "whole"),
)


def rows(explanation: ResponseExplanation, *, full: bool = False) -> Grid:
    """List each entity's share in each value, over all documents."""
    del full
    return long_grid(COLUMNS, _rows(explanation))


def _rows(explanation: ResponseExplanation) -> Iterator[tuple[Value, ...]]:
    for document in explanation:
        ids = {entity.label: entity.name for entity in (*document.key, *document.response)}
        for metric in document.metrics:
            for row in metric.rows:
                for measure, side, direction in (
                    ("recall", "key", row.recall),
                    ("precision", "response", row.precision),
                ):
                    place = (document.name, metric.metric, row.links, measure, side)
                    for share in direction.shares:
                        entity = (share.entity, ids.get(share.entity), ", ".join(share.partners))
                        yield *place, *entity, share.part, share.whole
