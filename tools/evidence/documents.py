"""Random documents, for a comparison with other scorers."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from random import Random

from anascore import Corpus, Document, Entity, Mention
from anascore.model.mention import Span, make_mention

KEPT, MOVED, CUT = 0.8, 0.2, 0.2
"""Share of the key's mentions that a response has; of these, in another entity, or cut short."""


def random_pair(seed: int, *, sets: bool = False) -> tuple[Corpus, Corpus]:
    """Return a key and a response of one document each, with the same words.

    Mentions can be nested, and do not cross. With sets, some entities have split antecedents.
    """
    random = Random(seed)  # noqa: S311  nothing secret
    sentences = [0]
    for _ in range(random.randint(2, 6)):
        sentences.append(sentences[-1] + random.randint(4, 9))
    size = sentences.pop()
    spans = _nested_spans(random, [*sentences, size])
    heads = {span: random.randrange(*span) for span in spans}
    number = random.randint(1, max(1, len(spans) // 2))
    in_key = {span: random.randrange(number) for span in spans if random.random() < KEPT}
    in_response = {
        span: random.randrange(number)
        if span not in in_key or random.random() < MOVED
        else in_key[span]
        for span in spans
        if random.random() < KEPT
    }
    elements = {
        name: random.sample(range(number), min(number, random.randint(2, 3)))
        for name in range(number)
        if sets and random.random() < 0.4
    }
    noisy = {
        name: [random.randrange(number) if random.random() < MOVED else e for e in others]
        for name, others in elements.items()
        if random.random() < KEPT
    }
    cut = {span: _shorten(random, span, heads) for span in in_response if random.random() < CUT}
    in_response = {cut.get(span, span): owner for span, owner in in_response.items()}
    words = [f"w{position}" for position in range(size)]
    name = f"random-{seed}"
    key, response = (
        Document(name, words, _entities(owners, heads, of), sentences=sentences)
        for owners, of in ((in_key, elements), (in_response, noisy))
    )
    return Corpus({name: key}), Corpus({name: response})


def _nested_spans(random: Random, bounds: Sequence[int]) -> list[Span]:
    """Return spans within sentences of which no two cross."""
    spans: list[Span] = []
    for start, end in pairwise(bounds):
        for _ in range(random.randint(2, 6)):
            first = random.randrange(start, end)
            span = first, min(end, first + random.randint(1, 4))
            if span not in spans and not any(_cross(span, other) for other in spans):
                spans.append(span)
    return sorted(spans)


def _shorten(random: Random, span: Span, heads: dict[Span, int]) -> Span:
    """Return a span with the same head, which becomes that of the shorter span, too."""
    head = heads[span]
    shorter = random.randint(span[0], head), random.randint(head + 1, span[1])
    if any(_cross(shorter, other) for other in heads):
        return span
    return shorter if heads.setdefault(shorter, head) == head else span


def _cross(a: Span, b: Span) -> bool:
    (first, second) = sorted((a, b))
    return first[0] < second[0] < first[1] < second[1]


def _entities(
    owners: dict[Span, int], heads: dict[Span, int], elements: dict[int, list[int]]
) -> list[Entity[Mention]]:
    """Return the entities of one side; sets have no cycles, and elements have mentions."""
    names = list(dict.fromkeys(owners.values()))
    positions = {name: position for position, name in enumerate(names)}
    return [
        Entity(
            [
                make_mention((span,), head=(heads[span] + 1, 0))
                for span, owner in owners.items()
                if owner == name
            ],
            sorted(
                {
                    positions[element]
                    for element in elements.get(name, ())
                    if element in positions and element not in elements
                }
            ),
            str(name),
        )
        for name in names
    ]
