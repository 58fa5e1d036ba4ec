"""Documents made in Python, and files made of them."""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from types import MappingProxyType

from anascore import Document, Entity, Mention
from support.metric_oracles import Side

NO_MARKS: Mapping[int, AbstractSet[int]] = MappingProxyType({})


def document_of(
    side: Side, *, before: int = 0, marks: Mapping[int, AbstractSet[int]] = NO_MARKS
) -> Document:
    """Make a document whose mentions are words at their numbers, behind so many other words.

    marks are the mentions that are marked as antecedents, by the positions of entities.
    """

    def mention(number: int) -> Mention:
        return Mention(((before + number, before + number + 1),))

    entities = [
        Entity(
            [mention(number) for number in mentions],
            tuple(elements),
            str(position),
            antecedents=[mention(number) for number in sorted(marks.get(position, ()))],
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
