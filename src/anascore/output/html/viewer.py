"""The viewer's data: texts of key and responses with all mentions, in blocks for the script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from anascore.analysis.errors import ERROR_TYPES
from anascore.analysis.report import UNMATCHED, DocumentView, PageData, statuses
from anascore.entities.side import Side
from anascore.metrics.scores import LABELS, METRICS
from anascore.metrics.shares import EntityShares
from anascore.model.document import RELATIONS, Document
from anascore.model.mention import Mention
from anascore.model.ratio import Ratio
from anascore.output.errors import description
from anascore.output.grid import fraction, percent
from anascore.output.html.markup import Markup, joined, packed, visible_text
from anascore.output.html.text import TextColumn, line_of, line_starts, shorten
from anascore.terminal import escape_control_characters

TYPE_NUMBERS = {name: number for number, name in enumerate(ERROR_TYPES)}
"""Numbers of error types."""

MISSING = "g"
"""Status of a key mention that is shown in a response's text because the response lacks it."""


def blocks(page: PageData) -> Markup:
    """Pack a block about the page, and one for each text."""
    about = {
        "columns": [
            {"title": "key", "letter": "K"},
            *({"title": system.name, "letter": "R"} for system in page.systems),
        ],
        "reference": True,
        "types": [kind.label for kind in ERROR_TYPES.values()],
        "typeNames": list(ERROR_TYPES),
        "kinds": [_kind(name) for name in ERROR_TYPES],
        "item": "error",
        "items": "Errors",
        "documents": [[page.numbers[name], name] for name in page.shown],
        "score": LABELS[page.score],
    }
    texts = (text_block(page.numbers[name], text_data(page, name)) for name in page.shown)
    return joined(packed("page-data", about), *texts)


def text_block(number: int, data: object) -> Markup:
    """Pack one text's block."""
    return packed(f"d{number}-data", data)


def _kind(error_type: str) -> str:
    """Return the CSS class of an error type in the margin map."""
    if ERROR_TYPES[error_type].of_sets:
        return "sets"
    first = error_type.partition("-")[0]
    return first if first in {"missing", "extra"} else "wrong"


def text_data(page: PageData, name: str) -> dict[str, Any]:
    """Collect one document's data: a column for the key, and one for each system."""
    document = page.key.documents[name]
    starts = line_starts(document)
    key = TextColumn(document, starts)
    side = page.systems[0].views[name].sides[0]
    column = {
        **text_of(key),
        "mentions": [[e, *key.place(m)] for e, m in mentions_of(side)],
        "sets": sets_of(side),
        **other_layers(document, key),
    }
    systems = [_system(page, name, n, key) for n in range(len(page.systems))]
    return {"columns": [column, *systems]}


def text_of(column: TextColumn) -> dict[str, Any]:
    """List a text's units, and the first unit of each line."""
    # A string takes less room; words with spaces need a list.
    plain = not column.document.in_characters and not any(" " in unit for unit in column.units)
    return {
        "units": " ".join(column.units) if plain else column.units,
        "characters": column.document.in_characters,
        "lines": column.borders[:-1],
    }


def mentions_of(side: Side) -> Iterator[tuple[int, Mention]]:
    """Yield a side's mentions with the numbers of their entities."""
    return zip(side.entity_of, side.mentions, strict=True)


def sets_of(side: Side) -> dict[int, Any]:
    """Describe the entities that have accommodated sets, with notation and elements."""
    return {
        number: [RELATIONS[entity.relation].notation, list(entity.elements)]
        for number, entity in enumerate(side.entities)
        if entity.elements
    }


def other_layers(document: Document, column: TextColumn) -> dict[str, Any]:
    """Collect the mentions of discourse deixis and bridging, which are hidden by default."""
    deixis = [
        [n, *column.place(mention)]
        for n, entity in enumerate(document.deixis, 1)
        for mention in entity.mentions
    ]
    bridging = []
    for bridge in document.bridges:
        relation = f" ({bridge.relation})" if bridge.relation else ""
        anchor = f"→ “{shorten(document.text_of(bridge.anchor))}”{relation}"
        bridging.append([visible_text(anchor), *column.place(bridge.anaphor)])
    return {"deixis": deixis, "bridging": bridging}


def _system(page: PageData, name: str, n: int, key: TextColumn) -> dict[str, Any]:
    """Collect a system's column, including the key mentions that it lacks."""
    system = page.systems[n]
    view = system.views[name]
    in_key, in_response = view.sides
    of_key, of_response = statuses(view)
    missing = [
        (entity, mention)
        for (entity, mention), status in zip(mentions_of(in_key), of_key, strict=True)
        if status == UNMATCHED
    ]
    starts = line_starts(key.document)
    zeros = {zero for _, mention in missing for zero in mention.zeros}
    is_same = key.has_text_of(view.response, zeros)
    column = key if is_same else TextColumn(view.response, starts, zeros)
    own = [[entity, *column.place(mention)] for entity, mention in mentions_of(in_response)]
    ghosts = [[-1 - entity, *place] for entity, m in missing if (place := column.place(m))]
    partner = {r: k for k, r in (*view.spans, *view.matched)}
    return {
        **({} if is_same else text_of(column)),
        "mentions": own + ghosts,
        "status": "".join(of_response) + MISSING * len(ghosts),
        "partners": [partner.get(r, -1) for r in range(len(own))],
        "shared": [[k, r, shared] for (k, r), shared in view.working.shared.items()],
        "sets": sets_of(in_response),
        "errors": [
            [
                TYPE_NUMBERS[error.type],
                line_of(starts, error.at.place),
                error.key_entity or "",
                error.response_entity or "",
                escape_control_characters(description(error)),
            ]
            for _, error in page.numbered_errors(n, name)
        ],
        "working": _working(view),
        "score": percent(system.result.first.documents[name].scores[page.score].f1),
        **other_layers(view.response, column),
    }


def _working(view: DocumentView) -> dict[str, Any]:
    """Collect each entity's share in recall and precision; singletons are left out."""
    rows = [row for rows in view.working.rows.values() for row in rows]
    labels = [
        METRICS[metric].label + (f", {links}" if (links := row.compared.row.links) else "")
        for metric, rows in view.working.rows.items()
        for row in rows
    ]
    key, response = view.working.shown or ((), ())
    return {
        "columns": labels,
        "key": _shares(key, [(row.recall, row.compared.score.recall) for row in rows]),
        "response": _shares(
            response, [(row.precision, row.compared.score.precision) for row in rows]
        ),
    }


def _shares(
    entities: Sequence[int], columns: Sequence[tuple[EntityShares, Ratio]]
) -> Mapping[str, Any]:
    """Tabulate part and whole of each entity in each column, and the totals."""
    # Entities of the same shape have the same ratio.
    ratios = {id(ratio): ratio for shares, _ in columns for ratio in shares.ratios}
    texts = {identity: _parts(ratio) for identity, ratio in ratios.items()}
    return {
        "entities": entities,
        "shares": [
            [texts[id(ratio)] for ratio in ratios]
            for ratios in zip(*(shares.ratios for shares, _ in columns), strict=True)
        ],
        "totals": [_parts(total) for _, total in columns],
    }


def _parts(ratio: Ratio | None) -> str:
    if ratio is None:
        return ""
    part, whole = ratio.part, ratio.whole
    if type(part) is int and type(whole) is int:
        return f"{part} {whole}"  # numbers of mentions and links, which are never huge
    return f"{fraction(part)} {fraction(whole)}"
