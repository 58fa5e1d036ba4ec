"""One side of a comparison: the normalised entities of a document."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from anascore.formats.conllu import NO_VALUE, Cells
from anascore.model.document import Document, Entity, RelationName, Table
from anascore.model.mention import Mention, Place, Unit, Zero
from anascore.settings import Settings


class Dependencies(NamedTuple):
    """The enhanced dependencies of a zero."""

    sentence: int
    """Number of words before its sentence."""

    links: frozenset[tuple[Unit | None, str]]
    """Parents with relations; the root is None."""

    @property
    def parents(self) -> frozenset[Unit | None]:
        """Parents without relations."""
        return frozenset(parent for parent, _ in self.links)


ZeroDependencies: TypeAlias = Mapping[Zero, Dependencies]


def dependencies_for(
    document: Document, key: Document, settings: Settings
) -> dict[Zero, Dependencies]:
    """Return the dependencies of zeros if zeros are matched by them.

    Those of zeros in the output of a language model are the dependencies of the key's zeros in the
    same places. The document must have the words of the key.
    """
    if settings.zero_match != "dependent":
        return {}
    if not has_key_dependencies(document):
        return zero_dependencies(document)
    zeros = {*document.zeros}
    return {zero: of for zero, of in zero_dependencies(key).items() if zero in zeros}


def has_key_dependencies(document: Document) -> bool:
    """Return True if the dependencies of zeros are those of the key."""
    return document.rewritten and document.table is None


def zero_dependencies(document: Document) -> dict[Zero, Dependencies]:
    """Return the dependencies of the zeros of a document, as given in the column DEPS."""
    table = document.table
    if not document.zeros or table is None:
        return {}
    return table.cached(_dependencies_in)


def _dependencies_in(table: Table) -> dict[Zero, Dependencies]:
    """Read the dependencies of all zeros in a table."""
    if not {"ID", "DEPS"} <= {*table.columns}:
        return {}
    cells = table.cached(Cells)
    ids, links_of_row = cells.column("ID"), cells.column("DEPS")
    units = list(cells.units())
    dependencies: dict[Zero, Dependencies] = {}
    zeros_before = 0
    for start, end in pairwise([*cells.sentences, len(units)]):
        rows = range(start, end)
        zeros = [row for row in rows if row in cells.zeros]
        if zeros:
            unit_by_id: dict[str, Unit | None] = {ids[row]: units[row] for row in rows}
            unit_by_id["0"] = None
            for row in zeros:
                if links := frozenset(_links(links_of_row[row], unit_by_id)):
                    dependencies[units[row]] = Dependencies(start - zeros_before, links)
        zeros_before += len(zeros)
    return dependencies


def _links(
    dependencies: str, units: Mapping[str, Unit | None]
) -> Iterator[tuple[Unit | None, str]]:
    """Yield the parents and relations in a cell of DEPS; unknown parents are left out."""
    if dependencies != NO_VALUE:
        for link in dependencies.split("|"):
            parent, _, relation = link.partition(":")
            if parent in units:
                yield units[parent], relation


class UnmergedEntities(NamedTuple):
    """The entities of a document before equal sets are merged and mentions are made unique.

    Entities are identified by their positions in the document.
    """

    mentions: Mapping[int, Sequence[Mention]] = {}
    """Mentions of each entity that has any, without dropped zeros and nested mentions."""

    elements: Mapping[int, Collection[int]] = {}
    """Elements of each accommodated set as annotated."""

    atomic: Mapping[int, AbstractSet[int]] = {}
    """The atomic entities below them."""

    relations: Sequence[RelationName] = ()

    @property
    def children(self) -> dict[int, AbstractSet[int]]:
        """The elements of each accommodated set as annotated, and the atomic ones below them."""
        return {number: {*own, *self.elements[number]} for number, own in self.atomic.items()}


@dataclass(frozen=True)
class Side:
    """The normalised entities of one document, of the key or of a response.

    Entities are sorted by their first mentions, and mentions by document order. Every entity has a
    mention, and elements are atomic entities, in order. No mention is in two entities, unless
    `doubled` is "all".
    """

    entities: tuple[Entity[Mention], ...] = ()
    file_order: tuple[int, ...] = ()
    """Rank of each entity in the file; empty if no mention is in two entities."""

    documents: int = 1
    """1, or 0 if this side lacks the document."""

    children: tuple[tuple[int, ...], ...] = ()
    """Elements of each entity as annotated, and the atomic ones below them."""

    unmerged: UnmergedEntities = field(default=UnmergedEntities(), repr=False, compare=False)
    """The entities as annotated, for scores that do not merge them."""

    dependencies: ZeroDependencies = field(default_factory=dict)
    """Dependencies of zeros, if zeros are matched by them."""

    anaphors: frozenset[Place] = frozenset()
    """Places of mentions that belong to the class of `--anaphors`."""

    classes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Class of each mention, by choices in Settings.by; empty if unknown."""

    candidates: Mapping[Place, Sequence[Place]] = field(default_factory=dict)
    """Ranked antecedents of discourse deixis, by place of the anaphor."""

    notes: Mapping[str, int] = field(default_factory=dict)
    """Number of changes that can affect a score, by description."""

    @cached_property
    def mentions(self) -> list[Mention]:
        """All mentions, entity by entity; one in several entities is repeated."""
        return [mention for entity in self.entities for mention in entity.mentions]

    @cached_property
    def entity_of(self) -> list[int]:
        """Position of the entity of each mention."""
        return [i for i, entity in enumerate(self.entities) for _ in entity.mentions]

    @cached_property
    def later_mentions(self) -> frozenset[int]:
        """Positions of mentions that are not the first of their entity."""
        entity_of = self.entity_of
        pairs = enumerate(pairwise(entity_of), 1)
        return frozenset([k for k, (previous, entity) in pairs if previous == entity])

    @cached_property
    def copies(self) -> Mapping[int, Sequence[int]]:
        """Positions of each mention that is in several entities, in file order.

        They are keyed by the last of them, which represents the mention.
        """
        if not self.file_order:
            return {}
        positions: dict[Place, list[int]] = {}
        for position, mention in enumerate(self.mentions):
            positions.setdefault(mention.place, []).append(position)
        ranked = (
            sorted(copies, key=lambda position: self.file_order[self.entity_of[position]])
            for copies in positions.values()
            if len(copies) > 1
        )
        return {copies[-1]: copies for copies in ranked}

    @cached_property
    def distinct(self) -> Sequence[int]:
        """Positions of the mentions, each mention once."""
        if not self.copies:
            return range(len(self.mentions))
        repeated = {position for copies in self.copies.values() for position in copies[:-1]}
        return [position for position in range(len(self.mentions)) if position not in repeated]

    @property
    def distinct_mentions(self) -> list[Mention]:
        """All mentions, each once."""
        if not self.copies:
            return self.mentions
        return [self.mentions[position] for position in self.distinct]

    def counterparts(self, matched: Iterable[tuple[int, int]]) -> dict[int, int]:
        """Return the counterpart of each matched mention, of a repeated one at all its positions.

        The pairs in `matched` have the mentions of this side first.
        """
        if not self.copies:
            return dict(matched)
        return {copy: other for own, other in matched for copy in self.copies.get(own, (own,))}

    @property
    def sizes(self) -> dict[str, int]:
        """Number of documents, mentions, entities and accommodated sets."""
        return {
            "documents": self.documents,
            "mentions": len(self.distinct),
            "entities": len(self.entities),
            "accommodated_sets": sum(bool(entity.elements) for entity in self.entities),
        }

    @property
    def has_sets(self) -> bool:
        """True if an entity has an accommodated set."""
        return any(entity.elements for entity in self.entities)

    def precedes(self, other: Side) -> bool:
        """Return True if this side is earlier at the first entity in which the sides differ."""
        for entities in zip(self.entities, other.entities, strict=False):
            left, right = (([m.order for m in e.mentions], e.elements) for e in entities)
            if left != right:
                return left < right
        return len(self.entities) < len(other.entities)
