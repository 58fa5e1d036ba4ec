"""What zeros depend on, from the columns of a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from anascore.formats.columns import sentences_of
from anascore.formats.reading.conllu import NOTHING
from anascore.matching.zeros import Dependencies
from anascore.mention import Unit, Zero
from anascore.model import Document
from anascore.settings import Settings


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
    for sentence in sentences_of(table, ["DEPS"]):
        units: dict[str, Unit | None] = {row[0]: unit for unit, row in sentence.items()}
        units["0"] = None
        for unit, (_, dependencies) in sentence.items():
            if unit[1] and (links := frozenset(_links(dependencies, units))):
                found[unit] = Dependencies(words_before, links)
        words_before += sum(1 for _, rank in sentence if not rank)
    return found


def _links(
    dependencies: str, units: Mapping[str, Unit | None]
) -> Iterator[tuple[Unit | None, str]]:
    """Give the parents and relations in a column DEPS; a parent that is not there is left out."""
    if dependencies != NOTHING:
        for link in dependencies.split("|"):
            parent, _, relation = link.partition(":")
            if parent in units:
                yield units[parent], relation
