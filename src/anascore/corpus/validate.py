"""Validation: all errors in a file, and suspicious annotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from anascore.errors import Problem, Problems, ReadError
from anascore.formats import read_source
from anascore.formats.conllu import COREFERENCE, NO_VALUE
from anascore.formats.format import DEFAULT_OPTIONS, ReadOptions
from anascore.formats.registry import corpus_files
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Mention, Place


class ValidationResult(NamedTuple):
    """Errors and warnings of one file, sorted by line."""

    path: str
    format: str
    """Name of the format; `unknown` if the file cannot be read."""

    problems: list[Problem]
    corpus: Corpus
    """The documents, as far as they can be read."""

    @property
    def errors(self) -> int:
        """Number of errors."""
        return sum(problem.severity == "error" for problem in self.problems)

    @property
    def warnings(self) -> int:
        """Number of warnings."""
        return len(self.problems) - self.errors


def validate(
    path: str, format_name: str | None = None, options: ReadOptions = DEFAULT_OPTIONS
) -> Iterator[ValidationResult]:
    """Read a file, or all files of a folder, to the end; yield the problems of each file."""
    documents: dict[str, str] = {}
    try:
        files = corpus_files(path)
    except ReadError as error:
        yield _unread(error)
        return
    for file in files:
        try:
            source = file.open()
        except ReadError as error:
            yield _unread(error)
            continue
        problems = Problems(source.path)
        corpus = read_source(source, format_name, options, problems, all_names=True)
        repeated = [name for name in corpus.documents if name in documents]
        if repeated:
            message = f"document {repeated[0]!r} is also in {documents[repeated[0]]}"
            more = f" ({len(repeated) - 1} more are repeated)" if len(repeated) > 1 else ""
            problems.warning(None, f"{message}{more}; the folder cannot be read as one corpus")
        for name, document in corpus.documents.items():
            documents.setdefault(name, source.path)
            for line, message in suspicions(document):
                problems.warning(line, message)
        by_line = sorted(problems.found, key=lambda problem: problem.line or 0)
        yield ValidationResult(source.path, corpus.format, by_line, corpus)


def _unread(error: ReadError) -> ValidationResult:
    problem = Problem(error.path, error.line, "error", error.what)
    return ValidationResult(error.path, "unknown", [problem], Corpus({}, "unknown", error.path))


def suspicions(document: Document) -> Iterator[tuple[int | None, str]]:
    """Yield line and message of annotation that is legal but probably unintended."""
    for layer in (document.entities, document.deixis):
        yield from _suspicious_sets(document, layer)
        yield from _repeated_mentions(document, layer)
        for entity in layer:
            for mention in entity.mentions:
                if not _contains_minimum(mention):
                    message = f"a mention of {_named(entity)} does not contain its minimum span"
                    yield document.line_of(mention), message
    places: dict[int, set[Place]] = {}
    for anaphor, _, entity_at, _ in document.bridges:
        if entity_at is None:
            continue
        entity = document.entities[entity_at]
        if entity_at not in places:
            places[entity_at] = {mention.place for mention in entity.mentions}
        if anaphor.place in places[entity_at]:
            message = f"a bridging anaphor is itself a mention of its anchor, {_named(entity)}"
            yield document.line_of(anaphor), message
    yield from _cut_lines(document)
    if not document.words:
        yield document.line, f"document {document.name!r} has no words"


def _suspicious_sets(
    document: Document, layer: Sequence[Entity[Mention]]
) -> Iterator[tuple[int | None, str]]:
    """Yield sets of one element, sets mentioned before their elements, and repeated sets."""
    first = {
        position: min(entity.mentions, key=lambda mention: mention.order)
        for position, entity in enumerate(layer)
    }
    seen: dict[frozenset[int], int] = {}
    for position, entity in enumerate(layer):
        if not entity.elements:
            continue
        line = document.line_of(first[position])
        if len(entity.elements) == 1 and entity.is_set:
            yield line, f"the accommodated set of {_named(entity)} has only one element"
        for element in entity.elements:
            if first[element].order > first[position].order:
                message = f"{_named(layer[element])} is an element of the accommodated set of"
                yield line, f"{message} {_named(entity)}, but is first mentioned after it"
        other = seen.setdefault(frozenset(entity.elements), position) if entity.is_set else position
        if other != position:
            message = f"{_named(layer[other])} and {_named(entity)} have the same accommodated set"
            yield line, f"{message}; they are scored as one entity"


def _repeated_mentions(
    document: Document, layer: Sequence[Entity[Mention]]
) -> Iterator[tuple[int | None, str]]:
    """Yield mentions that are annotated twice."""
    owners: dict[Place, int] = {}
    for position, entity in enumerate(layer):
        for mention in entity.mentions:
            if mention.place not in owners:
                owners[mention.place] = position
                continue
            other = owners[mention.place]
            line = document.line_of(mention)
            if other == position:
                yield line, f"{_named(entity)} has the same mention twice"
            else:
                message = f"{_named(layer[other])} and {_named(entity)} have the same mention"
                yield line, f"{message}; it counts for only one of them"


def _cut_lines(document: Document) -> Iterator[tuple[int, str]]:
    """Yield the number of lines that end within the name of an attribute, or right after it."""
    table = document.table
    if table is None or (table.columns[-1:], table.separator) != (("MISC",), "\t"):
        return
    rows = [row.split("\t") for row in table.lines]
    # Lines are known for words.
    words = (number for number, columns in enumerate(rows) if columns[0].isdecimal())
    first = next((line - word for line, word in zip(document.lines, words, strict=False)), 1)
    cut = [
        line
        for line, columns in enumerate(rows, first)
        if len(columns) == len(table.columns)
        and columns[0][:1] != "#"
        and not _has_whole_attributes(columns[-1].rstrip())
    ]
    if cut:
        message = "lines whose last attribute in MISC has no value, and which may be cut"
        yield cut[0], f"{message}: {len(cut)}"


def _has_whole_attributes(misc: str) -> bool:
    """Return True if the last attribute has a value, or readers report that it has none."""
    last = misc.rpartition("|")[2]
    return misc in {"", NO_VALUE} or bool(last.partition("=")[2] or COREFERENCE.fullmatch(last))


def _contains_minimum(mention: Mention) -> bool:
    return all(
        any(start <= first and last <= end for start, end in mention.words)
        for first, last in mention.minimum
    )


def _named(entity: Entity[Mention]) -> str:
    return f"entity {entity.name}"
