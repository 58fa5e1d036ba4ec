"""Friends JSON (character identification): scenes whose mentions name one or several characters."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

from anascore.errors import Problems
from anascore.formats.build import build_corpus, default_names, legal_names, words_by_sentence
from anascore.formats.format import Capacity, Format
from anascore.formats.json_values import CheckedJson, Where, short
from anascore.formats.source import Source
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Mention
from anascore.model.transform import map_mentions

OTHER_LABEL = "#OTHER#"
GENERIC = {"#GENERAL#", OTHER_LABEL, "#ALL#"}
"""Labels that name no one character."""

DEEPEST = 20
"""How deep scenes can be inside of lists and objects."""

SEPARATOR = " + "
"""Stands between the characters in the name of a set."""

UNNAMED_CHARACTERS = "characters that no single mention of the scene names, left out of the sets"

Labels: TypeAlias = tuple[str, ...]


def read_friends(source: Source, problems: Problems) -> Corpus:
    """Read the scenes of a season, an episode or several of them as documents."""
    text = CheckedJson(source.text, 1, problems)
    names = default_names(source)
    documents = (
        _read_scene(text, scene, where, names, problems)
        for scene, where in _scenes(text, text.value, ())
    )
    return build_corpus("friends", source, documents, problems)


def _scenes(text: CheckedJson, value: Any, where: Where) -> Iterator[tuple[dict[str, Any], Where]]:
    """Find the scenes in seasons, episodes, and lists of them."""
    if isinstance(value, list) and len(where) < DEEPEST:
        for position, item in enumerate(value):
            yield from _scenes(text, item, (*where, position))
        return
    given = text.fields(value, where, "a season, an episode or a scene {...}")
    inner = next((name for name in ("episodes", "scenes") if name in given), None)
    if inner is not None:
        items = text.items(given[inner], (*where, inner), f"a list of {inner}")
        for position, item in enumerate(items):
            yield from _scenes(text, item, (*where, inner, position))
    elif "utterances" in given:
        yield given, where
    elif isinstance(value, dict):
        text.error(where, "this has neither episodes nor scenes nor utterances")


@dataclass(slots=True)
class _Scene:
    """A scene as far as it has been read."""

    words: list[str] = field(default_factory=list)
    sentences: list[int] = field(default_factory=list)
    mentions: dict[Labels, list[Mention]] = field(default_factory=dict)
    """By the characters that they name: one, or several in the order of the alphabet."""


def _read_scene(
    text: CheckedJson, given: dict[str, Any], where: Where, names: Iterator[str], problems: Problems
) -> Document:
    """Read the words of a scene and the characters that its mentions name."""
    scene = _Scene()
    utterances = text.items(given["utterances"], (*where, "utterances"), "a list of utterances")
    for position, value in enumerate(utterances):
        at = (*where, "utterances", position)
        utterance = text.fields(value, at, "an utterance {...}")
        tokens = text.items(utterance.get("tokens", []), (*at, "tokens"), "a list of sentences")
        labelled = utterance.get("character_entities", [[]] * len(tokens))
        labelled = text.items(labelled, (*at, "character_entities"), "a list for each sentence")
        if len(labelled) != len(tokens):
            what = f"it is about {len(labelled)} sentences, but there are {len(tokens)}"
            text.error((*at, "character_entities"), what)
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
        text.name(given.get("scene_id"), (*where, "scene_id"), names),
        tuple(scene.words),
        entities,
        path=problems.path,
        line=text.line_of(where),
        sentences=tuple(scene.sentences),
        notes={UNNAMED_CHARACTERS: lost} if lost else {},
    )


def _read_mentions(
    text: CheckedJson, value: Any, where: Where, words: list[str], scene: _Scene
) -> None:
    """Read the mentions of one sentence: start, end, and the characters."""
    for number, labelled in enumerate(text.items(value, where, "a list of mentions")):
        at = (*where, number)
        span = text.span(labelled, at, len(words), inclusive=False, more=True)
        if span is None:
            continue
        labels = labelled[2:]
        if not labels or not all(isinstance(label, str) and label for label in labels):
            what = f"{short(labelled)} is not a mention [start, end, character, ...]"
            text.error(at, what)
            continue
        if not text.can_be_written("".join(labels), at):
            continue
        start = len(scene.words)
        mention = Mention(((start + span[0], start + span[1]),))
        scene.mentions.setdefault(_characters(labels), []).append(mention)


def _characters(labels: list[str]) -> Labels:
    """Tell which characters a mention is about; a generic label beside characters adds none."""
    unique = sorted(set(labels))
    characters = [label for label in unique if label not in GENERIC]
    if len(unique) == 1 or not characters:
        return tuple(unique)
    # One character and others who are not named: a set, and not the character alone.
    return (*characters, "") if len(characters) == 1 else tuple(characters)


def is_generic(name: str) -> bool:
    """Tell whether an entity is named by generic labels alone."""
    return {*name.split(SEPARATOR)} <= GENERIC


def _entities(scene: _Scene) -> tuple[tuple[Entity[Mention], ...], int]:
    """Make an entity of each character and of each set; count elements without mentions."""
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


_ILLEGAL = re.compile("|".join(sorted(GENERIC)))


def fit_friends(document: Document, lost: Counter[str]) -> Document:
    """Take out mentions longer than a sentence; make one entity of those with equal sets."""
    starts = document.sentences

    def change(mention: Mention) -> Mention | None:
        start, end = mention.words[0]
        if bisect_right(starts, start) == bisect_right(starts, end - 1):
            return mention
        lost["mentions that go beyond a sentence"] += 1
        return None

    return _named(_merged(map_mentions(document, change), lost))


def _merged(document: Document, lost: Counter[str]) -> Document:
    """Make one entity of those that have the same accommodated set."""
    first: dict[frozenset[int], int] = {}
    kept: dict[int, list[Mention]] = {}
    for position, entity in enumerate(document.entities):
        elements = frozenset(entity.elements)
        owner = first.setdefault(elements, position) if elements else position
        kept.setdefault(owner, []).extend(entity.mentions)
    lost["entities with an accommodated set that another one has, too"] += len(
        document.entities
    ) - len(kept)
    positions = {old: new for new, old in enumerate(kept)}
    entities = tuple(
        replace(
            document.entities[old],
            mentions=tuple(mentions),
            elements=tuple(positions[e] for e in document.entities[old].elements),
            attributes=(),
        )
        for old, mentions in kept.items()
    )
    return replace(document, entities=entities)


def _named(document: Document) -> Document:
    """Give each entity a label of its own; a generic one only if it is no element."""
    elements = {element for entity in document.entities for element in entity.elements}
    generic: dict[str, int] = {}
    for position, entity in enumerate(document.entities):
        if entity.name in GENERIC and position not in elements and not entity.elements:
            generic.setdefault(entity.name, position)
    kept = set(generic.values())
    others = [e.name for position, e in enumerate(document.entities) if position not in kept]
    labels = iter(legal_names(others, _ILLEGAL, "Character "))
    entities = (
        entity if position in kept else replace(entity, name=next(labels))
        for position, entity in enumerate(document.entities)
    )
    return replace(document, entities=tuple(entities))


def write_friends(corpus: Corpus) -> str:
    """Write an episode whose scenes are the documents, each of them one utterance."""
    scenes = [
        {"scene_id": document.name, "utterances": [_utterance(document)]}
        for document in corpus.documents.values()
    ]
    return json.dumps({"episodes": [{"scenes": scenes}]}, ensure_ascii=False, indent=1) + "\n"


def _utterance(document: Document) -> dict[str, Any]:
    labels = [[entity.name] for entity in document.entities]
    for entity, own in zip(document.entities, labels, strict=True):
        if entity.elements:
            own[:] = [document.entities[element].name for element in entity.elements]
        if len(entity.elements) == 1:
            # Without a second label this would be the character alone.
            own.append(OTHER_LABEL)
    sentences = list(words_by_sentence(document))
    starts = [0, *(start for start in document.sentences if start > 0)]
    characters: list[list[list[Any]]] = [[] for _ in sentences]
    for entity, own in zip(document.entities, labels, strict=True):
        for mention in entity.mentions:
            start, end = mention.words[0]
            number = bisect_right(starts, start) - 1
            characters[number].append([start - starts[number], end - starts[number], *own])
    return {"tokens": sentences, "character_entities": [sorted(found) for found in characters]}


FRIENDS = Format(
    label="Friends JSON",
    read=read_friends,
    write=write_friends,
    endings=(),
    refine=fit_friends,
    holds=Capacity(crossing=True, sets="of-entities", forbidden_in_words=re.compile(r"(?!)")),
    json_key=re.compile(rb'"(?:episodes|scenes|utterances)"\s*:'),
)
