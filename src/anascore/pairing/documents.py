"""Pairing key and response documents: bad documents, names, words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import groupby, zip_longest
from operator import itemgetter
from typing import Literal, NamedTuple, TypeAlias

from anascore.errors import MismatchError, Problem, Repair, read_error
from anascore.formats.building import UNNAMED
from anascore.formats.registry import can_repair
from anascore.model.document import Corpus, Document, ResponseNote
from anascore.pairing.characters import first_difference, in_units_of
from anascore.pairing.repairs import MAX_WORDS, close_with_sentences, without_preamble
from anascore.pairing.unnamed import SAFE_OVERLAP, SharedPhrases, SharedWords
from anascore.pairing.word_alignment import align_response, align_words, realign_response
from anascore.settings import Settings

SHOWN_NAMES = 3
"""Maximum number of documents that a message names."""

WORDS_HINT = (
    '; --words align (in Python words="align") moves mentions to the words of the key, and '
    "--words ignore compares by position alone"
)
"""Remedy for different words, for commands with this setting."""

TEXT_HINT = '; --words align (in Python words="align") aligns words that differ'
"""Remedy for different texts, one of them in characters, for commands with this setting."""

LINES_HINT = (
    "; --repair (in Python repair=True) joins the paragraphs of a document and drops lines that "
    "are not of a document"
)
"""Remedy for too many documents in a language model's output."""

UNREADABLE = {"documents that cannot be read, scored as empty": 1}
"""The note on a response document with errors."""


SideName: TypeAlias = Literal["key", "response"]

TREATMENTS: dict[SideName, str] = {"key": "left out", "response": "scored as empty"}
"""What happens to documents with errors, by side."""


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
        """The error, after its place."""
        return Problem(self.path, self.line, "error", self.reason).text

    @property
    def note(self) -> str:
        """Document, treatment and error."""
        treatment = TREATMENTS[self.side]
        return f"{self.side}: document {self.document!r} was {treatment}: {self.error}"


def skipped_documents(key: Corpus, response: Corpus) -> tuple[SkippedDocument, ...]:
    """List documents with errors, the key's first; one that is bad on both sides appears once."""
    skipped: dict[str, SkippedDocument] = {}
    sides: dict[SideName, Corpus] = {"key": key, "response": response}
    for side, corpus in sides.items():
        for name, document in corpus.documents.items():
            if document.errors and name not in skipped:
                error = document.errors[0]
                skipped[name] = SkippedDocument(side, name, error.path, error.line, error.what)
    return tuple(skipped.values())


def leave_out_bad_documents(key: Corpus) -> Corpus:
    """Remove documents with errors from a key."""
    good = {name: document for name, document in key.documents.items() if not document.errors}
    return key if len(good) == len(key.documents) else replace(key, documents=good)


def check_some_are_good(key: Corpus) -> None:
    """Raise ReadError if all of a key's documents have errors."""
    documents = key.documents.values()
    if documents and all(document.errors for document in documents):
        errors = [document.errors[0] for document in documents]
        raise read_error(errors, closing=[f"{key.path}: the key has no document left to score"])


def leave_out_notes_on_responses(key: Corpus) -> Corpus:
    """Remove a key's notes on a choice of fields, which only responses have."""
    documents = dict(key.documents)
    for name, document in key.documents.items():
        notes = {
            note: number
            for note, number in document.notes.items()
            if not isinstance(note, ResponseNote)
        }
        if len(notes) < len(document.notes):
            documents[name] = replace(document, notes=notes)
    return replace(key, documents=documents)


def blank_bad_documents(key: Corpus, response: Corpus, settings: Settings) -> Corpus:
    """Empty a response's bad documents, and remove those that are bad in the key.

    An emptied document gets the key's words, because its own cannot be trusted.
    """
    response = rename_to_key(key, response, settings)
    documents: dict[str, Document] = {}
    for name, document in response.documents.items():
        expected = key.documents.get(name)
        if expected is None or not (expected.errors or document.errors):
            documents[name] = document
        elif not expected.errors:
            documents[name] = replace(
                _emptied(expected, document), notes=UNREADABLE, errors=document.errors
            )
    return replace(response, documents=documents)


def _emptied(key: Document, document: Document) -> Document:
    """Make a document without annotation that has the key's words."""
    return replace(
        Document(key.name, key.words, ()),
        path=document.path,
        line=document.line,
        sentences=key.sentences,
    )


def pair_documents(
    key: Corpus,
    response: Corpus,
    settings: Settings,
    *,
    hint: str = WORDS_HINT,
    name: str = "response",
) -> dict[str, Document | None]:
    """Return the response document for each key document, in key order; None if missing.

    Raise MismatchError if documents or their words differ and the settings do not allow it.
    """
    response = rename_to_key(key, response, settings)
    check_names(key, response, settings, name)
    repairs = settings.repair and can_repair(response)
    paired: dict[str, Document | None] = dict.fromkeys(key.documents)
    for document_name, document in response.documents.items():
        own = key.documents[document_name]
        repaired = _repaired(own, document, settings) if repairs else document
        paired[document_name] = _paired(own, repaired, settings, hint)
    return paired


def _repaired(key: Document, response: Document, settings: Settings) -> Document:
    """Apply the repairs that need the key, if the response has any."""
    if not (response.rewritten and response.words) or key.in_characters:
        return response
    if not response.unclosed and tuple(key.words[:1]) == tuple(response.words[:1]):
        return response
    if settings.words == "ignore":
        size = min(len(key.words), len(response.words))
        return close_with_sentences(response, key, [(n, n) for n in range(size)])
    pairs, _ = align_words(key.words, response.words)
    return without_preamble(close_with_sentences(response, key, pairs), pairs)


def check_names(
    key: Corpus, response: Corpus, settings: Settings, response_name: str = "response"
) -> None:
    """Raise MismatchError if document names differ.

    Settings can allow a response to lack documents.
    """
    if not key.documents:
        message = f"{key.path or 'the key'}: there are no documents to score"
        raise MismatchError(message)
    side = "the response" if response_name == "response" else f"the response {response_name!r}"
    extra = [name for name in response.documents if name not in key.documents]
    if extra:
        first = response.documents[extra[0]]
        place = _place(first, 0) if first.path else side
        message = (
            f"{place}: the key{key.path and f' {key.path}'} has no {listing(extra)}; "
            f"key and response must have the same documents, and the key has "
            f"{listing(list(key.documents))}{_unnamed_hint([*extra, *key.documents])}"
        )
        raise MismatchError(message)
    missing = [name for name in key.documents if name not in response.documents]
    if missing and settings.missing == "error":
        are = "is" if len(missing) == 1 else "are"
        first = key.documents[missing[0]]
        place = f" ({_place(first, 0)})" if first.path else ""
        message = (
            f"{response.path or side}: {listing(missing)} {are} missing, "
            f"which the key has{place}{_left_out(response)}; "
            f'--missing empty (in Python missing="empty") scores missing documents as empty'
        )
        raise MismatchError(message)


def _left_out(response: Corpus) -> str:
    """Quote the first text that repairs left out, because it may be a missing document."""
    repairs = (repair for document in response.documents.values() for repair in document.repairs)
    texts = (repair.text for repair in repairs if repair.kind in {"document", "preamble"})
    return next((f"; text that was left out: {text}" for text in texts), "")


def _unnamed_hint(names: Iterable[str]) -> str:
    """Explain names that documents get if their files contain none."""
    if any(re.fullmatch(rf"{UNNAMED}(?:-\d+)?", name) for name in names):
        return f"; a document without a name (doc_key in JSON lines) is called {UNNAMED!r}"
    return ""


def pair_keys(keys: Sequence[Corpus], settings: Settings) -> list[Corpus]:
    """Give several keys the first one's document names, words and order.

    Documents that the first cannot score are left out. Raise MismatchError if a key has a document
    that the first lacks, or if it lacks one and the settings do not allow it.
    """
    first, *others = keys
    return [first, *(_paired_key(first, key, settings) for key in others)]


def _paired_key(first: Corpus, key: Corpus, settings: Settings) -> Corpus:
    key = rename_to_key(first, key, settings)
    path = key.path or "a key in Python"
    if extra := [name for name in key.documents if name not in first.documents]:
        message = (
            f"{_place(key.documents[extra[0]], 0)}: the first "
            f"key{first.path and f' {first.path}'} has no {listing(extra)}; put a key with all "
            f"documents first"
        )
        raise MismatchError(message)
    missing = [name for name in first.documents if name not in key.documents]
    if missing and settings.missing == "error":
        message = (
            f"{path}: the key lacks {listing(missing)}, which the first key has "
            f"({_place(first.documents[missing[0]], 0)}); --missing empty (in Python "
            f'missing="empty") scores a document against those keys that have it'
        )
        raise MismatchError(message)
    bad = [name for name, document in key.documents.items() if document.errors]
    if settings.across and (missing or bad):
        message = (
            f"{path}: the key lacks {listing(missing or bad)}; --across (in Python across) joins "
            f"documents, and needs all documents in all keys"
        )
        raise MismatchError(message)
    good = leave_out_bad_documents(first)
    allowed = replace(settings, missing="empty", repair=False)
    scored = {n: d for n, d in key.documents.items() if n in good.documents and not d.errors}
    paired = pair_documents(good, replace(key, documents=scored), allowed)
    documents = {
        name: document
        for name in good.documents
        if (document := paired[name] or (key.documents[name] if name in bad else None))
    }
    return replace(key, documents=documents, unnamed=first.unnamed)


def rename_to_key(key: Corpus, response: Corpus, settings: Settings) -> Corpus:
    """Rename response documents to the key's names if only order identifies them.

    A language model's documents are paired in order by the words that they share.
    """
    if not (key.unnamed or response.unnamed):
        return response
    if is_paired_by_words(response, settings) and not _has_names_of(key, response):
        return _named_by_words(key, response, settings)
    if response.documents.keys() <= key.documents.keys():
        return response
    expected, actual = len(key.documents), len(response.documents)
    if actual > expected or (actual < expected and settings.missing == "error"):
        raise _wrong_number(response, actual, expected, settings)
    pairs = zip(key.documents, response.documents.values(), strict=False)
    return replace(response, documents={name: replace(d, name=name) for name, d in pairs})


def _wrong_number(
    response: Corpus, actual: int, expected: int, settings: Settings
) -> MismatchError:
    """Make the error for a document count that differs from the key's."""
    message = (
        f"{response.path or 'the response'}: it has {actual} documents, identified by order only, "
        f"but the key has {expected}; the numbers must be equal"
    )
    if actual > expected and can_repair(response) and not settings.repair:
        message += LINES_HINT
    return MismatchError(message)


def is_paired_by_words(response: Corpus, settings: Settings) -> bool:
    """Test whether documents have no names, and their words may differ from the key's."""
    aligned = settings.words == "align"
    return response.unnamed and (aligned or any(d.rewritten for d in response.documents.values()))


def _has_names_of(key: Corpus, response: Corpus) -> bool:
    """Test whether the response uses file names as document names, as the key does."""
    names = response.documents.keys()
    return names <= key.documents.keys() and not all(map(_DEFAULT_NAME.fullmatch, names))


_DEFAULT_NAME = re.compile(rf"{UNNAMED}(?:-\d+)?")


def _named_by_words(key: Corpus, response: Corpus, settings: Settings) -> Corpus:
    """Pair documents with the key's in order, by the words that they share.

    Raise MismatchError if there are too many, or if one of them does not belong in its place.
    """
    key_words = [_words_of(document) for document in key.documents.values()]
    shared = SharedWords(key_words)
    documents = list(response.documents.values())
    repairs = settings.repair and can_repair(response)
    if repairs and settings.words != "ignore":
        documents = _without_other_lines(documents, shared, key_words)
        if len(documents) > len(key.documents):
            documents = _joined_paragraphs(documents, shared)
    if len(documents) > len(key.documents):
        raise _wrong_number(response, len(response.documents), len(key.documents), settings)
    names = list(key.documents)
    named: dict[str, Document] = {}
    words = [_words_of(document) for document in documents]
    for position, document, response_words in zip(
        shared.pair(words), documents, words, strict=True
    ):
        doubt = shared.doubt(response_words, position) if settings.words != "ignore" else None
        own = names[position]
        if doubt is None:
            named[own] = replace(document, name=own)
        elif doubt.better is None and repairs:
            repair = Repair("document", document.path, document.line, _few_words(own))
            emptied = _emptied(key.documents[own], document)
            named[own] = replace(emptied, repairs=(*document.repairs, repair))
        else:
            other = "" if doubt.better is None else names[doubt.better]
            raise MismatchError(f"{_place(document, 0)}: {_few_words(own, other)}")
    return replace(response, documents=named, unnamed=False)


def _words_of(document: Document) -> Sequence[str]:
    """Return a document's words; those of a text in characters are split roughly."""
    text = document.words
    return re.findall(r"\w+|[^\w\s]", text) if isinstance(text, str) else text


def _few_words(name: str, other: str = "") -> str:
    """Word the error for a document that shares few words with the key's in its place."""
    few = f"few words with it, and most with {other!r}" if other else "almost no words with it"
    return (
        f"by its place this is the document {name!r} of the key, but it shares {few}; documents "
        f"without names must be in the order of the key"
    )


def _without_other_lines(
    documents: Sequence[Document], shared: SharedWords, key_words: Sequence[Sequence[str]]
) -> list[Document]:
    """Remove lines that are not documents; note them as repairs of the next or last document.

    Such lines have no mentions and share few phrases with every key document. Empty lines are
    removed only if there are too many lines. Nothing is removed if there are not too many and each
    line belongs in its place.
    """
    expected = len(key_words)
    words = [document.words for document in documents]
    if len(words) <= expected:
        doubts = map(shared.doubt, words, shared.pair(words))
        if all(doubt is None or doubt.better is None for doubt in doubts):
            return list(documents)
    phrases = SharedPhrases(key_words)
    others = {
        number
        for number, document in enumerate(documents)
        if document.words
        and not document.entities
        and phrases.best_share(document.words) < SAFE_OVERLAP
    }
    if len(documents) - len(others) > expected:
        others |= {number for number, document in enumerate(documents) if not document.words}
    if len(others) == len(documents):
        return list(documents)
    kept: list[Document] = []
    repairs: list[Repair] = []
    for number, document in enumerate(documents):
        repairs += document.repairs
        if number in others:
            text = " ".join(document.words[:MAX_WORDS])
            what = f"this line, {text!r}, is not of a document" if text else "this line is empty"
            repairs.append(Repair("preamble", document.path, document.line, what))
        else:
            kept.append(replace(document, repairs=tuple(repairs)))
            repairs = []
    kept[-1] = replace(kept[-1], repairs=(*kept[-1].repairs, *repairs))
    return kept


def _joined_paragraphs(lines: Sequence[Document], shared: SharedWords) -> list[Document]:
    """Join lines that belong to the same key document, according to the words that they share."""
    places = shared.places([line.words for line in lines])
    if places is None or any(line.words and not line.raw_text for line in lines):
        return list(lines)
    from anascore.formats.llm_text import join_paragraphs  # noqa: PLC0415  few files need it

    joined = []
    for _, group in groupby(zip(places, lines, strict=True), key=itemgetter(0)):
        first, *others = (document for _, document in group)
        joined.append(join_paragraphs([first, *others]) if others else first)
    return joined


def _paired(key: Document, response: Document, settings: Settings, hint: str) -> Document:
    """Give the response the key's words; raise MismatchError if words differ."""
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
            f"{actual!r} where the key has {expected!r}{hint and TEXT_HINT}"
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
    """Name the file and line of a word, or of the last word if there are fewer."""
    lines = document.lines[: position + 1]
    line = lines[-1] if lines else document.line
    path = document.path or "in Python"
    return path if line is None else f"{path}:{line}"


def listing(documents: Sequence[str], shown: int = SHOWN_NAMES) -> str:
    """List document names in a message, shortened if there are many."""
    names = ", ".join(repr(name) for name in documents[:shown])
    more = f" and {len(documents) - shown} more" if len(documents) > shown else ""
    return f"{'document' if len(documents) == 1 else 'documents'} {names}{more}"
