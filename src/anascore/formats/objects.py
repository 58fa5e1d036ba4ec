"""Corpora from Python objects: lists of hashable mentions, or of spans."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from numbers import Real
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from anascore.errors import EntityError, SettingsError
from anascore.model.document import RELATIONS, Corpus, Document, Entity, RelationName
from anascore.model.mention import Mention, Span
from anascore.model.transform import find_cycles

Clusters: TypeAlias = Iterable[Any]
"""Entities: each is a list of mentions or an Entity. Any: such a list has no common type."""


def corpora_from_clusters(
    key: Clusters, response: Clusters, name: str = "clusters"
) -> tuple[Corpus, Corpus]:
    """Make two corpora of one document, in which every mention is one word."""
    sides = [_entities(key), _entities(response)]
    unique = {mention for side in sides for entity in side for mention in entity.mentions}
    words = sorted(unique, key=_order)
    mentions = {word: Mention(((i, i + 1),)) for i, word in enumerate(words)}
    documents = [
        Document(
            name,
            [str(word) for word in words],
            [
                Entity(
                    [mentions[m] for m in e.mentions],
                    e.elements,
                    e.name,
                    relation=e.relation,
                    antecedents=[mentions[m] for m in e.antecedents],
                )
                for e in side
            ],
        )
        for side in sides
    ]
    key_corpus, response_corpus = (Corpus({d.name: d}, "clusters") for d in documents)
    return key_corpus, response_corpus


def _entities(clusters: Clusters) -> list[Entity[Hashable]]:
    """Return checked entities, named by their positions."""
    entities = []
    values = _as_tuple(clusters, "entities", "a list of lists of mentions")
    for position, value in enumerate(values):
        name = f"entity {position}"
        mentions, elements = (
            (value.mentions, value.elements) if isinstance(value, Entity) else (value, ())
        )
        mentions = _as_tuple(mentions, name, "a list of mentions")
        for mention in mentions:
            _check_hashable(mention, name)
        elements = _as_tuple(elements, f"elements of {name}", "a list of positions")
        relation = relation_of(value, name)
        antecedents = value.antecedents if isinstance(value, Entity) else ()
        antecedents = _as_tuple(antecedents, f"antecedents of {name}", "a list of mentions")
        entities.append(
            Entity(mentions, elements, str(position), relation=relation, antecedents=antecedents)
        )
    check_antecedents(entities)
    return entities


def check_antecedents(entities: Sequence[Entity[Any]]) -> None:
    """Raise EntityError unless the antecedents of entities are mentions of their elements."""
    for position, entity in enumerate(entities):
        elements = [entities[e] for e in entity.elements if e in range(len(entities))]
        for antecedent in entity.antecedents:
            if not any(antecedent in element.mentions for element in elements):
                message = (
                    f"entity {position}: its antecedent {antecedent!r} is no mention of an element"
                )
                raise EntityError(message)


def relation_of(value: Any, name: str) -> RelationName:
    """Return the relation of an entity to its elements; raise EntityError if it is unknown."""
    relation: RelationName = value.relation if isinstance(value, Entity) else "set"
    if relation not in RELATIONS:
        message = f"{name}: its relation is {relation!r}; it can be {' or '.join(RELATIONS)}"
        raise EntityError(message)
    return relation


def _as_tuple(value: Any, name: str, expected: str) -> tuple[Any, ...]:
    """Return an iterable as a tuple; raise EntityError for a string or anything else."""
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        message = f"{name}: {value!r} is not {expected}"
        raise EntityError(message)
    return tuple(value)


def _check_hashable(mention: Any, entity: str) -> None:
    try:
        hash(mention)
    except TypeError:
        message = (
            f"{entity}: the mention {mention!r} cannot be hashed; use a tuple instead of a list"
        )
        raise EntityError(message) from None


def _order(mention: Hashable) -> tuple[Any, ...]:
    """Return a sort key that depends neither on the order of sets nor on the seed of hashes.

    The order stands for that of the document, and matters only where accommodated sets tie. Numbers
    and strings are sorted by value, tuples part by part, frozensets by their sorted parts, and
    anything else by its repr, which should be the same in every run.
    """
    if isinstance(mention, Real):
        return "", mention
    kind = type(mention).__name__
    if isinstance(mention, str):
        return kind, mention
    if isinstance(mention, tuple):
        return kind, tuple(_order(part) for part in mention)
    if isinstance(mention, frozenset):
        return kind, tuple(sorted(_order(part) for part in mention))
    return kind, repr(mention)


Offsets: TypeAlias = Literal["token", "character"]
End: TypeAlias = Literal["inclusive", "exclusive"]

NAME = "document"
"""Default name of a document; the second is called document-2."""


class _Text(NamedTuple):
    """Words or characters of a document, and the convention of spans."""

    units: Sequence[str] | None
    offsets: str
    end: str

    def span(self, value: Any, entity: str) -> Span:
        """Return a span with its end exclusive; raise EntityError if it is none."""
        try:
            start, last = value[0], value[1]
            span = int(start), int(last) + (self.end == "inclusive")
            is_pair = len(value) == 2 and (start, last) == (int(start), int(last))
        except (TypeError, ValueError, IndexError, KeyError):
            is_pair, span = False, (0, 0)
        size = None if self.units is None else len(self.units)
        if is_pair and 0 <= span[0] < span[1] and (size is None or span[1] <= size):
            return span
        among = "" if size is None else f" among {size}"
        message = (
            f"{entity}: {value!r} is not a span (start, end){among}, in {self.offsets} offsets "
            f"from 0 with its end {self.end}"
        )
        raise EntityError(message)

    def covered(self, span: Span) -> str:
        """Return the text of a span."""
        units = self.units or ()
        return ("" if self.offsets == "character" else " ").join(units[span[0] : span[1]])


def from_clusters(  # noqa: PLR0913  a list of spans does not tell its convention
    clusters: Iterable[Any],
    *,
    offsets: Offsets,
    end: End,
    words: Sequence[str] | None = None,
    text: str | None = None,
    texts: Iterable[Iterable[str]] | None = None,
    name: str = NAME,
) -> Corpus:
    """Make a corpus of one document from lists of spans.

    Args:
        clusters: Entities: lists of spans (start, end), or Entity objects, which can have elements.
        offsets: Unit of the spans: "token" or "character".
        end: Convention of the ends of spans: "inclusive" or "exclusive".
        words: Words of the document, for token offsets.
        text: Text of the document, for character offsets.
        texts: Texts of the mentions, in lists like the spans; they are checked.
        name: Name of the document.

    Returns:
        A corpus of one document. Without words or text it ends with the last mention.

    Raises:
        EntityError: A span, an element or a text of a mention is wrong.
        SettingsError: offsets and end are no such convention, or do not go with words or text.

    Example:
        >>> corpus = from_clusters([[(0, 0), (3, 3)]], offsets="token", end="inclusive",
        ...     words=["Ann", "says", "that", "she", "left"], texts=[["Ann", "she"]])
        >>> [len(document.entities) for document in corpus.documents.values()]
        [1]

    """
    _check_choice("offsets", offsets, Offsets)
    _check_choice("end", end, End)
    units = words if offsets == "token" else text
    unused = text if offsets == "token" else words
    needed, other = ("words", "text") if offsets == "token" else ("text", "words")
    if unused is not None:
        message = f'offsets="{offsets}" needs {needed}, not {other}'
        raise SettingsError(message)
    if texts is not None and units is None:
        message = f'texts of mentions with offsets="{offsets}" can only be checked with {needed}'
        raise SettingsError(message)
    _check_strings("words", () if words is None else words)
    _check_strings("name", (name,))
    document_text = _Text(units, offsets, end)
    entities = tuple(_span_entities(clusters, document_text))
    check_antecedents(entities)
    for cycle in find_cycles([entity.elements for entity in entities], 1):
        message = f"an entity cannot be an element of itself, but entity {cycle.first} is"
        raise EntityError(message)
    if texts is not None:
        _check_texts(entities, texts, document_text)
    if units is None:
        # The length of the text is unknown: it ends with the last mention.
        ends = (m.words[0][1] for entity in entities for m in entity.mentions)
        units = ["_"] * max(ends, default=0) if offsets == "token" else "_" * max(ends, default=0)
    document = Document(name, units if isinstance(units, str) else tuple(units), entities)
    return Corpus({name: document}, "clusters")


def _check_strings(name: str, values: Any) -> None:
    if isinstance(values, str) or not all(isinstance(value, str) for value in values):
        message = f"{name}: {values!r} is not made of strings; words must be a list of strings"
        raise EntityError(message)


def _check_choice(name: str, value: Any, choices: Any) -> None:
    if value not in get_args(choices):
        message = f"{name} must be {' or '.join(get_args(choices))}, not {value!r}"
        raise SettingsError(message)


def _span_entities(clusters: Iterable[Any], text: _Text) -> Iterator[Entity[Mention]]:
    if isinstance(clusters, (str, bytes)) or not isinstance(clusters, Iterable):
        message = f"{clusters!r} is not a list of entities"
        raise EntityError(message)
    values = list(clusters)
    for position, value in enumerate(values):
        name = f"entity {position}"
        spans, elements = (
            (value.mentions, value.elements) if isinstance(value, Entity) else (value, ())
        )
        marked = value.antecedents if isinstance(value, Entity) else ()
        spans = _as_tuple(spans, name, "a list of spans")
        marked = _as_tuple(marked, name, "a list of spans")
        for element in elements:
            if type(element) is not int or not 0 <= element < len(values):
                message = f"{name}: its element {element!r} is not the position of an entity"
                raise EntityError(message)
        mentions = tuple(Mention((text.span(span, name),)) for span in spans)
        yield Entity(
            mentions,
            tuple(dict.fromkeys(elements)),
            str(position),
            relation=relation_of(value, name),
            antecedents=tuple(Mention((text.span(span, name),)) for span in marked),
        )


def _check_texts(
    entities: Sequence[Entity[Mention]], texts: Iterable[Iterable[str]], text: _Text
) -> None:
    """Raise EntityError unless the mentions cover the texts expected."""
    expected_texts = [list(group) for group in texts]
    _check_strings("texts", [expected for group in expected_texts for expected in group])
    if [len(group) for group in expected_texts] != [len(entity.mentions) for entity in entities]:
        message = "texts must have a text for each mention of each entity, in the same order"
        raise EntityError(message)
    for position, (entity, group) in enumerate(zip(entities, expected_texts, strict=True)):
        for mention, expected in zip(entity.mentions, group, strict=True):
            (span,) = mention.words
            actual = text.covered(span)
            if actual.split() != expected.split():
                message = (
                    f"entity {position}: {span} with its end exclusive covers {actual!r}, and not "
                    f"{expected!r}; is it {text.offsets} offsets with the end {text.end}?"
                )
                raise EntityError(message)
