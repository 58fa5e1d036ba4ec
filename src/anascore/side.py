"""One side of a comparison: the entities of a document as they are scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from anascore.matching import Mentioned
from anascore.matching.zeros import ZeroDependencies
from anascore.mention import Mention, Place
from anascore.model import Entity


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

    @property
    def mentioned(self) -> Mentioned:
        """The mentions, ready to be matched."""
        return Mentioned(self.mentions, self.dependencies)

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

    def comes_before(self, other: Side) -> bool:
        """Tell whether this side is the earlier one at the first entity in which they differ."""
        for entities in zip(self.entities, other.entities, strict=False):
            mine, theirs = (([m.order for m in e.mentions], e.elements) for e in entities)
            if mine != theirs:
                return mine < theirs
        return len(self.entities) < len(other.entities)
