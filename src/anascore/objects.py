"""Python objects to Corpora: lists of spans, and what other libraries return.

None of those libraries is needed: their objects are known by what they have, not by their type.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import wraps
from typing import Any, Literal, NamedTuple, ParamSpec, TypeAlias, get_args

from anascore.elements import find_cycles
from anascore.errors import EntityError, SettingsError
from anascore.mention import Mention, Span
from anascore.model import Corpus, Document, Entity

Offsets: TypeAlias = Literal["token", "character"]
End: TypeAlias = Literal["inclusive", "exclusive"]

P = ParamSpec("P")

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
        if isinstance(spans, (str, bytes)) or not isinstance(spans, Iterable):
            message = f"{name}: {spans!r} is not a list of spans"
            raise EntityError(message)
        for element in elements:
            if type(element) is not int or not 0 <= element < len(listed):
                message = f"{name}: its element {element!r} is not the position of an entity"
                raise EntityError(message)
        mentions = tuple(Mention((text.span(span, name),)) for span in spans)
        yield Entity(mentions, tuple(dict.fromkeys(elements)), str(position))


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


def _merged(corpora: Iterable[Corpus]) -> Corpus:
    documents = (corpus.documents for corpus in corpora)
    return Corpus(dict(item for found in documents for item in found.items()), "clusters")


def _named(documents: Any) -> Iterator[tuple[str, Any]]:
    """Give documents with their names: those of a dictionary, or numbers for those of a list."""
    if isinstance(documents, Mapping):
        yield from documents.items()
        return
    for number, document in enumerate(documents, 1):
        yield NAME if number == 1 else f"{NAME}-{number}", document


def _expecting(what: str) -> Callable[[Callable[P, Corpus]], Callable[P, Corpus]]:
    """Say what was expected where something else was given."""

    def decorate(adapt: Callable[P, Corpus]) -> Callable[P, Corpus]:
        @wraps(adapt)
        def adapted(*given: P.args, **convention: P.kwargs) -> Corpus:
            try:
                return adapt(*given, **convention)
            except (AttributeError, KeyError, TypeError) as error:
                message = f"this is not {what}: {error}"
                raise EntityError(message) from error

        return adapted

    return decorate


@_expecting("spaCy Docs")
def from_spacy(docs: Any, *, prefix: str = "coref_clusters_") -> Corpus:
    """Make a corpus of spaCy Docs, whose entities are the span groups with a prefix.

    docs is a Doc, a list of them, or a dictionary of them by name.
    """
    return _merged(
        from_clusters(
            [
                [(span.start, span.end) for span in spans]
                for key, spans in sorted(doc.spans.items(), key=lambda group: _natural(group[0]))
                if key.startswith(prefix)
            ],
            offsets="token",
            end="exclusive",
            words=[token.text for token in doc],
            name=name,
        )
        for name, doc in _named([docs] if hasattr(docs, "spans") else docs)
    )


def _natural(key: str) -> tuple[int, str]:
    """Sort coref_clusters_10 after coref_clusters_9."""
    return len(key), key


@_expecting("what fastcoref returns")
def from_fastcoref(results: Any) -> Corpus:
    """Make a corpus of what fastcoref's predict returns: character offsets into the text.

    results is one result, a list of them, or a dictionary of them by name.
    """
    return _merged(
        from_clusters(
            # A mention that the text has no place for is None.
            [
                [s for s in spans if s is not None]
                for spans in result.get_clusters(as_strings=False)
            ],
            offsets="character",
            end="exclusive",
            text=result.text,
            texts=result.get_clusters(as_strings=True),
            name=name,
        )
        for name, result in _named([results] if hasattr(results, "get_clusters") else results)
    )


@_expecting("what maverick returns")
def from_maverick(outputs: Any) -> Corpus:
    """Make a corpus of what maverick's predict returns: token offsets, ends inclusive.

    outputs is one output, a list of them, or a dictionary of them by name.
    """
    single = isinstance(outputs, Mapping) and "clusters_token_offsets" in outputs
    return _merged(
        from_clusters(
            output["clusters_token_offsets"],
            offsets="token",
            end="inclusive",
            words=output["tokens"],
            texts=output.get("clusters_token_text"),
            name=name,
        )
        for name, output in _named([outputs] if single else outputs)
    )
