"""Test data that is not part of the repository; tests that need it are marked `corpora`."""

import json
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache, partial
from typing import Any, TypeVar

import pytest

import anascore
from anascore import Corpus, Document
from support.generated_corpora import FORMATS, generated
from support.paths import ROOT

T = TypeVar("T")
SHARED = ROOT.parent / "shared"
CONFORMANCE = SHARED / "conformance"
CORPORA = SHARED / "corpora"


def conformance_cases() -> list[Any]:
    """Return the cases of the public test suites, or none where they are absent."""
    path = CONFORMANCE / "cases.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def corpus_expectations() -> list[Any]:
    """Return what the published scorers print for the corpora, or nothing where it is absent."""
    path = CORPORA / "expected.json"
    return list(json.loads(path.read_text())) if path.exists() else []


def released_expectations() -> list[Any]:
    """Return what the Universal Anaphora scorer prints for CODI-CRAC, or nothing if absent."""
    path = CORPORA / "codicrac" / "expected.json"
    return list(json.loads(path.read_text())) if path.exists() else []


REAL = {
    "gum-corefud": "gum/key.conllu",
    "gum-ua": "gum/key.conllua",
    "codicrac-light": "codicrac/light-2022.conllua",
    "codicrac-persuasion": "codicrac/persuasion-2021.conllua",
    "gum-conll2012": "gum/key.conll",
    "gum-original": "gum/original-dev.conllu",
    "ancora": "ancora/dev.conllu",
    "friends": "friends/dev.json",
    "rucoco": "rucoco",
    "gerdracor": "gerdracor/A.conll",
}


def each_corpus(*formats: str, real_ones: Iterable[str] = ()) -> pytest.MarkDecorator:
    """Run a test on generated corpora, and on real ones where these are."""
    made = [
        pytest.param(partial(generated, name), id=f"generated-{name}")
        for name in formats or FORMATS
    ]
    others = [
        pytest.param(partial(real, REAL[name]), id=name, marks=pytest.mark.corpora)
        for name in real_ones
    ]
    return pytest.mark.parametrize("corpus", [*made, *others])


def each_pair(*formats: str, real_ones: Iterable[str] = ()) -> pytest.MarkDecorator:
    """Run a test on generated keys and responses, and on responses to GUM where these are."""

    def made_pair(name: str) -> tuple[Corpus, Corpus]:
        return generated(name), generated(name, 1)

    def real_pair(name: str) -> tuple[Corpus, Corpus]:
        return real("gum/key.conllu"), real(f"gum/{name}.conllu")

    made = [
        pytest.param(partial(made_pair, name), id=f"generated-{name}")
        for name in formats or FORMATS
    ]
    others = [
        pytest.param(partial(real_pair, name), id=name, marks=pytest.mark.corpora)
        for name in real_ones
    ]
    return pytest.mark.parametrize("pair", [*made, *others])


SIZE = 2500
"""How many words of a corpus are enough where it need not be all of them."""


Lazy = Callable[[], T]
"""What is read or made when it is asked for."""


@cache
def real(name: str) -> Corpus:
    """Read one of the corpora."""
    return anascore.read(CORPORA / name)


def beginning(corpus: Corpus) -> Corpus:
    """Take the first document, and of the others those that leave it small."""
    found: dict[str, Document] = {}
    words = 0
    for name, document in corpus.documents.items():
        size = len(document.words)
        if not found or words + size <= SIZE * (6 if document.in_characters else 1):
            found[name] = document
            words += size
    return replace(corpus, documents=found)
