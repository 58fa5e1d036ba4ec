"""The working behind scores: what each entity adds, with fractions."""

from __future__ import annotations

from collections.abc import Sequence

from anascore.explanation import Described, Explained
from anascore.metrics import METRICS
from anascore.page.markup import Markup, element, joined
from anascore.page.tables import head, table
from anascore.ratio import Ratio


def working(explained: Explained, place: str) -> Markup:
    """Show what each entity adds to recall and precision; singletons add 1 of 1 or nothing."""
    return joined(
        _shares(explained, explained.key, "recall", place),
        _shares(explained, explained.response, "precision", place),
    )


MOST = 8
"""How many mentions of an entity are shown."""


def _shares(
    explained: Explained, described: Sequence[Described], figure: str, place: str
) -> Markup:
    """Make the table of one direction."""
    rows = {}
    columns = [
        (METRICS[m.metric].label + (f", {row.links}" if row.links else ""), getattr(row, figure))
        for m in explained.metrics
        for row in m.rows
    ]
    shares = [{share.entity: share for share in direction.shares} for _, direction in columns]
    for one in described:
        if len(one.mentions) + bool(one.elements) > 1:
            cells = []
            for of_row in shares:
                share = of_row[one.label]
                cells.append(
                    element(
                        "td",
                        "" if share.part is None else f"{share.part} of {share.whole}",
                        class_="n",
                    )
                )
            partners = sorted({p for of_row in shares for p in of_row[one.label].partners})
            rows[one.label] = element(
                "tr",
                element("th", one.label, scope="row"),
                element("td", _made_of(one), dir="auto"),
                element("td", ", ".join(partners)),
                *cells,
                id=f"{place}{one.label}",
            )
    totals = [element("td", _total(direction.ratio), class_="n") for _, direction in columns]
    singles = len(described) - len(rows)
    rest = element("td", f"all, with {singles} of one mention", colspan=2)
    rows[""] = element("tr", element("th", "total", scope="row"), rest, *totals)
    side = "key" if figure == "recall" else "response"
    heads = head("entity", "mentions", "shares with", *(label for label, _ in columns))
    return table(f"What each entity of the {side} adds to {figure}", [heads], rows.values())


def _made_of(one: Described) -> str:
    more = len(one.mentions) - MOST
    mentions = [*one.mentions[:MOST], *([f"{more} more"] if more > 0 else [])]
    return one.with_mentions(mentions) if one.elements else ", ".join(mentions)


def _total(ratio: Ratio) -> str:
    part, whole, value = ratio.part, ratio.whole, ratio.value
    return "undefined" if value is None else f"{part} / {whole} = {100 * float(value):.2f}%"
