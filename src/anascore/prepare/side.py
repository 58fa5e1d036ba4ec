"""One side of a comparison: the entities of a document as they are scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple, TypeAlias

from anascore.formats.conllu import NO_VALUE, Cells
from anascore.model.document import Document, Entity, Table
from anascore.model.mention import Mention, Place, Unit, Zero
from anascore.settings import Settings


class Dependencies(NamedTuple):
    """What a zero depends on."""

    sentence: int
    """The number of words before its sentence."""

    links: frozenset[tuple[Unit | None, str]]
    """Its parents, None for the root, each with the relation."""

    @property
    def parents(self) -> frozenset[Unit | None]:
        """What it depends on, whatever the relation."""
        return frozenset(parent for parent, _ in self.links)


ZeroDependencies: TypeAlias = Mapping[Zero, Dependencies]


def dependencies_for(document: Document, settings: Settings) -> dict[Zero, Dependencies]:
    """Return what zeros depend on, if they are to be matched by that."""
    return zero_dependencies(document) if settings.zero_match == "dependent" else {}


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
    """Give the parents and relations in a column DEPS; a parent that is not there is left out."""
    if dependencies != NO_VALUE:
        for link in dependencies.split("|"):
            parent, _, relation = link.partition(":")
            if parent in units:
                yield units[parent], relation


@dataclass(frozen=True)
class Side:
    """The key's or the response's entities of one document, ready to be compared.

    Entities are in the order of their first mentions, and so are the mentions of each; no mention
    is in two entities; every entity has a mention; elements are atomic entities, in order.
    """

    entities: tuple[Entity[Mention], ...] = ()
    documents: int = 1
    """1, or 0 where this side has no such document."""

    children: tuple[tuple[int, ...], ...] = ()
    """For each entity with a set the elements as annotated, and the atomic ones below them."""

    dependencies: ZeroDependencies = field(default_factory=dict)
    """What zeros depend on, if they are matched by that."""

    anaphors: frozenset[Place] = frozenset()
    """The places of mentions of the class whose anaphors are scored by themselves."""

    classes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By what scores are broken down, the class of each mention; nothing where it is unknown."""

    candidates: Mapping[Place, Sequence[Place]] = field(default_factory=dict)
    """Ranked antecedents of discourse deixis, by the places of anaphors."""

    notes: Mapping[str, int] = field(default_factory=dict)
    """What was done that can change a score, and how often."""

    @cached_property
    def mentions(self) -> list[Mention]:
        """The mentions of the first entity, then those of the second, and so on."""
        return [mention for entity in self.entities for mention in entity.mentions]

    @cached_property
    def entity_of(self) -> list[int]:
        """For each of the mentions the position of its entity."""
        return [i for i, entity in enumerate(self.entities) for _ in entity.mentions]

    @property
    def sizes(self) -> dict[str, int]:
        """How much there is in this document."""
        return {
            "documents": self.documents,
            "mentions": len(self.mentions),
            "entities": len(self.entities),
            "accommodated_sets": sum(bool(entity.elements) for entity in self.entities),
        }

    def precedes(self, other: Side) -> bool:
        """Tell whether this side is the earlier one at the first entity in which they differ."""
        for entities in zip(self.entities, other.entities, strict=False):
            mine, theirs = (([m.order for m in e.mentions], e.elements) for e in entities)
            if mine != theirs:
                return mine < theirs
        return len(self.entities) < len(other.entities)
