"""A Corpus to CoNLL-UA."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from anascore.formats.places import runs_of
from anascore.formats.reading import conllu
from anascore.formats.reading.conllu import NOTHING
from anascore.formats.reading.ua import COLUMNS
from anascore.formats.reading.ua_brackets import PSEUDO
from anascore.formats.writing.attributes import clean_attributes
from anascore.formats.writing.bracketing import brackets_at
from anascore.formats.writing.capacity import ILLEGAL_VALUE, MODELLED
from anascore.formats.writing.naming import legal_names
from anascore.formats.writing.rows import OTHER_COLUMNS, Row, rows_of
from anascore.mention import Mention, Unit
from anascore.model import Corpus, Document, Entity, NonReferring, marked_mentions

_ILLEGAL = re.compile(r"[\s\0|()@=,]|[-_]Pseudo$")
_SPELLING = {"semtype": "SemType"}

_Cells: TypeAlias = Mapping[Unit, str]
"""What a column holds at the words and zeros of which it says something."""


def clean_ua(corpus: Corpus, lost: Counter[str]) -> Corpus:
    """Take out of attributes what cannot stand in brackets; their names are read in any case."""

    def clean(name: str, value: str) -> tuple[str, str]:
        key = _ILLEGAL.sub("_", name).lower() or "_"
        return f"{key}_" if key in MODELLED else key, ILLEGAL_VALUE.sub("_", value)

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


def _line(row: Row, layers: Sequence[_Cells]) -> str:
    if not row.columns:
        return row.text
    cells = (layer.get(row.unit, NOTHING) if row.unit else NOTHING for layer in layers)
    first = (row.columns[name] for name in conllu.COLUMNS)
    return "\t".join([*first, *cells, *(row.columns[name] for name in OTHER_COLUMNS)])


class _Written(NamedTuple):
    """A mention, with the ids that stand for it and its entity."""

    mention: Mention
    entity: str
    name: str
    attributes: str
    """What else stands in its opening bracket."""


def _written(
    entities: Sequence[Entity[Mention]], nonreferring: Sequence[NonReferring], prefix: str
) -> Iterator[_Written]:
    """Name the mentions and entities of a layer."""
    names = legal_names([entity.name for entity in entities], _ILLEGAL)
    sets: dict[tuple[int, Mention], list[str]] = {}
    for name, entity in zip(names, entities, strict=True):
        if entity.relation != "set":
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
        if entity.relation == "result" and entity.elements:
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
        yield _Written(mention, entity_name, name, _attributes(mention, attributes) + link)


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


def _cells(layer: Sequence[_Written], document: Document) -> Iterator[tuple[Unit, str]]:
    """Open and close the mentions of a layer; name what is closed where mentions cross."""
    zeros = frozenset(document.zeros)
    parts = [
        (run, (one, number))
        for one in layer
        for number, run in enumerate(runs_of(one.mention, zeros))
    ]
    opened: list[_Written] = []
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


def _bridging_cells(document: Document, identity: Sequence[_Written]) -> Iterator[tuple[Unit, str]]:
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
