"""A response with single antecedents, made from a key by noise, as trained resolvers cannot be run.

What happens to each document, in this order, from a generator seeded by the seed and its name:

1. Accommodated sets are dropped; the mentions of their entities stay together.
2. Boundaries: a mention loses its first or its last word, or gets one more word at its end.
3. Lost: a mention is dropped.
4. Split: an entity of two mentions or more falls apart into two, mention by mention at random.
5. Merged: an entity is put together with another one.
6. Invented: mentions of one to three words where there was none, alone or in an entity.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random
from typing import TypeAlias

from anascore import Corpus, Document, Entity, Mention
from anascore.model.mention import Place, Span

Clusters: TypeAlias = list[list[Mention]]


@dataclass(frozen=True, slots=True)
class Noise:
    """How often each thing happens: out of mentions, or of entities (split, merged)."""

    moved: float = 0.05
    lost: float = 0.10
    split: float = 0.10
    merged: float = 0.05
    invented: float = 0.08


def single_antecedents(key: Corpus, noise: Noise, seed: int) -> Corpus:
    """Make a response that resolves single antecedents only, with errors."""
    documents = {name: _document(d, noise, seed) for name, d in key.documents.items()}
    return replace(key, documents=documents)


def _document(document: Document, noise: Noise, seed: int) -> Document:
    rng = Random(f"{seed} {document.name}")  # noqa: S311  nothing is secret here
    words = list(_words(document))
    clusters = [list(entity.mentions) for entity in document.entities]
    clusters = _moved(clusters, words, noise, rng)
    clusters = [[m for m in cluster if rng.random() >= noise.lost] for cluster in clusters]
    clusters = [cluster for cluster in clusters if cluster]
    clusters = list(_split(clusters, noise, rng))
    clusters = _merged(clusters, noise, rng)
    _invent(clusters, words, noise, rng)
    entities = tuple(Entity(tuple(found), (), f"e{n}") for n, found in enumerate(clusters, 1))
    return replace(document, entities=entities, nonreferring=(), bridges=(), deixis=(), table=None)


def _words(document: Document) -> Iterator[Span]:
    """Give the words as spans: of one position each, or of characters."""
    if document.in_characters:
        yield from (found.span() for found in re.finditer(r"\w+", str(document.words)))
    else:
        yield from ((position, position + 1) for position in range(len(document.words)))


def _moved(clusters: Clusters, words: list[Span], noise: Noise, rng: Random) -> Clusters:
    """Move boundaries, and keep every place once."""
    starts = {start: number for number, (start, _) in enumerate(words)}
    ends = {end: number for number, (_, end) in enumerate(words)}
    taken: set[Place] = set()
    result: Clusters = []
    for cluster in clusters:
        found = []
        for mention in cluster:
            other = mention
            if rng.random() < noise.moved and len(mention.words) == 1 and not mention.zeros:
                start, end = mention.words[0]
                first, last = starts.get(start), ends.get(end)
                if first is not None and last is not None:
                    other = _other_boundary(first, last, words, rng)
            kept = mention if other.place in taken else other
            if kept.place not in taken:
                taken.add(kept.place)
                found.append(kept)
        result.append(found)
    return result


def _other_boundary(first: int, last: int, words: list[Span], rng: Random) -> Mention:
    """Change one end of a mention, given its first and its last word."""
    choices = [(first + 1, last), (first, last - 1)] if last > first else []
    if last + 1 < len(words):
        choices.append((first, last + 1))
    first, last = rng.choice(choices) if choices else (first, last)
    return Mention(((words[first][0], words[last][1]),))


def _split(clusters: Clusters, noise: Noise, rng: Random) -> Iterator[list[Mention]]:
    for cluster in clusters:
        if len(cluster) > 1 and rng.random() < noise.split:
            sides = [rng.random() < 0.5 for _ in cluster]
            for side in (False, True):
                part = [m for m, at in zip(cluster, sides, strict=True) if at is side]
                if part:
                    yield part
        else:
            yield cluster


def _merged(clusters: Clusters, noise: Noise, rng: Random) -> Clusters:
    merged = [list(cluster) for cluster in clusters]
    for number in range(len(clusters)):
        others = [n for n, found in enumerate(merged) if found and n != number]
        if others and rng.random() < noise.merged:
            merged[rng.choice(others)] += merged[number]
            merged[number] = []
    return [cluster for cluster in merged if cluster]


def _invent(clusters: Clusters, words: list[Span], noise: Noise, rng: Random) -> None:
    """Add mentions where there is none."""
    taken = {mention.place for cluster in clusters for mention in cluster}
    for _ in range(round(noise.invented * len(taken))):
        first = rng.randrange(len(words))
        last = min(first + rng.randint(0, 2), len(words) - 1)
        mention = Mention(((words[first][0], words[last][1]),))
        if mention.place not in taken:
            taken.add(mention.place)
            if rng.random() < 0.5:
                rng.choice(clusters).append(mention)
            else:
                clusters.append([mention])
