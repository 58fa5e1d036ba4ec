"""What the entities of one side share with those of the other: the table that metrics read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from anascore.assignment import Cell
from anascore.ratio import Number


@dataclass(frozen=True, slots=True)
class Overlap:
    """What own entities have in common with the entities of the other side.

    In the letters of the paper, for recall: own[i] is |K_i|, importance[i] is β_i, other[j] is
    |R_j|, shared[i, j] is n_ij, the number of regular mentions in K_i and R_j, and credits[i, j] is
    what R_j's accommodated set earns when it is aligned with K_i's. For precision swap the sides.
    """

    own: Sequence[int]
    importance: Sequence[int]
    other: Sequence[int]
    shared: Mapping[Cell, int]
    credits: Mapping[Cell, Number] = field(default_factory=dict)

    def cells(self) -> list[tuple[int, int, int, Number]]:
        """Return i, j, mentions shared and credit, for every cell that is not empty."""
        if not self.credits:
            return [(i, j, n, 0) for (i, j), n in self.shared.items()]
        found = [(*cell, n, self.credits.get(cell, 0)) for cell, n in self.shared.items()]
        alone = (cell for cell in self.credits if cell not in self.shared)
        return found + [(*cell, 0, self.credits[cell]) for cell in alone]
