"""Comparison of whole corpora, and of one document at a time."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from anascore import Corpus, blocks
from anascore.blocks import Corpora, CorpusOrFile, score_all
from anascore.comparison import Key, count
from anascore.errors import AnascoreError
from anascore.formats.reading import CorpusFile
from anascore.formats.streams import CannotStream, Stream
from anascore.results.result import Result
from anascore.tasks import build_request


def source_of(source: Path | Corpus, settings: Any) -> CorpusOrFile:
    if isinstance(source, Corpus):
        return source
    return CorpusFile(str(source), bad_documents=settings.bad_documents, repair=settings.repair)


def outcome(
    score: Callable[[CorpusOrFile, list[tuple[str, CorpusOrFile]]], list[Result]],
    key: Path | Corpus,
    responses: Sequence[Path | Corpus],
    settings: Any,
) -> str | list[Any]:
    """Return all that can be seen of results, or the error."""
    sources = [("system", source_of(response, settings)) for response in responses]
    try:
        results = score(source_of(key, settings), sources)
    except AnascoreError as error:
        return f"{type(error).__name__}: {error}"
    return [
        (
            *(list(result.counted.items()), result.to_dict(), result.notes, result.skipped),
            *(result.signature, result.formats),
        )
        for result in results
    ]


def assert_same(
    key: Path | Corpus, *responses: Path | Corpus, streamed: bool = True, **settings: Any
) -> str | list[Any]:
    """Score whole corpora, and one document at a time; the outcomes must be equal.

    Corpora without errors are not compared again as a whole if they can be streamed.
    """
    request = build_request(None, **settings)

    def whole(key: CorpusOrFile, responses: list[tuple[str, CorpusOrFile]]) -> list[Result]:
        prepared = Key.of(key if isinstance(key, Corpus) else key.read(), request)
        corpora = ((n, r if isinstance(r, Corpus) else r.read()) for n, r in responses)
        return [count(prepared.compare(*named)) for named in corpora]

    def in_batches(key: CorpusOrFile, responses: list[tuple[str, CorpusOrFile]]) -> list[Result]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(blocks, "BLOCK_SIZE", 1)
            patch.setattr(blocks, "_is_large", lambda *_: True)
            if streamed and not isinstance(expected, str):
                patch.setattr(blocks, "compare_whole", None)
            return score_all(Corpora(key, responses, request))

    expected = outcome(whole, key, responses, request.settings)
    assert outcome(in_batches, key, responses, request.settings) == expected
    return expected


def error_of(key: Path | Corpus, *responses: Path | Corpus, **settings: Any) -> str:
    """Return the error that whole corpora and batches have."""
    error = assert_same(key, *responses, **settings)
    assert isinstance(error, str)
    return error


def streamed(path: Path) -> list[str]:
    """Read the documents of a file one by one; return their names."""
    stream = Stream(CorpusFile(str(path)))
    names: list[str] = []
    for piece in stream:
        part = stream.part([piece])
        if isinstance(part, Corpus):
            raise CannotStream
        names += part.read().documents
    return names
