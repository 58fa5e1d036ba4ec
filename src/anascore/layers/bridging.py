"""Bridging (Hou et al. 2018): which anaphors there are, and what they are related to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from anascore.annotation import dependencies_for
from anascore.layers.counted import Counted, Sizes, count_matched, found
from anascore.matching import Mentioned, match_mentions
from anascore.matching.pairs import Matched
from anascore.matching.zeros import ZeroDependencies
from anascore.mention import Mention
from anascore.model import Document
from anascore.normalise import in_order, normalise
from anascore.ratio import Rows
from anascore.settings import Settings


class Link(NamedTuple):
    """An anaphor and its anchor, by their positions."""

    anaphor: int
    anchor: int
    relation: str


@dataclass(frozen=True, slots=True)
class Bridging:
    """The bridging of a document; every place is there once."""

    anaphors: tuple[Mention, ...] = ()
    mentions: tuple[Mention, ...] = ()
    """All mentions of entities, and anchors that have none: what can be an anchor."""

    entity_of: Mapping[int, int] = field(default_factory=dict)
    """For the mentions that have an entity, which."""

    links: tuple[Link, ...] = ()
    dependencies: ZeroDependencies = field(default_factory=dict)
    documents: int = 1
    notes: Mapping[str, int] = field(default_factory=dict)


def bridging_of(document: Document, _key: Document, settings: Settings) -> Bridging:
    """Take the bridging of a document; every mention can be an anchor, wherever it is left out."""
    everything = replace(settings, singletons=True, split=False, remove_nested=False)
    entities = normalise(document.entities, everything)
    change: Callable[[Mention], Mention | None] = (
        Mention.without_zeros if settings.zeros == "drop" else lambda mention: mention
    )
    changed = ((change(b.anaphor), change(b.anchor), b.relation) for b in document.bridges)
    bridges = [(a, b, relation) for a, b, relation in changed if a and b]
    anaphors = in_order([anaphor for anaphor, _, _ in bridges])
    alone = in_order([anchor for _, anchor, _ in bridges])
    in_entities = {mention.place for mention in entities.mentions}
    mentions = (*entities.mentions, *(m for m in alone if m.place not in in_entities))
    anaphor_at = {mention.place: position for position, mention in enumerate(anaphors)}
    anchor_at = {mention.place: position for position, mention in enumerate(mentions)}
    links = {Link(anaphor_at[a.place], anchor_at[b.place], rel) for a, b, rel in bridges}
    return Bridging(
        anaphors,
        mentions,
        dict(enumerate(entities.entity_of)),
        tuple(sorted(links)),
        dependencies_for(document, settings),
        notes=document.notes,
    )


def count_bridging(
    key: Bridging, response: Bridging, _reported: Collection[str], settings: Settings
) -> Counted:
    """Match anaphors and anchors, and compare the links between them."""
    anaphors = _match(key, response, key.anaphors, response.anaphors, settings)
    anchors = _match(key, response, key.mentions, response.mentions, settings)
    of_anaphor, of_anchor = ({r: k for k, r in pairs} for pairs in (anaphors, anchors))
    # What the response has in no pair is a number below 0, and so nothing that the key has.
    translated = [
        Link(of_anaphor.get(a, ~a), of_anchor.get(b, ~b), relation)
        for a, b, relation in response.links
    ]
    relations = {link.relation for link in (*key.links, *response.links)} - {""}
    return Counted(
        _sizes(key),
        _sizes(response),
        count_matched(key.anaphors, response.anaphors, anaphors),
        compare_links(key.links, translated, key.entity_of),
        classes={
            relation: compare_links(
                [link for link in key.links if link.relation == relation],
                [link for link in translated if link.relation == relation],
                key.entity_of,
            )
            for relation in sorted(relations)
        },
    )


def compare_links(
    key: Iterable[Link], response: Iterable[Link], entity_of: Mapping[int, int]
) -> dict[str, Rows]:
    """Compare links, those of the response in the numbers of the key's mentions.

    Recognition counts anaphors, the others count links. The anchor is right at mention level if it
    is the key's anchor, and at entity level if it is a mention of that one's entity in the key.
    """
    links = [{(link.anaphor, link.anchor) for link in side} for side in (key, response)]
    anaphors = [{anaphor for anaphor, _ in side} for side in links]
    # A mention without entity stands for itself; two links to one entity need two in return.
    entities = [
        Counter(
            (anaphor, anchor in entity_of, entity_of.get(anchor, anchor))
            for anaphor, anchor in side
        )
        for side in links
    ]
    sizes = [len(side) for side in links]
    return {
        "bridging-anaphors": found(len(anaphors[0] & anaphors[1]), *map(len, anaphors)),
        "bridging-mentions": found(len(links[0] & links[1]), *sizes),
        "bridging-entities": found((entities[0] & entities[1]).total(), *sizes),
    }


def _match(
    key: Bridging,
    response: Bridging,
    of_key: Sequence[Mention],
    of_response: Sequence[Mention],
    settings: Settings,
) -> Matched:
    return match_mentions(
        Mentioned(of_key, key.dependencies), Mentioned(of_response, response.dependencies), settings
    )


def _sizes(side: Bridging) -> Sizes:
    links = {(link.anaphor, link.anchor) for link in side.links}
    return {"documents": side.documents, "anaphors": len(side.anaphors), "links": len(links)}
