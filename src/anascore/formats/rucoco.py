"""RuCoCo JSON: one document per file; mentions are character spans."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from anascore.errors import Problems
from anascore.formats.building import SetLinks, build_corpus
from anascore.formats.files import Source
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.json_values import CheckedJson, JsonPath, dump_json, json_keys, shorten
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Mention

LOST_ELEMENTS = "elements without mentions, left out of the sets"


def read_rucoco(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read the one document of a RuCoCo file, and name it after the file."""
    corpus = build_corpus("rucoco", source, _documents(source, problems), problems)
    return replace(corpus, unnamed=not source.has_name)


def _documents(source: Source, problems: Problems) -> Iterator[Document]:
    text = CheckedJson(source.text, 1, problems)
    fields = text.fields(text.value, (), "a document {...}")
    if isinstance(text.value, dict):
        for name in ("text", "entities"):
            if name not in fields:
                text.error((), f"a document needs {name}")
    characters = text.string(fields.get("text", ""), ("text",))

    def mention(value: Any, path: JsonPath) -> Mention | None:
        span = text.span(value, path, len(characters), inclusive=False)
        return Mention((span,)) if span else None

    mentions = text.clusters(fields.get("entities", []), ("entities",), mention)
    elements = _elements(text, fields, len(mentions), problems)
    kept = {old: new for new, old in enumerate(i for i, spans in enumerate(mentions) if spans)}
    entities = tuple(
        Entity(tuple(mentions[i]), tuple(kept[e] for e in elements[i] if e in kept), str(i))
        for i in kept
    )
    lost = sum(element not in kept for i in kept for element in elements[i])
    notes = {LOST_ELEMENTS: lost} if lost else {}
    yield Document(source.stem, characters, entities, path=source.path, line=1, notes=notes)


def _elements(
    text: CheckedJson, fields: dict[str, Any], size: int, problems: Problems
) -> list[list[int]]:
    includes = text.items(fields.get("includes", []), ("includes",), "a list of lists")
    if "includes" in fields and len(includes) != size:
        message = f"it has {len(includes)} lists, but there are {size} entities; each needs one"
        text.error(("includes",), message)
    links = SetLinks(problems)
    for position, elements in enumerate(includes[:size]):
        path = ("includes", position)
        for number, element in enumerate(text.items(elements, path, "a list of entities")):
            if type(element) is not int or not 0 <= element < size:
                expected = f"the number of an entity, from 0 to {size - 1}"
                text.error((*path, number), f"{shorten(element)} is not {expected}")
            else:
                line = text.line_of((*path, number))
                links.add(str(element), str(position), line, f"includes[{position}]")
    return links.resolve([str(position) for position in range(size)], "")


def write_rucoco(corpus: Corpus) -> str:
    """Write a corpus of one document as JSON."""
    (document,) = corpus.documents.values()
    content = {
        "text": "".join(document.words),
        "entities": [[list(m.words[0]) for m in entity.mentions] for entity in document.entities],
        "includes": [sorted(entity.elements) for entity in document.entities],
    }
    return dump_json(content) + "\n"


RUCOCO = Format(
    label="RuCoCo JSON",
    ends="exclusive",
    read=read_rucoco,
    write=write_rucoco,
    endings=(),
    one_document=True,
    holds=Capacity(characters=True, crossing=True, sets="nested", sentences=False),
    json_key=re.compile(rb'"(?:entities|includes|text)"\s*:'),
    names=json_keys("text", "entities", "includes"),
)
