"""What there is in a corpus: counts of words, mentions, entities, sets and the rest."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby

from anascore.formats.friends import is_generic
from anascore.model.document import Document
from anascore.model.mention import Mention, Unit
from anascore.prepare.normalise import normalise
from anascore.settings import Settings


@dataclass(frozen=True, slots=True)
class Stats:
    """What there is in one document, or in several."""

    documents: int = 0
    words: int = 0
    sentences: int = 0
    mentions: int = 0
    entities: int = 0
    singletons: int = 0
    """Entities of one mention and without elements."""

    generic_entities: int = 0
    """Entities that are named by a generic label, as in Friends."""

    generic_mentions: int = 0
    accommodated_sets: int = 0
    nested_sets: int = 0
    """Accommodated sets with an element that has an accommodated set itself."""

    split_mentions: int = 0
    """Mentions of entities that have an accommodated set."""

    results: int = 0
    """Entities that are the result of their elements, and not the set of them."""

    non_referring: int = 0
    bridging_links: int = 0
    deixis_entities: int = 0
    deixis_mentions: int = 0
    deixis_sets: int = 0
    zeros: int = 0
    zero_mentions: int = 0
    discontinuous_mentions: int = 0
    nested_mentions: int = 0
    """Mentions between the first and the last word of another mention."""

    crossing_mentions: int = 0
    """Mentions that start inside of another and end outside of it, or the other way round."""

    chain_lengths: Counter[int] = field(default_factory=Counter)
    """How many entities have so many mentions."""

    set_sizes: Counter[int] = field(default_factory=Counter)
    """How many accommodated sets have so many elements."""

    left_out: Counter[str] = field(default_factory=Counter)
    """What was left out when the file was read, and when entities were made ready for scoring."""

    def __add__(self, other: Stats) -> Stats:
        return Stats(*(getattr(self, name) + getattr(other, name) for name in self.__slots__))

    @property
    def entity_share(self) -> float | None:
        """The share of entities that have an accommodated set."""
        return self.accommodated_sets / self.entities if self.entities else None

    @property
    def entity_share_generic_apart(self) -> float | None:
        """The share of entities that have a set of several elements, as the paper has it.

        Each generic mention is an entity of its own here. None without generic mentions.
        """
        if not self.generic_mentions:
            return None
        several = self.accommodated_sets - self.set_sizes[1]
        return several / (self.entities - self.generic_entities + self.generic_mentions)

    @property
    def mention_share(self) -> float | None:
        """The share of mentions whose entities have an accommodated set."""
        return self.split_mentions / self.mentions if self.mentions else None

    @property
    def anaphor_share(self) -> float | None:
        """The share of mentions that are the first of an entity with an accommodated set.

        These are the split-antecedent anaphors: later mentions of the entity have them as their
        antecedents.
        """
        return self.accommodated_sets / self.mentions if self.mentions else None

    @property
    def mean_length(self) -> float | None:
        """The mean number of mentions of an entity."""
        return self.mentions / self.entities if self.entities else None


def count(document: Document) -> Stats:
    """Count what there is in a document, its entities as they are scored by default."""
    side, deixis = (normalise(found, Settings()) for found in (document.entities, document.deixis))
    entities, mentions = side.entities, side.mentions
    sets = [entity for entity in entities if entity.is_set]
    generic = [entity for entity in entities if is_generic(entity.name) and not entity.elements]
    nested, crossing = overlapping(mentions)
    return Stats(
        documents=1,
        words=len(document.words),
        sentences=len(document.sentences),
        mentions=len(mentions),
        entities=len(entities),
        singletons=sum(len(e.mentions) == 1 and not e.elements for e in entities),
        generic_entities=len(generic),
        generic_mentions=sum(len(entity.mentions) for entity in generic),
        accommodated_sets=len(sets),
        nested_sets=sum(
            entity.is_set and any(entities[child].is_set for child in children)
            for entity, children in zip(entities, side.children, strict=True)
        ),
        split_mentions=sum(len(entity.mentions) for entity in sets),
        results=sum(bool(entity.elements) for entity in entities) - len(sets),
        non_referring=len(document.nonreferring),
        bridging_links=len(document.bridges),
        deixis_entities=len(deixis.entities),
        deixis_mentions=len(deixis.mentions),
        deixis_sets=sum(entity.is_set for entity in deixis.entities),
        zeros=len(document.zeros),
        zero_mentions=sum(mention.is_zero for mention in mentions),
        discontinuous_mentions=sum(len(mention.words) > 1 for mention in mentions),
        nested_mentions=nested,
        crossing_mentions=crossing,
        chain_lengths=Counter(len(entity.mentions) for entity in entities),
        set_sizes=Counter(len(entity.elements) for entity in sets),
        left_out=Counter(document.notes) + Counter(side.notes) + Counter(deixis.notes),
    )


def overlapping(mentions: Iterable[Mention]) -> tuple[int, int]:
    """Count mentions inside of another, and mentions that cross another, by first and last word."""
    spans = Counter(mention.order[:2] for mention in mentions)
    nested = 0
    reach: Unit | None = None
    for first, last in sorted(spans, key=lambda span: (span[0], (-span[1][0], -span[1][1]))):
        if reach is not None and last <= reach:
            nested += spans[first, last]
        else:
            reach = last
    # Read backwards, a span that another one crosses at its end is crossed at its start.
    backwards = map(_mirrored, _end_outside(map(_mirrored, spans)))
    crossing = _end_outside(spans) | set(backwards)
    return nested, sum(spans[span] for span in crossing)


def _mirrored(span: tuple[Unit, Unit]) -> tuple[Unit, Unit]:
    """Read the text backwards."""
    (first, first_rank), (last, last_rank) = span
    return (-last, -last_rank), (-first, -first_rank)


def _end_outside(spans: Iterable[tuple[Unit, Unit]]) -> set[tuple[Unit, Unit]]:
    """Find the spans that start inside of one that starts before, and end after it."""
    found = set()
    lasts: list[Unit] = []
    for _, group in groupby(sorted(spans), key=lambda span: span[0]):
        together = list(group)
        for first, last in together:
            if bisect_left(lasts, first) < bisect_left(lasts, last):
                found.add((first, last))
        for _, last in together:
            insort(lasts, last)
    return found
