"""Reading and writing corpora in every format.

Takes files, folders, text or Python objects; gives a `Corpus`, and writes one back.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from os import PathLike, fspath
from pathlib import PurePath

from anascore.errors import Problems, ReadError, SettingsError, WriteError
from anascore.execution import check_jobs, for_each, status
from anascore.formats.jsonl import CLUSTERS, read_jsonl
from anascore.formats.registry import FORMATS, recognise
from anascore.formats.source import (
    PACKED,
    STANDARD_INPUT,
    File,
    Source,
    files_at,
    write_file,
    write_folder,
)
from anascore.model.document import Corpus, Document


def read(
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002  what users call it
    *,
    clusters_field: str = CLUSTERS,
    jobs: int = 1,
) -> Corpus:
    """Read a file, a folder or standard input (-), in a format named or recognised.

    clusters_field is the field of JSON lines that holds the entities; jobs is the number of
    processes that share the files of a folder.
    """
    path = fspath(path)
    check_format(format)
    check_jobs(jobs)

    def read_file(file: File) -> Corpus:
        source = file.open()
        return read_source(source, format, clusters_field, Problems(source.path))

    corpora = list(for_each(read_file, files_at(path), jobs))
    return corpora[0] if len(corpora) == 1 else merge(path, corpora)


def check_format(name: str | None) -> None:
    """Refuse a format that does not exist."""
    if name is not None and name not in FORMATS:
        message = f"no such format: {name}; there are {', '.join(FORMATS)}"
        raise SettingsError(message)


def read_source(
    source: Source, format_name: str | None, clusters_field: str, problems: Problems
) -> Corpus:
    """Read one file in a format named or recognised."""
    status(f"reading {source.path}")
    name = format_name or recognise(source)
    if name is None:
        what = "the format of this file is not recognised; name it with --format if it is one of"
        problems.error(None, f"{what} {', '.join(FORMATS)}")
        return Corpus({}, "unknown", source.path)
    if name == "jsonl":
        return read_jsonl(source, problems, clusters_field)
    if clusters_field != CLUSTERS:
        message = (
            f"{source.path} is {FORMATS[name].label}; only JSON lines have a field of clusters"
        )
        raise SettingsError(message)
    return FORMATS[name].read(source, problems)


def merge(path: str, corpora: Iterable[Corpus]) -> Corpus:
    """Make one corpus of those read from the files of a folder."""
    documents: dict[str, Document] = {}
    formats = []
    unnamed = True
    for corpus in corpora:
        formats.append(corpus.format)
        unnamed = unnamed and corpus.unnamed
        for name, document in corpus.documents.items():
            if name in documents:
                what = f"document id {name!r} again; {documents[name].path} has it too"
                raise ReadError(document.path, document.line, what)
            documents[name] = document
    return Corpus(documents, "+".join(dict.fromkeys(formats)), path, unnamed=unnamed)


def fitted(corpus: Corpus, format_name: str) -> tuple[Corpus, Counter[str]]:
    """Take out of a corpus what a format cannot hold, and count it by what it is."""
    from anascore.formats.fit import fit  # noqa: PLC0415  readers do not need it
    from anascore.formats.fit_relations import number_types  # noqa: PLC0415  the same

    target = FORMATS[format_name]
    documents: dict[str, Document] = {}
    lost: Counter[str] = Counter()
    given: Iterable[Document] = corpus.documents.values()
    if target.holds.nonreferring == "numbered":
        given = number_types(given, lost)
    for document in given:
        fitted_document, here = fit(document, target.holds)
        if target.refine:
            fitted_document = target.refine(fitted_document, here)
        name, number = fitted_document.name, 1
        while name in documents:
            number += 1
            name = f"{fitted_document.name}-{number}"
        documents[name] = replace(fitted_document, name=name)
        lost += here
    if not target.holds.names:
        lost += _unname(corpus, documents)
    unnamed = not target.holds.names
    fitting = replace(corpus, documents=documents, format=format_name, unnamed=unnamed)
    return target.clean(fitting, lost) if target.clean else fitting, lost


def _unname(corpus: Corpus, documents: dict[str, Document]) -> Counter[str]:
    """Count names that get lost, and take out documents that an empty last line stands for."""
    lost = Counter({"names of documents": 0 if corpus.unnamed else len(documents)})
    while documents and not ((last := documents[next(reversed(documents))]).words or last.zeros):
        del documents[last.name]
        lost["documents without words, at the end"] += 1
    return +lost


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
    status(f"writing {path}")
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
