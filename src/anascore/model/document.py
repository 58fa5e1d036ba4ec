"""Entities, documents and corpora, as a file holds them. Values only."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Generic, Literal, NamedTuple, TypeAlias, TypeVar

from anascore.model.mention import Mention, Span, Zero

M_co = TypeVar("M_co", bound=Hashable, covariant=True)
T = TypeVar("T")

RelationName: TypeAlias = Literal["set", "result"]


class Relation(NamedTuple):
    """The relation of an accommodated object to its elements."""

    flattens: bool
    """As an element of another object, it is replaced by its own elements."""

    merges_equal: bool
    """Two objects with the same elements are one entity."""

    notation: str
    """Written before the braces: nothing for {K1, K2}, `result` for result{K1, K2}."""


RELATIONS: dict[RelationName, Relation] = {
    "set": Relation(flattens=True, merges_equal=True, notation=""),
    "result": Relation(flattens=False, merges_equal=False, notation="result"),
}
"""The set of the elements, or the result of something that is done to them, like dough from flour
and water. A result is a thing of its own: the yolk and the white come from one egg."""


@dataclass(frozen=True, slots=True, eq=False)
class Entity(Generic[M_co]):
    """What a set of mentions refers to.

    An entity that a split-antecedent anaphor refers to has an accommodated set besides: its
    elements are given as the positions of other entities in the same list of entities.

    Entities are equal when they have the same mentions, elements and relation, whatever their names
    and attributes. Lists and tuples are equal in the same order; sets have none, and are equal to
    sets only. An entity can be hashed if its mentions can.
    """

    mentions: Collection[M_co]
    elements: Collection[int] = ()
    name: str = ""
    """The id that the file gives it."""

    attributes: Sequence[Mapping[str, str]] = field(default=(), repr=False)
    """For each mention what else the file says of it, like etype or SemType; or nothing at all."""

    relation: RelationName = "set"
    """The relation to its elements, if it has any."""

    antecedents: Collection[M_co] = field(default=(), compare=False, repr=False)
    """The mentions of its elements that are marked as antecedents, where the annotation says so."""

    @property
    def is_set(self) -> bool:
        """True if it refers to nothing but its elements: a set, and not a result of them."""
        return bool(self.elements) and RELATIONS[self.relation].flattens

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entity) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[object, ...]:
        """Return what an entity is compared by, the same for lists and tuples."""
        return _frozen(self.mentions), _frozen(self.elements), self.relation


def _frozen(values: Collection[object]) -> Collection[object]:
    """Return values that can be hashed; they keep their order if they have one."""
    return frozenset(values) if isinstance(values, AbstractSet) else tuple(values)


def marked_mentions(
    entity: Entity[Mention], entities: Sequence[Entity[Mention]]
) -> dict[int, list[Mention]]:
    """Return for each element of an entity the mentions that it marks as antecedents."""
    marked = set(entity.antecedents)
    return {
        element: [m for m in entities[element].mentions if m in marked] if marked else []
        for element in entity.elements
    }


class NonReferring(NamedTuple):
    """A mention that refers to nothing, like the subject of "it rains"."""

    mention: Mention
    type: str = ""
    """What the file calls this kind of mention, if it says."""


class Bridge(NamedTuple):
    """A bridging anaphor and what it is related to, as "the door" to "a house"."""

    anaphor: Mention
    anchor: Mention
    entity: int | None
    """The position of the anchor's entity; None if the anchor refers to nothing."""

    relation: str = ""


class Candidates(NamedTuple):
    """What a response takes for the antecedent of a discourse-deictic anaphor, the best first."""

    anaphor: Mention
    ranked: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The raw lines of a document, kept for columns that are not scored.

    Values derived from the lines are computed on demand and cached. The cache is not part of the
    table's value: it is neither compared nor pickled.
    """

    columns: tuple[str, ...]
    """Names of the columns, in the order of the file."""

    separator: str
    """A tab, or a blank if runs of blanks separate columns."""

    content: bytes = field(repr=False)
    """All lines of the document in UTF-8, with comments and empty lines."""

    _cache: dict[Callable[[Table], Any], Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def lines(self) -> list[str]:
        """The lines of the document."""
        return self.content.decode().split("\n")

    def cached(self, derive: Callable[[Table], T]) -> T:
        """Return `derive(table)`, computed on the first call and kept."""
        if derive not in self._cache:
            self._cache[derive] = derive(self)
        value: T = self._cache[derive]
        return value

    def __reduce__(self) -> tuple[type[Table], tuple[object, ...]]:
        return Table, (self.columns, self.separator, self.content)


@dataclass(frozen=True, slots=True, eq=False)
class Document:
    """One text with one annotation of it, as a file holds it.

    Documents are equal when they have the same words and zeros and say the same of them, whatever
    the order of entities and what these are called.
    """

    name: str
    words: Sequence[str]
    """The words, or the characters of a text whose mentions are given by character offsets."""

    entities: Sequence[Entity[Mention]]
    nonreferring: Sequence[NonReferring] = ()
    bridges: Sequence[Bridge] = ()
    deixis: Sequence[Entity[Mention]] = ()
    """The entities of discourse deixis: a second layer over the same words."""

    zeros: Sequence[Zero] = ()
    """All zeros of the text, in order."""

    path: str = ""
    line: int | None = None
    """The line of the file where the document begins, if that means anything."""

    lines: Sequence[int] = field(default=(), repr=False)
    """For each word the line of the file that it stands on; empty if they have no lines."""

    sentences: Sequence[int] = field(default=(), repr=False)
    """The positions of the words that sentences start with, if the file has sentences."""

    table: Table | None = field(default=None, repr=False)
    rewritten: bool = False
    """Whether its words may differ from the key's, as when a language model wrote them again."""

    notes: Mapping[str, int] = field(default_factory=dict)
    """What was left out when the file was read, and how often."""

    candidates: Sequence[Candidates] = ()
    """Ranked antecedents of discourse deixis."""

    own_words: Sequence[str] = field(default=(), repr=False)
    """The words that a response has itself, where `words` are those of the key.

    They are not part of the text. A mention without any word of the key has positions after the
    text, which go on with the first of these words.
    """

    @property
    def in_characters(self) -> bool:
        """Whether mentions are given by character offsets, so that words are characters."""
        return isinstance(self.words, str)

    @property
    def number_of_words(self) -> int:
        """How many words there are, also where mentions are given by characters."""
        return len(self.words.split() if isinstance(self.words, str) else self.words)

    def line_of(self, mention: Mention) -> int | None:
        """Return the line of a mention's first word, or of the document."""
        # A zero at the beginning has no word before it.
        number = min(mention.order[0][0], len(self.lines))
        return self.lines[number - 1] if number else self.line

    def text_of(self, mention: Mention) -> str:
        """Write the words of a mention; an empty circle stands for zeros."""
        between = "" if self.in_characters else " "
        parts = [between.join(self._words_in(span)) for span in mention.words]
        return " … ".join([*parts, *(["∅"] if mention.zeros else [])])

    def _words_in(self, span: Span) -> list[str]:
        """Return the words in a span, also in one after the text."""
        start, end = (max(0, position - len(self.words)) for position in span)
        return [*self.words[span[0] : span[1]], *self.own_words[start:end]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and _content(self) == _content(other)

    def __hash__(self) -> int:
        return hash((self.name, len(self.words)))


@dataclass(frozen=True, slots=True)
class Corpus:
    """Documents by name, in the order of the file.

    Corpora are equal when they have equal documents, in any order, whatever format and path.
    """

    documents: dict[str, Document]
    format: str = field(compare=False)
    path: str = field(default="", compare=False)
    unnamed: bool = field(default=False, compare=False)
    """Whether the file has no names for its documents, so that only their order tells them."""

    @property
    def name(self) -> str:
        """What a system is called: its file, without ending."""
        if self.path == "-":
            return "standard input"
        return PurePath(self.path.removesuffix(".gz")).stem or "response"

    def __hash__(self) -> int:
        return hash(frozenset(self.documents.items()))

    @staticmethod
    def from_clusters(clusters: Iterable[Any], **convention: Any) -> Corpus:
        """Make a corpus of one document from lists of spans; see anascore.formats.objects."""
        from anascore.formats import objects  # noqa: PLC0415  it makes corpora

        return objects.from_clusters(clusters, **convention)

    @staticmethod
    def from_spacy(docs: Any, **convention: Any) -> Corpus:
        """Make a corpus of spaCy Docs; see anascore.formats.adapters."""
        from anascore.formats import adapters  # noqa: PLC0415  it makes corpora

        return adapters.from_spacy(docs, **convention)

    @staticmethod
    def from_fastcoref(results: Any) -> Corpus:
        """Make a corpus of what fastcoref returns; see anascore.formats.adapters."""
        from anascore.formats import adapters  # noqa: PLC0415  it makes corpora

        return adapters.from_fastcoref(results)

    @staticmethod
    def from_maverick(outputs: Any) -> Corpus:
        """Make a corpus of what maverick returns; see anascore.formats.adapters."""
        from anascore.formats import adapters  # noqa: PLC0415  it makes corpora

        return adapters.from_maverick(outputs)


def _content(document: Document) -> tuple[object, ...]:
    """Return what a document says, the same in whatever order it says it."""
    mentions = _mentions(document.entities)
    bridges = (
        (*bridge[:2], None if bridge.entity is None else mentions[bridge.entity], bridge.relation)
        for bridge in document.bridges
    )
    return (
        document.name,
        tuple(document.words),
        tuple(document.zeros),
        _sorted_entities(document.entities),
        sorted(document.nonreferring, key=lambda found: (found.mention.full_order, found.type)),
        sorted(bridges, key=lambda b: (b[0].full_order, b[1].full_order, b[2] or [], b[3])),
        _sorted_entities(document.deixis),
        sorted(
            (found.anaphor.full_order, [m.full_order for m in found.ranked])
            for found in document.candidates
        ),
    )


_Orders: TypeAlias = list[tuple[object, ...]]


def _mentions(entities: Sequence[Entity[Mention]]) -> list[_Orders]:
    """Return the mentions of each entity, in order, by which an element is known."""
    return [sorted(mention.full_order for mention in entity.mentions) for entity in entities]


def _sorted_entities(
    entities: Sequence[Entity[Mention]],
) -> list[tuple[_Orders, list[_Orders], str]]:
    """Put entities in order, each with the mentions of its elements."""
    mentions = _mentions(entities)
    return sorted(
        (
            mentions[position],
            sorted(mentions[element] for element in entity.elements),
            entity.relation if entity.elements else "",
        )
        for position, entity in enumerate(entities)
    )
