"""Classes of anaphors that `--anaphors` selects."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from anascore.entities.normalisation import without_zeros
from anascore.entities.side import Side
from anascore.formats.columns import columns, feature
from anascore.model.document import Document, Entity
from anascore.model.mention import Mention, Place, Unit
from anascore.settings import Settings

MentionAttributes: TypeAlias = Mapping[str, str]
Predicate: TypeAlias = Callable[[Mention, MentionAttributes], bool | None]
"""Tells whether a mention with these attributes belongs to a class; None if unknown."""

PRONOUN_TAGS = {"UPOS": {"PRON"}, "XPOS": {"PRP", "PRP$", "WP", "WP$"}}
"""Pronoun tags by column. The first column with values is used."""


class ClassMembers(NamedTuple):
    """The mentions of a side that belong to a class."""

    places: frozenset[Place] = frozenset()
    unknown: int = 0
    """Number of mentions whose class is unknown."""


class EntityLayer(NamedTuple):
    """The entities of one layer, with their document."""

    document: Document
    entities: Sequence[Entity[Mention]]


def class_members(
    side: Side, own: EntityLayer, key: EntityLayer, settings: Settings
) -> ClassMembers:
    """Find the mentions of a side that belong to the class of `--anaphors`.

    Columns are read from the key, which has the same words, so a response needs no columns. If a
    mention has no head, or lacks the attribute, the key mention at the same place decides.
    """
    predicate = _predicate(own.document, key.document, settings.anaphors)
    described = dict(described_mentions(own.entities, settings))
    in_key = {place: mention for (_, place), mention in described_mentions(key.entities, settings)}
    places, unknown = set(), 0
    for entity in side.entities:
        for mention in entity.mentions:
            place = mention.place
            # Equal sets are merged, so some mentions come from an entity of another name.
            _, attributes = described.get((entity.name, place), (mention, {}))
            belongs = predicate(mention, attributes)
            if belongs is None and place in in_key:
                belongs = predicate(*in_key[place])
            if belongs:
                places.add(place)
            unknown += belongs is None
    return ClassMembers(frozenset(places), unknown)


def described_mentions(
    entities: Sequence[Entity[Mention]], settings: Settings
) -> list[tuple[tuple[str, Place], tuple[Mention, MentionAttributes]]]:
    """Collect mentions with their attributes, by entity and place.

    If several mentions are at the same place, the most specific comes last.
    """
    described = []
    for entity in entities:
        attributes = entity.attributes or [{}] * len(entity.mentions)
        for original, values in zip(entity.mentions, attributes, strict=True):
            mention = without_zeros(original, settings)
            if mention is not None:
                described.append(((entity.name, mention.place), (mention, values)))
    if len({place for (_, place), _ in described}) < len(described):
        described.sort(key=lambda item: (item[1][0].full_order, item[0][0]), reverse=True)
    return described


def _predicate(document: Document, key: Document, name: str) -> Predicate:
    if name == "zero":
        return lambda mention, _: mention.is_zero
    if name == "pronoun":
        tags = column_values(document, key, [*PRONOUN_TAGS])
        column = next((column for column in PRONOUN_TAGS if tags[column]), "UPOS")
        return lambda mention, _: (
            False if mention.is_zero else _is(mention, tags[column], PRONOUN_TAGS[column])
        )
    name, _, expected = name.partition("=")
    columns = column_values(document, key, [name.upper(), "FEATS"])
    values = {
        **columns[name.upper()],
        **{unit: v for unit, cell in columns["FEATS"].items() if (v := feature(cell, name))},
    }

    def predicate(mention: Mention, attributes: MentionAttributes) -> bool | None:
        for attribute, value in attributes.items():
            if attribute.lower() == name.lower():
                return value == expected
        return _is(mention, values, {expected}) if values else None

    return predicate


def _is(mention: Mention, values: Mapping[Unit, str], expected: set[str]) -> bool | None:
    """Compare the value at the head with the expected ones; None without a head."""
    return None if mention.head is None else values.get(mention.head, "") in expected


def column_values(
    document: Document, key: Document, names: Sequence[str], *, only_words: bool = False
) -> dict[str, Mapping[Unit, str]]:
    """Collect column values; for words, the key's values precede the document's own.

    The document's own columns are read only if the key lacks some values, as it does if it has
    fewer words. With `only_words`, values of zeros may be missing.
    """
    values = columns(key, names)
    if document is key:
        return values
    if key.zeros:
        values = {
            name: {unit: value for unit, value in by_unit.items() if not unit[1]}
            for name, by_unit in values.items()
        }
    words = max(len(key.words), len(document.words))
    has_zeros = bool(document.zeros) and not only_words
    lacking = [name for name in names if has_zeros or len(values[name]) < words]
    own = columns(document, lacking) if lacking else {}
    return values | {name: {**by_unit, **values[name]} for name, by_unit in own.items()}


def has_annotation(document: Document, name: str) -> bool:
    """Test whether a document has any annotation that the class's predicate reads."""
    if name == "zero":
        return True
    if name == "pronoun":
        return any(columns(document, [*PRONOUN_TAGS]).values())
    name = name.partition("=")[0]
    values = columns(document, [name.upper(), "FEATS"])
    if values[name.upper()] or any(feature(cell, name) for cell in values["FEATS"].values()):
        return True
    entities = (*document.entities, *document.deixis)
    attributes = (attribute for e in entities for mapping in e.attributes for attribute in mapping)
    return any(name.lower() == attribute.lower() for attribute in attributes)
