"""Joining documents: entities with the same id in several documents become one entity."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from anascore.errors import EntityError, SettingsError
from anascore.formats.columns import joined_table
from anascore.model.document import (
    Bridge,
    Candidates,
    Corpus,
    Document,
    Entity,
    NonReferring,
    TablePart,
)
from anascore.model.mention import Mention, Span, Unit, Zero, joined
from anascore.model.transform import find_cycles, map_nonreferring

T = TypeVar("T")

ALL = "all"
"""Value of the setting `across` that joins all documents, and the joined document's name."""

BORDER = "¶"
"""Word between two joined documents, so that zeros at their ends stay apart."""

MISSING = {"documents that are missing, scored as empty": 1}
"""The note on a document that the response lacks."""

NOT_JOINED = "documents whose names --across does not match, not joined"


def groups_of(names: Iterable[str], across: str) -> dict[str, list[str]]:
    """Group the documents to join, by the joined documents' names, in order.

    Documents that the pattern does not match stay alone.

    Raises:
        SettingsError: The pattern matches no document.
    """
    listed = list(names)
    if across == ALL:
        return {ALL: listed}
    pattern = re.compile(across)
    keys = {name: _group(pattern, name) for name in listed}
    if listed and not any(key is not None for key in keys.values()):
        message = f"--across {across}: no name of a document matches, like {listed[0]!r}"
        raise SettingsError(message)
    alone = {name for name, key in keys.items() if key is None}
    groups: dict[str, list[str]] = {}
    for name, key in keys.items():
        joined_name = name if key is None else key
        while key is not None and joined_name in alone:
            joined_name = f"{joined_name} (joined)"
        groups.setdefault(joined_name, []).append(name)
    return groups


def _group(pattern: re.Pattern[str], name: str) -> str | None:
    """Return the pattern's first group in a name, or the whole match; None without one."""
    match = pattern.search(name)
    return None if match is None else match[1] if pattern.groups else match[0]


def is_alone(names: Sequence[str], across: str) -> bool:
    """Test whether a document stays alone because the pattern does not match its name."""
    return across != ALL and _group(re.compile(across), names[0]) is None


def check_ids(corpus: Corpus, side: str) -> None:
    """Raise SettingsError if entity ids are valid only within their document."""
    for document in corpus.documents.values():
        if (document.entities or document.deixis) and not document.global_ids:
            message = (
                f"{corpus.path or f'the {side}'}: --across joins entities by their ids, but those "
                f"of document {document.name!r} are valid only within the document; ids are "
                f"global in CoNLL-UA, CoNLL-2012, CorefUD with eid, Friends JSON, uCDCR JSON, LLM "
                f"text, and cluster_ids of JSON lines (in Python global_ids=True of Document)"
            )
            raise SettingsError(message)


class _Part(NamedTuple):
    """A document to join, and its place in the joined one."""

    document: Document
    size: int
    """Number of words in the key's document."""

    start: int
    """Position of its first word."""

    behind: int
    """Position for its words after the text, which the key does not contain."""

    def spans(self, spans: Iterable[Span]) -> tuple[Span, ...]:
        moved: list[Span] = []
        for first, end in spans:
            if first < self.size:
                moved.append((self.start + first, self.start + min(end, self.size)))
            if end > self.size:
                moved.append(
                    (self.behind + max(first - self.size, 0), self.behind + end - self.size)
                )
        return joined(moved)

    def zero(self, zero: Zero) -> Zero:
        return self.start + min(zero[0], self.size), zero[1]

    def mention(self, mention: Mention) -> Mention:
        head = mention.marked_head
        return Mention(
            self.spans(mention.words),
            tuple(map(self.zero, mention.zeros)),
            self.spans(mention.minimum),
            None if head is None else self.unit(head),
        )

    def unit(self, unit: Unit) -> Unit:
        if unit[1]:
            return self.zero(unit)
        ((first, _),) = self.spans([(unit[0] - 1, unit[0])])
        return first + 1, 0


def join_key(name: str, documents: Sequence[Document], notes: Mapping[str, int]) -> Document:
    """Join a key's documents, and add notes; raise EntityError if sets form a cycle."""
    return _join(name, list(documents), list(documents), notes)


def join_response(
    name: str, keys: Sequence[Document], documents: Sequence[Document | None]
) -> Document | None:
    """Join the response documents for those of a key; None if all are missing."""
    if not any(documents):
        return None
    present = [
        document or Document(key.name, key.words, (), notes=MISSING)
        for key, document in zip(keys, documents, strict=True)
    ]
    return _join(name, list(keys), present, {})


def _join(
    name: str, keys: Sequence[Document], documents: Sequence[Document], notes: Mapping[str, int]
) -> Document:
    units = {document.in_characters for document in keys}
    if len(units) > 1:
        message = f"--across: {name!r} would join documents in characters with documents in words"
        raise SettingsError(message)
    parts = _parts(keys, documents)
    entities, positions = _joined_entities(name, parts, deixis=False)
    paths = {document.path for document in documents}
    words = [
        [*document.words[: part.size], *key.words[len(document.words) :]]
        for key, document, part in zip(keys, documents, parts, strict=True)
    ]
    return Document(
        name,
        "\n".join(map("".join, words)) if units == {True} else _with_borders(words, BORDER),
        entities,
        nonreferring=tuple(
            NonReferring(part.mention(mention), kind)
            for part in parts
            for mention, kind in part.document.nonreferring
        ),
        bridges=tuple(
            Bridge(
                part.mention(bridge.anaphor),
                part.mention(bridge.anchor),
                None if bridge.entity is None else positions[number, bridge.entity],
                bridge.relation,
            )
            for number, part in enumerate(parts)
            for bridge in part.document.bridges
        ),
        deixis=_joined_entities(name, parts, deixis=True)[0],
        zeros=tuple(part.zero(zero) for part in parts for zero in part.document.zeros),
        path=documents[0].path if len(paths) == 1 else "",
        line=documents[0].line if len(paths) == 1 else None,
        lines=_lines(documents) if len(paths) == 1 else (),
        sentences=_sentences(parts),
        table=joined_table([TablePart(d.table, len(d.words), tuple(d.zeros)) for d in documents]),
        notes=dict(sum((Counter(document.notes) for document in documents), Counter(notes))),
        candidates=tuple(
            Candidates(part.mention(anaphor), tuple(map(part.mention, ranked)))
            for part in parts
            for anaphor, ranked in part.document.candidates
        ),
        response_words=[word for part in parts for word in _words_behind(part.document, part.size)],
        repairs=tuple(repair for document in documents for repair in document.repairs),
        global_ids=True,
    )


def _words_behind(document: Document, size: int) -> list[str]:
    """Return the response words after the key's text."""
    return [*document.words[size:], *document.response_words]


def _parts(keys: Sequence[Document], documents: Sequence[Document]) -> list[_Part]:
    sizes = [len(key.words) for key in keys]
    behind = sum(sizes) + len(sizes) - 1
    start = 0
    parts = []
    for document, size in zip(documents, sizes, strict=True):
        parts.append(_Part(document, size, start, behind))
        start += size + 1
        behind += len(_words_behind(document, size))
    return parts


def _with_borders(parts: Iterable[Sequence[T]], border: T) -> tuple[T, ...]:
    """Concatenate parts, with a border between two parts."""
    together: list[T] = []
    for number, part in enumerate(parts):
        together += [border, *part] if number else part
    return tuple(together)


def _lines(documents: Sequence[Document]) -> Sequence[int]:
    """Join the lines of all words; empty if some have none. A border is on the line before it."""
    if not all(len(document.lines) == len(document.words) > 0 for document in documents):
        return ()
    lines = list(documents[0].lines)
    for before, document in pairwise(documents):
        lines += [before.lines[-1], *document.lines]
    return lines


def _sentences(parts: Sequence[_Part]) -> tuple[int, ...]:
    """Join the sentence starts, if there are any; each document starts a sentence."""
    if not any(part.document.sentences for part in parts):
        return ()
    starts = {part.start + start for part in parts for start in (0, *part.document.sentences)}
    return tuple(sorted(starts))


def _joined_entities(
    name: str, parts: Sequence[_Part], *, deixis: bool
) -> tuple[tuple[Entity[Mention], ...], dict[tuple[int, int], int]]:
    """Join entities with the same id across documents.

    Also return their positions, by document number and position there.
    """
    from anascore.formats.friends import is_generic  # noqa: PLC0415  few documents are joined

    by_id: dict[object, list[tuple[_Part, Entity[Mention], int]]] = {}
    ids: dict[tuple[int, int], object] = {}
    for number, part in enumerate(parts):
        layer = part.document.deixis if deixis else part.document.entities
        for position, entity in enumerate(layer):
            is_local = not entity.name or is_generic(entity.name)
            ids[number, position] = (number, position) if is_local else entity.name
            by_id.setdefault(ids[number, position], []).append((part, entity, number))
    order = {key: position for position, key in enumerate(by_id)}
    positions = {place: order[key] for place, key in ids.items()}
    entities = tuple(_joined_entity(name, members, positions) for members in by_id.values())
    for cycle in find_cycles([entity.elements for entity in entities]):
        path = " in ".join(entities[e].name for e in (*cycle.entities, cycle.first))
        message = (
            f"an entity cannot be an element of itself, but across the documents of {name!r} is "
            f"{path}"
        )
        raise EntityError(message)
    return entities, positions


def _joined_entity(
    name: str,
    members: Sequence[tuple[_Part, Entity[Mention], int]],
    positions: Mapping[tuple[int, int], int],
) -> Entity[Mention]:
    relations = {entity.relation for _, entity, _ in members if entity.elements}
    if len(relations) > 1:
        message = (
            f"{members[0][1].name} is a set in some documents of {name!r} and a result in others; "
            f"it can be one only"
        )
        raise EntityError(message)
    attributes = [
        values
        for _, entity, _ in members
        for values in entity.attributes or [{}] * len(entity.mentions)
    ]
    elements = [positions[number, e] for _, entity, number in members for e in entity.elements]
    return Entity(
        tuple(part.mention(mention) for part, entity, _ in members for mention in entity.mentions),
        tuple(dict.fromkeys(elements)),
        members[0][1].name,
        tuple(attributes) if any(attributes) else (),
        next(iter(relations), "set"),
        antecedents=tuple(
            part.mention(m) for part, entity, _ in members for m in entity.antecedents
        ),
        nonreferring=tuple(
            element
            for part, entity, number in members
            for element in map_nonreferring(
                entity,
                part.mention,
                {e: positions[number, e] for inner in entity.nonreferring for e in inner.elements},
            )
        ),
    )
