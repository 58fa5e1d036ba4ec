"""Python objects to corpora: lists of hashable mentions, or of spans of words."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from numbers import Real
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from anascore.errors import EntityError, SettingsError
from anascore.model.document import RELATIONS, Corpus, Document, Entity, RelationName
from anascore.model.mention import Mention, Span
from anascore.model.transform import find_cycles

Clusters: TypeAlias = Iterable[Any]
"""Of each entity its mentions, or an Entity; type checkers see no common type in such a list."""


def corpora_from_clusters(key: Clusters, response: Clusters) -> tuple[Corpus, Corpus]:
    """Make two corpora of one document, in which every mention is a word of its own."""
    sides = [_entities(key), _entities(response)]
    found = {mention for side in sides for entity in side for mention in entity.mentions}
    words = sorted(found, key=_order)
    mentions = {word: Mention(((i, i + 1),)) for i, word in enumerate(words)}
    documents = [
        Document(
            "clusters",
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
    of_key, of_response = (Corpus({d.name: d}, "clusters") for d in documents)
    return of_key, of_response


def _entities(clusters: Clusters) -> list[Entity[Hashable]]:
    """Check what was given, and name each entity by its position."""
    entities = []
    for position, given in enumerate(_listed(clusters, "entities", "a list of lists of mentions")):
        name = f"entity {position}"
        mentions, elements = (
            (given.mentions, given.elements) if isinstance(given, Entity) else (given, ())
        )
        listed = _listed(mentions, name, "a list of mentions")
        for mention in listed:
            _check_hashable(mention, name)
        elements = _listed(elements, f"elements of {name}", "a list of positions")
        relation = relation_of(given, name)
        antecedents = given.antecedents if isinstance(given, Entity) else ()
        antecedents = _listed(antecedents, f"antecedents of {name}", "a list of mentions")
        entities.append(
            Entity(listed, elements, str(position), relation=relation, antecedents=antecedents)
        )
    check_antecedents(entities)
    return entities


def check_antecedents(entities: Sequence[Entity[Any]]) -> None:
    """Check that the antecedents of entities are mentions of their elements."""
    for position, entity in enumerate(entities):
        elements = [entities[e] for e in entity.elements if e in range(len(entities))]
        for antecedent in entity.antecedents:
            if not any(antecedent in element.mentions for element in elements):
                what = f"its antecedent {antecedent!r} is no mention of an element"
                message = f"entity {position}: {what}"
                raise EntityError(message)


def relation_of(given: Any, name: str) -> RelationName:
    """Return how an entity is made of its elements, if it says so."""
    relation: RelationName = given.relation if isinstance(given, Entity) else "set"
    if relation not in RELATIONS:
        message = f"{name}: its relation is {relation!r}; it can be {' or '.join(RELATIONS)}"
        raise EntityError(message)
    return relation


def _listed(given: Any, what: str, expected: str) -> tuple[Any, ...]:
    """Take anything that can be gone through, but no string, whose letters are hardly meant."""
    if isinstance(given, (str, bytes)) or not isinstance(given, Iterable):
        message = f"{what}: {given!r} is not {expected}"
        raise EntityError(message)
    return tuple(given)


def _check_hashable(mention: Any, entity: str) -> None:
    try:
        hash(mention)
    except TypeError:
        message = (
            f"{entity}: the mention {mention!r} cannot be hashed; use a tuple instead of a list"
        )
        raise EntityError(message) from None


def _order(mention: Hashable) -> tuple[Any, ...]:
    """Sort mentions by what they are, whatever the order of sets and the seed of hashes.

    The order is taken for that of the document, and matters only where accommodated sets tie. It
    goes by value for numbers and strings, part by part for tuples, by their parts for frozensets,
    and for anything else by its repr, which had better be the same in every run.
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
"""The name of a document that is given without one; the second is called document-2."""


class _Text(NamedTuple):
    """The words or characters of a document, and how spans among them are given."""

    units: Sequence[str] | None
    offsets: str
    end: str

    def span(self, given: Any, entity: str) -> Span:
        """Check a span, and return it with its end exclusive."""
        try:
            start, last = given[0], given[1]
            span = int(start), int(last) + (self.end == "inclusive")
            whole = len(given) == 2 and (start, last) == (int(start), int(last))
        except (TypeError, ValueError, IndexError, KeyError):
            whole, span = False, (0, 0)
        size = None if self.units is None else len(self.units)
        if whole and 0 <= span[0] < span[1] and (size is None or span[1] <= size):
            return span
        among = "" if size is None else f" among {size}"
        message = (
            f"{entity}: {given!r} is not a span (start, end){among}, in {self.offsets} offsets "
            f"from 0 with its end {self.end}"
        )
        raise EntityError(message)

    def covered(self, span: Span) -> str:
        """Return the text of a span."""
        units = self.units or ()
        return ("" if self.offsets == "character" else " ").join(units[span[0] : span[1]])


def from_clusters(  # noqa: PLR0913  what a list of spans does not say has to be said
    clusters: Iterable[Any],
    *,
    offsets: Offsets,
    end: End,
    words: Sequence[str] | None = None,
    text: str | None = None,
    texts: Iterable[Iterable[str]] | None = None,
    name: str = NAME,
) -> Corpus:
    """Make a corpus of one document from lists of spans, whose convention has to be declared.

    An entity is a list of spans (start, end), or an Entity of them, which can have elements. The
    words belong to offsets="token", the text to offsets="character". texts are what the mentions
    cover, in lists like the spans, and are checked.

    >>> corpus = from_clusters([[(0, 0), (3, 3)]], offsets="token", end="inclusive",
    ...     words=["Ann", "says", "that", "she", "left"], texts=[["Ann", "she"]])
    >>> [len(document.entities) for document in corpus.documents.values()]
    [1]
    """
    _check_choice("offsets", offsets, Offsets)
    _check_choice("end", end, End)
    units = words if offsets == "token" else text
    other = text if offsets == "token" else words
    if other is not None or (texts is not None and units is None):
        needed = "words" if offsets == "token" else "text"
        message = f'offsets="{offsets}" go with {needed}: give that, and not the other'
        raise SettingsError(message)
    _check_strings("words", () if words is None else words)
    _check_strings("name", (name,))
    given = _Text(units, offsets, end)
    entities = tuple(_span_entities(clusters, given))
    check_antecedents(entities)
    for cycle in find_cycles([entity.elements for entity in entities]):
        message = f"an entity cannot be an element of itself, as entity {cycle[0]} is here"
        raise EntityError(message)
    if texts is not None:
        _check_texts(entities, texts, given)
    if units is None:
        # Nobody said how long the text is: it ends with its last mention.
        ends = (m.words[0][1] for entity in entities for m in entity.mentions)
        units = ["_"] * max(ends, default=0) if offsets == "token" else "_" * max(ends, default=0)
    document = Document(name, units if isinstance(units, str) else tuple(units), entities)
    return Corpus({name: document}, "clusters")


def _check_strings(what: str, given: Any) -> None:
    if isinstance(given, str) or not all(isinstance(item, str) for item in given):
        message = f"{what}: {given!r} must be strings, words a list of them"
        raise EntityError(message)


def _check_choice(name: str, value: Any, choices: Any) -> None:
    if value not in get_args(choices):
        message = f"{name} is {value!r}; it can be {' or '.join(get_args(choices))}"
        raise SettingsError(message)


def _span_entities(clusters: Iterable[Any], text: _Text) -> Iterator[Entity[Mention]]:
    if isinstance(clusters, (str, bytes)) or not isinstance(clusters, Iterable):
        message = f"{clusters!r} is not a list of entities"
        raise EntityError(message)
    listed = list(clusters)
    for position, given in enumerate(listed):
        name = f"entity {position}"
        spans, elements = (
            (given.mentions, given.elements) if isinstance(given, Entity) else (given, ())
        )
        marked = given.antecedents if isinstance(given, Entity) else ()
        for listed_spans in (spans, marked):
            if isinstance(listed_spans, (str, bytes)) or not isinstance(listed_spans, Iterable):
                message = f"{name}: {listed_spans!r} is not a list of spans"
                raise EntityError(message)
        for element in elements:
            if type(element) is not int or not 0 <= element < len(listed):
                message = f"{name}: its element {element!r} is not the position of an entity"
                raise EntityError(message)
        mentions = tuple(Mention((text.span(span, name),)) for span in spans)
        yield Entity(
            mentions,
            tuple(dict.fromkeys(elements)),
            str(position),
            relation=relation_of(given, name),
            antecedents=tuple(Mention((text.span(span, name),)) for span in marked),
        )


def _check_texts(
    entities: Sequence[Entity[Mention]], texts: Iterable[Iterable[str]], text: _Text
) -> None:
    """Compare what the mentions cover with what they are said to cover."""
    expected = [list(of) for of in texts]
    _check_strings("texts", [said for of in expected for said in of])
    if [len(of) for of in expected] != [len(entity.mentions) for entity in entities]:
        message = "texts must have a text for each mention of each entity, in the same order"
        raise EntityError(message)
    for position, (entity, of) in enumerate(zip(entities, expected, strict=True)):
        for mention, said in zip(entity.mentions, of, strict=True):
            (span,) = mention.words
            found = text.covered(span)
            if found.split() != said.split():
                message = (
                    f"entity {position}: {span} with its end exclusive covers {found!r}, and not "
                    f"{said!r}; is it {text.offsets} offsets with the end {text.end}?"
                )
                raise EntityError(message)
