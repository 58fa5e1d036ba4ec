"""A Corpus to the formats in JSON."""

from __future__ import annotations

import json
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from anascore.formats.reading.friends import OTHER
from anascore.formats.reading.jsonl import CLUSTERS, SPLIT
from anascore.formats.reading.llm import OFFSETS
from anascore.formats.writing.llm import tokens_of
from anascore.mention import Mention
from anascore.model import Corpus, Document


def _dumped(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def write_jsonl(corpus: Corpus) -> str:
    """Write a document on each line."""
    return "".join(f"{_dumped(_to_line(document))}\n" for document in corpus.documents.values())


def _to_line(document: Document) -> dict[str, Any]:
    clusters: list[list[list[int]]] = [
        [_inclusive(mention) for mention in entity.mentions] for entity in document.entities
    ]
    clusters += [[[*_inclusive(m), int(kind or 1)]] for m, kind in document.nonreferring]
    line = {"doc_key": document.name, "sentences": list(_sentences(document)), CLUSTERS: clusters}
    links = list(_split_antecedents(document))
    return {**line, SPLIT: links} if links else line


def _split_antecedents(document: Document) -> Iterator[list[list[int]]]:
    """Link the first mention of each set to the first mention of each element."""
    firsts = distinctive_mentions(document)
    for entity, anaphor in zip(document.entities, firsts, strict=True):
        for element in sorted(entity.elements):
            yield [_inclusive(anaphor), _inclusive(firsts[element])]


def distinctive_mentions(document: Document) -> list[Mention]:
    """Return the first mention of each entity, if possible one that no other entity has."""
    owners: dict[Mention, int] = {}
    for entity in document.entities:
        for mention in set(entity.mentions):
            owners[mention] = owners.get(mention, 0) + 1
    return [
        min(entity.mentions, key=lambda mention: (owners[mention], mention.order))
        for entity in document.entities
    ]


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
