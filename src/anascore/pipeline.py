"""The whole way from documents to scores, on one page: read this first."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from anascore.metrics import CONLL, LABELS, METRICS
from anascore.model import Corpus
from anascore.normalise import Side, normalise
from anascore.results import Result
from anascore.scoring import count_document
from anascore.settings import Settings
from anascore.side_by_side import side_by_side
from anascore.version import VERSION


def evaluate(
    key: Corpus,
    responses: Iterable[tuple[str, Corpus]],
    settings: Settings,
    reported: Collection[str] = tuple(LABELS),
) -> Iterator[Result]:
    """Score responses, given with their names, against a key."""
    metrics = [n for n in METRICS if n in reported or ("conll" in reported and n in CONLL)]
    key_sides = {name: normalise(document, settings) for name, document in key.documents.items()}
    for name, response in responses:
        pairs = side_by_side(key, response, settings)
        response_sides = {
            document: normalise(theirs, settings) if theirs else Side()
            for document, (_, theirs) in pairs.items()
        }
        counted = {
            document: count_document(key_sides[document], response_sides[document], metrics, settings)
            for document in pairs
        }
        missing = [document for document, (_, theirs) in pairs.items() if theirs is None]
        yield Result(
            name,
            settings.signature(VERSION, key.format),
            reported,
            counted,
            (
                *_repeated("key", key_sides),
                *_repeated("response", response_sides),
                *_missing(missing),
            ),
        )


def _repeated(side: str, sides: dict[str, Side]) -> Iterator[str]:
    if count := sum(document.repeated for document in sides.values()):
        yield (
            f"{count} {'mention' if count == 1 else 'mentions'} of the {side} in more than one "
            f"entity; each counts in the first of them only"
        )


def _missing(documents: list[str]) -> Iterator[str]:
    if count := len(documents):
        yield f"{count} {'document' if count == 1 else 'documents'} missing, scored as empty"
