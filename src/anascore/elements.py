"""Which atomic entities an accommodated set stands for, and whether it contains itself."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from graphlib import CycleError, TopologicalSorter


def find_cycle(elements: Sequence[Collection[int]]) -> list[int]:
    """Return entities each of which is an element of the next, and the last of the first; or none.

    elements[i] are the elements of entity i.
    """
    try:
        _sorter(elements).prepare()
    except CycleError as error:
        cycle: list[int] = error.args[1]
        return cycle[:-1]
    return []


def atomic_elements(elements: Sequence[Collection[int]]) -> list[frozenset[int]]:
    """Replace every element that has elements itself by those, down to the atomic entities.

    There must be no cycle.
    """
    atomic = [frozenset[int]()] * len(elements)
    for entity in _sorter(elements).static_order():
        parts = (atomic[element] or {element} for element in elements[entity])
        atomic[entity] = frozenset().union(*parts)
    return atomic


def _sorter(elements: Sequence[Collection[int]]) -> TopologicalSorter[int]:
    return TopologicalSorter({entity: found for entity, found in enumerate(elements) if found})
