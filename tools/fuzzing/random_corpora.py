"""Random corpora with unusual annotation, written in every format: valid files, or nearly so."""

from __future__ import annotations

import random

from anascore import Corpus, Document, Entity, Mention
from anascore.formats.registry import WRITABLE
from anascore.model.document import Bridge, NonReferring
from anascore.model.mention import Zero, make_mention
from support.resolvers import LAYOUTS, WORDS, Spans
from tools.fuzzing.samples import Sample, written


def random_sample(name: str, rng: random.Random) -> Sample | None:
    """Return a file with random annotation; None if there is no writer for the format."""
    if name in WRITABLE:
        return Sample(name, written(random_corpus(rng), name))
    if name in LAYOUTS:
        return Sample(name, LAYOUTS[name](_random_spans(rng)).encode())
    return None


def _random_spans(rng: random.Random) -> Spans:
    """Draw entities of the story of the resolvers; mentions can be in several of them."""
    return [
        [_random_span(len(WORDS), rng) for _ in range(rng.choice([1, 1, 2, 3]))]
        for _ in range(rng.randrange(5))
    ]


def _random_span(size: int, rng: random.Random) -> tuple[int, int]:
    start = rng.randrange(size)
    return start, min(size, start + rng.choice([1, 1, 1, 2, 3, 5]))


def random_corpus(rng: random.Random) -> Corpus:
    """Draw one to three documents."""
    names = rng.sample(["d", "é", "a b", "x/1", "#1", "unnamed"], rng.choice([1, 2, 3]))
    return Corpus({name: _random_document(name, rng) for name in names})


FORMS = ("Ann", "they", "it", "the", "house", ".", "##x", "é", "(", "a|b", "_", "1", "#", "\u2028x")


def _random_document(name: str, rng: random.Random) -> Document:
    size = rng.choice([1, 3, 6, 10])
    words = tuple(rng.choice(FORMS) for _ in range(size))
    zeros = tuple(
        sorted((place, 1) for place in rng.sample(range(size + 1), rng.choice([0, 0, 1])))
    )
    mentions = [_random_mention(size, zeros, rng) for _ in range(rng.randrange(8))]
    entities = _random_entities(mentions, rng)
    bridges = []
    if len(entities) > 1:
        anaphor, anchor = rng.choice(mentions), rng.randrange(len(entities))
        bridges = [Bridge(anaphor, rng.choice([*entities[anchor].mentions]), anchor, "part")]
    nonreferring = [NonReferring(_random_mention(size, (), rng), "1")]
    deixis = [_random_mention(size, (), rng) for _ in range(2)]
    return Document(
        name,
        words,
        entities,
        nonreferring if rng.random() < 0.3 else (),
        bridges if rng.random() < 0.5 else (),
        _random_entities(deixis, rng) if rng.random() < 0.3 else (),
        zeros,
        sentences=(0, *sorted(rng.sample(range(1, size), rng.randrange(min(size, 3))))),
    )


def _random_mention(size: int, zeros: tuple[Zero, ...], rng: random.Random) -> Mention:
    if zeros and rng.random() < 0.3:
        return Mention((), (rng.choice(zeros),))
    start, end = _random_span(size, rng)
    spans = [(start, end)]
    if end + 1 < size and rng.random() < 0.15:
        spans.append((end + 1, end + 2))
    minimum = ((start, start + 1),) if rng.random() < 0.3 else ()
    return make_mention(tuple(spans), (), minimum)


def _random_entities(mentions: list[Mention], rng: random.Random) -> list[Entity[Mention]]:
    """Group mentions, some of them twice; some groups are sets or results of those before."""
    groups: list[list[Mention]] = []
    for mention in mentions:
        if groups and rng.random() < 0.5:
            rng.choice(groups).append(mention)
        else:
            groups.append([mention])
        if rng.random() < 0.1:
            rng.choice(groups).append(mention)
    return [
        Entity(
            tuple(group),
            tuple(rng.sample(range(number), min(number, 2))) if rng.random() < 0.3 else (),
            f"e{number}",
            relation="result" if rng.random() < 0.2 else "set",
        )
        for number, group in enumerate(groups)
    ]
