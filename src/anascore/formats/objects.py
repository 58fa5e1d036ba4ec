"""Corpora from Python objects: lists of hashable mentions, or of spans."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from itertools import chain
from numbers import Integral, Number, Real
from operator import itemgetter, lt
from typing import Any, NamedTuple, ParamSpec, TypeAlias, TypeVar, get_args
from weakref import WeakValueDictionary

from anascore.arguments import check_choice, has_method, is_string
from anascore.errors import (
    EXCLUSIVE_HINT,
    MAX_NUMBER,
    AnascoreError,
    EntityError,
    Problem,
    Repair,
    SettingsError,
    shown,
)
from anascore.formats.building import ANTECEDENTS, CLUSTERS, owners_of
from anascore.model.abbreviated import pluralise
from anascore.model.document import (
    IN_MEMORY,
    NAME,
    RELATIONS,
    Bridge,
    Candidates,
    Clusters,
    Corpus,
    Document,
    End,
    Entity,
    NonReferring,
    Offsets,
    RelationName,
)
from anascore.model.mention import Mention, Span, words_of
from anascore.model.transform import find_cycles

P = ParamSpec("P")
R = TypeVar("R")

NamedDocuments: TypeAlias = Mapping[str, Clusters | Mapping[str, Any]]
"""Documents by name; a document with split antecedents beside its clusters is a dictionary."""

Documents: TypeAlias = Clusters | NamedDocuments
"""One document, or several by name: a list is always one, and a mapping always several."""

NESTING = (
    "a document is a list of clusters, a cluster a list of mentions: [[(0, 0), (3, 3)], [(5, 6)]]"
)
NAMED_NESTING = (
    'several documents are a dictionary by name: {"a": [[(0, 0), (3, 3)]], "b": [[(5, 6)]]}'
)
PAIRS = "pairs [anaphor, antecedent] of mentions: [[(4, 4), (0, 0)], [(4, 4), (2, 2)]]"
FIELDS = (CLUSTERS, *ANTECEDENTS)
"""Fields of a document that has its split antecedents beside its clusters."""


class ClusterCorpora(NamedTuple):
    """Corpora made of clusters."""

    corpora: Sequence[Corpus]
    """The corpus of each side, in order."""

    without_spans: Mapping[str, str] = {}
    """The first mention that is no span, with its place, of each document that has one."""


def expect(expected: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Raise EntityError with what was expected if objects raise an error while they are read."""

    def decorate(read: Callable[P, R]) -> Callable[P, R]:
        @wraps(read)
        def reader(*args: P.args, **kwargs: P.kwargs) -> R:
            try:
                return read(*args, **kwargs)
            except AnascoreError:
                raise
            except Exception as error:
                message = f"this is not {expected}: {shown(error)}"
                raise EntityError(message) from error

        return reader

    return decorate


class _Annotation(NamedTuple):
    """The annotation of one document by one side."""

    place: str
    """Key or response, and the name of the document if there are several."""

    entities: list[Entity[Hashable]]
    links: dict[str, list[tuple[Hashable, Hashable]]]
    """Pairs of anaphor and antecedent, by field."""

    def mentions(self) -> Iterator[tuple[str, Hashable]]:
        """Yield all mentions with their places."""
        for entity in self.entities:
            for mention in entity.mentions:
                yield f"{self.place}: entity {entity.name}", mention
        for field, links in self.links.items():
            for number, link in enumerate(links):
                for mention in link:
                    yield f"{self.place}: {field}[{number}]", mention


@expect("clusters of mentions")
def corpora_from_clusters(
    sides: Mapping[str, Documents],
    name: str = NAME,
    words: Mapping[str, Sequence[str]] | None = None,
) -> ClusterCorpora:
    """Make a corpus of the clusters of each side: of the key, and of responses.

    If all mentions of a document are spans (first, last), they cover these words; otherwise every
    mention is one word.

    Args:
        sides: The clusters by what messages call them, like "key" and "response". Each is a
            document: a list of clusters, each a list of mentions or an `Entity`, which can have
            elements. Or several documents: a dictionary from names to documents. There, a document
            can also be a dictionary of `clusters` and, as in JSON lines, `split_antecedents` and
            `result_antecedents`, which are pairs of anaphor and antecedent. Mentions can be
            anything hashable; lists count as tuples.
        name: Name of the document, if there is only one.
        words: Words of documents, if they are known. Mentions of these documents must be spans.

    Returns:
        The corpora, which can have different documents.

    Raises:
        EntityError: The nesting is wrong, or mentions, elements or antecedents are.

    Example:
        >>> (key, response), without_spans = corpora_from_clusters(
        ...     {"key": {"a": [[(0, 0), (3, 3)]], "b": [["he", "she"]]},
        ...      "response": {"a": [[[0, 0], [3, 3]]], "b": []}})
        >>> key.documents["a"] == response.documents["a"]
        True
        >>> without_spans
        {'b': "key: document 'b': entity 0: 'he'"}

    """
    _check_same_nesting(sides)
    corpora = [Corpus({}) for _ in sides]
    without_spans: dict[str, str] = {}
    known = words or {}
    try:
        annotated = [_annotations(side, place, name) for place, side in sides.items()]
        for document in dict.fromkeys(chain.from_iterable(annotated)):
            annotations = [side[document] for side in annotated if document in side]
            texts, mentions, other = _placed(annotations, known.get(document))
            if other:
                without_spans[document] = other
            for corpus, side in zip(corpora, annotated, strict=True):
                if document in side:
                    entities = _mapped_entities(side[document], mentions)
                    corpus.documents[document] = Document(document, texts, entities)
    except RecursionError:
        message = f"mentions are nested too deeply; {NESTING}"
        raise EntityError(message) from None
    return ClusterCorpora(corpora, without_spans)


class UnknownWord(str):
    """The position of a word, which stands for the word itself."""

    __slots__ = ()


def numbered_words(number: int) -> list[str]:
    """Return what stands for words that are not known: their positions."""
    return [UnknownWord(position) for position in range(number)]


def are_unknown(words: Sequence[str]) -> bool:
    """Return True for words that only stand for unknown ones."""
    return {*map(type, words)} == {UnknownWord}


def check_has_words(corpus: Corpus) -> None:
    """Raise EntityError if a document was made of spans, and its words are not known."""
    for name, document in corpus.documents.items():
        if corpus.formats == IN_MEMORY and are_unknown(document.words):
            message = (
                f"document {name!r} has no words, and a file needs them; pass "
                f"Corpus.from_clusters({{{name!r}: clusters}}, words={{{name!r}: words}})"
            )
            raise EntityError(message)


def _check_same_nesting(sides: Mapping[str, Documents]) -> None:
    """Raise EntityError if one side is a dictionary of documents, and another is a document."""
    by_kind = {isinstance(side, Mapping): place for place, side in reversed([*sides.items()])}
    if len(by_kind) > 1:
        several, one = by_kind[True], by_kind[False]
        message = f"the {several} is a dictionary of documents, but the {one} is one document"
        raise EntityError(f"{message}; {NAMED_NESTING}")


def _placed(
    annotations: Sequence[_Annotation], words: Sequence[str] | None
) -> tuple[Sequence[str], dict[Hashable, Mention], str | None]:
    """Return the words of a document, its mentions in them, and the first that is no span."""
    unique = _unique_mentions(annotations)
    other = next(_other_than_spans(annotations), None)
    if other and words is not None:
        message = (
            f"{other} is not a span (first, last) of words counted from 0, but the words of this "
            f"document come from the other side; pass spans"
        )
        raise EntityError(message)
    ordered = sorted(unique, key=_order)
    spans: Iterable[Any] = enumerate(range(len(ordered))) if other else ordered
    mentions = {
        mention: Mention(((int(first), int(last) + 1),))
        for mention, (first, last) in zip(ordered, spans, strict=True)
    }
    if other:
        return [m if isinstance(m, str) else shown(m) for m in ordered], mentions, other
    end = max((mention.words[0][1] for mention in mentions.values()), default=0)
    if words is None:
        return numbered_words(end), mentions, None
    if end > len(words):
        place, last = next(
            (place, mention)
            for annotation in annotations
            for place, mention in annotation.mentions()
            if mentions[mention].words[0][1] > len(words)
        )
        message = (
            f"{place}: {shown(last)} ends after the last of {pluralise(len(words), 'word')}; spans "
            f"are (first, last), counted from 0{EXCLUSIVE_HINT}"
        )
        raise EntityError(message)
    return words, mentions, None


def _are_names(values: object) -> bool:
    return isinstance(values, tuple) and all(map(is_string, values))


def check_corpus(corpus: object) -> None:
    """Raise EntityError unless a corpus consists of documents with entities of mentions."""
    if not isinstance(corpus, Corpus):
        message = f"{shown(corpus)} is not a corpus, such as anascore.read returns"
        raise EntityError(message)
    documents = corpus.documents
    if not isinstance(documents, Mapping) or not _are_names(corpus.formats):
        message = (
            f"a corpus must have a dictionary of documents and a tuple of format names, not "
            f"{shown(documents)} and {shown(corpus.formats)}"
        )
        raise EntityError(message)
    if not is_string(corpus.path):
        message = f"the path of a corpus must be a string, not {shown(corpus.path)}"
        raise EntityError(message)
    for name, document in documents.items():
        if _CHECKED.get(id(document)) is document and is_string(name):
            continue
        for problem in _problems_of(name, document):
            message = f"document {shown(name)}: {problem}"
            raise EntityError(message)
        _CHECKED[id(document)] = document


_CHECKED: WeakValueDictionary[int, Document] = WeakValueDictionary()
"""Documents that need no further check, by id: they are values, and one is often scored again."""


_LISTS: dict[str, type] = {
    "entities": Entity,
    "deixis": Entity,
    "nonreferring": NonReferring,
    "bridges": Bridge,
    "candidates": Candidates,
    "zeros": tuple,
    "errors": Problem,
    "repairs": Repair,
}
"""Fields of a document that are lists, with what they contain."""


def _problems_of(name: object, document: object) -> Iterator[str]:
    """Yield what is wrong with a document of a corpus."""
    if not (is_string(name) and isinstance(document, Document) and is_string(document.name)):
        yield f"{shown(document)} is not a Document with a name"
        return
    lists: dict[str, tuple[list[Any], type]] = {
        field: ([getattr(document, field)], kind) for field, kind in _LISTS.items()
    }
    if not isinstance(document.words, str):
        lists["words"] = [document.words], str
    yield from _other_lists(lists)
    if not isinstance(document.rewritten, bool):
        yield f"rewritten must be True or False, not {shown(document.rewritten)}"
    if not _are_notes(document.notes):
        yield f"notes must be a dictionary of numbers by description, not {shown(document.notes)}"
    entities = (*document.entities, *document.deixis)
    mentions = [entity.mentions for entity in entities]
    elements = [entity.elements for entity in entities]
    others = [
        [mention for mention, _ in document.nonreferring],
        [mention for bridge in document.bridges for mention in bridge[:2]],
    ]
    yield from _other_lists(
        {
            "mentions of an entity": (mentions, Mention),
            "elements of an entity": (elements, int),
            "non-referring mentions": (others[:1], Mention),
            "types of non-referring mentions": ([[kind for _, kind in document.nonreferring]], str),
            "anaphors and anchors": (others[1:], Mention),
        }
    )
    placed = [*chain.from_iterable(mentions), *chain.from_iterable(others)]
    if document.zeros:
        placed.append(Mention((), tuple(document.zeros)))
    if not _are_placed(placed):
        wrong = next(mention for mention in placed if not _are_placed([mention]))
        yield f"{shown(wrong)} must have spans (start, end) or zeros, in a tuple"


def _other_lists(lists: Mapping[str, tuple[list[Any], type]]) -> Iterator[str]:
    """Yield the first of some lists by name that does not contain a type."""
    for name, (values, kind) in lists.items():
        if not _are_lists(values, kind):
            wrong = next(value for value in values if not _are_lists([value], kind))
            yield f"{name} must be a list of {kind.__name__}, not {shown(wrong)}"


def _are_notes(notes: object) -> bool:
    return isinstance(notes, Mapping) and all(
        isinstance(what, str) and isinstance(number, int) for what, number in notes.items()
    )


def _are_lists(values: Sequence[Any], kind: type) -> bool:
    """Return True if values are lists, or the like, of a type."""
    if not all(issubclass(own, Collection) for own in {*map(type, values)}):
        return False
    try:
        return all(issubclass(own, kind) for own in {*map(type, chain.from_iterable(values))})
    except Exception:  # noqa: BLE001  the objects are not ours
        return False


def _are_placed(mentions: Sequence[Mention]) -> bool:
    """Return True if mentions have words or zeros, which are pairs of numbers."""
    words, zeros = [*map(words_of, mentions)], [*map(itemgetter(1), mentions)]
    try:
        hash((*words, *zeros))
        pairs = [*chain.from_iterable(words), *chain.from_iterable(zeros)]
        numbers = [*chain.from_iterable(pairs)]
        ends = 2 * sum(map(len, words))
        return (
            all(issubclass(own, tuple) for own in {*map(type, words), *map(type, zeros)})
            and {*map(len, pairs)} <= {2}
            and (() not in words or all(map(any, zip(words, zeros, strict=True))))
            and all(issubclass(kind, Integral) for kind in {*map(type, numbers)})
            and 0 <= min(numbers, default=0) <= max(numbers, default=0) <= MAX_NUMBER
            and all(map(lt, numbers[:ends:2], numbers[1:ends:2]))
        )
    except TypeError:
        return False


def is_span(mention: Any) -> bool:
    """Return True for the numbers (first, last) of words; no text has as many as MAX_NUMBER."""
    if not isinstance(mention, tuple) or len(mention) != 2:
        return False
    if not all(isinstance(number, Real) for number in mention):
        return False
    # Numbers of NumPy are equal to Python's, and so are 3.0 and 3.
    first, last = mention
    return bool(0 <= first <= last <= MAX_NUMBER and int(first) == first and int(last) == last)


def _other_than_spans(annotations: Iterable[_Annotation]) -> Iterator[str]:
    """Yield the mentions that are no spans, with their places."""
    for annotation in annotations:
        for place, mention in annotation.mentions():
            if not is_span(mention):
                yield f"{place}: {shown(mention)}"


def _annotations(documents: Documents, side: str, name: str) -> dict[str, _Annotation]:
    """Return the annotation of each document."""
    if not isinstance(documents, Mapping):
        return {name: _annotation(documents, side)}
    if fields := [field for field in FIELDS if field in documents]:
        message = f"{side}: {fields[0]} must be in a document with a name: "
        raise EntityError(message + '{"a": {"clusters": ..., "split_antecedents": ...}}')
    for document in documents:
        if not isinstance(document, str):
            message = f"{side}: the name of a document must be a string, not {shown(document)}"
            raise EntityError(f"{message}; {NAMED_NESTING}")
    return {
        document: _annotation(value, f"{side}: document {document!r}")
        for document, value in documents.items()
    }


@contextmanager
def _errors_at(place: str) -> Iterator[None]:
    """Add a place to the message of an EntityError."""
    try:
        yield
    except EntityError as error:
        message = f"{place}: {error}"
        raise EntityError(message) from None


def _annotation(document: Clusters | Mapping[str, Any], place: str) -> _Annotation:
    """Return the checked annotation of a document."""
    with _errors_at(place):
        if not isinstance(document, Mapping):
            return _Annotation(place, _entities(document), {})
        for field in document:
            if field not in FIELDS:
                message = f"a document has no {shown(field)}; it can have {', '.join(FIELDS)}"
                raise EntityError(message)
        links = {
            field: list(_links(document[field], field))
            for field in ANTECEDENTS
            if field in document
        }
        return _Annotation(place, _entities(document.get(CLUSTERS, ())), links)


def _links(values: Any, field: str) -> Iterator[tuple[Hashable, Hashable]]:
    """Yield pairs of anaphor and antecedent."""
    for number, value in enumerate(_as_tuple(values, field, f"a list of {PAIRS}")):
        name = f"{field}[{number}]"
        pair = _mentions(value, name, f"one of {PAIRS}")
        if len(pair) != 2:
            message = f"{name}: {shown(value)} is not one of {PAIRS}"
            raise EntityError(message)
        yield pair[0], pair[1]


def _entities(clusters: Clusters) -> list[Entity[Hashable]]:
    """Return checked entities, named by their positions."""
    entities = []
    expected = f"a list of mentions; {NESTING}"
    values = _as_tuple(clusters, "clusters", f"a list of clusters; {NESTING}")
    for position, value in enumerate(values):
        name = f"entity {position}"
        if isinstance(value, Entity):
            entity: Entity[Hashable] = Entity(
                _mentions(value.mentions, name, expected),
                _elements(value.elements, name, len(values)),
                str(position),
                relation=relation_of(value, name),
                antecedents=_mentions(value.antecedents, f"antecedents of {name}", expected),
            )
        else:
            entity = Entity(_mentions(value, name, expected), name=str(position))
        entities.append(entity)
    check_antecedents(entities)
    return entities


def _as_tuple(value: Any, name: str, expected: str) -> tuple[Any, ...]:
    """Return an iterable as a tuple; raise EntityError for strings, mappings and anything else."""
    if not isinstance(value, (str, bytes, Mapping)):
        try:
            return tuple(_as_list(value))
        except TypeError:
            pass
    message = f"{name}: {shown(value)} is not {expected}"
    raise EntityError(message)


def _mentions(value: Any, name: str, expected: str) -> tuple[Hashable, ...]:
    """Return mentions in which lists are tuples; raise EntityError if they are not hashable."""
    mentions = _as_tuple(value, name, expected)
    mentions = tuple(map(_as_list, mentions))
    try:
        hash(mentions)
    except TypeError:
        for mention in mentions:
            # A list with a number in it is a span, or has one; other lists are clusters.
            if isinstance(mention, list) and (
                len(mention) < 2 or not any(isinstance(part, Integral) for part in mention)
            ):
                raise _not_a_mention(mention, name) from None
        return tuple(_hashable(mention, name) for mention in mentions)
    return mentions


def _not_a_mention(value: Any, name: str) -> EntityError:
    message = f"{name}: {shown(value)} is a list of mentions, not a mention"
    return EntityError(f"{message}; {NESTING}; {NAMED_NESTING}")


def _hashable(value: Any, name: str) -> Hashable:
    """Return a mention or a part of it, with lists as tuples."""
    if isinstance(value, (list, tuple)):
        return tuple(_hashable(part, name) for part in value)
    try:
        hash(value)
    except TypeError:
        kind = ARRAY if _is_array(type(value)) else "cannot be hashed: use a tuple or a frozenset"
        message = f"{name}: the mention {shown(value)} {kind}; {NESTING}"
        raise EntityError(message) from None
    hashable: Hashable = value
    return hashable


def _as_list(value: Any) -> Any:
    """Return an array or tensor as a list; anything else as it is."""
    return value.tolist() if _is_array(type(value)) and has_method(value, "tolist") else value


ARRAY = "is made of arrays or tensors: convert them with tolist()"


def _is_array(kind: type) -> bool:
    """Return True for arrays and tensors of any library, False for NumPy's numbers."""
    return hasattr(kind, "__array__") and not issubclass(kind, (Number, str, bytes))


def _elements(value: Any, name: str, size: int) -> tuple[int, ...]:
    """Return elements, each once; raise EntityError unless they are positions of entities."""
    elements: dict[int, None] = {}
    for element in _as_tuple(value, f"elements of {name}", "a list of positions"):
        is_number = isinstance(element, Integral) and not isinstance(element, bool)
        if not is_number or not 0 <= element < size:
            message = f"{name}: its element {shown(element)} is not the position of an entity"
            raise EntityError(f"{message}, from 0 to {size - 1}")
        elements[int(element)] = None
    return tuple(elements)


def _check_cycles(entities: Sequence[Entity[Any]]) -> None:
    """Raise EntityError if an entity is an element of itself, directly or not."""
    for cycle in find_cycles([entity.elements for entity in entities], 1):
        message = f"an entity cannot be an element of itself, but entity {cycle.first} is"
        raise EntityError(message)


def check_antecedents(entities: Sequence[Entity[Any]]) -> None:
    """Raise EntityError unless the antecedents of entities are mentions of their elements."""
    if not any(entity.antecedents for entity in entities):
        return
    owners: dict[Hashable, set[int]] = {}
    for position, entity in enumerate(entities):
        for mention in entity.mentions:
            owners.setdefault(mention, set()).add(position)
    for position, entity in enumerate(entities):
        elements = {*entity.elements}
        for antecedent in entity.antecedents:
            if elements.isdisjoint(owners.get(antecedent, ())):
                message = (
                    f"entity {position}: its antecedent {shown(antecedent)} is not a mention of an "
                    f"element"
                )
                raise EntityError(message)


def relation_of(entity: Entity[Any], name: str) -> RelationName:
    """Return the relation of an entity to its elements; raise EntityError if it is unknown."""
    if not isinstance(entity.relation, str) or entity.relation not in RELATIONS:
        relations = " or ".join(RELATIONS)
        message = f"{name}: its relation is {shown(entity.relation)}; it can be {relations}"
        raise EntityError(message)
    return entity.relation


def _unique_mentions(annotations: Sequence[_Annotation]) -> set[Hashable]:
    """Return the mentions of a document; raise EntityError if some are no mentions."""
    unique = {m for side in annotations for entity in side.entities for m in entity.mentions}
    unique.update(
        m for side in annotations for links in side.links.values() for link in links for m in link
    )
    kinds = {type(mention) for mention in unique}
    parts = {type(part) for mention in unique if type(mention) is tuple for part in mention}
    if len(kinds) > 1 or not kinds | parts <= {int, str, tuple} or tuple in parts:
        _check_mentions(annotations)
    return unique


def _check_mentions(annotations: Sequence[_Annotation]) -> None:
    """Raise EntityError if mentions are no mentions, or numbers on the one hand and spans too."""
    number = span = None
    for annotation in annotations:
        for place, mention in annotation.mentions():
            parts = mention if type(mention) is tuple else (mention,)
            if mention is None or any(_is_array(type(part)) for part in parts):
                reason = "is no mention" if mention is None else ARRAY
                message = f"{place}: {shown(mention)} {reason}; {NESTING}"
                raise EntityError(message)
            if type(mention) is tuple and all(type(part) is tuple for part in mention):
                raise _not_a_mention(mention, place)
            if isinstance(mention, Integral):
                number = number or (place, mention)
            elif (
                type(mention) is tuple and [isinstance(m, Integral) for m in mention] == [True] * 2
            ):
                span = span or (place, mention)
    if number and span:
        message = f"{number[0]}: {number[1]} is a number, and {span[0]}: {span[1]} is a span"
        raise EntityError(f"{message}; mentions are either numbers or spans; {NESTING}")


def _mapped_entities(
    annotation: _Annotation, mentions: Mapping[Hashable, Mention]
) -> list[Entity[Mention]]:
    """Return entities of `Mention`s, with the elements that are given beside them."""
    entities = [
        Entity(
            [mentions[m] for m in e.mentions],
            e.elements,
            e.name,
            relation=e.relation,
            antecedents=[mentions[m] for m in e.antecedents],
        )
        for e in annotation.entities
    ]
    with _errors_at(annotation.place):
        for field, links in annotation.links.items():
            _add_links([(mentions[a], mentions[b]) for a, b in links], field, entities)
        _check_cycles(entities)
    return entities


def _add_links(
    links: Sequence[tuple[Mention, Mention]], field: str, entities: list[Entity[Mention]]
) -> None:
    """Add the entities of antecedents to the elements of the entities of their anaphors.

    A mention that is in no entity becomes one.
    """
    owner = owners_of([entity.mentions for entity in entities])
    antecedents: dict[int, list[Mention]] = {}
    for link in links:
        for mention in link:
            if mention not in owner:
                owner[mention] = len(entities)
                entities.append(Entity([mention], name=str(len(entities))))
        antecedents.setdefault(owner[link[0]], []).append(link[1])
    for position, own in antecedents.items():
        entity, relation = entities[position], ANTECEDENTS[field]
        if entity.elements and entity.relation != relation:
            message = f"{field}: entity {position} has elements as a {entity.relation} already"
            raise EntityError(f"{message}; it can be a set or a result, not both")
        elements = dict.fromkeys([*entity.elements, *(owner[mention] for mention in own)])
        entities[position] = replace(
            entity,
            elements=tuple(elements),
            relation=relation,
            antecedents=list(dict.fromkeys([*entity.antecedents, *own])),
        )


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


LONGEST_TEXT = 10**7
"""Maximum length of a text that is not given, but ends with its last mention."""


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
        except Exception:  # noqa: BLE001  the object is not ours
            is_pair, span = False, (0, 0)
        size = None if self.units is None else len(self.units)
        if is_pair and 0 <= span[0] < span[1] <= (LONGEST_TEXT if size is None else size):
            return span
        among = "" if size is None else f" among {size}"
        other_end = ""
        if is_pair and self.end == "inclusive" and 0 <= start < last == size:
            other_end = '; if it is exclusive, pass end="exclusive"'
        elif is_pair and self.end == "exclusive" and 0 <= start == last:
            other_end = '; if it is inclusive, pass end="inclusive"'
        message = (
            f"{entity}: {shown(value)} is not a span (start, end){among}, in {self.offsets} "
            f"offsets from 0 with its end {self.end}{other_end}"
        )
        raise EntityError(message)

    def covered(self, span: Span) -> str:
        """Return the text of a span."""
        units = self.units or ()
        return ("" if self.offsets == "character" else " ").join(units[span[0] : span[1]])


@expect("clusters of spans")
def from_clusters(
    clusters: Clusters | Mapping[str, Clusters], *, name: str = NAME, **choices: Any
) -> Corpus:
    """Make a corpus from lists of spans, of one document or of several by name."""
    if not isinstance(clusters, Mapping):
        return _from_document(clusters, name=name, **choices)
    by_name = {
        field: choices.pop(field) for field in ("words", "text", "texts") if choices.get(field)
    }
    for field, values in by_name.items():
        if not isinstance(values, Mapping):
            message = f"{field} must be a dictionary by document, like the clusters"
            raise SettingsError(message)
        for document in values:
            if document not in clusters:
                message = f"{field}: there are no clusters of a document {shown(document)}"
                raise EntityError(message)
    documents: dict[str, Document] = {}
    for document, own in clusters.items():
        given = {field: values[document] for field, values in by_name.items() if document in values}
        with _errors_at(f"document {shown(document)}"):
            made = _from_document(own, name=document, **{**choices, **given})
        documents |= made.documents
    return Corpus(documents)


def _from_document(  # noqa: PLR0913  a list of spans does not tell its convention
    clusters: Clusters,
    *,
    offsets: Offsets,
    end: End,
    words: Sequence[str] | None = None,
    text: str | None = None,
    texts: Iterable[Iterable[str]] | None = None,
    name: str = NAME,
) -> Corpus:
    """Make a corpus of one document from lists of spans."""
    check_choice("offsets", offsets, get_args(Offsets))
    check_choice("end", end, get_args(End))
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
    if text is not None and not isinstance(text, str):
        message = f"text: {shown(text)} is not a string"
        raise EntityError(message)
    document_text = _Text(units, offsets, end)
    entities = tuple(_span_entities(clusters, document_text))
    check_antecedents(entities)
    _check_cycles(entities)
    if texts is not None:
        _check_texts(entities, texts, document_text)
    if units is None:
        # The length of the text is unknown: it ends with the last mention.
        ends = (m.words[0][1] for entity in entities for m in entity.mentions)
        last = max(ends, default=0)
        units = "_" * last if offsets == "character" else numbered_words(last)
    document = Document(name, units if isinstance(units, str) else tuple(units), entities)
    return Corpus({name: document})


def _check_strings(name: str, values: Any) -> None:
    is_list = isinstance(values, Iterable) and not isinstance(values, str)
    if not is_list or not all(isinstance(value, str) for value in values):
        message = f"{name}: {shown(values)} is not made of strings; words must be a list of strings"
        raise EntityError(message)


def _span_entities(clusters: Clusters, text: _Text) -> Iterator[Entity[Mention]]:
    values = _as_tuple(clusters, "clusters", "a list of lists of spans")
    for position, value in enumerate(values):
        name = f"entity {position}"
        entity = value if isinstance(value, Entity) else Entity(value)
        spans = _as_tuple(entity.mentions, name, "a list of spans")
        marked = _as_tuple(entity.antecedents, name, "a list of spans")
        yield Entity(
            tuple(Mention((text.span(span, name),)) for span in spans),
            _elements(entity.elements, name, len(values)),
            str(position),
            relation=relation_of(entity, name),
            antecedents=tuple(Mention((text.span(span, name),)) for span in marked),
        )


def _check_texts(
    entities: Sequence[Entity[Mention]], texts: Iterable[Iterable[str]], text: _Text
) -> None:
    """Raise EntityError unless the mentions cover the texts expected."""
    groups = _as_tuple(texts, "texts", "a list of lists of strings")
    expected_texts = [_as_tuple(group, "texts", "a list of strings") for group in groups]
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
                    f"entity {position}: {span} with its end exclusive covers {shown(actual)}, and "
                    f"not {shown(expected)}; is it {text.offsets} offsets with the end {text.end}?"
                )
                raise EntityError(message)
