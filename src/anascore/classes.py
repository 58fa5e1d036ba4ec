"""Classes of anaphors, from what the annotation says of words and mentions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from anascore.annotation import column
from anascore.mention import Mention, Place, Unit
from anascore.model import Document, Entity
from anascore.settings import Settings

Belongs: TypeAlias = Callable[[Mention, Mapping[str, str]], bool]
"""Tells from a mention and its attributes whether it is of a class."""

PRONOUNS = {"UPOS": {"PRON"}, "XPOS": {"PRP", "PRP$", "WP", "WP$"}}
"""How the columns mark pronouns; the first one that says anything counts."""


def places_of_class(
    document: Document, entities: Sequence[Entity[Mention]], key: Document, settings: Settings
) -> frozenset[Place]:
    """Return the places of those mentions that belong to the class of the settings.

    What is said of words is taken from the key, which has the same, so that a response in a format
    without columns will do; what is said of zeros and of mentions is each side's own.
    """
    if not settings.anaphors:
        return frozenset()
    belongs = _membership(document, key, settings.anaphors)
    places = set()
    for entity in entities:
        attributes = entity.attributes or [{}] * len(entity.mentions)
        for mention, said in zip(entity.mentions, attributes, strict=True):
            counts = mention if settings.zeros == "keep" else mention.without_zeros()
            if counts and belongs(mention, said):
                places.add(counts.place)
    return frozenset(places)


def _membership(document: Document, key: Document, name: str) -> Belongs:
    """Make the test for a class."""
    if name == "zero":
        return lambda mention, _: mention.is_zero
    if name == "pronoun":
        columns = {c: _said(document, key, c) for c in PRONOUNS}
        tag = next((c for c, said in columns.items() if said), "UPOS")
        tags, pronouns = columns[tag], PRONOUNS[tag]
        return lambda mention, _: not mention.is_zero and _of_head(tags, mention) in pronouns
    name, _, value = name.partition("=")
    words, features = _said(document, key, name.upper()), _said(document, key, "FEATS")
    return lambda mention, attributes: (
        _of_head(words, mention) == value
        or f"{name}={value}" in _of_head(features, mention).split("|")
        or any(said == value for n, said in attributes.items() if n.lower() == name.lower())
    )


def _of_head(said: Mapping[Unit, str], mention: Mention) -> str:
    """Return what is said of the head; a mention of several words need not have one."""
    head = mention.head
    return "" if head is None else said.get(head, "")


def _said(document: Document, key: Document, name: str) -> dict[Unit, str]:
    """Return what a column says of the key's words, or else of the document's, and of its zeros."""
    own = column(document, name)
    of_words = {unit: value for unit, value in column(key, name).items() if not unit[1]}
    return {**own, **of_words}


def is_said(document: Document, name: str) -> bool:
    """Tell whether the annotation of a document says anything that a class asks for."""
    if name == "zero":
        return True
    if name == "pronoun":
        return any(column(document, tag) for tag in PRONOUNS)
    name = name.partition("=")[0]
    if column(document, name.upper()):
        return True
    if any(f"{name}=" in features for features in column(document, "FEATS").values()):
        return True
    attributes = (said for entity in document.entities for said in entity.attributes)
    return any(name.lower() == n.lower() for said in attributes for n in said)
