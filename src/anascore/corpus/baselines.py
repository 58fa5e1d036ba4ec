"""The baselines of the paper (section 7.1): accommodated sets for a response that has none.

The sets are those of identity; discourse deixis, the second layer, stays as it is.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any, TypeAlias

from anascore.errors import ReadError, SettingsError
from anascore.execution import track
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Mention, Place
from anascore.prepare.normalise import ElementsByEntity, flatten
from anascore.prepare.pairing import named_alike, pair_documents
from anascore.settings import Settings

PLURAL_PRONOUNS = (
    *("they", "them", "their", "theirs", "themselves"),
    *("we", "us", "our", "ours", "ourselves"),
    *("both", "all", "these", "those"),
)
"""Plural pronouns, which can have split antecedents."""

METHODS = "random, recent-N with N from 2 up (like recent-2), single, or oracle"
SEEDS = "it must be 0, 1, 2 or more"
MOST_RECENT = 5
"""How many elements a set at random has at most."""

Choice: TypeAlias = Callable[[list[int], dict[int, None]], Collection[int]]
"""Chooses elements from the singular entities before a pronoun, which are given twice: as they are
first mentioned, and as they are last mentioned, so that the nearest is the last."""

Owners: TypeAlias = dict[Place, list[int]]
"""For each place the entities that have a mention there, by their ranks in document order."""


def add_sets(
    corpus: Corpus,
    method: str,
    *,
    seed: int = 0,
    pronouns: Collection[str] = PLURAL_PRONOUNS,
    key: Corpus | None = None,
) -> Corpus:
    """Add accommodated sets to a response with single antecedents only; oracle needs the key."""
    if not isinstance(corpus, Corpus) or not isinstance(key, Corpus | None):
        message = "corpus and key must be corpora, as anascore.read gives them"
        raise SettingsError(message)
    pronouns = tuple(pronouns) if isinstance(pronouns, Iterator) else pronouns
    check_choices(method, seed, pronouns)
    for document in corpus.documents.values():
        _check_single(document)
    if method == "oracle":
        found = _oracle_sets(corpus, key)
    else:
        plural = frozenset(map(_folded, pronouns))
        found = [
            pronoun_sets(document, plural, _choice(method, seed, name))
            for name, document in track(corpus.documents.items(), "adding sets: document")
        ]
    pairs = zip(corpus.documents.items(), found, strict=True)
    return replace(corpus, documents={name: _with_sets(d, sets) for (name, d), sets in pairs})


def check_choices(method: Any, seed: Any, pronouns: Any) -> None:
    """Refuse a method that does not exist, a seed that is none, and a list without pronouns."""
    recent = re.fullmatch("recent-([0-9]{1,9})", str(method))
    named = isinstance(method, str) and method in {"random", "single", "oracle"}
    if not named and not (recent and int(recent[1]) >= 2):
        message = f"method is {method!r}; it can be {METHODS}"
        raise SettingsError(message)
    if type(seed) is not int or seed < 0:
        message = f"seed is {seed!r}; {SEEDS}"
        raise SettingsError(message)
    given = isinstance(pronouns, Iterable) and not isinstance(pronouns, str)
    words = list(pronouns) if given else []
    if not words or not all(isinstance(word, str) and word.strip() for word in words):
        message = f"pronouns are {pronouns!r}; name one or more, and none that is empty"
        raise SettingsError(message)


def _check_single(document: Document) -> None:
    """Refuse a document that has accommodated sets."""
    for position, entity in enumerate(document.entities):
        if entity.elements:
            lines = (document.line_of(mention) for mention in _in_order(entity.mentions))
            what = (
                f"entity {entity.name or position} of document {document.name!r} has an "
                f"accommodated set already; baselines add sets to a response that has none"
            )
            raise ReadError(document.path or "in Python", next(lines, document.line), what)


def _in_order(mentions: Iterable[Mention]) -> list[Mention]:
    return sorted(mentions, key=lambda mention: mention.order)


def _folded(text: str) -> str:
    """Return a text as it is looked up: without case, words joined by blanks."""
    return " ".join(text.split()).casefold()


def _choice(method: str, seed: int, name: str) -> Choice:
    """Make the rule by which a document's elements are chosen."""
    if method == "single":
        return lambda *_: ()
    if method == "random":
        # Each document has a generator of its own, so that other documents change nothing.
        source = f"{seed} {name}".encode(errors="surrogatepass")
        generator = Random(source)  # noqa: S311  nothing is secret here

        def at_random(preceding: list[int], _: dict[int, None]) -> list[int]:
            number = min(generator.randint(2, MOST_RECENT), len(preceding))
            return generator.sample(preceding, number)

        return at_random
    number = int(method.removeprefix("recent-"))
    return lambda _, nearest: list(islice(reversed(nearest), number))


def pronoun_sets(document: Document, pronouns: frozenset[str], choose: Choice) -> ElementsByEntity:
    """Give a set to entities that a plural pronoun begins, from singular entities before it.

    Singular are entities of which no mention is such a pronoun; these never get a set themselves.
    """
    mentions = sorted(
        (mention.order, position, _folded(_text(document, mention)) in pronouns)
        for position, entity in enumerate(document.entities)
        for mention in entity.mentions
    )
    plural = {position for _, position, is_pronoun in mentions if is_pronoun}
    singular = sorted((order[1], order, p) for order, p, _ in mentions if p not in plural)
    preceding: dict[int, None] = {}
    nearest: dict[int, None] = {}
    begun: set[int] = set()
    ended = 0
    sets: ElementsByEntity = {}
    for (first, *_), position, is_pronoun in mentions:
        if is_pronoun and position not in begun:
            # What goes on around the pronoun does not precede it.
            while ended < len(singular) and singular[ended][0] < first:
                entity = singular[ended][2]
                preceding[entity] = None
                nearest.pop(entity, None)
                nearest[entity] = None
                ended += 1
            elements = frozenset(choose(list(preceding), nearest))
            if len(elements) > 1:
                sets[position] = elements
        begun.add(position)
    return sets


def _text(document: Document, mention: Mention) -> str:
    between = "" if document.in_characters else " "
    return " ".join(between.join(document.words[start:end]) for start, end in mention.words)


def _oracle_sets(corpus: Corpus, key: Corpus | None) -> list[ElementsByEntity]:
    """Find the key's sets for each document of a response."""
    if key is None:
        message = "method oracle needs the key, from which it takes the sets; give it as key=..."
        raise SettingsError(message)
    settings = Settings(missing="empty")
    named = named_alike(key, corpus, settings)
    paired = pair_documents(key, named, settings, hint="")
    found = {
        name: carried_sets(key.documents[name].entities, response.entities)
        for name, response in paired.items()
        if response
    }
    return [found[name] for name in named.documents]


def carried_sets(
    key: Sequence[Entity[Mention]], response: Sequence[Entity[Mention]]
) -> ElementsByEntity:
    """Give the key's sets to the response's entities, with those most like the key's elements.

    Sets are given in document order. No entity that has a set becomes an element, nor the other
    way round, so that elements are atomic.
    """
    key_sets = flatten(key)
    ranked = _ranked(response)
    owners: Owners = {}
    for rank, position in enumerate(ranked):
        for place in {mention.place for mention in response[position].mentions}:
            owners.setdefault(place, []).append(rank)
    sets: ElementsByEntity = {}
    taken: set[int] = set()
    for number in _ranked(key):
        anaphor = _anaphor(key[number], owners) if key[number].is_set else None
        if anaphor is None or anaphor in taken:
            continue
        alike = {_most_alike(key[element], owners) for element in key_sets[number]}
        elements = {r for r in alike if r is not None and r != anaphor and r not in sets}
        if elements:
            sets[anaphor] = frozenset(ranked[rank] for rank in elements)
            taken |= {anaphor, *elements}
    return {ranked[rank]: elements for rank, elements in sets.items()}


def _anaphor(entity: Entity[Mention], owners: Owners) -> int | None:
    """Find the entity that has the first of the key's mentions, or the next that there is."""
    found = (owners.get(mention.place) for mention in _in_order(entity.mentions))
    return next((ranks[0] for ranks in found if ranks), None)


def _most_alike(entity: Entity[Mention], owners: Owners) -> int | None:
    """Find the entity that shares the most mentions with the key's, the earliest of several."""
    places = {mention.place for mention in entity.mentions}
    shared = Counter(rank for place in places for rank in owners.get(place, ()))
    return min(shared, key=lambda rank: (-shared[rank], rank), default=None)


def _ranked(entities: Sequence[Entity[Mention]]) -> list[int]:
    """Put the positions of entities in document order."""
    orders = [sorted(mention.order for mention in entity.mentions) for entity in entities]
    return sorted(range(len(entities)), key=lambda position: orders[position])


def _with_sets(document: Document, sets: ElementsByEntity) -> Document:
    entities = tuple(
        replace(entity, elements=tuple(sorted(sets.get(position, ()))))
        for position, entity in enumerate(document.entities)
    )
    return replace(document, entities=entities)
