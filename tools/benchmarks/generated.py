"""Inputs of any size, the same for everyone: `python -m tools.benchmarks.generated FOLDER`.

A document is a row of mentions of one to four words with other words between. Sizes of entities are
Zipf-like (half of the entities are singletons, and a few are very large), their mentions are spread
over the document, and one entity in a hundred has an accommodated set. In the response a share of
the mentions is noisy: most of these are in another entity, and some have other words or are gone.
So about half of the entities of a large document hang together by what they share.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

SEED = 20
NOISE = 0.3
SETS = 0.01
LONGEST = 4
SENTENCE = 20
"""How many words a sentence has."""

HEAD = "# global.Entity = eid-etype-head-other"
WORDS = ("the", "house", "of", "old", "Mary", "said", "that", "they", "would", "come", "again")

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000)
"""Numbers of mentions of long documents."""

MANY = "many"
"""Name of the corpus of very many documents."""

CORPORA: Mapping[str, tuple[int, int, int]] = {
    "news": (300, 40, 160),
    "tiny": (2_000, 2, 8),
    "tiny-file": (1, 8, 8),
    MANY: (100_000, 8, 8),
    **{f"{size}": (1, size, size) for size in SIZES},
}
"""Names of corpora: how many documents they have, and of how many mentions, from and to."""


class Annotated(NamedTuple):
    """One side of a document: which entity each mention is of, how long it is, and the sets."""

    entities: list[int]
    lengths: list[int]
    """The number of words; 0 if the mention is not annotated."""

    sets: dict[int, list[int]]


def key_of(rng: random.Random, mentions: int) -> Annotated:
    """Make the key of a document."""
    entities: list[int] = []
    number = 0
    while len(entities) < mentions:
        # The size is s or more with a chance of 1 / s.
        size = int(1 / (1 - rng.random()))
        entities += [number] * min(size, mentions - len(entities), max(1, mentions // 50))
        number += 1
    rng.shuffle(entities)
    lengths = [rng.randint(1, LONGEST) for _ in entities]
    owners = rng.sample(range(number), int(number * SETS)) if number > 10 else []
    atomic = sorted(set(range(number)) - set(owners))
    return Annotated(entities, lengths, {o: rng.sample(atomic, rng.randint(2, 3)) for o in owners})


def response_of(rng: random.Random, key: Annotated, noise: float = NOISE) -> Annotated:
    """Make a noisy response."""
    entities, lengths = list(key.entities), list(key.lengths)
    for position in range(len(entities)):
        if rng.random() < noise:
            kind = rng.random()
            if kind < 0.7:
                entities[position] = rng.choice(key.entities)
            elif kind < 0.85:
                lengths[position] = 1 if lengths[position] > 1 else 2
            else:
                lengths[position] = 0
    there = {entity for entity, length in zip(entities, lengths, strict=True) if length}
    sets = {
        owner: [e if rng.random() > noise else rng.choice(entities) for e in elements]
        for owner, elements in key.sets.items()
    }
    return Annotated(
        entities,
        lengths,
        {
            owner: found
            for owner, elements in sets.items()
            if owner in there and (found := sorted({*elements} & there - key.sets.keys()))
        },
    )


def lines_of(name: str, side: Annotated) -> Iterator[str]:
    """Write one side of a document as CorefUD; each mention has room for its longest form."""
    yield f"# newdoc id = {name}\n"
    waiting = dict(side.sets)
    number = 0
    for position, (entity, length) in enumerate(zip(side.entities, side.lengths, strict=True)):
        for place in range(LONGEST + 1):
            misc = []
            if length and place == 0:
                close = ")" if length == 1 else ""
                misc.append(f"Entity=(e{entity}-person-1-{close}")
                links = [f"e{element}<e{entity}" for element in waiting.pop(entity, ())]
                misc += [f"SplitAnte={','.join(links)}"] if links else []
            elif length and place == length - 1:
                misc.append(f"Entity=e{entity})")
            if place == LONGEST or (position + place) % 3 == 0:
                misc.append("SpaceAfter=No")
            word = WORDS[(position * 7 + place) % len(WORDS)]
            number = number % SENTENCE + 1
            yield (
                f"{number}\t{word}\t{word.lower()}\tNOUN\tNN\tNumber=Sing\t{number - 1}\tnsubj\t"
                f"{number - 1}:nsubj\t{'|'.join(misc) or '_'}\n"
            )
            if number == SENTENCE:
                yield "\n"
    yield "\n"


def write(folder: Path, name: str) -> None:
    """Write the key and the response of a corpus."""
    documents, least, most = CORPORA[name]
    rng = random.Random(f"{SEED} {name}")  # noqa: S311  nothing to keep secret
    with (
        (folder / f"{name}-key.conllu").open("w", encoding="utf-8") as key_file,
        (folder / f"{name}-response.conllu").open("w", encoding="utf-8") as response_file,
    ):
        for file in key_file, response_file:
            file.write(f"{HEAD}\n")
        for number in range(documents):
            key = key_of(rng, rng.randint(least, most))
            key_file.writelines(lines_of(f"{name}-{number}", key))
            response_file.writelines(lines_of(f"{name}-{number}", response_of(rng, key)))


if __name__ == "__main__":
    target = Path(sys.argv[1])
    for corpus in CORPORA:
        write(target, corpus)
