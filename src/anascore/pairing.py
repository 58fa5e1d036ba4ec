"""Whether key and response belong together: the same documents, the same words."""

from __future__ import annotations

from dataclasses import replace
from itertools import zip_longest

from anascore.errors import MismatchError
from anascore.model import Corpus, Document
from anascore.rewriting import carry_over
from anascore.settings import Settings

SHOWN = 3
"""How many documents a message names."""


def pair_documents(key: Corpus, response: Corpus, settings: Settings) -> dict[str, Document | None]:
    """Return the response's document for each of the key, in its order; None if it is missing."""
    if not key.documents:
        message = f"{key.path or 'the key'}: there are no documents to score"
        raise MismatchError(message)
    if key.unnamed or response.unnamed:
        response = _named_by_order(key, response)
    extra = [name for name in response.documents if name not in key.documents]
    if extra:
        place = _place(response.documents[extra[0]], 0)
        message = (
            f"{place}: the key {key.path} has no {_named(extra)}; "
            f"key and response must have the same documents"
        )
        raise MismatchError(message)
    missing = [name for name in key.documents if name not in response.documents]
    if missing and settings.missing == "error":
        message = (
            f"{response.path}: {_named(missing)} {'is' if len(missing) == 1 else 'are'} missing, "
            f"which the key has ({_place(key.documents[missing[0]], 0)}); "
            f'--missing empty (in Python missing="empty") scores what is missing as empty'
        )
        raise MismatchError(message)
    paired = {name: response.documents.get(name) for name in key.documents}
    if settings.words == "ignore":
        return paired
    if response.rewritten:
        return {name: own and carry_over(key.documents[name], own) for name, own in paired.items()}
    for name, document in response.documents.items():
        _check_words(key.documents[name], document)
    return paired


def _named_by_order(key: Corpus, response: Corpus) -> Corpus:
    """Give the documents of the response, in their order, the names of the key's."""
    given = response.documents.values()
    names = [*key.documents, *(document.name for document in list(given)[len(key.documents) :])]
    renamed = {
        name: replace(document, name=name) for name, document in zip(names, given, strict=False)
    }
    return replace(response, documents=renamed)


def _check_words(key: Document, response: Document) -> None:
    """Find the first word in which two documents differ."""
    if tuple(key.words) == tuple(response.words):
        return
    pairs = enumerate(zip_longest(key.words, response.words))
    position, (expected, found) = next((i, pair) for i, pair in pairs if pair[0] != pair[1])
    if found is None:
        what = (
            f"document {response.name!r} ends before word {position + 1}, {expected!r} in the key"
        )
    elif expected is None:
        what = f"document {response.name!r} goes on with {found!r}, where it ends in the key"
    else:
        what = (
            f"word {position + 1} of document {response.name!r} is {found!r}, "
            f"but {expected!r} in the key"
        )
    message = (
        f"{_place(response, position)}: {what} ({_place(key, position)}); "
        f"key and response must have the same words; "
        f'--words ignore (in Python words="ignore") compares by position alone'
    )
    raise MismatchError(message)


def _place(document: Document, position: int) -> str:
    """Name the file and line of a word, or of the last one, if there are not that many."""
    lines = document.lines[: position + 1]
    line = lines[-1] if lines else document.line
    return document.path if line is None else f"{document.path}:{line}"


def _named(documents: list[str]) -> str:
    names = ", ".join(repr(name) for name in documents[:SHOWN])
    more = f" and {len(documents) - SHOWN} more" if len(documents) > SHOWN else ""
    return f"{'document' if len(documents) == 1 else 'documents'} {names}{more}"
