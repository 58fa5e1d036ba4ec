"""A Corpus to CorefUD 1.x."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from anascore.formats.places import runs_of, units_of
from anascore.formats.reading.conllu import COLUMNS, NOTHING
from anascore.formats.writing.attributes import clean_attributes
from anascore.formats.writing.bracketing import brackets_at
from anascore.formats.writing.capacity import MODELLED
from anascore.formats.writing.naming import legal_names
from anascore.formats.writing.relations import anaphors_by_opening
from anascore.formats.writing.rows import Row, renumbered, rows_of
from anascore.mention import Mention, Unit
from anascore.model import Corpus, Document

_ILLEGAL = re.compile(r"[\s\0|()\[\]<>,:=-]")
_ILLEGAL_VALUE = re.compile(r"[\s\0|()-]")
_ILLEGAL_LAST = re.compile(r"[\s\0|()]")
_Said: TypeAlias = dict[Unit, list[str]]
"""What is said at words and zeros."""


def write_corefud(corpus: Corpus) -> str:
    """Write all documents; the ids of entities are unique in the file."""
    fields = _fields(corpus)
    lines = [f"# global.Entity = {'-'.join(fields)}"]
    documents = list(corpus.documents.values())
    given = [entity.name for document in documents for entity in document.entities]
    names = iter(legal_names(given, _ILLEGAL, "e"))
    for document in documents:
        lines.append(f"# newdoc id = {document.name}")
        own = [next(names) for _ in document.entities]
        said = _said(document, own, fields)
        lines += [_line(row, said) for row in renumbered(list(rows_of(document)))]
    return "\n".join(lines).rstrip("\n") + "\n\n"


def clean_corefud(corpus: Corpus, lost: Counter[str]) -> Corpus:
    """Take out of attributes what cannot stand in brackets; one field can have hyphens."""
    *_, last = _other_fields(corpus)

    def clean(name: str, value: str) -> tuple[str, str]:
        key = _ILLEGAL.sub("_", name) or "_"
        illegal = _ILLEGAL_LAST if name == last else _ILLEGAL_VALUE
        return f"{key}_" if key in MODELLED else key, illegal.sub("_", value)

    return clean_attributes(corpus, clean, lost)


def _other_fields(corpus: Corpus) -> list[str]:
    """Name the attributes that are no fields of ours; the last one can have hyphens in it."""
    entities = (entity for d in corpus.documents.values() for entity in d.entities)
    attributes = (item for e in entities for given in e.attributes for item in given.items())
    said = [(name, value) for name, value in attributes if value and name not in MODELLED]
    names = dict.fromkeys(name for name, _ in said if name != "etype")
    hyphens = {name for name, value in said if "-" in value}
    last = next((name for name in names if name in hyphens), "other")
    return [*(name for name in names if name != last), last]


def _fields(corpus: Corpus) -> tuple[str, ...]:
    """Choose the fields of opening brackets: the usual ones, and what else is said of mentions."""
    entities = [entity for d in corpus.documents.values() for entity in d.entities]
    mentions = [mention for entity in entities for mention in entity.mentions]
    heads = any(mention.head for mention in mentions if mention.size > 1)
    minima = any(map(_has_own_minimum, mentions))
    head = ["head"] if heads or not any(mention.size > 1 for mention in mentions) else []
    minimum = ["minspan"] if minima else []
    return ("eid", "etype", *head, *minimum, *_other_fields(corpus))


def _has_own_minimum(mention: Mention) -> bool:
    """Tell whether the minimum span says more than the head."""
    return bool(mention.minimum) and (
        mention.marked_head is not None
        or len(mention.minimum) > 1
        or mention.minimum[0][1] - mention.minimum[0][0] > 1
    )


def _line(row: Row, said: Mapping[Unit, Sequence[str]]) -> str:
    if not row.columns:
        return row.text
    misc = [] if row.columns["MISC"] == NOTHING else [row.columns["MISC"]]
    misc += said.get(row.unit, ()) if row.unit else ()
    columns = {**row.columns, "MISC": "|".join(misc) or NOTHING}
    return "\t".join(columns[name] for name in COLUMNS)


def _said(document: Document, names: Sequence[str], fields: Sequence[str]) -> _Said:
    """Return the attributes about coreference at each word and zero that has some."""
    said: _Said = {}
    for unit, text in _entity_attributes(document, names, fields):
        said.setdefault(unit, []).append(f"Entity={text}")
    for unit, links in _bridges(document, names).items():
        said[unit].append(f"Bridge={','.join(links)}")
    for unit, links in _splits(document, names).items():
        said[unit].append(f"SplitAnte={','.join(links)}")
    return said


def _bridges(document: Document, names: Sequence[str]) -> _Said:
    """Link each bridging anaphor, at its first word, to the entity it is related to."""
    of = anaphors_by_opening(document)
    bridges: _Said = {}
    links = ((b.anaphor, b.entity, b.relation) for b in document.bridges if b.entity is not None)
    for anaphor, entity, relation in links:
        link = f"{names[entity]}<{names[of[anaphor]]}{f':{relation}' if relation else ''}"
        bridges.setdefault(anaphor.order[0], []).append(link)
    return bridges


def _splits(document: Document, names: Sequence[str]) -> _Said:
    """Link each accommodated set, at the first word of its entity, to its elements."""
    splits: _Said = {}
    for name, entity in zip(names, document.entities, strict=True):
        if entity.elements:
            first = min(mention.order[0] for mention in entity.mentions)
            links = (f"{names[element]}<{name}" for element in entity.elements)
            splits.setdefault(first, []).extend(links)
    return splits


def _entity_attributes(
    document: Document, names: Sequence[str], fields: Sequence[str]
) -> Iterator[tuple[Unit, str]]:
    """Open and close the mentions of a document."""
    zeros = frozenset(document.zeros)
    parts = []
    for name, entity in zip(names, document.entities, strict=True):
        given = entity.attributes or [{}] * len(entity.mentions)
        for mention, attributes in zip(entity.mentions, given, strict=True):
            runs = runs_of(mention, zeros)
            values = _values(mention, attributes, fields)
            for number, run in enumerate(runs, 1):
                label = name if len(runs) == 1 else f"{name}[{number}/{len(runs)}]"
                parts.append((run, (label, "-".join([label, *values]))))
    for unit, (closing, opening, whole) in brackets_at(parts):
        text = [f"{label})" for label, _ in closing]
        text += [f"({bracket}" for _, bracket in opening]
        text += [f"({bracket})" for _, bracket in whole]
        yield unit, "".join(text)


def _values(mention: Mention, given: Mapping[str, str], fields: Sequence[str]) -> Iterator[str]:
    """Write the fields of an opening bracket behind the id."""
    head = mention.head
    units = units_of(mention) if mention.size > 1 else [head]
    for name in fields[1:]:
        if name == "head":
            yield "" if head is None else str(units.index(head) + 1)
        elif name == "minspan":
            words = (word for start, end in mention.minimum for word in range(start, end))
            yield ",".join(str(units.index((word + 1, 0)) + 1) for word in words)
        else:
            yield given.get(name, "")
