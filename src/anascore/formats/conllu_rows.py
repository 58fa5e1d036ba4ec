"""The rows of CoNLL-U and formats like it, for writing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from anascore.formats.conllu import (
    COLUMNS,
    COREFERENCE,
    NO_VALUE,
    column_of,
    is_token,
    split_columns,
)
from anascore.formats.corefud_brackets import is_number
from anascore.model.document import Document, Table
from anascore.model.mention import Unit, Zero, next_zero

OTHER_COLUMNS = ("REFERENCE", "NOM_SEM")
"""Columns of CoNLL-UA that are kept as they are."""


class TokenRow(NamedTuple):
    """A line: a comment or an empty line as text, or columns by their names."""

    text: str
    columns: dict[str, str]
    unit: Unit | None
    """The word or zero that it is; None for a multiword token."""


def rows_of(document: Document) -> Iterator[TokenRow]:
    """Give the lines of a document, without the one that names it."""
    if document.table is not None and "ID" in document.table.columns:
        yield from _given_rows(document, document.table)
    else:
        yield from _made_rows(document)


_LEFT_OUT = re.compile(r"#\s*(?:newdoc\b|global\.)")


def _given_rows(document: Document, table: Table) -> Iterator[TokenRow]:
    """Take the lines of the file."""
    words = iter(document.words)
    number = 0
    zeros: list[Zero] = []
    # Nothing follows the last line end; the file has one for each sentence.
    for line in [*"\n".join(table.lines).rstrip("\n").split("\n"), ""]:
        if not is_token(line):
            if not _LEFT_OUT.match(line):
                yield TokenRow(line.rstrip(), {}, None)
            continue
        columns = dict(zip(table.columns, split_columns(line, table.separator), strict=False))
        row = {name: columns.get(name) or NO_VALUE for name in (*COLUMNS, *OTHER_COLUMNS)}
        attributes = (a for a in row["MISC"].split("|") if not COREFERENCE.match(a))
        row["MISC"] = "|".join(attributes) or NO_VALUE
        unit: Unit | None = None
        if row["ID"].isdecimal():
            number += 1
            unit = number, 0
            row["FORM"] = next(words)
        elif "." in row["ID"]:
            zeros.append(next_zero(number, zeros))
            unit = zeros[-1]
        yield TokenRow("", row, unit)


def _made_rows(document: Document) -> Iterator[TokenRow]:
    """Make lines for words and zeros, sentence by sentence."""
    tags = column_of(document, "XPOS")
    starts = [0, *(start for start in document.sentences if start > 0)]
    ends = [*starts[1:], len(document.words)]
    zeros: dict[int, list[Zero]] = {}
    for zero in document.zeros:
        zeros.setdefault(zero[0], []).append(zero)
    for number, (start, end) in enumerate(zip(starts, ends, strict=True), 1):
        yield TokenRow(f"# sent_id = {document.name}-{number}", {}, None)
        yield TokenRow(f"# text = {' '.join(document.words[start:end])}", {}, None)
        if start == 0:
            yield from (_made_row(0, zero, NO_VALUE, NO_VALUE) for zero in zeros.get(0, []))
        for position in range(start, end):
            shown = position - start + 1
            yield _made_row(shown, (position + 1, 0), document.words[position], tags[position])
            for zero in zeros.get(position + 1, []):
                yield _made_row(shown, zero, NO_VALUE, NO_VALUE)
        yield TokenRow("", {}, None)


def _made_row(number: int, unit: Unit, form: str, tag: str) -> TokenRow:
    word_id = f"{number}.{unit[1]}" if unit[1] else str(number)
    nothing = dict.fromkeys((*COLUMNS, *OTHER_COLUMNS), NO_VALUE)
    return TokenRow("", {**nothing, "ID": word_id, "FORM": form, "XPOS": tag}, unit)


def renumbered(rows: Sequence[TokenRow]) -> Iterator[TokenRow]:
    """Count the words of each sentence from 1, as CoNLL-U must; CoNLL-UA may count through."""
    sentence: list[TokenRow] = []
    for row in rows:
        sentence.append(row)
        if not (row.text or row.columns):
            yield from _renumbered_sentence(sentence)
            sentence = []
    yield from _renumbered_sentence(sentence)


def _renumbered_sentence(rows: Sequence[TokenRow]) -> Iterator[TokenRow]:
    old = [row.columns["ID"] for row in rows if row.unit and not row.unit[1]]
    if not old or old[0] == "1":
        yield from rows
        return
    numbers = {word: str(number) for number, word in enumerate(old, 1)}
    if is_number(old[0]):
        # A zero before the first word has the number of the word before that.
        numbers.setdefault(str(int(old[0]) - 1), "0")

    def moved(word_id: str) -> str:
        word, dot, rank = word_id.partition(".")
        return numbers.get(word, word) + dot + rank

    for row in rows:
        if not row.columns:
            yield row
            continue
        columns = {**row.columns, "HEAD": moved(row.columns["HEAD"])}
        columns["ID"] = "-".join(moved(word) for word in columns["ID"].split("-"))
        if columns["DEPS"] != NO_VALUE:
            links = (link.partition(":") for link in columns["DEPS"].split("|"))
            columns["DEPS"] = "|".join(moved(head) + sign + name for head, sign, name in links)
        yield row._replace(columns=columns)
