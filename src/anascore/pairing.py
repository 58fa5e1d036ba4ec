"""Whether key and response belong together: the same documents, the same words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest

from anascore.errors import MismatchError
from anascore.model import Corpus, Document
from anascore.rewriting import carry_over
from anascore.settings import Settings

SHOWN = 3
"""How many documents a message names."""

WORDS_HINT = '; --words ignore (in Python words="ignore") compares by position alone'
"""What can be done about other words, where that is a setting."""


def pair_documents(
    key: Corpus, response: Corpus, settings: Settings, *, hint: str = WORDS_HINT
) -> dict[str, Document | None]:
    """Return the response's document for each of the key, in its order; None if it is missing."""
    if not key.documents:
        message = f"{key.path or 'the key'}: there are no documents to score"
        raise MismatchError(message)
    response = named_alike(key, response, settings)
    extra = [name for name in response.documents if name not in key.documents]
    if extra:
        place = _place(response.documents[extra[0]], 0)
        message = (
            f"{place}: the key {key.path} has no {some_of(extra)}; "
            f"key and response must have the same documents"
        )
        raise MismatchError(message)
    missing = [name for name in key.documents if name not in response.documents]
    if missing and settings.missing == "error":
        are = "is" if len(missing) == 1 else "are"
        message = (
            f"{response.path or 'the response'}: {some_of(missing)} {are} missing, "
            f"which the key has ({_place(key.documents[missing[0]], 0)}); "
            f'--missing empty (in Python missing="empty") scores what is missing as empty'
        )
        raise MismatchError(message)
    return {
        name: response.documents.get(name)
        and _paired(document, response.documents[name], settings, hint)
        for name, document in key.documents.items()
    }


def named_alike(key: Corpus, response: Corpus, settings: Settings) -> Corpus:
    """Give the documents of the response the key's names, where only their order tells them."""
    unnamed = key.unnamed or response.unnamed
    if not unnamed or response.documents.keys() <= key.documents.keys():
        return response
    wanted, found = len(key.documents), len(response.documents)
    if found > wanted or (found < wanted and settings.missing == "error"):
        message = (
            f"{response.path or 'the response'}: it has {found} documents, told apart by their "
            f"order alone, and the key has {wanted}; there must be one for each"
        )
        raise MismatchError(message)
    pairs = zip(key.documents, response.documents.values(), strict=False)
    return replace(response, documents={name: replace(d, name=name) for name, d in pairs})


def _paired(key: Document, response: Document, settings: Settings, hint: str) -> Document:
    """Check that two documents have the same words, or bring the response to those of the key."""
    if key.in_characters != response.in_characters:
        units = {True: "characters", False: "words"}
        message = (
            f"{_place(response, 0)}: document {response.name!r} is in "
            f"{units[response.in_characters]}, but in {units[key.in_characters]} in the key "
            f"({_place(key, 0)}); mentions in one cannot be compared with mentions in the other"
        )
        raise MismatchError(message)
    if settings.words == "ignore":
        return response
    if response.rewritten:
        return carry_over(key, response)
    _check_words(key, response, hint)
    return response


def _check_words(key: Document, response: Document, hint: str) -> None:
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
        f"key and response must have the same words{hint}"
    )
    raise MismatchError(message)


def _place(document: Document, position: int) -> str:
    """Name the file and line of a word, or of the last one, if there are not that many."""
    lines = document.lines[: position + 1]
    line = lines[-1] if lines else document.line
    path = document.path or "in Python"
    return path if line is None else f"{path}:{line}"


def some_of(documents: Sequence[str]) -> str:
    """Name documents, the first of them if there are many."""
    names = ", ".join(repr(name) for name in documents[:SHOWN])
    more = f" and {len(documents) - SHOWN} more" if len(documents) > SHOWN else ""
    return f"{'document' if len(documents) == 1 else 'documents'} {names}{more}"
