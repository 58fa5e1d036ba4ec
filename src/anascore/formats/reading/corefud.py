"""CorefUD 1.x: CoNLL-U with Entity, SplitAnte and Bridge among the attributes in MISC."""

from __future__ import annotations

import re
from collections.abc import Iterator

from anascore.anchors import Anchors
from anascore.formats.places import Position
from anascore.formats.reading import conllu
from anascore.formats.reading.assembly import assemble
from anascore.formats.reading.conllu import Layout, Section, Tokens
from anascore.formats.reading.corefud_brackets import Brackets
from anascore.formats.reading.corefud_fields import Attributes
from anascore.formats.reading.links import SetLinks
from anascore.formats.source import Source, lines_with
from anascore.mention import Mention
from anascore.model import Bridge, Corpus, Document, Entity, Table
from anascore.problems import Problems

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
    return assemble("corefud", source, _documents(source, layout, problems), problems)


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
        self._brackets = Brackets(fields or FIELDS, self._tokens.zeros, problems)
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
                Attributes(self._brackets.names, fields),
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
