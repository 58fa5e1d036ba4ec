"""Attributes of mentions in the form in which a format can hold them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from anascore.formats.writing.capacity import MODELLED
from anascore.mention import Mention
from anascore.model import Corpus, Entity

Clean: TypeAlias = Callable[[str, str], tuple[str, str]]
"""Takes out of the name and the value of an attribute what cannot stand there."""


def clean_attributes(corpus: Corpus, clean: Clean, lost: Counter[str]) -> Corpus:
    """Clean the attributes of all mentions, and count those that are changed."""

    def cleaned(given: Mapping[str, str]) -> Mapping[str, str]:
        said = {name: value for name, value in given.items() if value and name not in MODELLED}
        new = {name: clean(name, value) for name, value in said.items()}
        changed = sum(new[name] != (name, value) for name, value in said.items())
        if not changed:
            return given
        lost["characters in attributes of mentions, replaced by _"] += changed
        modelled = {name: value for name, value in given.items() if name in MODELLED}
        return {**dict(new.values()), **modelled}

    def changed_layer(entities: Sequence[Entity[Mention]]) -> tuple[Entity[Mention], ...]:
        return tuple(
            replace(entity, attributes=tuple(map(cleaned, entity.attributes)))
            for entity in entities
        )

    return replace(
        corpus,
        documents={
            name: replace(
                document,
                entities=changed_layer(document.entities),
                deixis=changed_layer(document.deixis),
            )
            for name, document in corpus.documents.items()
        },
    )
