"""The compiled scanner of rows and brackets, if it was built: installing needs a C compiler for it.

It reads what is as usual, and leaves the rest to the readers in Python. Without it, they read
everything; results and messages are the same.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, TypeAlias

from anascore.model.document import Entity

ScannedRow: TypeAlias = tuple[int, int, *tuple[str, ...]]
"""Row with annotation: the line, the position of the word, and the cells that have it."""

Scan: TypeAlias = Callable[..., tuple[int, ...]]
"""Reads sentences up to one that needs a closer look; returns where that starts."""

ReadBrackets: TypeAlias = Callable[..., tuple[int, str | None]]
"""Reads brackets up to one that needs a closer look; returns where that is."""

MAX_ROWS = 4096
"""Number of rows with annotation after which the scanner pauses, so that few are in memory."""

GroupMarkables: TypeAlias = Callable[..., int]
"""Makes mentions of markables up to one that needs a closer look; returns where that is."""

NewEntities: TypeAlias = Callable[..., tuple[Any, ...]]
"""Makes the entities of a document of their mentions and attributes."""

ENTITY = Entity, ("mentions", "elements", "name", "attributes", "relation", "antecedents")
"""Class of the entities that it makes, with its slots."""

PURE = "ANASCORE_PURE"
"""Environment variable that turns the scanner off."""


def load() -> ModuleType | None:
    """Return the compiled module; None if it was not built, or is turned off."""
    if os.environ.get(PURE):
        return None
    try:
        return import_module("anascore.formats._scanner")
    except ImportError:
        return None


_compiled = load()
scan_conllu: Scan | None = getattr(_compiled, "scan_conllu", None)
scan_conll2012: Scan | None = getattr(_compiled, "scan_conll2012", None)
group_markables: GroupMarkables | None = getattr(_compiled, "group_markables", None)
new_entities: NewEntities | None = getattr(_compiled, "new_entities", None)

# These are called for rows that the scanner has read, and so only if it is there.
read_entities: ReadBrackets = getattr(_compiled, "read_entities", None)  # type: ignore[assignment]
read_markables: ReadBrackets = getattr(_compiled, "read_markables", None)  # type: ignore[assignment]
read_clusters: ReadBrackets = getattr(_compiled, "read_clusters", None)  # type: ignore[assignment]
