"""Which mentions are marked in a text, and how."""

from __future__ import annotations

from collections.abc import Iterator

from anascore.explanation import accommodated
from anascore.mention import Mention
from anascore.model import Document
from anascore.page.gathered import Gathered, Looked
from anascore.page.text import Marked
from anascore.side import Side


def key_marks(page: Gathered, name: str, i: int) -> list[Marked]:
    """Mark the key's mentions: how they match, and which systems have them right."""
    looked = page.systems[i].looked[name]
    side = looked.sides[0]
    systems = [(system.name, system.looked[name].right) for system in page.systems]
    statuses = _statuses(looked, 0)
    found = []
    for k, (mention, label) in enumerate(_labelled(side, "K")):
        right = [system for system, of_system in systems if k in of_system]
        differs = ", ".join(right) if 0 < len(right) < len(systems) else ""
        found.append(Marked(mention, f"K{side.entity_of[k] + 1}", statuses[k], label, differs))
    return [*found, *_other_layers(page.key.documents[name])]


def response_marks(page: Gathered, name: str, i: int) -> list[Marked]:
    """Mark the response's mentions: how they match, and which systems have not those too many."""
    looked = page.systems[i].looked[name]
    side = looked.sides[1]
    others = [(s.name, s.looked[name].extra) for s in page.systems if s is not page.systems[i]]
    statuses = _statuses(looked, 1)
    found = []
    for r, (mention, label) in enumerate(_labelled(side, "R")):
        without = [other for other, extra in others if mention.place not in extra]
        differs = ", ".join(without) if statuses[r] == "x" else ""
        found.append(
            Marked(mention, f"R{side.entity_of[r] + 1}", f"{statuses[r]} r", label, differs)
        )
    return [*found, *_other_layers(looked.response)]


def _labelled(side: Side, letter: str) -> Iterator[tuple[Mention, str]]:
    """Give the mentions; the first of an entity with a set is labelled with its elements."""
    for number, entity in enumerate(side.entities, 1):
        elements = [f"{letter}{element + 1}" for element in entity.elements]
        label = f"{letter}{number}={accommodated(entity.relation, elements, ',')}"
        for rank, mention in enumerate(entity.mentions):
            yield mention, label if elements and not rank else ""


def _statuses(looked: Looked, side: int) -> list[str]:
    """Say how each mention of a side matches."""
    key, response = looked.sides
    own = looked.sides[side]
    statuses = ["x"] * len(own.mentions)
    for pair in looked.spans:
        statuses[pair[side]] = "s"
    for k, r in looked.matched:
        ours, theirs = key.mentions[k], response.mentions[r]
        whole = ours.place == theirs.place or (ours.is_zero and theirs.is_zero)
        statuses[(k, r)[side]] = ("m" if whole else "p") if k in looked.right else "w"
    return statuses


def _other_layers(document: Document) -> Iterator[Marked]:
    """Mark discourse deixis and bridging, which are seen when they are switched on."""
    for n, entity in enumerate(document.deixis, 1):
        for mention in entity.mentions:
            yield Marked(mention, f"D{n}", "d")
    for bridge in document.bridges:
        relation = f" ({bridge.relation})" if bridge.relation else ""
        to = f" → “{_short(document, bridge.anchor)}”{relation}"
        yield Marked(bridge.anaphor, "B", "b", behind=to)


def _short(document: Document, mention: Mention) -> str:
    words = document.text_of(mention)
    return words if len(words) <= 40 else f"{words[:39]}…"
