"""Validation: everything that is wrong or suspicious in a file."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from anascore.errors import AllProblems, Problem, ReadError
from anascore.formats import read_source
from anascore.formats.source import files_at
from anascore.model.document import Document, Entity
from anascore.model.mention import Mention, Place


class ValidationResult(NamedTuple):
    """A file, its format if known, and what is wrong or suspicious in it, by line."""

    path: str
    format: str
    problems: list[Problem]

    @property
    def errors(self) -> int:
        """How many errors there are."""
        return sum(problem.severity == "error" for problem in self.problems)

    @property
    def warnings(self) -> int:
        """How many warnings there are."""
        return len(self.problems) - self.errors


def validate(path: str, format_name: str | None, clusters_field: str) -> Iterator[ValidationResult]:
    """Read a file, or all files of a folder, to the end, and say what is wrong or suspicious."""
    documents: dict[str, str] = {}
    try:
        files = files_at(path)
    except ReadError as error:
        yield _unread(error)
        return
    for file in files:
        try:
            source = file.open()
        except ReadError as error:
            yield _unread(error)
            continue
        problems = AllProblems(source.path)
        corpus = read_source(source, format_name, clusters_field, problems)
        repeated = [name for name in corpus.documents if name in documents]
        if repeated:
            what = f"document {repeated[0]!r} is in {documents[repeated[0]]}, too"
            more = f", and {len(repeated) - 1} more are there again" if len(repeated) > 1 else ""
            problems.warning(None, f"{what}{more}; the folder cannot be read as one corpus")
        for name, document in corpus.documents.items():
            documents.setdefault(name, source.path)
            for line, what in suspicions(document):
                problems.warning(line, what)
        found = sorted(problems.found, key=lambda problem: problem.line or 0)
        yield ValidationResult(source.path, corpus.format, found)


def _unread(error: ReadError) -> ValidationResult:
    problem = Problem(error.path, error.line, "error", error.what)
    return ValidationResult(error.path, "unknown", [problem])


def suspicions(document: Document) -> Iterator[tuple[int | None, str]]:
    """Find annotation that is legal, but hardly meant."""
    for layer in (document.entities, document.deixis):
        yield from _suspicious_sets(document, layer)
        yield from _repeated_mentions(document, layer)
        for entity in layer:
            for mention in entity.mentions:
                if not _holds_minimum(mention):
                    what = f"the minimum span of a mention of {_named(entity)} is not inside of it"
                    yield document.line_of(mention), what
    places: dict[int, set[Place]] = {}
    for anaphor, _, entity_at, _ in document.bridges:
        if entity_at is None:
            continue
        entity = document.entities[entity_at]
        if entity_at not in places:
            places[entity_at] = {mention.place for mention in entity.mentions}
        if anaphor.place in places[entity_at]:
            what = f"a bridging anaphor is related to {_named(entity)}"
            yield document.line_of(anaphor), f"{what}, of which it is a mention itself"
    if not document.words:
        yield document.line, f"document {document.name!r} has no words"


def _suspicious_sets(
    document: Document, layer: Sequence[Entity[Mention]]
) -> Iterator[tuple[int | None, str]]:
    """Find sets of one element, sets before their elements, and sets that are there twice."""
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
            yield line, f"the accommodated set of {_named(entity)} has one element only"
        for element in entity.elements:
            if first[element].order > first[position].order:
                what = f"{_named(layer[element])} is an element of the accommodated set of"
                yield line, f"{what} {_named(entity)}, but is mentioned only later"
        other = seen.setdefault(frozenset(entity.elements), position) if entity.is_set else position
        if other != position:
            what = f"{_named(layer[other])} and {_named(entity)} have the same accommodated set"
            yield line, f"{what}; they are scored as one entity"


def _repeated_mentions(
    document: Document, layer: Sequence[Entity[Mention]]
) -> Iterator[tuple[int | None, str]]:
    """Find mentions that are there twice."""
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
                what = f"{_named(layer[other])} and {_named(entity)} have the same mention"
                yield line, f"{what}; it counts for one of them only"


def _holds_minimum(mention: Mention) -> bool:
    return all(
        any(start <= first and last <= end for start, end in mention.words)
        for first, last in mention.minimum
    )


def _named(entity: Entity[Mention]) -> str:
    return f"entity {entity.name}"
