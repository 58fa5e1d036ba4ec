"""Bridging (Hou et al. 2018): which anaphors there are, and what they are related to."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from anascore.layers.counts import LayerCounts, Sizes, count_matched
from anascore.matching import match_mentions
from anascore.model.document import Document, Entity
from anascore.model.ratio import Components, shared_score
from anascore.model.transform import Anchors
from anascore.prepare.normalise import AllMentions, all_mentions, without_zeros
from anascore.settings import Settings


class Link(NamedTuple):
    """An anaphor and its anchor, by their positions."""

    anaphor: int
    anchor: int | None
    """None if it was left out with the zeros, and nothing else is in its entity."""

    relation: str = ""


@dataclass(frozen=True, slots=True)
class Bridging:
    """The bridging of a document, among all its mentions."""

    everything: AllMentions = field(default_factory=AllMentions)
    links: tuple[Link, ...] = ()
    documents: int = 1
    notes: Mapping[str, int] = field(default_factory=dict)

    @property
    def anaphors(self) -> set[int]:
        """The positions of the anaphors."""
        return {link.anaphor for link in self.links}

    @property
    def sizes(self) -> Sizes:
        """How much there is in this document."""
        links = {(a, b) for a, b, _ in self.links if b is not None}
        return {"documents": self.documents, "anaphors": len(self.anaphors), "links": len(links)}


def bridging_of(document: Document, _key: Document, settings: Settings) -> Bridging:
    """Take the bridging of a document."""
    everything = all_mentions(document, settings)
    links = dict.fromkeys(_links(document, everything, settings))
    return Bridging(everything, tuple(links), notes=document.notes)


def _links(document: Document, everything: AllMentions, settings: Settings) -> Iterator[Link]:
    """Give the links; the anchor that is left out is replaced by what is left of its entity."""
    entities = [
        Entity([left for m in entity.mentions if (left := without_zeros(m, settings))])
        for entity in document.entities
    ]
    anchors = Anchors(entities)
    for bridge in document.bridges:
        anaphor, anchor = (without_zeros(mention, settings) for mention in bridge[:2])
        if anaphor is None:
            continue
        if anchor is None and bridge.entity is not None and entities[bridge.entity].mentions:
            anchor = anchors.before(anaphor, bridge.entity)
        yield Link(
            everything.position[anaphor.place],
            None if anchor is None else everything.position[anchor.place],
            bridge.relation,
        )


def count_bridging(
    key: Bridging, response: Bridging, _reported: Collection[str], settings: Settings
) -> LayerCounts:
    """Match mentions, and compare the links between them."""
    mentions = key.everything, response.everything
    matched = match_mentions(*mentions, settings)
    entity_of = key.everything.entity_of
    counterpart = {r: k for k, r in matched}
    # What the response has in no pair is a number below 0, and so nothing that the key has.
    translated = [
        Link(counterpart.get(a, ~a), None if b is None else counterpart.get(b, ~b), relation)
        for a, b, relation in response.links
    ]
    by_relation: dict[str, tuple[list[Link], list[Link]]] = defaultdict(lambda: ([], []))
    for side, links in enumerate((key.links, translated)):
        for link in links:
            by_relation[link.relation][side].append(link)
    anaphors = key.anaphors, response.anaphors
    pairs = [(k, r) for k, r in matched if k in anaphors[0] and r in anaphors[1]]
    return LayerCounts(
        key.sizes,
        response.sizes,
        count_matched(*mentions, pairs, (len(anaphors[0]), len(anaphors[1]))),
        compare_links(key.links, translated, entity_of),
        classes={
            relation: compare_links(*by_relation[relation], entity_of)
            for relation in sorted(by_relation)
            if relation
        },
    )


def compare_links(
    key: Iterable[Link], response: Iterable[Link], entity_of: Mapping[int, int]
) -> dict[str, Components]:
    """Compare links, those of the response in the numbers of the key's mentions.

    Recognition counts anaphors, the others count links. The anchor is right at mention level if it
    is the key's anchor, and at entity level if it is a mention of that one's entity in the key.
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
