"""Rows of CoNLL-U and similar formats, for writers."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from anascore.formats.columns import column_of
from anascore.formats.conllu import (
    COLUMNS,
    COREFERENCE,
    NO_VALUE,
    is_token,
    split_columns,
)
from anascore.formats.corefud_brackets import is_number
from anascore.model.document import Document, Table
from anascore.model.mention import Unit, Zero, next_zero

OTHER_COLUMNS = ("REFERENCE", "NOM_SEM")
"""CoNLL-UA columns that are copied unchanged."""


class TokenRow(NamedTuple):
    """One line: a comment or an empty line as text, or columns by name."""

    text: str
    columns: dict[str, str]
    unit: Unit | None
    """The row's word or zero; None for a multiword token."""


def rows_of(document: Document) -> Iterator[TokenRow]:
    """Yield a document's lines, except the one that names it."""
    if document.table is not None and "ID" in document.table.columns:
        yield from _rows_of_file(document, document.table)
    else:
        yield from _new_rows(document)


_STRUCTURE = re.compile(r"#\s*(?:newdoc\b|global\.)")


def _rows_of_file(document: Document, table: Table) -> Iterator[TokenRow]:
    """Yield the lines of the file from which the document was read."""
    words = iter(document.words)
    number = 0
    zeros: list[Zero] = []
    # An empty line ends each sentence, the last one included.
    for line in [*"\n".join(table.lines).rstrip("\n").split("\n"), ""]:
        if not is_token(line):
            if not _STRUCTURE.match(line):
                yield TokenRow(line.rstrip(), {}, None)
            continue
        columns = dict(zip(table.columns, split_columns(line, table.separator), strict=False))
        row = {name: columns.get(name) or NO_VALUE for name in (*COLUMNS, *OTHER_COLUMNS)}
        attributes = (
            attribute for attribute in row["MISC"].split("|") if not COREFERENCE.match(attribute)
        )
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


def _new_rows(document: Document) -> Iterator[TokenRow]:
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
            yield from (_new_row(0, zero, NO_VALUE, NO_VALUE) for zero in zeros.get(0, []))
        for position in range(start, end):
            word_number = position - start + 1
            unit = position + 1, 0
            yield _new_row(word_number, unit, document.words[position], tags[position])
            for zero in zeros.get(position + 1, []):
                yield _new_row(word_number, zero, NO_VALUE, NO_VALUE)
        yield TokenRow("", {}, None)


def _new_row(number: int, unit: Unit, form: str, tag: str) -> TokenRow:
    word_id = f"{number}.{unit[1]}" if unit[1] else str(number)
    empty = dict.fromkeys((*COLUMNS, *OTHER_COLUMNS), NO_VALUE)
    return TokenRow("", {**empty, "ID": word_id, "FORM": form, "XPOS": tag}, unit)


def renumber(rows: Sequence[TokenRow]) -> Iterator[TokenRow]:
    """Renumber IDs from 1 in each sentence, which CoNLL-U requires and CoNLL-UA does not."""
    sentence: list[TokenRow] = []
    for row in rows:
        sentence.append(row)
        if not (row.text or row.columns):
            yield from _renumber_sentence(sentence)
            sentence = []
    yield from _renumber_sentence(sentence)


def _renumber_sentence(rows: Sequence[TokenRow]) -> Iterator[TokenRow]:
    old_ids = [row.columns["ID"] for row in rows if row.unit and not row.unit[1]]
    if not old_ids or old_ids[0] == "1":
        yield from rows
        return
    numbers = {word: str(number) for number, word in enumerate(old_ids, 1)}
    if is_number(old_ids[0]):
        # A zero before the first word has the number of the word before that.
        numbers.setdefault(str(int(old_ids[0]) - 1), "0")

    def new_id(word_id: str) -> str:
        word, dot, rank = word_id.partition(".")
        return numbers.get(word, word) + dot + rank

    for row in rows:
        if not row.columns:
            yield row
            continue
        columns = {**row.columns, "HEAD": new_id(row.columns["HEAD"])}
        columns["ID"] = "-".join(new_id(word) for word in columns["ID"].split("-"))
        if columns["DEPS"] != NO_VALUE:
            links = (link.partition(":") for link in columns["DEPS"].split("|"))
            columns["DEPS"] = "|".join(new_id(head) + sign + name for head, sign, name in links)
        yield row._replace(columns=columns)
