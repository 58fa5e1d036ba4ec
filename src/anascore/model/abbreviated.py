"""Short texts for `repr`: names in quotes, numbers with their nouns."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice

from anascore.errors import shown

MAX_LENGTH = 60
"""Maximum number of characters in a name."""

MAX_LISTED = 4
"""Maximum number of items in a list."""


def quote(name: str) -> str:
    """Quote a name on one line; a long one is cut.

    >>> quote("a" * 100)
    "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…'"
    """
    return repr(name if len(name) <= MAX_LENGTH else f"{name[:MAX_LENGTH]}…")


def pluralise(number: int, noun: str, plural: str = "") -> str:
    """Write a number with its noun.

    >>> pluralise(1, "mention"), pluralise(0, "mention"), pluralise(2, "entity", "entities")
    ('1 mention', '0 mentions', '2 entities')
    """
    return f"{number} {noun if number == 1 else plural or f'{noun}s'}"


def listed(items: object) -> str:
    """List the first items by their `repr`, and count the rest.

    >>> listed((1, 2, 3, 4, 5, 6))
    '[1, 2, 3, 4, … 2 more]'
    """
    if not isinstance(items, Collection):  # a wrong argument must still be shown
        return shown(items)
    return f"[{abbreviated(map(shown, items), len(items))}]"


def abbreviated(texts: Iterable[str], number: int, most: int = MAX_LISTED) -> str:
    """List the first of `number` texts, and count the rest.

    >>> abbreviated("abc", 3), abbreviated("abc", 3, most=1)
    ('a, b, c', 'a, … 2 more')
    """
    first = list(islice(texts, most))
    more = number - len(first)
    return ", ".join([*first, *([f"… {more} more"] if more else [])])
