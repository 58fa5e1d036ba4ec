"""A Corpus to the formats in JSON."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from anascore.formats.reading.friends import OTHER
from anascore.formats.reading.jsonl import ANTECEDENTS, CANDIDATES, CLUSTERS
from anascore.formats.reading.llm import OFFSETS
from anascore.formats.writing.llm import tokens_of
from anascore.mention import Mention
from anascore.model import Corpus, Document, Relation, marked_mentions


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def write_jsonl(corpus: Corpus) -> str:
    """Write a document on each line."""
    return "".join(f"{_dumped(_to_line(document))}\n" for document in corpus.documents.values())


def _to_line(document: Document) -> dict[str, Any]:
    clusters: list[list[list[int]]] = [
        [_inclusive(mention) for mention in entity.mentions] for entity in document.entities
    ]
    clusters += [[[*_inclusive(m), int(kind)]] for m, kind in document.nonreferring]
    sentences = list(_sentences(document))
    line: dict[str, Any] = {"doc_key": document.name, "sentences": sentences, CLUSTERS: clusters}
    for name, relation in ANTECEDENTS.items():
        if links := list(_antecedents(document, relation)):
            line[name] = links
    if document.candidates:
        line[CANDIDATES] = [
            {"anaphor": _inclusive(anaphor), "ranked": [_inclusive(m) for m in ranked]}
            for anaphor, ranked in document.candidates
        ]
    return line


def _antecedents(document: Document, relation: Relation) -> Iterator[list[list[int]]]:
    """Link a mention of each accommodated object of a relation to the antecedents.

    These are the marked mentions of each element, or one mention if none is marked.
    """
    owners = _owners(document)
    names = _naming_mentions(document)
    for position, entity in enumerate(document.entities):
        if entity.relation != relation:
            continue
        for element, marked in sorted(marked_mentions(entity, document.entities).items()):
            own = [mention for mention in dict.fromkeys(marked) if owners[mention] == element]
            for mention in sorted(own, key=lambda m: m.order) or [names[element]]:
                yield [_inclusive(names[position]), _inclusive(mention)]


def fit_links(document: Document, lost: Counter[str]) -> Document:
    """Take out links to entities all of whose mentions an earlier entity has, too."""
    named = _naming_mentions(document).keys()
    entities = []
    for position, entity in enumerate(document.entities):
        elements = [e for e in entity.elements if e in named] if position in named else []
        lost["elements of accommodated sets that no mention tells from another entity"] += len(
            entity.elements
        ) - len(elements)
        entities.append(replace(entity, elements=tuple(elements)))
    return replace(document, entities=tuple(entities))


def _naming_mentions(document: Document) -> dict[int, Mention]:
    """Find for each entity its first mention among those that no entity before it has."""
    owners = _owners(document)
    names: dict[int, Mention] = {}
    for mention in sorted(owners, key=lambda mention: mention.order):
        names.setdefault(owners[mention], mention)
    return names


def _owners(document: Document) -> dict[Mention, int]:
    """Find for each mention the first entity that has it."""
    owners: dict[Mention, int] = {}
    for position, entity in enumerate(document.entities):
        for mention in entity.mentions:
            owners.setdefault(mention, position)
    return owners


def _inclusive(mention: Mention) -> list[int]:
    start, end = mention.words[0]
    return [start, end - 1]


def _sentences(document: Document) -> Iterator[Sequence[str]]:
    starts = [0, *(start for start in document.sentences if start > 0), len(document.words)]
    for start, end in pairwise(starts):
        yield document.words[start:end]


def write_llm_json(corpus: Corpus) -> str:
    """Write a list of documents, one on each line."""
    documents = (_dumped(_to_llm(document)) for document in corpus.documents.values())
    return "[\n" + ",\n".join(documents) + "\n]\n"


def _to_llm(document: Document) -> dict[str, Any]:
    tokens, position = tokens_of(document)
    clusters = [
        [[position[mention.order[0]], position[mention.order[1]]] for mention in entity.mentions]
        for entity in document.entities
    ]
    return {"doc_id": document.name, "tokens": tokens, OFFSETS: clusters}


def write_rucoco(corpus: Corpus) -> str:
    """Write one document, which is a file of its own."""
    (document,) = corpus.documents.values()
    content = {
        "text": "".join(document.words),
        "entities": [[list(m.words[0]) for m in entity.mentions] for entity in document.entities],
        "includes": [sorted(entity.elements) for entity in document.entities],
    }
    return _dumped(content) + "\n"


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
            own.append(OTHER)
    sentences = list(_sentences(document))
    starts = [0, *(start for start in document.sentences if start > 0)]
    characters: list[list[list[Any]]] = [[] for _ in sentences]
    for entity, own in zip(document.entities, labels, strict=True):
        for mention in entity.mentions:
            start, end = mention.words[0]
            number = bisect_right(starts, start) - 1
            characters[number].append([start - starts[number], end - starts[number], *own])
    return {"tokens": sentences, "character_entities": [sorted(found) for found in characters]}
