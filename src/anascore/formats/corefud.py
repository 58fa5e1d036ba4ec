"""CorefUD 1.x: CoNLL-U with Entity, SplitAnte and Bridge among the attributes in MISC."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeAlias

from anascore.errors import Problems
from anascore.formats import conllu
from anascore.formats.build import (
    SetLinks,
    brackets_at,
    build_corpus,
    clean_attributes,
    legal_names,
)
from anascore.formats.conllu import COLUMNS, NO_VALUE, Layout, Section, Tokens
from anascore.formats.conllu_rows import TokenRow, renumbered, rows_of
from anascore.formats.corefud_brackets import EntityBrackets, LazyAttributes
from anascore.formats.fit_relations import anaphors_by_opening
from anascore.formats.format import MODELLED, Capacity, Format
from anascore.formats.source import Source, lines_with
from anascore.model.document import Bridge, Corpus, Document, Entity, Table
from anascore.model.mention import Mention, Position, Unit, runs_of, units_of
from anascore.model.transform import Anchors

MISC = conllu.COLUMNS.index("MISC")
MARKS = ("Entity=", "Split", "Bridge=")
FIELDS = ("eid", "etype", "head", "other")
"""The usual fields of an opening bracket."""

ALIASES = {"GRP": "eid", "MIN": "minspan", "entity": "etype"}
"""Older names of fields."""

LOST_BRIDGES = "bridging links whose anaphor or anchor is no mention, left out"


def read_corefud(source: Source, problems: Problems) -> Corpus:
    """Read the documents of a CorefUD file."""
    layout = Layout(conllu.COLUMNS, conllu.separator_of(source.content), MARKS)
    return build_corpus("corefud", source, _documents(source, layout, problems), problems)


_GLOBAL_ENTITY = re.compile(rb"#[^\S\n]*global\.Entity[^\S\n]*=(.*)")


def _documents(source: Source, layout: Layout, problems: Problems) -> Iterator[Document]:
    """Read document by document; the fields declared last hold until others are."""
    fields: tuple[str, ...] = ()
    for section in conllu.sections_of(source):
        for found in lines_with(section.content, _GLOBAL_ENTITY, b"global.Entity"):
            line = section.first + section.content.count(b"\n", 0, found.start())
            fields = _fields(line, found[1].decode().strip(), problems)
        yield _Reader(section, fields, problems).read(layout)


def _fields(line: int, text: str, problems: Problems) -> tuple[str, ...]:
    """Read the names of the fields of an opening bracket."""
    fields = tuple(ALIASES.get(name, name) for name in text.split("-"))
    if "eid" in fields and len(set(fields)) == len(fields):
        return fields
    what = f"global.Entity = {text} must name eid, and no field twice"
    problems.error(line, f"{what}; usual is {'-'.join(FIELDS)}")
    return FIELDS


class _Reader:
    """Reads one document."""

    def __init__(self, section: Section, fields: tuple[str, ...], problems: Problems) -> None:
        """Start before the first word."""
        self._section = section
        self._declared = bool(fields)
        self._problems = problems
        self._tokens = Tokens()
        self._brackets = EntityBrackets(fields or FIELDS, self._tokens.zeros, problems)
        self._links = SetLinks(problems)
        self._bridges: list[tuple[str, int]] = []

    def read(self, layout: Layout) -> Document:
        """Read the words and what is said of them."""
        section, tokens = self._section, self._tokens
        conllu.read_tokens(section, layout, tokens, self._annotate, self._problems)
        self._brackets.finish()
        entities = self._entities()
        bridges = tuple(self._resolved_bridges(entities))
        lost = sum(text.count(",") + 1 for text, _ in self._bridges) - len(bridges)
        return Document(
            section.name,
            tuple(tokens.words),
            entities,
            bridges=bridges,
            zeros=tuple(tokens.zeros),
            path=self._problems.path,
            line=section.line,
            lines=tokens.lines,
            sentences=tuple(tokens.sentences),
            table=Table(layout.columns, layout.separator, section.content),
            notes={LOST_BRIDGES: lost} if lost else {},
        )

    def _annotate(self, columns: list[str], line: int, before: Position, after: Position) -> None:
        """Read the attributes in MISC that are about coreference."""
        misc = columns[MISC]
        others, found, rest = misc.partition("Entity=")
        if found and others[-1:] in {"", "|"} and "Entity=" not in rest:
            # Mostly Entity is all that there is, and is quickly found.
            text, _, rest = rest.partition("|")
            self._read_entity(text, line, before, after)
            if "Split" not in misc and "Bridge=" not in misc:
                return
            misc = others + rest
        for attribute in misc.split("|"):
            if attribute.startswith("Entity="):
                self._read_entity(attribute[7:], line, before, after)
            elif attribute.startswith("Bridge="):
                self._bridges.append((attribute[7:], line))
            elif attribute.startswith(("SplitAnte=", "Split=")):
                self._add_links(attribute, line)

    def _read_entity(self, text: str, line: int, before: Position, after: Position) -> None:
        if not self._declared:
            what = "Entity= without a line '# global.Entity = ...' above, which names its fields"
            self._problems.error(line, f"{what}; usual is {'-'.join(FIELDS)}")
            self._declared = True
        self._brackets.read(text, line, before, after)

    def _add_links(self, attribute: str, line: int) -> None:
        for link in attribute.partition("=")[2].split(","):
            element, sign, owner = link.partition("<")
            if not (element and sign and owner):
                what = f"{link!r} in {attribute} is not of the form e3<e11: element, '<', set"
                self._problems.error(line, what)
            else:
                self._links.add(element, owner, line, attribute)

    def _entities(self) -> tuple[Entity[Mention], ...]:
        """Return the entities in the order in which their first mentions open."""
        found = {name: of for name, of in self._brackets.entities.items() if of[0]}
        elements = self._links.resolve(list(found), self._section.name)
        return tuple(
            Entity(
                tuple(mentions),
                tuple(elements[position]),
                name,
                LazyAttributes(self._brackets.names, fields),
            )
            for position, (name, (mentions, fields, _)) in enumerate(found.items())
        )

    def _opened(self) -> dict[tuple[str, int], Mention]:
        """Tell which mention of a bridging entity opens on a line, the shortest of several."""
        opened: dict[tuple[str, int], Mention] = {}
        links = (link for text, _ in self._bridges for link in text.split(","))
        named = {link.partition("<")[2].partition(":")[0] for link in links}
        for name in named & self._brackets.entities.keys():
            mentions, _, lines = self._brackets.entities[name]
            for line, mention in zip(lines, mentions, strict=True):
                other = opened.setdefault((name, line), mention)
                if mention is not other and mention.full_order < other.full_order:
                    opened[name, line] = mention
        return opened

    def _resolved_bridges(self, entities: tuple[Entity[Mention], ...]) -> Iterator[Bridge]:
        """Find the anaphor, which opens on the line of the link, and the entity named."""
        positions = {entity.name: position for position, entity in enumerate(entities)}
        anchors, opened = Anchors(entities), self._opened()
        for text, line in self._bridges:
            for link in text.split(","):
                anchor, sign, target = link.partition("<")
                name, _, relation = target.partition(":")
                anaphor = opened.get((name, line))
                entity = positions.get(anchor)
                if not (anchor and sign and name):
                    what = f"{link!r} in Bridge={text} is not of the form e12<e124 or e12<e124:part"
                    self._problems.error(line, what)
                elif entity is None:
                    what = f"there is no entity {anchor}"
                    self._problems.warning(line, f"Bridge={link} is left out: {what}")
                elif anaphor is None:
                    what = f"no mention of {name} opens on this line"
                    self._problems.warning(line, f"Bridge={link} is left out: {what}")
                else:
                    yield Bridge(anaphor, anchors.before(anaphor, entity), entity, relation)


_ILLEGAL = re.compile(r"[\s\0|()\[\]<>,:=-]")
_ILLEGAL_VALUE = re.compile(r"[\s\0|()-]")
_ILLEGAL_LAST = re.compile(r"[\s\0|()]")
_Said: TypeAlias = dict[Unit, list[str]]
"""What is said at words and zeros."""


def write_corefud(corpus: Corpus) -> str:
    """Write all documents; the ids of entities are unique in the file."""
    fields = _bracket_fields(corpus)
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


def _bracket_fields(corpus: Corpus) -> tuple[str, ...]:
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


def _line(row: TokenRow, said: Mapping[Unit, Sequence[str]]) -> str:
    if not row.columns:
        return row.text
    misc = [] if row.columns["MISC"] == NO_VALUE else [row.columns["MISC"]]
    misc += said.get(row.unit, ()) if row.unit else ()
    columns = {**row.columns, "MISC": "|".join(misc) or NO_VALUE}
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
            # Every part repeats the fields: udapi reads the head from a last part of one word.
            values = list(_values(mention, attributes, fields))
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


COREFUD = Format(
    label="CorefUD",
    read=read_corefud,
    write=write_corefud,
    clean=clean_corefud,
    endings=(".conllu",),
    holds=Capacity(
        zeros=True,
        gaps=True,
        sets="nested",
        bridging="entities",
        minimum="words",
        attributes=True,
        columns=frozenset(conllu.COLUMNS),
        comments=True,
        forbidden_in_labels=re.compile(r"[\0\t\n\r|,]"),
    ),
    comment=(re.compile(rb"#[^\S\n]*global\.Entity\b"), b"global.Entity"),
)
