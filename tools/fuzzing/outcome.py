"""Outcome of reading and scoring a damaged file: the label that it has in fact."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Literal, TypeAlias

import anascore
from anascore import AnascoreError, Corpus, ReadError, SettingsError
from anascore.corpus.validate import validate_path
from tools.fuzzing.kinds import NOTICED, REJECTED, SUSPECTED, UNCHANGED, WARNED, Label

Outcome: TypeAlias = Label | Literal["silent", "not validated", "not skipped"]
"""A label, or a defect.

silent: Other annotation is read than from the good file, and nothing says so.
not validated: The file cannot be read, and `validate` reports no error.
not skipped: A document has errors, and is scored with `--bad-documents skip`.
"""


def outcome(key: Corpus, damaged: Path, format_name: str | None) -> Outcome:
    """Return the treatment of a damaged file, as compared with the corpus of the good one."""
    results = [file for file, _ in validate_path(str(damaged), format_name)]
    errors, warnings = (
        sum(len(getattr(r, kind)) for r in results) for kind in ("errors", "warnings")
    )
    try:
        corpus = anascore.read(damaged, format_name)
    except ReadError:
        if not errors:
            return "not validated"
        return REJECTED if _is_skipped(key, damaged, format_name) else "not skipped"
    if errors:
        return "not validated"
    if _without_repetition(corpus) == _without_repetition(key):
        return WARNED if warnings else UNCHANGED
    if not _is_noted(key, corpus):
        return SUSPECTED if warnings else "silent"
    return WARNED if warnings else NOTICED


def _without_repetition(corpus: Corpus) -> Corpus:
    """Return a corpus whose entities have each mention once, as they are scored."""
    return replace(
        corpus,
        documents={
            name: replace(
                document,
                entities=[
                    replace(entity, mentions=tuple(dict.fromkeys(entity.mentions)))
                    for entity in document.entities
                ],
            )
            for name, document in corpus.documents.items()
        },
    )


def _is_noted(key: Corpus, response: Corpus) -> bool:
    """Return True if scoring raises an error or adds a note."""
    for layers in ("all", "identity"):
        try:
            return bool(anascore.score(key, response, layers=layers).notes)
        except SettingsError:
            # Some formats have no further layers.
            continue
        except AnascoreError:
            return True
    return True


def _is_skipped(key: Corpus, damaged: Path, format_name: str | None) -> bool:
    """Return True if bad documents are skipped with a word about each, or cannot be skipped."""
    try:
        corpus = anascore.read(damaged, format_name, bad_documents="skip")
        return bool(anascore.score(key, corpus, bad_documents="skip", missing="empty").skipped)
    except AnascoreError:
        return True
