"""The whole way from documents to scores, on one page: read this first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from anascore.beside import beside
from anascore.metrics import CONLL, LABELS, METRICS
from anascore.model import Corpus, Document
from anascore.normalise import normalise
from anascore.results import Result
from anascore.scoring import count_document
from anascore.settings import Settings
from anascore.side import Side
from anascore.version import __version__


def evaluate(
    key: Corpus,
    responses: Iterable[tuple[str, Corpus]],
    settings: Settings,
    reported: Collection[str] = tuple(LABELS),
) -> Iterator[Result]:
    """Score responses, given with their names, against a key."""
    metrics = [n for n in METRICS if n in reported or ("conll" in reported and n in CONLL)]
    ours = _sides(key.documents, settings)
    for name, response in responses:
        theirs = _sides(beside(key, response, settings), settings)
        counted = {n: count_document(ours[n], theirs[n], metrics, settings) for n in ours}
        signature = settings.signature(__version__, key.format)
        yield Result(name, signature, reported, counted, tuple(_notes(ours, theirs)))


def _sides(documents: Mapping[str, Document | None], settings: Settings) -> dict[str, Side]:
    return {
        name: Side(present=False) if document is None else normalise(document, settings)
        for name, document in documents.items()
    }


def _notes(key: dict[str, Side], response: dict[str, Side]) -> Iterator[str]:
    """Say what was done to the documents that changes their scores."""
    for name, sides in {"key": key, "response": response}.items():
        if count := sum(side.repeated for side in sides.values()):
            mentions = "1 mention is" if count == 1 else f"{count} mentions are"
            yield f"{mentions} in several entities of the {name}, and counted in the first only"
    if count := sum(not side.present for side in response.values()):
        documents = "1 document is" if count == 1 else f"{count} documents are"
        yield f"{documents} missing from the response, and scored as empty"
