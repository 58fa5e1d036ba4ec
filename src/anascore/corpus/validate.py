"""Validation: all errors in a file, and suspicious annotation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from os import PathLike, fspath
from typing import NamedTuple, Unpack

from anascore.arguments import check_arguments
from anascore.corpus.scorable import ScoringSummary, summarise
from anascore.errors import Problem, Problems, ReadError
from anascore.formats import conll2012
from anascore.formats.columns import columns as columns_of
from anascore.formats.columns import rows_in
from anascore.formats.conllu import COREFERENCE, NO_VALUE
from anascore.formats.corefud_brackets import is_number
from anascore.formats.format import DEFAULT_OPTIONS, FormatName, ReadOptions
from anascore.formats.reading import check_format, read_source
from anascore.formats.registry import corpus_files
from anascore.formats.sources import CorpusSource, as_list, corpus_in_memory
from anascore.model.abbreviated import pluralise, quote
from anascore.model.document import Corpus, Document, Entity
from anascore.model.mention import Mention, Place, Unit
from anascore.printing import LayoutKeywords, OutputName, Printable


class FileValidation(NamedTuple):
    """Errors and warnings of one file, sorted by line."""

    path: str
    format: str
    """Format name; `unknown` if the file cannot be read."""

    problems: tuple[Problem, ...]

    @property
    def errors(self) -> list[Problem]:
        """The errors."""
        return [problem for problem in self.problems if problem.severity == "error"]

    @property
    def warnings(self) -> list[Problem]:
        """The warnings."""
        return [problem for problem in self.problems if problem.severity == "warning"]

    def __repr__(self) -> str:
        """Show the path and the numbers of problems on one line."""
        return f"<FileValidation {quote(self.path)}: {_in_words(self)}>"


def _in_words(validation: FileValidation | Validation) -> str:
    errors, warnings = len(validation.errors), len(validation.warnings)
    return f"{pluralise(errors, 'error')}, {pluralise(warnings, 'warning')}"


@dataclass(frozen=True, slots=True)
class Validation(Printable):
    """Errors and warnings of files. Print it, iterate over the files, or check `ok`."""

    files: tuple[FileValidation, ...]
    scoring: ScoringSummary
    """The scoring options for which the files have the annotation."""

    @property
    def ok(self) -> bool:
        """True if there are no errors; warnings do not count."""
        return not self.errors

    @property
    def errors(self) -> list[Problem]:
        """The errors of all files."""
        return [problem for file in self.files for problem in file.errors]

    @property
    def warnings(self) -> list[Problem]:
        """The warnings of all files."""
        return [problem for file in self.files for problem in file.warnings]

    def __iter__(self) -> Iterator[FileValidation]:
        """Iterate over the files."""
        return iter(self.files)

    def __len__(self) -> int:
        """Return the number of files."""
        return len(self.files)

    def render(self, output: OutputName = "table", **layout: Unpack[LayoutKeywords]) -> str:
        """Return the problems as text.

        Args:
            output: Output format, such as "markdown" or "json".
            layout: `tables="problems"` for only the tables with these ids.

        Returns:
            The text that `anascore validate` prints.

        Raises:
            SettingsError: The output is unknown.
        """
        return self._render(output, **layout)

    def __repr__(self) -> str:
        """Show the numbers of files and problems on one line."""
        return f"<Validation: {pluralise(len(self), 'file')}, {_in_words(self)}>"


@check_arguments
def validate(
    corpora: CorpusSource | Iterable[CorpusSource],
    format: FormatName | None = None,  # noqa: A002  what users call it
    *,
    clusters_field: str = DEFAULT_OPTIONS.clusters_field,
    word_column: int | None = DEFAULT_OPTIONS.word_column,
) -> Validation:
    """Find all errors and suspicious annotation in files.

    Args:
        corpora: A file, a folder, - for standard input, or a corpus in memory; or several of these.
        format: Name of the format (default: auto-detect).
        clusters_field: Field of JSON lines that holds the entities.
        word_column: Column of CoNLL-2012 that holds the words, counted from 1 (default:
            auto-detect).

    Returns:
        The errors and warnings of each file, and what can be scored from the files. A file that
        cannot be read has an error.

    Raises:
        SettingsError: An option is invalid, or does not apply to the format.

    Example:
        >>> from anascore.example import KEY
        >>> validate(KEY).ok
        True
    """
    check_format(format)
    options = ReadOptions(clusters_field=clusters_field, word_column=word_column)
    files: list[FileValidation] = []
    read: dict[str, list[Corpus]] = {}
    for source in as_list(corpora):
        if isinstance(source, str | PathLike):
            path = fspath(source)
            validated = [] if path in read else list(validate_path(path, format, options))
        else:
            corpus = corpus_in_memory(source)
            path = corpus.path or "in Python"
            validated = [validate_corpus(corpus, path)]
        files += [file for file, _ in validated]
        read.setdefault(path, []).extend(corpus for _, corpus in validated)
    return Validation(tuple(files), summarise(read, sum(len(file.errors) for file in files)))


def validate_corpus(corpus: Corpus, path: str) -> tuple[FileValidation, Corpus]:
    """Find what is suspicious in a corpus that is in memory, and the errors of its reader."""
    problems = Problems(path)
    errors = [error for document in corpus.documents.values() for error in document.errors]
    for document in corpus.documents.values():
        for line, message in suspicions(document):
            problems.warning(line, message)
    return FileValidation(path, corpus.format, (*errors, *problems.found)), corpus


def validate_path(
    path: str, format_name: str | None = None, options: ReadOptions = DEFAULT_OPTIONS
) -> Iterator[tuple[FileValidation, Corpus]]:
    """Read a file, or all files of a folder, to the end; yield the problems of each file.

    Each file comes with its corpus, as far as it can be read.
    """
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
        yield FileValidation(source.path, corpus.format, tuple(by_line)), corpus


def _unread(error: ReadError) -> tuple[FileValidation, Corpus]:
    problem = Problem(error.path, error.line, "error", error.what)
    corpus = Corpus({}, ("unknown",), error.path)
    return FileValidation(error.path, "unknown", (problem,)), corpus


def suspicions(document: Document) -> Iterator[tuple[int | None, str]]:
    """Yield the line and message of annotation that is legal but probably unintended."""
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
    yield from _odd_rows(document)
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
    """Yield how many lines end within an attribute name or right after it."""
    table = document.table
    if table is None or (table.columns[-1:], table.separator) != (("MISC",), "\t"):
        return
    rows = list(rows_in(table))
    # Lines are known for words.
    words = (position for position, cells in rows if cells[0].isdecimal())
    first = next((line - word for line, word in zip(document.lines, words, strict=False)), 1)
    cut = [
        first + position
        for position, cells in rows
        if len(cells) == len(table.columns) and not _has_whole_attributes(cells[-1].rstrip())
    ]
    if cut:
        message = "lines that may be truncated: their last attribute in MISC has no value"
        yield cut[0], f"{message}: {len(cut)}"


def _odd_rows(document: Document) -> Iterator[tuple[int, str]]:
    """Yield how many CoNLL-2012 rows may have been moved or repeated, or lost a column.

    Readers do not check these columns, because splitting all rows takes long.
    """
    table = document.table
    if table is None or table.columns[-1:] != conll2012.COLUMNS[-1:]:
        return
    number, others = conll2012.COLUMNS[conll2012.NUMBER], conll2012.COLUMNS[conll2012.FORM + 1 : -1]
    columns = columns_of(document, [number, *others])
    # Readers report the brackets themselves if a document has no others.
    for name in others if document.entities else ():
        lines = [
            document.lines[word - 1]
            for (word, _), cell in columns[name].items()
            if conll2012.CLUSTERS.fullmatch(cell)
        ]
        if lines:
            yield lines[0], f"{conll2012.misplaced_brackets(name)}: {len(lines)}"
    odd = list(_odd_numbers(document, columns[number]))
    if odd and len(odd) <= len(document.words) / 10:
        message = "words whose number does not follow that of the word before"
        yield odd[0], f"{message}; lines may be missing or repeated: {len(odd)}"


def _odd_numbers(document: Document, numbers: Mapping[Unit, str]) -> Iterator[int]:
    """Yield the lines of words whose number is not the next one in the sentence."""
    starts = {*document.sentences}
    for position, line in enumerate(document.lines):
        before, number = (numbers.get((word, 0), "") for word in (position, position + 1))
        is_next = is_number(before) and is_number(number) and int(number) == int(before) + 1
        if position not in starts and not is_next:
            yield line


def _has_whole_attributes(misc: str) -> bool:
    """Test whether the last attribute has a value, or readers report that it has none."""
    last = misc.rpartition("|")[2]
    return misc in {"", NO_VALUE} or bool(last.partition("=")[2] or COREFERENCE.fullmatch(last))


def _contains_minimum(mention: Mention) -> bool:
    return all(
        any(start <= first and last <= end for start, end in mention.words)
        for first, last in mention.minimum
    )


def _named(entity: Entity[Mention]) -> str:
    return f"entity {entity.name}"
