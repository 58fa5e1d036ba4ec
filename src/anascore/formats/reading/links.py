"""Which entities are elements of which accommodated sets, from the names that a file gives them."""

from __future__ import annotations

from collections.abc import Sequence

from anascore.elements import find_cycles
from anascore.model import Relation
from anascore.problems import Problems

LONG = 10
"""How many steps of a cycle a message names."""


class SetLinks:
    """Collects the links from elements to accommodated sets; `resolve` makes positions of names."""

    def __init__(self, problems: Problems) -> None:
        """Start without links."""
        self._problems = problems
        self._said: dict[tuple[str, str], tuple[int, str]] = {}
        self.relations: dict[str, Relation] = {}
        """How accommodated objects are made of their elements, by their names."""

    def add(
        self, element: str, owner: str, line: int, text: str, relation: Relation = "set"
    ) -> None:
        """Note that an entity is an element of the object that another refers to; text says so."""
        if self.relations.setdefault(owner, relation) != relation:
            what = f"{owner} is a set by some links and a result by others; it can be one of them"
            self._problems.error(line, f"{text}: {what}")
            return
        first, _ = self._said.setdefault((element, owner), (line, text))
        if first != line:
            what = (
                f"{text}: that {element} is an element of {owner} is said in line {first} already"
            )
            self._problems.warning(line, f"{what}; once is enough")

    def resolve(self, names: Sequence[str], document: str) -> list[list[int]]:
        """Give each of the entities, named in order, the positions of its elements."""
        positions = {name: position for position, name in enumerate(names)}
        elements: list[list[int]] = [[] for _ in names]
        for (element, owner), (line, text) in self._said.items():
            unknown = [name for name in (element, owner) if name not in positions]
            if unknown:
                what = f"document {document!r} has no entity {' and no entity '.join(unknown)}"
                self._problems.error(line, f"{text}: {what}; an element and its set need mentions")
            else:
                elements[positions[owner]].append(positions[element])
        for cycle in list(find_cycles(elements)):
            links = list(zip(cycle, cycle[1:] + cycle[:1], strict=True))
            steps = [f"{names[a]} is an element of {names[b]}" for a, b in links]
            more = [f"and so on through {len(steps)} entities"] if len(steps) > LONG else []
            what = f"an entity cannot be an element of itself: {', '.join(steps[:LONG] + more)}"
            element, owner = (names[position] for position in links[0])
            self._problems.error(self._said[element, owner][0], what)
            elements[cycle[0]].remove(cycle[-1])
        return elements
