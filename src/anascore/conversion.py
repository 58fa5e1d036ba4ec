"""A Corpus to files in any format, and what gets lost on the way."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from os import PathLike, fspath
from pathlib import PurePath

from anascore.errors import SettingsError, WriteError
from anascore.files import write_file, write_folder
from anascore.formats import check_format, fitted
from anascore.formats.registry import FORMATS
from anascore.formats.source import PACKED, STANDARD_INPUT
from anascore.model import Corpus, Document
from anascore.progress import doing

ENDING = ".json"
"""The ending of files that hold one document each."""


def write(
    corpus: Corpus,
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002  what users call it
) -> Counter[str]:
    """Write a corpus to a file, in a format named or known by the ending of the file's name.

    Return what the format cannot hold, which is left out, and how much there was of it.
    """
    path = fspath(path)
    if path == STANDARD_INPUT:
        raise WriteError(path, "a corpus is written to a file; anascore convert writes to -")
    name = format_for(path, format)
    target = FORMATS[name]
    doing(f"writing {path}")
    fitting, lost = fitted(corpus, name)
    if not target.one_document:
        write_file(path, target.write(fitting))
    elif len(fitting.documents) == 1 and path.removesuffix(PACKED).endswith(ENDING):
        (document,) = fitting.documents
        if document != PurePath(path.removesuffix(PACKED)).stem:
            lost["names of documents, which are those of the files"] += 1
        write_file(path, target.write(fitting))
    else:
        texts = {
            f"{document.name}{ENDING}": target.write(_alone(fitting, document))
            for document in fitting.documents.values()
        }
        write_folder(path, texts)
    return lost


def _alone(corpus: Corpus, document: Document) -> Corpus:
    return replace(corpus, documents={document.name: document})


def to_text(corpus: Corpus, name: str) -> tuple[str, Counter[str]]:
    """Return a corpus as text in a format, and what that cannot hold."""
    target = FORMATS[name]
    if target.one_document and len(corpus.documents) > 1:
        message = f"{target.label} has one document in each file; name a folder for them, not -"
        raise SettingsError(message)
    fitting, lost = fitted(corpus, name)
    return target.write(fitting), lost


def format_for(path: str, name: str | None, otherwise: str = "") -> str:
    """Choose the format to write in: as named, by the ending of the file's name, or otherwise."""
    check_format(name)
    if name is not None:
        return name
    ending = path.removesuffix(PACKED)
    for known, target in FORMATS.items():
        if target.endings and ending.endswith(target.endings):
            return known
    if otherwise in FORMATS:
        return otherwise
    message = (
        f"{path}: the name does not tell in which format to write; "
        f"name one with --to: {', '.join(FORMATS)}"
    )
    raise SettingsError(message)
