"""A document prepared for scoring: its layers in the form in which they are compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from anascore.entities.anaphor_classes import EntityLayer, class_members
from anascore.entities.breakdowns import classes_of
from anascore.entities.normalisation import AllMentions, all_mentions, normalise
from anascore.entities.side import Side, dependencies_for
from anascore.formats.ua_brackets import PSEUDO_ELEMENTS, PSEUDO_SETS
from anascore.model.document import Document
from anascore.model.mention import Place
from anascore.pairing.joining import MISSING
from anascore.settings import Settings

WITHOUT_HEAD = (
    "mentions of several words without a head, which match only identical mentions without a head"
)
WITHOUT_MINIMUM_SPAN = "mentions of several words without a minimum span, which match only exactly"
UNKNOWN_CLASS = "mentions that may or may not be in the class of anaphors, counted as outside"


@dataclass(frozen=True)
class PreparedDocument:
    """A document of the key or a response. Each layer is extracted once, on demand."""

    document: Document | None
    """None if the response lacks the document, which is then scored as empty."""

    key: Document
    settings: Settings

    @property
    def count(self) -> int:
        """1, or 0 if the document is missing."""
        return int(self.document is not None)

    @property
    def notes(self) -> Mapping[str, int]:
        """Notes on the document, for layers that add none."""
        return MISSING if self.document is None else self.document.notes

    @property
    def text_document(self) -> Document:
        """The document that supplies mention texts: the key's if this one is missing."""
        return self.document or self.key

    @cached_property
    def identity(self) -> Side:
        """The entities."""
        if self.document is None:
            return Side(documents=0, notes=MISSING)
        return self._side(
            EntityLayer(self.document, self.document.entities),
            EntityLayer(self.key, self.key.entities),
        )

    @cached_property
    def discourse_deixis(self) -> Side:
        """The entities of discourse deixis."""
        if self.document is None:
            return Side(documents=0, notes=MISSING)
        return self._side(
            EntityLayer(self.document, self.document.deixis),
            EntityLayer(self.key, self.key.deixis),
        )

    @property
    def candidates(self) -> dict[Place, list[Place]]:
        """Ranked antecedents of discourse deixis, by the anaphor's place."""
        return {
            anaphor.place: [mention.place for mention in ranked]
            for anaphor, ranked in (self.document.candidates if self.document else ())
        }

    @cached_property
    def all_mentions(self) -> AllMentions:
        """The mentions of entities, bridging and non-referring mentions, all together."""
        return (
            AllMentions()
            if self.document is None
            else all_mentions(self.document, self.key, self.settings)
        )

    def _side(self, own: EntityLayer, key: EntityLayer) -> Side:
        """Normalise entities; add their dependencies, classes and notes."""
        settings = self.settings
        side = normalise(own.entities, settings)
        notes = {**own.document.notes, **side.notes}
        anaphors: frozenset[Place] = frozenset()
        if settings.anaphors:
            anaphors, notes[UNKNOWN_CLASS] = class_members(side, own, key, settings)
        if settings.convention == "ua":
            notes |= dict.fromkeys((PSEUDO_ELEMENTS, PSEUDO_SETS), 0)
        if settings.match == "head":
            notes[WITHOUT_HEAD] = sum(m.size > 1 and m.head is None for m in side.mentions)
        if settings.match == "partial" and own.document is key.document:
            notes[WITHOUT_MINIMUM_SPAN] = sum(
                m.size > 1 and m.required_part is None for m in side.mentions
            )
        return replace(
            side,
            dependencies=dependencies_for(own.document, key.document, settings),
            anaphors=anaphors,
            classes=classes_of(side, own, key, settings) if settings.by else {},
            notes=notes,
        )
