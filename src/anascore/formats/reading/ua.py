"""CoNLL-UA, the "exploded" format of Universal Anaphora: columns that hold one layer each.

Columns are found by name in `# global.columns`, or stand in the order of COLUMNS.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from anascore.anchors import Anchors
from anascore.formats.places import Position
from anascore.formats.reading import conllu
from anascore.formats.reading.assembly import assemble
from anascore.formats.reading.conllu import (
    NOTHING,
    Layout,
    Section,
    Tokens,
    is_token,
    split_columns,
)
from anascore.formats.reading.ua_brackets import Brackets, Column, read_attributes
from anascore.formats.source import Source
from anascore.model import Bridge, Corpus, Document, Table
from anascore.problems import Problems

COLUMNS = (*conllu.COLUMNS, "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS", "REFERENCE", "NOM_SEM")
IDENTITY = COLUMNS.index("IDENTITY")
NEEDED = ("ID", "FORM", "IDENTITY")
MARKS = ("(", ")", ")")

LOST_BRIDGES = "bridging entries whose anaphor or anchor is no mention, left out"
LOST_DEIXIS = "non-referring mentions in the layer of discourse deixis, left out"


def read_ua(source: Source, problems: Problems) -> Corpus:
    """Read the documents of a CoNLL-UA file."""
    layout = _layout(source, problems)
    documents = (
        _read_document(section, layout, problems) for section in conllu.sections_of(source)
    )
    return assemble("ua", source, documents, problems)


_GLOBAL_COLUMNS = re.compile(rb"#[^\S\n]*global\.columns[^\S\n]*=(.*)")


def _layout(source: Source, problems: Problems) -> Layout:
    """Find the columns by their declared names, or else in their usual order."""
    separator = conllu.separator_of(source.content)
    declared = next(source.comments(_GLOBAL_COLUMNS, b"global.columns"), None)
    if declared is None:
        widths = (len(split_columns(line, separator)) for line in source.lines if is_token(line))
        if not any(width > IDENTITY for width in widths):
            what = f"it has no global.columns, and no line has {IDENTITY + 1} columns or more"
            problems.error(None, f"this is not CoNLL-UA: {what}")
        return Layout(COLUMNS, separator, MARKS)
    columns = tuple(declared[1].decode().split())
    for name in NEEDED:
        if name not in columns:
            line = source.line_at(declared.start())
            problems.error(line, f"global.columns has no column {name}, which CoNLL-UA needs")
            return Layout(COLUMNS, separator, MARKS)
    return Layout(columns, separator, MARKS)


def _read_document(section: Section, layout: Layout, problems: Problems) -> Document:
    """Read the words and the layers of one document."""
    identity, deixis = Brackets(problems), Brackets(problems)
    bridging: list[tuple[str, int]] = []
    at = {name: position for position, name in enumerate(layout.columns)}
    identity_at = at["IDENTITY"]
    bridging_at, deixis_at = at.get("BRIDGING"), at.get("DISCOURSE_DEIXIS")

    def annotate(columns: list[str], line: int, before: Position, after: Position) -> None:
        if (cell := columns[identity_at].strip()) and cell != NOTHING:
            identity.read(cell, line, before, after)
        if deixis_at is not None and (cell := columns[deixis_at].strip()) and cell != NOTHING:
            deixis.read(cell, line, before, after)
        if bridging_at is not None and (cell := columns[bridging_at].strip()) and cell != NOTHING:
            bridging.append((cell, line))

    tokens = Tokens()
    conllu.read_tokens(section, layout, tokens, annotate, problems)
    layer = identity.finish(tokens.zeros, section.name)
    second = deixis.finish(tokens.zeros, section.name)
    notes: Counter[str] = Counter()
    notes[LOST_DEIXIS] += len(second.nonreferring)
    return Document(
        name=section.name,
        words=tuple(tokens.words),
        entities=layer.entities,
        nonreferring=layer.nonreferring,
        bridges=tuple(_bridges(bridging, layer, notes, problems)),
        deixis=second.entities,
        zeros=tuple(tokens.zeros),
        path=problems.path,
        line=section.line,
        lines=tokens.lines,
        sentences=tuple(tokens.sentences),
        table=Table(layout.columns, layout.separator, section.content),
        notes=+notes,
    )


_BRIDGE = re.compile(r"\(([^()@]*)\)?@?")


def _bridges(
    cells: list[tuple[str, int]], layer: Column, notes: Counter[str], problems: Problems
) -> Iterator[Bridge]:
    """Read the entries of the bridging column, each of which names an anaphor and its anchor."""
    positions = {entity.name: position for position, entity in enumerate(layer.entities)}
    anchors = Anchors(layer.entities)
    for cell, line in cells:
        end = 0
        while end < len(cell):
            entry = _BRIDGE.match(cell, end)
            if entry is None:
                what = f"{cell[end:]!r} is not of the form '(MarkableID=...|MentionAnchor=...)'"
                problems.error(line, what)
                break
            end = entry.end()
            given = read_attributes(entry[1], line, problems)
            bridge = _bridge(given, layer, positions, anchors)
            if bridge is None:
                notes[LOST_BRIDGES] += 1
                what = "its MarkableID and its anchor must be in the IDENTITY column; left out"
                problems.warning(line, f"bridging entry '({entry[1]})': {what}")
            else:
                yield bridge


def _bridge(
    given: dict[str, str], layer: Column, positions: dict[str, int], anchors: Anchors
) -> Bridge | None:
    """Find the anaphor and the anchor of a bridging entry among the mentions."""
    found = layer.named.get(given.get("markableid", ""))
    if found is None:
        return None
    anaphor, relation = found[0], given.get("rel", "")
    if given.get("mentionanchor"):
        anchor = layer.named.get(given["mentionanchor"])
        return anchor and Bridge(anaphor, anchor[0], positions.get(anchor[1]), relation)
    entity = positions.get(given.get("entityanchor", ""))
    if entity is None:
        return None
    return Bridge(anaphor, anchors.before(anaphor, entity), entity, relation)
