"""Fitting a document to what a format can hold, counting what is lost."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from dataclasses import replace
from itertools import accumulate, groupby, pairwise

from anascore.formats.conllu import COREFERENCE, is_token, split_columns
from anascore.formats.fit_relations import fit_bridges, fit_nonreferring, fit_sets
from anascore.formats.format import MODELLED, Capacity
from anascore.model.document import Document, Entity
from anascore.model.mention import (
    Mention,
    Run,
    Span,
    Unit,
    Zero,
    joined,
    mention,
    runs_of,
    units_of,
)
from anascore.model.transform import map_mentions


def to_characters(document: Document, lost: Counter[str]) -> Document:
    """Join the words by blanks, and give mentions by the characters that they cover."""
    words = [word or "_" for word in document.words]
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    text = " ".join(words)

    def change(mention: Mention) -> Mention:
        words, minimum = (
            tuple((starts[start], starts[end] - 1) for start, end in spans)
            for spans in (mention.words, mention.minimum)
        )
        return mention._replace(words=words, minimum=minimum)

    lost["the division of a text into words"] += len(document.words)
    changed = map_mentions(document, change)
    sentences = [starts[first] for first in document.sentences]
    return replace(changed, words=text, lines=(), sentences=sentences, table=None)


_PIECES = re.compile(r"\w+|[^\w\s]")


def to_words(document: Document, lost: Counter[str]) -> Document:
    """Cut the text into words, also where a mention starts or ends inside of one."""
    text = "".join(document.words)
    layers = [*document.entities, *document.deixis]
    mentions = [m for entity in layers for m in entity.mentions]
    mentions += [found.mention for found in document.nonreferring]
    mentions += [m for found in document.candidates for m in (found.anaphor, *found.ranked)]
    borders = sorted({place for m in mentions for span in m.words for place in span})
    spans: list[Span] = []
    for piece in _PIECES.finditer(text):
        inside = borders[bisect_right(borders, piece.start()) : bisect_left(borders, piece.end())]
        places = [piece.start(), *inside, piece.end()]
        spans += pairwise(places)
    starts, ends = [start for start, _ in spans], [end for _, end in spans]

    def change(mention: Mention) -> Mention | None:
        found = ((bisect_left(starts, a), bisect_right(ends, b)) for a, b in mention.words)
        words = joined([(first, after) for first, after in found if first < after])
        return Mention(words) if words else None

    words = tuple(text[start:end] for start, end in spans)
    lost["texts as they are, without a division into words"] += 1
    return replace(map_mentions(document, change), words=words)


def count_columns(document: Document, capacity: Capacity, lost: Counter[str]) -> None:
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
        words = [capacity.forbidden_in_words.sub("_", word) or "_" for word in document.words]
        lost["words with characters that cannot stand there, replaced by _"] += sum(
            new != old for new, old in zip(words, document.words, strict=True)
        )
        document = replace(document, words=tuple(words))
    return document
