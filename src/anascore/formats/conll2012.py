"""CoNLL-2012: any number of columns; the last one holds the entities.

`(3` opens a mention of entity 3, `3)` closes the latest open one of 3, `(3)` is a mention of one
word; `|` separates several.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator, Sequence

from anascore.errors import Problems
from anascore.formats.build import (
    brackets_by_unit,
    build_corpus,
    default_names,
    unique_ids,
    unmatched_bracket,
)
from anascore.formats.conllu import TOKEN, Section, column_of, is_token, separator_of, split_columns
from anascore.formats.format import Capacity, Format, ReadOptions
from anascore.formats.source import Source
from anascore.model.document import Corpus, Document, Entity, Table
from anascore.model.mention import Mention, Unit, runs_of

COLUMNS = (
    *(
        "DOCUMENT",
        "PART",
        "NUMBER",
        "FORM",
        "XPOS",
        "PARSE",
        "PREDICATE",
        "FRAMESET",
        "SENSE",
        "SPEAKER",
    ),
    *("NER", "COREFERENCE"),
)
"""Columns of the shared task; predicate arguments come before the last one."""

ARGUMENTS = "ARGUMENTS"
UNKNOWN_COLUMN = "UNKNOWN"
FORM = COLUMNS.index("FORM")
EMPTY_CELLS = {"-", "_", "*", ""}


def read_conll2012(source: Source, problems: Problems, _: ReadOptions) -> Corpus:
    """Read the documents of a CoNLL-2012 file."""
    separator = separator_of(source.content)
    documents = (
        _read_document(section, separator, problems) for section in _sections(source, problems)
    )
    return build_corpus("conll2012", source, documents, problems)


MARK = re.compile(
    rb"#[^\S\n]*(?:(?P<begin>begin)|end)[^\S\n]+document\b[^\S\n]*"
    rb"(?:\((?P<id>.*)\)|(?P<bare>[^;\n]*));?[^\S\n]*(?:part[^\S\n]+(?P<part>\S+))?"
)


def _sections(source: Source, problems: Problems) -> Iterator[Section]:
    """Yield the documents of a file; a file without `#begin document` is one document."""
    marks = list(source.comments(MARK, b"document"))
    names = default_names(source)
    if not marks:
        yield Section(next(names), 1, source.content, 1)
        return
    pieces = source.split_at([0, *(mark.start() for mark in marks)])
    _check_outside(*pieces[0], problems)
    for mark, (first, content) in zip(marks, pieces[1:], strict=True):
        if mark["begin"] is None:
            _check_outside(first, content, problems)
        else:
            name = (mark["id"] or mark["bare"] or b"").decode().strip() or next(names)
            name = name_of(name, (mark["part"] or b"0").decode())
            yield Section(name, first, content, first)


def name_of(document: str, part: str) -> str:
    """Return the name of a document: its id, and its part unless that is the first."""
    number = part.lstrip("0")
    return f"{document}; part {number:0>3}" if number else document


def _check_outside(first: int, content: bytes, problems: Problems) -> None:
    if word := TOKEN.search(content):
        line = first + content.count(b"\n", 0, word.start())
        message = "this word is in no document; '#begin document (id); part 000' is missing above"
        problems.error(line, message)


def _read_document(section: Section, separator: str, problems: Problems) -> Document:
    """Read the words of a document and the mentions in the last column."""
    words: list[str] = []
    lines = array("I")
    sentences: list[int] = []
    mentions = _ColumnReader(problems)
    interned: dict[str, str] = {}
    starts_sentence = True
    has_hash_word = False
    width = 0
    for number, line in enumerate(section.lines, section.first):
        if not line or line[0] == "#" or line.isspace():
            if not _is_hash(line, separator):
                starts_sentence = starts_sentence or line[:1] != "#"
                continue
            has_hash_word = True
        columns = split_columns(line.rstrip(), separator)
        width = len(columns)
        form = columns[form_at(width)] if width > 1 else "_"
        if starts_sentence:
            sentences.append(len(words))
            starts_sentence = False
        if columns[-1] not in EMPTY_CELLS:
            mentions.read(columns[-1], number, len(words))
        words.append(interned.setdefault(form, form))
        lines.append(number)
    return Document(
        section.name,
        tuple(words),
        mentions.finish(),
        path=problems.path,
        line=section.line,
        lines=lines,
        sentences=tuple(sentences),
        # A table would take the word # for a comment.
        table=None if has_hash_word else Table(column_names(width), separator, section.content),
    )


def _is_hash(line: str, separator: str) -> bool:
    """Return True if a line is the word # in a file of two columns, and not a comment."""
    columns = split_columns(line.rstrip(), separator)
    return len(columns) == 2 and columns[0] == "#" and columns[1][-1:] in {"-", "_", "*", ")"}


def form_at(width: int) -> int:
    """Return the position of the word column: the fourth, or the last but one of few columns."""
    return FORM if width > FORM + 1 else width - 2


def column_names(width: int) -> tuple[str, ...]:
    """Return the names of the columns; of few columns only words and entities are known."""
    if width >= len(COLUMNS):
        return (*COLUMNS[:-1], *[ARGUMENTS] * (width - len(COLUMNS)), COLUMNS[-1])
    if width > FORM + 1:
        return (*COLUMNS[: FORM + 1], *[UNKNOWN_COLUMN] * (width - FORM - 2), COLUMNS[-1])
    return (UNKNOWN_COLUMN, UNKNOWN_COLUMN, "FORM", COLUMNS[-1])[-width:] if width else ()


# An opening bracket, maybe closed at once; a closing bracket; or an error. | may be missing.
_BRACKET = re.compile(r"\(([^()|]+)(\)?)|([^()|]+)\)|([^|]+)")


class _ColumnReader:
    """Reader of the last column of a document, from top to bottom."""

    def __init__(self, problems: Problems) -> None:
        self._problems = problems
        self._open: dict[str, list[tuple[int, int]]] = {}
        self._mentions: dict[str, list[Mention]] = {}

    def read(self, cell: str, line: int, word: int) -> None:
        """Read the brackets at a word."""
        for opened, whole, closed, wrong in _BRACKET.findall(cell):
            if closed:
                starts = self._open.get(closed)
                if starts is None:
                    self._problems.error(
                        line, unmatched_bracket(f"{closed})", reversed(self._open))
                    )
                    continue
                self._mentions[closed].append(Mention(((starts.pop()[0], word + 1),)))
                if not starts:
                    del self._open[closed]
            elif wrong:
                message = f"{wrong!r} in the last column is none of '(3', '3)', '(3)' and '-'"
                self._problems.error(line, message)
            else:
                mentions = self._mentions.setdefault(opened, [])
                if whole:
                    mentions.append(Mention(((word, word + 1),)))
                else:
                    self._open.setdefault(opened, []).append((word, line))

    def finish(self) -> tuple[Entity[Mention], ...]:
        """Return the entities in the order of the file."""
        for entity, opened in self._open.items():
            for _, line in opened:
                message = f"a mention of {entity} is opened here and never closed"
                self._problems.error(line, f"{message}; '{entity})' is missing")
        return tuple(
            Entity(tuple(mentions), (), name)
            for name, mentions in self._mentions.items()
            if mentions
        )


_FORBIDDEN_IN_IDS = re.compile(r"[\s\0|()]|^[-_*]$")
_PART = re.compile(r"(.*); part (\d+)", re.DOTALL)
EMPTY = "-"


def write_conll2012(corpus: Corpus) -> str:
    """Return all documents as text."""
    lines: list[str] = []
    for document in corpus.documents.values():
        part = _PART.fullmatch(document.name)
        name, number = (part[1], part[2]) if part else (document.name, "000")
        if name_of(name, number) != document.name:
            # The name only looks as if it had a part.
            name, number = document.name, "000"
        lines.append(f"#begin document ({name}); part {number}")
        lines += _lines(document, name, number)
        lines.append("#end document")
    return "\n".join(lines) + "\n"


def _lines(document: Document, name: str, part: str) -> Iterator[str]:
    """Yield the lines of a document, with an empty line after each sentence."""
    entities = dict(_cells(document))
    rows = _rows(document, name, part)
    starts = set(document.sentences)
    for position, row in enumerate(rows):
        if position in starts and position:
            yield ""
        yield "\t".join([*row, entities.get((position + 1, 0), EMPTY)])
    yield ""


def _rows(document: Document, name: str, part: str) -> Iterator[Sequence[str]]:
    """Yield the columns of each word but the last: those of the file, or new ones."""
    table = document.table
    if table is not None and table.columns[-1:] == COLUMNS[-1:]:
        lines = (line for line in table.lines if is_token(line))
        for line, word in zip(lines, document.words, strict=True):
            columns = split_columns(line.rstrip(), table.separator)
            if len(columns) > 1:
                columns[form_at(len(columns))] = word
            yield columns[:-1]
        return
    tags = column_of(document, "XPOS")
    number = 0
    starts = set(document.sentences)
    for position, word in enumerate(document.words):
        number = 0 if position in starts else number
        tag = EMPTY if tags[position] == "_" else tags[position]
        document_id = re.sub(r"\s|^#", "_", name)
        yield (document_id, str(int(part)), str(number), word, tag, "*", *"----", "*")
        number += 1


def _cells(document: Document) -> Iterator[tuple[Unit, str]]:
    """Yield the brackets at each word where mentions start or end."""
    names = unique_ids([entity.name for entity in document.entities], _FORBIDDEN_IN_IDS)
    parts = [
        (run, name)
        for name, entity in zip(names, document.entities, strict=True)
        for mention in entity.mentions
        for run in runs_of(mention, ())
    ]
    for unit, (closing, opening, whole) in brackets_by_unit(parts):
        brackets = [f"{name})" for name in closing]
        brackets += [f"({name}" for name in opening] + [f"({name})" for name in whole]
        yield unit, "|".join(brackets)


CONLL_2012 = Format(
    label="CoNLL-2012",
    read=read_conll2012,
    write=write_conll2012,
    endings=(".conll", "_conll"),
    holds=Capacity(columns=frozenset({*COLUMNS, ARGUMENTS, UNKNOWN_COLUMN})),
    comment=(MARK, b"document"),
)
