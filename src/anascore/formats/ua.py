"""CoNLL-UA, the "exploded" format of Universal Anaphora: one column per layer.

`# global.columns` names the columns; without it they are in the order of COLUMNS.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import NamedTuple, TypeAlias

from anascore.errors import Problems
from anascore.formats import conllu
from anascore.formats.building import (
    Brackets,
    ReadingNotes,
    brackets_by_unit,
    build_corpus,
    escape_attributes,
    unique_ids,
)
from anascore.formats.conllu import (
    NO_VALUE,
    Layout,
    RowChecker,
    Section,
    Tokens,
    is_token,
    split_columns,
)
from anascore.formats.conllu_rows import OTHER_COLUMNS, TokenRow, rows_of
from anascore.formats.files import Source, matching_lines
from anascore.formats.format import MODEL_ATTRIBUTES, Capacity, Format, ReadOptions
from anascore.formats.near_names import NameKind, near_names
from anascore.formats.ua_brackets import (
    KEYS,
    PSEUDO,
    BridgingEntry,
    BridgingReader,
    ColumnContent,
    ColumnReader,
)
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
COREFERENCE = ("IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS")
MARKS = ("Entity", "ElementOf=", "Anchor=")

LOST_BRIDGES = "bridging entries whose anaphor or anchor is not a mention, left out"
LOST_DEIXIS = "non-referring mentions in the layer of discourse deixis, left out"


def read_ua(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read the documents of a CoNLL-UA file."""
    layout, notes = _layout(source, problems), ReadingNotes()
    documents = (
        _read_document(section, layout, problems, notes)
        for section in conllu.sections_of(source)
        if layout
    )
    corpus = build_corpus("ua", source, documents, problems)
    notes.report(problems)
    return corpus


_MISPLACED = re.compile(
    r"(?:EntityI[Dd]|ElementOf|(?:Mention|Entity)Anchor)=[^()|@]+|(?<![^|])Entity=[^|]*[()]"
)
"""Annotation in other columns, that of CorefUD included."""

_GLOBAL_COLUMNS = re.compile(rb"#[^\S\n]*global\.columns[^\S\n]*=(.*)")


def _layout(source: Source, problems: Problems) -> Layout | None:
    """Return the declared columns, or the usual ones if none are declared; None on an error."""
    separator = conllu.separator_of(source)
    headers = list(matching_lines(source.beginning, _GLOBAL_COLUMNS, b"global.columns"))
    declared = headers[0] if headers else None
    columns = tuple(declared[1].decode().split()) if declared else COLUMNS
    if declared is None:
        widths = (len(split_columns(line, separator)) for line in source.lines if is_token(line))
        if not any(width > IDENTITY for width in widths):
            reason = f"it has no global.columns, and no line has {IDENTITY + 1} columns or more"
            problems.error(None, f"this is not CoNLL-UA: {reason}")
            return None
    else:
        line = source.line_at(declared.start())
        for name, number in Counter(columns).items():
            if number > 1:
                message = f"global.columns has the column {name} {number} times; it must be unique"
                problems.error(line, message)
                return None
        for other in headers[1:]:
            if tuple(other[1].decode().split()) != columns:
                message = f"global.columns differs from line {line}; a file has the same columns"
                problems.error(source.line_at(other.start()), f"{message} throughout")
                return None
        for name in NEEDED:
            if name not in columns:
                near = ", ".join(near_names(columns, {name}, COLUMNS))
                hint = f"; is it {near}, misspelt?" if near else ""
                message = f"global.columns has no column {name}, which CoNLL-UA needs"
                problems.error(line, message + hint)
                return None
    coreference = tuple(columns.index(name) for name in COREFERENCE if name in columns)
    return Layout(columns, separator, MARKS, coreference, _MISPLACED)


_EMPTY = frozenset({"", NO_VALUE})


def _read_document(
    section: Section, layout: Layout, problems: Problems, notes: ReadingNotes
) -> Document:
    """Read the words and the layers of one document."""
    identity, deixis = ColumnReader(problems, notes), ColumnReader(problems, notes)
    bridging = BridgingReader(problems)
    reads: dict[str, Callable[[str, int, Position, Position], None]] = {
        "IDENTITY": identity.read,
        "BRIDGING": bridging.read,
        "DISCOURSE_DEIXIS": deixis.read,
    }
    columns = [reads[layout.columns[at]] for at in layout.coreference]

    def read_row(cells: list[str], line: int, before: Position, after: Position) -> None:
        for cell, read in zip(cells, columns, strict=True):
            if cell != NO_VALUE and (value := cell.strip()) not in _EMPTY:
                read(value, line, before, after)

    tokens = Tokens()
    checker = RowChecker(layout, problems, notes)
    conllu.read_tokens(section, tokens, read_row, checker)
    identity_layer = identity.finish(tokens.zeros, tokens.sentences, section.name)
    deixis_layer = deixis.finish(tokens.zeros, tokens.sentences, section.name)
    lost: Counter[str] = Counter()
    lost[LOST_DEIXIS] += len(deixis_layer.nonreferring)
    bridges = tuple(_bridges(bridging.finish(), identity_layer, lost, problems))
    return Document(
        name=section.name,
        words=tuple(tokens.words),
        entities=identity_layer.entities,
        nonreferring=identity_layer.nonreferring,
        bridges=bridges,
        deixis=deixis_layer.entities,
        zeros=tuple(tokens.zeros),
        path=problems.path,
        line=section.line,
        lines=tokens.lines,
        sentences=tuple(tokens.sentences),
        table=Table(layout.columns, layout.separator, section.content),
        notes=notes.end_document() | +lost,
        global_ids=True,
    )


def _bridges(
    entries: Sequence[BridgingEntry], layer: ColumnContent, lost: Counter[str], problems: Problems
) -> Iterator[Bridge]:
    """Yield the links of the bridging column; each entry names an anaphor and its anchor."""
    if not entries:
        return
    markables = layer.by_name()
    positions = {entity.name: position for position, entity in enumerate(layer.entities)}
    anchors = Anchors(layer.entities)
    for text, line, attributes in entries:
        bridge = _bridge(attributes, markables, positions, anchors)
        if bridge is None:
            lost[LOST_BRIDGES] += 1
            message = "its MarkableID and its anchor must be in the IDENTITY column; left out"
            problems.warning(line, f"bridging entry '{text}': {message}")
        else:
            yield bridge


def _bridge(
    attributes: Mapping[str, str],
    markables: Mapping[str, tuple[Mention, str]],
    positions: Mapping[str, int],
    anchors: Anchors,
) -> Bridge | None:
    """Return the link of a bridging entry; None if its anaphor or its anchor is no mention."""
    named = markables.get(attributes.get("markableid", ""))
    if named is None:
        return None
    anaphor, relation = named[0], attributes.get("rel", "")
    if attributes.get("mentionanchor"):
        anchor = markables.get(attributes["mentionanchor"])
        return anchor and Bridge(anaphor, anchor[0], positions.get(anchor[1]), relation)
    entity = positions.get(attributes.get("entityanchor", ""))
    if entity is None:
        return None
    return Bridge(anaphor, anchors.before(anaphor, entity), entity, relation)


_FORBIDDEN_IN_IDS = re.compile(r"[\s\0|()@=,]|[-_]Pseudo$")
# The published scorers split lines at any white space, also where tabs separate columns.
_FORBIDDEN_IN_WORDS = re.compile(r"[\s\0]")
_FORBIDDEN_IN_VALUES = re.compile(r"[\s\0|()@]")
_SPELLING = {"semtype": "SemType"}

_Cells: TypeAlias = Mapping[Unit, str]
"""Cells of a column by word or zero, without empty ones."""


def escape_ua(corpus: Corpus, lost: Counter[str]) -> Corpus:
    """Replace characters that attributes in brackets cannot have; put names in lower case."""

    def escape(name: str, value: str) -> tuple[str, str]:
        key = _FORBIDDEN_IN_IDS.sub("_", name).lower() or "_"
        return f"{key}_" if key in MODEL_ATTRIBUTES else key, _FORBIDDEN_IN_VALUES.sub("_", value)

    if blanks := sum(map(_count_blanks, corpus.documents.values())):
        lost["values with blanks in other columns, replaced by _"] += blanks
    return escape_attributes(corpus, escape, lost)


def _count_blanks(document: Document) -> int:
    """Count the values with blanks in columns that are copied."""
    table = document.table
    if table is None or "ID" not in table.columns:
        return 0
    copied = {*conllu.COLUMNS, *OTHER_COLUMNS} - {"FORM"}
    return sum(
        name in copied and bool(_FORBIDDEN_IN_WORDS.search(value))
        for line in table.lines
        if is_token(line) and line.split() != line.split("\t")
        for name, value in zip(table.columns, split_columns(line, table.separator), strict=False)
    )


def write_ua(corpus: Corpus) -> str:
    """Return all documents as text that the published scorers read.

    They need all columns, no white space in any of them, closing brackets that are all bare, or
    all named where mentions cross, and the mention that a bridging anaphor leads to.
    """
    documents = list(corpus.documents.values())
    identity = [
        list(_named_mentions(document.entities, document.nonreferring, "markable_"))
        for document in documents
    ]
    deixis = [
        list(_named_mentions(document.deixis, (), "deixis_markable_")) for document in documents
    ]
    layers = (
        _layer_cells(identity, documents),
        [dict(_bridging_cells(*pair)) for pair in zip(documents, identity, strict=True)],
        _layer_cells(deixis, documents),
    )
    lines = [f"# global.columns = {' '.join(COLUMNS)}"]
    for document, *cells in zip(documents, *layers, strict=True):
        lines.append(f"# newdoc id = {document.name}")
        lines += [_line(row, cells) for row in rows_of(document)]
    return "\n".join(lines).rstrip("\n") + "\n\n"


def _line(row: TokenRow, layers: Sequence[_Cells]) -> str:
    if not row.columns:
        return row.text
    cells = (layer.get(row.unit, NO_VALUE) if row.unit else NO_VALUE for layer in layers)
    first = (row.columns[name] for name in conllu.COLUMNS)
    values = [*first, *cells, *(row.columns[name] for name in OTHER_COLUMNS)]
    line = "\t".join(values)
    if line.split() == values:
        return line
    return "\t".join(_FORBIDDEN_IN_WORDS.sub("_", value) for value in values)


class _NamedMention(NamedTuple):
    """Mention, with the ids of itself and its entity."""

    mention: Mention
    entity: str
    """EntityID."""

    name: str
    """MarkableID."""

    attributes: str
    """Further attributes in the opening bracket."""


def _named_mentions(
    entities: Sequence[Entity[Mention]], nonreferring: Sequence[NonReferring], prefix: str
) -> Iterator[_NamedMention]:
    """Yield the mentions of a layer with their ids and attributes."""
    names = unique_ids([entity.name for entity in entities], _FORBIDDEN_IN_IDS)
    sets: dict[tuple[int, Mention], list[str]] = {}
    for name, entity in zip(names, entities, strict=True):
        if not entity.is_set:
            continue
        for element, marked in marked_mentions(entity, entities).items():
            # If no mention is marked, the first one carries ElementOf.
            first = min(entities[element].mentions, key=lambda m: m.full_order)
            for mention in dict.fromkeys(marked or [first]):
                sets.setdefault((element, mention), []).append(name)
    rows: list[tuple[Mention, str, Mapping[str, str], str]] = []
    for position, entity in enumerate(entities):
        attributes_of_mentions = entity.attributes or [{}] * len(entity.mentions)
        mentions = sorted(
            zip(entity.mentions, attributes_of_mentions, strict=True), key=lambda m: m[0].full_order
        )
        result = ""
        if entity.elements and not entity.is_set:
            result = f"|ResultOf={','.join(names[element] for element in entity.elements)}"
        for mention, attributes in mentions:
            owners = sets.pop((position, mention), [])
            link = f"|ElementOf={','.join(owners)}" if owners else ""
            rows.append((mention, names[position], attributes, link + result))
            result = ""
    ids, links = _nonreferring_ids(names, entities, nonreferring)
    for mention, kind in nonreferring:
        attributes = {"semtype": kind} if kind else {}
        rows.append((mention, ids[mention], attributes, links.pop(ids[mention], "")))
    markables = [attributes.get("markableid", "") for _, _, attributes, _ in rows]
    markables = unique_ids(markables, _FORBIDDEN_IN_IDS, prefix)
    for (mention, entity_name, attributes, link), name in zip(rows, markables, strict=True):
        yield _NamedMention(mention, entity_name, name, _attributes(mention, attributes) + link)


def _nonreferring_ids(
    names: Sequence[str],
    entities: Sequence[Entity[Mention]],
    nonreferring: Sequence[NonReferring],
) -> tuple[dict[Mention, str], dict[str, str]]:
    """Return the id of each non-referring mention, and the sets of those that are elements."""
    groups: dict[frozenset[Mention], list[str]] = {}
    for name, entity in zip(names, entities, strict=True):
        for element in entity.nonreferring:
            groups.setdefault(frozenset(element.mentions), []).append(name)
    first = {
        mention: min(group, key=lambda m: m.full_order) for group in groups for mention in group
    }
    numbers: dict[Mention, int] = {}
    for mention, _ in nonreferring:
        numbers.setdefault(first.get(mention, mention), len(numbers) + 1)
    ids = {m: f"{numbers[first.get(m, m)]}{PSEUDO[0]}" for m, _ in nonreferring}
    links = {
        ids[mention]: f"|ElementOf={','.join(sets)}"
        for group, sets in groups.items()
        for mention in group
        if mention in ids
    }
    return ids, links


def _attributes(mention: Mention, attributes: Mapping[str, str]) -> str:
    """Return the minimum span and the other attributes of a mention as text."""
    texts = []
    if mention.minimum:
        first, end = mention.minimum[0]
        texts.append(f"|Min={first + 1}" if end == first + 1 else f"|Min={first + 1},{end}")
    for name, value in attributes.items():
        if value and name not in MODEL_ATTRIBUTES:
            texts.append(f"|{_SPELLING.get(name, name)}={value}")
    return "".join(texts)


_LayerBrackets: TypeAlias = Sequence[tuple[Unit, Brackets[tuple[_NamedMention, int]]]]
"""Brackets of a layer by word or zero: mentions, each with the number of its part, from 0."""


def _layer_cells(
    layer: Sequence[Sequence[_NamedMention]], documents: Sequence[Document]
) -> list[_Cells]:
    """Return the cells of a layer for each document.

    If mentions cross in one of them, all closing brackets of the file name their mentions.
    """
    brackets = [
        _brackets(mentions, document) for mentions, document in zip(layer, documents, strict=True)
    ]
    named = any(map(_has_crossing, brackets))
    return [dict(_cells(of_document, named=named)) for of_document in brackets]


def _brackets(mentions: Sequence[_NamedMention], document: Document) -> _LayerBrackets:
    zeros = frozenset(document.zeros)
    return list(
        brackets_by_unit(
            (run, (named, number))
            for named in mentions
            for number, run in enumerate(runs_of(named.mention, zeros))
        )
    )


def _has_crossing(brackets: _LayerBrackets) -> bool:
    """Return True if a bracket closes another mention than the one that was opened last."""
    opened: list[_NamedMention] = []
    for _, (closing, opening, _) in brackets:
        for named, _ in closing:
            if opened.pop() is not named:
                return True
        opened += [named for named, _ in opening]
    return False


def _cells(brackets: _LayerBrackets, *, named: bool) -> Iterator[tuple[Unit, str]]:
    """Yield the cells of a layer: closing brackets first, then opening ones."""
    for unit, (closing, opening, whole) in brackets:
        texts = [f"{mention.name})" if named else ")" for mention, _ in closing]
        texts += [_opening(mention, part) for mention, part in opening]
        texts += [f"{_opening(mention, part)})" for mention, part in whole]
        yield unit, "".join(texts)


def _opening(named: _NamedMention, part: int) -> str:
    """Return an opening bracket; only the first part of a mention has the attributes."""
    attributes = "" if part else named.attributes
    return f"(EntityID={named.entity}|MarkableID={named.name}{attributes}"


def _bridging_cells(
    document: Document, identity: Sequence[_NamedMention]
) -> Iterator[tuple[Unit, str]]:
    """Yield the cells of the bridging column, at the first words of the anaphors."""
    entities = unique_ids([entity.name for entity in document.entities], _FORBIDDEN_IN_IDS)
    by_entity = {(named.mention, named.entity): named.name for named in identity}
    # Non-referring mentions come last, so that a link without an entity names one of them.
    any_name = {named.mention: named.name for named in identity}
    cells: dict[Unit, list[str]] = {}
    for anaphor, anchor, position, relation in document.bridges:
        entity = "" if position is None else entities[position]
        parts = [
            f"MarkableID={any_name[anaphor]}",
            *([f"Rel={relation}"] if relation else []),
            f"MentionAnchor={by_entity[anchor, entity] if entity else any_name[anchor]}",
            *([f"EntityAnchor={entity}"] if entity else []),
        ]
        cells.setdefault(anaphor.order[0], []).append(f"({'|'.join(parts)})")
    for unit, entries in cells.items():
        yield unit, "".join(entries)


def _column_names(source: Source, _: bool) -> Iterator[str]:  # noqa: FBT001  see NameKind
    """Yield the columns that are declared."""
    for comment in islice(matching_lines(source.content, _GLOBAL_COLUMNS, b"global.columns"), 1):
        yield from comment[1].decode().split()


_NAMES = (
    NameKind(
        label="column",
        known=frozenset({*NEEDED, *COREFERENCE}),
        others=frozenset(COLUMNS) - {*NEEDED, *COREFERENCE},
        place=r"^#[^\S\n]*global\.columns[^\S\n]*=(?:.*[^\S\n])?{}(?!\S)",
        collect=_column_names,
    ),
    conllu.comments("newdoc", "newdoc id", "global.columns"),
    NameKind(
        label="attribute in brackets",
        known=frozenset(KEYS),
        others=frozenset({"etype"}),
        place=r"(?i)(?<=[(|]){}[^\S\n]*=",
    ),
)


CONLL_UA = Format(
    label="CoNLL-UA",
    read=read_ua,
    write=write_ua,
    fit_corpus=escape_ua,
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
        forbidden_in_words=_FORBIDDEN_IN_WORDS,
        forbidden_in_labels=_FORBIDDEN_IN_VALUES,
    ),
    names=_NAMES,
    comment=re.compile(rb"#[^\S\n]*global\.columns\b"),
    starts=conllu.document_starts,
    declaration=(_GLOBAL_COLUMNS, b"global.columns"),
)
