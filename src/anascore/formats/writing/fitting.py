"""What of a document a format can hold: the document without the rest, and the rest counted."""

from __future__ import annotations

import re
from bisect import bisect_left, insort
from collections import Counter
from dataclasses import replace
from itertools import groupby, pairwise

from anascore.formats.places import Run, mention, runs_of, units_of
from anascore.formats.writing.capacity import MODELLED, Capacity
from anascore.formats.writing.columns import count_columns
from anascore.formats.writing.relations import fit_bridges, fit_nonreferring, fit_sets
from anascore.formats.writing.units import to_characters, to_words
from anascore.mapping import map_mentions
from anascore.mention import Mention, Unit, Zero
from anascore.model import Document, Entity


def fit(document: Document, capacity: Capacity) -> tuple[Document, Counter[str]]:
    """Take out what a format cannot hold, and count it by what it is."""
    lost: Counter[str] = Counter()
    count_columns(document, capacity, lost)
    if document.in_characters and not capacity.characters:
        document = to_words(document, lost)
    elif capacity.characters and not document.in_characters:
        document = to_characters(document, lost)
    for take_out in (
        _fit_mentions,
        _fit_crossing,
        fit_sets,
        fit_nonreferring,
        fit_bridges,
        _fit_rest,
    ):
        document = take_out(document, capacity, lost)
    return document, +lost


def _fit_mentions(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Fit each mention for itself."""
    zeros = frozenset(document.zeros) if capacity.zeros else frozenset()
    memory: dict[Mention, Mention | None] = {}

    def change(found: Mention) -> Mention | None:
        if found not in memory:
            memory[found] = _fitted(found, zeros, capacity, lost)
        return memory[found]

    lost["entities without mentions"] += sum(
        not entity.mentions for layer in (document.entities, document.deixis) for entity in layer
    )
    elements = _count_elements(document)
    fitted = map_mentions(document, change)
    lost["bridging links"] += len(document.bridges) - len(fitted.bridges)
    lost["elements of accommodated sets, which have no mentions left"] += (
        elements - _count_elements(fitted)
    )
    if not capacity.zeros:
        lost["zeros"] += len(document.zeros)
        fitted = replace(fitted, zeros=())
    return fitted


def _fitted(
    found: Mention, zeros: frozenset[Zero], capacity: Capacity, lost: Counter[str]
) -> Mention | None:
    words, minimum, head = found.words, found.minimum, found.marked_head
    if found.zeros and not capacity.zeros:
        if found.is_zero:
            lost["mentions that are zeros"] += 1
            return None
        lost["zeros inside mentions, whose words are kept"] += 1
        found = mention(words, (), minimum, None if head and head[1] else head)
    if not capacity.gaps and len(runs_of(found, zeros)) > 1:
        lost["discontinuous mentions"] += 1
        return None
    if capacity.minimum == "no" and (minimum or head):
        lost["minimum spans or heads of mentions"] += 1
        return Mention(found.words, found.zeros)
    if capacity.minimum == "span":
        if head is not None:
            lost["heads that are not the first word of a minimum span"] += 1
        if len(minimum) > 1:
            lost["gaps in minimum spans"] += 1
            minimum = ((minimum[0][0], minimum[-1][1]),)
        return mention(found.words, found.zeros, minimum)
    if capacity.minimum == "words" and not _is_inside(found):
        lost["minimum spans or heads outside of their mentions"] += 1
        return Mention(found.words, found.zeros)
    return found


def _is_inside(found: Mention) -> bool:
    """Tell whether the minimum span and the head are parts of a mention."""
    if not (found.minimum or found.marked_head):
        return True
    minimum = [(word + 1, 0) for start, end in found.minimum for word in range(start, end)]
    return {found.head, *minimum} <= set(units_of(found))


def _count_elements(document: Document) -> int:
    layers = (document.entities, document.deixis)
    return sum(len(entity.elements) for layer in layers for entity in layer)


def _fit_crossing(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out mentions that brackets with the ids of entities cannot tell from another."""
    if capacity.crossing:
        return document
    zeros = frozenset(document.zeros)
    entities = []
    for entity in document.entities:
        runs = [runs_of(found, zeros) for found in entity.mentions]
        kept = _kept(runs)
        lost["mentions that cross another one of the same entity"] += len(runs) - len(kept)
        entities.append(_of(entity, kept) if len(kept) < len(runs) else entity)
    return replace(document, entities=tuple(entities))


def _kept(mentions: list[list[Run]]) -> list[int]:
    """Choose mentions that do not get confused, of those that start first or are shortest."""
    kept: list[int] = []
    lasts: list[Unit] = []
    divided: list[list[Run]] = []
    by_start = sorted(range(len(mentions)), key=lambda i: mentions[i])
    for _, group in groupby(by_start, key=lambda i: mentions[i][0][0]):
        together = list(group)
        # None of those that started before may end inside: they would cross.
        whole = [
            i
            for i in together
            if len(mentions[i]) == 1 and not _any_between(lasts, *mentions[i][0])
        ]
        for i in whole:
            insort(lasts, mentions[i][0][1])
        kept += whole
        for i in together:
            if len(mentions[i]) > 1 and not any(_clash(o, mentions[i]) for o in divided):
                divided.append(mentions[i])
                kept.append(i)
    return sorted(kept)


def _any_between(lasts: list[Unit], first: Unit, last: Unit) -> bool:
    """Tell whether one of the ends lies from a word on, and before another."""
    return bisect_left(lasts, first) < bisect_left(lasts, last)


def _of(entity: Entity[Mention], kept: list[int]) -> Entity[Mention]:
    """Keep some mentions of an entity, with what is said of them."""
    mentions = tuple(entity.mentions)
    return replace(
        entity,
        mentions=tuple(mentions[position] for position in kept),
        attributes=tuple(entity.attributes[i] for i in kept if entity.attributes),
    )


def _clash(first: list[Run], second: list[Run]) -> bool:
    """Tell whether two discontinuous mentions of an entity get confused; the first starts first."""
    if len(first) != len(second) or first == second:
        return False
    gaps = pairwise(first)
    inside = any(a[1] < second[0][0] and second[-1][1] < b[0] for a, b in gaps)
    return not inside and second[0][0] <= first[-1][1]


_LINE_END = re.compile(r"[\0\n\r]")


def _fit_rest(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out the second layer, attributes, sentences, columns, and what words cannot have."""
    name = _LINE_END.sub("_", document.name).strip() or "_"
    if document.deixis and not capacity.deixis:
        lost["entities of discourse deixis"] += len(document.deixis)
        document = replace(document, deixis=())
    if document.candidates:
        once = {found.anaphor: found for found in reversed(document.candidates)}
        kept = tuple(reversed(once.values())) if capacity.candidates else ()
        lost["ranked antecedents of discourse deixis"] += len(document.candidates) - len(kept)
        document = replace(document, candidates=kept)
    if not capacity.attributes:
        lost["attributes of mentions, like their types"] += sum(
            any(value and name not in MODELLED for name, value in given.items())
            for entity in document.entities
            for given in entity.attributes
        )
        bare = tuple(replace(entity, attributes=()) for entity in document.entities)
        document = replace(document, entities=bare)
    if not capacity.sentences:
        lost["boundaries of sentences"] += max(0, len(document.sentences) - 1)
        document = replace(document, sentences=())
    if not (capacity.columns or capacity.comments):
        document = replace(document, table=None)
    if capacity.names and name != document.name:
        lost["names of documents with characters that cannot stand there"] += 1
        document = replace(document, name=name)
    if not document.in_characters:
        words = [capacity.forbidden.sub("_", word) or "_" for word in document.words]
        lost["words with characters that cannot stand there, replaced by _"] += sum(
            new != old for new, old in zip(words, document.words, strict=True)
        )
        document = replace(document, words=tuple(words))
    return document
