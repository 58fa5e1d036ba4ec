"""Classes of anaphors that `--anaphors` selects."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from anascore.formats.conllu import columns
from anascore.model.document import Document, Entity
from anascore.model.mention import Mention, Place, Unit
from anascore.prepare.side import Side
from anascore.settings import Settings

MentionAttributes: TypeAlias = Mapping[str, str]
Predicate: TypeAlias = Callable[[Mention, MentionAttributes], bool | None]
"""Tells from a mention and its attributes whether it is of a class; None if nothing tells it."""

PRONOUN_TAGS = {"UPOS": {"PRON"}, "XPOS": {"PRP", "PRP$", "WP", "WP$"}}
"""How the columns mark pronouns; the first one that says anything counts."""


class ClassMembers(NamedTuple):
    """The mentions of a side that are of a class."""

    places: frozenset[Place] = frozenset()
    unknown: int = 0
    """The number of mentions of which nothing tells whether they are."""


class EntityLayer(NamedTuple):
    """The entities of one layer of a document."""

    document: Document
    entities: Sequence[Entity[Mention]]


def class_members(
    side: Side, own: EntityLayer, key: EntityLayer, settings: Settings
) -> ClassMembers:
    """Find the mentions of a side that belong to the class of the settings.

    What is said of words is taken from the key, which has the same, so that a response in a format
    without columns will do. Of a mention that has no head, or not the attribute, what counts is
    what the key says of the mention at the same place.
    """
    if not settings.anaphors:
        return ClassMembers()
    credits_of_pair = _predicate(own.document, key.document, settings.anaphors)
    described = dict(described_mentions(own.entities, settings))
    in_key = {place: said for (_, place), said in described_mentions(key.entities, settings)}
    places, unknown = set(), 0
    for entity in side.entities:
        for mention in entity.mentions:
            place = mention.place
            # Equal sets are one entity, and some of its mentions come from another.
            _, attributes = described.get((entity.name, place), (mention, {}))
            belongs = credits_of_pair(mention, attributes)
            if belongs is None and place in in_key:
                belongs = credits_of_pair(*in_key[place])
            if belongs:
                places.add(place)
            unknown += belongs is None
    return ClassMembers(frozenset(places), unknown)


def described_mentions(
    entities: Sequence[Entity[Mention]], settings: Settings
) -> Iterator[tuple[tuple[str, Place], tuple[Mention, MentionAttributes]]]:
    """Give mentions with their attributes, by entity and place, those that say more at last."""
    found = []
    for entity in entities:
        attributes = entity.attributes or [{}] * len(entity.mentions)
        for mention, said in zip(entity.mentions, attributes, strict=True):
            left = mention if settings.zeros == "keep" else mention.without_zeros()
            if left is not None:
                found.append((left.full_order, entity.name, left, said))
    found.sort(key=lambda item: (item[0], item[1]), reverse=True)
    for _, name, mention, said in found:
        yield (name, mention.place), (mention, said)


def _predicate(document: Document, key: Document, name: str) -> Predicate:
    """Make the test for a class."""
    if name == "zero":
        return lambda mention, _: mention.is_zero
    if name == "pronoun":
        tags = column_values(document, key, [*PRONOUN_TAGS])
        column = next((column for column in PRONOUN_TAGS if tags[column]), "UPOS")
        return lambda mention, _: (
            False if mention.is_zero else _is(mention, tags[column], PRONOUN_TAGS[column])
        )
    name, _, value = name.partition("=")
    said = column_values(document, key, [name.upper(), "FEATS"])
    features = {unit: v for unit, found in said["FEATS"].items() if (v := _feature(found, name))}
    of_words = {**said[name.upper()], **features}

    def credits_of_pair(mention: Mention, attributes: MentionAttributes) -> bool | None:
        for attribute, found in attributes.items():
            if attribute.lower() == name.lower():
                return found == value
        return _is(mention, of_words, {value}) if of_words else None

    return credits_of_pair


def _is(mention: Mention, said: Mapping[Unit, str], values: set[str]) -> bool | None:
    """Tell whether one of the values is said of the head; None if there is no head."""
    return None if mention.head is None else said.get(mention.head, "") in values


def _feature(features: str, name: str) -> str:
    """Return the value of a feature, or nothing."""
    named = (feature.partition("=") for feature in features.split("|"))
    return next((value for found, _, value in named if found.lower() == name.lower()), "")


def column_values(
    document: Document, key: Document, names: Sequence[str]
) -> dict[str, dict[Unit, str]]:
    """Return what columns say of the key's words, or else of the document's, and of its zeros."""
    own, of_key = columns(document, names), columns(key, names)
    return {
        name: {**own[name], **{unit: v for unit, v in of_key[name].items() if not unit[1]}}
        for name in names
    }


def has_annotation(document: Document, name: str) -> bool:
    """Tell whether the annotation of a document says anything that a class asks for."""
    if name == "zero":
        return True
    if name == "pronoun":
        return any(columns(document, [*PRONOUN_TAGS]).values())
    name = name.partition("=")[0]
    said = columns(document, [name.upper(), "FEATS"])
    if said[name.upper()] or any(_feature(found, name) for found in said["FEATS"].values()):
        return True
    entities = (*document.entities, *document.deixis)
    attributes = (found for entity in entities for said in entity.attributes for found in said)
    return any(name.lower() == attribute.lower() for attribute in attributes)
