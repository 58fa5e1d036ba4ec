"""One side of a comparison: a document's normalised entities."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from anascore.errors import MismatchError
from anascore.formats.columns import Dependencies, ZeroDependencies, zero_dependencies
from anascore.model.document import Document, Entity
from anascore.model.mention import Mention, Place, Zero
from anascore.settings import Settings


def dependencies_for(
    document: Document, key: Document, settings: Settings
) -> dict[Zero, Dependencies]:
    """Read the dependencies of zeros, if zeros are matched by dependencies.

    Zeros in a language model's output take the dependencies of the key's zeros in the same places.
    The document must have the key's words.
    """
    if settings.zero_match != "dependent":
        return {}
    if not has_key_dependencies(document):
        check_has_columns(document)
        return zero_dependencies(document)
    zeros = {*document.zeros}
    return {zero: of for zero, of in zero_dependencies(key).items() if zero in zeros}


def has_key_dependencies(document: Document) -> bool:
    """Test whether a document's zeros take their dependencies from the key."""
    return document.rewritten and document.table is None


def check_has_columns(document: Document) -> None:
    """Raise MismatchError if aligning the words has lost the dependencies of zeros."""
    if document.zeros and document.response_words and document.table is None:
        message = (
            f"{document.path or 'in Python'}: the words of document {document.name!r} differ from "
            f"the key's, so its zeros have no parents there; give it the words of the key, or "
            f"leave out --zero-match dependent and --layer zeros"
        )
        raise MismatchError(message)


@dataclass(frozen=True)
class Side:
    """The normalised entities of one document in the key or a response.

    Entities are sorted by their first mentions, and mentions by document order. Every entity has a
    mention, and elements are atomic entities, in order. No mention belongs to two entities, unless
    `repeated_mentions` is "all".
    """

    entities: tuple[Entity[Mention], ...] = ()
    nonreferring: tuple[Entity[Mention], ...] = ()
    """Elements of sets that are not entities, in the `ua` convention. Their positions continue
    those of the entities, and their mentions belong to no entity."""

    file_order: tuple[int, ...] = ()
    """Each entity's rank in the file; empty if no mention belongs to two entities."""

    documents: int = 1
    """1, or 0 if this side lacks the document."""

    children: tuple[tuple[int, ...], ...] = ()
    """Each entity's annotated elements, and the atomic ones below them."""

    annotated: Sequence[Entity[Mention]] = field(default=(), repr=False, compare=False)
    """The document's entities before normalisation."""

    dependencies: ZeroDependencies = field(default_factory=dict)
    """Dependencies of zeros, if zeros are matched by dependencies."""

    anaphors: frozenset[Place] = frozenset()
    """Places of mentions that belong to the class of `--anaphors`."""

    classes: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """Class of each mention, by choices in Settings.by; empty if unknown."""

    notes: Mapping[str, int] = field(default_factory=dict)
    """Number of changes that can affect a score, by description."""

    @property
    def possible_elements(self) -> tuple[Entity[Mention], ...]:
        """The entities, and elements that are not entities, by position."""
        return self.entities + self.nonreferring

    @cached_property
    def mentions(self) -> list[Mention]:
        """All mentions, entity by entity; one that belongs to several entities is repeated."""
        return [mention for entity in self.entities for mention in entity.mentions]

    @cached_property
    def entity_of(self) -> list[int]:
        """Position of each mention's entity."""
        return [i for i, entity in enumerate(self.entities) for _ in entity.mentions]

    @cached_property
    def later_mentions(self) -> frozenset[int]:
        """Positions of mentions that are not the first in their entity."""
        entity_of = self.entity_of
        pairs = enumerate(pairwise(entity_of), 1)
        return frozenset([k for k, (previous, entity) in pairs if previous == entity])

    @cached_property
    def repeated(self) -> Mapping[int, Sequence[int]]:
        """Positions of each mention that belongs to several entities, in file order.

        They are keyed by the last position, which represents the mention.
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
    def unique_positions(self) -> Sequence[int]:
        """Positions that list each mention once."""
        if not self.repeated:
            return range(len(self.mentions))
        repeated = {position for copies in self.repeated.values() for position in copies[:-1]}
        return [position for position in range(len(self.mentions)) if position not in repeated]

    @property
    def unique_mentions(self) -> list[Mention]:
        """All mentions, each once."""
        if not self.repeated:
            return self.mentions
        return [self.mentions[position] for position in self.unique_positions]

    def counterparts(self, matched: Iterable[tuple[int, int]]) -> dict[int, int]:
        """Map each matched mention to its counterpart, and a repeated mention at all its positions.

        The pairs in `matched` start with this side's mention.
        """
        if not self.repeated:
            return dict(matched)
        return {copy: other for own, other in matched for copy in self.repeated.get(own, (own,))}

    @property
    def sizes(self) -> dict[str, int]:
        """Number of documents, mentions, entities and accommodated sets."""
        return {
            "documents": self.documents,
            "mentions": len(self.unique_positions),
            "entities": len(self.entities),
            "accommodated_sets": sum(bool(entity.elements) for entity in self.entities),
        }

    @property
    def has_sets(self) -> bool:
        """True if any entity has an accommodated set."""
        return any(entity.elements for entity in self.entities)

    def without_nonreferring(self) -> Side:
        """Remove elements that are not entities; a set of nothing else loses its set."""
        if not self.nonreferring:
            return self
        within = range(len(self.entities))
        entities = (
            replace(entity, elements=tuple(e for e in entity.elements if e in within))
            for entity in self.entities
        )
        children = (tuple(child for child in own if child in within) for own in self.children)
        return replace(self, entities=tuple(entities), nonreferring=(), children=tuple(children))

    def precedes(self, other: Side) -> bool:
        """Test whether this side is earlier at the first entity in which the sides differ."""
        for entities in zip(self.possible_elements, other.possible_elements, strict=False):
            left, right = (([m.order for m in e.mentions], e.elements) for e in entities)
            if left != right:
                return left < right
        return len(self.entities) < len(other.entities)
