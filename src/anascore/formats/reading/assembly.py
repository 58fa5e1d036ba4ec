"""The documents of a file to a Corpus: each with a name, and words in one of them at least."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from anascore.formats.source import Source
from anascore.model import Corpus, Document
from anascore.problems import Problems

UNNAMED = "unnamed"
"""The name of a document that the file does not name; the second is called unnamed-2."""


def default_names(source: Source) -> Iterator[str]:
    """Name documents that have no names: after the file, if it was found in a folder."""
    name = source.stem if source.in_folder else UNNAMED
    number = 1
    yield name
    while True:
        number += 1
        yield f"{name}-{number}"


def assemble(
    format_name: str, source: Source, documents: Iterable[Document], problems: Problems
) -> Corpus:
    """Put the documents of a file together."""
    by_name: dict[str, Document] = {}
    for document in documents:
        first = by_name.setdefault(document.name, document)
        if first is not document:
            place = "" if first.line is None else f"; line {first.line} has it too"
            problems.error(document.line, f"document id {document.name!r} again{place}")
    if not any(document.words for document in by_name.values()) and not problems.has_errors:
        problems.error(None, f"there are no words in this file, read as {format_name}")
    return Corpus(by_name, format_name, source.path)
