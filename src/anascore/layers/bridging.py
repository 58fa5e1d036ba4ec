"""Bridging (Hou et al. 2018): recognition of anaphors, and resolution to their anchors."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from typing import NamedTuple

from anascore.entities.document import PreparedDocument
from anascore.entities.normalisation import without_zeros
from anascore.layers.counts import LayerCounts, Sizes, count_matched
from anascore.layers.document import DocumentComparison
from anascore.model.document import Entity
from anascore.model.ratio import Components, shared_score
from anascore.model.transform import Anchors


class Link(NamedTuple):
    """An anaphor and its anchor, by their positions among all mentions."""

    anaphor: int
    anchor: int | None
    """None if the anchor was dropped with the zeros, and nothing else is left of its entity."""

    relation: str = ""


def bridging_links(prepared: PreparedDocument) -> list[Link]:
    """List a document's bridging links without duplicates, by positions among all mentions.

    An anchor that is dropped with the zeros is replaced by what is left of its entity.
    """
    document, settings = prepared.document, prepared.settings
    if document is None:
        return []
    entities = [
        Entity([kept for m in entity.mentions if (kept := without_zeros(m, settings))])
        for entity in document.entities
    ]
    anchors = Anchors(entities)
    position = prepared.all_mentions.position
    links = []
    for bridge in document.bridges:
        anaphor, anchor = (without_zeros(mention, settings) for mention in bridge[:2])
        if anaphor is None:
            continue
        if anchor is None and bridge.entity is not None and entities[bridge.entity].mentions:
            anchor = anchors.before(anaphor, bridge.entity)
        at = None if anchor is None else position[anchor.place]
        links.append(Link(position[anaphor.place], at, bridge.relation))
    return list(dict.fromkeys(links))


def count_bridging(pair: DocumentComparison, _reported: Collection[str]) -> LayerCounts:
    """Count a document's anaphors and links."""
    key, response = bridging_links(pair.key), bridging_links(pair.response)
    entity_of = pair.key.all_mentions.entity_of
    counterpart = {r: k for k, r in pair.matched}
    # Unmatched mentions of the response get negative numbers, which no mention of the key has.
    translated = [
        Link(counterpart.get(a, ~a), None if b is None else counterpart.get(b, ~b), relation)
        for a, b, relation in response
    ]
    by_relation: dict[str, tuple[list[Link], list[Link]]] = defaultdict(lambda: ([], []))
    for side, links in enumerate((key, translated)):
        for link in links:
            by_relation[link.relation][side].append(link)
    anaphors = _anaphors(key), _anaphors(response)
    matched = [(k, r) for k, r in pair.matched if k in anaphors[0] and r in anaphors[1]]
    return LayerCounts(
        _sizes(key, pair.key.count),
        _sizes(response, pair.response.count),
        count_matched(
            pair.key.all_mentions,
            pair.response.all_mentions,
            matched,
            (len(anaphors[0]), len(anaphors[1])),
        ),
        compare_links(key, translated, entity_of),
        classes={
            relation: compare_links(*by_relation[relation], entity_of)
            for relation in sorted(by_relation)
            if relation
        },
    )


def _anaphors(links: Iterable[Link]) -> set[int]:
    return {link.anaphor for link in links}


def _sizes(links: Iterable[Link], documents: int) -> Sizes:
    distinct = {(a, b) for a, b, _ in links if b is not None}
    return {"documents": documents, "anaphors": len(_anaphors(links)), "links": len(distinct)}


def compare_links(
    key: Iterable[Link], response: Iterable[Link], entity_of: Mapping[int, int]
) -> dict[str, Components]:
    """Compare links, after translating the response's mentions to the key's numbers.

    Recognition counts anaphors, all other scores count links. The anchor is right at mention level
    if it is the key's anchor, and at entity level if it belongs to the entity of the key's anchor.
    """
    anaphors = [{link.anaphor for link in side} for side in (key, response)]
    links = [{(a, b) for a, b, _ in side if b is not None} for side in (key, response)]
    # A mention without entity stands for itself; two links to one entity need two in return.
    entities = [
        Counter((a, b in entity_of, entity_of.get(b, b)) for a, b in side) for side in links
    ]
    sizes = [len(side) for side in links]
    return {
        "bridging-anaphors": shared_score(len(anaphors[0] & anaphors[1]), *map(len, anaphors)),
        "bridging-mentions": shared_score(len(links[0] & links[1]), *sizes),
        "bridging-entities": shared_score((entities[0] & entities[1]).total(), *sizes),
    }
