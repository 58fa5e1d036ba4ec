"""Analyses of responses in the identity layer: explanations and errors, document by document."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import TypeVar

from anascore.blocks import Corpora, CorpusOrFile, compare_all, compare_whole, merged
from anascore.comparison import ResponseComparison, count_document, result_of
from anascore.errors import SettingsError, did_you_mean
from anascore.layers.counts import DocumentCounts
from anascore.layers.document import DocumentComparison
from anascore.pairing.documents import listing
from anascore.results.result import Result
from anascore.terminal import track

T = TypeVar("T")


def analyse_responses(
    corpora: Corpora[CorpusOrFile],
    analyse: Callable[[Iterable[DocumentComparison]], T],
    combine: Callable[[Iterable[T]], T],
    *,
    verb: str,
    document: str | None,
) -> Iterator[tuple[Result, T]]:
    """Analyse the documents of responses, or only one of them.

    Yields the scores, which carry settings and notes, and what the analysis returned. If documents
    are analysed in blocks, `combine` joins the results.
    """
    if corpora.request.settings.layers != ("identity",):
        task = corpora.request.settings.task
        message = f"{verb} works on the layer identity, but the task {task} scores other layers"
        raise SettingsError(message)
    work = partial(_analyse, analyse=analyse, verb=verb, document=document)
    # One document is looked for among all of them.
    compare = compare_all if document is None else compare_whole
    for compared in compare(corpora, work):
        results: list[Result] = []
        found = combine(_analysed(compared.values, results))
        yield merged(compared, results), found


def _analysed(values: Iterable[tuple[Result, T]], results: list[Result]) -> Iterator[T]:
    """Yield what the analysis of blocks returned, and collect their results."""
    for result, found in values:
        results.append(result)
        yield found


def _analyse(
    compared: ResponseComparison,
    *,
    analyse: Callable[[Iterable[DocumentComparison]], T],
    verb: str,
    document: str | None,
) -> tuple[Result, T]:
    names = compared.key.documents
    if document is not None:
        _check_document(compared, document)
    counted: dict[str, DocumentCounts] = {}

    def pairs() -> Iterator[DocumentComparison]:
        for name, pair in zip(track(names, f"{verb}: document"), compared, strict=True):
            if document in {None, name}:
                counted[name] = count_document(pair, compared.request, compared.key.fast_path)
                yield pair

    found = analyse(pairs())
    return result_of(compared, counted), found


def _check_document(compared: ResponseComparison, document: str) -> None:
    """Raise SettingsError if the key does not contain the document, or cannot score it."""
    for skipped in compared.skipped:
        if skipped.side == "key" and skipped.document == document:
            message = f"--doc {document}: {skipped.note}"
            raise SettingsError(message)
    names = compared.key.documents
    if document not in names:
        message = (
            f"--doc {document}: the key has no such document{did_you_mean(document, names)}; it "
            f"has {listing([*names])}"
        )
        raise SettingsError(message)
