"""Fitting documents to what a format can store; losses are counted by kind."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right, insort
from collections import Counter
from dataclasses import replace
from itertools import accumulate, groupby, pairwise

from anascore.formats.columns import rows_in
from anascore.formats.conllu import COREFERENCE
from anascore.formats.format import MODEL_ATTRIBUTES, Capacity
from anascore.formats.lossy_relations import fit_bridges, fit_nonreferring, fit_sets
from anascore.model.document import Document, Entity
from anascore.model.mention import (
    Mention,
    Run,
    Span,
    Unit,
    Zero,
    covers_ends,
    joined,
    make_mention,
    runs_of,
    units_of,
)
from anascore.model.transform import map_mentions


def to_characters(document: Document, lost: Counter[str]) -> Document:
    """Join the words with spaces, and turn mentions into character spans."""
    words = [word or "_" for word in document.words]
    starts = [0, *accumulate(len(word) + 1 for word in words)]
    text = " ".join(words)

    def change(mention: Mention) -> Mention:
        inside = mention.minimum_within(len(document.words))
        lost["minimum spans behind the text"] += bool(mention.minimum) - bool(inside)
        words, minimum = (
            tuple((starts[start], starts[end] - 1) for start, end in spans)
            for spans in (mention.words, inside)
        )
        return mention._replace(words=words, minimum=minimum)

    lost["the division of a text into words"] += len(document.words)
    changed = map_mentions(document, change)
    sentences = [starts[first] for first in document.sentences]
    return replace(changed, words=text, lines=(), sentences=sentences, table=None)


_PIECES = re.compile(r"\w+|[^\w\s]")


def to_words(document: Document, lost: Counter[str]) -> Document:
    """Split the text into words, including where a mention starts or ends inside a word."""
    text = "".join(document.words)
    layers = [*document.entities, *document.deixis]
    mentions = [m for entity in layers for m in entity.mentions]
    mentions += [mention for mention, _ in document.nonreferring]
    mentions += [m for anaphor, ranked in document.candidates for m in (anaphor, *ranked)]
    borders = sorted({border for m in mentions for span in m.words for border in span})
    spans: list[Span] = []
    for piece in _PIECES.finditer(text):
        inside = borders[bisect_right(borders, piece.start()) : bisect_left(borders, piece.end())]
        spans += pairwise([piece.start(), *inside, piece.end()])
    starts, ends = [start for start, _ in spans], [end for _, end in spans]

    def change(mention: Mention) -> Mention | None:
        covered = ((bisect_left(starts, a), bisect_right(ends, b)) for a, b in mention.words)
        words = joined([(first, after) for first, after in covered if first < after])
        return Mention(words) if words else None

    words = tuple(text[start:end] for start, end in spans)
    lost["original texts before their division into words"] += 1
    return replace(map_mentions(document, change), words=words)


def count_columns(document: Document, capacity: Capacity, lost: Counter[str]) -> None:
    """Count lost comments, multiword tokens and values in other columns."""
    table = document.table
    if table is None:
        return
    if not capacity.comments:
        comments = (line for line in table.lines if line[:1] == "#")
        lost["comments"] += sum(not _STRUCTURE.match(comment) for comment in comments)
    for _, cells in rows_in(table):
        if "ID" in table.columns and "-" in cells[table.columns.index("ID")]:
            lost["multiword tokens"] += not capacity.comments
            continue
        for name, value in zip(table.columns, cells, strict=False):
            if name in MODEL_COLUMNS or name in capacity.columns or value in _EMPTY:
                continue
            if name != "MISC" or not all(map(COREFERENCE.match, value.split("|"))):
                lost[COLUMN + name] += 1


COLUMN = "values in column "
"""Prefix of the loss kind; the column name follows."""

_STRUCTURE = re.compile(r"#\s*(?:newdoc\b|global\.|begin document|end document)")
_EMPTY = {"_", "-", "*", ""}
MODEL_COLUMNS = {
    *("ID", "FORM", "IDENTITY", "BRIDGING", "DISCOURSE_DEIXIS"),
    *("DOCUMENT", "PART", "NUMBER", "COREFERENCE"),
}
"""Columns that documents store as fields, and mere numbers and names."""


def fit(document: Document, capacity: Capacity) -> tuple[Document, Counter[str]]:
    """Remove what a format cannot store; return the rest, and the loss counts by kind."""
    lost: Counter[str] = Counter()
    count_columns(document, capacity, lost)
    if document.in_characters and not capacity.characters:
        document = to_words(document, lost)
    elif capacity.characters and not document.in_characters:
        document = to_characters(document, lost)
    for step in (
        _fit_mentions,
        _fit_crossing,
        fit_sets,
        fit_nonreferring,
        fit_bridges,
        _fit_rest,
    ):
        document = step(document, capacity, lost)
    return document, +lost


def _fit_mentions(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    zeros = frozenset(document.zeros) if capacity.zeros else frozenset()
    cache: dict[Mention, Mention | None] = {}

    def change(mention: Mention) -> Mention | None:
        if mention not in cache:
            cache[mention] = _fit_mention(mention, zeros, capacity, lost)
        return cache[mention]

    lost["entities without mentions"] += sum(
        not entity.mentions for layer in (document.entities, document.deixis) for entity in layer
    )
    elements = _count_elements(document)
    fitted = map_mentions(document, change)
    lost["bridging links"] += len(document.bridges) - len(fitted.bridges)
    lost["elements of accommodated sets that have no mentions left"] += elements - _count_elements(
        fitted
    )
    if not capacity.zeros:
        lost["zeros"] += len(document.zeros)
        fitted = replace(fitted, zeros=())
    return fitted


def _fit_mention(
    mention: Mention, zeros: frozenset[Zero], capacity: Capacity, lost: Counter[str]
) -> Mention | None:
    words, minimum, head = mention.words, mention.minimum, mention.marked_head
    if mention.zeros and not capacity.zeros:
        if mention.is_zero:
            lost["mentions that are zeros"] += 1
            return None
        lost["zeros inside mentions, whose words are kept"] += 1
        mention = make_mention(words, (), minimum, None if head and head[1] else head)
    if not capacity.gaps and len(runs_of(mention, zeros)) > 1:
        lost["discontinuous mentions"] += 1
        return None
    if capacity.minimum == "no" and (minimum or head):
        lost["minimum spans or heads of mentions"] += 1
        return Mention(mention.words, mention.zeros)
    if capacity.minimum == "span":
        if head is not None:
            lost["heads that are not the first word of a minimum span"] += 1
        if len(minimum) > 1:
            lost["gaps in minimum spans"] += 1
            minimum = ((minimum[0][0], minimum[-1][1]),)
        if minimum and not covers_ends(mention.words, minimum[0]):
            lost["minimum spans outside of their mentions"] += 1
            minimum = ()
        return make_mention(mention.words, mention.zeros, minimum)
    if capacity.minimum == "words" and not _has_inner_head(mention):
        lost["minimum spans or heads outside of their mentions"] += 1
        return Mention(mention.words, mention.zeros)
    return mention


def _has_inner_head(mention: Mention) -> bool:
    """Test whether head and minimum span lie inside the mention."""
    if not (mention.minimum or mention.marked_head):
        return True
    minimum = [(word + 1, 0) for start, end in mention.minimum for word in range(start, end)]
    return {mention.head, *minimum} <= set(units_of(mention))


def _count_elements(document: Document) -> int:
    layers = (document.entities, document.deixis)
    return sum(len(entity.elements) for layer in layers for entity in layer)


def _fit_crossing(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Remove mentions with ambiguous brackets, because a bracket names only the entity."""
    if capacity.crossing:
        return document
    zeros = frozenset(document.zeros)
    entities = []
    for entity in document.entities:
        runs = [runs_of(mention, zeros) for mention in entity.mentions]
        kept = _unambiguous(runs)
        lost["mentions that cross another mention of the same entity"] += len(runs) - len(kept)
        entities.append(_select(entity, kept) if len(kept) < len(runs) else entity)
    return replace(document, entities=tuple(entities))


def _unambiguous(mentions: list[list[Run]]) -> list[int]:
    """Select mentions whose brackets are unambiguous.

    Prefer mentions that start first; among those that start together, the shortest.
    """
    kept: list[int] = []
    lasts: list[Unit] = []
    discontinuous: list[list[Run]] = []
    by_start = sorted(range(len(mentions)), key=lambda i: mentions[i])
    for _, group in groupby(by_start, key=lambda i: mentions[i][0][0]):
        same_start = list(group)
        # A mention that started earlier and ends inside would cross.
        continuous = [
            i
            for i in same_start
            if len(mentions[i]) == 1 and not _any_between(lasts, *mentions[i][0])
        ]
        for i in continuous:
            insort(lasts, mentions[i][0][1])
        kept += continuous
        for i in same_start:
            if len(mentions[i]) > 1 and not any(
                _are_ambiguous(earlier, mentions[i]) for earlier in discontinuous
            ):
                discontinuous.append(mentions[i])
                kept.append(i)
    return sorted(kept)


def _any_between(lasts: list[Unit], first: Unit, last: Unit) -> bool:
    """Test whether a mention ends between `first` (inclusive) and `last` (exclusive)."""
    return bisect_left(lasts, first) < bisect_left(lasts, last)


def _select(entity: Entity[Mention], positions: list[int]) -> Entity[Mention]:
    mentions = tuple(entity.mentions)
    return replace(
        entity,
        mentions=tuple(mentions[position] for position in positions),
        attributes=tuple(entity.attributes[i] for i in positions if entity.attributes),
    )


def _are_ambiguous(first: list[Run], second: list[Run]) -> bool:
    """Test whether the parts of two discontinuous mentions of an entity could be confused.

    The first one must start first.
    """
    if len(first) != len(second) or first == second:
        return False
    gaps = pairwise(first)
    inside = any(a[1] < second[0][0] and second[-1][1] < b[0] for a, b in gaps)
    return not inside and second[0][0] <= first[-1][1]


_LINE_END = re.compile(r"[\0\n\r]")


def _fit_rest(document: Document, capacity: Capacity, lost: Counter[str]) -> Document:
    """Fit the other layers, attributes, sentences and columns; replace forbidden characters."""
    name = _LINE_END.sub("_", document.name).strip() or "_"
    if document.deixis and not capacity.deixis:
        lost["entities of discourse deixis"] += len(document.deixis)
        document = replace(document, deixis=())
    if document.candidates:
        by_anaphor = {entry.anaphor: entry for entry in reversed(document.candidates)}
        kept = tuple(reversed(by_anaphor.values())) if capacity.candidates else ()
        lost["ranked antecedents of discourse deixis"] += len(document.candidates) - len(kept)
        document = replace(document, candidates=kept)
    if not capacity.attributes:
        lost["attributes of mentions, like their types"] += sum(
            any(value and name not in MODEL_ATTRIBUTES for name, value in attributes.items())
            for entity in document.entities
            for attributes in entity.attributes
        )
        bare = tuple(replace(entity, attributes=()) for entity in document.entities)
        document = replace(document, entities=bare)
    if not capacity.sentences:
        lost["boundaries of sentences"] += max(0, len(document.sentences) - 1)
        document = replace(document, sentences=())
    if not (capacity.columns or capacity.comments):
        document = replace(document, table=None)
    if capacity.names and name != document.name:
        lost["names of documents with forbidden characters, replaced by _"] += 1
        document = replace(document, name=name)
    if not document.in_characters:
        words = [capacity.forbidden_in_words.sub("_", word) or "_" for word in document.words]
        lost["words with forbidden characters, replaced by _"] += sum(
            new != old for new, old in zip(words, document.words, strict=True)
        )
        document = replace(document, words=tuple(words))
    return document
