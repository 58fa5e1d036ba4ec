"""Baselines of the paper (section 7.1): add accommodated sets to a response that has none.

Only identity gets sets; discourse deixis, the second layer, does not change.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from random import Random
from typing import Any, TypeAlias

from anascore.arguments import check_arguments, is_string, list_of
from anascore.entities.normalisation import ElementsByEntity, flatten
from anascore.errors import (
    MAX_SEED,
    ReadError,
    SettingsError,
    check_whole_number,
    shown,
)
from anascore.formats.objects import check_corpus
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Mention, Place
from anascore.pairing.documents import pair_documents, rename_to_key
from anascore.settings import Settings
from anascore.terminal import track

PLURAL_PRONOUNS = (
    *("they", "them", "their", "theirs", "themselves"),
    *("we", "us", "our", "ours", "ourselves"),
    *("both", "all", "these", "those"),
)
"""English plural pronouns, which can have split antecedents."""

METHODS = "random, recent-N with N of at least 2 (such as recent-2), single, or oracle"
MOST_ELEMENTS = 5
"""Maximum number of elements in a random set."""

Chooser: TypeAlias = Callable[[list[int], dict[int, None]], Collection[int]]
"""Chooses elements from the singular entities before a pronoun.

The first argument orders them by first mention, the second by last mention (the nearest is last).
"""

Owners: TypeAlias = dict[Place, list[int]]
"""Entities that have a mention at a place, as ranks in document order."""


@check_arguments
def add_sets(
    corpus: Corpus,
    method: str,
    *,
    seed: int = 0,
    pronouns: Collection[str] = PLURAL_PRONOUNS,
    key: Corpus | None = None,
) -> Corpus:
    """Add accommodated sets to a response that has single antecedents only.

    Args:
        corpus: The response.
        method: Baseline: random, recent-N, single or oracle.
        seed: Random seed of the method random.
        pronouns: Plural pronouns, whose entities get sets.
        key: The key, from which the method oracle takes the sets.

    Returns:
        The response with sets.

    Raises:
        SettingsError: An argument is not valid, or oracle has no key.
        ReadError: The response has accommodated sets already.

    Example:
        >>> from anascore import Corpus, Document, Entity, Mention
        >>> words = "John met Mary . They talked .".split()
        >>> john, mary, they = (Entity([Mention(((n, n + 1),))]) for n in (0, 2, 4))
        >>> corpus = Corpus({"d": Document("d", words, [john, mary, they])})
        >>> add_sets(corpus, "recent-2").documents["d"].entities[2]
        Entity([Mention(((4, 5),))], elements=[0, 1])
    """
    if not isinstance(corpus, Corpus) or not isinstance(key, Corpus | None):
        message = "corpus and key must be corpora, such as anascore.read returns"
        raise SettingsError(message)
    for made in (corpus, key):
        if made is not None:
            check_corpus(made)
    words = check_choices(method, seed, pronouns)
    for document in corpus.documents.values():
        _check_single(document)
    if method == "oracle":
        sets_by_document = _oracle_sets(corpus, key)
    else:
        plural = frozenset(map(_folded, words))
        sets_by_document = [
            pronoun_sets(document, plural, _chooser(method, seed, name))
            for name, document in track(corpus.documents.items(), "adding sets: document")
        ]
    pairs = zip(corpus.documents.items(), sets_by_document, strict=True)
    return replace(corpus, documents={name: _with_sets(d, sets) for (name, d), sets in pairs})


def check_choices(method: str, seed: Any, pronouns: Any) -> list[str]:
    """Return the pronouns; raise SettingsError if they or the other choices are invalid."""
    recent = re.fullmatch("recent-([0-9]{1,9})", method)
    if method not in {"random", "single", "oracle"} and not (recent and int(recent[1]) >= 2):
        message = f"method must be {METHODS}, not {shown(method)}"
        raise SettingsError(message)
    check_whole_number("seed", seed, 0, MAX_SEED)
    expected = "one or more words"
    words = [] if isinstance(pronouns, str) else list_of("pronouns", pronouns, expected)
    if not words or not all(is_string(word) and word.strip() for word in words):
        message = f"pronouns must be {expected}, none of them empty, not {shown(pronouns)}"
        raise SettingsError(message)
    return words


def _check_single(document: Document) -> None:
    """Raise ReadError if a document has accommodated sets."""
    for position, entity in enumerate(document.entities):
        if entity.elements:
            lines = (document.line_of(mention) for mention in _in_order(entity.mentions))
            message = (
                f"entity {entity.name or position} of document {document.name!r} already has an "
                f"accommodated set; baselines need a response without sets"
            )
            raise ReadError(document.path or "in Python", next(lines, document.line), message)


def _in_order(mentions: Iterable[Mention]) -> list[Mention]:
    return sorted(mentions, key=lambda mention: mention.order)


def _folded(text: str) -> str:
    """Case-fold a text, and put single spaces between words."""
    return " ".join(text.split()).casefold()


def _chooser(method: str, seed: int, name: str) -> Chooser:
    """Make the function that chooses elements in a document."""
    if method == "single":
        return lambda *_: ()
    if method == "random":
        # Each document has its own generator, so its sets do not depend on other documents.
        state = f"{seed} {name}".encode(errors="surrogatepass")
        generator = Random(state)  # noqa: S311  nothing is secret here

        def at_random(preceding: list[int], _: dict[int, None]) -> list[int]:
            number = min(generator.randint(2, MOST_ELEMENTS), len(preceding))
            return generator.sample(preceding, number)

        return at_random
    number = int(method.removeprefix("recent-"))
    return lambda _, nearest: list(islice(reversed(nearest), number))


def pronoun_sets(document: Document, pronouns: frozenset[str], choose: Chooser) -> ElementsByEntity:
    """Make sets for entities whose first mention is a plural pronoun.

    Their elements are singular entities before the pronoun. An entity is singular if none of its
    mentions is a plural pronoun; it never gets a set itself.
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
            # A mention that is still open at the pronoun does not precede it.
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
    """Carry the key's sets over to each document of a response."""
    if key is None:
        message = "the method oracle needs the key; pass it as key=..."
        raise SettingsError(message)
    settings = Settings(missing="empty")
    named = rename_to_key(key, corpus, settings)
    paired = pair_documents(key, named, settings, hint="")
    sets_by_name = {
        name: carried_sets(key.documents[name].entities, response.entities)
        for name, response in paired.items()
        if response
    }
    return [sets_by_name[name] for name in named.documents]


def carried_sets(
    key: Sequence[Entity[Mention]], response: Sequence[Entity[Mention]]
) -> ElementsByEntity:
    """Carry the key's sets over to the most similar entities of the response.

    Sets are carried over in document order. An entity with a set never becomes an element, and an
    element never gets a set, so elements are atomic.
    """
    key_sets = flatten(key)
    ranked = _ranked(response)
    owners: Owners = {}
    for rank, position in enumerate(ranked):
        for place in {mention.place for mention in response[position].mentions}:
            owners.setdefault(place, []).append(rank)
    sets: ElementsByEntity = {}
    used: set[int] = set()
    for number in _ranked(key):
        anaphor = _anaphor(key[number], owners) if key[number].is_set else None
        if anaphor is None or anaphor in used:
            continue
        similar = {_most_similar(key[element], owners) for element in key_sets[number]}
        elements = {r for r in similar if r is not None and r != anaphor and r not in sets}
        if elements:
            sets[anaphor] = frozenset(ranked[rank] for rank in elements)
            used |= {anaphor, *elements}
    return {ranked[rank]: elements for rank, elements in sets.items()}


def _anaphor(entity: Entity[Mention], owners: Owners) -> int | None:
    """Find the response entity that contains the earliest possible mention of a key entity."""
    candidates = (owners.get(mention.place) for mention in _in_order(entity.mentions))
    return next((ranks[0] for ranks in candidates if ranks), None)


def _most_similar(entity: Entity[Mention], owners: Owners) -> int | None:
    """Find the response entity that shares most mentions; of several, the earliest."""
    places = {mention.place for mention in entity.mentions}
    shared = Counter(rank for place in places for rank in owners.get(place, ()))
    return min(shared, key=lambda rank: (-shared[rank], rank), default=None)


def _ranked(entities: Sequence[Entity[Mention]]) -> list[int]:
    orders = [sorted(mention.order for mention in entity.mentions) for entity in entities]
    return sorted(range(len(entities)), key=lambda position: orders[position])


def _with_sets(document: Document, sets: ElementsByEntity) -> Document:
    entities = tuple(
        replace(entity, elements=tuple(sorted(sets.get(position, ()))))
        for position, entity in enumerate(document.entities)
    )
    return replace(document, entities=entities)
