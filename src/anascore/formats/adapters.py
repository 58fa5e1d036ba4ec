"""Adapters: output of spaCy, fastcoref and maverick to corpora."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any, ParamSpec

from anascore.errors import EntityError
from anascore.formats.objects import from_clusters
from anascore.model.document import NAME, Corpus

P = ParamSpec("P")


def _merge(corpora: Iterable[Corpus]) -> Corpus:
    items = (item for corpus in corpora for item in corpus.documents.items())
    return Corpus(dict(items), "clusters")


def _with_names(documents: Any) -> Iterator[tuple[str, Any]]:
    """Yield names and documents: the items of a dictionary, or a list with numbered names."""
    if isinstance(documents, Mapping):
        yield from documents.items()
        return
    for number, document in enumerate(documents, 1):
        yield NAME if number == 1 else f"{NAME}-{number}", document


def _expect(expected: str) -> Callable[[Callable[P, Corpus]], Callable[P, Corpus]]:
    """Raise EntityError with what was expected if an adapter gets something else."""

    def decorate(adapt: Callable[P, Corpus]) -> Callable[P, Corpus]:
        @wraps(adapt)
        def adapter(*args: P.args, **kwargs: P.kwargs) -> Corpus:
            try:
                return adapt(*args, **kwargs)
            except (AttributeError, KeyError, TypeError) as error:
                message = f"this is not {expected}: {error}"
                raise EntityError(message) from error

        return adapter

    return decorate


@_expect("spaCy Docs")
def from_spacy(docs: Any, *, prefix: str = "coref_clusters_") -> Corpus:
    """Make a corpus of spaCy Docs; the span groups whose names start with prefix are entities.

    docs is a Doc, a list of Docs, or a dictionary of Docs by name.
    """
    return _merge(
        from_clusters(
            [
                [(span.start, span.end) for span in spans]
                for key, spans in sorted(
                    doc.spans.items(), key=lambda group: _natural_order(group[0])
                )
                if key.startswith(prefix)
            ],
            offsets="token",
            end="exclusive",
            words=[token.text for token in doc],
            name=name,
        )
        for name, doc in _with_names([docs] if hasattr(docs, "spans") else docs)
    )


def _natural_order(key: str) -> tuple[int, str]:
    """Return a sort key that puts coref_clusters_10 after coref_clusters_9."""
    return len(key), key


@_expect("output of fastcoref")
def from_fastcoref(results: Any) -> Corpus:
    """Make a corpus of the output of fastcoref's predict: character offsets into the text.

    results is one result, a list of results, or a dictionary of results by name.
    """
    return _merge(
        from_clusters(
            # fastcoref has None for a mention that it cannot find in the text.
            [
                [span for span in spans if span is not None]
                for spans in result.get_clusters(as_strings=False)
            ],
            offsets="character",
            end="exclusive",
            text=result.text,
            texts=result.get_clusters(as_strings=True),
            name=name,
        )
        for name, result in _with_names([results] if hasattr(results, "get_clusters") else results)
    )


@_expect("output of maverick")
def from_maverick(outputs: Any) -> Corpus:
    """Make a corpus of the output of maverick's predict: token offsets, ends inclusive.

    outputs is one output, a list of outputs, or a dictionary of outputs by name.
    """
    single = isinstance(outputs, Mapping) and "clusters_token_offsets" in outputs
    return _merge(
        from_clusters(
            output["clusters_token_offsets"],
            offsets="token",
            end="inclusive",
            words=output["tokens"],
            texts=output.get("clusters_token_text"),
            name=name,
        )
        for name, output in _with_names([outputs] if single else outputs)
    )
