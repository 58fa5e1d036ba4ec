"""Entities, documents and corpora, as annotated in a file. Values only."""

from __future__ import annotations

from collections import Counter
from collections.abc import (
    Callable,
    Collection,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
    ValuesView,
)
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any, Generic, Literal, NamedTuple, Protocol, TypeAlias, TypeVar

from anascore.errors import MismatchError, Problem, Repair
from anascore.model.abbreviated import listed, pluralise, quote
from anascore.model.mention import Mention, Span, Zero
from anascore.printing import InNotebook

M_co = TypeVar("M_co", bound=Hashable, covariant=True)
T = TypeVar("T")

RelationName: TypeAlias = Literal["set", "result"]

Offsets: TypeAlias = Literal["token", "character"]
"""Whether spans count tokens or characters."""

End: TypeAlias = Literal["inclusive", "exclusive"]
"""Whether the end of a span is its last token or character, or the one after it."""

Formats: TypeAlias = tuple[str, ...]
"""Formats of a corpus; a folder can mix formats."""

IN_MEMORY: Formats = ("clusters",)
"""Format of corpora made in Python."""

NAME = "document"
"""Default name of a document made from objects; the second one becomes document-2."""


class Array(Protocol):
    """An array or tensor of any library."""

    def tolist(self) -> Any:
        """Return its rows as lists."""


Clusters: TypeAlias = Sequence[Any] | AbstractSet[Any] | ValuesView[Any] | Iterator[Any] | Array
"""One document: each entity is a list of mentions, an array of spans, or an `Entity`. Any: such a
list has no common type. It is not any iterable, because a dictionary is several documents."""


class Relation(NamedTuple):
    """How an accommodated object relates to its elements."""

    flattens: bool
    """True if the object, as an element of another, is replaced by its own elements."""

    merges_equal: bool
    """True if two objects with the same elements are one entity."""

    notation: str
    """Prefix of the braces: empty for {K1, K2}, `result` for result{K1, K2}."""


RELATIONS: dict[RelationName, Relation] = {
    "set": Relation(flattens=True, merges_equal=True, notation=""),
    "result": Relation(flattens=False, merges_equal=False, notation="result"),
}
"""`set`: the elements together. `result`: something new made from them, like dough from flour
and water. Results of the same elements can differ: the yolk and the white come from one egg."""


@dataclass(frozen=True, slots=True, eq=False)
class Entity(Generic[M_co]):
    """A set of mentions that refer to the same thing.

    The entity of a split-antecedent anaphor also has an accommodated set. Its elements are
    positions of other entities in the same list of entities.

    Entities are equal if they have the same mentions, elements and relation, regardless of names
    and attributes. Lists and tuples are equal if their order is the same; sets equal only sets. An
    entity is hashable if its mentions are.
    """

    mentions: Collection[M_co]
    elements: Collection[int] = ()
    name: str = ""
    """Id of the entity in the file."""

    attributes: Sequence[Mapping[str, str]] = ()
    """Further attributes of each mention, like etype or SemType; empty if there are none."""

    relation: RelationName = "set"
    """Relation to the elements, if there are any."""

    antecedents: Collection[M_co] = ()
    """Mentions of its elements that the annotation marks as antecedents."""

    nonreferring: Collection[Entity[M_co]] = ()
    """Further elements, annotated as non-referring: each with its mentions, or with elements
    that represent it. They are not entities of the document. Only the `ua` convention scores
    them."""

    def __repr__(self) -> str:
        """Write a call that makes a similar entity, with only a few of the mentions."""
        parts = [listed(self.mentions)]
        parts += [f"elements={listed(self.elements)}"] if self.elements else []
        parts += [f"name={quote(self.name)}"] if self.name else []
        parts += [f"relation={self.relation!r}"] if self.relation != "set" else []
        return f"Entity({', '.join(parts)})"

    @property
    def is_set(self) -> bool:
        """True if the entity is the set of its elements, not a result of them."""
        return bool(self.elements) and RELATIONS[self.relation].flattens

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Entity) and self._content() == other._content()

    def __hash__(self) -> int:
        return hash(self._content())

    def _content(self) -> tuple[object, ...]:
        return _frozen(self.mentions), _frozen(self.elements), self.relation


def _frozen(values: Collection[object]) -> Collection[object]:
    """Make a hashable copy; values keep their order if they have one."""
    return frozenset(values) if isinstance(values, AbstractSet) else tuple(values)


def marked_mentions(
    entity: Entity[Mention], entities: Sequence[Entity[Mention]]
) -> dict[int, list[Mention]]:
    """Look up the mentions that an entity marks as antecedents, by element."""
    marked = set(entity.antecedents)
    return {
        element: [m for m in entities[element].mentions if m in marked] if marked else []
        for element in entity.elements
    }


class NonReferring(NamedTuple):
    """A mention that refers to nothing, like the subject of "it rains"."""

    mention: Mention
    type: str = ""
    """Type of the mention in the file, if given."""


class Bridge(NamedTuple):
    """A bridging anaphor and its anchor, like "the door" of "a house"."""

    anaphor: Mention
    anchor: Mention
    entity: int | None
    """Position of the anchor's entity; None if the anchor is non-referring."""

    relation: str = ""


class Candidates(NamedTuple):
    """Ranked antecedents of a discourse-deictic anaphor, as a response proposes them."""

    anaphor: Mention
    ranked: tuple[Mention, ...]
    """Candidate antecedents, the best first."""


@dataclass(frozen=True, slots=True)
class Table:
    """The raw lines of a document, kept for columns that are not scored.

    Values derived from the lines are computed on demand and cached. The cache is not part of the
    table's value: it is neither compared nor pickled.
    """

    columns: tuple[str, ...]
    """Column names, in file order."""

    separator: str
    """A tab, or a space if runs of spaces separate columns."""

    content: bytes = field(repr=False)
    """All lines of the document in UTF-8, including comments and empty lines."""

    parts: tuple[TablePart, ...] = ()
    """The joined documents, if the document was made from several; it then has no lines of its
    own."""

    _cache: dict[Callable[[Table], Any], Any] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def lines(self) -> list[str]:
        """The lines of the document."""
        return self.content.decode().split("\n")

    def cached(self, derive: Callable[[Table], T]) -> T:
        """Compute `derive(table)` once, then return the cached value."""
        if derive not in self._cache:
            self._cache[derive] = derive(self)
        value: T = self._cache[derive]
        return value

    def __reduce__(self) -> tuple[type[Table], tuple[object, ...]]:
        return Table, (self.columns, self.separator, self.content, self.parts)


class ResponseNote(str):
    """A note on a choice between fields, which only a response leaves open."""

    __slots__ = ()


class TablePart(NamedTuple):
    """The table of one document among several joined ones."""

    table: Table | None
    words: int
    """Number of words of the document."""

    zeros: Sequence[Zero]


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Document(InNotebook):
    """A text with one annotation.

    Documents are equal if they have the same name, words, zeros and annotation, regardless of
    the order and the names of entities.
    """

    name: str
    words: Sequence[str]
    """Words; or the text as a string if mentions are given by character offsets."""

    entities: Sequence[Entity[Mention]]
    nonreferring: Sequence[NonReferring] = ()
    bridges: Sequence[Bridge] = ()
    deixis: Sequence[Entity[Mention]] = ()
    """Entities of discourse deixis: a second layer over the same words."""

    zeros: Sequence[Zero] = ()
    """All zeros in the text, in order."""

    path: str = ""
    line: int | None = None
    """Line of the file on which the document begins; None if the format has no meaningful lines."""

    lines: Sequence[int] = ()
    """Line of each word in the file; empty if words have no lines."""

    sentences: Sequence[int] = ()
    """First word of each sentence, if the file has sentences."""

    table: Table | None = None
    """Raw lines, if the format has columns."""

    rewritten: bool = False
    """True if the words may differ from the key's, as in the output of a language model."""

    notes: Mapping[str, int] = field(default_factory=dict)
    """Number of items left out while reading, by description."""

    candidates: Sequence[Candidates] = ()
    """Ranked antecedents of discourse deixis."""

    response_words: Sequence[str] = ()
    """Original words of a response, if `words` are the key's.

    They are not part of the text. Mentions without any word of the key have positions after the
    text, which continue with the first of these words.
    """

    global_ids: bool = False
    """True if entities with the same name are the same in all documents of a corpus."""

    errors: tuple[Problem, ...] = ()
    """Errors that the reader reported. A document with errors is not scored: its annotation is
    incomplete."""

    repairs: tuple[Repair, ...] = ()
    """Repairs of a language model's output."""

    unclosed: Sequence[tuple[int, int]] = ()
    """Mentions that were opened and never closed, as positions of an entity and of a mention in
    it. They end with their sentence, which only the key knows."""

    raw_text: str = ""
    """The line of a language model's text. Paragraphs of one document are joined and read again,
    because their tags belong together."""

    def __repr__(self) -> str:
        """Show the name and the most important sizes on one line."""
        unit = "character" if self.in_characters else "word"
        sizes = f"{pluralise(len(self.words), unit)}, {_sizes_in_words(self.sizes)}"
        bad = f", {pluralise(len(self.errors), 'error')}" if self.errors else ""
        return f"<Document {quote(self.name)}: {sizes}{bad}>"

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of words, mentions, entities and other annotation in the file, by name."""
        entities = self.entities
        return {
            "characters" if self.in_characters else "words": len(self.words),
            "mentions": sum(len(entity.mentions) for entity in entities),
            "entities": len(entities),
            "split antecedents": sum(entity.is_set for entity in entities),
            "results": sum(bool(entity.elements) and not entity.is_set for entity in entities),
            "zeros": len(self.zeros),
            "non-referring": len(self.nonreferring),
            "bridging": len(self.bridges),
            "discourse deixis": len(self.deixis),
        }

    @property
    def in_characters(self) -> bool:
        """True if mentions are given by character offsets."""
        return isinstance(self.words, str)

    @property
    def number_of_words(self) -> int:
        """Number of words, even if mentions are given by character offsets."""
        return len(self.words.split() if isinstance(self.words, str) else self.words)

    def line_of(self, mention: Mention) -> int | None:
        """Return the line of a mention's first word, or else of the document."""
        # A zero at the beginning has no word before it.
        first = mention.order[0][0] if mention.zeros else mention.words[0][0] + 1
        number = min(first, len(self.lines))
        return self.lines[number - 1] if number else self.line

    def text_of(self, mention: Mention) -> str:
        """Return a mention's words as text; ∅ represents a zero."""
        words, zeros = mention.words, mention.zeros
        if len(words) == 1 and not zeros and words[0][1] <= len(self.words):
            # Fast path: nearly all mentions are one span of the text.
            text = self.words[words[0][0] : words[0][1]]
            return text if isinstance(text, str) else " ".join(text)
        between = "" if self.in_characters else " "
        parts = [between.join(self._words_in(span)) for span in mention.words]
        return " … ".join([*parts, *(["∅"] if mention.zeros else [])])

    def _words_in(self, span: Span) -> list[str]:
        """Return the words in a span, which may lie after the text."""
        start, end = (max(0, position - len(self.words)) for position in span)
        return [*self.words[span[0] : span[1]], *self.response_words[start:end]]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and _content(self) == _content(other)

    def __hash__(self) -> int:
        return hash((self.name, len(self.words)))


@dataclass(frozen=True, slots=True)
class Corpus(InNotebook):
    """Documents by name, in file order.

    Corpora are equal if they have equal documents, in any order, regardless of format and path.
    """

    documents: dict[str, Document]
    formats: Formats = field(default=IN_MEMORY, compare=False)
    path: str = field(default="", compare=False)
    unnamed: bool = field(default=False, compare=False)
    """True if the file does not name its documents, so that only their order identifies them."""

    def __repr__(self) -> str:
        """Show the most important sizes and the origin on one line."""
        documents = pluralise(len(self.documents), "document")
        origin = self.format + (f", {quote(self.path)}" if self.path else "")
        return f"<Corpus: {documents}, {_sizes_in_words(self.sizes)} ({origin})>"

    @property
    def sizes(self) -> dict[str, int]:
        """Numbers of words, mentions, entities and other annotation in the files, by name."""
        total: Counter[str] = Counter()
        for document in self.documents.values():
            total.update(document.sizes)
        return dict(total)

    @property
    def format(self) -> str:
        """Format names, joined by +."""
        return "+".join(self.formats)

    @property
    def name(self) -> str:
        """Name of the system: the name of its file without extension."""
        if self.path == "-":
            return "standard input"
        stem = PurePath(self.path.removesuffix(".gz")).stem or "response"
        # Outputs are UTF-8, and names of files may not be.
        return stem.encode(errors="backslashreplace").decode()

    def __hash__(self) -> int:
        return hash(frozenset(self.documents.items()))

    def __add__(self, other: object) -> Corpus:
        """Return a corpus with the documents of both.

        Raises:
            MismatchError: Both have a document of the same name.
        """
        if not isinstance(other, Corpus):
            return NotImplemented
        for name in self.documents:
            if name in other.documents:
                message = f"both corpora have a document {name!r}; give one of them another name"
                raise MismatchError(message)
        return Corpus(
            {**self.documents, **other.documents},
            tuple(dict.fromkeys((*self.formats, *other.formats))),
            self.path if self.path == other.path else "",
            unnamed=self.unnamed and other.unnamed,
        )

    def __radd__(self, other: object) -> Corpus:
        """Return the corpus itself for `sum`, which starts with 0."""
        return self if other == 0 else NotImplemented

    @staticmethod
    def from_clusters(  # noqa: PLR0913  a list of spans does not tell its convention
        clusters: Clusters | Mapping[str, Clusters],
        *,
        offsets: Offsets = "token",
        end: End = "inclusive",
        words: Sequence[str] | Mapping[str, Sequence[str]] | None = None,
        text: str | Mapping[str, str] | None = None,
        texts: Iterable[Iterable[str]] | Mapping[str, Iterable[Iterable[str]]] | None = None,
        name: str = NAME,
    ) -> Corpus:
        """Make a corpus from lists of spans.

        Args:
            clusters: The entities of a document: lists of spans (start, end), arrays of shape
                (n, 2), or `Entity` objects, which can have elements. Or several documents: a
                dictionary by name.
            offsets: Unit of the spans.
            end: Convention of the ends of spans.
            words: Words of the document, for token offsets; of several documents, a dictionary.
            text: Text of the document, for character offsets; likewise.
            texts: Texts of the mentions, in lists like the spans, to check the spans; likewise.
            name: Name of the document, if there is only one.

        Returns:
            The corpus. Without words or text, a document ends at its last mention.

        Raises:
            EntityError: A span, an element or a text of a mention is wrong.
            SettingsError: offsets or end is invalid, or does not fit words or text.

        Example:
            >>> corpus = Corpus.from_clusters([[(0, 0), (3, 3)]], offsets="token", end="inclusive",
            ...     words=["Ann", "says", "that", "she", "left"], texts=[["Ann", "she"]])
            >>> [len(document.entities) for document in corpus.documents.values()]
            [1]

        """
        from anascore.formats import objects  # noqa: PLC0415  it makes corpora

        return objects.from_clusters(
            clusters, offsets=offsets, end=end, words=words, text=text, texts=texts, name=name
        )

    @staticmethod
    def from_spacy(
        docs: Any, *, prefix: str = "coref_clusters_", offsets: Offsets = "token"
    ) -> Corpus:
        """Make a corpus from spaCy Docs whose span groups are entities.

        Args:
            docs: A Doc, a list of Docs, or a dictionary of Docs by name.
            prefix: Start of the names of the span groups that are entities.
            offsets: Unit of the corpus: characters can be scored against another tokenisation.

        Returns:
            A corpus whose words are the tokens, or one in characters.

        Raises:
            EntityError: An object is not a Doc of spaCy.

        Example:
            >>> import spacy  # doctest: +SKIP
            >>> doc = spacy.blank("en")("Ann says that she left")  # doctest: +SKIP
            >>> doc.spans["coref_clusters_1"] = [doc[0:1], doc[3:4]]  # doctest: +SKIP
            >>> corpus = Corpus.from_spacy(doc)  # doctest: +SKIP

        """
        from anascore.formats import adapters  # noqa: PLC0415  it makes corpora

        return adapters.from_spacy(docs, prefix=prefix, offsets=offsets)

    @staticmethod
    def from_fastcoref(results: Any) -> Corpus:
        """Make a corpus from the output of fastcoref.

        Args:
            results: A result of `predict`, a list of results, or a dictionary of results by name.

        Returns:
            A corpus in characters of the text; in words if the input of fastcoref was words.

        Raises:
            EntityError: An object is not output of fastcoref.

        Example:
            >>> model = fastcoref.FCoref()  # doctest: +SKIP
            >>> corpus = Corpus.from_fastcoref(model.predict([text]))  # doctest: +SKIP

        """
        from anascore.formats import adapters  # noqa: PLC0415  it makes corpora

        return adapters.from_fastcoref(results)

    @staticmethod
    def from_maverick(outputs: Any) -> Corpus:
        """Make a corpus from the output of maverick.

        Args:
            outputs: An output of `predict`, a list of outputs, or a dictionary of outputs by name.

        Returns:
            A corpus whose words are the tokens.

        Raises:
            EntityError: An object is not output of maverick.

        Example:
            >>> model = maverick.Maverick()  # doctest: +SKIP
            >>> corpus = Corpus.from_maverick(model.predict(text))  # doctest: +SKIP

        """
        from anascore.formats import adapters  # noqa: PLC0415  it makes corpora

        return adapters.from_maverick(outputs)

    @staticmethod
    def from_stanza(docs: Any) -> Corpus:
        """Make a corpus from Stanza Documents, as from the CoNLL-U files that Stanza writes.

        Args:
            docs: A Document, a list of Documents, or a dictionary of Documents by name. Unless
                names are given, comments `# newdoc id` name documents and separate them.

        Returns:
            A corpus with the words, zeros and sentences, and with the parses if there are any.

        Raises:
            EntityError: An object is not a Document of Stanza.

        Example:
            >>> nlp = stanza.Pipeline("en", processors="tokenize,coref")  # doctest: +SKIP
            >>> corpus = Corpus.from_stanza(nlp("Ann says that she left"))  # doctest: +SKIP

        """
        from anascore.formats import adapters  # noqa: PLC0415  it makes corpora

        return adapters.from_stanza(docs)

    @staticmethod
    def from_booknlp(entities: Any, tokens: Any, *, name: str = NAME) -> Corpus:
        """Make a corpus of one document from the tables that BookNLP writes.

        Args:
            entities: The table `.entities`: a pandas DataFrame, or a list of rows as dictionaries.
            tokens: The table `.tokens`, likewise.
            name: Name of the document.

        Returns:
            A corpus of one document, with the categories of mentions as `etype`.

        Raises:
            EntityError: A column is missing, or a row is wrong.

        Example:
            >>> tokens = [{"sentence_ID": 0, "token_ID_within_document": i, "word": word}
            ...     for i, word in enumerate(["Ann", "says", "that", "she", "left"])]
            >>> row = {"COREF": 3, "start_token": 0, "end_token": 0, "prop": "PROP", "cat": "PER",
            ...     "text": "Ann"}
            >>> corpus = Corpus.from_booknlp([row], tokens)

        """
        from anascore.formats import adapters  # noqa: PLC0415  it makes corpora

        return adapters.from_booknlp(entities, tokens, name=name)


def _sizes_in_words(sizes: Mapping[str, int]) -> str:
    mentions, entities = (sizes.get(name, 0) for name in ("mentions", "entities"))
    return f"{pluralise(mentions, 'mention')}, {pluralise(entities, 'entity', 'entities')}"


def _content(document: Document) -> tuple[object, ...]:
    """List the values that decide whether documents are equal, in a fixed order."""
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
        sorted(document.nonreferring, key=lambda item: (item.mention.full_order, item.type)),
        sorted(bridges, key=lambda b: (b[0].full_order, b[1].full_order, b[2] or [], b[3])),
        _sorted_entities(document.deixis),
        sorted(
            (candidates.anaphor.full_order, [m.full_order for m in candidates.ranked])
            for candidates in document.candidates
        ),
    )


_Orders: TypeAlias = list[tuple[object, ...]]


def _mentions(entities: Sequence[Entity[Mention]]) -> list[_Orders]:
    """Sort the mentions of each entity, so that they identify it as an element."""
    return [sorted(mention.full_order for mention in entity.mentions) for entity in entities]


def _sorted_entities(
    entities: Sequence[Entity[Mention]],
) -> list[tuple[_Orders, list[_Orders], str]]:
    """Sort entities, each with the mentions of its elements."""
    mentions = _mentions(entities)
    return sorted(
        (
            mentions[position],
            sorted(mentions[element] for element in entity.elements),
            entity.relation if entity.elements else "",
        )
        for position, entity in enumerate(entities)
    )
