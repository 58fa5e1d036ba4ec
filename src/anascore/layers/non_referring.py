"""Non-referring mentions, like the subject of "it rains"."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from anascore.entities.document import PreparedDocument
from anascore.entities.normalisation import without_zeros
from anascore.layers.counts import LayerCounts, count_matched
from anascore.layers.document import DocumentComparison
from anascore.model.ratio import shared_score


def non_referring_types(prepared: PreparedDocument) -> dict[int, str]:
    """Return the types of non-referring mentions, by their positions among all mentions.

    The type is empty if the file names none.
    """
    types: dict[int, str] = {}
    document = prepared.document
    for mention, kind in sorted(document.nonreferring, key=lambda m: m.type) if document else ():
        if kept := without_zeros(mention, prepared.settings):
            position = prepared.all_mentions.position[kept.place]
            types[position] = types.get(position) or kind
    return types


def count_non_referring(pair: DocumentComparison, _reported: Collection[str]) -> LayerCounts:
    """Count mentions that are non-referring on both sides, in total and by type."""
    key, response = non_referring_types(pair.key), non_referring_types(pair.response)
    matched = [(k, r) for k, r in pair.matched if k in key and r in response]
    sizes = len(key), len(response)
    same_type = Counter(key[k] for k, r in matched if key[k] == response[r])
    in_key, in_response = Counter(key.values()), Counter(response.values())
    return LayerCounts(
        {"documents": pair.key.count, "mentions": sizes[0]},
        {"documents": pair.response.count, "mentions": sizes[1]},
        count_matched(pair.key.all_mentions, pair.response.all_mentions, matched, sizes),
        {"non-referring": shared_score(len(matched), *sizes)},
        classes={
            kind: {"non-referring": shared_score(same_type[kind], in_key[kind], in_response[kind])}
            for kind in sorted({*in_key, *in_response} - {""})
        },
    )
