"""PreCo JSON lines: a mention is a sentence number, a start in it, and an exclusive end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import accumulate
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
    shorten,
    starts_at_lines,
)
from anascore.formats.jsonl import read_sentences
from anascore.model.document import Corpus, Document
from anascore.model.mention import Mention

CLUSTERS = "mention_clusters"


def read_preco(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read the documents of a PreCo file."""
    names = default_names(source)
    documents = documents_on_lines(
        source, problems, lambda text, fields: _read_document(text, fields, names)
    )
    return build_corpus("preco", source, documents, problems)


def _read_document(text: CheckedJson, fields: dict[str, Any], names: Iterator[str]) -> Document:
    for name in ("sentences", CLUSTERS):
        if name not in fields:
            text.error((), f"a document needs {name}")
    sentences = list(read_sentences(text, fields.get("sentences", [])))
    starts = list(accumulate(map(len, sentences), initial=0))

    def mention(value: Any, path: JsonPath) -> Mention | None:
        number = value[0] if isinstance(value, list) and len(value) == 3 else None
        if type(number) is not int or not 0 <= number < len(sentences):
            expected = "[sentence, start, end], with a sentence"
            text.error(path, f"{shorten(value)} is not {expected} among {len(sentences)}")
            return None
        span = text.span(value[1:], path, len(sentences[number]), inclusive=False)
        return Mention(((starts[number] + span[0], starts[number] + span[1]),)) if span else None

    return Document(
        text.name(fields.get("id"), ("id",), names),
        tuple(word for sentence in sentences for word in sentence),
        entities_of(text.clusters(fields.get(CLUSTERS, []), (CLUSTERS,), mention)),
        path=text.file,
        line=text.line_of(()),
        sentences=tuple(start for start, words in zip(starts, sentences, strict=False) if words),
    )


PRECO = Format(
    label="PreCo JSON lines",
    ends="exclusive",
    read=read_preco,
    holds=Capacity(crossing=True, forbidden_in_words=re.compile(r"(?!)")),
    json_key=re.compile(rb'"mention_clusters"\s*:'),
    names=json_keys("id", "sentences", CLUSTERS),
    starts=starts_at_lines(lambda fields: fields.get("id")),
)
