"""Output of spaCy, fastcoref and maverick to corpora."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, ParamSpec

from anascore.errors import EntityError
from anascore.formats.objects import NAME, from_clusters
from anascore.model.document import Corpus

P = ParamSpec("P")


def _merged(corpora: Iterable[Corpus]) -> Corpus:
    documents = (corpus.documents for corpus in corpora)
    return Corpus(dict(item for found in documents for item in found.items()), "clusters")


def _named(documents: Any) -> Iterator[tuple[str, Any]]:
    """Give documents with their names: those of a dictionary, or numbers for those of a list."""
    if isinstance(documents, Mapping):
        yield from documents.items()
        return
    for number, document in enumerate(documents, 1):
        yield NAME if number == 1 else f"{NAME}-{number}", document


def _expecting(what: str) -> Callable[[Callable[P, Corpus]], Callable[P, Corpus]]:
    """Say what was expected where something else was given."""

    def decorate(adapt: Callable[P, Corpus]) -> Callable[P, Corpus]:
        @wraps(adapt)
        def adapted(*given: P.args, **convention: P.kwargs) -> Corpus:
            try:
                return adapt(*given, **convention)
            except (AttributeError, KeyError, TypeError) as error:
                message = f"this is not {what}: {error}"
                raise EntityError(message) from error

        return adapted

    return decorate


@_expecting("spaCy Docs")
def from_spacy(docs: Any, *, prefix: str = "coref_clusters_") -> Corpus:
    """Make a corpus of spaCy Docs, whose entities are the span groups with a prefix.

    docs is a Doc, a list of them, or a dictionary of them by name.
    """
    return _merged(
        from_clusters(
            [
                [(span.start, span.end) for span in spans]
                for key, spans in sorted(doc.spans.items(), key=lambda group: _natural(group[0]))
                if key.startswith(prefix)
            ],
            offsets="token",
            end="exclusive",
            words=[token.text for token in doc],
            name=name,
        )
        for name, doc in _named([docs] if hasattr(docs, "spans") else docs)
    )


def _natural(key: str) -> tuple[int, str]:
    """Sort coref_clusters_10 after coref_clusters_9."""
    return len(key), key


@_expecting("what fastcoref returns")
def from_fastcoref(results: Any) -> Corpus:
    """Make a corpus of what fastcoref's predict returns: character offsets into the text.

    results is one result, a list of them, or a dictionary of them by name.
    """
    return _merged(
        from_clusters(
            # A mention that the text has no place for is None.
            [
                [s for s in spans if s is not None]
                for spans in result.get_clusters(as_strings=False)
            ],
            offsets="character",
            end="exclusive",
            text=result.text,
            texts=result.get_clusters(as_strings=True),
            name=name,
        )
        for name, result in _named([results] if hasattr(results, "get_clusters") else results)
    )


@_expecting("what maverick returns")
def from_maverick(outputs: Any) -> Corpus:
    """Make a corpus of what maverick's predict returns: token offsets, ends inclusive.

    outputs is one output, a list of them, or a dictionary of them by name.
    """
    single = isinstance(outputs, Mapping) and "clusters_token_offsets" in outputs
    return _merged(
        from_clusters(
            output["clusters_token_offsets"],
            offsets="token",
            end="inclusive",
            words=output["tokens"],
            texts=output.get("clusters_token_text"),
            name=name,
        )
        for name, output in _named([outputs] if single else outputs)
    )
