"""JSON lines of fastcoref: character spans of a text, or word spans if it was given words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from anascore.errors import Problems
from anascore.formats.building import build_corpus, default_names, entities_of
from anascore.formats.files import Source
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.json_values import (
    CheckedJson,
    JsonPath,
    documents_on_lines,
    json_keys,
)
from anascore.model.document import Corpus, Document
from anascore.model.mention import Mention

LOST_MENTIONS = "mentions that fastcoref has no place for, left out"


def read_fastcoref(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read a fastcoref output file, whose documents have no names."""
    names = default_names(source)
    documents = documents_on_lines(
        source, problems, lambda text, fields: _read_document(text, fields, next(names))
    )
    return replace(build_corpus("fastcoref", source, documents, problems), unnamed=True)


def _read_document(text: CheckedJson, fields: dict[str, Any], name: str) -> Document:
    for field in ("text", "clusters"):
        if field not in fields:
            text.error((), f"a document needs {field}")
    value = fields.get("text", "")
    units: Sequence[str]
    if isinstance(value, str):
        units = text.string(value, ("text",))
    else:
        units = tuple(text.strings(value, ("text",), "a text in quotes or a list of words"))
    lost = 0

    def mention(value: Any, path: JsonPath) -> Mention | None:
        # fastcoref writes null for a mention that begins or ends at a special token.
        nonlocal lost
        if value is None:
            lost += 1
            return None
        span = text.span(value, path, len(units), inclusive=False)
        return Mention((span,)) if span else None

    entities = entities_of(text.clusters(fields.get("clusters", []), ("clusters",), mention))
    return Document(
        name,
        units,
        entities,
        path=text.file,
        line=text.line_of(()),
        notes={LOST_MENTIONS: lost} if lost else {},
    )


FASTCOREF = Format(
    label="JSON lines of fastcoref",
    ends="exclusive",
    read=read_fastcoref,
    holds=Capacity(
        characters=True,
        crossing=True,
        sentences=False,
        names=False,
        forbidden_in_words=re.compile(r"(?!)"),
    ),
    json_key=re.compile(rb'"clusters_strings"\s*:'),
    names=json_keys("text", "clusters"),
)
