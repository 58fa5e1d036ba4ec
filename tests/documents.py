"""Documents made in Python, and files made of them."""

from collections.abc import Sequence

from anascore import Document, Entity, Mention
from oracles import Side


def document_of(side: Side, *, before: int = 0) -> Document:
    """Make a document whose mentions are words at their numbers, behind so many other words."""
    entities = [
        Entity(
            [Mention(((before + number, before + number + 1),)) for number in mentions],
            tuple(elements),
            str(position),
        )
        for position, (mentions, elements) in enumerate(side)
    ]
    return Document("d", ["w"] * (before + 100), entities)


def write_ua(side: Side, *, name: str = "d", words: int = 20, before: int = 0) -> str:
    """Write a side as CoNLL-UA, with one-word mentions and as many words before as asked for."""
    lines = [f"# newdoc id = {name}"]
    owner = {mention: i for i, (mentions, _) in enumerate(side) for mention in mentions}
    sets: list[list[int]] = [[] for _ in side]
    for i, (_, elements) in enumerate(side):
        for element in elements:
            sets[element].append(i)
    for position in range(before + words):
        entity = owner.get(position - before)
        lines.append(_line(position, "_" if entity is None else _bracket(entity, sets[entity])))
    return "\n".join([*lines, ""])


def _bracket(entity: int, sets: Sequence[int]) -> str:
    element_of = f"|ElementOf={','.join(map(str, sets))}" if sets else ""
    return f"(EntityID={entity}{element_of})"


def _line(position: int, identity: str) -> str:
    return "\t".join([str(position + 1), f"w{position}", *"_" * 8, identity, *"_" * 4])
