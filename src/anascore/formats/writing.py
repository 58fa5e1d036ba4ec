"""Writing corpora; what a format cannot store is left out and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from os import PathLike, fspath
from pathlib import PurePath

from anascore.arguments import check_arguments
from anascore.errors import (
    SettingsError,
    WriteError,
)
from anascore.formats.files import (
    GZIP_ENDING,
    STANDARD_INPUT,
    is_stream,
    write_file,
    write_folder,
)
from anascore.formats.objects import Documents, check_has_words
from anascore.formats.reading import check_format
from anascore.formats.registry import (
    FORMAT_PLUG_INS,
    FORMATS,
    WRITABLE,
)
from anascore.formats.sources import check_source, corpus_in_memory
from anascore.model.document import Corpus, Document
from anascore.terminal import status


def fit_to_format(corpus: Corpus, format_name: str) -> tuple[Corpus, Counter[str]]:
    """Remove what a format cannot store; return the rest, and the loss counts by kind."""
    from anascore.formats.lossy import fit  # noqa: PLC0415  readers do not need it
    from anascore.formats.lossy_relations import number_types  # noqa: PLC0415  the same

    check_has_words(corpus)
    target = FORMATS[format_name]
    documents: dict[str, Document] = {}
    lost: Counter[str] = Counter()
    originals: Iterable[Document] = corpus.documents.values()
    if target.holds.nonreferring == "numbered":
        originals = number_types(originals, lost)
    for original in originals:
        document, losses = fit(original, target.holds)
        if target.fit_document:
            document = target.fit_document(document, losses)
        name, number = document.name, 1
        while name in documents:
            number += 1
            name = f"{document.name}-{number}"
        documents[name] = replace(document, name=name)
        lost += losses
    if not target.holds.names:
        lost += _drop_names(corpus, documents)
    unnamed = not target.holds.names
    fitted = replace(corpus, documents=documents, formats=(format_name,), unnamed=unnamed)
    return target.fit_corpus(fitted, lost) if target.fit_corpus else fitted, lost


def _drop_names(corpus: Corpus, documents: dict[str, Document]) -> Counter[str]:
    """Count lost names; remove trailing empty documents, which readers ignore."""
    lost = Counter({"names of documents": 0 if corpus.unnamed else len(documents)})
    while documents and not ((last := documents[next(reversed(documents))]).words or last.zeros):
        del documents[last.name]
        lost["documents without words, at the end"] += 1
    return +lost


def writer_of(name: str) -> Callable[[Corpus], str]:
    """Return a format's writer; raise SettingsError if the format is read-only."""
    if (write_text := FORMATS[name].write) is None:
        message = f"{FORMATS[name].label} can only be read; choose from {', '.join(WRITABLE)}"
        raise SettingsError(message)
    return write_text


ENDING = ".json"
"""Ending of files that contain one document each."""


@check_arguments
def write(
    corpus: Corpus | Documents,
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002  what users call it
) -> Counter[str]:
    """Write a corpus to a file, or to a folder if the format has one document per file.

    Args:
        corpus: The corpus to write. Clusters of spans have no words, which files need; make a
            corpus of them with `Corpus.from_clusters`, which takes words.
        path: File or folder to write to; compressed if the name ends in .gz.
        format: Name of the format (default: chosen by the ending of the file name).

    Returns:
        The number of losses by kind. Annotation that the format cannot hold is left out.

    Raises:
        WriteError: The file cannot be written.
        SettingsError: The format is unknown, or does not follow from the file name.
        EntityError: The corpus was made in Python, and is not made of documents, or has no words.

    Example:
        >>> from anascore import read
        >>> from anascore.example import KEY
        >>> write(read(KEY), "/dev/null", "conll2012")["accommodated sets"]
        16

    """
    check_source(corpus)
    corpus = corpus_in_memory(corpus)
    path = fspath(path)
    if path == STANDARD_INPUT:
        raise WriteError(
            path, "a corpus cannot be written to -; give a file name, or use anascore convert"
        )
    name = format_for(path, format)
    write_text, target = writer_of(name), FORMATS[name]
    status(f"writing {path}")
    fitted, lost = fit_to_format(corpus, name)
    if not target.one_document:
        write_file(path, write_text(fitted))
    elif len(fitted.documents) == 1 and (
        is_stream(path) or path.removesuffix(GZIP_ENDING).endswith(ENDING)
    ):
        (document,) = fitted.documents
        if document != PurePath(path.removesuffix(GZIP_ENDING)).stem:
            lost["names of documents, which are those of the files"] += 1
        write_file(path, write_text(fitted))
    else:
        texts = {
            f"{document.name}{ENDING}": write_text(_single_document(fitted, document))
            for document in fitted.documents.values()
        }
        write_folder(path, texts)
    return lost


def _single_document(corpus: Corpus, document: Document) -> Corpus:
    return replace(corpus, documents={document.name: document})


def to_text(corpus: Corpus, name: str) -> tuple[str, Counter[str]]:
    """Write a corpus as text; also return the loss counts by kind."""
    write_text, target = writer_of(name), FORMATS[name]
    if target.one_document and len(corpus.documents) > 1:
        message = f"{target.label} holds one document per file; give a folder instead of -"
        raise SettingsError(message)
    fitted, lost = fit_to_format(corpus, name)
    return write_text(fitted), lost


def format_for(path: str, name: str | None, default: str = "") -> str:
    """Choose the output format: the given name, else the path's ending, else a default."""
    check_format(name)
    if name is not None:
        return name
    ending = path.removesuffix(GZIP_ENDING)
    if known := _known_by_ending(ending):
        return known
    FORMAT_PLUG_INS.load_all()
    if known := _known_by_ending(ending):
        return known
    if default in WRITABLE:
        return default
    message = (
        f"{path}: cannot tell the output format from this name; choose one with --to: "
        f"{', '.join(WRITABLE)}"
    )
    raise SettingsError(message)


def _known_by_ending(ending: str) -> str | None:
    """Find the format that is chosen by the end of a file name."""
    fitting = (
        name
        for name, target in WRITABLE.items()
        if target.endings and ending.endswith(target.endings)
    )
    return next(fitting, None)
