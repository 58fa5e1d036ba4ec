"""Test data that is not part of the repository; tests that need it are marked `corpora`."""

import json
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import anascore
from anascore import Corpus, Document

SHARED = Path(__file__).parents[2] / "shared"
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


REAL = {
    "gum-corefud": "gum/key.conllu",
    "gum-ua": "gum/key.conllua",
    "gum-conll2012": "gum/key.conll",
    "gum-original": "gum/original-dev.conllu",
    "ancora": "ancora/dev.conllu",
    "friends": "friends/dev.json",
    "rucoco": "rucoco",
    "gerdracor": "gerdracor/A.conll",
}


SIZE = 2500
"""How many words of a corpus are enough where it need not be all of them."""


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
