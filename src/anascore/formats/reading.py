"""Reading corpora from files, folders and standard input, in every format."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from os import PathLike, fspath

from anascore.arguments import check_arguments, is_string
from anascore.errors import (
    EXCLUSIVE_HINT,
    INCLUSIVE_HINT,
    Problem,
    Problems,
    ReadError,
    SettingsError,
    did_you_mean,
    read_error,
    shown,
)
from anascore.formats.files import (
    GZIP_ENDING,
    NO_MEMORY,
    SIDECAR_FILES,
    File,
    Source,
    is_file,
)
from anascore.formats.format import DEFAULT_OPTIONS, ReadOptions
from anascore.formats.near_names import report_near_names
from anascore.formats.registry import (
    FORMATS,
    FormatNames,
    can_repair,
    corpus_files,
    detect_format,
    foreign_format,
    format_names,
)
from anascore.model.document import Corpus, Document
from anascore.parallel import Jobs, for_each, number_of_jobs
from anascore.settings import BadDocuments, Settings
from anascore.terminal import status


@check_arguments
def read(  # noqa: PLR0913  every choice is a keyword
    path: str | PathLike[str],
    format: str | None = None,  # noqa: A002  what users call it
    *,
    clusters_field: str = DEFAULT_OPTIONS.clusters_field,
    word_column: int | None = DEFAULT_OPTIONS.word_column,
    bad_documents: BadDocuments = "error",
    repair: bool = False,
    jobs: Jobs = 1,
) -> Corpus:
    """Read a corpus from a file, a folder or standard input.

    Args:
        path: File, folder, or - for standard input.
        format: Name of the format (default: auto-detect).
        clusters_field: Field of JSON lines that holds the entities.
        word_column: Column of CoNLL-2012 that holds the words, counted from 1 (default:
            auto-detect).
        bad_documents: Treatment of documents with errors: "error" raises an error that lists them;
            "skip" returns them marked (`Document.errors`). Scoring leaves a marked document of the
            key out on both sides, and scores one of a response as empty.
        repair: If True, repair broken output of language models as far as possible; documents list
            the repairs (`Document.repairs`).
        jobs: Number of parallel processes for the files of a folder; "auto" uses all cores.

    Returns:
        The corpus, with all documents in the order of the files.

    Raises:
        ReadError: A file cannot be read, or documents have errors; the message names the places.
        SettingsError: An option is invalid, or does not apply to the format.

    Example:
        >>> from anascore.example import KEY
        >>> list(read(KEY).documents)[:2]
        ['czech_library', 'dialogue_keys']

    """
    options = ReadOptions(clusters_field=clusters_field, word_column=word_column)
    return read_corpus(path, format, options, bad_documents=bad_documents, repair=repair, jobs=jobs)


SKIP_HINT = '; --bad-documents skip (in Python bad_documents="skip") scores the others'
"""Remedy for documents with errors, for commands with this setting."""

REPAIR_HINT = "--repair (in Python repair=True) repairs a response as far as possible"
"""Remedy for errors in formats that can be repaired."""


def read_corpus(  # noqa: PLR0913  every choice is a keyword
    path: str | PathLike[str],
    format_name: str | None = None,
    options: ReadOptions = DEFAULT_OPTIONS,
    *,
    bad_documents: BadDocuments = "error",
    repair: bool = False,
    jobs: Jobs = 1,
    hint: str = "",
) -> Corpus:
    """Read a corpus like `read`; an error about some bad documents ends with `hint`."""
    path = fspath(path)
    check_format(format_name)
    processes = number_of_jobs(jobs)
    Settings(bad_documents=bad_documents, repair=repair)  # raises if there is no such choice

    def read_file(file: File) -> tuple[Corpus, list[Problem]]:
        try:
            source = file.open()
        except ReadError as error:
            return Corpus({}, ("unknown",)), [Problem(error.path, error.line, "error", error.what)]
        problems = Problems(source.path, repairing=repair)
        corpus = read_source(source, format_name, options, problems)
        return corpus, first_errors(corpus, problems, file_only=bad_documents == "skip")

    files = list(for_each(read_file, corpus_files(path), processes))
    return _join_files(path, files, hint, repair=repair)


def _join_files(
    path: str, files: Sequence[tuple[Corpus, list[Problem]]], hint: str, *, repair: bool
) -> Corpus:
    """Join files that were read one by one; raise ReadError if any had errors."""
    corpora = [corpus for corpus, _ in files]
    if errors := [error for _, errors in files for error in errors]:
        documents = [document for corpus in corpora for document in corpus.documents.values()]
        bad = [document for document in documents if document.errors]
        repairable = hint and not repair and any(map(can_repair, corpora))
        repair_hint = [REPAIR_HINT] if repairable else []
        if not {*errors} <= {error for document in bad for error in document.errors}:
            raise read_error(errors, "errors", repair_hint)
        # Documents without spans at the end would be scored, and those spans are as wrong.
        is_convention = any(
            error.what.endswith((EXCLUSIVE_HINT, INCLUSIVE_HINT)) for error in errors
        )
        skip_hint = "" if is_convention else hint
        total = f"{len(bad)} of {len(documents)} documents have errors{skip_hint}"
        closing = [total] if hint and len(bad) < len(documents) else []
        unit = "documents" if len(errors) == len(bad) else "errors"
        raise read_error(errors, unit, [*closing, *repair_hint])
    return corpora[0] if len(corpora) == 1 else merge_corpora(path, corpora)


COMPRESSION = 16
"""Highest compression ratio to expect."""


@dataclass(frozen=True, slots=True)
class CorpusFile:
    """A corpus on disk, and the options for reading it."""

    path: str
    format_name: str | None = None
    options: ReadOptions = DEFAULT_OPTIONS
    bad_documents: BadDocuments = "error"
    repair: bool = False

    @property
    def skips(self) -> bool:
        """True if documents with errors are skipped."""
        return self.bad_documents == "skip"

    def is_larger(self, size: int) -> bool:
        """Test whether the corpus may exceed a number of bytes."""
        try:
            files = corpus_files(self.path)
        except ReadError:
            # Reading it raises the same error, in its turn.
            return False
        total = 0
        for file in files:
            factor = COMPRESSION if file.path.endswith(GZIP_ENDING) else 1
            total += factor * (file.size or 0)
        return total > size

    def read(self, jobs: int = 1) -> Corpus:
        """Read the corpus."""
        return read_corpus(
            self.path,
            self.format_name,
            self.options,
            bad_documents=self.bad_documents,
            repair=self.repair,
            jobs=jobs,
            hint=SKIP_HINT,
        )


def first_errors(corpus: Corpus, problems: Problems, *, file_only: bool) -> list[Problem]:
    """Select each document's first error and all errors of the file, in the order reported.

    An error without a line concerns the whole file and is returned alone, because the others follow
    from it. If a document's format can be repaired, all its errors are returned. `file_only` leaves
    out document errors.
    """
    if not problems.has_errors:
        return []
    documents = [document for document in corpus.documents.values() if document.errors]
    first = {document.errors[0] for document in documents}
    of_documents = {error for document in documents for error in document.errors}
    listed = of_documents if can_repair(corpus) else first
    excluded = of_documents if file_only else of_documents - listed
    errors = [problem for problem in problems.found if problem.severity == "error"]
    of_file = [error for error in errors if error.line is None and error not in of_documents]
    return of_file[:1] or [*dict.fromkeys(error for error in errors if error not in excluded)]


def check_format(name: str | None) -> None:
    """Raise SettingsError if no format has this name."""
    if name is not None and not (is_string(name) and name in FormatNames(FORMATS)):
        names = format_names()
        hint = did_you_mean(name, names)
        given = name if is_string(name) else shown(name)
        message = f"unknown format: {given}{hint}; choose from {', '.join(names)}"
        raise SettingsError(message)


def read_source(
    source: Source,
    format_name: str | None,
    options: ReadOptions,
    problems: Problems,
    *,
    all_names: bool = False,
) -> Corpus:
    """Read one file in the given format, or in the detected one.

    Likely misspellings are reported; with `all_names`, even if the file contains the right names.
    """
    status(f"reading {source.path}")
    name = format_name or _detected(source, repairing=problems.repairing)
    if (name is None or FORMATS[name].companions) and (main := _main_file(source)):
        problems.error(None, f"this file belongs to {main}; give that file instead")
        return Corpus({}, ("unknown",), source.path)
    if name is None:
        repaired = _detected(source, repairing=True)
        behind = repaired and f"text stands before the {FORMATS[repaired].label} in this file"
        problems.error(None, behind or _what_it_is(source) or _not_detected())
        return Corpus({}, (repaired or "unknown",), source.path)
    source_format = FORMATS[name]
    for option in options.changed():
        if option not in source_format.options:
            labels = ", ".join(known.label for known in FORMATS.values() if option in known.options)
            message = f"--{option.replace('_', '-')} is only for {labels}"
            raise SettingsError(f"{source.path} is {source_format.label}; {message}")
    try:
        corpus = source_format.read(source, problems, options)
        if format_name and not (problems.has_errors or _is_annotated(corpus)):
            corpus = _check_forced(corpus, source, format_name, problems)
        return report_near_names(corpus, source, source_format.names, problems, thorough=all_names)
    except MemoryError:
        pass
    # The error is gone, and with it the memory that it held.
    problems.error(None, NO_MEMORY)
    return Corpus({}, (name,), source.path)


def _not_detected() -> str:
    names = ", ".join(format_names())
    return f"cannot detect the format of this file; choose one with --format: {names}"


def _what_it_is(source: Source) -> str:
    """Name the unsupported format that a file seems to have; empty if it is none of them."""
    other = foreign_format(source.content)
    return f"this is {other.label}, which anascore cannot read yet; {other.remedy}" if other else ""


def _is_annotated(corpus: Corpus) -> bool:
    return any(
        document.entities or document.deixis or document.bridges or document.nonreferring
        for document in corpus.documents.values()
    )


def _can_be_together(named: str, detected: str) -> bool:
    """Test whether a file can contain two formats, so that the requested one is meant.

    JSON can contain the fields of both, and Stanza copies `Entity=` from its input to its output.
    """
    formats = FORMATS[named], FORMATS[detected]
    return all(one.json_key for one in formats) or (named, detected) == ("stanza", "corefud")


def _check_forced(corpus: Corpus, source: Source, named: str, problems: Problems) -> Corpus:
    """If a corpus is empty, report or note that the file is annotated in another format."""
    label, nothing = FORMATS[named].label, Corpus({}, ("unknown",), source.path)
    read_as = f"read as {label}, this file has no annotation"
    detected = detect_format(source)
    if detected is None and (what := _what_it_is(source)):
        problems.error(None, f"{read_as}; {what}")
        return nothing
    if detected is None or detected == named:
        return corpus
    other = FORMATS[detected]
    if not _is_annotated(other.read(source, Problems(source.path), DEFAULT_OPTIONS)):
        return corpus
    if _can_be_together(named, detected):
        note = f"documents without annotation in {label}, whose file has some in {other.label}"
        problems.warning(None, f"{note}: {len(corpus.documents)}")
        documents = {
            name: replace(document, notes={**document.notes, note: 1})
            for name, document in corpus.documents.items()
        }
        return replace(corpus, documents=documents)
    problems.error(
        None,
        f"{read_as}, but read as {other.label} it has; leave out --format, or "
        f'type --format {detected} (in Python format="{detected}")',
    )
    return nothing


_FENCED_JSON = re.compile(rb"^[ \t]*[\[{]", re.MULTILINE)


def _detected(source: Source, *, repairing: bool) -> str | None:
    """Detect the format; if the file may be repaired, text may precede JSON."""
    name = detect_format(source)
    repairing = repairing and not foreign_format(source.content)
    if repairing and (name is None or not FORMATS[name].repairs):
        start = _FENCED_JSON.search(source.content)
        if start and start.start() > 0:
            content = source.content[start.start() :]
            fenced = detect_format(replace(source, content=content))
            name = fenced if fenced and FORMATS[fenced].repairs else name
    return name


def _main_file(source: Source) -> str | None:
    """Return the annotation file that a text file accompanies, if it exists."""
    names = [main for endings in SIDECAR_FILES if (main := endings.main_file(source.path))]
    paths = (name + packed for name in names for packed in ("", GZIP_ENDING))
    return next(filter(is_file, paths), None)


def merge_corpora(path: str, corpora: Iterable[Corpus]) -> Corpus:
    """Merge the corpora of the files of a folder."""
    documents: dict[str, Document] = {}
    formats: list[str] = []
    unnamed = True
    for corpus in corpora:
        formats += corpus.formats
        unnamed = unnamed and corpus.unnamed
        for name, document in corpus.documents.items():
            if name in documents:
                message = f"duplicate document id {name!r}; {documents[name].path} has it too"
                raise ReadError(document.path, document.line, message)
            documents[name] = document
    return Corpus(documents, tuple(dict.fromkeys(formats)), path, unnamed=unnamed)
