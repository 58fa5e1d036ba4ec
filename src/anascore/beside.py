"""Two Corpora to documents side by side, or the reason why they do not belong together."""

from __future__ import annotations

from itertools import zip_longest

from anascore.errors import MismatchError
from anascore.model import Corpus, Document
from anascore.settings import Settings

SHOWN = 3
"""How many documents a message names."""


def beside(key: Corpus, response: Corpus, settings: Settings) -> dict[str, Document | None]:
    """Return the response's document for each of the key, in its order; None if it is missing."""
    extra = [name for name in response.documents if name not in key.documents]
    if extra:
        document = response.documents[extra[0]]
        message = (
            f"{_place(document, 0)}: the key {key.path} has no {_named(extra)}; "
            f"key and response must have the same documents"
        )
        raise MismatchError(message)
    missing = [name for name in key.documents if name not in response.documents]
    if missing and settings.missing == "error":
        message = (
            f"{response.path}: {_named(missing)} {'is' if len(missing) == 1 else 'are'} missing, "
            f"which the key has "
            f"({_place(key.documents[missing[0]], 0)}); to score what is missing as empty, use "
            f"--missing empty"
        )
        raise MismatchError(message)
    if settings.words == "check":
        for name, theirs in response.documents.items():
            if theirs.words != key.documents[name].words:
                raise MismatchError(_difference(key.documents[name], theirs))
    return {name: response.documents.get(name) for name in key.documents}


def _difference(key: Document, response: Document) -> str:
    """Describe the first word in which two documents differ."""
    words = enumerate(zip_longest(key.words, response.words))
    position, (ours, theirs) = next(found for found in words if found[1][0] != found[1][1])
    there = "no word" if theirs is None else repr(theirs)
    here = "no word" if ours is None else repr(ours)
    return (
        f"{_place(response, position)}: word {position + 1} of document {response.name!r} is "
        f"{there}, but {here} in the key ({_place(key, position)}); key and response must have the "
        f"same words; to compare by position alone, use --words ignore"
    )


def _place(document: Document, position: int) -> str:
    """Name the file and line of a word, or of the last one, if there are not that many."""
    lines = document.lines[: position + 1]
    return f"{document.path}:{lines[-1]}" if lines else document.path


def _named(documents: list[str]) -> str:
    names = ", ".join(repr(name) for name in documents[:SHOWN])
    more = f" and {len(documents) - SHOWN} more" if len(documents) > SHOWN else ""
    return f"{'document' if len(documents) == 1 else 'documents'} {names}{more}"
