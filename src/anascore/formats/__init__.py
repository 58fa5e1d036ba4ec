"""Text to Corpus and back, for every format."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from os import PathLike, fspath

from anascore.errors import ReadError, SettingsError
from anascore.formats.reading.jsonl import CLUSTERS, read_jsonl
from anascore.formats.recognition import recognise
from anascore.formats.registry import FORMATS
from anascore.formats.source import File, Source, files_at
from anascore.jobs import check_jobs, for_each
from anascore.model import Corpus, Document
from anascore.problems import Problems
from anascore.progress import doing


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
    doing(f"reading {source.path}")
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
    from anascore.formats.writing.fitting import fit  # noqa: PLC0415  readers do not need it
    from anascore.formats.writing.relations import number_types  # noqa: PLC0415  the same

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
