"""JSON lines of wl-coref: words in `cased_words`, word spans with exclusive ends."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from anascore.errors import Problems
from anascore.formats.building import build_corpus, default_names, entities_of, unread_clusters
from anascore.formats.conll2012 import name_of
from anascore.formats.files import Source
from anascore.formats.format import DEFAULT_OPTIONS, Capacity, Format, ReadOptions
from anascore.formats.json_values import (
    CheckedJson,
    JsonPath,
    documents_on_lines,
    json_keys,
    shorten,
    starts_at_lines,
)
from anascore.model.document import Corpus, Document
from anascore.model.mention import Mention

SPAN_CLUSTERS = "span_clusters"


def read_wl_coref(source: Source, problems: Problems, options: ReadOptions) -> Corpus:
    """Read a file that wl-coref reads or writes."""
    names = default_names(source)
    documents = documents_on_lines(
        source, problems, lambda text, fields: _read_document(text, fields, names, options)
    )
    return build_corpus("wl-coref", source, documents, problems)


def _read_document(
    text: CheckedJson,
    fields: dict[str, Any],
    names: Iterator[str],
    options: ReadOptions,
) -> Document:
    if "cased_words" not in fields:
        text.error((), "a document needs cased_words")
    words = text.strings(fields.get("cased_words", []), ("cased_words",), "a list of words")

    def mention(value: Any, path: JsonPath) -> Mention | None:
        span = text.span(value, path, len(words), inclusive=False)
        return Mention((span,)) if span else None

    field = _clusters_field(text, fields, options)
    clusters = text.clusters(fields.get(field, []), (field,), mention)
    return Document(
        _read_name(text, fields, names),
        tuple(words),
        entities_of(clusters),
        path=text.file,
        line=text.line_of(()),
        sentences=_read_sentences(text, fields, len(words)),
        notes=unread_clusters(fields, field, SPAN_CLUSTERS),
    )


def _clusters_field(text: CheckedJson, fields: dict[str, Any], options: ReadOptions) -> str:
    """Prefer clusters over span_clusters, unless the user names a field."""
    field = options.clusters_field
    if field in fields:
        return field
    if field != DEFAULT_OPTIONS.clusters_field:
        text.error((), f"a document needs {field}")
    elif SPAN_CLUSTERS not in fields:
        text.error((), f"a document needs {SPAN_CLUSTERS} or {field}")
    return SPAN_CLUSTERS


def _read_name(text: CheckedJson, fields: dict[str, Any], names: Iterator[str]) -> str:
    """Name a document by its id, followed by its part unless that is the first."""
    name = text.name(fields.get("document_id"), ("document_id",), names)
    part = fields.get("part_id", 0)
    if type(part) is int and part >= 0:
        return name_of(name, str(part))
    text.error(("part_id",), f"{shorten(part)} is not the number of a part")
    return name


def _named_in(fields: dict[str, Any]) -> str:
    """Return a document's name, or an empty string if it is missing or its part is not a number."""
    name, part = fields.get("document_id"), fields.get("part_id", 0)
    is_part = type(part) is int and part >= 0
    return name_of(name, str(part)) if name and isinstance(name, str) and is_part else ""


def _read_sentences(text: CheckedJson, fields: dict[str, Any], size: int) -> tuple[int, ...]:
    """Return the first word of each sentence."""
    if "sent_id" not in fields:
        return ()
    numbers = text.items(fields["sent_id"], ("sent_id",), "a list of numbers")
    if len(numbers) != size:
        message = f"it has {len(numbers)} numbers, but there are {size} words; each needs one"
        text.error(("sent_id",), message)
        return ()
    for position, number in enumerate(numbers):
        if type(number) is not int:
            text.error(("sent_id", position), f"{shorten(number)} is not the number of a sentence")
            return ()
    return tuple(next(group) for _, group in groupby(range(size), numbers.__getitem__))


WL_COREF = Format(
    label="JSON lines of wl-coref",
    ends="exclusive",
    read=read_wl_coref,
    options=frozenset({"clusters_field"}),
    holds=Capacity(crossing=True, forbidden_in_words=re.compile(r"(?!)")),
    json_key=re.compile(rb'"cased_words"\s*:'),
    names=json_keys("document_id", "part_id", "cased_words", "sent_id", "clusters", SPAN_CLUSTERS),
    starts=starts_at_lines(_named_in),
)
