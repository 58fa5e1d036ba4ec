"""Mentions that refer to nothing."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from anascore.annotation import dependencies_for
from anascore.layers.counted import Counted, count_matched, found
from anascore.matching import Mentioned, match_mentions
from anascore.matching.zeros import ZeroDependencies
from anascore.mention import Mention, Place
from anascore.model import Document
from anascore.settings import Settings


@dataclass(frozen=True, slots=True)
class Marked:
    """The mentions of a document that are marked as non-referring, each place once."""

    mentions: tuple[Mention, ...] = ()
    types: tuple[str, ...] = ()
    """Of each mention, what kind of mention it is; nothing where the file does not say."""

    dependencies: ZeroDependencies = field(default_factory=dict)
    documents: int = 1
    notes: Mapping[str, int] = field(default_factory=dict)


def non_referring_of(document: Document, _key: Document, settings: Settings) -> Marked:
    """Take the non-referring mentions of a document."""
    once: dict[Place, tuple[Mention, str]] = {}
    for mention, kind in sorted(
        document.nonreferring, key=lambda m: (m.mention.full_order, m.type)
    ):
        if settings.zeros == "keep":
            once.setdefault(mention.place, (mention, kind))
        elif (kept := mention.without_zeros()) is not None:
            once.setdefault(kept.place, (kept, kind))
    return Marked(
        tuple(mention for mention, _ in once.values()),
        tuple(kind for _, kind in once.values()),
        dependencies_for(document, settings),
        notes=document.notes,
    )


def count_non_referring(
    key: Marked, response: Marked, _reported: Collection[str], settings: Settings
) -> Counted:
    """Count the mentions that are marked on both sides; and type by type, if both have types."""
    matched = match_mentions(
        Mentioned(key.mentions, key.dependencies),
        Mentioned(response.mentions, response.dependencies),
        settings,
    )
    of_type = [key.types[k] for k, r in matched if key.types[k] == response.types[r]]
    given = sorted({*key.types, *response.types} - {""})
    return Counted(
        {"documents": key.documents, "mentions": len(key.mentions)},
        {"documents": response.documents, "mentions": len(response.mentions)},
        count_matched(key.mentions, response.mentions, matched),
        {"non-referring": found(len(matched), len(key.mentions), len(response.mentions))},
        classes={
            kind: {
                "non-referring": found(
                    *(of.count(kind) for of in (of_type, key.types, response.types))
                )
            }
            for kind in given
        },
    )
