"""Lists of spans to a Corpus."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from anascore.clusters import check_antecedents, relation_of
from anascore.elements import find_cycles
from anascore.errors import EntityError, SettingsError
from anascore.mention import Mention, Span
from anascore.model import Corpus, Document, Entity

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
    entities = tuple(_entities(clusters, given))
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


def _entities(clusters: Iterable[Any], text: _Text) -> Iterator[Entity[Mention]]:
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
