"""Zeros themselves: their places and columns, no matter what refers to them.

After the evaluation of predicted empty nodes at CRAC 2024 to 2026 (Straka): a zero is identified by
its sentence and its parent in the enhanced dependencies, and has one entry for each parent.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import TypeAlias

from anascore.entities.document import PreparedDocument
from anascore.entities.side import check_has_columns
from anascore.formats.columns import Columns, Dependencies, zero_dependencies
from anascore.formats.conllu import NO_VALUE
from anascore.layers.counts import LayerCounts, Sizes
from anascore.layers.document import DocumentComparison
from anascore.metrics.scores import ZERO_SCORES
from anascore.model.document import Document, Table
from anascore.model.mention import Zero
from anascore.model.ratio import shared_score

WITHOUT_PARENT = "zeros without a parent in the enhanced dependencies"
NO_PARENT = Dependencies(-1, frozenset({((-1, -1), "")}))
"""Replaces the dependencies of a zero that has none."""

COLUMNS = ("FORM", "LEMMA", "UPOS", "XPOS", "FEATS")
"""Columns that are scored."""

Entry: TypeAlias = Mapping[str, object]
"""A zero's features with one of its parents: ARC, DEP, WO, and the columns."""


def zero_entries(document: Document | None) -> list[Entry]:
    """List an entry for each zero and each of its parents."""
    if document is None:
        return []
    check_has_columns(document)
    dependencies = zero_dependencies(document)
    cells = {} if document.table is None else document.table.cached(_cells_of_zeros)
    return [
        {"ARC": (sentence, parent), "DEP": relation, "WO": zero[0], **cells.get(zero, {})}
        for zero in document.zeros
        for sentence, links in (dependencies.get(zero, NO_PARENT),)
        for parent, relation in links
    ]


def _cells_of_zeros(table: Table) -> dict[Zero, dict[str, str]]:
    names = [name for name in COLUMNS if name in table.columns]
    cells = table.cached(Columns)
    cells.load(["ID", *names])
    values = {name: cells.column(name) for name in names}
    return {
        zero: {name: values[name][row] if name in values else NO_VALUE for name in COLUMNS}
        for row, zero in cells.zeros.items()
    }


def notes_on_parents(prepared: PreparedDocument) -> dict[str, int]:
    """Count zeros without a parent in a note, next to the document's other notes."""
    document = prepared.document
    if document is None:
        return dict(prepared.notes)
    without = len(document.zeros) - len(zero_dependencies(document))
    return {**prepared.notes, WITHOUT_PARENT: without}


def count_zero_layer(pair: DocumentComparison, _reported: Collection[str]) -> LayerCounts:
    """Count the entries that both sides have in common, by score.

    An entry matches exactly if all features agree, and partly if sentence and parent do.
    """
    key, response = zero_entries(pair.key.document), zero_entries(pair.response.document)
    sizes = len(key), len(response)
    shared = {name: _shared(key, response, parts) for name, parts in ZERO_SCORES.items()}
    parents, exactly = shared["zeros-arc"], shared["zeros-all"]
    return LayerCounts(
        _sizes(pair.key, sizes[0]),
        _sizes(pair.response, sizes[1]),
        {
            "exactly": exactly,
            "partly": parents - exactly,
            "as_zeros": 0,
            "missing": sizes[0] - parents,
            "spurious": sizes[1] - parents,
        },
        {name: shared_score(number, *sizes) for name, number in shared.items()},
    )


def _sizes(prepared: PreparedDocument, parents: int) -> Sizes:
    zeros = prepared.document.zeros if prepared.document else ()
    return {"documents": prepared.count, "zeros": len(zeros), "parents": parents}


def _shared(key: list[Entry], response: list[Entry], parts: tuple[str, ...]) -> int:
    """Count common entries as multisets of some features."""
    counts = (Counter(tuple(entry.get(p) for p in parts) for entry in s) for s in (key, response))
    own, other = counts
    return (own & other).total()
