"""What the columns of a file say of words and zeros, besides what is scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anascore.formats.reading.conllu import NOTHING
from anascore.formats.writing.rows import Row, column_of, rows_of
from anascore.matching.zeros import Dependencies
from anascore.mention import Unit, Zero
from anascore.model import Document
from anascore.settings import Settings


def column(document: Document, name: str) -> dict[Unit, str]:
    """Return what a column says of each word and zero, where it says something."""
    if name == "FORM":
        return {(number, 0): word for number, word in enumerate(document.words, 1)}
    table = document.table
    if table is None or name not in table.columns:
        return {}
    if "ID" in table.columns:
        said = ((row.unit, row.columns[name]) for row in rows_of(document) if row.columns)
        return {unit: value for unit, value in said if unit and value != NOTHING}
    words = enumerate(column_of(document, name), 1)
    return {(number, 0): value for number, value in words if value not in {NOTHING, "-"}}


def dependencies_for(document: Document, settings: Settings) -> dict[Zero, Dependencies]:
    """Return what zeros depend on, if they are to be matched by that."""
    return zero_dependencies(document) if settings.zero_match == "dependent" else {}


def zero_dependencies(document: Document) -> dict[Zero, Dependencies]:
    """Return what the zeros of a document depend on, as far as the column DEPS says it."""
    table = document.table
    if not document.zeros or table is None or "DEPS" not in table.columns:
        return {}
    found: dict[Zero, Dependencies] = {}
    words_before = 0
    for sentence in _sentences(document):
        units: dict[str, Unit | None] = {row.columns["ID"]: unit for unit, row in sentence.items()}
        units["0"] = None
        for unit, row in sentence.items():
            if unit[1] and (links := frozenset(_links(row.columns["DEPS"], units))):
                found[unit] = Dependencies(words_before, links)
        words_before += sum(1 for _, rank in sentence if not rank)
    return found


def _sentences(document: Document) -> Iterator[Mapping[Unit, Row]]:
    """Give the lines of each sentence, by the word or zero on them."""
    sentence: dict[Unit, Row] = {}
    for row in rows_of(document):
        if row.unit:
            sentence[row.unit] = row
        elif not row.text and not row.columns:
            yield sentence
            sentence = {}
    yield sentence


def _links(
    dependencies: str, units: Mapping[str, Unit | None]
) -> Iterator[tuple[Unit | None, str]]:
    """Give the parents and relations in a column DEPS; a parent that is not there is left out."""
    if dependencies != NOTHING:
        for link in dependencies.split("|"):
            parent, _, relation = link.partition(":")
            if parent in units:
                yield units[parent], relation
