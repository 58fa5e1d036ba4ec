"""CorefUD 1.x: CoNLL-U with the MISC attributes Entity, SplitAnte and Bridge."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeAlias

from anascore.errors import Problems
from anascore.formats import conllu
from anascore.formats.building import (
    ReadingNotes,
    SetLinks,
    brackets_by_unit,
    build_corpus,
    escape_attributes,
    unique_ids,
)
from anascore.formats.conllu import COLUMNS, NO_VALUE, Layout, RowChecker, Section, Tokens
from anascore.formats.conllu_rows import TokenRow, renumber, rows_of
from anascore.formats.corefud_brackets import EntityReader, NumbersByFields, make_entities
from anascore.formats.files import Source, matching_lines
from anascore.formats.format import MODEL_ATTRIBUTES, Capacity, Format, ReadOptions
from anascore.formats.lossy_relations import entities_by_opening
from anascore.formats.near_names import NameKind
from anascore.model.document import Bridge, Corpus, Document, Entity, Table
from anascore.model.mention import Mention, Position, Unit, runs_of, units_of
from anascore.model.transform import Anchors

MISC = conllu.COLUMNS.index("MISC")
MARKS = ("Entity", "Split", "Bridge=")
FIELDS = ("eid", "etype", "head", "other")
"""Usual fields of an opening bracket."""

LOCAL_ID = "GRP"
"""Older name of eid, in files whose ids start again in each document."""

ALIASES = {LOCAL_ID: "eid", "MIN": "minspan", "entity": "etype"}
"""Older field names."""

REORDERED = "documents whose global.Entity has the fields in another order than the first one"
EMPTY = "attributes Entity= without a value, which annotate nothing"
FOREIGN = "lines with annotation of CoNLL-UA in MISC, not read"
LOST_BRIDGES = "bridging links whose anaphor or anchor is not a mention, left out"


def read_corefud(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read the documents of a CorefUD file."""
    separator = conllu.separator_of(source)
    layout = Layout(conllu.COLUMNS, separator, MARKS, (MISC,), _MISPLACED)
    notes = ReadingNotes()
    sections = list(_sections(source, problems))
    numbers: dict[tuple[str, ...], NumbersByFields] = defaultdict(dict)
    documents = (
        _Reader(section, declared, problems, notes, numbers[declared.names]).read(layout)
        for section, declared in sections
    )
    corpus = build_corpus("corefud", source, documents, problems)
    notes.report(problems)
    return corpus


_JOINED = re.compile(r"=.*?((?:Entity|SplitAnte|Split|Bridge)=)(?=.*[()<])")
"""Annotation that ended up inside another attribute's value."""

_MISPLACED = re.compile(r"(?<![^|])(?:Entity=[^|]*[()]|(?:SplitAnte|Split|Bridge)=[^|]*<)[^|]*")

_GLOBAL_ENTITY = re.compile(rb"#[^\S\n]*global\.Entity[^\S\n]*=(.*)")


class _Fields(NamedTuple):
    """Fields of an opening bracket, as the file declares them."""

    names: tuple[str, ...] = ()
    """Empty if the file declares no fields."""

    global_ids: bool = True
    """False if ids start again in each document."""

    reordered: int | None = None
    """Line of a declaration that changes the order of the first one."""


def _sections(source: Source, problems: Problems) -> Iterator[tuple[Section, _Fields]]:
    """Yield the documents with their fields; a declaration holds until the next one."""
    fields = first = _Fields()
    for comment in matching_lines(source.head, _GLOBAL_ENTITY, b"global.Entity"):
        # Errors in it are reported where it stands.
        fields = first = _fields(1, comment[1].decode().strip(), Problems(source.path))
    content = source.content
    comments = deque(matching_lines(content, _GLOBAL_ENTITY, b"global.Entity"))
    end = 0
    for section in conllu.sections_of(source):
        line, counted, end = section.first, end, end + len(section.content)
        while comments and comments[0].start() < end:
            comment = comments.popleft()
            line += content.count(b"\n", counted, comment.start())
            counted = comment.start()
            fields = _fields(line, comment[1].decode().strip(), problems)
            first = first if first.names else fields
            if _in_order_of(first, fields) != _in_order_of(fields, first):
                fields = fields._replace(reordered=line)
        yield section, fields


def _in_order_of(fields: _Fields, other: _Fields) -> list[str]:
    return [name for name in fields.names if name in other.names]


def _fields(line: int, text: str, problems: Problems) -> _Fields:
    """Parse a declaration of fields."""
    fields = tuple(ALIASES.get(name, name) for name in text.split("-"))
    if "eid" in fields and len(set(fields)) == len(fields) and len(text.split()) == 1:
        last = fields[-1]
        if any(name.startswith(last) and name != last for name in FIELDS):
            message = f"global.Entity = {text} may be truncated: its last field is {last!r}"
            problems.warning(line, f"{message}; usual is {'-'.join(FIELDS)}")
        return _Fields(fields, LOCAL_ID not in text.split("-"))
    rule = "must name eid, and no field twice"
    if len(text.split()) > 1:
        rule = "has white space in it; fields are separated by hyphens"
    problems.error(line, f"global.Entity = {text} {rule}; usual is {'-'.join(FIELDS)}")
    return _Fields(FIELDS)


class _Reader:
    def __init__(
        self,
        section: Section,
        declared: _Fields,
        problems: Problems,
        notes: ReadingNotes,
        numbers: NumbersByFields,
    ) -> None:
        self._section = section
        fields = declared.names
        self._declared = bool(fields)
        self._global_ids = declared.global_ids
        self._reordered = declared.reordered
        self._problems = problems
        self._notes = notes
        self._tokens = Tokens()
        self._entity_reader = EntityReader(
            fields or FIELDS, self._tokens.zeros, problems, notes, numbers
        )
        self._links = SetLinks(problems)
        self._bridges: list[tuple[str, int]] = []

    def read(self, layout: Layout) -> Document:
        section, tokens = self._section, self._tokens
        checker = RowChecker(layout, self._problems, self._notes)
        if self._reordered is not None:
            self._notes.add(REORDERED, self._reordered)
        conllu.read_tokens(section, tokens, self._read_row, checker)
        self._entity_reader.finish()
        entities = self._entities()
        bridges = tuple(self._resolved_bridges(entities)) if self._bridges else ()
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
            notes=self._notes.end_document() | ({LOST_BRIDGES: lost} if lost else {}),
            global_ids=self._global_ids,
        )

    def _read_row(self, cells: list[str], line: int, before: Position, after: Position) -> None:
        misc = cells[0].rstrip()
        others, name, rest = misc.partition("Entity=")
        is_alone = "Entity=" not in rest and "Split" not in misc and "Bridge=" not in misc
        if name and others[-1:] in {"", "|"} and is_alone:
            # Fast path: most rows have Entity alone.
            self._read_entity(rest.partition("|")[0], line, before, after)
            return
        for attribute in misc.split("|"):
            if match := _JOINED.search(attribute):
                message = f"{attribute!r} has {match[1]} in the middle; a | is missing before it"
                self._problems.error(line, message)
            elif attribute.startswith("Entity="):
                self._read_entity(attribute[7:], line, before, after)
            elif attribute.startswith("Bridge="):
                self._bridges.append((attribute[7:], line))
            elif attribute.startswith(("SplitAnte=", "Split=")):
                self._add_links(attribute, line)
            elif attribute.startswith(("(EntityID=", "(EntityId=")):
                self._notes.add(FOREIGN, line)
            elif attribute[:1].isspace() and conllu.COREFERENCE.match(attribute.lstrip()):
                message = f"white space before an attribute in MISC: {attribute!r}"
                self._problems.error(line, f"{message}; it belongs right after the '|'")

    def _read_entity(self, text: str, line: int, before: Position, after: Position) -> None:
        if not text:
            self._notes.add(EMPTY, line)
        if not self._declared:
            message = "Entity= without a line '# global.Entity = ...' above that names its fields"
            self._problems.error(line, f"{message}; usual is {'-'.join(FIELDS)}")
            self._declared = True
        self._entity_reader.read(text, line, before, after)

    def _add_links(self, attribute: str, line: int) -> None:
        for link in attribute.partition("=")[2].split(","):
            element, sign, owner = link.partition("<")
            if not (element and sign and owner):
                message = f"{link!r} in {attribute} is not of the form e3<e11: element, '<', set"
                self._problems.error(line, message)
            else:
                self._links.add(element, owner, line, attribute)

    def _entities(self) -> tuple[Entity[Mention], ...]:
        """Return the entities in the order in which their first mentions open."""
        reader = self._entity_reader
        entities = make_entities(reader.entities, reader.names)
        if not self._links:
            return entities
        elements = self._links.resolve([entity.name for entity in entities], self._section.name)
        return tuple(
            replace(entity, elements=tuple(own)) if own else entity
            for entity, own in zip(entities, elements, strict=True)
        )

    def _anaphors(self) -> dict[tuple[str, int], Mention]:
        """Map the name and line of each bridging entity to its shortest mention there."""
        anaphors: dict[tuple[str, int], Mention] = {}
        links = (link for text, _ in self._bridges for link in text.split(","))
        names = {link.partition("<")[2].partition(":")[0] for link in links}
        for name in names & self._entity_reader.entities.keys():
            mentions, _, lines = self._entity_reader.entities[name]
            for line, mention in zip(lines, mentions, strict=True):
                shortest = anaphors.setdefault((name, line), mention)
                if mention is not shortest and mention.full_order < shortest.full_order:
                    anaphors[name, line] = mention
        return anaphors

    def _resolved_bridges(self, entities: tuple[Entity[Mention], ...]) -> Iterator[Bridge]:
        """Yield the bridging links whose anaphor opens on their line and whose anchor exists."""
        positions = {entity.name: position for position, entity in enumerate(entities)}
        anchors, anaphors = Anchors(entities), self._anaphors()
        for text, line in self._bridges:
            for link in text.split(","):
                anchor, sign, target = link.partition("<")
                name, _, relation = target.partition(":")
                anaphor = anaphors.get((name, line))
                entity = positions.get(anchor)
                if not (anchor and sign and name):
                    form = "e12<e124 or e12<e124:part"
                    self._problems.error(
                        line, f"{link!r} in Bridge={text} is not of the form {form}"
                    )
                elif entity is None:
                    reason = f"there is no entity {anchor}"
                    self._problems.warning(line, f"Bridge={link} is left out: {reason}")
                elif anaphor is None:
                    reason = f"no mention of {name} opens on this line"
                    self._problems.warning(line, f"Bridge={link} is left out: {reason}")
                else:
                    yield Bridge(anaphor, anchors.before(anaphor, entity), entity, relation)


_FORBIDDEN_IN_IDS = re.compile(r"[\s\0|()\[\]<>,:=-]")
_FORBIDDEN_IN_VALUES = re.compile(r"[\s\0|()-]")
_FORBIDDEN_IN_LAST_VALUE = re.compile(r"[\s\0|()]")
_TextsByUnit: TypeAlias = dict[Unit, list[str]]


def write_corefud(corpus: Corpus) -> str:
    """Write all documents as text, with entity ids that are unique in the file."""
    fields = _bracket_fields(corpus)
    lines = [f"# global.Entity = {'-'.join(fields)}"]
    documents = list(corpus.documents.values())
    names = [entity.name for document in documents for entity in document.entities]
    ids = iter(unique_ids(names, _FORBIDDEN_IN_IDS, "e"))
    for document in documents:
        lines.append(f"# newdoc id = {document.name}")
        entity_ids = [next(ids) for _ in document.entities]
        attributes = _coreference_attributes(document, entity_ids, fields)
        lines += [_line(row, attributes) for row in renumber(list(rows_of(document)))]
    return "\n".join(lines).rstrip("\n") + "\n\n"


def escape_corefud(corpus: Corpus, lost: Counter[str]) -> Corpus:
    """Replace characters that would break a bracket; only the last field may contain hyphens."""
    *_, last = _other_fields(corpus)

    def escape(name: str, value: str) -> tuple[str, str]:
        key = _FORBIDDEN_IN_IDS.sub("_", name) or "_"
        forbidden = _FORBIDDEN_IN_LAST_VALUE if name == last else _FORBIDDEN_IN_VALUES
        return f"{key}_" if key in MODEL_ATTRIBUTES else key, forbidden.sub("_", value)

    return escape_attributes(corpus, escape, lost)


def _other_fields(corpus: Corpus) -> list[str]:
    """Order the additional fields so that one whose values contain hyphens comes last."""
    entities = (entity for d in corpus.documents.values() for entity in d.entities)
    items = (item for e in entities for attributes in e.attributes for item in attributes.items())
    others = [(name, value) for name, value in items if value and name not in MODEL_ATTRIBUTES]
    names = dict.fromkeys(name for name, _ in others if name != "etype")
    hyphens = {name for name, value in others if "-" in value}
    last = next((name for name in names if name in hyphens), "other")
    return [*(name for name in names if name != last), last]


def _bracket_fields(corpus: Corpus) -> tuple[str, ...]:
    entities = [entity for d in corpus.documents.values() for entity in d.entities]
    mentions = [mention for entity in entities for mention in entity.mentions]
    heads = any(mention.head for mention in mentions if mention.size > 1)
    minima = any(map(_has_own_minimum, mentions))
    head = ["head"] if heads or not any(mention.size > 1 for mention in mentions) else []
    minimum = ["minspan"] if minima else []
    return ("eid", "etype", *head, *minimum, *_other_fields(corpus))


def _has_own_minimum(mention: Mention) -> bool:
    """Test whether the minimum span is more than the head."""
    return bool(mention.minimum) and (
        mention.marked_head is not None
        or len(mention.minimum) > 1
        or mention.minimum[0][1] - mention.minimum[0][0] > 1
    )


def _line(row: TokenRow, attributes: Mapping[Unit, Sequence[str]]) -> str:
    if not row.columns:
        return row.text
    misc = [] if row.columns["MISC"] == NO_VALUE else [row.columns["MISC"]]
    misc += attributes.get(row.unit, ()) if row.unit else ()
    columns = {**row.columns, "MISC": "|".join(misc) or NO_VALUE}
    return "\t".join(columns[name] for name in COLUMNS)


def _coreference_attributes(
    document: Document, ids: Sequence[str], fields: Sequence[str]
) -> _TextsByUnit:
    attributes: _TextsByUnit = {}
    for unit, text in _entity_attributes(document, ids, fields):
        attributes.setdefault(unit, []).append(f"Entity={text}")
    for unit, links in _bridges(document, ids).items():
        attributes[unit].append(f"Bridge={','.join(links)}")
    for unit, links in _splits(document, ids).items():
        attributes[unit].append(f"SplitAnte={','.join(links)}")
    return attributes


def _bridges(document: Document, ids: Sequence[str]) -> _TextsByUnit:
    """Place each bridging link at the anaphor's first word."""
    owners = entities_by_opening(document)
    bridges: _TextsByUnit = {}
    links = ((b.anaphor, b.entity, b.relation) for b in document.bridges if b.entity is not None)
    for anaphor, entity, relation in links:
        link = f"{ids[entity]}<{ids[owners[anaphor]]}{f':{relation}' if relation else ''}"
        bridges.setdefault(anaphor.order[0], []).append(link)
    return bridges


def _splits(document: Document, ids: Sequence[str]) -> _TextsByUnit:
    """Place each link from an element to its set at the first word of the set's mention."""
    splits: _TextsByUnit = {}
    for owner, entity in zip(ids, document.entities, strict=True):
        if entity.elements:
            first = min(mention.order[0] for mention in entity.mentions)
            links = (f"{ids[element]}<{owner}" for element in entity.elements)
            splits.setdefault(first, []).extend(links)
    return splits


def _entity_attributes(
    document: Document, ids: Sequence[str], fields: Sequence[str]
) -> Iterator[tuple[Unit, str]]:
    zeros = frozenset(document.zeros)
    parts = []
    for entity_id, entity in zip(ids, document.entities, strict=True):
        attributes = entity.attributes or [{}] * len(entity.mentions)
        for mention, own_attributes in zip(entity.mentions, attributes, strict=True):
            runs = runs_of(mention, zeros)
            # Every part repeats the fields: udapi reads the head from a last part of one word.
            values = list(_field_values(mention, own_attributes, fields))
            for number, run in enumerate(runs, 1):
                label = entity_id if len(runs) == 1 else f"{entity_id}[{number}/{len(runs)}]"
                parts.append((run, (label, "-".join([label, *values]))))
    for unit, (closing, opening, whole) in brackets_by_unit(parts):
        text = [f"{label})" for label, _ in closing]
        text += [f"({bracket}" for _, bracket in opening]
        text += [f"({bracket})" for _, bracket in whole]
        yield unit, "".join(text)


def _field_values(
    mention: Mention, attributes: Mapping[str, str], fields: Sequence[str]
) -> Iterator[str]:
    """Yield the fields that follow the id in an opening bracket."""
    head = mention.head
    units = units_of(mention) if mention.size > 1 else [head]
    for name in fields[1:]:
        if name == "head":
            yield "" if head is None else str(units.index(head) + 1)
        elif name == "minspan":
            words = (word for start, end in mention.minimum for word in range(start, end))
            yield ",".join(str(units.index((word + 1, 0)) + 1) for word in words)
        else:
            yield attributes.get(name, "")


def _attribute_names(source: Source, thorough: bool) -> Iterable[str]:  # noqa: FBT001  see NameKind
    """Collect MISC attributes; unless thorough, only those that may be misspelt.

    If a file uses Entity, only its links can be misspelt everywhere, and links contain <.
    """
    content = source.content
    if thorough or not source.has(b"Entity="):
        lines = content.split(b"\n")
    elif not source.has(b"SplitAnte=") or not source.has(b"Bridge="):
        lines = [line[0] for line in matching_lines(content, _WHOLE_LINE, b"<")]
    else:
        return ()
    return conllu.attribute_names(lines, conllu.separator_of(source))


_WHOLE_LINE = re.compile(rb".*")
_ATTRIBUTES = conllu.attributes_in_misc(
    *("Entity=", "SplitAnte=", "Split=", "Bridge=", "coref_chains="),
    others=("EntityID=", "Identity="),
    collect=_attribute_names,
)


def _field_names(source: Source, _: bool) -> Iterator[str]:  # noqa: FBT001  see NameKind
    for comment in matching_lines(source.content, _GLOBAL_ENTITY, b"global.Entity"):
        yield from comment[1].decode().strip().split("-")


_BRACKET_FIELDS = NameKind(
    label="field in global.Entity",
    known=frozenset({"eid", "GRP", "head", "minspan", "MIN"}),
    others=frozenset({"etype", "entity", "other"}),
    place=r"^#[^\S\n]*global\.Entity[^\S\n]*=(?:.*-)?[^\S\n]*{}(?=[^\S\n]*(?:-|$))",
    collect=_field_names,
)


COREFUD = Format(
    label="CorefUD",
    read=read_corefud,
    write=write_corefud,
    fit_corpus=escape_corefud,
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
        forbidden_in_labels=re.compile(r"[\0\t\n\r|,]|\s$"),
    ),
    names=(_ATTRIBUTES, conllu.comments("newdoc", "newdoc id", "global.Entity"), _BRACKET_FIELDS),
    comment=re.compile(rb"#[^\S\n]*global\.Entity\b"),
    starts=conllu.document_starts,
    declaration=(_GLOBAL_ENTITY, b"global.Entity"),
)
