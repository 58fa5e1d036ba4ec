"""Which atomic entities an accommodated set stands for, and whether it contains itself."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from graphlib import TopologicalSorter


def find_cycles(elements: Sequence[Collection[int]]) -> Iterator[list[int]]:
    """Give lists of entities each of which is an element of the next, and the last of the first.

    elements[i] are the elements of entity i. If in each list the last entity were no element of
    the first, there would be no cycle.
    """
    waiting, on_the_way, done = range(3)
    state = [waiting] * len(elements)
    for start in range(len(elements)):
        if state[start] is not waiting or not elements[start]:
            continue
        state[start] = on_the_way
        way, rest = [start], [iter(elements[start])]
        while way:
            element = next(rest[-1], None)
            if element is None:
                state[way.pop()] = done
                rest.pop()
            elif state[element] is waiting:
                state[element] = on_the_way
                way.append(element)
                rest.append(iter(elements[element]))
            elif state[element] is on_the_way:
                yield way[: way.index(element) - len(way) - 1 : -1]


def atomic_elements(elements: Sequence[Collection[int]]) -> list[frozenset[int]]:
    """Replace every element that has elements itself by those, down to the atomic entities.

    There must be no cycle.
    """
    atomic = [frozenset[int]()] * len(elements)
    links = {entity: found for entity, found in enumerate(elements) if found}
    for entity in TopologicalSorter(links).static_order():
        parts = (atomic[element] or {element} for element in elements[entity])
        atomic[entity] = frozenset().union(*parts)
    return atomic
