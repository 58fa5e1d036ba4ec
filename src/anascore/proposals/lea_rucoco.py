"""The LEA of the RuCoCo 2023 shared task, with rows for split antecedents."""

from __future__ import annotations

from math import comb

from anascore.assignment import Cell
from anascore.comparison import Comparison
from anascore.ratio import Ratio, Rows, Score, total
from anascore.side import Side


def lea_rucoco(c: Comparison) -> Rows:
    """Count LEA over entities of two or more mentions, and one more row for each set."""
    shared = dict(c.tables.from_key.shared)
    swapped = {(j, i): n for (i, j), n in shared.items()}
    return (Score(_one_way(c.key, c.response, shared), _one_way(c.response, c.key, swapped)),)


def _one_way(own: Side, other: Side, shared: dict[Cell, int]) -> Ratio:
    """Add up importance times resolution.

    An entity is as important as it has mentions, and resolved by the share of its links. Its set is
    as important as it has child mentions, and resolved by the share of pairs of mention and child
    that an entity of the other side has as mention and child.
    """
    sizes = [len(entity.mentions) for entity in own.entities]
    parts = []
    for (i, _), n in shared.items():
        if sizes[i] > 1:
            parts.append((sizes[i] * comb(n, 2), comb(sizes[i], 2)))
    children = [sum(sizes[child] for child in of) for of in own.children]
    for (i, j), n in shared.items():
        alike = own.entities[i].relation == other.entities[j].relation
        if alike and own.children[i] and other.children[j]:
            both = sum(shared.get((a, b), 0) for a in own.children[i] for b in other.children[j])
            parts.append((n * both, sizes[i]))
    whole = sum(size for size in sizes if size > 1) + sum(children)
    return Ratio(total(parts), whole)
