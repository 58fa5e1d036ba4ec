"""What of a document a format can hold: the document without the rest, and the rest counted."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from anascore.elements import atomic_elements
from anascore.formats.places import Run, mention, runs_of
from anascore.formats.reading.bridging import anchor_before
from anascore.formats.reading.conllu import COREFERENCE, is_token, split_columns
from anascore.formats.writing.units import to_characters, to_words
from anascore.mapping import map_mentions
from anascore.model import Bridge, Document, Entity, Mention, NonReferring, Zero


@dataclass(frozen=True, slots=True, kw_only=True)
class Capacity:
    """What a format can hold."""

    characters: bool = False
    """Whether mentions are given by character offsets."""

    zeros: bool = False
    gaps: bool = False
    """Discontinuous mentions."""

    crossing: bool = False
    """Mentions of the same entity that cross each other."""

    sets: Literal["no", "of-entities", "nested"] = "no"
    """Accommodated sets, and whether their elements can be sets, too."""

    nonreferring: Literal["no", "numbered", "named"] = "no"
    """Non-referring mentions, and whether their types are numbers or names."""

    bridging: Literal["no", "entities", "mentions"] = "no"
    """Bridging, and whether the anchor is an entity or one of its mentions."""

    deixis: bool = False
    minimum: Literal["no", "span", "words"] = "no"
    """Minimum spans, and whether they can have gaps; and heads besides, if they can."""

    attributes: bool = False
    """Whatever else is said of mentions, like etype or SemType."""

    sentences: bool = True
    columns: frozenset[str] = frozenset()
    """What else is said of words, like LEMMA or UPOS."""

    comments: bool = False
    """Comments on sentences and documents, and multiword tokens."""

    forbidden: re.Pattern[str] = re.compile(r"[\0\t\n\r]")
    """What cannot stand in a word."""

    names: bool = True
    """The names of documents."""


MODELLED = {"entityid", "markableid", "min", "elementof", "eid", "head", "minspan"}
"""Attributes that mentions and entities have fields for, or that name them only."""


def fit(document: Document, capacity: Capacity) -> tuple[Document, Counter[str]]:
    """Take out what a format cannot hold, and count it by what it is."""
    lost: Counter[str] = Counter()
    _count_columns(document, capacity, lost)
    if document.in_characters and not capacity.characters:
        document = to_words(document, lost)
    elif capacity.characters and not document.in_characters:
        document = to_characters(document, lost)
    for take_out in (
        _fit_mentions,
        _fit_crossing,
        _fit_sets,
        _fit_nonreferring,
        _fit_bridges,
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

    elements = _count_elements(document)
    fitted = map_mentions(document, change)
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
    return found


def _count_elements(document: Document) -> int:
    layers = (document.entities, document.deixis)
    return sum(len(entity.elements) for layer in layers for entity in layer)


def _fit_crossing(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out mentions that brackets with the ids of entities cannot tell from another."""
    if capacity.crossing:
        return document
    zeros = frozenset(document.zeros)
    crossing: set[tuple[int, Mention]] = set()
    for position, entity in enumerate(document.entities):
        open_runs: list[list[Run]] = []
        for found in sorted(entity.mentions, key=lambda m: m.order):
            runs = runs_of(found, zeros)
            open_runs = [other for other in open_runs if other[-1][1] >= runs[0][0]]
            if any(_clash(other, runs) for other in open_runs):
                crossing.add((position, found))
            else:
                open_runs.append(runs)
    if not crossing:
        return document
    lost["mentions that cross another one of the same entity"] += len(crossing)
    entities = tuple(
        _without(entity, {found for at, found in crossing if at == position})
        for position, entity in enumerate(document.entities)
    )
    left = {found for entity in entities for found in entity.mentions}
    bridges = tuple(b for b in document.bridges if b.anaphor in left and b.anchor in left)
    return replace(document, entities=entities, bridges=bridges)


def _without(entity: Entity[Mention], dropped: set[Mention]) -> Entity[Mention]:
    """Take mentions out of an entity, with what is said of them."""
    kept = [position for position, found in enumerate(entity.mentions) if found not in dropped]
    mentions = tuple(entity.mentions)
    return replace(
        entity,
        mentions=tuple(mentions[position] for position in kept),
        attributes=tuple(entity.attributes[i] for i in kept if entity.attributes),
    )


def _clash(first: list[Run], second: list[Run]) -> bool:
    """Tell whether two mentions of an entity, the first of which starts first, get confused."""
    if len(first) != len(second):
        return False
    if len(first) == 1:
        return first[0][0] < second[0][0] <= first[0][1] < second[0][1]
    gaps = itertools.pairwise(first)
    inside = any(a[1] < second[0][0] and second[-1][1] < b[0] for a, b in gaps)
    return not inside and second[0][0] <= first[-1][1]


def _fit_sets(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out accommodated sets, or replace sets that are elements by their own elements."""
    sets = sum(bool(entity.elements) for entity in document.entities)
    if not sets or capacity.sets == "nested":
        return document
    if capacity.sets == "no":
        lost["accommodated sets"] += sets
        elements: Sequence[frozenset[int]] = [frozenset()] * len(document.entities)
    else:
        elements = atomic_elements([entity.elements for entity in document.entities])
        lost["accommodated sets of sets, whose atomic elements are kept"] += sum(
            set(entity.elements) != atoms
            for entity, atoms in zip(document.entities, elements, strict=True)
        )
    entities = tuple(
        replace(entity, elements=tuple(sorted(found)))
        for entity, found in zip(document.entities, elements, strict=True)
    )
    return replace(document, entities=entities)


def _fit_nonreferring(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out non-referring mentions, or give their types numbers."""
    found = document.nonreferring
    if capacity.nonreferring == "no":
        lost["non-referring mentions"] += len(found)
        return replace(document, nonreferring=())
    if capacity.nonreferring == "named":
        return document
    named = sorted({one.type for one in found if not one.type.isdecimal()})
    lost["names of types of non-referring mentions, numbered instead"] += sum(
        one.type in named for one in found
    )
    numbers = {name: str(number) for number, name in enumerate(named, 1)}
    numbered = (NonReferring(one.mention, numbers.get(one.type, one.type)) for one in found)
    return replace(document, nonreferring=tuple(numbered))


def _fit_bridges(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out bridging, or the mentions that are anchors."""
    if capacity.bridging == "no":
        lost["bridging links"] += len(document.bridges)
        return replace(document, bridges=())
    if capacity.bridging == "mentions":
        return document
    bridges = tuple(_bridges_to_entities(document, lost))
    return replace(document, bridges=bridges)


def _bridges_to_entities(document: Document, lost: Counter[str]) -> Iterator[Bridge]:
    """Keep the links whose anaphor and anchor are mentions of entities."""
    named = anaphors_by_opening(document)
    for bridge in document.bridges:
        if bridge.entity is None or bridge.anaphor not in named:
            lost["bridging links from or to mentions that are in no entity"] += 1
            continue
        anchor = anchor_before(bridge.anaphor, document.entities[bridge.entity])
        if anchor != bridge.anchor:
            lost["mentions that bridging anaphors are related to, whose entities are kept"] += 1
        yield bridge._replace(anchor=anchor)


def anaphors_by_opening(document: Document) -> dict[Mention, int]:
    """Tell for each mention that an entity and the first word are enough to find its entity."""
    found: dict[Mention, int] = {}
    for position, entity in enumerate(document.entities):
        shortest: dict[object, Mention] = {}
        for one in sorted(entity.mentions, key=lambda m: m.full_order):
            shortest.setdefault(one.order[0], one)
        for one in shortest.values():
            found.setdefault(one, position)
    return found


def _count_columns(document: Document, capacity: Capacity, lost: Counter[str]) -> None:
    """Count what else a file of columns says that is lost."""
    table = document.table
    if table is None:
        return
    for line in table.lines:
        if not is_token(line):
            if line[:1] == "#" and not capacity.comments and not _STRUCTURE.match(line):
                lost["comments"] += 1
            continue
        columns = split_columns(line, table.separator)
        if "ID" in table.columns and "-" in columns[table.columns.index("ID")]:
            lost["multiword tokens"] += not capacity.comments
            continue
        for name, value in zip(table.columns, columns, strict=False):
            if name in ANNOTATED or name in capacity.columns or value in _EMPTY:
                continue
            if name != "MISC" or not all(map(COREFERENCE.match, value.split("|"))):
                lost[COLUMN + name] += 1


COLUMN = "values in column "
"""How the name of what is lost of a column begins."""

_STRUCTURE = re.compile(r"#\s*(?:newdoc\b|global\.|begin document|end document)")
_EMPTY = {"_", "-", "*", ""}
ANNOTATED = {
    *("ID", "FORM", "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS"),
    *("DOCUMENT", "PART", "NUMBER", "COREFERENCE"),
}
"""Columns that documents have fields for, or that only number and name."""

_LINE_END = re.compile(r"[\0\n\r]")


def _fit_rest(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Take out the second layer, attributes, sentences, columns, and what words cannot have."""
    name = _LINE_END.sub("_", document.name).strip() or "_"
    if document.deixis and not capacity.deixis:
        lost["entities of discourse deixis"] += len(document.deixis)
        document = replace(document, deixis=())
    if not capacity.attributes:
        lost["attributes of mentions, like their types"] += sum(
            any(value and name not in MODELLED for name, value in given.items())
            for entity in document.entities
            for given in entity.attributes
        )
    if not capacity.sentences:
        lost["boundaries of sentences"] += max(0, len(document.sentences) - 1)
    if not capacity.names:
        lost["names of documents"] += 1
    elif name != document.name:
        lost["names of documents with characters that cannot stand there"] += 1
        document = replace(document, name=name)
    if not document.in_characters:
        words = [capacity.forbidden.sub("_", word) or "_" for word in document.words]
        lost["words with characters that cannot stand there, replaced by _"] += sum(
            new != old for new, old in zip(words, document.words, strict=True)
        )
        document = replace(document, words=tuple(words))
    return document
