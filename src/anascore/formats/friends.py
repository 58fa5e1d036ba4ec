"""Friends JSON (character identification): scenes, whose mentions name one or more characters."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from anascore.errors import Problems
from anascore.formats.building import build_corpus, default_names, unique_ids, words_by_sentence
from anascore.formats.files import Source
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.json_values import CheckedJson, JsonPath, json_keys, shorten
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Mention
from anascore.model.transform import map_mentions

OTHER_LABEL = "#OTHER#"
GENERIC = {"#GENERAL#", OTHER_LABEL, "#ALL#"}
"""Labels that stand for no single character."""

MAX_DEPTH = 20
"""Maximum nesting of lists and objects around a scene."""

SEPARATOR = " + "
"""Separator between the characters in a set's name."""

UNNAMED_CHARACTERS = "characters without a mention of their own in the scene, left out of the sets"

NOT_ANNOTATED = "utterances without character_entities"

Labels: TypeAlias = tuple[str, ...]


def read_friends(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read each scene of the seasons or episodes as a document."""
    text = CheckedJson(source.text, 1, problems)
    names = default_names(source)
    scenes = list(_scenes(text, text.value, ()))
    documents = (_read_scene(text, scene, path, names, problems) for scene, path in scenes)
    return build_corpus("friends", source, documents, problems)


def _scenes(
    text: CheckedJson, value: Any, path: JsonPath
) -> Iterator[tuple[dict[str, Any], JsonPath]]:
    """Walk through seasons, episodes, and lists of these."""
    if isinstance(value, list) and len(path) < MAX_DEPTH:
        for position, item in enumerate(value):
            yield from _scenes(text, item, (*path, position))
        return
    fields = text.fields(value, path, "a season, an episode or a scene {...}")
    inner = next((name for name in ("episodes", "scenes") if name in fields), None)
    if inner is not None:
        items = text.items(fields[inner], (*path, inner), f"a list of {inner}")
        for position, item in enumerate(items):
            yield from _scenes(text, item, (*path, inner, position))
    elif "utterances" in fields:
        yield fields, path
    elif isinstance(value, dict):
        text.error(path, "this has neither episodes nor scenes nor utterances")


@dataclass(slots=True)
class _Scene:
    """A scene, filled while reading."""

    words: list[str] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    mentions: dict[Labels, list[Mention]] = field(default_factory=dict)
    """Mentions by character; several characters are in alphabetical order."""


def _read_scene(
    text: CheckedJson,
    fields: dict[str, Any],
    path: JsonPath,
    names: Iterator[str],
    problems: Problems,
) -> Document:
    scene = _Scene()
    missing = 0
    utterances = text.items(fields["utterances"], (*path, "utterances"), "a list of utterances")
    for position, value in enumerate(utterances):
        at = (*path, "utterances", position)
        utterance = text.fields(value, at, "an utterance {...}")
        tokens = text.items(utterance.get("tokens", []), (*at, "tokens"), "a list of sentences")
        if "character_entities" not in utterance and any(tokens):
            missing += 1
            message = "an utterance without character_entities; it has no mentions"
            problems.warning(text.line_of(at), message)
        labelled = utterance.get("character_entities", [[]] * len(tokens))
        labelled = text.items(labelled, (*at, "character_entities"), "a list for each sentence")
        if len(labelled) != len(tokens):
            message = f"it has {len(labelled)} lists, but there are {len(tokens)} sentences"
            text.error((*at, "character_entities"), f"{message}; each needs one")
        for number, sentence in enumerate(tokens):
            words = text.strings(sentence, (*at, "tokens", number), "a list of words")
            if number < len(labelled):
                _read_mentions(
                    text, labelled[number], (*at, "character_entities", number), words, scene
                )
            if words:
                scene.sentences.append(len(scene.words))
            scene.words += words
    entities, lost = _entities(scene)
    return Document(
        text.name(fields.get("scene_id"), (*path, "scene_id"), names),
        tuple(scene.words),
        entities,
        path=problems.path,
        line=text.line_of(path),
        sentences=tuple(scene.sentences),
        notes=+Counter({UNNAMED_CHARACTERS: lost, NOT_ANNOTATED: missing}),
        global_ids=True,
    )


def _read_mentions(
    text: CheckedJson, value: Any, path: JsonPath, words: list[str], scene: _Scene
) -> None:
    """Add one sentence's mentions, each a list of start, end and characters."""
    for number, labelled in enumerate(text.items(value, path, "a list of mentions")):
        at = (*path, number)
        span = text.span(labelled, at, len(words), inclusive=False, more=True)
        if span is None:
            continue
        labels = labelled[2:]
        if not labels or not all(isinstance(label, str) and label for label in labels):
            text.error(at, f"{shorten(labelled)} is not a mention [start, end, character, ...]")
            continue
        if not text.is_encodable("".join(labels), at):
            continue
        start = len(scene.words)
        mention = Mention(((start + span[0], start + span[1]),))
        scene.mentions.setdefault(_characters(labels), []).append(mention)


def _characters(labels: list[str]) -> Labels:
    """Drop generic labels that come with characters."""
    unique = sorted(set(labels))
    characters = [label for label in unique if label not in GENERIC]
    if len(unique) == 1 or not characters:
        return tuple(unique)
    # One character with unnamed others is a set, not the character alone.
    return (*characters, "") if len(characters) == 1 else tuple(characters)


def is_generic(name: str) -> bool:
    """Test whether all labels in an entity's name are generic."""
    return {*name.split(SEPARATOR)} <= GENERIC


def _entities(scene: _Scene) -> tuple[tuple[Entity[Mention], ...], int]:
    """Make an entity of each character and each set, and count the elements left out."""
    positions = {labels: position for position, labels in enumerate(scene.mentions)}
    entities = []
    lost = 0
    for labels, mentions in scene.mentions.items():
        several = len(labels) > 1
        characters = [label for label in labels if several and label and label not in GENERIC]
        elements = [positions[label,] for label in characters if (label,) in positions]
        lost += len(characters) - len(elements)
        name = SEPARATOR.join(label or "others" for label in labels)
        entities.append(Entity(tuple(mentions), tuple(elements), name))
    return tuple(entities), lost


_FORBIDDEN_IN_IDS = re.compile("|".join(sorted(GENERIC)))


def fit_friends(document: Document, lost: Counter[str]) -> Document:
    """Remove mentions that cross sentences, merge entities with equal sets, and set the labels."""
    starts = document.sentences

    def change(mention: Mention) -> Mention | None:
        start, end = mention.words[0]
        if bisect_right(starts, start) == bisect_right(starts, end - 1):
            return mention
        lost["mentions that cross a sentence boundary"] += 1
        return None

    return _set_labels(_merge_equal_sets(map_mentions(document, change), lost))


def _merge_equal_sets(document: Document, lost: Counter[str]) -> Document:
    first: dict[frozenset[int], int] = {}
    merged: dict[int, list[Mention]] = {}
    for position, entity in enumerate(document.entities):
        elements = frozenset(entity.elements)
        owner = first.setdefault(elements, position) if elements else position
        merged.setdefault(owner, []).extend(entity.mentions)
    lost["entities merged with another one that has the same accommodated set"] += len(
        document.entities
    ) - len(merged)
    positions = {old: new for new, old in enumerate(merged)}
    entities = tuple(
        replace(
            document.entities[old],
            mentions=tuple(mentions),
            elements=tuple(positions[e] for e in document.entities[old].elements),
            attributes=(),
        )
        for old, mentions in merged.items()
    )
    return replace(document, entities=entities)


def _set_labels(document: Document) -> Document:
    """Give each entity a unique label; only entities outside sets keep generic labels."""
    elements = {element for entity in document.entities for element in entity.elements}
    generic: dict[str, int] = {}
    for position, entity in enumerate(document.entities):
        if entity.name in GENERIC and position not in elements and not entity.elements:
            generic.setdefault(entity.name, position)
    kept = set(generic.values())
    others = [e.name for position, e in enumerate(document.entities) if position not in kept]
    labels = iter(unique_ids(others, _FORBIDDEN_IN_IDS, "Character "))
    entities = (
        entity if position in kept else replace(entity, name=next(labels))
        for position, entity in enumerate(document.entities)
    )
    return replace(document, entities=tuple(entities))


def write_friends(corpus: Corpus) -> str:
    """Write an episode as JSON; each document becomes a scene with one utterance."""
    scenes = [
        {"scene_id": document.name, "utterances": [_utterance(document)]}
        for document in corpus.documents.values()
    ]
    return json.dumps({"episodes": [{"scenes": scenes}]}, ensure_ascii=False, indent=1) + "\n"


def _utterance(document: Document) -> dict[str, Any]:
    labels = [[entity.name] for entity in document.entities]
    for entity, entity_labels in zip(document.entities, labels, strict=True):
        if entity.elements:
            entity_labels[:] = [document.entities[element].name for element in entity.elements]
        if len(entity.elements) == 1:
            # Without a second label this would be the character alone.
            entity_labels.append(OTHER_LABEL)
    sentences = list(words_by_sentence(document))
    starts = [0, *(start for start in document.sentences if start > 0)]
    characters: list[list[list[Any]]] = [[] for _ in sentences]
    for entity, entity_labels in zip(document.entities, labels, strict=True):
        for mention in entity.mentions:
            start, end = mention.words[0]
            number = bisect_right(starts, start) - 1
            offset = starts[number]
            characters[number].append([start - offset, end - offset, *entity_labels])
    return {"tokens": sentences, "character_entities": [sorted(group) for group in characters]}


FRIENDS = Format(
    label="Friends JSON",
    ends="exclusive",
    read=read_friends,
    write=write_friends,
    endings=(),
    fit_document=fit_friends,
    holds=Capacity(crossing=True, sets="of-entities", forbidden_in_words=re.compile(r"(?!)")),
    json_key=re.compile(rb'"(?:episodes|scenes|utterances)"\s*:'),
    names=json_keys(
        *("episodes", "scenes", "scene_id", "utterances", "tokens", "character_entities")
    ),
)
