"""The whole way from documents to scores, on one page: read this first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace

from anascore.annotation import zero_dependencies
from anascore.metrics import LABELS, needed
from anascore.model import Corpus, Document
from anascore.normalise import normalise
from anascore.pairing import pair_documents
from anascore.results import Result
from anascore.scoring import count_document
from anascore.settings import Settings
from anascore.side import Side

MISSING = "documents that are missing, scored as empty"


def evaluate(
    key: Corpus,
    responses: Iterable[tuple[str, Corpus]],
    settings: Settings,
    reported: Collection[str] = tuple(LABELS),
) -> Iterator[Result]:
    """Score responses, given with their names, against a key."""
    metrics = needed(reported)
    key_sides = sides_of(key.documents, settings)
    for name, response in responses:
        response_sides = sides_of(pair_documents(key, response, settings), settings)
        counted = {
            document: count_document(side, response_sides[document], metrics, settings)
            for document, side in key_sides.items()
        }
        document_notes = {
            document: notes_on([side], [response_sides[document]])
            for document, side in key_sides.items()
        }
        notes = (
            *notes_on(key_sides.values(), response_sides.values()),
            *notes_on_zeros(key, response, settings),
        )
        signature = settings.signature(key.format, response.format)
        yield Result(name, signature, reported, counted, notes, document_notes)


def notes_on_zeros(key: Corpus, response: Corpus, settings: Settings) -> Iterator[str]:
    """Say that only one side has zeros, so that no mention with a zero can match."""
    if settings.zeros == "drop":
        return
    sides = {"key": key, "response": response}
    without = [
        name
        for name, corpus in sides.items()
        if not any(document.zeros for document in corpus.documents.values())
    ]
    for name, corpus in sides.items():
        documents = corpus.documents.values()
        mentions = (m for d in documents for entity in d.entities for m in entity.mentions)
        if name not in without and without and (number := sum(bool(m.zeros) for m in mentions)):
            hint = "--zeros drop leaves zeros out"
            yield f"{name}: mentions with zeros, and the {without[0]} has none: {number}; {hint}"


def sides_of(documents: Mapping[str, Document | None], settings: Settings) -> dict[str, Side]:
    """Bring the entities of documents into the form in which they are compared."""
    return {
        name: Side(documents=0, notes={MISSING: 1})
        if document is None
        else side_of(document, settings)
        for name, document in documents.items()
    }


def side_of(document: Document, settings: Settings) -> Side:
    """Bring the entities of one document into that form, with all that there is to note."""
    side = normalise(document.entities, settings)
    dependencies = zero_dependencies(document) if settings.zero_match == "dependent" else {}
    return replace(side, dependencies=dependencies, notes={**document.notes, **side.notes})


def notes_on(key: Iterable[Side], response: Iterable[Side]) -> tuple[str, ...]:
    """Say what was done to documents that can change a score, and how often."""
    counts: Counter[tuple[str, str]] = Counter()
    for name, sides in (("key", key), ("response", response)):
        for side in sides:
            counts.update({(name, note): count for note, count in side.notes.items()})
    return tuple(f"{name}: {note}: {count}" for (name, note), count in counts.items() if count)
