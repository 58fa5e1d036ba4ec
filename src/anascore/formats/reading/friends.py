"""Friends JSON (character identification): scenes whose mentions name one or several characters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from anascore.formats.reading.assembly import assemble, default_names
from anascore.formats.reading.json_text import JsonText, Where, short
from anascore.formats.source import Source
from anascore.mention import Mention
from anascore.model import Corpus, Document, Entity
from anascore.problems import Problems

OTHER = "#OTHER#"
GENERIC = {"#GENERAL#", OTHER, "#ALL#"}
"""Labels that name no one character."""

DEEPEST = 20
"""How deep scenes can be inside of lists and objects."""

SEPARATOR = " + "
"""Stands between the characters in the name of a set."""

LOST_ELEMENTS = "characters that no single mention of the scene names, left out of the sets"

Labels: TypeAlias = tuple[str, ...]


def read_friends(source: Source, problems: Problems) -> Corpus:
    """Read the scenes of a season, an episode or several of them as documents."""
    text = JsonText(source.text, 1, problems)
    names = default_names(source)
    documents = (
        _read_scene(text, scene, where, names, problems)
        for scene, where in _scenes(text, text.value, ())
    )
    return assemble("friends", source, documents, problems)


def _scenes(text: JsonText, value: Any, where: Where) -> Iterator[tuple[dict[str, Any], Where]]:
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
    text: JsonText, given: dict[str, Any], where: Where, names: Iterator[str], problems: Problems
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
        notes={LOST_ELEMENTS: lost} if lost else {},
    )


def _read_mentions(
    text: JsonText, value: Any, where: Where, words: list[str], scene: _Scene
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
