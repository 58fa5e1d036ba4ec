"""CoNLL-UA, the "exploded" format of Universal Anaphora: columns that hold one layer each.

Columns are found by name in `# global.columns`, or stand in the order of COLUMNS.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from anascore.errors import Problems
from anascore.formats import conllu
from anascore.formats.build import brackets_at, build_corpus, clean_attributes, legal_names
from anascore.formats.conllu import NO_VALUE, Layout, Section, Tokens, is_token, split_columns
from anascore.formats.conllu_rows import OTHER_COLUMNS, TokenRow, rows_of
from anascore.formats.format import FORBIDDEN_IN_VALUES, MODELLED, Capacity, Format
from anascore.formats.source import Source
from anascore.formats.ua_brackets import PSEUDO, Column, ColumnBrackets, read_attributes
from anascore.model.document import (
    Bridge,
    Corpus,
    Document,
    Entity,
    NonReferring,
    Table,
    marked_mentions,
)
from anascore.model.mention import Mention, Position, Unit, runs_of
from anascore.model.transform import Anchors

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
    return build_corpus("ua", source, documents, problems)


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
    identity, deixis = ColumnBrackets(problems), ColumnBrackets(problems)
    bridging: list[tuple[str, int]] = []
    at = {name: position for position, name in enumerate(layout.columns)}
    identity_at = at["IDENTITY"]
    bridging_at, deixis_at = at.get("BRIDGING"), at.get("DISCOURSE_DEIXIS")

    def annotate(columns: list[str], line: int, before: Position, after: Position) -> None:
        if (cell := columns[identity_at].strip()) and cell != NO_VALUE:
            identity.read(cell, line, before, after)
        if deixis_at is not None and (cell := columns[deixis_at].strip()) and cell != NO_VALUE:
            deixis.read(cell, line, before, after)
        if bridging_at is not None and (cell := columns[bridging_at].strip()) and cell != NO_VALUE:
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


_ILLEGAL = re.compile(r"[\s\0|()@=,]|[-_]Pseudo$")
_SPELLING = {"semtype": "SemType"}

_Cells: TypeAlias = Mapping[Unit, str]
"""What a column holds at the words and zeros of which it says something."""


def clean_ua(corpus: Corpus, lost: Counter[str]) -> Corpus:
    """Take out of attributes what cannot stand in brackets; their names are read in any case."""

    def clean(name: str, value: str) -> tuple[str, str]:
        key = _ILLEGAL.sub("_", name).lower() or "_"
        return f"{key}_" if key in MODELLED else key, FORBIDDEN_IN_VALUES.sub("_", value)

    return clean_attributes(corpus, clean, lost)


def write_ua(corpus: Corpus) -> str:
    """Write all documents, below a line that names the columns."""
    lines = [f"# global.columns = {' '.join(COLUMNS)}"]
    for document in corpus.documents.values():
        lines.append(f"# newdoc id = {document.name}")
        identity = list(_written(document.entities, document.nonreferring, "markable_"))
        deixis = list(_written(document.deixis, (), "deixis_markable_"))
        cells = (
            dict(_cells(identity, document)),
            dict(_bridging_cells(document, identity)),
            dict(_cells(deixis, document)),
        )
        lines += [_line(row, cells) for row in rows_of(document)]
    return "\n".join(lines).rstrip("\n") + "\n\n"


def _line(row: TokenRow, layers: Sequence[_Cells]) -> str:
    if not row.columns:
        return row.text
    cells = (layer.get(row.unit, NO_VALUE) if row.unit else NO_VALUE for layer in layers)
    first = (row.columns[name] for name in conllu.COLUMNS)
    return "\t".join([*first, *cells, *(row.columns[name] for name in OTHER_COLUMNS)])


class _NamedMention(NamedTuple):
    """A mention, with the ids that stand for it and its entity."""

    mention: Mention
    entity: str
    name: str
    attributes: str
    """What else stands in its opening bracket."""


def _written(
    entities: Sequence[Entity[Mention]], nonreferring: Sequence[NonReferring], prefix: str
) -> Iterator[_NamedMention]:
    """Name the mentions and entities of a layer."""
    names = legal_names([entity.name for entity in entities], _ILLEGAL)
    sets: dict[tuple[int, Mention], list[str]] = {}
    for name, entity in zip(names, entities, strict=True):
        if not entity.is_set:
            continue
        for element, marked in marked_mentions(entity, entities).items():
            # Without a marked mention the first one says that its entity is an element.
            first = min(entities[element].mentions, key=lambda m: m.full_order)
            for mention in dict.fromkeys(marked or [first]):
                sets.setdefault((element, mention), []).append(name)
    found: list[tuple[Mention, str, Mapping[str, str], str]] = []
    for position, entity in enumerate(entities):
        given = entity.attributes or [{}] * len(entity.mentions)
        mentions = sorted(zip(entity.mentions, given, strict=True), key=lambda m: m[0].full_order)
        result = ""
        if entity.elements and not entity.is_set:
            result = f"|ResultOf={','.join(names[element] for element in entity.elements)}"
        for mention, attributes in mentions:
            owners = sets.pop((position, mention), [])
            link = f"|ElementOf={','.join(owners)}" if owners else ""
            found.append((mention, names[position], attributes, link + result))
            result = ""
    for number, one in enumerate(nonreferring, 1):
        kind = {"semtype": one.type} if one.type else {}
        found.append((one.mention, f"{number}{PSEUDO[0]}", kind, ""))
    markables = [attributes.get("markableid", "") for _, _, attributes, _ in found]
    markables = legal_names(markables, _ILLEGAL, prefix)
    for (mention, entity_name, attributes, link), name in zip(found, markables, strict=True):
        yield _NamedMention(mention, entity_name, name, _attributes(mention, attributes) + link)


def _attributes(mention: Mention, given: Mapping[str, str]) -> str:
    """Write the minimum span and what else is said of a mention."""
    attributes = []
    if mention.minimum:
        first, end = mention.minimum[0]
        attributes.append(f"|Min={first + 1}" if end == first + 1 else f"|Min={first + 1},{end}")
    for name, value in given.items():
        if value and name not in MODELLED:
            attributes.append(f"|{_SPELLING.get(name, name)}={value}")
    return "".join(attributes)


def _cells(layer: Sequence[_NamedMention], document: Document) -> Iterator[tuple[Unit, str]]:
    """Open and close the mentions of a layer; name what is closed where mentions cross."""
    zeros = frozenset(document.zeros)
    parts = [
        (run, (one, number))
        for one in layer
        for number, run in enumerate(runs_of(one.mention, zeros))
    ]
    opened: list[_NamedMention] = []
    for unit, (closing, opening, whole) in brackets_at(parts):
        cell = []
        for one, _ in closing:
            nested = opened[-1] is one
            cell.append(")" if nested else f"{one.name})")
            opened.pop(-1 if nested else opened.index(one))
        for one, number in (*opening, *whole):
            further = "" if number else one.attributes
            cell.append(f"(EntityID={one.entity}|MarkableID={one.name}{further}")
        closed = ["" for _ in opening] + [")" for _ in whole]
        brackets = zip(cell[len(closing) :], closed, strict=True)
        opened += [one for one, _ in opening]
        yield unit, "".join([*cell[: len(closing)], *(text + end for text, end in brackets)])


def _bridging_cells(
    document: Document, identity: Sequence[_NamedMention]
) -> Iterator[tuple[Unit, str]]:
    """Write each bridging link at the first word of its anaphor."""
    entities = legal_names([entity.name for entity in document.entities], _ILLEGAL)
    by_entity = {(one.mention, one.entity): one.name for one in identity}
    # Non-referring mentions come last, and are meant where no entity is.
    any_name = {one.mention: one.name for one in identity}
    cells: dict[Unit, list[str]] = {}
    for anaphor, anchor, entity, relation in document.bridges:
        of = "" if entity is None else entities[entity]
        parts = [
            f"MarkableID={any_name[anaphor]}",
            *([f"Rel={relation}"] if relation else []),
            f"MentionAnchor={by_entity[anchor, of] if of else any_name[anchor]}",
            *([f"EntityAnchor={of}"] if of else []),
        ]
        cells.setdefault(anaphor.order[0], []).append(f"({'|'.join(parts)})")
    for unit, found in cells.items():
        yield unit, "".join(found)


CONLL_UA = Format(
    label="CoNLL-UA",
    read=read_ua,
    write=write_ua,
    clean=clean_ua,
    endings=(".conllua",),
    holds=Capacity(
        zeros=True,
        gaps=True,
        crossing=True,
        sets="nested",
        results=True,
        antecedents=frozenset({"set"}),
        nonreferring="named",
        bridging="mentions",
        deixis=True,
        minimum="span",
        attributes=True,
        columns=frozenset(COLUMNS),
        comments=True,
        forbidden_in_labels=FORBIDDEN_IN_VALUES,
    ),
    comment=(re.compile(rb"#[^\S\n]*global\.columns\b"), b"global.columns"),
)
