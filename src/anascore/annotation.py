"""What the columns of a file say of words and zeros, besides what is scored."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from anascore.formats.places import next_zero
from anascore.formats.reading.conllu import NOTHING, is_token, split_columns
from anascore.formats.writing.rows import column_of
from anascore.matching.zeros import Dependencies
from anascore.mention import Unit, Zero
from anascore.model import Document, Table
from anascore.settings import Settings


def columns(document: Document, names: Sequence[str]) -> dict[str, dict[Unit, str]]:
    """Return what columns say of each word and zero, where they say something."""
    said: dict[str, dict[Unit, str]] = {name: {} for name in names}
    if "FORM" in names:
        said["FORM"] = {(number, 0): word for number, word in enumerate(document.words, 1)}
    table = document.table
    wanted = [name for name in names if table and name in table.columns and name != "FORM"]
    if table is None or not wanted:
        return said
    if "ID" not in table.columns:
        for name in wanted:
            words = enumerate(column_of(document, name), 1)
            said[name] = {(number, 0): v for number, v in words if v not in {NOTHING, "-"}}
        return said
    for sentence in _sentences(table, wanted):
        for unit, (_, *values) in sentence.items():
            for name, value in zip(wanted, values, strict=True):
                if value != NOTHING:
                    said[name][unit] = value
    return said


def column(document: Document, name: str) -> dict[Unit, str]:
    """Return what one column says."""
    return columns(document, [name])[name]


def dependencies_for(document: Document, settings: Settings) -> dict[Zero, Dependencies]:
    """Return what zeros depend on, if they are to be matched by that."""
    return zero_dependencies(document) if settings.zero_match == "dependent" else {}


def zero_dependencies(document: Document) -> dict[Zero, Dependencies]:
    """Return what the zeros of a document depend on, as far as the column DEPS says it."""
    table = document.table
    if not document.zeros or table is None or not {"ID", "DEPS"} <= {*table.columns}:
        return {}
    found: dict[Zero, Dependencies] = {}
    words_before = 0
    for sentence in _sentences(table, ["DEPS"]):
        units: dict[str, Unit | None] = {row[0]: unit for unit, row in sentence.items()}
        units["0"] = None
        for unit, (_, dependencies) in sentence.items():
            if unit[1] and (links := frozenset(_links(dependencies, units))):
                found[unit] = Dependencies(words_before, links)
        words_before += sum(1 for _, rank in sentence if not rank)
    return found


def _sentences(table: Table, names: Sequence[str]) -> Iterator[dict[Unit, list[str]]]:
    """Give the ID and some columns of each word and zero, sentence by sentence."""
    places = [table.columns.index(name) for name in ("ID", *names)]
    missing = [NOTHING] * len(table.columns)
    sentence: dict[Unit, list[str]] = {}
    words = 0
    zero: Zero = (-1, 0)
    for line in table.lines:
        if not is_token(line):
            if sentence and not line.startswith("#"):
                yield sentence
                sentence = {}
            continue
        cells = split_columns(line, table.separator) + missing
        row = [cells[place] or NOTHING for place in places]
        if row[0].isdecimal():
            words += 1
            sentence[words, 0] = row
        elif "." in row[0]:
            zero = next_zero(words, [zero])
            sentence[zero] = row
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
