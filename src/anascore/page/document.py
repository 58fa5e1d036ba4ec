"""One document: its text with mentions marked, its accommodated sets, and the working."""

from __future__ import annotations

from itertools import zip_longest

from anascore.metrics import LABELS
from anascore.page.gathered import Gathered, Looked
from anascore.page.marks import key_marks, response_marks
from anascore.page.markup import Markup, element, joined
from anascore.page.places import document_place, line_place, starts
from anascore.page.sets import sets_of
from anascore.page.tables import folded, head
from anascore.page.text import NOTHING, lines
from anascore.page.working import working
from anascore.report.numbers import percent


def document(page: Gathered, name: str) -> Markup:
    """Show one document, system by system."""
    n = page.numbers[name]
    parts = [_system(page, name, n, i) for i in range(len(page.systems))]
    scores = " · ".join(
        f"{system.name} {percent(system.result.first.documents[name].scores[page.score].f1)}"
        for system in page.systems
    )
    title = joined(element("bdi", name), element("small", f" {LABELS[page.score]}: {scores}"))
    return element(
        "details",
        element("summary", element("h3", title)),
        *parts,
        id=document_place(n),
        class_="document",
    )


def _system(page: Gathered, name: str, n: int, i: int) -> Markup:
    system = page.systems[i]
    looked = system.looked[name]
    key = page.key.documents[name]
    begun = starts(key)
    both = zip_longest(
        lines(key, begun, key_marks(page, name, i)),
        lines(looked.response, begun, response_marks(page, name, i)),
        fillvalue=NOTHING,
    )
    rows = (
        element(
            "tr",
            element("td", ours, dir="auto"),
            element("td", theirs, dir="auto"),
            id=line_place(n, i, number),
        )
        for number, (ours, theirs) in enumerate(both)
        if ours.strip() or theirs.strip()
    )
    title = joined(element("bdi", name), ", ", element("bdi", system.name))
    text = element(
        "table",
        element("caption", "Text of ", title),
        element("thead", head("key", "response")),
        element("tbody", *rows),
        class_="text characters" if key.in_characters else "text",
        data_pairs=_pairs(looked),
        data_elements=_elements(looked),
        data_place=f"d{n}s{i}",
    )
    sets = list(sets_of(looked.explained))
    return element(
        "section",
        element("h4", element("bdi", system.name)),
        text,
        folded(f"Accommodated sets: {len(sets)}", *sets, class_="sets") if sets else None,
        folded("Working: what each entity adds", working(looked.explained, f"d{n}s{i}")),
        data_s=i,
        aria_label=f"{name}, {system.name}",
    )


def _pairs(looked: Looked) -> str:
    """Say which entities have mentions in common, the one with most first: K1:R2,R3 K2:R1."""
    found: dict[str, list[tuple[int, str]]] = {}
    for (k, r), shared in looked.explained.shared.items():
        found.setdefault(k, []).append((-shared, r))
        found.setdefault(r, []).append((-shared, k))
    return " ".join(
        f"{one}:{','.join(o for _, o in sorted(others))}" for one, others in found.items()
    )


def _elements(looked: Looked) -> str:
    """Say which entities have elements: K3:K1,K2."""
    described = (*looked.explained.key, *looked.explained.response)
    return " ".join(f"{one.label}:{','.join(one.elements)}" for one in described if one.elements)
