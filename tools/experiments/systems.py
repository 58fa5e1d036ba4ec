"""The rows of the tables: baselines, the input itself, a partly right response, the oracle."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from anascore import Corpus, Document
from anascore.corpus.baselines import add_sets

MISSED = 0.3
"""How many sets a partly right response does not have."""

KEPT, ADDED = 0.7, 0.2
"""How many elements it keeps, and how many of its sets have a wrong one more."""


def systems(
    key: Corpus, single: Corpus, pronouns: Sequence[str], seed: int
) -> Iterator[tuple[str, Corpus]]:
    """Give the responses by their names, in the order of the paper's tables."""
    for number in (2, 3, 4, 5):
        yield f"Recent {number}", add_sets(single, f"recent-{number}", pronouns=pronouns)
    yield "Random", add_sets(single, "random", pronouns=pronouns, seed=seed)
    yield "Single Ant", single
    oracle = add_sets(single, "oracle", key=key)
    yield "Partly right", partly_right(oracle, seed)
    yield "Oracle", oracle


def partly_right(oracle: Corpus, seed: int) -> Corpus:
    """Damage the oracle's sets: some are missed, some lose elements, some get a wrong one."""
    documents = {name: _damaged(d, seed) for name, d in oracle.documents.items()}
    return replace(oracle, documents=documents)


def _damaged(document: Document, seed: int) -> Document:
    rng = Random(f"{seed} sets {document.name}")  # noqa: S311  nothing is secret here
    atomic = [n for n, entity in enumerate(document.entities) if not entity.elements]
    entities = []
    for entity in document.entities:
        elements = list(entity.elements)
        if elements:
            right = [element for element in elements if rng.random() < KEPT] or elements[:1]
            others = [n for n in atomic if n not in elements]
            wrong = [rng.choice(others)] if others and rng.random() < ADDED else []
            elements = [] if rng.random() < MISSED else right + wrong
        entities.append(replace(entity, elements=tuple(elements)))
    return replace(document, entities=tuple(entities))
