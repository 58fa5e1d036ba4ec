"""A Corpus to the text format of the CRAC large-language-model track."""

from __future__ import annotations

import re

from anascore.formats.places import runs_of
from anascore.formats.reading.llm import ZERO
from anascore.formats.writing.bracketing import brackets_at
from anascore.formats.writing.naming import legal_names
from anascore.mention import Unit
from anascore.model import Corpus, Document

_ILLEGAL = re.compile(r"[\s\0|\[\],]")


def write_llm_text(corpus: Corpus) -> str:
    """Write a document on each line."""
    return "".join(f"{_line(document)}\n" for document in corpus.documents.values())


def _line(document: Document) -> str:
    tokens, position = tokens_of(document)
    names = legal_names([entity.name for entity in document.entities], _ILLEGAL, "e")
    zeros = frozenset(document.zeros)
    parts = [
        (run, name)
        for name, entity in zip(names, document.entities, strict=True)
        for mention in entity.mentions
        for run in runs_of(mention, zeros)
    ]
    for unit, (closing, opening, whole) in brackets_at(parts):
        brackets = [f"{name}]" for name in closing]
        brackets += [f"[{name}" for name in opening] + [f"[{name}]" for name in whole]
        tokens[position[unit]] += f"|{','.join(brackets)}"
    return " ".join(tokens)


def tokens_of(document: Document) -> tuple[list[str], dict[Unit, int]]:
    """Put zeros among the words; tell where each word and zero stands."""
    words = [((position + 1, 0), word) for position, word in enumerate(document.words)]
    zeros = [(zero, ZERO) for zero in document.zeros]
    units = sorted([*words, *zeros])
    return [text for _, text in units], {unit: i for i, (unit, _) in enumerate(units)}
