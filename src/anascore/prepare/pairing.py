"""Pairing of documents of key and response: bad documents, names, words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Literal, NamedTuple, TypeAlias

from anascore.errors import MismatchError, Problem, read_error
from anascore.formats.build import CLUSTERS_FIELD_HINT
from anascore.model.document import Corpus, Document
from anascore.prepare.alignment import align_response, realign_response
from anascore.prepare.characters import first_difference, in_units_of
from anascore.settings import Settings

SHOWN_NAMES = 3
"""Maximum number of documents named in a message."""

WORDS_HINT = (
    '; --words align (in Python words="align") moves mentions to the words of the key, and '
    "--words ignore compares by position alone"
)
"""Remedy for different words, for commands that have this setting."""

UNREADABLE = {"documents that cannot be read, scored as empty": 1}
"""The note on a document of the response that has errors."""


SideName: TypeAlias = Literal["key", "response"]

TREATMENTS: dict[SideName, str] = {"key": "left out", "response": "scored as empty"}
"""Treatment of documents with errors, by side."""


class SkippedDocument(NamedTuple):
    """A document with errors: left out if it is the key's, scored as empty if a response's."""

    side: SideName
    document: str
    """Name of the document."""

    path: str
    line: int | None
    reason: str
    """The first error."""

    @property
    def error(self) -> str:
        """Place and reason of the error."""
        return Problem(self.path, self.line, "error", self.reason).text

    @property
    def note(self) -> str:
        """Document, treatment and error."""
        treatment = TREATMENTS[self.side]
        return f"{self.side}: document {self.document!r} was {treatment}: {self.error}"


def skipped_documents(key: Corpus, response: Corpus) -> tuple[SkippedDocument, ...]:
    """Return the documents that have errors, the key's first; each once, if bad on both sides."""
    skipped: dict[str, SkippedDocument] = {}
    sides: dict[SideName, Corpus] = {"key": key, "response": response}
    for side, corpus in sides.items():
        for name, document in corpus.documents.items():
            if document.errors and name not in skipped:
                path, line, _, reason = document.errors[0]
                skipped[name] = SkippedDocument(side, name, path, line, reason)
    return tuple(skipped.values())


def leave_out_bad_documents(key: Corpus) -> Corpus:
    """Return a key without the documents that have errors."""
    good = {name: document for name, document in key.documents.items() if not document.errors}
    return key if len(good) == len(key.documents) else replace(key, documents=good)


def check_some_are_good(key: Corpus) -> None:
    """Raise ReadError if all documents of a key have errors."""
    documents = key.documents.values()
    if documents and all(document.errors for document in documents):
        errors = [document.errors[0] for document in documents]
        raise read_error(errors, closing=f"{key.path}: no document of the key is left to score")


def leave_out_notes_on_responses(key: Corpus) -> Corpus:
    """Return a key without the notes on a choice of fields, which is a choice for responses."""
    documents = dict(key.documents)
    for name, document in key.documents.items():
        notes = {
            note: number
            for note, number in document.notes.items()
            if not note.endswith(CLUSTERS_FIELD_HINT)
        }
        if len(notes) < len(document.notes):
            documents[name] = replace(document, notes=notes)
    return replace(key, documents=documents)


def empty_bad_documents(key: Corpus, response: Corpus, settings: Settings) -> Corpus:
    """Return a response whose documents with errors are empty, without those bad in the key.

    An empty document has the words of the key, since its own cannot be trusted.
    """
    response = named_alike(key, response, settings)
    documents: dict[str, Document] = {}
    for name, document in response.documents.items():
        expected = key.documents.get(name)
        if expected is None or not (expected.errors or document.errors):
            documents[name] = document
        elif not expected.errors:
            documents[name] = replace(
                Document(name, expected.words, ()),
                path=document.path,
                line=document.line,
                sentences=expected.sentences,
                notes=UNREADABLE,
                errors=document.errors,
            )
    return replace(response, documents=documents)


def pair_documents(
    key: Corpus, response: Corpus, settings: Settings, *, hint: str = WORDS_HINT
) -> dict[str, Document | None]:
    """Return the response document for each key document, in the key's order; None if missing.

    Raise MismatchError if documents or their words differ and the settings do not allow it.
    """
    response = named_alike(key, response, settings)
    check_names(key, response, settings)
    return {
        name: response.documents.get(name)
        and _paired(document, response.documents[name], settings, hint)
        for name, document in key.documents.items()
    }


def check_names(key: Corpus, response: Corpus, settings: Settings) -> None:
    """Raise MismatchError if key and response have documents of different names.

    Settings can allow a response to lack documents.
    """
    if not key.documents:
        message = f"{key.path or 'the key'}: there are no documents to score"
        raise MismatchError(message)
    extra = [name for name in response.documents if name not in key.documents]
    if extra:
        place = _place(response.documents[extra[0]], 0)
        message = (
            f"{place}: the key{key.path and f' {key.path}'} has no {listing(extra)}; "
            f"key and response must have the same documents"
        )
        raise MismatchError(message)
    missing = [name for name in key.documents if name not in response.documents]
    if missing and settings.missing == "error":
        are = "is" if len(missing) == 1 else "are"
        message = (
            f"{response.path or 'the response'}: {listing(missing)} {are} missing, "
            f"which the key has ({_place(key.documents[missing[0]], 0)}); "
            f'--missing empty (in Python missing="empty") scores missing documents as empty'
        )
        raise MismatchError(message)


def named_alike(key: Corpus, response: Corpus, settings: Settings) -> Corpus:
    """Rename the documents of the response to the key's names if order identifies them."""
    unnamed = key.unnamed or response.unnamed
    if not unnamed or response.documents.keys() <= key.documents.keys():
        return response
    expected, actual = len(key.documents), len(response.documents)
    if actual > expected or (actual < expected and settings.missing == "error"):
        message = (
            f"{response.path or 'the response'}: it has {actual} documents, identified by order "
            f"only, and the key has {expected}; there must be one for each"
        )
        raise MismatchError(message)
    pairs = zip(key.documents, response.documents.values(), strict=False)
    return replace(response, documents={name: replace(d, name=name) for name, d in pairs})


def _paired(key: Document, response: Document, settings: Settings, hint: str) -> Document:
    """Return the response with the key's words; raise MismatchError if words differ."""
    if key.in_characters != response.in_characters:
        difference = first_difference(key, response)
        if difference is None:
            return in_units_of(key, response)
        if settings.words == "align":
            return align_response(key, response)
        units = {True: "characters", False: "words"}
        expected, actual = difference
        message = (
            f"{_place(response, 0)}: document {response.name!r} is in "
            f"{units[response.in_characters]}, but in {units[key.in_characters]} in the key "
            f"({_place(key, 0)}); the texts must be the same apart from white space, but it has "
            f"{actual!r} where the key has {expected!r}; --words align (in Python "
            f'words="align") aligns words that differ'
        )
        raise MismatchError(message)
    if settings.words == "ignore":
        return response
    if settings.words == "align":
        return align_response(key, response)
    if response.rewritten:
        return realign_response(key, response)
    _check_words(key, response, hint)
    return response


def _check_words(key: Document, response: Document, hint: str) -> None:
    """Raise MismatchError at the first word in which two documents differ."""
    if tuple(key.words) == tuple(response.words):
        return
    pairs = enumerate(zip_longest(key.words, response.words))
    position, (expected, actual) = next((i, pair) for i, pair in pairs if pair[0] != pair[1])
    if actual is None:
        difference = (
            f"document {response.name!r} ends before word {position + 1}, {expected!r} in the key"
        )
    elif expected is None:
        difference = f"document {response.name!r} goes on with {actual!r}, where it ends in the key"
    else:
        difference = (
            f"word {position + 1} of document {response.name!r} is {actual!r}, "
            f"but {expected!r} in the key"
        )
    message = (
        f"{_place(response, position)}: {difference} ({_place(key, position)}); "
        f"key and response must have the same words{hint}"
    )
    raise MismatchError(message)


def _place(document: Document, position: int) -> str:
    """Return file and line of a word, or of the last word if there are fewer."""
    lines = document.lines[: position + 1]
    line = lines[-1] if lines else document.line
    path = document.path or "in Python"
    return path if line is None else f"{path}:{line}"


def listing(documents: Sequence[str]) -> str:
    """Return the names of documents as text, shortened if there are many."""
    names = ", ".join(repr(name) for name in documents[:SHOWN_NAMES])
    more = f" and {len(documents) - SHOWN_NAMES} more" if len(documents) > SHOWN_NAMES else ""
    return f"{'document' if len(documents) == 1 else 'documents'} {names}{more}"
