"""All mentions of a document, whatever they are annotated for: what other layers point at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from anascore.dependencies import dependencies_for
from anascore.matching import Mentioned
from anascore.mention import Mention, Place
from anascore.model import Document
from anascore.normalise import in_order, normalise
from anascore.settings import Settings


@dataclass(frozen=True, slots=True)
class Everything:
    """The mentions of a document, every place once, as they are matched with another's."""

    mentioned: Mentioned = field(default_factory=lambda: Mentioned(()))
    entity_of: Mapping[int, int] = field(default_factory=dict)
    """For the positions of mentions that have an entity, which."""

    position: Mapping[Place, int] = field(default_factory=dict)


def everything_of(document: Document, settings: Settings) -> Everything:
    """Take all mentions, also those that are left out where entities are compared."""
    complete = replace(settings, singletons=True, split=False, remove_nested=False)
    entities = normalise(document.entities, complete)
    others = [found.mention for found in document.nonreferring]
    others += (mention for bridge in document.bridges for mention in bridge[:2])
    kept = (left for mention in others if (left := without_zeros(mention, settings)))
    places = {mention.place for mention in entities.mentions}
    mentions = (*entities.mentions, *(m for m in in_order(list(kept)) if m.place not in places))
    return Everything(
        Mentioned(mentions, dependencies_for(document, settings)),
        dict(enumerate(entities.entity_of)),
        {mention.place: position for position, mention in enumerate(mentions)},
    )


def without_zeros(mention: Mention, settings: Settings) -> Mention | None:
    """Take zeros out of a mention if they are to be dropped."""
    return mention.without_zeros() if settings.zeros == "drop" else mention
