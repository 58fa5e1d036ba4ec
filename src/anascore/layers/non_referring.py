"""Mentions that refer to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from anascore.layers.counts import LayerCounts, count_matched
from anascore.matching import match_mentions
from anascore.model.document import Document
from anascore.model.ratio import shared_score
from anascore.prepare.normalise import AllMentions, all_mentions, without_zeros
from anascore.settings import Settings


@dataclass(frozen=True, slots=True)
class NonReferringMentions:
    """The mentions of a document that are marked as non-referring, among all."""

    everything: AllMentions = field(default_factory=AllMentions)
    types: Mapping[int, str] = field(default_factory=dict)
    """Of each marked mention, what kind it is; nothing where the file does not say."""

    documents: int = 1
    notes: Mapping[str, int] = field(default_factory=dict)


def non_referring_of(
    document: Document, _key: Document, settings: Settings
) -> NonReferringMentions:
    """Take the non-referring mentions of a document."""
    everything = all_mentions(document, settings)
    types: dict[int, str] = {}
    for mention, kind in sorted(document.nonreferring, key=lambda marked: marked.type):
        if left := without_zeros(mention, settings):
            position = everything.position[left.place]
            types[position] = types.get(position) or kind
    return NonReferringMentions(everything, types, notes=document.notes)


def count_non_referring(
    key: NonReferringMentions,
    response: NonReferringMentions,
    _reported: Collection[str],
    settings: Settings,
) -> LayerCounts:
    """Count the mentions that are marked on both sides, and type by type."""
    mentions = key.everything, response.everything
    pairs = [
        (k, r)
        for k, r in match_mentions(*mentions, settings)
        if k in key.types and r in response.types
    ]
    sizes = len(key.types), len(response.types)
    of_type = Counter(key.types[k] for k, r in pairs if key.types[k] == response.types[r])
    in_key, in_response = Counter(key.types.values()), Counter(response.types.values())
    return LayerCounts(
        {"documents": key.documents, "mentions": sizes[0]},
        {"documents": response.documents, "mentions": sizes[1]},
        count_matched(*mentions, pairs, sizes),
        {"non-referring": shared_score(len(pairs), *sizes)},
        classes={
            kind: {"non-referring": shared_score(of_type[kind], in_key[kind], in_response[kind])}
            for kind in sorted({*in_key, *in_response} - {""})
        },
    )
