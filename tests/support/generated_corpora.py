"""Corpora of made-up texts that have what real corpora have, the same at every run.

They have several documents, sentences, nested and crossing mentions, mentions with gaps, zeros,
heads, accommodated sets, some of them nested, bridging, discourse deixis and mentions that refer to
nothing.
"""

import random
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import anascore
from anascore import Bridge, Corpus, Document, Entity, Mention, NonReferring

FORMATS = ("corefud", "ua", "conll2012", "friends", "rucoco")
"""The formats that real corpora come in."""

GENRES = ("letter", "news", "novel")
DOCUMENTS = 9
SENTENCES = 12
WORDS = ("a", "house", "of", "old", "Mary", "said", "that", "John", "would", "come", "again", "the")
PRONOUNS = ("they", "them", "their")
SINGULAR = ("she", "it", "he")

Entities = list[Entity[Mention]]


@cache
def generated(name: str, response: int = 0) -> Corpus:
    """Return a key, or one of its responses from 1 on, as it is read from a file in a format."""
    with tempfile.TemporaryDirectory() as folder:
        return anascore.read(generated_file(Path(folder), name, response))


def generated_file(folder: Path, name: str, response: int = 0) -> Path:
    """Write a key or a response; what the format cannot hold is left out."""
    path = folder / (f"{response}" if name == "rucoco" else f"{response}.{name}")
    anascore.write(rich_corpus(response), path, name)
    return path


@cache
def rich_corpus(response: int = 0) -> Corpus:
    """Make a key, or one of its responses from 1 on, with more than any format can hold."""
    documents = [_document(number) for number in range(DOCUMENTS)]
    if response:
        documents = [noisy_document(d, random.Random(f"{response} {d.name}")) for d in documents]
    return Corpus({document.name: document for document in documents})


def _document(number: int) -> Document:
    rng = random.Random(number)
    sizes = [rng.randint(5, 14) for _ in range(SENTENCES)]
    starts = [sum(sizes[:i]) for i in range(SENTENCES)]
    words = [rng.choice(WORDS) for _ in range(sum(sizes))]
    zeros = [
        (before, rank)
        for before in sorted(rng.sample(range(1, len(words)), SENTENCES // 2))
        for rank in range(1, rng.choice([2, 2, 3]))
    ]
    mentions = [Mention((), (zero,)) for zero in zeros if rng.random() < 0.8]
    for start, size in zip(starts, sizes, strict=True):
        mentions += _mentions(rng, start, start + size)
    mentions = sorted((_with_zeros(m, zeros) for m in mentions), key=lambda m: m.order)
    entities = _entities(rng, mentions, words)
    spare = [Mention(((start, start + 2),)) for start in starts]
    anchors = [(mention, i) for i, e in enumerate(entities) for mention in e.mentions]
    return Document(
        f"GEN_{GENRES[number % len(GENRES)]}_{number}",
        words,
        entities,
        nonreferring=[NonReferring(mention, "expletive") for mention in spare[:2]],
        bridges=[
            Bridge(anaphor, *anchor, "part")
            for (anaphor, owner), anchor in (rng.sample(anchors, 2) for _ in range(4))
            if owner != anchor[1]
        ],
        deixis=[Entity(spare[2:4], name="d1"), Entity(spare[4:5], name="d2")],
        zeros=zeros,
        sentences=starts,
    )


def _with_zeros(mention: Mention, zeros: Sequence[tuple[int, int]]) -> Mention:
    """Make a mention cover the zeros between its words."""
    covered = [z for z in zeros if any(start < z[0] < end for start, end in mention.words)]
    return mention._replace(zeros=tuple(covered)) if covered else mention


def _mentions(rng: random.Random, start: int, end: int) -> list[Mention]:
    """Choose mentions within a sentence: many of one word, some nested, crossing or with gaps."""
    mentions = []
    for _ in range((end - start) // 2):
        first = rng.randrange(start, end)
        last = min(end, first + rng.choice([1, 1, 2, 3, 5]))
        spans: tuple[tuple[int, int], ...] = ((first, last),)
        if last + 2 < end and rng.random() < 0.1:
            spans = (*spans, (last + 1, last + 2))
        head = rng.randrange(first, last)
        plain = len(spans) == 1 and last - first == 1
        mentions.append(Mention(spans, (), () if plain else ((head, head + 1),)))
    by_place = {mention.place: mention for mention in mentions}
    return list(by_place.values())


def _entities(rng: random.Random, mentions: list[Mention], words: list[str]) -> Entities:
    """Group mentions into entities; some of these have sets. The words of pronouns are put in."""
    groups: list[list[Mention]] = []
    for mention in mentions:
        if not groups or rng.random() < 0.3:
            groups.append([mention])
        else:
            rng.choice(groups).append(mention)
    entities: Entities = []
    for number, group in enumerate(groups):
        is_set = number > 3 and rng.random() < 0.25
        elements = rng.sample(range(number), rng.choice([2, 2, 3])) if is_set else ()
        pronouns = PRONOUNS if is_set else SINGULAR
        for mention in group[0 if is_set else 1 :]:
            if mention.size == 1 and mention.words and rng.random() < 0.5:
                words[mention.words[0][0]] = rng.choice(pronouns)
        entities.append(Entity(group, elements, f"e{number}"))
    return entities


def noisy_document(document: Document, rng: random.Random) -> Document:
    """Move mentions to other entities, lose some, shorten some, and change some sets."""
    groups: list[list[Mention]] = [[] for _ in document.entities]
    for number, entity in enumerate(document.entities):
        for mention in entity.mentions:
            chance = rng.random()
            owner = rng.randrange(len(groups)) if chance < 0.15 else number
            if chance < 0.9:
                groups[owner].append(mention)
            elif chance < 0.95 and mention.words:
                start = mention.words[0][0]
                groups[owner].append(Mention(((start, start + 1),)))
    elements = [
        [e if rng.random() < 0.7 else rng.randrange(max(number, 1)) for e in entity.elements]
        for number, entity in enumerate(document.entities)
    ]
    kept = [number for number, group in enumerate(groups) if group]
    position = {number: i for i, number in enumerate(kept)}
    entities = [
        Entity(
            list(dict.fromkeys(groups[number])),
            tuple(dict.fromkeys(position[e] for e in elements[number] if e in position)),
            f"e{number}",
        )
        for number in kept
    ]
    owner_of = {mention: i for i, e in enumerate(entities) for mention in e.mentions}
    kept_bridges = document.bridges if owner_of else ()
    anchors = rng.choices(list(owner_of.items()), k=len(kept_bridges))
    bridges = [
        bridge._replace(anchor=anchor, entity=owner)
        for bridge, (anchor, owner) in zip(kept_bridges, anchors, strict=True)
        if owner_of.get(bridge.anaphor, owner) != owner
    ]
    return replace(document, entities=entities, bridges=bridges, deixis=document.deixis[:1])
