"""The corpora, each with the plural pronouns of its language."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import anascore
from anascore import Corpus
from anascore.corpus.baselines import PLURAL_PRONOUNS

DATA = Path(__file__).parents[3] / "shared" / "corpora"

RUSSIAN = (
    *("они", "их", "им", "ими", "них", "ним", "ними"),
    *("мы", "нас", "нам", "нами", "наш", "наша", "наше", "наши", "наших", "нашим", "нашими"),
    *("оба", "обе", "обоих", "обеих", "обоим", "обеим", "обоими", "обеими"),
    *("все", "всех", "всем", "всеми", "эти", "этих", "этим", "этими", "те", "тех", "тем", "теми"),
)


class Data(NamedTuple):
    """A corpus that is there."""

    name: str
    path: Path
    pronouns: tuple[str, ...] = PLURAL_PRONOUNS


CORPORA = (
    Data("GUM", DATA / "gum" / "key.conllu"),
    Data(
        "Friends",
        DATA / "friends" / "dev.json",
        (*PLURAL_PRONOUNS, "guys", "you guys", "everybody"),
    ),
    Data("RuCoCo", DATA / "rucoco", RUSSIAN),
)


def with_split_antecedents(data: Data) -> Corpus:
    """Read the documents that have a split antecedent; only these count, as in the paper."""
    corpus = anascore.read(data.path)
    documents = {
        name: document
        for name, document in corpus.documents.items()
        if any(entity.elements for entity in document.entities)
    }
    return replace(corpus, documents=documents)
